"""Tests on many samples at once: arrays (samples, datasets, algorithms) to p-values (samples, hypotheses).

The tests are those of `stats`; here they are asked a thousand times in one array operation. A test with one
hypothesis (two algorithms, or an omnibus test) gives one column; a post-hoc test gives one per pair, or one per
algorithm against the first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, fdtrc, ndtr, stdtr

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.ranks import rank_rows, settle

__all__ = ["MANY", "TWO", "BatchTest", "as_batch", "named_tests"]

Floats = npt.NDArray[np.float64]
BatchTest = Callable[[Floats], Floats]


def _two_sided_t(differences: Floats) -> Floats:
    n = differences.shape[1]
    mean, spread = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    steady = spread <= 1e-12 * np.abs(differences).max(axis=1)
    t = mean / np.where(steady, 1.0, spread / sqrt(n))
    pvalue = 2 * stdtr(n - 1, -np.abs(t))
    return np.where(steady, np.where(mean == 0, 1.0, 0.0), pvalue)[:, None]


def _differences(samples: Floats) -> Floats:
    scale = np.abs(samples).max(axis=(1, 2), keepdims=True)[:, :, 0]
    return settle(samples[:, :, 0] - samples[:, :, 1], scale=scale)


def paired_t(samples: Floats) -> Floats:
    """Paired t test of the first two algorithms."""
    return _two_sided_t(_differences(samples))


def relative_t(samples: Floats) -> Floats:
    """Paired t test of the relative differences (a - b) / (a + b)."""
    total = samples[:, :, 0] + samples[:, :, 1]
    return _two_sided_t(np.where(total != 0, _differences(samples) / np.where(total != 0, total, 1.0), 0.0))


def wilcoxon(samples: Floats) -> Floats:
    """Exact signed-rank test of the first two algorithms, zeros dropped."""
    from podium.stats.exact.signed_rank import signed_ranks

    count = len(samples)
    columns = np.concatenate([_differences(samples), np.zeros((1, samples.shape[1]))])
    found = signed_ranks(columns, np.arange(count), np.full(count, count))
    return found.pvalue[:, None]


def sign(samples: Floats) -> Floats:
    """Exact sign test of the first two algorithms, ties dropped."""
    differences = _differences(samples)
    wins, losses = (differences > 0).sum(axis=1), (differences < 0).sum(axis=1)
    pvalue = np.minimum(1.0, 2 * bdtr(np.minimum(wins, losses).astype(float), wins + losses, 0.5))
    return np.where(wins + losses == 0, 1.0, pvalue)[:, None]


def _ranks(samples: Floats) -> Floats:
    count, n, k = samples.shape
    return rank_rows(samples.reshape(count * n, k)).reshape(count, n, k)


def _anova_parts(samples: Floats) -> tuple[Floats, Floats, float]:
    """Column means, the residual mean square and its degrees of freedom, of each sample."""
    n, k = samples.shape[1:]
    columns, rows = samples.mean(axis=1, keepdims=True), samples.mean(axis=2, keepdims=True)
    residual = samples - columns - rows + samples.mean(axis=(1, 2), keepdims=True)
    degrees = (n - 1) * (k - 1)
    return columns[:, 0], (residual**2).sum(axis=(1, 2)) / degrees, degrees


def anova(samples: Floats) -> Floats:
    """Repeated-measures analysis of variance, sphericity assumed."""
    n, k = samples.shape[1:]
    columns, error, degrees = _anova_parts(samples)
    between = n * columns.var(axis=1, ddof=1)
    steady = error <= 1e-24 * (samples**2).max(axis=(1, 2))
    pvalue = fdtrc(k - 1, degrees, between / np.where(steady, 1.0, error))
    return np.where(steady, np.where(between <= 1e-24, 1.0, 0.0), pvalue)[:, None]


def friedman(samples: Floats) -> Floats:
    """Friedman's chi-square test, corrected for ties."""
    from podium.stats.omnibus.friedman import friedman_statistics

    return friedman_statistics(_ranks(samples)).chi2_pvalue[:, None]


def iman_davenport(samples: Floats) -> Floats:
    """Iman and Davenport's F version of Friedman's test."""
    from podium.stats.omnibus.friedman import friedman_statistics

    return friedman_statistics(_ranks(samples)).iman_davenport_pvalue[:, None]


def _pairs(k: int) -> tuple[npt.NDArray[np.intp], npt.NDArray[np.intp]]:
    pairs = np.array(list(combinations(range(k), 2)), dtype=np.intp)
    return pairs[:, 0], pairs[:, 1]


def nemenyi(samples: Floats) -> Floats:
    """Nemenyi's test of all pairs on mean ranks."""
    n, k = samples.shape[1:]
    first, second = _pairs(k)
    means = _ranks(samples).mean(axis=1)
    q = np.abs(means[:, first] - means[:, second]) / sqrt(k * (k + 1) / (12 * n))
    return _studentized_range(q, k, np.inf)


def tukey(samples: Floats) -> Floats:
    """Tukey's test of all pairs, with the residual of the repeated-measures analysis of variance."""
    n, k = samples.shape[1:]
    first, second = _pairs(k)
    columns, error, degrees = _anova_parts(samples)
    q = np.abs(columns[:, first] - columns[:, second]) / np.sqrt(np.maximum(error, 1e-300) / n)[:, None]
    return _studentized_range(q, k, degrees)


def _studentized_range(q: Floats, k: int, degrees: float) -> Floats:
    """Tails of the studentized range, interpolated in their logarithm on a fine grid (error below 1e-6)."""
    from scipy.stats import studentized_range

    grid = np.linspace(0.0, min(float(q.max()), 60.0) + 1e-9, 400)
    with np.errstate(divide="ignore"):
        tails = np.log(np.maximum(studentized_range.sf(grid, k, degrees), 1e-300))
    return _interpolated(q, grid, tails)


def _interpolated(x: Floats, grid: Floats, log_tails: Floats) -> Floats:
    from scipy.interpolate import PchipInterpolator

    curve = PchipInterpolator(grid, log_tails)
    tails: Floats = np.exp(curve(np.minimum(x, grid[-1])))
    return np.clip(tails, 0.0, 1.0)


def bonferroni_dunn(samples: Floats) -> Floats:
    """Every algorithm against the first on mean ranks, with Bonferroni's correction."""
    n, k = samples.shape[1:]
    means = _ranks(samples).mean(axis=1)
    z = np.abs(means[:, 1:] - means[:, :1]) / sqrt(k * (k + 1) / (6 * n))
    return np.minimum(1.0, (k - 1) * 2 * ndtr(-z))


def dunnett(samples: Floats) -> Floats:
    """Dunnett's test of every algorithm against the first, with the residual of the analysis of variance."""
    n, k = samples.shape[1:]
    columns, error, degrees = _anova_parts(samples)
    t = np.abs(columns[:, 1:] - columns[:, :1]) / np.sqrt(2 * np.maximum(error, 1e-300) / n)[:, None]
    grid = np.linspace(0.0, min(float(t.max()), 40.0) + 1e-9, 400)
    tails = np.array([dunnett_tail(x, k - 1, degrees) for x in grid])
    return _interpolated(t, grid, np.log(np.maximum(tails, 1e-300)))


def mean_ranks(samples: Floats) -> Floats:
    """The z test of the first two algorithms on the mean ranks of the whole pool, without a correction."""
    n, k = samples.shape[1:]
    means = _ranks(samples).mean(axis=1)
    z = np.abs(means[:, 0] - means[:, 1]) / sqrt(k * (k + 1) / (6 * n))
    return (2 * ndtr(-z))[:, None]


TWO: dict[str, BatchTest] = {"paired_t": paired_t, "relative_t": relative_t, "wilcoxon": wilcoxon, "sign": sign}
MANY: dict[str, BatchTest] = {
    "anova": anova,
    "friedman": friedman,
    "iman_davenport": iman_davenport,
    "tukey": tukey,
    "nemenyi": nemenyi,
    "dunnett": dunnett,
    "bonferroni_dunn": bonferroni_dunn,
}


def as_batch(test: Any) -> BatchTest:
    """A batch test from a name or from any function of one sample.

    A function of two arguments gets the scores of the first two algorithms, one of a single argument the whole
    table (datasets x algorithms); it returns a p-value, several, or a result with `pvalue`.
    """
    if isinstance(test, str):
        known = {**TWO, **MANY, "mean_ranks": mean_ranks}
        return known[check.member("test", test, known)]
    if not callable(test):
        raise ArgumentError(f"A test is a name or a function; got {test!r}.")
    return lambda samples: _one_by_one(test, samples)


def _one_by_one(test: Callable[..., Any], samples: Floats) -> Floats:
    import inspect

    required = [
        parameter
        for parameter in inspect.signature(test).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    rows = []
    for sample in samples:
        result = test(sample[:, 0], sample[:, 1]) if len(required) == 2 else test(sample)
        rows.append(np.atleast_1d(np.asarray(getattr(result, "pvalue", result), dtype=np.float64)))
    pvalues = np.array(rows)
    if np.isnan(pvalues).any() or (pvalues < 0).any() or (pvalues > 1).any():
        name = getattr(test, "__name__", "test")
        raise ArgumentError(
            f"The test {name!r} gave a p-value that is not between 0 and 1 (or nan): it cannot be studied."
        )
    return pvalues


def named_tests(tests: Iterable[Any]) -> dict[str, BatchTest]:
    """Batch tests by name, for a list of names and functions."""
    return {
        test if isinstance(test, str) else getattr(test, "__name__", f"test {i}"): as_batch(test)
        for i, test in enumerate(tests)
    }
