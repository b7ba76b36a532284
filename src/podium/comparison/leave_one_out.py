"""Does one dataset decide? Every comparison again, without each dataset in turn."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core.table import Table

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
    known = test in ("wilcoxon", "sign", "paired_t")
    if not known or not significant.any() or len(pairs) > MOST_PAIRS or table.n_datasets < 3:
        return {}
    names = list(zip(pairs["a"], pairs["b"], strict=True))
    if test == "wilcoxon":
        adjusted = _wilcoxon_without(table, names, correction)
    else:
        adjusted = _without(table, test, correction, control)
    lost = significant & (adjusted > alpha)
    return {
        dataset: tuple(names[pair] for pair in np.flatnonzero(row))
        for dataset, row in zip(table.datasets, lost, strict=True)
        if row.any()
    }


def _wilcoxon_without(table: Table, names: list[tuple[str, str]], correction: str) -> Floats:
    """Adjusted p-values (dataset left out, pair), all from one call of the exact law."""
    from podium.core.ranks import subtract
    from podium.stats.corrections import adjust
    from podium.stats.exact.signed_rank import signed_ranks

    n = table.n_datasets
    values = table.values.T  # algorithms x datasets
    first = values[[table.position(a) for a, _ in names]]
    second = values[[table.position(b) for _, b in names]]
    differences = subtract(first, second)
    holed = np.repeat(differences[None], n, axis=0)
    holed[np.arange(n), :, np.arange(n)] = np.nan
    columns = np.concatenate([holed.reshape(-1, n), np.zeros((1, n))])
    pairs = np.arange(len(columns) - 1)
    raw = signed_ranks(columns, pairs, np.full(len(pairs), len(columns) - 1)).pvalue.reshape(n, -1)
    return np.array([adjust(row, correction) for row in raw])


def _without(table: Table, test: str, correction: str, control: str | None) -> Floats:
    from podium.stats.posthoc.all_pairs import all_pairs
    from podium.stats.posthoc.versus_control import versus_control

    rows = []
    for left_out in range(table.n_datasets):
        rest = table.rows(np.arange(table.n_datasets) != left_out)
        if control is None:
            rows.append(all_pairs(rest, test=test, correction=correction).adjusted)
        else:
            rows.append(versus_control(rest, control, test=test, correction=correction).adjusted)
    return np.array(rows)
