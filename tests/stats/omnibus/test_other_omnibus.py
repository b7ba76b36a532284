"""Quade, aligned ranks and Skillings-Mack: published values and degenerate tables."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import special

from podium.core.errors import DataError
from podium.stats import aligned_ranks, friedman, quade, skillings_mack
from podium.stats.omnibus.skillings_mack import chi2_tail
from reference import published
from refusals import refuses

NAN = math.nan


def test_quade_1979():
    # coin-Ex.Rout.save: chi-square form 8.157; R's quade.test: F = 8.3765, df 2 and 12, p = 0.005284.
    result = quade(published.QUADE)
    assert result.statistic == pytest.approx(8.3765, abs=5e-5)
    assert result.pvalue == pytest.approx(0.005284, abs=5e-7)
    assert result.df == (2, 12)
    assert result.details["chi2"] == pytest.approx(8.157, abs=5e-4)


def test_quade_of_garcia_and_herrera_2008():
    # R 4.2 quade.test: F = 10.943, df 4 and 116, p = 1.455e-07.
    result = quade(published.GARCIA_HERRERA)
    assert result.statistic == pytest.approx(10.943, abs=5e-4)
    assert result.pvalue == pytest.approx(1.455e-07, abs=5e-11)


def test_aligned_ranks_of_garcia_and_herrera_2008():
    # With exact ties 41.728 (p = 1.899e-08); scmamp prints 41.691 because float noise breaks ties of aligned scores.
    result = aligned_ranks(published.GARCIA_HERRERA)
    assert result.statistic == pytest.approx(41.728377858160734, rel=1e-10)
    assert result.pvalue == pytest.approx(1.899027483919766e-08, rel=1e-8)
    assert result.details["statistic_corrected"] >= result.statistic


def test_float_noise_does_not_break_ties_of_aligned_scores():
    rng = np.random.default_rng(0)
    values = rng.integers(1, 6, (12, 4)) / 1000
    noisy = values + rng.choice([-1, 0, 1], (12, 4)) * 2e-19
    exact = aligned_ranks(values * 1000)
    assert aligned_ranks(noisy).statistic == pytest.approx(exact.statistic, rel=1e-9)
    assert quade(noisy).statistic == pytest.approx(quade(values * 1000).statistic, rel=1e-9)


# Skillings and Mack 1981, Technometrics 23:171-177, table: assembly times of four methods by nine persons.
ASSEMBLY = [
    [3.2, 4.1, 3.8, 4.2], [3.1, 3.9, 3.4, 4.0], [4.3, 3.5, 4.6, 4.8], [3.5, 3.6, 3.9, 4.0], [3.6, 4.2, 3.7, 3.9],
    [4.5, 4.7, 3.7, NAN], [NAN, 4.2, 3.4, NAN], [4.3, 4.6, 4.4, 4.9], [3.5, NAN, 3.7, 3.9],
]  # fmt: skip


def test_skillings_and_mack_1981():
    # As recalled from Hollander and Wolfe 1999, section 7.8, not looked up again: SM = 15.493, df = 3, p = 0.0014.
    result = skillings_mack(ASSEMBLY)
    assert result.statistic == pytest.approx(15.493, abs=5e-4)
    assert result.df == (3,)
    assert result.pvalue == pytest.approx(0.0014, abs=5e-5)
    assert len(result.missing_scores) == 4


@given(st.integers(0, 10_000))
def test_without_holes_it_is_friedman_with_ties(seed):
    values = np.random.default_rng(seed).integers(0, 6, (7, 4)).astype(float)
    result, complete = skillings_mack(values), friedman(values, variant="chi2")
    assert result.statistic == pytest.approx(complete.statistic, rel=1e-9, abs=1e-12)
    assert result.pvalue == pytest.approx(complete.pvalue, rel=1e-9)


def test_datasets_with_one_score_are_left_out_and_named():
    result = skillings_mack([*ASSEMBLY, [1.0, NAN, NAN, NAN]])
    assert result.dropped == ("dataset 10",)
    assert result.statistic == pytest.approx(15.493, abs=5e-4)


def test_algorithms_that_never_meet_are_refused():
    with pytest.raises(DataError, match="algorithm 3, algorithm 4"):
        skillings_mack([[1, 2, NAN, NAN], [2, 1, NAN, NAN], [1, 2, NAN, NAN], [NAN, NAN, 1, 2], [NAN, NAN, 2, 1]])
    with pytest.raises(DataError, match="At least 2 datasets"):
        skillings_mack([[1, 2], [1, NAN]])


@pytest.mark.parametrize("test", [quade, aligned_ranks, skillings_mack])
def test_all_ties_give_one(test):
    result = test(np.full((5, 3), 0.3))
    assert result.statistic == 0
    assert result.pvalue == 1


def test_perfect_agreement_of_quade():
    result = quade(np.arange(1, 6)[:, None] * np.array([1.0, 2.0, 3.0]))
    assert result.pvalue < 0.05
    same = quade(np.tile([1.0, 2.0, 3.0], (5, 1)))
    assert math.isinf(same.statistic)
    assert same.pvalue == pytest.approx(6.0**-4)


@pytest.mark.parametrize("test", [quade, aligned_ranks])
def test_bad_tables(test):
    with pytest.raises(DataError, match="At least 2 complete datasets"):
        test([[1.0, 2.0]])
    with refuses(DataError, algorithm="'algorithm 2'", dataset="'dataset 1'"):
        test([[1.0, np.inf], [1, 2]])
    assert "does not say which algorithms differ" in test(published.QUADE).summary()


@pytest.mark.parametrize("df", [1, 2, 3, 6, 39, 178])
def test_the_tail_of_chi_square_is_that_of_scipy(df):
    for x in (1e-9, 0.3, 1.0, df / 2, df, 3.0 * df, 600.0):
        assert chi2_tail(df, x) == pytest.approx(special.chdtrc(df, x), rel=1e-12)
    assert chi2_tail(df, 0.0) == 1.0
