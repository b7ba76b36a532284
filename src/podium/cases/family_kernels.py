"""The compiled loop of the step-down procedure, for very many pairs: one pass over the draws for each pair."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.compiled import njit


@njit(cache=True, nogil=True)
def step_down(draws: Floats, first: Indices, second: Indices, scale: Floats, bounds: Floats, largest: Floats) -> Floats:
    """How often the running maximum over the pairs, in ascending order, reaches each bound; `largest` gets the last.

    `draws` has a row for each algorithm, so that the inner loop takes several draws at once.
    """
    counts = np.zeros(first.size)
    for pair in range(first.size):
        one, other, factor, bound = draws[first[pair]], draws[second[pair]], scale[pair], bounds[pair]
        reached = 0
        for draw in range(largest.size):
            value = abs(one[draw] - other[draw]) * factor
            most = largest[draw]
            most = value if value > most else most  # `max` is not taken several at once
            largest[draw] = most
            reached += most >= bound
        counts[pair] = reached
    return counts
