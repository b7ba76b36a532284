"""DataFrames as tables of a document: what each column holds follows from its name and its values; and the table of a paper."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, get_args

from podium.core import numbers
from podium.core.registry import read_toml
from podium.core.result import plain
from podium.report.document import Cell, Column, Kind, Score, TableBlock

if TYPE_CHECKING:
    import pandas as pd

    from podium.comparison.paper_table import PaperTable

COLUMNS = read_toml("report", "columns.toml")
KEPT = 3  # columns that are always shown; of the others the last gives way first


def title_of(name: str) -> str:
    """A column's or field's name as a heading.

    >>> title_of("mean_rank"), title_of("pvalue"), title_of("n_zeros")
    ('Mean rank', 'p', 'Number of zeros')
    """
    words = re.sub("^n_", "number of ", name).replace("_", " ")
    return str(COLUMNS["titles"].get(name, numbers.capital(words)))


def frame_table(
    key: str, caption: str, frame: pd.DataFrame, columns: Mapping[str, Mapping[str, Any]] | None = None, **options: Any
) -> TableBlock:
    """Any DataFrame as a table: low and high become an interval, wins, ties and losses a record.

    `columns` has the keys of the columns to be shown, in their order, and for each what its `Column` has beyond what
    follows from its name and values. `options` are further fields of the `TableBlock`, such as `note` or `folded`.
    """
    shown = _columns(frame)
    if columns is not None:
        by_key = {column.key: (column, cells) for column, cells in shown}
        chosen = {key: by_key[key] for key in columns if key in by_key}
        shown = [(replace(column, **{"minor": 0, **columns[key]}), cells) for key, (column, cells) in chosen.items()]
    rows = zip(*(cells for _, cells in shown), strict=True)
    return TableBlock(
        key=key, caption=caption, columns=tuple(column for column, _ in shown), rows=tuple(rows), **options
    )


def _columns(frame: pd.DataFrame) -> list[tuple[Column, list[Cell]]]:
    values = {str(name): plain(frame[name].to_numpy()) for name in frame.columns}
    whole = {key: one for key, one in COLUMNS["joined"].items() if values.keys() >= set(one["parts"])}
    joined = {one["parts"][0]: (key, one) for key, one in whole.items()}
    inner = {part for one in whole.values() for part in one["parts"]}
    columns: list[tuple[Column, list[Cell]]] = []
    for name, cells in values.items():
        minor = max(len(columns) + 1 - KEPT, 0)
        if name in joined:
            key, one = joined[name]
            digits = max(numbers.column_kind(part, values[part])[1] for part in one["parts"])
            column = Column(key=key, title=one["title"], kind=one["kind"], digits=digits, minor=min(minor, 1))
            columns.append((column, list(zip(*(values[part] for part in one["parts"]), strict=True))))
        elif name not in inner:
            held, digits = numbers.column_kind(name, cells)
            kind = next(word for word in get_args(Kind) if word == held)
            columns.append((Column(key=name, title=title_of(name), kind=kind, digits=digits, minor=minor), cells))
    return columns


def facts_table(key: str, caption: str, values: dict[str, Any], **options: Any) -> TableBlock:
    """Names and their values, one line each."""
    columns = (Column(key="name", title="Name"), Column(key="value", title="Value"))
    rows = []
    for name, value in values.items():
        text = "none" if value is None else numbers.alone(name, value)
        # A number stands in a column of texts here, so that the column does not set its minus sign.
        rows.append((title_of(name), text if isinstance(value, str) else text.replace("-", "\u2212")))
    return TableBlock(key=key, caption=caption, columns=columns, rows=tuple(rows), **options)


def paper_block(table: PaperTable) -> TableBlock:
    """Every score with its deviation, the best in bold, and the rows that sum up at the foot."""
    columns = [Column(key=table.head.lower(), title=table.head, kind="dataset")]
    columns += [
        Column(key=f"score_{index}", title=name, kind="number", is_named=True)
        for index, name in enumerate(table.algorithms)
    ]
    rows: list[tuple[Cell, ...]] = []
    frame, texts, best = table.to_frame(), table.texts(), table.best.tolist()
    numbers = frame[list(table.algorithms)].to_numpy().tolist()
    spreads = [[math.nan] * len(table.algorithms)] * len(numbers)
    if table.deviations is not None:
        spreads = frame[[f"{name}_std" for name in table.algorithms]].to_numpy().tolist()
    for title, *cells in zip(table.titles, numbers, spreads, texts, best, strict=True):
        rows.append((title, *(Score(*cell) for cell in zip(*cells, strict=True))))
    return TableBlock(
        key="scores",
        caption=table.caption,
        columns=tuple(columns),
        rows=tuple(rows),
        note=table.note,
        foot=len(table.summaries),
        folded=True,
    )
