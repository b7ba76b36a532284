"""The least that is enough: of whole numbers and of sizes, by doubling and halving."""

from __future__ import annotations

import math
from collections.abc import Callable

USUAL_POWER = (
    0.8  # where nobody asks for another: Cohen (1988) weighs a miss as a quarter as bad as a false positive at 0.05
)


def least_count(
    enough: Callable[[int], bool], low: int, most: int, *, step: float = 1.0, ripple: Callable[[int], int] | None = None
) -> int | None:
    """The smallest number from `low` to `most` that is enough, growing by `step` (1 doubles) and then by halves; None if none is.

    That is right where whatever lies above a number that is enough is enough too. Where it may not be, as the power of a
    discrete test falls now and then while n grows, `ripple(n)` says how many numbers below are tried one by one.

    >>> least_count(lambda n: n * n >= 50, 1, 100), least_count(lambda n: False, 1, 100)
    (8, None)
    >>> least_count(lambda n: n >= 9 or n == 6, 1, 100), least_count(lambda n: n >= 9 or n == 6, 1, 100, ripple=lambda n: 5)
    (9, 6)
    """
    below, high = low - 1, low
    while not enough(high):
        if high >= most:
            return None
        below, high = high, min(high + max(1, math.floor(step * high)), most)
    while high - below > 1:
        middle = (below + high) // 2
        below, high = (below, middle) if enough(middle) else (middle, high)
    if ripple is None:
        return high
    return next(n for n in range(max(low, high - ripple(high)), high + 1) if n == high or enough(n))


def least_size(enough: Callable[[float], bool], start: float, most: float, *, halvings: int) -> float | None:
    """The smallest size above 0 that is enough, by doubling from `start` and so many halvings; None if `most` is not.

    >>> round(least_size(lambda size: size >= 0.7, 0.1, 10.0, halvings=20), 5), least_size(lambda size: False, 0.1, 10.0, halvings=9)
    (0.7, None)
    """
    low, high = 0.0, min(start, most)
    while not enough(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    for _ in range(halvings):
        middle = (low + high) / 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return high
