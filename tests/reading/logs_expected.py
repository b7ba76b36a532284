"""Facts of real logs (`../shared/logs/<case>/expected.json`) and how cases that were read are held against them."""

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import binomtest
from typer.testing import CliRunner

from podium.cli.main import app

LOGS = next(
    (found for folder in Path(__file__).parents if (found := folder / "shared" / "logs").is_dir()), Path("shared/logs")
)


def folder(name):
    """A folder of real logs, or a skip where they are not there."""
    if not (LOGS / name / "expected.json").exists():
        pytest.skip(f"needs shared/logs/{name}")
    return LOGS / name


def expected(name):
    return json.loads((folder(name) / "expected.json").read_text(encoding="utf-8"))


def check_facts(cases, facts, called=lambda name: name):
    """Systems, items, repeats, holes, means, and the discordant counts and exact p of pairs; `called` maps names."""
    assert len(cases.algorithms) == facts["systems"]
    assert cases.n_cases == facts["items"]
    assert (cases.metric.direction + " is better") == facts["direction"]
    assert int(np.isnan(cases.values).sum()) == facts["missing_item_system_cells"]
    n_samples = 1 if cases.samples is None else cases.samples.shape[2]
    assert n_samples == facts["repeats_per_item"]["max"]
    column = {called(name): j for j, name in enumerate(cases.algorithms)}
    assert set(column) == set(facts["mean_score_over_items"])
    for name, mean in facts["mean_score_over_items"].items():
        own = cases.values[:, column[name]]
        assert np.nanmean(own) == pytest.approx(mean, abs=1e-12)
        assert int((~np.isnan(own)).sum()) == facts["items_with_score"][name]
    for pair in facts["pairs"]:
        check_pair(cases.metric.sign * cases.values[:, [column[pair["a"]], column[pair["b"]]]], pair)


def check_pair(values, pair):
    a, b = values[~np.isnan(values).any(axis=1)].T
    assert len(a) == pair["items_paired"]
    same = np.isclose(a, b, rtol=0, atol=1e-9)
    counts = int(((a > b) & ~same).sum()), int(((a < b) & ~same).sum()), int(same.sum())
    assert counts == (pair["a_better"], pair["b_better"], pair["ties"])
    n = counts[0] + counts[1]
    p = binomtest(counts[0], n).pvalue if n else 1.0
    assert math.isclose(p, pair["exact_sign_p"], rel_tol=1e-9)


def compared(tmp_path, arguments):
    """What `podium compare` writes as JSON."""
    page = tmp_path / "made.json"
    done = CliRunner().invoke(app, ["compare", *map(str, arguments), "-q", "--json", str(page)])
    assert done.exit_code == 0, (done.output, done.exception)
    return json.loads(page.read_text(encoding="utf-8"))


def check_cli(tmp_path, arguments, facts, called=lambda name: name):
    """The command line gives the same counts, and the same mean scores where no benchmark has a weight of its own."""
    data = compared(tmp_path, arguments)
    scores = {called(row["algorithm"]): row["mean_score"] for row in data["ranking"]}
    for name, mean in facts["mean_score_over_items"].items():
        assert scores[name] == pytest.approx(mean, abs=1e-9)
    pairs = data["pairs"]
    found = {
        (called(a), called(b)): (pairs["wins"][i], pairs["losses"][i], pairs["ties"][i])
        for i, (a, b) in enumerate(zip(pairs["a"], pairs["b"], strict=True))
    }
    for pair in facts["pairs"]:
        won, lost = pair["a_better"], pair["b_better"]
        row = found.get((pair["a"], pair["b"]))
        assert (row or found[pair["b"], pair["a"]]) == ((won, lost) if row else (lost, won)) + (pair["ties"],)
