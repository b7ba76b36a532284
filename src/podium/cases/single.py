"""The interval of one algorithm's own score, by what the values of a case are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from podium.cases.auc import score_ends
from podium.cases.binary import wilson
from podium.cases.clusters import mean_of_cases
from podium.cases.means import NO_LIMITS, means_of
from podium.cases.pair_kernels import jackknife
from podium.core.arrays import Floats, Indices
from podium.core.metric import bounds_of
from podium.evidence.cases import Cases, Groups, codes


def score_intervals(cases: Cases, *, confidence: float = 0.95, macro: bool = False) -> tuple[Floats, Floats, Floats]:
    """Score, low and high end of every algorithm: Wilson's for pass or fail and values from 0 to 1, else the rule of `means`.

    With samples, clusters or weights Wilson's interval takes the number of independent cases that the standard error speaks of, and
    t in place of the normal quantile.

    >>> import numpy as np
    >>> found = score_intervals(Cases(values=np.array([[1.0]] * 27 + [[0.0]] * 3), cases=tuple(map(str, range(30))),
    ...     algorithms=("a",), metric=__import__("podium").Metric(name="accuracy", direction="higher")))
    >>> [round(float(end[0]), 4) for end in found]
    [0.9, 0.7438, 0.9654]
    """
    ends = np.array([_of_one(cases, place, confidence, macro) for place in range(cases.n_algorithms)])
    return ends[:, 0], ends[:, 1], ends[:, 2]


def _of_one(cases: Cases, place: int, confidence: float, macro: bool) -> tuple[float, float, float]:
    from scipy.special import ndtri, stdtrit

    column = cases.values[:, place]
    there = ~np.isnan(column)
    values, n = column[there], int(there.sum())
    groups = cases.groups(there, macro=macro)
    level = 1 - (1 - confidence) / 2
    if cases.kind == "influence":
        return _of_influence(cases, place, values, level)
    if groups.n_clusters < 2:
        return float(np.average(values, weights=groups.weights)), -np.inf, np.inf
    if cases.kind == "numeric":
        asked = means_of("numeric", values[None], groups, _limits(cases))
        ends = asked.means.ends(1 - confidence)
        return float(asked.estimate.mean[0]), float(ends[0][0]), float(ends[1][0])
    counts = cases.kind == "pass_fail" and groups.weights is None and not groups.clustered
    if counts and groups.over_benchmarks:
        return _over_benchmarks(values, groups.benchmark, level)
    estimate = mean_of_cases(values, groups)
    mean, error = float(estimate.mean), float(estimate.error)
    plain = counts and not groups.several_benchmarks
    samples = 1 if cases.samples is None else cases.samples.shape[2]
    size = float(n)
    if not plain:
        least = _fewest(groups)
        most = samples * (n if groups.weights is None else _fewest(replace(groups, cluster=np.arange(n))))
        size = float(np.clip(mean * (1 - mean) / error**2, least, most)) if error > 0 else least
    quantile = float(ndtri(level)) if plain else float(stdtrit(max(float(estimate.df), 1.0), level))
    low, high = wilson(mean * size, size, quantile)
    return mean, float(low), float(high)


def _over_benchmarks(values: Floats, benchmark: Indices, level: float) -> tuple[float, float, float]:
    """The mean accuracy over benchmarks: Wilson's interval of the number of cases that its variance speaks of.

    Half a case is added on either side of each benchmark, so that one that is passed wholly, or not at all, is not taken to be
    certain; the mean is worth at least half of what its cases would be at one half.
    """
    from scipy.special import stdtrit

    sizes, passed = np.bincount(benchmark).astype(np.float64), np.bincount(benchmark, weights=values)
    count, mean = len(sizes), float((passed / sizes).mean())
    share = (passed + 0.5) / (sizes + 1)
    variances = share * (1 - share) / sizes / count**2
    total, worth = variances.sum(), count**2 / (1 / sizes).sum()
    df = total**2 / (variances**2 / np.maximum(sizes - 1, 0.5)).sum()
    size = worth if mean in (0.0, 1.0) else max(mean * (1 - mean) / total, worth / 2)
    low, high = wilson(mean * size, size, float(stdtrit(df, level)))
    return mean, float(low), float(high)


def _limits(cases: Cases) -> tuple[float, float]:
    """The smallest and the largest value that a case can have: of a loss 0, without end above."""
    bounds = bounds_of(cases.metric.name)
    return cases.ends or (bounds if bounds == (0.0, np.inf) and np.nanmin(cases.values) >= 0 else NO_LIMITS)


def _fewest(groups: Groups) -> float:
    """The number of independent cases that the mean is worth if those of one cluster are all alike."""
    if groups.weights is not None:
        shares = np.bincount(groups.cluster, weights=groups.counted) / groups.n
        return float(1 / (shares**2).sum())
    if not groups.macro:
        return float(groups.n_clusters)
    places = range(int(groups.benchmark.max()) + 1)
    counts = [len(np.unique(groups.cluster[groups.benchmark == place])) for place in places]
    return len(counts) ** 2 / sum(1 / count for count in counts)


def _of_auc(score: float, values: Floats, group: Indices, level: float) -> tuple[float, float, float]:
    """The score interval of one AUC, with DeLong's variance from its pseudo-values."""
    from scipy.special import ndtri

    sizes, n = np.bincount(group), len(values)
    variance = 0.0
    for place, size in enumerate(sizes.tolist()):
        placed = (values[group == place] - score) * (size - 1) / (n - 1)  # how far the placements are from their mean
        variance += float(placed.var(ddof=1)) / size if size > 1 else 0.0
    ends = score_ends(np.array([score]), np.array([variance]), (int(sizes[0]), int(sizes[1])), float(ndtri(level)))
    return score, float(ends[0][0]), float(ends[1][0])


def _of_influence(cases: Cases, place: int, values: Floats, level: float) -> tuple[float, float, float]:
    """The jackknife; of a metric with two bounds as Wilson's interval of the number of cases that its error speaks of."""
    from scipy.special import stdtrit

    score, n = float(cases.scores[place]), len(values)
    if cases.metric.name == "auc" and not cases.clusters:
        return _of_auc(score, values, codes(cases.classes), level)
    columns = np.column_stack([values, np.zeros(n)])  # the difference from nothing
    error, df = (float(part[0]) for part in jackknife(cases, columns, np.array([0]), np.array([1])))
    quantile = float(stdtrit(max(df, 1.0), level))
    bounds = cases.metric.bounds(cases.scores)
    if bounds_of(cases.metric.name) == (0.0, np.inf) and score > 0:  # such as an RMSE: on the scale of its logarithm
        factor = float(np.exp(quantile * error / score))
        return score, score / factor, score * factor
    if bounds is None or not np.isfinite(bounds).all() or not cases.classes:
        low, high = bounds or (-np.inf, np.inf)
        return score, max(score - quantile * error, low), min(score + quantile * error, high)
    width = bounds[1] - bounds[0]
    share = (score - bounds[0]) / width
    # Such a metric varies at most as much as a share of the rarer class would (Bamber 1975, of the AUC).
    rarest = float(np.bincount(codes(cases.classes)).min())
    size = float(np.clip(share * (1 - share) / (error / width) ** 2, rarest, 4.0 * n)) if error > 0 else rarest
    ends = wilson(share * size, size, quantile)
    return score, bounds[0] + width * float(ends[0]), bounds[0] + width * float(ends[1])
