"""Ranks of rows of differences, in groups of equal ones. Everything lives on doubled ranks: whole numbers even where ties share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from podium.core.arrays import Bools, Floats, Ints

ZEROS = ("drop", "pratt", "split")
NO_KEY = np.iinfo(np.int64).max  # of what takes no rank: sorted last
_MISSING = int(np.array(np.nan).view(np.int64)) & -2


class Ranks(NamedTuple):
    """The ranks of some pairs in groups of equal ones, a pair after the other; an empty group ends each pair."""

    rank: Ints
    size: Ints
    start: Ints  # where each pair begins
    groups: Ints  # how many each pair has
    observations: Ints  # zeros that count among them
    squares: Floats  # sum of the squared ranks
    untied: Bools  # whether the ranks are 1, 2, ..., n

    def of(self, pairs: Ints) -> Ranks:
        """Those of some pairs; one may occur several times."""
        if np.array_equal(pairs, np.arange(len(self.groups))):
            return self
        length = self.groups[pairs] + 1
        start = np.cumsum(length) - length
        here = np.arange(length.sum()) + np.repeat(self.start[pairs] - start, length)
        rest: list[Any] = [each[pairs] for each in self[3:]]
        return Ranks(self.rank[here], self.size[here], start, *rest)

    def one(self, pair: int | np.integer) -> tuple[Ints, Ints]:
        """The ranks of one pair, ascending, and how often each occurs."""
        here = slice(self.start[pair], self.start[pair] + self.groups[pair])
        return self.rank[here], self.size[here]

    def padded(self) -> tuple[Ints, Ints]:
        """The ranks and how often each occurs as matrices with a row for each pair; zeros fill them up."""
        here = self.pair_of_each(), np.arange(len(self.rank)) - np.repeat(self.start, self.groups + 1)
        rank, size = np.zeros((2, len(self.groups), 1 + int(self.groups.max(initial=0))), dtype=np.int64)
        rank[here], size[here] = self.rank, self.size
        return rank, size

    def pair_of_each(self) -> Ints:
        """The pair that each group belongs to."""
        return np.repeat(np.arange(len(self.groups)), self.groups + 1)


def ranks_of(doubled_ranks: Ints) -> Ranks:
    """The ranks of one pair, given one by one."""
    rank, size = np.unique(doubled_ranks, return_counts=True)
    squares = np.square(doubled_ranks, dtype=np.float64).sum(keepdims=True)
    counts = np.array([0]), np.array([len(rank)]), np.array([len(doubled_ranks)])
    return Ranks(np.append(rank, 0), np.append(size, 0), *counts, squares, np.array([False]))


def joined(parts: list[Ranks]) -> Ranks:
    """The ranks of several lots of pairs as one."""
    before = np.cumsum([0, *(len(ranks.rank) for ranks in parts)])
    moved = [ranks._replace(start=ranks.start + by) for ranks, by in zip(parts, before[:-1], strict=True)]
    return Ranks(*(np.concatenate(each) for each in zip(*moved, strict=True)))


def ranked(differences: Floats, *, zeros: str = "drop", compiled: bool = False) -> tuple[Ranks, Ints]:
    """The ranks of rows of differences (nan is missing), and the doubled sums of the positive ones and of all.

    The bits of a positive float are a whole number that grows with it; the last of them, noise, makes room for the sign.
    """
    pairs, n = differences.shape
    keys = np.empty((pairs, n + 1), dtype=np.int64)
    sized, keys[:, n] = keys[:, :n], NO_KEY
    sized[:] = np.abs(differences).view(np.int64)
    sized &= -2
    sized |= differences > 0
    sized[sized >= _MISSING] = NO_KEY
    zero = sized < 2
    without = np.count_nonzero(zero, axis=1)
    taken = without - without % 2 if zeros == "split" else np.zeros_like(without)
    skipped = without if zeros == "pratt" else np.zeros_like(without)
    if zeros == "split":  # they share the lowest ranks; an odd one is left out, as Demsar does
        zero &= np.cumsum(zero, axis=1) > taken[:, None]
    if without.any():
        sized[zero] = NO_KEY
    keys.sort(axis=1)
    rank, sizes, start, groups, observations, plus = (_compiled_groups if compiled else _groups)(keys, skipped)
    highest = skipped + observations
    total = highest * (highest + 1) - skipped * (skipped + 1)
    sums = np.stack([plus + taken * (taken + 1) // 2, total], axis=1)  # half of the zeros' ranks is positive
    tied = np.flatnonzero(sizes > 1)
    lost = np.bincount(np.searchsorted(start, tied, "right") - 1, (sizes[tied] ** 3 - sizes[tied]) / 3, minlength=pairs)
    squares = _untied_squares(highest) - _untied_squares(skipped) - lost
    untied = (groups == observations) & (skipped == 0)
    return Ranks(rank, sizes, start, groups, observations, squares, untied), sums


def _groups(keys: Ints, skipped: Ints) -> tuple[Ints, ...]:
    """Ranks and sizes of the groups of equal keys (but for the last bit, which says what is positive), where each row begins, how
    many groups and observations it has, and the doubled sum over positives."""
    first = np.empty(keys.shape, dtype=bool)
    first[:, 0] = True
    np.greater(keys[:, 1:] ^ keys[:, :-1], 1, out=first[:, 1:])
    edges = np.flatnonzero(first)
    groups = np.count_nonzero(first, axis=1) - 1
    start = np.cumsum(groups + 1) - groups - 1
    last = start + groups
    column = edges - np.repeat(np.arange(len(keys)) * keys.shape[1], groups + 1)
    size = np.diff(column, append=0)
    rank = 2 * column + size + 1
    if skipped.any():
        rank += np.repeat(2 * skipped, groups + 1)
    rank[last] = size[last] = 0  # so that what counts there does not matter
    positive = keys.ravel() & 1
    before = np.cumsum(positive)[edges] - positive[edges]
    plus = np.add.reduceat(rank * np.diff(before, append=0), start)
    return rank, size, start, groups, column[last], plus


def _compiled_groups(keys: Ints, skipped: Ints) -> tuple[Ints, ...]:
    from podium.stats.exact.crowd_kernels import group_rows

    rank, size = np.empty(keys.size, dtype=np.int64), np.empty(keys.size, dtype=np.int64)
    rows = tuple(np.empty(len(keys), dtype=np.int64) for _ in range(4))
    filled = group_rows(keys, skipped, rank, size, *rows)
    return rank[:filled], size[:filled], *rows


def _untied_squares(n: Ints) -> Floats:
    """The sum of the squared doubled ranks 1, 2, ..., n."""
    return np.asarray(2.0 / 3.0 * n * (n + 1.0) * (2.0 * n + 1.0))
