"""What figures of ranked algorithms share: checked input in the order of mean ranks, and lanes for group bars."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.plot.textsize import shorten

__all__ = ["Group", "Groups", "Ranked", "bar_title", "label_of", "lanes", "ranked"]

Group = tuple[int, ...]
#: Sets of algorithms that are not told apart, by name or by place.
Groups = Iterable[Iterable[int]] | Iterable[Iterable[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Algorithms from the best (lowest) mean rank on; ties keep the order given. Groups hold places in this order."""

    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    groups: tuple[Group, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """The names as they are written."""
        return tuple(label_of(name) for name in self.names)

    def title(self, place: int) -> str:
        """What hovering over an algorithm tells."""
        return f"{self.names[place]}\nmean rank {self.mean_ranks[place]:.3f}, place {place + 1} of {len(self.names)}"


def label_of(name: str) -> str:
    """A name as it is written in a figure: on one line, at most 60 characters."""
    return shorten(visible(name), 60)


def ranked(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    groups: Groups | None,
    critical_difference: float | None,
) -> Ranked:
    """The input of a diagram, sorted; groups without a second member are left out.

    Without groups, a critical difference makes them: the largest sets of neighbours whose ranks differ by less.
    """
    ranks = [float(rank) for rank in check.numbers("mean_ranks", mean_ranks, ndim=1)]
    k = len(ranks)
    if k != len(names) or k == 0 or any(rank != rank for rank in ranks):
        raise ArgumentError(f"`mean_ranks` must give a number for each of {len(names)} names; it has {k}.")
    order = sorted(range(k), key=lambda i: ranks[i])
    place = {algorithm: i for i, algorithm in enumerate(order)}
    in_order = tuple(ranks[i] for i in order)
    if groups is not None:
        given = [_places(group, names) for group in groups]
        if any(member not in place for group in given for member in group):
            raise ArgumentError(f"`groups` must hold names, or places from 0 to {k - 1} in `names`; got {given!r}.")
        found = {tuple(sorted(place[member] for member in set(group))) for group in given}
    else:
        found = _neighbours(in_order, critical_difference)
    bars = tuple(sorted(group for group in found if len(group) > 1))
    return Ranked(names=tuple(str(names[i]) for i in order), mean_ranks=in_order, groups=bars)


def _places(group: Iterable[int] | Iterable[str], names: Sequence[str]) -> tuple[int, ...]:
    """The members of a group as places in `names`."""
    known = {name: i for i, name in enumerate(names)}
    return tuple(
        known[check.member("algorithm", member, names)] if isinstance(member, str) else int(member) for member in group
    )


def _neighbours(ranks: tuple[float, ...], critical_difference: float | None) -> set[Group]:
    if critical_difference is None:
        return set()
    found: set[Group] = set()
    last_end = -1
    for start, rank in enumerate(ranks):
        end = max(i for i, other in enumerate(ranks) if other - rank < critical_difference)
        if end > max(last_end, start):
            found.add(tuple(range(start, end + 1)))
        last_end = max(last_end, end)
    return found


def lanes(spans: Sequence[tuple[float, float]], gap: float) -> list[int]:
    """For each stretch (sorted by its start), the first lane in which it keeps `gap` from the one before.

    >>> lanes([(0, 2), (1, 3), (4, 5)], 0.5)
    [0, 1, 0]
    """
    ends: list[float] = []
    result = []
    for start, end in spans:
        lane = next((i for i, taken in enumerate(ends) if taken + gap <= start), len(ends))
        if lane == len(ends):
            ends.append(end)
        else:
            ends[lane] = end
        result.append(lane)
    return result


def bar_title(data: Ranked, group: Group) -> str:
    """What hovering over a group tells."""
    shown = [data.names[i] for i in group[:20]]
    more = [f"and {len(group) - 20} more"] if len(group) > 20 else []
    return "\n".join([f"{len(group)} algorithms not told apart:", *shown, *more])
