"""Arrays and dicts of columns: tables without names of their own for the rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from podium.core import check
from podium.core.errors import DataError
from podium.core.read.formats.frames import sheet_of_frame
from podium.core.read.options import ReadOptions
from podium.core.read.sheet import Sheet


def is_array(source: Any) -> bool:
    """Whether this is an array, or a list of rows."""
    if isinstance(source, np.ndarray):
        return True
    return isinstance(source, list | tuple) and bool(source) and all(isinstance(row, list | tuple) for row in source)


def open_array(source: Any, options: ReadOptions) -> Sheet:
    """The sheet of an array: rows, and a column per algorithm."""
    values = check.floats("source", source, ndim=2)
    header = [f"algorithm {j + 1}" for j in range(values.shape[1])]
    return sheet_of_frame(pd.DataFrame(values, columns=header), label="The array")


def is_columns(source: Any) -> bool:
    """Whether this is {name: list of cells}: columns, not results of `cross_validate`."""
    return isinstance(source, Mapping) and bool(source) and all(_is_list(item) for item in source.values())


def _is_list(item: Any) -> bool:
    return isinstance(item, list | tuple | pd.Series) or (isinstance(item, np.ndarray) and item.ndim == 1)


def open_columns(source: Mapping[Any, Any], options: ReadOptions) -> Sheet:
    """The sheet of a dict of columns of equal length."""
    lengths = {str(name): len(item) for name, item in source.items()}
    if len(set(lengths.values())) > 1:
        told = ", ".join(f"{name!r} {n}" for name, n in list(lengths.items())[:6])
        raise DataError(f"The lists in the dict have different lengths ({told}): give the same rows for all of them.")
    return sheet_of_frame(pd.DataFrame({str(name): item for name, item in source.items()}), label="The dict")
