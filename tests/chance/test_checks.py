"""Label permutation and trivial classifiers beside the exact null."""

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.model_selection import permutation_test_score
from sklearn.naive_bayes import GaussianNB

import podium


@pytest.fixture(scope="module")
def data():
    return make_classification(120, 8, n_informative=3, random_state=0)


def test_permutation_is_that_of_scikit_learn_for_one_competitor(data):
    X, y = data
    found = podium.chance.label_permutation(GaussianNB(), X, y, draws=30, rng=4)
    score, null_scores, pvalue = permutation_test_score(
        GaussianNB(), X, y, scoring="roc_auc", cv=5, n_permutations=30, random_state=found.seed
    )
    assert found.statistic == pytest.approx(score)
    np.testing.assert_allclose(found.null_scores, null_scores)
    assert found.pvalue == pytest.approx(pvalue)
    assert found.null == "label permutation"


def test_more_competitors_need_more(data):
    X, y = data
    noise = np.random.default_rng(0).random(X.shape)
    one = podium.chance.label_permutation(GaussianNB(), noise, y, draws=40, rng=1, alpha=0.2)
    many = podium.chance.label_permutation(GaussianNB(), noise, y, draws=40, rng=1, alpha=0.2, competitors=3)
    assert many.pvalue == pytest.approx(1 - (1 - one.p_single) ** 3)
    assert many.expected_best > one.expected_best == pytest.approx(one.null_scores.mean())
    assert many.critical_value >= one.critical_value
    hundred = podium.chance.label_permutation(GaussianNB(), noise, y, draws=40, rng=1, competitors=100)
    assert np.isnan(hundred.critical_value)  # 40 draws say nothing about the best of 100 at 5 %


def test_trivial_classifiers_see_true_labels_and_single_features(data):
    X, y = data
    found = podium.chance.trivial_classifiers(0.99, X[:60], y[:60], X[60:], y[60:], draws=40, competitors=5, rng=2)
    assert len(found.null_scores) == 40
    assert len(np.unique(found.null_scores)) <= 8  # one score per feature
    assert found.p_single == pytest.approx(1 / 41)
    assert found.expected_best >= found.null_scores.mean()
    easy = podium.chance.trivial_classifiers(0.5, X[:60], y[:60], X[60:], y[60:], draws=40, features=8, rng=2)
    assert len(np.unique(easy.null_scores)) == 1
    reference = GaussianNB().fit(X[:60], y[:60]).predict_proba(X[60:])[:, 1]
    assert easy.null_scores[0] == pytest.approx(podium.chance.chance_test(y[60:], reference).statistic)
    assert "trivial classifiers" in easy.summary()


def test_the_mean_best_of_two_draws_by_hand():
    from podium.chance.checks import _result

    found = _result("trivial classifiers", "auc", 2.0, np.array([1.0, 2.0, 3.0]), 2, 0.5, 0)
    assert found.expected_best == pytest.approx((1 * 1 + 2 * 3 + 3 * 5) / 9)  # of 9 ordered pairs
    assert found.p_single == 3 / 4


def test_bad_data(data):
    X, y = data
    with pytest.raises(podium.DataError, match="as many rows as labels"):
        podium.chance.trivial_classifiers(0.5, X[:60], y[:50], X[60:], y[60:])
    with pytest.raises(podium.DataError, match="missing values"):
        podium.chance.trivial_classifiers(0.5, X[:60] * np.nan, y[:60], X[60:], y[60:])
    with pytest.raises(podium.DataError, match="exactly two"):
        podium.chance.label_permutation(GaussianNB(), X, np.zeros(120))
