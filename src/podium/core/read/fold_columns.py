"""Folds in columns beside the names: `dataset, algorithm, fold 1, fold 2, ...` is a long table on its side."""

from __future__ import annotations

import re
from dataclasses import replace

import numpy as np
import pandas as pd

from podium.core.read.options import ReadOptions
from podium.core.read.roles import role_of
from podium.core.read.sheet import Sheet

_NUMBERED = re.compile(r"(?P<word>[a-z]+)[\s_#.-]*(?P<number>\d+)", re.IGNORECASE)
_ROLES = {
    **dict.fromkeys(("fold", "split", "cv"), "fold"),
    **dict.fromkeys(("repeat", "rep", "run", "seed", "trial", "resample"), "repeat"),
}


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
