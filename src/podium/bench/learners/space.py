"""Search spaces: candidates that each need a training, and one free hyperparameter that does not."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


class Shape(NamedTuple):
    """What a search space may depend on: the training part's features, cases and classes."""

    features: int
    cases: int
    classes: int


@dataclass(frozen=True, slots=True)
class Space:
    """`candidates` need one training per fold each; the values of the free one all come from that training."""

    candidates: tuple[dict[str, Any], ...] = ({},)
    free_name: str = ""
    free_values: tuple[Any, ...] = ()

    @property
    def size(self) -> int:
        """How many combinations of hyperparameters are tried."""
        return len(self.candidates) * max(len(self.free_values), 1)

    def thinned(self, candidates: int | None, free_values: int | None) -> Space:
        """At most so many candidates and free values, evenly spread over the lists."""
        return Space(thin(self.candidates, candidates), self.free_name, thin(self.free_values, free_values))


def thin(values: tuple[Any, ...], count: int | None) -> tuple[Any, ...]:
    """At most `count` values, evenly spread and with both ends.

    >>> thin((1, 2, 3, 4, 5), 3)
    (1, 3, 5)
    """
    if count is None or len(values) <= count:
        return values
    if count == 1:
        return values[:1]
    return tuple(values[round(i * (len(values) - 1) / (count - 1))] for i in range(count))


def grid(**lists: Sequence[Any]) -> tuple[dict[str, Any], ...]:
    """Every combination, the last hyperparameter running fastest.

    >>> grid(a=[1, 2], b=[3])
    ({'a': 1, 'b': 3}, {'a': 2, 'b': 3})
    """
    return tuple(dict(zip(lists, values, strict=True)) for values in itertools.product(*lists.values()))


def whole_numbers(low: float, high: float, count: int) -> list[int]:
    """At most `count` different whole numbers, equally spaced from low to high.

    >>> whole_numbers(2, 4, 8)
    [2, 3, 4]
    """
    high = max(low, high)
    return sorted({round(float(value)) for value in np.linspace(low, high, count)})
