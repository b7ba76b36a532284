"""Alpaydin's combined 5x2 cv F test."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core import check, ranks
from podium.core.arrays import Floats
from podium.evidence.design import Design
from podium.stats.pairwise.folds import five_by_two, run_folds, within_repeats
from podium.stats.pairwise.pair_result import PairResult, Tested


def kernel(differences: Floats, *, design: Design | None = None) -> Tested:
    """F of differences (..., 10), repeat by repeat; 10 and 5 degrees of freedom. It has no side: the mean has.

    Without variance within the repeats (every s_i = 0), F is 0 or infinite and p is that of the sign test: if it was luck, so
    was that both folds of each repeat with a difference have the same sign. A missing difference makes both nan.

    >>> kernel(np.array([[0.1] * 10, [0.0] * 10])).pvalue.tolist()
    [0.03125, 1.0]
    """
    from scipy.special import fdtrc

    five_by_two(design, differences.shape[-1])
    check.magnitude(differences)
    squares, within = np.square(differences).sum(axis=-1), within_repeats(differences)
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(squares == 0, 0.0, squares / within)
    pvalue = np.where(within == 0, 0.5 ** np.count_nonzero(differences[..., ::2], axis=-1), fdtrc(10, 5, f))
    return Tested(
        statistic=f,
        pvalue=np.where(np.isnan(f), np.nan, pvalue),
        side=np.sign(ranks.mean(differences)),
        turned=f,
        method="approximate (F)",
    )


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The mean, and the shifts mu for which the F test of differences - mu does not reject at 1 - confidence.

    sum (d - mu)^2 <= F* 2 sum s_i^2 is a quadratic in mu around the mean; nan where every shift is rejected.
    """
    from scipy.special import fdtri

    mean = ranks.mean(differences)
    around = np.square(differences - mean[..., None]).sum(axis=-1)
    constant = (differences == differences[..., :1]).all(axis=-1)
    room = np.where(constant, 0.0, (float(fdtri(10, 5, confidence)) * within_repeats(differences) - around) / 10)
    half = np.sqrt(np.where(room < 0, np.nan, room))
    return mean, mean - half, mean + half


def cv5x2_f(x: Any, y: Any, *, confidence: float = 0.95) -> PairResult:
    """Do two algorithms differ on one dataset, by 5 repeats of 2-fold cross-validation (arrays of shape (5, 2))?

    F = sum of the ten squared differences / (2 sum_i s_i^2), s_i^2 the variance within repeat i (Alpaydin 1999). Where
    nothing varies within the repeats, p is 2^-r for the r repeats with a difference. The interval holds the shifts of all
    ten differences that the test would not reject.

    Parameters
    ----------
    x, y : array-like of shape (5, 2)
        Scores of the two algorithms on 5 repeats of 2-fold cross-validation.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> x = [[0.90, 0.80], [0.85, 0.82], [0.88, 0.81], [0.86, 0.84], [0.89, 0.83]]
    >>> y = [[0.80, 0.80], [0.83, 0.80], [0.84, 0.80], [0.80, 0.81], [0.85, 0.80]]
    >>> round(cv5x2_f(x, y).pvalue, 4)
    0.3051
    """
    return run_folds("cv5x2_f", x, y, confidence=confidence)
