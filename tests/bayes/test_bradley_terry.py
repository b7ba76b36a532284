"""The Bradley-Terry model: a general engine, two algorithms by quadrature, ties."""

import numpy as np
import pytest
from scipy import integrate

import podium
from bayes.published import references
from podium.bayes._bradley_terry import _chains, counted_results, results_of
from podium.bayes.bradley_terry_fit import fit_of
from refusals import refuses


def test_agrees_with_nuts():
    case = references()["bradley_terry"]
    wins = np.array(case["wins"])
    flat = _chains(wins, 12_000, np.random.default_rng(1), None).reshape(-1, len(wins) + 1)
    for name, pair in case["pairs"].items():
        i, k = (int(part) + 1 for part in name.split("-"))
        beats = 1 / (1 + np.exp(flat[:, k] - flat[:, i])) - 0.5
        assert beats.mean() == pytest.approx(pair["mean"], abs=5 * pair["sd"] / np.sqrt(min(pair["ess"], 4000)))
        regions = [(beats < -0.05).mean(), (np.abs(beats) <= 0.05).mean(), (beats > 0.05).mean()]
        assert regions == pytest.approx(pair["regions"], abs=0.025)
    assert np.exp(flat[:, 0]).mean() == pytest.approx(case["sigma"]["mean"], rel=0.04)


def test_two_algorithms_by_quadrature():
    # The gap g has, given sigma, the prior N(0, 2 sigma^2): integrate over both.
    def weight(g, log_sigma):
        sigma2 = 2 * np.exp(2 * log_sigma)
        prior = np.exp(-2 * log_sigma**2 - 0.5 * g * g / sigma2) / np.sqrt(sigma2)
        return prior / (1 + np.exp(-g)) ** 8 / (1 + np.exp(g)) ** 3

    total = integrate.dblquad(weight, -3, 3, -12, 12)[0]
    mean = integrate.dblquad(lambda g, s: weight(g, s) / (1 + np.exp(-g)), -3, 3, -12, 12)[0] / total
    table = np.zeros((11, 2))
    table[:8, 0] = table[8:, 1] = 1
    found = podium.bayes.bradley_terry(table, draws=20_000, rng=0)
    assert found.difference[0] + 0.5 == pytest.approx(mean, abs=0.004)


def test_ties_by_a_rope_and_by_folds():
    table = np.array([[0.90, 0.89, 0.5], [0.80, 0.85, 0.5], [0.7, 0.7, np.nan]])
    _, results = results_of(table, rope=0.02)
    assert (results == 1).sum(axis=0).tolist() == [[0, 0, 2], [1, 0, 2], [0, 0, 0]]
    assert (results[:, 0, 1] == 0).sum() == 2
    assert len(results) == 3
    values = np.array([[[[0.9, 0.7]], [[0.8, 0.75]]]])  # gains 0.1 and -0.05: mean 0.025, sd 0.106
    scores = podium.Scores(
        values=values,
        datasets=("zoo",),
        algorithms=("p", "q"),
        metric=podium.Metric(name="accuracy", direction="higher"),
        folds=(0, 1),
    )
    assert results_of(scores, fold_effect=0.2)[1][0, 0, 1] == 1
    assert results_of(scores, fold_effect=0.4)[1][0, 0, 1] == 0
    with refuses(podium.DesignError, "rope"):
        podium.bayes.bradley_terry(table, fold_effect=0.4)


@pytest.mark.parametrize("ties", ["spread", "add", "forget"])
def test_identical_algorithms_are_never_told_apart(ties):
    x = np.linspace(0.5, 0.9, 12)
    found = podium.bayes.bradley_terry(np.column_stack([x, x]), ties=ties, band=0.0, rng=0)
    assert podium.bayes.decide(found).verdicts == ("undecided",)
    assert found.p_left[0] == pytest.approx(0.5, abs=0.05)
    assert "tie on every dataset" in found.warnings[-1]


def test_equal_seeds_ranks_and_refusals():
    y = np.random.default_rng(0).normal([0.0, 0.0, 2.0], 1.0, (12, 3))
    one, two = (podium.bayes.bradley_terry(y, draws=800, rng=2).to_dict() for _ in "ab")
    assert one == two
    found = podium.bayes.bradley_terry(y, rng=2)
    assert found.p_best[2] > 0.9
    assert found.rank_probabilities.sum(axis=0) == pytest.approx(np.ones(3))
    with refuses(podium.ArgumentError, "band"):
        podium.bayes.bradley_terry(y, band=0.7)


def test_the_band_has_its_own_name():
    found = podium.bayes.bradley_terry(np.arange(20.0)[:, None] + [0.0, 1.0, 1.0], rope=0.5, rng=0)
    assert (
        "band 1/2 ± 0.05 of the probability to win; scores that differ by at most the rope 0.5 tie" in found.summary()
    )
    assert "exceeds the band 1/2 ± 0.05" in found.pair(*found.names[0]).summary()


# Results of one dataset depend on each other.


def test_each_result_counts_by_the_number_of_algorithms():
    rng = np.random.default_rng(0)
    for k, weight in ((2, 1.0), (3, 0.75), (5, 0.5), (10, 0.2727273)):
        _, results = results_of(rng.normal(size=(1, k)))
        assert counted_results(results).max() == pytest.approx(weight, abs=1e-7)
    holes = np.array([[0.1, 0.2, np.nan], [0.1, 0.2, 0.3]])
    counted = counted_results(results_of(holes)[1])
    assert (counted[1, 0], counted[2, 0]) == pytest.approx((1.75, 0.75))


def test_values_of_three_algorithms():
    """Values of a second program (quadrature): wins 8 to 2, 6 to 4 and 5 to 5, each counted 3 / 4."""
    wins = 0.75 * np.array([[0, 8, 6], [2, 0, 5], [4, 5, 0.0]])
    flat = _chains(wins, 60_000, np.random.default_rng(3), None).reshape(-1, 4)
    beats = 1 / (1 + np.exp(flat[:, 2] - flat[:, 1]))
    low, high = np.quantile(beats, [0.025, 0.975])
    assert (beats.mean(), low, high) == pytest.approx((0.66879, 0.42538, 0.87918), abs=0.006)
    assert (beats > 0.5).mean() == pytest.approx(0.91382, abs=0.006)


def ranked(strengths, n, rng, shared=0.0, families=None):
    """Tables in which better means more strength; `families` rise and fall together on a dataset."""
    noise = rng.gumbel(size=(n, len(strengths)))
    together = 0 if families is None else shared * rng.normal(size=(n, max(families) + 1))[:, families]
    return np.asarray(strengths) + noise + together


def test_equal_algorithms_are_seldom_decided():
    rng, some, sure = np.random.default_rng(5), 0, 0
    for _ in range(40):
        found = podium.bayes.bradley_terry(ranked(np.zeros(8), 30, rng), band=0.0, draws=800, rng=rng)
        sure += bool((np.maximum(found.p_left, found.p_right) > 0.95).any())
        some += set(podium.bayes.decide(found).verdicts) != {"undecided"}
    assert some <= 3
    assert sure >= 8  # a probability above 0.95 of one pair of many is no decision


def test_a_scale_that_does_not_fit_is_told():
    """A circle: a beats b, b beats c, c beats a on nine of ten datasets."""
    circle = np.tile([[3.0, 2, 1], [1, 3, 2], [2, 1, 3]], (30, 1))
    found = podium.bayes.bradley_terry(circle, rng=0)
    assert any("does not fit these results" in warning for warning in found.warnings)
    assert found.pair_details["alone_low"][0] < 2 / 3 - 0.5 < found.pair_details["alone_high"][0]


def test_tables_that_fit_raise_no_alarm():
    rng = np.random.default_rng(8)
    alarms = [
        bool(fit_of(results_of(ranked(np.linspace(0, 1, 5), 40, rng))[1]).warnings(tuple("abcde"))) for _ in range(60)
    ]
    assert np.mean(alarms) <= 0.12


def test_pairs_are_summed_up_some_at_a_time(monkeypatch):
    table = np.random.default_rng(5).normal(np.arange(6.0), 2, (15, 6))
    whole = podium.bayes.bradley_terry(table, draws=800, rng=1)
    monkeypatch.setattr("podium.bayes.posterior.AT_ONCE", 1700)  # two pairs
    parts = podium.bayes.bradley_terry(table, draws=800, rng=1)
    for name in ("p_left", "p_rope", "p_right", "difference", "low", "high"):
        assert getattr(parts, name).tolist() == getattr(whole, name).tolist()


def test_how_far_apart_pairs_are_is_their_gap_in_standard_deviations():
    found = podium.bayes.bradley_terry(np.random.default_rng(6).normal(np.arange(4.0), 2, (12, 4)), draws=800, rng=1)
    first, second = np.triu_indices(4, 1)
    gaps = found.draws["abilities"][:, first] - found.draws["abilities"][:, second]
    assert found.pair_details["apart"] == pytest.approx(np.abs(gaps.mean(axis=0)) / gaps.std(axis=0), rel=1e-10)


def test_a_table_too_large_to_keep_every_result_is_refused(monkeypatch):
    monkeypatch.setattr("podium.bayes._bradley_terry.MOST_RESULTS", 12 * 4**2 - 1)
    with refuses(podium.DataError):
        results_of(np.random.default_rng(6).normal(size=(12, 4)))
    results_of(np.random.default_rng(6).normal(size=(11, 4)))


def test_the_fewest_draws():
    table = np.random.default_rng(0).uniform(0.5, 1.0, (9, 2))
    assert podium.bayes.bradley_terry(table, draws=400, rng=0).n_pairs == 1
    with refuses(podium.ArgumentError, "draws"):
        podium.bayes.bradley_terry(table, draws=399)
