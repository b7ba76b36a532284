"""The probability that a run of one agent beats a run of another on a task, averaged over the tasks."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from podium.core.arrays import Floats
from podium.runs.kernels import Spread, stratified_spread, t_interval


class Improvement(NamedTuple):
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
    for runs, axis, other in ((first, 2, counts[1]), (second, 1, counts[0])):
        placements = np.nansum(won, axis=axis) / other[:, None]  # which share of the other's runs each run beats
        spread += stratified_spread(np.where(np.isnan(runs), np.nan, placements))
    low, high = t_interval(value, spread, confidence)
    return Improvement(value=value, low=max(low, 0.0), high=min(high, 1.0))
