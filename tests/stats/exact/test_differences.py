"""The compiled differences of pairs follow the same rule as `podium.core.ranks.differences`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.ranks import differences, subtract
from podium.stats.exact.difference_kernels import difference_pairs, exponents, grid, grid_pairs, shell_sort

scores = st.one_of(
    st.integers(-1000, 1000).map(lambda i: i / 1000),
    st.floats(-1e6, 1e6, allow_subnormal=False),
    st.builds(lambda i, e: i * 10.0**e, st.integers(-9999, 9999), st.integers(-15, 20)),
    st.just(float("nan")),
)


@given(st.lists(st.tuples(scores, scores), min_size=1, max_size=20))
def test_both_ways_give_the_same_differences(pairs):
    columns = np.array(pairs).T.copy()
    found, counts = np.empty((1, len(pairs))), np.empty((1, 3), dtype=np.int64)
    close = np.empty(1, dtype=np.bool_)
    difference_pairs(columns, exponents(columns), np.array([0]), np.array([1]), found, counts, close)
    expected = subtract(*columns)
    np.testing.assert_array_equal(found[0] + 0.0, expected)
    assert counts[0].tolist() == [(~np.isnan(expected)).sum(), (expected > 0).sum(), (expected == 0).sum()]
    if not close[0]:
        np.testing.assert_array_equal(differences(*columns), expected)


@given(st.integers(0, 6), st.lists(st.tuples(*2 * [st.integers(-9999, 9999)]), min_size=1, max_size=20))
def test_scores_on_a_grid_have_the_differences_of_the_rule(decimals, pairs):
    columns = (np.array(pairs).T / 10.0**decimals).copy()
    columns[0, 0] = np.nan
    per_one = grid(columns)
    assert 0 < per_one <= 10.0**decimals
    found, counts = np.empty((1, len(pairs))), np.empty((1, 3), dtype=np.int64)
    grid_pairs(np.rint(columns * per_one), per_one, np.array([0]), np.array([1]), found, counts)
    expected = differences(*columns)
    np.testing.assert_array_equal(found[0] + 0.0, expected)
    assert counts[0].tolist() == [(~np.isnan(expected)).sum(), (expected > 0).sum(), (expected == 0).sum()]


@pytest.mark.parametrize("columns", [[[0.1, 1 / 3]], [[0.5, 1e12]], [[1e-12, 1.0]], [[0.1 + 0.2, 0.3]]])
def test_scores_that_are_no_few_decimals_have_no_grid(columns):
    assert grid(np.array(columns)) == 0.0


@pytest.mark.parametrize("n", [0, 1, 2, 57, 5000])
def test_sorting(n):
    keys = np.random.default_rng(n).integers(-(10**9), 10**9, n)
    expected = np.sort(keys)
    shell_sort(keys, n)
    np.testing.assert_array_equal(keys, expected)
