"""The sign test: wins against losses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.table import as_pair
from podium.stats.exact.location import location
from podium.stats.pairwise.pair_result import PairResult, say_pvalue

__all__ = ["SignResult", "sign", "sign_counts", "sign_pvalues"]

TIES = ("drop", "split")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class SignResult(PairResult):
    """The sign test: x was greater `greater` times, equal `equal` times, smaller `smaller` times.

    `statistic` is the number of times that x counted as greater, out of `trials`; `ties` says how equal scores
    were counted.
    """

    greater: int
    equal: int
    smaller: int
    trials: int
    ties: str
    references: tuple[str, ...] = ("demsar2006", "benavoli2016")

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        ties = "left out" if self.ties == "drop" else "split evenly"
        return (
            f"Sign test on {self.n} pairs ({self.method}): greater {self.greater} times, smaller {self.smaller}, "
            f"equal {self.equal} ({ties}); {say_pvalue(self.pvalue)}; {self._estimate()}. {self._caution()}"
        )


def sign(x: Any, y: Any, *, ties: str = "drop", alternative: str = "two-sided", confidence: float = 0.95) -> SignResult:
    """Is x greater than y as often as it is smaller? Exact, by the binomial law.

    `ties="drop"` leaves equal scores out; "split" gives half of them to each side, an odd one left out, as Demsar
    does. The effect is the median difference over all pairs, its interval from order statistics.

    >>> sign([3, 4, 5, 6, 7, 1], [1, 1, 1, 1, 1, 1]).pvalue
    0.0625
    """
    check.choice("ties", ties, TIES)
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    pair = as_pair(x, y, at_least=2)
    d = pair.differences
    greater, equal, smaller = int((d > 0).sum()), int((d == 0).sum()), int((d < 0).sum())
    wins, losses = sign_counts(greater, equal, smaller, ties)
    effect, low, high = location(pair, confidence=confidence, kind="median")
    return SignResult(
        statistic=float(wins),
        pvalue=float(sign_pvalues(wins, losses, alternative)),
        alternative=alternative,
        method="exact",
        effect=effect,
        low=low,
        high=high,
        confidence=confidence,
        effect_name="median difference",
        n=pair.n,
        missing=pair.missing,
        greater=greater,
        equal=equal,
        smaller=smaller,
        trials=int(wins + losses),
        ties=ties,
    )


def sign_counts(
    greater: npt.ArrayLike, equal: npt.ArrayLike, smaller: npt.ArrayLike, ties: str
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Wins and losses after equal scores are dropped or split (arrays broadcast)."""
    half = np.asarray(equal, dtype=np.int64) // 2 if ties == "split" else 0
    return np.asarray(greater, dtype=np.int64) + half, np.asarray(smaller, dtype=np.int64) + half


def sign_pvalues(wins: npt.ArrayLike, losses: npt.ArrayLike, alternative: str) -> npt.NDArray[np.float64]:
    """Exact binomial p-values of wins against losses (arrays broadcast); no trial at all gives 1."""
    from scipy.special import betainc

    first, second = np.broadcast_arrays(np.asarray(wins, dtype=np.float64), np.asarray(losses, dtype=np.float64))
    if alternative == "two-sided":
        few = np.minimum(first, second)
    else:
        few = second if alternative == "greater" else first
    trials = first + second
    # P(B(n, 1/2) <= k) = I_{1/2}(n - k, k + 1), and 1 where k = n.
    tail = np.where(few >= trials, 1.0, betainc(np.maximum(trials - few, 1.0), few + 1.0, 0.5))
    p = np.minimum(1.0, 2.0 * tail) if alternative == "two-sided" else tail
    return np.asarray(p, dtype=np.float64)
