"""Missing predictions and outcomes: what counting them as wrong means for each metric, and what the report says of it."""

import numpy as np
import pandas as pd
import pytest
from sklearn import metrics

import podium
from podium.cases import all_pairs, compare_predictions
from podium.cases.predictions import as_predictions
from podium.core.errors import PodiumError
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from refusals import refuses

TRUTH = np.array([1, 1, 1, 0, 0, 0, 1, 0, 1, 0, 1, 0])
FULL = np.array([1, 1, 0, 0, 0, 1, 1, 0, 1, 0, 1, 0])


def with_holes(values, *places):
    made = np.array(values, dtype=object)
    made[list(places)] = None
    return made


@pytest.mark.parametrize(
    "metric, scikit",
    [
        ("f1", metrics.f1_score),
        ("mcc", metrics.matthews_corrcoef),
        ("kappa", metrics.cohen_kappa_score),
        ("recall", metrics.recall_score),
        ("precision", metrics.precision_score),
        ("balanced_accuracy", metrics.balanced_accuracy_score),
        ("accuracy", metrics.accuracy_score),
    ],
)
def test_a_missing_label_of_two_classes_is_the_other_one(metric, scikit):
    given = {"a": with_holes(FULL, 0, 3), "b": FULL}
    wrong = FULL.copy()
    wrong[[0, 3]] = 1 - TRUTH[[0, 3]]
    found = compare_predictions(TRUTH, given, metric=metric, missing="wrong")
    expected = compare_predictions(TRUTH, {"a": wrong, "b": FULL}, metric=metric)
    assert found.effect[0] == pytest.approx(scikit(TRUTH, wrong) - scikit(TRUTH, FULL))
    assert (found.pvalue[0], found.low[0]) == pytest.approx((expected.pvalue[0], expected.low[0]))


def test_a_missing_label_of_three_classes_is_that_of_no_class():
    truth = np.array(list("xyzxyzxyz"))
    labels = np.array(list("xyzxyzxxz"))
    given = as_predictions(truth, {"a": with_holes(labels, 1), "b": labels}, metric="macro_f1", missing="wrong")
    assert given.labels == ("x", "y", "z", "no prediction")
    other = labels.copy()
    other[1] = "?"
    expected = metrics.f1_score(truth, other, average="macro", labels=["x", "y", "z"], zero_division=0)
    assert given.to_cases().scores[0] == pytest.approx(expected)


@pytest.mark.parametrize("metric", ["f1", "precision", "recall", "specificity"])
def test_a_missing_label_of_three_classes_counts_as_it_does_of_the_positive_one_and_the_rest(metric):
    truth, labels = np.array(list("xyzxyzxyz")), np.array(list("xyzxyzxxz"))
    two = [np.where(codes == "x", "x", "rest") for codes in (truth, labels)]
    asked = {"metric": metric, "positive": "x", "missing": "wrong"}
    three = as_predictions(truth, {"a": with_holes(labels, 0, 1), "b": labels}, **asked)
    expected = as_predictions(two[0], {"a": with_holes(two[1], 0, 1), "b": two[1]}, **asked)
    assert three.to_cases().scores == pytest.approx(expected.to_cases().scores)
    assert three.to_cases().values == pytest.approx(expected.to_cases().values)


@pytest.mark.parametrize(
    "metric, scikit", [("auc", metrics.roc_auc_score), ("average_precision", metrics.average_precision_score)]
)
def test_a_missing_score_is_at_the_wrong_end(metric, scikit):
    random = np.random.default_rng(0)
    scores = TRUTH + random.normal(size=12)
    given = {"a": with_holes(scores, 0, 3), "b": scores}
    wrong = scores.copy()
    wrong[0], wrong[3] = -100, 100
    found = compare_predictions(TRUTH, given, metric=metric, missing="wrong")
    assert found.effect[0] == pytest.approx(scikit(TRUTH, wrong) - scikit(TRUTH, scores))


def test_a_missing_probability_is_worth_the_worst_loss():
    chances = np.where(TRUTH == 1, 0.8, 0.3)
    found = compare_predictions(TRUTH, {"a": with_holes(chances, 0), "b": chances}, metric="brier", missing="wrong")
    assert found.effect[0] == pytest.approx((1 - 0.04) / 12)
    with refuses(PodiumError, "missing"):
        compare_predictions(TRUTH, {"a": with_holes(chances, 0), "b": chances}, metric="log_loss", missing="wrong")


def test_numbers_have_no_worst_value():
    y = np.arange(12.0)
    given = {"a": with_holes(y + 1, 2), "b": y - 1}
    with refuses(PodiumError, "missing"):
        compare_predictions(y, given, metric="mae", missing="wrong")
    with refuses(PodiumError, "missing"):
        compare_predictions(y, given, metric="rmse", missing="wrong")
    assert compare_predictions(y, given, metric="rmse", missing="complete").n[0] == 11


def outcomes(name, direction, values):
    return Cases(
        values=np.array(values, dtype=float),
        cases=tuple("pqrstu"),
        algorithms=("a", "b"),
        metric=Metric(name=name, direction=direction),
    )


@pytest.mark.parametrize(
    "name, direction, scale, worst",
    [
        ("accuracy", "higher", 1, 0),
        ("error rate", "lower", 1, 1),
        ("accuracy", "higher", 100, 0),
        ("mcc", "higher", 1, -1),
    ],
)
def test_an_outcome_is_worth_the_worst_value_of_its_metric(name, direction, scale, worst):
    values = scale * np.array([[0.5, 0.4], [0.25, np.nan], [1.0, 0.9], [0.75, 0.2], [0.3, 0.1], [0.9, 0.8]])
    if name == "mcc":
        values[0, 0] = -0.5
    cases = outcomes(name, direction, values)
    assert cases.worst == worst * scale
    found = all_pairs(cases, missing="wrong")
    full = np.where(np.isnan(values), worst * scale, values)
    assert found.effect[0] == pytest.approx((full[:, 0] - full[:, 1]).mean())


def test_a_score_without_a_known_worst_value_is_refused():
    cases = outcomes("rubric", "higher", [[5, 4], [3, np.nan], [2, 2], [4, 1], [5, 5], [3, 2]])
    with refuses(PodiumError, "missing"):
        all_pairs(cases, missing="wrong")


def predictions():
    """Two that differ clearly where both answer; one often gives no answer."""
    random = np.random.default_rng(1)
    y = random.permutation([1] * 60 + [0] * 60)
    good = np.where(random.random(120) < 0.95, y, 1 - y).astype(object)
    poor = np.where(random.random(120) < 0.75, y, 1 - y).astype(object)
    good[:30] = None
    return pd.DataFrame({"id": range(120), "y_true": y, "good": good, "poor": poor})


@pytest.mark.parametrize(
    "policy, done, other",
    [
        (
            "complete",
            "30 predictions are missing: good (30); left out, with 30 cases.",
            "Counting missing predictions as wrong would",
        ),
        ("wrong", "30 outcomes are missing: good (30); counted as wrong: 30.", "Leaving out their cases would"),
    ],
)
def test_the_report_says_what_became_of_missing_predictions_and_what_else_would_do(policy, done, other):
    found = podium.compare(predictions(), truth="y_true", metric="f1", missing=policy)
    said = [remark.sentence for remark in found.remarks]
    assert done in said
    assert f"{other} change the decision on good and poor." in said
    for name in ("f1", "auc"):
        with refuses(PodiumError, "missing"):
            podium.compare(predictions(), truth="y_true", metric=name)


def test_complete_cases_are_counted():
    frame = pd.DataFrame({"a": [1, 0, 1, 1, None, 1, 0, 1], "b": [0, 0, 1, 0, 1, 0, 0, 1]}, index=list("12345678"))
    found = podium.compare(podium.read(frame, unit="case"), missing="complete")
    assert "1 case with a missing outcome left out, as you asked." in [remark.sentence for remark in found.remarks]
