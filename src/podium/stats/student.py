"""Student's t of an estimate with its standard error: the one rule for means, wherever they come from."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.core.arrays import Floats


def student(mean: Any, error: Any, df: Any, alternative: str = "two-sided") -> Floats:
    """The p-values of "the mean is 0", two-sided or of the alternative that it is "greater" or "less".

    Differences that are all the same have no spread, and t no value. If that was luck, then so was that df + 1 of them
    have the same sign: p is that of the sign test, 2^-df on both sides. So p is never 0, and equal differences on few rows do
    not count for more than the rows allow.

    >>> student(1.0, 0.5, 9.0).round(6).item(), student(0.3, 0.0, 7.0).item(), student(0.0, 0.0, 7.0).item()
    (0.076553, 0.0078125, 1.0)
    """
    from scipy.special import stdtr

    mean, error, df = (np.asarray(value, dtype=np.float64) for value in (mean, error, df))
    df = np.where(np.isnan(mean + error), np.nan, df)
    spread = np.where(error > 0, error, 1.0)
    sides, ahead = (2, np.abs(mean)) if alternative == "two-sided" else (1, mean if alternative == "greater" else -mean)
    flat = np.where(ahead > 0, sides * 2.0 ** -(df + 1), 1.0)
    return np.where(np.isnan(df), np.nan, np.where(error > 0, sides * stdtr(df, -ahead / spread), flat))


def normal_pvalues(excess: Any, spread: Floats, alternative: str, half: float = 0.0) -> Floats:
    """The p-values of an excess over what is expected by the normal law; `half` a step corrects for continuity."""
    from scipy.special import ndtr

    if alternative == "two-sided":
        return np.asarray(2.0 * ndtr(-np.maximum(np.abs(excess) - half, 0.0) / spread))
    return np.asarray(ndtr(-((excess if alternative == "greater" else -excess) - half) / spread))


def student_ends(mean: Any, error: Any, df: Any, level: float) -> tuple[Floats, Floats]:
    """The two-sided interval whose error probability is `level`; without spread it is the mean alone."""
    from scipy.special import stdtrit

    mean, error = np.asarray(mean, dtype=np.float64), np.asarray(error, dtype=np.float64)
    half = np.where(error > 0, stdtrit(df, 1 - level / 2) * error, 0.0)
    return mean - half, mean + half
