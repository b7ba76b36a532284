"""Which significant pairs one dataset decides: as leaving out each in turn says, for every test over datasets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.comparison import leave_one_out
from podium.comparison.leave_one_out import _Laws, lost_without
from podium.core.table import as_table
from podium.stats.registry import names


def by_the_loop(table, pairs, alpha):
    lost = {}
    for left_out in range(table.n_datasets):
        rest = table.rows(np.arange(table.n_datasets) != left_out)
        again = podium.stats.all_pairs(rest, test=pairs.test, correction=pairs.correction)
        gone = np.flatnonzero((pairs.adjusted <= alpha) & (again.adjusted > alpha))
        if len(gone):
            lost[table.datasets[left_out]] = tuple(pairs.names[pair] for pair in gone)
    return lost


def rounded(seed, n=12, k=4, digits=2, gap=0.06):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(0.8, 0.05, size=(n, k)) + gap * np.arange(k) / k, digits)
    values[3, 1] = np.nan
    return as_table(values)


@pytest.mark.parametrize(
    ("test", "correction"), [*((name, "holm") for name in names("datasets")), ("wilcoxon", "none"), ("sign", "shaffer")]
)
def test_what_is_lost_is_what_the_loop_loses(test, correction):
    found = 0
    for seed in range(6):
        table = rounded(seed)
        pairs = podium.stats.all_pairs(table, test=test, correction=correction)
        for alpha in (0.02, 0.05, 0.3):
            expected = by_the_loop(table, pairs, alpha)
            found += len(expected)
            assert lost_without(table, pairs, alpha) == expected
    assert found


@pytest.mark.parametrize("digits", [1, 2, 6])
def test_with_many_datasets_too(digits):
    """More distinct differences than are worth a test each: the finer bounds."""
    table = rounded(1, n=70, k=3, digits=digits, gap=0.04)
    pairs = podium.stats.all_pairs(table)
    expected = [by_the_loop(table, pairs, alpha) for alpha in (pairs.adjusted + 1e-4).tolist()]

    assert any(expected)
    assert [lost_without(table, pairs, alpha) for alpha in (pairs.adjusted + 1e-4).tolist()] == expected


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=4, max_size=25))
def test_bounds_hold_whichever_observation_is_left_out(whole):
    differences = np.array(whole, dtype=float)
    laws = _Laws(differences[None])
    (low,), (high,) = laws.bounds()
    (lows,), (highs,) = laws.bounds_of_each()
    for left_out in range(len(differences)):
        rest = np.delete(differences, left_out)
        p = podium.stats.wilcoxon(rest, np.zeros(len(rest))).pvalue
        assert low - 1e-12 <= p <= high + 1e-12
        assert lows[left_out] - 1e-12 <= p <= highs[left_out] + 1e-12


def test_bounds_of_many_pairs_are_those_of_each(monkeypatch):
    """Many at once, in parts, compiled or not: the same numbers as one pair at a time."""
    rng = np.random.default_rng(4)
    differences = np.round(rng.normal(0.3, 1, (30, 60)), 1)
    differences[rng.random(differences.shape) < 0.1] = np.nan
    one_by_one = [_Laws(row[None]) for row in differences]
    for little in (0, 1e12):
        monkeypatch.setattr(leave_one_out, "LITTLE_SUMS", little)
        monkeypatch.setattr(leave_one_out, "MOST_RANKS", 500)
        laws = _Laws(differences)
        for found, expected in (
            (laws.bounds(), [law.bounds() for law in one_by_one]),
            (laws.bounds_of_each(), [law.bounds_of_each() for law in one_by_one]),
        ):
            for end in (0, 1):
                np.testing.assert_allclose(found[end], np.concatenate([each[end] for each in expected]), rtol=1e-12)


def test_heavy_ties_on_many_datasets_need_few_tests(monkeypatch):
    """900 datasets of 28 pairs would be 25,200 tests; the bounds leave few of them."""
    rng = np.random.default_rng(0)
    values = rng.normal(size=(900, 1)) + 0.5 * rng.normal(size=(900, 8)) + np.linspace(0, 0.4, 8)
    table = as_table(np.round(3 * values) / 10)
    pairs = podium.stats.all_pairs(table)
    counted = []
    parts = leave_one_out._parts

    def counting(rows, n):
        counted.append(rows)
        return parts(rows, n)

    monkeypatch.setattr(leave_one_out, "_parts", counting)
    lost_without(table, pairs, 0.05)

    assert sum(counted) < 300
