"""What the trees of this room share: nodes, growing, and how cases fall through them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

from podium.bench.learners.base import Counting
from podium.core.arrays import Floats, Indices


class Question(NamedTuple):
    """X[:, feature] (or X @ feature) up to the threshold goes to the first child; of `levels`, each has a child of its own."""

    feature: int | Floats
    threshold: float
    levels: Floats | None = None

    def branch(self, X: Floats) -> Indices:
        """The child of each case; -1 where training never saw the level."""
        values = X @ self.feature if isinstance(self.feature, np.ndarray) else X[:, self.feature]
        if self.levels is None:
            return np.asarray(values > self.threshold).astype(np.intp)
        place = np.minimum(np.searchsorted(self.levels, values), len(self.levels) - 1)
        return np.where(self.levels[place] == values, place, -1)


@dataclass(slots=True, eq=False)
class Node:
    """A leaf, or a question and a child for each answer."""

    counts: Floats
    question: Question | None = None
    children: list[Node] = field(default_factory=list)


class TreeClassifier(Counting):
    """A tree whose leaves hold the counts of the classes."""

    root_: Node

    def _scores(self, X: Floats) -> Floats:
        return leaf_counts(self.root_, X)


def leaf_counts(root: Node, X: Floats) -> Floats:
    """The class counts of the leaf that each case ends in."""
    counts = np.empty((len(X), len(root.counts)))
    waiting = [(root, np.arange(len(X)))]
    while waiting:
        node, cases = waiting.pop()
        counts[cases] = node.counts
        if node.question is not None:
            branch = node.question.branch(X[cases])
            parts = [(child, cases[branch == place]) for place, child in enumerate(node.children)]
            # A branch without training cases says what its parent says.
            waiting += [(child, part) for child, part in parts if len(part) and child.counts.any()]
    return counts


def grow(X: Floats, y: Indices, *, smallest: float, ask: Callable[[Floats, Indices, Floats], Question | None]) -> Node:
    """A tree in which `ask` (given cases, classes and their counts) has the question of each node that is large and mixed."""
    classes = int(y.max()) + 1
    root = Node(np.bincount(y, minlength=classes).astype(np.float64))
    waiting = [(root, np.arange(len(y)))]
    while waiting:
        node, cases = waiting.pop()
        if len(cases) < smallest or node.counts.max() == len(cases):
            continue
        node.question = ask(X[cases], y[cases], node.counts)
        if node.question is None:
            continue
        branch = node.question.branch(X[cases])
        for place in range(2 if node.question.levels is None else len(node.question.levels)):
            part = cases[branch == place]
            child = Node(np.bincount(y[part], minlength=classes).astype(np.float64))
            node.children.append(child)
            waiting.append((child, part))
    return root


def entropy(counts: Floats) -> Floats:
    """Bits of the class counts in the last axis, times their sum."""
    total = counts.sum(axis=-1)
    with np.errstate(divide="ignore", invalid="ignore"):
        each = np.where(counts > 0, counts * np.log2(counts), 0.0).sum(axis=-1)
        return np.asarray(np.where(total > 0, total * np.log2(total), 0.0) - each)


def cut_gains(y: Indices, order: Indices, total: Floats) -> Floats:
    """Bits per case that are gained by a cut after each case but the last, in an order (or in one for each column)."""
    below = np.cumsum(np.eye(len(total))[y[order]], axis=0)[:-1]
    return np.asarray((entropy(total) - entropy(below) - entropy(total - below)) / len(y))
