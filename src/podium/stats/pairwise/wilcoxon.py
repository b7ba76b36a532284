"""The Wilcoxon signed-rank test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.table import as_pair
from podium.stats.exact.location import location
from podium.stats.exact.signed_rank import ZEROS, SignedRanks, signed_ranks
from podium.stats.pairwise.pair_result import PairResult, say_pvalue

__all__ = ["METHODS", "WilcoxonResult", "normal_pvalues", "signed_rank_pvalues", "wilcoxon"]

METHODS = ("auto", "exact", "asymptotic")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class WilcoxonResult(PairResult):
    """The signed-rank test; `statistic` is the sum of the ranks where x is greater (R's V).

    `negative_sum` is the sum where x is smaller; Demsar's T is the smaller of the two. `zeros` says what was done
    with the `n_zeros` equal pairs, `continuity` whether the asymptotic p-value was corrected for continuity.
    """

    negative_sum: float
    greater: int
    smaller: int
    n_zeros: int
    zeros: str
    continuity: bool
    references: tuple[str, ...] = ("wilcoxon1945", "demsar2006", "benavoli2016")

    @property
    def smaller_sum(self) -> float:
        """The smaller of the two rank sums, Demsar's T."""
        return min(self.statistic, self.negative_sum)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        done = {"drop": "left out", "pratt": "ranked, then left out (Pratt)", "split": "split evenly"}[self.zeros]
        zeros = f", {self.n_zeros} equal ones {done}" if self.n_zeros else ""
        return (
            f"Wilcoxon signed-rank test on {self.n} pairs ({self.method}{zeros}): rank sums {self.statistic:g} for x "
            f"and {self.negative_sum:g} for y, {say_pvalue(self.pvalue)}; {self._estimate()}. "
            f"{self._caution()}"
        )


def wilcoxon(
    x: Any,
    y: Any,
    *,
    zeros: str = "drop",
    alternative: str = "two-sided",
    method: str = "auto",
    continuity: bool = False,
    confidence: float = 0.95,
) -> WilcoxonResult:
    """Are the differences x - y symmetric around zero? Exact with ties and zeros, at any n.

    `zeros` says what becomes of equal scores: "drop" (Wilcoxon), "pratt" (they take the lowest ranks, which are
    then left out) or "split" (Demsar: they take the lowest ranks, half of which count for each side, an odd one
    left out; in the null law they are observations like any other). `method="auto"` is exact whenever that is
    affordable, which can fail only for more than 1000 pairs with many equal differences; then, and with
    "asymptotic", the normal law with tie correction is used, `continuity` choosing the correction by 1/2. The
    effect is the Hodges-Lehmann estimate over all pairs, its interval the one of untied ranks, which is
    conservative with ties.

    >>> result = wilcoxon([0.91, 0.85, 0.78, 0.96, 0.70], [0.90, 0.81, 0.75, 0.90, 0.68])
    >>> result.statistic, result.pvalue, result.method
    (15.0, 0.0625, 'exact')
    """
    check.choice("zeros", zeros, ZEROS)
    check.alternative(alternative)
    check.choice("method", method, METHODS)
    check.flag("continuity", continuity)
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    columns = np.vstack([pair.x, pair.y])
    ranked = signed_ranks(
        columns, np.array([0]), np.array([1]), zeros=zeros, alternative=alternative, exact=method != "asymptotic"
    )
    pvalue, exact = signed_rank_pvalues(ranked, alternative=alternative, method=method, continuity=continuity)
    effect, low, high = location(pair, confidence=confidence)
    return WilcoxonResult(
        statistic=float(ranked.positive_sum[0]),
        pvalue=float(pvalue[0]),
        alternative=alternative,
        method="exact" if exact[0] else "asymptotic",
        effect=effect,
        low=low,
        high=high,
        confidence=confidence,
        effect_name="Hodges-Lehmann difference",
        n=pair.n,
        missing=pair.missing,
        negative_sum=float(ranked.total[0] - ranked.positive_sum[0]),
        greater=int(ranked.positives[0]),
        smaller=int(ranked.negatives[0]),
        n_zeros=int(ranked.zeros[0]),
        zeros=zeros,
        ties=f"mean ranks, kept in the {'exact law' if exact[0] else 'variance'}",
        continuity=continuity and not exact[0],
    )


def signed_rank_pvalues(
    ranked: SignedRanks, *, alternative: str, method: str, continuity: bool
) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.bool_]]:
    """Exact p-values where they were affordable (all of them, or `method` refuses), else asymptotic ones."""
    exact = ranked.exact & (method != "asymptotic")
    if exact.all():
        return ranked.pvalue, exact
    if method == "exact":
        raise ArgumentError(
            "The exact signed-rank law of more than 1000 pairs with many equal differences is not affordable: "
            "use method='auto' or 'asymptotic'."
        )
    return np.where(exact, ranked.pvalue, normal_pvalues(ranked, alternative, continuity)), exact


def normal_pvalues(ranked: SignedRanks, alternative: str, continuity: bool) -> npt.NDArray[np.float64]:
    """p-values of the normal law with the variance of the ranks as they are tied; 1 where nothing varies."""
    from scipy.special import ndtr

    excess = ranked.positive_sum - ranked.total / 2
    half = 0.5 if continuity else 0.0
    spread = np.sqrt(np.where(ranked.variance > 0, ranked.variance, 1.0))
    if alternative == "two-sided":
        p = 2.0 * ndtr(-np.maximum(np.abs(excess) - half, 0.0) / spread)
    else:
        p = ndtr((excess + half) / spread) if alternative == "less" else ndtr(-(excess - half) / spread)
    return np.where(ranked.variance > 0, p, 1.0)
