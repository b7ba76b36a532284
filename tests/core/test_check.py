"""Every check and its wording."""

import numpy as np
import pytest

from podium.core import check
from podium.core.errors import ArgumentError, DataError


def test_choice():
    assert check.choice("zeros", "pratt", ("drop", "pratt")) == "pratt"
    for wrong in ("x", None, 1, ["pratt"]):
        with pytest.raises(ArgumentError, match=r"`zeros` must be 'drop' or 'pratt'; got "):
            check.choice("zeros", wrong, ("drop", "pratt"))
    with pytest.raises(ArgumentError, match=r"must be 'only'; got"):
        check.choice("zeros", "x", ("only",))


def test_alternative():
    assert check.alternative("less") == "less"
    with pytest.raises(ArgumentError, match="'two-sided', 'less' or 'greater'; got 'x'"):
        check.alternative("x")


def test_member_suggests_the_nearest_and_lists_a_dozen():
    names = [f"algorithm {i}" for i in range(20)]
    assert check.member("algorithm", "algorithm 3", iter(names)) == "algorithm 3"
    with pytest.raises(ArgumentError, match="and 8 more"):
        check.member("algorithm", "zzz", names)
    with pytest.raises(ArgumentError, match="did you mean 'svm'"):
        check.member("algorithm", "svn", ["svm", "knn"])


@pytest.mark.parametrize("wrong", [np.nan, np.inf, "1", None, True, [1]])
def test_number(wrong):
    assert check.number("x", np.float32(0.5)) == 0.5
    with pytest.raises(ArgumentError, match="`x` must be a finite number"):
        check.number("x", wrong)


def test_nonnegative():
    assert check.nonnegative("rope", 0) == 0.0
    with pytest.raises(ArgumentError, match="must not be negative; got -1"):
        check.nonnegative("rope", -1)


@pytest.mark.parametrize("wrong", [0, 1, 5, -0.1, np.nan, "0.05", None, True])
def test_fraction(wrong):
    assert check.fraction("alpha", 0.05) == 0.05
    with pytest.raises(ArgumentError, match="`alpha` must lie strictly between 0 and 1"):
        check.fraction("alpha", wrong)


@pytest.mark.parametrize("wrong", [0, 11, 2.0, "3", True, None])
def test_count(wrong):
    assert check.count("n", np.int64(3), at_most=10) == 3
    with pytest.raises(ArgumentError, match="`n` must be a whole number from 1 to 10"):
        check.count("n", wrong, at_most=10)


def test_numbers():
    assert np.isnan(check.numbers("x", [1, np.nan], ndim=1)[1])
    for wrong, phrase in [
        (["a"], "numbers only"),
        ([[1, 2], [3]], "numbers only"),
        ([[1.0]], "must have 1 dimension; it has 2"),
        ([1, np.inf], r"infinite value at index \(1,\)"),
    ]:
        with pytest.raises(DataError, match=phrase):
            check.numbers("x", wrong, ndim=1)


def test_cells_are_named_and_counted():
    assert check.cells([("zoo", "C1"), ("zoo", "C2")]) == "zoo / C1, zoo / C2"
    assert check.cells([(str(i), "a") for i in range(10)], limit=2) == "0 / a, 1 / a and 8 more"
