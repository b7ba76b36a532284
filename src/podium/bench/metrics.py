"""Metrics of predictions, in numpy: fast enough to cost nothing beside a fit, and checked against scikit-learn.

`y` and `predicted` are class numbers; `probabilities` has a column per class (or is None); `decision` holds
one number per case for two classes, larger for class 1 (or is None).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Bools, Floats, Indices
from podium.core.metric import Metric

Codes = Indices


class NoProbabilities(Exception):
    """The algorithm gives no probabilities, and the metric needs them."""


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What a task predicted for its test cases; everything a metric may need later."""

    cases: Codes
    y: Codes
    predicted: Codes
    classes: int
    probabilities: Floats | None = None
    decision: Floats | None = None

    def confusion(self) -> Floats:
        """Counts: true class in rows, predicted class in columns."""
        flat = np.bincount(self.y * self.classes + self.predicted, minlength=self.classes**2)
        return flat.reshape(self.classes, self.classes).astype(np.float64)

    def need_probabilities(self) -> Floats:
        """The probabilities, or a refusal."""
        if self.probabilities is None:
            raise NoProbabilities("the algorithm gives no probabilities")
        return self.probabilities


def _error(p: Predictions) -> float:
    return float(np.mean(p.y != p.predicted))


def _accuracy(p: Predictions) -> float:
    return float(np.mean(p.y == p.predicted))


def _recalls(table: Floats) -> Floats:
    there = table.sum(axis=1)
    return np.asarray(np.diag(table)[there > 0] / there[there > 0])


def _balanced_accuracy(p: Predictions) -> float:
    return float(_recalls(p.confusion()).mean())


def _f1(p: Predictions) -> float:
    """Of class 1 where there are two classes, else the plain mean over the classes (macro)."""
    table = p.confusion()
    both = table.sum(axis=0) + table.sum(axis=1)
    values = np.divide(2 * np.diag(table), both, out=np.zeros(len(both)), where=both > 0)
    return float(values[1] if p.classes == 2 else values[both > 0].mean())


def _kappa(p: Predictions) -> float:
    table = p.confusion() / len(p.y)
    expected = float(table.sum(axis=0) @ table.sum(axis=1))
    return (float(np.trace(table)) - expected) / (1 - expected) if expected < 1 else 0.0


def _mcc(p: Predictions) -> float:
    """Matthews' correlation in Gorodkin's form for any number of classes."""
    table = p.confusion()
    n, right = table.sum(), np.trace(table)
    true, said = table.sum(axis=1), table.sum(axis=0)
    scale = (n**2 - said @ said) * (n**2 - true @ true)
    return float((right * n - true @ said) / np.sqrt(scale)) if scale > 0 else 0.0


def _auc_of(positive: Bools, value: Floats) -> float:
    n_positive = int(positive.sum())
    n_negative = len(positive) - n_positive
    if n_positive == 0 or n_negative == 0:
        return float("nan")
    _, place, count = np.unique(value, return_inverse=True, return_counts=True)
    middle = np.cumsum(count) - (count - 1) / 2  # ties share the middle of their ranks
    rank_sum = float(middle[place][positive].sum())
    return (rank_sum - n_positive * (n_positive + 1) / 2) / (n_positive * n_negative)


def _auc(p: Predictions) -> float:
    """Of class 1 where there are two classes, else the mean of each class against the rest."""
    if p.classes == 2 and p.decision is not None:
        return _auc_of(p.y == 1, p.decision)
    probabilities = p.need_probabilities()
    if p.classes == 2:
        return _auc_of(p.y == 1, probabilities[:, 1])
    each = [_auc_of(p.y == c, probabilities[:, c]) for c in range(p.classes)]
    known = [value for value in each if not np.isnan(value)]
    return float(np.mean(known)) if known else float("nan")


def _log_loss(p: Predictions) -> float:
    """Probabilities are kept at least 1e-15 from 0."""
    given = p.need_probabilities()[np.arange(len(p.y)), p.y]
    return float(-np.log(np.clip(given, 1e-15, 1.0)).mean())


def _brier(p: Predictions) -> float:
    """The squared distance to the truth: of class 1's probability for two classes, of all of them otherwise."""
    probabilities = p.need_probabilities()
    if p.classes == 2:
        return float(np.mean((probabilities[:, 1] - (p.y == 1)) ** 2))
    return float(np.mean(((probabilities - np.eye(p.classes)[p.y]) ** 2).sum(axis=1)))


_FUNCTIONS: Mapping[str, Callable[[Predictions], float]] = {
    "error": _error,
    "accuracy": _accuracy,
    "auc": _auc,
    "balanced_accuracy": _balanced_accuracy,
    "brier": _brier,
    "f1": _f1,
    "kappa": _kappa,
    "log_loss": _log_loss,
    "mcc": _mcc,
}
_LOWER = {"error", "brier", "log_loss"}

METRICS: Mapping[str, Metric] = {
    name: Metric(name=name, direction="lower" if name in _LOWER else "higher") for name in _FUNCTIONS
}

# Costs of a task. Times are CPU seconds (self and children) unless the name says wall.
COSTS: Mapping[str, str] = {
    "train_time": "CPU seconds of the final training",
    "predict_time": "CPU seconds of predicting the test part",
    "one_train_test_time": "train_time + predict_time: Wainer's 1-train-test",
    "search_time": "CPU seconds of the whole search",
    "per_hyperparameter_time": "search_time by the number of combinations tried: Wainer's per hyperparameter",
    "train_wall_time": "wall seconds of the final training",
    "predict_wall_time": "wall seconds of predicting the test part",
    "search_wall_time": "wall seconds of the whole search",
    "model_size": "bytes of the pickled model",
    "memory": "bytes of resident memory that the task added at its peak",
}

# What the search believed before the test: the second proposal for a threshold of irrelevance needs it.
ESTIMATES: Mapping[str, str] = {"cv_error": "error of the chosen candidate in the search's cross-validation"}


def metric_of(name: str) -> Metric:
    """The metric behind a name of the store."""
    if name in METRICS:
        return METRICS[name]
    return Metric(name=name, direction="lower", is_cost=name in COSTS)


def score(name: str, predictions: Predictions) -> float:
    """One metric of the predictions of a task.

    >>> y = np.array([0, 0, 1, 1])
    >>> score("error", Predictions(np.arange(4), y, np.array([0, 1, 1, 1]), 2))
    0.25
    """
    return _FUNCTIONS[name](predictions)


def as_arrays(predictions: Predictions) -> dict[str, npt.NDArray[Any]]:
    """The arrays to keep."""
    kept = {"cases": predictions.cases, "y": predictions.y, "predicted": predictions.predicted}
    optional = {"probabilities": predictions.probabilities, "decision": predictions.decision}
    return {**kept, **{key: value for key, value in optional.items() if value is not None}}
