"""Alpaydin's combined 5x2 cv F test, for one pair or for arrays of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import DesignError
from podium.stats.pairwise.folds import five_by_two
from podium.stats.pairwise.pair_result import PairResult, say_pvalue

__all__ = ["Cv52FResult", "cv52_f", "cv52_f_interval", "cv52_f_statistics"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Cv52FResult(PairResult):
    """The combined 5x2 cv F test on one dataset, 10 and 5 degrees of freedom; it has no side.

    The interval holds the shifts of all ten differences that the test would not reject.
    """

    references: tuple[str, ...] = ("alpaydin1999",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Combined 5x2 cv F test on one dataset: F = {self.statistic:.4g} with 10 and 5 degrees of freedom, "
            f"{say_pvalue(self.pvalue)}; {self._estimate()}. It speaks of this dataset only. {self._caution()}"
        )


def cv52_f(x: Any, y: Any, *, confidence: float = 0.95) -> Cv52FResult:
    """Do two algorithms differ on one dataset, by 5 repeats of 2-fold cross-validation (arrays of shape (5, 2))?

    F = sum of the ten squared differences / (2 sum_i s_i^2), s_i^2 the variance within repeat i (Alpaydin 1999).
    See `cv52_f_statistics` for what happens without variance.
    """
    check.fraction("confidence", confidence)
    d = five_by_two(x, y)
    statistic, pvalue = cv52_f_statistics(d)
    low, high = cv52_f_interval(d, confidence)
    return Cv52FResult(
        statistic=float(statistic),
        pvalue=float(pvalue),
        alternative="two-sided",
        method="approximate (F)",
        effect=float(d.mean()),
        low=float(low),
        high=float(high),
        confidence=confidence,
        effect_name="mean difference",
        n=10,
        missing=0,
    )


def cv52_f_statistics(differences: npt.ArrayLike) -> tuple[Floats, Floats]:
    """F and p of the combined 5x2 cv F test for differences of shape (..., 5, 2); arrays of the leading shape.

    The rule without variance within the repeats (every s_i = 0): F = 0 and p = 1 if all ten differences are 0,
    F = infinity and p = 0 otherwise. A missing difference makes both nan. Differences of scores should have float
    noise rounded away first (`podium.core.ranks.settle`).

    >>> f, p = cv52_f_statistics([[[0.1, 0.1]] * 5, [[0, 0]] * 5])
    >>> f.tolist(), p.tolist()
    ([inf, 0.0], [0.0, 1.0])
    """
    from scipy.special import fdtrc

    d = np.asarray(differences, dtype=np.float64)
    check.squarable(d)
    if d.shape[-2:] != (5, 2):
        raise DesignError(f"5x2 cv differences have shape (..., 5, 2); got {d.shape}.")
    squares = np.square(d).sum(axis=(-2, -1))
    within = np.square(d[..., 0] - d[..., 1]).sum(axis=-1)  # 2 sum s_i^2, as s_i^2 = (d_i1 - d_i2)^2 / 2
    with np.errstate(divide="ignore", invalid="ignore"):
        f = np.where(squares == 0, 0.0, squares / within)
    return f, np.where(np.isnan(f), np.nan, fdtrc(10, 5, f))


def cv52_f_interval(differences: npt.ArrayLike, confidence: float) -> tuple[Floats, Floats]:
    """The shifts mu for which the F test of differences - mu does not reject at 1 - confidence.

    sum (d - mu)^2 <= F* 2 sum s_i^2 is a quadratic in mu around the mean; nan where every shift is rejected.
    """
    from scipy.special import fdtri

    d = np.asarray(differences, dtype=np.float64)
    mean = d.mean(axis=(-2, -1))
    within = np.square(d[..., 0] - d[..., 1]).sum(axis=-1)
    around = np.square(d - mean[..., None, None]).sum(axis=(-2, -1))
    constant = (d == d[..., :1, :1]).all(axis=(-2, -1))
    room = np.where(constant, 0.0, (float(fdtri(10, 5, confidence)) * within - around) / 10)
    half = np.sqrt(np.where(room < 0, np.nan, room))
    return mean - half, mean + half
