"""Formulas of the cases room against SciPy, brute force and what they must do: each of these once went unnoticed when it was changed."""

import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import stats

from podium.cases import confidence_sequence, gate, mcnemar
from podium.cases._drops import mean_drops
from podium.cases._rank_sets import _allowed
from podium.cases.binary import DIFFERENCES
from podium.cases.equivalence import CaseEquivalence, case_equivalence
from podium.cases.family import flip_family, flipped_sums
from podium.cases.gate_kernels import GateDesign, IntervalMeans, gate_means
from podium.cases.gate_power import worse_rate
from podium.cases.means import _sparse
from podium.cases.pair_kernels import influence_pairs, pass_fail_pairs
from podium.cases.predictions import as_predictions
from podium.cases.samples import sample_summary, variance_split
from podium.cases.single import score_intervals
from podium.cases.skew import of_known_range
from podium.core.errors import DataError
from podium.core.metric import Metric
from podium.core.pairs import pair_indices
from podium.evidence.cases import as_cases
from podium.planning import may_stop
from podium.stats.posthoc.compared import Compared, pairs_of_gains
from podium.stats.posthoc.pairs_result import PairsResult
from refusals import refuses

# Sign flips.


def test_a_random_flip_turns_each_case_or_leaves_it():
    flipped, is_all = flipped_sums(np.eye(20), 300, np.random.default_rng(1), 10_000)
    assert not is_all
    assert set(np.unique(flipped)) == {-1.0, 1.0}
    assert abs(flipped.mean()) < 4 / np.sqrt(flipped.size)


def test_the_data_are_one_of_the_random_flips():
    sums = np.column_stack([np.ones(40), np.zeros(40)])
    assert flip_family(sums, np.array([0]), np.array([1]), draws=99).adjusted.tolist() == [1 / 100]


@pytest.mark.parametrize("draws, alpha", [(99, 0.05), (100, 0.05), (999, 0.01), (19, 0.05), (18, 0.05)])
def test_so_many_flips_may_reach_a_significant_statistic(draws, alpha):
    counts = np.arange(draws + 1)
    assert _allowed(draws, alpha, exact=False) == np.sum((counts + 1) / (draws + 1) <= alpha + 1e-12) - 1
    assert _allowed(draws, alpha, exact=True) == np.sum(counts / draws <= alpha + 1e-12) - 1


# Removed cases.


def test_the_fewest_cases_that_take_the_lead_by_brute_force():
    rng = np.random.default_rng(2)
    for _ in range(20):
        d = np.round(rng.normal(0.3, 1, 8), 1)
        if d.sum() == 0:
            continue
        found = next(
            r
            for r in range(9)
            if any(
                np.sign(np.round(np.delete(d, list(out)).sum(), 9)) != np.sign(d.sum())
                for out in itertools.combinations(range(8), r)
            )
        )
        assert mean_drops(d) == found


# Intervals.


def test_the_pair_without_a_common_case_is_named():
    nan = np.nan
    cases = as_cases({"x": [1.0, nan, nan], "y": [0.0, 1.0, 0.0], "z": [nan, 0.0, 1.0]})
    with pytest.raises(DataError, match="'x' and 'z' have no case in common"):
        pass_fail_pairs(cases, *pair_indices(3), exact=False)


def test_the_interval_has_the_confidence_that_was_asked_for():
    truth, a, b = np.ones(40), np.repeat([1, 1, 0, 0], [20, 9, 3, 8]), np.repeat([1, 0, 1, 0], [20, 9, 3, 8])
    for interval, confidence in itertools.product(DIFFERENCES, (0.8, 0.99)):
        found = mcnemar(truth, a, b, interval=interval, confidence=confidence)
        ends = DIFFERENCES[interval](9, 3, 40, 20, stats.norm.ppf((1 + confidence) / 2))
        assert (found.low, found.high) == pytest.approx([float(end) for end in ends], abs=1e-12)


def test_the_jackknife_is_the_standard_error_of_pseudo_values():
    rng = np.random.default_rng(3)
    truth = rng.normal(size=7)
    cases = as_predictions(truth, truth[:, None] + rng.normal(size=(7, 2)), metric="rmse").to_cases()
    found = influence_pairs(cases, np.array([0]), np.array([1]))
    assert found.details["error"][0] == pytest.approx(stats.sem(cases.values[:, 0] - cases.values[:, 1]))


def test_the_interval_of_an_rmse_is_even_on_the_scale_of_its_logarithm():
    rng = np.random.default_rng(4)
    truth = rng.normal(size=30)
    cases = as_predictions(truth, truth[:, None] + rng.normal(size=(30, 2)), metric="rmse").to_cases()
    score, low, high = (float(part[0]) for part in score_intervals(cases))
    error = stats.sem(cases.values[:, 0])
    assert (low * high, high / score) == pytest.approx((score**2, np.exp(stats.t.ppf(0.975, 29) * error / score)))


def test_a_metric_from_minus_one_to_one_has_wilsons_interval_on_that_range():
    rng = np.random.default_rng(5)
    truth = rng.integers(0, 2, 200)
    labels = np.where(rng.random((200, 2)) < 0.75, truth[:, None], 1 - truth[:, None])
    cases = as_predictions(truth, labels, metric="mcc").to_cases()
    score, low, high = (float(part[0]) for part in score_intervals(cases))
    share, error = (score + 1) / 2, stats.sem(cases.values[:, 0]) / 2
    # Wilson's ends are where a share is a quantile of its own standard error away; about 100 degrees of freedom.
    for end in ((low + 1) / 2, (high + 1) / 2):
        own = np.sqrt(end * (1 - end) / (share * (1 - share))) * error
        assert abs(share - end) / own == pytest.approx(1.98, abs=0.02)


def test_a_score_over_benchmarks_near_1_is_worth_half_of_its_cases():
    outcomes = np.concatenate([np.ones(8), np.arange(1000) < 999]).astype(float)
    cases = as_cases(outcomes[:, None], benchmarks=np.repeat(["x", "y"], [8, 1000]))
    mean, low, _ = (float(part[0]) for part in score_intervals(cases, macro=True))
    size = 2 / (1 / 8 + 1 / 1000)
    quantile = (mean - low) / np.sqrt(low * (1 - low) / size)
    assert quantile == pytest.approx(stats.t.ppf(0.975, 7.0), rel=0.01)  # nearly all of the variance is of the 8 cases


def test_the_interval_at_every_moment_is_within_that_of_each_moment():
    rng = np.random.default_rng(6)
    values = rng.choice([0.0, 1.0, -1.0], 100, p=[0.4, 0.4, 0.2])
    found = confidence_sequence(values)
    alone = [confidence_sequence(values[:n], running=False) for n in range(1, 101)]
    assert found.low == pytest.approx(max(one.low for one in alone), abs=1e-6)
    assert found.high == pytest.approx(min(one.high for one in alone), abs=1e-6)


def test_first_cases_that_exclude_the_mean_of_all_are_refused():
    """An interval of length 0, or one whose ends are in the wrong order, would be no answer."""
    values = np.repeat([1.0, -1.0], [60, 120])
    for asked in (lambda: confidence_sequence(values), lambda: may_stop({"a": values > 0, "b": values < 0})):
        with refuses(DataError):
            asked()
    with refuses(DataError):
        gate({"a": values < 0, "b": values > 0}, margin=0.1, anytime=True)


# A known range.


def test_one_more_cluster_as_large_as_the_largest_is_added_at_the_end_of_the_range():
    """Drawn: the share of Bayesian bootstraps in which the mean is at most 0."""
    values, weights = np.array([[0.3, 0.1, 0.2, -0.1]]), np.array([0.5, 1.8, 0.7, 1.0])
    drawn = np.random.default_rng(7).exponential(size=(200_000, 5))
    expected = (drawn @ np.append(weights * values[0], 1.8 * -1.0) <= 0).mean()
    assert of_known_range(values, weights, (-1.0, 1.0)).p_above(0.0)[0] == pytest.approx(expected, abs=0.006)


def test_few_differing_cases_are_fewer_than_twenty_and_of_clusters_fewer_than_half():
    differ = (np.arange(60) < np.array([[19], [20]])) * 1.0
    for clustered in (True, False):
        groups = SimpleNamespace(clustered=clustered, counted=np.ones(60))
        assert _sparse(differ, differ, groups).tolist() == [True, False]
    half = differ[:1, :38]
    assert not _sparse(half, half, SimpleNamespace(clustered=True)).any()


# Equivalence.


def test_equivalence_is_asked_of_each_pair_at_its_share_of_the_level():
    rng = np.random.default_rng(8)
    cases = as_cases((rng.random((400, 3)) < 0.8).astype(float))
    first, second = pair_indices(3)
    compared = Compared(algorithms=cases.algorithms, metric=cases.metric)
    gains = pass_fail_pairs(cases, first, second, exact=False)
    asked = {"correction": "holm", "test": "x", "effect_name": "difference", "confidence": 0.95, "intervals": "each"}
    pairs = pairs_of_gains(PairsResult, compared.among(None), gains, **asked, references=())
    found = case_equivalence(gains, pairs, rope=0.05, alpha=0.05)
    low, high = gains.ends(2 * 0.05 / 3)
    assert found.confidence == pytest.approx(1 - 0.1 / 3)
    np.testing.assert_allclose([found.low, found.high], [low, high])


def test_an_interval_that_touches_the_rope_is_not_within_it():
    two = {"algorithms": ("a", "b"), "first": np.array([0]), "second": np.array([1]), "control": None, "alpha": 0.05}
    metric, ends = Metric(name="accuracy", direction="higher"), {"gain": np.array([0.0])}
    for low, high, answers in (
        (-0.0195, 0.0205, (0, 1, 0)),
        (-0.0205, 0.0195, (0, 0, 1)),
        (-0.0195, 0.0195, (1, 1, 1)),
    ):
        ends |= {"low": np.array([low]), "high": np.array([high])}
        found = CaseEquivalence(**two, **ends, rope=0.02, confidence=0.9, metric=metric)
        assert (found.equivalent[0], found.not_worse[0], found.not_better[0]) == answers


# Samples.


def test_flips_and_the_split_of_the_variance_by_all_pairs_of_samples():
    rng = np.random.default_rng(9)
    samples = (rng.random((6, 1, 5)) < 0.5).astype(float)
    pairs = [[row[i] != row[j] for i, j in itertools.combinations(range(5), 2)] for row in samples[:, 0]]
    cases = replace(as_cases({"a": samples.mean(axis=2)[:, 0]}), samples=samples)
    assert sample_summary(cases).flips[0] == pytest.approx(np.mean(pairs))
    found = variance_split(samples[:, 0], samples[:, 0, ::-1])
    assert (found.samples, found.cases) == (5, 6)


# The gate.


@pytest.mark.parametrize("margin, needed", [(0.05, 52), (0.02, 133), (0.01, 268)])
def test_how_many_cases_without_a_change_would_pass(margin, needed):
    """Where nothing changed the gate passes from z^2 (1 - margin) / margin cases on."""
    assert gate({"old": [1] * 20, "new": [1] * 20}, margin=margin).checks[0].cases_needed == needed
    answers = [gate({"old": [1] * n, "new": [1] * n}, margin=margin).answer for n in (needed - 1, needed)]
    assert answers == ["cannot tell", "not worse"]


def test_cases_if_the_observed_difference_is_the_true_one():
    """A gain of 1% and a margin of 5% are 6% apart, by the normal law with 80% power one-sided."""
    rng = np.random.default_rng(10)
    values = rng.permutation(np.repeat([1.0, -1.0, 0.0], [21, 19, 160]))
    found = gate({"old": (values < 0) * 1.0, "new": (values > 0) * 1.0}, margin=0.03).checks[0]
    variance = (40 / 200) - 0.01**2
    expected = (stats.norm.ppf(0.95) + stats.norm.ppf(0.8)) ** 2 * variance / 0.04**2
    assert found.cases_if_as_observed == pytest.approx(expected, rel=0.02)


@pytest.mark.parametrize(
    "drop, error, df, margin", [(0.03, 0.01, 8, 0.01), (0.05, 0.02, 30, 0.06), (0.1, 0.03, 5, 0.05)]
)
def test_how_often_a_drop_is_called_worse_by_simulation(drop, error, df, margin):
    rng = np.random.default_rng(11)
    means = rng.normal(-drop, error, 200_000)
    half = stats.t.ppf(0.95, df) * error * np.sqrt(rng.chisquare(df, 200_000) / df)
    share = np.mean((means + half < 0) & ~(means - half > -margin))
    assert worse_rate(drop, error, df=df, margin=margin, alpha=0.05) == pytest.approx(share, abs=0.006)


def test_the_power_of_a_gate_of_aucs_is_that_of_its_standard_error():
    rng = np.random.default_rng(12)
    truth = np.arange(400) % 2
    shared = rng.normal(size=400) + 1.5 * truth
    scores = np.column_stack([shared + 0.7 * rng.normal(size=400) for _ in range(2)])
    found = gate(as_predictions(truth, scores, metric="auc"), margin=0.03).checks[0]
    error = (found.high - found.low) / (2 * stats.norm.ppf(0.95))
    assert found.power == pytest.approx(stats.norm.cdf(0.03 / error - stats.norm.ppf(0.95)), abs=0.03)


def test_the_error_of_clusters_in_the_gate_by_hand():
    """Three clusters of two: as much as the correlation, drawn towards one half by ten clusters, inflates the plain error."""
    rows = np.array([[0.1, 0.2, -0.3, 0.3, 0.2, -0.1]])
    asked = GateDesign(
        kind="numeric", cluster=np.array([0, 0, 1, 1, 2, 2]), benchmark=np.zeros(6, dtype=int), margin=0.5
    )
    between, within = 2 * rows.reshape(3, 2).mean(axis=1).var(ddof=1), (rows.reshape(3, 2).var(axis=1, ddof=1)).mean()
    correlation = max((between - within) / 2, 0.0) / (max((between - within) / 2, 0.0) + within)
    effect = 1 + (3 * correlation + 10 * 0.5) / 13
    estimate, _ = gate_means(rows, asked)
    assert estimate.error[0] == pytest.approx(np.sqrt(effect * rows.var(ddof=1) / 6))


@pytest.mark.parametrize("value", [-0.3, 0.1, 0.19, 0.21, 0.205, 0.5])
def test_the_p_value_of_a_known_interval_is_that_of_its_law(value):
    def ends(level):
        half = 0.1 * stats.norm.isf(level / 2)
        return np.array([0.2 - half]), np.array([0.2 + half])

    found = IntervalMeans(ends=ends)
    above = stats.norm.cdf((value - 0.2) / 0.1)
    assert (found.p_above(value)[0], found.p_below(value)[0]) == pytest.approx((above, 1 - above), abs=1e-9)


def test_clusters_that_a_gate_of_numbers_needs():
    """Clusters of five alike, with a range: no fewer than the t test of their means needs, five cases each."""
    rng = np.random.default_rng(13)
    means = 0.1 * rng.choice([-1.0, 1.0], 12)
    values = np.repeat(means, 5)
    found = gate({"old": 0.5 - values / 2, "new": 0.5 + values / 2}, margin=0.05, clusters=np.repeat(np.arange(12), 5))
    variance = max(means.var(ddof=1), 1e-9)
    n = 3
    while stats.nct.sf(stats.t.ppf(0.95, n - 1), n - 1, 0.05 / np.sqrt(variance / n)) < 0.8:
        n += 1
    assert found.checks[0].cases_needed == pytest.approx(5 * n, rel=0.15)
