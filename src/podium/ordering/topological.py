"""The sort behind MultiTest: of the algorithms that no remaining one overrides, take the first in the prior order."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Bools


@dataclass(frozen=True, slots=True, kw_only=True)
class Sort:
    """The order found, best first, those that could have taken each place, and the cycles that had to be broken."""

    order: tuple[int, ...]
    steps: tuple[tuple[int, ...], ...]
    cycles: tuple[tuple[int, ...], ...]

    @property
    def ranks(self) -> list[int]:
        """The place of each algorithm in the order, from 1."""
        places = [0] * len(self.order)
        for place, column in enumerate(self.order, start=1):
            places[column] = place
        return places


def topological_sort(prior: npt.ArrayLike, edges: npt.ArrayLike, *, with_steps: bool = True) -> Sort:
    """Sort by edges, and by the prior order where edges say nothing (Ulas et al. 2008, section 3.1).

    `prior` lists the algorithms, most preferred first; `edges[i, j]` is true where j overrides i, so that j
    comes before i. If every remaining algorithm is overridden, the edges have a cycle: it is recorded, and the
    first of the cycle in the prior order is taken. Without steps it is several times as fast.

    >>> edges = np.zeros((3, 3), dtype=bool)
    >>> edges[0, 2] = True  # the costliest is significantly better than the cheapest
    >>> topological_sort([0, 1, 2], edges).order
    (1, 2, 0)
    """
    by_preference = np.asarray(prior, dtype=np.intp)
    graph = np.asarray(edges, dtype=bool)[np.ix_(by_preference, by_preference)]
    overridden = np.ascontiguousarray(graph.T)  # row j: those that j overrides
    overriders = graph.sum(axis=1, dtype=np.int32)  # by place in the prior order
    order: list[int] = []
    steps: list[tuple[int, ...]] = []
    cycles: list[tuple[int, ...]] = []
    for _ in range(len(by_preference)):
        free = overriders == 0
        place = int(free.argmax())
        if not free[place]:
            cycle = _find_cycle(graph, overriders >= 0)
            cycles.append(tuple(int(by_preference[member]) for member in cycle))
            place = min(cycle)
            free[place] = True
        if with_steps:
            steps.append(tuple(int(by_preference[member]) for member in np.flatnonzero(free)))
        order.append(int(by_preference[place]))
        overriders -= overridden[place]
        overriders[place] = -len(by_preference)  # taken: never free again
    return Sort(order=tuple(order), steps=tuple(steps), cycles=tuple(cycles))


def _find_cycle(graph: Bools, remaining: Bools) -> list[int]:
    """A cycle among the remaining nodes, each of which has an outgoing edge to another of them."""
    node = int(np.flatnonzero(remaining)[0])
    seen: dict[int, int] = {}
    path: list[int] = []
    while node not in seen:
        seen[node] = len(path)
        path.append(node)
        node = int(np.flatnonzero(graph[node] & remaining)[0])
    return path[seen[node] :]
