"""Rows of a grid by metric: which kernel, and from its places to scores."""

from __future__ import annotations

import math
from statistics import NormalDist
from threading import Lock

import numpy as np
import numpy.typing as npt

from podium.chance import grid_kernels, path_search, paths
from podium.chance.laws import score_of_key, shape_of
from podium.chance.names import MetricName

__all__ = ["Rows"]

Floats = npt.NDArray[np.float64]
Nodes = tuple[float, float, npt.NDArray[np.complex128]]

# AUC: tables of the transform serve all pairs whose standard deviations are within this ratio.
_RATIO = 1.25
_MOST_TABLED = 4000
_MIDDLE = 0.4


class Rows:
    """Critical values for whole rows of a grid; safe to use from several threads."""

    def __init__(self, positives: int, negatives: int, levels: Floats) -> None:
        self.positives = positives
        self.negatives = negatives
        self.order = np.argsort(-levels)  # kernels take the levels falling
        self.levels = levels[self.order]
        self._tables: dict[tuple[int, int], Nodes] = {}
        self._lock = Lock()

    def compute(self, metric: MetricName, start: int, stop: int) -> Floats:
        """Scores [level, row, column] for the rows start..stop - 1: positives, or for AUC the larger class."""
        columns = min(self.positives, self.negatives) if metric.family == "auc" else self.negatives
        scores = np.full((len(self.levels), stop - start, columns), np.nan)
        for row in range(start, stop):
            if metric.family == "auc":
                found = self._auc(metric, row, min(row, columns))
            elif metric.family == "accuracy":
                found = self._accuracy(row)
            elif metric.family == "top":
                found = self._top(metric, row)
            else:
                found = self._path(metric, row)
            scores[self.order, row - start, : found.shape[1]] = found
        return scores

    def _accuracy(self, P: int) -> Floats:
        N = np.arange(1, self.negatives + 1)
        return (N + grid_kernels.accuracy_row(P, self.negatives, self.levels)) / (P + N)

    def _top(self, metric: MetricName, P: int) -> Floats:
        n = metric.n or P
        N = np.arange(1, self.negatives + 1)
        places = grid_kernels.top_row(P, self.negatives, n, self.levels).astype(float)
        places[places < 0] = np.nan
        if metric.base == "tp":
            return places
        if metric.base == "lift":
            return places * (P + N) / (n * P)
        return places / (P if metric.base == "recall" else n)

    def _path(self, metric: MetricName, P: int) -> Floats:
        """Each search starts from its left neighbours. The loop stays outside the kernel, which is faster alone."""
        scores = np.empty((len(self.levels), self.negatives))
        accuracy = 0.0 if metric.family == "linear" else 1e-9
        for c, level in enumerate(self.levels.tolist()):
            before, last, slope = math.nan, math.nan, 0.0
            for N in range(1, self.negatives + 1):
                shape = shape_of(metric, P, N)
                tp, n, slope = path_search.path_critical(shape, P, N, level, 2 * last - before, slope, accuracy)
                before, last = last, paths.key(shape, P, N, tp, n)
                scores[c, N - 1] = score_of_key(metric, P, N, last)
        return scores

    def _auc(self, metric: MetricName, N: int, columns: int) -> Floats:
        """AUC for P = 1..columns, at most N: the counts at once for few positives, the contour for the others."""
        counted = min(columns, max(44, 6400 // N))
        wrong = np.empty((len(self.levels), columns))
        wrong[:, :counted] = grid_kernels.auc_by_counts(N, counted, self.levels)
        for c, level in enumerate(self.levels.tolist()):
            done = counted if level < _MIDDLE else 0  # the counts stop in the middle
            wrong[c, done:] = self._contour(c, N, done + 1, columns, level)
        auc = 1.0 - wrong / (np.arange(1, columns + 1) * N)
        return 2 * auc - 1 if metric.name == "gini" else auc

    def _contour(self, c: int, N: int, first: int, last: int, level: float) -> npt.NDArray[np.int64]:
        """For P = first..last: by node table where one serves, else one by one."""
        places = np.full(last - first + 1, -1)
        if level < _MIDDLE and N + last <= _MOST_TABLED:
            deviates = -NormalDist().inv_cdf(level)
            sizes = np.arange(first, last + 1)
            number = np.floor(np.log(np.sqrt(sizes * N * (sizes + N + 1) / 12)) / math.log(_RATIO)).astype(int)
            for one in np.unique(number).tolist():
                low, high = np.flatnonzero(number == one)[[0, -1]].tolist()  # the spread rises with P
                theta, step, table = self._nodes(c, one, deviates)
                places[low : high + 1] = grid_kernels.auc_row(
                    table, theta, step, N, first + low, first + high, level, deviates
                )
        for place in np.flatnonzero(places < 0).tolist():
            places[place] = _single_auc(first + place, N, level)
        return places

    def _nodes(self, c: int, number: int, deviates: float) -> Nodes:
        """The node table of a class of standard deviations, built when first needed."""
        found = self._tables.get((c, number))
        if found is None:
            with self._lock:
                found = self._tables.get((c, number)) or self._build(number, max(deviates, 1.0))
                self._tables[c, number] = found
        return found

    def _build(self, number: int, deviates: float) -> Nodes:
        smallest = _RATIO**number
        theta = deviates / (smallest * math.sqrt(_RATIO))
        step = 2 * math.pi * theta / (40 + 0.5 * deviates**2)
        nodes = int(9.5 / (smallest * step)) + 1
        return theta, step, grid_kernels.node_table(self.positives + self.negatives, theta, step, nodes)


def _single_auc(P: int, N: int, level: float) -> int:
    from podium.chance.laws import AucLaw
    from podium.chance.names import metric_name

    return P * N - int(AucLaw(metric_name("auc"), P, N).critical(level).place)
