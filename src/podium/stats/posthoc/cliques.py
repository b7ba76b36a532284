"""Groups of algorithms that do not differ significantly: the bars of a critical difference diagram."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from numbers import Number
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.arrays import Bools, Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.result import Result
from podium.stats.posthoc.pairs_result import PairsResult

Decisions = Bools

FORMS = ("intervals", "cliques", "cover")
MOST_CLIQUES = 5000  # nobody reads more; k algorithms can have 3^(k/3)


class _TooManyError(ArgumentError):
    """There are more maximal groups than can be listed."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GroupsResult(Result):
    """Maximal groups of two or more algorithms no two of which differ significantly.

    `form` 'intervals': runs along the mean ranks, as diagrams draw them; `unbarred` then names the pairs that do not
    differ significantly and yet share no run, because an algorithm between them differs from one of them. 'cliques': all maximal
    groups, whether or not they are runs (`contiguous` says if all are); each pair without a significant difference is in one of them.
    'cover': not all maximal groups, but enough of them for every pair without a significant difference to be in one.
    """

    groups: tuple[tuple[str, ...], ...]
    form: str
    alpha: float | None
    algorithms: tuple[str, ...]
    mean_ranks: Floats
    alone: tuple[str, ...]
    contiguous: bool
    unbarred: tuple[tuple[str, str], ...]
    references: tuple[str, ...] = ("demsar2006",)

    def summary(self) -> str:
        """The groups in words, and what a group does not mean."""
        listed = "; ".join(", ".join(group) for group in self.groups) or "none"
        apart = f" {len(self.unbarred)} pairs that do not differ significantly share no run." if self.unbarred else ""
        broken = "" if self.contiguous else " Some groups skip an algorithm that lies between their members."
        return (
            f"Groups that do not differ significantly, best first: {listed}.{apart}{broken} "
            "To be in one group does not show that two algorithms are equal."
        )


def groups(
    source: Any,
    *,
    critical_difference: float | None = None,
    alpha: float = 0.05,
    form: Literal["intervals", "cliques", "cover"] = "intervals",
    mean_ranks: npt.ArrayLike | None = None,
    algorithms: tuple[str, ...] | list[str] | None = None,
) -> GroupsResult:
    """The maximal groups of algorithms that do not differ significantly.

    Parameters
    ----------
    source : PairsResult or array-like
        A result on all pairs (`nemenyi`, `all_pairs`, ...): two differ where the adjusted p is at most `alpha`.
        Or mean ranks (an array, or a Series with names), with `critical_difference`. Or a square table of True
        where two algorithms differ, with `mean_ranks` for the order.
    critical_difference : float, optional
        Mean ranks that differ by at least this differ significantly.
    alpha : float, default 0.05
        Significance level.
    form : {"intervals", "cliques", "cover"}, default "intervals"
        "intervals": runs along the mean ranks, at most k of them. "cliques": all maximal groups, of which there
        can be thousands. "cover": enough maximal groups for every pair that does not differ to be in one.
    mean_ranks : array-like of shape (k,), optional
        The mean ranks, where the source does not have them.
    algorithms : sequence of str, optional
        Names of the algorithms, where the source does not have them.

    Returns
    -------
    GroupsResult
        The groups, the best mean rank first, and the algorithms in no group.

    Examples
    --------
    >>> groups([1.9, 2.0, 2.9, 3.2], critical_difference=1.12, algorithms=["a", "b", "c", "d"]).groups
    (('a', 'b', 'c'), ('c', 'd'))
    """
    check.choice("form", form, FORMS)
    names, means, apart, level = _decisions(source, critical_difference, alpha, mean_ranks)
    if algorithms is not None:
        if isinstance(algorithms, str) or not isinstance(algorithms, Iterable):
            raise ArgumentError(f"`algorithms` must be a list of names; got {check.shown(algorithms)}.")
        names = tuple(str(name) for name in algorithms)
    if len(names) != means.size or apart.shape != (means.size, means.size):
        raise DataError(
            f"There are {len(names)} names, {means.size} mean ranks and decisions of shape {apart.shape}: "
            "they must be of the same algorithms."
        )
    check.distinct("algorithm", names)
    if np.isnan(means).any():
        raise DataError(f"The mean rank of {names[int(np.argmax(np.isnan(means)))]!r} is missing.")
    order = np.argsort(means, kind="stable")
    sorted_apart = apart[np.ix_(order, order)]
    places = _groups_at(sorted_apart.tobytes(), len(names), form)
    ordered = [names[i] for i in order]
    member = np.zeros((len(places), len(names)), dtype=np.float32)
    for row, group in zip(member, places, strict=True):
        row[list(group)] = 1.0
    loose = np.argwhere(np.triu(~sorted_apart & (member.T @ member == 0), 1))
    return GroupsResult(
        groups=tuple(tuple(ordered[i] for i in group) for group in places),
        form=form,
        alpha=level,
        algorithms=tuple(ordered),
        mean_ranks=means[order],
        alone=tuple(name for i, name in enumerate(ordered) if not member[:, i].any()),
        contiguous=all(group[-1] - group[0] == len(group) - 1 for group in places),
        unbarred=tuple((ordered[i], ordered[j]) for i, j in loose),
    )


@lru_cache(maxsize=4)
def _groups_at(apart: bytes, k: int, form: str) -> tuple[tuple[int, ...], ...]:
    """The groups as places, from decisions in the order of the ranks; those of a comparison are asked for more than once."""
    forms = {"intervals": _runs, "cliques": lambda apart: sorted(_maximal(~apart)), "cover": _cover}
    return tuple(forms[form](np.frombuffer(apart, dtype=bool).reshape(k, k)))


def complete_groups(source: Any, **settings: Any) -> GroupsResult:
    """Groups that hold every pair without a significant difference: all maximal ones, or a cover where they are thousands."""
    try:
        return groups(source, form="cliques", **settings)
    except _TooManyError:
        return groups(source, form="cover", **settings)


def _decisions(
    source: Any, cd: float | None, alpha: float, mean_ranks: npt.ArrayLike | None
) -> tuple[tuple[str, ...], Floats, Decisions, float | None]:
    """Names, mean ranks, who differs significantly from whom, and the level if there is one."""
    ranks = None if mean_ranks is None else check.numbers("mean_ranks", mean_ranks, ndim=1)
    if isinstance(source, PairsResult):
        level = check.fraction("alpha", alpha)
        _refuse_critical_difference(cd, "a result on pairs is decided by its p-values")
        names = tuple(source.algorithms)
        return names, source.mean_ranks if ranks is None else ranks, _square(source, level), level
    array = _array(source)
    labels = getattr(source, "columns", getattr(source, "index", None)) if hasattr(source, "to_numpy") else None
    names = tuple(f"algorithm {i + 1}" for i in range(len(array))) if labels is None else tuple(map(str, labels))
    if array.ndim == 1:
        if ranks is not None:
            raise ArgumentError("`source` is mean ranks already: leave out `mean_ranks`.")
        if cd is None:
            raise ArgumentError(
                "Groups of mean ranks need `critical_difference` (see podium.stats.critical_difference)."
            )
        width = check.nonnegative("critical_difference", cd)
        means = check.numbers("source", source, ndim=1)
        # A difference equal to the critical one tells apart; float noise must not decide it.
        apart = np.abs(means[:, None] - means) >= width - 1e-12
        np.fill_diagonal(apart, val=False)
        return names, means, apart, None
    apart = decisions("source", array)
    _refuse_critical_difference(cd, "a table of decisions needs none")
    if ranks is None:
        raise ArgumentError("Groups from a table of decisions need `mean_ranks`, which give the order.")
    return names, ranks, apart, None


def _refuse_critical_difference(cd: float | None, because: str) -> None:
    if cd is not None:
        raise ArgumentError(f"`critical_difference` is for mean ranks; {because}: leave it out.")


def _even(values: Any) -> npt.NDArray[Any]:
    """What was given as an array; None as one where its rows are of unequal length."""
    try:
        return np.asarray(values)
    except ValueError:
        return np.asarray(None)


def _array(source: Any) -> npt.NDArray[Any]:
    """Mean ranks or a square table; anything else is refused."""
    array = _even(source)
    if array.ndim in (1, 2):
        return array
    shown = repr(source) if source is None or isinstance(source, str | Number) else f"of type {type(source).__name__}"
    raise ArgumentError(
        "`source` must be a result on all pairs, mean ranks with `critical_difference`, or a square table of decisions "
        f"with `mean_ranks`; got {shown}."
    )


def decisions(name: str, apart: Any) -> Decisions:
    """A square table of True where two algorithms differ significantly."""
    array = _even(apart)
    if array.dtype != bool or array.ndim != 2:
        raise DataError(
            f"Decisions (`{name}`) must be a square table of True and False (True: significantly different)."
        )
    if not np.array_equal(array, array.T) or array.diagonal().any():
        raise DataError(f"Decisions (`{name}`) must be symmetric, with False on the diagonal.")
    return array


def _square(pairs: PairsResult, level: float) -> Decisions:
    """Who differs significantly from whom."""
    k = len(pairs.algorithms)
    if pairs.n_pairs != k * (k - 1) // 2:
        raise DataError(f"Groups need all {k * (k - 1) // 2} pairs of {k} algorithms; the result has {pairs.n_pairs}.")
    return pairs.matrix("adjusted") <= level


def _runs(apart: Decisions) -> list[tuple[int, ...]]:
    """Maximal runs of neighbours no two of which differ significantly, longer than one. O(k^2)."""
    k = apart.shape[0]
    runs: list[tuple[int, ...]] = []
    start_limit = 0  # the first algorithm that may still be with `end`
    for end in range(k):
        conflicts = np.flatnonzero(apart[end, start_limit:end])
        if conflicts.size:
            if end - start_limit > 1:
                runs.append(tuple(range(start_limit, end)))
            start_limit += int(conflicts[-1]) + 1
    if k - start_limit > 1:
        runs.append(tuple(range(start_limit, k)))
    return runs


def _cover(apart: Decisions) -> list[tuple[int, ...]]:
    """Maximal groups that hold every pair without a significant difference: each grows from a pair that is not yet in one (greedy).

    The fewest such groups are hard to find (Kou, Stockmeyer and Wong 1978); as in compact letters, few are enough.
    """
    near = ~apart
    np.fill_diagonal(near, val=False)
    open_pairs = near.copy()
    groups = []
    for first in range(len(near)):
        while open_pairs[first].any():
            last = int(np.flatnonzero(open_pairs[first])[-1])
            members, candidates = [first, last], near[first] & near[last]
            gain = open_pairs[first].astype(np.int64) + open_pairs[last]
            while candidates.any():
                best = int(np.argmax(np.where(candidates, gain, -1)))
                members.append(best)
                candidates &= near[best]
                gain += open_pairs[best]
            open_pairs[np.ix_(members, members)] = False
            groups.append(tuple(sorted(members)))
    return sorted(groups)


def _maximal(near: Decisions) -> Iterator[tuple[int, ...]]:
    """All maximal cliques with at least two members (Bron and Kerbosch with pivots)."""
    k = near.shape[0]
    # A set of algorithms is a whole number with a bit for each of them.
    neighbours = [sum(1 << int(j) for j in np.flatnonzero(near[i]) if j != i) for i in range(k)]
    stack: list[tuple[tuple[int, ...], int, int]] = [((), (1 << k) - 1, 0)]
    count = 0
    while stack:
        clique, candidates, seen = stack.pop()
        if not candidates and not seen:
            if len(clique) > 1:
                count += 1
                if count > MOST_CLIQUES:
                    raise _TooManyError(f"There are more than {MOST_CLIQUES} maximal groups: use form='cover'.")
                yield tuple(sorted(clique))
            continue
        pivot = max(_bits(candidates | seen), key=lambda i: (candidates & neighbours[i]).bit_count())
        for i in _bits(candidates & ~neighbours[pivot]):
            stack.append(((*clique, i), candidates & neighbours[i], seen & neighbours[i]))
            candidates &= ~(1 << i)
            seen |= 1 << i


def _bits(members: int) -> Iterator[int]:
    """The places of a set, ascending."""
    while members:
        lowest = members & -members
        yield lowest.bit_length() - 1
        members ^= lowest
