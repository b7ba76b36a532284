"""The compiled loop of the step-down family, for many pairs: one pass over the pairs for each draw."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.compiled import njit


@njit(cache=True, nogil=True)
def step_down(
    flipped: Floats, first: Indices, second: Indices, scale: Floats, bounds: Floats, largest: Floats
) -> Floats:
    """How often the running maximum over the pairs, in ascending order, reaches each bound; `largest` gets the last."""
    counts = np.zeros(first.size)
    for draw in range(flipped.shape[0]):
        row = flipped[draw]
        most = 0.0
        for pair in range(first.size):
            value = abs(row[first[pair]] - row[second[pair]]) * scale[pair]
            most = max(most, value)
            if most >= bounds[pair]:
                counts[pair] += 1
        largest[draw] = most
    return counts
