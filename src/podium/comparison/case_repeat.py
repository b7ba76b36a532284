"""A comparison on the same cases as plain data that repeat it, and the comparison again from such data."""

from __future__ import annotations

from typing import Any

import numpy as np

from podium.cases.predictions import Predictions
from podium.cases.registry import case_metric
from podium.comparison.case_path import compare_cases
from podium.comparison.comparison import Comparison
from podium.core.arrays import Bools, Floats
from podium.core.cases import Cases
from podium.core.errors import DataError
from podium.core.metric import Metric, as_direction
from podium.core.result import plain


def repeatable_cases(comparison: Comparison) -> dict[str, Any]:
    """The outcomes or predictions and the settings of a comparison as plain values."""
    cases, given = comparison.cases, comparison.predictions
    assert cases is not None
    data: dict[str, Any] = {
        "unit": "case",
        "cases": list(cases.cases),
        "algorithms": list(cases.algorithms),
        "noun": cases.noun,
        "notes": list(cases.notes),
        "settings": plain(comparison.settings),
    }
    if given is not None:
        return data | {
            "predictions": {
                "metric": given.metric.name,
                "truth": given.truth.tolist(),
                "predicted": given.predicted.tolist(),
                "labels": list(given.labels),
                "positive": int(given.positive),
                "absent": _places(given.absent),
                "wrong": _places(given.wrong),
                "clusters": list(given.clusters),
                "weights": None if given.weights is None else plain(given.weights),
                "benchmarks": list(given.benchmarks),
            }
        }
    return data | {
        "metric": plain(cases.metric),
        "kind": cases.kind,
        "values": plain(cases.values),
        "scores": plain(cases.scores),
        "clusters": list(cases.clusters),
        "weights": None if cases.weights is None else plain(cases.weights),
        "benchmarks": list(cases.benchmarks),
        "classes": list(cases.classes),
        "samples": None if cases.samples is None else plain(cases.samples),
        "costs": None if cases.costs is None else plain(cases.costs),
        "cost": None if cases.cost is None else cases.cost.name,
        "holes": [[*key, why] for key, why in cases.holes.items()],
    }


def compare_cases_again(data: dict[str, Any]) -> Comparison:
    """The comparison that `repeatable_cases` was made from, computed again."""
    try:
        given = _predictions(data) if "predictions" in data else _cases(data)
        settings = dict(data["settings"])
    except (KeyError, TypeError, ValueError) as error:
        raise DataError(f"The data of the comparison are incomplete or damaged ({error}): make it again.") from None
    return compare_cases(given, **settings)


def _predictions(data: dict[str, Any]) -> Predictions:
    held = data["predictions"]
    predicted = np.array(held["predicted"])
    return Predictions(
        truth=np.array(held["truth"]),
        predicted=predicted,
        algorithms=tuple(data["algorithms"]),
        cases=tuple(data["cases"]),
        metric=case_metric(held["metric"]),
        labels=tuple(held["labels"]),
        positive=int(held["positive"]),
        absent=_mask(held["absent"], predicted.shape),
        wrong=_mask(held.get("wrong"), predicted.shape),
        clusters=tuple(held.get("clusters", ())),
        weights=_numbers(held.get("weights")),
        benchmarks=tuple(held.get("benchmarks", ())),
        noun=data.get("noun", "case"),
        notes=tuple(data["notes"]),
    )


def _places(mask: Bools | None) -> list[list[int]] | None:
    return None if mask is None else np.argwhere(mask).tolist()


def _mask(places: list[list[int]] | None, shape: tuple[int, ...]) -> Bools | None:
    if places is None:
        return None
    mask = np.zeros(shape, dtype=bool)
    mask[tuple(np.array(places).T)] = True
    return mask


def _numbers(held: Any) -> Floats | None:
    return None if held is None else np.array(held, dtype=np.float64)


def _cases(data: dict[str, Any]) -> Cases:
    metric = data["metric"]
    return Cases(
        values=np.array(data["values"], dtype=np.float64),  # None, a hole, becomes nan
        cases=tuple(data["cases"]),
        algorithms=tuple(data["algorithms"]),
        metric=Metric(name=metric["name"], direction=as_direction(metric["direction"])),
        kind=data["kind"],
        scores=np.array(data["scores"], dtype=np.float64),
        clusters=tuple(data["clusters"]),
        weights=_numbers(data.get("weights")),
        benchmarks=tuple(data["benchmarks"]),
        classes=tuple(data["classes"]),
        samples=_numbers(data["samples"]),
        costs=_numbers(data.get("costs")),
        cost=None if data.get("cost") is None else Metric(name=data["cost"], direction="lower", is_cost=True),
        noun=data.get("noun", "case"),
        holes={(case, who): why for case, who, why in data["holes"]},
        notes=tuple(data["notes"]),
    )
