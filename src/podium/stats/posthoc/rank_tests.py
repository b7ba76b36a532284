"""Tests of pairs on the ranks of all algorithms: what each says of two depends on the others of the pool."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats
from podium.core.pairs import pair_indices
from podium.core.words import MissingDatasets
from podium.stats import registry
from podium.stats.exact.friedman import perfect_agreement_pvalue
from podium.stats.exact.rank_sum_difference import two_sided_pvalues
from podium.stats.exact.studentized_range import range_tail
from podium.stats.omnibus.blocks import ranks_of
from podium.stats.pairwise.pair_result import Tested
from podium.stats.pairwise.paired_t import student
from podium.stats.posthoc.pairs_result import PairsResult
from podium.stats.posthoc.pool import run_pool


def mean_rank_z(mean_ranks: npt.ArrayLike, n_datasets: int, control: int | None = None) -> Floats:
    """z of every pair of mean ranks, (..., k) -> (..., pairs), negative where the first is better.

    z = (R_a - R_b) / sqrt(k (k + 1) / (6 n)) (Demsar 2006, section 3.2.2; Benavoli et al. 2016, equation 4).

    >>> mean_rank_z([2.0, 3.5, 3.0], 12).round(3)
    array([-3.674, -2.449,  1.225])
    """
    means = np.asarray(mean_ranks, dtype=np.float64)
    k = means.shape[-1]
    a, b = pair_indices(k, control)
    z: Floats = (means[..., a] - means[..., b]) / math.sqrt(k * (k + 1) / (6 * n_datasets))
    # Sums of ranks are multiples of 1/2: what is left of equal ones is float noise.
    return np.where(np.abs(z) < 1e-11 * math.sqrt(n_datasets), 0.0, z)


def _tested(statistic: Floats, pvalue: Floats, ties: str, **more: Any) -> Tested:
    """What a test on ranks says: the one with the smaller ranks is ahead."""
    ties = f"mean ranks within datasets; {ties}"
    return Tested(statistic=statistic, pvalue=pvalue, side=-np.sign(statistic), ties=ties, **more)


def mean_ranks_kernel(tables: Floats, *, control: int | None = None) -> Tested:
    """The z test of tables (..., datasets, algorithms), where higher is better."""
    from scipy.special import ndtr

    z = mean_rank_z(ranks_of(tables).mean(axis=-2), tables.shape[-2], control)
    ties = "the variance is that without ties, so that ties make the test cautious"
    return _tested(z, np.minimum(2 * ndtr(-np.abs(z)), 1.0), ties, method="asymptotic")


def mean_ranks(
    table: Any, *, correction: str = "holm", missing: MissingDatasets = "complete", confidence: float = 0.95
) -> PairsResult:
    """All pairs by z = (R_a - R_b) / sqrt(k (k + 1) / (6 n)), corrected by any name `adjust` knows.

    It is here for comparison with published work: the verdict on a pair depends on the pool, and the variance is that
    under the hypothesis that all algorithms are equal. `all_pairs` looks at the two alone.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    correction : str, default "holm"
        How p-values are adjusted: any name that `adjust` takes.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> mean_ranks(scores).adjusted.round(4).tolist()
    [0.1542, 0.04, 0.4795]
    """
    return run_pool("mean_ranks", table, None, correction, missing=missing, confidence=confidence)


def bonferroni_dunn_kernel(tables: Floats, *, control: int = 0) -> Tested:
    """The z test against the control."""
    tested = mean_ranks_kernel(tables, control=control)
    return replace(tested, adjusted=np.minimum((tables.shape[-1] - 1) * tested.pvalue, 1.0))


def bonferroni_dunn(
    table: Any,
    control: str,
    *,
    correction: str = "bonferroni",
    missing: MissingDatasets = "complete",
    confidence: float = 0.95,
) -> PairsResult:
    """Every other algorithm (a) against the control (b), by z of their mean ranks: k - 1 comparisons.

    The correction is Bonferroni's, as the name says; Holm and others (any name that `adjust` knows, except those
    for all pairs) are more powerful (Demsar 2006, section 3.2.2).

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    control : str
        The algorithm that every other one is compared with.
    correction : str, default "bonferroni"
        How p-values are adjusted: any name that `adjust` takes, except those for all pairs.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> bonferroni_dunn(scores, "algorithm 1").adjusted.round(4).tolist()
    [0.1542, 0.0267]
    """
    registry.fitting(correction, control=True)
    return run_pool("bonferroni_dunn", table, control, correction, missing=missing, confidence=confidence)


def nemenyi_kernel(tables: Floats, *, control: None = None) -> Tested:
    """The z test against the studentized range."""
    tested = mean_ranks_kernel(tables)
    q = math.sqrt(2) * tested.statistic
    adjusted = np.maximum(range_tail(np.abs(q), tables.shape[-1]), tested.pvalue)
    return replace(tested, statistic=q, adjusted=adjusted)


def nemenyi(table: Any, *, missing: MissingDatasets = "complete", confidence: float = 0.95) -> PairsResult:
    """Nemenyi's test of all pairs of algorithms after Friedman's: q = |R_a - R_b| / sqrt(k (k + 1) / (12 n)).

    `adjusted` is the chance that the largest of all differences of mean ranks exceeds the observed one (studentized
    range at infinite degrees, computed for any k): it controls the family-wise error by itself. `pvalue` is that of
    the pair alone. Some books call "Nemenyi" what here is `mean_ranks(correction='bonferroni')`.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> nemenyi(scores).adjusted.round(4).tolist()
    [0.1805, 0.0356, 0.7593]
    """
    return run_pool("nemenyi", table, missing=missing, confidence=confidence)


def rank_sums_kernel(tables: Floats, *, control: None = None) -> Tested:
    """The exact test of the difference of rank sums, one table after the other."""
    ranks = ranks_of(tables)
    sums = ranks.sum(axis=-2)
    a, b = pair_indices(tables.shape[-1])
    differences = sums[..., a] - sums[..., b]
    every = zip(ranks.reshape(-1, *tables.shape[-2:]), differences.reshape(-1, len(a)), strict=True)
    raw = np.array([two_sided_pvalues(own, asked) for own, asked in every]).reshape(differences.shape)
    return _tested(differences, raw, "the exact distribution is conditional on them", method="exact")


def rank_sums(
    table: Any, *, correction: str = "holm", missing: MissingDatasets = "complete", confidence: float = 0.95
) -> PairsResult:
    """All pairs by the exact distribution of the difference of two rank sums, with all orders of the algorithms equally likely.

    The mean-ranks test without its normal approximation, which is poor for few datasets and small p-values
    (Eisinga, Heskes, Pelzer and Te Grotenhuis 2017).
    Ties are kept: the distribution is that of the ranks as they are. `statistic` is the difference of rank sums.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    correction : str, default "holm"
        How p-values are adjusted: any name that `adjust` takes.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> rank_sums(scores).adjusted.round(4).tolist()
    [0.2253, 0.0417, 0.6127]
    """
    return run_pool("rank_sums", table, None, correction, missing=missing, confidence=confidence)


def conover_kernel(tables: Floats, *, control: None = None) -> Tested:
    """Student's t of the difference of rank sums."""
    ranks = ranks_of(tables)
    n, k = tables.shape[-2:]
    sums = ranks.sum(axis=-2)
    left = n * np.square(ranks).sum(axis=(-2, -1)) - np.square(sums).sum(axis=-1)
    left = np.where(left < 1e-9 * n, 0.0, left)
    a, b = pair_indices(k)
    differences, df = sums[..., a] - sums[..., b], (n - 1) * (k - 1)
    error = np.broadcast_to(np.sqrt(2 * left / df)[..., None], differences.shape)
    tested = student(differences, error, df, "two-sided", "asymptotic")
    for where in np.argwhere(left == 0):  # all datasets agree: t is infinite, but so much agreement has a chance
        at = tuple(where)
        tested.pvalue[at] = np.where(differences[at] == 0, 1.0, perfect_agreement_pvalue(ranks[at]))
    ties = "the error follows from the ranks as they are"
    return _tested(tested.statistic, tested.pvalue, ties, method="asymptotic", details={"df": df})


def conover(
    table: Any, *, correction: str = "holm", missing: MissingDatasets = "complete", confidence: float = 0.95
) -> PairsResult:
    """All pairs by t = (R_a - R_b) / sqrt(2 (n A - sum R_j^2) / ((n - 1)(k - 1))), R rank sums, A the sum of squared ranks.

    The error is what the algorithms' rank sums leave (Conover 1999, section 5.8), so the test is more powerful than
    the mean-ranks test once some algorithms differ; it is meant for use after Friedman's test has rejected.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    correction : str, default "holm"
        How p-values are adjusted: any name that `adjust` takes.
    missing : {"complete", "refuse"}, default "complete"
        What to do about datasets with missing scores: leave them out and name them, or raise an error.
    confidence : float, default 0.95
        Confidence of the intervals.

    Returns
    -------
    PairsResult
        For each pair: the statistic, the raw and the adjusted p-value, the effect with its interval, wins, ties
        and losses.

    Examples
    --------
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> conover(scores).adjusted.round(4).tolist()
    [0.0246, 0.0077, 0.207]
    """
    return run_pool("conover", table, None, correction, missing=missing, confidence=confidence)
