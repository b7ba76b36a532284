"""The Wilcoxon signed-rank test."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.words import Alternative
from podium.stats.exact.location import locations
from podium.stats.exact.ranks import ZEROS
from podium.stats.exact.signed_rank import SignedRanks, signed_ranks
from podium.stats.pairwise.pair_result import PairResult, Tested, run_pair
from podium.stats.student import normal_pvalues

METHODS = ("auto", "exact", "asymptotic")


def kernel(
    differences: Floats,
    *,
    alternative: str = "two-sided",
    zeros: str = "drop",
    method: str = "auto",
    continuity: bool = False,
) -> Tested:
    """The signed-rank test of differences (..., n); `statistic` is the sum of the positive ranks (R's V)."""
    check.choice("zeros", zeros, ZEROS)
    check.choice("method", method, METHODS)
    check.flag("continuity", continuity)
    rows = np.ascontiguousarray(differences.reshape(-1, differences.shape[-1]))
    ranked = signed_ranks(rows, zeros=zeros, alternative=alternative, exact=method != "asymptotic")
    pvalue = ranked.pvalue
    if not ranked.exact.all():
        if method == "exact":
            raise ArgumentError(
                "The exact signed-rank distribution of more than 1000 pairs with nearly all differences equal is not affordable: "
                "use method='auto' or 'asymptotic'."
            )
        pvalue = np.where(ranked.exact, pvalue, _normal_pvalues(ranked, alternative, continuity))
    shape = differences.shape[:-1]
    positive, total = ranked.positive_sum.reshape(shape), ranked.total.reshape(shape)
    done = {"drop": "left out", "pratt": "ranked, then left out (Pratt)", "split": "split evenly"}[zeros]
    corrected = {"continuity": True} if continuity and not ranked.exact.all() else {}
    return Tested(
        statistic=positive,
        pvalue=pvalue.reshape(shape),
        side=np.sign(2 * positive - total),
        turned=total - positive,
        method="asymptotic",
        exact=ranked.exact.reshape(shape),
        ties=f"{done}; equal differences share mean ranks",
        details={"rank_total": total, "smaller_sum": np.minimum(positive, total - positive), **corrected},
    )


def _normal_pvalues(ranked: SignedRanks, alternative: str, continuity: bool) -> Floats:
    """p-values of the normal law with the variance of the ranks as they are tied; 1 where nothing varies."""
    varies = ranked.variance > 0
    excess, spread = ranked.positive_sum - ranked.total / 2, np.sqrt(np.where(varies, ranked.variance, 1.0))
    return np.where(varies, normal_pvalues(excess, spread, alternative, 0.5 if continuity else 0.0), 1.0)


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The Hodges-Lehmann estimate with the interval of the signed-rank law."""
    return locations(differences, confidence, walsh=True)


@check.names_its_arguments
def wilcoxon(
    x: Any,
    y: Any,
    *,
    zeros: Literal["drop", "pratt", "split"] = "drop",
    alternative: Alternative = "two-sided",
    method: Literal["auto", "exact", "asymptotic"] = "auto",
    continuity: bool = False,
    confidence: float = 0.95,
) -> PairResult:
    """Wilcoxon's signed-rank test: are the differences x - y symmetric around zero? Exact with ties and zeros, at any n.

    The statistic is the sum of the ranks where x is greater (R's V); `details` has the sum of all ranks (`rank_total`) and Demsar's
    T (`smaller_sum`). The effect is the Hodges-Lehmann estimate over all pairs, its interval the one of untied ranks, which is
    conservative with ties.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    zeros : {"drop", "pratt", "split"}, default "drop"
        What happens to equal scores: they are left out ("drop", Wilcoxon); they take the lowest ranks, which
        are then left out ("pratt"); or half of these ranks count for each side, an odd one left out ("split",
        Demsar).
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        The alternative hypothesis; "greater" says that `x` is greater.
    method : {"auto", "exact", "asymptotic"}, default "auto"
        "auto" is exact whenever that is affordable, which can fail only for more than 1000 pairs with nearly
        all differences equal. "asymptotic" is the normal distribution with tie correction.
    continuity : bool, default False
        Whether the normal distribution is corrected by 1/2.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> result = wilcoxon([0.91, 0.85, 0.78, 0.96, 0.70], [0.90, 0.81, 0.75, 0.90, 0.68])
    >>> result.statistic, result.pvalue, result.method
    (15.0, 0.0625, 'exact')
    """
    options = {"zeros": zeros, "method": method, "continuity": continuity}
    return run_pair("wilcoxon", x, y, alternative=alternative, confidence=confidence, **options)
