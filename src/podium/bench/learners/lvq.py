"""Learning vector quantisation: prototypes per class that move towards their own cases and away from others."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from sklearn.utils import check_random_state

from podium.bench.learners.base import Classifier
from podium.core.arrays import Floats, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class LearningVectorQuantization(Classifier):
    """OLVQ1 (Kohonen 1992; R's class::olvq1): every prototype has its own learning rate.

    `codebook` prototypes start at random cases, shared among the classes by their sizes, at least one each;
    `steps` x codebook cases are then shown. A prediction is the class of the nearest prototype.
    """

    codebook: int = 10
    rate: float = 0.3
    steps: int = 40
    random_state: Any = None

    def fit(self, X: Any, y: Any) -> LearningVectorQuantization:
        """Place and move the prototypes."""
        X, codes = self._begin(X, y)
        rng = check_random_state(self.random_state)
        start = _start(codes, max(int(self.codebook), len(self.classes_)), rng)
        prototypes, owners = X[start].copy(), codes[start]
        rates = np.full(len(start), float(self.rate))
        for case in rng.randint(len(X), size=self.steps * len(start)):
            step = X[case] - prototypes
            nearest = int((step**2).sum(axis=1).argmin())
            sign = 1.0 if owners[nearest] == codes[case] else -1.0
            # Kohonen's optimal rate; a wrong prototype may not learn faster than it began.
            rates[nearest] = min(rates[nearest] / (1.0 + sign * rates[nearest]), self.rate)
            prototypes[nearest] += sign * rates[nearest] * step[nearest]
        self.prototypes_, self.owners_ = prototypes, owners
        return self

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """The class of the nearest prototype."""
        X = self._checked(X)
        distance: Floats = (self.prototypes_**2).sum(axis=1) - 2 * X @ self.prototypes_.T
        return np.asarray(self.classes_[self.owners_[distance.argmin(axis=1)]])


def _start(codes: Indices, size: int, rng: Any) -> Indices:
    """Random cases: one of every class, the others anywhere, so that large classes get more."""
    order = rng.permutation(len(codes))
    first = order[np.unique(codes[order], return_index=True)[1]]
    rest = order[~np.isin(order, first)]
    return np.concatenate([first, rest[: size - len(first)]])
