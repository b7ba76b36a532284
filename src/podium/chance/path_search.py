"""The critical value of a metric that is the best over all thresholds: a search over its attainable scores."""

from __future__ import annotations

import math

import numpy as np

from podium.chance.hypergeometric import log_pmf
from podium.chance.jit import kernel
from podium.chance.paths import Ints, Parameters, above, below, boundary, key, lowest, touch

__all__ = ["path_critical"]


@kernel
def _gaussian_scale(probability: float) -> float:
    """A scale on which the tail of a score is nearly a straight line."""
    return math.sqrt(-2.0 * math.log(max(probability, 1e-300)))


@kernel
def _sure_touch(P: int, N: int, c: Ints, accuracy: float, level: float) -> float:
    """As `touch`; where a quick pass comes too near the level to tell, again in full."""
    probability = touch(P, N, c, accuracy)
    if accuracy == 0.0 and abs(probability - level) < 1e-7 * level:
        return touch(P, N, c, 1e-12)
    return probability


@kernel
def path_critical(
    shape: Parameters, P: int, N: int, level: float, guess: float, slope: float, accuracy: float
) -> tuple[int, int, float]:
    """The largest attainable score with P(S >= score) > level, as (tp, n), and the slope at the end of the search.

    `guess` (a key, or nan) and `slope` (of the Gaussian scale per key, or 0) start the search; each step shrinks the
    bracket [low, high] of attainable scores, by secants on the Gaussian scale, else by halves.
    """
    low_tp, low_n = lowest(shape, P, N)
    if math.exp(log_pmf(P, P, N, P)) > level:
        return P, P, slope
    # The highest score, P true positives on top, is not the critical value: start the bracket just below it.
    best = key(shape, P, N, P, P)
    high_tp, high_n = below(shape, P, N, boundary(shape, P, N, best))
    low = key(shape, P, N, low_tp, low_n)
    high = key(shape, P, N, high_tp, high_n)
    target = _gaussian_scale(level)
    # Last points probed below and above: key and Gaussian scale. The ends of the bracket count as not probed.
    low_x, low_y, high_x, high_y = low, 0.0, best, math.sqrt(-2.0 * log_pmf(P, P, N, P))
    low_probed, high_probed, both_probed = False, False, False
    step, same_side, was_low = 0, 0, False
    while low < high:
        near_x, near_y = (low_x, low_y) if was_low else (high_x, high_y)
        if step == 0 and low < guess <= high:
            x = guess
        elif slope > 0.0 and step > 0 and not both_probed:
            x = near_x + 1.05 * 2.0 ** (step - 1) * (target - near_y) / slope
        elif step > 8 and step % 2 == 0:
            x = 0.5 * (low + high)
        else:
            part = (target - low_y) / (high_y - low_y)
            if same_side >= 2:  # one end does not move: overshoot
                part = 0.5 * (part + (1.0 if was_low else 0.0))
            x = low_x + part * (high_x - low_x)
        x = min(max(x, np.nextafter(low, np.inf)), high)
        c = boundary(shape, P, N, x)
        probability = _sure_touch(P, N, c, accuracy, level)
        step += 1
        is_low = probability > level
        same_side = same_side + 1 if is_low == was_low else 1
        was_low = is_low
        if is_low:
            low_tp, low_n = above(shape, P, N, c)
            low = key(shape, P, N, low_tp, low_n)
            low_x, low_y, low_probed = low, _gaussian_scale(probability), True
        else:
            high_tp, high_n = below(shape, P, N, c)
            high = key(shape, P, N, high_tp, high_n)
            high_x, high_y, high_probed = x, _gaussian_scale(probability), True
        if low_probed and high_probed and not both_probed:  # later the ends are too near for a good slope
            both_probed = True
            slope = (high_y - low_y) / (high_x - low_x)
    return low_tp, low_n, slope
