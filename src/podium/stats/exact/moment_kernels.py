"""Compiled counts, means and variances of the differences of many pairs."""

from __future__ import annotations

import numpy as np
from numba import njit

from podium.stats.exact.difference_kernels import take_steps

__all__ = ["moment_pairs"]


@njit(cache=True, nogil=True)
def moment_pairs(columns, first, second, counts, mean, variance):  # type: ignore[no-untyped-def]
    """Fills counts (present, positive, zero), means and sample variances of the differences of pairs of rows.

    Differences are whole steps (`take_steps`), so that equal scores are equal and constant differences do not vary.
    """
    steps = np.empty(columns.shape[1], dtype=np.int64)
    for pair in range(len(first)):
        present, per_one = take_steps(columns[first[pair]], columns[second[pair]], steps)
        positives, zeros, total = 0, 0, 0.0
        for i in range(present):
            total += steps[i]
            positives += steps[i] > 0
            zeros += steps[i] == 0
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros
        centre = total / max(present, 1)
        squares, constant = 0.0, True
        for i in range(present):
            squares += (steps[i] - centre) ** 2
            constant = constant and steps[i] == steps[0]
        mean[pair] = (steps[0] if constant and present > 0 else centre) / per_one
        variance[pair] = 0.0 if constant or present < 2 else squares / (present - 1) / per_one / per_one
