"""The Dirichlet posterior of pass or fail: against draws from the Dirichlet law, and properties."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from podium.bayes import pass_fail
from podium.bayes._pass_fail import case_means, pass_fail_pairs
from podium.core.errors import ArgumentError
from refusals import refuses


@pytest.mark.parametrize(
    "b, c, n, rope", [(30, 12, 100, 0.01), (0, 0, 20, 0.05), (3, 9, 40, 0.0), (400, 380, 5000, 0.01)]
)
def test_it_is_the_dirichlet_law(b, c, n, rope):
    found = pass_fail(b, c, n, rope=rope)
    shares = np.random.default_rng(0).dirichlet([b + 0.5, c + 0.5, n - b - c + 1], 400_000)
    gain = shares[:, 0] - shares[:, 1]
    expected = [(gain < -rope).mean(), (np.abs(gain) <= rope).mean(), (gain > rope).mean()]
    assert [found.p_left, found.p_rope, found.p_right] == pytest.approx(expected, abs=0.004)
    assert [found.low, found.high] == pytest.approx(np.quantile(gain, [0.025, 0.975]), abs=0.004)
    assert found.difference == pytest.approx(gain.mean(), abs=0.001)


@settings(max_examples=20)
@given(b=st.integers(0, 30), c=st.integers(0, 30), rest=st.integers(0, 100), rope=st.floats(0, 0.5))
def test_properties(b, c, rest, rope):
    found, turned = pass_fail(b, c, b + c + rest, rope=rope), pass_fail(c, b, b + c + rest, rope=rope)
    assert found.p_left + found.p_rope + found.p_right == pytest.approx(1)
    assert found.p_left == pytest.approx(turned.p_right, abs=1e-9)
    assert found.low == pytest.approx(-turned.high, abs=1e-6)
    assert found.low <= found.difference <= found.high
    assert (b > c) <= (found.p_right >= found.p_left)


def test_many_pairs_take_the_normal_law_of_the_moments():
    k = 26
    count = k * (k - 1) // 2
    rng = np.random.default_rng(2)
    b, c = rng.integers(5, 60, count), rng.integers(5, 60, count)
    names = tuple(f"s{i}" for i in range(k))
    many = pass_fail_pairs(names, b, c, np.full(count, 400), rope=0.01)
    for row in (0, 100, count - 1):
        one = pass_fail(int(b[row]), int(c[row]), 400, rope=0.01)
        assert many.p_right[row] == pytest.approx(one.p_right)
        assert (many.low[row], many.high[row]) == pytest.approx((one.low, one.high), abs=0.005)


def test_means_of_cases_have_students_law():
    found = case_means(("a", "b"), np.array([0.3]), np.array([0.1]), np.array([11.0]), np.array([12]), rope=0.1)
    from scipy.stats import t

    assert found.p_right[0] == pytest.approx(t.sf(-2.0, 11))
    assert found.p_left[0] == pytest.approx(t.cdf(-4.0, 11))
    assert "cases like these" in found.pair("a", "b").summary()


def test_bad_counts_are_a_sentence():
    with refuses(ArgumentError, "n"):
        pass_fail(4, 3, 5)
    with refuses(ArgumentError, "only_a"):
        pass_fail(-1, 3, 5)


def test_means_of_cases_have_students_interval_and_chances():
    gain, error, df = np.array([0.3, -0.1]), np.array([0.2, 0.05]), np.array([9.0, 4.0])
    found = case_means(("a", "b", "c"), gain, error, df, np.array([10, 5]), rope=0.1, credibility=0.9)
    law = stats.t(df, loc=gain, scale=error)
    assert np.array([found.low, found.high]) == pytest.approx(np.array(law.interval(0.9)))
    assert found.p_left == pytest.approx(law.cdf(-0.1))
    assert found.p_right == pytest.approx(law.sf(0.1))
    zero = np.zeros(1)
    same = case_means(("a", "b"), zero, zero, zero + 9, zero.astype(int) + 10, rope=0)
    assert "a is better with probability 0%, b with 0%, equal 100%" in same.pair("a", "b").summary()
