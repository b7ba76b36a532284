"""Names in several columns: `model+variant` is one name made of two columns."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.read.options import ReadOptions
from podium.core.read.sheet import Sheet

BETWEEN = " / "


def joined_columns(sheet: Sheet, options: ReadOptions) -> tuple[Sheet, ReadOptions, dict[int, str]]:
    """The sheet with a column more for each name in several columns, and the role of every column that is a part."""
    parts: dict[int, str] = {}
    for role in ("algorithm", "dataset"):
        names = _split(sheet, options.named(role))
        if len(names) < 2:
            continue
        places = [sheet.position(name, f"{role}_column") for name in names]
        header = "+".join(sheet.header[place].strip() for place in places)
        frame = sheet.frame.assign(joined=_joined(sheet, places))
        frame.columns = pd.RangeIndex(frame.shape[1])
        sheet = replace(sheet, header=(*sheet.header, header), frame=frame)
        ignored = (*options.named("ignore"), *(sheet.header[place] for place in places))
        changes: dict[str, Any] = {f"{role}_column": header, "ignore_column": ignored}
        options = replace(options, **changes)
        parts |= dict.fromkeys(places, role)
    return sheet, options, parts


def _split(sheet: Sheet, names: tuple[str, ...]) -> list[str]:
    """The columns that are meant: "model+variant" is two, unless a column has this very name."""
    known = {header.strip() for header in sheet.header}
    return [part for name in names for part in ([name] if name.strip() in known else name.split("+")) if part.strip()]


def _joined(sheet: Sheet, places: list[int]) -> pd.Series:
    """The texts of several columns side by side; a blank part is left out of the name."""
    code, texts = np.zeros(sheet.n_rows, dtype=np.int64), [""]
    for place in places:
        names, codes = sheet.codes(place)
        used, code = np.unique(code * (len(names) + 1) + codes + 1, return_inverse=True)
        pairs = [(texts[pair // (len(names) + 1)], ["", *names][pair % (len(names) + 1)]) for pair in used.tolist()]
        texts = [BETWEEN.join(filter(None, pair)) for pair in pairs]
    cells = np.array([text or None for text in texts], dtype=object)
    return pd.Series(cells[code])
