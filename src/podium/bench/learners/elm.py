"""Extreme learning machine: a hidden layer of random weights, and least squares for the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.utils import check_random_state

from podium.bench.learners.base import Deciding, indicators
from podium.core.arrays import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class ExtremeLearningMachine(Deciding):
    """One hidden layer of sigmoid units whose weights are drawn and never trained (Huang, Zhu and Siew 2006).

    Weights and thresholds are uniform from -1 to 1; the output weights are the least-squares solution of smallest norm.
    """

    n_hidden: int = 50
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> ExtremeLearningMachine:
        """Draw the hidden layer and solve for the outputs."""
        X, codes = self._begin(X, y)
        rng = check_random_state(self.random_state)
        self.weights_ = rng.uniform(-1, 1, (X.shape[1], self.n_hidden))
        self.thresholds_ = rng.uniform(-1, 1, self.n_hidden)
        self.outputs_ = np.linalg.lstsq(self._hidden(X), indicators(codes, len(self.classes_)), rcond=None)[0]
        return self

    def _hidden(self, X: Floats) -> Floats:
        return np.asarray(expit(X @ self.weights_ + self.thresholds_))

    def _scores(self, X: Floats) -> Floats:
        return np.asarray(self._hidden(X) @ self.outputs_)
