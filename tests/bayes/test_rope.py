"""Thresholds of irrelevance from data, by hand on small tables."""

import numpy as np
import pytest

import podium
from refusals import refuses


def scores_of(values, name="accuracy", direction="higher"):
    values = np.asarray(values, dtype=float)
    return podium.Scores(
        values=values,
        datasets=tuple(f"d{i}" for i in range(values.shape[0])),
        algorithms=tuple(f"a{i}" for i in range(values.shape[1])),
        metric=podium.Metric(name=name, direction=direction),
        repeats=tuple(range(values.shape[2])),
        folds=tuple(range(values.shape[3])),
    )


HALVES = scores_of([[[[0.90, 0.80]], [[0.70, 0.66]], [[0.60, 0.59]], [[0.10, 0.50]]]])


def test_halves_take_the_three_best():
    # Changes of the three best: 0.10, 0.04, 0.01; the worst algorithm's 0.40 does not count.
    found = podium.bayes.rope_from_halves(HALVES)
    assert (found.rope, found.n_changes) == (pytest.approx(0.04), 3)
    assert podium.bayes.rope_from_halves(HALVES, best=2).rope == pytest.approx(0.07)
    assert "futility" in found.summary()


def test_the_sentence_counts_what_there_is_and_tells_the_warning():
    same = scores_of([[[[0.9, 0.9]], [[0.7, 0.7]]]])
    found = podium.bayes.rope_from_halves(same)
    assert "of the 2 best algorithms on one dataset (2 changes)" in found.summary()
    assert "more than half of the changes are exactly zero" in found.summary()


def test_lower_is_better_turns_the_best_round():
    errors = scores_of(1 - HALVES.values, name="error", direction="lower")
    assert podium.bayes.rope_from_halves(errors).rope == pytest.approx(0.04)


def test_search_minus_test_error_and_the_smaller_of_both():
    promised = scores_of(HALVES.values + np.array([0.03, 0.02, 0.02, 0.5])[None, :, None, None])
    found = podium.bayes.rope_from_search(HALVES, promised)
    assert found.rope == pytest.approx(0.02)
    auto = podium.bayes.rope_auto(HALVES, search=promised)
    assert (auto.rope, auto.source) == (pytest.approx(0.02), "search")
    assert auto.candidates == {"search": pytest.approx(0.02), "halves": pytest.approx(0.04)}
    tables = podium.bayes.rope_from_search(HALVES.table(), promised.table())
    assert tables.rope == pytest.approx(0.02)


def test_folds_are_halved():
    scores = scores_of([[[[0.9, 0.8, 0.7, 0.6]], [[0.5, 0.5, 0.5, 0.5]]]])
    assert podium.bayes.rope_from_folds(scores, best=1).rope == pytest.approx(0.2)
    assert podium.bayes.rope_auto(scores, best=1).source == "folds"
    with pytest.raises(podium.DesignError, match="use `rope_from_folds`"):
        podium.bayes.rope_from_halves(scores)


def test_a_result_is_a_rope_for_every_model():
    found = podium.bayes.sign([0.9, 0.8], [0.8, 0.8], rope=podium.bayes.rope_from_halves(HALVES), rng=0)
    assert found.rope == pytest.approx(0.04)


def test_what_cannot_be_drawn_is_said():
    with refuses(podium.DesignError, "rope"):
        podium.bayes.rope_auto(scores_of(HALVES.values[..., :1]))
    with pytest.raises(podium.DataError, match="same datasets and algorithms"):
        podium.bayes.rope_from_search(HALVES.table(), HALVES.select(["a1", "a0", "a2", "a3"]).table())
    same = podium.bayes.rope_from_halves(scores_of(np.ones((1, 3, 1, 2))))
    assert "median change is 0" in same.warnings[0]


def test_missing_halves_do_not_count():
    values = HALVES.values.copy()
    values[0, 0, 0, 1] = np.nan
    assert podium.bayes.rope_from_halves(scores_of(values)).n_changes == 2
