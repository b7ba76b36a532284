"""Malformed inputs: each gives exit code 2 and one sentence that names the cure, never a traceback."""

import io
import json
import os
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from program import answered

GOOD = "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\n"


# name -> (what the file holds, further options, a phrase of the cure)
TEXTS = {
    "empty": ("", [], "needs a header line"),
    "blank lines only": ("\n\n  \n", [], "needs a header line"),
    "header only": ("dataset,svm,knn\n", [], "at least one row"),
    "no header": ("0.5,0.6,0.7\n0.8,0.9,0.4\n", [], "add a header line"),
    "no header, names of rows": ("iris,0.61,0.7\nzoo,0.9,0.4\n", [], "add a header line"),
    "one column": ("accuracy\n0.5\n0.6\n", [], "names and scores side by side"),
    "prose": ("Dear reader,\nthis is a letter,\nnot a table.\n", [], "complete the row"),
    "text for a number": ("dataset,svm,knn\niris,0.9,good\nzoo,0.7,0.6\n", [], "--text-as-missing"),
    "a failure message for a number": (
        "dataset,svm,knn\niris,0.9,timeout after 60 s\nzoo,0.7,0.6\n",
        [],
        "--missing-marker",
    ),
    "all text": ("dataset,svm,knn\niris,good,bad\n", [], "one column per algorithm"),
    "mean and sd": ("dataset,svm,knn\niris,68.4(7.1),60.1(2.2)\n", [], "--mean-sd"),
    "mean plus-minus sd": ("dataset,svm,knn\niris,68.4 ± 7.1,60.1 ± 2.2\n", [], "--mean-sd"),
    "footnotes": ("dataset,svm,knn\niris,0.84251 (1),0.9\n", [], "--footnotes"),
    "stars": ("dataset,svm,knn\niris,0.84*,0.9\n", [], "--footnotes"),
    "bold in LaTeX": ("dataset,svm,knn\niris,\\textbf{0.84},0.9\n", [], "--footnotes"),
    "decimal commas": ("dataset;svm;knn\niris;0,842;0,9\n", [], "--decimal-comma"),
    "percent signs": ("dataset,svm,knn\niris,84.2%,90%\n", [], "--percent"),
    "some percent signs": ("dataset,svm,knn\niris,84.2%,90%\nzoo,84.2,90%\n", ["--percent"], "in one way"),
    "thousands separators": ('dataset,svm,knn\niris,"1,234.5",0.9\n', [], "--thousands"),
    "infinity": ("dataset,svm,knn\niris,inf,0.9\n", [], "empty the cell"),
    "a number too large": ("dataset,svm,knn\niris,1e999,0.9\n", [], "empty the cell"),
    "summary row": (GOOD + "Average,0.8,0.7\n", [], "--summaries"),
    "summary column": ("dataset,svm,knn,Mean\niris,0.9,0.8,0.85\n", [], "--summaries"),
    "a property of datasets": ("dataset,#instances,svm,knn\niris,150,0.9,0.8\n", [], "--ignore-column"),
    "duplicate cells that disagree": (GOOD + "iris,0.1,0.2\n", [], "--repeat-column"),
    "duplicate columns": ("dataset,svm,svm\niris,0.9,0.8\n", [], "rename or delete"),
    "long duplicates that disagree": (
        "algorithm,dataset,accuracy\nsvm,iris,0.9\nsvm,iris,0.8\nknn,iris,0.7\n",
        [],
        "--fold-column",
    ),
    "a column without a name": ("dataset,svm,\niris,0.9,0.8\n", [], "name its algorithm in the header"),
    "a row without a name": ("dataset,svm,knn\niris,0.9,0.8\n,0.7,0.6\n", [], "leave out such rows"),
    "a name with a newline": ('dataset,"sv\nm",knn\niris,0.9,0.8\n', [], "rename it"),
    "a name with an escape": ("dataset,s\x1b[31mvm,knn\niris,0.9,0.8\n", [], "rename it"),
    "an endless name": ("dataset," + "s" * 5000 + ",knn\niris,0.9,0.8\n", [], "shorten it"),
    "a row too long": ("dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6,0.5\n", [], "quotes and separators"),
    "a first row too long": ("dataset,svm,knn\niris,0.9,0.8,0.7,0.6\n", [], "name every column"),
    "a row cut short": ("dataset,svm,knn\niris,0.9,0.8\nzoo,0.7\n", [], "complete the row"),
    "an open quote": ('dataset,svm,knn\niris,"0.9,0.8\nzoo,0.7,0.6\n', [], "quotes"),
    "2,000 columns": (
        "dataset," + ",".join(f"d{i}" for i in range(2000)) + "\nsvm," + ",".join(["0.5"] * 2000) + "\n",
        [],
        "--rows",
    ),
    "two columns could be the scores": ("algorithm,dataset,a,b\nsvm,iris,1,2\nknn,iris,3,4\n", [], "--value-column"),
    "no column of scores": ("algorithm,dataset,comment\nsvm,iris,fine\nknn,iris,bad\n", [], "--value-column"),
    "an option names no column": (GOOD, ["--dataset-column", "task"], "it has 'dataset'"),
    "one column in two roles": (GOOD, ["--dataset-column", "svm", "--fold-column", "svm"], "different column"),
    "an unknown metric": (
        "algorithm,dataset,accuracy\nsvm,iris,1\nknn,iris,3\n",
        ["-m", "acuracy"],
        "did you mean 'accuracy'",
    ),
    "every cell is missing": ("dataset,svm,knn\niris,NA,\nzoo,?,--\n", [], "needs scores"),
    "an uncertain direction": ("algorithm,dataset,quality_x\nsvm,iris,1\nknn,iris,3\n", [], "--direction"),
    "both directions": (GOOD, ["--direction", "higher", "--direction", "lower"], "one word"),
    "an unknown direction": (GOOD, ["--direction", "accuracy=up"], "'higher' or 'lower'"),
    "an unknown layout": (GOOD, ["--layout", "square"], "'auto', 'wide' or 'long'"),
    "a long separator": (GOOD, ["--separator", "::"], "single character"),
    "an unknown encoding": (GOOD, ["--encoding", "klingon"], "try 'utf-8'"),
    "two families for a dataset": (
        "dataset,family,algorithm,accuracy\niris,a,svm,1\niris,b,knn,2\n",
        [],
        "give it one",
    ),
    "a blank fold": ("algorithm,dataset,fold,accuracy\nsvm,iris,1,0.9\nsvm,iris,,0.8\n", [], "fill it in"),
}


@pytest.mark.parametrize("name", TEXTS)
def test_a_malformed_text_gives_one_sentence_with_the_cure(name, tmp_path):
    text, options, cure = TEXTS[name]
    path = tmp_path / "accuracy.csv"
    path.write_text(text, encoding="utf-8")
    code, out, err = answered("show", path, *options)
    assert (code, out) == (2, "")
    assert err.startswith("podium: ")
    assert err.count("\n") == 1
    assert cure in err
    assert "Traceback" not in err


def binary(path):
    path.write_bytes(bytes(range(256)) * 4)


def pickled(path):
    path.write_bytes(b"\x80\x04\x95\x00\x00\x00")


def latin(path):
    path.write_bytes("dataset,svm,knn\nMüller,0.9,0.8\n".encode("latin-1"))


def zipped(path):
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("a.csv", GOOD)


def half_utf16(path):
    path.write_bytes("dataset,svm\niris,0.9\n".encode("utf-16")[:-1])


def a_link_to_nothing(path):
    os.symlink(path.parent / "gone", path)


FILES = {
    "binary": ("scores.csv", binary, "save it as CSV"),
    "pickle": ("scores.pkl", pickled, "save it as CSV"),
    "wrong encoding": ("scores.csv", latin, "--encoding"),
    "half of UTF-16": ("scores.csv", half_utf16, "--encoding"),
    "zip called csv": ("scores.csv", zipped, "unpack it"),
    "zip called xlsx": ("scores.xlsx", zipped, "save it again"),
    "text called xlsx": ("scores.xlsx", lambda path: path.write_text(GOOD), "save it again"),
    "text called parquet": ("scores.parquet", lambda path: path.write_text(GOOD), "write it again"),
    "broken JSON": ("scores.json", lambda path: path.write_text('{"a": ['), "repair it"),
    "JSON of a number": ("scores.json", lambda path: path.write_text("3"), "list of records"),
    "JSON nested without end": ("scores.json", lambda path: path.write_text("[" * 100_000), "repair it"),
    "JSON columns of unequal length": (
        "scores.json",
        lambda path: path.write_text(json.dumps({"dataset": ["a"], "svm": [1, 2]})),
        "list of records",
    ),
    "empty sheet": ("scores.xlsx", lambda path: pd.DataFrame().to_excel(path), "needs a header row"),
    "missing file": ("scores.csv", lambda path: None, "check the path"),
    "link to nothing": ("scores.csv", a_link_to_nothing, "check the path"),
    "empty folder": ("scores", lambda path: path.mkdir(), "one file per algorithm"),
}


@pytest.mark.parametrize("name", FILES)
def test_a_malformed_file_gives_one_sentence_with_the_cure(name, tmp_path):
    file_name, make, cure = FILES[name]
    path = tmp_path / file_name
    make(path)
    code, out, err = answered("show", path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert cure in err
    assert "Traceback" not in err


def test_a_folder_that_mixes_kinds_of_tables_is_refused(tmp_path):
    (tmp_path / "svm_accuracy.csv").write_text("dataset,0,1\niris,0.9,0.8\n")
    (tmp_path / "accuracy.csv").write_text(GOOD)
    code, out, err = answered("show", tmp_path)
    assert (code, out, err.count("\n")) == (2, "", 1)
    assert "folders of their own" in err


def test_a_sheet_that_is_not_there(tmp_path):
    pd.read_csv(io.StringIO(GOOD)).to_excel(tmp_path / "accuracy.xlsx", index=False)
    code, _, err = answered("show", tmp_path / "accuracy.xlsx", "--sheet", "Two")
    assert code == 2
    assert "it has 'Sheet1'" in err


def test_there_are_at_least_thirty_kinds_of_malformed_input():
    assert len(TEXTS) + len(FILES) >= 30


def test_a_file_name_with_a_newline_stays_on_one_line(tmp_path):
    path = Path(tmp_path) / "a\nb.csv"
    path.write_text("dataset,svm\niris,x\n")
    code, _, err = answered("show", path)
    assert (code, err.count("\n")) == (2, 1)
