"""Ugly cells: what each option allows, and what each error suggests."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import DataError
from podium.reading.cells import failure_kind, looks_numeric, parse_column
from podium.reading.options import ReadOptions
from refusals import refuses


def parse(cells, **options):
    return parse_column(pd.Series(cells), ReadOptions(**options), lambda row: f"row {row}")


@pytest.mark.parametrize(
    "marker", ["", " ", "NA", "n/a", "nan", "NaN", "null", "None", "?", "-", "--", "—", None, np.nan]
)
def test_missing_markers(marker):
    assert np.isnan(parse(["0.5", marker]).values).tolist() == [False, True]


@pytest.mark.parametrize(
    "text, options, value",
    [
        ("68.4(7.1)", {"mean_sd": True}, 68.4),
        ("68.4 (7)", {"mean_sd": True}, 68.4),
        ("68.4 ± 7.1", {"mean_sd": True}, 68.4),
        ("68.4±7.1", {"mean_sd": True}, 68.4),
        ("68.4 +/- 7.1", {"mean_sd": True}, 68.4),
        (r"$68.4 \pm 7.1$", {"mean_sd": True}, 68.4),
        ("68.4 [7.1]", {"mean_sd": True}, 68.4),
        ("0.84251 (1)", {"footnotes": True}, 0.84251),
        ("-13.0427 (1)", {"footnotes": True}, -13.0427),
        ("0.84*", {"footnotes": True}, 0.84),
        ("**0.84**", {"footnotes": True}, 0.84),
        (r"\textbf{0.84}", {"footnotes": True}, 0.84),
        ("0.84†", {"footnotes": True}, 0.84),
        ("0,842", {"decimal_comma": True}, 0.842),
        ("1.234,5", {"decimal_comma": True}, 1234.5),
        ("68,4 ± 7,1", {"decimal_comma": True, "mean_sd": True}, 68.4),
        ("0.84 ↑", {"footnotes": True}, 0.84),
        ("<b>0.84</b>", {"footnotes": True}, 0.84),
        ("68.4 (±7.1)", {"mean_sd": True}, 68.4),
        ("68.4% (7.1)", {"percent": True, "mean_sd": True}, 68.4),
        ("68.4% ± 7.1 %", {"percent": True, "mean_sd": True}, 68.4),
        ("1,234", {"thousands": True}, 1234),
        ("1,234,567.5", {"thousands": True}, 1234567.5),
        ("1 000.5", {"thousands": True}, 1000.5),
        ("1'000.5", {"thousands": True}, 1000.5),
        ("1.234", {"thousands": True, "decimal_comma": True}, 1234),
        ("1 234,5", {"thousands": True, "decimal_comma": True}, 1234.5),
        ("1.234.567", {"decimal_comma": True}, 1234567),
        ("0.842", {"thousands": True, "decimal_comma": True}, 0.842),
        ("1,234 ± 5.5", {"thousands": True, "mean_sd": True}, 1234),
        ("84.2%", {"percent": True}, 84.2),
        ("84,2 %", {"percent": True, "decimal_comma": True}, 84.2),
        ("−0.5", {}, -0.5),
        ("1e-3", {}, 0.001),
        (".5", {}, 0.5),
        (" 0.5 ", {}, 0.5),
    ],
)
def test_a_cell_on_request(text, options, value):
    assert parse([text], **options).values.tolist() == [value]


@pytest.mark.parametrize(
    "text, cure",
    [
        ("68.4(7.1)", "`mean_sd`"),
        ("68.4 ± 7.1", "`mean_sd`"),
        ("0.84251 (1)", "`footnotes`"),
        ("0.84*", "`footnotes`"),
        ("0,842", "`decimal_comma`"),
        ("84.2%", "`percent`"),
        ("95,3 ± 1,2", "`decimal_comma` if the comma is a decimal comma and `mean_sd` to keep the mean"),
        ("\\textbf{95.3 ± 1.2}", "`mean_sd` to keep the mean and `footnotes` to drop the mark"),
        ("84,2%", "`decimal_comma` .* and `percent`"),
        ("1,234.5", "give `thousands` if digits are grouped in thousands"),
        ("1 000.5", "`thousands`"),
        ("1 000,5", "`decimal_comma` .* and `thousands`"),
        ("1,234", "`decimal_comma` if the comma is a decimal comma, or `thousands` if digits are grouped"),
        ("12,34", "`decimal_comma` if the comma is a decimal comma.$"),
        ("91.2 (±0.3)", "`mean_sd`"),
        ("<b>0.91</b>", "`footnotes`"),
        ("12s", "correct it, or give `missing_marker` '12s' if it marks a missing score.$"),
        ("timeout", "`text_as_missing`"),
        ("inf", "empty the cell"),
        ("-Infinity", "empty the cell"),
        ("1e999", "empty the cell"),
        ("0x10", "not a number"),
        ("1_000", "not a number"),
        ("True", "not a number"),
    ],
)
def test_a_cell_without_request(text, cure):
    with pytest.raises(DataError, match=cure) as error:
        parse(["0.5", text])
    assert str(error.value).startswith("row 1 is ")


def test_extra_markers():
    assert np.isnan(parse(["0.5", "DNF"], missing_marker=["dnf"]).values[1])
    assert np.isnan(parse(["0.5", "-1"], missing_marker="-1").values[1])


def test_text_as_missing_keeps_the_message_but_hides_no_number():
    parsed = parse(["0.5", "crash", "OOM"], text_as_missing=True)
    assert parsed.messages == {1: "crash", 2: "OOM"}
    with refuses(DataError, "decimal_comma"):
        parse(["0.5", "0,8"], text_as_missing=True)


@pytest.mark.parametrize(
    "text",
    ["**0.83**", r"\textbf{0.91}", "0.91*", "0.91 ↑", "91.2 (±0.3)", "1 000.5", "12s", "<b>0.91</b>", "~0.91", "(0.91)",
     "acc = 0.91", "<0.001", "1_000", "0·91", "0.91 (1 fold)", r"$\mathbf{0.91}$", "84.2%", "↑ 3"],
)  # fmt: skip
def test_a_cell_that_carries_a_number_never_becomes_a_hole(text):
    with pytest.raises(DataError) as said:
        parse(["0.5", "OOM", text], text_as_missing=True)
    with pytest.raises(DataError) as plain:
        parse(["0.5", "0.6", text])
    assert str(said.value) == str(plain.value)
    assert "`text_as_missing`" not in str(said.value)


@pytest.mark.parametrize(
    "text",
    ["timeout after 3600.5 s", "OOM (31.5 GB)", "exit code 137", "> 24h", "[Errno 12]", "#DIV/0!", "ValueError: 0.5"],
)
def test_a_message_with_digits_is_a_message(text):
    assert parse(["0.5", text], text_as_missing=True).messages == {1: text}


@pytest.mark.parametrize("cells", [[True, False], pd.to_datetime(["2020-01-01"]), [1.0, np.inf]])
def test_columns_that_are_no_scores(cells):
    with pytest.raises(DataError):
        parse(cells)


@pytest.mark.parametrize(
    "cells, expected",
    [
        (["0.5", "x"], True),
        (["68.4 ± 7.1"], True),
        (["x", "y", "1"], False),
        ([None, None], False),
        (["NA", "?"], False),
        ([1, 2], True),
        ([True], False),
        (["iris"], False),
    ],
)
def test_looking_numeric(cells, expected):
    assert looks_numeric(pd.Series(cells)) is expected


@pytest.mark.parametrize(
    "message, kind",
    [("timed out", "timeout"), ("TO", "timeout"), ("OutOfMemory", "memory"), ("MO", "memory"), ("Tomato", "failed")],
)
def test_kinds_of_failure(message, kind):
    assert failure_kind(message) == kind


@pytest.mark.parametrize("true", [True, np.True_])
def test_true_among_numbers_is_no_number(true):
    with refuses(DataError, "missing_marker", "text_as_missing", where="row 1", cell="'True'"):
        parse(pd.Series([0.5, true, 0.53], dtype=object))


def test_a_number_of_excel_or_json_among_texts_is_what_it_is():
    cells = pd.Series([1.234, "1.100,5", "1.300"], dtype=object)
    assert parse(cells, decimal_comma=True).values.tolist() == [1.234, 1100.5, 1300]
    assert parse(cells, decimal_comma=True, missing_marker="x").values.tolist() == [1.234, 1100.5, 1300]


def test_what_stands_after_plus_minus_is_kept(tmp_path):
    file = tmp_path / "accuracy.csv"
    file.write_text("dataset,svm,rf\na,81.2 ± 0.1,83.3 (0.2)\nb,71.2 +/- 0.3,n/a\nc,60,61.5\n")
    results = podium.read(file, mean_sd=True)
    expected = [[0.1, 0.2], [0.3, np.nan], [np.nan, np.nan]]
    assert np.array_equal(results.scores().deviations, expected, equal_nan=True)
    back = tmp_path / "back.csv"
    results.write_csv(back)
    assert np.array_equal(podium.read(back).scores().deviations, expected, equal_nan=True)


def test_a_column_of_deviations_may_hold_anything(tmp_path):
    file = tmp_path / "accuracy.csv"
    file.write_text("dataset,svm,svm_std,rf,rf_std\na,0.8,0.01,0.7,see text\nb,0.9,-1,0.6,\nc,0.9,inf,0.6,0.3\n")
    deviations = podium.read(file).scores().deviations
    assert np.array_equal(deviations, [[0.01, np.nan], [np.nan, np.nan], [np.nan, 0.3]], equal_nan=True)
