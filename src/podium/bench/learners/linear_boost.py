"""Boosting of linear models: at each step the one feature that helps most gets a little more weight."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.bench.learners.base import Deciding, indicators
from podium.core.arrays import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class LinearBoost(Deciding):
    """Component-wise linear boosting of the hinge loss (Buhlmann and Yu 2003; R's bst with learner "ls").

    Each boost fits a line in the single feature that explains the negative gradient best, and adds `shrinkage` of it.
    The number of boosts is a free hyperparameter.
    """

    free_hyperparameter = "n_boosts"

    n_boosts: int = 100
    shrinkage: float = 0.1

    def fit(self, X: Any, y: Any) -> LinearBoost:
        """Boost one function per class, or a single one for two classes."""
        X, codes = self._begin(X, y)
        targets = indicators(codes, len(self.classes_))
        boosts = [_boost(X, target, self.n_boosts, self.shrinkage) for target in targets.T]
        self.features_, self.steps_, self.shifts_ = (np.stack(each) for each in zip(*boosts, strict=True))
        self.coef_, self.intercept_ = self._after(self.n_boosts)
        return self

    def _scores(self, X: Floats) -> Floats:
        return np.asarray(X @ self.coef_.T + self.intercept_)

    def _after(self, boosts: int) -> tuple[Floats, Floats]:
        """The linear functions after so many boosts."""
        coef = np.zeros((len(self.features_), self.n_features_in_))
        for function, (features, steps) in enumerate(zip(self.features_, self.steps_, strict=True)):
            np.add.at(coef[function], features[:boosts], steps[:boosts])
        return coef, self.shifts_[:, :boosts].sum(axis=1)

    def predict_path(self, X: Any, values: Sequence[int]) -> list[npt.NDArray[Any]]:
        """The predictions after each number of boosts."""
        X = self._checked(X)
        lines = [self._after(value) for value in values]
        return [self._labels(X @ coef.T + intercept) for coef, intercept in lines]


def _boost(X: Floats, y: Floats, boosts: int, shrinkage: float) -> tuple[Any, Floats, Floats]:
    """The feature, the weight and the shift that each boost adds; y is -1 or +1."""
    mean = X.mean(axis=0)
    centred = X - mean
    squares = (centred**2).sum(axis=0)
    scale = np.where(squares > 1e-12, 1 / np.sqrt(np.maximum(squares, 1e-12)), 0.0)
    unit = centred * scale
    columns = np.ascontiguousarray(unit.T)
    features = np.zeros(boosts, dtype=np.intp)
    steps, shifts = np.zeros(boosts), np.zeros(boosts)
    score = np.zeros(len(y))
    for boost in range(boosts):
        gradient = np.where(y * score < 1, y, 0.0)
        pull = columns @ gradient
        best = int(np.abs(pull).argmax())
        level = shrinkage * gradient.mean()
        score += level + shrinkage * pull[best] * columns[best]
        features[boost] = best
        steps[boost] = shrinkage * pull[best] * scale[best]
        shifts[boost] = level - steps[boost] * mean[best]
    return features, steps, shifts
