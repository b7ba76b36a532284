"""All pairs of algorithms by a test that looks only at the two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.run_pairs import Test, pair_data, run_pairs

__all__ = ["all_pairs"]


def all_pairs(
    table: Any,
    *,
    test: Test = "wilcoxon",
    correction: str = "holm",
    alternative: str = "two-sided",
    confidence: float = 0.95,
    dataset: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PairsResult:
    """Test every pair of algorithms, with p-values adjusted for the number of pairs.

    Over datasets, `table` is a Table, Scores (folds are averaged), a DataFrame or an array (datasets x algorithms)
    and `test` is "wilcoxon" (options zeros, method, continuity), "sign" (option ties), "paired_t", or any function
    of two arrays whose result has `pvalue`. Holes are left out pair by pair; the result names them, and `used` says
    how many datasets each pair had. On one dataset, `table` is Scores with `dataset` naming it, or an array
    (algorithm, repeat, fold), and `test` is "cv52_f" or "corrected_t" (option test_fraction).

    What the result says of a pair depends on that pair alone, save for the correction (Benavoli et al. 2016).
    Effects are computed when first asked for.

    >>> scores = [[0.90, 0.85, 0.80], [0.80, 0.75, 0.70], [0.70, 0.66, 0.65], [0.60, 0.61, 0.50], [0.90, 0.80, 0.70]]
    >>> frame = all_pairs(scores).to_frame()
    >>> frame[["a", "b", "statistic", "pvalue", "wins", "losses"]]
                 a            b  statistic  pvalue  wins  losses
    0  algorithm 1  algorithm 2       14.0  0.1250     4       1
    1  algorithm 1  algorithm 3       15.0  0.0625     5       0
    2  algorithm 2  algorithm 3       15.0  0.0625     5       0
    """
    data = pair_data(table, test, dataset)
    first, second = np.triu_indices(len(data.algorithms), 1)
    return run_pairs(
        data,
        first,
        second,
        test=test,
        correction=correction,
        alternative=alternative,
        confidence=confidence,
        control=None,
        progress=progress,
        options=options,
    )
