"""How many cases, and how many samples of each, a wanted difference needs."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from podium.cases.binary import exact_pvalues, mid_pvalues
from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.numbers import as_given

MOST_CASES = 10_000_000


def mcnemar_power(n: int, *, only_a: float, only_b: float, alpha: float = 0.05, exact: bool = False) -> float:
    """The exact power of McNemar's test on n cases, from the probabilities that only a, and only b, gets a case right.

    >>> round(mcnemar_power(100, only_a=0.138, only_b=0.058), 2)
    0.43
    """
    check.count("n", n)
    check.fraction("alpha", alpha)
    apart = only_a + only_b
    if min(only_a, only_b) < 0 or not 0 < apart <= 1:
        raise ArgumentError("`only_a` and `only_b` must be probabilities whose sum is above 0 and at most 1.")
    from scipy.stats import binom

    # Far fewer or far more disagreements than these have a probability below 1e-12.
    low, high = (int(binom.ppf(chance, n, apart)) for chance in (1e-13, 1 - 1e-13))
    power = 0.0
    for total in range(max(low, 0), min(high, n) + 1):
        b = np.arange(total + 1)
        pvalue = (exact_pvalues if exact else mid_pvalues)(b, total - b)
        power += float(binom.pmf(total, n, apart) * binom.pmf(b, total, only_a / apart)[pvalue <= alpha].sum())
    return power


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
    """Cases for a mean `difference`, from the variances between and within cases (`variance_split` of a pilot).

    >>> cases_needed(0.05, between=0.09, within_a=0.125, within_b=0.146, samples=5).by_normal_law
    453
    """
    check.fraction("power", power)
    check.fraction("alpha", alpha)
    check.count("samples", samples)
    if difference == 0:
        raise ArgumentError("No number of cases shows a difference of 0: give the smallest `difference` that matters.")
    from scipy.special import ndtri

    variance = max(between, 0.0) + (within_a + within_b) / samples
    normal = (float(ndtri(1 - alpha / 2)) + float(ndtri(power))) ** 2 * variance / difference**2
    if normal > MOST_CASES:
        raise ArgumentError(f"A difference of {as_given(difference)} needs more than {MOST_CASES:,} cases.")
    n = max(math.ceil(normal), 2)
    while t_power(n, difference, variance, alpha) < power:
        n += 1
    return CasesNeeded(
        cases=n, by_normal_law=math.ceil(normal), samples=samples, power=t_power(n, difference, variance, alpha)
    )


def t_power(n: int, difference: float, variance: float, alpha: float) -> float:
    """The power of the t test on n cases whose differences have this variance."""
    from scipy.special import stdtrit
    from scipy.stats import nct

    critical = float(stdtrit(n - 1, 1 - alpha / 2))
    return float(nct.sf(critical, n - 1, abs(difference) / math.sqrt(variance / n)))


def detectable(n: int, variance: float, *, power: float = 0.8, alpha: float = 0.05) -> float:
    """The smallest difference that n cases would show with this power, for differences of this variance."""
    from scipy.optimize import brentq

    if variance <= 0:
        return 0.0
    scale = math.sqrt(variance / n)
    return float(brentq(lambda size: t_power(n, size * scale, variance, alpha) - power, 0.0, 60.0)) * scale


def best_samples(between: float, within_a: float, within_b: float, *, case_cost: float, sample_cost: float) -> float:
    """How many samples per case give the most for the money: sqrt(within / between x cost of a case / of a sample)."""
    if min(case_cost, sample_cost) <= 0:
        raise ArgumentError("`case_cost` and `sample_cost` must be above 0.")
    if between <= 0:
        return math.inf
    return max(math.sqrt((within_a + within_b) / between * case_cost / sample_cost), 1.0)
