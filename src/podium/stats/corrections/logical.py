"""Corrections for all pairs that use logic: if a = b and b = c are true, a = c cannot be false."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.stats.corrections.steps import checked

# All 3^k ways to pick a block from a set are looked at, once for each distinct p-value.
BERGMANN_HOMMEL_MOST_ALGORITHMS = 18


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


def shaffer(pvalues: Any, *, n_algorithms: int | None = None) -> Floats:
    """Shaffer 1986, static: Holm's steps with t_i, the most pairs that can be true when i - 1 are false.

    t_i is the largest number of pairs up to m - i + 1 that a grouping of the k algorithms into blocks of equals
    can make true. Family-wise error under any dependence; never less powerful than Holm.

    >>> shaffer([0.01, 0.04, 0.03])
    array([0.03, 0.04, 0.03])
    """
    from podium.stats.corrections.kernels import fewest_algorithms

    raw = checked(pvalues)
    k = number_of_algorithms(raw.size, n_algorithms)
    possible = fewest_algorithms(raw.size, k) <= k
    most_true = np.maximum.accumulate(np.where(possible, np.arange(raw.size + 1), 0))[:0:-1]
    order = np.argsort(raw, kind="stable")
    adjusted = np.empty_like(raw)
    adjusted[order] = np.clip(np.maximum.accumulate(most_true * raw[order]), raw[order], 1.0)
    return adjusted


def bergmann_hommel(pvalues: Any, *, n_algorithms: int | None = None) -> Floats:
    """Bergmann and Hommel 1988, exact: the closed test over all groupings of the algorithms into blocks of equals.

    A pair keeps its doubt as long as some grouping with it in one block is retained by Bonferroni over the pairs
    within blocks. Family-wise error under any dependence; never less powerful than Shaffer.

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
