"""What holds for every registered metric of predictions: two algorithms may change places, and cases their order."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import results_of
from podium.cases import compare_predictions
from podium.cases.registry import METRICS
from said import says_its_numbers, shows_its_numbers


def drawn(needs, rng, n=40):
    """A truth, and predictions of two algorithms for a metric of these needs."""
    truth = np.arange(n) % 2
    if needs == "labels":
        return truth, {name: np.where(rng.random(n) < 0.3, 1 - truth, truth) for name in "ab"}
    if needs == "numbers":
        return rng.normal(size=n), {name: rng.normal(size=n) for name in "ab"}
    return truth, {name: np.clip(0.3 + 0.3 * truth + 0.2 * rng.normal(size=n), 0.01, 0.99) for name in "ab"}


@pytest.mark.parametrize("name", METRICS)
@given(seed=st.integers(0, 10**6))
@settings(max_examples=5)
def test_two_that_change_places_and_cases_in_another_order_say_the_same(name, seed):
    rng = np.random.default_rng(seed)
    truth, predictions = drawn(METRICS[name].needs, rng)
    order = rng.permutation(len(truth))
    asked = {"metric": name, "positive": 1 if METRICS[name].two_classes else None}
    found = compare_predictions(truth, predictions, **asked).pair("a", "b")
    turned = {other: predictions[other][order] for other in "ba"}
    again = compare_predictions(truth[order], turned, **asked).pair("a", "b")
    for field in ("pvalue", "effect", "low", "high", "wins", "losses", "side"):
        assert getattr(found, field) == pytest.approx(getattr(again, field), rel=1e-7, abs=1e-9), field


def test_numbers_in_sentences_and_frames_are_those_of_the_result():
    for result in results_of.cases():
        says_its_numbers(result, other=[0.8])
        shows_its_numbers(result)
