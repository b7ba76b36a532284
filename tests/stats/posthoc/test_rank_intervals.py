"""Simultaneous confidence intervals for ranks."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.errors import ArgumentError, DataError
from podium.stats import all_pairs, mean_ranks, nemenyi, rank_intervals, tukey, versus_control
from reference import published
from refusals import refuses


def test_garcia_and_herrera_2008():
    # Nemenyi at 0.05 tells apart C4.5-1NN, C4.5-Kernel, NB-Kernel and Kernel-CN2: the places follow by counting.
    table = pd.DataFrame(published.GARCIA_HERRERA, columns=list(published.GARCIA_HERRERA_NAMES))
    result = rank_intervals(nemenyi(table))
    assert result.low.tolist() == [1, 2, 1, 4, 1]
    assert result.high.tolist() == [3, 5, 4, 5, 4]
    assert result.to_frame().algorithm.tolist() == ["C4.5", "NaiveBayes", "CN2", "1NN", "Kernel"]
    assert "3 of 5 algorithms may be the best" in result.summary()


@pytest.mark.parametrize("test", [nemenyi, tukey, mean_ranks, all_pairs])
def test_clear_differences_fix_every_place(test):
    rng = np.random.default_rng(0)
    values = np.array([3.0, 1.0, 2.0]) + 0.01 * rng.normal(size=(40, 3))
    result = rank_intervals(test(values))
    assert result.low.tolist() == result.high.tolist() == [1, 3, 2]
    assert rank_intervals(values).low.tolist() == [1, 3, 2]


def test_lower_is_better():
    from podium import Metric, Table

    values = np.array([3.0, 1.0, 2.0]) + 0.01 * np.random.default_rng(0).normal(size=(40, 3))
    table = Table(
        values=values,
        datasets=tuple(f"d{i}" for i in range(40)),
        algorithms=("a", "b", "c"),
        metric=Metric(name="error", direction="lower"),
    )
    for source in (table, tukey(table), nemenyi(table)):
        assert rank_intervals(source).low.tolist() == [3, 1, 2]


@given(st.integers(0, 5000))
def test_intervals_contain_the_order_of_the_effects(seed):
    values = np.random.default_rng(seed).normal(size=(8, 5)) + np.arange(5)
    result = rank_intervals(tukey(values), confidence=0.8)
    places = np.argsort(np.argsort(-values.mean(axis=0))) + 1
    assert (result.low <= places).all()
    assert (places <= result.high).all()


def test_coverage_of_the_true_places():
    """With 90 % confidence all true places lie in their intervals, also when some algorithms are equal."""
    rng = np.random.default_rng(1)
    truth = np.array([0.0, 0.0, 1.0, 1.5])
    better = (truth[:, None] < truth).sum(axis=1)
    worse = (truth[:, None] > truth).sum(axis=1)
    missed = 0
    for _ in range(300):
        result = rank_intervals(tukey(truth + rng.normal(size=(10, 4))), confidence=0.9)
        # an algorithm with equals may hold any of their places: none of them may be excluded
        missed += bool((result.low > 1 + better).any() or (result.high < 4 - worse).any())
    assert missed / 300 <= 0.1 + 3 * np.sqrt(0.1 * 0.9 / 300)


def test_bad_input():
    values = np.random.default_rng(0).random((6, 3))
    with pytest.raises(DataError, match="all 3 pairs"):
        rank_intervals(versus_control(values, "algorithm 1"))
    with pytest.raises(DataError, match="family-wise"):
        rank_intervals(mean_ranks(values, correction="benjamini_hochberg"))
    with pytest.raises(DataError, match="two-sided"):
        rank_intervals(all_pairs(values, alternative="less"))
    with refuses(ArgumentError, "confidence"):
        rank_intervals(values, confidence=95)


@pytest.mark.parametrize("test", ["wilcoxon", "sign"])
def test_who_wins_where_most_scores_are_equal(test):
    # The median and the Hodges-Lehmann difference are 0, and yet one of the two wins each time that they differ.
    good = np.full(40, 0.5)
    good[:10] += np.linspace(0.01, 0.1, 10)
    result = rank_intervals(pd.DataFrame({"good": good, "bad": np.full(40, 0.5)}), test=test)
    assert result.low.tolist() == result.high.tolist() == [1, 2]
