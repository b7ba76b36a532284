"""Does one dataset decide? Every comparison again, without each dataset in turn."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats
from podium.core.ranks import subtract
from podium.core.table import Table
from podium.stats import registry
from podium.stats.corrections import adjust
from podium.stats.posthoc.pairs_result import PairsResult

MOST_PAIRS = 1000  # above that, a single dataset's weight is of little interest and much work


def lost_without(table: Table, pairs: PairsResult, alpha: float) -> dict[str, tuple[tuple[str, str], ...]]:
    """Dataset -> the significant pairs that are no longer significant without it; for tests over datasets."""
    significant = pairs.adjusted <= alpha
    over_datasets = registry.PAIRWISE[pairs.test].over == "datasets"
    if not over_datasets or not significant.any() or pairs.n_pairs > MOST_PAIRS or table.n_datasets < 3:
        return {}
    lost = significant & (_adjusted_without(table, pairs) > alpha)
    return {
        dataset: tuple(pairs.names[pair] for pair in np.flatnonzero(row))
        for dataset, row in zip(table.datasets, lost, strict=True)
        if row.any()
    }


def _adjusted_without(table: Table, pairs: PairsResult) -> Floats:
    """Adjusted p-values (dataset left out, pair), all from one call of the test's kernel."""
    method = registry.PAIRWISE[pairs.test]
    home = registry.load(method)
    first, second = table.values.T[pairs.first], table.values.T[pairs.second]
    differences = home.contrast(first, second) if method.needs_scores else subtract(first, second)
    n = table.n_datasets
    holed = np.repeat(differences[None], n, axis=0)
    holed[np.arange(n), :, np.arange(n)] = np.nan
    raw = home.kernel(holed).pvalue
    return np.array([adjust(row, pairs.correction) for row in raw])
