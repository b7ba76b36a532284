"""Naive Bayes of nominal features; numbers are cut into intervals as Fayyad and Irani (1993) do."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bench.learners.base import Probable
from podium.bench.learners.tree import entropy
from podium.core.arrays import Floats, Indices


@dataclass(kw_only=True, eq=False, repr=False)
class DiscreteBayes(Probable):
    """Each feature counts on its own, given the class; the last `nominal` features are codes of levels.

    One is added to every count (Laplace). A code below 0 (missing) and a level that training never saw say nothing.
    """

    nominal: int = 0

    def fit(self, X: Any, y: Any) -> DiscreteBayes:
        """Learn the shares of every level in every class."""
        X, codes = self._begin(X, y)
        classes, first = len(self.classes_), X.shape[1] - self.nominal
        sizes = np.bincount(codes, minlength=classes)
        self.prior_ = np.log((sizes + 1.0) / (len(codes) + classes))
        self._fit_numbers(X[:, :first], codes)
        self.tables_ = [_table(column, codes, classes) for column in X[:, first:].T]
        return self

    def _fit_numbers(self, X: Floats, y: Indices) -> None:
        classes = len(self.classes_)
        self.cuts_ = [np.array(cuts(column, y, classes)) for column in X.T]
        self.intervals_ = [
            _table(np.searchsorted(cut, column).astype(float), y, classes, levels=len(cut) + 1)
            for cut, column in zip(self.cuts_, X.T, strict=True)
        ]

    def _number_scores(self, X: Floats) -> Floats:
        """What the numbers add to the log odds."""
        scores = np.zeros((len(X), len(self.classes_)))
        for cut, (_, shares), column in zip(self.cuts_, self.intervals_, X.T, strict=True):
            scores += shares[np.searchsorted(cut, column)]
        return scores

    def _scores(self, X: Floats) -> Floats:
        """The logarithm of the joint probability, by class."""
        first = X.shape[1] - self.nominal
        joint = self.prior_ + self._number_scores(X[:, :first])
        for (levels, shares), column in zip(self.tables_, X[:, first:].T, strict=True):
            place = np.minimum(np.searchsorted(levels, column), len(levels) - 1)
            seen = (levels[place] == column) & (column >= 0)
            joint += np.where(seen[:, None], shares[place], 0.0)
        return joint


def _table(column: Floats, y: Indices, classes: int, *, levels: int | None = None) -> tuple[Floats, Floats]:
    """The levels of a feature, and the log share of each in every class."""
    names = np.unique(column) if levels is None else np.arange(float(levels))
    counts = np.ones((len(names), classes))
    np.add.at(counts, (np.searchsorted(names, column), y), 1.0)
    return names, np.log(counts / counts.sum(axis=0))


def cuts(column: Floats, y: Indices, classes: int) -> list[float]:
    """Where Fayyad and Irani cut a number: the best cut of a part, while it pays for its description.

    >>> cuts(np.array([1.0, 2, 3, 4, 11, 12, 13, 14]), np.array([0, 0, 0, 0, 1, 1, 1, 1]), 2)
    [7.5]
    """
    order = np.argsort(column, kind="stable")
    values, marks = column[order], np.eye(classes)[y[order]]
    thresholds: list[float] = []
    waiting = [(0, len(values))]
    while waiting:
        start, stop = waiting.pop()
        place = _paying_cut(values[start:stop], marks[start:stop])
        if place is not None:
            middle = start + place
            thresholds.append(float((values[middle - 1] + values[middle]) / 2))
            waiting += [(start, middle), (middle, stop)]
    return sorted(thresholds)


def _paying_cut(values: Floats, marks: Floats) -> int | None:
    n = len(values)
    allowed = np.flatnonzero(values[:-1] < values[1:])
    if not len(allowed):
        return None
    below, total = np.cumsum(marks, axis=0)[allowed], marks.sum(axis=0)
    bits = np.stack([entropy(below), entropy(total - below)])
    best = int(bits.sum(axis=0).argmin())
    whole, parts = float(entropy(total)), bits[:, best]
    sizes = np.array([allowed[best] + 1.0, n - allowed[best] - 1.0])
    kinds = np.array([(total > 0).sum(), (below[best] > 0).sum(), (total - below[best] > 0).sum()], dtype=float)
    each = np.array([whole / n, *(parts / sizes)])  # bits of a case
    price = np.log2(3.0 ** kinds[0] - 2) - (kinds[0] * each[0] - kinds[1] * each[1] - kinds[2] * each[2])
    return int(allowed[best]) + 1 if (whole - parts.sum()) > np.log2(n - 1) + price else None
