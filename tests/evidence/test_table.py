"""Tables and pairs."""

import dataclasses

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.evidence.evidence import MissingScore
from podium.evidence.scores import Scores
from podium.evidence.table import Table, as_pair, as_table
from podium.stats import friedman
from refusals import refuses

VALUES = np.array([[0.9, 0.8, 0.7], [0.5, np.nan, 0.6], [0.4, 0.4, 0.1]])
TABLE = Table(
    values=VALUES, datasets=("iris", "zoo", "wine"), algorithms=("a", "b", "c"), families=("f", "g", "f"),
    metric=Metric(name="error", direction="lower"),
)  # fmt: skip


def test_holes_and_complete_rows():
    assert TABLE.missing == (MissingScore("zoo", "b"),)
    complete = TABLE.complete()
    assert (complete.datasets, complete.families, complete.n_datasets) == (("iris", "wine"), ("f", "f"), 2)


def test_columns_in_the_order_given():
    chosen = TABLE.select(["c", "a"])
    assert chosen.algorithms == ("c", "a")
    assert chosen.values[0].tolist() == [0.7, 0.9]
    with refuses(ArgumentError, kind="algorithm", value="'d'"):
        TABLE.select(["d"])


def test_gains_and_ranks_follow_the_direction():
    assert TABLE.gains[0, 0] == -0.9
    assert np.array_equal(TABLE.ranks(), [[3, 2, 1], [1, np.nan, 2], [2.5, 2.5, 1]], equal_nan=True)
    # Two of the three datasets have all algorithms, at least half: the mean ranks are over these.
    assert TABLE.mean_ranks().tolist() == [(3 + 2.5) / 2, (2 + 2.5) / 2, 1]
    # Where only one of the three has all, every dataset counts: the second ranks two of three, 1 and 2 become 4/3 and 8/3.
    holed = VALUES.copy()
    holed[2, 0] = np.nan
    found = dataclasses.replace(TABLE, values=holed).mean_ranks()
    assert found == pytest.approx([(3 + 4 / 3) / 2, (2 + 8 / 3) / 2, (1 + 8 / 3 + 4 / 3) / 3])


def test_names_must_fit_the_values():
    with pytest.raises(DataError, match="cannot have values of shape"):
        Table(values=VALUES, datasets=("iris",), algorithms=("a", "b", "c"))


def test_every_algorithm_has_its_own_name():
    with pytest.raises(DataError, match="'a' occurs more than once: give each its own name"):
        Table(values=VALUES, datasets=("iris", "zoo", "wine"), algorithms=("a", "b", "a"))
    with pytest.raises(DataError, match="'a' occurs more than once"):
        TABLE.select(["a", "a"])


@pytest.mark.parametrize("values", [VALUES.tolist(), VALUES.astype(object), np.ma.masked_invalid(VALUES)])
def test_values_become_numbers(values):
    made = Table(values=values, datasets=["iris", "zoo", "wine"], algorithms=pd.Index([1, 2, 3]))
    assert made.values.dtype == np.float64
    assert made.missing == (MissingScore("zoo", "2"),)
    assert friedman(made).algorithms == ("1", "2", "3")
    with refuses(DataError, "values"):
        Table(values=[["x"]], datasets=["iris"], algorithms=["a"])


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
            "scores": podium.read(frame, metric="error").scores(),
            "round trip": TABLE.to_frame(),
        }[given]
    )
    assert np.array_equal(made.values, VALUES, equal_nan=True)
    if given in ("frame", "frame with names", "scores"):
        assert (made.datasets, made.algorithms) == (TABLE.datasets, TABLE.algorithms)


@pytest.mark.parametrize("kind", ["object", "str", "Float64", "float64[pyarrow]", "string"])
def test_a_first_column_of_numbers_is_an_algorithm_however_it_is_stored(kind):
    frame = pd.DataFrame(VALUES, columns=list("abc")).astype(kind)
    made = as_table(frame)
    assert made.algorithms == ("a", "b", "c")
    assert np.array_equal(made.values, VALUES, equal_nan=True)


def test_one_column_of_objects_beside_numbers_is_an_algorithm():
    made = as_table(pd.DataFrame({"a": np.array([1, None, 2], dtype=object), "b": [1.0, 2.0, 3.0]}))
    assert made.missing == (MissingScore("1", "a"),)


@pytest.mark.parametrize(
    "names", [["iris", "3", "wine"], ["3", "6", "11"], pd.Categorical([3, 6, 11]), pd.date_range("2026", periods=3)]
)
def test_a_first_column_of_names_gives_the_datasets(names):
    frame = pd.DataFrame({"dataset": names, "a": VALUES[:, 0], "b": VALUES[:, 2]})
    made = as_table(frame)
    assert made.algorithms == ("a", "b")
    assert made.datasets == tuple(map(str, names))


def test_missing_cells_of_any_kind_are_holes():
    frame = TABLE.to_frame()
    for holed in (frame.astype("Float64"), frame.astype(object).where(frame.notna(), pd.NA)):
        assert as_table(holed).missing == TABLE.missing
    masked = np.ma.masked_array(np.nan_to_num(VALUES), mask=np.isnan(VALUES))
    assert as_table(masked).missing == (MissingScore("dataset 2", "algorithm 2"),)


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, pa.table])
def test_frames_of_other_libraries_keep_their_names(make):
    columns = {"a": [0.9, 0.5], "b": [None, 3]}
    assert as_table(make(columns)).missing == (MissingScore("0", "b"),)
    made = as_table(make({"dataset": ["iris", "zoo"], **columns}))
    assert (made.datasets, made.algorithms) == (("iris", "zoo"), ("a", "b"))


INFINITE = pd.DataFrame(np.where(np.isnan(VALUES), np.inf, VALUES), index=TABLE.datasets, columns=TABLE.algorithms)
OVER_DATASETS = "friedman quade aligned_ranks anova skillings_mack nemenyi mean_ranks rank_sums conover tukey all_pairs"
REFUSED = r"^'b' has an infinite score on 'zoo': correct it, or make it missing \(nan\) on purpose\.$"


@pytest.mark.parametrize("test", OVER_DATASETS.split())
def test_no_test_takes_infinite_scores(test):
    with refuses(DataError, algorithm="'b'", dataset="'zoo'"):
        getattr(podium.stats, test)(INFINITE)


@pytest.mark.parametrize("bad", [(np.inf, -np.inf), (np.inf, 0.5), (0.5, -np.inf)])
def test_infinite_folds_are_refused_before_they_are_averaged(bad):
    # No test, model or study ever sees them: neither scores nor tables can hold any.
    values = np.zeros((1, 2, 1, 2))
    values[0, 1, 0] = bad
    with refuses(DataError, algorithm="'b'", dataset="'zoo'"):
        Scores(values=values, datasets=("zoo",), algorithms=("a", "b"), metric=TABLE.metric, folds=(1, 2))
    with refuses(DataError, algorithm="'b'", dataset="'zoo'"):
        Table(values=values[:, :, 0, 0] + values[:, :, 0, 1] ** 2, datasets=("zoo",), algorithms=("a", "b"))


@pytest.mark.parametrize(
    "wrong, phrase",
    [
        ([[1.0], [2.0]], "at least 2 algorithms"),
        (np.empty((0, 3)), "no dataset"),
        ([1.0, 2.0], "must have 2 dimensions"),
        ([["a", "b"]], "must contain only numbers; found text"),
        ([[1.0, np.inf]], "'algorithm 2' has an infinite score on 'dataset 1'"),
        (VALUES + 1j, "complex numbers"),
        (pd.DataFrame(VALUES + 1j), "complex numbers"),
        (pd.DataFrame({"a": pd.date_range("2026", periods=2), "b": pd.date_range("2026", periods=2)}), "dates"),
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


def test_a_series_and_a_list_are_paired_by_position():
    x, y = pd.Series([1.0, 2.0], index=["a", "b"]), [10.0, 20.0]
    for other in (y, tuple(y), np.array(y), pl.Series(y)):
        assert as_pair(x, other).y.tolist() == as_pair(other, x).x.tolist() == y


def test_differences_lose_the_noise_of_their_scores():
    assert as_pair([0.3], [0.1 + 0.2]).differences.tolist() == [0.0]


def test_pairs_that_are_no_pairs():
    with pytest.raises(DataError, match="they have 1 and 2 scores"):
        as_pair([1.0], [1.0, 2.0])
    with pytest.raises(DataError, match="At least 2 complete pairs"):
        as_pair([1.0, np.nan], [1.0, 2.0], at_least=2)
