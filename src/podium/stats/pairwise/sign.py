"""The sign test: wins against losses."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.numbers import as_given, counted
from podium.core.result import Result
from podium.core.words import Alternative
from podium.stats.exact.location import locations
from podium.stats.pairwise.pair_result import PairResult, Tested, run_pair
from podium.stats.student import normal_pvalues

TIES = ("drop", "split")
METHODS = ("exact", "asymptotic")


def kernel(differences: Floats, *, alternative: str = "two-sided", ties: str = "drop", method: str = "exact") -> Tested:
    """The sign test of differences (..., n); `statistic` is how often the first counts as greater."""
    check.choice("ties", ties, TIES)
    check.choice("method", method, METHODS)
    half = (differences == 0).sum(axis=-1) // 2 if ties == "split" else 0
    wins, losses = (differences > 0).sum(axis=-1) + half, (differences < 0).sum(axis=-1) + half
    return Tested(
        statistic=wins.astype(np.float64),
        pvalue=(sign_pvalues if method == "exact" else asymptotic_pvalues)(wins, losses, alternative),
        side=np.sign(wins - losses).astype(np.float64),
        turned=losses.astype(np.float64),
        method=method,
        ties="left out" if ties == "drop" else "split evenly",
        details={"trials": wins + losses},
    )


def estimate(differences: Floats, confidence: float) -> tuple[Floats, ...]:
    """The median with the interval of order statistics."""
    return locations(differences, confidence, walsh=False)


@check.names_its_arguments
def sign(
    x: Any,
    y: Any,
    *,
    ties: Literal["drop", "split"] = "drop",
    method: Literal["exact", "asymptotic"] = "exact",
    alternative: Alternative = "two-sided",
    confidence: float = 0.95,
) -> PairResult:
    """Is x greater than y as often as it is smaller? Exact, by the binomial distribution.

    The effect is the median difference over all pairs, its interval from order statistics.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    ties : {"drop", "split"}, default "drop"
        Leave equal scores out, or give half of them to each side, an odd one left out, as Demsar does.
    method : {"exact", "asymptotic"}, default "exact"
        "asymptotic" is the normal approximation of Demsar (2006): significant at 0.05 where the wins reach n/2
        + 1.96 sqrt(n)/2. It rejects too often; `critical_wins` has both.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        The alternative hypothesis; "greater" says that `x` is greater.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> sign([3, 4, 5, 6, 7, 1], [1, 1, 1, 1, 1, 1]).pvalue
    0.0625
    """
    return run_pair("sign", x, y, alternative=alternative, confidence=confidence, ties=ties, method=method)


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
    few = np.minimum(first, second) if alternative == "two-sided" else second if alternative == "greater" else first
    trials = first + second
    # P(B(n, 1/2) <= k) = I_{1/2}(n - k, k + 1), and 1 where k = n.
    tail = np.where(few >= trials, 1.0, betainc(np.maximum(trials - few, 1.0), few + 1.0, 0.5))
    p = np.minimum(1.0, 2.0 * tail) if alternative == "two-sided" else tail
    return np.asarray(p, dtype=np.float64)


def asymptotic_pvalues(wins: Ints, losses: Ints, alternative: str) -> Floats:
    """The p-values by the normal approximation, without a correction for continuity: z = (wins - n/2) / (sqrt(n)/2)."""
    return normal_pvalues(wins - losses, np.sqrt(np.maximum(wins + losses, 1.0)), alternative)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalWins(Result):
    """How many of so many datasets an algorithm must win: exactly, and by the normal approximation; -1 where none suffices."""

    sizes: tuple[int, ...]
    alpha: float
    exact: Ints
    normal: Ints
    references: tuple[str, ...] = ("demsar2006",)

    def summary(self) -> str:
        """Where the two differ."""
        apart = int((self.exact != self.normal).sum())
        return (
            f"At the level {as_given(self.alpha)} (two-sided), an algorithm that wins at least so many datasets is better by the sign "
            f"test. The normal approximation n/2 + z sqrt(n)/2 asks for another number of wins on {apart} of "
            f"{counted(len(self.sizes), 'size')}: there it rejects more often than the level allows, or less often than it could."
            + (" Where it says none, even winning every dataset is not significant." if (self.exact < 0).any() else "")
        )

    def columns(self) -> dict[str, Any]:
        """One row per number of datasets; "none" where even winning them all is not significant."""
        exact, normal = ([str(wins) if wins >= 0 else "none" for wins in law] for law in (self.exact, self.normal))
        return {"datasets": np.array(self.sizes), "exact": exact, "normal": normal}


def critical_wins(sizes: int | Sequence[int] = tuple(range(5, 26)), *, alpha: float = 0.05) -> CriticalWins:
    """Critical values of the sign test: the smallest significant number of wins (Demsar 2006, Table 3, has 5 to 25 datasets).

    Parameters
    ----------
    sizes : int or sequence of int, default 5 to 25
        Numbers of datasets.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    CriticalWins
        For each size the smallest number of wins that is significant, exactly and by the normal approximation.

    Examples
    --------
    >>> critical_wins([10, 25]).exact.tolist(), critical_wins([10, 25]).normal.tolist()
    ([9, 18], [9, 18])
    """
    check.fraction("alpha", alpha)
    counts = tuple(check.count("sizes", size) for size in ([sizes] if isinstance(sizes, int) else sizes))
    exact, normal = (
        np.array([_smallest_wins(law, size, alpha) for size in counts], dtype=np.int64)
        for law in (sign_pvalues, asymptotic_pvalues)
    )
    return CriticalWins(sizes=counts, alpha=alpha, exact=exact, normal=normal)


def _smallest_wins(law: Callable[..., Floats], size: int, alpha: float) -> int:
    wins = np.arange(size // 2 + 1, size + 1)
    enough = law(wins, size - wins, "two-sided") <= alpha
    return int(wins[enough][0]) if enough.any() else -1
