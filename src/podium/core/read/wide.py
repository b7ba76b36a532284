"""Wide tables: a row per dataset and a column per algorithm, the other way round, or a column per resample."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

import numpy as np

from podium.core.arrays import Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.read.block import Block, Labels, constant, labels_of, numbering, numbers_of, row_labels
from podium.core.read.cells import parse_column
from podium.core.read.metric_name import metric_in_stem, metric_of_table
from podium.core.read.names import clean_name, quoted, some_words, tokens
from podium.core.read.options import ReadOptions
from podium.core.read.roles import role_of
from podium.core.read.sheet import Sheet
from podium.core.read.sniff import Plan


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


def read_wide(sheet: Sheet, plan: Plan, options: ReadOptions) -> Part:
    """One number per row and column."""
    kind = "dataset" if plan.rows == "datasets" else "algorithm"
    across = "algorithm" if kind == "dataset" else "dataset"
    position = plan.role(kind)
    rows, keep, notes = row_labels(sheet, position, kind, options)
    plan, again = _without_copies(sheet, plan)
    columns = _column_names(sheet, plan, across)
    metric, found = metric_of_table(sheet, options, sheet.header[position] if position is not None else "")
    repeat = plan.role("repeat") if plan.role("repeat") is not None else plan.role("seed")
    block = _melted(sheet, plan, options, rows, columns)
    n, width = len(keep), len(columns)
    block_rows = Labels(rows.names, np.repeat(rows.codes[keep], width))
    block_columns = Labels(columns, np.tile(np.arange(width), n))
    values = block[0][keep].ravel()
    at = {int(row): place for place, row in enumerate(keep)}
    messages = {at[row] * width + column: text for (row, column), text in block[1].items() if row in at}
    made = Block(
        algorithm=block_columns if kind == "dataset" else block_rows,
        dataset=block_rows if kind == "dataset" else block_columns,
        repeat=np.repeat(numbering(sheet, repeat)[keep], width),
        fold=np.repeat(numbering(sheet, plan.role("fold"))[keep], width),
        metric=constant(metric, n * width),
        value=values,
        messages=messages,
    )
    named = f"rows are {kind}s" + (f" (column {sheet.header[position]!r})" if position is not None else " (numbered)")
    said = f"{sheet.label} was read as a wide table: {named}, columns are {across}s"
    return Part(blocks=[made], said=said, found=found, families=family_of(sheet, plan, rows), notes=notes + again)


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


def _melted(
    sheet: Sheet, plan: Plan, options: ReadOptions, rows: Labels, columns: list[str]
) -> tuple[np.ndarray[tuple[int, int], np.dtype[np.float64]], dict[tuple[int, int], str]]:
    """The numbers of all value columns side by side, and the texts that stood for failures."""
    values = np.empty((sheet.n_rows, len(columns)))
    messages: dict[tuple[int, int], str] = {}
    for j, place in enumerate(plan.values):

        def where(row: int, column: str = columns[j]) -> str:
            return f"{sheet.label}: the cell {rows[row]} / {column}"

        parsed = parse_column(sheet.column(place), options, where)
        values[:, j] = parsed.values
        messages |= {(row, j): text for row, text in parsed.messages.items()}
    return values, messages


def read_resamples(sheet: Sheet, plan: Plan, options: ReadOptions, algorithm: str | None = None) -> Part:
    """One algorithm's scores, a column per repeat or fold."""
    names = [sheet.header[place].strip() for place in plan.values]
    position = plan.role("dataset")
    corner = sheet.header[position] if position is not None else ""
    rows, keep, notes = row_labels(sheet, position, "dataset", options)
    metric, found = metric_of_table(sheet, options, corner, one_algorithm=True)
    algorithm = algorithm or algorithm_in_stem(sheet.stem) or "algorithm"
    values, messages = _melted(sheet, plan, options, rows, names)
    n, width = len(keep), len(names)
    repeat, fold = _resample_numbers(names, corner, options)
    at = {int(row): place for place, row in enumerate(keep)}
    block = Block(
        algorithm=constant(clean_name(algorithm, "algorithm"), n * width),
        dataset=Labels(rows.names, np.repeat(rows.codes[keep], width)),
        repeat=np.tile(repeat, n),
        fold=np.tile(fold, n),
        metric=constant(metric, n * width),
        value=values[keep].ravel(),
        messages={at[i] * width + j: text for (i, j), text in messages.items() if i in at},
    )
    varying = {"repeats": repeat, "folds": fold}
    kind = " and ".join(word for word, numbers in varying.items() if len(set(numbers)) > 1) or "one resample"
    said = f"{sheet.label} was read as a table of one algorithm, {algorithm!r}: rows are datasets, columns are {kind}"
    return Part(
        blocks=[block], said=said, found=found, one_algorithm=True, families=family_of(sheet, plan, rows), notes=notes
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
                f"{len(names)} numbered columns cannot be cut into {options.repeats} equal {{repeats}}.",
                options=["repeats"],
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
