"""Probabilities of classes: scores by scikit-learn, and what is refused."""

import numpy as np
import pandas as pd
import pytest

import podium
from refusals import refuses

N = 90
TRUTH = np.array(["cat", "dog", "eel"])[np.arange(N) % 3]


def probabilities(sharpness, seed):
    random = np.random.default_rng(seed)
    scores = sharpness * (TRUTH[:, None] == np.array(["cat", "dog", "eel"])) + random.gumbel(size=(N, 3))
    given = np.exp(scores)
    return given / given.sum(axis=1, keepdims=True)


GIVEN = {"rf": probabilities(2.0, 1), "nn_2": probabilities(1.0, 2)}


def table():
    columns = {
        f"{name}_{label}": given[:, c] for name, given in GIVEN.items() for c, label in enumerate(["cat", "dog", "eel"])
    }
    return pd.DataFrame({"id": [f"i{i}" for i in range(N)], "y_true": TRUTH, **columns})


def test_the_metrics_of_several_classes_are_those_of_scikit_learn():
    from sklearn.metrics import accuracy_score, log_loss, roc_auc_score

    expected = {
        "log_loss": lambda given: log_loss(TRUTH, given),
        "accuracy": lambda given: accuracy_score(TRUTH, np.array(["cat", "dog", "eel"])[given.argmax(axis=1)]),
        "auc": lambda given: roc_auc_score(TRUTH, given, multi_class="ovr", average="macro"),
        "brier": lambda given: float(((given - np.eye(3)[np.arange(N) % 3]) ** 2).sum(axis=1).mean()),
    }
    for metric, told in expected.items():
        for source, truth in ((table(), "y_true"), (GIVEN, TRUTH)):
            found = podium.compare(source, truth=truth, metric=metric)
            scores = {row.algorithm: row.mean_score for row in found.ranking}
            assert scores == pytest.approx({name: told(given) for name, given in GIVEN.items()})


def test_two_classes_take_the_positive_one():
    from sklearn.metrics import roc_auc_score

    truth = np.where(TRUTH == "cat", "cat", "dog")
    frame = pd.DataFrame({"y": truth})
    for name, given in GIVEN.items():
        frame[f"{name}.cat"], frame[f"{name}.dog"] = given[:, 0], 1 - given[:, 0]
    found = podium.compare(frame, truth="y", metric="auc", positive="cat")
    scores = {row.algorithm: row.mean_score for row in found.ranking}
    assert scores == pytest.approx({name: roc_auc_score(truth == "cat", given[:, 0]) for name, given in GIVEN.items()})
    assert found.pairs.method == "DeLong"


@pytest.mark.parametrize(
    "change, words",
    [
        (lambda own: own + np.array([0.5, 0, 0]), "sum to|outside of 0 to 1"),
        (lambda own: own * 0.99, "sum to 0.99, not to 1"),
        (lambda own: np.where(own == own[3, 0], np.nan, own), "gives case '3' a missing probability"),
        (lambda own: own - [0.0, 1.0, -1.0], "outside of 0 to 1"),
    ],
)
def test_what_is_no_probability_of_classes_is_refused(change, words):
    with pytest.raises(podium.DataError, match=words):
        podium.compare({"rf": change(GIVEN["rf"]), "nn_2": GIVEN["nn_2"]}, truth=TRUTH, metric="brier")


def test_the_metric_and_the_class_must_be_of_probabilities():
    two = {name: np.column_stack([own[:, 0], 1 - own[:, 0]]) for name, own in GIVEN.items()}
    truth = np.where(TRUTH == "cat", "cat", "dog")
    assert podium.compare(two, truth=truth, metric="brier", positive="cat").ranking[0].algorithm == "rf"
    with pytest.raises(podium.ArgumentError, match="Unknown class 'cow': the truth has 'cat', 'dog'"):
        podium.compare(two, truth=truth, metric="brier", positive="cow")
    with refuses(podium.ArgumentError, "positive"):
        podium.compare(GIVEN, truth=TRUTH, metric="brier", positive="cat")
    with pytest.raises(podium.DataError, match="metric of numbers"):
        podium.compare(GIVEN, truth=TRUTH, metric="rmse")
    with pytest.raises(podium.DataError, match="at least 2 algorithms"):
        podium.compare({"rf": GIVEN["rf"]}, truth=TRUTH, metric="log_loss")


def test_the_first_of_equal_probabilities_is_the_label():
    same = np.tile([0.4, 0.4, 0.2], (N, 1))
    found = podium.compare({"same": same, "rf": GIVEN["rf"]}, truth=TRUTH, metric="accuracy")
    assert {row.algorithm: row.mean_score for row in found.ranking}["same"] == pytest.approx(1 / 3)
