"""Which figures there are, as plain data: what each shows, and what stands below it.

A new figure is a function with `@figure` in a file of this room, a line in `__init__.pyi`, and an entry in `registry.toml`.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pkgutil import resolve_name
from typing import TYPE_CHECKING, Any

from podium.comparison.comparison import MEAN_RANK, Comparison
from podium.core import check
from podium.core.registry import entries, read_toml

if TYPE_CHECKING:
    from podium.plot.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureKind:
    """A figure: its name, its module, the names of the classes that it shows, and its caption.

    Of a comparison it shows what it is `of` (a class of evidence, pairs or extra), and in its report it is `about` the verdict,
    ranking, pairs, data, or aggregates; a report has no figure that is about none of these. A report has it for so many `algorithms`, some only `without_control`; on the page it is `open` or
    waits to be opened, and it is `told` in words where nothing is drawn (the others show again what the tables say). One that is
    `if_asked` is another form of a figure that the report has.
    """

    name: str
    home: str
    shows: tuple[str, ...]
    caption: str
    of: str = ""
    about: str = ""
    algorithms: tuple[int, float] = (2, math.inf)
    without_control: bool = False
    open: bool = False
    told: bool = False
    if_asked: bool = False


FIGURES = entries(FigureKind, read_toml("plot", "registry.toml"))


def function(name: str) -> Callable[..., Figure]:
    """The function that draws this figure."""
    kind = FIGURES[check.choice("figure", name, tuple(FIGURES))]
    draw: Callable[..., Figure] = resolve_name(f"podium.plot.{kind.home}:{name}")
    return draw


def figures_of(result: Any) -> list[FigureKind]:
    """The figures that show a result of this class."""
    classes = {kind.__name__ for kind in type(result).__mro__}
    return [kind for kind in FIGURES.values() if classes & set(kind.shows)]


def leading(result: Any) -> tuple[str, ...]:
    """The names of the figures that can stand for a result, the best first.

    Of a comparison they show the verdict: costs against errors where cost was asked for; of two, each dataset; else the gaps.
    """
    if not isinstance(result, Comparison):
        return tuple(kind.name for kind in figures_of(result) if not kind.if_asked)
    of_two = len(result.ranking) == 2 and result.words.by == MEAN_RANK
    lead = "cost_plane" if result.cost is not None else "strip" if of_two else "gaps"
    return tuple(dict.fromkeys((lead, "gaps")))
