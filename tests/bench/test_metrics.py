"""Metrics equal scikit-learn's; searches choose what brute force chooses."""

import numpy as np
import pytest
import sklearn.metrics as peers
from hypothesis import given
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.neighbors import KNeighborsClassifier

from podium.bench.learners.space import Space, grid
from podium.bench.metrics import METRICS, NoProbabilities, Predictions, score
from podium.bench.search import SearchError, SearchFold, search


@st.composite
def predictions(draw):
    classes = draw(st.integers(2, 4))
    n = draw(st.integers(2 * classes, 60))
    rng = np.random.default_rng(draw(st.integers(0, 10_000)))
    y = rng.permutation(np.arange(n) % classes)
    odds = rng.integers(1, 6, (n, classes)).astype(float)  # few different values, so that there are ties
    p = odds / odds.sum(axis=1, keepdims=True)
    return Predictions(np.arange(n), y, p.argmax(axis=1), classes, p, None)


@given(predictions())
def test_metrics_are_those_of_scikit_learn(p):
    average = "binary" if p.classes == 2 else "macro"
    scores = p.probabilities[:, 1] if p.classes == 2 else p.probabilities
    expected = {
        "error": peers.zero_one_loss(p.y, p.predicted),
        "accuracy": peers.accuracy_score(p.y, p.predicted),
        "balanced_accuracy": peers.balanced_accuracy_score(p.y, p.predicted),
        "kappa": peers.cohen_kappa_score(p.y, p.predicted),
        "mcc": peers.matthews_corrcoef(p.y, p.predicted),
        "f1": peers.f1_score(p.y, p.predicted, average=average, zero_division=0),
        "auc": peers.roc_auc_score(p.y, scores, multi_class="ovr"),
        "log_loss": peers.log_loss(p.y, p.probabilities, labels=range(p.classes)),
        "brier": np.mean(((p.probabilities - np.eye(p.classes)[p.y]) ** 2).sum(axis=1)) / (1 + (p.classes == 2)),
    }
    assert set(expected) == {name for name, metric in METRICS.items() if metric.task == "classification"}
    for name, value in expected.items():
        assert score(name, p) == pytest.approx(value, abs=1e-12), name


def test_decision_values_do_for_auc_but_not_for_log_loss():
    y = np.array([0, 1, 0, 1])
    p = Predictions(np.arange(4), y, y, 2, None, np.array([-1.0, 2.0, 0.5, 0.5]))
    assert score("auc", p) == pytest.approx(peers.roc_auc_score(y, [-1.0, 2.0, 0.5, 0.5]))
    with pytest.raises(NoProbabilities, match="gives no probabilities"):
        score("log_loss", p)


def test_a_class_that_is_not_tested_is_no_error():
    y = np.zeros(5, dtype=int)
    p = Predictions(np.arange(5), y, y, 2, np.full((5, 2), 0.5), None)
    assert np.isnan(score("auc", p))
    assert score("kappa", p) == 0.0


X, Y = load_iris(return_X_y=True)
PARTS = [SearchFold(X[np.arange(150) % 3 != k], Y[np.arange(150) % 3 != k], X[k::3], Y[k::3]) for k in range(3)]


def knn(params):
    return KNeighborsClassifier(**params)


def test_the_search_chooses_what_brute_force_chooses():
    ks, weights = (1, 5, 30, 90), ("uniform", "distance")
    everything = grid(n_neighbors=ks)
    found = search(knn, Space(everything), PARTS)
    errors = [
        np.mean(np.concatenate([knn(c).fit(a, b).predict(c2) != d for a, b, c2, d, _ in PARTS])) for c in everything
    ]
    assert found.params == everything[int(np.argmin(errors))]
    assert found.cv_error == pytest.approx(min(errors))
    assert (found.combinations, found.trainings) == (4, 12)
    free = search(knn, Space(({},), "n_neighbors", ks), PARTS)
    assert (free.params, free.cv_error) == (found.params, found.cv_error)
    assert (free.combinations, free.trainings) == (4, 3)
    both = search(knn, Space(grid(metric=["euclidean", "cosine"]), "n_neighbors", ks), PARTS)
    assert both.combinations == 8
    assert weights


def test_candidates_that_fail_are_out_and_named():
    found = search(knn, Space(({"n_neighbors": 1000}, {"n_neighbors": 3})), PARTS)
    assert found.params == {"n_neighbors": 3}
    assert found.failures[0].startswith("{'n_neighbors': 1000}: ValueError")
    with pytest.raises(SearchError, match="All 1 candidates failed; the first with"):
        search(knn, Space(({"n_neighbors": 1000},)), PARTS)
