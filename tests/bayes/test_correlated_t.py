"""The correlated Bayesian t test: published values, scipy, and what must never happen."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import podium
from bayes.published import accuracies
from refusals import refuses


def test_anneal_and_audiology_of_the_tutorial():
    # BayesianTestsML/tutorial, Python/"Correlated t-test for comparing classifiers performance on the same
    # dataset.ipynb", rope 0.01; the notebook's accuracies have two decimals of a percent.
    nbc, aode = accuracies()["nbc"], accuracies()["aode"]
    for dataset, (left, rope, right) in {
        0: (0.9542966354882696, 0.04570306097263277, 3.0353909763469744e-07),
        1: (0.08214267577999079, 0.9085092663989454, 0.009348057821063849),
    }.items():
        x, y = (np.round(values[dataset], 2) / 100 for values in (nbc, aode))
        found = podium.bayes.correlated_t(x, y, rope=0.01)
        assert [found.p_left, found.p_rope, found.p_right] == pytest.approx([left, rope, right], abs=1e-9)


def test_sonar_of_baycomp():
    # janezd/baycomp docs/functions.rst: two_on_single, (nbc better, [rope,] j48 better), first ten scores, percent.
    x, y = (accuracies()[name][40].ravel()[:10] for name in ("nbc", "j48"))
    without = podium.bayes.correlated_t(x, y)
    assert [without.p_right, without.p_left] == pytest.approx([0.4145119975061462, 0.5854880024938538], abs=1e-9)
    with_rope = podium.bayes.correlated_t(x, y, rope=0.5)
    assert [with_rope.p_right, with_rope.p_rope, with_rope.p_left] == pytest.approx(
        [0.28584464173791, 0.2691518716880249, 0.4450034865740651], abs=1e-9
    )


@pytest.mark.parametrize(
    "dataset, mean, scale, low, high",
    [
        # BayesianTestsML/tutorial, Julia/Notebook2, printed output (D17, D09, D20, D02, D03), nbc minus aode.
        (17, -0.002120899768821926, 0.0010572234264579394, -0.00421866, -2.31392e-05),
        (9, -0.07268759207705232, 0.020829926223337843, -0.114019, -0.0313565),
        (20, -0.032416596466590945, 0.00436226369443885, -0.0410723, -0.0237609),
        (2, -0.0026088997156299564, 0.005270342447276725, -0.0130664, 0.0078486),
        (3, 0.004667099491286156, 0.008823540094666927, -0.0128407, 0.0221749),
    ],
)
def test_posteriors_printed_in_the_tutorial(dataset, mean, scale, low, high):
    x, y = (accuracies()[name][dataset - 1] / 100 for name in ("nbc", "aode"))
    found = podium.bayes.correlated_t(x, y)
    assert found.details["df"] == 99
    assert [found.difference, found.details["scale"]] == pytest.approx([mean, scale], abs=1e-7)
    assert [found.low, found.high] == pytest.approx([low, high], abs=1e-6)


@given(st.lists(st.floats(-1, 1).map(lambda v: round(v, 3)), min_size=2, max_size=12), st.floats(0, 0.5))
def test_agrees_with_scipy_and_sums_to_one(gains, rope):
    gains = np.array(gains)
    found = podium.bayes.correlated_t(gains, np.zeros(len(gains)), rope=rope, draws=0)
    assert found.p_left + found.p_rope + found.p_right == pytest.approx(1)
    turned = podium.bayes.correlated_t(np.zeros(len(gains)), gains, rope=rope, draws=0)
    assert [turned.p_left, turned.p_right] == pytest.approx([found.p_right, found.p_left], abs=1e-12)
    if np.ptp(gains) > 0:
        n, rho = len(gains), 1 / len(gains)
        scale = np.sqrt((1 / n + rho / (1 - rho)) * gains.var(ddof=1))
        assert found.p_right == pytest.approx(stats.t.sf(rope, n - 1, gains.mean(), scale), abs=1e-9)


def test_identical_scores_give_no_verdict_and_say_so():
    found = podium.bayes.correlated_t([0.8, 0.7, 0.9], [0.8, 0.7, 0.9])
    assert (found.p_left, found.p_rope, found.p_right) == (0.5, 0.0, 0.5)
    assert podium.bayes.decide(found).verdicts == ("undecided",)
    assert "identical" in found.warnings[0]
    assert podium.bayes.correlated_t([0.8, 0.7, 0.9], [0.8, 0.7, 0.9], rope=0.01).p_rope == 1


def test_a_constant_difference_is_certain_and_warned_of():
    found = podium.bayes.correlated_t([0.8, 0.7, 0.9], [0.75, 0.65, 0.85], rope=0.01)
    assert found.p_right == 1
    assert "without variance" in found.warnings[0]


def test_two_folds_and_equal_seeds():
    one = podium.bayes.correlated_t([0.8, 0.9], [0.7, 0.85], rope=0.01, rng=3)
    two = podium.bayes.correlated_t([0.8, 0.9], [0.7, 0.85], rope=0.01, rng=3)
    assert one.details["df"] == 1
    assert np.array_equal(one.draws["difference"], two.draws["difference"])


def test_draws_follow_the_posterior():
    found = podium.bayes.correlated_t([0.8, 0.9, 0.7, 0.8], [0.7, 0.85, 0.72, 0.8], draws=20_000, rng=0)
    assert (
        stats.kstest(
            found.draws["difference"], "t", (found.details["df"], found.difference, found.details["scale"])
        ).pvalue
        > 1e-3
    )


def test_what_cannot_be_done_is_said_in_a_sentence():
    with pytest.raises(podium.DataError, match="at least two folds"):
        podium.bayes.correlated_t([0.8], [0.7])
    with refuses(podium.ArgumentError, "rope"):
        podium.bayes.correlated_t([0.8, 0.9], [0.7, 0.6], rope=-1)


def test_all_pairs_on_a_dataset_follow_the_direction_of_the_metric():
    values = np.array([[[[0.1, 0.12, 0.11]], [[0.2, 0.23, 0.25]], [[0.1, 0.13, 0.12]]]])
    scores = podium.Scores(
        values=values,
        datasets=("zoo",),
        algorithms=("p", "q", "r"),
        metric=podium.Metric(name="error", direction="lower"),
        folds=(0, 1, 2),
    )
    found = podium.bayes.all_pairs(scores, model="correlated_t", rope=0.01)
    assert found.p_right[0] > 0.9  # p has the lower error: it is better
    assert list(found.to_frame().columns[:8]) == ["a", "b", "p_left", "p_rope", "p_right", "difference", "low", "high"]
    turned = found.pair("q", "p")
    assert (turned.p_left, turned.difference) == (found.p_right[0], -found.difference[0])


def test_folds_are_paired_by_label():
    x = pd.Series([0.9, 0.8, 0.7, 0.6], index=list("abcd"))
    y = pd.Series([0.5, 0.58, 0.65, 0.79], index=list("dcba"))
    assert podium.bayes.correlated_t(x, y).p_right == podium.bayes.correlated_t(x, y[::-1]).p_right


@pytest.mark.parametrize(
    "wrong",
    [
        {"design": podium.Design(repeats=10, folds=10)},
        {"design": 10},
        {"names": "ab"},
        {"names": ("a", "a")},
        {"names": ("a",)},
    ],
)
def test_a_design_or_names_that_do_not_fit_are_refused(wrong):
    with pytest.raises(podium.PodiumError):
        podium.bayes.correlated_t([0.9, 0.8, 0.7], [0.8, 0.8, 0.6], **wrong)
