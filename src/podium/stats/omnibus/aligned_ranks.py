"""Friedman's test with aligned ranks: scores minus their dataset's mean, ranked all together."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc
from scipy.stats import rankdata

from podium.core.arrays import Floats
from podium.core.ranks import settle
from podium.stats.omnibus.blocks import OmnibusResult, Overall, complete_blocks


def kernel(tables: Floats) -> Overall:
    """The aligned-ranks test of tables (..., datasets, algorithms), where higher is better."""
    _, statistic, _ = _statistics(tables)
    return Overall(statistic, chdtrc(tables.shape[-1] - 1, statistic))


def _statistics(tables: Floats) -> tuple[Floats, Floats, Floats]:
    """The ranks of 1 (best) to n k, the published statistic, which ties make cautious, and the one corrected for them."""
    n, k = tables.shape[-2:]
    scale = np.abs(tables).max(axis=-1, keepdims=True)
    aligned = settle(tables - tables.mean(axis=-1, keepdims=True), scale=scale)
    ranks = rankdata(-aligned.reshape(*tables.shape[:-2], n * k), axis=-1).reshape(tables.shape)
    between = ((ranks.sum(axis=-2) - n * (n * k + 1) / 2) ** 2).sum(axis=-1)
    within = ((ranks - ranks.mean(axis=-1, keepdims=True)) ** 2).sum(axis=(-2, -1))
    lost = n * k * (n * k + 1) * (2 * n * k + 1) / 6 - (ranks**2).sum(axis=(-2, -1))  # what ties take from the squares
    varies = within > 1e-9
    published, corrected = (
        np.where(varies, (k - 1) * between / np.where(varies, spread, 1.0), 0.0)
        for spread in (within + np.maximum(lost, 0.0), within)
    )
    return ranks, published, corrected


def aligned_ranks(table: Any, *, missing: str = "complete") -> OmnibusResult:
    """Friedman's test with aligned ranks (Hodges and Lehmann 1962) on a table of datasets x algorithms.

    The statistic compares the spread of the algorithms' rank sums with the spread within datasets: under the
    hypothesis each dataset's aligned ranks are in random order. `statistic` is the published formula, which ties make
    slightly cautious; `details` has the one that accounts for them. `mean_ranks` are of 1 (best) to n k.
    """
    blocks = complete_blocks(table, missing=missing)
    gains = blocks.table.gains
    ranks, _, corrected = _statistics(gains)
    df = gains.shape[1] - 1
    details = {"statistic_corrected": float(corrected), "pvalue_corrected": float(chdtrc(df, corrected))}
    ties = "mean ranks of the aligned scores, after float noise is rounded away"
    return blocks.result(
        "aligned_ranks", kernel(gains), (df,), mean_ranks=ranks.mean(axis=0), ties=ties, details=details
    )
