"""k nearest neighbours whose votes fall with their rank, by a Gaussian kernel."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bench.learners.base import Counting
from podium.core.arrays import Floats

_LAST = 1e-3  # the vote of the k-th neighbour
_PAIRS = 4_000_000  # distances at once


@dataclass(kw_only=True, eq=False, repr=False)
class GaussianNeighbors(Counting):
    """The r-th of `n_neighbors` has exp(-r^2 / s^2) votes, s such that the last has 0.001; as in the system Orange.

    Numbers are divided by their range; a differing level of the last `nominal` features counts 1. Neighbours at the same
    distance come in an order that `random_state` draws: in that of the file they would favour its first classes.
    """

    n_neighbors: int = 10
    nominal: int = 0
    random_state: int | None = None

    def fit(self, X: Any, y: Any) -> GaussianNeighbors:
        """Keep the cases, in a random order."""
        X, codes = self._begin(X, y)
        order = np.random.default_rng(self.random_state).permutation(len(codes))
        spread = np.ptp(X[:, : X.shape[1] - self.nominal], axis=0)
        self.scale_ = np.where(spread > 0, spread, 1.0)
        self.cases_, self.marks_ = X[order], np.eye(len(self.classes_))[codes[order]]
        return self

    def _scores(self, X: Floats) -> Floats:
        """The votes of the nearest, by class."""
        k = min(self.n_neighbors, len(self.cases_))
        votes = np.exp(np.log(_LAST) * (np.arange(1, k + 1) / k) ** 2)
        counts = np.empty((len(X), len(self.classes_)))
        step = max(1, _PAIRS // len(self.cases_))
        for start in range(0, len(X), step):
            away = self._distances(X[start : start + step])
            near = np.argsort(away, axis=1, kind="stable")[:, :k]
            counts[start : start + step] = np.einsum("r,crk->ck", votes, self.marks_[near])
        return counts

    def _distances(self, X: Floats) -> Floats:
        """Squared distances of new cases (rows) from the kept ones."""
        first = X.shape[1] - self.nominal
        new, old = X[:, :first] / self.scale_, self.cases_[:, :first] / self.scale_
        away = (new**2).sum(axis=1)[:, None] + (old**2).sum(axis=1) - 2 * new @ old.T
        for column in range(first, X.shape[1]):
            away += X[:, column, None] != self.cases_[:, column]
        return np.asarray(np.round(away, 9))  # distances that are equal but for rounding are equal
