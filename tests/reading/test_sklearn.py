"""scikit-learn's results."""

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.dummy import DummyClassifier
from sklearn.model_selection import GridSearchCV, RandomizedSearchCV, RepeatedStratifiedKFold, cross_validate
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import podium
from podium.core.errors import ArgumentError, DataError
from refusals import refuses

X, Y = load_iris(return_X_y=True)
CV = RepeatedStratifiedKFold(n_splits=2, n_repeats=3, random_state=0)


def test_cross_validate_on_one_dataset():
    runs = {
        "nb": cross_validate(GaussianNB(), X, Y, cv=CV, scoring=["accuracy", "neg_log_loss"]),
        "prior": cross_validate(DummyClassifier(), X, Y, cv=CV, scoring=["accuracy", "neg_log_loss"]),
    }
    results = podium.read(runs, dataset_name="iris", repeats=3)
    assert set(results.metrics) == {"accuracy", "neg_log_loss", "fit_time", "score_time"}
    assert results.costs == ("fit_time", "score_time")
    scores = results.scores("accuracy")
    assert (scores.datasets, scores.values.shape) == (("iris",), (1, 2, 3, 2))
    assert scores.values[0, 0].ravel().tolist() == runs["nb"]["test_accuracy"].tolist()
    assert results.metric("neg_log_loss").higher_is_better


def test_cross_validate_on_several_datasets_and_arrays():
    runs = {"a": {"x": [0.9, 0.8], "y": [0.7, np.nan]}, "b": {"x": [0.5, 0.6], "y": [0.4, 0.3]}}
    results = podium.read(runs, metric="accuracy")
    assert results.scores().values.shape == (2, 2, 1, 2)
    assert [str(hole) for hole in results.missing()] == ["y / a (repeat 0, fold 1)"]


@pytest.mark.parametrize("scores", [lambda x: x, lambda x: [x, x + 0.01], lambda x: np.array([x, x - 0.01])])
def test_a_nested_dict_may_name_the_datasets_first(scores):
    """Algorithms are told from datasets by their names, as in a table."""
    turned = {"iris": {"knn": scores(0.9), "svm": scores(0.8)}, "wine": {"knn": scores(0.7), "svm": scores(0.6)}}
    straight = {who: {data: own[who] for data, own in turned.items()} for who in ("knn", "svm")}
    results = podium.read(turned, metric="accuracy")
    assert results.algorithms == ("knn", "svm")
    assert results.datasets == ("iris", "wine")
    assert results.scores().values.tolist() == podium.read(straight, metric="accuracy").scores().values.tolist()
    assert podium.read(turned, metric="accuracy", rows="datasets").algorithms == ("iris", "wine")


def test_what_has_no_name_reads_well_in_a_sentence():
    folds = {"nb": np.array([0.9, 0.8, 0.7]), "knn": np.array([0.5, 0.6, 0.7])}
    with pytest.raises(DataError, match="rows of the dict"):
        podium.read(folds, metric="accuracy")
    compared = podium.compare(folds, metric="accuracy", rows="folds")
    assert compared.verdict.headline.startswith("On the dataset, ")


def test_test_score_has_no_name():
    runs = {"nb": cross_validate(GaussianNB(), X, Y, cv=2)}
    with refuses(DataError, "metric"):
        podium.read(runs)
    assert podium.read(runs, metric="accuracy").metric().name == "accuracy"


@pytest.mark.parametrize(
    "wrong, options, error, phrase",
    [
        ({}, {}, DataError, "is empty"),
        ({"a": {}}, {}, DataError, "holds no cross_validate results"),
        ({"a": {"x": [1, 2]}, "b": {"x": [1]}}, {}, DataError, "use the same splits"),
        ({"a": {"x": [1, 2, 3]}}, {"repeats": 2}, ArgumentError, "cannot be cut into 2 equal"),
        ({"a": {"x": [1, np.inf]}}, {}, DataError, "infinite"),
        ({"a": {"x": ["x"]}}, {}, DataError, "not numbers"),
        ({"a": {"x": [0.5, True]}}, {}, DataError, "true or false"),
        ({"a": {"x": [[1.0]]}}, {}, DataError, "one number per fold"),
        ({"a\nb": {"x": [1.0]}}, {}, DataError, "rename it"),
    ],
)
def test_refused(wrong, options, error, phrase):
    with pytest.raises(error, match=phrase):
        podium.read(wrong, metric="accuracy", **options)


def test_a_fitted_grid_search():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=CV, scoring="accuracy").fit(X, Y)
    results = podium.read(search, dataset_name="iris")
    assert results.algorithms == ("n_neighbors=1", "n_neighbors=9")
    scores = results.scores("accuracy")
    assert scores.values.shape == (1, 2, 3, 2)  # the repeats are known from the splitter
    assert scores.table().values[0] == pytest.approx(search.cv_results_["mean_test_score"])
    assert results.scores("fit_time").values.shape == (1, 2, 1, 1)


def test_a_fitted_random_search_with_two_metrics():
    search = RandomizedSearchCV(
        KNeighborsClassifier(), {"n_neighbors": range(1, 20)}, n_iter=3, cv=2, random_state=0,
        scoring=["accuracy", "f1_macro"], refit=False,
    ).fit(X, Y)  # fmt: skip
    results = podium.read(search)
    assert set(results.metrics) >= {"accuracy", "f1_macro"}
    assert len(results.algorithms) == 3


def test_searches_that_cannot_be_read():
    search = GridSearchCV(KNeighborsClassifier(), {"n_neighbors": [1, 9]}, cv=2)
    with pytest.raises(DataError, match="not fitted"):
        podium.read(search)
    with refuses(DataError, "metric"):
        podium.read(search.fit(X, Y))
    assert podium.read(search, metric="accuracy").metric().name == "accuracy"


def test_metrics_by_name_are_no_datasets_and_no_algorithms():
    folds = {"accuracy": [0.8, 0.9, 0.7], "f1": [0.7, 0.8, 0.6], "fit_time": [1.0, 2.0, 3.0]}
    turned = {name: {"nb": scores, "svm": scores} for name, scores in folds.items()}
    for source in ({"nb": folds, "svm": folds}, turned):
        results = podium.read(source, repeats=1)
        assert results.algorithms == ("nb", "svm")
        assert results.datasets == ("the dataset",)
        assert [*results.metrics] == ["accuracy", "f1", "fit_time"]
        assert results.scores("f1").values[0, 1, 0].tolist() == folds["f1"]
