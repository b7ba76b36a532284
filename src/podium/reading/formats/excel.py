"""One sheet of an Excel file."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from typing import Any

import pandas as pd

from podium.core.contents import most_bytes, too_long
from podium.core.errors import ArgumentError, DataError, MissingPackageError
from podium.core.names import quoted
from podium.core.numbers import counted
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.formats.multi_header import grid_of
from podium.reading.formats.text import File, bytes_of
from podium.reading.options import ReadOptions
from podium.reading.sheet import Sheet

ENOUGH = 1_000  # rows with one cell each: no title is so long, and a column of a million takes half a minute
_SMALL = 20_000_000  # bytes of a file whose merged cells are looked at


def open_excel(path: File, options: ReadOptions) -> Sheet:
    """The sheet that was asked for, or the only one with a table."""
    raw = bytes_of(path)
    book = _book(raw, path.name, read_only=True)
    if options.sheet is not None and options.sheet not in book.sheetnames:
        raise ArgumentError(f"{path.name} has no sheet {options.sheet!r}: it has {quoted(book.sheetnames)}.")
    names = [options.sheet] if options.sheet is not None else book.sheetnames
    sheets = {name: _rows(book, name) for name in names}
    tables = {name: rows for name, rows in sheets.items() if len(rows) > 1 and max(map(_n_filled, rows)) > 1}
    if not tables and any(sheets.values()):
        raise DataError(
            f"Sheet {next(filter(sheets.get, sheets))!r} of {path.name} has one column only: it needs names and scores side by side."
        )
    if not tables:
        raise DataError(f"Sheet {names[0]!r} of {path.name} is empty: it needs a header row and rows of scores.")
    if len(tables) > 1:
        raise DataError(
            f"{path.name} has {len(tables)} sheets with tables ({quoted(tables, 12)}): name one with {{sheet}}.",
            offers=tuple({"sheet": name} for name in tables),
        )
    ((name, rows),) = tables.items()
    if len(raw) <= _SMALL and any(cell is None for row in rows for cell in (*row[:3], *rows[0])):
        rows = _filled(_book(raw, path.name, read_only=False)[name], path.name)
    grid = grid_of(rows, path.name)
    frame = pd.DataFrame(grid.rows, columns=grid.header).infer_objects()
    others = [other for other in book.sheetnames if other != name]
    note = (f"Sheet {name!r} was read; {path.name} also has {quoted(others)}.",) if others else ()
    hidden = _hidden(raw, name, path.name) if len(raw) <= _SMALL else ()
    return sheet_of_frame(frame, label=path.name, stem=path.stem, notes=(*note, *hidden, *grid.notes))


def _hidden(raw: bytes, name: str, label: str) -> tuple[str, ...]:
    """A note on rows and columns that Excel does not show, as where a filter is set: they were read too."""
    with zipfile.ZipFile(io.BytesIO(raw)) as parts:
        if not any(b' hidden="' in parts.read(part) for part in parts.namelist() if part.startswith("xl/worksheets/")):
            return ()
    sheet = _book(raw, label, read_only=False)[name]
    rows = sum(row.hidden for place, row in sheet.row_dimensions.items() if place <= sheet.max_row)
    spans = (
        range(one.min, min(one.max, sheet.max_column) + 1) for one in sheet.column_dimensions.values() if one.hidden
    )
    columns = sum(map(len, spans))
    counts = [counted(count, f"hidden {noun}") for count, noun in ((rows, "row"), (columns, "column")) if count]
    return (f"{label} has {' and '.join(counts)}, which were read too: delete what is not to count.",) if counts else ()


def _book(raw: bytes, label: str, *, read_only: bool) -> Any:
    try:
        import openpyxl
    except ImportError:
        raise MissingPackageError("openpyxl", "Reading Excel files", extra="excel") from None
    try:
        with zipfile.ZipFile(io.BytesIO(raw)) as parts:
            size = sum(part.file_size for part in parts.infolist())
        fits = size <= most_bytes()
        book = openpyxl.load_workbook(io.BytesIO(raw), read_only=read_only, data_only=True) if fits else None
    except Exception:  # openpyxl lets out whatever zipfile, xml and its own parts raise
        raise DataError(f"{label} is not a readable Excel file: save it again as .xlsx or as CSV.") from None
    if book is None:
        raise too_long(label, "unpacks to")
    return book


def _rows(book: Any, name: str) -> list[list[Any]]:
    """The rows of a sheet that hold something; charts have none. Of one that goes on with one cell in each row, the first."""
    sheet = book[name]
    rows: list[list[Any]] = []
    width = 0
    for row in sheet.iter_rows(values_only=True) if hasattr(sheet, "iter_rows") else ():
        if n_filled := _n_filled(row):
            rows.append(list(row))
            width = max(width, n_filled)
        if width == 1 and len(rows) >= ENOUGH:
            break
    return _trimmed(rows)


def _n_filled(row: Iterable[Any]) -> int:
    return sum(cell is not None for cell in row)


def _trimmed(rows: list[list[Any]]) -> list[list[Any]]:
    """Without rows and outer columns that are empty."""
    rows = [row for row in rows if any(cell is not None for cell in row)]
    width = max((len(row) for row in rows), default=0)
    rows = [row + [None] * (width - len(row)) for row in rows]
    used = [j for j in range(width) if any(row[j] is not None for row in rows)]
    return [row[used[0] : used[-1] + 1] for row in rows] if used else []


def _filled(sheet: Any, label: str) -> list[list[Any]]:
    """The rows of a sheet in which every part of a merged cell holds what the whole shows."""
    rows = [list(row) for row in sheet.iter_rows(values_only=True)]
    top, left = sheet.min_row, sheet.min_column
    for merged in sheet.merged_cells.ranges:
        value = rows[merged.min_row - top][merged.min_col - left]
        if isinstance(value, float) and not value.is_integer():
            raise DataError(
                f"{label}: the score {value} is one merged cell ({merged.coord}): write it into each cell it is for."
            )
        for i in range(merged.min_row - top, min(merged.max_row - top + 1, len(rows))):
            for j in range(merged.min_col - left, min(merged.max_col - left + 1, len(rows[i]))):
                rows[i][j] = value
    return _trimmed(rows)
