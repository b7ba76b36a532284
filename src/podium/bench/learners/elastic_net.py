"""Elastic-net logistic regression along a path of penalties, by coordinate descent."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit
from scipy.special import expit

from podium.bench.learners.base import Classifier, indicators
from podium.core.arrays import Floats


class ElasticNetLogistic(Classifier):
    """Logistic regression with penalty * (l1_ratio |w|_1 + (1 - l1_ratio) / 2 |w|_2^2) added to the mean loss.

    The algorithm of glmnet (Friedman, Hastie and Tibshirani 2010): Newton steps, each solved by coordinate descent, from
    the largest penalty down, every solution the start of the next. The penalty is a free hyperparameter: give
    all its values as `path`. Several classes: one against the rest.
    """

    free_hyperparameter = "penalty"
    path_parameter = "path"

    def __init__(
        self, *, penalty: float = 0.01, l1_ratio: float = 0.5, path: Sequence[float] | None = None, tol: float = 1e-4
    ) -> None:
        self.penalty = penalty
        self.l1_ratio = l1_ratio
        self.path = path
        self.tol = tol

    def fit(self, X: Any, y: Any) -> ElasticNetLogistic:
        """Follow the path of penalties."""
        X, codes = self._begin(X, y)
        self.penalties_ = np.array(sorted(set(self.path or ()) | {self.penalty}, reverse=True), dtype=np.float64)
        columns = np.asfortranarray(X)
        targets = (indicators(codes, len(self.classes_)) + 1) / 2
        found = [_follow(columns, target, self.penalties_, self.l1_ratio, self.tol) for target in targets.T]
        self.weights_ = np.stack([weights for weights, _ in found])  # (function, penalty, feature)
        self.thresholds_ = np.stack([thresholds for _, thresholds in found])
        return self

    def _scores(self, X: Floats, penalty: float) -> Floats:
        place = int(np.flatnonzero(self.penalties_ == penalty)[0])
        scores = X @ self.weights_[:, place].T + self.thresholds_[:, place]
        return np.asarray(scores[:, 0] if len(self.classes_) == 2 else scores)

    def predict_path(self, X: Any, values: Sequence[float]) -> list[npt.NDArray[Any]]:
        """The predictions for each penalty of the path."""
        X = self._checked(X)
        return [self._labels(self._scores(X, value)) for value in values]

    def decision_function(self, X: Any) -> Floats:
        """The linear functions; one column for two classes."""
        return self._scores(self._checked(X), self.penalty)

    def predict_proba(self, X: Any) -> Floats:
        """Probabilities; those of several classes are scaled to sum to one."""
        scores = self.decision_function(X)
        if scores.ndim == 1:
            positive = expit(scores)
            return np.column_stack([1 - positive, positive])
        each = expit(scores) + 1e-12
        return np.asarray(each / each.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class whose function is highest."""
        return self._labels(self.decision_function(X))


@njit(cache=True)
def _follow(X: Any, y: Any, penalties: Any, l1_ratio: float, tol: float) -> Any:
    """Weights and thresholds for every penalty, largest first. y is 0 or 1."""
    n, width = X.shape
    weights = np.zeros((len(penalties), width))
    thresholds = np.zeros(len(penalties))
    w = np.zeros(width)
    share = min(max(y.mean(), 1e-6), 1 - 1e-6)
    b = np.log(share / (1 - share))
    score = np.full(n, b)
    v = np.empty(n)
    residual = np.empty(n)
    curvature = np.empty(width)
    for place in range(len(penalties)):
        lasso = penalties[place] * l1_ratio
        ridge = penalties[place] * (1 - l1_ratio)
        for _newton in range(25):
            for i in range(n):
                p = 1 / (1 + np.exp(-score[i]))
                v[i] = max(p * (1 - p), 1e-5)
                residual[i] = (y[i] - p) / v[i]
            for j in range(width):
                total = 0.0
                for i in range(n):
                    total += v[i] * X[i, j] * X[i, j]
                curvature[j] = total / n
            moved = _descend(X, w, v, residual, curvature, lasso, ridge, tol)
            b += moved[0]
            for i in range(n):
                score[i] = b
            for j in range(width):
                if w[j] != 0:
                    for i in range(n):
                        score[i] += w[j] * X[i, j]
            if moved[1] < tol:
                break
        weights[place] = w
        thresholds[place] = b
    return weights, thresholds


@njit(cache=True)
def _descend(X: Any, w: Any, v: Any, residual: Any, curvature: Any, lasso: float, ridge: float, tol: float) -> Any:
    """Coordinate descent on the weighted least squares; how far the threshold went, and the largest first step."""
    n, width = X.shape
    total_v = v.sum()
    threshold = 0.0
    first = 0.0
    for sweep in range(100):
        largest = 0.0
        step = 0.0
        for i in range(n):
            step += v[i] * residual[i]
        step /= total_v
        threshold += step
        for i in range(n):
            residual[i] -= step
        largest = abs(step)
        for j in range(width):
            if curvature[j] + ridge <= 0:
                continue
            pull = 0.0
            for i in range(n):
                pull += v[i] * X[i, j] * residual[i]
            pull = pull / n + curvature[j] * w[j]
            new = np.sign(pull) * max(abs(pull) - lasso, 0.0) / (curvature[j] + ridge)
            step = new - w[j]
            if step != 0:
                w[j] = new
                for i in range(n):
                    residual[i] -= step * X[i, j]
                largest = max(largest, abs(step) * np.sqrt(curvature[j]))
        if sweep == 0:
            first = largest
        if largest < tol:
            break
    return threshold, first
