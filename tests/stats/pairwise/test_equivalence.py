"""Equivalence by two one-sided tests."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp

import podium
from podium.core.errors import ArgumentError
from refusals import refuses


def test_the_two_one_sided_tests():
    random = np.random.default_rng(0)
    d = random.normal(0.01, 0.05, 30)
    result = podium.stats.equivalence(d, np.zeros(30), rope=0.03)
    above = ttest_1samp(d, -0.03, alternative="greater").pvalue
    below = ttest_1samp(d, 0.03, alternative="less").pvalue
    assert (result.details["above_lower"], result.details["below_upper"]) == pytest.approx((above, below), rel=1e-8)
    assert result.pvalue == max(result.details["above_lower"], result.details["below_upper"])


@given(st.integers(0, 10_000), st.sampled_from(("t", "wilcoxon")))
def test_it_rejects_exactly_where_the_interval_lies_within_the_rope(seed, test):
    d = np.random.default_rng(seed).normal(0.2, 1, 20)
    result = podium.stats.equivalence(d, np.zeros(20), rope=0.6, test=test)
    assert (result.pvalue < 0.05) == (result.low > -0.6 and result.high < 0.6)


def test_identical_algorithms_are_equivalent():
    for test in ("t", "wilcoxon"):
        result = podium.stats.equivalence([0.5] * 10, [0.5] * 10, rope=0.01, test=test)
        assert result.pvalue < 0.05
    assert "would not show that the two differ" in result.summary()


@pytest.mark.parametrize("rope", [0, -1, np.inf, "wide"])
def test_a_rope_has_a_width(rope):
    with refuses(ArgumentError, "rope"):
        podium.stats.equivalence([1, 2], [2, 1], rope=rope)
