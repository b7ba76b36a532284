"""The signed-rank shares of many Dirichlet draws, in time linear in the number of datasets."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

__all__ = ["signed_rank_shares"]

Floats = npt.NDArray[np.float64]
Places = npt.NDArray[np.int64]


@njit(cache=True)
def signed_rank_shares(gammas: Floats, order: Places, cuts: Places, edge: float) -> Floats:
    """Draws x (left, right): the share of w_i w_j over pairs beyond the rope.

    `order` lists the columns of `gammas` by ascending gain. For the k-th of them, `cuts[:, k]` gives how many
    gains make a sum below minus 2 rope, at most minus 2 rope, below 2 rope, at most 2 rope: the regions are
    runs of the order, so prefix sums of the weights give their mass. `edge` is the part of a sum exactly on
    the edge that counts as beyond.
    """
    draws, n = gammas.shape[0], order.shape[0]
    shares = np.empty((draws, 2))
    prefix = np.zeros(n + 1)
    for d in range(draws):
        for k in range(n):
            prefix[k + 1] = prefix[k] + gammas[d, order[k]]
        total = prefix[n]
        left = 0.0
        right = 0.0
        for k in range(n):
            w = gammas[d, order[k]]
            below, upto = prefix[cuts[0, k]], prefix[cuts[1, k]]
            left += w * (below + edge * (upto - below))
            below, upto = prefix[cuts[2, k]], prefix[cuts[3, k]]
            right += w * (total - upto + edge * (upto - below))
        shares[d, 0] = left / (total * total)
        shares[d, 1] = right / (total * total)
    return shares
