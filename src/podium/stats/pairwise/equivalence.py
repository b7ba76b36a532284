"""Equivalence by two one-sided tests."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.table import as_pair
from podium.stats.pairwise.pair_result import PairResult, say_pvalue
from podium.stats.pairwise.paired_t import PairedTResult, paired_t
from podium.stats.pairwise.wilcoxon import WilcoxonResult, wilcoxon

__all__ = ["EquivalenceResult", "equivalence"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class EquivalenceResult(PairResult):
    """Two one-sided tests that x - y lies within the rope; a small p-value shows that it does.

    `above_lower` tests that the difference is above -rope, `below_upper` that it is below +rope; `pvalue` is the
    larger of theirs, and `statistic` belongs to it.
    """

    rope: float
    test: str
    above_lower: float
    below_upper: float
    references: tuple[str, ...] = ("schuirmann1987",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        return (
            f"Two one-sided tests ({self.test}, {self.method}) on {self.n} pairs that the difference lies within "
            f"{self.rope:g} of zero: {say_pvalue(self.pvalue)} (above {-self.rope:g}: {self.above_lower:.3g}, below "
            f"{self.rope:g}: {self.below_upper:.3g}); {self._estimate()}. A large p-value would not show that the two "
            f"differ.{self._left_out()}"
        )


def equivalence(x: Any, y: Any, *, rope: float, test: str = "t", confidence: float = 0.90) -> EquivalenceResult:
    """Is the difference x - y smaller than the threshold of irrelevance `rope`, in both directions?

    Two one-sided tests ("t" or "wilcoxon", the exact signed rank) at the two ends of the rope. The interval has
    confidence 0.90 by default: it lies within the rope where the p-value of the t test is below 0.05.

    >>> round(equivalence([0.80, 0.71, 0.92, 0.60], [0.80, 0.70, 0.92, 0.61], rope=0.05).pvalue, 4)
    0.0006
    """
    width = check.number("rope", rope)
    if width <= 0:
        raise ArgumentError(f"`rope` must be above 0: no data show a difference to be exactly 0; got {rope!r}.")
    check.choice("test", test, ("t", "wilcoxon"))
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    run = paired_t if test == "t" else wilcoxon
    above: PairedTResult | WilcoxonResult = run(pair.x + width, pair.y, alternative="greater", confidence=confidence)
    below: PairedTResult | WilcoxonResult = run(pair.x - width, pair.y, alternative="less", confidence=confidence)
    plain = run(pair.x, pair.y, confidence=confidence)
    larger = above if above.pvalue >= below.pvalue else below
    return EquivalenceResult(
        statistic=larger.statistic,
        pvalue=larger.pvalue,
        alternative="equivalence",
        method=larger.method,
        effect=plain.effect,
        low=plain.low,
        high=plain.high,
        confidence=confidence,
        effect_name=plain.effect_name,
        n=pair.n,
        missing=pair.missing,
        ties=plain.ties if test == "t" else f"{plain.ties}; differences at the rope's ends are dropped",
        references=("schuirmann1987",) if test == "t" else ("schuirmann1987", "wilcoxon1945"),
        rope=width,
        test=test,
        above_lower=above.pvalue,
        below_upper=below.pvalue,
    )
