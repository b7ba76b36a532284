"""Metrics of predictions, scikit-learn's wherever it has them.

`y` and `predicted` are class numbers, or numbers where there are no classes (regression); `probabilities` has a column per class (or is None); `decision` holds
one number per case for two classes, larger for class 1 (or is None).
"""

from __future__ import annotations

import importlib
import inspect
import warnings
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated, Any, Literal

import numpy as np
import numpy.typing as npt

from podium.bench.checked import Text, rule, spec
from podium.core import check
from podium.core.arrays import Floats, Indices
from podium.core.errors import ArgumentError
from podium.core.metric import Metric


class NoProbabilities(Exception):
    """The algorithm gives no probabilities, and the metric needs them."""


@dataclass(frozen=True, slots=True, eq=False)
class Predictions:
    """What a task predicted for its test cases; everything a metric may need later."""

    cases: Indices
    y: npt.NDArray[Any]
    predicted: npt.NDArray[Any]
    classes: int
    probabilities: Floats | None = None
    decision: Floats | None = None

    def need_probabilities(self) -> Floats:
        """The probabilities, or a refusal."""
        if self.probabilities is None:
            raise NoProbabilities("the algorithm gives no probabilities")
        return self.probabilities


def _peer(name: str, *values: Any, **options: Any) -> float:
    """A metric of scikit-learn, which loads when it is first needed; nan where it is not defined."""
    import sklearn.metrics

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return float(getattr(sklearn.metrics, name)(*values, **options))


def _of_labels(name: str) -> Callable[[Predictions], float]:
    return lambda p: _peer(name, p.y, p.predicted)


def _f1(p: Predictions) -> float:
    """Of class 1 where there are two classes, else the plain mean over the classes (macro)."""
    return _peer("f1_score", p.y, p.predicted, average="binary" if p.classes == 2 else "macro", zero_division=0)


def _auc(p: Predictions) -> float:
    """Of class 1 where there are two classes, else the mean of each class against the rest."""
    if p.classes == 2:
        return _peer("roc_auc_score", p.y, p.need_probabilities()[:, 1] if p.decision is None else p.decision)
    tested = np.unique(p.y) if len(np.unique(p.y)) > 1 else ()
    each = [_peer("roc_auc_score", p.y == c, p.need_probabilities()[:, c]) for c in tested]
    return float(np.mean(each)) if each else float("nan")


def _log_loss(p: Predictions) -> float:
    """Probabilities are kept at least 1e-15 from 0."""
    shares = p.need_probabilities()[np.arange(len(p.y)), p.y]
    return float(-np.log(np.clip(shares, 1e-15, 1.0)).mean())


def _brier(p: Predictions) -> float:
    """The squared distance to the truth: of class 1's probability for two classes, of all of them otherwise."""
    probabilities = p.need_probabilities()
    if p.classes == 2:
        return float(np.mean((probabilities[:, 1] - (p.y == 1)) ** 2))
    return float(np.mean(((probabilities - np.eye(p.classes)[p.y]) ** 2).sum(axis=1)))


_FUNCTIONS: dict[str, Callable[[Predictions], float]] = {
    "error": lambda p: float(np.mean(p.y != p.predicted)),
    "accuracy": lambda p: float(np.mean(p.y == p.predicted)),
    "auc": _auc,
    "balanced_accuracy": _of_labels("balanced_accuracy_score"),
    "brier": _brier,
    "f1": _f1,
    # 0 where all cases are and are said to be of one class
    "kappa": lambda p: float(np.nan_to_num(_peer("cohen_kappa_score", p.y, p.predicted))),
    "log_loss": _log_loss,
    "mcc": _of_labels("matthews_corrcoef"),
    "rmse": lambda p: float(np.sqrt(np.mean((p.y - p.predicted) ** 2))),
    "mae": lambda p: float(np.mean(np.abs(p.y - p.predicted))),
    "medae": lambda p: float(np.median(np.abs(p.y - p.predicted))),
    "r2": _of_labels("r2_score"),
}
_LOWER = {"error", "brier", "log_loss", "rmse", "mae", "medae"}
_OF_NUMBERS = {"rmse", "mae", "medae", "r2"}
TASKS = ("classification", "regression")


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownMetric(Metric):
    """A metric that a suite may name, and the task that it is for."""

    task: str


def _entry(name: str) -> KnownMetric:
    task = "regression" if name in _OF_NUMBERS else "classification"
    return KnownMetric(name=name, direction="lower" if name in _LOWER else "higher", task=task)


METRICS: Mapping[str, KnownMetric] = {name: _entry(name) for name in _FUNCTIONS}


def _function(name: str, value: Any) -> None:
    module, colon, function = str(value).partition(":")
    if not (isinstance(value, str) and colon and module and function.isidentifier()):
        raise check.refused(name, value, "must be 'module:function'")


@spec
class CustomMetric:
    """A metric of your own: a function of the true and the predicted values of the test cases, and which direction is better.

    Classes come as numbers, in the order of their sorted names; a third argument called `probabilities` gets a column per
    class.

    Parameters
    ----------
    name : str
        Name of the metric.
    function : str
        Where the function is, as "module:function".
    direction : {"higher", "lower"}
        Which values are better.

    Examples
    --------
    >>> CustomMetric(name="cost", function="my_metrics:cost", direction="lower").name
    'cost'
    """

    name: Text
    function: Annotated[str, rule(_function)]
    direction: Annotated[Literal["higher", "lower"], rule(check.choice, options=("higher", "lower"))]

    def __post_init__(self) -> None:
        if self.name in METRICS or self.name in COSTS or self.name in ESTIMATES:
            taken = f"The metric {self.name!r} is known already"
            raise ArgumentError(f"{taken}: give yours another {{argument}}.", argument="name")

    def load(self) -> Any:
        """The function; a sentence where it cannot be found."""
        module, _, name = self.function.partition(":")
        try:
            function: Any = getattr(importlib.import_module(module), name, None)
        except Exception as error:
            raise ArgumentError(f"The metric {self.name!r} cannot be loaded: {module!r}: {error}.") from None
        if not callable(function):
            raise ArgumentError(f"The metric {self.name!r} cannot be loaded: {module!r} has no function {name!r}.")
        return function

    def score(self, predictions: Predictions) -> float:
        """Its value for the predictions of a task."""
        function = self.load()
        more = {}
        if "probabilities" in inspect.signature(function).parameters:
            more["probabilities"] = predictions.need_probabilities()
        value = float(function(predictions.y, predictions.predicted, **more))
        if not np.isfinite(value):
            raise ArgumentError(f"the metric gave {value}")
        return value


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


def metric_of(name: str, own: Mapping[str, CustomMetric] = MappingProxyType({})) -> Metric:
    """The metric behind a name of the store."""
    entry = METRICS.get(name) or own.get(name)
    return Metric(name=name, direction=entry.direction if entry else "lower", is_cost=name in COSTS)


def score(name: str, predictions: Predictions) -> float:
    """One metric of the predictions of a task.

    >>> y = np.array([0, 0, 1, 1])
    >>> score("error", Predictions(np.arange(4), y, np.array([0, 1, 1, 1]), 2))
    0.25
    """
    return _FUNCTIONS[name](predictions)


def score_or_hole(
    name: str, predictions: Predictions, own: Mapping[str, CustomMetric] = MappingProxyType({})
) -> tuple[float | None, str]:
    """One metric, or why it has no value; what goes wrong in a metric of the user's costs only this value."""
    try:
        return (own[name].score(predictions) if name in own else score(name, predictions)), ""
    except NoProbabilities as error:
        return None, str(error)
    except Exception as error:
        if name not in own:
            raise
        return None, f"{type(error).__name__}: {error}"
