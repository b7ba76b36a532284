"""The door on the command line: exit code 2 and the flags that answer, or the right reading."""

import json

import numpy as np
import pytest

from program import answered

RNG = np.random.default_rng(1)


@pytest.fixture
def podium():
    return answered


def written(path, header, rows):
    path.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return path


def refused(found, *phrases):
    code, out, err = found
    assert (code, out) == (2, "")
    assert all(phrase in err for phrase in phrases), err
    assert "`" not in err.replace("`podium chance test`", "").replace("`podium.cases`", ""), err  # flags, no arguments


def test_columns_that_are_no_algorithms(podium, tmp_path):
    rows = [(f"d{i}", 100 * i, *RNG.uniform(0.5, 1, 2).round(3)) for i in range(9)]
    path = written(tmp_path / "accuracy.csv", "dataset,Size,a,b", rows)
    refused(podium("compare", path), "Column 'Size'", "--ignore-column 'Size'", "--keep-column 'Size'")
    assert podium("compare", path, "--ignore-column", "Size", "-q")[0] == 0


def test_rows_without_names(podium, tmp_path):
    path = written(tmp_path / "accuracy.csv", "a,b", RNG.uniform(0.5, 1, (12, 2)).round(3))
    refused(podium("compare", path), "have no names", "set --rows to 'datasets'", "'folds'")
    assert podium("compare", path, "--rows", "datasets", "-q")[0] == 0
    assert podium("compare", path, "--rows", "folds", "--repeats", "1", "-q")[0] == 0


def test_one_dataset_by_its_folds(podium, tmp_path):
    rows = [(r, f, *RNG.uniform(0.5, 1, 2).round(3)) for r in range(10) for f in range(10)]
    path = written(tmp_path / "accuracy.csv", "repeat,fold,a,b", rows)
    code, out, err = podium("compare", path, "--json", "-")
    data = json.loads(out)
    assert code == 0
    assert (data["facts"]["n_datasets"], data["facts"]["repeats"], data["facts"]["folds"]) == (1, 10, 10)
    assert (data["reading"]["unit"], data["reading"]["n_units"]) == ("fold", 100)
    assert "rows are folds of one dataset" in err
    assert "1 dataset x 2 algorithms, 100 folds each" in err


def test_a_hundred_folds(podium, tmp_path):
    rows = [("iris", f, *RNG.uniform(0.5, 1, 2).round(3)) for f in range(100)]
    path = written(tmp_path / "accuracy.csv", "dataset,fold,a,b", rows)
    refused(podium("compare", path), "100 folds and no repeats", "--repeats (1, or 10 for 10 times 10)")
    assert podium("compare", path, "--repeats", "10", "-q")[0] == 0


def test_settings_and_their_three_cures(podium, tmp_path):
    rows = [
        (t, m, v, k, round(RNG.uniform(0.5, 1), 3))
        for t in "uvwxyz"
        for m in "ab"
        for v in ("s", "l")
        for k in range(3)
    ]
    path = written(tmp_path / "results.csv", "task,model,variant,fold,auc", rows)
    refused(
        podium("compare", path),
        "differ in 'variant' ('s', 'l')",
        "--algorithm-column 'model+variant'",
        "--dataset-column 'task+variant'",
        "--where \"variant == 's'\"",
    )
    for words, shape in (
        (("--algorithm-column", "model", "--algorithm-column", "variant"), (6, 4)),
        (("--algorithm-column", "model+variant"), (6, 4)),
        (("--dataset-column", "task+variant"), (12, 2)),
        (("--where", "variant == 's'"), (6, 2)),
    ):
        code, out, _ = podium("compare", path, *words, "--json", "-")
        facts = json.loads(out)["facts"]
        assert (code, facts["n_datasets"], facts["n_algorithms"]) == (0, *shape)


def test_predictions(podium, tmp_path):
    rows = zip(RNG.integers(0, 2, 300), RNG.random(300).round(3), RNG.random(300).round(3), strict=True)
    path = written(tmp_path / "accuracy.csv", "y_true,model_a,model_b", rows)
    refused(podium("compare", path), "one row per test case", "'y_true'", "--truth", "--unit")
    rows = [(i, *RNG.choice(["cat", "dog"], 3)) for i in range(60)]
    path = written(tmp_path / "labels.csv", "id,y_true,old,new", rows)
    refused(podium("compare", path), "one row per test case", "'y_true'", "--truth", "--unit")


def test_algorithms_that_never_meet(podium, tmp_path):
    rows = [(f"d{i}", 0.5 + i / 100 if i < 6 else "", 0.6 + i / 90 if i > 5 else "", 0.7 - i / 80) for i in range(12)]
    path = written(tmp_path / "accuracy.csv", "dataset,a,b,c", rows)
    refused(podium("compare", path), "'a' and 'b' share no dataset", "Leave out 'b'", "--algorithms")
    refused(podium("compare", path, "--missing", "complete"), "share no dataset", "--algorithms")
    path = written(tmp_path / "accuracy.csv", "dataset,a,b", [(d, a, b) for d, a, b, _ in rows])
    refused(podium("compare", path), "'a' and 'b' share no dataset, and neither do any others: give scores")


def test_show_says_first_what_every_column_was_taken_for(podium, tmp_path):
    rows = [(d, m, k, 3000 + k, round(RNG.uniform(0.5, 1), 3), 5.5) for d in "uvw" for m in "ab" for k in range(3)]
    path = written(tmp_path / "results.csv", "game,agent,trial,job,auc,trainingTime", rows)
    code, out, _ = podium("show", path)
    assert code == 0
    assert out.startswith("One row is")
    assert out.index("What was read") < out.rindex("auc (higher is better)")
    reading = json.loads(podium("show", path, "--json", "-")[1])["reading"]
    assert {column["name"]: column["role"] for column in reading["columns"]} == {
        "game": "dataset",
        "agent": "algorithm",
        "trial": "repeat",
        "job": "left out",
        "auc": "score",
        "trainingTime": "cost",
    }
