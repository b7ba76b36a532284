"""Packed files, tables pasted from elsewhere, several header rows and sheets: the table, or a question."""

import bz2
import gzip
import json
import lzma
import zipfile

import openpyxl
import pandas as pd
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from refusals import refuses

CSV = "dataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\n"
RECORDS = [{"dataset": "iris", "svm": 0.9, "knn": 0.8}, {"dataset": "zoo", "svm": 0.7, "knn": 0.6}]
LINES = "\n".join(map(json.dumps, RECORDS))
FRAME = pd.DataFrame(RECORDS)
VALUES = [[0.9, 0.8], [0.7, 0.6]]


def read_back(path, **options):
    table = podium.read(path, metric="accuracy", **options).scores("accuracy").table()
    assert table.datasets == ("iris", "zoo")
    assert tuple(name.lower() for name in table.algorithms) == ("svm", "knn")
    assert table.values.tolist() == VALUES


@pytest.mark.parametrize(
    "text, inner", [(CSV, "csv"), (json.dumps(RECORDS), "json"), (LINES, "jsonl"), (LINES, "ndjson")]
)
@pytest.mark.parametrize("pack, ending", [(gzip.compress, "gz"), (bz2.compress, "bz2"), (lzma.compress, "xz")])
def test_packed_by_itself(tmp_path, text, inner, pack, ending):
    path = tmp_path / f"scores.{inner}.{ending}"
    path.write_bytes(pack(text.encode()))
    read_back(path)


def zipped(path, **files):
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name.replace("__", "/"), text)
    return path


def test_a_zip_archive_with_one_table(tmp_path):
    read_back(
        zipped(tmp_path / "a.zip", **{"readme.md": "hello", "out/scores.csv": CSV, "__MACOSX/out/._scores.csv": "x"})
    )


def test_a_zip_archive_with_several_tables_asks_which(tmp_path):
    path = zipped(tmp_path / "a.zip", **{"one.csv": CSV, "two.csv": CSV.replace("0.9", "0.1")})
    with refuses(DataError, "sheet"):
        podium.read(path, metric="accuracy")
    read_back(path, sheet="one.csv")
    with pytest.raises(ArgumentError, match=r"no table 'three\.csv'"):
        podium.read(path, metric="accuracy", sheet="three.csv")


def test_a_zip_archive_without_a_table(tmp_path):
    with pytest.raises(DataError, match="has no table in it"):
        podium.read(zipped(tmp_path / "a.zip", **{"readme.md": "hello"}))


def test_a_folder_of_packed_files(tmp_path):
    for name in ("svm", "WEASEL-2.0"):
        (tmp_path / f"{name}_accuracy.csv.gz").write_bytes(gzip.compress(b"dataset,0,1\niris,0.9,0.8\nzoo,0.7,0.6\n"))
    assert podium.read(tmp_path).scores().algorithms == ("WEASEL-2.0", "svm")


@pytest.mark.parametrize("ending", [".csv.gz", ".zip", ".csv.xz"])
def test_broken_packed_files(tmp_path, ending):
    path = tmp_path / f"scores{ending}"
    path.write_bytes(b"PK rubbish" * 10)
    with pytest.raises(DataError, match="pack it again"):
        podium.read(path)


def test_bombs_are_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_LARGEST_FILE", "1")
    path = tmp_path / "scores.csv.gz"
    path.write_bytes(gzip.compress(bytes(2_000_000)))
    with pytest.raises(DataError, match="unpacks to more than 1 MB"):
        podium.read(path)
    with pytest.raises(DataError, match="has more than 1 MB"):
        podium.read(zipped(tmp_path / "a.zip", **{"scores.csv": bytes(2_000_000)}))


def test_gzip_without_its_ending(tmp_path):
    (tmp_path / "scores.csv").write_bytes(gzip.compress(CSV.encode()))
    with pytest.raises(DataError, match="packed with gzip"):
        podium.read(tmp_path / "scores.csv")


PASTED = {
    "aligned": "dataset   svm   knn\niris      0.9   0.8\nzoo       0.7   0.6\n",
    "printed by pandas": "       svm   knn\niris   0.9   0.8\nzoo    0.7   0.6\n",
    "R's write.table": '"svm" "knn"\n"iris" 0.9 0.8\n"zoo" 0.7 0.6\n',
    "comments": "# made by me\n# on monday, at noon\ndataset,svm,knn\niris,0.9,0.8\n# note\nzoo,0.7,0.6\n",
    "a header behind #": "# dataset svm knn\niris 0.9 0.8\nzoo 0.7 0.6\n",
    "Markdown": "| dataset | svm | knn |\n|:---|---:|---|\n| iris | 0.9 | 0.8 |\n| zoo | 0.7 | 0.6 |\n",
    "LaTeX": "\\begin{tabular}{lrr}\n\\toprule\nDataset & SVM & kNN \\\\\n\\midrule\niris & 0.9 & 0.8 \\\\[2pt]\n"
    "zoo & 0.7 & 0.6 \\\\\n\\bottomrule\n\\end{tabular}\n",
    "rows of LaTeX": "Dataset & SVM & kNN \\\\ \\hline\niris & 0.9 & 0.8 \\\\\nzoo & 0.7 & 0.6 \\\\ \\hline\n",
    "separators at the end of rows": "dataset,svm,knn\niris,0.9,0.8,\nzoo,0.7,0.6,\n",
    "separators at the end of lines": "dataset;svm;knn;\niris;0.9;0.8;\nzoo;0.7;0.6;\n",
    "a title": "Table 3: results,,\ndataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\n",
    "mean and deviation below each name": ",svm,,knn,\ndataset,mean,std,mean,std\niris,0.9,0.01,0.8,0.01\nzoo,0.7,0.02,0.6,0.01\n",
    "a pivot table": ",accuracy,accuracy,fit_time,fit_time\nalgorithm,svm,knn,svm,knn\ndataset,,,,\niris,0.9,0.8,1,2\nzoo,0.7,0.6,1,2\n",
    "one word above all": ",Test scores,\ndataset,svm,knn\niris,0.9,0.8\nzoo,0.7,0.6\n",
}  # fmt: skip


@pytest.mark.parametrize("what", PASTED)
def test_pasted(tmp_path, what):
    path = tmp_path / "scores.txt"
    path.write_text(PASTED[what])
    read_back(path)


def test_a_row_of_holes_below_repeated_names_is_no_header(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,svm,knn,knn\niris,NA,NA,NA\nzoo,0.7,0.6,0.6\nwine,0.5,0.4,0.4\n")
    results = podium.read(path, metric="accuracy")
    assert "iris" in results.datasets or any("iris" in note for note in results.notes)
    path.write_text("dataset,svm,knn,knn\niris,timeout,timeout,timeout\nzoo,0.7,0.6,0.6\nwine,0.5,0.4,0.4\n")
    results = podium.read(path, metric="accuracy", text_as_missing=True)
    assert "iris" in results.datasets or any("iris" in note for note in results.notes)


def test_ampersands_and_backslashes_alone_are_no_latex(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text("dataset,svm,R&B\nC:\\\\data,0.9,0.8\nzoo,0.7,0.6\n")
    assert podium.read(path, metric="accuracy").algorithms == ("svm", "R&B")


def test_markdown_with_an_empty_corner(tmp_path):
    path = tmp_path / "scores.md"
    path.write_text("|| svm | knn |\n|---|---|---|\n| iris | 0.9 | 0.8 |\n| zoo | 0.7 | 0.6 |\n")
    read_back(path)


def test_names_with_blanks_in_aligned_text(tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("dataset        svm   knn\nbreast cancer  0.9   0.8\nzoo            0.7   0.6\n")
    assert podium.read(path, metric="accuracy").datasets == ("breast cancer", "zoo")


def test_a_blank_cell_in_aligned_text_is_asked_for(tmp_path):
    path = tmp_path / "scores.txt"
    path.write_text("dataset   svm   knn\niris      0.9      \nzoo       0.7   0.6\n")
    with pytest.raises(DataError, match=r"row 1 below the header: 2 cells where the header has 3.*write NA"):
        podium.read(path, metric="accuracy")


@pytest.mark.parametrize("text", ["svm,\nsvm,knn\n0.1,0.2,0.3\n", "svm,,knn,\n,b\n0.1,0.2\n"])
def test_names_above_names_with_rows_of_another_width_are_refused(tmp_path, text):
    path = tmp_path / "accuracy.csv"
    path.write_text(text)
    with pytest.raises(DataError, match=r"same number of cells in every row|2 cells where the header has 4"):
        podium.read(path)


def test_two_header_rows_that_say_too_little_are_asked_about(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(",A,,B,\ndataset,x,y,x,y\niris,0.9,0.01,0.8,0.01\nzoo,0.7,0.02,0.6,0.01\n")
    with pytest.raises(DataError, match=r"2 header rows .'A', 'B' over 'x', 'y'.: join them"):
        podium.read(path, metric="accuracy")


def test_folds_below_algorithms(tmp_path):
    path = tmp_path / "scores.csv"
    path.write_text(
        "dataset,svm,svm,knn,knn\n,fold 1,fold 2,fold 1,fold 2\niris,0.9,0.8,0.7,0.6\nzoo,0.5,0.4,0.3,0.2\n"
    )
    scores = podium.read(path, metric="accuracy").scores()
    assert scores.algorithms == ("svm", "knn")
    assert scores.values[:, :, 0].tolist() == [[[0.9, 0.8], [0.7, 0.6]], [[0.5, 0.4], [0.3, 0.2]]]


def test_a_pivot_table_in_pandas():
    long = pd.DataFrame(
        [(d, a, m, v) for m in ("accuracy", "fit_time") for d, row in zip(("iris", "zoo"), VALUES, strict=True)
         for a, v in zip(("svm", "knn"), row, strict=True)], columns=["dataset", "algorithm", "metric", "value"],
    )  # fmt: skip
    pivot = long.pivot_table(index="dataset", columns=["metric", "algorithm"], values="value")
    table = podium.read(pivot).scores("accuracy").table()
    assert table.datasets == ("iris", "zoo")
    assert {a: table.values[:, i].tolist() for i, a in enumerate(table.algorithms)} == {
        "svm": [0.9, 0.7],
        "knn": [0.8, 0.6],
    }


def test_excel_with_two_header_rows_and_merged_cells(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (
        ["Results of 2024", None, None, None, None],
        ["dataset", "accuracy", None, "fit time", None],
        [None, "svm", "knn", "svm", "knn"],
        ["iris", 0.9, 0.8, 1, 2],
        ["zoo", 0.7, 0.6, 1, 2],
    ):
        sheet.append(row)
    for cells in ("A1:E1", "A2:A3", "B2:C2", "D2:E2"):
        sheet.merge_cells(cells)
    book.save(tmp_path / "scores.xlsx")
    read_back(tmp_path / "scores.xlsx")


def test_excel_with_a_score_merged_over_two_datasets_is_refused(tmp_path):
    book = openpyxl.Workbook()
    for row in (["dataset", "svm", "knn"], ["iris", 0.9, 0.8], ["zoo", None, 0.7]):
        book.active.append(row)
    book.active.merge_cells("B2:B3")
    book.save(tmp_path / "accuracy.xlsx")
    with pytest.raises(DataError, match=r"the score 0.9 is one merged cell \(B2:B3\)"):
        podium.read(tmp_path / "accuracy.xlsx")


def test_hidden_rows_and_columns_of_excel_are_told(tmp_path):
    book = openpyxl.Workbook()
    for row in (
        ["dataset", "svm", "knn", "lda"],
        ["iris", 0.9, 0.8, 0.7],
        ["zoo", 0.8, 0.7, 0.6],
        ["wine", 0.7, 0.6, 0.5],
    ):
        book.active.append(row)
    book.save(tmp_path / "accuracy.xlsx")
    assert not any("hidden" in note for note in podium.read(tmp_path / "accuracy.xlsx").notes)
    book.active.row_dimensions[3].hidden = book.active.column_dimensions["C"].hidden = True
    book.active.column_dimensions.group("F", "XFD", hidden=True)  # beyond the table
    book.save(tmp_path / "accuracy.xlsx")
    found = podium.read(tmp_path / "accuracy.xlsx")
    assert found.scores().datasets == ("iris", "zoo", "wine")
    assert (
        "accuracy.xlsx has 1 hidden row and 1 hidden column, which were read too: delete what is not to count."
        in found.notes
    )


def test_excel_with_datasets_merged_over_their_folds(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    rows = [
        ["dataset", "fold", "svm", "knn"],
        ["iris", 1, 0.9, 0.8],
        [None, 2, 0.8, 0.7],
        ["zoo", 1, 0.7, 0.6],
        [None, 2, 0.6, 0.5],
    ]
    for row in rows:
        sheet.append(row)
    sheet.merge_cells("A2:A3")
    sheet.merge_cells("A4:A5")
    book.create_sheet("notes").append(["made by hand"])
    book.save(tmp_path / "scores.xlsx")
    scores = podium.read(tmp_path / "scores.xlsx", metric="accuracy").scores()
    assert scores.datasets == ("iris", "zoo")
    assert scores.values[:, :, 0].tolist() == [[[0.9, 0.8], [0.8, 0.7]], [[0.7, 0.6], [0.6, 0.5]]]


@pytest.mark.parametrize("orient", ["records", "split", "table", "columns", "index"])
def test_every_orient_of_pandas(tmp_path, orient):
    path = tmp_path / "scores.json"
    FRAME.to_json(path, orient=orient)
    read_back(path)


def test_values_without_names_are_refused(tmp_path):
    FRAME.to_json(tmp_path / "scores.json", orient="values")
    with pytest.raises(DataError, match="holds no table"):
        podium.read(tmp_path / "scores.json", metric="accuracy")


def test_a_row_that_starts_like_a_comment_is_counted_and_noted(tmp_path):
    path = tmp_path / "accuracy.csv"
    path.write_text("dataset,svm,knn\niris,0.9,0.8\n#wine,0.7,0.6\nzoo,0.5,0.4\n")
    results = podium.read(path)
    assert results.datasets == ("iris", "#wine", "zoo")
    assert "The row '#wine,0.7,0.6' starts with # and is counted: delete it if it is a comment." in results.notes


@pytest.mark.parametrize(
    "name, text",
    [
        ("nested.json", '{"a": {"iris": 0.5, "zoo": 0.6, "iris": 0.9}, "b": {"iris": 0.4, "zoo": 0.5}}'),
        ("records.json", '[{"dataset": "iris", "a": 0.5, "iris": 0.6, "iris": 0.4}]'),
        ("lines.jsonl", '{"dataset": "zoo", "iris": 1}\n{"dataset": "zoo", "iris": 0.5, "iris": 0.6}\n'),
        ("runs.json", '{"dqn": {"iris": [1, 2], "iris": [3, 4]}, "ppo": {"iris": [1, 2]}}'),
    ],
)
def test_a_key_that_occurs_twice_is_refused(tmp_path, name, text):
    (tmp_path / name).write_text(text)
    with pytest.raises(podium.DataError, match=f"{name}.* has the key 'iris' more than once in one object: rename"):
        podium.read(tmp_path / name, metric="accuracy", rows="datasets")
