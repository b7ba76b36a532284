"""Which figures there are, as plain data: what each shows, and what stands below it in a report.

A new figure is a function with `@figure` in a file of this room, a line in `__init__.pyi`, and an entry in `registry.toml`,
where `report` says its `section`, `of`, `when` and `page`.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from podium.core import check
from podium.core.files import read_toml

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.plot.figure import Figure


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureKind:
    """A figure: its name, its module, the names of the classes that it shows, and its caption.

    What is only another form of a figure `in_reports` is drawn where it is asked for. In the report of a comparison, it
    stands in a `section` where the comparison has what it is `of` (a class of evidence, pairs or extra), `when` a function of `plot/reports.py`
    says so; on the page it is "open", "closed" until asked for,
    or left out where a "chart" shows the same. The draft of a paper has those `in_draft`, where the report has them.
    """

    name: str
    home: str
    shows: tuple[str, ...]
    caption: str
    in_reports: bool = True
    section: str = ""
    of: str = ""
    when: str = ""
    page: str = "open"
    in_draft: bool = False

    def options_for(self, comparison: Comparison) -> dict[str, Any] | None:
        """How it is drawn in the report of a comparison; None where it does not belong."""
        if not self.of or comparison.part(self.of) is None:
            return None
        if not self.when:
            return {}
        fits = getattr(importlib.import_module("podium.plot.reports"), self.when)
        found: dict[str, Any] | None = fits(comparison)
        return found


def _kind(name: str, *, home: str, report: dict[str, Any] | None = None, **entry: Any) -> FigureKind:
    return FigureKind(name=name, home=f"podium.plot.{home}", **entry, **(report or {}))


FIGURES = {name: _kind(name, **entry) for name, entry in read_toml("plot", "registry.toml").items()}


def function(name: str) -> Callable[..., Figure]:
    """The function that draws this figure."""
    kind = FIGURES[check.choice("figure", name, tuple(FIGURES))]
    found: Callable[..., Figure] = getattr(importlib.import_module(kind.home), name)
    return found


def figures_of(result: Any) -> list[FigureKind]:
    """The figures that show a result of this class."""
    classes = {kind.__name__ for kind in type(result).__mro__}
    return [kind for kind in FIGURES.values() if classes & set(kind.shows)]
