"""The paired permutation test."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import permutation_test

import podium


def oracle(d, side):
    d = np.asarray(d, dtype=float)
    sums = np.array([np.dot(signs, np.abs(d)) for signs in product((-1, 1), repeat=len(d))])
    less, greater = (sums <= d.sum() + 1e-9).mean(), (sums >= d.sum() - 1e-9).mean()
    return {"less": less, "greater": greater, "two-sided": min(1, 2 * min(less, greater))}[side]


@given(st.lists(st.integers(-9, 9), min_size=2, max_size=9), st.sampled_from(("two-sided", "less", "greater")))
def test_all_flips(d, side):
    result = podium.stats.permutation(d, np.zeros(len(d)), alternative=side)
    assert result.method == "exact"
    assert result.details["draws"] == 0
    assert result.pvalue == pytest.approx(oracle(d, side), abs=1e-12)


def test_scipy_agrees():
    random = np.random.default_rng(0)
    x, y = random.normal(0.4, 1, 11), random.normal(0, 1, 11)
    truth = permutation_test((x, y), lambda a, b: np.mean(a - b), permutation_type="samples", n_resamples=np.inf)
    assert podium.stats.permutation(x, y).pvalue == pytest.approx(truth.pvalue)


def test_forty_differences_are_still_exact():
    d = np.arange(1.0, 41) * np.tile([1, 1, 1, -1], 10)
    exact = podium.stats.permutation(d, np.zeros(40))
    # The differences are their own ranks, so the law is that of the signed-rank sum.
    assert exact.pvalue == pytest.approx(podium.stats.wilcoxon(d, np.zeros(40)).pvalue, rel=1e-9)


def test_more_are_random_and_said_to_be():
    random = np.random.default_rng(1)
    d = random.normal(0.2, 1, 60)
    one, two = (podium.stats.permutation(d, np.zeros(60), rng=5, draws=20_000) for _ in range(2))
    assert one.pvalue == two.pvalue
    assert (one.method, one.details["draws"]) == ("Monte Carlo", 20_000)
    assert "Monte Carlo): statistic" in one.summary()
    assert one.pvalue == pytest.approx(podium.stats.paired_t(d, np.zeros(60)).pvalue, abs=0.01)
    sides = [podium.stats.permutation(d, np.zeros(60), rng=5, alternative=side).pvalue for side in ("less", "greater")]
    assert sum(sides) == pytest.approx(1, abs=0.01)


def test_identical_algorithms():
    result = podium.stats.permutation([1, 2, 3], [1, 2, 3])
    assert (result.pvalue, result.ties) == (1, 3)


def test_many_datasets_are_flipped_in_small_blocks_with_the_same_answer(monkeypatch):
    x, y = np.random.default_rng(3).normal(0.1, 1, (2, 60)).round(3)
    whole = podium.stats.permutation(x, y, draws=3000, rng=1).pvalue
    monkeypatch.setattr("podium.stats.pairwise.permutation._CELLS", 1000)

    assert podium.stats.permutation(x, y, draws=3000, rng=1).pvalue == whole
