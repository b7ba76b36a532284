"""Errors are sentences with their data."""

import copy
import pickle

import pytest

import podium
from podium.core import check
from podium.core.errors import ArgumentError, DataError, DesignError, MissingPackageError, PodiumError, StoreError
from podium.web.errors import RefusedError


def as_flag(name):
    return f"--{name.replace('_', '-')}"


def test_options_are_spelled_for_the_reader():
    error = DataError("{file} is odd: give {missing_marker}.", file="{missing_marker}.csv")
    assert str(error) == "{missing_marker}.csv is odd: give `missing_marker`."
    assert error.said(as_flag) == "{missing_marker}.csv is odd: give --missing-marker."


def test_braces_that_stand_for_nothing_stay():
    text = "The algorithm '{x}' and {algorithm: {dataset: score}} have {options}."
    assert str(DataError(text)) == text


def test_a_check_names_its_argument():
    with pytest.raises(ArgumentError) as caught:
        check.fraction("test_fraction", "{argument}")
    assert caught.value.fields["argument"] == "test_fraction"
    assert caught.value.said(as_flag) == "--test-fraction must lie strictly between 0 and 1; got '{argument}'."


def test_what_is_no_argument_stands_as_it_is():
    with pytest.raises(ArgumentError, match=r"(?i)^the ending of `path` must be"):
        check.choice("the ending of `path`", ".gif", (".md",))


def test_a_file_that_does_not_exist_says_so_as_data():
    with pytest.raises(DataError) as caught:
        podium.read("nowhere.csv")
    assert caught.value.fields == {"file": "'nowhere.csv'", "reason": "no file"}


@pytest.mark.parametrize(
    "error",
    [
        PodiumError("x"),
        DataError("{file} {rows}", file="a.csv"),
        ArgumentError("{argument}", argument="alpha"),
        DesignError("x", repeats=3),
        StoreError("{path} is locked", path="a.db"),
        MissingPackageError("openpyxl", "Reading Excel files", extra="excel"),
        RefusedError(413, "Too large."),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("again", [copy.copy, lambda error: pickle.loads(pickle.dumps(error))], ids=["copy", "pickle"])
def test_the_fields_survive_another_process(error, again):
    other = again(error)
    assert type(other) is type(error)
    assert (str(other), other.__dict__, other.args) == (str(error), error.__dict__, error.args)


def test_a_missing_package_gives_the_command():
    error = MissingPackageError("openpyxl", "Reading Excel files", extra="excel")
    assert str(error) == "Reading Excel files needs the package 'openpyxl': pip install 'podium[excel]'."
    assert isinstance(error, ImportError)
