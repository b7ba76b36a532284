"""Search spaces: candidates that each need a training, and one free hyperparameter that does not."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from podium.core.errors import ArgumentError


class Shape(NamedTuple):
    """What a search space may depend on: the features, cases and classes of the part that it is searched on."""

    features: int
    cases: int
    classes: int


class Draw(NamedTuple):
    """A distribution of scipy.stats by name, with its arguments by place."""

    distribution: str
    args: tuple[float, ...] = ()

    def frozen(self) -> Any:
        """The distribution as scipy's own object."""
        import scipy.stats

        name = self.distribution
        distribution: Any = getattr(scipy.stats, name, None)
        if not hasattr(distribution, "rvs"):
            raise ArgumentError(f"scipy.stats has no distribution {name!r}.")
        try:
            frozen = distribution(*self.args)
            frozen.rvs(random_state=np.random.default_rng(0))
        except (TypeError, ValueError) as error:
            raise ArgumentError(f"{name!r} of scipy.stats cannot be drawn with {self.args}: {error}.") from None
        return frozen


def drawn(count: int, rng: np.random.Generator, **lists: Sequence[Any] | Draw) -> tuple[dict[str, Any], ...]:
    """So many random combinations: each from its distribution, or one of its list.

    >>> drawn(1, np.random.default_rng(0), a=[1], b=Draw("uniform", (2.0, 0.0)))
    ({'a': 1, 'b': 2.0},)
    """
    pools = {name: v.frozen() if isinstance(v, Draw) else v for name, v in lists.items()}
    return tuple(
        {
            name: pool[int(rng.integers(len(pool)))]
            if isinstance(pool, Sequence)
            else np.asarray(pool.rvs(random_state=rng)).item()
            for name, pool in pools.items()
        }
        for _ in range(count)
    )


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
