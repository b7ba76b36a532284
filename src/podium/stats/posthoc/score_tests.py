"""Tests of pairs of mean scores, after a repeated-measures analysis of variance."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from podium.core.arrays import Floats
from podium.core.pairs import pair_indices
from podium.core.words import MissingDatasets
from podium.stats.exact.studentized_range import dunnett_tail, quantile, range_tail
from podium.stats.omnibus.anova import TwoWay, two_way
from podium.stats.pairwise.pair_result import Tested
from podium.stats.pairwise.paired_t import student
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import run_pool


def _mean_t(tables: Floats, control: int | None = None) -> tuple[Tested, TwoWay]:
    """t of each pair of mean scores with the pooled error of the analysis of variance, and its parts.

    Where nothing is left as error, all datasets put every pair in the same order by the same amounts. Of a set of equal algorithms
    that happens with a probability of at most 2^(1 - n), whatever the others do, so that this p-value needs no correction.
    """
    parts = two_way(tables)
    first, second = pair_indices(tables.shape[-1], control)
    effect = parts.means[..., first] - parts.means[..., second]
    largest = np.abs(tables).max(axis=-2)  # a mean is as precise as the largest of its scores
    noise = 1e-12 * np.maximum(largest[..., first], largest[..., second])
    effect = np.where(np.abs(effect) <= noise, 0.0, effect)
    error = np.sqrt(2 * parts.error / parts.n)[..., None]
    # Without spread anywhere the pooled error has no degrees of freedom to speak of: what is left is that the n differences of
    # a pair have the same sign, as in the test of the two alone.
    df = np.where(error > 0, parts.df[1], parts.n - 1.0)
    method = "exact under normality and sphericity"
    tested = student(effect, np.broadcast_to(error, effect.shape), df, "two-sided", method)
    return replace(tested, details={"df": parts.df[1]}), parts


def tukey_kernel(tables: Floats, *, control: None = None) -> Tested:
    """Tukey's test of tables (..., datasets, algorithms)."""
    tested, parts = _mean_t(tables)
    q = math.sqrt(2) * tested.statistic
    tail = np.where(np.isinf(q), 0.0, range_tail(np.abs(q), parts.k, parts.df[1]))
    return replace(tested, statistic=q, adjusted=np.maximum(tail, tested.pvalue))


def tukey_critical_t(k: int, df: float, alpha: float) -> float:
    """The |t| of a pair that the studentized range exceeds with probability `alpha`: its simultaneous intervals."""
    return quantile(lambda q: float(range_tail(q, k, df)), alpha) / math.sqrt(2)


def tukey(table: Any, *, missing: MissingDatasets = "complete", confidence: float = 0.95) -> PairsResult:
    """All pairs of mean scores against the studentized range, datasets as blocks: q = (m_a - m_b) / sqrt(MSE / n).

    The error has (n - 1)(k - 1) degrees of freedom, so that the pairing by datasets is used. `adjusted` controls the
    family-wise error; `pvalue` is that of the pair alone (Student's t with the pooled error). The intervals are Tukey's
    own: they hold together, and exclude 0 exactly where `adjusted` is below 1 - confidence. Where there is no error at all,
    n datasets that agree say as much as in the sign test: both p-values are 2^(1 - n).

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of all intervals together.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> tukey(scores).adjusted.round(4).tolist()
    [0.0285, 0.0062, 0.3923]
    """
    return run_pool("tukey", table, missing=missing, confidence=confidence)


def dunnett_kernel(tables: Floats, *, control: int = 0) -> Tested:
    """Dunnett's test against the control of tables (..., datasets, algorithms)."""
    tested, parts = _mean_t(tables, control)
    t = np.abs(tested.statistic)
    tail = np.where(np.isinf(t), 0.0, dunnett_tail(t, parts.k - 1, parts.df[1]))
    return replace(tested, adjusted=np.maximum(tail, tested.pvalue))


def dunnett_critical_t(k: int, df: float, alpha: float) -> float:
    """The |t| that the largest of k - 1 comparisons with a control exceeds with probability `alpha`."""
    return quantile(lambda t: float(dunnett_tail(t, k - 1, df)), alpha)


def dunnett(
    table: Any, control: str, *, missing: MissingDatasets = "complete", confidence: float = 0.95
) -> PairsResult:
    """Every other mean score (a) against the control's (b): t = (m_a - m_b) / sqrt(2 MSE / n), datasets as blocks.

    `adjusted` is the chance that the largest of the k - 1 correlated |t| exceeds the observed one, by quadrature:
    the same number each time, unlike a simulated multivariate t. The intervals are Dunnett's own: they hold together.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    control : str
        The algorithm that every other one is compared with.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of all intervals together.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> dunnett(scores, "algorithm 1").adjusted.round(4).tolist()
    [0.0217, 0.0046]
    """
    return run_pool("dunnett", table, control, missing=missing, confidence=confidence)
