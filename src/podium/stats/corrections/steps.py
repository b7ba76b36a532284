"""Corrections that look at the sorted p-values (single-step, step-down and step-up), and two for all pairs that use logic:
if a = b and b = c are true, a = c cannot be false.

In every formula p_1 <= ... <= p_m are the sorted p-values and i counts from 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import reduce
from operator import or_
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import number

# Rom's constants are solved for one p-value at a time, each by a recursion over all smaller numbers of p-values.
ROM_MOST_PVALUES = 2000
# All 3^k ways to pick a block from a set are looked at, once for each distinct p-value.
BERGMANN_HOMMEL_MOST_ALGORITHMS = 18


def checked(pvalues: Any) -> Floats:
    """An array of p-values: one dimension, no missing value, all between 0 and 1."""
    array = check.numbers("pvalues", pvalues, ndim=1).copy()
    if np.isnan(array).any():
        where = int(np.flatnonzero(np.isnan(array))[0])
        raise DataError(
            f"`pvalues` has a missing value (nan) at index {where}: leave that test out, and say so, before correcting."
        )
    outside = (array < 0) | (array > 1)
    if outside.any():
        where = int(np.flatnonzero(outside)[0])
        raise DataError(f"`pvalues` must lie between 0 and 1; got {number(array[where], 6)} at index {where}.")
    return array


def _in_order(pvalues: Any, rule: Callable[[Floats, Floats], Floats]) -> Floats:
    """Sort, apply `rule(sorted p, i = 1..m)`, clip to [raw, 1] and put back in the order of the input."""
    raw = checked(pvalues)
    order = np.argsort(raw, kind="stable")
    ordered = raw[order]
    adjusted = np.empty_like(raw)
    if raw.size:
        clipped = np.clip(rule(ordered, np.arange(1.0, raw.size + 1)), ordered, 1.0)
        adjusted[order] = np.maximum.accumulate(clipped)  # monotone in theory, and with this in the last digit too
    return adjusted


def _at_least_one_of(p: Floats, n: npt.ArrayLike) -> Floats:
    """1 - (1 - p)^n without the loss of digits at small p."""
    with np.errstate(divide="ignore"):
        return np.asarray(-np.expm1(np.asarray(n) * np.log1p(-p)))


def _down(values: Floats) -> Floats:
    """A step-down procedure stops at the first acceptance: the running maximum from the smallest p."""
    return np.maximum.accumulate(values)


def _up(values: Floats) -> Floats:
    """A step-up procedure starts at the largest p and stops at the first rejection."""
    return np.minimum.accumulate(values[::-1])[::-1]


def bonferroni(pvalues: Any) -> Floats:
    """Bonferroni: m p. Family-wise error under any dependence.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> bonferroni([0.01, 0.04, 0.6])
    array([0.03, 0.12, 1.  ])
    """
    return _in_order(pvalues, lambda p, i: p.size * p)


def sidak(pvalues: Any) -> Floats:
    """Sidak: 1 - (1 - p)^m. Family-wise error under independence and many positive dependences.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> sidak([0.01, 0.04, 0.6]).round(4)
    array([0.0297, 0.1153, 0.936 ])
    """
    return _in_order(pvalues, lambda p, i: _at_least_one_of(p, p.size))


def holm(pvalues: Any) -> Floats:
    """Holm 1979, step-down: max over j <= i of (m - j + 1) p_j. Family-wise error under any dependence.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    array([0.03, 0.06, 0.06])
    """
    return _in_order(pvalues, lambda p, i: _down((p.size - i + 1) * p))


def holm_sidak(pvalues: Any) -> Floats:
    """Holm's steps with Sidak's bound (Holland and Copenhaver 1987): max over j <= i of 1 - (1 - p_j)^(m - j + 1).

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> holm_sidak([0.01, 0.04, 0.03]).round(4)
    array([0.0297, 0.0591, 0.0591])
    """
    return _in_order(pvalues, lambda p, i: _down(_at_least_one_of(p, p.size - i + 1)))


def hochberg(pvalues: Any) -> Floats:
    """Hochberg 1988, step-up: min over j >= i of (m - j + 1) p_j. Independence or positive dependence.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return _in_order(pvalues, lambda p, i: _up((p.size - i + 1) * p))


def hommel(pvalues: Any) -> Floats:
    """Hommel 1988: closed testing with Simes' test, in O(m log m). Independence or positive dependence.

    With a_h the Simes p-value of the h largest p-values (decreasing in h, a_(m+1) = 0), a hypothesis is rejected
    at level a if h p <= a for the largest h with a_h > a; so its adjusted p-value is
    min over h of max(h p, a_(h+1)), found by bisection (Meijer, Krebs and Goeman 2019).

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> hommel([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return _in_order(pvalues, lambda p, i: _hommel_sorted(p))


def _hommel_sorted(p: Floats) -> Floats:
    from podium.stats.corrections.kernels import simes_of_largest

    next_simes = np.append(simes_of_largest(p), 0.0)  # at h: a_(h+1)
    low = np.zeros(p.size, dtype=np.int64)
    high = np.full(p.size, p.size, dtype=np.int64)
    while (low < high).any():  # the smallest h with h p >= a_(h+1); h = m always qualifies
        middle = (low + high) // 2
        enough = middle * p >= next_simes[middle]
        high = np.where(enough, middle, high)
        low = np.where(enough, low, np.minimum(middle + 1, high))
    below: Floats = np.where(low > 0, next_simes[np.maximum(low - 1, 0)], 1.0)
    return np.minimum(low * p, below)


def rom(pvalues: Any, *, alpha: float | None = None, step: Literal["up", "down"] = "up") -> Floats:
    """Rom 1990, step-up: Hochberg's steps with the largest constants that are exact under independence.

    By default the adjusted p-value is the smallest level at which Rom's procedure rejects.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.
    alpha : float, optional
        Give alpha p_i / c_i instead, with Rom's constants c_i at this level only: a common printed form, right
        for decisions at `alpha`.
    step : {"up", "down"}, default "up"
        "down" takes running maxima instead of minima, as the R package scmamp does: it loses power, and can
        even be beaten by Hochberg.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> rom([0.0127, 0.02, 0.03, 0.6], alpha=0.05).round(4)
    array([0.0499, 0.0593, 0.06  , 0.6   ])
    """
    direction = _up if check.choice("step", step, ("up", "down")) == "up" else _down
    size = checked(pvalues).size
    if size > ROM_MOST_PVALUES:
        raise ArgumentError(
            f"Rom's constants are computed for at most {ROM_MOST_PVALUES} p-values; got {size}: use 'hochberg'."
        )
    from podium.stats.corrections.kernels import rom_constants, rom_levels

    if alpha is None:
        return _in_order(pvalues, lambda p, i: direction(rom_levels(p)))
    level = check.fraction("alpha", alpha)
    return _in_order(pvalues, lambda p, i: direction(level * p / rom_constants(level, p.size)[::-1]))


def finner(pvalues: Any) -> Floats:
    """Finner 1993, step-down: max over j <= i of 1 - (1 - p_j)^(m / j). Needs independence or positive dependence.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> finner([0.01, 0.04, 0.03]).round(4)
    array([0.0297, 0.0447, 0.0447])
    """
    return _in_order(pvalues, lambda p, i: _down(_at_least_one_of(p, p.size / i)))


def li(pvalues: Any) -> Floats:
    """Li 2008, two steps: p_i / (p_i + 1 - p_m), p_m the largest. Weak when the largest p-value is near 1.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> li([0.01, 0.04, 0.03]).round(4)
    array([0.0103, 0.04  , 0.0303])
    """
    return _in_order(pvalues, lambda p, i: _li_sorted(p))


def _li_sorted(p: Floats) -> Floats:
    below = p + 1.0 - p[-1]
    return np.where(below > 0, p / np.where(below > 0, below, 1.0), 0.0)


def benjamini_hochberg(pvalues: Any) -> Floats:
    """Benjamini and Hochberg 1995: min over j >= i of m p_j / j. False discovery rate, not family-wise error.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> benjamini_hochberg([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.04])
    """
    return _in_order(pvalues, lambda p, i: _up(p.size * p / i))


def benjamini_yekutieli(pvalues: Any) -> Floats:
    """Benjamini and Yekutieli 2001: Benjamini-Hochberg times 1 + 1/2 + ... + 1/m; holds under any dependence.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> benjamini_yekutieli([0.01, 0.04, 0.03]).round(4)
    array([0.055 , 0.0733, 0.0733])
    """
    return _in_order(pvalues, lambda p, i: _up((1.0 / i).sum() * p.size * p / i))


def number_of_algorithms(pairs: int, n_algorithms: int | None) -> int:
    """k with k (k - 1) / 2 = pairs, as given or as it follows."""
    if n_algorithms is None:
        k = (1 + math.isqrt(1 + 8 * pairs)) // 2
        if k * (k - 1) // 2 != pairs or k < 2:
            raise DataError(
                f"This correction needs the p-values of all pairs of k algorithms, k (k - 1) / 2 of them; got {pairs}."
            )
        return k
    k = check.count("n_algorithms", n_algorithms, at_least=2)
    if k * (k - 1) // 2 != pairs:
        raise DataError(f"{k} algorithms have {k * (k - 1) // 2} pairs; got {pairs} p-values.")
    return k


def true_pairs(k: int) -> Bools:
    """For s = 0, 1, ... all pairs whether exactly s can be true: k algorithms in blocks of equals, j of which make j (j - 1) / 2.

    >>> true_pairs(3).tolist()
    [True, True, False, True]
    """
    counts = [1]  # of 0, 1, 2, ... algorithms, a bit for each possible number
    for n in range(1, k + 1):
        counts.append(reduce(or_, (counts[n - j] << j * (j - 1) // 2 for j in range(1, n + 1))))
    size = k * (k - 1) // 2 + 1
    bits = np.frombuffer(counts[k].to_bytes(size // 8 + 1, "little"), dtype=np.uint8)
    return np.unpackbits(bits, count=size, bitorder="little").astype(bool)


def shaffer(pvalues: Any, *, n_algorithms: int | None = None) -> Floats:
    """Shaffer 1986, static: Holm's steps with t_i, the most pairs that can be true when i - 1 are false.

    t_i is the largest number of pairs up to m - i + 1 that a grouping of the k algorithms into blocks of equals
    can make true. Family-wise error under any dependence; never less powerful than Holm.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.
    n_algorithms : int, optional
        Number of algorithms k; there must then be k (k - 1) / 2 p-values.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> shaffer([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    size = checked(pvalues).size
    possible = true_pairs(number_of_algorithms(size, n_algorithms))
    most_true = np.maximum.accumulate(np.where(possible, np.arange(size + 1), 0))[:0:-1]
    return _in_order(pvalues, lambda p, i: _down(most_true * p))


def bergmann_hommel(pvalues: Any, *, n_algorithms: int | None = None) -> Floats:
    """Bergmann and Hommel 1988, exact: the closed test over all groupings of the algorithms into blocks of equals.

    A pair keeps its doubt as long as some grouping with it in one block is retained by Bonferroni over the pairs
    within blocks. Family-wise error under any dependence; never less powerful than Shaffer.

    Parameters
    ----------
    pvalues : array-like of shape (m,)
        The p-values of one family of comparisons, in any order.
    n_algorithms : int, optional
        Number of algorithms k; there must then be k (k - 1) / 2 p-values.

    Returns
    -------
    array of float
        Adjusted p-values, in the order of the input.

    Examples
    --------
    >>> bergmann_hommel([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    raw = checked(pvalues)
    k = number_of_algorithms(raw.size, n_algorithms)
    if k > BERGMANN_HOMMEL_MOST_ALGORITHMS:
        raise ArgumentError(
            f"'bergmann_hommel' looks at all groupings and takes too long beyond {BERGMANN_HOMMEL_MOST_ALGORITHMS} "
            f"algorithms; got {k}: use 'shaffer'."
        )
    from podium.stats.corrections.kernels import bergmann_hommel_pairs

    upper = np.triu_indices(k, 1)
    matrix = np.ones((k, k))
    matrix[upper] = raw
    matrix.T[upper] = raw
    return np.clip(bergmann_hommel_pairs(matrix)[upper], raw, 1.0)
