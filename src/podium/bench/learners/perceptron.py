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
            np.stack([rng.permutation(len(X)) for _ in range(self.epochs)]) if self.epochs else np.empty((0, 0), int)
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
    signal = np.empty(outputs.shape[0] - 1)
    error = np.empty(outputs.shape[1])
    for epoch in range(order.shape[0]):
        for case in order[epoch]:
            _forward(X[case], hidden, outputs, signal, error)
            for c in range(error.size):
                error[c] = (1.0 if y[case] == c else 0.0) - error[c]
            _backward(X[case], hidden, outputs, signal, error, rate)
        rate *= decay


@njit(cache=True)
def _forward(x: Any, hidden: Any, outputs: Any, signal: Any, share: Any) -> None:
    """Fill in what reaches the outputs (`signal`), and the softmax outputs (`share`)."""
    width, units = x.size, hidden.shape[1]
    if units == 0:
        signal[:] = x
    for h in range(units):
        total = hidden[width, h]
        for j in range(width):
            total += x[j] * hidden[j, h]
        signal[h] = 1 / (1 + np.exp(-min(max(total, -500.0), 500.0)))
    for c in range(share.size):
        share[c] = outputs[signal.size, c]
        for k in range(signal.size):
            share[c] += signal[k] * outputs[k, c]
    highest = share.max()
    total = 0.0
    for c in range(share.size):
        share[c] = np.exp(share[c] - highest)
        total += share[c]
    for c in range(share.size):
        share[c] /= total


@njit(cache=True)
def _backward(x: Any, hidden: Any, outputs: Any, signal: Any, error: Any, rate: float) -> None:
    """One step against the error of each output."""
    width = x.size
    for h in range(hidden.shape[1]):
        back = 0.0
        for c in range(error.size):
            back += error[c] * outputs[h, c]
        back *= rate * signal[h] * (1 - signal[h])
        for j in range(width):
            hidden[j, h] += back * x[j]
        hidden[width, h] += back
    for c in range(error.size):
        for k in range(signal.size):
            outputs[k, c] += rate * error[c] * signal[k]
        outputs[signal.size, c] += rate * error[c]
