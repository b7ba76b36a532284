"""A comparison as plain data that repeat it, and the comparison again from such data."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.comparison.compare import compare
from podium.comparison.comparison import Comparison
from podium.core.arrays import Bools, Floats
from podium.core.errors import DataError
from podium.core.metric import Metric, as_direction
from podium.core.result import plain
from podium.core.scores import Scores
from podium.ordering.costs import Costs

# What outcomes and predictions have only in some comparisons.
_SELDOM = {
    "clusters": (),
    "benchmarks": (),
    "weights": None,
    "alone": None,
    "noun": "case",
    "costs": None,
    "cost": None,
    "wrong": None,
}


def repeatable(comparison: Comparison) -> dict[str, Any]:
    """The scores, outcomes or runs, the costs and the settings of a comparison as plain values."""
    scores, costs = comparison.scores, comparison.cost
    if comparison.cases is not None:
        data = _held_cases(comparison)
    elif comparison.runs is not None:
        names = "metric algorithms tasks seeds values normalised references notes"
        data = {"unit": "run", **_held(comparison.runs, names)}
    else:
        data = _held(scores, "metric datasets algorithms families repeats folds test_fraction notes values")
        data["cost"] = None if costs is None else _held(costs, "names values")
    return {**data, "settings": plain(comparison.settings)}


def _held(source: Any, names: str) -> dict[str, Any]:
    """Some fields of the source as plain values; missing numbers are None."""
    return {name: plain(getattr(source, name)) for name in names.split()}


def _held_cases(comparison: Comparison) -> dict[str, Any]:
    """Outcomes, or the predictions that they come from."""
    cases, given = comparison.cases, comparison.predictions
    assert cases is not None
    data: dict[str, Any] = {"unit": "case", **_held(cases, "cases algorithms noun notes")}
    if given is None:
        data |= _held(cases, "metric kind values scores clusters weights benchmarks classes alone samples costs")
        data["cost"] = None if cases.cost is None else cases.cost.name
        data["holes"] = [[*key, why] for key, why in cases.holes.items()]
        return data
    masks = {name: getattr(given, name) for name in ("absent", "wrong")}
    places = {name: None if mask is None else np.argwhere(mask).tolist() for name, mask in masks.items()}
    held = _held(given, "truth predicted labels positive clusters weights benchmarks")
    return data | {"predictions": {"metric": given.metric.name, **held, **places}}


def compare_again(data: dict[str, Any]) -> Comparison:
    """The comparison that `repeatable` was made from, computed again."""
    unit = "prediction" if "predictions" in data else data.get("unit", "dataset")
    made = {"prediction": _predictions, "case": _cases, "run": _runs, "dataset": _scores}
    try:
        given: Any = made[unit]({**_SELDOM, **data})
        cost = _costs(data, given) if isinstance(given, Scores) else None
        settings = dict(data["settings"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise DataError(f"The data of the comparison are incomplete or damaged ({error}): make it again.") from None
    return compare(given, cost=cost, **settings)


def _named(data: dict[str, Any], names: str) -> dict[str, Any]:
    """Names as the tuples that they were."""
    return {name: tuple(data[name]) for name in names.split()}


def _numbers(data: dict[str, Any], names: str) -> dict[str, Floats | None]:
    """Numbers as the arrays that they were; None among them, a missing one, becomes nan."""
    return {name: None if data[name] is None else np.array(data[name], dtype=np.float64) for name in names.split()}


def _metric(held: dict[str, Any]) -> Metric:
    return Metric(name=held["name"], direction=as_direction(held["direction"]), is_cost=bool(held["is_cost"]))


def _scores(data: dict[str, Any]) -> Scores:
    named: Any = _named(data, "datasets algorithms repeats folds families")
    values: Any = _numbers(data, "values")
    fraction, notes = data["test_fraction"], tuple(data.get("notes", ()))
    share = None if fraction is None else float(fraction)
    return Scores(metric=_metric(data["metric"]), **values, **named, test_fraction=share, notes=notes)


def _costs(data: dict[str, Any], scores: Scores) -> Costs | None:
    if data["cost"] is None:
        return None
    values: Any = _numbers(data["cost"], "values")
    names = tuple(data["cost"]["names"])
    return Costs(names=names, **values, datasets=scores.datasets, algorithms=scores.algorithms)


def _runs(data: dict[str, Any]) -> Any:
    from podium.core.runs import Runs

    named: Any = _named(data, "algorithms tasks seeds notes")
    values: Any = _numbers(data, "values")
    ends = {task: (float(low), float(high)) for task, (low, high) in data["references"].items()}
    known = {"metric": _metric(data["metric"]), "normalised": data["normalised"], "references": ends}
    return Runs(**values, **named, **known)


def _cases(data: dict[str, Any]) -> Any:
    from podium.core.cases import Cases

    named: Any = _named(data, "cases algorithms clusters benchmarks classes notes")
    numbers: Any = _numbers(data, "values scores alone weights samples costs")
    return Cases(
        **named,
        **numbers,
        metric=_metric(data["metric"]),
        kind=data["kind"],
        cost=None if data["cost"] is None else Metric(name=data["cost"], direction="lower", is_cost=True),
        noun=data["noun"],
        holes={(case, who): why for case, who, why in data["holes"]},
    )


def _predictions(data: dict[str, Any]) -> Any:
    from podium.cases.predictions import Predictions
    from podium.cases.registry import case_metric

    held = {**_SELDOM, **data["predictions"]}
    shared: Any = {**_named(data, "algorithms cases notes"), **_named(held, "labels clusters benchmarks")}
    weights: Any = _numbers(held, "weights")
    predicted = np.array(held["predicted"])
    return Predictions(
        **shared,
        **weights,
        truth=np.array(held["truth"]),
        predicted=predicted,
        metric=case_metric(held["metric"]),
        positive=int(held["positive"]),
        absent=_mask(held["absent"], predicted.shape),
        wrong=_mask(held["wrong"], predicted.shape),
        noun=data["noun"],
    )


def _mask(places: list[list[int]] | None, shape: tuple[int, ...]) -> Bools | None:
    if places is None:
        return None
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(np.array(places).T)] = True
    return mask
