"""Names in several columns: `model+variant` is one name made of two columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.errors import ArgumentError
from podium.core.read.names import key_of, quoted
from podium.core.read.options import ReadOptions
from podium.core.read.sheet import Sheet

BETWEEN = " / "


def position(sheet: Sheet, name: str, option: str) -> int:
    """The column of that name, by its exact spelling or else by its words; an unknown one is refused."""
    for place, header in enumerate(sheet.header):
        if header.strip() == name.strip():
            return place
    for place, header in enumerate(sheet.header):
        if key_of(header) == key_of(name) != "":
            return place
    raise ArgumentError(
        f"{sheet.label} has no column {name!r} (for {{argument}}): it has {quoted(sheet.header, 12)}.", argument=option
    )


def joined_columns(sheet: Sheet, options: ReadOptions) -> tuple[Sheet, ReadOptions, dict[int, str]]:
    """The sheet with a column more for each name in several columns, and the role of every column that is a part."""
    parts: dict[int, str] = {}
    for role in ("algorithm", "dataset"):
        option = f"{role}_column"
        names = _split(sheet, options.named(role))
        if len(names) < 2:
            continue
        places = [position(sheet, name, option) for name in names]
        header = "+".join(sheet.header[place].strip() for place in places)
        frame = sheet.frame.assign(joined=_joined(sheet, places))
        frame.columns = pd.RangeIndex(frame.shape[1])
        sheet = replace(sheet, header=(*sheet.header, header), frame=frame)
        changes: dict[str, Any] = {option: header}
        changes["ignore_column"] = (*options.ignored, *(sheet.header[place] for place in places))
        options = replace(options, **changes)
        parts |= dict.fromkeys(places, role)
    return sheet, options, parts


def _split(sheet: Sheet, names: tuple[str, ...]) -> list[str]:
    """The columns that are meant: "model+variant" is two, unless a column has this very name."""
    known = {header.strip() for header in sheet.header}
    return [part for name in names for part in ([name] if name.strip() in known else name.split("+")) if part.strip()]


def _joined(sheet: Sheet, places: list[int]) -> pd.Series:
    """The texts of several columns side by side; a blank part is left out of the name."""
    code = np.zeros(sheet.n_rows, dtype=np.int64)
    texts = [""]
    for place in places:
        names, codes = sheet.codes(place)
        code, texts = _merged(code, texts, codes, names)
    cells = np.array([text or None for text in texts], dtype=object)
    return pd.Series(cells[code])


def _merged(
    code: np.ndarray[tuple[int], np.dtype[np.int64]],
    texts: list[str],
    codes: np.ndarray[tuple[int], np.dtype[np.intp]],
    names: list[str],
) -> tuple[np.ndarray[tuple[int], np.dtype[np.int64]], list[str]]:
    both = code * (len(names) + 1) + codes + 1
    used, place = np.unique(both, return_inverse=True)
    found = []
    for pair in used.tolist():
        before, after = texts[pair // (len(names) + 1)], pair % (len(names) + 1)
        found.append(BETWEEN.join(part for part in (before, names[after - 1] if after else "") if part))
    return place.astype(np.int64), found
