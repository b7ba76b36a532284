"""Repeated-measures ANOVA: the example of R's documentation, pingouin, and degenerate tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.errors import DataError
from podium.stats import anova
from podium.stats.omnibus.anova import kernel, two_way
from reference import published


def test_reaction_times_of_r():
    # As recalled from the documentation of R, not rerun: anova(mlmfit, X = ~1, test = "Spherical"): F = 38.028 on 5 and 45, p = 4.471e-15, G-G 2.532e-08, H-F 7.393e-11;
    # mauchly.test(mlmfit, X = ~1): W = 0.031084, p = 0.04765 (ours is 0.0476; why R differs was not traced).
    result = anova(published.REACTION_TIMES)
    assert result.statistic == pytest.approx(38.028, abs=5e-4)
    assert result.details["pvalue_assumed"] == pytest.approx(4.471e-15, rel=5e-4)
    assert result.details["pvalue_greenhouse_geisser"] == pytest.approx(2.532e-08, rel=5e-4)
    assert result.details["pvalue_huynh_feldt"] == pytest.approx(7.393e-11, rel=5e-4)
    assert result.details["mauchly_w"] == pytest.approx(0.031084, abs=5e-7)
    assert result.details["mauchly_pvalue"] == pytest.approx(0.04765, abs=1e-4)
    assert result.pvalue == result.details["pvalue_greenhouse_geisser"]


def test_garcia_and_herrera_2008_by_pingouin():
    # pingouin 0.7.0: rm_anova(correction=True), sphericity() and epsilon() on the 30 x 5 table.
    result = anova(published.GARCIA_HERRERA, sphericity="huynh_feldt")
    assert result.statistic == pytest.approx(12.044752434119474, rel=1e-10)
    assert result.details["pvalue_assumed"] == pytest.approx(3.2055585132457764e-08, rel=1e-9)
    assert result.details["pvalue_greenhouse_geisser"] == pytest.approx(3.6527854236325e-05, rel=1e-9)
    assert result.details["epsilon_greenhouse_geisser"] == pytest.approx(0.5099013326581558, rel=1e-10)
    assert result.details["epsilon_huynh_feldt"] == pytest.approx(0.548843596735518, rel=1e-10)
    assert result.details["mauchly_w"] == pytest.approx(0.04630946913397484, rel=1e-10)
    assert result.details["mauchly_chi2"] == pytest.approx(84.23520853288603, rel=1e-10)
    assert result.pvalue == result.details["pvalue_huynh_feldt"]


def test_two_algorithms_make_the_paired_t():
    from scipy.stats import ttest_rel

    values = np.random.default_rng(0).normal(size=(12, 2))
    result = anova(values)
    assert result.pvalue == pytest.approx(ttest_rel(values[:, 0], values[:, 1]).pvalue, rel=1e-10)
    assert math.isnan(result.details["mauchly_w"])


def test_many_tables_at_once():
    values = np.random.default_rng(1).normal(size=(4, 9, 3))
    many = two_way(values)
    for i in range(4):
        assert anova(values[i]).statistic == pytest.approx(float(many.f[i]), rel=1e-12)


def test_what_is_studied_is_what_is_used():
    """The kernel of replicability and calibration has Greenhouse and Geisser's degrees of freedom, as `anova` has."""
    many = np.random.default_rng(1).normal(size=(4, 9, 5)) * np.array([1.0, 1.0, 1.0, 1.0, 9.0])
    for table, pvalue in zip(many, kernel(many).pvalue, strict=True):
        assert anova(table).pvalue == pytest.approx(float(pvalue), rel=1e-10)
        assert anova(table).pvalue != pytest.approx(anova(table, sphericity="assumed").pvalue, rel=1e-3)


def test_constant_columns_and_exact_effects():
    same = anova(np.full((5, 3), 0.7))
    assert (same.statistic, same.pvalue) == (0, 1)
    shifted = anova(np.arange(5.0)[:, None] + np.array([0.1, 0.2, 0.3]))
    assert math.isinf(shifted.statistic)
    assert shifted.pvalue == pytest.approx(6.0**-4)  # five datasets agree on one of six orders


def test_fewer_datasets_than_contrasts():
    result = anova(np.random.default_rng(2).normal(size=(4, 8)))
    assert math.isnan(result.details["mauchly_pvalue"])
    assert 1 / 7 <= result.details["epsilon_greenhouse_geisser"] <= 1
    assert 0 < result.pvalue < 1


@given(st.integers(0, 10_000))
def test_order_and_shifts_of_datasets_do_not_matter(seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(7, 4))
    first = anova(values)
    again = anova(3 * (values + rng.normal(size=(7, 1)))[rng.permutation(7)][:, rng.permutation(4)])
    assert again.pvalue == pytest.approx(first.pvalue, rel=1e-7)
    assert first.details["pvalue_assumed"] <= 1
    assert 1 / 3 - 1e-12 <= first.details["epsilon_greenhouse_geisser"] <= first.details["epsilon_huynh_feldt"] <= 1


def test_bad_input():
    with pytest.raises(DataError, match="At least 2 complete datasets"):
        anova([[1.0, 2.0, 3.0]])
