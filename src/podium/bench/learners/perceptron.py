"""Perceptrons with softmax outputs, trained online by plain gradient descent."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import expit
from sklearn.utils import check_random_state

from podium.bench.learners.base import Probable
from podium.core.arrays import Floats
from podium.core.compiled import njit


@dataclass(kw_only=True, eq=False, repr=False)
class OnlinePerceptron(Probable):
    """Cross-entropy, case by case, with a rate that shrinks every epoch (Ulas, Yildiz and Alpaydin 2008, A.2).

    `hidden` is the number of sigmoid units: 0 for a linear perceptron, "auto" for (features + classes) / 2.
    No momentum; 50 epochs; rate 0.01 times 0.95 per epoch. The paper does not say how weights begin: here as Glorot and
    Bengio (2010) proposed, chosen among four schemes because it came nearest to the accuracies of its Table A.3 on six
    datasets; agreement with that table is therefore no independent evidence.
    """

    hidden: int | str = "auto"
    epochs: int = 50
    rate: float = 0.01
    decay: float = 0.95
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> OnlinePerceptron:
        """Show every case once per epoch, in a new order each time."""
        X, codes = self._begin(X, y)
        rng = check_random_state(self.random_state)
        classes = len(self.classes_)
        units = (X.shape[1] + classes) // 2 if self.hidden == "auto" else int(self.hidden)
        inputs = units or X.shape[1]
        # The last row of each matrix holds the thresholds.
        wide, deep = np.sqrt(6 / (X.shape[1] + units)), np.sqrt(6 / (inputs + classes))
        self.hidden_ = rng.uniform(-wide, wide, (X.shape[1] + 1, units))
        self.outputs_ = rng.uniform(-deep, deep, (inputs + 1, classes))
        order = (
            np.array([rng.permutation(len(X)) for _ in range(self.epochs)]).reshape(self.epochs, len(X)).astype(np.intp)
        )
        _train(np.ascontiguousarray(X), codes, self.hidden_, self.outputs_, order, self.rate, self.decay)
        return self

    def _scores(self, X: Floats) -> Floats:
        if self.hidden_.shape[1]:
            X = expit(X @ self.hidden_[:-1] + self.hidden_[-1])
        return np.asarray(X @ self.outputs_[:-1] + self.outputs_[-1])


@njit(cache=True)
def _train(X: Any, y: Any, hidden: Any, outputs: Any, order: Any, rate: float, decay: float) -> None:
    """Backpropagation, one case at a time; the matrices are changed in place."""
    for epoch in range(order.shape[0]):
        for case in order[epoch]:
            signal = X[case]  # what reaches the outputs
            if hidden.shape[1]:
                signal = 1 / (1 + np.exp(-np.minimum(np.maximum(_summed(signal, hidden), -500.0), 500.0)))
            total = _summed(signal, outputs)
            share = np.exp(total - total.max())
            error = -share / share.sum()
            error[y[case]] += 1.0
            if hidden.shape[1]:
                back = np.zeros(signal.size)
                for c in range(error.size):
                    back += error[c] * outputs[:-1, c]
                _step(X[case], hidden, back * (rate * signal * (1 - signal)))
            _step(signal, outputs, rate * error)
        rate *= decay


@njit(cache=True)
def _summed(signal: Any, weights: Any) -> Any:
    """What reaches each unit."""
    total = weights[signal.size].copy()
    for j in range(signal.size):
        for h in range(total.size):
            total[h] += signal[j] * weights[j, h]
    return total


@njit(cache=True)
def _step(signal: Any, weights: Any, step: Any) -> None:
    """Change the weights of what has reached each unit by its step."""
    for j in range(signal.size):
        for h in range(step.size):
            weights[j, h] += step[h] * signal[j]
    weights[signal.size] += step
