"""Tukey's and Dunnett's tests of mean scores, datasets as blocks."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import studentized_range, t

from podium import Metric, Table
from podium.core.errors import ArgumentError
from podium.stats import dunnett, tukey
from podium.stats.omnibus.anova import two_way
from reference import published
from refusals import refuses


def test_tukey_by_its_definition():
    values = published.GARCIA_HERRERA
    result = tukey(values)
    parts = two_way(values)
    q = (values[:, 0].mean() - values[:, 1].mean()) / np.sqrt(float(parts.error) / 30)
    assert result.statistic[0] == pytest.approx(q)
    assert result.adjusted[0] == pytest.approx(studentized_range.sf(q, 5, 116), abs=1e-10)
    assert result.pvalue[0] == pytest.approx(2 * t.sf(q / np.sqrt(2), 116), rel=1e-9)


def test_two_algorithms_make_the_paired_t():
    from scipy.stats import ttest_rel

    values = np.random.default_rng(0).normal(size=(11, 2))
    expected = ttest_rel(values[:, 0], values[:, 1]).pvalue
    assert tukey(values).adjusted[0] == pytest.approx(expected, rel=1e-9)
    assert dunnett(values, "algorithm 1").adjusted[0] == pytest.approx(expected, rel=1e-9)


def test_dunnett_against_a_simulated_multivariate_t():
    values = np.random.default_rng(1).normal(size=(8, 4)) + np.array([0.8, 0, 0, 0.2])
    result = dunnett(values, "algorithm 1")
    rng = np.random.default_rng(2)
    normal = rng.normal(size=(200_000, 4))
    scale = np.sqrt(rng.chisquare(21, 200_000) / 21)
    largest = np.abs(normal[:, :1] - normal[:, 1:]).max(axis=1) / np.sqrt(2) / scale
    for statistic, adjusted in zip(result.statistic, result.adjusted, strict=True):
        share = (largest > abs(statistic)).mean()
        assert adjusted == pytest.approx(share, abs=4 * np.sqrt(share * (1 - share) / 200_000) + 1e-5)
    assert dunnett(values, "algorithm 1").adjusted.tolist() == result.adjusted.tolist()  # no random numbers


@given(st.integers(0, 5000))
def test_dunnett_lies_between_raw_and_bonferroni_and_tukey_too(seed):
    values = np.random.default_rng(seed).normal(size=(6, 4))
    for result, pairs in ((tukey(values), 6), (dunnett(values, "algorithm 2"), 3)):
        assert (result.adjusted >= result.pvalue).all()
        assert (result.adjusted <= np.minimum(pairs * result.pvalue, 1) + 1e-9).all()
    assert (dunnett(values, "algorithm 1").adjusted <= tukey(values).adjusted[:3] + 1e-9).all()


def test_constant_columns_and_exact_effects():
    assert (tukey(np.full((5, 3), 0.3)).adjusted == 1).all()
    exact = tukey(np.arange(5.0)[:, None] + np.array([0.1, 0.1, 0.3]))
    # Without spread 5 datasets say what 5 equal signs do, however many algorithms share the pooled error.
    assert exact.adjusted.tolist() == exact.pvalue.tolist() == [1, 2.0**-4, 2.0**-4]
    against = dunnett(np.arange(5.0)[:, None] + np.array([0.1, 0.1, 0.3]), "algorithm 3")
    assert against.adjusted.tolist() == [2.0**-4, 2.0**-4]


@pytest.mark.parametrize("equal", [2, 3])
def test_without_spread_a_pooled_test_errs_no_more_often_than_its_pvalue_says(equal):
    """All orders of some equal algorithms on each of 3 datasets beside one that is far ahead: false alarms by enumeration."""
    orders = list(itertools.permutations(range(equal)))
    tables = [
        np.array([[*rows, 9.0] for rows in chosen], dtype=float) for chosen in itertools.product(orders, repeat=3)
    ]
    false = [pairs_between(tukey(table), equal) for table in tables]
    for level in (2.0**-2, 2.0**-4):
        assert (
            np.mean(
                [p <= level and table.std(axis=0)[:equal].max() == 0 for p, table in zip(false, tables, strict=True)]
            )
            <= level
        )


def pairs_between(result, equal):
    """The smallest adjusted p-value among the equal algorithms, which stand first."""
    chosen = (result.first < equal) & (result.second < equal)
    return result.adjusted[chosen].min()


def test_direction_and_names():
    table = Table(
        values=np.random.default_rng(0).random((5, 2)),
        datasets=tuple("abcde"),
        algorithms=("x", "y"),
        metric=Metric(name="error", direction="lower"),
    )
    found = tukey(table)
    assert (np.sign(found.effect) == -found.side).all()
    assert (np.sign(found.statistic) == np.sign(found.effect)).all()
    frame = pd.DataFrame(np.random.default_rng(0).random((5, 3)), columns=["x", "y", "z"])
    assert dunnett(frame, "y").to_frame()[["a", "b"]].values.tolist() == [["x", "y"], ["z", "y"]]
    with refuses(ArgumentError, kind="algorithm", value="'w'"):
        dunnett(frame, "w")
    assert "sphericity" in tukey(frame).summary().rpartition("equal")[2]
