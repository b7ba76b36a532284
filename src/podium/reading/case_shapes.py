"""Which column is what, in tables of test cases: outcomes of algorithms, and predictions with their truth."""

from __future__ import annotations

import numpy as np

from podium.core.errors import ArgumentError, DataError
from podium.core.names import key_of, quoted
from podium.core.numbers import IRREGULAR
from podium.evidence.merging import combined
from podium.reading.columns import Columns, ColumnView, Plan, is_any_cost
from podium.reading.grades import error_kind
from podium.reading.judge import check_systems
from podium.reading.question import Question
from podium.reading.roles import is_called
from podium.reading.summaries import without_summary_columns

IDS = ("cases.clear", "cases.possible", "cases.named_rows")  # names of a column of cases, beside predictions


# Outcomes of algorithms on test cases.


def noun_of(name: str) -> str:
    """What one case is called, from the name of their column.

    >>> noun_of("question_id"), noun_of("Items"), noun_of("id"), noun_of("test case")
    ('question', 'item', 'case', 'test case')
    """
    key = key_of(name).removesuffix("_id").removesuffix("_number")
    one = next((noun for noun, many in IRREGULAR.items() if key == many), key.removesuffix("s"))
    return one.replace("_", " ") if is_called(one, "cases.noun") else "case"


def case_plan(columns: Columns, *, single: bool = False) -> Plan:
    """The columns of a table of cases: those that options name, then those whose names say it; the rest is asked.

    A table without a column of algorithms is long where it is of a `single` one.
    """
    for role in ("sample", "cluster", "benchmark", "weight"):
        columns.take(role, columns.called(f"cases.{role}"))
    if "case" in columns.roles or columns.called("cases.clear"):
        # Beside a column of cases one that is called a dataset, a task, a domain names their benchmarks.
        called = (view for view in columns.free("cases.clear") if view.role == "dataset")
        columns.take("benchmark", (view for view in called if not view.numeric))
    is_long = columns.take("algorithm", _systems(columns)) or single
    _take_case(columns, is_long=is_long)
    columns.take("cluster", columns.called("cases.document"))
    columns.take("group", columns.called("cases.group", fits=lambda view: _tells_cases_apart(columns, view)))
    if is_long:
        scored = [view for view in columns.free() if view.is_called("role.value", "outcomes.name")]
        plain = [view for view in columns.free("cases.rater") if view.role is None and view.holds_outcomes]
        values = [columns.value(scored, [v for v in plain if not is_any_cost(v)], plain, what="outcomes")]
        rest = [view for view in columns.free() if view.place not in values]
        costs = [view for view in rest if is_any_cost(view) and view.numeric]
        columns.take("cost", costs if len(costs) == 1 else ())
        columns.take("status", (v for v in rest if v.role == "status" and any(map(error_kind, v.names))))
    elif "cost" in columns.roles:
        raise ArgumentError(
            "{argument} is for a table with one row per system and case: here one cost would stand for all systems.",
            argument="cost_column",
        )
    else:
        values = columns.values or [*_systems_in_columns(columns)]
    case = columns.view("case")
    noun = columns.options.case_noun or (noun_of(case.name) if case is not None else "case")
    return columns.plan("long" if is_long else "wide", values, noun=noun)


def _systems(columns: Columns) -> list[ColumnView]:
    """The columns that may name the systems, the likeliest first; none in a wide table."""
    if columns.options.layout == "wide":
        return []
    free = columns.free("cases.clear")
    systems = [view for kind in ("role.algorithm", "cases.system") for view in free if view.is_called(kind)]
    if not systems and columns.options.layout == "long" and "algorithm" not in columns.roles:
        raise _which(columns, "systems", "algorithm_column")
    return systems


def _take_case(columns: Columns, *, is_long: bool) -> None:
    """The column of cases by its name; else the one of text; rows of nothing but outcomes are numbered."""
    first, benchmark = columns.views[0], columns.view("benchmark")
    # A few prompts may stand beside many ids.
    possible = sorted(columns.called("cases.possible"), key=lambda view: -len(view.names))
    if columns.take("case", [*columns.called("cases.clear"), *possible]):
        return
    if not is_long and first in columns.free() and not first.name.strip():
        columns.roles["case"] = 0  # the index of a DataFrame, which has no name
    elif benchmark is not None and "benchmark" not in columns.by_option and benchmark.differ:
        columns.roles["case"] = columns.roles.pop("benchmark")
    elif is_long:
        raise _which(columns, "test cases", "case_column")
    elif texts := [view for view in columns.free() if not view.holds_outcomes]:
        if len(texts) > 1 or not texts[0].differ:
            raise _which(columns, "test cases", "case_column")
        columns.roles["case"] = texts[0].place


def _which(columns: Columns, what: str, option: str) -> Question:
    """The question for a column that nothing names, with the columns of text that may be it."""
    texts = [
        view.name for view in columns.free() if not view.holds_outcomes and view.name.strip() and len(view.names) > 1
    ]
    return Question(
        f"{columns.sheet.label}: which column names the {what}? Give {{{option}}} (the columns are {quoted(columns.sheet.header, 12)}).",
        *({option: name} for name in texts[:4]),
    )


def _tells_cases_apart(columns: Columns, view: ColumnView) -> bool:
    """Whether cases of one name are different ones in different groups: numbered anew in each category."""
    named = [columns.view(role) for role in ("algorithm", "case", "sample", "benchmark")]
    keys = [each.codes for each in named if each is not None]
    if "case" not in columns.roles or len(np.unique(combined(keys))) == columns.sheet.n_rows:
        return False
    return len(np.unique(combined([*keys, view.codes]))) == columns.sheet.n_rows


def _systems_in_columns(columns: Columns) -> tuple[int, ...]:
    """The systems of a wide table of cases: all columns that are nothing else."""
    free = tuple(view.place for view in columns.free() if view.name.strip())
    systems = without_summary_columns(columns.sheet, free, columns.options)
    columns.ignore |= {*free} - {*systems}
    check_systems(columns, systems)
    if len(systems) < 2:
        raise DataError(
            f"{columns.sheet.label} has the outcomes of fewer than 2 systems beside its column of cases: put a file of each system into one folder, and give the folder."
        )
    return systems


# Predictions with their truth.


def take_cases(columns: Columns, *, required: bool) -> None:
    """The column that names the cases, and those of clusters, benchmarks and weights, beside predictions.

    A first column without a name is the index of a DataFrame.
    """
    for role in ("cluster", "benchmark", "weight"):
        columns.take(role, columns.called(f"cases.{role}"))
    free = columns.free()
    columns.take("case", (view for view in free if view.is_called(*IDS)))
    columns.take("case", (view for view in free if view.place == 0 and not view.name.strip()))
    if required:
        columns.take("case", (view for view in free if view.name.endswith(("Id", "ID", "_id"))))
        if "case" not in columns.roles:
            raise DataError(
                f"{columns.sheet.label} has no column that names the cases (id, case, ...): it has {quoted(columns.sheet.header, 12)}; "
                "name it with {case_column}."
            )


def prediction_plan(columns: Columns, truth: str) -> Plan:
    """The columns of a table of predictions: the truth, the cases, and the algorithms or the column that names them."""
    columns.roles["truth"] = columns.sheet.position(truth, "truth")
    if columns.options.layout != "wide":
        named = columns.called("role.algorithm", fits=lambda v: v.cells.dtype.kind not in "iuf" and not v.differ)
        columns.take("algorithm", named if len(named) == 1 else ())
    is_long = "algorithm" in columns.roles
    take_cases(columns, required=is_long)
    if is_long:
        values = [columns.value(columns.called("predictions.prediction"), columns.free(), what="predictions")]
    else:
        values = columns.values or [view.place for view in columns.free()]
    if not values:
        raise DataError(
            f"{columns.sheet.label} has no column of predictions beside {quoted([v.name for v in columns.views], 12)}."
        )
    return columns.plan("long" if is_long else "wide", values)
