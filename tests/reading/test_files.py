"""Kinds of files: the same table in every format gives the same results."""

import json
from pkgutil import resolve_name

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import podium
from podium.core.errors import ArgumentError, DataError, MissingPackageError
from podium.reading.formats.pasted import sniff_separator
from podium.reading.registry import FORMATS, endings
from refusals import refuses

WIDE = pd.DataFrame({"dataset": ["iris", "Müller"], "svm": [0.9, None], "knn": [0.8, 0.7]})
TEXT = "dataset,svm,knn\niris,0.9,0.8\nMüller,,0.7\n"
EXPECTED = podium.read(WIDE, metric="accuracy").to_frame()


def same(results):
    pd.testing.assert_frame_equal(results.to_frame(), EXPECTED)


@pytest.mark.parametrize(
    "ending, content",
    {
        ".csv": TEXT.encode(),
        ".CSV": TEXT.replace("\n", "\r\n").encode(),
        ".tsv": TEXT.replace(",", "\t").encode(),
        ".txt": TEXT.replace(",", ";").encode(),
        ".psv": TEXT.replace(",", " | ").encode(),
        "": TEXT.encode("utf-8-sig"),
        ".utf16.csv": TEXT.encode("utf-16"),
        ".blank.csv": b"\n\n" + TEXT.encode() + b"\n\n,,\n",
        ".sep.csv": b"sep=,\r\n" + TEXT.encode(),
        ".quoted.csv": b'"dataset","svm","knn"\n"iris","0.9","0.8"\n"M\xc3\xbcller","","0.7"\n',
        ".r.csv": b'"svm","knn"\n"iris",0.9,0.8\n"M\xc3\xbcller",NA,0.7\n',
        ".jsonl": WIDE.to_json(orient="records", lines=True).encode(),
        ".ndjson": ("\n" + WIDE.to_json(orient="records", lines=True)).replace("\n", "\r\n").encode("utf-8-sig"),
        ".records.json": WIDE.to_json(orient="records").encode(),
        ".split.json": WIDE.set_index("dataset").to_json(orient="split").encode(),
        ".columns.json": json.dumps(WIDE.where(WIDE.notna(), None).to_dict("list")).encode().replace(b"NaN", b"null"),
    }.items(),
)  # fmt: skip
def test_text_files(tmp_path, ending, content):
    path = tmp_path / f"accuracy{ending}"
    path.write_bytes(content)
    same(podium.read(path, metric="accuracy"))


def test_another_encoding(tmp_path):
    path = tmp_path / "accuracy.csv"
    path.write_bytes(TEXT.encode("cp1252"))
    same(podium.read(path, encoding="cp1252"))


def test_excel(tmp_path):
    path = tmp_path / "accuracy.xlsx"
    with pd.ExcelWriter(path) as book:
        WIDE.to_excel(book, sheet_name="one", index=False)
        WIDE.head(1).to_excel(book, sheet_name="two", index=False)
    with refuses(DataError, "sheet"):
        podium.read(path)
    results = podium.read(path, sheet="one")
    same(results)
    assert any("also has 'two'" in note for note in results.notes)
    assert podium.read(path, sheet="two").datasets == ("iris",)
    with pytest.raises(ArgumentError, match="no sheet 'three': it has 'one', 'two'"):
        podium.read(path, sheet="three")


def test_parquet(tmp_path):
    WIDE.to_parquet(tmp_path / "accuracy.parquet")
    same(podium.read(tmp_path / "accuracy.parquet"))


COLUMNS = {"dataset": ["iris", "Müller"], "svm": [0.9, None], "knn": [0.8, 0.7]}
FRAMES = {
    "polars": pl.DataFrame(COLUMNS),
    "lazy": pl.LazyFrame(COLUMNS),
    "categories": pl.DataFrame(COLUMNS).cast({"dataset": pl.Categorical, "svm": pl.Decimal(4, 2)}),
    "pyarrow": pa.table(COLUMNS),
    "dictionary": pa.table({**COLUMNS, "dataset": pa.array(COLUMNS["dataset"]).dictionary_encode()}),
    "series": {name: pl.Series(cells) for name, cells in COLUMNS.items()},
    "arrow arrays": {name: pa.array(cells) for name, cells in COLUMNS.items()},
}


@pytest.mark.parametrize("library", FRAMES)
def test_frames_of_other_libraries(library):
    same(podium.read(FRAMES[library], metric="accuracy"))


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, pa.table])
def test_frames_of_other_libraries_with_nested_cells_are_refused(make):
    with refuses(DataError):
        podium.read(make({"dataset": ["iris", "zoo"], "svm": [[0.9], [0.8]], "knn": [[0.9], [0.7]]}), metric="accuracy")


def test_two_columns_of_one_name_are_refused():
    with refuses(DataError):
        podium.read(pa.table([["iris"], [0.9], [0.8]], names=["dataset", "svm", "svm"]), metric="accuracy")


@pytest.mark.parametrize("make", [pl.DataFrame, pl.LazyFrame, pa.table])
def test_predictions_cases_and_runs_come_in_frames_of_other_libraries(make):
    truth = [1, 0, 1, 1, 0, 1, 0, 0]
    predicted = {"a": truth, "b": [1, 0, 0, 0, 0, 1, 0, 1]}
    with_truth = make({"y": truth, **predicted})
    for found in (
        podium.read(with_truth, truth="y", metric="accuracy"),
        podium.read(make(predicted), truth=pl.Series(truth), metric="accuracy"),
    ):
        assert (found.predicted.to_numpy() == found.truth.to_numpy()[:, None]).mean(axis=0).tolist() == [1.0, 0.625]
    cases = podium.read(make({"case": list("abcdefgh"), **predicted}))
    assert (cases.cases, cases.algorithms) == (tuple("abcdefgh"), ("a", "b"))
    assert podium.cases.agreement(make(predicted)).algorithms == ("a", "b")
    rows = {"agent": ["a", "a", "b", "b"], "game": ["Pong"] * 4, "run": [1, 2, 1, 2], "score": [1.0, 2, 3, 4]}
    assert podium.read(make(rows), unit="run").algorithms == ("a", "b")


def test_pandas_with_index_categories_and_nullable_numbers():
    frame = WIDE.astype({"dataset": "category", "svm": "Float64"})
    same(podium.read(frame, metric="accuracy"))
    same(podium.read(WIDE.set_index("dataset"), metric="accuracy"))


@pytest.mark.parametrize("package, ending", [("openpyxl", ".xlsx"), ("pyarrow.parquet", ".parquet")])
def test_a_missing_package_is_named(tmp_path, monkeypatch, package, ending):
    import sys

    monkeypatch.setitem(sys.modules, package, None)
    (tmp_path / f"a{ending}").write_bytes(b"x")
    with pytest.raises(MissingPackageError, match="pip install 'podium"):
        podium.read(tmp_path / f"a{ending}")


def test_leading_zeros_of_names_stay(tmp_path):
    path = tmp_path / "accuracy.csv"
    path.write_text("dataset,svm,knn\n007,0.9,0.8\n7,0.7,0.6\n")
    assert podium.read(path).datasets == ("007", "7")


def test_names_that_look_missing_stay_names(tmp_path):
    path = tmp_path / "accuracy.csv"
    path.write_text("dataset,nan,NA\nnull,0.9,0.8\nnone,0.7,0.6\n")
    results = podium.read(path)
    assert (results.datasets, results.algorithms) == (("null", "none"), ("nan", "NA"))


def test_another_room_can_read_its_own_kind(tmp_path, monkeypatch):
    expected = podium.example("benavoli2016")
    monkeypatch.setattr("podium.bench.results.results_from_store", lambda path: expected)
    (tmp_path / "a.db").write_bytes(b"SQLite format 3\x00")
    assert podium.read(tmp_path / "a.db") is expected
    assert podium.read(tmp_path / "a.db", metric="accuracy", direction="lower").metric().direction == "lower"
    with refuses(ArgumentError, "footnotes"):
        podium.read(tmp_path / "a.db", footnotes=True)


def test_a_database_says_who_reads_it(tmp_path):
    (tmp_path / "a.sqlite").write_bytes(b"SQLite format 3\x00")
    with pytest.raises(DataError, match="results_from_store"):
        podium.read(tmp_path / "a.sqlite")


@pytest.mark.parametrize("text, separator", [("a;b,c;d\n", ";"), ('"a;b;c",d\n', ","), ("a\tb\n", "\t"), ("a\n", ",")])
def test_sniffing_the_separator(text, separator):
    assert sniff_separator(text) == separator


def test_what_is_no_source():
    with refuses(ArgumentError, "source"):
        podium.read(42)


def test_rows_of_json_that_are_cut_off_are_refused(tmp_path):
    for value in (
        [["dataset", "a", "b"], ["x", 1, 2], ["y", 1]],
        {"columns": ["dataset", "a", "b"], "data": [["x", 1, 2], ["y", 1]]},
    ):
        file = tmp_path / "rows.json"
        file.write_text(json.dumps(value))
        with pytest.raises(DataError, match="holds no table"):
            podium.read(file, metric="accuracy")


@pytest.mark.parametrize(
    "line, message",
    [("{", "line 3, is not valid JSON"), ("[1, 2]", "line 3, is not a record: write one per line, as in")],
)
def test_a_bad_line_of_json_lines_is_named(tmp_path, line, message):
    (tmp_path / "a.jsonl").write_text(f'{{"dataset": "iris", "svm": 1}}\n\n{line}\n')
    with pytest.raises(DataError, match=message):
        podium.read(tmp_path / "a.jsonl", metric="accuracy")


def test_the_registry_has_one_home_per_format_and_no_ending_twice():
    every = endings()
    assert len(set(every)) == len(every)
    assert all(ending == ending.lower() and ending.startswith(".") for ending in every)
    for name, entry in FORMATS.items():
        assert (name, callable(resolve_name(entry.home))) == (entry.name, True)
        assert bool(entry.endings) != bool(entry.recognised)


TRUE = pd.DataFrame({"dataset": ["iris", "zoo", "wine"], "svm": [0.9, True, 0.8], "knn": [0.8, 0.7, 0.6]})


@pytest.mark.parametrize("ending", [".csv", ".json", ".xlsx"])
def test_true_among_scores_is_refused_in_every_format(tmp_path, ending):
    path = tmp_path / f"scores{ending}"
    writers = {".csv": TRUE.to_csv, ".json": TRUE.to_json, ".xlsx": TRUE.to_excel}
    writers[ending](path, **({} if ending == ".json" else {"index": False}))
    with refuses(DataError, "missing_marker", "text_as_missing", cell="'True'"):
        podium.read(path, metric="accuracy")


def test_a_line_break_of_old_systems_before_a_trailing_separator_is_no_traceback(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"dataset;a;\n\riris;1;\n")
    assert podium.read(tmp_path / "a.csv", metric="accuracy").frame["value"].tolist() == [1]


def test_a_file_of_separators_is_empty(tmp_path):
    (tmp_path / "accuracy.csv").write_text(";;\n;;\n")
    with pytest.raises(podium.DataError, match=r"accuracy\.csv is empty"):
        podium.read(tmp_path / "accuracy.csv", separator=";")
