"""Splits are stratified, seeded by dataset and repeat, and as the papers say."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.bench.protocols import DEFAULTS, Protocol, inner_folds, make_split, stratified_folds, stratified_sample
from podium.bench.seeds import seed_of

LABELS = st.lists(st.integers(0, 3), min_size=12, max_size=120).map(np.array)


@given(LABELS, st.integers(2, 10), st.integers(0, 99))
def test_folds_are_even_in_all_and_in_each_class(y, k, seed):
    fold = stratified_folds(y, k, np.random.default_rng(seed))
    assert np.ptp(np.bincount(fold, minlength=k)) <= 1
    for label in np.unique(y):
        assert np.ptp(np.bincount(fold[y == label], minlength=k)) <= 1


@given(LABELS, st.floats(0.05, 0.95), st.integers(0, 99))
def test_samples_keep_the_proportions(y, share, seed):
    size = round(share * len(y))
    chosen = stratified_sample(y, size, np.random.default_rng(seed))
    assert len(set(chosen)) == size
    for label in np.unique(y):
        exact = np.sum(y == label) * size / len(y)
        slack = 1 if size >= 2 * len(np.unique(y)) and exact >= 1 else 2
        assert abs(np.sum(y[chosen] == label) - exact) <= slack


def split(protocol, y, repeat=0, fold=0, dataset="d", seed=1):
    return make_split(protocol, y, seed=seed, dataset=dataset, repeat=repeat, fold=fold)


Y = np.repeat([0, 1], [60, 30])


def test_wainers_halves_are_trained_and_tested_both_ways():
    protocol = Protocol(**{"kind": "wainer", **DEFAULTS["wainer"]})
    there, back = split(protocol, Y), split(protocol, Y, fold=1)
    assert sorted(there.train) == sorted(back.test)
    assert sorted(there.test) == sorted(back.train)
    assert np.bincount(Y[there.train]).tolist() == [30, 15]


def test_ulas_puts_the_same_third_aside_in_every_repeat():
    protocol = Protocol(**{"kind": "ulas", **DEFAULTS["ulas"]})
    used = [set(s.train) | set(s.test) for r in range(5) for f in range(2) for s in [split(protocol, Y, r, f)]]
    assert all(cases == used[0] for cases in used)
    assert len(used[0]) == 60
    assert np.bincount(Y[sorted(used[0])]).tolist() == [40, 20]
    first, second = split(protocol, Y, 0), split(protocol, Y, 1)
    assert set(first.train) != set(second.train)


@given(st.integers(0, 3), st.integers(1, 9))
def test_cross_validation_tests_every_case_once_per_repeat(repeat, seed):
    protocol = Protocol(kind="cv", repeats=4, folds=10)
    tested = np.concatenate([split(protocol, Y, repeat, f, seed=seed).test for f in range(10)])
    assert sorted(tested) == list(range(len(Y)))


def test_holdout_has_the_share_that_was_asked_for():
    protocol = Protocol(kind="holdout", folds=1, test_fraction=0.2)
    train, test = split(protocol, Y)
    assert (len(train), len(test)) == (72, 18)
    assert not set(train) & set(test)


def test_splits_are_named_by_seed_dataset_and_repeat():
    protocol = Protocol(kind="cv", folds=3)
    same = split(protocol, Y, 2, 1)
    np.testing.assert_array_equal(same.test, split(protocol, Y, 2, 1).test)
    for other in (split(protocol, Y, 3, 1), split(protocol, Y, 2, 1, dataset="e"), split(protocol, Y, 2, 1, seed=2)):
        assert set(other.test) != set(same.test)
    # The names are hashed, so that they mean the same on every machine and in every year.
    assert seed_of("split", 1, "iris", 0) == 445762587


def test_the_search_takes_at_most_so_many_cases_and_splits_them():
    protocol = Protocol(search_cases=50, search_folds=5)
    cases, parts = inner_folds(protocol, Y, seed=1, dataset="d", repeat=0, fold=0)
    assert len(cases) == 50
    assert len(parts) == 5
    assert sorted(np.concatenate([part.test for part in parts])) == list(range(50))
    whole, _ = inner_folds(Protocol(), Y, seed=1, dataset="d", repeat=0, fold=0)
    assert len(whole) == 90


def test_folds_beyond_the_cases_are_refused():
    with pytest.raises(ValueError, match="folds"):
        stratified_folds([0, 1], 3, np.random.default_rng(0))
