"""Replicability studies and pools, against loops over scipy's own functions on a part of the same samples."""

import time

import numpy as np
from scipy import stats

import podium
from podium.stats import registry
from podium.studies._replicability import _biased_samples, replicability
from podium.studies.pool import pool_dependence

PART = 300  # samples that the loop over scipy's functions gets; the whole study has 21,000


def _timed(call):
    call()  # kernels are compiled and cached outside the clock
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def _samples(table):
    gains = (table.values[:, 0] - table.values[:, 3]) / 100
    return table.values[_biased_samples(gains, 10.0, 10, PART, np.random.default_rng(0))]


def _scipy_two(sample):
    x, y = sample[:, 0], sample[:, 3]
    stats.ttest_rel(x, y)
    stats.ttest_1samp((x - y) / (x + y), 0)
    stats.wilcoxon(x, y)
    stats.binomtest(int((x > y).sum()), max(1, int((x != y).sum())))


def _scipy_many(sample):
    stats.friedmanchisquare(*sample.T)
    n, k = sample.shape
    residual = sample - sample.mean(axis=0) - sample.mean(axis=1, keepdims=True) + sample.mean()
    error = (residual**2).sum() / ((n - 1) * (k - 1))
    stats.f.sf(n * sample.mean(axis=0).var(ddof=1) / error, k - 1, (n - 1) * (k - 1))
    i, j = np.triu_indices(k, 1)
    means, ranks = sample.mean(axis=0), stats.rankdata(-sample, axis=1).mean(axis=0)
    stats.studentized_range.sf(np.abs(means[i] - means[j]) / np.sqrt(error / n), k, (n - 1) * (k - 1))
    stats.studentized_range.sf(np.abs(ranks[i] - ranks[j]) / np.sqrt(k * (k + 1) / (12 * n)), k, np.inf)
    stats.dunnett(*sample[:, 1:].T, control=sample[:, 0], rng=0)


def _row(what, ours, loop, note):
    start = time.perf_counter()
    count = loop()
    per_sample = (time.perf_counter() - start) / count
    theirs = 21_000 * per_sample
    return {
        "what": what,
        "podium_seconds": ours,
        "peer": f"a loop over scipy's functions, timed on {count} samples",
        "peer_seconds": theirs,
        "ratio": theirs / ours,
        "note": note,
    }


def run():
    table = podium.example("benavoli2016").scores().table().complete()
    samples = _samples(table)
    two_tests = [name for name in registry.usual("replicability") if name in registry.names("datasets")]
    many_tests = [name for name in registry.usual("replicability") if name not in two_tests]
    two = _timed(lambda: replicability(table, a="C1", b="C4", tests=two_tests))
    many = _timed(lambda: replicability(table, a="C1", b="C4", tests=many_tests))
    pools = np.random.default_rng(0).normal(size=(54, 12))
    return [
        _row(
            "21 x 1000 samples x 4 tests of two",
            two,
            lambda: sum(1 for s in samples if _scipy_two(s) is None),
            "wanted: 100",
        ),
        _row(
            "21 x 1000 samples x 7 tests of many",
            many,
            lambda: sum(1 for s in samples[:10] if _scipy_many(s) is None),
            "wanted: 30, and under 5 s",
        ),
        {
            "what": "all pools of 12 algorithms, 66 pairs x 1024 pools",
            "podium_seconds": _timed(lambda: pool_dependence(pools)),
            "peer": "none",
            "peer_seconds": None,
            "ratio": None,
            "note": "wanted: under 2 s",
        },
    ]


if __name__ == "__main__":
    for row in run():
        print(row)
