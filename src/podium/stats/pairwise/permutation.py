"""The paired permutation test: all sign flips of the differences, or many random ones."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.rng import Rng, generator
from podium.core.table import as_pair
from podium.stats.pairwise.pair_result import PairResult, say_pvalue
from podium.stats.pairwise.student import mean_test

__all__ = ["PermutationResult", "permutation"]

Ints = npt.NDArray[np.int64]

EXACT_UP_TO = 40  # non-zero differences: two halves of 2^20 sums each
_BLOCK = 4096  # random flips at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PermutationResult(PairResult):
    """The permutation test of the mean difference; `draws` random flips, or 0 where all flips were counted."""

    draws: int
    n_zeros: int
    references: tuple[str, ...] = ("fisher1935",)

    def summary(self) -> str:
        """The test in one sentence, and its limits."""
        how = "all sign flips" if self.draws == 0 else f"{self.draws} random sign flips"
        return (
            f"Paired permutation test on {self.n} pairs ({self.method}, {how}): {say_pvalue(self.pvalue)}; "
            f"{self._estimate()}. {self._caution()}"
        )


def permutation(
    x: Any,
    y: Any,
    *,
    alternative: str = "two-sided",
    draws: int = 100_000,
    confidence: float = 0.95,
    rng: Rng = None,
) -> PermutationResult:
    """Is the mean difference larger than sign flips of the differences make it?

    Exact for up to 40 non-zero differences (all 2^n flips are counted, by two sorted halves); beyond that by `draws`
    random flips, p = (1 + as extreme) / (1 + draws), and the result says so. The interval of the mean is
    Student's.

    >>> permutation([3, 4, 5, 6], [1, 1, 1, 1]).pvalue
    0.125
    """
    check.alternative(alternative)
    check.fraction("confidence", confidence)
    check.count("draws", draws, at_least=1)
    pair = as_pair(x, y, at_least=2)
    d = pair.differences
    # Whole steps, the 15th digit of the largest difference: sums of flips are then equal or not, without float noise.
    steps = np.rint(d / 10.0 ** (np.floor(np.log10(max(float(np.abs(d).max()), 1e-280))) - 14)).astype(np.int64)
    steps = steps[steps != 0]
    exact = len(steps) <= EXACT_UP_TO
    pvalue = _all_flips(steps, alternative) if exact else _random_flips(steps, alternative, draws, generator(rng))
    test = mean_test(d, alternative=alternative, confidence=confidence)
    return PermutationResult(
        statistic=test.effect,
        pvalue=pvalue,
        alternative=alternative,
        method="exact" if exact else "Monte Carlo",
        effect=test.effect,
        low=test.low,
        high=test.high,
        confidence=confidence,
        effect_name="mean difference",
        n=pair.n,
        missing=pair.missing,
        draws=0 if exact else draws,
        n_zeros=pair.n - len(steps),
    )


def _sums(steps: Ints) -> Ints:
    """The 2^n signed sums of whole numbers, sorted."""
    sums = np.zeros(1, dtype=np.int64)
    for step in np.abs(steps):
        sums = np.concatenate([sums - step, sums + step])
    return np.sort(sums)


def _all_flips(steps: Ints, alternative: str) -> float:
    """The share of all sign flips whose sum is at least as extreme as the one observed."""
    observed = int(steps.sum())
    if alternative != "greater":
        observed = -observed if alternative == "less" else abs(observed)
    left, right = _sums(steps[: len(steps) // 2]), _sums(steps[len(steps) // 2 :])
    # How many sums of the right half reach what the left half leaves to be reached.
    reached = len(right) - np.searchsorted(right, observed - left, side="left")
    share = float(reached.sum()) / (float(len(left)) * len(right))
    return min(1.0, 2.0 * share) if alternative == "two-sided" else share


def _random_flips(steps: Ints, alternative: str, draws: int, random: np.random.Generator) -> float:
    """The share of random sign flips, the observed one among them, that are at least as extreme."""
    observed = int(steps.sum())
    as_extreme = 1
    for start in range(0, draws, _BLOCK):
        rows = min(_BLOCK, draws - start)
        flips = 2 * random.integers(0, 2, size=(rows, len(steps)), dtype=np.int8).astype(np.int64) - 1
        sums = flips @ steps
        if alternative == "two-sided":
            as_extreme += int((np.abs(sums) >= abs(observed)).sum())
        elif alternative == "greater":
            as_extreme += int((sums >= observed).sum())
        else:
            as_extreme += int((sums <= observed).sum())
    return as_extreme / (1 + draws)
