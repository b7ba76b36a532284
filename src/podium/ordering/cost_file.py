"""Costs from a file: a row for each algorithm, or a table of datasets x algorithms."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import DataError, PodiumError
from podium.core.metric import known_metric
from podium.core.names import quoted, shown
from podium.core.numbers import number
from podium.reading.options import ReadOptions

if TYPE_CHECKING:
    from podium.evidence.scores import Scores
    from podium.reading.sheet import Sheet

# Roles of columns beside which an algorithm has many rows.
_PER_DATASET = ("dataset", "fold", "repeat", "seed", "metric")


def cost_file(file: Path, scores: Scores, column: str | None = None) -> tuple[dict[str, float] | Scores, str]:
    """The costs of a file, of one `column` where it has several, and what they are called."""
    from podium.reading.reader import opened
    from podium.reading.sheet import Sheet

    sheet = opened(file, ReadOptions())
    place = _names_in(sheet, scores) if isinstance(sheet, Sheet) else None
    if place is None or not isinstance(sheet, Sheet):
        return _of_datasets(file, column)
    if sheet.header[place] in scores.algorithms:
        raise DataError(f"{sheet.label} has no header: write one above its first row, such as algorithm,time.")
    value = _cost_column(sheet, place, column)
    name = sheet.header[value].strip() or file.stem
    refuse_gain(name, f" of {sheet.label}")
    return _numbers(sheet, place, value), name


def refuse_gain(name: str, where: str = "") -> None:
    """Refuse a cost that is better when higher, by its name."""
    metric = known_metric(name)
    if metric is not None and metric.higher_is_better:
        raise DataError(
            f"{shown(name)}{where} is better when higher, and a cost is better when lower: give what is paid, such as the time of one "
            "case, or let {cost} name the algorithms, cheapest first."
        )


def _names_in(sheet: Sheet, scores: Scores) -> int | None:
    """The column that names the algorithms, where each has one row for all datasets."""
    from podium.reading.roles import role_of

    if any(role_of(name) in _PER_DATASET or name in scores.datasets for name in sheet.header):
        return None
    algorithms = set(scores.algorithms)
    return next((place for place in range(sheet.n_columns) if algorithms & set(sheet.codes(place)[0])), None)


def _cost_column(sheet: Sheet, names: int, column: str | None) -> int:
    from podium.reading.cells import looks_numeric

    if column is not None:
        return sheet.position(column, "cost_column")
    others = [place for place in range(sheet.n_columns) if place != names]
    candidates = [place for place in others if looks_numeric(sheet.column(place))] or others
    if len(candidates) != 1:
        raise _several(sheet.label, [sheet.header[place] for place in candidates])
    return candidates[0]


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


def _of_datasets(file: Path, column: str | None) -> tuple[Scores, str]:
    """Costs of every dataset, as scores are read."""
    from podium.reading.reader import read_scores

    lower: Any = "lower" if column is None else {column: "lower"}
    try:
        results = read_scores(file, direction=lower, metric=column)
    except PodiumError as error:
        if column is None and "metric" in error.options:  # that option is about the scores
            raise _several(file.name, []) from None
        raise
    if column is None and len(results.metrics) > 1:
        raise _several(file.name, list(results.metrics))
    costs = results.scores(column)
    refuse_gain(costs.metric.name, f" of {file.name}")
    return costs, costs.metric.name
