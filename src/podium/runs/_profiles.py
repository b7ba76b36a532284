"""Performance profiles: the share of runs with a score above each threshold, with bands that hold for all thresholds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check, numbers
from podium.core.arrays import Floats
from podium.core.rng import Rng, generator
from podium.core.runs import Runs, as_runs
from podium.runs._aggregates import RunsResult

THRESHOLDS = 101


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ProfilesResult(RunsResult):
    """Shares (agents x thresholds) with the ends of their bands: each band holds for all thresholds at once."""

    thresholds: Floats
    share: Floats
    low: Floats
    high: Floats

    def columns(self) -> dict[str, Any]:
        """One row per agent and threshold."""
        return {
            "algorithm": np.repeat(np.array(self.algorithms, dtype=object), len(self.thresholds)),
            "threshold": np.tile(self.thresholds, len(self.algorithms)),
            "share": self.share.ravel(),
            "low": self.low.ravel(),
            "high": self.high.ravel(),
        }

    def summary(self) -> str:
        """How the agents compare in the middle of the range, and what the bands are about."""
        middle = len(self.thresholds) // 2
        at = numbers.number(float(self.thresholds[middle]))
        told = [
            f"{name} {numbers.percent(float(own[middle]))}"
            for name, own in zip(self.algorithms, self.share, strict=True)
        ]
        return (
            f"The share of runs that score above {at}: {numbers.listed(told)}. The {numbers.percent(self.confidence)} band of an "
            f"agent holds for all its thresholds at once, for new runs on the same {numbers.counted(self.n_tasks, 'task')}."
        )


def profiles(
    runs: Any,
    *,
    thresholds: npt.ArrayLike | None = None,
    confidence: float = 0.95,
    draws: int = 2000,
    rng: Rng = 0,
) -> ProfilesResult:
    """The share of runs that score above each threshold, with simultaneous bands; every task has the same weight.

    The band has one half-width for all thresholds: the quantile of the largest deviation over them, drawn by weighing the
    deviations within each task at random (a multiplier bootstrap, stratified by task). A share of 0 or 1 is not exceeded.

    >>> profiles({"dqn": [[0.1, 0.9], [0.3, 0.7]]}, thresholds=[0.2, 0.8]).share.tolist()
    [[0.75, 0.25]]
    """
    data = as_runs(runs)
    check.fraction("confidence", confidence)
    given = default_thresholds(data) if thresholds is None else check.floats("thresholds", thresholds, ndim=1)
    shares, half = np.empty((data.n_algorithms, len(given))), np.empty(data.n_algorithms)
    drawn = generator(rng)
    for i, own in enumerate(data.values):
        shares[i], half[i] = _profile(own, given, confidence, draws, drawn)
    return ProfilesResult(
        algorithms=data.algorithms,
        thresholds=given,
        share=shares,
        low=np.clip(shares - half[:, None], 0, 1),
        high=np.clip(shares + half[:, None], 0, 1),
        n_tasks=data.n_tasks,
        confidence=confidence,
        draws=draws,
        normalised=data.normalised,
        references=("agarwal2021",),
    )


def default_thresholds(data: Runs) -> Floats:
    """From the lowest score to the highest, without the outermost 1%: one giant score must not flatten the picture."""
    scores = data.values[~np.isnan(data.values)]
    low, high = np.quantile(scores, [0.01, 0.99])
    return np.linspace(
        min(low, 0.0) if low > 0 and low < 0.5 * high else low, high if high > low else low + 1, THRESHOLDS
    )


def _profile(
    values: Floats, thresholds: Floats, confidence: float, draws: int, rng: np.random.Generator
) -> tuple[Floats, float]:
    """The shares of one agent (tasks x runs) and the half-width of their band; nan where a task has a single run."""
    counts = (~np.isnan(values)).sum(axis=1)
    above = values[:, :, None] > thresholds
    present = ~np.isnan(values)[:, :, None]
    by_task = above.sum(axis=1) / counts[:, None]
    shares: Floats = by_task.mean(axis=0)
    if counts.min() < 2:
        return shares, float("nan")
    # The variance within a task is that of its runs with R - 1 in the denominator.
    scale = np.sqrt(counts / (counts - 1))[:, None, None] / counts[:, None, None] / len(values)
    deviations = np.where(present, above - by_task[:, None], 0.0) * scale
    flat = deviations.reshape(-1, len(thresholds))
    farthest = [np.abs(rng.standard_normal((size, len(flat))) @ flat).max(axis=1) for size in _blocks(draws, flat.size)]
    return shares, float(np.quantile(np.concatenate(farthest), confidence))


def _blocks(draws: int, cells: int) -> list[int]:
    """Draws in pieces that need little memory."""
    size = max(1, min(draws, 4_000_000 // max(cells // 101, 1)))
    return [min(size, draws - start) for start in range(0, draws, size)]
