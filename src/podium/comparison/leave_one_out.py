"""Does one dataset decide? Every comparison again, without each dataset in turn.

Nothing is approximated, but little is computed: for the signed-rank test the law of all datasets bounds the p-value
without any one of them, and where the bounds leave a decision open, the test is made again, once for each distinct
difference. Corrections never lower an adjusted p-value when a raw one grows, so that bounds stay bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.core.arrays import Bools, Floats
from podium.core.ranks import differences, rank_rows
from podium.core.table import Table
from podium.stats import registry
from podium.stats.corrections import adjust
from podium.stats.exact.signed_rank import lower_tail
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.registry import Method

MOST_PAIRS = 1000  # above that, a single dataset's weight is of little interest and much work
MANY = 48  # distinct differences of a pair that are worth bounds of their own
GRID = 24
MOST_OBSERVATIONS = 1000
LITTLE_WORK = 2e7  # rows x datasets^2
MOST_FLIPPED = 20  # datasets: a permutation test of more takes long, or draws at random


def lost_without(table: Table, pairs: PairsResult, alpha: float) -> dict[str, tuple[tuple[str, str], ...]]:
    """Dataset -> the significant pairs that are no longer significant without it; for tests over datasets."""
    significant = pairs.adjusted <= alpha
    over_datasets = registry.PAIRWISE[pairs.test].over == "datasets"
    too_much = pairs.n_pairs > MOST_PAIRS or (pairs.test == "permutation" and table.n_datasets > MOST_FLIPPED)
    if not over_datasets or not significant.any() or too_much or table.n_datasets < 3:
        return {}
    lost = significant & _not_significant_without(_Left(table, pairs), significant, alpha)
    return {
        dataset: tuple(pairs.names[pair] for pair in np.flatnonzero(row))
        for dataset, row in zip(table.datasets, lost, strict=True)
        if row.any()
    }


def _not_significant_without(left: _Left, significant: Bools, alpha: float) -> Bools:
    """Where (dataset, pair) the adjusted p-value without the dataset is above alpha; right where `significant`."""
    low, high = left.bounds()
    doubtful = significant & (left.adjusted(high[:1])[0] > alpha)
    lows, highs = np.repeat(low, left.n, axis=0), np.repeat(high, left.n, axis=0)
    if not doubtful.any():
        return np.zeros(lows.shape, dtype=bool)
    for pair in np.flatnonzero(doubtful).tolist():
        lows[:, pair], highs[:, pair] = left.finer_bounds(pair)
    unsure = _unsure(left, lows, highs, significant, alpha)
    left.fill(lows, highs, unsure)
    unsure = _unsure(left, lows, highs, significant, alpha)
    left.fill(lows, highs, np.logical_or(unsure, unsure.any(axis=1, keepdims=True)))  # here the other pairs matter too
    return left.adjusted(lows) > alpha


def _unsure(left: _Left, lows: Floats, highs: Floats, significant: Bools, alpha: float) -> Bools:
    unsure: Bools = significant & (left.adjusted(lows) <= alpha) & (left.adjusted(highs) > alpha)
    return unsure


class _Left:
    """The pairs' differences, and their p-values with one dataset left out: bounds, or the numbers themselves."""

    def __init__(self, table: Table, pairs: PairsResult) -> None:
        self.method: Method = registry.PAIRWISE[pairs.test]
        self.pairs = pairs
        self.n = table.n_datasets
        first, second = table.values.T[pairs.first], table.values.T[pairs.second]
        home = registry.load(self.method)
        self.kernel = home.kernel
        self.differences = home.contrast(first, second) if self.method.needs_scores else differences(first, second)

    def adjusted(self, raw: Floats) -> Floats:
        """Adjusted p-values of each row (dataset left out) of p-values of all pairs; equal rows once."""
        rows, place = np.unique(raw, axis=0, return_inverse=True)
        found: Floats = np.array([adjust(row, self.pairs.correction) for row in rows])[place.ravel()]
        return found

    def bounds(self) -> tuple[Floats, Floats]:
        """For each pair, bounds of its p-value that hold whichever dataset is left out, as rows."""
        if self.pairs.test != "wilcoxon":
            return np.zeros((1, self.pairs.n_pairs)), np.ones((1, self.pairs.n_pairs))
        ends = [_Law(row).bounds() for row in self.differences]
        return np.array([[low for low, _ in ends]]), np.array([[high for _, high in ends]])

    def finer_bounds(self, pair: int) -> tuple[Floats, Floats]:
        """Bounds of one pair's p-value for each dataset left out."""
        differences = self.differences[pair]
        if self.pairs.test != "wilcoxon" or len(np.unique(differences)) < MANY:
            return np.zeros(self.n), np.ones(self.n)
        return _Law(differences).bounds_of_each()

    def fill(self, lows: Floats, highs: Floats, wanted: Bools) -> None:
        """Put the p-value itself in place of both bounds where it is wanted and not yet known.

        Equal differences of a pair are left out once. All pairs go to the kernel together, for it knows what to do with many.
        """
        dataset, pair = np.nonzero(wanted & (lows < highs))
        value = self.differences[pair, dataset]
        keys = np.column_stack([pair, np.isnan(value), np.nan_to_num(value)])
        _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        found = np.empty(len(first))
        for here in _parts(len(first), self.n):
            holed = self.differences[pair[first[here]]]
            holed[np.arange(len(holed)), dataset[first[here]]] = np.nan
            found[here] = self.kernel(holed).pvalue
        lows[dataset, pair] = highs[dataset, pair] = found[place.ravel()]


def _parts(rows: int, n: int) -> Iterator[slice]:
    """Slices that keep a block of rows of n numbers within some megabytes, and little work in blocks that compile nothing."""
    size = max(1, n if rows * n**2 <= LITTLE_WORK else 1_000_000 // n)
    for start in range(0, rows, size):
        yield slice(start, min(start + size, rows))


class _Law:
    """The signed-rank law of a pair's differences that are not 0, and what it says of the law without one of them.

    With S the sum of m signed ranks and S' that without observation j, whose rank is R_j, every choice of signs has
    |S' - S| <= R_j + (how many ranks are higher) + (how many others are equal) / 2 = m, because these ranks fall by 1 and
    by 1/2. So P(|S'| >= x) lies between P(|S| >= x + m) and P(|S| >= x - m).
    """

    def __init__(self, differences: Floats) -> None:
        present = differences[~np.isnan(differences) & (differences != 0)]
        self.differences = differences
        self.m = len(present)
        if self.m:
            ranks = rank_rows(np.abs(present), higher_is_better=False)[0]
            self.doubled = np.rint(2 * ranks).astype(np.int64)
            self.total = int(self.doubled.sum()) // 2
            self.observed = float((np.sign(present) * ranks).sum())

    @property
    def known(self) -> bool:
        """Whether there is an exact law: of more than 1000 ranks with heavy ties there is none."""
        return 2 <= self.m <= MOST_OBSERVATIONS

    def tail(self, x: float) -> float:
        """P(|S| >= x)."""
        if x <= 0:
            return 1.0
        return min(1.0, 2 * lower_tail(self.doubled, int(np.floor(self.total - x))))

    def bounds(self) -> tuple[float, float]:
        """Bounds of the p-value that hold whichever observation is left out."""
        if not self.known:
            return 0.0, 1.0
        observed = abs(self.observed)
        return self.tail(observed + 2 * self.m), self.tail(observed - 2 * self.m)

    def bounds_of_each(self) -> tuple[Floats, Floats]:
        """Bounds of the p-value without each observation; without a 0 or a missing one it stays as it is."""
        low, high = np.zeros(len(self.differences)), np.ones(len(self.differences))
        if not self.known:
            return low, high
        changed = ~np.isnan(self.differences) & (self.differences != 0)
        left = np.abs(self._sums_without(self.differences[changed]))
        grid = np.linspace(left.min() - self.m, left.max() + self.m, GRID)
        tails = np.array([self.tail(x) for x in grid])
        high[changed] = tails[np.searchsorted(grid, left - self.m, side="right") - 1]
        low[changed] = tails[np.minimum(np.searchsorted(grid, left + self.m, side="left"), GRID - 1)]
        low[~changed] = high[~changed] = self.tail(abs(self.observed))
        return low, high

    def _sums_without(self, present: Floats) -> Floats:
        """S' without each observation: ranks above it fall by 1, those of its equals by 1/2."""
        size, sign = np.abs(present), np.sign(present)
        _, place = np.unique(size, return_inverse=True)
        equal = np.bincount(place, weights=sign)
        above = sign.sum() - np.cumsum(equal)
        sums: Floats = self.observed - sign * self.doubled / 2 - above[place] - (equal[place] - sign) / 2
        return sums
