"""Compact letters: algorithms that share a letter are not told apart."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Bools, Indices
from podium.core.errors import ArgumentError
from podium.stats.posthoc.cliques import complete_groups, decisions


def letters_of(apart: Bools, order: Sequence[int] | Indices) -> list[str]:
    """The letters of each algorithm, given which algorithms are told apart and the order of the letters.

    Every maximal group of algorithms that are not told apart gets a letter (a, b, ..., z, aa, ab, ...), the
    groups of the first in the order first. Where there are thousands of groups, those of a cover get letters, so that
    two algorithms always share a letter exactly when they are not told apart.

    >>> letters_of(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool), [0, 1, 2])
    ['a', 'ab', 'b']
    """
    told = decisions("apart", apart)
    k = len(told)
    places = np.empty(k)
    places[_order(order, k)] = np.arange(k)
    found = complete_groups(told, mean_ranks=places)
    position = dict(zip(found.algorithms, np.argsort(places), strict=True))
    members = [*found.groups, *((name,) for name in found.alone)]
    members.sort(key=lambda group: sorted(places[position[name]] for name in group))
    places_of = [[int(position[name]) for name in group] for group in members]
    return list(letters(places_of, k))


def _order(order: Any, k: int) -> list[int]:
    """Every place once."""
    chosen = np.asarray(order, dtype=object)
    whole = chosen.ndim == 1 and all(isinstance(place, Integral) for place in chosen)
    if not whole or sorted(chosen) != list(range(k)):
        raise ArgumentError(f"`order` must hold each place from 0 to {k - 1} once; got {check.shown(order)}.")
    return [int(place) for place in chosen]


def letters(groups: Sequence[Sequence[int]], k: int) -> tuple[str, ...]:
    """One text of letters for each of k algorithms: a for the first group, b for the second, ...; after z: aa, ab, ...

    Groups are lettered in their order; letters of different length are separated by a space.

    >>> letters([(0, 1), (1, 2)], 3)
    ('a', 'ab', 'b')
    """
    if any(not 0 <= member < k for group in groups for member in group):
        raise ArgumentError(f"Groups must hold places from 0 to {k - 1}; got {groups!r}.")
    own: list[list[str]] = [[] for _ in range(k)]
    for place, group in enumerate(groups):
        for member in set(group):
            own[member].append(letter(place))
    return tuple((" " if len(groups) > 26 else "").join(names) for names in own)


def letter(index: int) -> str:
    """a to z, then aa, ab, ...: as columns of a spreadsheet.

    >>> letter(0), letter(25), letter(26)
    ('a', 'z', 'aa')
    """
    text = ""
    index += 1
    while index:
        index, rest = divmod(index - 1, 26)
        text = chr(ord("a") + rest) + text
    return text
