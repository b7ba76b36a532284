"""What figures of ranked algorithms share: mean ranks in order with their groups, and lanes for the bars of groups."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.numbers import fixed
from podium.plot.textsize import label_of

Group = tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranked:
    """Algorithms from the best (lowest) mean rank on; ties keep the order given. Groups hold places in this order.

    With a `control`, the others are compared with it only: there are no groups, and `alike` has the places of those that are
    not told apart from it.
    """

    names: tuple[str, ...]
    mean_ranks: tuple[float, ...]
    groups: tuple[Group, ...] = ()
    critical_difference: float | None = None
    control: str | None = None
    alike: Group = ()

    @property
    def labels(self) -> tuple[str, ...]:
        """The names as they are written."""
        return tuple(f"{label_of(name)}{' (control)' if name == self.control else ''}" for name in self.names)

    @property
    def ranks(self) -> list[str]:
        """The mean ranks as they are written."""
        return [fixed(rank, 2) for rank in self.mean_ranks]

    def title(self, place: int) -> str:
        """What hovering over an algorithm tells."""
        mean, name, told = fixed(self.mean_ranks[place], 3), self.names[place], ""
        if name == self.control:
            told = "\nthe control"
        elif self.control is not None:
            told = f"\n{'not ' if place in self.alike else ''}told apart from the control"
        return f"{name}\nmean rank {mean}, place {place + 1} of {len(self.names)}{told}"

    def ends(self) -> str:
        """The best and the worst in words."""
        return (
            f"{len(self.names)} algorithms by mean rank, from {self.names[0]} ({self.ranks[0]}, the best) "
            f"to {self.names[-1]} ({self.ranks[-1]})"
        )


def ranked(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    groups: Iterable[Iterable[str]] = (),
    critical_difference: float | None = None,
    control: str | None = None,
) -> Ranked:
    """Mean ranks, sorted; groups without a second member are left out.

    With a `control` the groups are those of it and what is not told apart from it.
    """
    ranks = [float(rank) for rank in check.numbers("mean_ranks", mean_ranks, ndim=1)]
    k = len(ranks)
    if k != len(names) or k == 0 or any(rank != rank for rank in ranks):
        raise ArgumentError(f"`mean_ranks` must give a number for each of {len(names)} names; it has {k}.")
    order = sorted(range(k), key=lambda i: ranks[i])
    ordered = tuple(str(names[i]) for i in order)
    place = {name: i for i, name in enumerate(ordered)}
    if control is not None:
        check.member("algorithm", control, ordered)
    found = {tuple(sorted({place[check.member("algorithm", name, ordered)] for name in group})) for group in groups}
    return Ranked(
        names=ordered,
        mean_ranks=tuple(ranks[i] for i in order),
        groups=tuple(sorted(group for group in found if len(group) > 1)) if control is None else (),
        critical_difference=critical_difference,
        control=control,
        alike=tuple(sorted({i for group in found for i in group if ordered[i] != control})) if control else (),
    )


def bar_title(data: Ranked, group: Group) -> str:
    """What hovering over a group tells."""
    shown = [data.names[i] for i in group[:20]]
    more = [f"and {len(group) - 20} more"] if len(group) > 20 else []
    return "\n".join([f"{len(group)} algorithms not told apart:", *shown, *more])
