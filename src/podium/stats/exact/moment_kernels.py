"""Compiled counts, means and variances of the differences of many pairs."""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["moment_pairs"]


@njit(cache=True, nogil=True)
def moment_pairs(columns, first, second, counts, mean, variance):  # type: ignore[no-untyped-def]
    """Fills counts (present, positive, zero), means and sample variances of the differences of pairs of rows.

    Differences are rounded to the 12th significant digit of the pair's largest score, so that equal scores are
    equal and constant differences have no variance.
    """
    n = columns.shape[1]
    steps = np.empty(n)
    for pair in range(len(first)):
        x, y = columns[first[pair]], columns[second[pair]]
        largest = 0.0
        for i in range(n):
            if not (np.isnan(x[i]) or np.isnan(y[i])):
                largest = max(largest, abs(x[i]), abs(y[i]))
        exponent = np.floor(np.log10(max(largest, 1e-280))) - 11.0
        unit, per_one = 10.0**exponent, 10.0 ** (-exponent)
        present, positives, zeros, total = 0, 0, 0, 0.0
        for i in range(n):
            difference = x[i] - y[i]
            if np.isnan(difference):
                continue
            step = np.rint(difference / unit)
            steps[present] = step
            total += step
            present += 1
            positives += step > 0
            zeros += step == 0
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros
        centre = total / max(present, 1)
        squares, constant = 0.0, True
        for i in range(present):
            squares += (steps[i] - centre) ** 2
            constant = constant and steps[i] == steps[0]
        mean[pair] = (steps[0] if constant and present > 0 else centre) / per_one
        variance[pair] = 0.0 if constant or present < 2 else squares / (present - 1) / per_one / per_one
