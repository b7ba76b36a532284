"""JSON: tables in several shapes, a record per line, and `cross_validate` results."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import pandas as pd

from podium.core.errors import DataError
from podium.core.read.formats.frames import sheet_of_frame
from podium.core.read.formats.sklearn import is_cross_validation, read_cross_validation
from podium.core.read.formats.text import File, decoded
from podium.core.read.names import shown
from podium.core.read.options import ReadOptions
from podium.core.read.sheet import Sheet

if TYPE_CHECKING:
    from podium.core.results import Results


def loaded(text: str, name: str) -> Any:
    """What a text in JSON holds; a key that occurs twice in one object is refused, where Python keeps the last value."""

    def unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            keys = [key for key, _ in pairs]
            twice = next(key for key in keys if keys.count(key) > 1)
            raise DataError(
                f"{name} has the key {shown(twice)} more than once in one object: rename or delete all but one."
            )
        return found

    return json.loads(text, object_pairs_hook=unique)


def open_json(path: File, options: ReadOptions) -> Sheet | Results:
    """The table in a JSON file, or the results of a dump of `cross_validate`."""
    try:
        value = loaded(decoded(path, options), path.name)
    except (json.JSONDecodeError, RecursionError) as error:
        place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise DataError(f"{path.name} is not valid JSON{place}: repair it, or save the table as CSV.") from None
    if is_cross_validation(value):
        return read_cross_validation(value, options, source=str(path))
    if _is_nested(value) and options.rows == "auto":
        raise DataError(
            f"{path.name} has names within names and does not say which are the algorithms: set {{rows}} to 'datasets' if "
            "the outer ones are, to 'algorithms' if the inner ones are, or write a list of records."
        )
    return sheet_of_json(value, label=path.name, stem=path.stem)


def open_json_lines(path: File, options: ReadOptions) -> Sheet:
    """The table whose rows are the records, one per line; blank lines are skipped."""
    records = []
    for number, line in enumerate(decoded(path, options).lstrip("\ufeff").split("\n"), 1):
        where = f"{path.name}, line {number}"
        try:
            record = loaded(line, where) if line.strip() else None
        except (json.JSONDecodeError, RecursionError):
            raise DataError(f"{where}, is not valid JSON: repair the line, or save the table as CSV.") from None
        if line.strip() and not isinstance(record, dict):
            raise DataError(f'{where}, is not a record: write one per line, as in {{"dataset": "iris", "svm": 0.9}}.')
        records += [record] if line.strip() else []
    return sheet_of_json(records, label=path.name, stem=path.stem)


def sheet_of_json(value: Any, *, label: str, stem: str) -> Sheet:
    """A sheet from JSON: records, columns, {"columns", "data"}, or {algorithm: {dataset: score}}."""
    try:
        frame = _frame_of_json(value)
    except (TypeError, ValueError, AttributeError):
        frame = None
    if frame is None or frame.empty:
        raise DataError(
            f"{label} holds no table: use a list of records, columns as lists, or {{algorithm: {{dataset: score}}}}."
        )
    return sheet_of_frame(frame, label=label, stem=stem)


def _frame_of_json(value: Any) -> pd.DataFrame | None:
    """The table of any of pandas' orients: records, split, table, columns, index; values if they start with names."""
    if isinstance(value, list):
        if value and all(isinstance(record, dict) for record in value):
            return pd.DataFrame(value)
        if len(value) > 1 and all(isinstance(row, list) for row in value) and all(isinstance(c, str) for c in value[0]):
            return _rows(value[1:], value[0])
        return None
    if not isinstance(value, dict) or not value:
        return None
    if isinstance(value.get("schema"), dict) and isinstance(value.get("data"), list):
        frame = pd.DataFrame(value["data"])
        keys = [key for key in value["schema"].get("primaryKey", []) if key in frame]
        return _indexed(frame.set_index(keys) if keys else frame)
    if set(value) >= {"columns", "data"} and isinstance(value["data"], list):
        frame = _rows(value["data"], value["columns"])
        return _indexed(frame.set_index(pd.Index(value["index"]))) if "index" in value else frame
    if all(isinstance(column, dict) for column in value.values()) and _numbered(value):
        return pd.DataFrame.from_dict(value, orient="index").reset_index(drop=True)
    if all(isinstance(column, dict | list) for column in value.values()):
        return _indexed(pd.DataFrame(value))
    return None


def _rows(rows: list[Any], names: list[Any]) -> pd.DataFrame:
    """A table of rows that are as wide as its names; others are refused, as a cell that is lost would move the rest."""
    if any(len(row) != len(names) for row in rows):
        raise ValueError("rows of another width")
    return pd.DataFrame(rows, columns=names)


def _is_nested(value: Any) -> bool:
    """Whether this is {name: {name: number}}, which may be by algorithm or by dataset."""
    if not isinstance(value, dict) or not value or not all(isinstance(row, dict) and row for row in value.values()):
        return False
    cells = [cell for row in value.values() for cell in row.values()]
    scores = all(cell is None or isinstance(cell, int | float) for cell in cells)
    return scores and not _numbered(value) and not any(map(_numbered, value.values()))


def _numbered(names: Iterable[Any]) -> bool:
    """Whether names only count the rows: 0, 1, 2, ..."""
    listed = [str(name) for name in names]
    return sorted(listed) == sorted(map(str, range(len(listed))))


def _indexed(frame: pd.DataFrame) -> pd.DataFrame:
    """Without an index that only counts the rows."""
    return frame.reset_index(drop=True) if frame.index.nlevels == 1 and _numbered(frame.index) else frame
