"""Predictions that cannot be compared, each refused for what is wrong with it."""

import numpy as np
import pytest

import podium
from podium.cases.predictions import as_predictions
from podium.cases.samples import pass_at_k, variance_split
from podium.core.errors import ArgumentError, DataError

TRUTH = ["a", "b", "a", "b"]
NO = None


@pytest.mark.parametrize(
    "truth, predicted, options, words",
    [
        ([[1, 0]], {"x": [1], "y": [0]}, {}, "one value per case; it has 2 dimensions"),
        (TRUTH, {"x": TRUTH[:3], "y": TRUTH[:3]}, {}, "truth has 4 cases, the predictions have 3"),
        (TRUTH, {"x": TRUTH}, {}, "at least 2 algorithms; there are those of 1"),
        (["a"], {"x": ["a"], "y": ["b"]}, {}, "at least 2 cases"),
        (TRUTH, {"x": [NO, "b", NO, "b"], "y": ["a", NO, "a", NO]}, {"missing": "complete"}, "no case has all predictions"),
        (TRUTH, {"x": ["a", "b", NO, "b"], "y": TRUTH}, {"missing": "refuse"}, "case '3' .*1 are missing in all"),
        (["a", "b", NO, "b"], {"x": TRUTH, "y": TRUTH}, {}, "truth has a missing label"),
        (["a"] * 4, {"x": TRUTH, "y": TRUTH}, {"metric": "f1", "positive": "a"}, "one class only, 'a'"),
        (["a", "b", "c", "c"], {"x": TRUTH, "y": TRUTH}, {"metric": "f1"}, "3 classes: name the `positive` one"),
        (TRUTH, {"x": TRUTH, "y": TRUTH}, {"metric": "f1"}, "Which class is `positive`, 'a' or 'b'"),
        (TRUTH, {"x": TRUTH, "y": [1, 2, 1, 2]}, {}, "'y' has no label in common with the truth"),
        ([1.0, np.nan], {"x": [1.0, 2.0], "y": [1.0, 2.0]}, {"metric": "rmse"}, "missing value at case 2"),
        ([1.0, 2.0], {"x": [1.0, np.inf], "y": [1.0, 2.0]}, {"metric": "rmse"}, "infinite value at case 2"),
        ([1.0, 2.0], {"x": [1.0, np.nan], "y": [1.0, 2.0]}, {"metric": "rmse"}, "set `missing` to 'complete'"),
        ([1.0, 2.0], {"x": [1.0, np.nan], "y": [1.0, 2.0]}, {"metric": "rmse", "missing": "wrong"}, "no worst value"),
    ],
)  # fmt: skip
def test_what_is_no_prediction_is_refused(truth, predicted, options, words):
    with pytest.raises(DataError, match=words):
        as_predictions(
            truth,
            {name: np.array(own, dtype=object) for name, own in predicted.items()},
            **{"metric": "accuracy", **options},
        )


def test_a_positive_class_is_one_of_the_truth():
    with pytest.raises(ArgumentError, match="Unknown class 'c': the truth has 'a', 'b'"):
        as_predictions(TRUTH, {"x": TRUTH, "y": TRUTH}, metric="f1", positive="c")


def test_predictions_are_written_and_read_with_their_holes():
    given = {"x": np.array(["a", "b", None, "b"], dtype=object), "y": np.array(TRUTH, dtype=object)}
    for missing in ("pairwise", "wrong"):
        found = as_predictions(TRUTH, given, metric="accuracy", missing=missing)
        again = type(found).from_plain(found.to_plain())
        assert again.to_plain() == found.to_plain()
        chosen = again.select(["y", "x"])
        assert np.array_equal(chosen.to_cases().values, found.to_cases().values[:, ::-1], equal_nan=True)


def test_a_metric_of_all_cases_has_no_weights_and_one_benchmark():
    predicted = {"x": [0, 1, 1, 1], "y": [0, 1, 0, 0]}
    found = as_predictions([0, 1, 0, 1], predicted, metric="f1")
    for more, words in (
        ({"weights": np.ones(4)}, "Podium has no weights for it"),
        ({"benchmarks": tuple("ppqq")}, "of several benchmarks is not one number"),
    ):
        from dataclasses import replace

        with pytest.raises(DataError, match=words):
            replace(found, **more).to_cases()


def test_samples_that_are_too_few_or_too_many_successes():
    with pytest.raises(DataError, match="at least 5 samples of every case; one has 4"):
        pass_at_k([1, 2], [4, 6], 5)
    with pytest.raises(DataError, match="more successes than samples"):
        pass_at_k([5], [4], 2)
    with pytest.raises(DataError, match="same cases"):
        variance_split([[1, 0]], [[1, 0]])
    with pytest.raises(DataError, match="at least 2 samples"):
        variance_split([[1], [0]], [[1, 0], [0, 1]])


@pytest.mark.parametrize(
    "call, words",
    [
        (lambda: podium.cases.all_pairs({"a": [1, 0]}), "at least 2 algorithms"),
        (lambda: podium.cases.all_pairs({"a": [1], "b": [0]}), "at least 2 cases"),
        (lambda: podium.cases.mcnemar(["x", "y"], ["x", "y"], [1, 2]), "code"),
        (lambda: podium.cases.gate({"a": [0.1, 0.9], "b": [0.2, 0.8]}, margin=0.1, bound=0), "above 0"),
        (lambda: podium.cases.confidence_sequence([], bound=1), "at least one difference"),
        (lambda: podium.cases.confidence_sequence([2.0], bound=1), "outside -1 to 1"),
        (lambda: podium.cases.all_pairs({"a": [1.5, 0.5, None], "b": [None, 0.2, 1]}), "fewer than 2 cases in common"),
    ],
)
def test_what_cannot_be_compared_is_refused(call, words):
    with pytest.raises(podium.PodiumError, match=words):
        call()
