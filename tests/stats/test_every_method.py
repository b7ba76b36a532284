"""What holds for every registered test, whichever it is: names and order decide nothing."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import results_of
from podium.stats import all_pairs, registry
from podium.stats.registry import OMNIBUS, PAIRWISE
from said import says_its_numbers, shows_its_numbers

NAMES = ["a", "b", "c", "d"]
FOLDS = {"5x2": (5, 2), "one repeat": (1, 10), "": (3, 4)}


@pytest.mark.parametrize("name", [name for name, method in PAIRWISE.items() if method.over != "folds"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5)
def test_the_order_of_datasets_and_of_algorithms_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    table = pd.DataFrame(rng.uniform(0.5, 1, (8, 4)).round(2), columns=NAMES)
    asked = {"test": name, "control": "b" if PAIRWISE[name].needs_control else None}
    found = all_pairs(table, **asked)
    again = all_pairs(table.iloc[rng.permutation(8), rng.permutation(4)], **asked)
    for a, b in found.names:
        one, other = found.pair(a, b), again.pair(a, b)
        fields = ("statistic", "pvalue", "adjusted", "effect", "low", "high", "wins", "losses", "side")
        for field in fields:
            assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-9, abs=1e-12), field


@pytest.mark.parametrize("name", [name for name, method in PAIRWISE.items() if method.over == "folds"])
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_order_of_algorithms_on_folds_does_not_matter(name, seed):
    rng = np.random.default_rng(seed)
    scores = rng.normal(0.8, 0.05, (3, *FOLDS[PAIRWISE[name].design]))
    found, again = all_pairs(scores, test=name), all_pairs(scores[::-1], test=name)
    for column in ("pvalue", "adjusted", "wins", "effect"):
        assert found.matrix(column) == pytest.approx(again.matrix(column)[::-1, ::-1], rel=1e-9, nan_ok=True), column


@pytest.mark.parametrize("name", [name for name, method in PAIRWISE.items() if method.over == "folds"])
def test_equal_differences_on_folds_do_not_count_for_more_than_their_signs(name):
    """Luck explains them as well as it explains that n differences are all on one side; p is never 0."""
    base = np.random.default_rng(1).integers(1, 9, FOLDS[PAIRWISE[name].design]) / 8
    assert 0.5 ** (base.size - 1) <= all_pairs(np.stack([base + 0.5, base]), test=name).pvalue[0] < 0.2


@pytest.mark.parametrize("name", OMNIBUS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=10)
def test_the_order_of_rows_and_columns_does_not_matter_to_a_test_of_all(name, seed):
    rng = np.random.default_rng(seed)
    table = rng.uniform(0.5, 1, (7, 4)).round(2)
    run = registry.function(OMNIBUS[name])
    found = run(table, **OMNIBUS[name].options)
    again = run(table[rng.permutation(7)][:, rng.permutation(4)], **OMNIBUS[name].options)
    assert found.pvalue == pytest.approx(again.pvalue, rel=1e-9)


def test_numbers_in_sentences_and_frames_are_those_of_the_result():
    for result in results_of.stats():
        says_its_numbers(result, other=[12 * 13 / 2 - 17])
        shows_its_numbers(result)
