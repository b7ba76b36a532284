"""Sparse discriminant analysis: optimal scoring with a lasso, then a linear discriminant on the few directions."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import Lasso

from podium.bench.learners.base import Probable
from podium.core.arrays import Floats, Indices

_ROUNDS = 15


@dataclass(kw_only=True, eq=False, repr=False)
class SparseDiscriminant(Probable):
    """L1-regularised linear discriminant analysis (Clemmensen, Hastie, Witten and Ersboll 2011, L1 term only).

    Classes get scores, features are regressed on them with a lasso of weight `penalty` (features centred), and
    scores and weights take turns until they stand still; the cases are then classified by a linear discriminant in the
    found directions. With so large a penalty that no feature is left, the commonest class is predicted.
    """

    penalty: float = 0.01

    def fit(self, X: Any, y: Any) -> SparseDiscriminant:
        """Find the sparse directions and the discriminant within them."""
        X, codes = self._begin(X, y)
        self.mean_ = X.mean(axis=0)
        self.directions_ = _directions(X - self.mean_, codes, len(self.classes_), self.penalty)
        projected = (X - self.mean_) @ self.directions_
        self.prior_ = np.bincount(codes) / len(codes)
        self.centres_ = np.array([projected[codes == c].mean(axis=0) for c in range(len(self.classes_))])
        within = projected - self.centres_[codes]
        covariance = within.T @ within / max(len(X) - len(self.classes_), 1)
        # A ridge of a billionth keeps directions without spread from dividing by zero.
        floor = 1e-9 * max(float(np.trace(covariance)), 1e-9)
        self.precision_ = np.linalg.inv(covariance + floor * np.eye(len(covariance)))
        return self

    def _scores(self, X: Floats) -> Floats:
        projected = (X - self.mean_) @ self.directions_
        away = projected[:, None, :] - self.centres_
        distance = np.einsum("ncd,de,nce->nc", away, self.precision_, away)
        return np.asarray(np.log(self.prior_) - 0.5 * distance)


def _directions(X: Floats, codes: Indices, classes: int, penalty: float) -> Floats:
    """One sparse direction less than there are classes."""
    marks = np.eye(classes)[codes]
    share = marks.mean(axis=0)
    earlier = np.ones((classes, 1))  # the constant score says nothing
    directions = []
    for number in range(classes - 1):
        theta = _orthogonal(np.sin(np.arange(classes) * (number + 1.0) + number), earlier, share)
        weights = np.zeros(X.shape[1])
        for _ in range(_ROUNDS if classes > 2 else 1):
            new = _lasso(X, marks @ theta, penalty)
            settled = np.allclose(new, weights, rtol=1e-3, atol=1e-8)
            weights = new
            if settled or not weights.any():
                break
            theta = _orthogonal((marks.T @ (X @ weights)) / len(X) / share, earlier, share)
        directions.append(weights)
        earlier = np.column_stack([earlier, theta])
    return np.column_stack(directions)


def _orthogonal(theta: Floats, earlier: Floats, share: Floats) -> Floats:
    """Scores of weighted length one, without any part of the earlier ones."""
    for column in earlier.T:
        theta = theta - column * (column * share) @ theta / ((column * share) @ column)
    length = np.sqrt((theta * share) @ theta)
    return np.asarray(theta / length) if length > 1e-12 else theta


def _lasso(X: Floats, target: Floats, penalty: float) -> Floats:
    with warnings.catch_warnings():
        # With a penalty of nearly zero the lasso is least squares, and the last digits do not matter.
        warnings.simplefilter("ignore", ConvergenceWarning)
        return np.asarray(Lasso(alpha=penalty, fit_intercept=False, max_iter=1000, tol=1e-4).fit(X, target).coef_)
