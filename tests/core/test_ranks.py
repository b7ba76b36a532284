"""Ranks, against scipy and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata

from podium.core.ranks import rank_rows, settle, wins_ties_losses

# Scores with three decimals, as tables print them: many ties.
TABLES = hnp.arrays(
    np.float64, st.tuples(st.integers(1, 6), st.integers(1, 7)), elements=st.integers(0, 8).map(lambda i: i / 8)
)


@given(TABLES)
def test_mean_ranks_of_ties_are_scipys(values):
    assert np.array_equal(rank_rows(values, higher_is_better=False), rankdata(values, axis=1))
    assert np.array_equal(rank_rows(values), rankdata(-values, axis=1))


@given(TABLES)
def test_dense_ranks_are_scipys(values):
    assert np.array_equal(rank_rows(values, dense=True), rankdata(-values, axis=1, method="dense"))


@given(TABLES)
def test_the_two_directions_mirror_each_other(values):
    k = values.shape[1]
    assert np.array_equal(rank_rows(values) + rank_rows(values, higher_is_better=False), np.full(values.shape, k + 1.0))


@given(TABLES, st.integers(0, 2**32 - 1))
def test_noise_in_the_fifteenth_digit_breaks_no_tie(values, seed):
    noise = np.random.default_rng(seed).uniform(-1e-15, 1e-15, values.shape)
    assert np.array_equal(rank_rows(values + 0.5 + noise), rank_rows(values + 0.5))


def test_averages_of_the_same_folds_in_another_order_tie():
    folds = np.random.default_rng(1).random(1000)
    assert folds.mean() != folds[::-1].cumsum()[-1] / 1000  # the pitfall
    assert rank_rows([[folds.mean(), folds[::-1].cumsum()[-1] / 1000]]).tolist() == [[1.5, 1.5]]


def test_a_real_difference_in_the_eleventh_digit_stays():
    assert rank_rows([[0.5, 0.5 + 2e-11]]).tolist() == [[2.0, 1.0]]


def test_missing_cells_have_no_rank_and_take_none():
    ranks = rank_rows([[0.9, np.nan, 0.8, 0.9]])
    assert np.array_equal(ranks, [[1.5, np.nan, 3.0, 1.5]], equal_nan=True)
    assert np.isnan(rank_rows([[np.nan, np.nan]])).all()


def test_rounding_first_as_wainer_does():
    # Errors rounded to three digits, ranked densely (Wainer 2016, section 2).
    errors = [[0.1234, 0.12341, 0.2, 0.1999]]
    assert rank_rows(errors, higher_is_better=False, decimals=3, dense=True).tolist() == [[1, 1, 2, 2]]
    assert rank_rows(errors, higher_is_better=False).tolist() == [[1, 2, 4, 3]]


def test_numbers_of_any_size():
    assert rank_rows([[1e300, 1e-300, 0.0]]).tolist() == [[1.0, 2.5, 2.5]]  # relative to the largest of the row
    assert rank_rows([[3e-200, 1e-200, 2e-200]]).tolist() == [[1.0, 3.0, 2.0]]
    assert rank_rows(np.zeros((2, 3))).tolist() == [[2.0] * 3] * 2


def test_settle_keeps_nan_and_has_no_negative_zero():
    settled = settle([np.nan, -0.0, 1.0])
    assert np.isnan(settled[0])
    assert not np.signbit(settled[1])
    assert settle([]).size == 0


def test_settle_differences_by_the_scale_of_what_was_subtracted():
    difference = 0.3 - 0.1 - 0.2
    assert difference != 0
    assert settle([difference], scale=0.3)[0] == 0


@pytest.mark.parametrize("higher, expected", [(True, (2, 1, 1)), (False, (1, 1, 2))])
def test_wins_ties_losses(higher, expected):
    x, y = [3, 2, 1, 5, np.nan], [1, 2, 3, 4, 1]
    assert wins_ties_losses(x, y, higher_is_better=higher) == expected


def test_float_noise_is_no_win():
    assert wins_ties_losses([0.1 + 0.2], [0.3]) == (0, 1, 0)
