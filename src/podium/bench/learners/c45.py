"""A decision tree in the manner of C4.5: gain ratio, and pessimistic pruning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from scipy.special import betaincinv

from podium.bench.learners.tree import Node, Question, TreeClassifier, cut_gains, grow
from podium.core.arrays import Floats, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class C45Tree(TreeClassifier):
    """Quinlan's C4.5 (1993, release 8) for numeric features.

    Among the splits with at least average gain the one with the best gain ratio is taken; a threshold costs
    log2(candidates) / cases bits. A subtree is replaced by a leaf where the upper limit of the leaf's error (at the
    `confidence`, exact binomial) is no higher than the subtree's. Differences: every split is in two (nominal
    features come one-hot) and leaves `min_cases` on either side, where C4.5 asks a threshold for a tenth of the cases
    per class (at most 25), subtrees are not raised, and windowing is left out.
    """

    confidence: float = 0.25
    min_cases: int = 2

    def fit(self, X: Any, y: Any) -> C45Tree:
        """Grow the tree and prune it."""

        def ask(X: Floats, y: Indices, total: Floats) -> Question | None:
            return best_question(thresholds(X, y, total, self.min_cases), len(y), slack=1e-10)

        X, codes = self._begin(X, y)
        self.root_, _ = pruned(grow(X, codes, smallest=2 * self.min_cases, ask=ask), self.confidence)
        return self


class Cut(NamedTuple):
    """What a question gains, in bits per case, and the bits of its answers."""

    gain: float
    bits: float
    question: Question


def thresholds(X: Floats, y: Indices, total: Floats, smallest: float) -> list[Cut]:
    """The best threshold of every number that can be cut with so many cases on both sides."""
    n = len(y)
    order = np.argsort(X, axis=0, kind="stable")
    values = np.take_along_axis(X, order, axis=0)
    sizes = np.arange(1, n)
    allowed = (values[:-1] < values[1:]) & ((sizes >= smallest) & (n - sizes >= smallest))[:, None]
    columns = np.flatnonzero(allowed.any(axis=0))
    if not len(columns):
        return []
    allowed = allowed[:, columns]
    gain = np.where(allowed, cut_gains(y, order[:, columns], total), -np.inf)
    cut = gain.argmax(axis=0)
    best = gain[cut, np.arange(len(columns))] - np.log2(allowed.sum(axis=0)) / n  # the price of a threshold
    share = (cut + 1.0) / n
    bits = -(share * np.log2(share) + (1 - share) * np.log2(1 - share))
    low, high = values[cut, columns], values[cut + 1, columns]
    middle = (low + high) / 2
    threshold = np.where((low <= middle) & (middle < high), middle, low)
    return [
        Cut(float(best[place]), float(bits[place]), Question(int(column), float(threshold[place])))
        for place, column in enumerate(columns)
    ]


def best_question(splits: Sequence[Cut], cases: int, *, slack: float) -> Question | None:
    """That of the best gain ratio among those of at least average gain, for which features with many levels do not count."""
    useful = [split for split in splits if split.gain > 1e-10]
    if not useful:
        return None
    few = [split for split in useful if split.question.levels is None or len(split.question.levels) < 0.3 * cases]
    average = float(np.mean([split.gain for split in few or useful])) - slack
    return max((s for s in useful if s.gain >= average), key=lambda split: split.gain / split.bits).question


def pruned(node: Node, confidence: float) -> tuple[Node, float]:
    """The tree with leaves in place of subtrees that are no better, and its pessimistic number of errors."""
    cases = float(node.counts.sum())
    as_leaf = pessimistic(cases - node.counts.max(), cases, confidence) if cases else 0.0
    below = [pruned(child, confidence) for child in node.children]
    as_tree = sum(errors for _, errors in below)
    if not below or as_leaf <= as_tree + 0.1:  # C4.5's own slack
        return Node(node.counts), as_leaf
    return Node(node.counts, node.question, [child for child, _ in below]), as_tree


def pessimistic(errors: float, cases: float, confidence: float) -> float:
    """Cases times the upper limit of the error rate."""
    if errors >= cases:
        return float(cases)
    return float(cases * betaincinv(errors + 1, cases - errors, 1 - confidence))
