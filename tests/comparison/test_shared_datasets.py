"""Algorithms that share no dataset: nothing compares them, and the refusal says whom to leave out to keep most."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest

import podium
from podium.comparison.overlap import comparable_table
from refusals import refuses

NO = np.nan
APART = pd.DataFrame({"a": [0.9, 0.8, NO, NO, 0.7], "b": [0.8, 0.7, 0.6, 0.5, 0.6], "c": [NO, NO, 0.5, 0.4, NO]})


def compared(table, **options):
    return podium.compare(table, metric="accuracy", rows="datasets", **options)


@pytest.mark.parametrize("options", [{}, {"missing": "complete"}, {"control": "a"}])
def test_the_one_with_fewer_scores_goes(options):
    with refuses(podium.DataError, leave_out=("c",)):
        compared(APART, **options)


def test_only_the_control_must_meet_the_others():
    assert compared(APART, control="b").pairs.n_pairs == 2


def test_the_control_stays_though_it_lacks_most():
    with refuses(podium.DataError, leave_out=("a",)):
        compared(APART, control="c")


def test_without_any_two_that_meet_nobody_can_be_left_out():
    with pytest.raises(podium.DataError, match="and neither do any others"):
        compared(APART[["a", "c"]].iloc[:4])


def test_complete_datasets_only_where_there_are_some():
    ring = pd.DataFrame({"a": [0.9, 0.8, NO], "b": [0.8, NO, 0.7], "c": [NO, 0.7, 0.6]})  # each two share one dataset
    with refuses(podium.DataError, "missing"):
        compared(ring, missing="complete")
    with refuses(podium.ArgumentError, "missing"):
        compared(APART, missing="wrong")


def test_those_that_stay_all_meet():
    rng, refused = np.random.default_rng(0), 0
    for _ in range(100):
        values = np.where(rng.random((6, 5)) < 0.6, NO, 0.5)
        values[0, np.isnan(values).all(axis=0)] = 0.5
        scores = podium.read(pd.DataFrame(values, columns=list("abcde")), metric="accuracy", rows="datasets").scores()
        there = dict(zip(scores.algorithms, ~np.isnan(scores.table().values.T), strict=True))
        try:
            comparable_table(scores, None, None)
            gone = ()
        except podium.DataError as error:
            gone = error.fields["leave_out"]
        kept = [name for name in there if name not in gone]
        refused += bool(gone)
        assert len(kept) > 1
        assert all((there[a] & there[b]).any() for a, b in combinations(kept, 2))
    assert refused > 50
