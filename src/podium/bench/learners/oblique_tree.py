"""A multivariate decision tree: each node asks about a linear combination of all features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bench.learners.tree import TreeClassifier, entropy, grow
from podium.core.arrays import Floats, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class ObliqueTree(TreeClassifier):
    """A tree of Fisher's linear discriminants (Yildiz and Alpaydin 2005).

    At each node the classes are put into two groups: the two farthest means begin one each, every other class
    joins the nearer, then classes change sides as long as the gain of information grows. The threshold along Fisher's
    direction is the one with the best gain. A node with less than `min_share` of the cases is a leaf.
    """

    min_share: float = 0.05

    def fit(self, X: Any, y: Any) -> ObliqueTree:
        """Grow the tree; it is pruned while it grows."""
        X, codes = self._begin(X, y)
        classes = len(self.classes_)
        smallest = max(self.min_share * len(X), 4)
        self.root_ = grow(X, codes, classes, smallest=smallest, ask=lambda X, y: _best_question(X, y, classes))
        return self


def _best_question(X: Floats, y: Indices, classes: int) -> tuple[Floats, float] | None:
    """The direction and threshold of the best grouping that exchanges of single classes lead to."""
    present = np.unique(y)
    group = _first_groups(X, y, present)
    best = _question(X, y, classes, group)
    improved = len(present) > 2
    while improved:
        improved = False
        for label in present:
            other = {**group, int(label): not group[int(label)]}
            if len(set(other.values())) < 2:
                continue
            found = _question(X, y, classes, other)
            if found[0] > best[0] + 1e-10:
                group, best, improved = other, found, True
    return None if best[0] <= 1e-10 else (best[1], best[2])


def _first_groups(X: Floats, y: Indices, present: Indices) -> dict[int, bool]:
    """The two classes with the farthest means, and each other class with the nearer of them."""
    means = np.array([X[y == label].mean(axis=0) for label in present])
    distance = ((means[:, None] - means) ** 2).sum(axis=2)
    first, second = divmod(int(distance.argmax()), len(present))
    if first == second:  # all means are equal
        first, second = 0, 1
    sides = distance[:, second] < distance[:, first]
    sides[first], sides[second] = False, True
    return {int(label): bool(side) for label, side in zip(present, sides, strict=True)}


def _question(X: Floats, y: Indices, classes: int, group: dict[int, bool]) -> tuple[float, Floats, float]:
    """Gain, direction and threshold of Fisher's discriminant between two groups of classes."""
    side = np.array([group.get(label, False) for label in range(classes)])[y]
    left, right = X[~side], X[side]
    difference = right.mean(axis=0) - left.mean(axis=0)
    within = (left - left.mean(axis=0)).T @ (left - left.mean(axis=0))
    within += (right - right.mean(axis=0)).T @ (right - right.mean(axis=0))
    # A small ridge: within a node features may not vary, or outnumber the cases.
    ridge = 1e-4 * max(float(np.trace(within)) / len(within), 1e-9)
    weights = np.linalg.solve(within + ridge * np.eye(len(within)), difference)
    return _best_threshold(X @ weights, y, classes, weights)


def _best_threshold(value: Floats, y: Indices, classes: int, weights: Floats) -> tuple[float, Floats, float]:
    order = np.argsort(value, kind="stable")
    ranked = value[order]
    below = np.cumsum(np.eye(classes)[y[order]], axis=0)[:-1]
    total = np.bincount(y, minlength=classes).astype(np.float64)
    # A cut between values that differ by rounding alone would not hold for the same cases again.
    apart = ranked[1:] - ranked[:-1] > 1e-9 * max(float(np.abs(ranked).max()), 1e-300)
    gain = np.where(apart, (entropy(total) - entropy(below) - entropy(total - below)) / len(y), -np.inf)
    cut = int(gain.argmax())
    return float(gain[cut]), weights, float((ranked[cut] + ranked[cut + 1]) / 2)
