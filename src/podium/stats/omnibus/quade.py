"""Quade's test: Friedman's, with datasets weighted by the rank of their range of scores."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc
from scipy.stats import rankdata

from podium.core.arrays import Floats
from podium.core.ranks import differences
from podium.core.words import MissingDatasets
from podium.stats.omnibus.blocks import OmnibusResult, Overall, complete_blocks, f_tail, ranks_of


def kernel(tables: Floats) -> Overall:
    """Quade's F test of tables (..., datasets, algorithms), where higher is better."""
    n, k = tables.shape[-2:]
    share = _parts(tables)[-1]
    agreed = share >= 1 - 1e-12
    f = np.where(agreed, np.inf, (n - 1) * share / np.where(agreed, 1.0, 1 - share))
    return Overall(f, f_tail(f, (k - 1, (k - 1) * (n - 1)), tables))


def _parts(tables: Floats) -> tuple[Floats, Floats, Floats]:
    """Ranks, the weights of the datasets, and the share of the squared weighted ranks that is between algorithms."""
    n, k = tables.shape[-2:]
    ranks = ranks_of(tables)
    weights = rankdata(differences(tables.max(axis=-1), tables.min(axis=-1)), axis=-1)
    scores = weights[..., None] * (ranks - (k + 1) / 2)
    total = (scores**2).sum(axis=(-2, -1))
    between = (scores.sum(axis=-2) ** 2).sum(axis=-1) / n
    return ranks, weights, np.where(total > 0, between / np.where(total > 0, total, 1.0), 0.0)


def quade(table: Any, *, missing: MissingDatasets = "complete") -> OmnibusResult:
    """Quade's test on a table of datasets x algorithms; `details` has the chi-square form and the weighted mean ranks.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.

    Returns
    -------
    OmnibusResult
        The statistic, its p-value and degrees of freedom, and the mean ranks.

    Examples
    --------
    >>> result = quade([[52, 45, 38], [63, 79, 50], [45, 57, 39], [53, 51, 43], [47, 50, 56], [62, 72, 49], [49, 52, 40]])
    >>> round(result.statistic, 4), round(result.pvalue, 6)
    (8.3765, 0.005284)
    """
    blocks = complete_blocks(table, missing=missing)
    gains = blocks.table.gains
    n, k = gains.shape
    ranks, weights, share = _parts(gains)
    chi2 = n * (k - 1) * float(share)
    details = {
        "chi2": chi2,
        "chi2_pvalue": float(chdtrc(k - 1, chi2)),
        "weighted_mean_ranks": weights @ ranks / weights.sum(),
    }
    ties = "mean ranks, within datasets and between their ranges"
    return blocks.result("quade", kernel(gains), (k - 1, (k - 1) * (n - 1)), ties=ties, details=details)
