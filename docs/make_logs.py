"""Make the logs in docs/data/logs that the pages read: invented outcomes in the forms that the tools write.

python docs/make_logs.py
"""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

PLACE = Path(__file__).parent / "data" / "logs"
DATE = "2026-01-21T03-44-18.458309"


def lm_eval() -> None:
    """Three models on 80 sums with two filters, as `lm_eval --log_samples --output_path` writes them."""
    rng = np.random.default_rng(3)
    hard = rng.uniform(0, 1, 80)
    for model, skill, sloppy in (("large-70b", 0.75, 0.25), ("medium-13b", 0.65, 0.03), ("small-7b", 0.4, 0.03)):
        folder = PLACE / "lm_eval" / f"acme__{model}"
        folder.mkdir(parents=True, exist_ok=True)
        rows = []
        right = hard + rng.normal(0, 0.15, 80) < skill
        found = rng.uniform(0, 1, 80) > sloppy
        for i in range(80):
            for name, score in (("strict-match", right[i] and found[i]), ("flexible-extract", right[i])):
                doc = {"question": f"{i}+{i * 7 % 50}", "topic": f"t{i % 8}"}
                row = {
                    "doc_id": i,
                    "doc": doc,
                    "target": str(i + i * 7 % 50),
                    "resps": [["..."]],
                    "filtered_resps": ["..."],
                }
                rows.append(
                    {
                        **row,
                        "filter": name,
                        "metrics": ["exact_match"],
                        "doc_hash": f"{i:064x}",
                        "exact_match": float(score),
                    }
                )
        (folder / f"samples_sums_{DATE}.jsonl").write_text(
            "".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8"
        )
        about: dict[str, Any] = {
            "results": {"sums": {"alias": "sums"}},
            "configs": {"sums": {}},
            "versions": {"sums": 1},
        }
        about |= {"higher_is_better": {"sums": {"exact_match": True}}, "model_name": f"acme/{model}"}
        (folder / f"results_{DATE}.json").write_text(json.dumps(about), encoding="utf-8")


def inspect() -> None:
    """Two models on 40 questions about 10 passages, 3 epochs each, and a run that was cancelled, as .eval archives."""
    rng = np.random.default_rng(5)
    passage = rng.normal(0, 0.3, 10)
    (PLACE / "inspect").mkdir(parents=True, exist_ok=True)
    for name, model, skill, status in (
        ("a1", "oak", 0.4, "success"),
        ("b1", "elm", -0.2, "success"),
        ("b0", "elm", -0.2, "cancelled"),
    ):
        samples = []
        for epoch in (1, 2, 3):
            for i in range(40 if status == "success" else 6):
                grade = "C" if rng.normal(skill + passage[i % 10], 1) > 0 else "I"
                sample = {
                    "id": f"q{i:02d}",
                    "epoch": epoch,
                    "metadata": {"passage": f"p{i % 10}"},
                    "scores": {"verdict": {"value": grade}},
                }
                sample |= {
                    "model_usage": {
                        f"lab/{model}": {"total_tokens": int(rng.integers(200, 400) * (2 if model == "oak" else 1))}
                    }
                }
                if model == "elm" and i == 7 and epoch == 2:
                    sample |= {"scores": {}, "error": "APITimeoutError: Request timed out."}
                samples.append(sample)
        metrics = {"accuracy": {"name": "accuracy", "value": 0.0}}
        scores = [{"name": "verdict", "scorer": "verdict", "metrics": metrics}]
        header = {
            "version": 2,
            "status": status,
            "eval": {"task": "reading", "model": f"lab/{model}", "created": f"2026-01-2{name[1]}"},
        }
        with zipfile.ZipFile(
            PLACE / "inspect" / f"2026-01-21_reading_{name}.eval", "w", zipfile.ZIP_DEFLATED
        ) as archive:
            for member, value in (
                ("summaries.json", samples),
                ("header.json", {**header, "results": {"scores": scores}}),
            ):
                archive.writestr(zipfile.ZipInfo(member, (2026, 1, 21, 0, 0, 0)), json.dumps(value))


def swe_bench() -> None:
    """Reports of four agents on 120 instances, as swebench.harness writes them."""
    rng = np.random.default_rng(7)
    ids = [f"{name}__{name}-{1000 + i}" for name in ("django", "sympy", "pytest", "sphinx") for i in range(30)]
    hard = rng.uniform(0, 1, 120)
    (PLACE / "swe_bench").mkdir(parents=True, exist_ok=True)
    for agent, skill in (
        ("acme__agent-large", 0.62),
        ("acme__agent-small", 0.45),
        ("openfix", 0.56),
        ("baseline", 0.2),
    ):
        right = hard + rng.normal(0, 0.2, 120) < skill
        error = rng.uniform(0, 1, 120) < 0.03
        resolved = [i for i, good, bad in zip(ids, right, error, strict=True) if good and not bad]
        errors = [i for i, bad in zip(ids, error, strict=True) if bad]
        rest = [i for i in ids if i not in resolved and i not in errors]
        report = {
            "total_instances": 120,
            "submitted_ids": ids,
            "completed_ids": resolved + rest,
            "resolved_ids": resolved,
        }
        report |= {
            "unresolved_ids": rest[3:],
            "empty_patch_ids": rest[:3],
            "error_ids": errors,
            "incomplete_ids": [],
            "schema_version": 2,
        }
        (PLACE / "swe_bench" / f"{agent}.run1.json").write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    lm_eval()
    inspect()
    swe_bench()
