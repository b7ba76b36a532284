"""The filter of rows: a small language that runs nothing, and shows what it does not understand."""

import contextlib
import operator

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.core.errors import ArgumentError, DataError
from podium.reading.formats.frames import sheet_of_frame
from podium.reading.where import filtered, parsed
from refusals import refuses

FRAME = pd.DataFrame(
    {
        "constraint": ["4h8c", "1h8c", "4h8c", None],
        "fold": [0, 1, 2, 3],
        "my col": [1.5, None, 2, "x"],
        "and": [1, 2, 3, 4],
    }
)
SHEET = sheet_of_frame(FRAME, label="f.csv")


@pytest.mark.parametrize(
    "where, folds",
    [
        ("constraint == '4h8c'", [0, 2]),
        ("constraint=='4h8c'and fold<2", [0]),
        ('constraint != "4h8c"', [1, 3]),
        ("constraint == ''", [3]),
        ("fold in [0, 3]", [0, 3]),
        ("fold not in [0, 3]", [1, 2]),
        ("(fold == 1) and constraint in ('1h8c',)", [1]),
        ("constraint in ['1h8c', '']", [1, 3]),
        ("fold >= 1 and fold <= 2.0", [1, 2]),
        ("fold > -1e3 and fold != 2", [0, 1, 3]),
        ("fold == '1'", [1]),
        ("`my col` >= 2", [2]),
        ("'my col' == 'x'", [3]),
        ("'my col' != 2", [0, 1, 3]),
        ("`and` == 4", [3]),
        ("Constraint == '1h8c'", [1]),
    ],
)
def test_rows(where, folds):
    kept = filtered(SHEET, where)
    assert kept.column(1).tolist() == folds
    assert kept.notes == (f"{len(folds)} of 4 rows were kept, those with {where}.",)


@pytest.mark.parametrize(
    "where, part, words",
    [
        ("constraint = '4h8c'", "constraint = '4h8c'", "=="),
        ("constraint == 4h8c", "4h8c", "strings in quotes"),
        ("fold < 'a'", "'a'", "a number after <"),
        ("fold == 1 or fold == 2", "fold == 1 or fold == 2", "only `and`"),
        ("fold == 1 & x == 2", "fold == 1 & x == 2", "only `and`"),
        ("", "", "=="),
        ("fold", "fold", "=="),
        ("fold in [1 2]", "1 2]", "in [...]"),
        ("fold == 1 and", "", "conditions"),
        ("fold == 1)", "", "not understood"),
        ("__import__('os').system('true') == 1", "__import__('os').system('true')", "not understood"),
        ("fold == 'a", "'a", "strings in quotes"),
        ("fold == True", "True", "a number, or a text in quotes"),
        ("and == 4", "and == 4", "conditions"),
        ("1 < fold < 5", "1 < fold < 5", "conditions"),
        ("fold.__class__.__mro__ == 1 and x", "x", "conditions"),
    ],
)
def test_errors_show_the_part(where, part, words):
    with pytest.raises(ArgumentError) as caught:
        parsed(where)
    assert words in str(caught.value)
    assert caught.value.fields["part"] == part


def test_names_that_are_no_names_in_python():
    columns = [
        each.column for each in parsed("top-1% > 5 and class == 'a' and `é x` not in [1] and lambda in (0.1, 1)")
    ]
    assert columns == ["top-1%", "class", "é x", "lambda"]


def test_no_row_or_no_column_or_no_number():
    with refuses(DataError, "where", column="'fold'"):
        filtered(SHEET, "fold > 99")
    with refuses(ArgumentError, "where"):
        filtered(SHEET, "zzz == 1")
    with refuses(DataError, "where"):
        filtered(SHEET, "constraint < 3")


OPERATORS = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@given(
    st.lists(st.integers(-5, 5), min_size=1, max_size=20),
    st.lists(st.tuples(st.sampled_from(list(OPERATORS)), st.integers(-5, 5)), min_size=1, max_size=3),
)
def test_numbers_as_pandas_would(numbers, conditions):
    sheet = sheet_of_frame(pd.DataFrame({"a b": numbers, "k": 1}), label="f")
    expected = [n for n in numbers if all(OPERATORS[sign](n, value) for sign, value in conditions)]
    where = " and ".join(f"'a b' {sign} {value}" for sign, value in conditions)
    if expected:
        assert filtered(sheet, where).column(0).tolist() == expected
    else:
        with refuses(DataError, "where"):
            filtered(sheet, where)


@given(st.text(max_size=40))
def test_any_text_is_a_filter_or_refused(text):
    with contextlib.suppress(ArgumentError):
        assert parsed(text)


def test_reading_with_a_filter_says_so():
    frame = pd.DataFrame({"dataset": ["iris", "zoo", "iris", "zoo"], "limit": ["1h", "1h", "4h", "4h"],
                          "svm": [0.9, 0.8, 0.7, 0.6], "knn": [0.8, 0.9, 0.6, 0.5]})  # fmt: skip
    results = podium.read(frame, metric="accuracy", where="limit == '4h'", ignore_column="limit")
    assert results.scores().table().values.tolist() == [[0.7, 0.6], [0.6, 0.5]]
    assert any("2 of 4 rows were kept" in note for note in results.notes)


def test_what_has_no_rows_takes_no_filter():
    with refuses(ArgumentError, "where"):
        podium.read({"svm": {"x": [0.9, 0.8]}, "knn": {"x": [0.8, 0.7]}}, metric="accuracy", where="fold == 1")
