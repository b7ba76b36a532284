"""The compiled differences of pairs follow the same rule as `podium.core.ranks.differences`."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.ranks import differences, subtract
from podium.stats.exact.difference_kernels import difference_pairs, exponents, shell_sort

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


@pytest.mark.parametrize("n", [0, 1, 2, 57, 5000])
def test_sorting(n):
    keys = np.random.default_rng(n).integers(-(10**9), 10**9, n)
    expected = np.sort(keys)
    shell_sort(keys, n)
    np.testing.assert_array_equal(keys, expected)
