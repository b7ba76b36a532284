"""Compact letters: algorithms that share a letter do not differ significantly."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Bools, Indices
from podium.core.errors import ArgumentError
from podium.stats.posthoc.cliques import complete_groups, decisions


def compact_letters(apart: Bools, order: Sequence[int] | Indices) -> list[str]:
    """The letters of each algorithm: two share a letter exactly if they do not differ significantly.

    Every maximal group of algorithms that do not differ significantly gets a letter (a, b, ..., z, aa, ab, ...), the groups of the
    first in the order first. Where there are thousands of groups, those of a cover get letters. Letters of different length are
    separated by a space.

    Parameters
    ----------
    apart : array of bool of shape (k, k)
        True where two algorithms differ significantly.
    order : sequence of int
        Columns in the order of the letters, the best first.

    Returns
    -------
    list of str
        The letters of each algorithm, in the order of the columns.

    Examples
    --------
    >>> compact_letters(np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]], dtype=bool), [0, 1, 2])
    ['a', 'ab', 'b']
    """
    told_apart = decisions("apart", apart)
    k = len(told_apart)
    in_order = _order(order, k)
    groups = complete_groups(told_apart, mean_ranks=np.argsort(in_order))
    place = {name: index for index, name in enumerate(groups.algorithms)}
    members = sorted([place[name] for name in group] for group in (*groups.groups, *zip(groups.alone)))
    letters: list[list[str]] = [[] for _ in range(k)]
    for index, group in enumerate(members):
        for member in group:
            letters[in_order[member]].append(letter(index))
    return [(" " if len(members) > 26 else "").join(own) for own in letters]


def _order(order: Any, k: int) -> list[int]:
    """Every place once."""
    chosen = np.asarray(order, dtype=object)
    whole = chosen.ndim == 1 and all(isinstance(place, Integral) for place in chosen)
    if not whole or sorted(chosen) != list(range(k)):
        raise ArgumentError(f"`order` must hold each place from 0 to {k - 1} once; got {check.shown(order)}.")
    return [int(place) for place in chosen]


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
