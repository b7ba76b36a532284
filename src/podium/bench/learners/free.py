"""Free hyperparameters: the predictions for many values from one trained model (Wainer 2016, section 2.4)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, PodiumError

Labels = npt.NDArray[Any]
Stage = Callable[[Any, Floats, Sequence[int]], list[Labels]]


class MaskedPrediction(PodiumError):
    """An algorithm says of some cases that it predicts nothing."""


def labels_of(model: Any, X: Floats) -> Labels:
    """The predicted classes, also of libraries that return them as a single column."""
    predicted = model.predict(X)
    if np.ma.is_masked(predicted):
        method = f"{type(model).__name__}.predict"
        raise MaskedPrediction(f"{method} left cases without a prediction (it gave a masked array).")
    labels = np.asarray(predicted)
    return labels[:, 0] if labels.ndim == 2 and labels.shape[1] == 1 else labels


def can_stage(estimator: Any, name: str) -> bool:
    """Whether the values of that hyperparameter can all come from one training, with the other settings as they are.

    Not with dropout (DART), whose later trees change the earlier ones; not if boosts are averaged like a forest.
    """
    return _stager(estimator, name) is not None


def staged_predictions(model: Any, name: str, X: Floats, values: Sequence[Any]) -> list[Labels]:
    """The predictions for each value, from a model trained with the largest."""
    stage = _stager(model, name)
    if stage is None:
        cure = "its values need a training each (put it in `search`)"
        raise ArgumentError(f"`{name}` of {type(model).__name__} is not free: {cure}.")
    return stage(model, X, values)


def _stager(model: Any, name: str) -> Stage | None:
    if getattr(model, "free_hyperparameter", None) == name:  # the estimators of this room know how
        return lambda model, X, values: model.predict_path(X, values)
    bases = [base.__name__ for base in type(model).__mro__]
    kind = next((base for base in bases if (base, name) in _STAGERS), None)
    if kind is None or any(base.startswith("XGBRF") for base in bases) or not _is_plain(model, kind):
        return None
    return _STAGERS[(kind, name)]


def _is_plain(model: Any, kind: str) -> bool:
    """Whether the model's settings leave its first part what a smaller model would be."""
    settings = model.get_params() if hasattr(model, "get_params") else {}
    if kind.startswith("KNeighbors"):
        return settings.get("weights", "uniform") in (None, "uniform", "distance")
    if kind.startswith("CatBoost"):  # without a rate of learning it chooses one by the number of trees
        return settings.get("learning_rate", settings.get("eta")) is not None
    chosen = [settings.get(key) for key in ("booster", "boosting_type", "boosting")]
    return all(value in (None, "gbtree", "gbdt", "goss") for value in chosen)


def picked(
    stages: Iterable[Any], values: Sequence[int], said: Callable[[Any, int], Labels] = lambda stage, count: stage
) -> list[Labels]:
    """What is said at the stages of these numbers, counted from 1; a model that stopped early stays as it was last."""
    wanted = set(values)
    labels: dict[int, Labels] = {}
    for count, stage in enumerate(stages, 1):
        if count in wanted:
            labels[count] = said(stage, count)
    return [labels[value] if value in labels else said(stage, count) for value in values]


def _forest(model: Any, X: Floats, values: Sequence[int]) -> list[Labels]:
    """The first B trees' mean probabilities."""
    shape = (len(X), len(model.classes_))
    single = np.ascontiguousarray(X, dtype=np.float32)  # what the trees compare with their thresholds
    sums = itertools.accumulate(tree.tree_.predict(single).reshape(shape) for tree in model.estimators_)
    return picked(sums, values, lambda total, _: model.classes_[total.argmax(axis=1)])


def _mean_forest(model: Any, X: Floats, values: Sequence[int]) -> list[Labels]:
    """The first B trees' mean."""
    sums = itertools.accumulate(tree.predict(X) for tree in model.estimators_)
    return picked(sums, values, lambda total, count: total / count)


def _boosting(model: Any, X: Floats, values: Sequence[int]) -> list[Labels]:
    """The first B boosts; AdaBoost stops early where no error is left."""
    return picked(model.staged_predict(X), values)


def _neighbors(model: Any, X: Floats, values: Sequence[int]) -> list[Labels]:
    """Votes of the k nearest for every k, where a tie goes to the first class, as in scikit-learn; or their mean."""
    if model.weights == "distance":
        return [model.set_params(n_neighbors=k).predict(X) for k in values]
    near = model._y[model.kneighbors(X, n_neighbors=max(values), return_distance=False)]
    if not hasattr(model, "classes_"):
        sums = np.cumsum(near, axis=1)
        return [sums[:, k - 1] / k for k in values]
    votes = np.cumsum(np.eye(len(model.classes_))[near], axis=1)
    return [model.classes_[votes[:, k - 1].argmax(axis=1)] for k in values]


def _first_trees(said: Callable[[int], dict[str, Any]]) -> Stage:
    """For libraries whose `predict` takes an argument that says how many trees count."""
    return lambda model, X, values: [np.asarray(model.predict(X, **said(value))).ravel() for value in values]


_catboost = _first_trees(lambda count: {"ntree_end": count})
_xgboost = _first_trees(lambda count: {"iteration_range": (0, count)})
_lightgbm = _first_trees(lambda count: {"num_iteration": count})
# family, hyperparameter, how its classifiers and its regressors are staged
_FAMILIES: tuple[tuple[str, str, Stage, Stage | None], ...] = (
    ("RandomForest", "n_estimators", _forest, _mean_forest),
    ("ExtraTrees", "n_estimators", _forest, _mean_forest),
    ("GradientBoosting", "n_estimators", _boosting, _boosting),
    ("AdaBoost", "n_estimators", _boosting, None),
    ("HistGradientBoosting", "max_iter", _boosting, _boosting),
    ("KNeighbors", "n_neighbors", _neighbors, _neighbors),
    ("XGB", "n_estimators", _xgboost, _xgboost),
    ("LGBM", "n_estimators", _lightgbm, _lightgbm),
    ("CatBoost", "n_estimators", _catboost, _catboost),
    ("CatBoost", "iterations", _catboost, _catboost),
)
_STAGERS: dict[tuple[str, str], Stage] = {
    (family + task, parameter): stage
    for family, parameter, *stages in _FAMILIES
    for task, stage in zip(("Classifier", "Regressor"), stages, strict=True)
    if stage is not None
}
