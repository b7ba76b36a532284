"""Random k-NN: many nearest-neighbour classifiers, each on a random part of the features."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.spatial.distance import cdist
from sklearn.utils import check_random_state

from podium.bench.learners.base import Counting
from podium.bench.learners.free import picked
from podium.core.arrays import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class RandomNeighbors(Counting):
    """k-NN on random subsets of the features; the members vote (Li, Harner and Adjeroh 2011, R's rknn).

    `max_features` is the size of each subset. The number of members is a free hyperparameter: the first B of them are
    an ensemble of B.
    """

    free_hyperparameter = "n_estimators"

    n_estimators: int = 50
    max_features: int = 3
    n_neighbors: int = 5
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> RandomNeighbors:
        """Keep the cases and draw the subsets."""
        self.X_, self.y_ = self._begin(X, y)
        rng = check_random_state(self.random_state)
        width = min(max(int(self.max_features), 1), self.X_.shape[1])
        self.subsets_ = [rng.permutation(self.X_.shape[1])[:width] for _ in range(self.n_estimators)]
        return self

    def _votes(self, X: Floats) -> Iterator[Floats]:
        """The running sum of votes, member by member; all cases as far away as the k-th have a say in a member."""
        marks = np.eye(len(self.classes_))
        of_case = marks[self.y_]
        k = min(self.n_neighbors, len(self.X_))
        total = np.zeros((len(X), len(self.classes_)))
        for subset in self.subsets_:
            far = cdist(X[:, subset], self.X_[:, subset], "sqeuclidean")
            kth = np.partition(far, k - 1, axis=1)[:, k - 1, None]
            total += marks[((far <= kth) @ of_case).argmax(axis=1)]
            yield total

    def predict_path(self, X: Any, values: Sequence[int]) -> list[npt.NDArray[Any]]:
        """The predictions of the first B members, for each B."""
        return picked(self._votes(self._checked(X)), values, lambda total, _: self._labels(total))

    def _scores(self, X: Floats) -> Floats:
        return deque(self._votes(X), maxlen=1)[0]  # the last is the sum of all
