"""Places of algorithms from draws of their effects or abilities."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

__all__ = ["rank_probabilities"]


def rank_probabilities(draws: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Algorithms x ranks: how often each has each place, 1 for the largest; `draws` is draws x algorithms.

    >>> rank_probabilities(np.array([[3.0, 1.0], [2.0, 5.0], [4.0, 0.0], [9.0, 1.0]]))
    array([[0.75, 0.25],
           [0.25, 0.75]])
    """
    count = draws.shape[1]
    place = np.argsort(np.argsort(-draws, axis=1), axis=1)
    return np.stack([np.bincount(place[:, i], minlength=count) for i in range(count)]) / len(draws)
