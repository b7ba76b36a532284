"""What the trees of this room share: nodes, growing, and how cases fall through them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from podium.bench.learners.base import Counting
from podium.core.arrays import Bools, Floats, Indices

Ask = Callable[[Floats, Indices], "tuple[int | Floats, float] | None"]


@dataclass(slots=True)
class Node:
    """A leaf, or a question: cases with X[:, question] (or X @ question) up to the threshold go to the left."""

    counts: Floats
    question: int | Floats | None = None
    threshold: float = 0.0
    left: Node | None = None
    right: Node | None = None

    def below(self, X: Floats) -> Bools:
        """Which cases go to the left."""
        value = X @ self.question if isinstance(self.question, np.ndarray) else X[:, self.question]
        return np.asarray(value <= self.threshold)


class TreeClassifier(Counting):
    """A tree whose leaves hold the counts of the classes."""

    root_: Node

    def _scores(self, X: Floats) -> Floats:
        """The class counts of the leaf that each case ends in."""
        found = np.empty((len(X), len(self.classes_)))
        waiting = [(self.root_, np.arange(len(X)))]
        while waiting:
            node, cases = waiting.pop()
            if node.left is None or node.right is None:
                found[cases] = node.counts
                continue
            below = node.below(X[cases])
            waiting += [(node.left, cases[below]), (node.right, cases[~below])]
        return found


def grow(X: Floats, y: Indices, classes: int, *, smallest: float, ask: Ask) -> Node:
    """A tree in which `ask` chooses the question of each node that is large enough and mixed."""
    root = Node(np.bincount(y, minlength=classes).astype(np.float64))
    waiting = [(root, np.arange(len(y)))]
    while waiting:
        node, cases = waiting.pop()
        if len(cases) < smallest or node.counts.max() == len(cases):
            continue
        chosen = ask(X[cases], y[cases])
        if chosen is None:
            continue
        node.question, node.threshold = chosen
        below = node.below(X[cases])
        for side, part in (("left", cases[below]), ("right", cases[~below])):
            child = Node(np.bincount(y[part], minlength=classes).astype(np.float64))
            setattr(node, side, child)
            waiting.append((child, part))
    return root


def entropy(counts: Floats) -> Floats:
    """Bits of the class counts in the last axis, times their sum."""
    total = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(counts > 0, counts * np.log2(counts), 0.0).sum(axis=-1)
        return np.asarray(np.where(total > 0, total * np.log2(total), 0.0) - each)
