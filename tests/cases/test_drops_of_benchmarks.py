"""How few cases decide a mean over benchmarks: by trying all removals."""

import itertools

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from podium.cases._drops import benchmark_drops


def by_trying(differences, benchmark, weights):
    n = len(differences)
    for count in range(n):
        for gone in itertools.combinations(range(n), count):
            left = np.setdiff1d(np.arange(n), gone)
            if len(set(benchmark[left])) < len(set(benchmark)):
                continue
            here = [left[benchmark[left] == place] for place in np.unique(benchmark)]
            if np.mean([np.average(differences[rows], weights=weights[rows]) for rows in here]) < 1e-12:
                return count
    return 0


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(-3, 3), st.integers(0, 2), st.sampled_from([1, 2, 5])), min_size=3, max_size=9),
    st.booleans(),
)
def test_the_fewest_are_those_of_all_removals(rows, weighted):
    """With weights the cases of the largest weighted differences are not always those to remove: 1 x 5 stays beside 2 x 1."""
    differences, places, weights = (np.array(part, dtype=float) for part in zip(*rows, strict=True))
    _, benchmark = np.unique(places, return_inverse=True)
    weights = weights if weighted else np.ones(len(rows))
    fewest = by_trying(differences, benchmark, weights)
    assert benchmark_drops(differences, benchmark, weights) == fewest
    assert not fewest or benchmark_drops(differences, benchmark, weights, fewest - 1) == 0
