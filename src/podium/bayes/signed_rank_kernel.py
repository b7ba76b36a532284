"""The signed-rank shares of many Dirichlet draws, in time linear in the number of datasets."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.compiled import njit

BLOCK = 250  # draws handled together, so that the inner loops are vector operations on memory that stays in cache


@njit(cache=True, fastmath=True, error_model="numpy")
def signed_rank_shares(gammas: Floats, order: Ints, cuts: Ints, edge: float) -> Floats:
    """(left, right) x draws: the share of w_i w_j over pairs beyond the rope.

    `gammas` is weights x draws and `order` lists its rows by ascending gain. For the k-th of them, `cuts[:, k]`
    gives how many gains make a sum below minus 2 rope, at most minus 2 rope, below 2 rope, at most 2 rope: the
    regions are runs of the order, so prefix sums of the weights give their mass. `edge` is the part of a sum
    exactly on the edge that counts as beyond.
    """
    draws, n = gammas.shape[1], order.shape[0]
    shares = np.empty((2, draws))
    prefix = np.zeros((n + 1, BLOCK))
    left, right = np.empty(BLOCK), np.empty(BLOCK)
    for start in range(0, draws, BLOCK):
        size = min(BLOCK, draws - start)
        for k in range(n):
            row, before, after = gammas[order[k]], prefix[k], prefix[k + 1]
            for d in range(size):
                after[d] = before[d] + row[start + d]
        total = prefix[n]
        left[:] = 0.0
        right[:] = 0.0
        for k in range(n):
            row = gammas[order[k]]
            below, above = prefix[cuts[0, k]], prefix[cuts[3, k]]
            for d in range(size):
                left[d] += row[start + d] * below[d]
                right[d] += row[start + d] * (total[d] - above[d])
            if edge > 0.0 and cuts[1, k] > cuts[0, k]:
                upto = prefix[cuts[1, k]]
                for d in range(size):
                    left[d] += edge * row[start + d] * (upto[d] - below[d])
            if edge > 0.0 and cuts[3, k] > cuts[2, k]:
                under = prefix[cuts[2, k]]
                for d in range(size):
                    right[d] += edge * row[start + d] * (above[d] - under[d])
        for d in range(size):
            shares[0, start + d] = left[d] / (total[d] * total[d])
            shares[1, start + d] = right[d] / (total[d] * total[d])
    return shares


@njit(cache=True)
def most_frequent(shares: Floats) -> Floats:
    """In how many draws left, rope and right is the largest share; equal shares share the draw."""
    counts = np.zeros(3)
    slack = 1e-12
    for d in range(shares.shape[1]):
        left, right = shares[0, d], shares[1, d]
        middle = 1.0 - left - right
        top = max(left, middle, right) - slack
        ties = int(left >= top) + int(middle >= top) + int(right >= top)  # without compiling, True + True is True
        counts[0] += (left >= top) / ties
        counts[1] += (middle >= top) / ties
        counts[2] += (right >= top) / ties
    return counts
