"""`podium show`, run as the shell runs it."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import podium
from podium.cli import main

DATA = Path(podium.__file__).parent / "data"


@pytest.fixture
def show(monkeypatch, capsys):
    def run(*words):
        monkeypatch.setattr("sys.argv", ["podium", "show", *map(str, words)])
        monkeypatch.setenv("COLUMNS", "80")
        with pytest.raises(SystemExit) as exit_:
            main.run()
        out, err = capsys.readouterr()
        assert exit_.value.code in (0, None), err
        return out

    return run


def test_the_table_with_six_missing_cells(show):
    out = show(DATA / "benavoli2016" / "accuracies.csv")
    assert "54 datasets x 7 algorithms" in out.replace("\n", " ")
    assert "Missing: 6 cells." in out
    assert "    1  zoo       C1, C2, C3, C4, C5, C6" in out
    assert "Over the 53 datasets of 54" in out


def test_an_example_by_name_and_a_file_give_the_same_numbers(show):
    named = json.loads(show("benavoli2016", "--json", "-"))
    read = json.loads(show(DATA / "benavoli2016" / "accuracies.csv", "--json", "-"))
    for shown in (named, read):  # the example says what its columns are; the file is looked at
        shown |= {"source": "", "notes": [], "reading": {**shown["reading"], "columns": []}}
    assert named == read
    assert named["mean_ranks"]["C3"] == pytest.approx(177 / 53)


def test_json_has_stable_keys(show):
    accuracy = json.loads(show("ulas2008", "--json", "-"))
    assert list(accuracy) == [
        "schema", "podium", "kind", "references", "metric", "algorithms", "design", "n_datasets", "complete_datasets",
        "basis", "mean_scores", "mean_ranks", "wins", "shared_wins", "datasets", "missing", "list_missing", "dense", "decimals",
        "summary", "more", "notes", "source", "reading",
    ]  # fmt: skip
    metrics = [found["metric"]["name"] for found in (accuracy, *accuracy["more"])]
    assert metrics == ["accuracy", "training_time", "space"]
    assert accuracy["design"] == {"repeats": 5, "folds": 2, "test_fraction": None}
    assert accuracy["wins"]["svr"] == 13
    holes = json.loads(show("benavoli2016", "--json", "-"))["missing"]
    assert holes[0] == {"row": "zoo", "algorithm": "C1", "why": "", "repeat": None, "fold": None}


def test_dense_ranks_of_rounded_scores_and_how_often_each_is_best(show, tmp_path):
    # Wainer (2016), Table 1: errors that agree in three decimals share a rank, and the next rank is not left out.
    (tmp_path / "error.csv").write_text("dataset,A,B,C\none,0.1201,0.1204,0.3\ntwo,0.2,0.1,0.2001\nthree,0.1,0.1,0.1\n")
    found = json.loads(show(tmp_path / "error.csv", "--dense", "--decimals", 3, "--json", "-"))
    assert found["mean_ranks"] == pytest.approx({"A": (1 + 2 + 1) / 3, "B": 1, "C": (2 + 2 + 1) / 3})
    out = show(tmp_path / "error.csv", "--dense", "--decimals", 3)
    assert "Times" in out
    rows = {line.split()[0]: line.split() for line in out.splitlines() if line.strip()[:2] in ("A ", "B ", "C ")}
    assert {name: row[-1] for name, row in rows.items()} == {"A": "2", "B": "3", "C": "1"}


def test_dense_ranks_are_of_datasets_only(monkeypatch, capsys, tmp_path):
    (tmp_path / "cases.csv").write_text("case,A,B\n" + "".join(f"{i},{i % 2},{i % 3 % 2}\n" for i in range(30)))
    for words in ((str(tmp_path / "cases.csv"), "--dense", "--unit", "case"), ("ulas2008", "--decimals", "99")):
        monkeypatch.setattr("sys.argv", ["podium", "show", *words])
        with pytest.raises(SystemExit) as exit_:
            main.run()
        assert exit_.value.code == 2
        assert words[1] in capsys.readouterr().err


@pytest.mark.parametrize("name, metric", [("training_time.csv", "training_time"), ("space.csv", "space")])
def test_costs_are_lower_by_the_files_name(show, name, metric):
    out = show(DATA / "ulas2008" / name)
    assert f"{metric} (lower is better, a cost)" in out


def test_folds(show):
    assert "5 repeats of 2 folds" in show(DATA / "ulas2008" / "accuracies_5x2.csv")


def test_forty_algorithms_and_blocks_of_holes_stay_readable(show, tmp_path):
    # The shape of the time-series bake-off: 40 algorithms, 30 of 142 datasets run with only some of them.
    rng = np.random.default_rng(0)
    values = rng.random((142, 40)).round(4).astype(object)
    values[:30, :32] = ""
    lines = ["dataset," + ",".join(f"Algorithm-{j}" for j in range(40))]
    lines += [f"Dataset{i}," + ",".join(map(str, row)) for i, row in enumerate(values)]
    (tmp_path / "accuracy_mean_of_30.csv").write_text("\n".join(lines))
    out = show(tmp_path / "accuracy_mean_of_30.csv")
    assert max(len(line) for line in out.splitlines()) <= 80
    assert "Missing: 960 cells." in out
    assert "   30  Dataset0," in out
    assert len(out.splitlines()) < 85
    assert "Algorithm-31" in show(tmp_path / "accuracy_mean_of_30.csv", "--list-missing").split("Missing.")[1]


def test_failures_are_named_with_their_folds(show, tmp_path):
    (tmp_path / "a.csv").write_text(
        "framework,task,fold,acc,info\na,adult,0,0.9,\na,adult,1,,Missing predictions.\nb,adult,0,0.8,\nb,adult,1,0.7,\n"
    )
    out = show(tmp_path / "a.csv")
    assert "Missing: 1 single fold; a cell is the mean of the folds it has." in " ".join(out.split())
    assert "    1  adult     a (repeat.fold 0.1: Missing predictions.)" in out


def test_names_speak_no_markup_and_move_no_cursor(show, tmp_path):
    (tmp_path / "accuracy.csv").write_text("dataset,[red]svm[/red],k\u202enn\n[bold]iris,0.9,0.8\nzoo,,1\n", "utf-8")
    out = show(tmp_path / "accuracy.csv")
    assert "[red]svm[/red]" in out
    assert "\u202e" not in out
    assert "\\u202e" in out
    assert "\x1b" not in out


@pytest.mark.parametrize(
    "text, options",
    [
        ("dataset,svm,knn\niris,68.4(7.1),60(2)\n", ["--mean-sd"]),
        ("dataset,svm,knn\niris,0.84251 (1),0.9\n", ["--footnotes"]),
        ("dataset;svm;knn\niris;0,842;0,9\n", ["--decimal-comma"]),
        ("dataset,svm,knn\niris,84.2%,90%\n", ["--percent"]),
        ("dataset,svm,knn\niris,1,DNF\nzoo,1,2\n", ["--missing-marker", "DNF"]),
        ("dataset,svm,knn\niris,1,crash\nzoo,1,2\n", ["--text-as-missing"]),
        ("dataset,svm,knn\niris,1,2\nAverage,1,2\n", ["--summaries", "drop"]),
        ("dataset,svm,knn\niris,1,2\nAverage,1,2\n", ["--summaries", "keep"]),
        ("dataset,instances,svm,knn\niris,150,1,2\n", ["--ignore-column", "instances"]),
        ("x,iris,zoo\nsvm,1,2\nknn,3,4\n", ["--rows", "algorithms"]),
        ("a,b,c\nsvm,iris,1\nknn,iris,2\n", "--algorithm-column a --dataset-column b --value-column c --direction lower".split()),
        ("algorithm,dataset,loss\nsvm,iris,1\nknn,iris,2\n", ["--direction", "loss=lower"]),
        ("dataset/svm/knn\niris/1/2\n", ["--separator", "/"]),
    ],
)  # fmt: skip
def test_every_cure_that_an_error_names_works(show, tmp_path, text, options):
    path = tmp_path / "accuracy.csv"
    path.write_text(text)
    assert "best mean rank" in " ".join(show(path, *options).split())


def test_options_on_an_example(show, monkeypatch, capsys):
    assert "training_time" in show("ulas2008", "--metric", "accuracy")
    assert "accuracy (lower is better)" in show("benavoli2016", "--direction", "lower")
    monkeypatch.setattr("sys.argv", ["podium", "show", "ulas2008", "--footnotes"])
    with pytest.raises(SystemExit) as exit_:
        main.run()
    assert exit_.value.code == 2
    assert "leave out --footnotes" in capsys.readouterr().err


def test_the_installed_program_prints_one_line_and_exits_with_2(tmp_path):
    ran = subprocess.run(
        [sys.executable, "-c", "from podium.cli.main import run; run()", "show", "nowhere.csv"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
    )
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith(
        "podium: There is no file 'nowhere.csv': check the path, or name an example (benavoli2016, "
    )
    assert ran.stderr.count("\n") == 1
