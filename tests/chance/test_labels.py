"""The luck of predicted labels: against all assignments of the labels, and in the report of a contest."""

import itertools
import json

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics
from typer.testing import CliRunner

from podium.cases.predictions import as_predictions
from podium.cli.main import app
from podium.comparison.case_contest import contest

SCIKIT = {
    "accuracy": metrics.accuracy_score,
    "f1": lambda y, p: metrics.f1_score(y, p, zero_division=0),
    "mcc": metrics.matthews_corrcoef,
    "kappa": metrics.cohen_kappa_score,
    "precision": lambda y, p: metrics.precision_score(y, p, zero_division=0),
    "recall": metrics.recall_score,
    "specificity": lambda y, p: metrics.recall_score(y, p, pos_label=0),
    "balanced_accuracy": metrics.balanced_accuracy_score,
    "macro_f1": lambda y, p: metrics.f1_score(y, p, average="macro", zero_division=0),
}
TRUTH = np.array([1, 1, 1, 0, 0, 0, 0, 1])
LABELS = {
    "a": np.array([1, 1, 1, 0, 0, 0, 1, 0]),
    "b": np.array([0, 1, 1, 1, 1, 0, 0, 1]),
    "c": np.array([1, 1, 0, 0, 0, 0, 0, 0]),
}


@pytest.mark.parametrize("name", SCIKIT)
def test_the_law_is_that_of_all_ways_to_call_so_many_positive(name):
    found = contest(as_predictions(TRUTH, LABELS, metric=name), 0.05)
    scores = [SCIKIT[name](TRUTH, column) for column in LABELS.values()]
    assert found.scores == pytest.approx(scores)
    best = max(scores)
    miss = 1.0
    for column in LABELS.values():
        ways = itertools.combinations(range(8), int(column.sum()))
        values = [SCIKIT[name](TRUTH, np.isin(np.arange(8), way).astype(int)) for way in ways]
        miss *= np.mean(np.array(values) < best - 1e-12)
    assert found.pvalue == pytest.approx(1 - miss, abs=1e-12)
    assert found.winner == list(LABELS)[int(np.argmax(scores))]
    # What exceeds the critical value has a p-value of at most alpha, and nothing else.
    assert [score > found.critical_value + 1e-12 for score in scores] == (found.pvalues <= 0.05).tolist()


def test_many_cases_and_many_guessers_keep_the_level():
    """Guessers are found to be better than luck as rarely as the level says."""
    random = np.random.default_rng(0)
    alarms = 0
    for _ in range(400):
        truth = random.permutation([1] * 40 + [0] * 60)
        labels = {f"g{j}": (random.random(100) < 0.4).astype(int) for j in range(10)}
        alarms += contest(as_predictions(truth, labels, metric="f1"), 0.05).pvalue <= 0.05
    assert 0.01 <= alarms / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_a_constant_prediction_is_luck():
    found = contest(as_predictions(TRUTH, {"a": np.ones(8, int), "b": np.ones(8, int)}, metric="recall"), 0.05)
    assert (found.pvalue, found.statistic) == (1.0, 1.0)


def test_no_law_for_three_classes_missing_labels_or_weights():
    three = as_predictions(["x", "y", "z", "x"], {"a": list("xyzx"), "b": list("xyyy")}, metric="accuracy")
    assert contest(three, 0.05) is None
    holes = as_predictions(TRUTH, {"a": [1, None, 1, 0, 0, 0, 0, 1], "b": TRUTH}, metric="accuracy", missing="pairwise")
    assert contest(holes, 0.05) is None


@pytest.mark.parametrize("metric", ["accuracy", "f1", "mcc"])
def test_the_report_of_a_contest_answers_all_three_questions(tmp_path, metric):
    random = np.random.default_rng(4)
    truth = random.permutation([1] * 60 + [0] * 90)
    columns = {
        name: np.where(random.random(150) < right, truth, 1 - truth)
        for name, right in (("ann", 0.9), ("bob", 0.7), ("cy", 0.5))
    }
    pd.DataFrame({"id": range(150), "y_true": truth, **columns}).to_csv(tmp_path / "teams.csv", index=False)
    done = CliRunner().invoke(
        app, ["compare", str(tmp_path / "teams.csv"), "--truth", "y_true", "--metric", metric, "--json", "-"]
    )
    assert done.exit_code == 0, done.output
    data = json.loads(done.stdout)
    guessers = "the best of 3 guessers that call equally many cases positive"
    assert f"ann is significantly better than {guessers} (p" in data["verdict"]["certainty"]
    assert data["verdict"]["kind"] == "one_winner"
    assert (data["ranking"][0]["rank_low"], data["ranking"][0]["rank_high"]) == (1, 1)
    assert all(1 <= row["rank_low"] <= row["rank_high"] <= 3 for row in data["ranking"])
