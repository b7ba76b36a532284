"""Rows and columns that sum up the others, by their names or their numbers: asked about, dropped or kept, as an option says."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError
from podium.core.names import quoted, shown
from podium.reading.block import Labels, labels_of
from podium.reading.options import ReadOptions
from podium.reading.plausible import RARE, decimals_of, plain_numbers
from podium.reading.question import Question
from podium.reading.roles import is_summary
from podium.reading.sheet import Sheet

if TYPE_CHECKING:
    from podium.reading.columns import Plan

FEWEST_ROWS = 3  # that a row can sum up


def without_summary_columns(sheet: Sheet, values: tuple[int, ...], options: ReadOptions) -> tuple[int, ...]:
    """The columns of scores that do not sum up others by their names."""
    kept = sheet.positions("keep", options)
    summing = [i for i in values if is_summary(sheet.header[i]) and i not in kept]
    if not summing or options.summaries == "keep":
        return values
    if options.summaries == "ask":
        raise Question(
            f"Column {sheet.header[summing[0]]!r} of {sheet.label} looks like a summary: "
            "set {summaries} to 'drop' or 'keep'.",
            {"summaries": "drop"},
        )
    rest = tuple(i for i in values if i not in summing)
    if not rest:
        raise DataError(f"Every column of numbers of {sheet.label} looks like a summary: set {{summaries}} to 'keep'.")
    return rest


def named_cells(
    sheet: Sheet, plan: Plan, options: ReadOptions, *roles: str
) -> tuple[Sheet, dict[str, Labels], list[str]]:
    """The sheet without rows that sum up others, the names that the columns of some roles give its rows, and notes.

    Such rows are known by their names, and by their numbers in a wide table. A case may be called "sum" or "max": what sums up cases
    stands first or last and is no grade.
    """
    notes: list[str] = []
    places = {role: plan.roles[role] for role in roles if role in plan.roles}
    for role, place in places.items() if options.summaries != "keep" else ():
        labels = labels_of(sheet, place, role)
        by_name, by_numbers = [code for code, name in enumerate(labels.names) if is_summary(name)], {}
        if role == "case":
            ends = {*_leading(labels.names), *_leading(labels.names[::-1])}
            by_name = [code for code in by_name if labels.names[code] in ends]
            by_name = [code for code in by_name if not _are_grades(sheet, labels.codes == code, plan.values)]
        elif plan.layout != "long":
            by_numbers = _by_numbers(sheet, labels, plan.values, by_name)
        sheet, dropped = _dropped(sheet, labels, options, by_name, by_numbers)
        notes += dropped
    return sheet, {role: labels_of(sheet, place, role) for role, place in places.items()}, notes


def _leading(names: list[str]) -> list[str]:
    return list(itertools.takewhile(is_summary, names))


def _are_grades(sheet: Sheet, rows: Indices, values: tuple[int, ...]) -> bool:
    """Whether some rows hold nothing but 0 and 1, or words."""
    cells = plain_numbers(sheet, values)[rows]
    return bool((np.isnan(cells) | np.isin(cells, (0, 1))).all())


def _dropped(
    sheet: Sheet, labels: Labels, options: ReadOptions, by_name: list[int], by_numbers: dict[int, str]
) -> tuple[Sheet, list[str]]:
    summing = [*by_name, *by_numbers]
    if not summing:
        return sheet, []
    names = quoted([labels.names[code] for code in summing])
    if options.summaries == "ask":
        told = [shown(labels.names[code]) + f" is the {word} of the other rows" for code, word in by_numbers.items()]
        listed = ", ".join([*([quoted([labels.names[code] for code in by_name])] if by_name else []), *told])
        raise Question(
            f"{sheet.label} has rows that look like summaries ({listed}): set {{summaries}} to 'drop' or 'keep'.",
            {"summaries": "drop"},
        )
    keep = ~np.isin(labels.codes, summing)
    if not keep.any():
        raise DataError(f"Every row of {sheet.label} looks like a summary ({names}): set {{summaries}} to 'keep'.")
    return sheet.rows(keep), [f"Summary rows were dropped: {names}."]


def _by_numbers(sheet: Sheet, labels: Labels, values: tuple[int, ...], by_name: list[int]) -> dict[int, str]:
    """The first and last rows that sum up all others, with the word for it."""
    if len(labels.names) < sheet.n_rows:
        return {}  # several rows have the same name: folds
    numbers = plain_numbers(sheet, values)
    rows = [row for row in range(sheet.n_rows) if labels.codes[row] not in by_name]
    found: dict[int, str] = {}
    while len(rows) > FEWEST_ROWS:
        for row in (rows[-1], rows[0]):
            others = [other for other in rows if other != row]
            if word := _summing(numbers[row], numbers[others]):
                found[int(labels.codes[row])] = word
                rows = others
                break
        else:
            break
    return found


def _summing(row: Floats, others: Floats) -> str:
    """What a row is of the others in every column, to the decimals that are written, where chance would hardly make it so."""
    others = others[~np.isnan(others).all(axis=1)]
    if len(others) < FEWEST_ROWS or np.isnan(row).any() or np.isnan(others).all(axis=0).any():
        return ""
    if (others == row).all(axis=1).any():
        return ""
    # Means are often taken before the scores are rounded, so they may be off by one in the last digit.
    near = np.maximum(10.0 ** -decimals_of(row), 1e-9 * np.abs(row))
    if _chance(near, others) >= RARE:
        return ""
    made = {
        "mean": np.nanmean(others, axis=0),
        "median": np.nanmedian(others, axis=0),
        "sum": np.nansum(others, axis=0),
    }
    return next((word for word, numbers in made.items() if (np.abs(numbers - row) <= near).all()), "")


def _chance(near: Floats, others: Floats) -> float:
    """About how often a row of a table like this is so near to its middle: first its mean, then what sets columns apart."""
    level = np.nanmean(others, axis=1, keepdims=True)
    spreads = np.append(np.nanstd(level), np.nanstd(others - level, axis=0)[1:])
    width = 2 * near / np.maximum(math.sqrt(2 * math.pi) * spreads, 1e-300)
    return float(np.minimum(width, 1).prod())
