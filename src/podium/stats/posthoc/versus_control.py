"""All algorithms against a control, by a test that looks only at the two."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from podium.core import check
from podium.stats.corrections import with_control
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.run_pairs import Test, pair_data, run_pairs

__all__ = ["versus_control"]


def versus_control(
    table: Any,
    control: str,
    *,
    test: Test = "wilcoxon",
    correction: str = "holm",
    alternative: str = "two-sided",
    confidence: float = 0.95,
    dataset: str | None = None,
    progress: Callable[[int, int], None] | None = None,
    **options: Any,
) -> PairsResult:
    """Test every other algorithm against the control, with p-values adjusted for their number.

    In the result `a` is the other algorithm and `b` the control: a positive effect says that `a` scores higher, and
    wins are wins over the control. Everything else is as in `all_pairs`, save that Shaffer's and Bergmann and
    Hommel's corrections are for all pairs only.

    >>> scores = [[0.90, 0.85, 0.80], [0.80, 0.75, 0.70], [0.70, 0.66, 0.65], [0.60, 0.61, 0.50], [0.90, 0.80, 0.70]]
    >>> result = versus_control(scores, "algorithm 1")
    >>> result.wins.tolist(), result.losses.tolist(), result.adjusted.tolist()
    ([1, 0], [4, 5], [0.125, 0.125])
    """
    with_control(correction)
    data = pair_data(table, test, dataset)
    position = data.algorithms.index(check.member("algorithm", control, data.algorithms))
    first = np.delete(np.arange(len(data.algorithms)), position)
    second = np.full(len(first), position, dtype=np.intp)
    return run_pairs(
        data,
        first,
        second,
        test=test,
        correction=correction,
        alternative=alternative,
        confidence=confidence,
        control=control,
        progress=progress,
        options=options,
    )
