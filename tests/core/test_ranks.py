"""Ranks, against scipy and by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.stats import rankdata

from podium.core.ranks import TIE, differences, grid, rank_rows, settle, subtract, units_of

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
    assert rank_rows([[1e300, 1e-300, 0.0]]).tolist() == [[1.0, 2.0, 3.0]]
    assert rank_rows([[3e-200, 1e-200, 2e-200]]).tolist() == [[1.0, 3.0, 2.0]]
    assert rank_rows(np.zeros((2, 3))).tolist() == [[2.0] * 3] * 2


def test_settle_keeps_nan_and_has_no_negative_zero():
    settled = settle([np.nan, -0.0, 1.0])
    assert np.isnan(settled[0])
    assert not np.signbit(settled[1])
    assert settle([]).size == 0


def test_a_diverged_score_ties_no_others():
    assert rank_rows([[0.1, 0.2, 0.3, 1e13]], higher_is_better=False).tolist() == [[1, 2, 3, 4]]
    # RMSE of nine frameworks, one of which diverged.
    rmse = [[3.85, 3.9, 4.0, 12.5, 88.0, 4116.0, 4116.5, 3.9, 7.1e15]]
    assert rank_rows(rmse, higher_is_better=False).tolist() == [[1, 2.5, 4, 5, 6, 7, 8, 2.5, 9]]


SCORES = st.one_of(
    st.integers(-50, 50).map(lambda i: i / 10),
    st.builds(lambda i, j: i / j, st.integers(1, 90), st.sampled_from([3, 7, 30])),
    st.builds(lambda x, e: x * (1 + e * 2e-13), st.sampled_from([0.3, 7.0, -2.0]), st.integers(-4, 4)),  # chains
    st.builds(lambda i, e: i * 10.0**e, st.integers(-99, 99), st.integers(-12, 15)),
)


def ties_one_by_one(sizes, scales):
    """The rule, word for word: from the largest size down, a tie takes in whatever ties with each of its members."""
    order = sorted(range(len(sizes)), key=lambda i: -sizes[i])
    groups = []
    for i in order:
        fits = groups and all(
            sizes[m] == sizes[i] or (sizes[i] > 0 and sizes[m] - sizes[i] <= max(TIE * scales[m], TIE * scales[i]))
            for m in groups[-1]
        )
        groups[-1].append(i) if fits else groups.append([i])
    return {frozenset(group) for group in groups}


def equal_ones(sizes):
    return {frozenset(np.flatnonzero(sizes == size).tolist()) for size in sizes}


@given(st.lists(SCORES, min_size=1, max_size=12))
def test_ties_of_scores_by_the_rule(scores):
    values = np.array(scores)
    assert equal_ones(np.abs(settle(values))) == ties_one_by_one(np.abs(values), np.abs(values))
    assert np.array_equal(np.sign(settle(values)), np.sign(values))


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=12))
def test_ties_of_differences_by_the_rule(pairs):
    x, y = np.array(pairs).T
    scale = np.maximum(np.abs(x), np.abs(y))
    plain = subtract(x, y)
    assert np.array_equal(plain == 0, np.abs(x - y) <= TIE * scale)
    found = differences(x, y)
    assert equal_ones(np.abs(found)) == ties_one_by_one(np.abs(plain), scale)
    assert np.array_equal(np.sign(found), np.sign(plain))
    assert np.array_equal(differences(y, x), -found)


@given(st.lists(SCORES, min_size=2, max_size=8), st.sampled_from([1e9, 1e13, 1e200]), st.booleans())
def test_a_huge_column_changes_no_order_of_the_others(scores, huge, higher):
    alone = rank_rows([scores], higher_is_better=higher)[0]
    beside = rank_rows([[*scores, huge * (1 + max(map(abs, scores)))]], higher_is_better=higher)[0, :-1]
    assert np.array_equal(beside, alone + higher)


@given(st.lists(st.tuples(SCORES, SCORES), min_size=2, max_size=8))
def test_a_huge_dataset_changes_no_other_difference(pairs):
    x, y = np.array(pairs).T
    beside = differences([*x, 1e200], [*y, 3e200])[:-1]
    assert np.array_equal(beside, differences(x, y))


@given(st.lists(SCORES, min_size=1, max_size=10), st.randoms())
def test_the_order_of_columns_does_not_matter(scores, random):
    order = list(range(len(scores)))
    random.shuffle(order)
    values = np.array(scores)
    assert np.array_equal(rank_rows([values[order]])[0], rank_rows([values])[0][order])


def test_averages_of_folds_tie_with_the_exact_decimal():
    average = np.cumsum([0.1] * 10)[-1] / 10  # one after the other: the `sum` of Python 3.12 makes up for the rounding
    assert average != 0.1
    assert rank_rows([[average, 0.1, 0.2]]).tolist() == [[2.5, 2.5, 1.0]]


def test_chains_do_not_drift():
    step = 4e-13
    chain = [[1.0, 1.0 - step, 1.0 - 2 * step, 1.0 - 3 * step]]
    assert rank_rows(chain).tolist() == [[1.5, 1.5, 3.5, 3.5]]


def test_differences_tie_by_the_precision_of_their_scores():
    assert 0.3 - 0.1 != 0.7 - 0.5 != 0.2
    assert differences([0.3, 0.7, 1000.3], [0.1, 0.5, 1000.1]).tolist() == [0.2, 0.2, 0.2]
    thirds = np.abs(differences([1.0, 0.9, 26 / 30], [29 / 30, 26 / 30, 0.9]))  # all 1/30
    assert len(set(thirds.tolist())) == 1
    # A difference of diverged scores is coarse, but makes no tie of two others.
    coarse = differences([1e13 + 6, 5.9, 4.0, 1.0], [1e13, 0.0, 0.0, 0.0])
    assert len(set(coarse[1:].tolist())) == 3


def test_float_noise_is_no_win():
    assert subtract([0.1 + 0.2, 3.0], [0.3, 1.0]).tolist() == [0.0, 2.0]


SCORES = st.one_of(
    st.integers(-1000, 1000).map(lambda i: i / 1000),
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.builds(lambda i, e: i * 10.0**e, st.integers(-9999, 9999), st.integers(-15, 20)),
    st.just(float("nan")),
)


@given(st.lists(st.tuples(SCORES, SCORES), min_size=1, max_size=20))
def test_known_units_change_no_difference(pairs):
    columns = np.array(pairs).T.copy()
    np.testing.assert_array_equal(differences(*columns, units=tuple(units_of(columns))), differences(*columns))


@given(st.integers(0, 6), st.lists(st.tuples(*2 * [st.integers(-9999, 9999)]), min_size=1, max_size=20))
def test_scores_on_a_grid_have_the_differences_of_the_rule(decimals, pairs):
    columns = (np.array(pairs).T / 10.0**decimals).copy()
    columns[0, 0] = np.nan
    per_one = grid(columns)
    assert 0 < per_one <= 10.0**decimals
    steps = np.rint(columns * per_one)
    np.testing.assert_array_equal((steps[0] - steps[1]) / per_one + 0.0, differences(*columns))


@pytest.mark.parametrize("columns", [[[0.1, 1 / 3]], [[0.5, 1e12]], [[1e-12, 1.0]], [[0.1 + 0.2, 0.3]]])
def test_scores_that_are_no_few_decimals_have_no_grid(columns):
    assert grid(np.array(columns)) == 0.0
