"""Compiled counts, means and variances of the differences of many pairs."""

from __future__ import annotations

import numpy as np
from numba import njit

from podium.stats.exact.difference_kernels import take_differences

__all__ = ["moment_pairs"]


@njit(cache=True, nogil=True)
def moment_pairs(columns, exponents, first, second, counts, mean, variance):  # type: ignore[no-untyped-def]
    """Fills counts (present, positive, zero), means and sample variances of the differences of pairs of rows.

    Differences have no float noise, so that equal scores are equal and constant differences do not vary.
    """
    differences = np.empty(columns.shape[1])
    for pair in range(len(first)):
        i, j = first[pair], second[pair]
        present, _ = take_differences(columns[i], columns[j], exponents[i], exponents[j], differences)
        positives, zeros, total, constant = 0, 0, 0.0, True
        for g in range(present):
            total += differences[g]
            positives += differences[g] > 0.0
            zeros += differences[g] == 0.0
            constant = constant and differences[g] == differences[0]
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros
        centre = differences[0] if constant and present > 0 else total / max(present, 1)
        squares = 0.0
        for g in range(present):
            squares += (differences[g] - centre) ** 2
        mean[pair], variance[pair] = centre, squares / max(present - 1, 1)
