"""Which column is what in tables of runs, of outcomes on test cases, and of predictions: every shape places every role."""

from __future__ import annotations

import numpy as np

from podium.core.errors import ArgumentError, DataError
from podium.core.metric import known_metric
from podium.core.names import key_of, quoted
from podium.core.numbers import IRREGULAR
from podium.evidence.merging import combined
from podium.reading.columns import Columns, ColumnView, Plan, is_any_cost
from podium.reading.grades import error_kind
from podium.reading.plausible import check_systems
from podium.reading.question import Question
from podium.reading.roles import is_called
from podium.reading.run_columns import games_in_columns, is_of_curves
from podium.reading.summaries import without_summary_columns

IDS = ("cases.clear", "cases.possible", "cases.named_rows")  # names of a column of cases, beside predictions


# Runs of agents on tasks.


def are_runs(columns: Columns) -> bool:
    """Whether a table has a column of games or environments, one of agents, and a run or several scores for each.

    Tasks are games where a column of returns or rewards says that agents played them. Games may also be columns, and runs curves of
    Weights & Biases.
    """
    if is_of_curves(columns.sheet) or games_in_columns(columns, asked=False):
        return True
    roles = {view.role for view in columns.views}
    games = columns.called("runs.game", *(["role.dataset"] if columns.called("runs.return") else []))
    agents = columns.called("runs.agent", "role.algorithm")
    if not games or not agents or roles & {"fold", "metric", "case"}:
        return False
    known = [known_metric(view.name) for view in columns.views if not view.is_called("runs.return")]
    if any(metric is not None and not metric.is_cost for metric in known):
        return False  # accuracies and errors are scores of datasets, whatever these are called
    cells = len(np.unique(combined([agents[0].codes, games[0].codes])))
    return bool(roles & {"seed", "repeat"}) or cells < columns.sheet.n_rows


def run_plan(columns: Columns) -> Plan:
    """The columns of a long table of runs: agent, task, what numbers the runs and the steps of a training, score."""
    for role, kind, what in (("algorithm", "runs.agent", "agents"), ("dataset", "runs.game", "tasks")):
        if not columns.take(role, columns.called(kind, f"role.{role}")):
            raise DataError(
                f"{columns.sheet.label}: which column names the {what}? Give {{{role}_column}} (the columns are "
                f"{quoted(columns.sheet.header, 12)}).",
                options=(f"{role}_column",),
            )
    if not columns.given.keys() & {"seed", "repeat"}:
        for role in ("seed", "repeat"):
            columns.take(role, columns.called(f"role.{role}"))
    steps = columns.called("role.step", "runs.step")  # a budget is the same in all rows
    columns.take("step", sorted(steps, key=lambda view: len(view.names), reverse=True)[:1])
    columns.take("status", columns.called("role.status"))
    rest = [view for view in columns.free() if view not in steps]
    scores = [view for view in rest if view.is_called("role.value", "runs.return")]
    metrics = [view for view in rest if known_metric(view.name) is not None and not is_any_cost(view)]
    return columns.plan("long", [columns.value(scores, metrics, what="scores")])


# Outcomes of algorithms on test cases.


def noun_of(name: str) -> str:
    """What one case is called, from the name of their column.

    >>> noun_of("question_id"), noun_of("Items"), noun_of("id"), noun_of("test case")
    ('question', 'item', 'case', 'test case')
    """
    key = key_of(name).removesuffix("_id").removesuffix("_number")
    one = next((noun for noun, many in IRREGULAR.items() if key == many), key.removesuffix("s"))
    return one.replace("_", " ") if is_called(one, "cases.noun") else "case"


def are_cases(columns: Columns) -> bool:
    """Whether a table is clearly one of test cases: a column of cases and no fold, or nothing but grades for scores."""
    roles = {view.role for view in columns.views}
    asked = {"rows", "dataset_column", "fold_column", "repeat_column", "seed_column", "family_column", "metric_column"}
    if roles & {"fold", "metric", "family"} or asked & set(columns.options.given):
        return False
    if len(columns_of_cases(columns)) == 1:
        return True
    graded = [view for view in columns.views if view.graded]
    named = any(view.is_called("cases.possible") for view in columns.views)
    if "algorithm" in roles:
        return bool(graded) and named and not any(known_metric(view.name, exact=True) for view in columns.views)
    rest = [view for view in columns.views if view not in graded]
    # Tasks are datasets elsewhere; where each is passed or failed, they are cases.
    return len(graded) > 1 and len(rest) <= 1 and (named or all(view.role != "dataset" for view in rest))


def columns_of_cases(columns: Columns) -> list[ColumnView]:
    """The columns that clearly name cases; one of "items" that says how many there are does not."""
    systems = [view for view in columns.views if view.is_called("role.algorithm", "cases.system")]
    each = columns.sheet.n_rows / max(1, len(systems[0].names) if systems else 1)  # rows of one system
    return [
        view
        for view in columns.views
        if view.is_called("cases.clear")
        and (not view.is_called("cases.counts") or not view.numeric or (each >= 2 and 10 * len(view.names) >= each))
    ]


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
        plain = [view for view in columns.free() if view.role is None and view.holds_outcomes]
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
    found = [view for kind in ("role.algorithm", "cases.system") for view in free if view.is_called(kind)]
    if not found and columns.options.layout == "long" and "algorithm" not in columns.roles:
        raise _which(columns, "systems", "algorithm_column")
    return found


def _take_case(columns: Columns, *, is_long: bool) -> None:
    """The column of cases by its name; else the one of text; rows of nothing but outcomes are numbered."""
    first, benchmark = columns.views[0], columns.view("benchmark")
    if columns.take("case", columns.called("cases.clear", "cases.possible")):
        return
    if not is_long and first in columns.free() and not first.name.strip():
        columns.roles["case"] = 0  # the index of a DataFrame, which has no name
    elif benchmark is not None and "benchmark" not in columns.given and benchmark.differ:
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
    found = without_summary_columns(columns.sheet, free, columns.options)
    columns.ignore |= {*free} - {*found}
    check_systems(columns, found)
    if len(found) < 2:
        raise DataError(
            f"{columns.sheet.label} has the outcomes of fewer than 2 systems beside its column of cases: put a file of each system into one folder, and give the folder."
        )
    return found


# Predictions with their truth.


def take_cases(columns: Columns, *, required: bool) -> None:
    """The column that names the cases, and those of clusters, benchmarks and weights, beside predictions.

    A first column without a name is the index of a DataFrame.
    """
    for role in ("cluster", "benchmark", "weight"):
        columns.take(role, columns.called(f"cases.{role}"))
    free = columns.free()
    columns.take("case", (view for view in free if view.is_called(*IDS)))
    columns.take("case", (view for view in free[:1] if view.place == 0 and not view.name.strip()))
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
