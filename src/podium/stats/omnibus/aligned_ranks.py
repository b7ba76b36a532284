"""Friedman's test with aligned ranks: scores minus their dataset's mean, ranked all together."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.special import chdtrc
from scipy.stats import rankdata

from podium.core.arrays import Floats
from podium.core.ranks import TIE, settle
from podium.core.words import MissingDatasets
from podium.stats.omnibus.blocks import OmnibusResult, Overall, complete_blocks


def kernel(tables: Floats) -> Overall:
    """The aligned-ranks test of tables (..., datasets, algorithms), where higher is better."""
    _, statistic, _ = _statistics(tables)
    return Overall(statistic, chdtrc(tables.shape[-1] - 1, statistic))


def _statistics(tables: Floats) -> tuple[Floats, Floats, Floats]:
    """The ranks of 1 (best) to n k, the published statistic, which ties make cautious, and the one corrected for them."""
    n, k = tables.shape[-2:]
    ranks = _ranks(tables)
    between = ((ranks.sum(axis=-2) - n * (n * k + 1) / 2) ** 2).sum(axis=-1)
    within = ((ranks - ranks.mean(axis=-1, keepdims=True)) ** 2).sum(axis=(-2, -1))
    lost = n * k * (n * k + 1) * (2 * n * k + 1) / 6 - (ranks**2).sum(axis=(-2, -1))  # what ties take from the squares
    varies = within > 1e-9
    published, corrected = (
        np.where(varies, (k - 1) * between / np.where(varies, spread, 1.0), 0.0)
        for spread in (within + np.maximum(lost, 0.0), within)
    )
    return ranks, published, corrected


def _ranks(tables: Floats) -> Floats:
    """The ranks of the scores minus their dataset's mean, all those of a table together.

    The mean is as precise as the largest score of its dataset, and so are the aligned scores. But two scores of one
    dataset tie only if they tie themselves: where a third has diverged, they keep their order.
    """
    own = settle(tables)
    scale = np.broadcast_to(np.abs(tables).max(axis=-1, keepdims=True), tables.shape)
    aligned = own - own.mean(axis=-1, keepdims=True)
    aligned = np.where(np.abs(aligned) <= TIE * scale, 0.0, aligned)
    flat = (*tables.shape[:-2], -1)
    settled = settle(aligned.reshape(flat), scale=scale.reshape(flat)).reshape(tables.shape)
    ranks = rankdata(-settled.reshape(flat), axis=-1).reshape(tables.shape)
    order = np.argsort(own, axis=-1)
    apart, equal = (np.diff(np.take_along_axis(array, order, axis=-1)) for array in (own, settled))
    for where in np.argwhere(((apart != 0) & (equal == 0)).any(axis=(-2, -1))).tolist():
        ranks[tuple(where)] = _ranks_apart(*(array[tuple(where)] for array in (aligned, own, scale)))
    return ranks


def _ranks_apart(aligned: Floats, own: Floats, scale: Floats) -> Floats:
    """The same for one table in which unequal scores of a dataset would tie: from the best down, a tie takes in what
    ties with each of its members."""
    dataset = np.repeat(np.arange(len(own)), own.shape[1])
    order = np.lexsort((own.ravel(), aligned.ravel()))[::-1]
    a, v, s, d = aligned.ravel()[order], own.ravel()[order], scale.ravel()[order], dataset[order]
    group = np.zeros(len(order))
    start = 0
    for i in range(1, len(order)):
        members = slice(start, i)
        ties = (a[members] - a[i] <= TIE * np.maximum(s[members], s[i])) & ((d[members] != d[i]) | (v[members] == v[i]))
        start = start if ties.all() else i
        group[i] = start
    ranks = np.empty(len(order))
    ranks[order] = rankdata(group)
    return ranks.reshape(own.shape)


def aligned_ranks(table: Any, *, missing: MissingDatasets = "complete") -> OmnibusResult:
    """Friedman's test with aligned ranks (Hodges and Lehmann 1962) on a table of datasets x algorithms.

    The statistic compares the spread of the algorithms' rank sums with the spread within datasets: under the
    hypothesis each dataset's aligned ranks are in random order. `statistic` is the published formula, which ties make
    slightly cautious; `details` has the one that accounts for them. `mean_ranks` are of 1 (best) to n k.

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
    >>> result = aligned_ranks([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]])
    >>> round(result.pvalue, 4), result.mean_ranks.tolist()
    (0.0545, [2.5, 7.5, 9.5])
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
