"""Aligned ranks with ties, against exact fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from podium.stats.omnibus.aligned_ranks import _ranks_apart, aligned_ranks

DECIMALS = st.integers(-40, 40).map(lambda n: n / 10) | st.integers(-400, 400).map(lambda n: n / 100)


@given(st.data(), st.integers(3, 5), st.integers(2, 6))
def test_mean_ranks_are_those_of_exact_fractions(data, k, n):
    rows = data.draw(st.lists(st.lists(DECIMALS, min_size=k, max_size=k), min_size=n, max_size=n))
    exact = [[Fraction(str(value)) for value in row] for row in rows]
    aligned = [value - sum(row) / k for row in exact for value in row]
    places = sorted(set(aligned), reverse=True)
    expected = rankdata([places.index(value) for value in aligned]).reshape(n, k).mean(axis=0)
    assert np.allclose(aligned_ranks(np.array(rows)).mean_ranks, expected, atol=1e-12)


def test_what_is_not_precise_ties_with_other_datasets_and_not_with_its_own():
    """2 and 1 of a dataset with a score of 1e16 are in order; 1 ties with 0.5 of another, and that not with its own -1."""
    aligned, scale = np.array([[2.0, 1.0], [0.5, -1.0], [0.0, 0.0]]), np.repeat([[1e16], [1.0], [0.0]], 2, axis=1)
    assert _ranks_apart(aligned, aligned, scale).tolist() == [[1, 2.5], [2.5, 6], [4.5, 4.5]]
