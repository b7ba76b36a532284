"""Regressors of scikit-learn whose hyperparameters depend on the scale of the target: it is standardised for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import ElasticNet
from sklearn.neural_network import MLPRegressor
from sklearn.svm import SVR

from podium.core.arrays import Floats


class _Standardised:
    """A regressor that learns a target of mean 0 and spread 1, and predicts on the scale of the target."""

    def fit(self, X: Any, y: Any) -> Any:
        """Learn the standardised target."""
        values = np.asarray(y, dtype=np.float64)
        self.centre_, spread = float(values.mean()), float(values.std())
        self.spread_ = spread if spread > 0 else 1.0
        return super().fit(X, (values - self.centre_) / self.spread_)  # type: ignore[misc]

    def predict(self, X: Any) -> Floats:
        """Back on the scale of the target."""
        return np.asarray(super().predict(X) * self.spread_ + self.centre_)  # type: ignore[misc]


class ScaledElasticNet(_Standardised, ElasticNet):  # type: ignore[misc]
    """An elastic net on a target of mean 0 and spread 1."""


class ScaledSVR(_Standardised, SVR):  # type: ignore[misc]
    """A support vector machine on a target of mean 0 and spread 1."""

    def __init__(self, *, C: float = 1.0, gamma: Any = "scale", epsilon: float = 0.1, max_iter: int = 100_000) -> None:
        super().__init__(C=C, gamma=gamma, epsilon=epsilon, max_iter=max_iter)


class ScaledNet(_Standardised, MLPRegressor):  # type: ignore[misc]
    """A net with one hidden layer on a target of mean 0 and spread 1."""

    def __init__(
        self,
        *,
        hidden_layer_sizes: tuple[int, ...] = (10,),
        alpha: float = 0.01,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        options = {"alpha": alpha, "max_iter": max_iter, "random_state": random_state, "solver": "lbfgs"}
        super().__init__(hidden_layer_sizes=hidden_layer_sizes, **options)
