"""Is a reading plausible? Small checks of the columns that were taken for algorithms, each with its sentence.

A check looks at one column among the others and gives the reason for doubt, or nothing. A column in doubt becomes a
question, which `ignore_column` or `keep_column` answers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd

from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError
from podium.core.read.grades import are_zero_one
from podium.core.read.names import quoted, shown
from podium.core.read.roles import is_truth, says_otherwise
from podium.core.read.sheet import Sheet

FEWEST_CASES = 5  # rows of zeros and ones that are taken for cases, not datasets
MOST_LABELS = 50  # classes of a test set
RARE = 1e-4  # what happens by chance more rarely than this is asked about
ANOTHER_SCALE = 200  # times as large as all others, in every row


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """One column of a wide table beside the others: names, numbers, and the rows that belong to one dataset."""

    name: str
    values: Floats
    others: Floats
    blocks: Indices


def doubts(sheet: Sheet, values: tuple[int, ...], kept: set[int], blocks: Indices) -> None:
    """Ask about the first column that does not look like the scores of an algorithm."""
    columns = [pd.to_numeric(sheet.column(i), errors="coerce").to_numpy(dtype=np.float64) for i in values]
    numbers = np.column_stack(columns) if values else np.empty((sheet.n_rows, 0))
    for j, place in enumerate(values):
        if place in kept:
            continue
        look = Look(name=sheet.header[place], values=numbers[:, j], others=np.delete(numbers, j, axis=1), blocks=blocks)
        for check in CHECKS:
            if reason := check(look):
                raise DataError(
                    f"Column {shown(look.name)} of {sheet.label} {reason}: is it an algorithm? Leave it out with "
                    f"{{ignore_column}} {shown(look.name)}, or keep it with {{keep_column}} {shown(look.name)}.",
                    column=look.name,
                )


def whole_numbers(look: Look) -> str:
    """Whole numbers only, where the others have fractions; a score at its bounds (0, 1, 100) is no surprise."""
    mine, others = look.values[~np.isnan(look.values)], look.others[~np.isnan(look.others)]
    if not len(mine) or not len(others) or (mine != np.round(mine)).any() or np.isin(mine, (0, 1, 100)).all():
        return ""
    share = (int((others == np.round(others)).sum()) + 1) / (len(others) + 2)
    return "holds whole numbers only, and the others do not" if share ** len(mine) < RARE else ""


def _constant_in_blocks(look: Look) -> str:
    """The same in all rows of a dataset, and different between datasets, where the others vary."""
    if len(np.unique(look.blocks)) in (1, len(look.blocks)) or len(np.unique(look.values)) < 2:
        return ""
    if _varies(look.values, look.blocks) or not look.others.shape[1]:
        return ""
    if not all(_varies(look.others[:, j], look.blocks) for j in range(look.others.shape[1])):
        return ""
    return "is the same in all rows of a dataset, as what describes the dataset is"


def _varies(values: Floats, blocks: Indices) -> bool:
    by_block = pd.Series(values).groupby(blocks)
    return bool((by_block.max() > by_block.min()).any())


def _sums_up_others(look: Look) -> str:
    """The mean, the best or the worst of the others in every row, to the decimals that are written."""
    if look.others.shape[1] < 2 or len(look.values) < 4 or np.isnan(look.others).any() or np.isnan(look.values).any():
        return ""
    if np.array_equal(look.others.max(axis=1), look.others.min(axis=1)):
        return ""  # all are equal
    decimals = next((d for d in range(9) if np.array_equal(np.round(look.values, d), look.values)), 12)
    near = 0.51 * 10.0**-decimals
    if decimals and (np.abs(look.others.mean(axis=1) - look.values) <= near).all():
        return "is the mean of the others in every row"
    single = (np.abs(look.others - look.values[:, None]) == 0).all(axis=0).any()
    for word, bound in (("largest", look.others.max(axis=1)), ("smallest", look.others.min(axis=1))):
        if not single and look.others.shape[1] > 2 and np.array_equal(bound, look.values):
            return f"is the {word} of the others in every row"
    return ""


def _orders_the_rows(look: Look) -> str:
    """A rank: 1 to n in the order of the mean of the others."""
    n = len(look.values)
    if n < 4 or look.others.shape[1] < 2 or np.isnan(look.others).any():
        return ""
    order = np.argsort(np.argsort(look.others.mean(axis=1))) + 1
    same = np.array_equal(look.values, order) or np.array_equal(look.values, n + 1 - order)
    return "ranks the rows by the mean of the others" if same else ""


def _on_another_scale(look: Look) -> str:
    """Far above all others in every row."""
    others = np.where(np.isnan(look.others), -np.inf, np.abs(look.others))
    if len(look.values) < 3 or not look.others.shape[1] or np.isnan(look.values).any():
        return ""
    largest = others.max(axis=1)
    if (largest > 0).all() and (look.values > ANOTHER_SCALE * largest).all():
        return f"is more than {ANOTHER_SCALE} times as large as all others in every row"
    return ""


CHECKS: tuple[Callable[[Look], str], ...] = (
    lambda look: says_otherwise(look.name),
    _constant_in_blocks,
    _sums_up_others,
    _orders_the_rows,
    whole_numbers,
    _on_another_scale,
)


def refuse_cases(sheet: Sheet, why: str) -> None:
    """The unit of this table is the case: say so, and the way on."""
    raise DataError(
        f"{sheet.label} holds one row per test case ({why}), and a comparison over datasets would take every case for a "
        "dataset. To compare the algorithms on these cases, set {unit} to 'case', or name the column of true labels with "
        "{truth}. If the rows are datasets or folds all the same, set {unit} to 'dataset'.",
        row="case",
    )


def check_cases(sheet: Sheet, values: list[int], label: int | None) -> None:
    """Refuse a wide table whose rows are test cases: labels beside predictions, or nothing but zeros and ones."""
    check_truth(sheet, [place for place in range(sheet.n_columns) if place != label])
    check_pass_fail(sheet, values)


def check_truth(sheet: Sheet, places: list[int]) -> None:
    """Refuse a table in which one of these columns has the true labels of test cases."""
    for place in places:
        column = sheet.column(place)
        few = 5 * column.nunique() <= len(column) and column.nunique() <= MOST_LABELS
        if is_truth(sheet.header[place], few_labels=few):
            refuse_cases(sheet, f"column {shown(sheet.header[place])} holds the true labels")


def check_pass_fail(sheet: Sheet, values: list[int]) -> None:
    """Refuse scores that are nothing but 0 and 1, both of them: outcomes of test cases."""
    flags = [i for i in values if are_zero_one(sheet.column(i))]
    both = flags and len({cell for i in flags for cell in sheet.column(i).dropna().unique()}) == 2
    if sheet.n_rows >= FEWEST_CASES and both and len(flags) == len(values):
        refuse_cases(sheet, f"{quoted([sheet.header[i] for i in values], 3)} hold nothing but 0 and 1")
