"""Columns made over before a table is recognised.

Names in several columns: `model+variant` is one name made of two columns. Folds in columns beside the names: `dataset,
algorithm, fold 1, fold 2, ...` is a long table on its side.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.read.options import ReadOptions
from podium.core.read.roles import role_of
from podium.core.read.sheet import Sheet

BETWEEN = " / "
_NUMBERED = re.compile(r"(?P<word>[a-z]+)[\s_#.-]*(?P<number>\d+)", re.IGNORECASE)
_ROLES = {
    **dict.fromkeys(("fold", "split", "cv"), "fold"),
    **dict.fromkeys(("repeat", "rep", "run", "seed", "trial", "resample"), "repeat"),
}


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


def folds_as_rows(sheet: Sheet, options: ReadOptions) -> Sheet:
    """A row per score, where an algorithm's column stands beside numbered folds (or runs); else the sheet as it is."""
    found = {i: match for i, name in enumerate(sheet.header) if (match := _NUMBERED.fullmatch(name.strip()))}
    words = {match["word"].lower() for match in found.values()}
    named = options.named("algorithm") or any(role_of(name) == "algorithm" for name in sheet.header)
    others = [i for i in range(sheet.n_columns) if i not in found]
    if len(found) < 2 or len(words) != 1 or not words <= set(_ROLES) or not named or options.value_column is not None:
        return sheet
    if any(role_of(sheet.header[i]) in ("fold", "repeat", "value", "metric") for i in others):
        return sheet
    role = _ROLES[words.pop()]
    blocks = sheet.frame.iloc[:, others]
    rows = np.repeat(np.arange(sheet.n_rows), len(found))
    frame = blocks.iloc[rows].reset_index(drop=True)
    frame[role] = np.tile([int(match["number"]) for match in found.values()], sheet.n_rows)
    frame["value"] = pd.concat([sheet.column(i) for i in found], axis=1).to_numpy().ravel()
    frame.columns = pd.RangeIndex(frame.shape[1])
    first, *_, last = (sheet.header[i] for i in found)
    note = f"The columns {first!r} to {last!r} were read as {role}s, one score each."
    header = (*(sheet.header[i] for i in others), role, "value")
    return replace(sheet, header=header, frame=frame.infer_objects(), notes=(*sheet.notes, note))
