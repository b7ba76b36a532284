"""Naive Bayes in which the probability of a class is a smooth curve of every number (LOESS, Cleveland 1979)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.bench.learners.discrete_bayes import DiscreteBayes
from podium.core.arrays import Floats, Indices

_POINTS = 50
_LEAST = 1e-3  # no curve says that a class is impossible


@dataclass(kw_only=True, eq=False, repr=False)
class LoessBayes(DiscreteBayes):
    """P(class | number) at 50 points, each by a local line through half of the cases with tricube weights, then interpolated.

    Every feature multiplies the odds by P(class | number) / P(class). Nominal features are those of `DiscreteBayes`.
    """

    def _fit_numbers(self, X: Floats, y: Indices) -> None:
        shares = np.bincount(y, minlength=len(self.classes_)) / len(y)
        marks = np.eye(len(self.classes_))[y]
        self.points_ = [np.unique(np.quantile(column, np.linspace(0, 1, _POINTS), method="nearest")) for column in X.T]
        self.curves_ = [
            np.log(np.clip(_loess(column, marks, points), _LEAST, None) / shares)
            for column, points in zip(X.T, self.points_, strict=True)
        ]

    def _number_scores(self, X: Floats) -> Floats:
        scores = np.zeros((len(X), len(self.classes_)))
        for points, curves, column in zip(self.points_, self.curves_, X.T, strict=True):
            for c in range(scores.shape[1]):
                scores[:, c] += np.interp(column, points, curves[:, c])
        return scores


def _loess(x: Floats, marks: Floats, points: Floats) -> Floats:
    """The share of each class at the points, by weighted lines through the nearest half of the cases."""
    near = max(2, len(x) // 2)
    shares = np.empty((len(points), marks.shape[1]))
    for i, point in enumerate(points):
        away = np.abs(x - point)
        reach = 1.001 * np.partition(away, near - 1)[near - 1]  # so that the last of the half counts a little too
        # Where half of the cases have this very value, they alone count.
        weight = np.clip(1 - (away / reach) ** 3, 0, None) ** 3 if reach > 0 else (away == 0).astype(float)
        total = weight.sum()
        mean_x, mean_y = weight @ x / total, weight @ marks / total
        spread = weight @ (x - mean_x) ** 2
        slope = (weight * (x - mean_x)) @ marks / spread if spread > 1e-12 * total else 0.0
        shares[i] = mean_y + slope * (point - mean_x)
    return np.clip(shares, 0.0, 1.0)
