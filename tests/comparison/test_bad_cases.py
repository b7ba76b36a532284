"""Files with something wrong in them, through the command line: a sentence that helps, or a right result."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from podium.cli import main
from podium.cli.main import app

RANDOM = np.random.default_rng(3)
TRUTH = RANDOM.permutation([1] * 20 + [0] * 20)
GOOD, POOR = (np.where(RANDOM.random(40) < right, TRUTH, 1 - TRUTH) for right in (0.95, 0.7))
NAMES = np.array(["dog", "cat"])


def files(folder: Path, **labels) -> list[str]:
    """A truth file, and one file for each algorithm with its ids and labels."""
    pd.DataFrame({"id": range(40), "label": NAMES[TRUTH]}).to_csv(folder / "truth.csv", index=False)
    for name, (ids, column) in labels.items():
        pd.DataFrame({"id": ids, "label": column}).to_csv(folder / f"{name}.csv", index=False)
    return [*(str(folder / f"{name}.csv") for name in labels), "--truth", str(folder / "truth.csv")]


def report(*words) -> dict:
    done = CliRunner().invoke(app, ["compare", *words, "--json", "-"])
    assert done.exit_code == 0, done.output
    return json.loads(done.stdout)


def refusal(monkeypatch, capsys, *words) -> str:
    monkeypatch.setattr("sys.argv", ["podium", "compare", *words])
    with pytest.raises(SystemExit) as stopped:
        main.run()
    assert stopped.value.code == 2
    return " ".join(capsys.readouterr().err.split())


def test_a_label_that_occurs_in_one_file_only_is_wrong_and_named(tmp_path):
    strange = NAMES[POOR].astype(object)
    strange[[0, 9]] = "bird"
    words = files(tmp_path, good=(range(40), NAMES[GOOD]), poor=(range(40), strange))
    data = report(*words, "--metric", "accuracy")
    scores = {row["algorithm"]: row["mean_score"] for row in data["ranking"]}
    assert scores["poor"] == pytest.approx(np.mean(strange == NAMES[TRUTH]))
    said = [remark["sentence"] for remark in data["remarks"]]
    assert "poor predicts 'bird' for 2 cases, which the truth never has: always wrong." in said


def test_cases_missing_in_some_systems(tmp_path, monkeypatch, capsys):
    few = np.arange(40) % 7 > 0
    words = files(tmp_path, good=(range(40), NAMES[GOOD]), poor=(np.arange(40)[few], NAMES[POOR][few]))
    data = report(*words, "--metric", "accuracy")
    assert (data["pairs"]["n"], len(data["facts"]["missing_scores"])) == ([34], 6)
    asked = refusal(monkeypatch, capsys, *words, "--metric", "f1", "--positive", "cat")
    assert "6 are missing in all" in asked
    assert "--missing to 'complete' to leave out such cases, or 'wrong' to count them as wrong" in asked
    wrong = report(*words, "--metric", "f1", "--positive", "cat", "--missing", "wrong")
    choice = next(each for each in wrong["choices"] if each["question"] == "missing")
    assert (choice["answer"], len(wrong["facts"]["missing_scores"])) == ("wrong", 6)
    assert "6 outcomes are missing: poor (6); counted as wrong: 6." in [r["sentence"] for r in wrong["remarks"]]
    assert "Missing outcomes were counted as wrong." in json.dumps(wrong)
    complete = report(*words, "--metric", "f1", "--positive", "cat", "--missing", "complete")
    choice = next(each for each in complete["choices"] if each["question"] == "missing")
    assert (choice["answer"], complete["facts"]["n_cases"]) == ("complete", 34)


def test_duplicated_case_ids(tmp_path, monkeypatch, capsys):
    words = files(tmp_path, good=(range(40), NAMES[GOOD]), poor=([*range(39), 3], NAMES[POOR]))
    said = refusal(monkeypatch, capsys, *words, "--metric", "accuracy")
    assert "poor.csv: the case '3' occurs more than once: keep one row for each case." in said


@pytest.mark.parametrize("metric", ["brier", "log_loss"])
def test_probabilities_outside_of_0_and_1(tmp_path, monkeypatch, capsys, metric):
    chances = np.where(TRUTH == 1, 0.8, 0.3)
    frame = pd.DataFrame({"y_true": TRUTH, "a": chances, "b": np.where(np.arange(40) == 5, 1.3, chances)})
    frame.to_csv(tmp_path / "p.csv", index=False)
    said = refusal(monkeypatch, capsys, str(tmp_path / "p.csv"), "--truth", "y_true", "--metric", metric)
    assert f"'b' gives case '6' the probability 1.3: {metric} needs probabilities between 0 and 1" in said


def test_a_truth_of_one_class(tmp_path, monkeypatch, capsys):
    pd.DataFrame({"y_true": 1, "a": GOOD, "b": POOR}).to_csv(tmp_path / "p.csv", index=False)
    words = (str(tmp_path / "p.csv"), "--truth", "y_true")
    for metric in ("auc", "f1", "log_loss"):
        said = refusal(monkeypatch, capsys, *words, "--metric", metric)
        assert (
            f"The truth has one class only, '1': {metric} needs cases of at least two; only accuracy does not." in said
        )
    data = report(*words, "--metric", "accuracy")
    assert {row["algorithm"]: row["mean_score"] for row in data["ranking"]}["a"] == pytest.approx(GOOD.mean())
    assert "guessers" not in data["verdict"]["certainty"]


@pytest.mark.parametrize("metric, expected", [("mcc", 0.0), ("f1", 2 / 3), ("accuracy", 0.5), ("auc", 0.5)])
def test_constant_predictions(tmp_path, metric, expected):
    pd.DataFrame({"y_true": TRUTH, "same": 1, "poor": POOR}).to_csv(tmp_path / "p.csv", index=False)
    data = report(str(tmp_path / "p.csv"), "--truth", "y_true", "--metric", metric)
    row = next(row for row in data["ranking"] if row["algorithm"] == "same")
    assert row["mean_score"] == pytest.approx(expected)
    assert row["low"] < expected < row["high"]


@pytest.mark.parametrize("metric", ["accuracy", "f1", "auc", "average_precision"])
def test_identical_systems(tmp_path, metric):
    pd.DataFrame({"y_true": TRUTH, "a": GOOD, "b": GOOD}).to_csv(tmp_path / "p.csv", index=False)
    data = report(str(tmp_path / "p.csv"), "--truth", "y_true", "--metric", metric)
    assert data["pairs"]["adjusted"] == [1.0]
    assert data["pairs"]["low"][0] < 0 < data["pairs"]["high"][0]
    assert "identical algorithms" in {remark["topic"] for remark in data["remarks"]}
