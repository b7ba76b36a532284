"""Does one dataset decide? Every comparison again, without each dataset in turn.

Nothing is approximated, but little is computed: for the signed-rank test the law of all datasets bounds the p-value
without any one of them, and where the bounds leave a decision open, the test is made again, once for each distinct
difference. Corrections never lower an adjusted p-value when a raw one grows, so that bounds stay bounds.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from podium.core.arrays import Bools, Floats, Ints
from podium.core.ranks import differences
from podium.core.table import Table
from podium.stats import registry
from podium.stats.corrections import adjust
from podium.stats.exact.signed_rank import lower_tails, ranked
from podium.stats.exact.small import is_small
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.registry import Method

MOST_PAIRS = 1000  # above that, a single dataset's weight is of little interest and much work
MANY = 48  # distinct differences of a pair that are worth bounds of their own
GRID = 24
MOST_OBSERVATIONS = 1000
LITTLE_WORK = 2e7  # rows x datasets^2
LITTLE_SUMS = 5e7  # observations x sums of ranks, of all bounds: a few tenths of a second without compiled code
MOST_RANKS = 4_000_000  # at a time: 32 MB
MOST_FLIPPED = 20  # datasets: a permutation test of more takes long, or draws at random


def lost_without(table: Table, pairs: PairsResult, alpha: float) -> dict[str, tuple[tuple[str, str], ...]]:
    """Dataset -> the significant pairs that are no longer significant without it; for tests over datasets."""
    significant = pairs.adjusted <= alpha
    over_datasets = registry.PAIRWISE[pairs.test].over == "datasets"
    too_much = pairs.n_pairs > MOST_PAIRS or (pairs.test == "permutation" and table.n_datasets > MOST_FLIPPED)
    if not over_datasets or not significant.any() or too_much or table.n_datasets < 3:
        return {}
    lost, names = significant & _not_significant_without(_Left(table, pairs), significant, alpha), pairs.names
    return {
        dataset: tuple(names[pair] for pair in np.flatnonzero(row))
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
    left.finer_bounds(np.flatnonzero(doubtful), lows, highs)
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
        low, high = _Laws(self.differences).bounds()
        return low[None], high[None]

    def finer_bounds(self, pairs: Ints, lows: Floats, highs: Floats) -> None:
        """Put bounds of the p-values of some pairs for each dataset left out into the columns."""
        many = [pair for pair in pairs.tolist() if len(np.unique(self.differences[pair])) >= MANY]
        lows[:, pairs], highs[:, pairs] = 0.0, 1.0
        if self.pairs.test == "wilcoxon" and many:
            low, high = _Laws(self.differences[many]).bounds_of_each()
            lows[:, many], highs[:, many] = low.T, high.T

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


class _Laws:
    """The signed-rank laws of pairs' differences that are not 0, and what they say of the laws without one of them.

    With S the sum of m signed ranks and S' that without observation j, whose rank is R_j, every choice of signs has
    |S' - S| <= R_j + (how many ranks are higher) + (how many others are equal) / 2 = m, because these ranks fall by 1 and
    by 1/2. So P(|S'| >= x) lies between P(|S| >= x + m) and P(|S| >= x - m).
    """

    def __init__(self, differences: Floats) -> None:
        self.differences = differences
        self.ranks, sums = ranked(differences, compiled=not is_small(*differences.shape))
        self.m = self.ranks.observations
        self.total = sums[:, 1] // 2
        self.observed = sums[:, 0] - sums[:, 1] / 2
        # Of more than 1000 ranks that are nearly all tied there may be no exact law.
        self.known = (self.m >= 2) & (self.m <= MOST_OBSERVATIONS)

    def tails(self, pairs: Ints, x: Floats) -> Floats:
        """P(|S| >= x) of these pairs, many at a time: the kernels know what to do with many."""
        limit, tails, some = (
            np.floor(self.total[pairs] - x).astype(np.int64),
            np.ones(len(pairs)),
            np.flatnonzero(x > 0),
        )
        size = max(1, MOST_RANKS // self.differences.shape[1])
        for start in range(0, len(some), size):
            here = some[start : start + size]
            tails[here] = lower_tails(self.ranks.of(pairs[here]), limit[here], little=LITTLE_SUMS)
        tails[some] = np.minimum(1.0, 2 * tails[some])
        return tails

    def bounds(self) -> tuple[Floats, Floats]:
        """For each pair, bounds of its p-value that hold whichever observation is left out."""
        known = np.flatnonzero(self.known)
        low, high = np.zeros(len(self.m)), np.ones(len(self.m))
        observed, m = np.abs(self.observed[known]), self.m[known]
        low[known], high[known] = self.tails(known, observed + 2 * m), self.tails(known, observed - 2 * m)
        return low, high

    def bounds_of_each(self) -> tuple[Floats, Floats]:
        """For each pair, bounds without each observation; without a 0 or a missing one the p-value stays as it is."""
        low, high = np.zeros(self.differences.shape), np.ones(self.differences.shape)
        known = np.flatnonzero(self.known)
        changed = ~np.isnan(self.differences) & (self.differences != 0)
        left = {pair: np.abs(self._sums_without(pair, changed[pair])) for pair in known.tolist()}
        grids = {pair: np.linspace(x.min() - self.m[pair], x.max() + self.m[pair], GRID) for pair, x in left.items()}
        points = np.concatenate([np.append(grids[pair], abs(self.observed[pair])) for pair in left] or [np.empty(0)])
        tails = self.tails(np.repeat(known, GRID + 1), points).reshape(-1, GRID + 1)
        for pair, tail in zip(known.tolist(), tails, strict=True):
            here, m = changed[pair], self.m[pair]
            high[pair, here] = tail[np.searchsorted(grids[pair], left[pair] - m, side="right") - 1]
            low[pair, here] = tail[np.minimum(np.searchsorted(grids[pair], left[pair] + m, side="left"), GRID - 1)]
            low[pair, ~here] = high[pair, ~here] = tail[GRID]
        return low, high

    def _sums_without(self, pair: int, changed: Bools) -> Floats:
        """S' without each observation: ranks above it fall by 1, those of its equals by 1/2."""
        present = self.differences[pair, changed]
        sign = np.sign(present)
        _, place = np.unique(np.abs(present), return_inverse=True)
        equal, groups = np.bincount(place, weights=sign), int(self.ranks.groups[pair])
        above = sign.sum() - np.cumsum(equal)
        ranks = self.ranks.rank[pair, :groups][place] / 2
        sums: Floats = self.observed[pair] - sign * ranks - above[place] - (equal[place] - sign) / 2
        return sums
