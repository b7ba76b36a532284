"""The data of a document as JSON, and a table as CSV that a spreadsheet may open without harm."""

from __future__ import annotations

import csv
import io
import json
import math

from podium.core.errors import ArgumentError
from podium.core.escape import csv_cell
from podium.report.document import Cell, Document, Score, TableBlock

# Cells that hold several numbers take several columns.
_SPREAD = {"interval": ["low", "high"]} | {kind: ["wins", "ties", "losses"] for kind in ("record", "standing")}


def render_json(document: Document) -> str:
    """Everything, as JSON with stable keys; the first key, "schema", names and numbers the format."""
    return json.dumps(document.data, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def render_main_table(document: Document) -> str:
    """The main table of a document as CSV."""
    if document.main is None:
        raise ArgumentError("There is no table to write as CSV.")
    return render_csv(document.main)


def render_csv(table: TableBlock) -> str:
    """A table as CSV with all digits; an interval takes two columns, a score with its deviation too, a record three, and no name becomes a formula."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    header: list[str] = []
    scores = (cell for row in table.rows for cell in row if isinstance(cell, Score))
    spread = any(not math.isnan(score.deviation) for score in scores)
    for column in table.columns:
        name = csv_cell(column.title) if column.is_named else column.key
        header += _SPREAD.get(column.kind, [name, f"{name}_std"] if column.is_named and spread else [name])
    writer.writerow(header)
    for row in table.rows:
        cells: list[Cell] = []
        for value in row:
            if isinstance(value, Score):
                cells += [value.value, value.deviation] if spread else [value.value]
            else:
                cells += list(value) if isinstance(value, tuple) else [value]
        writer.writerow([_field(cell) for cell in cells])
    return out.getvalue()


def _field(value: Cell) -> str:
    if isinstance(value, str):
        return csv_cell(value)
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return repr(value)
