"""Nodes of the trees of this room, and how cases fall through them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

__all__ = ["Node", "entropy", "fall"]

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Node:
    """A leaf, or a question: cases with X @ weights (or X[:, feature]) up to the threshold go to the left."""

    counts: Floats
    threshold: float = 0.0
    feature: int = -1
    weights: Floats | None = None
    left: Node | None = None
    right: Node | None = None

    @property
    def is_leaf(self) -> bool:
        """Whether the node asks nothing."""
        return self.left is None

    def become_leaf(self) -> None:
        """Forget everything below."""
        self.left = self.right = self.weights = None
        self.feature = -1

    def leaves(self) -> int:
        """How many leaves there are below, or 1."""
        if self.left is None or self.right is None:
            return 1
        return self.left.leaves() + self.right.leaves()


def fall(root: Node, X: Floats) -> Floats:
    """The class counts of the leaf that each case ends in."""
    found = np.empty((len(X), len(root.counts)))
    waiting = [(root, np.arange(len(X)))]
    while waiting:
        node, cases = waiting.pop()
        if node.left is None or node.right is None:
            found[cases] = node.counts
            continue
        value = X[cases] @ node.weights if node.weights is not None else X[cases, node.feature]
        below = value <= node.threshold
        waiting += [(node.left, cases[below]), (node.right, cases[~below])]
    return found


def entropy(counts: Floats) -> Floats:
    """Bits of the class counts in the last axis, times their sum."""
    total = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(counts > 0, counts * np.log2(counts), 0.0).sum(axis=-1)
        return np.asarray(np.where(total > 0, total * np.log2(total), 0.0) - each)
