"""Rows and columns that sum up the others, by their names or their numbers: asked about, dropped or kept, as `summaries` says."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import quoted, shown
from podium.reading.block import Labels, labels_of
from podium.reading.judge import RARE, decimals_of, plain_numbers
from podium.reading.options import ReadOptions
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
    sheet: Sheet, plan: Plan, options: ReadOptions, *roles: str, numbered: bool = False
) -> tuple[Sheet, dict[str, Labels], list[str]]:
    """The sheet without rows that sum up others, the names that the columns of some roles give its rows, and notes.

    Such rows are known by their names, and by their numbers in a wide table; below `numbered` folds by their names alone. A case may be called "sum" or "max": what sums up cases
    stands first or last and is no grade.
    """
    notes: list[str] = []
    places = {role: plan.roles[role] for role in roles if role in plan.roles}
    if numbered:
        places = {role: place for role, place in places.items() if any(map(is_summary, sheet.codes(place)[0]))}
    for role, place in places.items() if options.summaries != "keep" else ():
        labels = labels_of(sheet, place, role)
        by_numbers: dict[int, str] = {}
        if role == "case":
            ends = {*_leading(labels.names), *_leading(labels.names[::-1])}
            codes = sorted(map(labels.names.index, ends))
            by_name = [code for code in codes if not _are_grades(sheet, labels.codes == code, plan.values)]
        else:
            by_name = [code for code, name in enumerate(labels.names) if is_summary(name)]
            if by_name:  # "accuracy" beside "macro avg" below the classes of a report
                metrics = [code for code, name in enumerate(labels.names) if known_metric(name, exact=True) is not None]
                by_name = sorted({*by_name, *metrics})
            by_numbers = {} if plan.layout == "long" or numbered else _by_numbers(sheet, labels, plan.values, by_name)
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
        computed = [
            shown(labels.names[code]) + f" is the {word} of the other rows" for code, word in by_numbers.items()
        ]
        listed = ", ".join([*([quoted([labels.names[code] for code in by_name])] if by_name else []), *computed])
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
    rows = np.flatnonzero(~np.isin(labels.codes, by_name))
    words: dict[int, str] = {}
    while len(rows) > FEWEST_ROWS:
        for row, others in ((rows[-1], rows[:-1]), (rows[0], rows[1:])):
            if word := _summing(numbers[row], numbers[others]):
                words[int(labels.codes[row])] = word
                rows = others
                break
        else:
            break
    return words


def _summing(row: Floats, others: Floats) -> str:
    """What a row is of the others in every column, to the decimals that are written, where chance would hardly make it so."""
    others = others[~np.isnan(others).all(axis=1)]
    if len(others) < FEWEST_ROWS or np.isnan(row).any() or np.isnan(others).all(axis=0).any():
        return ""
    # Means are often taken before the scores are rounded, so they may be off by one in the last digit.
    near = np.maximum(10.0 ** -decimals_of(row), 1e-9 * np.abs(row))
    parts = (slice(1), slice(None))  # what fails in the first column is not tried in the others
    for word in ("mean", "median", "sum"):
        of = getattr(np, f"nan{word}")
        if all((np.abs(of(others[:, some], axis=0) - row[some]) <= near[some]).all() for some in parts):
            by_chance = (others == row).all(axis=1).any() or _chance(near, others) >= RARE
            return "" if by_chance else word
    return ""


def _chance(near: Floats, others: Floats) -> float:
    """About how often a row of a table like this is so near to its middle: first its mean, then what sets columns apart."""
    level = np.nanmean(others, axis=1, keepdims=True)
    spreads = np.append(np.nanstd(level), np.nanstd(others - level, axis=0)[1:])
    width = 2 * near / np.maximum(math.sqrt(2 * math.pi) * spreads, 1e-300)
    return float(np.minimum(width, 1).prod())
