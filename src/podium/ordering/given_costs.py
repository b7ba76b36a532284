"""Costs as they are given: a metric of the results, a formula of several, a file (a row for each algorithm, or datasets x
algorithms), a table, numbers or an order."""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core import check
from podium.core.errors import ArgumentError, DataError, PodiumError
from podium.core.metric import known_metric
from podium.core.names import quoted, shown
from podium.core.numbers import listed, number
from podium.evidence.results import Results
from podium.evidence.table import UNNAMED_METRIC
from podium.ordering.costs import GIVEN_ORDER, Costs, as_costs
from podium.ordering.formula import Formula, formula_of
from podium.reading.options import ReadOptions

if TYPE_CHECKING:
    from podium.evidence.evidence import Evidence
    from podium.evidence.scores import Scores
    from podium.reading.sheet import Sheet

COLUMN_OF_A_FILE = " A column that was not read as a metric is named with its file, such as 'scores.csv:price'."
# Roles of columns beside which an algorithm has many rows.
_PER_DATASET = ("dataset", "fold", "repeat", "seed", "metric")


def costs_of(results: Any, evidence: Evidence, cost: Any = None, column: str | None = None) -> list[Costs]:
    """Every cost that was asked for (see `podium.order`), of this column of a file; without any, every cost among the metrics."""
    if cost is None:
        cost = cost_metrics(results, evidence)
    # A list that names any algorithm is an order, cheapest first: so a misspelled one is told.
    is_list = isinstance(cost, Sequence) and not isinstance(cost, str)
    several = is_list and not any(isinstance(name, str) and name in evidence.algorithms for name in cost)
    asked = cost if several else [cost]
    if column is not None and not any(isinstance(one, str | os.PathLike) and _file_of(one) for one in asked):
        raise ArgumentError("{argument} is for a file of costs: leave it out.", argument="cost_column")
    costs = [_cost_of(results, evidence, one, column) for one in asked]
    if not costs:
        raise ArgumentError(
            "There are no costs: give {argument}, such as a metric of the results, a file or an order.", argument="cost"
        )
    return costs


def cost_metrics(results: Any, evidence: Evidence) -> list[str]:
    """The costs among the metrics that have values, without the metric that is ordered by."""
    if not isinstance(results, Results):
        return []
    measured = set(results.frame["metric"][results.frame["value"].notna()].unique())
    return [name for name in results.costs if name != evidence.metric.name and name in measured]


def own_costs(evidence: Any) -> Costs | None:
    """What evidence says that each of its rows cost, where it knows that of every algorithm."""
    values, means = getattr(evidence, "costs", None), getattr(evidence, "mean_costs", None)
    if values is None or means is None or not np.isfinite(means).all():
        return None
    # Means of what is known, or with weights, cannot be told from the rows alone.
    whole = np.isfinite(values).all() and np.allclose(values.mean(axis=0), means)
    return Costs(
        names=(evidence.cost.name,),
        values=(values if whole else means[None])[None],
        datasets=evidence.rows if whole else ("all",),
        algorithms=evidence.algorithms,
    )


def _of_rows(evidence: Any) -> Costs:
    """What each row cost, which was asked for by its name."""
    costs = own_costs(evidence)
    if costs is None:
        unknown = [
            name for name, mean in zip(evidence.algorithms, evidence.mean_costs, strict=True) if math.isnan(mean)
        ]
        raise DataError(
            f"No {evidence.cost.name} of {listed(unknown)} is known: add it, or leave {{argument}} out.",
            argument="cost",
        )
    return costs


def _cost_of(results: Any, evidence: Evidence, cost: Any, column: str | None) -> Costs:
    """One cost, matched to the evidence."""
    name = "cost"
    own = getattr(evidence, "cost", None)
    if own is not None and cost == own.name:
        return _of_rows(evidence)
    if isinstance(cost, str | os.PathLike):
        file = _file_of(cost)
        metrics = tuple(results.metrics) if isinstance(results, Results) else ()
        if cost not in metrics and file is not None:
            cost, name = _of_file(*file, evidence, column)
        elif metrics:
            return _of_metrics(results, evidence, formula_of(str(cost), metrics, "metric", more=COLUMN_OF_A_FILE))
        else:
            hint = ". If a column of the data says what each outcome cost, name it with {cost_column} alone."
            hint = hint if evidence.unit == "case" else f".{COLUMN_OF_A_FILE}"
            hint = hint if own is None else f". What each outcome cost is in {own.name!r}."
            raise check.refused("cost", str(cost), "is neither a file nor a metric of these results", hint)
    elif isinstance(cost, Formula):
        return _of_metrics(results, evidence, cost)
    elif isinstance(cost, Sequence):
        name = GIVEN_ORDER
    return as_costs(cost, datasets=evidence.rows, algorithms=evidence.algorithms, name=name)


def _of_metrics(results: Results, evidence: Evidence, formula: Formula) -> Costs:
    """A metric of the results, or a formula of several."""
    measured = {}
    for name in formula.names:
        refuse_gain(name)
        scores = results.scores(name)
        scores = scores.select([one for one in scores.algorithms if one in evidence.algorithms])
        measured[name] = as_costs(scores, datasets=evidence.rows, algorithms=evidence.algorithms)
    first = measured[formula.names[0]]
    values = formula({name: costs.values for name, costs in measured.items()})
    of_folds = {name: costs.folds for name, costs in measured.items()}
    folds = None if any(one is None for one in of_folds.values()) else formula(of_folds)
    return replace(first, names=(formula.text,), values=values, folds=folds).checked()


def _file_of(cost: str | os.PathLike[str]) -> tuple[Path, str | None] | None:
    """The file that a cost names, and the sheet of it after a colon; None where there is no such file."""
    if os.path.exists(cost):
        return Path(cost), None
    path, colon, sheet = str(cost).rpartition(":")
    return (Path(path), sheet) if colon and sheet and os.path.exists(path) else None


def _of_file(
    file: Path, sheet_name: str | None, evidence: Evidence, column: str | None
) -> tuple[dict[str, float] | Scores, str]:
    """The costs of a file, of one `column` (or a formula of several) where it has several, and what they are called."""
    from podium.reading.reader import opened
    from podium.reading.sheet import Sheet

    try:
        sheet = opened(file, ReadOptions(sheet=sheet_name))
    except PodiumError as error:
        if sheet_name is None and "sheet" in error.options:  # that option is about the scores
            raise DataError(
                f"{file.name} has several sheets: say which one has the costs with {{argument}} {file.name}:SHEET.",
                argument="cost",
            ) from None
        if column is None and "sheet" in (error.fields.get("argument"), *error.options):  # a column follows the colon
            return _of_file(file, None, evidence, sheet_name)
        raise
    place = _names_in(sheet, evidence) if isinstance(sheet, Sheet) else None
    if place is None or not isinstance(sheet, Sheet):
        return _of_datasets(file, sheet_name, column)
    if sheet.header[place] in evidence.algorithms:
        raise DataError(f"{sheet.label} has no header: write one above its first row, such as algorithm,time.")
    formula = _cost_column(sheet, place, column)
    columns = {}
    for name in formula.names:
        refuse_gain(name, f" of {sheet.label}")
        columns[name] = _numbers(sheet, place, sheet.position(name, "cost_column"))
    named = {one: {name: costs[one] for name, costs in columns.items()} for one in columns[formula.names[0]]}
    return {one: float(formula(costs)) for one, costs in named.items()}, formula.text or file.stem


def refuse_gain(name: str, where: str = "") -> None:
    """Refuse a cost that is better when higher, by its name."""
    metric = known_metric(name)
    if metric is not None and metric.higher_is_better:
        raise DataError(
            f"{shown(name)}{where} is better when higher, and a cost is better when lower: give what is paid, such as the time of one "
            "case, or let {cost} name the algorithms, cheapest first."
        )


def _names_in(sheet: Sheet, evidence: Evidence) -> int | None:
    """The column that names the algorithms, where each has one row for all datasets."""
    from podium.reading.roles import role_of

    if any(role_of(name) in _PER_DATASET or name in evidence.rows for name in sheet.header):
        return None
    algorithms = set(evidence.algorithms)
    return next((place for place in range(sheet.n_columns) if algorithms & set(sheet.codes(place)[0])), None)


def _cost_column(sheet: Sheet, names: int, column: str | None) -> Formula:
    """What was asked for of the columns of a sheet, or its only column of numbers."""
    from podium.reading.cells import looks_numeric

    others = [place for place in range(sheet.n_columns) if place != names]
    if column is not None:
        return formula_of(column, tuple(sheet.header[place] for place in others), "cost_column")
    candidates = [place for place in others if looks_numeric(sheet.column(place))] or others
    if len(candidates) != 1:
        raise _several(sheet.label, [sheet.header[place] for place in candidates])
    return Formula.of(sheet.header[candidates[0]])


def _several(file: str, names: list[str]) -> DataError:
    listed = f" ({quoted(names)})" if names else ""
    return DataError(f"{file} has several costs{listed}: choose one with {{cost_column}}.")


def _numbers(sheet: Sheet, names: int, value: int) -> dict[str, float]:
    from podium.reading.cells import number_of

    algorithms, codes = sheet.filled(names, "no algorithm: fill it in, or delete the row.")
    costs: dict[str, float] = {}
    for name, cell in zip((algorithms[code] for code in codes), sheet.column(value), strict=True):
        cost = number_of(str(cell).strip(), ReadOptions())
        if cost is None or not math.isfinite(cost):
            written = "blank" if cell is None or cell != cell else shown(str(cell))
            raise DataError(
                f"{sheet.label}: the cost of {name!r} is {written}, not a number: write a plain number such as 1.2, without unit."
            )
        if name in costs:
            raise DataError(
                f"{sheet.label}: {name!r} has more than one cost ({number(costs[name])} and {number(cost)}): keep one row for each algorithm."
            )
        costs[name] = cost
    return costs


def _of_datasets(file: Path, sheet: str | None, column: str | None) -> tuple[Scores, str]:
    """Costs of every dataset, as scores are read."""
    from podium.reading.reader import read_scores

    lower: Any = "lower" if column is None else {column: "lower"}
    try:
        # Costs differ by orders of magnitude: no column is asked about for its numbers.
        results = read_scores(file, direction=lower, metric=column, sheet=sheet, keep_column="*")
    except PodiumError as error:
        if column is None and "metric" in error.options:  # that option is about the scores
            raise _several(file.name, []) from None
        raise
    if column is None and len(results.metrics) > 1:
        raise _several(file.name, list(results.metrics))
    costs = results.scores(column)
    if costs.metric.name == UNNAMED_METRIC.name:  # then the file or its sheet names them
        costs = replace(costs, metric=replace(costs.metric, name=sheet or file.stem))
    refuse_gain(costs.metric.name, f" of {file.name}")
    return costs, costs.metric.name
