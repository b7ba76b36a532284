"""Performance profiles: the share of runs with a score above each threshold, with bands that hold for all thresholds."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check, numbers
from podium.core.arrays import Bools, Floats
from podium.core.rng import Rng, generator
from podium.evidence.runs import Runs, as_runs
from podium.runs._aggregates import RunsResult
from podium.runs.kernels import AT_ONCE, blocks

THRESHOLDS = 101  # every hundredth of the range, both ends included
MANY = 20  # times the thresholds: so many runs are worth the root of their covariances


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
        shares = [
            f"{name} {numbers.percent(float(own[middle]))}"
            for name, own in zip(self.algorithms, self.share, strict=True)
        ]
        return (
            f"The share of runs that score above {at}: {numbers.listed(shares)}. The {numbers.percent(self.confidence)} band of an "
            f"agent holds for all its thresholds at once, for new runs on the same {numbers.counted(self.n_tasks, 'task')}."
        )


def profiles(
    runs: Any, *, thresholds: npt.ArrayLike | None = None, confidence: float = 0.95, draws: int = 2000, rng: Rng = 0
) -> ProfilesResult:
    """The share of runs that score above each threshold, with simultaneous bands; every task has the same weight.

    The band has one half-width for all thresholds: the quantile of the largest deviation over them, drawn by weighing the
    deviations within each task at random (a multiplier bootstrap, stratified by task). A share of 0 or 1 is not exceeded.

    Parameters
    ----------
    runs : Runs or dict
        Runs, or agent -> array (runs x tasks) as in rliable, or agent -> {task: scores}.
    thresholds : array-like of shape (n,), optional
        The scores at which the share of runs is computed; by default spread over the scores.
    confidence : float, default 0.95
        Confidence of the whole band.
    draws : int, default 2000
        Number of random draws.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    ProfilesResult
        For each agent the share of runs above each threshold, with its band.

    Examples
    --------
    >>> profiles({"dqn": [[0.1, 0.9], [0.3, 0.7]]}, thresholds=[0.2, 0.8]).share.tolist()
    [[0.75, 0.25]]
    """
    data = as_runs(runs)
    check.fraction("confidence", confidence)
    levels = default_thresholds(data) if thresholds is None else check.floats("thresholds", thresholds, ndim=1)
    shares, half = np.empty((data.n_algorithms, len(levels))), np.empty(data.n_algorithms)
    drawn = generator(rng)
    for i, own in enumerate(data.by_algorithm):
        shares[i], half[i] = _profile(own, levels, confidence, draws, drawn)
    return ProfilesResult(
        algorithms=data.algorithms,
        thresholds=levels,
        share=shares,
        low=np.clip(shares - half[:, None], 0, 1),
        high=np.clip(shares + half[:, None], 0, 1),
        n_tasks=data.n_tasks,
        confidence=confidence,
        draws=draws,
        normalised=data.scale,
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
    size = max(1, AT_ONCE // (values.shape[1] * len(thresholds)))
    blocks_of_tasks = [slice(start, start + size) for start in range(0, len(values), size)]
    above = [_above(values[part], thresholds).sum(axis=1) for part in blocks_of_tasks]
    by_task = np.concatenate(above) / counts[:, None]
    shares: Floats = by_task.mean(axis=0)
    if counts.min() < 2:
        return shares, float("nan")
    # The variance within a task is that of its runs with R - 1 in the denominator.
    scale = np.sqrt(counts / (counts - 1)) / counts / len(values)
    present = ~np.isnan(values)[:, :, None]
    deviations = (
        np.where(present[part], _above(values[part], thresholds) - by_task[part, None], 0.0) * scale[part, None, None]
        for part in blocks_of_tasks
    )
    flat = _fewer((part.reshape(-1, len(thresholds)) for part in deviations), MANY * len(thresholds))
    farthest = [np.abs(rng.standard_normal((size, len(flat))) @ flat).max(axis=1) for size in blocks(draws, len(flat))]
    return shares, float(np.quantile(np.concatenate(farthest), confidence))


def _above(values: Floats, thresholds: Floats) -> Bools:
    return values[:, :, None] > thresholds


def _fewer(parts: Iterator[Floats], most: int) -> Floats:
    """Rows as given or, if they are more than `most`, few rows with the same sums of products.

    Normal weights of either set of rows have sums with one and the same law, because they have the same covariances.
    """
    kept = next(parts)
    for part in parts:
        kept = np.concatenate([_root(kept) if len(kept) > most else kept, part])
    return _root(kept) if len(kept) > most else kept


def _root(rows: Floats) -> Floats:
    sizes, directions = np.linalg.eigh(rows.T @ rows)
    return np.asarray(np.sqrt(np.maximum(sizes, 0.0))[:, None] * directions.T)
