"""Means over cases that come in clusters (documents, variants of one question, users) and benchmarks.

Cases of one cluster are not independent: what counts is the number of clusters. The standard error is CR2 (Bell and
McCaffrey 2002), the degrees of freedom are Satterthwaite's with an exchangeable working model (Pustejovsky and Tipton
2018). Where every case is its own cluster this is Student's t.

Weights say how much a case counts in the mean, not how often it occurs or how precise it is: two cases of weight 1 tell more
than one of weight 2. So the working model gives every case the same variance, whatever its weight.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.evidence.cases import Groups

FEWEST_CLUSTERS = 3  # of two, the standard error has one degree of freedom at the most: intervals of any length
_ROUNDING = 1e-14  # of the mean: a smaller error is that of the sums


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """Means with their standard errors and degrees of freedom, one per row of values."""

    mean: Floats
    error: Floats
    df: Floats


def clustered_mean(
    values: Floats, cluster: Indices, *, weights: Floats | None = None, working: str = "exchangeable"
) -> Estimate:
    """The means of values (..., n) whose cases belong to `cluster` (codes from 0), with CR2 standard errors.

    `working` is the model behind the degrees of freedom: "exchangeable" with the intra-cluster correlation of the data,
    or "independent", which covers a little less (93 instead of 95% with few, unequal clusters).

    >>> found = clustered_mean(np.array([1.0, 2.0, 4.0, 5.0]), np.arange(4))
    >>> float(found.mean), round(float(found.error), 6), round(float(found.df), 6)
    (3.0, 0.912871, 3.0)
    """
    weights = np.ones(values.shape[-1]) if weights is None else weights
    sizes, squares = (np.bincount(cluster, weights=each) for each in (weights, weights**2))
    n = sizes.sum()
    share = sizes / n
    mean = (values * weights).sum(axis=-1) / n
    deviations = cluster_sums(values * weights, cluster) - mean[..., None] * sizes
    # What makes the square of a deviation unbiased if cases are alike; 1 / (1 - share) where all weights are the same.
    inflation = squares / (squares * (1 - 2 * share) + share**2 * squares.sum())
    error = np.sqrt((deviations**2 * inflation).sum(axis=-1)) / n
    error = np.where(error > _ROUNDING * np.abs(mean), error, 0.0)
    if working == "exchangeable":
        correlation = intra_cluster_correlation(values, cluster)[..., None]
    else:
        correlation = np.zeros_like(mean)[..., None]
    tau = (1 - correlation) * squares + correlation * sizes**2
    return Estimate(mean=mean, error=error, df=_satterthwaite(tau, share, inflation))


def cluster_sums(values: Floats, cluster: Indices) -> Floats:
    """The sums of values (..., n) over the cases of each cluster."""
    if len(cluster) == cluster.max(initial=-1) + 1 and (cluster == np.arange(len(cluster))).all():
        return values
    order = np.argsort(cluster, kind="stable")
    starts = np.searchsorted(cluster[order], np.arange(cluster.max() + 1))
    return np.asarray(np.add.reduceat(values[..., order], starts, axis=-1))


def intra_cluster_correlation(values: Floats, cluster: Indices) -> Floats:
    """The intra-cluster correlation by analysis of variance, not below 0."""
    sizes = np.bincount(cluster).astype(np.float64)
    n, groups = sizes.sum(), len(sizes)
    if groups == n or groups < 2:
        return np.zeros(values.shape[:-1])
    means = cluster_sums(values, cluster) / sizes
    between = (sizes * (means - values.mean(axis=-1)[..., None]) ** 2).sum(axis=-1) / (groups - 1)
    within = ((values - means[..., cluster]) ** 2).sum(axis=-1) / (n - groups)
    typical_size = (n - (sizes**2).sum() / n) / (groups - 1)
    variance = np.maximum((between - within) / typical_size, 0.0)
    total = variance + within
    return np.where(total > 0, variance / np.where(total > 0, total, 1.0), 0.0)


def _satterthwaite(tau: Floats, share: Floats, weight: Floats) -> Floats:
    """(tr M)^2 / sum M_gh^2 of the CR2 estimator's matrix M under the working model, with the sums over pairs closed.

    With tau_g the working variance of a cluster's weighted sum, f its share, C its inflation (`weight`) and T = sum tau,
    M_gh = sqrt(C_g C_h) (delta_gh tau_g - f_g tau_h - f_h tau_g + f_g f_h T).
    """
    total = tau.sum(axis=-1)
    own = -2 * share * tau + share**2 * total[..., None]  # A_gg
    trace = (weight * (tau + own)).sum(axis=-1)
    shares, tied = (weight * share**2).sum(), (weight * share * tau).sum(axis=-1)
    squares = (
        (weight**2 * (tau**2 + 2 * tau * own)).sum(axis=-1)
        + 2 * shares * (weight * tau**2).sum(axis=-1)
        + total**2 * shares**2
        + 2 * tied**2
        - 4 * total * shares * tied
    )
    return np.asarray(trace**2 / squares)


def mean_of_cases(values: Floats, groups: Groups) -> Estimate:
    """The means of values (..., n), over benchmarks where there are several of them."""
    weights = groups.weights
    if groups.several_benchmarks:
        return stratified_mean(values, groups.benchmark, groups.cluster, macro=groups.macro, weights=weights)
    return clustered_mean(values, groups.cluster, weights=weights)


def lonely(stratum: Indices, cluster: Indices) -> int | None:
    """The first benchmark with one cluster only, or one case: nothing tells how far off its mean is. None if there is none."""
    width = int(cluster.max()) + 1
    clusters = np.bincount(np.unique(stratum * width + cluster) // width)
    return int(np.argmax(clusters < 2)) if (clusters < 2).any() else None


def stratified_mean(
    values: Floats, stratum: Indices, cluster: Indices, *, macro: bool, weights: Floats | None = None
) -> Estimate:
    """Means over benchmarks: each benchmark the same weight (macro), or each case (micro) unless it has its own.

    The benchmarks are fixed: the claim is about these benchmarks. Clusters lie within benchmarks. A macro mean has no standard
    error (nan) where some benchmark has one cluster only.
    """
    count = int(stratum.max()) + 1
    alone = lonely(stratum, cluster) is not None
    if alone and not macro:  # benchmarks collapse into one (Cochran 1977, section 5A.12): the error is rather too large
        return clustered_mean(values, cluster, weights=weights)
    parts = []
    for place in range(count):
        here = stratum == place
        _, codes = np.unique(cluster[here], return_inverse=True)
        with np.errstate(divide="ignore", invalid="ignore"):
            parts.append(clustered_mean(values[..., here], codes, weights=None if weights is None else weights[here]))
    sizes = np.bincount(stratum, weights=weights).astype(np.float64)
    shares = np.full(count, 1 / count) if macro else sizes / sizes.sum()
    means = np.stack([part.mean for part in parts], axis=-1)
    variances = np.stack([part.error for part in parts], axis=-1) ** 2 * shares**2
    dfs = np.stack([part.df for part in parts], axis=-1)
    total = variances.sum(axis=-1) * (np.nan if alone else 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        df = total**2 / (variances**2 / dfs).sum(axis=-1)
    smallest = dfs.min(axis=-1)
    return Estimate(mean=(means * shares).sum(axis=-1), error=np.sqrt(total), df=np.where(total > 0, df, smallest))
