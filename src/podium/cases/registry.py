"""Which metrics of predictions there are: what each needs, which direction is better, and who computes its influence.

A new one is a function of `Counts` or of (truth, predictions) in `influence.py` or `losses.py`, and an entry here.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from podium.core import check
from podium.core.metric import Direction, Metric


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseMetric:
    """One metric of predictions.

    `needs` is "labels", "scores" (higher means more positive), "probabilities" or "numbers". `kind` says how its influence
    values come about: "counts" (of a confusion matrix), "mean" (a loss of each case), or "ranks" and "sums" (own functions
    of truth and predictions). `two_classes` metrics need a positive class.
    """

    name: str
    told: str
    needs: str
    kind: str
    home: str
    direction: Direction = "higher"
    two_classes: bool = False

    @property
    def metric(self) -> Metric:
        """Name and direction, as results carry them."""
        return Metric(name=self.name, direction=self.direction)

    def function(self) -> Callable[..., Any]:
        """Its function, imported now."""
        module, _, name = self.home.partition(":")
        found: Callable[..., Any] = getattr(importlib.import_module(f"podium.cases.{module}"), name)
        return found


def _counts(name: str, told: str, *, two: bool = False) -> CaseMetric:
    return CaseMetric(name=name, told=told, needs="labels", kind="counts", home=f"influence:{name}", two_classes=two)


METRICS: dict[str, CaseMetric] = {
    entry.name: entry
    for entry in (
        CaseMetric(
            name="auc",
            told="the area under the ROC curve, ties counting half, with DeLong's standard error",
            needs="scores",
            kind="ranks",
            home="influence:auc",
            two_classes=True,
        ),
        CaseMetric(
            name="average_precision",
            told="average precision, as scikit-learn defines it",
            needs="scores",
            kind="ranks",
            home="influence:average_precision",
            two_classes=True,
        ),
        CaseMetric(
            name="accuracy", told="the share of cases that are right", needs="labels", kind="mean", home="losses:right"
        ),
        _counts("balanced_accuracy", "the mean recall of the classes"),
        _counts("precision", "of the cases called positive, the share that is", two=True),
        _counts("recall", "of the positive cases, the share that was found", two=True),
        _counts("specificity", "of the negative cases, the share that was called negative", two=True),
        _counts("f1", "the F1 score of the positive class", two=True),
        _counts("macro_f1", "the mean F1 score of the classes"),
        _counts("mcc", "Matthews' correlation coefficient"),
        _counts("kappa", "Cohen's kappa"),
        CaseMetric(
            name="log_loss",
            told="minus the logarithm of the probability given to what happened",
            needs="probabilities",
            kind="mean",
            home="losses:log_loss",
            direction="lower",
        ),
        CaseMetric(
            name="brier",
            told="the squared error of the probabilities",
            needs="probabilities",
            kind="mean",
            home="losses:brier",
            direction="lower",
        ),
        CaseMetric(
            name="mae",
            told="the mean absolute error",
            needs="numbers",
            kind="mean",
            home="losses:absolute",
            direction="lower",
        ),
        CaseMetric(
            name="mse",
            told="the mean squared error",
            needs="numbers",
            kind="mean",
            home="losses:squared",
            direction="lower",
        ),
        CaseMetric(
            name="rmse",
            told="the root of the mean squared error",
            needs="numbers",
            kind="sums",
            home="influence:rmse",
            direction="lower",
        ),
        CaseMetric(
            name="r2", told="the coefficient of determination", needs="numbers", kind="sums", home="influence:r2"
        ),
    )
}


def case_metric(name: Any) -> CaseMetric:
    """The metric of that name."""
    return METRICS[check.choice("metric", name, METRICS)]
