"""Wide tables: a row per dataset and a column per algorithm, the other way round, or a column per resample."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from podium.core.arrays import Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import known_metric
from podium.core.names import clean_name, quoted, some_words, tokens
from podium.evidence.reading import Column
from podium.reading.block import Block, Labels, constant, labels_of, numbers_of
from podium.reading.cells import parse_columns
from podium.reading.columns import Plan
from podium.reading.metric_name import metric_in_stem, metric_of_table
from podium.reading.options import ReadOptions
from podium.reading.roles import role_of
from podium.reading.sheet import Sheet
from podium.reading.slots import check_repeated, slots_of
from podium.reading.summaries import named_cells


@dataclass(slots=True, kw_only=True)
class Part:
    """What one sheet gave: its rows, the families of its datasets, what to say about it and its metric."""

    blocks: list[Block]
    said: str
    found: str = ""
    families: dict[str, str] = field(default_factory=dict)
    directions: dict[str, str] = field(default_factory=dict)
    test_fraction: float | None = None
    one_algorithm: bool = False
    notes: list[str] = field(default_factory=list)
    layout: str = ""
    row: str = "one score"
    columns: tuple[Column, ...] = ()


def read_wide(sheet: Sheet, plan: Plan, options: ReadOptions, algorithm: str | None = None) -> Part:
    """One number per row and column; a column per resample where the table is of one algorithm."""
    kind = "algorithm" if plan.rows == "algorithms" else "dataset"
    across = "algorithm" if kind == "dataset" else "dataset"
    sheet, rows, notes = _row_names(sheet, plan, kind, options)
    corner = sheet.header[plan.roles[kind]] if kind in plan.roles else ""
    if plan.layout == "resamples":
        return _resamples(sheet, plan, options, rows, corner, notes, algorithm)
    plan, again = _without_copies(sheet, plan)
    columns = _column_names(sheet, plan, across)
    if plan.rows == "folds" and not plan.roles.keys() & {"fold", "repeat", "seed"}:
        if options.number_folds:
            raise ArgumentError(
                "Rows that are folds are numbered in their order anyway: leave out {argument}.", argument="number_folds"
            )
        options = replace(options, number_folds=True)
    slots = slots_of(sheet, plan, options, [rows])
    check_repeated(sheet, slots, {kind: rows}, wide=True)
    metric, found = metric_of_table(sheet, options, corner)
    n, width = sheet.n_rows, len(columns)
    names = {kind: rows.repeated(width), across: Labels(columns, np.tile(np.arange(width), n))}
    made = Block(
        algorithm=names["algorithm"],
        dataset=names["dataset"],
        repeat=np.repeat(slots.repeat, width),
        fold=np.repeat(slots.fold, width),
        metric=constant(metric, n * width),
        **_melted(sheet, plan, options, rows, columns),
    )
    return Part(
        blocks=[made],
        said=f"{sheet.label} was read as a wide table: {_rows_in_words(sheet, plan, kind, rows)}, columns are {across}s",
        found=found,
        families=family_of(sheet, plan, rows),
        notes=[*notes, *again, *slots.notes, *_numbered(plan, kind, options)],
        layout="wide",
        row=f"one {slots.unit} of one {kind}" if slots.unit else f"one {kind}",
        columns=columns_of(sheet, slots.plan, values=f"the scores of {'an' if across[0] == 'a' else 'a'} {across}"),
    )


def _row_names(sheet: Sheet, plan: Plan, kind: str, options: ReadOptions) -> tuple[Sheet, Labels, list[str]]:
    """The names of the rows: a column of them, their numbers, or one name where all are folds of one dataset."""
    sheet, names, notes = named_cells(sheet, plan, options, kind)
    if plan.rows == "folds":
        return sheet, names.get(kind) or one_dataset(sheet, options), notes
    numbered = Labels([str(i + 1) for i in range(sheet.n_rows)], np.arange(sheet.n_rows))
    return sheet, names.get(kind) or numbered, notes


def one_dataset(sheet: Sheet, options: ReadOptions) -> Labels:
    """The name of the only dataset in every row: as somebody says, or that of the file."""
    return constant(clean_name(options.dataset_name or sheet.stem or "dataset", "dataset"), sheet.n_rows)


def _numbered(plan: Plan, kind: str, options: ReadOptions) -> list[str]:
    """A caution on rows without names, where nobody has said what they are."""
    if options.rows != "auto" or plan.rows != "datasets" or plan.role(kind) is not None:
        return []
    return [
        "The rows have no names, and each is taken for another dataset: set `rows` to 'folds' if they are folds of one."
    ]


def _rows_in_words(sheet: Sheet, plan: Plan, kind: str, rows: Labels) -> str:
    position = plan.role(kind)
    if plan.rows == "folds" and position is None:
        return f"rows are folds of one dataset ({rows.names[0]!r})"
    return f"rows are {kind}s" + (f" (column {sheet.header[position]!r})" if position is not None else " (numbered)")


def _without_copies(sheet: Sheet, plan: Plan) -> tuple[Plan, list[str]]:
    """Columns of the same name and the same cells are one; `_column_names` refuses the others."""
    first: dict[str, int] = {}
    kept, copies = [], []
    for place in plan.values:
        twin = first.setdefault(sheet.header[place].strip(), place)
        if twin != place and sheet.column(twin).equals(sheet.column(place)):
            copies.append(sheet.header[place])
        else:
            kept.append(place)
    notes = [f"Duplicate columns that agree were merged: {quoted(copies)}."] if copies else []
    return replace(plan, values=tuple(kept)), notes


def _column_names(sheet: Sheet, plan: Plan, kind: str) -> list[str]:
    names: dict[str, int] = {}
    for place in plan.values:
        if not sheet.header[place].strip():
            raise DataError(f"Column {place + 1} of {sheet.label} has no name: name its {kind} in the header.")
        name = clean_name(sheet.header[place], kind)
        if name in names:
            raise DataError(
                f"The {kind} {name!r} names two columns of {sheet.label} that disagree: rename or delete one of them."
            )
        names[name] = place
    return list(names)


def _melted(sheet: Sheet, plan: Plan, options: ReadOptions, rows: Labels, columns: list[str]) -> dict[str, Any]:
    """The numbers of all value columns, row by row, the texts that stood for failures, and whether percent signs did."""
    values = np.empty((sheet.n_rows, len(columns)))
    messages: dict[int, str] = {}
    cells = [sheet.column(place) for place in plan.values]

    def where(j: int, row: int) -> str:
        return f"{sheet.label}: the cell {rows[row]} / {columns[j]}"

    parsed = parse_columns(cells, options, where)
    for j, one in enumerate(parsed):
        values[:, j] = one.values
        messages |= {row * len(columns) + j: text for row, text in one.messages.items()}
    return {"value": values.ravel(), "messages": messages, "percent": any(one.percents for one in parsed)}


def _resamples(
    sheet: Sheet,
    plan: Plan,
    options: ReadOptions,
    rows: Labels,
    corner: str,
    notes: list[str],
    algorithm: str | None,
) -> Part:
    """One algorithm's scores, a column per repeat or fold."""
    names = [sheet.header[place].strip() for place in plan.values]
    metric, found = metric_of_table(sheet, options, corner, one_algorithm=True)
    algorithm = algorithm or algorithm_in_stem(sheet.stem) or "algorithm"
    n, width = sheet.n_rows, len(names)
    repeat, fold = _resample_numbers(names, corner, options)
    block = Block(
        algorithm=constant(clean_name(algorithm, "algorithm"), n * width),
        dataset=rows.repeated(width),
        repeat=np.tile(repeat, n),
        fold=np.tile(fold, n),
        metric=constant(metric, n * width),
        **_melted(sheet, plan, options, rows, names),
    )
    varying = {"repeats": repeat, "folds": fold}
    kind = " and ".join(word for word, numbers in varying.items() if len(set(numbers)) > 1) or "one resample"
    said = f"{sheet.label} was read as a table of one algorithm, {algorithm!r}: rows are datasets, columns are {kind}"
    return Part(
        blocks=[block],
        said=said,
        found=found,
        one_algorithm=True,
        families=family_of(sheet, plan, rows),
        notes=notes,
        layout="resamples",
        row="one dataset",
        columns=columns_of(sheet, plan, values=f"the scores of one resample of {algorithm}"),
    )


def _resample_numbers(names: list[str], corner: str, options: ReadOptions) -> tuple[Ints, Ints]:
    """The repeat and fold of each numbered column.

    They are folds if they or the corner say so, and repeats of folds if `repeats` says how many; else they are
    repeats, whose share of test cases is unknown.
    """
    numbers = np.array(numbers_of(names), dtype=np.int64)
    if options.repeats is not None:
        if len(names) % options.repeats:
            raise ArgumentError(
                f"{len(names)} numbered columns cannot be cut into {options.repeats} equal {{repeats}}."
            )
        order = np.arange(len(names), dtype=np.int64)
        return order // (len(names) // options.repeats), order % (len(names) // options.repeats)
    named = any(re.match(r"fold|split|cv", name, re.IGNORECASE) for name in names)
    if named or role_of(corner) == "fold":
        return np.zeros_like(numbers), numbers
    return numbers, np.zeros_like(numbers)


def algorithm_in_stem(stem: str) -> str:
    """The algorithm a file is named for: its name up to the metric.

    >>> algorithm_in_stem("H-InceptionTime_accuracy_30_resamples"), algorithm_in_stem("svm")
    ('H-InceptionTime', 'svm')
    """
    metric = metric_in_stem(stem, one_algorithm=True)
    words = tokens(stem)
    if metric in words and words.index(metric) > 0:
        return some_words(stem, 0, words.index(metric))
    return stem


def family_of(sheet: Sheet, plan: Plan, datasets: Labels) -> dict[str, str]:
    """The family of each dataset, if there is a column for it; two families for one dataset are refused."""
    position = plan.role("family")
    if position is None:
        return {}
    families = labels_of(sheet, position, "family")
    pairs = sorted(set(zip(datasets.codes.tolist(), families.codes.tolist(), strict=True)))
    found: dict[str, str] = {}
    for dataset, family in pairs:
        name = datasets.names[dataset]
        if found.setdefault(name, families.names[family]) != families.names[family]:
            raise DataError(
                f"{sheet.label} gives the dataset {name!r} two families, {found[name]!r} and "
                f"{families.names[family]!r}: give it one."
            )
    return found


def columns_of(sheet: Sheet, plan: Plan, *, values: str) -> tuple[Column, ...]:
    """What every column was taken for, how sure that is and why."""
    by_place = {place: role for role, place in plan.roles.items()}
    found = []
    for place, name in enumerate(sheet.header):
        sure = "said" if place in plan.said else "sure"
        if place in sheet.parts:
            role, sure, why = f"part of the {sheet.parts[place]}", "said", "an option joins it"
        elif place in plan.values:
            known = known_metric(name) if values == "score" else None
            role = "cost" if known is not None and known.is_cost else values
            why = "its name says so" if known is not None else "a column of numbers"
        elif place in by_place:
            role = by_place[place]
            why = "its name says so" if role_of(name) == role else "it names the rows"
        elif not name.strip() and not sheet.column(place).notna().any():
            continue
        else:
            role, why = "left out", plan.why.get(place, "nothing needs it")
        found.append(Column(name=name, role=role, sure=sure, why="an option says so" if sure == "said" else why))
    return tuple(found)
