"""How a table is to be read: every option of `read_results`, checked once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.metric import as_direction

__all__ = ["LAYOUTS", "Reading"]

LAYOUTS = ("auto", "wide", "long")
ROWS = ("auto", "datasets", "algorithms")
SUMMARIES = ("ask", "drop", "keep")


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """The options of `read_results`; see there for their meaning."""

    metric: str | Sequence[str] | None = None
    direction: str | Mapping[str, str] | None = None
    layout: str = "auto"
    rows: str = "auto"
    algorithm: str | None = None
    dataset: str | None = None
    fold: str | None = None
    repeat: str | None = None
    seed: str | None = None
    metric_column: str | None = None
    value: str | Sequence[str] | None = None
    family: str | None = None
    message: str | None = None
    ignore: Sequence[str] = ()
    missing: Sequence[str] = ()
    decimal: str = "."
    percent: bool = False
    mean_sd: bool = False
    footnotes: bool = False
    text_as_missing: bool = False
    summaries: str = "ask"
    repeats: int | None = None
    test_fraction: float | None = None
    encoding: str | None = None
    separator: str | None = None
    sheet: str | None = None

    def __post_init__(self) -> None:
        check.choice("layout", self.layout, LAYOUTS)
        check.choice("rows", self.rows, ROWS)
        check.choice("summaries", self.summaries, SUMMARIES)
        check.choice("decimal", self.decimal, (".", ","))
        if self.repeats is not None:
            check.count("repeats", self.repeats)
        if self.test_fraction is not None:
            check.fraction("test_fraction", self.test_fraction)
        if isinstance(self.direction, str):
            as_direction(self.direction)
        elif self.direction is not None:
            for word in self.direction.values():
                as_direction(word)
        if self.separator is not None and len(self.separator) != 1:
            raise ArgumentError(f"`separator` must be a single character such as ',' or ';'; got {self.separator!r}.")

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were asked for by name."""
        return _names(self.metric)

    @property
    def values(self) -> tuple[str, ...]:
        """The value columns that were asked for by name."""
        return _names(self.value)


def _names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)
