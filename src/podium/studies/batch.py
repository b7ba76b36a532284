"""Tests on many samples at once: arrays (samples, datasets, algorithms) to p-values (samples, hypotheses).

The tests are those of `stats`; here they are asked a thousand times in one array operation. A test with one
hypothesis (two algorithms, or an omnibus test) gives one column; a post-hoc test gives one per pair, or one per
algorithm against the first.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.special import bdtr, fdtrc, ndtr, stdtr

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.ranks import rank_rows, subtract

__all__ = ["MANY", "TWO", "BatchTest", "as_batch"]

Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class BatchTest:
    """A test of many samples at once: (samples, datasets, algorithms) to p-values (samples, hypotheses)."""

    name: str
    pvalues: Callable[[Floats], Floats]

    def __call__(self, samples: Floats) -> Floats:
        """The p-values of every sample and hypothesis."""
        return self.pvalues(samples)


def _two_sided_t(differences: Floats) -> Floats:
    n = differences.shape[1]
    mean, spread = differences.mean(axis=1), differences.std(axis=1, ddof=1)
    steady = spread <= 1e-12 * np.abs(differences).max(axis=1)
    t = mean / np.where(steady, 1.0, spread / sqrt(n))
    pvalue = 2 * stdtr(n - 1, -np.abs(t))
    return np.where(steady, np.where(mean == 0, 1.0, 0.0), pvalue)[:, None]


def _differences(samples: Floats) -> Floats:
    return subtract(samples[:, :, 0], samples[:, :, 1])


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
    from podium.stats.exact.studentized_range import range_tail

    n, k = samples.shape[1:]
    first, second = _pairs(k)
    means = _ranks(samples).mean(axis=1)
    q = np.abs(means[:, first] - means[:, second]) / sqrt(k * (k + 1) / (12 * n))
    return range_tail(q, k)


def tukey(samples: Floats) -> Floats:
    """Tukey's test of all pairs, with the residual of the repeated-measures analysis of variance."""
    from podium.stats.exact.studentized_range import range_tail

    n, k = samples.shape[1:]
    first, second = _pairs(k)
    columns, error, degrees = _anova_parts(samples)
    q = np.abs(columns[:, first] - columns[:, second]) / np.sqrt(np.maximum(error, 1e-300) / n)[:, None]
    return range_tail(q, k, degrees)


def bonferroni_dunn(samples: Floats) -> Floats:
    """Every algorithm against the first on mean ranks, with Bonferroni's correction."""
    n, k = samples.shape[1:]
    means = _ranks(samples).mean(axis=1)
    z = np.abs(means[:, 1:] - means[:, :1]) / sqrt(k * (k + 1) / (6 * n))
    pvalues: Floats = np.minimum(1.0, (k - 1) * 2 * ndtr(-z))
    return pvalues


def dunnett(samples: Floats) -> Floats:
    """Dunnett's test of every algorithm against the first, with the residual of the analysis of variance."""
    from podium.stats.exact.studentized_range import dunnett_tail

    n, k = samples.shape[1:]
    columns, error, degrees = _anova_parts(samples)
    t = np.abs(columns[:, 1:] - columns[:, :1]) / np.sqrt(2 * np.maximum(error, 1e-300) / n)[:, None]
    return dunnett_tail(t, k - 1, degrees)


def mean_ranks(samples: Floats) -> Floats:
    """The z test of the first two algorithms on the mean ranks of the whole pool, without a correction."""
    n, k = samples.shape[1:]
    means = _ranks(samples).mean(axis=1)
    z = np.abs(means[:, 0] - means[:, 1]) / sqrt(k * (k + 1) / (6 * n))
    pvalues: Floats = (2 * ndtr(-z))[:, None]
    return pvalues


def _named(*tests: Callable[[Floats], Floats]) -> dict[str, BatchTest]:
    return {test.__name__: BatchTest(test.__name__, test) for test in tests}


TWO = _named(paired_t, relative_t, wilcoxon, sign)
MANY = _named(anova, friedman, iman_davenport, tukey, nemenyi, dunnett, bonferroni_dunn)
_POOL = _named(mean_ranks)


def as_batch(test: Any) -> BatchTest:
    """A batch test from a name or from any function of one sample.

    A function of two arguments gets the scores of the first two algorithms, one of a single argument the whole
    table (datasets x algorithms); it returns a p-value, several, or a result with `pvalue`.
    """
    if isinstance(test, BatchTest):
        return test
    if isinstance(test, str):
        known = {**TWO, **MANY, **_POOL}
        return known[check.member("test", test, known)]
    if not callable(test):
        raise ArgumentError(f"A test is a name or a function; got {test!r}.")
    return BatchTest(getattr(test, "__name__", "test"), lambda samples: _one_by_one(test, samples))


def _one_by_one(test: Callable[..., Any], samples: Floats) -> Floats:
    """A function of one sample, asked in a loop."""
    pair = _takes_two(test)
    rows = []
    for sample in samples:
        result = test(sample[:, 0], sample[:, 1]) if pair else test(sample)
        rows.append(np.atleast_1d(np.asarray(getattr(result, "pvalue", result), dtype=np.float64)))
    pvalues = np.array(rows)
    if not ((pvalues >= 0) & (pvalues <= 1)).all():  # false for nan too
        name = getattr(test, "__name__", "test")
        raise ArgumentError(
            f"The test {name!r} gave a p-value that is nan or not between 0 and 1: it cannot be studied."
        )
    return pvalues


def _takes_two(test: Callable[..., Any]) -> bool:
    """Whether a function needs two positional arguments."""
    required = [
        parameter
        for parameter in inspect.signature(test).parameters.values()
        if parameter.default is parameter.empty
        and parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]
    return len(required) == 2
