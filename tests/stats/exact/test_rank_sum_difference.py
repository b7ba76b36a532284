"""The exact law of differences of rank sums: R's values, enumeration, and two ways of computing it."""

import itertools

import numpy as np
import pytest

from podium.core.ranks import rank_rows
from podium.stats.exact import rank_sum_difference as law
from podium.stats.exact.rank_sum_difference import two_sided_pvalues


def untied(n, k):
    return np.tile(np.arange(1.0, k + 1), (n, 1))


def test_eisinga_example():
    # PMCMRplus, header of pexactfrsd.R, example 1 of Eisinga et al. 2017: d = k = n = 100.
    assert two_sided_pvalues(untied(100, 100), np.array([100.0]))[0] == pytest.approx(0.8085251, abs=5e-8)


def test_five_by_five():
    # R 4.2 with the published pexactfrsd code, k = n = 5 (Eisinga et al. 2017, table 4), d = 0..20.
    expected = [
        1.0, 0.92286875, 0.77030625, 0.6259, 0.4939, 0.377634375, 0.279388125, 0.1989725, 0.1360225, 0.08891, 0.05531,
        0.032589375, 0.017983125, 0.009164375, 0.004233125, 0.00173, 0.00061, 0.00017875, 4.125e-05, 6.875e-06, 6.25e-07,
    ]  # fmt: skip
    np.testing.assert_allclose(two_sided_pvalues(untied(5, 5), np.arange(21.0)), expected, rtol=1e-12)


def by_enumeration(ranks, d):
    draws = [[a - b for i, a in enumerate(row) for j, b in enumerate(row) if i != j] for row in ranks]
    sums = np.array([sum(combination) for combination in itertools.product(*draws)])
    return np.mean(np.abs(sums) >= d - 1e-9)


@pytest.mark.parametrize("tied", [False, True])
def test_enumeration(tied):
    rng = np.random.default_rng(3)
    for n, k in ((1, 4), (2, 2), (3, 3), (3, 4), (4, 3)):
        scores = rng.integers(0, 3, (n, k)).astype(float) if tied else rng.random((n, k))
        ranks = rank_rows(scores)
        if (ranks == ranks[:, :1]).all():
            continue
        for d in np.unique(np.abs(np.subtract.outer(ranks.sum(axis=0), ranks.sum(axis=0)))):
            assert two_sided_pvalues(ranks, np.array([d]))[0] == pytest.approx(by_enumeration(ranks, d), rel=1e-12)


@pytest.mark.parametrize("n, k, tied", [(6, 5, False), (20, 10, True), (30, 40, False), (30, 12, True)])
def test_transforms_and_convolution_agree_to_the_far_tails(n, k, tied):
    rng = np.random.default_rng(4)
    scores = rng.integers(0, k, (n, k)).astype(float) if tied else rng.random((n, k))
    doubled = np.rint(2 * rank_rows(scores)).astype(np.int64)
    kernels = law._kernels(doubled, 1 if tied else 2)
    direct = law._by_convolution(kernels)
    for largest in (direct.size // 2, direct.size // 6):
        transformed = law._by_tilted_transforms(kernels, largest)
        tails = [np.cumsum(pmf[::-1])[direct.size // 2 - largest : direct.size // 2] for pmf in (direct, transformed)]
        np.testing.assert_allclose(tails[1], tails[0], rtol=1e-9)


def test_all_ties():
    assert two_sided_pvalues(np.full((4, 3), 2.0), np.array([0.0])).tolist() == [1.0]
