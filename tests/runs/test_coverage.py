"""Intervals of runs cover what they promise with 3 and 5 runs; the table in docs/rooms/runs.md comes from here."""

import numpy as np
import pytest

from podium import runs
from podium.core.runs import as_runs

REPEATS = 600
SHAPES = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "skewed": lambda rng, shape: rng.exponential(1, shape) - 1,
    "two humps": lambda rng, shape: np.where(rng.random(shape) < 0.3, -1.5, 0.64) + 0.3 * rng.standard_normal(shape),
}
LEAST = {10: 0.92, 26: 0.93}  # by the number of tasks; simulated with a standard error of 0.009


def world(shape, tasks, rng):
    """Agents on tasks with means and spreads of their own; the second is worse by differences that vary by task."""
    centre, gain = rng.normal(0.5, 0.5, tasks), rng.normal(0.2, 0.3, tasks)
    spread = rng.uniform(0.05, 0.4, tasks)

    def draw(repeats, better):
        noise = SHAPES[shape](rng, (repeats, tasks))
        return centre + (gain if better else 0) + spread * noise

    return draw


def coverage(shape, tasks, repeats, *, count=REPEATS, seed=0):
    """The share of intervals that hold the true value, by what they are intervals of."""
    rng = np.random.default_rng([seed, tasks, repeats, len(shape)])
    draw = world(shape, tasks, rng)
    large = {"a": draw(20_000, True), "b": draw(20_000, False)}
    many = runs.aggregates(as_runs(large)).values
    truth = dict(zip(runs.aggregates({"a": large["a"]}, draws=10).aggregates, many[0], strict=True))
    grid = np.linspace(-1, 2.5, 61)
    shares = runs.profiles({"a": large["a"]}, thresholds=grid, draws=1).share[0]
    beaten = [np.searchsorted(np.sort(large["b"][:, j]), large["a"][:, j]).mean() for j in range(tasks)]
    better = np.mean(beaten) / len(large["b"])
    hits = dict.fromkeys([*truth, "difference", "improvement", "profile"], 0)
    for _ in range(count):
        both = {"a": draw(repeats, True), "b": draw(repeats, False)}
        found = runs.aggregates({"a": both["a"]}, draws=2000, rng=rng)
        for j, name in enumerate(found.aggregates):
            hits[name] += found.low[0, j] <= truth[name] <= found.high[0, j]
        pair = runs.all_pairs(both, aggregate="iqm")
        gap = many[0][0] - many[1][0]
        hits["difference"] += pair.low[0] <= gap <= pair.high[0]
        hits["improvement"] += pair.improvement_low[0] <= better <= pair.improvement_high[0]
        band = runs.profiles({"a": both["a"]}, thresholds=grid, draws=400, rng=rng)
        hits["profile"] += bool(((band.low[0] <= shares) & (shares <= band.high[0])).all())
    return {name: share / count for name, share in hits.items()}


@pytest.mark.slow
@pytest.mark.parametrize("repeats", [3, 5])
@pytest.mark.parametrize("tasks", [10, 26])
@pytest.mark.parametrize("shape", SHAPES)
def test_intervals_cover_with_few_runs(shape, tasks, repeats):
    found = coverage(shape, tasks, repeats)
    for name, share in found.items():
        assert share >= LEAST[tasks] - 0.03, (name, share)


@pytest.mark.slow
def test_equal_agents_are_told_apart_no_more_often_than_promised():
    rng = np.random.default_rng(9)
    errors = 0
    for _ in range(1000):
        centre = rng.normal(0.5, 0.5, 12)
        pool = {name: centre + 0.3 * rng.standard_normal((3, 12)) for name in "abcd"}
        errors += runs.all_pairs(pool).better(0.05).any()
    assert errors / 1000 <= 0.065
