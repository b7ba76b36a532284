"""Skillings and Mack's test: Friedman's for tables with holes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.evidence.table import Table, as_table
from podium.stats.omnibus.blocks import Blocks, OmnibusResult, Overall, ranks_of


def kernel(tables: Floats) -> Overall:
    """The test of tables (..., datasets, algorithms) with holes, where higher is better, one after the other."""
    outcomes = [_tested(ranks)[:2] for ranks in ranks_of(tables).reshape(-1, *tables.shape[-2:])]
    statistic, pvalue = np.array(outcomes).T.reshape(2, *tables.shape[:-2])
    return Overall(statistic, pvalue)


def _tested(ranks: Floats) -> tuple[float, float, int, Floats]:
    """The statistic, its p-value, its degrees of freedom, and the weighted, centred rank sums."""
    sums, covariance = _weighted_sums(ranks)
    values, vectors = np.linalg.eigh(covariance)
    kept = values > 1e-9 * max(1.0, float(values[-1]))
    statistic, df = float(((vectors[:, kept].T @ sums) ** 2 / values[kept]).sum()), int(kept.sum())
    return statistic, chi2_tail(df, statistic), df, sums


def chi2_tail(df: int, x: float) -> float:
    """The probability that chi-square exceeds x, a finite sum (Abramowitz and Stegun 1964, 26.4.4 and 26.4.5).

    >>> round(chi2_tail(6, 12.59), 3), chi2_tail(0, 0.0)
    (0.05, 1.0)
    """
    if df == 0 or x <= 0:
        return 1.0
    half, odd = x / 2, df % 2  # by hand, because loading scipy takes longer than a whole comparison
    powers = (place + odd / 2 for place in range(df // 2))
    terms = [math.exp(power * math.log(half) - half - math.lgamma(power + 1)) for power in powers]
    return min(1.0, math.fsum([math.erfc(math.sqrt(half)) if odd else 0.0, *terms]))


def skillings_mack(table: Any) -> OmnibusResult:
    """Friedman's test for a table of datasets x algorithms with missing cells; without any, Friedman's own chi-square.

    Each dataset ranks the algorithms it has; its centred ranks get the weight sqrt(12 / (k_i + 1)). A dataset with
    fewer than two scores says nothing and is left out. Ties are accounted for in the covariance. `details` has the
    weighted, centred rank sums (`adjusted_sums`, negative: better).

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns), nan where one is missing. Of a bare array or
        DataFrame, higher is better.

    Returns
    -------
    OmnibusResult
        The statistic, its p-value and degrees of freedom, and the mean ranks.

    Examples
    --------
    >>> nan = float("nan")
    >>> result = skillings_mack([[3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0],
    ...     [3.6, 4.2, 3.7, 3.9], [4.5, 4.7, 3.7, nan], [nan, 4.2, 3.4, nan], [4.3, 4.6, 4.4, 4.9], [3.5, nan, 3.7, 3.9]])
    >>> round(result.statistic, 3), round(result.pvalue, 4)
    (15.493, 0.0014)
    """
    whole = as_table(table)
    present = ~np.isnan(whole.values)
    useful = np.flatnonzero(present.sum(axis=1) >= 2)
    dropped = tuple(name for i, name in enumerate(whole.datasets) if i not in set(useful.tolist()))
    kept = whole.take(useful)
    if kept.n_datasets < 2:
        raise DataError(f"At least 2 datasets with two or more scores are needed; the table has {kept.n_datasets}.")
    _must_be_connected(kept)
    statistic, pvalue, df, sums = _tested(kept.ranks())
    blocks = Blocks(
        table=kept, missing="missing scores stay missing: each dataset ranks the algorithms it has", dropped=dropped
    )
    more: dict[str, Any] = {"missing_scores": whole.missing, "details": {"adjusted_sums": sums}}
    more["ties"] = "mean ranks within datasets, with the variance that the ties leave"
    return blocks.result("skillings_mack", (statistic, pvalue), (df,), **more)


def _weighted_sums(ranks: Floats) -> tuple[Floats, Floats]:
    """The weighted sums of centred ranks and their covariance over all orders within datasets, ties kept."""
    present = ~np.isnan(ranks)
    counts = present.sum(axis=1, keepdims=True)
    centred = np.where(present, ranks - (counts + 1) / 2, 0.0)
    weights = np.sqrt(12 / (counts + 1))
    spread = (centred**2).sum(axis=1, keepdims=True)
    # Two ranks of a dataset have covariance -spread / (k_i (k_i - 1)); times the squared weight: 1 without ties.
    shared = weights**2 * spread / (counts * (counts - 1))
    covariance = -((shared * present).T @ present.astype(np.float64))
    np.fill_diagonal(covariance, 0.0)
    np.fill_diagonal(covariance, -covariance.sum(axis=1))
    return (weights * centred).sum(axis=0), covariance


def _must_be_connected(table: Table) -> None:
    """All algorithms must be linked by datasets they share, or some are never compared."""
    present = ~np.isnan(table.values)
    met = (present.T.astype(np.int64) @ present) > 0
    rest = met[int(np.argmax(met.sum(axis=1)))]
    while (reached := met[rest].any(axis=0)).sum() > rest.sum():  # scipy's csgraph takes 0.1 s to import
        rest = reached
    if not rest.all():
        apart = [(name,) for name, linked in zip(table.algorithms, rest.tolist(), strict=True) if not linked]
        raise DataError(
            f"These algorithms share no dataset, directly or through others, with the rest: {check.cells(apart)}; "
            "leave them out, or run them on common datasets."
        )
