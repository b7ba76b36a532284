"""The t tests over datasets: paired, on relative differences, on ratios."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import ttest_1samp, ttest_rel

import podium
from podium.core import numbers
from podium.core.errors import DataError
from reference.published import mlxtend_resampled

TESTS = (podium.stats.paired_t, podium.stats.relative_t, podium.stats.geometric_ratio)


def test_mlxtend_resampled_t():
    # rasbt/mlxtend, test_paired_ttest_resampled.py: t = 3.616, p = 0.001; t = 42.464, p = 0.000.
    for name, t, p in (("iris_logreg_vs_tree", 3.616, 0.001), ("iris_logreg_vs_stump", 42.464, 0.0)):
        result = podium.stats.paired_t(*mlxtend_resampled(name))
        assert result.statistic == pytest.approx(t, abs=6e-4)
        assert result.pvalue == pytest.approx(p, abs=6e-4)
        assert result.details["df"] == 29


@pytest.mark.parametrize("side", ["two-sided", "less", "greater"])
def test_scipy_agrees(side):
    random = np.random.default_rng(5)
    x, y = random.uniform(0.5, 1, 12), random.uniform(0.5, 1, 12)
    paired = podium.stats.paired_t(x, y, alternative=side)
    truth = ttest_rel(x, y, alternative=side)
    assert (paired.statistic, paired.pvalue) == pytest.approx((truth.statistic, truth.pvalue), rel=1e-9)
    interval = ttest_rel(x, y).confidence_interval()
    assert (paired.low, paired.high) == pytest.approx(tuple(interval), rel=1e-9)
    relative = podium.stats.relative_t(x, y, alternative=side)
    assert relative.pvalue == pytest.approx(ttest_1samp((x - y) / (x + y), 0, alternative=side).pvalue, rel=1e-8)
    ratio = podium.stats.geometric_ratio(x, y, alternative=side)
    assert ratio.pvalue == pytest.approx(ttest_1samp(np.log(x / y), 0, alternative=side).pvalue, rel=1e-8)
    assert ratio.effect == pytest.approx(np.exp(np.mean(np.log(x / y))))


@pytest.mark.parametrize("test", TESTS)
def test_without_variance(test):
    same = test([0.7] * 5, [0.7] * 5)
    assert (same.statistic, same.pvalue) == (0, 1)
    constant = test([0.3] * 5, [0.2] * 5)  # 0.3 - 0.2 is not 0.1 in floats: no noise may become variance
    assert (constant.statistic, constant.pvalue) == (np.inf, 2.0**-4)  # that of the sign test
    assert constant.low == constant.high == constant.effect
    assert test([0.3] * 5, [0.2] * 5, alternative="less").pvalue == 1


pairs = st.lists(st.tuples(st.integers(1, 50), st.integers(1, 50)), min_size=2, max_size=20)


@given(pairs)
def test_swapping_mirrors(rows):
    x, y = np.array(rows, dtype=float).T
    for test in TESTS:
        here, there = test(x, y), test(y, x)
        assert here.pvalue == pytest.approx(there.pvalue, abs=1e-9)
        assert 0 <= here.pvalue <= 1
    assert podium.stats.paired_t(3 * x, 3 * y).pvalue == pytest.approx(podium.stats.paired_t(x, y).pvalue, abs=1e-9)
    assert podium.stats.relative_t(3 * x, 3 * y).pvalue == pytest.approx(podium.stats.relative_t(x, y).pvalue, abs=1e-7)


def test_relative_differences_of_two_zeros_are_zero():
    assert podium.stats.relative_t([0, 0.2], [0, 0.2]).pvalue == 1


def test_ratios_too_large_for_a_number_are_infinite():
    wide = podium.stats.geometric_ratio([0.1, 0.2], [0.2, 0.01], confidence=0.999)
    assert (wide.low, wide.high) == (0, np.inf)
    assert wide.effect == pytest.approx(10**0.5)  # the root of 1/2 * 20
    tiny = podium.stats.geometric_ratio([1e-200, 1], [1, 1])
    assert (tiny.effect, tiny.high) == (pytest.approx(1e-100), np.inf)


def test_bad_scores():
    with pytest.raises(DataError, match="not negative"):
        podium.stats.relative_t([-1, 2], [1, 2])
    with pytest.raises(DataError, match="above 0"):
        podium.stats.geometric_ratio([0, 2], [1, 2])
    with pytest.raises(DataError, match="At least 2 complete pairs"):
        podium.stats.paired_t([1], [2])


@pytest.mark.parametrize("test", TESTS)
def test_the_summary_gives_the_numbers(test):
    result = test([0.9, 0.8, 0.7], [0.8, 0.75, 0.72])
    assert numbers.format_pvalue(result.pvalue) in result.summary()
    assert result.to_frame().loc[0, "pvalue"] == result.pvalue


@pytest.mark.parametrize("test", [podium.stats.paired_t, podium.stats.permutation])
def test_differences_that_cancel_out_put_nobody_ahead(test):
    """Added in another order, 0.1 + 0.2 - 0.3 is not 0: the noise decided who was ahead."""
    differences = np.array([0.1, 0.2, -0.3, 0.7, -0.7])
    found = [
        test(differences[list(order)], np.zeros(5)) for order in ((0, 1, 2, 3, 4), (2, 1, 0, 4, 3), (3, 2, 4, 1, 0))
    ]
    assert [(one.side, one.statistic) for one in found] == [(0, 0)] * 3
