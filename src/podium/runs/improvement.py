"""The probability that a run of one agent beats a run of another on a task, averaged over the tasks."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.arrays import Bools, Floats
from podium.runs.kernels import Spread, t_interval


@dataclass(frozen=True, slots=True, kw_only=True)
class Improvement:
    """The probability of improvement of a over b; ties count one half."""

    value: float
    low: float
    high: float


def improvement(first: Floats, second: Floats, *, confidence: float = 0.95) -> Improvement:
    """The probability of improvement from tasks x runs of two agents; nan stands for no run.

    The value is the mean over tasks of Mann and Whitney's statistic. Its interval is a t interval from the placements of the
    runs within each task. Where one agent wins throughout, nothing varies: then the interval is Clopper and
    Pearson's for as many won comparisons as there are separate pairs of runs.

    >>> found = improvement(np.array([[1.0, 3.0], [2.0, 5.0]]), np.array([[2.0, 0.0], [4.0, 1.0]]))
    >>> found.value
    0.75
    """
    won = (np.sign(first[:, :, None] - second[:, None, :]) + 1) / 2  # nan where one of the two has no run
    counts = [(~np.isnan(side)).sum(axis=1) for side in (first, second)]
    value = float(np.nansum(won, axis=(1, 2)) @ (1 / (counts[0] * counts[1])) / len(first))
    if min(own.min() for own in counts) < 2:
        return Improvement(value=value, low=float("nan"), high=float("nan"))
    if value in (0.0, 1.0):
        pairs = int(np.minimum(*counts).sum())
        least = float((0.5 - confidence / 2) ** (1 / pairs))
        low, high = (least, 1.0) if value == 1.0 else (0.0, 1 - least)
        return Improvement(value=value, low=low, high=high)
    spread = Spread(variance=0.0, weight=0.0)
    for axis, (own, other) in ((2, counts), (1, counts[::-1])):
        spread += _placement_spread(
            np.nansum(won, axis=axis) / other[:, None], own, np.isnan((first, second)[2 - axis])
        )
    low, high = t_interval(value, spread, confidence)
    return Improvement(value=value, low=max(low, 0.0), high=min(high, 1.0))


def _placement_spread(placements: Floats, counts: Floats, absent: Bools) -> Spread:
    """The spread by the runs of one agent: which share of the other's runs each of them beats."""
    present = np.where(absent, 0.0, placements)
    means = present.sum(axis=1) / counts
    within = (np.where(absent, 0.0, placements - means[:, None]) ** 2).sum(axis=1) / (counts - 1)
    share = within / counts / len(counts) ** 2
    return Spread(variance=float(share.sum()), weight=float((share**2 / (counts - 1)).sum()))
