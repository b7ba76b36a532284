"""One sheet of an Excel file."""

from __future__ import annotations

import io
from pathlib import Path

import pandas as pd

from podium.core.errors import ArgumentError, DataError, MissingPackageError
from podium.core.read.formats.frames import sheet_of_frame
from podium.core.read.formats.text import bytes_of
from podium.core.read.names import quoted
from podium.core.read.options import ReadOptions
from podium.core.read.sheet import Sheet


def open_excel(path: Path, options: ReadOptions) -> Sheet:
    """The sheet that was asked for, or the first one."""
    try:
        import openpyxl
    except ImportError:
        raise MissingPackageError("openpyxl", "Reading Excel files", extra="excel") from None
    try:
        book = openpyxl.load_workbook(io.BytesIO(bytes_of(path)), read_only=True, data_only=True)
    except Exception:  # openpyxl lets out whatever zipfile, xml and its own parts raise
        raise DataError(f"{path.name} is not a readable Excel file: save it again as .xlsx or as CSV.") from None
    if options.sheet is not None and options.sheet not in book.sheetnames:
        raise ArgumentError(f"{path.name} has no sheet {options.sheet!r}: it has {quoted(book.sheetnames)}.")
    name = options.sheet or book.sheetnames[0]
    rows = [list(row) for row in book[name].iter_rows(values_only=True)]
    rows = [row for row in rows if any(cell is not None for cell in row)]
    if len(rows) < 2:
        raise DataError(f"Sheet {name!r} of {path.name} is empty: it needs a header row and rows of scores.")
    frame = pd.DataFrame(rows[1:], columns=["" if cell is None else str(cell) for cell in rows[0]]).infer_objects()
    others = [other for other in book.sheetnames if other != name]
    note = f"Sheet {name!r} was read; {path.name} also has {quoted(others)} (choose with `sheet`)."
    return sheet_of_frame(frame, label=path.name, stem=path.stem, notes=(note,) if others else ())
