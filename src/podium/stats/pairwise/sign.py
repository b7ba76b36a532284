"""The sign test: wins against losses."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats
from podium.stats.exact.location import locations
from podium.stats.pairwise.pair_result import PairResult, Tested, run_pair

TIES = ("drop", "split")


def kernel(differences: Floats, *, alternative: str = "two-sided", ties: str = "drop") -> Tested:
    """The sign test of differences (..., n); `statistic` is how often the first counts as greater."""
    check.choice("ties", ties, TIES)
    half = (differences == 0).sum(axis=-1) // 2 if ties == "split" else 0
    wins, losses = (differences > 0).sum(axis=-1) + half, (differences < 0).sum(axis=-1) + half
    return Tested(
        statistic=wins.astype(np.float64),
        pvalue=sign_pvalues(wins, losses, alternative),
        side=np.sign(wins - losses).astype(np.float64),
        turned=losses.astype(np.float64),
        method="exact",
        ties="left out" if ties == "drop" else "split evenly",
        details={"trials": wins + losses},
    )


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The median with the interval of order statistics."""
    return locations(differences, confidence, walsh=False)


@check.names_its_arguments
def sign(x: Any, y: Any, *, ties: str = "drop", alternative: str = "two-sided", confidence: float = 0.95) -> PairResult:
    """Is x greater than y as often as it is smaller? Exact, by the binomial distribution.

    `ties="drop"` leaves equal scores out; "split" gives half of them to each side, an odd one left out, as Demsar
    does. The effect is the median difference over all pairs, its interval from order statistics.

    >>> sign([3, 4, 5, 6, 7, 1], [1, 1, 1, 1, 1, 1]).pvalue
    0.0625
    """
    return run_pair("sign", x, y, alternative=alternative, confidence=confidence, ties=ties)


def sign_pvalue(wins: int, losses: int) -> float:
    """The two-sided p-value of one pair, by whole numbers.

    >>> sign_pvalue(6, 0), sign_pvalue(0, 0)
    (0.03125, 1.0)
    """
    trials = wins + losses
    tail: float = sum(math.comb(trials, few) for few in range(min(wins, losses) + 1)) / (1 << trials)
    return min(1.0, 2 * tail)


def sign_pvalues(wins: npt.ArrayLike, losses: npt.ArrayLike, alternative: str) -> Floats:
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
