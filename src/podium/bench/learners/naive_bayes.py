"""Naive Bayes with Gaussian or kernel densities, as in R's klaR.

Features with two values are treated as nominal, with Laplace's correction; all others as numeric.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bench.learners.base import Probable
from podium.core.arrays import Floats


@dataclass(kw_only=True, eq=False, repr=False)
class NaiveBayes(Probable):
    """Each feature counts on its own, given the class.

    `kernel` takes a Gaussian kernel density with Silverman's bandwidth (R's `bw.nrd0`) per class and feature;
    else a normal density. `laplace` is added to the counts of features with two values. No log density falls below -700,
    so that one strange value cannot silence all others.
    """

    kernel: bool = False
    laplace: float = 0.0

    def fit(self, X: Any, y: Any) -> NaiveBayes:
        """Learn the densities of every feature in every class."""
        X, codes = self._begin(X, y)
        self.prior_ = np.bincount(codes) / len(codes)
        low, high = X.min(axis=0), X.max(axis=0)
        self.two_valued_ = (low < high) & np.all((low == X) | (high == X), axis=0)
        self.middle_ = (low + high) / 2
        groups = [X[codes == c] for c in range(len(self.classes_))]
        rest = ~self.two_valued_
        self.high_share_ = np.array([self._share(group[:, self.two_valued_]) for group in groups])
        # No spread is below a millionth of the feature's own: a constant feature within a class is not a certainty.
        floor = np.maximum(X[:, rest].std(axis=0) * 1e-6, 1e-9)
        self.mean_ = np.array([group[:, rest].mean(axis=0) for group in groups])
        self.spread_ = np.array([np.maximum(group[:, rest].std(axis=0), floor) for group in groups])
        if self.kernel:
            self.points_ = [group[:, rest] for group in groups]
            self.width_ = [np.maximum(_silverman(group[:, rest]), floor) for group in groups]
        return self

    def _share(self, group: Floats) -> Floats:
        """The share of the higher of two values, with Laplace's correction."""
        high = (group > self.middle_[self.two_valued_]).sum(axis=0)
        return np.asarray((high + self.laplace) / (len(group) + 2 * self.laplace))

    def _scores(self, X: Floats) -> Floats:
        """The logarithm of the joint density, by class."""
        high = X[:, self.two_valued_] > self.middle_[self.two_valued_]
        rest = X[:, ~self.two_valued_]
        joint = np.empty((len(X), len(self.classes_)))
        for c, prior in enumerate(self.prior_):
            share = np.where(high, self.high_share_[c], 1 - self.high_share_[c])
            with np.errstate(divide="ignore"):
                nominal = np.maximum(np.log(share), -700.0).sum(axis=1)
            joint[:, c] = np.log(prior) + nominal + np.maximum(self._log_density(c, rest), -700.0).sum(axis=1)
        return joint

    def _log_density(self, c: int, X: Floats) -> Floats:
        if not self.kernel:
            z = (X - self.mean_[c]) / self.spread_[c]
            return np.asarray(-0.5 * z**2 - np.log(self.spread_[c] * np.sqrt(2 * np.pi)))
        density = np.empty_like(X)
        for feature, (points, width) in enumerate(zip(self.points_[c].T, self.width_[c], strict=True)):
            z = (X[:, feature, None] - points) / width
            with np.errstate(divide="ignore", over="ignore"):
                density[:, feature] = np.log(np.exp(-0.5 * z**2).mean(axis=1)) - np.log(width * np.sqrt(2 * np.pi))
        return density


def _silverman(group: Floats) -> Floats:
    """0.9 times the smaller of the spread and the quartiles' width / 1.34, times n ** -0.2."""
    spread = group.std(axis=0, ddof=1) if len(group) > 1 else np.zeros(group.shape[1])
    quartiles = np.subtract(*np.percentile(group, [75, 25], axis=0)) / 1.34
    narrow = np.minimum(spread, quartiles)
    chosen = np.where(narrow > 0, narrow, spread)
    return np.asarray(0.9 * chosen * len(group) ** -0.2)
