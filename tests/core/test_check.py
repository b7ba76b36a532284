"""Every check and its wording."""

import numpy as np
import pandas as pd
import polars as pl
import pytest

from podium.core import check
from podium.core.errors import ArgumentError, DataError
from refusals import refuses


def test_choice():
    assert check.choice("zeros", "pratt", ("drop", "pratt")) == "pratt"
    for wrong in ("x", None, 1, ["pratt"]):
        with refuses(ArgumentError, "zeros"):
            check.choice("zeros", wrong, ("drop", "pratt"))
    with refuses(ArgumentError, "zeros", value="'x'"):
        check.choice("zeros", "x", ("only",))


@pytest.mark.parametrize("tiny", [5e-324, 1e-320, 1e-301])
def test_nothing_can_be_divided_by_too_small_a_level(tiny):
    with refuses(ArgumentError, "alpha"):
        check.fraction("alpha", tiny)
    assert check.fraction("alpha", 1e-300) == 1e-300


@pytest.mark.parametrize(
    "typed, meant",
    [
        ("bonferoni", "'bonferroni'"),
        ("holm-sidak", "'holm_sidak'"),
        ("Holm", "'holm'"),
        ("BH", "'benjamini_hochberg' or 'bergmann_hommel'"),
        ("BY", "'benjamini_yekutieli'"),
    ],
)
def test_choice_suggests_what_was_meant(typed, meant):
    words = ("bonferroni", "holm", "holm_sidak", "benjamini_hochberg", "benjamini_yekutieli", "bergmann_hommel")
    with pytest.raises(ArgumentError, match=rf"got '{typed}': did you mean {meant}\?$"):
        check.choice("correction", typed, words)


@pytest.mark.parametrize("wrong", ["no", 0, None, [True]])
def test_flag(wrong):
    assert check.flag("continuity", np.True_) is True
    with refuses(ArgumentError, "continuity"):
        check.flag("continuity", wrong)


def test_values_are_shown_on_one_line_and_cut():
    assert check.shown(np.eye(2)) == "array([[1., 0.], [0., 1.]])"
    assert check.shown("x" * 300, limit=10) == "'xxxxxxxxx..."


def test_alternative():
    assert check.alternative("less") == "less"
    with refuses(ArgumentError, "alternative", value="'x'"):
        check.alternative("x")


def test_member_suggests_the_nearest_and_lists_a_dozen():
    names = [f"algorithm {i}" for i in range(20)]
    assert check.member("algorithm", "algorithm 3", iter(names)) == "algorithm 3"
    with pytest.raises(ArgumentError, match="and 8 more"):
        check.member("algorithm", "zzz", names)
    for wrong in ("svn", "SVM", ["svm"]):
        with pytest.raises(ArgumentError, match="did you mean 'svm'"):
            check.member("algorithm", wrong, ["svm", "knn"])
    with pytest.raises(ArgumentError, match=r"Unknown algorithm array\(\[1, 2\]\)"):
        check.member("algorithm", np.array([1, 2]), ["svm", "knn"])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "1", None, True, [1]])
def test_number(wrong):
    assert check.number("x", np.float32(0.5)) == 0.5
    with refuses(ArgumentError, "x"):
        check.number("x", wrong)


def test_nonnegative():
    assert check.nonnegative("rope", 0) == 0.0
    with refuses(ArgumentError, "rope", value="-1"):
        check.nonnegative("rope", -1)


@pytest.mark.parametrize("wrong", [0, 1, 5, -0.1, np.nan, "0.05", None, True])
def test_fraction(wrong):
    assert check.fraction("alpha", 0.05) == 0.05
    with refuses(ArgumentError, "alpha"):
        check.fraction("alpha", wrong)


@pytest.mark.parametrize("wrong", [0, 11, 2.0, "3", True, None])
def test_count(wrong):
    assert check.count("n", np.int64(3), at_most=10) == 3
    with refuses(ArgumentError, "n"):
        check.count("n", wrong, at_most=10)


def test_numbers():
    assert np.isnan(check.numbers("x", [1, np.nan], ndim=1)[1])
    for wrong, phrase in [
        (["a"], "must contain only numbers; found text"),
        ([[1, 2], [3]], "must contain only numbers; found rows of unequal length"),
        (np.array([[1, 2], [3]], dtype=object), "must contain only numbers; found rows of unequal length"),
        ([1, 2j], "must contain only numbers; found complex numbers"),
        (np.array([1, np.complex128(2), None]), "must contain only numbers; found complex numbers"),
        (np.array(["2026"], dtype="datetime64[D]"), "must contain only numbers; found dates or times"),
        (np.array([2], dtype="timedelta64[s]"), "must contain only numbers; found dates or times"),
        (pd.Series(pd.date_range("2026", periods=2), dtype=object), "must contain only numbers; found dates or times"),
        ({1: 2}, "must contain only numbers; found a dict"),
        ([[1.0]], "must have 1 dimension; it has 2"),
        ([1, np.inf], r"infinite value at index \(1,\)"),
    ]:
        with pytest.raises(DataError, match=phrase):
            check.numbers("x", wrong, ndim=1)


@pytest.mark.parametrize(
    "values",
    [
        np.ma.masked_array([1.0, 2.0], mask=[False, True]),
        np.ma.masked_array([1, 2], mask=[False, True]),
        np.ma.masked_array([1.0, np.inf], mask=[False, True]),
        [1, None],
        [1, pd.NA],
        [1, pd.NaT],
        pd.Series([1, pd.NA], dtype=object),
        pd.Series([1, pd.NA], dtype="Int64"),
        pl.Series([1, None]),
        ["1", "nan"],
    ],
)
def test_whatever_is_missing_becomes_nan(values):
    assert np.array_equal(check.numbers("x", values, ndim=1), [1.0, np.nan], equal_nan=True)


def test_rows_that_are_masked():
    rows = [np.ma.masked_array([1, 2], mask=[False, True]), np.array([3, 4])]
    assert np.array_equal(check.numbers("x", rows, ndim=2), [[1, np.nan], [3, 4]], equal_nan=True)


def test_cells_are_named_and_counted():
    assert check.cells([("zoo", "C1"), ("zoo", "C2")]) == "zoo / C1, zoo / C2"
    assert check.cells([(str(i), "a") for i in range(10)], limit=2) == "0 / a, 1 / a and 8 more"
