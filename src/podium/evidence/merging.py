"""Long tables of scores in one: rows for the same cell are merged where they agree and refused where they do not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from podium.core.arrays import Indices, Ints
from podium.core.errors import DataError
from podium.core.names import shown
from podium.core.numbers import number

MOST_CODES = 2**62  # what a whole number can count
DENSE = 8  # times as many numbers as rows: fewer are counted faster than hashed


def merged(frame: pd.DataFrame, notes: list[str]) -> pd.DataFrame:
    """Rows for the same cell: merged where they agree, refused where they do not."""
    codes: list[Any] = [frame[name].cat.codes.to_numpy() for name in ("metric", "dataset", "algorithm")]
    codes += [frame["repeat"].to_numpy(), frame["fold"].to_numpy()]
    if not repeats(codes):
        return frame
    cell = combined(codes)
    n_cells = int(cell.max()) + 1
    values = frame["value"].groupby(cell)
    differ = np.flatnonzero(values.max() > values.min())
    if len(differ):
        raise _disagreement(frame, cell, differ)
    # A value before a hole, the first before the next.
    best = np.lexsort((np.arange(len(cell)), frame["value"].isna(), cell))
    first = best[np.r_[True, np.diff(cell[best]) != 0]]
    dropped = len(frame) - n_cells
    notes.append(f"{dropped} duplicate row{'s' if dropped > 1 else ''} that agree with others were merged.")
    return frame.iloc[np.sort(first)].reset_index(drop=True)


def _disagreement(frame: pd.DataFrame, cell: Ints, differ: npt.NDArray[Any]) -> DataError:
    """Two files (or two tables that are joined) that give different scores for the same cell."""
    rows = frame[cell == differ[0]]
    first = rows.iloc[0]
    values = ", ".join(number(value, 6) for value in pd.unique(rows["value"].dropna())[:3])
    more = f" (and {len(differ) - 1} more such cells)" if len(differ) > 1 else ""
    return DataError(
        f"{shown(first['algorithm'])} has {len(rows)} scores that disagree on {shown(first['dataset'])}: {values}"
        f"{more}; delete the duplicates, or name the column that distinguishes them with {{fold_column}} or "
        "{repeat_column}."
    )


def combined(codes: Sequence[Ints | Indices]) -> Ints:
    """One number per row for several codes: equal where all are, in the order of first appearance."""
    return pd.factorize(_mixed(codes))[0].astype(np.int64, copy=False)  # hashing, which is faster than sorting


def repeats(codes: Sequence[Ints | Indices]) -> bool:
    """Whether some rows are equal in all of several codes; by counting where the numbers are dense, else by hashing."""
    mixed = _mixed(codes)
    if len(mixed) < 2 or (mixed[1:] > mixed[:-1]).all():
        return False
    if mixed.min() >= 0 and mixed.max() < DENSE * len(mixed):
        return bool(np.bincount(mixed).max() > 1)
    return bool(pd.Series(mixed).duplicated().any())


def _mixed(codes: Sequence[Ints | Indices]) -> Ints:
    """One number per row, with gaps: each code is a digit."""
    mixed, size = np.zeros(len(codes[0]), dtype=np.int64), 1
    for one in codes:
        least, most = (int(one.min()), int(one.max())) if len(one) else (0, 0)
        if most == least:
            continue
        if most - least > 2 * len(one):  # numbers far apart
            one, least, most = pd.factorize(one)[0], 0, len(one)
        if size * (most - least + 1) > MOST_CODES:
            mixed, size = pd.factorize(mixed)[0].astype(np.int64), len(one)
        mixed *= most - least + 1
        mixed += one
        mixed -= least
        size *= most - least + 1
    return mixed
