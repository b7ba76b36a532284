"""Compact letters: algorithms that share a letter are not told apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from podium.core.errors import ArgumentError
from podium.stats.posthoc.cliques import groups

__all__ = ["letters_of"]


def letters_of(apart: npt.NDArray[np.bool_], order: Sequence[int] | npt.NDArray[np.intp]) -> list[str]:
    """For each algorithm its letters, given who is told apart from whom and the order of the letters.

    Every maximal group of algorithms that are not told apart gets a letter (a, b, ..., z, aa, ab, ...), the
    groups of the first in the order first. Where there are thousands of groups, runs along the order stand in.

    >>> letters_of(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool), [0, 1, 2])
    ['a', 'ab', 'b']
    """
    k = len(apart)
    places = np.empty(k)
    places[np.asarray(order)] = np.arange(k)
    try:
        found = groups(apart, form="cliques", mean_ranks=places)
    except ArgumentError:
        found = groups(apart, form="intervals", mean_ranks=places)
    position = dict(zip(found.algorithms, np.argsort(places), strict=True))
    members = [*found.groups, *((name,) for name in found.alone)]
    members.sort(key=lambda group: sorted(places[position[name]] for name in group))
    letters: list[list[str]] = [[] for _ in range(k)]
    for place, group in enumerate(members):
        for name in group:
            letters[position[name]].append(_letter(place))
    separator = " " if len(members) > 26 else ""
    return [separator.join(row) for row in letters]


def _letter(place: int) -> str:
    """a, b, ..., z, aa, ab, ..."""
    text = ""
    while place >= 0:
        text = chr(ord("a") + place % 26) + text
        place = place // 26 - 1
    return text
