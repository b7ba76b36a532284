"""How a table is to be read: every option of `podium.read`, checked once. What each means is in `core/options.py`."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.metric import as_direction
from podium.core.names import shown
from podium.core.options import OPTIONS, TEST_CASES
from podium.core.words import Layout, Rows, SeveralRuns, Summaries, Unit

# What `units` and `sources` of an option are called in a sentence.
UNITS = {
    "dataset": "scores of datasets",
    "case": "test cases",
    "prediction": "predictions",
    "run": "runs of agents on tasks",
}
SOURCES = {"text": "files", "logs": "logs of other tools"}


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """The options of `podium.read` in one object; `help(podium.read)` says what each means.

    Examples
    --------
    >>> ReadOptions(metric="accuracy", percent=True).explicit
    ('metric', 'percent')
    """

    metric: str | Sequence[str] | None = None
    direction: str | Mapping[str, str] | None = None
    layout: Layout = "auto"
    rows: Rows = "auto"
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
    thousands: bool = False
    percent: bool = False
    mean_sd: bool = False
    footnotes: bool = False
    text_as_missing: bool = False
    summaries: Summaries = "ask"
    repeats: int | None = None
    test_fraction: float | None = None
    encoding: str | None = None
    separator: str | None = None
    sheet: str | None = None
    where: str | None = None
    merge_similar_names: bool = False
    runs: SeveralRuns = "ask"
    all_cases: str | None = None
    unit: Unit | None = None
    truth: Any = None
    case_column: str | None = None
    sample_column: str | None = None
    cluster_column: str | None = None
    benchmark_column: str | None = None
    weight_column: str | None = None
    cost_column: str | None = None
    case_noun: str | None = None

    def __post_init__(self) -> None:
        for name in ("layout", "rows", "summaries", "runs", *(["unit"] if self.unit is not None else [])):
            check.choice(name, getattr(self, name), OPTIONS[name].allowed())
        for field in dataclasses.fields(self):
            if field.default is False:
                check.flag(field.name, getattr(self, field.name))
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
    def explicit(self) -> tuple[str, ...]:
        """The names of the options that were given."""
        fields = ((field.name, getattr(self, field.name), field.default) for field in dataclasses.fields(self))
        return tuple(name for name, value, usual in fields if value is not usual and not _is(value, usual))

    @property
    def said_unit(self) -> str | None:
        """The unit that the options say, by its name or by what only test cases have."""
        of_cases = any(name in self.explicit for name in TEST_CASES if name != "truth")
        return self.unit or ("case" if of_cases else None)

    def check_unit(self, unit: str) -> None:
        """Refuse an option that is for other units than this one: it would be left out in silence."""
        for name in self.explicit:
            units = OPTIONS[name].units
            if units and unit not in units:
                cure = ", or set {unit} to 'case'" if "case" in units and self.truth is None else ""
                raise ArgumentError(
                    f"{{argument}} is for {' or '.join(UNITS[name] for name in units)}, and these are {UNITS[unit]}: leave it out{cure}.",
                    argument=name,
                )

    def check_source(self, kind: str) -> None:
        """Refuse an option that is for other kinds of sources than this one: "text", another "file", "logs" or an "object"."""
        for name in self.explicit:
            sources = OPTIONS[name].sources
            if sources and kind not in sources:
                raise ArgumentError(f"{{argument}} is for {SOURCES[sources[0]]}: leave it out.", argument=name)

    @property
    def metrics(self) -> tuple[str, ...]:
        """The metrics that were asked for by name."""
        return _names("metric", self.metric)

    @property
    def one_metric(self) -> str | None:
        """The metric that was asked for, where there can be one only."""
        if len(self.metrics) > 1:
            raise ArgumentError("Test cases and runs are compared by one {metric} at a time.", options=["metric"])
        return next(iter(self.metrics), None)

    def direction_of(self, metric: str, *, alone: bool = False) -> Any:
        """The direction that was said for a metric, for all or by name; no other can be named where it is `alone`."""
        if not isinstance(self.direction, Mapping):
            return self.direction
        if alone and metric not in self.direction:
            raise ArgumentError(
                f"{{direction}} is said of {shown(next(iter(self.direction)))}, and the metric is {shown(metric)}.",
                options=["direction"],
            )
        return self.direction.get(metric)

    def named(self, role: str) -> tuple[str, ...]:
        """The columns that were named for a role ("algorithm", "value", "ignore", "keep"): one, or several."""
        return _names(f"{role}_column", getattr(self, f"{role}_column"))

    @property
    def missing_markers(self) -> tuple[str, ...]:
        """The texts that mean missing, besides the usual ones."""
        return _names("missing_marker", self.missing_marker)


READ_FIELDS = tuple(field.name for field in dataclasses.fields(ReadOptions))


def options_of(reading: ReadOptions | None = None, **more: Any) -> ReadOptions:
    """The options of one object, and those that are given beside it."""
    if reading is None:
        return ReadOptions(**more)
    if not isinstance(reading, ReadOptions):
        raise ArgumentError("{argument} must be a podium.reading.ReadOptions.", argument="reading")
    beside = ReadOptions(**more)
    return dataclasses.replace(reading, **{name: getattr(beside, name) for name in beside.explicit})


def _names(option: str, value: str | Sequence[str] | None) -> tuple[str, ...]:
    if value is None:
        return ()
    return (value,) if isinstance(value, str) else check.several(option, value)


def _is(value: Any, usual: Any) -> bool:
    """Whether a plain value is the usual one; a list is, where both are empty. The truth may be an array, which is not."""
    if isinstance(value, str | int | float | bool):
        return bool(value == usual)
    return isinstance(value, list | tuple) and not value and not usual
