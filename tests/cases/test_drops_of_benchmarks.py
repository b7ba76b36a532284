"""How few cases decide a mean over benchmarks: by trying all removals."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.cases._drops import benchmark_drops


def by_trying(differences, benchmark):
    n = len(differences)
    for count in range(n):
        for gone in itertools.combinations(range(n), count):
            left = np.setdiff1d(np.arange(n), gone)
            if len(set(benchmark[left])) < len(set(benchmark)):
                continue
            means = [differences[left][benchmark[left] == place].mean() for place in np.unique(benchmark)]
            if np.mean(means) < 1e-12:
                return count
    return 0


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2)), min_size=3, max_size=9))
def test_the_fewest_are_those_of_all_removals(rows):
    differences = np.array([value for value, _ in rows], dtype=float)
    _, benchmark = np.unique([place for _, place in rows], return_inverse=True)
    assert benchmark_drops(differences, benchmark) == by_trying(differences, benchmark)
