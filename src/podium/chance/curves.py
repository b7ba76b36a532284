"""Whole laws as curves, for charts: what share of random rankings scores at most this."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from podium.chance.distributions import null_distribution
from podium.core import check

__all__ = ["NullCurve", "null_curve"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class NullCurve:
    """A cumulative distribution: P(S <= scores[i]) = cdf[i]."""

    metric: str
    positives: int
    negatives: int
    scores: npt.NDArray[np.float64]
    cdf: npt.NDArray[np.float64]


def null_curve(metric: str, *, positives: int, negatives: int, points: int = 300) -> NullCurve:
    """The law of a metric at up to so many attainable scores, evenly spread, both ends included.

    >>> null_curve("tp10", positives=10, negatives=1000).cdf.round(4)[:3]
    array([0.9049, 0.9962, 0.9999])
    """
    law = null_distribution(metric, positives=positives, negatives=negatives)
    wanted = np.linspace(law.lowest.value, law.highest.value, check.count("points", points, at_least=2))
    found = dict.fromkeys(law.floor(score) for score in wanted.tolist())
    return NullCurve(
        metric=law.metric.name,
        positives=law.positives,
        negatives=law.negatives,
        scores=np.array([point.value for point in found]),
        cdf=np.array([1.0 - law.above(point) for point in found]),
    )
