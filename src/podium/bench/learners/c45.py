"""A decision tree in the manner of C4.5: gain ratio, and pessimistic pruning."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.special import betaincinv

from podium.bench.learners.tree import Node, TreeClassifier, entropy, grow
from podium.core.arrays import Floats, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class C45Tree(TreeClassifier):
    """Quinlan's C4.5 (1993, release 8) for numeric features.

    Among the splits with at least average gain the one with the best gain ratio is taken; a threshold costs
    log2(candidates) / cases bits. A subtree is replaced by a leaf where the upper limit of the leaf's error (at the
    `confidence`, exact binomial) is no higher than the subtree's. Differences: every split is in two (nominal
    features come one-hot), subtrees are not raised, and windowing is left out.
    """

    confidence: float = 0.25
    min_cases: int = 2

    def fit(self, X: Any, y: Any) -> C45Tree:
        """Grow the tree and prune it."""
        X, codes = self._begin(X, y)
        classes, least = len(self.classes_), self.min_cases
        self.root_ = grow(X, codes, classes, smallest=2 * least, ask=lambda X, y: _best_split(X, y, classes, least))
        _prune(self.root_, self.confidence)
        return self


def _best_split(X: Floats, y: Indices, classes: int, min_cases: int) -> tuple[int, float] | None:
    """The feature and threshold with the best gain ratio among those of at least average gain."""
    n = len(y)
    order = np.argsort(X, axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    below = np.cumsum(np.eye(classes)[y[order]], axis=0)[:-1]  # (cut, feature, class)
    allowed = values[:-1] < values[1:]
    sizes = np.arange(1, n)
    allowed &= ((sizes >= min_cases) & (n - sizes >= min_cases))[:, None]
    if not allowed.any():
        return None
    total = np.bincount(y, minlength=classes).astype(np.float64)
    gain = (entropy(total) - entropy(below) - entropy(total - below)) / n
    gain = np.where(allowed, gain, -np.inf)
    cut = gain.argmax(axis=0)
    columns = np.arange(X.shape[1])
    best = gain[cut, columns] - np.log2(np.maximum(allowed.sum(axis=0), 1)) / n  # the price of a threshold
    best = np.where(allowed.any(axis=0), best, -np.inf)
    useful = best > 1e-10
    if not useful.any():
        return None
    size = (cut + 1.0) / n
    split_bits = -(size * np.log2(size) + (1 - size) * np.log2(1 - size))
    eligible = useful & (best >= best[useful].mean() - 1e-10)
    feature = int(np.where(eligible, best / split_bits, -np.inf).argmax())
    low, high = values[cut[feature], feature], values[cut[feature] + 1, feature]
    middle = (low + high) / 2
    return feature, float(middle if low <= middle < high else low)


def _prune(node: Node, confidence: float) -> float:
    """Replace subtrees by leaves where that is no worse; the pessimistic number of errors of what remains."""
    cases = node.counts.sum()
    as_leaf = pessimistic(cases - node.counts.max(), cases, confidence)
    if node.left is None or node.right is None:
        return as_leaf
    as_tree = _prune(node.left, confidence) + _prune(node.right, confidence)
    if as_leaf <= as_tree + 0.1:  # C4.5's own slack
        node.left = node.right = node.question = None
        return as_leaf
    return as_tree


def pessimistic(errors: float, cases: float, confidence: float) -> float:
    """Cases times the upper limit of the error rate."""
    if errors >= cases:
        return float(cases)
    return float(cases * betaincinv(errors + 1, cases - errors, 1 - confidence))
