"""Elastic-net logistic regression along a path of penalties, by coordinate descent."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import expit

from podium.bench.learners.base import Deciding, indicators
from podium.core.arrays import Floats
from podium.core.compiled import njit


@dataclass(kw_only=True, eq=False, repr=False)
class ElasticNetLogistic(Deciding):
    """Logistic regression with penalty * (l1_ratio |w|_1 + (1 - l1_ratio) / 2 |w|_2^2) added to the mean loss.

    The algorithm of glmnet (Friedman, Hastie and Tibshirani 2010): Newton steps, each solved by coordinate descent, from
    the largest penalty down, every solution the start of the next. The penalty is a free hyperparameter: give
    all its values as `path`. Several classes: one against the rest.
    """

    free_hyperparameter = "penalty"
    path_parameter = "path"

    penalty: float = 0.01
    l1_ratio: float = 0.5
    path: Sequence[float] | None = None
    tol: float = 1e-4

    def fit(self, X: Any, y: Any) -> ElasticNetLogistic:
        """Follow the path of penalties."""
        X, codes = self._begin(X, y)
        self.penalties_ = np.array(sorted(set(self.path or ()) | {self.penalty}, reverse=True), dtype=np.float64)
        columns = np.asfortranarray(X)
        targets = (indicators(codes, len(self.classes_)) + 1) / 2
        paths = [_follow(columns, target, self.penalties_, self.l1_ratio, self.tol) for target in targets.T]
        # The weights by function, penalty and feature.
        self.weights_, self.thresholds_ = (np.stack(each) for each in zip(*paths, strict=True))
        return self

    def _scores(self, X: Floats) -> Floats:
        return self._scores_at(X, self.penalty)

    def _scores_at(self, X: Floats, penalty: float) -> Floats:
        place = int(np.flatnonzero(self.penalties_ == penalty)[0])
        return np.asarray(X @ self.weights_[:, place].T + self.thresholds_[:, place])

    def predict_path(self, X: Any, values: Sequence[float]) -> list[npt.NDArray[Any]]:
        """The predictions for each penalty of the path."""
        X = self._checked(X)
        return [self._labels(self._scores_at(X, value)) for value in values]

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities; those of several classes are scaled to sum to one."""
        each = expit(self._scores(self._checked(X)))
        if len(self.classes_) == 2:
            return np.hstack([1 - each, each])
        each += 1e-12
        return np.asarray(each / each.sum(axis=1, keepdims=True))


@njit(cache=True)
def _follow(X: Any, y: Any, penalties: Any, l1_ratio: float, tol: float) -> Any:
    """Weights and thresholds for every penalty, largest first. y is 0 or 1."""
    weights = np.zeros((len(penalties), X.shape[1]))
    thresholds = np.zeros(len(penalties))
    w = np.zeros(X.shape[1])
    share = min(max(y.mean(), 1e-6), 1 - 1e-6)
    b = np.log(share / (1 - share))
    for place in range(len(penalties)):
        lasso = penalties[place] * l1_ratio
        ridge = penalties[place] * (1 - l1_ratio)
        for _newton in range(25):
            p = 1 / (1 + np.exp(-(X @ w + b)))
            v = np.maximum(p * (1 - p), 1e-5)
            moved = _descend(X, w, v, y - p, lasso, ridge, tol)
            b += moved[0]
            if moved[1] < tol:
                break
        weights[place] = w
        thresholds[place] = b
    return weights, thresholds


@njit(cache=True)
def _descend(X: Any, w: Any, v: Any, weighted: Any, lasso: float, ridge: float, tol: float) -> Any:
    """Coordinate descent on the least squares with weights v, from the `weighted` residuals.

    How far the threshold went, and the largest first step.
    """
    n, width = X.shape
    curvature = (v / n) @ (X * X)
    threshold = 0.0
    first = 0.0
    for sweep in range(100):
        step = weighted.sum() / v.sum()
        threshold += step
        weighted -= step * v
        largest = abs(step)
        for j in range(width):
            if curvature[j] + ridge <= 0:
                continue
            pull = X[:, j] @ weighted / n + curvature[j] * w[j]
            new = np.sign(pull) * max(abs(pull) - lasso, 0.0) / (curvature[j] + ridge)
            step = new - w[j]
            if step != 0:
                w[j] = new
                weighted -= step * v * X[:, j]
                largest = max(largest, abs(step) * np.sqrt(curvature[j]))
        if sweep == 0:
            first = largest
        if largest < tol:
            break
    return threshold, first
