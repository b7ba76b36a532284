"""Rank sets of many algorithms: the decisions of all pairs, without the pairs."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from podium.cases import all_pairs, rank_confidence_sets
from podium.core.errors import DataError
from podium.evidence.cases import as_cases
from podium.stats import rank_intervals
from refusals import refuses

pytestmark = pytest.mark.kernel


def sets_of_pairs(data, **options):
    ranks = rank_intervals(all_pairs(data, **options))
    return ranks.low.tolist(), ranks.high.tolist()


@given(arrays(np.int8, st.tuples(st.integers(3, 12), st.integers(2, 6)), elements=st.integers(0, 1)))
def test_all_flips_decide_as_the_pairs_do(outcomes):
    """All flips of up to 13 cases are counted by both; the pair's own p-value may only hold back a decision of two."""
    found = rank_confidence_sets(outcomes)
    adjusted = all_pairs(outcomes.astype(float))
    if outcomes.shape[1] > 2:
        from podium.cases.family import flip_family
        from podium.core.pairs import pair_indices

        first, second = pair_indices(outcomes.shape[1])
        family = flip_family(outcomes.astype(float), first, second)
        gap = adjusted.side
        better = [
            int(((family.adjusted <= 0.05) & ((first == j) & (gap > 0) | (second == j) & (gap < 0))).sum())
            for j in range(outcomes.shape[1])
        ]
        assert found.better.tolist() == better


def test_random_flips_decide_as_the_pairs_do():
    rng = np.random.default_rng(3)
    k, n = 12, 160
    data = (rng.random((n, k)) < np.linspace(0.3, 0.9, k)).astype(float)
    found = rank_confidence_sets(data, draws=9999)
    low, high = sets_of_pairs(data, draws=9999)
    # other draws decide close pairs: no place may differ by more than one pair
    assert np.abs(found.rank_low - low).max() <= 1
    assert np.abs(found.rank_high - high).max() <= 1
    assert found.decided == found.better.sum() == found.worse.sum() > 10


@pytest.mark.parametrize("what", ["numbers", "clusters", "benchmarks", "weights"])
def test_what_flips_cannot_decide_is_refused(what):
    data = np.tile([[1.0, 0.0], [0.0, 1.0]], (10, 1))
    cases = np.full((20, 2), 2.5) if what == "numbers" else as_cases(data, **{what: np.arange(20) // 5 + 1})
    with pytest.raises(DataError, match="use `all_pairs`"):
        rank_confidence_sets(cases)


def test_a_clear_order_is_told():
    rng = np.random.default_rng(1)
    data = rng.random((600, 5)) < [0.95, 0.75, 0.5, 0.5, 0.2]
    found = rank_confidence_sets(data)
    assert found.rank_low.tolist() == [1, 2, 3, 3, 5]
    assert found.rank_high.tolist() == [1, 2, 4, 4, 5]
    assert found.to_frame()["algorithm"].tolist()[0] == "algorithm 1"
    assert "algorithm 1 is first" in found.summary()
    assert found.n_pairs == 10
    assert rank_confidence_sets(~data).rank_low.tolist() == [5, 4, 2, 2, 1]


def test_identical_algorithms_hold_all_places():
    found = rank_confidence_sets(np.ones((30, 4), dtype=np.uint8))
    assert found.rank_low.tolist() == [1] * 4
    assert found.rank_high.tolist() == [4] * 4
    assert found.decided == 0


def test_holes_are_refused_or_wrong():
    data = {"a": [1, 1, None, 1], "b": [0, 1, 1, 1]}
    with refuses(DataError, "missing"):
        rank_confidence_sets(data)
    assert rank_confidence_sets(data, missing="wrong").score.tolist() == [0.75, 0.75]
    with pytest.raises(DataError, match="use `all_pairs`"):
        rank_confidence_sets(data, missing="pairwise")
    with pytest.raises(DataError, match="at least 2 algorithms"):
        rank_confidence_sets(np.ones((5, 1), dtype=int))
