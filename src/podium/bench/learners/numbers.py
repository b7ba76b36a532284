"""Regressors of scikit-learn whose hyperparameters depend on the scale of the target: it is standardised for them."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.linear_model import ElasticNet
from sklearn.neural_network import MLPRegressor
from sklearn.svm import SVR

from podium.core.arrays import Floats


class ScaledElasticNet(ElasticNet):  # type: ignore[misc]
    """An elastic net on a target of mean 0 and spread 1."""

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ScaledElasticNet:
        """Learn the standardised target."""
        super().fit(X, _standard(self, y), sample_weight=sample_weight)
        return self

    def predict(self, X: Any) -> Floats:
        """Back on the scale of the target."""
        return np.asarray(super().predict(X) * self.spread_ + self.centre_)


class ScaledSVR(SVR):  # type: ignore[misc]
    """A support vector machine on a target of mean 0 and spread 1."""

    def __init__(self, *, C: float = 1.0, gamma: Any = "scale", epsilon: float = 0.1, max_iter: int = 100_000) -> None:
        super().__init__(C=C, gamma=gamma, epsilon=epsilon, max_iter=max_iter)

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> ScaledSVR:
        """Learn the standardised target."""
        super().fit(X, _standard(self, y), sample_weight=sample_weight)
        return self

    def predict(self, X: Any) -> Floats:
        """Back on the scale of the target."""
        return np.asarray(super().predict(X) * self.spread_ + self.centre_)


class ScaledNet(MLPRegressor):  # type: ignore[misc]
    """A net with one hidden layer on a target of mean 0 and spread 1."""

    def __init__(
        self,
        *,
        hidden_layer_sizes: tuple[int, ...] = (10,),
        alpha: float = 0.01,
        max_iter: int = 300,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            hidden_layer_sizes=hidden_layer_sizes,
            alpha=alpha,
            max_iter=max_iter,
            random_state=random_state,
            solver="lbfgs",
        )

    def fit(self, X: Any, y: Any) -> ScaledNet:
        """Learn the standardised target."""
        super().fit(X, _standard(self, y))
        return self

    def predict(self, X: Any) -> Floats:
        """Back on the scale of the target."""
        return np.asarray(super().predict(X) * self.spread_ + self.centre_)


def _standard(model: Any, y: Any) -> Floats:
    """The target with mean 0 and spread 1; the model keeps both."""
    values = np.asarray(y, dtype=np.float64)
    model.centre_, spread = float(values.mean()), float(values.std())
    model.spread_ = spread if spread > 0 else 1.0
    return np.asarray((values - model.centre_) / model.spread_)
