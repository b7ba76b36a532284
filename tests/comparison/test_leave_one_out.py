"""Which significant pairs one dataset decides: as leaving out each in turn says, for every test over datasets."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.comparison import leave_one_out
from podium.comparison.leave_one_out import _Left, lost_without
from podium.evidence.table import as_table
from podium.stats.registry import names


def by_the_loop(table, pairs, alpha):
    lost = {}
    for left_out in range(table.n_datasets):
        rest = table.take(np.arange(table.n_datasets) != left_out)
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
            assert lost_without(table, pairs, alpha) == (expected, 0)
    assert found


@pytest.mark.parametrize("digits", [1, 2, 6])
def test_with_many_datasets_too(digits):
    table = rounded(1, n=70, k=3, digits=digits, gap=0.04)
    pairs = podium.stats.all_pairs(table)
    expected = [by_the_loop(table, pairs, alpha) for alpha in (pairs.adjusted + 1e-4).tolist()]

    assert any(expected)
    assert [lost_without(table, pairs, alpha).lost for alpha in (pairs.adjusted + 1e-4).tolist()] == expected


@settings(max_examples=40, deadline=None)
@given(st.lists(st.integers(-6, 6), min_size=4, max_size=25))
def test_bounds_hold_whichever_observation_is_left_out(whole):
    differences = np.array(whole, dtype=float)
    table = as_table(np.column_stack([differences, np.zeros(len(differences))]))
    (low,), (high,) = _Left(table, podium.stats.all_pairs(table)).bounds()
    for left_out in range(len(differences)):
        rest = np.delete(differences, left_out)
        p = podium.stats.wilcoxon(rest, np.zeros(len(rest))).pvalue
        assert low - 1e-12 <= p <= high + 1e-12


@pytest.fixture
def again(monkeypatch):
    """How many tests are made again."""
    counted = []
    without = _Left._without

    def counting(self, pair, dataset):
        counted.append(len(pair))
        return without(self, pair, dataset)

    monkeypatch.setattr(_Left, "_without", counting)
    return counted


def tied(n, k):
    rng = np.random.default_rng(0)
    values = rng.normal(size=(n, 1)) + 0.5 * rng.normal(size=(n, k)) + np.linspace(0, 0.4, k)
    return as_table(np.round(3 * values) / 10)


@pytest.mark.parametrize("n", [900, 1001, 3000])
def test_heavy_ties_on_many_datasets_need_few_tests(again, n):
    """3,000 datasets of 28 pairs would be 84,000 tests; the bounds leave few of them, at any number of datasets."""
    table = tied(n, 8)
    lost_without(table, podium.stats.all_pairs(table), 0.05)

    assert sum(again) < 300


def test_what_would_take_too_long_is_counted_and_said(again, monkeypatch):
    monkeypatch.setattr(leave_one_out, "MOST_WORK", 5000)
    table = rounded(1, n=70, k=3, digits=6, gap=0.04)
    pairs = podium.stats.all_pairs(table)
    alpha = float(np.sort(pairs.adjusted)[1]) + 1e-4

    found = lost_without(table, pairs, alpha)

    assert found.unknown > 0
    assert sum(again) * 70 <= 5000
    remarks = podium.compare(table, alpha=alpha, direction="higher").remarks
    said = [remark.sentence for remark in remarks if remark.topic == "sensitive to one dataset"]
    assert any("was not checked: it would take too long" in sentence for sentence in said)


def test_a_law_that_is_not_affordable_is_not_tried_again(again, monkeypatch):
    """As where 100,000 datasets have few distinct differences: no bound is known, and the decision is counted as unknown."""
    monkeypatch.setattr(leave_one_out, "lower_tails", lambda ranks, limit: np.full(len(limit), np.nan))
    table = tied(40, 3)
    pairs = podium.stats.all_pairs(table)

    found = lost_without(table, pairs, 0.5)

    assert found.unknown == (pairs.adjusted <= 0.5).sum() > 0
    assert found.lost == {}
    assert sum(again) == 0
