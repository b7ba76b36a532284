"""A sheet: the cells of one table as they stand, before anything is understood."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from podium.core.arrays import Indices
from podium.core.errors import DataError
from podium.core.read.names import quoted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Sheet:
    """The header and the columns (numbered from 0) of one table; blank cells are nan.

    `label` names the source in sentences, `stem` is the file name without its ending ("" for a DataFrame).
    """

    header: tuple[str, ...]
    frame: pd.DataFrame
    label: str
    stem: str = ""
    notes: tuple[str, ...] = ()

    @property
    def n_rows(self) -> int:
        """The number of rows below the header."""
        return len(self.frame)

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.header)

    def column(self, position: int) -> pd.Series:
        """The cells of one column."""
        return self.frame.iloc[:, position]

    def codes(self, position: int) -> tuple[list[str], Indices]:
        """The distinct cells of one column as stripped text, and which of them each row has; -1 is a blank cell."""
        column = self.column(position)
        if column.dtype.kind == "f":
            present = column.dropna()
            if len(present) and (present == present.round()).all() and (present.abs() < 1e15).all():
                column = column.astype("Int64")  # whole numbers, read as floats because of blanks
        codes, distinct = column.factorize()
        texts = [str(cell).strip() for cell in distinct]
        names = list(dict.fromkeys(text for text in texts if text))
        place = {name: code for code, name in enumerate(names)} | {"": -1}
        merged = np.array([*(place[text] for text in texts), -1], dtype=np.intp)
        return names, merged[codes]


def only_value(sheet: Sheet, found: list[int], free: list[int], what: str) -> int:
    """The one column of values; where there are several or none, the user is asked."""
    if len(found) == 1:
        return found[0]
    names = quoted([sheet.header[i] for i in found or free], 12) if found or free else "none is left"
    raise DataError(f"{sheet.label}: which column has the {what} ({names})? Give {{value_column}}.")
