"""How often the intervals of the runs room cover the truth with few runs, and the bootstrap percentiles of rliable beside them.

python benchmarks/runs_coverage.py > docs/data/runs_coverage.csv

Every row is one design: what the interval is of, the shape of the scores, tasks, runs, and the share of 95% intervals that hold the
true value, with its standard error. A design is simulated in ten worlds, that is ten draws of the tasks' own levels and spreads.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import numpy as np

from podium import runs

SIMULATIONS, WORLDS = 1000, 10
TASKS, REPEATS = (5, 10, 26), (3, 5)
GRID = np.linspace(-1, 2.5, 61)
SHAPES: dict[str, Callable[..., Any]] = {
    "normal": lambda rng, shape: rng.standard_normal(shape),
    "skewed": lambda rng, shape: rng.exponential(1, shape) - 1,
    "two humps": lambda rng, shape: np.where(rng.random(shape) < 0.3, -1.5, 0.64) + 0.3 * rng.standard_normal(shape),
}


def world(shape: str, tasks: int, rng: np.random.Generator) -> Callable[[int, bool], Any]:
    """Agents on tasks with means and spreads of their own; the second is worse by differences that vary by task."""
    centre, gain = rng.normal(0.5, 0.5, tasks), rng.normal(0.2, 0.3, tasks)
    spread = rng.uniform(0.05, 0.4, tasks)
    return lambda repeats, better: centre + gain * better + spread * SHAPES[shape](rng, (repeats, tasks))


def truth_of(draw: Callable[[int, bool], Any]) -> dict[str, Any]:
    """What the intervals should hold, from very many runs."""
    a, b = draw(20_000, True), draw(20_000, False)
    many = runs.aggregates({"a": a, "b": b}, draws=10)
    beaten = [np.searchsorted(np.sort(b[:, j]), a[:, j]).mean() for j in range(a.shape[1])]
    return {
        **dict(zip(many.aggregates, many.values[0], strict=True)),
        "difference": many.values[0, 0] - many.values[1, 0],
        "improvement": np.mean(beaten) / len(b),
        "profile": runs.profiles({"a": a}, thresholds=GRID, draws=1).share[0],
    }


def percentiles(scores: Any, rng: np.random.Generator, resamples: int = 1000) -> tuple[float, float]:
    """The interval of the interquartile mean by the stratified bootstrap with percentiles, as rliable makes it."""
    repeats, tasks = scores.shape
    drawn = scores[rng.integers(repeats, size=(resamples, repeats, tasks)), np.arange(tasks)].reshape(resamples, -1)
    cut = drawn.shape[1] // 4
    low, high = np.quantile(np.sort(drawn, axis=1)[:, cut : drawn.shape[1] - cut].mean(axis=1), [0.025, 0.975])
    return float(low), float(high)


def hits_of(draw: Callable[[int, bool], Any], truth: dict[str, Any], repeats: int, rng: Any) -> dict[str, bool]:
    """Which intervals of one simulated comparison hold the truth."""
    a, b = draw(repeats, True), draw(repeats, False)
    found = runs.aggregates({"a": a}, draws=2000, rng=rng)
    ends = {name: (found.low[0, j], found.high[0, j]) for j, name in enumerate(found.aggregates)}
    pair = runs.all_pairs({"a": a, "b": b}, aggregate="iqm")
    ends |= {"difference": (pair.low[0], pair.high[0])}
    ends |= {"improvement": (pair.improvement_low[0], pair.improvement_high[0])}
    band = runs.profiles({"a": a}, thresholds=GRID, draws=400, rng=rng)
    ends |= {"profile": (band.low[0], band.high[0])}
    hits = {
        name: bool(np.all((low <= truth[name]) & (truth[name] <= high)))
        for name, (low, high) in ends.items()
        if not np.isnan(low).all()  # no interval was given: the median of fewer than five runs
    }
    low, high = percentiles(a, rng)
    return {**hits, "iqm by percentiles": low <= truth["iqm"] <= high}


def coverage(shape: str, tasks: int, repeats: int, *, count: int, worlds: int = WORLDS) -> dict[str, float]:
    """The share of intervals that hold the true value, by what they are intervals of."""
    rng = np.random.default_rng([tasks, repeats, len(shape)])
    found: list[dict[str, bool]] = []
    for _ in range(worlds):
        draw = world(shape, tasks, rng)
        truth = truth_of(draw)
        found += [hits_of(draw, truth, repeats, rng) for _ in range(count // worlds)]
    return {name: float(np.mean([one[name] for one in found])) for name in found[0]}


def main() -> None:
    """Write the table."""
    print("what,shape,tasks,runs,share,se,simulations")
    for tasks in TASKS:
        for repeats in REPEATS:
            for shape in SHAPES:
                for name, share in coverage(shape, tasks, repeats, count=SIMULATIONS).items():
                    error = np.sqrt(share * (1 - share) / SIMULATIONS)
                    print(f"{name},{shape},{tasks},{repeats},{share:.4f},{error:.4f},{SIMULATIONS}")
                sys.stdout.flush()


if __name__ == "__main__":
    main()
