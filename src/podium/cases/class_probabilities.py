"""Predictions that give a probability to every class: labels by the largest one, or values per case of several classes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.cases import influence
from podium.cases.losses import SMALLEST
from podium.cases.predictions import Predictions, as_predictions
from podium.cases.registry import CaseMetric
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import as_given
from podium.evidence.cases import Cases
from podium.evidence.predictions import PredictionTable, label_text

SUM_WITHIN = 1e-3  # of 1: probabilities are often written with few digits


def of_probabilities(table: PredictionTable, metric: CaseMetric, positive: Any = None) -> Cases | Predictions:
    """What the metric needs: labels, the probability of the positive class of two, or the values of each case."""
    cases = tuple(map(str, table.truth.index))
    check_probabilities(table.probabilities, cases)
    names = tuple(table.probabilities)
    if metric.needs == "numbers":
        raise DataError(
            f"{metric.name} is a metric of numbers, and these are probabilities of classes: choose another."
        )
    if metric.needs == "labels":
        chosen = labels_of_largest(table.probabilities, table.classes)
        return as_predictions(table.truth.map(label_text), chosen, metric=metric.name, positive=positive)
    if len(names) < 2:
        raise DataError(
            f"A comparison needs the predictions of at least 2 algorithms; there are those of {len(names)}."
        )
    if len(table.classes) == 2:
        usual = table.classes[1] if positive is None else label_text(positive)
        if usual not in table.classes:
            raise ArgumentError(f"Unknown class {usual!r}: the truth has {', '.join(map(repr, table.classes))}.")
        place = table.classes.index(usual)
        scores = {name: own[:, place] for name, own in table.probabilities.items()}
        return as_predictions(table.truth.map(label_text), scores, metric=metric.name, positive=usual)
    if positive is not None:
        raise ArgumentError(
            f"{{positive}} is for two classes; with {len(table.classes)} the {metric.name} is that of all."
        )
    codes = np.array([table.classes.index(label_text(value)) for value in table.truth], dtype=np.intp)
    return cases_of_classes(codes, table.probabilities, metric, {"cases": cases, "algorithms": names})


def check_probabilities(probabilities: Mapping[str, Floats], cases: tuple[str, ...]) -> None:
    """Refuse probabilities that are missing, outside of 0 to 1, or do not sum to 1."""
    for name, own in probabilities.items():
        for what, bad in (
            ("a missing probability", np.isnan(own)),
            ("a probability outside of 0 to 1", (own < 0) | (own > 1)),
        ):
            if bad.any():
                row, column = (int(place) for place in np.argwhere(bad)[0])
                raise DataError(
                    f"{name!r} gives case {cases[row]!r} {what} ({as_given(float(own[row, column]))}): correct it, or leave out the case."
                )
        off = np.abs(own.sum(axis=1) - 1) > SUM_WITHIN
        if off.any():
            row = int(np.flatnonzero(off)[0])
            raise DataError(
                f"The probabilities that {name!r} gives case {cases[row]!r} sum to {as_given(float(own[row].sum()))}, not to 1: correct "
                "them, or choose a metric of labels or scores."
            )


def labels_of_largest(probabilities: Mapping[str, Floats], classes: tuple[str, ...]) -> dict[str, npt.NDArray[Any]]:
    """The class with the largest probability, the first of equal ones, by algorithm."""
    names = np.array(classes, dtype=object)
    return {name: names[np.argmax(own, axis=1)] for name, own in probabilities.items()}


def cases_of_classes(
    truth: npt.NDArray[np.intp], probabilities: Mapping[str, Floats], metric: CaseMetric, shared: dict[str, Any]
) -> Cases:
    """Values per case of three or more classes: log loss, Brier's score (the sum over classes), or AUC averaged over classes.

    >>> from podium.cases.registry import case_metric
    >>> given = {"a": np.array([[0.5, 0.25, 0.25], [0.2, 0.8, 0.0]]), "b": np.eye(3)[:2]}
    >>> shared = {"cases": ("1", "2"), "algorithms": ("a", "b")}
    >>> cases_of_classes(np.array([0, 1]), given, case_metric("brier"), shared).values.round(3).tolist()
    [[0.375, 0.0], [0.08, 0.0]]
    """
    stacked = np.stack(list(probabilities.values()), axis=1)  # cases x algorithms x classes
    happened = np.take_along_axis(stacked, truth[:, None, None], axis=2)[:, :, 0]
    if metric.name == "log_loss":
        return Cases(values=-np.log(np.clip(happened, SMALLEST, 1)), kind="numeric", metric=metric.metric, **shared)
    if metric.name == "brier":
        right = np.eye(stacked.shape[2])[truth][:, None, :]
        return Cases(values=((stacked - right) ** 2).sum(axis=2), kind="numeric", metric=metric.metric, **shared)
    function = metric.function()
    of_class: list[influence.Influence] = [function(truth == c, stacked[:, :, c]) for c in range(stacked.shape[2])]
    return Cases(
        values=np.mean([each.values for each in of_class], axis=0),
        scores=np.mean([each.score for each in of_class], axis=0),
        kind="influence",
        classes=tuple(map(str, truth.tolist())),
        alone=np.mean([influence.placements(truth == c, stacked[:, :, c]) for c in range(stacked.shape[2])], axis=0),
        metric=metric.metric,
        **shared,
    )
