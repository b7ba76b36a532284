"""Intervals of runs cover what they promise with 3 and 5 runs, by the designs of benchmarks/runs_coverage.py."""

import importlib.util
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from podium import runs

HOME = Path(__file__).parents[2]
spec = importlib.util.spec_from_file_location("runs_coverage", HOME / "benchmarks" / "runs_coverage.py")
designs = importlib.util.module_from_spec(spec)
spec.loader.exec_module(designs)
LEAST = 0.89  # simulated with a standard error of 0.009; the smallest share of 1,000 is in docs/data/runs_coverage.csv


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [3, 5])
@pytest.mark.parametrize("tasks", [10, 26])
@pytest.mark.parametrize("shape", designs.SHAPES)
def test_intervals_cover_with_few_runs(shape, tasks, repeats):
    found = designs.coverage(shape, tasks, repeats, count=600)
    found.pop("iqm by percentiles")
    if repeats < 5:
        assert "median" not in found  # it has no interval
    for name, share in found.items():
        assert share >= LEAST, (name, share)
        assert share <= 0.998 or name == "median", (name, share)


def test_the_table_of_the_page_is_what_the_room_promises():
    """The measured shares, from 10 tasks on, are near 95%; those of percentiles with 3 runs are far from it."""
    rows = pd.read_csv(HOME / "docs" / "data" / "runs_coverage.csv")
    own = rows.query("what != 'iqm by percentiles' and tasks >= 10")
    assert own.share.min() > 0.93
    assert own.query("what == 'median'").runs.min() == 5  # it has no interval below
    assert own.query("what != 'median'").groupby("what").share.mean().between(0.94, 0.985).all()
    assert rows.query("what == 'iqm by percentiles' and runs == 3").share.max() < 0.92
    assert (rows.simulations == designs.SIMULATIONS).all()


@pytest.mark.slow
def test_equal_agents_are_told_apart_no_more_often_than_promised():
    rng = np.random.default_rng(9)
    errors = 0
    for _ in range(1000):
        centre = rng.normal(0.5, 0.5, 12)
        pool = {name: centre + 0.3 * rng.standard_normal((3, 12)) for name in "abcd"}
        errors += runs.all_pairs(pool).better(0.05).any()
    assert 0.01 <= errors / 1000 <= 0.065
