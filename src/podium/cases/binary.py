"""Two algorithms that pass or fail the same cases: p-values and intervals from the counts of disagreements.

Of n cases, `b` are those that only the first gets right and `c` those that only the second does. All functions take
arrays. The coverage and the error rates behind the defaults are in docs/methods/mcnemar.md.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError

Ends = tuple[Floats, Floats]


def normal_quantile(confidence: float) -> float:
    """The two-sided quantile of the normal law: 1.96 for 0.95."""
    from scipy.special import ndtri

    return float(ndtri(0.5 + confidence / 2))


def exact_pvalues(b: Any, c: Any) -> Floats:
    """McNemar's exact test: twice the binomial tail of the rarer kind of disagreement, at most 1.

    >>> round(exact_pvalues(10, 2).item(), 8)
    0.03857422
    """
    from scipy.special import bdtr

    few, total = np.minimum(b, c), np.add(b, c)
    return np.where(total == 0, 1.0, np.minimum(2 * bdtr(few, np.maximum(total, 1), 0.5), 1.0))


def mid_pvalues(b: Any, c: Any) -> Floats:
    """The mid-p form: the outcome itself counts half (Fagerland, Lydersen and Laake 2013).

    >>> round(mid_pvalues(10, 2).item(), 8), mid_pvalues(3, 3).item(), mid_pvalues(0, 0).item()
    (0.02246094, 1.0, 1.0)
    """
    from scipy.special import bdtr

    few, total = np.minimum(b, c), np.maximum(np.add(b, c), 1)
    lower = np.where(few > 0, bdtr(np.maximum(few - 1, 0), total, 0.5), 0.0)
    return np.where(np.equal(b, c), 1.0, np.minimum(bdtr(few, total, 0.5) + lower, 1.0))


def unconditional_pvalue(b: int, c: int, n: int, *, grid: int = 400) -> float:
    """Suissa and Shuster's test: the largest p-value over all probabilities that two algorithms disagree.

    Given the number m of disagreements their split is binomial, so each probability costs one sum over m.

    >>> round(unconditional_pvalue(10, 2, 30), 8)
    0.02341377
    """
    from scipy.optimize import minimize_scalar
    from scipy.stats import binom

    if b == c:
        return 1.0
    z = abs(b - c) / np.sqrt(b + c)
    totals = np.arange(n + 1)
    # |2 X - m| >= z sqrt(m) for X ~ Bin(m, 1/2): the lower tail up to (m - z sqrt(m)) / 2, twice.
    highest = np.floor((totals - z * np.sqrt(totals)) / 2 + 1e-9)
    extreme = np.where(highest >= 0, 2 * binom.cdf(highest, totals, 0.5), 0.0)
    extreme = np.where(totals == 0, 0.0, np.minimum(extreme, 1.0))

    def pvalue(share: float) -> float:
        return float(binom.pmf(totals, n, share) @ extreme)

    shares = np.linspace(0, 1, grid + 1)[1:]
    values = np.array([pvalue(share) for share in shares])
    best = int(np.argmax(values))
    around = (max(float(shares[best]) - 1 / grid, 0.0), min(float(shares[best]) + 1 / grid, 1.0))
    finer = minimize_scalar(lambda share: -pvalue(share), bounds=around, method="bounded", options={"xatol": 1e-12})
    return min(max(float(values[best]), -float(finer.fun)), 1.0)


def bonett_price(b: Any, c: Any, n: Any, quantile: Any) -> Ends:
    """The interval of the difference of accuracies after Bonett and Price 2012: a case added on either side.

    >>> [round(float(end), 6) for end in bonett_price(10, 2, 30, 1.959963985)]
    [0.037828, 0.462172]
    """
    first, second, total = (np.add(b, 1.0)) / np.add(n, 2.0), np.add(c, 1.0) / np.add(n, 2.0), np.add(n, 2.0)
    half = np.asarray(quantile) * np.sqrt((first + second - (first - second) ** 2) / total)
    return np.maximum(first - second - half, -1.0), np.minimum(first - second + half, 1.0)


def tango_statistic(b: Any, c: Any, n: Any, difference: Any) -> Floats:
    """Tango's 1998 score statistic of the hypothesis that the accuracies differ by `difference`."""
    b, c, n, difference = (np.asarray(value, dtype=np.float64) for value in (b, c, n, difference))
    linear = -b - c + (2 * n - b + c) * difference
    constant = -c * difference * (1 - difference)
    share = (np.sqrt(np.maximum(linear**2 - 8 * n * constant, 0.0)) - linear) / (4 * n)
    spread = np.sqrt(np.maximum(n * (2 * share + difference * (1 - difference)), 0.0))
    with np.errstate(divide="ignore", invalid="ignore"):
        statistic: Floats = (b - c - n * difference) / spread
    return np.where(spread > 0, statistic, np.where(b - c - n * difference == 0, 0.0, statistic))


def tango(b: Any, c: Any, n: Any, quantile: Any) -> Ends:
    """Tango's score interval of the difference, by bisection on both sides of the estimate.

    >>> [round(float(end), 6) for end in tango(10, 2, 30, 1.959963985)]
    [0.045604, 0.468466]
    """
    estimate = np.subtract(b, c) / np.asarray(n, dtype=np.float64)
    both = np.stack([estimate, estimate])
    sides = np.stack([np.full_like(estimate, -1.0), np.full_like(estimate, 1.0)])
    low, high = halved(both, sides, lambda at: np.abs(tango_statistic(b, c, n, at)) < quantile)
    return low, high


def halved(inside: Any, outside: Any, is_inside: Callable[[Any], Any], steps: int = 60) -> Floats:
    """Where an interval ends that holds `inside` and not `outside`, by bisection."""
    for _ in range(steps):
        middle = (inside + outside) / 2
        within = is_inside(middle)
        inside, outside = np.where(within, middle, inside), np.where(within, outside, middle)
    return np.asarray(outside)


def wilson(successes: Any, n: Any, quantile: Any) -> Ends:
    """Wilson's interval of one accuracy; `successes` and `n` need not be whole (an effective number of cases).

    >>> [round(float(end), 6) for end in wilson(27, 30, 1.959963985)]
    [0.743789, 0.9654]
    """
    n, square = np.asarray(n, dtype=np.float64), np.asarray(quantile, dtype=np.float64) ** 2
    share = np.asarray(successes, dtype=np.float64) / n
    centre = (share + square / (2 * n)) / (1 + square / n)
    half = np.sqrt(square) * np.sqrt(share * (1 - share) / n + square / (4 * n**2)) / (1 + square / n)
    low, high = np.maximum(centre - half, 0.0), np.minimum(centre + half, 1.0)
    return np.where(share == 0, 0.0, low), np.where(share == 1, 1.0, high)


def clopper_pearson(successes: Any, n: Any, confidence: float) -> Ends:
    """The interval of a share that inverts the exact binomial test: it covers at least as often as it says (Clopper and Pearson 1934).

    >>> [round(float(end), 4) for end in clopper_pearson(81, 263, 0.95)]
    [0.2527, 0.3676]
    """
    return _by_beta(successes, n, confidence, (0.0, 1.0), (1.0, 0.0))


def jeffreys(successes: Any, n: Any, confidence: float) -> Ends:
    """The equal-tailed interval of a share by Jeffreys' prior, closed at 0 and at 1 (Brown, Cai and DasGupta 2001).

    >>> [round(float(end), 3) for end in jeffreys(2, 7, 0.95)]
    [0.065, 0.648]
    """
    return _by_beta(successes, n, confidence, (0.5, 0.5), (0.5, 0.5))


def _by_beta(successes: Any, n: Any, confidence: float, below: tuple[float, float], above: tuple[float, float]) -> Ends:
    """Quantiles of two beta laws; these numbers are added to the successes and to the failures."""
    from scipy.special import betaincinv

    passed, failed, tail = np.asarray(successes, dtype=np.float64), np.subtract(n, successes), (1 - confidence) / 2
    low = betaincinv(np.maximum(passed + below[0], 0.5), failed + below[1], tail)
    high = betaincinv(passed + above[0], np.maximum(failed + above[1], 0.5), 1 - tail)
    return np.where(passed == 0, 0.0, low), np.where(failed == 0, 1.0, high)


def newcombe(b: Any, c: Any, n: Any, both: Any, quantile: Any) -> Ends:
    """Newcombe's interval of the difference of two paired shares: those of Wilson, added as squares with their correlation.

    `both` are the cases that both get right (Newcombe 1998, method 10, with the correction of a positive correlation).

    >>> [round(float(end), 4) for end in newcombe(12, 2, 50, 36, 1.959963985)]
    [0.0569, 0.3404]
    """
    b, c, n, both = (np.asarray(value, dtype=np.float64) for value in (b, c, n, both))
    neither = n - b - c - both
    passed = both + b, both + c
    product = passed[0] * (n - passed[0]) * passed[1] * (n - passed[1])
    excess = both * neither - b * c
    excess = np.where(excess > 0, np.maximum(excess - n / 2, 0.0), excess)
    correlation = np.where(product > 0, excess / np.sqrt(np.where(product > 0, product, 1.0)), 0.0)
    (low_a, high_a), (low_b, high_b) = (wilson(own, n, quantile) for own in passed)
    share_a, share_b = passed[0] / n, passed[1] / n

    def reach(one: Floats, other: Floats) -> Floats:
        return np.sqrt(one**2 - 2 * correlation * one * other + other**2)

    difference = (b - c) / n
    return (
        difference - reach(share_a - low_a, high_b - share_b),
        difference + reach(high_a - share_a, share_b - low_b),
    )


SHARES: dict[str, Callable[[Any, Any, float], Ends]] = {
    "wilson": lambda successes, n, confidence: wilson(successes, n, normal_quantile(confidence)),
    "clopper_pearson": clopper_pearson,
    "jeffreys": jeffreys,
}
DIFFERENCES: dict[str, Callable[..., Ends]] = {
    "bonett_price": lambda b, c, n, both, quantile: bonett_price(b, c, n, quantile),
    "tango": lambda b, c, n, both, quantile: tango(b, c, n, quantile),
    "newcombe": newcombe,
}


def share_interval(
    successes: Any,
    n: Any,
    *,
    method: Literal["wilson", "clopper_pearson", "jeffreys"] = "wilson",
    confidence: float = 0.95,
) -> Ends:
    """The ends of the interval of a share, such as an accuracy.

    Parameters
    ----------
    successes : int or array-like
        Number of cases that passed.
    n : int or array-like
        Number of cases.
    method : {"wilson", "clopper_pearson", "jeffreys"}, default "wilson"
        Which interval; "clopper_pearson" is exact.
    confidence : float, default 0.95
        Confidence of the interval.

    Returns
    -------
    (array of float, array of float)
        The lower and the upper ends.

    Examples
    --------
    >>> [round(float(end), 4) for end in share_interval(15, 148, method="clopper_pearson")]
    [0.0578, 0.1617]
    """
    check.fraction("confidence", confidence)
    ends = SHARES[check.choice("method", method, SHARES)]
    passed, total = check.floats("successes", successes), check.floats("n", n)
    if not ((passed >= 0) & (passed <= total) & (total > 0)).all():
        raise DataError("A share is of 0 to n successes among n > 0 cases.")
    return ends(passed, total, confidence)
