"""Speed and memory of reading logs of other tools, from files to a comparison.

    python benchmarks/logs.py [GIGABYTES]

134 reports of SWE-bench with 500 instances each, from the files to the page; and 1 GB of lm-evaluation-harness samples. The
files are made here, in a folder that is removed again.
"""

from __future__ import annotations

import json
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

MOST_REPORTS, MOST_INSTANCES = 134, 500


def reports(place: Path) -> None:
    """Reports of the harness, of systems between 10 % and 70 %."""
    rng = np.random.default_rng(0)
    ids = [
        f"{repository}__{repository}-{i}"
        for repository in ("django", "sympy", "astropy", "flask", "pytest")
        for i in range(100)
    ]
    hard = rng.uniform(0, 1, MOST_INSTANCES)
    for system in range(MOST_REPORTS):
        right = hard + rng.normal(0, 0.2, MOST_INSTANCES) < 0.1 + 0.6 * system / MOST_REPORTS
        own: dict[str, Any] = {"total_instances": MOST_INSTANCES, "submitted_ids": ids, "completed_ids": ids}
        own |= {"resolved_ids": [i for i, r in zip(ids, right, strict=True) if r]}
        own |= {
            "unresolved_ids": [i for i, r in zip(ids, right, strict=True) if not r],
            "error_ids": [],
            "schema_version": 2,
        }
        (place / f"agent-{system:03d}.r1.json").write_text(json.dumps(own, indent=4), encoding="utf-8")


def samples(place: Path, gigabytes: float, size: int = 3000) -> None:
    """Samples of four models on one task, about 3 kB each, as the harness writes them with --log_samples."""
    filler = " ".join(f"word{i}" for i in range(size // 8))
    rng = np.random.default_rng(0)
    documents = int(gigabytes * 1e9 / 4 / (size + 350))
    for model in range(4):
        folder = place / f"lab__model-{model}"
        folder.mkdir()
        right = rng.uniform(0, 1, documents) < 0.5 + 0.05 * model
        with (folder / "samples_big_2026-01-21T03-44-18.458309.jsonl").open("w", encoding="utf-8") as file:
            for i in range(documents):
                row = {
                    "doc_id": i,
                    "doc": {"question": filler, "topic": f"t{i % 7}"},
                    "target": "1",
                    "arguments": {"gen_args_0": {"arg_0": "x"}},
                }
                row |= {
                    "resps": [[filler[:300]]],
                    "filtered_resps": ["1"],
                    "filter": "none",
                    "metrics": ["exact_match"],
                }
                row |= {"doc_hash": f"{i:064x}", "exact_match": float(right[i])}
                file.write(json.dumps(row) + "\n")
        about = {
            "results": {"big": {"alias": "big"}},
            "configs": {},
            "versions": {"big": 1},
            "higher_is_better": {"big": {"exact_match": True}},
        }
        (folder / "results_2026-01-21T03-44-18.458309.json").write_text(
            json.dumps({**about, "model_name": f"lab/model-{model}"}), encoding="utf-8"
        )


def measured(arguments: list[str]) -> tuple[float, float, float]:
    """Seconds, processor seconds, and megabytes at most, of a program that is started again."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "podium", *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu, after.ru_maxrss / 1024


def main() -> None:
    gigabytes = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    with tempfile.TemporaryDirectory() as name:
        place = Path(name)
        (place / "swe").mkdir()
        reports(place / "swe")
        page = str(place / "page.html")
        measured(["compare", str(place / "swe"), "-q", "--html", page])  # once, to compile
        for what in (["show", str(place / "swe")], ["compare", str(place / "swe"), "-q", "--html", page]):
            seconds, cpu, megabytes = measured(what)
            print(
                f"134 SWE-bench reports x 500, podium {what[0]}: {seconds:.1f} s, processor {cpu:.1f} s, {megabytes:.0f} MB"
            )
        (place / "lm").mkdir()
        samples(place / "lm", gigabytes)
        size = sum(path.stat().st_size for path in (place / "lm").rglob("*.jsonl")) / 1e9
        seconds, cpu, megabytes = measured(["compare", str(place / "lm"), "-q"])
        print(
            f"{size:.2f} GB of lm-eval samples, podium compare: {seconds:.1f} s, processor {cpu:.1f} s, {megabytes:.0f} MB"
        )


if __name__ == "__main__":
    main()
