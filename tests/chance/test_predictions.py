"""From labels and scores: metrics as scikit-learn computes them, ties, and bad data."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics

import podium
from podium.chance.rankings import ranked_score
from refusals import refuses


def over_thresholds(score, y, scores):
    """The best of a metric of predictions over all thresholds."""
    cuts = [np.inf, *np.unique(scores)]
    return max(score(y, (scores >= cut).astype(int)) for cut in cuts)


REFERENCES = {
    "auc": metrics.roc_auc_score,
    "best_accuracy": lambda y, s: over_thresholds(metrics.accuracy_score, y, s),
    "best_f1": lambda y, s: over_thresholds(lambda a, b: metrics.f1_score(a, b, zero_division=0), y, s),
    "best_f2": lambda y, s: over_thresholds(lambda a, b: metrics.fbeta_score(a, b, beta=2, zero_division=0), y, s),
    "balanced_accuracy": lambda y, s: over_thresholds(metrics.balanced_accuracy_score, y, s),
    "mcc": lambda y, s: over_thresholds(metrics.matthews_corrcoef, y, s),
    "kappa": lambda y, s: over_thresholds(metrics.cohen_kappa_score, y, s),
    "gini": lambda y, s: 2 * metrics.roc_auc_score(y, s) - 1,
}
labels_and_scores = st.lists(st.tuples(st.booleans(), st.integers(0, 6)), min_size=2, max_size=30).filter(
    lambda cases: len({label for label, _ in cases}) == 2
)


@settings(max_examples=25)
@given(labels_and_scores)
def test_metrics_are_those_of_scikit_learn_with_ties_or_without(cases):
    y = np.array([label for label, _ in cases])
    scores = np.array([float(score) for _, score in cases])
    for metric, reference in REFERENCES.items():
        law = podium.chance.null_distribution(metric, positives=int(y.sum()), negatives=int((~y).sum()))
        found = ranked_score(law, y, scores)
        assert found.expected == pytest.approx(reference(y.astype(int), scores), abs=1e-12), metric
        assert found.worst - 1e-12 <= found.expected <= found.best + 1e-12


@given(labels_and_scores, st.integers(0, 1000))
def test_breaking_ties_stays_within_worst_and_best_and_averages_to_the_expected(cases, seed):
    y = np.array([label for label, _ in cases])
    scores = np.array([float(score) for _, score in cases])
    random = np.random.default_rng(seed)
    for metric in ("auc", "best_f1", "best_accuracy", "tp2", "mcc"):
        law = podium.chance.null_distribution(metric, positives=int(y.sum()), negatives=int((~y).sum()))
        found = ranked_score(law, y, scores)
        broken = [ranked_score(law, y, scores + 0.4 * random.random(len(y))) for _ in range(5)]
        assert all(one.tied == 0 and one.best == one.worst == one.expected for one in broken)
        assert all(found.worst - 1e-12 <= one.expected <= found.best + 1e-12 for one in broken)
        favour, against = scores + 0.4 * y, scores - 0.4 * y
        assert ranked_score(law, y, favour).expected == pytest.approx(found.best)
        assert ranked_score(law, y, against).expected == pytest.approx(found.worst)


def test_the_expected_top_n_is_the_mean_over_orders_of_the_ties():
    y = np.array([True, True, False, False, True])
    law = podium.chance.null_distribution("precision3", positives=3, negatives=2)
    found = ranked_score(law, y, np.array([2.0, 1, 1, 1, 0]))  # one sure, two of {1, 0, 0} more
    assert found.expected == pytest.approx((1 + 2 / 3) / 3)
    assert (found.worst, found.best, found.tied) == (pytest.approx(1 / 3), pytest.approx(2 / 3), 3)


def test_the_winner_its_critical_value_and_its_pvalue():
    random = np.random.default_rng(7)
    y = np.repeat([1, 0], [30, 50])
    scores = pd.DataFrame({"noise": random.random(80), "good": random.random(80) + 0.5 * y})
    found = podium.chance.chance_test(y, scores, competitors=100, alpha=0.01)
    assert found.winner == "good"
    assert found.statistic == pytest.approx(metrics.roc_auc_score(y, scores["good"]))
    single = podium.chance.pvalue("auc", found.statistic, positives=30, negatives=50, competitors=100)
    assert found.pvalue == single.pvalue
    critical = podium.chance.critical_value("auc", positives=30, negatives=50, competitors=100, alpha=0.01)
    assert found.critical_value == critical.critical_value
    assert (found.statistic > found.critical_value) == (found.pvalue <= 0.01)
    assert "exceeds the critical value" in found.summary()
    assert found.to_frame()["algorithm"].tolist() == ["good", "noise"]


def test_tied_scores_are_shown_as_usual_and_tested_at_the_worst():
    y = [1, 1, 1, 0, 0, 0, 0]
    scores = [3, 2, 1, 1, 1, 1, 0]  # 9 pairs won, 3 drawn
    found = podium.chance.chance_test(y, scores)
    assert found.score == pytest.approx(10.5 / 12)
    assert found.statistic == found.worst[0] == 9 / 12
    assert found.best[0] == 1
    assert found.pvalue == podium.chance.pvalue("auc", 9 / 12, positives=3, negatives=4).pvalue
    assert found.tied.tolist() == [4]
    assert "4 of its cases tie" in found.summary()
    usual = podium.chance.chance_test(y, scores, ties="expected")
    assert usual.statistic == pytest.approx(10 / 12)  # rounded down to an attainable score
    assert usual.pvalue < found.pvalue


@pytest.mark.parametrize("groups", [(3, 4, 2), (1, 5, 1), (6, 3), (2, 2, 2, 2)])
@pytest.mark.parametrize("metric", ["auc", "best_f1", "best_accuracy", "tp3", "mcc", "youden"])
def test_the_pvalue_is_never_too_small_whatever_the_ties(groups, metric):
    # All labellings of tied scores are equally likely under the null: P(pvalue <= p) must not exceed p.
    scores = np.repeat(np.arange(len(groups), 0, -1), groups)
    pvalues = []
    for chosen in combinations(range(len(scores)), 3):
        y = np.zeros(len(scores), int)
        y[list(chosen)] = 1
        pvalues.append(podium.chance.chance_test(y, scores, metric=metric).pvalue)
    pvalues = np.sort(pvalues)
    share = np.searchsorted(pvalues, pvalues + 1e-12, side="right") / len(pvalues)
    assert (share <= pvalues + 1e-9).all()


def test_the_expected_score_of_ties_can_be_too_good():
    # One positive among the three tied on top of 100 happens to 3 % of random labellings, but its expected AUC is
    # that of the second place, which has 2 %: why the worst is the default.
    y, scores = np.eye(100, dtype=int)[0], np.repeat([1, 0], [3, 97])
    assert podium.chance.chance_test(y, scores, ties="expected").pvalue == pytest.approx(0.02)
    assert podium.chance.chance_test(y, scores).pvalue == pytest.approx(0.03)


def test_a_constant_score_is_no_better_than_chance():
    for metric in ("auc", "best_f1", "best_accuracy", "tp2", "mcc"):
        assert podium.chance.chance_test([1, 0, 0, 1], [0.5] * 4, metric=metric).pvalue == 1


@pytest.mark.slow
def test_random_scores_with_ties_are_significant_at_most_alpha_of_the_time():
    random = np.random.default_rng(11)
    y = np.repeat([1, 0], [15, 25])
    for metric in ("auc", "best_f1", "youden", "tp5"):
        rejected = 0
        for _ in range(2000):
            found = podium.chance.chance_test(y, random.integers(0, 5, (40, 3)), metric=metric, alpha=0.1)
            rejected += found.pvalue <= 0.1
        assert rejected <= 240, metric  # 10 % of 2000, plus three standard errors


@pytest.mark.parametrize(
    "y, scores, sentence",
    [
        ([1, 0, 2], [1, 2, 3], "exactly two different labels; there are 3"),
        ([1, 1, 1], [1, 2, 3], "exactly two different labels; there are 1"),
        (["a", "b"], [1, 2], "say which one is `positive`"),
        ([1, 0, np.nan], [1, 2, 3], "missing label at index 2"),
        ([1, 0], [1, np.nan], "score of 'algorithm 1' for case 1"),
        (["a", "b", None], [1, 2, 3], "missing label at index 2"),
        ([1, 0], [1, np.inf], "for case 1 .from 0. is infinite: write a larger number than the others"),
        ([1, 0], [1, 2, 3], "have 3 cases, but there are 2 labels"),
        ([1, 0], ["x", "y"], "must contain only numbers"),
        ([1, 0], {}, "at least one algorithm"),
        ([[1], [0]], [1, 2], "must be a list of labels"),
        ([1, 0], np.zeros((2, 2, 2)), "it has 3 dimensions"),
    ],
)
def test_bad_data_is_refused_in_one_sentence(y, scores, sentence):
    with pytest.raises(podium.DataError, match=sentence):
        podium.chance.chance_test(y, scores)


def test_labels_of_any_two_values():
    scores = [3, 2, 1]
    assert podium.chance.chance_test(["yes", "no", "no"], scores, positive="yes").positives == 1
    assert podium.chance.chance_test([True, False, False], scores).positives == 1
    assert podium.chance.chance_test(["1", "0", "0"], scores).positives == 1
    assert podium.chance.chance_test([1, -1, -1], scores).statistic == 1
    with refuses(podium.DataError, "positive"):
        podium.chance.chance_test(["yes", "no", "no"], scores, positive="maybe")
    with refuses(podium.ArgumentError, "competitors"):
        podium.chance.chance_test([1, 0], np.zeros((2, 2)), competitors=1)
