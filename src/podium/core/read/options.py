"""How a table is to be read: every option of `podium.read`, checked once. What each means is in `core/options.py`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.metric import as_direction
from podium.core.options import OPTIONS


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """The options of `podium.read`; see there for their meaning."""

    metric: str | Sequence[str] | None = None
    direction: str | Mapping[str, str] | None = None
    layout: str = "auto"
    rows: str = "auto"
    algorithm_column: str | Sequence[str] | None = None
    dataset_column: str | Sequence[str] | None = None
    fold_column: str | None = None
    repeat_column: str | None = None
    seed_column: str | None = None
    metric_column: str | None = None
    value_column: str | Sequence[str] | None = None
    family_column: str | None = None
    message_column: str | None = None
    ignore_column: str | Sequence[str] = ()
    keep_column: str | Sequence[str] = ()
    number_folds: bool = False
    dataset_name: str | None = None
    missing_marker: str | Sequence[str] = ()
    decimal_comma: bool = False
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
    where: str | None = None
    join_names: bool = False

    def __post_init__(self) -> None:
        for name in ("layout", "rows", "summaries"):
            check.choice(name, getattr(self, name), OPTIONS[name].allowed())
        for name in (
            "decimal_comma",
            "percent",
            "mean_sd",
            "footnotes",
            "text_as_missing",
            "number_folds",
            "join_names",
        ):
            check.flag(name, getattr(self, name))
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

    def named(self, role: str) -> tuple[str, ...]:
        """The columns that were named for a role: one, or several whose texts are one name together."""
        return _names(getattr(self, f"{role}_column"))

    @property
    def values(self) -> tuple[str, ...]:
        """The value columns that were asked for by name."""
        return _names(self.value_column)

    @property
    def ignored(self) -> tuple[str, ...]:
        """The columns to leave out."""
        return _names(self.ignore_column)

    @property
    def kept(self) -> tuple[str, ...]:
        """The columns that are algorithms all the same."""
        return _names(self.keep_column)

    @property
    def missing_markers(self) -> tuple[str, ...]:
        """The texts that mean missing, besides the usual ones."""
        return _names(self.missing_marker)


def _names(given: str | Sequence[str] | None) -> tuple[str, ...]:
    if given is None:
        return ()
    return (given,) if isinstance(given, str) else tuple(given)
