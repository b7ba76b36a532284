"""Outcomes per test case, long (system, case, score) or wide (cases x systems), as `Cases`."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pandas as pd

from podium.core.arrays import Floats, Indices
from podium.core.errors import DataError, as_sentence
from podium.core.metric import Direction, Metric, known_metric, settled_metric
from podium.core.names import clean_name, in_order, quoted, shown
from podium.core.numbers import counted, plural
from podium.evidence.cases import Cases, kind_of, sample_means
from podium.evidence.merging import repeats
from podium.evidence.reading import Reading
from podium.reading.block import Labels, constant, labels_of, numbered_rows
from podium.reading.build import columns_of, ignored_note, one_each, states
from podium.reading.case_shapes import case_plan
from podium.reading.cells import parse_column
from podium.reading.columns import Columns, Plan
from podium.reading.grades import counts_right, counts_wrong, error_kind, name_of_share, outcomes_of, says_what_is_right
from podium.reading.options import ReadOptions
from podium.reading.replicates import FEW_VALUES, told_apart, varying_in
from podium.reading.reshape import joined_labels
from podium.reading.roles import is_called
from podium.reading.sheet import Sheet
from podium.reading.summaries import named_cells

SHARED = 2  # times the samples of a case: with more names than that every sample has one of its own


@dataclass(slots=True, kw_only=True)
class _Outcomes:
    """What a sheet holds, on the way to `Cases`."""

    values: Floats
    cases: list[str]
    systems: list[str]
    rows: Indices  # the row of the sheet that says most of each case
    holes: dict[tuple[str, str], str] = field(default_factory=dict)
    samples: Floats | None = None
    costs: Floats | None = None
    notes: tuple[str, ...] = ()


def read_outcomes(source: Any, options: ReadOptions, *, single: str | None = None) -> Cases:
    """Cases from a path, a DataFrame, a dict of columns or an array, whatever its columns are called."""
    from podium.reading.reader import read_unit

    cases: Cases = read_unit("case", source, options, single=single)
    return cases


def outcomes_of_sheet(sheet: Sheet, options: ReadOptions, *, single: str | None = None) -> Cases:
    """The cases of a sheet whose unit is the case.

    A table that does not name its algorithms has a column for each, unless it is of a `single` one of that name.
    """
    options.check_unit("case")
    name = options.one_metric
    plan = case_plan(Columns(sheet, options), single=single is not None)
    sheet, names, notes = named_cells(sheet, plan, options, "algorithm", "case")
    sheet = replace(sheet, notes=(*sheet.notes, *notes))
    cases = _case_labels(sheet, plan, names.get("case"))
    outcomes = _long(sheet, plan, options, cases, names.get("algorithm") or constant(single or "", sheet.n_rows))
    if name is None and plan.layout == "long":
        name = sheet.header[plan.values[0]]
    return _cases(sheet, plan, outcomes, cases, options, name)


def _case_labels(sheet: Sheet, plan: Plan, names: Labels | None) -> Labels:
    """The names of cases; a case of the same name in two benchmarks is two cases, and rows without a name are numbered."""
    if names is None:
        return numbered_rows(sheet.n_rows)
    group = next((plan.roles[role] for role in ("benchmark", "group") if role in plan.roles), None)
    if group is not None:
        labels_of(sheet, group, "benchmark")  # a blank one is refused
        names = joined_labels(sheet, [group, plan.roles["case"]], "/")
    if plan.layout == "wide" and len(names.names) < sheet.n_rows:
        twice = names.names[int(np.bincount(names.codes).argmax())]
        raise DataError(
            f"{sheet.label}: the case {shown(twice)} occurs in more than one row: give each case its own name, or one row "
            "per system, case and sample."
        )
    return names


def _long(sheet: Sheet, plan: Plan, options: ReadOptions, cases: Labels, who: Labels) -> _Outcomes:
    """The outcomes by case, system and sample; of a wide table one column after the other."""
    width = len(plan.values)
    columns = [outcomes_of(sheet, place, options) for place in plan.values]
    scores = np.column_stack([values for values, _ in columns]).ravel()
    why = {row * width + j: text for j, (_, texts) in enumerate(columns) for row, text in texts.items()}
    notes: tuple[str, ...] = ()
    if plan.layout == "long":
        scores, errors, notes = _without_errors(sheet, plan, scores)
        why |= errors
    else:
        names = [clean_name(sheet.header[place], "algorithm") for place in plan.values]
        who, cases = Labels(names, np.tile(np.arange(width), sheet.n_rows)), cases.repeated(width)
    row, order = _in_order(cases)
    column, systems = _in_order(who)
    cell = row * len(systems) + column
    draw = _draws(sheet, plan, cell)
    if repeats([cell] if plan.role("sample") is None else [cell, draw]):
        at = int(np.flatnonzero(pd.DataFrame({"cell": cell, "draw": draw}).duplicated())[0])
        raise _more_than_one(sheet, plan, cell, at, who[at], cases[at])
    samples = np.full((len(order), len(systems), int(draw.max()) + 1), np.nan)
    samples[row, column, draw] = scores
    costs = None
    if (cost := plan.role("cost")) is not None:  # the samples of a case by their mean
        costs = np.full_like(samples, np.nan)
        costs[row, column, draw] = outcomes_of(sheet, cost, options)[0]
    return _Outcomes(
        values=sample_means(samples),
        cases=order,
        systems=systems,
        rows=np.flatnonzero(np.diff(np.maximum.accumulate(row), prepend=-1)) // (1 if plan.layout == "long" else width),
        holes={(cases[at], who[at]): reason for at, reason in why.items()},
        samples=samples if samples.shape[2] > 1 else None,
        costs=None if costs is None else sample_means(costs),
        notes=notes,
    )


def _in_order(labels: Labels) -> tuple[Indices, list[str]]:
    """The names in the order of the rows, and which of them each row has."""
    highest = np.maximum.accumulate(labels.codes)
    if not highest[0] and (np.diff(highest) <= 1).all() and highest[-1] == len(labels.names) - 1:
        return labels.codes, labels.names  # as columns give them
    codes, used = pd.factorize(labels.codes)
    return codes, [labels.names[code] for code in used.tolist()]


def _draws(sheet: Sheet, plan: Plan, cell: Indices) -> Indices:
    """The number of each row's sample: as its column says where systems and cases share the numbers, else in the order of rows."""
    place = plan.role("sample")
    if place is None:
        return np.broadcast_to(np.intp(0), len(cell))
    names, codes = sheet.codes(place)
    most = int(pd.Series(cell).value_counts().max())
    if len(names) > SHARED * most or (codes < 0).any():  # every sample has an identity of its own
        return np.asarray(pd.Series(cell).groupby(cell, sort=False).cumcount(), dtype=np.intp)
    rank = np.empty(len(names), dtype=np.intp)
    rank[sorted(range(len(names)), key=lambda code: in_order(names[code]))] = np.arange(len(names))
    return rank[codes]


def _more_than_one(sheet: Sheet, plan: Plan, cell: Indices, at: int, who: str, case: str) -> DataError:
    """The question for several outcomes in one place: which column tells them apart, and is it to be compared or kept?"""
    sample = plan.role("sample")
    mine, number = np.flatnonzero(cell == cell[at]), ""
    if sample is not None:
        names, codes = sheet.codes(sample)
        mine, number = mine[codes[mine] == codes[at]], f" in sample {names[codes[at]]}"
    varying = varying_in(sheet, plan, np.zeros_like(mine), mine)
    few = [i for i in varying if len(sheet.codes(i)[0]) <= FEW_VALUES] if "algorithm" in plan.roles else []
    rater = sheet.header[few[0]] if few and is_called(sheet.header[few[0]], "cases.rater") else ""
    return told_apart(
        sheet,
        plan,
        f"{sheet.label}: {shown(who)} has more than one outcome on the case {shown(case)}{number} (row {at + 1} below the header)",
        varying,
        mine,
        settings=few,
        names=() if rater else ("algorithm",),
        first=({"sample_column": rater},) if rater and sample is None else (),
        counts="; if they are samples of the same thing, name their column by {sample_column}",
        otherwise=f"It stands there more than once: {'' if sample is not None else 'name the column of samples by {sample_column}, or '}keep one.",
    )


def _without_errors(sheet: Sheet, plan: Plan, scores: Floats) -> tuple[Floats, dict[int, str], tuple[str, ...]]:
    """The outcomes without those that a column of states calls errors: a 0 there may stand for no answer at all."""
    errors = states(sheet, plan, error_kind)
    lost = [row for row in errors if not np.isnan(scores[row])]
    if not lost:
        return scores, errors, ()
    kept = scores.copy()
    kept[lost] = np.nan
    place = plan.roles["status"]
    names, codes = sheet.codes(place)
    status, words = shown(sheet.header[place]), quoted(dict.fromkeys(names[codes[row]] for row in lost))
    note = (
        f"{counted(len(lost), 'outcome')} {'is' if len(lost) == 1 else 'are'} missing, because {status} says {words}; `missing` can "
        f"count them as wrong, `ignore_column` {status} takes them as they are."
    )
    return kept, errors, (note,)


def _cases(
    sheet: Sheet, plan: Plan, outcomes: _Outcomes, cases: Labels, options: ReadOptions, name: str | None
) -> Cases:
    said = {
        role: one_each(sheet, plan, role, cases, "case")
        for role in ("cluster", "benchmark", "weight")
        if role in plan.roles
    }
    by_case = {f"{role}s": tuple(said[role][case] for case in outcomes.cases) for role in said if role != "weight"}
    weight, cost = plan.role("weight"), plan.role("cost")
    drawn = outcomes.samples if outcomes.samples is not None else outcomes.values
    return Cases(
        values=outcomes.values,
        cases=tuple(outcomes.cases),
        algorithms=tuple(outcomes.systems),
        metric=_metric(name, options, kind_of(drawn), _usual(sheet, plan, name)),
        weights=None if weight is None else weights_of(sheet, weight, options)[outcomes.rows],
        samples=outcomes.samples,
        costs=outcomes.costs,
        cost=None if cost is None else Metric(name=sheet.header[cost], direction="lower", is_cost=True),
        reasons=outcomes.holes,
        noun=plan.noun,
        notes=(*_notes(sheet, plan, outcomes, by_case), *sheet.notes),
        reading=_reading(sheet, plan, outcomes),
        **by_case,  # type: ignore[arg-type]
    )


def weights_of(sheet: Sheet, place: int, options: ReadOptions) -> Floats:
    """How much the case of each row counts: a number above 0."""
    name = sheet.header[place]
    labels_of(sheet, place, "weight")  # a blank one is refused
    weights = parse_column(
        sheet.column(place), options, lambda row: f"{sheet.label}, the weight in row {row + 1}"
    ).values
    wrong = np.flatnonzero(~(weights > 0))
    if len(wrong):
        row = int(wrong[0])
        raise DataError(
            f"{sheet.label}: row {row + 1} below the header has the weight {sheet.column(place).iloc[row]}: a weight is a number above 0. "
            f'Leave such cases out with {{where}} "{name} > 0", or the weights with {{ignore_column}} {shown(name)}.'
        )
    return weights


def _usual(sheet: Sheet, plan: Plan, name: str | None) -> Direction | None:
    """Higher, where names or words say that 1 is right; a table of algorithms may say nothing of it."""
    columns = [sheet.column(place) for place in plan.values]
    if all(says_what_is_right(column) for column in columns):
        return "higher"
    names = [name] if name is not None else [sheet.header[place] for place in plan.values]
    is_right = counts_right(names[0]) if name is not None else not all(counts_wrong(each) for each in names)
    return "higher" if is_right else None


def _metric(name: str | None, options: ReadOptions, kind: str, usual: Direction | None) -> Metric:
    """The metric: of pass or fail the share that is right; one whose direction is known or said."""
    said = name or "score"
    metric = settled_metric(said, options.direction_of(said, alone=True), usual=None if kind == "numeric" else usual)
    if kind in ("numeric", "bounded") or known_metric(said) is not None:
        return metric
    if name is None or (usual is not None and metric.higher_is_better):
        return replace(metric, name=name_of_share(said) if metric.higher_is_better else "error rate")
    return replace(metric, name=f"rate of {said.removeprefix('is_')}")


def _notes(sheet: Sheet, plan: Plan, outcomes: _Outcomes, by_case: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    parts = [counted(len(set(texts)), role[:-1]) for role, texts in by_case.items()]
    parts += [f"up to {outcomes.samples.shape[2]} samples per case"] if outcomes.samples is not None else []
    named = [role for role in ("weight", "cost") if role in plan.roles]
    parts += [f"{role}s ({sheet.header[plan.roles[role]]})" for role in named]
    shape = (
        f"{counted(len(outcomes.systems), 'algorithm')} on {counted(len(outcomes.cases), plan.noun, plural(plan.noun))}"
    )
    notes = [as_sentence(f"{sheet.label} was read as outcomes of test cases: {', '.join([shape, *parts])}.")]
    notes += outcomes.notes
    return (*notes, *ignored_note([sheet.header[place] for place in plan.ignored]))


def _reading(sheet: Sheet, plan: Plan, outcomes: _Outcomes) -> Reading:
    """What every column was taken for."""
    taken = "outcomes" if plan.layout == "long" else "outcomes of an algorithm"
    row = "the outcome of one algorithm on one case" if plan.layout == "long" else "one case, with every algorithm"
    columns = columns_of(sheet, plan, values=taken)
    return Reading(layout=plan.layout, row=row, unit="case", n_units=len(outcomes.cases), columns=columns)
