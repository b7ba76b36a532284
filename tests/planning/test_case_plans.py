"""Plans of evaluations, and when a running one may stop."""

import numpy as np
import pytest
from scipy.stats import norm

from podium.cases import cases_needed, compare_predictions, mcnemar_power, variance_split
from podium.cases.predictions import as_predictions
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.evidence.cases import Cases
from podium.planning import may_stop, plan
from podium.planning.cases import mcnemar_cases, power_by_cases
from refusals import refuses

ACCURACY = Metric(name="accuracy", direction="higher")


# The fixed number of cases with a power of 80%, found by enumeration elsewhere.
@pytest.mark.parametrize(
    "difference, apart, n", [(0.04, 0.2, 972), (0.08, 0.2, 237), (0.14, 0.2, 72), (0.03, 0.05, 396), (0.1, 0.5, 389)]
)
def test_cases_by_the_exact_power(difference, apart, n):
    found, power = mcnemar_cases(apart, difference, target_power=0.8, alpha=0.05)
    assert found == pytest.approx(n, rel=0.05)
    assert power >= 0.8
    assert mcnemar_power(found, only_a=(apart + difference) / 2, only_b=(apart - difference) / 2) == power


def test_an_assumed_agreement():
    found = plan(difference=0.05, agreement=0.8)
    assert found.designs[0].power >= 0.8
    assert found.designs[0].outcomes == 2 * found.designs[0].count
    assert found.designs[0].cost is None
    assert "an assumed agreement on 80% of the cases" in found.summary()
    assert plan(difference=-0.05, agreement=0.8).designs == found.designs
    fewer = plan(difference=0.05, agreement=0.9).designs[0].count
    assert fewer < found.designs[0].count < plan(difference=0.05, agreement=0.8, target_power=0.9).designs[0].count


def test_a_pilot_of_pass_or_fail():
    rng = np.random.default_rng(0)
    old = (rng.random(300) < 0.7) * 1.0
    new = np.where(rng.random(300) < 0.15, 1 - old, old)
    found = plan({"old": old, "new": new, "other": old}, difference=0.04, a="old", b="new", sample_cost=0.5)
    apart = (np.sum(old != new) + 2) / 302
    design = found.designs[0]
    assert design.power == mcnemar_power(design.count, only_a=(apart + 0.04) / 2, only_b=(apart - 0.04) / 2)
    assert design.low < design.count < design.high
    assert design.cost == pytest.approx(design.count)  # two tries at one half
    assert "a pilot of 300 cases (old and new)" in found.summary()
    holes = {"old": [*old, np.nan, 1.0], "new": [*new, 0.0, np.nan]}  # a case counts where both have it
    assert plan(holes, difference=0.04, sample_cost=0.5).designs == found.designs


def sampled(between, n=400, m=5, seed=1):
    """Samples (cases, 2, m) of two algorithms whose probabilities differ by a random amount on every case."""
    rng = np.random.default_rng(seed)
    chance = rng.uniform(0.2, 0.8, n)
    shift = rng.choice([-between, between], n)
    both = np.stack([chance + shift / 2, chance - shift / 2], axis=1)
    drawn = (rng.random((n, 2, m)) < both[:, :, None]).astype(float)
    return Cases(
        values=drawn.mean(axis=2),
        cases=tuple(map(str, range(n))),
        algorithms=("a", "b"),
        metric=ACCURACY,
        samples=drawn,
    )


def test_samples_follow_the_split_of_the_variance():
    pilot = sampled(0.3)
    split = variance_split(pilot.samples[:, 0], pilot.samples[:, 1])
    found = plan(pilot, difference=0.05)
    assert [d.samples for d in found.designs] == [1, 2, 5, 10]
    for design in found.designs:
        needed = cases_needed(
            0.05, between=split.between, within_a=split.within_a, within_b=split.within_b, samples=design.samples
        )
        assert design.count == needed.cases
    assert found.designs[found.best].samples == 1  # more cases beat more samples where a case costs nothing


def test_the_cheapest_design_is_the_cheapest():
    pilot = sampled(0.3)
    found = plan(pilot, difference=0.05, case_cost=10, sample_cost=0.5)
    split = variance_split(pilot.samples[:, 0], pilot.samples[:, 1])
    prices = {}
    for m in range(1, 60):
        n = cases_needed(0.05, between=split.between, within_a=split.within_a, within_b=split.within_b, samples=m).cases
        prices[m] = n * (10 + 2 * m * 0.5)
    best = found.designs[found.best]
    assert best.samples > 1
    assert best.cost == pytest.approx(min(prices.values()), rel=0.02)
    assert "at a cost of" in found.summary()


def test_the_planned_power_is_the_power():
    """1,500 evaluations of the planned size with a true difference of 0.1, each by the t test."""
    rng = np.random.default_rng(7)
    found = plan(sampled(0.2, n=2000), difference=0.1)
    design = next(d for d in found.designs if d.samples == 2)
    n, hits, draws = design.count, 0, 1500
    chance = rng.uniform(0.2, 0.8, (draws, n))
    shift = rng.choice([-0.2, 0.2], (draws, n))
    first = rng.binomial(2, np.clip(chance + shift / 2 + 0.05, 0, 1)) / 2
    second = rng.binomial(2, np.clip(chance - shift / 2 - 0.05, 0, 1)) / 2
    differences = first - second
    t = differences.mean(axis=1) / (differences.std(axis=1, ddof=1) / np.sqrt(n))
    hits = int((t > 1.97).sum())
    assert hits / draws == pytest.approx(0.8, abs=0.05)


def test_clusters_need_more():
    rng = np.random.default_rng(3)
    group = np.repeat(np.arange(60), 5)
    base = rng.normal(0, 1, 300)
    moved = {"a": base + rng.normal(0, 1, 60)[group], "b": base + rng.normal(0, 0.3, 300)}
    cases = Cases(
        values=np.column_stack(list(moved.values())),
        cases=tuple(map(str, range(300))),
        algorithms=("a", "b"),
        metric=ACCURACY,
        clusters=tuple(map(str, group)),
    )
    alone = plan(moved, difference=0.2).designs[0].count
    assert plan(cases, difference=0.2).designs[0].count > 3 * alone


def test_costs_of_the_pilot_count():
    pilot = {"a": [1.0, 0, 1, 1, 0, 1] * 20, "b": [1.0, 1, 1, 0, 0, 1] * 20}
    cases = Cases(
        values=np.column_stack(list(pilot.values())),
        cases=tuple(map(str, range(120))),
        algorithms=("a", "b"),
        metric=ACCURACY,
        costs=np.tile([0.01, 0.03], (120, 1)),
        cost=Metric(name="dollars", direction="lower"),
    )
    design = plan(cases, difference=0.1).designs[0]
    assert design.cost == pytest.approx(design.count * 0.04)


@pytest.mark.parametrize(
    "options, said",
    [
        ({"difference": 0.1}, "Give a pilot"),
        ({"difference": 0, "agreement": 0.8}, "difference of 0"),
        ({"difference": 0.3, "agreement": 0.8}, "cannot differ by 0.3"),
        ({"difference": 0.1, "agreement": 1.5}, "agreement"),
        ({"difference": 0.1, "agreement": 0.8, "sample_cost": -1}, "sample_cost"),
        ({"difference": 1e-9, "agreement": 0.8}, "needs more than"),
    ],
)
def test_wishes_that_are_refused(options, said):
    with pytest.raises(ArgumentError, match=said):
        plan(**options)


def test_pilots_that_are_refused():
    with refuses(DataError, "agreement"):
        plan({"a": [1, 0] * 10}, difference=0.1)
    with pytest.raises(DataError, match="'a' and 'b' have 3 cases in common: a pilot needs 5 or more"):
        plan({"a": [1, 0, 1], "b": [1, 1, 1]}, difference=0.1)
    with refuses(ArgumentError, "agreement"):
        plan({"a": [1, 0] * 10, "b": [1, 1] * 10}, difference=0.1, agreement=0.9)


# Stopping.


def test_stop_as_soon_as_it_is_shown():
    found = may_stop({"x": [1] * 9, "y": [0] * 9})
    assert (found.decision, found.decided_after, found.exit_code) == ("stop", 8, 0)  # the first e-value of 20 or more
    assert "x is significantly better than y" in found.summary()
    assert may_stop({"x": [0] * 9, "y": [1] * 9}).reason.startswith("y is significantly better than x")


def test_go_on_and_how_long():
    rng = np.random.default_rng(2)
    old = (rng.random(150) < 0.7) * 1.0
    new = np.where(rng.random(150) < 0.2, 1 - old, old)
    found = may_stop({"old": old, "new": new}, difference=0.05)
    assert (found.decision, found.exit_code) == ("go on", 3)
    assert found.low < 0 < found.high
    assert found.cases_in_all > 1000


def test_stop_where_no_difference_that_matters_is_left():
    rng = np.random.default_rng(2)
    old = (rng.random(3000) < 0.7) * 1.0
    new = np.where(rng.random(3000) < 0.05, rng.random(3000) < 0.7, old)
    found = may_stop({"old": old, "new": new}, difference=0.05)
    assert found.decision == "stop"
    assert "a difference of 5 percentage points or more is ruled out" in found.summary()
    assert -0.05 < found.low < found.high < 0.05


def test_lower_is_better_when_stopping():
    rng = np.random.default_rng(4)
    values = np.column_stack([rng.uniform(0, 0.3, 60), rng.uniform(0.5, 1, 60)])
    cases = Cases(
        values=values,
        cases=tuple(map(str, range(60))),
        algorithms=("good", "bad"),
        metric=Metric(name="brier", direction="lower"),
    )
    found = may_stop(cases)
    assert found.reason.startswith("good is significantly better than bad")
    assert found.high < 0
    assert found.difference < 0


def test_stop_refuses_what_it_cannot_promise():
    numbers = {"a": [1.5, 2.5, 3.5, 9.0, 7.0], "b": [1.0, 2.0, 3.0, 9.5, 6.0]}
    with refuses(ArgumentError, "bound"):
        may_stop(numbers)
    assert may_stop(numbers, bound=10).decision == "go on"
    cases = Cases(
        values=np.ones((20, 2)),
        cases=tuple(map(str, range(20))),
        algorithms=("a", "b"),
        metric=ACCURACY,
        benchmarks=("x", "y") * 10,
    )
    with refuses(ArgumentError, "where"):
        may_stop(cases)


def test_a_plan_of_predictions_has_the_standard_error_of_their_comparison():
    """The cases at which z of the comparison's own standard error, that falls with the root of n, has the power."""
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 400)
    scores = {name: truth + rng.normal(0, spread, 400) for name, spread in (("a", 1.0), ("b", 1.2))}
    row = compare_predictions(truth, scores, metric="auc").to_frame().iloc[0]
    error = (row["high"] - row["low"]) / 2 / norm.ppf(0.975)
    expected = 400 * (error * (norm.ppf(0.975) + norm.ppf(0.8)) / 0.03) ** 2
    found = plan(as_predictions(truth, scores, metric="auc"), difference=0.03)
    assert found.needed == pytest.approx(expected, rel=0.03)
    with pytest.raises(DataError, match="case by case"):
        may_stop(as_predictions(truth, scores, metric="auc"))


def test_what_stops_an_evaluation_is_a_row_and_a_heading():
    found = may_stop({"a": [1] * 60, "b": [0] * 60})
    assert found.title == "Running evaluation: stop"
    assert found.columns()[0].keys() == {
        "decision", "cases", "difference", "low", "high", "evidence", "pvalue", "decided_after", "cases_in_all"
    }  # fmt: skip
    assert may_stop({"a": [1.0, 0.0] * 9, "b": [0.0, 1.0] * 9}).cases_in_all is None  # no difference so far to plan for
    with refuses(ArgumentError, "largest_cluster"):
        may_stop({"a": [1, 0] * 3, "b": [0, 1] * 3}, largest_cluster=3)


def test_numbers_that_never_differ_plan_nothing():
    with refuses(DataError):
        plan({"a": [0.3, 0.7, 0.2], "b": [0.3, 0.7, 0.2]}, difference=0.1)


@pytest.mark.parametrize(
    "asked",
    [
        {"difference": 0.05, "agreement": 0.8},
        {"difference": 0.1, "pilot": sampled(0.2)},
        {"difference": 0.04, "pilot": {"old": [0, 0, 1, 1, 1] * 9, "new": [0, 1, 1, 1, 1] * 9}},
        {"difference": 0.04, "pilot": {"old": [0, 0.1, 0.9, 1, 0.7] * 9, "new": [0.4, 0, 1, 1, 0.8] * 9}},
    ],
)
def test_the_power_around_a_plan_is_that_of_the_plan_at_its_size(asked):
    found = plan(**asked)
    best = found.designs[found.best]
    around = power_by_cases([best.count // 2, best.count, 2 * best.count], samples=best.samples, **asked)
    fewer, there, more = around.power[0, 0]
    assert there == pytest.approx(found.power)
    assert fewer < 0.8 <= there < more
    assert around.here == (found.pilot or None)
    assert f"{found.quantity.in_full(found.difference)} on {2 * best.count} cases" in around.summary()
