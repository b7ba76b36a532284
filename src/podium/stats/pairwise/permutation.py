"""The paired permutation test: all sign-flip permutations of the differences, or many random ones."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.rng import Rng, generator
from podium.core.words import Alternative
from podium.stats.pairwise.pair_result import PairResult, Tested, run_pair
from podium.stats.pairwise.paired_t import estimate as estimate
from podium.stats.pairwise.paired_t import moments

EXACT_UP_TO = 40  # non-zero differences: two halves of 2^20 sums each
_WIDE = 1e6  # the largest difference in units of the smallest: beyond that, 15 digits are too few for both
_BLOCK = 4096  # random flips at a time
_CELLS = 16_000_000  # of their matrix: 400 MB with what is computed from it


def kernel(differences: Floats, *, alternative: str = "two-sided", draws: int = 100_000, rng: Rng = None) -> Tested:
    """The permutation test of the mean of differences (..., n), one row after the other."""
    check.count("draws", draws, at_least=1)
    random = generator(rng)
    rows = differences.reshape(-1, differences.shape[-1])
    outcomes = [_pvalue(row, alternative, draws, random) for row in rows]
    shape = differences.shape[:-1]
    exact = np.array([was_exact for _, was_exact in outcomes], dtype=bool).reshape(shape)
    _, mean, _ = moments(differences)
    return Tested(
        statistic=mean,
        pvalue=np.array([pvalue for pvalue, _ in outcomes]).reshape(shape),
        side=np.sign(mean),
        method="Monte Carlo",
        exact=exact,
        ties="left out",
        details={"draws": np.where(exact, 0, draws)},
    )


def _pvalue(row: Floats, alternative: str, draws: int, random: np.random.Generator) -> tuple[float, bool]:
    """The p-value of one row of differences, and whether all flips were counted."""
    steps, two_sided = _whole(row[~np.isnan(row) & (row != 0)]), alternative == "two-sided"
    steps = -steps if alternative == "less" else steps  # which is "greater", seen from the other side
    if len(steps) <= EXACT_UP_TO:
        return _all_flips(steps, two_sided), True
    return _random_flips(steps, two_sided, draws, random), False


def _whole(d: Floats) -> Ints:
    """Differences in whole steps, the 15th digit of the largest: sums of flips are then equal or not, without float noise.

    Where the smallest would lose its digits, the step is the 15th of the smallest, and the steps are Python's integers.
    """
    if len(d) == 0:
        return np.empty(0, dtype=np.int64)
    smallest, largest = float(np.abs(d).min()), float(np.abs(d).max())
    if largest <= _WIDE * smallest:
        return np.rint(d / 10.0 ** (math.floor(math.log10(largest)) - 14)).astype(np.int64)
    unit = Fraction(10) ** (math.floor(math.log10(smallest)) - 14)
    return np.array([round(Fraction(value) / unit) for value in d.tolist()], dtype=object)


def permutation(
    x: Any,
    y: Any,
    *,
    alternative: Alternative = "two-sided",
    draws: int = 100_000,
    confidence: float = 0.95,
    rng: Rng = None,
) -> PairResult:
    """Is the mean difference larger than random signs of the differences would make it?

    Exact for up to 40 non-zero differences (all 2^n flips are counted, by two sorted halves); beyond that by `draws`
    random flips, p = (1 + as extreme) / (1 + draws), and the result says so. The interval of the mean is
    Student's.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of the two algorithms, one per dataset. Series are matched by their index; pairs with a missing
        score are left out.
    alternative : {"two-sided", "less", "greater"}, default "two-sided"
        The alternative hypothesis; "greater" says that `x` is greater.
    draws : int, default 100000
        Number of random sign-flip permutations, where there are more than 40 non-zero differences.
    confidence : float, default 0.95
        Confidence of the interval of the mean, which is Student's.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    PairResult
        The statistic, its p-value, and the effect (`x` minus `y`) with its interval.

    Examples
    --------
    >>> permutation([3, 4, 5, 6], [1, 1, 1, 1]).pvalue
    0.125
    """
    return run_pair("permutation", x, y, alternative=alternative, confidence=confidence, draws=draws, rng=rng)


def _sums(steps: Ints) -> Ints:
    """The 2^n signed sums of whole numbers, sorted."""
    sums = np.zeros(1, dtype=steps.dtype)
    for step in np.abs(steps):
        sums = np.concatenate([sums - step, sums + step])
    return np.sort(sums)


def _all_flips(steps: Ints, two_sided: bool) -> float:
    """The share of all sign-flip permutations whose sum is at least as extreme as the one observed."""
    observed = abs(int(steps.sum())) if two_sided else int(steps.sum())
    left, right = _sums(steps[: len(steps) // 2]), _sums(steps[len(steps) // 2 :])
    # How many sums of the right half reach what the left half leaves to be reached.
    reached = len(right) - np.searchsorted(right, observed - left, side="left")
    share = float(reached.sum()) / (float(len(left)) * len(right))
    return min(1.0, 2.0 * share) if two_sided else share


def _random_flips(steps: Ints, two_sided: bool, draws: int, random: np.random.Generator) -> float:
    """The share of random sign-flip permutations, the observed one among them, that are at least as extreme."""
    observed = abs(int(steps.sum())) if two_sided else int(steps.sum())
    as_extreme = 1
    # Whole words of random bits: whatever the block, the same flips.
    block = min(_BLOCK, max(4, _CELLS // len(steps) // 4 * 4))
    for start in range(0, draws, block):
        rows = min(block, draws - start)
        flips = 2 * random.integers(0, 2, size=(rows, len(steps)), dtype=np.int8).astype(steps.dtype) - 1
        sums = flips @ steps
        as_extreme += int(((np.abs(sums) if two_sided else sums) >= observed).sum())
    return as_extreme / (1 + draws)
