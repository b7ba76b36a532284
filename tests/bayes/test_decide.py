"""Decisions: by probability, and never on nothing."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from refusals import refuses

BASE = podium.bayes.correlated_t([0.8, 0.9, 0.85], [0.7, 0.85, 0.8], rope=0.01, names=("svm", "knn"), draws=0)


def pair(left, middle, right, rope=0.01):
    return replace(BASE, p_left=left, p_rope=middle, p_right=right, rope=rope)


@pytest.mark.parametrize(
    "chances, verdict, winner",
    [
        ((0.01, 0.02, 0.97), "a", "svm"),
        ((0.96, 0.04, 0.0), "b", "knn"),
        ((0.02, 0.96, 0.02), "equivalent", None),
        ((0.05, 0.0, 0.95), "undecided", None),
    ],
)
def test_a_verdict_needs_more_than_the_probability(chances, verdict, winner):
    found = podium.bayes.decide(pair(*chances))
    assert found.verdicts == (verdict,)
    assert found.winner("svm", "knn") == winner
    assert found.to_frame().loc[0, "verdict"] == verdict
    assert "svm" in found.summary()


def test_no_rope_no_equivalence():
    assert podium.bayes.decide(pair(0.0, 1.0, 0.0, rope=0.0)).verdicts == ("undecided",)


def test_without_a_rope_nothing_is_said_of_practice():
    found = podium.bayes.decide(pair(0.0, 0.0, 0.99999, rope=0.0))
    assert found.summary() == "svm is better than knn, by however little (probability above 0.95; here above 0.9999)."
    several = podium.bayes.all_pairs(np.linspace(0.5, 0.9, 9)[:, None] + [0.0, 0.0, 0.1], model="sign", rng=0)
    assert "2 differ, by however little, 1 is undecided" in podium.bayes.decide(several).summary()


def test_only_answers_of_models_are_decided():
    with refuses(podium.ArgumentError, "result"):
        podium.bayes.decide(0.97)


@given(st.tuples(*[st.floats(0.001, 1)] * 3), st.floats(0.5, 0.99))
def test_turning_the_pair_turns_the_verdict(weights, probability):
    left, middle, right = np.array(weights) / sum(weights)
    one = podium.bayes.decide(pair(left, middle, right), probability=probability).verdicts[0]
    two = podium.bayes.decide(pair(right, middle, left), probability=probability).verdicts[0]
    assert {"a": "b", "b": "a"}.get(one, one) == two


def test_refusals():
    with refuses(podium.ArgumentError, "probability"):
        podium.bayes.decide(BASE, probability=0.3)


def test_all_pairs_are_counted():
    found = podium.bayes.decide(
        podium.bayes.all_pairs(np.random.default_rng(0).normal(size=(9, 3)), model="sign", rope=0.1, rng=0)
    )
    assert len(found.verdicts) == 3
    assert "undecided is not equivalent" in found.summary()
