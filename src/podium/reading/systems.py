"""Which columns of a table of predictions are algorithms, and the numbers in them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from podium.core.errors import DataError
from podium.core.names import shown
from podium.reading.roles import is_called, is_truth, role_of, says_otherwise

if TYPE_CHECKING:
    import pandas as pd

    from podium.reading.options import ReadOptions

IDS = ("cases.clear", "cases.possible", "cases.named_rows")  # names of a column of cases
_NO_SYSTEMS = {
    "fold": "folds",
    "repeat": "repeats",
    "seed": "seeds",
    "step": "steps",
    "dataset": "datasets",
    "family": "families",
    "case": "cases",
}


def check_systems(systems: pd.DataFrame, truth: pd.Series, where: str, options: ReadOptions) -> None:
    """Ask about a column that may be no algorithm."""
    for name in systems.columns:
        if name in options.named("keep") or not (reason := _doubt(name, systems, truth)):
            continue
        column = shown(name)
        cases = f", name the cases by it with {{case_column}} {column}" if systems[name].is_unique else ""
        raise DataError(
            f"Column {column} of {where} {reason}: is it an algorithm? Leave it out with {{ignore_column}} {column}{cases}, or "
            f"keep it with {{keep_column}} {column}."
        )


def _doubt(name: str, systems: pd.DataFrame, truth: pd.Series) -> str:
    """What makes a column no algorithm, as the end of a sentence; "" if nothing does."""
    if not name.strip():
        return "has no name"
    if is_truth(name, few_labels=5 * systems[name].nunique() <= len(systems)):
        return "seems to hold true labels"
    if reason := says_otherwise(name):
        return reason
    role = "case" if is_called(name, *IDS) else role_of(name)
    if role in _NO_SYSTEMS:
        return f"is called like a column of {_NO_SYSTEMS[role]}"
    return _odd_one(systems[name], systems.drop(columns=name), truth)


def _odd_one(column: pd.Series, others: pd.DataFrame, truth: pd.Series) -> str:
    """How the values of one column differ in kind from those of all others; in a regression any number may be a prediction."""
    if others.empty or not all(others[name].dtype.kind in "iuf" for name in others.columns):
        return ""
    if column.dtype.kind not in "iufb":
        return "" if column.isin(truth).any() else "has text, and the others have numbers"
    classes = truth.nunique()
    if (classes > 2 and 5 * classes > len(truth)) or not _is_whole(column) or column.isin(truth).all():
        return ""
    if column.is_unique and len(column) > 2 and not any(_is_whole(others[name]) for name in others.columns):
        return "has a different whole number in every row"
    if reason := _whole_numbers(column, others):
        return reason
    within = bool(((others >= 0) & (others <= 1) | others.isna()).all(axis=None))
    outside = bool(((column < 0) | (column > 1)).any())
    return "holds whole numbers, and the others lie between 0 and 1" if within and outside else ""


def _whole_numbers(column: pd.Series, others: pd.DataFrame) -> str:
    from podium.reading.plausible import Crowd, Look, whole_numbers

    together = np.column_stack([column.to_numpy(dtype=np.float64), others.to_numpy(dtype=np.float64)])
    return whole_numbers(Look(crowd=Crowd(numbers=together), place=0, blocks=np.arange(len(column))))


def _is_whole(column: pd.Series) -> bool:
    present = column.dropna()
    return bool((present == present.round()).all())


def with_numbers(
    frame: pd.DataFrame, systems: list[str], truth: str, options: ReadOptions, cell: Callable[[str, int], str]
) -> pd.DataFrame:
    """The table with numbers in place of texts that are numbers (decimal commas, words for missing); labels stay labels.

    `cell` gives the name of a cell, for an error.
    """
    from podium.reading.cells import looks_numeric, parse_column

    found = frame.copy()
    for name in [*([truth] if options.decimal_comma else []), *systems]:
        column = found[name]
        is_label = name != truth and bool(column.dropna().isin(found[truth]).any())
        if column.dtype.kind in "iufb" or is_label or not looks_numeric(column):
            continue
        found[name] = parse_column(column, options, partial(cell, name)).values
    return found
