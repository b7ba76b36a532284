"""Does one dataset decide? Every comparison again, without each dataset in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core.table import Table
from podium.stats import registry

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["lost_without"]

Floats = npt.NDArray[np.float64]

MOST_PAIRS = 1000  # above that, a single dataset's weight is of little interest and much work


def lost_without(
    table: Table, pairs: pd.DataFrame, *, test: str, correction: str, control: str | None, alpha: float
) -> dict[str, tuple[tuple[str, str], ...]]:
    """Dataset -> the significant pairs that are no longer significant without it."""
    significant = (pairs["adjusted"] <= alpha).to_numpy()
    known = registry.PAIRWISE[test].over == "datasets"
    if not known or not significant.any() or len(pairs) > MOST_PAIRS or table.n_datasets < 3:
        return {}
    names = list(zip(pairs["a"], pairs["b"], strict=True))
    adjusted = _without(table, names, test, correction)
    lost = significant & (adjusted > alpha)
    return {
        dataset: tuple(names[pair] for pair in np.flatnonzero(row))
        for dataset, row in zip(table.datasets, lost, strict=True)
        if row.any()
    }


def _without(table: Table, names: list[tuple[str, str]], test: str, correction: str) -> Floats:
    """Adjusted p-values (dataset left out, pair), all from one call of the kernel."""
    from podium.stats.corrections import adjust
    from podium.stats.pairwise.pair_result import differences_of

    method, n = registry.PAIRWISE[test], table.n_datasets
    home = registry.load(method)
    values = table.values.T  # algorithms x datasets
    first = values[[table.position(a) for a, _ in names]]
    second = values[[table.position(b) for _, b in names]]
    differences = differences_of(method, first, second)
    holed = np.repeat(differences[None], n, axis=0)
    holed[np.arange(n), :, np.arange(n)] = np.nan
    return np.array([adjust(row, correction) for row in home.kernel(holed).pvalue])
