"""Equivalence by two one-sided tests."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from podium.core import check
from podium.core.errors import ArgumentError
from podium.evidence.table import as_pair
from podium.stats import registry
from podium.stats.pairwise.pair_result import PairResult, run_pair

TESTS = {"t": "paired_t", "wilcoxon": "wilcoxon"}


def equivalence(
    x: Any, y: Any, *, rope: float, test: Literal["t", "wilcoxon"] = "t", confidence: float = 0.90
) -> PairResult:
    """Is the difference x - y smaller than the rope, in both directions?

    Two one-sided tests at the two ends of the rope: `details` has the p-values `above_lower` (that the difference is above -rope)
    and `below_upper`; `pvalue` is the larger of the two, and `statistic` belongs to it.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    rope : float
        Differences up to this, in the units of the scores, do not matter; above 0.
    test : {"t", "wilcoxon"}, default "t"
        The test at each end: paired t, or the exact signed-rank test.
    confidence : float, default 0.9
        Confidence of the interval. At 0.9 the interval lies within the rope where the p-value of the t test is
        below 0.05.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> round(equivalence([0.80, 0.71, 0.92, 0.60], [0.80, 0.70, 0.92, 0.61], rope=0.05).pvalue, 4)
    0.0006
    """
    width = check.number("rope", rope)
    if width <= 0:
        raise ArgumentError(f"`rope` must be above 0: no data show a difference to be exactly 0; got {rope!r}.")
    name = TESTS[check.choice("test", test, TESTS)]
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    above, below, plain = (
        run_pair(name, pair.x + shift, pair.y, alternative=side, confidence=confidence)
        for shift, side in ((width, "greater"), (-width, "less"), (0.0, "two-sided"))
    )
    larger = above if above.pvalue >= below.pvalue else below
    return replace(
        plain,
        test="equivalence",
        statistic=larger.statistic,
        pvalue=larger.pvalue,
        adjusted=larger.pvalue,
        alternative="equivalence",
        method=larger.method,
        left_out=pair.missing,
        details={"rope": width, "by": name, "above_lower": above.pvalue, "below_upper": below.pvalue},
        references=tuple(dict.fromkeys((*registry.PROCEDURES["equivalence"].references, *plain.references))),
    )
