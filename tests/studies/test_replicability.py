"""Demsar's study of replicability: its measures, its sampling, and its bad input."""

import numpy as np
import pytest

import podium
from podium.core.errors import ArgumentError, DataError
from podium.stats import registry
from podium.studies._replicability import _biased_samples, bouckaert_replicability, replicability


def test_bouckaerts_measure_is_the_share_of_agreeing_pairs():
    decisions = np.array([True] * 3 + [False] * 5)
    agree = sum(decisions[i] == decisions[j] for i in range(8) for j in range(8) if i != j) / 56

    assert float(bouckaert_replicability(3, 8)) == pytest.approx(agree)
    assert float(bouckaert_replicability(0, 8)) == 1.0
    assert float(bouckaert_replicability(8, 8)) == 1.0


def test_the_first_dataset_drawn_follows_the_weights():
    # One of N drawn with probability proportional to 1 / (1 + exp(-k d)).
    gains, bias, samples = np.array([-0.2, 0.0, 0.1, 0.3]), 8.0, 40_000
    drawn = _biased_samples(gains, bias, 1, samples, np.random.default_rng(0))[:, 0]
    weights = 1 / (1 + np.exp(-bias * gains))
    expected = weights / weights.sum()

    assert np.bincount(drawn) / samples == pytest.approx(expected, abs=4 * np.sqrt(0.25 / samples))


def test_samples_have_no_dataset_twice():
    picks = _biased_samples(np.linspace(-1, 1, 20), 5.0, 10, 500, np.random.default_rng(0))

    assert all(len(set(row)) == 10 for row in picks)


@pytest.fixture(scope="module")
def study():
    return replicability(podium.example("benavoli2016").scores(), a="C1", b="C4", draws=400)


def test_all_eleven_tests_and_twenty_one_biases(study):
    assert study.rejected.shape == (11, 21)
    assert study.left_out == ("zoo",)
    assert ((study.rejected >= 0) & (study.rejected <= 1)).all()
    assert study.unit == 100.0  # accuracies in percent


def test_a_bias_is_in_units_of_shares_and_scores_in_percent_are_taken_as_such():
    """Ten times the scores with a unit of ten, and percent without one, give the samples of the shares themselves."""
    table = np.random.default_rng(0).uniform(0.5, 1.0, (20, 2))
    asked = {"tests": ["sign", "paired_t"], "size": 8, "biases": (0, 40), "draws": 100}
    shares = replicability(table, **asked)
    for found in (replicability(10 * table, unit=10, **asked), replicability(100 * table, **asked)):
        assert found.mean_pvalue == pytest.approx(shares.mean_pvalue)
    for other, unit in ((table / table.max(), 1), (-100 * table, 100), (200 * table, 1)):
        assert replicability(other, **asked).unit == unit
    assert shares.rejected[0, 1] > shares.rejected[0, 0] + 0.2


def test_two_algorithms_are_compared_by_tests_of_two():
    found = replicability(np.random.default_rng(0).uniform(0.5, 1.0, (9, 2)), size=5, biases=(0,), draws=10)
    assert set(found.tests) <= set(registry.names("datasets"))


def test_more_bias_means_more_rejection(study):
    two = [study.tests.index(name) for name in ("paired_t", "wilcoxon", "sign")]

    assert (study.rejected[two, -5:].mean(axis=1) > study.rejected[two, :5].mean(axis=1) + 0.1).all()


def test_the_table_has_the_means_over_the_biases_and_the_sentence_names_their_largest(study):
    table = study.tables()["result"].set_index("test")
    means = dict(zip(study.tests, study.rejected.mean(axis=1), strict=True))
    assert table["rejected"].to_dict() == pytest.approx(means)
    assert table["rejected"].is_monotonic_decreasing
    steady = study.tests[int(study.steadiness.mean(axis=1).argmax())]
    assert f"{max(means, key=means.get)} rejects most often and the p-value of {steady} varies least" in study.summary()
    assert "400 samples of" in study.summary()


def test_equal_seeds_give_equal_numbers():
    table = podium.example("benavoli2016").scores()
    settings = {"tests": ["sign", "wilcoxon"], "draws": 50, "biases": (0, 10)}
    first = replicability(table, rng=5, **settings)

    assert first.to_dict() == replicability(table, rng=5, **settings).to_dict()
    assert (first.mean_pvalue != replicability(table, rng=6, **settings).mean_pvalue).any()


@pytest.mark.parametrize(
    ("settings", "error", "words"),
    [
        ({"size": 60}, DataError, "only 53 are complete"),
        ({"biases": (-1,)}, ArgumentError, "must not be negative"),
        ({"a": "C1", "b": "C1"}, ArgumentError, "must be two algorithms"),
        ({"a": "C8"}, ArgumentError, "Unknown algorithm 'C8'"),
        ({"draws": 1}, ArgumentError, "integer of at least 2"),
    ],
)
def test_bad_requests_are_one_sentence(settings, error, words):
    with pytest.raises(error, match=words):
        replicability(podium.example("benavoli2016").scores(), **settings)
