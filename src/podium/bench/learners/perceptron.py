"""Perceptrons with softmax outputs, trained online by plain gradient descent."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from numba import njit
from sklearn.utils import check_random_state

from podium.bench.learners.base import Classifier, Floats

__all__ = ["OnlinePerceptron"]


class OnlinePerceptron(Classifier):
    """Cross-entropy, case by case, with a rate that shrinks every epoch (Ulas, Yildiz and Alpaydin 2008, A.2).

    `hidden` is the number of sigmoid units: 0 for a linear perceptron, "auto" for (features + classes) / 2.
    No momentum; 50 epochs; rate 0.01 times 0.95 per epoch. The paper does not say how weights begin: here as Glorot and
    Bengio (2010) proposed, chosen among four schemes because it came nearest to the accuracies of its Table A.3 on six
    datasets; agreement with that table is therefore no independent evidence.
    """

    def __init__(
        self,
        *,
        hidden: int | str = "auto",
        epochs: int = 50,
        rate: float = 0.01,
        decay: float = 0.95,
        random_state: Any = None,
    ) -> None:
        self.hidden = hidden
        self.epochs = epochs
        self.rate = rate
        self.decay = decay
        self.random_state = random_state

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

    def predict_proba(self, X: Any) -> Floats:
        """The softmax outputs."""
        X = self._checked(X)
        if self.hidden_.shape[1]:
            X = 1 / (1 + np.exp(-np.clip(X @ self.hidden_[:-1] + self.hidden_[-1], -500, 500)))
        scores = X @ self.outputs_[:-1] + self.outputs_[-1]
        odds = np.exp(scores - scores.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class with the highest output."""
        return self._labels(self.predict_proba(X))


@njit(cache=True)
def _train(X: Any, y: Any, hidden: Any, outputs: Any, order: Any, rate: float, decay: float) -> None:
    """Backpropagation, one case at a time; the matrices are changed in place."""
    width = X.shape[1]
    units = hidden.shape[1]
    inputs, classes = outputs.shape[0] - 1, outputs.shape[1]
    signal = np.empty(inputs)
    score = np.empty(classes)
    for epoch in range(order.shape[0]):
        for case in order[epoch]:
            if units == 0:
                for j in range(width):
                    signal[j] = X[case, j]
            for h in range(units):
                total = hidden[width, h]
                for j in range(width):
                    total += X[case, j] * hidden[j, h]
                signal[h] = 1 / (1 + np.exp(-min(max(total, -500.0), 500.0)))
            for c in range(classes):
                score[c] = outputs[inputs, c]
                for k in range(inputs):
                    score[c] += signal[k] * outputs[k, c]
            highest = score.max()
            total = 0.0
            for c in range(classes):
                score[c] = np.exp(score[c] - highest)
                total += score[c]
            for c in range(classes):  # from here on: the error of each output
                score[c] = (1.0 if y[case] == c else 0.0) - score[c] / total
            for h in range(units):
                back = 0.0
                for c in range(classes):
                    back += score[c] * outputs[h, c]
                back *= rate * signal[h] * (1 - signal[h])
                for j in range(width):
                    hidden[j, h] += back * X[case, j]
                hidden[width, h] += back
            for c in range(classes):
                for k in range(inputs):
                    outputs[k, c] += rate * score[c] * signal[k]
                outputs[inputs, c] += rate * score[c]
        rate *= decay
