"""DataFrames; arrays, and dicts of columns, which have no names of their own for the rows."""

from __future__ import annotations

from collections.abc import Mapping
from numbers import Real
from typing import Any

import numpy as np
import pandas as pd

from podium.core import check
from podium.core.errors import ARRAY, DICT, FRAME, DataError
from podium.core.names import without_filler
from podium.reading.formats.multi_header import resolved
from podium.reading.options import ReadOptions
from podium.reading.sheet import Sheet


def is_frame(source: Any) -> bool:
    """Whether this is a DataFrame of pandas, as `read` makes one of every other."""
    return isinstance(source, pd.DataFrame)


def open_frame(frame: Any, options: ReadOptions) -> Sheet:
    """The sheet of a DataFrame that a user gives."""
    return sheet_of_frame(frame, label=FRAME)


def sheet_of_frame(frame: Any, *, label: str, stem: str = "", notes: tuple[str, ...] = ()) -> Sheet:
    """The sheet of a DataFrame; an index that says something becomes the first columns."""
    if frame.index.nlevels > 1 or frame.index.name is not None or not isinstance(frame.index, pd.RangeIndex):
        index = frame.index.to_frame(index=False)
        above = ("",) * (frame.columns.nlevels - 1)
        names = ["" if name is None else name for name in frame.index.names]
        index.columns = pd.MultiIndex.from_tuples([(*above, name) for name in names]) if above else names
        frame = pd.concat([index, frame.reset_index(drop=True)], axis=1)
    if frame.columns.nlevels > 1:  # several header rows, as a pivot table has them
        levels = [[str(path[i]) for path in frame.columns] for i in range(frame.columns.nlevels)]
        grid = resolved(levels, frame.values.tolist(), label, notes)
        return sheet_of_frame(pd.DataFrame(grid.rows, columns=grid.header), label=label, stem=stem, notes=grid.notes)
    header = tuple(without_filler(str(name)) for name in frame.columns)
    if len(frame) == 0 or not header:
        raise DataError(f"{label} is empty: it needs rows of scores.")
    columns = [_plain_column(frame.iloc[:, i], f"Column {name!r} of {label}") for i, name in enumerate(header)]
    body = pd.concat(columns, axis=1, keys=range(len(header)), ignore_index=False).reset_index(drop=True)
    body.columns = pd.RangeIndex(len(header))
    return Sheet(header=header, frame=body, label=label, stem=stem, notes=notes)


def _plain_column(column: pd.Series, name: str) -> pd.Series:
    """Nullable numbers as floats, categories as text; nested values are refused."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.astype(object)
    if pd.api.types.is_extension_array_dtype(column.dtype) and pd.api.types.is_numeric_dtype(column.dtype):
        return pd.Series(column.to_numpy(dtype="float64", na_value=float("nan")))
    if column.dtype == object:
        if any(isinstance(cell, list | dict | set | tuple | np.ndarray) for cell in column):
            raise DataError(f"{name} holds lists or dicts: write one number per cell, and folds as rows of their own.")
        return column.infer_objects().where(lambda cells: cells.astype(object) != "", None)
    return column


def is_array(source: Any) -> bool:
    """Whether this is an array, or a list of rows."""
    if isinstance(source, np.ndarray):
        return True
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(row, list | tuple) for row in source)


def open_array(source: Any, options: ReadOptions) -> Sheet:
    """The sheet of an array: rows, and a column per algorithm."""
    values = check.floats("source", source, ndim=2)
    header = [f"algorithm {j + 1}" for j in range(values.shape[1])]
    return sheet_of_frame(pd.DataFrame(values, columns=header), label=ARRAY)


def is_columns(source: Any) -> bool:
    """Whether this is {name: list of cells} or {name: {row: cell}}: columns, not results of `cross_validate`."""
    if not isinstance(source, Mapping) or not source:
        return False
    return all(map(_is_list, source.values())) or all(map(_is_of_numbers, source.values()))


def _is_of_numbers(item: Any) -> bool:
    return isinstance(item, Mapping) and bool(item) and all(isinstance(cell, Real) for cell in item.values())


def _is_list(item: Any) -> bool:
    return isinstance(item, list | tuple) or (hasattr(item, "__array__") and np.ndim(item) == 1)


def open_columns(source: Mapping[Any, Any], options: ReadOptions) -> Sheet:
    """The sheet of a dict of columns, of equal length where their rows have no names."""
    if all(isinstance(item, Mapping) for item in source.values()):
        return sheet_of_frame(pd.DataFrame(source), label=DICT)
    lengths = {str(name): len(item) for name, item in source.items()}
    if len(set(lengths.values())) > 1:
        counts = ", ".join(f"{name!r} {n}" for name, n in list(lengths.items())[:6])
        raise DataError(f"The lists in the dict have different lengths ({counts}): give the same rows for all of them.")
    columns = {
        str(name): item if isinstance(item, list | tuple | pd.Series) else np.asarray(item)
        for name, item in source.items()
    }
    return sheet_of_frame(pd.DataFrame(columns), label=DICT)
