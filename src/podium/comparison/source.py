"""What `compare` accepts, as Scores; and costs as whatever `as_costs` takes."""

from __future__ import annotations

import os
from typing import Any

from podium.core.results import Results
from podium.core.scores import Scores
from podium.core.table import UNNAMED_METRIC, Table, as_table


def scores_of(results: Any, metric: str | None) -> tuple[Scores, bool, tuple[str, ...]]:
    """The scores, whether their direction was only assumed, and the names of costs that came along."""
    if isinstance(results, str | os.PathLike):
        from podium.core.read.reader import read

        results = read(results, metric=metric)
    if isinstance(results, Results):
        return results.scores(metric), False, results.costs
    if isinstance(results, Scores):
        return results, False, ()
    table = as_table(results)
    return _without_folds(table), table.metric is UNNAMED_METRIC, ()


def _without_folds(table: Table) -> Scores:
    return Scores(
        values=table.values[:, :, None, None],
        datasets=table.datasets,
        algorithms=table.algorithms,
        metric=table.metric,
        families=table.families,
    )


def costs_of(results: Any, costs: Any) -> Any:
    """Costs named as a metric of the results become its scores; anything else stays as it is."""
    if isinstance(costs, str) and isinstance(results, Results):
        return results.scores(costs)
    return costs
