"""How many cases, and how many samples of each, a wanted difference needs."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from podium.cases.binary import exact_pvalues, mid_pvalues
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError
from podium.core.numbers import as_given
from podium.core.search import least_size
from podium.evidence.cases import Cases

MOST_CASES = 10_000_000  # more than any test set has
RARE = 1e-13  # what is left out of a sum of probabilities: far below the 12 digits of a power
MANY_DISAGREEMENTS = 200  # from here on the t law gives the same size to 2%


def mcnemar_power(n: int, *, only_a: float, only_b: float, alpha: float = 0.05, exact: bool = False) -> float:
    """The exact power of McNemar's test on n cases.

    Parameters
    ----------
    n : int
        Number of cases.
    only_a, only_b : float
        The probabilities that only a, and that only b, gets a case right.
    alpha : float, default 0.05
        Significance level.
    exact : bool, default False
        Use McNemar's exact test, whose error rate never exceeds the level, instead of mid-p.

    Returns
    -------
    float
        The power.

    Examples
    --------
    >>> round(mcnemar_power(100, only_a=0.138, only_b=0.058), 2)
    0.43
    """
    check.count("n", n)
    check.fraction("alpha", alpha)
    apart = only_a + only_b
    if min(only_a, only_b) < 0 or not 0 < apart <= 1:
        raise ArgumentError("`only_a` and `only_b` must be probabilities whose sum is above 0 and at most 1.")
    b, c, weight = chances_of_counts(n, only_a, only_b)
    pvalue = (exact_pvalues if exact else mid_pvalues)(b, c)
    return float(weight[pvalue <= alpha].sum())


def chances_of_counts(n: int, only_a: float, only_b: float) -> tuple[Ints, Ints, Floats]:
    """All counts of cases that only a (rows), and only b (columns), gets right, with their probabilities.

    Counts that are rarer than 1e-13 are left out.
    """
    from scipy.special import gammaln, xlogy
    from scipy.stats import binom

    shares = np.array([only_a, only_b])
    ends = binom.ppf([[RARE], [1 - RARE]], n, shares)  # at once: most of the time of a call goes into its checks
    low, high = np.where(shares > 0, np.maximum(ends, 0), 0).astype(np.int64)
    b, c = np.arange(low[0], high[0] + 1)[:, None], np.arange(low[1], high[1] + 1)[None]
    rest = np.maximum(n - b - c, 0)
    log = gammaln(n + 1) - gammaln(b + 1) - gammaln(c + 1) - gammaln(rest + 1)
    log = log + xlogy(b, only_a) + xlogy(c, only_b) + xlogy(rest, max(1 - only_a - only_b, 0.0))
    return b, c, np.where(b + c <= n, np.exp(log), 0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class CasesNeeded:
    """How many cases a difference needs: by the normal law, and by the t law that is used in the end."""

    cases: int
    by_normal_law: int
    samples: int
    power: float


def cases_needed(
    difference: float,
    *,
    between: float,
    within_a: float = 0.0,
    within_b: float = 0.0,
    samples: int = 1,
    power: float = 0.8,
    alpha: float = 0.05,
) -> CasesNeeded:
    """Cases needed for a mean difference, from the variances between and within cases (`variance_split` of a pilot).

    Parameters
    ----------
    difference : float
        The mean difference to be found.
    between : float
        The variance between cases of the difference of two algorithms.
    within_a, within_b : float, default 0.0
        The variance within cases of each algorithm's outcomes.
    samples : int, default 1
        Number of samples of each case by each algorithm.
    power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    CasesNeeded
        The number of cases by the normal distribution, and by the t distribution that is used in the end.

    Examples
    --------
    >>> cases_needed(0.05, between=0.09, within_a=0.125, within_b=0.146, samples=5).by_normal_law
    453
    """
    check.fraction("power", power)
    check.fraction("alpha", alpha)
    check.count("samples", samples)
    if difference == 0:
        raise ArgumentError("No number of cases shows a difference of 0: give the smallest `difference` that matters.")
    variance = max(between, 0.0) + (within_a + within_b) / samples
    normal = affordable(difference, variance, power=power, alpha=alpha)
    if normal is None:
        raise ArgumentError(f"A difference of {as_given(difference)} needs more than {MOST_CASES:,} cases.")
    n = max(normal, 2)
    while (reached := t_power(n, difference, variance, alpha)) < power:
        n += 1
    return CasesNeeded(cases=n, by_normal_law=normal, samples=samples, power=reached)


def affordable(difference: float, variance: float, *, power: float, alpha: float) -> int | None:
    """Cases that show a mean difference by the normal law; None where more than ten million would be needed."""
    from scipy.special import ndtri

    needed = (float(ndtri(1 - alpha / 2)) + float(ndtri(power))) ** 2 * variance / difference**2
    return math.ceil(needed) if needed <= MOST_CASES else None


def t_power(n: int, difference: float, variance: float, alpha: float) -> float:
    """The power of the t test on n cases whose differences have this variance."""
    from scipy.special import nctdtr, stdtrit

    critical = float(stdtrit(n - 1, 1 - alpha / 2))
    return 1.0 - float(nctdtr(n - 1, abs(difference) / math.sqrt(variance / n), critical))


def minimum_detectable(n: int, variance: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference that n cases would detect with this power.

    Parameters
    ----------
    n : int
        Number of cases.
    variance : float
        The variance of the differences per case.
    power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    float
        The difference.

    Examples
    --------
    >>> round(minimum_detectable(200, 0.25), 3)
    0.1
    """
    from scipy.special import nctdtrinc, stdtrit

    if variance <= 0:
        return 0.0
    critical = float(stdtrit(n - 1, 1 - alpha / 2))
    return float(nctdtrinc(n - 1, 1 - power, critical)) * math.sqrt(variance / n)


def detectable_by_counts(n: int, apart: float, *, power: float = 0.8, alpha: float = 0.05) -> float | None:
    """The smallest difference that McNemar's test of n cases shows with this power, where the two disagree on a share `apart`.

    Two that differ by more disagree more often. Exact as long as disagreements are few; None where no difference has the power.

    >>> round(detectable_by_counts(100, 0.1), 3), round(minimum_detectable(100, 0.1), 3)
    (0.082, 0.089)
    """
    if n * apart > MANY_DISAGREEMENTS:
        return minimum_detectable(n, apart, power=power, alpha=alpha)

    def shown(size: float) -> bool:
        only_a, only_b = (max(apart, size) + size) / 2, (max(apart, size) - size) / 2
        return mcnemar_power(n, only_a=only_a, only_b=only_b, alpha=alpha) >= power

    return least_size(shown, math.sqrt(apart / n), 1.0, halvings=10)


def in_percent(cases: Cases, what: str, size: float) -> Iterator[str]:
    """A remark where scores go to 100 and a size looks like a share."""
    ends = cases.metric.bounds(cases.scores)
    if ends is not None and ends[1] == 100 and size < 0.5:
        yield f"{cases.metric.display_name} is in percent here: {what} of {as_given(size)} is {cases.quantity.in_full(size)}."


def best_samples(between: float, within_a: float, within_b: float, *, case_cost: float, sample_cost: float) -> float:
    """How many samples per case give the most for the money: sqrt(within / between x cost of a case / of a sample)."""
    if min(case_cost, sample_cost) <= 0:
        raise ArgumentError("`case_cost` and `sample_cost` must be above 0.")
    if between <= 0:
        return math.inf
    return max(math.sqrt((within_a + within_b) / between * case_cost / sample_cost), 1.0)
