"""A comparison as plain data that repeat it, and the comparison again from such data."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.comparison.compare import compare
from podium.comparison.comparison import Comparison
from podium.core.errors import DataError
from podium.core.metric import Metric, as_direction
from podium.core.result import plain
from podium.core.scores import Scores
from podium.ordering.costs import Costs


def repeatable(comparison: Comparison) -> dict[str, Any]:
    """The scores, costs and settings of a comparison as plain values."""
    if comparison.cases is not None:
        from podium.comparison.case_repeat import repeatable_cases

        return repeatable_cases(comparison)
    if comparison.runs is not None:
        from podium.comparison.run_path import repeatable_runs

        return repeatable_runs(comparison)
    scores, costs = comparison.scores, comparison.cost
    return {
        "metric": plain(scores.metric),
        "datasets": list(scores.datasets),
        "algorithms": list(scores.algorithms),
        "families": list(scores.families),
        "repeats": list(scores.repeats),
        "folds": list(scores.folds),
        "test_fraction": scores.test_fraction,
        "notes": list(scores.notes),
        "values": plain(scores.values),
        "cost": None if costs is None else {"names": list(costs.names), "values": plain(costs.values)},
        "settings": plain(comparison.settings),
    }


def compare_again(data: dict[str, Any]) -> Comparison:
    """The comparison that `repeatable` was made from, computed again."""
    if data.get("unit") == "case":
        from podium.comparison.case_repeat import compare_cases_again

        return compare_cases_again(data)
    if data.get("unit") == "run":
        from podium.comparison.run_path import compare_runs_again

        return compare_runs_again(data)
    try:
        scores = _scores(data)
        costs = _costs(data, scores)
        settings = dict(data["settings"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"The data of the comparison are incomplete or damaged ({error}): make it again.") from None
    return compare(scores, cost=costs, **settings)


def _scores(data: dict[str, Any]) -> Scores:
    metric = data["metric"]
    fraction = data["test_fraction"]
    return Scores(
        values=np.array(data["values"], dtype=np.float64),  # None, a missing cell, becomes nan
        datasets=tuple(data["datasets"]),
        algorithms=tuple(data["algorithms"]),
        metric=Metric(
            name=metric["name"], direction=as_direction(metric["direction"]), is_cost=bool(metric["is_cost"])
        ),
        repeats=tuple(data["repeats"]),
        folds=tuple(data["folds"]),
        families=tuple(data["families"]),
        test_fraction=None if fraction is None else float(fraction),
        notes=tuple(data.get("notes", ())),
    )


def _costs(data: dict[str, Any], scores: Scores) -> Costs | None:
    if data["cost"] is None:
        return None
    return Costs(
        names=tuple(data["cost"]["names"]),
        values=np.array(data["cost"]["values"], dtype=np.float64),
        datasets=scores.datasets,
        algorithms=scores.algorithms,
    )
