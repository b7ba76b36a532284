"""JSON Lines: a record per line."""

from __future__ import annotations

import json

from podium.core.errors import DataError
from podium.core.read.formats.json_tables import sheet_of_json
from podium.core.read.formats.text import File, decoded
from podium.core.read.options import ReadOptions
from podium.core.read.sheet import Sheet


def open_json_lines(path: File, options: ReadOptions) -> Sheet:
    """The table whose rows are the records, one per line; blank lines are skipped."""
    lines = decoded(path, options).lstrip("\ufeff").split("\n")
    records = [_record(line, f"{path.name}, line {number}") for number, line in enumerate(lines, 1) if line.strip()]
    return sheet_of_json(records, label=path.name, stem=path.stem)


def _record(line: str, where: str) -> object:
    try:
        record = json.loads(line)
    except (json.JSONDecodeError, RecursionError):
        raise DataError(f"{where}, is not valid JSON: repair the line, or save the table as CSV.") from None
    if not isinstance(record, dict):
        raise DataError(f'{where}, is not a record: write one per line, as in {{"dataset": "iris", "svm": 0.9}}.')
    return record
