"""Formulas of the planning room against SciPy, simulation and brute force: each once went unnoticed when it was changed."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from podium.cases.binary import wilson
from podium.cases.planning import cases_needed
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from podium.evidence.table import as_table
from podium.planning import may_stop, plan, plan_class_balance
from podium.planning._power import _source
from podium.planning.batch import as_batch
from podium.planning.cases import mcnemar_cases
from podium.planning.detectable import detectable_difference, typical_spread
from podium.stats.posthoc.all_pairs import all_pairs

PILOTS = {  # differences, and their variance
    "normal": (lambda rng, n: rng.normal(size=n), 1.0),
    "Student's t, 5 degrees": (lambda rng, n: rng.standard_t(5, n), 5 / 3),
    "lognormal": (lambda rng, n: rng.lognormal(size=n), np.e * (np.e - 1)),
    # Not among those by which the rule was chosen:
    "exponential": (lambda rng, n: rng.exponential(size=n), 1.0),
    "gamma 0.4 - gamma 0.4": (lambda rng, n: rng.gamma(0.4, size=n) - rng.gamma(0.4, size=n), 0.8),
}


def share_of_right_ranges(law, n, draws, rng):
    """Plans from pilots of n cases whose range holds the number of cases that the true variance takes."""
    draw, variance = PILOTS[law]
    difference = np.sqrt(variance) / 10
    right, held = cases_needed(difference, between=variance).cases, 0
    for _ in range(draws):
        values = draw(rng, n)
        design = plan({"a": values, "b": 0 * values}, difference=difference).designs[0]
        held += design.low <= right <= design.high
    return held / draws


@pytest.mark.parametrize("law", PILOTS)
def test_the_range_of_a_plan_holds_the_right_number(law):
    """About 80%, as it says: by the kurtosis of the pilot 51% of lognormal differences."""
    assert share_of_right_ranges(law, 40, 200, np.random.default_rng(1)) >= 0.8 - 3 * np.sqrt(0.16 / 200)


def test_what_few_skewed_numbers_make_of_the_range_stands_beside_it():
    values = np.random.default_rng(1).lognormal(size=40)
    few, enough = (plan({"a": values[:n], "b": 0 * values[:n]}, difference=0.3).summary() for n in (15, 40))
    assert "in 74% of pilots of 15 lognormal numbers" in few
    assert "lognormal" not in enough
    assert 0.66 <= share_of_right_ranges("lognormal", 15, 300, np.random.default_rng(15)) <= 0.82


@pytest.mark.slow
@pytest.mark.parametrize("n", [20, 40, 160])
@pytest.mark.parametrize("law", PILOTS)
def test_the_range_of_a_plan_at_length(law, n):
    least = 0.73 if n < 40 else 0.8
    assert least - 3 * np.sqrt(0.16 / 1000) <= share_of_right_ranges(law, n, 1000, np.random.default_rng(n)) <= 0.95


def test_clusters_of_five_copies_need_five_times_the_cases():
    values = np.random.default_rng(2).normal(size=60)
    alone = plan({"a": values, "b": 0 * values}, difference=0.3).needed
    names, copied = np.repeat(np.arange(60), 5), np.repeat(values, 5)
    cases = Cases(
        values=np.column_stack([copied, 0 * copied]), cases=tuple(map(str, range(300))), algorithms=("a", "b"),
        metric=Metric(name="score", direction="higher"), clusters=tuple(map(str, names)),
    )  # fmt: skip
    assert plan(cases, difference=0.3).needed == pytest.approx(5 * alone, rel=0.05)
    bounded = np.round(np.tanh(values / 8), 3)
    one = may_stop({"a": bounded, "b": 0 * bounded}, bound=1.0, difference=0.03)
    asked = {"bound": 1.0, "difference": 0.03, "largest_cluster": 5}
    of_five = may_stop(
        replace(cases, values=np.column_stack([np.repeat(bounded, 5), 0 * copied]), scores=np.empty(0)), **asked
    )
    assert of_five.cases_in_all == pytest.approx(5 * one.cases_in_all, rel=0.01)


def test_the_range_of_a_plan_is_of_the_ends_of_the_disagreement():
    """20 of 40 disagree: the ends of the 80% interval of that share, each planned on its own."""
    a, b = np.repeat([1.0, 0.0, 1.0], [10, 10, 20]), np.repeat([0.0, 1.0, 1.0], [10, 10, 20])
    found = plan({"a": a, "b": b}, difference=0.3).designs[0]
    ends = wilson(20, 40, stats.norm.ppf(0.9))
    expected = [mcnemar_cases(float(end), 0.3, target_power=0.8, alpha=0.05)[0] for end in ends]
    assert [found.low, found.high] == pytest.approx(expected, rel=0.08)


def test_the_number_of_samples_is_the_cheapest_of_all():
    rng = np.random.default_rng(3)
    chance = np.clip(0.5 + 0.02 * rng.standard_normal((4000, 2)), 0, 1)
    drawn = (rng.random((4000, 2, 30)) < chance[:, :, None]).astype(float)
    cases = Cases(
        values=drawn.mean(axis=2), cases=tuple(map(str, range(4000))), algorithms=("a", "b"),
        metric=Metric(name="accuracy", direction="higher"), samples=drawn,
    )  # fmt: skip
    found = plan(cases, difference=0.02, case_cost=1.0, sample_cost=1.0)
    best = found.designs[found.best]
    first, second = drawn[:, 0], drawn[:, 1]
    within = first.var(axis=1, ddof=1).mean() + second.var(axis=1, ddof=1).mean()
    between = max((first.mean(axis=1) - second.mean(axis=1)).var(ddof=1) - within / 30, 0.0)
    cost = [(between + within / m) * (1.0 + 2 * m) for m in range(1, 101)]
    cheapest = min(cost)
    assert (between + within / best.samples) * (1.0 + 2 * best.samples) <= 1.002 * cheapest


def test_scores_of_folds_are_correlated_as_their_training_sets_overlap():
    draw, _ = _source(None, None, None, "normal", 2.0, 10)
    drawn = draw(np.random.default_rng(4), 60_000, 2)
    assert np.corrcoef(drawn.T)[0, 1] == pytest.approx(0.1, abs=0.013)
    assert drawn.std() == pytest.approx(2.0, rel=0.02)


def test_the_power_of_a_mix_by_simulation():
    """An algorithm of true AUC 0.75 on 12 positives and 8 negatives, drawn here, exceeds the critical value as often."""
    found = plan_class_balance(20, metrics=["auc"], auc=0.75, draws=1500, rng=1)
    place = int(np.flatnonzero(found.positives == 12)[0]) if 12 in found.positives else len(found.positives) // 2
    positives, negatives = int(found.positives[place]), int(found.negatives[place])
    rng = np.random.default_rng(5)
    shift = stats.norm.ppf(0.75) * np.sqrt(2)
    above = rng.normal(shift, 1, (4000, positives, 1)) > rng.normal(size=(4000, 1, negatives))
    expected = (above.mean(axis=(1, 2)) > found.critical_values[0, place] + 1e-9).mean()
    assert found.power[0, place] == pytest.approx(expected, abs=0.05)


def test_a_typical_spread_is_the_median_one():
    rng = np.random.default_rng(6)
    table = as_table(rng.normal(size=(30, 3)) * np.array([1.0, 1.0, 20.0]))
    spreads = [np.std(table.values[:, i] - table.values[:, j], ddof=1) for i, j in ((0, 1), (0, 2), (1, 2))]
    assert typical_spread(table, all_pairs(table)) == pytest.approx(np.median(spreads))


def test_the_difference_that_a_typical_pair_shows_has_80_percent_power_at_its_level():
    """By the noncentral t distribution, averaged over deviations as uncertain as that of 30 differences; in the table's units."""
    table = as_table(10 * np.random.default_rng(6).normal(size=(30, 3)))
    pairs = all_pairs(table, test="paired_t")
    found = detectable_difference(table, pairs, 0.05) / typical_spread(table, pairs)
    level, true = 0.05 / 3 / 2, np.sqrt(np.random.default_rng(1).chisquare(29, 4000) / 29)
    power = stats.nct.sf(stats.t.isf(level, 29), 29, found * true * np.sqrt(30)).mean()
    assert power == pytest.approx(0.8, abs=0.01)


def test_a_p_of_every_pair_is_at_most_one():
    samples = np.random.default_rng(0).normal(size=(50, 8, 4))
    each = as_batch("mean_ranks")(samples)[:, 0]
    assert as_batch("mean_ranks", every_pair=True)(samples)[:, 0] == pytest.approx(np.minimum(1, 6 * each))
    assert (6 * each > 1).any()
