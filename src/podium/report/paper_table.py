"""The paper's table as a table of a document, which every renderer writes."""

from __future__ import annotations

import math

from podium.comparison.paper_table import PaperTable
from podium.report.document import Cell, Column, Score, TableBlock


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
