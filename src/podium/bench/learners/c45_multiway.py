"""C4.5 as Quinlan's program has it: a nominal feature is split into all its values, and one grown tree is pruned at will."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from podium.bench.learners.base import Counting
from podium.bench.learners.c45 import pessimistic
from podium.bench.learners.tree import entropy
from podium.core.arrays import Floats, Indices


@dataclass(slots=True, eq=False)
class Node:
    """A leaf, or a question. Numbers up to the threshold go to the first child; of a nominal feature each of `levels` has one."""

    counts: Floats
    feature: int = -1
    threshold: float = 0.0
    levels: Floats | None = None
    children: list[Node] = field(default_factory=list)

    def branch(self, X: Floats) -> Indices:
        """The child of each case; -1 where training never saw the value."""
        values = X[:, self.feature]
        if self.levels is None:
            return np.asarray(values > self.threshold).astype(np.intp)
        place = np.minimum(np.searchsorted(self.levels, values), len(self.levels) - 1)
        return np.where(self.levels[place] == values, place, -1)


@dataclass(kw_only=True, eq=False, repr=False)
class MultiwayC45(Counting):
    """Quinlan's C4.5 (1993, release 8); the last `nominal` features are codes of levels.

    A split must leave `min_cases` in two branches or more, a threshold also a tenth of the cases per class (at most 25). Among
    splits of at least average gain (features with many levels do not count for it) the best gain ratio is taken. Of one
    grown tree every pruning `confidence` can be asked for. As in `C45Tree` subtrees are not raised, and nothing is windowed.
    """

    free_hyperparameter: ClassVar[str] = "confidence"
    confidence: float = 0.25
    min_cases: int = 2
    nominal: int = 0

    def fit(self, X: Any, y: Any) -> MultiwayC45:
        """Grow the tree; it is pruned when it is asked."""
        X, codes = self._begin(X, y)
        classes, first = len(self.classes_), X.shape[1] - self.nominal
        self.root_ = Node(np.bincount(codes, minlength=classes).astype(np.float64))
        waiting = [(self.root_, np.arange(len(codes)))]
        while waiting:
            node, cases = waiting.pop()
            if len(cases) < 2 * self.min_cases or node.counts.max() == len(cases):
                continue
            if not _ask(node, X[cases], codes[cases], first, self.min_cases):
                continue
            branch = node.branch(X[cases])
            for place in range(2 if node.levels is None else len(node.levels)):
                part = cases[branch == place]
                child = Node(np.bincount(codes[part], minlength=classes).astype(np.float64))
                node.children.append(child)
                waiting.append((child, part))
        return self

    def _scores(self, X: Floats) -> Floats:
        """The class counts of the leaf that each case ends in."""
        return self._counts(X, self.confidence)

    def _counts(self, X: Floats, confidence: float) -> Floats:
        leaves: set[int] = set()
        _prune(self.root_, confidence, leaves)
        found = np.empty((len(X), len(self.classes_)))
        waiting = [(self.root_, np.arange(len(X)))]
        while waiting:
            node, cases = waiting.pop()
            found[cases] = node.counts
            if node.children and id(node) not in leaves:
                branch = node.branch(X[cases])
                # A branch without training cases says what its parent says.
                going = [(child, cases[branch == place]) for place, child in enumerate(node.children)]
                waiting += [(child, part) for child, part in going if len(part) and child.counts.any()]
        return found

    def predict_path(self, X: Any, values: Sequence[float]) -> list[npt.NDArray[Any]]:
        """The predictions of the same tree pruned at each confidence."""
        X = self._checked(X)
        return [self._labels(self._counts(X, confidence)) for confidence in values]


def _ask(node: Node, X: Floats, y: Indices, first_nominal: int, least: int) -> bool:
    """Give the node its question; whether there is one."""
    splits = _thresholds(X[:, :first_nominal], y, node.counts, least)
    splits += _partitions(X[:, first_nominal:], y, node.counts, least, first_nominal)
    useful = [split for split in splits if split[0] > 1e-10]
    if not useful:
        return False
    counting = [split for split in useful if split[3] is None or len(split[3]) < 0.3 * len(y)] or useful
    average = float(np.mean([split[0] for split in counting])) - 1e-3  # C4.5's own slack
    _, _, feature, levels, threshold = max((s for s in useful if s[0] >= average), key=lambda s: s[0] / s[1])
    node.feature, node.levels, node.threshold = feature, levels, threshold
    return True


# The gain, the bits of the split itself, the feature, its levels (None for a number) and its threshold.
Split = tuple[float, float, int, Floats | None, float]


def _thresholds(X: Floats, y: Indices, total: Floats, least: int) -> list[Split]:
    """The best threshold of every number."""
    n, classes = len(y), len(total)
    if X.shape[1] == 0:
        return []
    smallest = min(max(0.1 * n / classes, least), 25)
    order = np.argsort(X, axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    sizes = np.arange(1, n)
    allowed = (values[:-1] < values[1:]) & ((sizes >= smallest) & (n - sizes >= smallest))[:, None]
    columns = np.flatnonzero(allowed.any(axis=0))
    if not len(columns):
        return []
    order, allowed = order[:, columns], allowed[:, columns]
    below = np.cumsum(np.eye(classes)[y[order]], axis=0)[:-1]  # (cut, feature, class)
    gain = np.where(allowed, (entropy(total) - entropy(below) - entropy(total - below)) / n, -np.inf)
    cut = gain.argmax(axis=0)
    best = gain[cut, np.arange(len(columns))] - np.log2(allowed.sum(axis=0)) / n  # the price of a threshold
    share = (cut + 1.0) / n
    bits = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    low, high = values[cut, columns], values[cut + 1, columns]
    middle = np.where((low + high) / 2 < high, (low + high) / 2, low)
    return [(float(best[j]), float(bits[j]), int(column), None, float(middle[j])) for j, column in enumerate(columns)]


def _partitions(X: Floats, y: Indices, total: Floats, least: int, first: int) -> list[Split]:
    """Every nominal feature split into all its levels."""
    found: list[Split] = []
    for column in range(X.shape[1]):
        levels, place = np.unique(X[:, column], return_inverse=True)
        counts = np.zeros((len(levels), len(total)))
        np.add.at(counts, (place, y), 1.0)
        sizes = counts.sum(axis=1)
        if (sizes >= least).sum() >= 2:
            gain = float(entropy(total) - entropy(counts).sum()) / len(y)
            found.append((gain, float(entropy(sizes)) / len(y), first + column, levels, 0.0))
    return found


def _prune(node: Node, confidence: float, leaves: set[int]) -> float:
    """Note where a leaf is no worse than the subtree; the pessimistic number of errors of what remains."""
    cases = float(node.counts.sum())
    as_leaf = pessimistic(cases - node.counts.max(), cases, confidence) if cases else 0.0
    if not node.children:
        return as_leaf
    as_tree = sum(_prune(child, confidence, leaves) for child in node.children)
    if as_leaf <= as_tree + 0.1:  # C4.5's own slack
        leaves.add(id(node))
        return as_leaf
    return as_tree
