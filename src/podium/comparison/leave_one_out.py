"""Does one dataset decide? Every comparison again, without each dataset in turn.

Nothing is approximated. For the signed-rank test the law of all datasets bounds the p-value without any one of them; where
the bounds leave a decision open, the test is made again, once for each distinct difference. Corrections never lower an
adjusted p-value when a raw one grows, so that bounds stay bounds. What would take too long stays unknown, and is counted.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from podium.core.arrays import Bools, Floats, Ints
from podium.core.ranks import differences
from podium.evidence.table import Table
from podium.stats import registry
from podium.stats.corrections import adjust
from podium.stats.exact.ranks import ranked
from podium.stats.exact.signed_rank import lower_tails
from podium.stats.posthoc.pairs_result import PairsResult

MOST_PAIRS = 1000  # above that, a single dataset's weight is of little interest and much work
MOST_CELLS = 20_000_000  # pairs x datasets: 160 MB
MOST_WORK = 10_000_000  # tests that are made again x datasets: some seconds
MOST_FLIPPED = 20  # datasets: a permutation test of more takes long, or draws at random
AT_ONCE = 1_000_000  # numbers in a block of rows: 8 MB


class Fragile(NamedTuple):
    """Dataset -> the significant pairs that are no longer significant without it; and how many of them are unknown."""

    lost: dict[str, tuple[tuple[str, str], ...]]
    unknown: int = 0


def lost_without(table: Table, pairs: PairsResult, alpha: float) -> Fragile:
    """What leaving out each dataset in turn would undo; for tests over datasets."""
    significant = pairs.adjusted <= alpha
    if registry.PAIRWISE[pairs.test].of_pool or not significant.any() or table.n_datasets < 3:
        return Fragile({})
    too_much = pairs.n_pairs > MOST_PAIRS or pairs.n_pairs * table.n_datasets > MOST_CELLS
    if too_much or (pairs.test == "permutation" and table.n_datasets > MOST_FLIPPED):
        return Fragile({}, int(significant.sum()))
    lost, unknown = _Left(table, pairs).lost(significant, alpha)
    names = pairs.names
    named = {
        dataset: tuple(names[pair] for pair in np.flatnonzero(row))
        for dataset, row in zip(table.datasets, lost, strict=True)
        if row.any()
    }
    return Fragile(named, int(unknown.sum()))


class _Left:
    """The pairs' differences, and their p-values with one dataset left out: bounds, or the numbers themselves."""

    def __init__(self, table: Table, pairs: PairsResult) -> None:
        method = registry.PAIRWISE[pairs.test]
        home = registry.load(method)
        first, second = table.values.T[pairs.first], table.values.T[pairs.second]
        self.pairs, self.kernel = pairs, home.kernel
        self.work, self.affordable = 0, np.ones(pairs.n_pairs, dtype=bool)
        self.differences = home.contrast(first, second) if method.needs_scores else differences(first, second)

    def lost(self, significant: Bools, alpha: float) -> tuple[Bools, Bools]:
        """Where (dataset, pair) the adjusted p-value without the dataset is above alpha, and which pairs are not known."""
        low, high = (end[None] for end in self.bounds())
        doubtful = significant & (self.adjusted(high)[0] > alpha)
        lows, highs = (np.repeat(end, self.differences.shape[1], axis=0) for end in (low, high))
        if not doubtful.any():
            return np.zeros(lows.shape, dtype=bool), doubtful
        self.fill(lows, highs, np.broadcast_to(doubtful, lows.shape))
        unsure = self._unsure(lows, highs, alpha) & significant
        # The others matter too.
        self.fill(lows, highs, np.repeat(unsure.any(axis=1, keepdims=True), lows.shape[1], axis=1))
        unknown: Bools = np.any(self._unsure(lows, highs, alpha) & significant, axis=0)
        return significant & ~unknown & (self.adjusted(lows) > alpha), unknown

    def _unsure(self, lows: Floats, highs: Floats, alpha: float) -> Bools:
        return (self.adjusted(lows) <= alpha) & (self.adjusted(highs) > alpha)

    def adjusted(self, raw: Floats) -> Floats:
        """Adjusted p-values of each row (dataset left out) of p-values of all pairs; equal rows once."""
        rows, place = np.unique(raw, axis=0, return_inverse=True)
        return np.asarray(np.array([adjust(row, self.pairs.correction) for row in rows])[place.ravel()])

    def bounds(self) -> tuple[Floats, Floats]:
        """For each pair, bounds of its p-value that hold whichever dataset is left out.

        With S the sum of m signed ranks and S' that without observation j, whose rank is R_j, every choice of signs has
        |S' - S| <= R_j + (how many ranks are higher) + (how many others are equal) / 2 = m, because these ranks fall by 1 and
        by 1/2. So P(|S'| >= |s'|) lies between P(|S| >= |s| + 2 m) and P(|S| >= |s| - 2 m).
        """
        low, high = np.zeros(self.pairs.n_pairs), np.ones(self.pairs.n_pairs)
        if self.pairs.test != "wilcoxon":
            return low, high
        ranks, sums = ranked(self.differences)
        observed, margin = np.abs(sums[:, 0] - sums[:, 1] / 2), 2 * ranks.observations
        for end, x in ((low, observed + margin), (high, observed - margin)):
            some = np.flatnonzero((x > 0) & (ranks.observations > 1))
            limit = np.floor(sums[some, 1] // 2 - x[some]).astype(np.int64)
            tails = 2 * lower_tails(ranks.of(some), limit)
            self.affordable[some[np.isnan(tails)]] = False
            end[some] = np.where(np.isnan(tails), end[some], np.minimum(tails, 1.0))
        return low, high

    def fill(self, lows: Floats, highs: Floats, wanted: Bools) -> None:
        """Put the p-value itself in place of both bounds where it is wanted and not yet known, pair by pair while there is time.

        Equal differences of a pair are left out once. All pairs go to the kernel together, for it knows what to do with many.
        """
        n = self.differences.shape[1]
        dataset, pair = np.nonzero(wanted & self.affordable & (lows < highs))
        value = self.differences[pair, dataset]
        keys = np.column_stack([pair, np.isnan(value), np.nan_to_num(value)])
        _, first, place = np.unique(keys, axis=0, return_index=True, return_inverse=True)
        work = self.work + n * np.cumsum(np.bincount(pair[first], minlength=self.pairs.n_pairs))
        self.affordable &= work <= MOST_WORK
        affordable = self.affordable[pair[first]]
        self.work += n * int(affordable.sum())
        pvalues = np.empty(len(first))
        pvalues[affordable] = self._without(pair[first[affordable]], dataset[first[affordable]])
        here = affordable[place.ravel()]
        lows[dataset[here], pair[here]] = highs[dataset[here], pair[here]] = pvalues[place.ravel()[here]]

    def _without(self, pair: Ints, dataset: Ints) -> Floats:
        """The p-value of each of these pairs without the dataset beside it."""
        n, pvalues = self.differences.shape[1], np.empty(len(pair))
        size = max(1, AT_ONCE // n)
        for start in range(0, len(pair), size):
            here = slice(start, start + size)
            holed = self.differences[pair[here]]
            holed[np.arange(len(holed)), dataset[here]] = np.nan
            pvalues[here] = self.kernel(holed).pvalue
        return pvalues
