"""The scores of a sheet whose columns are known: a block of rows for each column of a long table, one block of a wide table."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import is_cost, known_metric
from podium.core.names import clean_name, quoted, shown, some_words, tokens, unguarded
from podium.core.numbers import counted, some
from podium.evidence.reading import Column
from podium.reading.block import Block, Labels, constant, labels_of, numbered_rows, numbers_of
from podium.reading.cells import FINISHED, MISSING_MARKERS, Parsed, is_unfinished, number_of, parse_columns
from podium.reading.columns import Plan
from podium.reading.judge import plain_numbers
from podium.reading.metric_name import metric_in_stem, metric_of_table
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from podium.reading.replicates import Slots, check_repeated, slots_of
from podium.reading.roles import ROLES, role_of
from podium.reading.sheet import Sheet
from podium.reading.summaries import named_cells

SAID = "an option says so"
UNNAMED = "the dataset"  # the only one, where nothing names it


@dataclass(slots=True, kw_only=True)
class Part:
    """What one sheet gave: its rows, the families of its datasets, what to say about it and its metric."""

    blocks: list[Block]
    said: str
    found: str = ""
    families: Mapping[str, str] = field(default_factory=dict)
    directions: Mapping[str, str] = field(default_factory=dict)
    test_fraction: float | None = None
    one_algorithm: bool = False
    notes: list[str] = field(default_factory=list)
    layout: str = ""
    row: str = ""  # what one row is, where the file says it
    columns: tuple[Column, ...] = ()


def build(sheet: Sheet, plan: Plan, options: ReadOptions, algorithm: str | None = None) -> Part:
    """The scores of a long or wide table, or of one with a column per resample of an `algorithm`."""
    sheet, notes = _without_metric(sheet, plan)
    sheet, _, of_folds = named_cells(sheet, plan, options, "fold", "repeat", numbered=True)
    sheet, names, dropped = named_cells(sheet, plan, options, *plan.named)
    if "algorithm" not in names and plan.layout != "wide":
        name = algorithm or algorithm_in_stem(sheet.stem) or "algorithm"
        names["algorithm"] = constant(clean_name(name, "algorithm"), sheet.n_rows)
    if "dataset" not in names and (plan.layout == "long" or plan.rows == "folds"):
        name = options.dataset_name or sheet.stem or UNNAMED
        names["dataset"] = constant(clean_name(name, "dataset"), sheet.n_rows)
    notes = [*of_folds, *dropped, *notes]
    if plan.layout == "long":
        part = _long(sheet, plan, options, names)
    else:
        names.setdefault(plan.named[0], numbered_rows(sheet.n_rows))
        part = (_resamples if plan.layout == "resamples" else _wide)(sheet, plan, options, names)
    part.notes = [*notes, *part.notes]
    part.layout = plan.layout
    if "family" in plan.roles and "dataset" in names:
        part.families = one_each(sheet, plan, "family", names["dataset"], "dataset")
    return part


# Long tables.


def _long(sheet: Sheet, plan: Plan, options: ReadOptions, names: dict[str, Labels]) -> Part:
    """One block per column of scores."""
    slots = slots_of(sheet, plan, options, list(names.values()))
    plan = slots.plan
    check_repeated(sheet, slots, names, cases=options.unit is None)
    silent = MISSING_MARKERS | FINISHED
    texts, kinds = (
        states(sheet, plan, lambda word: None if word.lower() in silent else unguarded(word), role)
        for role in ("message", "status")
    )
    failed = {row: kind for row, kind in kinds.items() if is_unfinished(kind)}
    scored: set[int] = set()
    blocks = []
    for value in plan.values:

        def where(_: int, row: int, column: str = sheet.header[value]) -> str:
            return f"{sheet.label}: {column!r} of {names['algorithm'][row]} on {names['dataset'][row]}"

        block = _block(
            sheet, plan, [value], options, where, slots, names | {"metric": _metric(sheet, plan, options, value)}
        )
        refuted = {row: kind for row, kind in failed.items() if not np.isnan(block.value[row])}
        scored |= set(refuted)
        block.value[list(failed)] = np.nan
        missing = set(np.flatnonzero(np.isnan(block.value)).tolist())
        reasons = {**refuted, **texts, **block.messages}
        block.messages = {row: text for row, text in reasons.items() if row in missing}
        block.kinds = {row: kind for row, kind in kinds.items() if row in missing}
        blocks.append(block)
    header = sheet.header
    parts = [f"{role} = {header[plan.roles[role]]!r}" for role in ROLES if role in plan.roles]
    if plan.role("algorithm") is None:
        parts.append(f"one algorithm, {names['algorithm'].names[0]!r}")
    values = quoted([header[place] for place in plan.values], 8)
    return Part(
        blocks=blocks,
        said=f"{sheet.label} was read as a long table: {', '.join(parts)}, value = {values}",
        directions=_directions(sheet, plan),
        test_fraction=_test_fraction(sheet, plan),
        one_algorithm=plan.role("algorithm") is None,
        notes=[*slots.notes, *_failed(sheet, plan, {row: failed[row] for row in sorted(scored)})],
        row=f"one algorithm on one {slots.unit} of a dataset" if slots.unit else "one algorithm on one dataset",
        columns=columns_of(sheet, plan, values="score"),
    )


def _block(
    sheet: Sheet,
    plan: Plan,
    places: list[int],
    options: ReadOptions,
    where: Callable[[int, int], str],
    slots: Slots,
    names: dict[str, Labels],
) -> Block:
    """The numbers of some columns, row by row, the texts that stood for failures, and whether percent signs did."""
    width = len(places)
    parsed = parse_columns([sheet.column(place) for place in places], options, where)
    return Block(
        algorithm=names["algorithm"],
        dataset=names["dataset"],
        metric=names["metric"],
        repeat=np.repeat(slots.repeat, width),
        fold=np.repeat(slots.fold, width),
        value=np.column_stack([one.values for one in parsed]).ravel(),
        messages={row * width + j: text for j, one in enumerate(parsed) for row, text in one.messages.items()},
        percent=any(one.percents for one in parsed),
        deviation=_deviations(sheet, plan, places, options, parsed),
    )


def _deviations(
    sheet: Sheet, plan: Plan, places: list[int], options: ReadOptions, parsed: list[Parsed]
) -> Floats | None:
    """The spreads of these columns, row by row: from columns of their own, or from the cells; None where there are none."""
    beside = {i: plan.spreads[place] for i, place in enumerate(places) if place in plan.spreads}
    if not beside and not any(one.deviations for one in parsed):
        return None
    spreads = np.full((sheet.n_rows, len(places)), np.nan)
    for i, one in enumerate(parsed):
        spreads[list(one.deviations), i] = list(one.deviations.values())
    for i, place in beside.items():
        numbers = (number_of(str(cell), options) for cell in sheet.column(place))
        spreads[:, i] = [np.nan if number is None else number for number in numbers]
    return np.where(np.isfinite(spreads) & (spreads >= 0), spreads, np.nan).ravel()


def _metric(sheet: Sheet, plan: Plan, options: ReadOptions, value: int) -> Labels:
    """The metric of each row: a column of metrics, the name of the value column, or the name that was given."""
    if (place := plan.role("metric")) is not None:
        return labels_of(sheet, place, "metric")
    name = sheet.header[value].strip()
    alone = sum(not is_cost(sheet.header[i]) for i in plan.values) <= 1 and (len(plan.values) == 1 or not is_cost(name))
    if alone and options.metrics and (options.value_column is not None or known_metric(name) is None):
        name = options.metrics[0]
    elif alone and role_of(name) == "value" and options.direction is None and options.value_column is None:
        name = metric_of_table(sheet, options, name)[0]  # only called "score": the file's name may still say what it is
    return constant(clean_name(name, "metric"), sheet.n_rows)


def _without_metric(sheet: Sheet, plan: Plan) -> tuple[Sheet, list[str]]:
    """The sheet without blank metrics in rows without a score, as runs that failed; and a note on rows that were left out.

    Where a dataset has one metric only, they are missing scores of it.
    """
    place = plan.role("metric")
    if place is None:
        return sheet, []
    blank = sheet.codes(place)[1] < 0
    for value in plan.values:
        blank &= sheet.column(value).isna().to_numpy()
    if not blank.any() or blank.all():
        return sheet, []
    if (dataset := plan.role("dataset")) is not None:
        names = sheet.column(place)
        by_dataset = names.groupby(sheet.codes(dataset)[1])
        if by_dataset.nunique().max() == 1:
            frame = sheet.frame.copy()
            frame.isetitem(place, names.where(~blank, by_dataset.transform("first")).to_numpy())
            sheet = replace(sheet, frame=frame)
            blank &= frame.iloc[:, place].isna().to_numpy()
            if not blank.any():
                return sheet, []
    rows = counted(int(blank.sum()), "row")
    return sheet.rows(~blank), [
        f"{rows} with neither a score nor a metric {'was' if blank.sum() == 1 else 'were'} left out."
    ]


def _failed(sheet: Sheet, plan: Plan, marked: dict[int, str]) -> list[str]:
    """A note on the rows whose scores are missing only because their status says that they failed."""
    if not marked:
        return []
    name = shown(sheet.header[plan.roles["status"]])
    words = quoted(dict.fromkeys(marked.values()))
    if len(marked) == sheet.n_rows:
        raise DataError(
            f"{sheet.label}: all scores are marked {words} in {name}: give {{ignore_column}} {name} if they count all the same."
        )
    one = len(marked) == 1
    return [
        f"{counted(len(marked), 'row')} with a score {'is' if one else 'are'} marked {words} in {name}: {'its' if one else 'their'} "
        f"scores are missing. `ignore_column` {name} keeps them."
    ]


def _directions(sheet: Sheet, plan: Plan) -> dict[str, str]:
    """The direction of each metric ("higher", "lower" or "cost"), where a table that Podium wrote says it."""
    if not {"metric", "direction"} <= plan.roles.keys():
        return {}
    words = one_each(sheet, plan, "direction", labels_of(sheet, plan.roles["metric"], "metric"), "metric")
    return {metric: word for metric, word in words.items() if word in ("higher", "lower", "cost")}


def _test_fraction(sheet: Sheet, plan: Plan) -> float | None:
    place = plan.role("test_fraction")
    if place is None or sheet.column(place).dtype.kind != "f":
        return None
    shares = sheet.column(place).dropna().unique()
    return float(shares[0]) if len(shares) == 1 and 0 < shares[0] < 1 else None


# Wide tables.


def _wide(sheet: Sheet, plan: Plan, options: ReadOptions, names: dict[str, Labels]) -> Part:
    """One number per row and column."""
    ((kind, rows),) = names.items()
    across = "algorithm" if kind == "dataset" else "dataset"
    plan, merged = _without_copies(sheet, plan)
    columns = _column_names(sheet, plan, across)
    if plan.rows == "folds" and not plan.roles.keys() & {"fold", "repeat", "seed"}:
        if options.number_folds:
            raise ArgumentError(
                "Rows that are folds are numbered in their order anyway: leave out {argument}.", argument="number_folds"
            )
        options = replace(options, number_folds=True)
    slots = slots_of(sheet, plan, options, [rows])
    check_repeated(sheet, slots, names, wide=True)
    position = plan.role(kind)
    _check_ranks(sheet, plan, options)
    metric, source = metric_of_table(sheet, options, "" if position is None else sheet.header[position])
    unnamed = options.rows == "auto" and plan.rows == "datasets" and position is None
    caution = (
        "The rows have no names, and each is read as another dataset: set `rows` to 'folds' if they are folds of one."
    )
    if plan.rows == "folds" and position is None:
        rows_are = f"folds of one dataset ({rows.names[0]!r})"
    else:
        rows_are = f"{kind}s" + (f" (column {sheet.header[position]!r})" if position is not None else " (numbered)")
    return Part(
        blocks=[_melted(sheet, plan, options, slots, names, columns, metric, across)],
        said=f"{sheet.label} was read as a wide table: rows are {rows_are}, columns are {across}s",
        found=source,
        notes=[*merged, *slots.notes, *([caution] if unnamed else [])],
        row=f"one {slots.unit} of one {kind}" if slots.unit else f"one {kind}",
        columns=columns_of(sheet, slots.plan, values=f"the scores of {'an' if across[0] == 'a' else 'a'} {across}"),
    )


def _check_ranks(sheet: Sheet, plan: Plan, options: ReadOptions) -> None:
    """Ask whether the first place is the best, where a table holds the ranks of its algorithms."""
    if options.direction is not None:
        return
    numbers = plain_numbers(sheet, plan.values)
    numbers = numbers if plan.rows == "datasets" else numbers.T
    k = numbers.shape[1]
    if k > 2 and (numbers >= 1).all() and np.allclose(numbers.sum(axis=1), k * (k + 1) / 2):
        raise Question(
            f"{sheet.label} holds ranks from 1 to {k}, not scores: set {{direction}} to 'lower' if rank 1 is the best.",
            {"direction": "lower"},
        )


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
    sheet: Sheet,
    plan: Plan,
    options: ReadOptions,
    slots: Slots,
    names: dict[str, Labels],
    columns: list[str],
    metric: str,
    across: str = "",
) -> Block:
    """The block of all columns of scores; they are called so, and name what goes `across`."""
    width, rows = len(columns), names[plan.named[0]]
    by_cell = {role: labels.repeated(width) for role, labels in names.items()}
    by_cell["metric"] = constant(metric, sheet.n_rows * width)
    if across:
        by_cell[across] = Labels(columns, np.tile(np.arange(width), sheet.n_rows))

    def where(column: int, row: int) -> str:
        return f"{sheet.label}: the cell {rows[row]} / {columns[column]}"

    return _block(sheet, plan, list(plan.values), options, where, slots, by_cell)


def _resamples(sheet: Sheet, plan: Plan, options: ReadOptions, names: dict[str, Labels]) -> Part:
    """One algorithm's scores, a column per repeat or fold."""
    columns = [sheet.header[place].strip() for place in plan.values]
    corner = sheet.header[plan.roles["dataset"]] if "dataset" in plan.roles else ""
    metric, source = metric_of_table(sheet, options, corner, one_algorithm=True)
    algorithm = names["algorithm"].names[0]
    repeat, fold = _resample_numbers(columns, corner, options)
    none = np.zeros(sheet.n_rows, dtype=np.int64)
    block = _melted(sheet, plan, options, Slots(plan=plan, repeat=none, fold=none), names, columns, metric)
    block.repeat, block.fold = np.tile(repeat, sheet.n_rows), np.tile(fold, sheet.n_rows)
    varying = {"repeats": repeat, "folds": fold}
    kind = " and ".join(word for word, numbers in varying.items() if len(set(numbers)) > 1) or "one resample"
    return Part(
        blocks=[block],
        said=f"{sheet.label} was read as a table of one algorithm, {algorithm!r}: rows are datasets, columns are {kind}",
        found=source,
        one_algorithm=True,
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


# What all units share.


def states(sheet: Sheet, plan: Plan, word_of: Callable[[str], str | None], role: str = "status") -> dict[int, str]:
    """What the column of states (or of another role) says by row: the word that is made of a cell, where it is any."""
    if role not in plan.roles:
        return {}
    names, codes = sheet.codes(plan.roles[role])
    words = [word_of(name) for name in names]
    says = np.array([*(word is not None for word in words), False])
    return {row: words[codes[row]] or "" for row in np.flatnonzero(says[codes]).tolist()}


def one_each(sheet: Sheet, plan: Plan, role: str, names: Labels, noun: str) -> dict[str, str]:
    """What the column of a role says of each name; nothing has two of them."""
    words = labels_of(sheet, plan.roles[role], role)
    said: dict[str, str] = {}
    for code, other in sorted(set(zip(names.codes.tolist(), words.codes.tolist(), strict=True))):
        name, word = names.names[code], words.names[other]
        if said.setdefault(name, word) != word:
            raise DataError(
                f"{sheet.label} gives the {noun} {shown(name)} more than one {role} ({shown(said[name])}, {shown(word)}): give it one."
            )
    return said


def columns_of(sheet: Sheet, plan: Plan, *, values: str) -> tuple[Column, ...]:
    """What every column was read as, and why."""
    by_place = {place: role for role, place in plan.roles.items()}
    spread_of = {spread: mean for mean, spread in plan.spreads.items()}
    columns = []
    for place, name in enumerate(sheet.header):
        if place in sheet.parts:
            role, why = f"part of the {sheet.parts[place]}", SAID
        elif place in plan.values:
            metric = known_metric(name) if values == "score" else None
            role = "cost" if metric is not None and metric.is_cost else values
            why = "its name says so" if metric is not None else "a column of numbers"
        elif place in by_place:
            role = by_place[place]
            why = "its name says so" if role_of(name) == role else "it names the rows"
        elif place in spread_of and spread_of[place] in plan.values:
            role, why = "standard deviation", plan.why[place]
        elif not name.strip() and not sheet.column(place).notna().any():
            continue
        else:
            role, why = "left out", plan.why.get(place, "nothing needs it")
        columns.append(Column(name=name, role=role, why=SAID if place in plan.said else why))
    return tuple(columns)


def ignored_note(names: list[str]) -> list[str]:
    """A note on columns that were left out; some may have no name, as the index of a DataFrame."""
    if not names:
        return []
    listed = some((shown(name) if name.strip() else "one without a name" for name in names), 20)
    return [f"Ignored column{'s' if len(names) > 1 else ''}: {listed}."]
