"""Does one dataset decide? Every comparison again, without each dataset in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from podium.core.table import Table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["lost_without"]

MOST_PAIRS = 1000  # above that, a single dataset's weight is of little interest and much work


def lost_without(
    table: Table, pairs: pd.DataFrame, *, test: str, correction: str, control: str | None, alpha: float
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Dataset -> the significant pairs that are no longer significant without it."""
    from podium.stats.posthoc.all_pairs import all_pairs
    from podium.stats.posthoc.versus_control import versus_control

    significant = (pairs["adjusted"] <= alpha).to_numpy()
    if test not in ("wilcoxon", "sign", "paired_t") or not significant.any() or len(pairs) > MOST_PAIRS:
        return {}
    names = list(zip(pairs["a"], pairs["b"], strict=True))
    lost: dict[str, tuple[tuple[str, str], ...]] = {}
    for row, dataset in enumerate(table.datasets):
        rest = table.rows(np.arange(table.n_datasets) != row)
        if rest.n_datasets < 2:
            return {}
        if control is None:
            adjusted = all_pairs(rest, test=test, correction=correction).adjusted
        else:
            adjusted = versus_control(rest, control, test=test, correction=correction).adjusted
        gone = np.flatnonzero(significant & (adjusted > alpha))
        if len(gone):
            lost[dataset] = tuple(names[pair] for pair in gone)
    return lost
