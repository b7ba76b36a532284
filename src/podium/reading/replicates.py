"""Replicates: which repeat and fold each row is, whether the cells share them, and rows that nothing tells apart."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

import numpy as np
import pandas as pd

from podium.core.arrays import Ints
from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import quoted, shown
from podium.core.numbers import counted
from podium.evidence.merging import combined, repeats
from podium.reading.block import Labels, numbering
from podium.reading.columns import Plan
from podium.reading.judge import refuse_cases
from podium.reading.options import ReadOptions
from podium.reading.question import Answer, Question
from podium.reading.roles import is_called, is_property, is_split, role_of, says_otherwise, tested_first
from podium.reading.sheet import Sheet

LEAST_FILLED = 0.5  # of its slots: a cell that has no more of them does not share them with the others
FEW_VALUES = 30  # a column with more values among the repeated rows is no setting


@dataclass(frozen=True, slots=True, kw_only=True)
class Slots:
    """The repeat and fold of each row, the plan with the columns that they came from, and what to say about it."""

    plan: Plan
    repeat: Ints
    fold: Ints
    notes: tuple[str, ...] = ()

    @property
    def unit(self) -> str:
        """What the rows of one cell are: folds, else repeats; "" where it has a single row."""
        return next((word for word in ("fold", "repeat") if len(pd.unique(getattr(self, word))) > 1), "")


def slots_of(sheet: Sheet, plan: Plan, options: ReadOptions, cells: list[Labels]) -> Slots:
    """Repeats and folds of the rows; `cells` are the labels that make a cell (dataset, and algorithm if it has one).

    A column that was only recognised by its name must be shared by the cells: a number of its own for each job is no
    number of a repeat. A column that an option names must be, or the reading is refused.
    """
    cell = combined([labels.codes for labels in cells])
    plan = _shared(sheet, plan, cell)
    _check_steps(sheet, plan, cell)
    metric = plan.role("metric")
    apart = cell if metric is None else combined([cell, sheet.codes(metric)[1]])
    fold = numbering(sheet, plan.role("fold"))
    place = plan.role("repeat")
    if place is None and (seed := plan.role("seed")) is not None:
        if seed in plan.said or len(np.unique(combined([apart, fold]))) < len(apart):
            place = seed
        else:
            plan = _without(
                plan, "seed", f"every row has its {sheet.header[seed]}, and none is needed to distinguish rows"
            )
    repeat = numbering(sheet, place)
    if options.number_folds:
        key = combined([apart, repeat])
        fold = pd.Series(key).groupby(key).cumcount().to_numpy().astype(np.int64)
        note = (
            f"Folds were numbered in the order of the rows: {_span(np.bincount(key))} for each algorithm and dataset."
        )
        return Slots(plan=plan, repeat=repeat, fold=fold, notes=(note,))
    return Slots(plan=plan, repeat=repeat, fold=fold)


def _span(counts: Ints) -> str:
    """The smallest and the largest of some counts."""
    return str(counts.min()) if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"


def _without(plan: Plan, role: str, why: str) -> Plan:
    place = plan.roles[role]
    return replace(
        plan,
        roles={name: at for name, at in plan.roles.items() if name != role},
        ignored=tuple(sorted({*plan.ignored, place})),
        why={**plan.why, place: why},
    )


def _shared(sheet: Sheet, plan: Plan, cell: Ints) -> Plan:
    """The plan without the columns whose numbers are not shared by the cells."""
    for role in ("fold", "repeat", "seed"):
        place = plan.role(role)
        if place is None:
            continue
        said = place in plan.said
        _check_words(sheet, plan, place, role, said=said)
        filled, per_cell, total = _filled(cell, sheet.codes(place)[1])
        if filled > LEAST_FILLED:
            continue
        name = shown(sheet.header[place])
        if said:
            word = "folds" if role == "fold" else "repeats"
            raise DataError(
                f"With the column {name} as {word}, most cells lack most of their {word} ({per_cell} of {total}): {name} is "
                f"not a number of {word} that the algorithms and datasets share; check {{{role}_column}}."
            )
        plan = _without(plan, role, f"its numbers are not shared: a cell has {per_cell} of {total}")
    return plan


def _filled(cell: Ints, numbers: Ints) -> tuple[float, int, int]:
    """Which share of all numbers the median cell has, how many these are, and how many there are."""
    total = len(pd.unique(numbers))  # by hashing; np.unique sorts
    pairs = pd.unique(cell * (int(numbers.max(initial=0)) + 2) + numbers + 1) // (int(numbers.max(initial=0)) + 2)
    counts = np.bincount(pairs)
    per_cell = float(np.median(counts[counts > 0]))
    return per_cell / total, int(per_cell), total


def _check_words(sheet: Sheet, plan: Plan, place: int, role: str, *, said: bool) -> None:
    """Refuse words, and a column that is named for a setting, as numbers of repeats or folds."""
    names, _ = sheet.codes(place)
    header = sheet.header[place]
    words = [name for name in names if not has_digit(name)]
    if plan.layout == "long" and plan.role("algorithm") is None and _name_more(names):
        raise DataError(
            f"Column {shown(header)} of {sheet.label} holds {quoted(names, 3)}, which are more than numbers of {role}s: put what is "
            "compared into a column of algorithms, and the numbers into another."
        )
    shares = _are_shares(names) or (role == "fold" and not said and _are_round(names))
    if len(names) > 1 and (words or shares or (said and is_property(header))):
        kept = [equals(sheet, place, name) for name in tested_first(names)[:3]]
        compared = plan.role("algorithm")
        parts = [] if compared is None else [sheet.header[compared]]
        joins = parts or plan.layout == "long"
        raise Question(
            f"Column {shown(header)} of {sheet.label} holds {quoted(names, 3)}, which are not numbers of {role}s: averaging over "
            f"them would mix what is different. Make it part of a name ({{algorithm_column}} or {{dataset_column}} with a +), "
            f'or keep the rows of one value ({{where}} "{kept[0]}").',
            *({"where": condition} for condition in kept),
            # Algorithms in columns have no column that the values could join: rows would become algorithms.
            *([{"algorithm_column": "+".join([*parts, header])}] if joins and not all(map(is_split, names)) else []),
        )


def has_digit(name: str) -> bool:
    """Whether a name may number something."""
    return any(sign.isdigit() for sign in name)


def _name_more(names: list[str]) -> bool:
    """Whether numbered texts name several things: svm-seed0, svm-seed1, rf-seed0; identifiers all differ.

    >>> _name_more(["svm-seed0", "svm-seed1", "rf-seed0"]), _name_more(["r1f1", "r1f2"]), _name_more(["a7", "c2", "k1"])
    (True, False, False)
    """
    stems = {re.sub(r"[\d\W_]+", "", name).lower() for name in names}
    return 1 < len(stems) < len(names)


def equals(sheet: Sheet, place: int, value: str) -> str:
    """The filter for the rows of one value."""
    name = sheet.header[place].strip()
    number = sheet.column(place).dtype.kind in "iuf"
    spelled = name if re.fullmatch(r"[^\W\d][\w.]*", name) else f"`{name}`"
    return f"{spelled} == {value if number else repr(value)}"


def _are_shares(names: list[str]) -> bool:
    """Whether texts are shares of training and test cases: 20_80 and 50_50, 80/10/10, 60%.

    >>> _are_shares(["20_80", "50_50"]), _are_shares(["60%", "80%"]), _are_shares(["1_3", "2_1"]), _are_shares(["r1f2", "r1f3"])
    (True, True, False, False)
    """
    if all(re.fullmatch(r"\d+(\.\d+)?\s*%", name) for name in names):
        return True
    if not all(
        re.fullmatch(r"(train|test)?[\W_]*\d+(\.\d+)?([\W_]+(train|test)?[\W_]*\d+(\.\d+)?)+", name) for name in names
    ):
        return False
    sums = {round(sum(map(float, re.findall(r"\d+(?:\.\d+)?", name))), 6) for name in names}
    return len(sums) == 1 and sums <= {1.0, 10.0, 100.0}


def _are_round(names: list[str]) -> bool:
    """Whether "splits" are called 60, 70, 80: shares in percent, as folds count up."""
    numbers = sorted(int(name) for name in names if name.isdigit())
    return (
        1 < len(numbers) == len(names) and numbers[0] >= 10 and numbers[-1] < 100 and all(n % 5 == 0 for n in numbers)
    )


def _check_steps(sheet: Sheet, plan: Plan, cell: Ints) -> None:
    """Refuse a training curve: a score per epoch is no repeat."""
    place = plan.role("step")
    if place is None:
        return
    names, codes = sheet.codes(place)
    named = {"algorithm", "dataset"} <= plan.roles.keys()  # then one step of each is how long it was trained
    if len(names) > 1 and (not named or _varies_within(cell, codes)):
        header = sheet.header[place]
        raise Question(
            f"{sheet.label} has a score for each {shown(header)} ({quoted(names, 3)}), and steps of one training are not "
            f'repeats: keep one with {{where}} "{header} == {names[-1]}", or leave the column out with {{ignore_column}} '
            f"{shown(header)}.",
            {"where": equals(sheet, place, names[-1])},
        )


def check_repeated(
    sheet: Sheet, slots: Slots, cells: dict[str, Labels], *, wide: bool = False, cases: bool = False
) -> None:
    """Refuse rows of scores in the same slot that disagree, or that differ in a column that was left out; these may be `cases`."""
    plan = slots.plan
    codes: list[Ints] = [labels.codes.astype(np.int64) for labels in cells.values()]
    if (metric := plan.role("metric")) is not None:
        codes.append(sheet.codes(metric)[1].astype(np.int64))
    if not repeats([*codes, slots.repeat, slots.fold]):
        return
    key = combined([*codes, slots.repeat, slots.fold])
    counts = np.bincount(key)
    rows = np.flatnonzero(counts[key] > 1)
    varying = varying_in(sheet, plan, key[rows], rows)
    differ = [i for i in plan.values if _disagrees(key[rows], sheet.column(i).iloc[rows])]
    if not varying and not differ:
        return
    for name in (sheet.header[i] for i in varying if cases):
        if is_called(name, "cases.clear", "cases.counter"):
            refuse_cases(sheet, f"column {shown(name)} tells the rows of an algorithm apart")
    value = differ[0] if differ else plan.values[0]
    first = _worst(key, rows, sheet.column(value))
    mine = np.flatnonzero(key == key[first])
    who = shown(cells["algorithm"][first]) if "algorithm" in cells else shown(sheet.header[value])
    on = shown(cells["dataset"][first]) if "dataset" in cells else sheet.label
    texts = [str(cell) for cell in pd.unique(sheet.column(value).iloc[mine].dropna())[:3]]
    what = f"scores that disagree on {on}: {', '.join(texts)}" if differ else f"rows on {on}"
    more = len(np.unique(key[rows])) - 1
    others = f" (and {counted(more, 'more such cell')})" if more else ""
    each = _span(np.bincount(combined([labels.codes for labels in cells.values()])))
    settings = [i for i in varying if _is_setting(sheet, i, rows)]
    name = sheet.header[settings[0]] if settings else ""
    numbers = all(text.isdigit() for i in settings[:1] for text in _texts(sheet, i, mine)) and not is_property(name)
    raise told_apart(
        sheet,
        plan,
        f"{who} has {len(mine)} {what}{others}",
        varying,
        mine,
        settings=settings,
        names=_nameable(sheet, settings, wide=wide),
        counts=f"; if it numbers repeats of the same thing, name it with {{repeat_column}} {name!r}" if numbers else "",
        otherwise=f"If they are folds in the order of the rows, give {{number_folds}} ({each} for each algorithm and "
        "dataset); if not, delete the duplicates, or name the column that distinguishes them with {fold_column} or "
        "{repeat_column}.",
    )


def _nameable(sheet: Sheet, settings: list[int], *, wide: bool) -> tuple[str, ...]:
    """The names that a setting can be part of; neither metrics nor datasets are ever compared with each other."""
    levels = sheet.codes(settings[0])[0] if settings else []
    other = any(is_called(sheet.header[place], "known.moment") for place in settings[:1])
    other = other or any(name.lower().startswith("overall") for name in levels)  # beside parts of it
    if levels and (other or all(known_metric(name) is not None for name in levels) or all(map(is_split, levels))):
        return ()
    of_data = wide or any(_is_of_data(sheet.header[place]) for place in settings[:1])
    return ("dataset",) if of_data else ("algorithm", "dataset")


def _is_of_data(name: str) -> bool:
    """Whether a setting says on what the algorithms were tried: another dataset, its size, a patient."""
    return role_of(name) == "dataset" or is_property(name) or is_called(name, "known.of_data") or name.strip() == "n"


def varying_in(sheet: Sheet, plan: Plan, key: Ints, rows: Ints) -> list[int]:
    """The columns that were left out, by nobody's wish, and in which rows of the same key differ."""
    left = [i for i in plan.ignored if i not in plan.said and i not in sheet.parts and sheet.header[i].strip()]
    return [i for i in left if sheet.column(i).notna().any() and _varies_within(key, sheet.codes(i)[1][rows])]


def _varies_within(key: Ints, codes: Ints) -> bool:
    width = int(codes.max(initial=0)) + 2
    return len(np.unique(key * width + codes + 1)) > len(np.unique(key))


def _disagrees(key: Ints, column: pd.Series) -> bool:
    present = column.notna().to_numpy()
    codes, _ = pd.factorize(column.to_numpy()[present])
    return _varies_within(key[present], codes.astype(np.int64)) if present.any() else False


def _worst(key: Ints, rows: Ints, column: pd.Series) -> int:
    """The first row of a slot whose values differ, or of any slot with several rows."""
    frame = pd.DataFrame({"key": key[rows], "cell": column.iloc[rows].to_numpy()})
    differing = frame.groupby("key")["cell"].nunique()
    chosen = differing.index[differing > 1]
    wanted = chosen[0] if len(chosen) else key[rows[0]]
    return int(rows[key[rows] == wanted][0])


def _is_setting(sheet: Sheet, place: int, rows: Ints) -> bool:
    """Whether a column can be a setting: it has few values."""
    column = sheet.column(place).iloc[rows].dropna()
    n = column.nunique()
    return n <= FEW_VALUES and 2 * n <= max(len(column), 4)


def told_apart(
    sheet: Sheet,
    plan: Plan,
    start: str,
    varying: list[int],
    rows: Ints,
    *,
    settings: list[int],
    names: tuple[str, ...],
    counts: str,
    otherwise: str,
    first: tuple[Answer, ...] = (),
) -> DataError:
    """The question for rows in one place: what tells them apart? A setting may be part of some `names`, or one level is kept; the
    `first` offers may be others."""
    header = sheet.header
    if not settings:
        listed = quoted([header[i] for i in varying], 4)
        said = f"only {listed} differ{'s' if len(varying) == 1 else ''}" if varying else "no column distinguishes them"
        return DataError(f"{start}; {said}. {otherwise}")
    name, place = header[settings[0]], settings[0]
    levels = tested_first(_texts(sheet, place, rows))
    said = " and ".join(f"{shown(header[i])} ({quoted(_texts(sheet, i, rows), 3)})" for i in settings[:3])
    rest = [header[i] for i in varying if i not in settings]
    also = f" (besides {quoted(rest, 3)})" if rest else ""
    joined = {
        role: name if plan.role(role) is None else f"{header[plan.roles[role]]}+{name}"
        for role in names
        if plan.role(role) is None or {*header[plan.roles[role]].split("+")} & {*sheet.named}
    }
    cures = [f"part of the {role}'s name ({{{role}_column}} {column!r})" for role, column in joined.items()]
    cures.append(f'{"or " if cures else ""}keep the rows of one value ({{where}} "{equals(sheet, place, levels[0])}")')
    if "algorithm" in joined and "algorithm" in plan.roles:
        is_number = sheet.column(place).dtype.kind in "biuf"
        if "dataset" in plan.roles or is_number or says_otherwise(name):
            joined.pop("dataset", None)  # a setting of the algorithms makes no further datasets
        joined = dict(sorted(joined.items(), reverse=True))
    return Question(
        f"{start}; they differ in {said}{also}. {f'Say what {shown(name)} is: ' if joined else 'To go on, '}{', '.join(cures)}{counts}.",
        *first,
        *({f"{role}_column": column} for role, column in joined.items()),
        *({"where": equals(sheet, place, level)} for level in tested_first(sheet.codes(place)[0])[:3]),
        columns=tuple(header[i] for i in varying),
    )


def _texts(sheet: Sheet, place: int, rows: Ints) -> list[str]:
    names, codes = sheet.codes(place)
    return [names[code] if code >= 0 else "" for code in dict.fromkeys(codes[rows].tolist())]
