"""Tables and pairs."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.core.table import Table, as_pair, as_table

VALUES = np.array([[0.9, 0.8, 0.7], [0.5, np.nan, 0.6], [0.4, 0.4, 0.1]])
TABLE = Table(
    values=VALUES, datasets=("iris", "zoo", "wine"), algorithms=("a", "b", "c"), families=("f", "g", "f"),
    metric=Metric(name="error", direction="lower"),
)  # fmt: skip


def test_holes_and_complete_rows():
    assert TABLE.holes() == (("zoo", "b"),)
    complete = TABLE.complete()
    assert (complete.datasets, complete.families, complete.n_datasets) == (("iris", "wine"), ("f", "f"), 2)


def test_columns_in_the_order_given():
    chosen = TABLE.columns(["c", "a"])
    assert chosen.algorithms == ("c", "a")
    assert chosen.values[0].tolist() == [0.7, 0.9]
    with pytest.raises(ArgumentError, match="no algorithm 'd'"):
        TABLE.columns(["d"])


def test_gains_and_ranks_follow_the_direction():
    assert TABLE.gains[0, 0] == -0.9
    assert np.array_equal(TABLE.ranks(), [[3, 2, 1], [1, np.nan, 2], [2.5, 2.5, 1]], equal_nan=True)
    assert TABLE.mean_ranks() == pytest.approx([6.5 / 3, 4.5 / 2, 4 / 3])


def test_names_must_fit_the_values():
    with pytest.raises(DataError, match="cannot have values of shape"):
        Table(values=VALUES, datasets=("iris",), algorithms=("a", "b", "c"))


@pytest.mark.parametrize("given", ["table", "array", "list", "frame", "frame with names", "scores", "round trip"])
def test_as_table_takes_what_people_have(given):
    frame = TABLE.to_frame()
    made = as_table(
        {
            "table": TABLE,
            "array": VALUES,
            "list": VALUES.tolist(),
            "frame": frame,
            "frame with names": frame.reset_index(),
            "scores": podium.read_results(frame, metric="error").scores(),
            "round trip": TABLE.to_frame(),
        }[given]
    )
    assert np.array_equal(made.values, VALUES, equal_nan=True)
    if given in ("frame", "frame with names", "scores"):
        assert (made.datasets, made.algorithms) == (TABLE.datasets, TABLE.algorithms)


@pytest.mark.parametrize(
    "wrong, phrase",
    [
        ([[1.0], [2.0]], "at least 2 algorithms"),
        (np.empty((0, 3)), "no dataset"),
        ([1.0, 2.0], "must have 2 dimensions"),
        ([["a", "b"]], "numbers only"),
        (pd.DataFrame([[1.0, 2.0]], columns=["a", "a"]), "'a' occurs more than once"),
        (pd.DataFrame({"d": ["x", "x"], "a": [1.0, 2], "b": [1.0, 2]}), "'x' occurs more than once"),
    ],
)
def test_as_table_refuses(wrong, phrase):
    with pytest.raises(DataError, match=phrase):
        as_table(wrong)


def test_pairs_leave_out_and_count_what_is_missing():
    pair = as_pair([1.0, np.nan, 3.0], [2.0, 2.0, np.nan])
    assert (pair.x.tolist(), pair.y.tolist(), pair.missing, pair.n) == ([1.0], [2.0], 2, 1)


def test_series_are_paired_by_label():
    x = pd.Series([1.0, 2.0], index=["a", "b"])
    y = pd.Series([20.0, 10.0], index=["b", "a"])
    assert as_pair(x, y).y.tolist() == [10.0, 20.0]
    with pytest.raises(DataError, match="different labels"):
        as_pair(x, pd.Series([1.0, 2.0], index=["a", "c"]))


def test_differences_lose_the_noise_of_their_scores():
    assert as_pair([0.3], [0.1 + 0.2]).differences.tolist() == [0.0]


def test_pairs_that_are_no_pairs():
    with pytest.raises(DataError, match="they have 1 and 2 scores"):
        as_pair([1.0], [1.0, 2.0])
    with pytest.raises(DataError, match="At least 2 complete pairs"):
        as_pair([1.0, np.nan], [1.0, 2.0], at_least=2)
