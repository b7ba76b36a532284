"""The options of `podium.read` as keywords, for type checkers and editors: `read`, `compare` and `order` pass them on.

`ReadOptions` has the same with their defaults and checks them; a test compares the two.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, TypedDict

from podium.core.metric import Direction
from podium.core.words import Layout, Rows, SeveralRuns, Summaries, Unit
from podium.reading.options import ReadOptions


class TableKeywords(TypedDict, total=False):
    """How a table of scores is read: what `podium.order` takes besides its own arguments."""

    layout: Layout
    rows: Rows
    algorithm_column: str | Sequence[str] | None
    dataset_column: str | Sequence[str] | None
    fold_column: str | None
    repeat_column: str | None
    seed_column: str | None
    metric_column: str | None
    value_column: str | Sequence[str] | None
    family_column: str | None
    message_column: str | None
    ignore_column: str | Sequence[str]
    keep_column: str | Sequence[str]
    number_folds: bool
    dataset_name: str | None
    missing_marker: str | Sequence[str]
    decimal_comma: bool
    thousands: bool
    percent: bool
    mean_sd: bool
    footnotes: bool
    text_as_missing: bool
    summaries: Summaries
    repeats: int | None
    test_fraction: float | None
    encoding: str | None
    separator: str | None
    sheet: str | None
    where: str | None
    merge_similar_names: bool
    runs: SeveralRuns
    all_cases: str | None


class ReadKeywords(TableKeywords, total=False):
    """The same, and the columns of a table of test cases: what `podium.read` takes besides its own arguments."""

    case_column: str | None
    sample_column: str | None
    cluster_column: str | None
    benchmark_column: str | None
    weight_column: str | None
    cost_column: str | None
    case_noun: str | None


class ReadArguments(ReadKeywords, total=False):
    """The same, and the arguments of `podium.read` on which the type of its result does not depend."""

    metric: str | Sequence[str] | None
    direction: Direction | Mapping[str, Direction] | None
    reading: ReadOptions | None


class CompareKeywords(ReadKeywords, total=False):
    """The same, and what one row is: what `podium.compare` takes besides its own arguments."""

    unit: Unit | None
    truth: Any
    reading: ReadOptions | None
