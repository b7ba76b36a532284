"""Aligned ranks with ties, against exact fractions."""

from fractions import Fraction

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from podium.stats.omnibus.aligned_ranks import aligned_ranks

DECIMALS = st.integers(-40, 40).map(lambda n: n / 10) | st.integers(-400, 400).map(lambda n: n / 100)


@given(st.data(), st.integers(3, 5), st.integers(2, 6))
def test_mean_ranks_are_those_of_exact_fractions(data, k, n):
    rows = data.draw(st.lists(st.lists(DECIMALS, min_size=k, max_size=k), min_size=n, max_size=n))
    exact = [[Fraction(str(value)) for value in row] for row in rows]
    aligned = [value - sum(row) / k for row in exact for value in row]
    places = sorted(set(aligned), reverse=True)
    expected = rankdata([places.index(value) for value in aligned]).reshape(n, k).mean(axis=0)
    assert np.allclose(aligned_ranks(np.array(rows)).mean_ranks, expected, atol=1e-12)
