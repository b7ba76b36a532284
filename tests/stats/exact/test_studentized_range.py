"""Tails of the studentized range and of Dunnett's statistic: published quantiles, scipy, and closed forms."""

import numpy as np
import pytest
from scipy.special import ndtr, stdtr
from scipy.stats import studentized_range

from podium.stats.exact.studentized_range import dunnett_tail, quantile, range_tail


def test_two_groups_are_a_normal_or_student_difference():
    q = np.array([0.0, 0.3, 1.0, 4.0, 9.0, 20.0])
    np.testing.assert_allclose(range_tail(q, 2), 2 * ndtr(-q / np.sqrt(2)), rtol=1e-12)
    np.testing.assert_allclose(range_tail(q, 2, 7), 2 * stdtr(7, -q / np.sqrt(2)), rtol=1e-10)
    np.testing.assert_allclose(dunnett_tail(q, 1), 2 * ndtr(-q), rtol=1e-12)
    np.testing.assert_allclose(dunnett_tail(q, 1, 12), 2 * stdtr(12, -q), rtol=1e-10)


@pytest.mark.parametrize("k, df", [(3, 10), (5, 116), (10, 40), (50, 500)])
def test_scipy_agrees_at_finite_degrees(k, df):
    for q in (1.0, 3.5, 5.0):
        assert float(range_tail(q, k, df)) == pytest.approx(studentized_range.sf(q, k, df), abs=1e-11)


@pytest.mark.parametrize("k", [3, 10, 100, 1000])
def test_scipy_agrees_at_infinite_degrees(k):
    for q in (3.0, 5.0, 7.0):
        assert float(range_tail(q, k)) == pytest.approx(studentized_range.sf(q, k, np.inf), abs=1e-11)


def test_values_in_the_far_tail_keep_their_digits():
    # 30-digit quadrature (mpmath) of k * integral of phi(z) (Phi(z)^(k-1) - (Phi(z) - Phi(z-q))^(k-1)).
    assert float(range_tail(8.0, 10)) == pytest.approx(6.89462222084403e-07, rel=1e-12)
    assert float(range_tail(15.0, 100)) == pytest.approx(1.3744413541520825e-22, rel=1e-10)
    assert float(range_tail(8.0, 1000)) == pytest.approx(0.005616562076032066, rel=1e-12)


def test_interpolation_for_many_values_agrees_with_direct_quadrature():
    q = np.linspace(0, 25, 20_001)
    few = q[::500]
    for k, df in ((5, np.inf), (1000, np.inf), (10, 60)):
        np.testing.assert_allclose(range_tail(q, k, df)[::500], range_tail(few, k, df), rtol=1e-10)
        np.testing.assert_allclose(dunnett_tail(q, k, df)[::500], dunnett_tail(few, k, df), rtol=1e-10)


def test_dunnett_critical_values():
    # Dunnett 1964, two-sided 5 % points with equal groups: 2 comparisons, 10 degrees: 2.57; 3, 20: 2.54;
    # infinite degrees: 2: 2.21, 3: 2.35, 9: 2.69.
    for comparisons, df, printed in (
        (2, 10, 2.57),
        (3, 20, 2.54),
        (2, np.inf, 2.21),
        (3, np.inf, 2.35),
        (9, np.inf, 2.69),
    ):
        found = quantile(lambda t, m=comparisons, v=df: float(dunnett_tail(t, m, v)), 0.05)
        assert found == pytest.approx(printed, abs=0.0051)


def test_extremes():
    assert range_tail([0.0, 1e9, np.inf], 5).tolist() == [pytest.approx(1.0), 0.0, 0.0]
    assert dunnett_tail([0.0, 1e9], 5, 10.0)[0] == pytest.approx(1.0)
