"""A multivariate decision tree: each node asks about a linear combination of all features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bench.learners.tree import Question, TreeClassifier, cut_gains, grow
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
        self.root_ = grow(X, codes, smallest=max(self.min_share * len(X), 4), ask=_best_question)
        return self


def _best_question(X: Floats, y: Indices, total: Floats) -> Question | None:
    """The direction and threshold of the best grouping that exchanges of single classes lead to."""
    present = np.unique(y)
    group = _first_groups(X, y, present)
    best = _question(X, y, total, group)
    improved = len(present) > 2
    while improved:
        improved = False
        for label in present:
            other = {**group, int(label): not group[int(label)]}
            if len(set(other.values())) < 2:
                continue
            other_best = _question(X, y, total, other)
            if other_best[0] > best[0] + 1e-10:
                group, best, improved = other, other_best, True
    return None if best[0] <= 1e-10 else best[1]


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


def _question(X: Floats, y: Indices, total: Floats, group: dict[int, bool]) -> tuple[float, Question]:
    """The gain and the question of Fisher's discriminant between two groups of classes."""
    side = np.array([group.get(label, False) for label in range(len(total))])[y]
    left, right = X[~side], X[side]
    difference = right.mean(axis=0) - left.mean(axis=0)
    within = (left - left.mean(axis=0)).T @ (left - left.mean(axis=0))
    within += (right - right.mean(axis=0)).T @ (right - right.mean(axis=0))
    # A small ridge: within a node features may not vary, or outnumber the cases.
    ridge = 1e-4 * max(float(np.trace(within)) / len(within), 1e-9)
    weights = np.linalg.solve(within + ridge * np.eye(len(within)), difference)
    value = X @ weights
    order = np.argsort(value, kind="stable")
    ranked = value[order]
    # A cut between values that differ by rounding alone would not hold for the same cases again.
    apart = ranked[1:] - ranked[:-1] > 1e-9 * max(float(np.abs(ranked).max()), 1e-300)
    gain = np.where(apart, cut_gains(y, order, total), -np.inf)
    cut = int(gain.argmax())
    return float(gain[cut]), Question(weights, float((ranked[cut] + ranked[cut + 1]) / 2))
