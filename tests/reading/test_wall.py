"""The wall around every format: damage is one sentence, warnings stay inside, and nothing without an end is read."""

import contextlib
import io
import json
import os
import tracemalloc
import warnings
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium
from attacks import ATTACKS
from podium.core.errors import DataError, PodiumError
from podium.reading.options import ReadOptions

FRAME = pd.DataFrame({"dataset": ["iris", "wine", "zoo"], "svm": [0.9, 0.8, 0.7], "knn": [0.8, 0.7, 0.9]})


def excel():
    pytest.importorskip("openpyxl")
    made = io.BytesIO()
    FRAME.to_excel(made, index=False)
    return made.getvalue()


def parquet():
    pytest.importorskip("pyarrow")
    made = io.BytesIO()
    FRAME.to_parquet(made)
    return made.getvalue()


def zipped():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("accuracy.csv", FRAME.to_csv(index=False))
    return made.getvalue()


def arrays(save):
    made = io.BytesIO()
    values = {"a": np.arange(6.0).reshape(3, 2), "b": np.ones((3, 2))}
    np.savez(made, **values) if save == "npz" else np.save(made, values["a"])
    return made.getvalue()


MADE = {
    "accuracy.csv": lambda: FRAME.to_csv(index=False).encode(),
    "accuracy.tex": lambda: FRAME.to_latex(index=False).encode(),
    "accuracy.md": lambda: b"| dataset | svm |\n|---|---|\n| iris | 0.9 |\n",
    "accuracy.json": lambda: FRAME.to_json(orient="records").encode(),
    "accuracy.jsonl": lambda: FRAME.to_json(orient="records", lines=True).encode(),
    "accuracy.xlsx": excel,
    "accuracy.parquet": parquet,
    "accuracy.zip": zipped,
    "accuracy.csv.gz": lambda: __import__("gzip").compress(FRAME.to_csv(index=False).encode(), mtime=0),
    "accuracy.npy": lambda: arrays("npy"),
    "accuracy.npz": lambda: arrays("npz"),
}  # fmt: skip


def store():
    """A database that calls itself a store: its tables are there, and empty."""
    import sqlite3
    import tempfile
    from pathlib import Path

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "s.db")
        with contextlib.closing(sqlite3.connect(path)) as made:
            made.executescript(
                "create table tasks (key text); create table scores (key text, value real); create table suite (text text)"
            )
        return path.read_bytes()


MADE["accuracy.db"] = store


def test_every_format_of_files_is_damaged_here():
    from podium.reading.registry import FORMATS

    lacking = [
        name
        for name, entry in FORMATS.items()
        if entry.endings and not any(file.endswith(entry.endings) for file in MADE)
    ]
    assert not lacking


@pytest.mark.parametrize("name", sorted(MADE.keys() - {"accuracy.db"}))
def test_every_format_of_files_gives_the_numbers_that_were_written(tmp_path, name):
    (tmp_path / name).write_bytes(MADE[name]())
    found = podium.read(tmp_path / name, metric="accuracy")
    written = {"md": [0.9], "npy": np.arange(6.0), "npz": [*np.arange(6.0), *np.ones(6)]}
    values = found.frame["value"] if hasattr(found, "frame") else found.values.ravel()
    assert sorted(values) == sorted(written.get(name[9:], FRAME[["svm", "knn"]].to_numpy().ravel()))


def tried(source, **options):
    """Read with every warning an error of the test; what is refused is one line."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return podium.read(source, **options)
        except PodiumError as error:
            refused = str(error)
    assert "\n" not in refused
    return None


@pytest.mark.parametrize("name", MADE)
def test_bits_and_bytes_that_changed_never_leave_a_traceback(tmp_path, name):
    whole = MADE[name]()
    path = tmp_path / name
    rng = np.random.default_rng(len(name))
    for _ in range(ATTACKS * 3 // 2 or 25):  # of eleven formats: 3,300 in `make attack`
        data = bytearray(whole)
        for place in rng.integers(len(data), size=rng.integers(1, 4)):
            data[place] ^= 1 << int(rng.integers(8))
        path.write_bytes(bytes(data[: rng.integers(1, len(data) + 1)] if rng.random() < 0.3 else data))
        tried(path, metric="accuracy")


def test_a_broken_header_of_an_array(tmp_path):
    path = tmp_path / "a.npy"
    path.write_bytes(arrays("npy").replace(b"'descr': '<f8'", b"'descr': (<f8'"))
    with pytest.raises(PodiumError, match=r"a\.npy is damaged or not what its name says"):
        podium.read(path)


@pytest.mark.parametrize("digits", [400, 5000])
@pytest.mark.parametrize("name", ["a.json", "a.jsonl"])
def test_an_integer_of_many_digits(tmp_path, digits, name):
    text = f'{{"dataset": "x", "svm": {"9" * digits}, "knn": 1}}'
    (tmp_path / name).write_text(text if name.endswith("l") else f"[{text}]")
    with pytest.raises(PodiumError, match=r"too large|not a number|infinite"):
        podium.read(tmp_path / name, metric="rmse")


@pytest.mark.parametrize("digits", [25, 320, 5000])
@pytest.mark.parametrize(
    "rows",
    [
        "dataset,svm,knn\na,0.5,0.6\nb,{},0.7\nc,0.3,0.4",
        "case,svm,knn,seen\na,1,0,{}\nb,0,1,3\nc,1,1,4",
        "algorithm,dataset,accuracy\nA,x,-{}\nB,x,1\nA,y,2\nB,y,3",
    ],
    ids=["wide", "cases", "long"],
)
def test_an_integer_of_many_digits_in_a_text(tmp_path, rows, digits):
    (tmp_path / "a.csv").write_text(rows.format("9" * digits) + "\n")
    tried(tmp_path / "a.csv", metric="accuracy")


@pytest.mark.parametrize("value", ["inf", "1e309", "1e308", "-1.7e308"])
def test_values_at_the_end_of_the_numbers_warn_nobody(tmp_path, value):
    (tmp_path / "rmse.csv").write_text(f"dataset,a,b,c\nx,1,2,{value}\ny,2,3,4\nz,3,{value},5\n")
    tried(tmp_path / "rmse.csv")


# --- What has no end -------------------------------------------------------------------------------------------------


def test_a_device_and_a_link_to_one_are_refused(tmp_path):
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    for source in ("/dev/zero", tmp_path / "zero.csv"):
        with pytest.raises(PodiumError, match="is a device"):
            podium.read(source)


def test_a_folder_with_a_pipe_and_a_device_is_read_without_them(tmp_path):
    (tmp_path / "svm.csv").write_text("dataset,accuracy\nx,0.5\ny,0.6\n")
    (tmp_path / "knn.csv").write_text("dataset,accuracy\nx,0.4\ny,0.7\n")
    os.mkfifo(tmp_path / "pipe.csv")
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "zero.csv").symlink_to("/dev/zero")
    assert podium.read(tmp_path).algorithms == ("knn", "svm")
    for name in ("dqn", "ppo"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"Pong": [1, 2], "Alien": [3, 4]}))
    assert podium.read(tmp_path, unit="run").algorithms == ("dqn", "ppo")


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="there is no /proc on this machine")
@pytest.mark.parametrize("special", ["/proc/kmsg", "/proc/self/environ"])
def test_a_folder_with_a_link_into_proc_is_read_without_it(tmp_path, special):
    """The system makes such files as they are read: /proc/kmsg has no end for who may open it."""
    for name, score in (("svm", 0.5), ("knn", 0.4)):
        (tmp_path / f"{name}.csv").write_text(f"dataset,accuracy\nx,{score}\ny,0.6\n")
    for ending in ("csv", "json", "jsonl", "log", "npy", "txt", "md", "yaml"):
        (tmp_path / f"special.{ending}").symlink_to(special)
    results = podium.read(tmp_path)
    assert results.algorithms == ("knn", "svm")
    assert any(
        "without 'special.csv', 'special.jsonl' and 'special.txt', which are not regular files" in note
        for note in results.notes
    )
    for name in ("dqn", "ppo"):
        (tmp_path / f"{name}.json").write_text(json.dumps({"Pong": [1, 2], "Alien": [3, 4]}))
    assert podium.read(tmp_path, unit="run").algorithms == ("dqn", "ppo")
    for source in (special, tmp_path / "special.csv"):
        with pytest.raises(PodiumError, match="not a file"):
            podium.read(source)


def test_a_file_above_the_limit_is_refused_before_it_is_read(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_LARGEST_FILE", "1")
    (tmp_path / "big.csv").write_text("dataset,a,b\n" + "x,1,2\n" * 200_000)
    with pytest.raises(PodiumError, match=r"big\.csv has more than 1 MB: .* PODIUM_LARGEST_FILE to more megabytes"):
        podium.read(tmp_path / "big.csv")
    monkeypatch.setenv("PODIUM_LARGEST_FILE", "a lot")
    with pytest.raises(PodiumError, match="must be a number of megabytes"):
        podium.read(tmp_path / "big.csv")


def test_arrays_that_unpack_to_more_are_refused(tmp_path, monkeypatch):
    monkeypatch.setenv("PODIUM_LARGEST_FILE", "1")
    np.savez_compressed(tmp_path / "bomb.npz", a=np.zeros((300, 500)))
    assert (tmp_path / "bomb.npz").stat().st_size < 10_000
    with pytest.raises(PodiumError, match=r"bomb\.npz unpacks to more than 1 MB"):
        podium.read(tmp_path / "bomb.npz", metric="accuracy", unit="run")


def test_a_sheet_of_one_long_column_is_not_called_empty(tmp_path, monkeypatch):
    from podium.reading.formats import excel

    monkeypatch.setattr(excel, "ENOUGH", 10)
    pd.DataFrame({"score": range(50)}).to_excel(tmp_path / "one.xlsx", index=False)
    with pytest.raises(
        PodiumError, match=r"Sheet 'Sheet1' of one\.xlsx has one column only: it needs names and scores"
    ):
        podium.read(tmp_path / "one.xlsx")
    above = [[f"note {i}", None, None] for i in range(6)]
    rows = [*above, ["dataset", "a", "b"], ["x", 0.5, 0.6], ["y", 0.4, 0.7]]
    pd.DataFrame(rows).to_excel(tmp_path / "table.xlsx", index=False, header=False)
    assert excel.open_excel(tmp_path / "table.xlsx", ReadOptions()).n_rows > 0


@pytest.mark.parametrize("source", ["", "  ", "x" * 5000, "x" * 5000 + ".json", "a\0b.csv"])
def test_texts_that_are_no_paths(source):
    with pytest.raises(PodiumError) as refused:
        podium.read(source)
    assert len(str(refused.value)) < 400


def test_a_large_folder_is_read_file_by_file_once(tmp_path, monkeypatch):
    """Each file is looked at once to see whether it is a log, and opened once."""
    from podium.reading.logs import find

    for i in range(30):
        (tmp_path / f"a{i}.csv").write_text(f"dataset,accuracy\nx,0.{i + 10}\ny,0.{i + 20}\n")
    seen = []
    head_of = find.head_of
    monkeypatch.setattr(find, "head_of", lambda path: (seen.append(path), head_of(path))[1])
    assert len(podium.read(tmp_path).algorithms) == 30
    assert len(seen) == 30


@pytest.mark.parametrize(
    "odd",
    [
        None,
        "other header",
        "a blank score",
        "a quoted name",
        "all quoted",
        "algorithms inside",
        "two metrics",
        "words as folds",
        "a failure",
    ],
)
def test_many_files_read_together_are_as_one_by_one(tmp_path, monkeypatch, odd):
    from podium.reading.formats import folder

    for i in range(160):
        rows = [f"d{j},{j % 2},0.{(7 * i + 13 * j) % 90 + 10}" for j in range(6)]
        header = "dataset,fold,accuracy"
        last = {"a blank score": "d9,0,", "a quoted name": '"d,9",0,0.5', "a failure": "d9,0,timeout"}
        rows += [last[odd]] if odd in last and i == 70 else []
        if odd == "other header" and i == 70:
            header, rows = "fold,dataset,accuracy", [",".join((row[3], row[:2], row[5:])) for row in rows]
        if odd == "two metrics":
            header, rows = f"{header},train_time", [f"{row},{i + 1}" for row in rows]
        if odd == "words as folds":
            rows = [row.replace(",1,", ",fold 1,").replace(",0,", ",fold 0,") for row in rows]
        if odd == "algorithms inside":
            header, rows = f"model,{header}", [f"alg{(i + j) % 160},{row}" for j, row in enumerate(rows)]
        if odd == "all quoted":
            header, *rows = (",".join(f'"{cell}"' for cell in row.split(",")) for row in (header, *rows))
        (tmp_path / f"alg{i:03}.csv").write_text("\n".join([header, *rows]) + "\n")
    options = {"text_as_missing": odd == "a failure"}
    opened = []
    one = folder._one
    monkeypatch.setattr(folder, "_one", lambda *given: (opened.append(given[1]), one(*given))[1])
    together = podium.read(tmp_path, **options)
    assert len(opened) <= 3
    monkeypatch.setattr(folder, "MANY_FILES", 1000)
    one_by_one = podium.read(tmp_path, **options)
    rows, wanted = together.frame, one_by_one.frame
    if odd == "two metrics":  # the scores of all files stand before their times
        rows, wanted = (frame.sort_values([*frame.columns[:5]], ignore_index=True) for frame in (rows, wanted))
    pd.testing.assert_frame_equal(rows, wanted)
    assert together.notes == one_by_one.notes
    assert together.reading == one_by_one.reading


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (b"", "alg70.csv is empty"),
        (b"dataset,fold,accuracy\nd0,0\n", "alg70.csv, line 2: 2 cells where the header has 3"),
        (b"dataset,fold,accuracy\nd0,0,broken\n", "alg70.csv"),
        (b"dataset,fold,accuracy\nd0,0,0.5\nd0,0,0.6\n", "'alg70' has 2 scores that disagree"),
        (b"dataset,fold,accuracy\nd\xff,0,0.5\n", "alg70.csv is not UTF-8 text"),
        (b"PK\x03\x04dataset,fold,accuracy", "alg70.csv is a zip archive"),
    ],
)
def test_a_damaged_file_among_many_is_named(tmp_path, text, sentence):
    for i in range(100):
        (tmp_path / f"alg{i}.csv").write_text(f"dataset,fold,accuracy\nd0,0,0.{i + 100}\nd1,0,0.{i + 300}\n")
    (tmp_path / "alg70.csv").write_bytes(text)
    with pytest.raises(PodiumError, match=sentence):
        podium.read(tmp_path)


@pytest.mark.parametrize("ending", ["gz", "bz2", "xz", "zip"])
def test_a_small_packed_file_takes_little_memory(tmp_path, ending):
    """`read` of as many bytes as are allowed took two gigabytes for any file, and failed where there were fewer."""
    frame = pd.DataFrame({"dataset": list("uvwxyz"), "A": np.linspace(0.1, 0.6, 6), "B": np.linspace(0.2, 0.5, 6)})
    path = tmp_path / f"accuracy.csv.{ending}"
    frame.to_csv(path, index=False)
    podium.read(path)  # what is loaded at the first time is not counted
    tracemalloc.start()
    try:
        podium.read(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 20e6


@pytest.mark.parametrize("ending", [".csv", ".json", ".tsv"])
def test_a_column_name_without_end_is_refused_before_words_are_looked_for_in_it(tmp_path, ending):
    """Some patterns take the square of its length: 100,000 letters would take minutes."""
    name, path = "n" * 100_000, tmp_path / f"long{ending}"
    if ending == ".json":
        path.write_text(json.dumps([{"dataset": f"d{i}", name: i / 9, "B": i / 8} for i in range(8)]))
    else:
        sign = "," if ending == ".csv" else "\t"
        rows = [["dataset", name, "B"], *([f"d{i}", str(i / 9), str(i / 8)] for i in range(8))]
        path.write_text("".join(f"{sign.join(row)}\n" for row in rows))
    with pytest.raises(DataError, match=r"A column name of .* has 100000 characters \('nnn.*: shorten it"):
        podium.read(path)


@pytest.mark.parametrize("signs", ["xy", "-"])
@pytest.mark.parametrize("row", ["{},0.5,0.6", "a,{},0.6"], ids=["a name", "a score"])
def test_a_cell_without_end_is_read(tmp_path, row, signs):
    """Patterns of names took minutes for one of this length."""
    (tmp_path / "a.csv").write_text(f"dataset,svm,knn\n{row.format(signs * 50_000)}\nb,0.7,0.6\n")
    tried(tmp_path / "a.csv", metric="accuracy")
