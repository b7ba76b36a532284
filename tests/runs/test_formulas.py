"""Formulas of the runs room against SciPy, simulation and hand: each of these once went unnoticed when it was changed."""

import numpy as np
import pytest
from scipy import stats

from podium import runs
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Metric
from podium.evidence.runs import as_runs
from podium.runs._all_pairs import seed_correlation
from podium.runs._profiles import default_thresholds
from podium.runs.improvement import improvement
from podium.runs.kernels import median_interval
from refusals import refuses


def test_a_profile_counts_the_runs_that_score_above_a_threshold_and_names_the_middle_one():
    found = runs.profiles({"a": [[1.0, 2.0], [2.0, 3.0]]}, thresholds=[0.0, 1.0, 2.0, 3.0, 4.0])
    assert found.share.tolist() == [[1.0, 0.75, 0.25, 0.0, 0.0]]
    assert "above 2: a 25%" in found.summary()


@pytest.mark.parametrize("shift, starts_at_0", [(0.0, True), (0.3, True), (0.5, True), (1.5, False), (-3.0, False)])
def test_thresholds_go_from_the_scores_without_the_outermost_percent_or_from_0(shift, starts_at_0):
    scores = np.linspace(0.0, 1.0, 201) + shift
    found = default_thresholds(as_runs({"a": scores[:, None]}))
    low, high = 0.01 + shift, 0.99 + shift
    assert (found[0], found[-1]) == pytest.approx((0.0 if starts_at_0 else low, high))


def test_a_winner_of_all_runs_has_the_exact_interval_of_as_many_separate_pairs():
    """Two and four runs on one task, three and three on the other: 2 + 3 separate pairs, all of them won."""
    first = np.array([[5.0, 6.0, np.nan, np.nan], [5.0, 6.0, 7.0, np.nan]])
    second = np.array([[1.0, 2.0, 3.0, 4.0], [1.0, 2.0, 3.0, np.nan]])
    for confidence in (0.9, 0.95):
        found = improvement(first, second, confidence=confidence)
        exact = stats.binomtest(5, 5).proportion_ci(confidence)
        assert found == pytest.approx((1.0, exact.low, 1.0))


def test_a_single_run_of_either_agent_leaves_no_interval():
    one, three = np.array([[2.0]]), np.array([[1.0, 2.0, 3.0]])
    for sides in ((one, three), (three, one)):
        assert improvement(*sides) == pytest.approx((0.5, np.nan, np.nan), nan_ok=True)


def test_a_lower_score_stays_better_only_if_every_reference_says_so():
    data = as_runs({"a": {"x": [1.0], "y": [2.0]}}, metric=Metric(name="loss", direction="lower"))
    both, one = ({"x": (0, 2), "y": ends} for ends in ((0, 4), (4, 0)))
    assert runs.normalise(data, both).metric.direction == "lower"
    assert runs.normalise(data, one).metric.direction == "higher"


def test_seeds_correlate_on_the_tasks_where_all_agents_vary():
    scores = {"a": [[1.0, 1.0], [2.0, 1.0], [3.0, 1.0]], "b": [[2.0, 1.0], [4.0, 2.0], [6.0, 3.0]]}
    assert seed_correlation(as_runs(scores, seeds=range(3))) == pytest.approx(1.0)


def test_the_median_of_one_task_has_students_interval():
    values = np.array([[1.0, 2.0, 4.0, 5.0, 9.0]])
    low, high = median_interval(values, 0.95, np.random.default_rng(1), draws=200_000)
    assert (low, high) == pytest.approx(stats.t.interval(0.95, 4, values.mean(), stats.sem(values[0])), rel=0.03)


def test_the_variance_of_agents_by_task_with_unequal_runs():
    """True variances: agents by task 0.5, runs 4, on 3,000 tasks with 2 runs of one agent and 20 of the other."""
    rng = np.random.default_rng(2)
    own = rng.normal(0, np.sqrt(0.5), (2, 3000))
    scores = {
        name: {f"t{j}": own[i, j] + 2.0 * rng.standard_normal(count) for j in range(3000)}
        for i, (name, count) in enumerate((("a", 2), ("b", 20)))
    }
    found = runs.variance_split(scores)
    assert (found.runs, found.agents_by_task) == pytest.approx((4.0, 0.5), abs=0.12)


def test_sentences_have_the_numbers():
    """By hand: on x the variance of the runs is 1, on y it is 0; the mean of the two has the error sqrt(1/12) and 2 degrees of freedom."""
    scores = {name: {"x": [low, low + 1, low + 2], "y": [low + 1] * 3} for name, low in (("a", 1.0), ("b", 5.0))}
    error = np.sqrt(1 / 12)
    half = stats.t.ppf(0.975, 2) * error
    said = runs.aggregates(scores, aggregates=["mean"]).summary()
    assert f"b 6 ({6 - half:.2f} to {6 + half:.2f}) and a 2 ({2 - half:.3f} to {2 + half:.2f})" in said
    assert "; the scores are as they were given." in said
    single = runs.aggregates(runs.normalise({"a": {"x": [4.0]}, "b": {"x": [5.0]}}, "minmax"), aggregates=["mean"])
    assert "b 1 (a single run: no interval) and a 0 (a single run: no interval); min-max" in single.summary()
    pvalue = 2 * stats.t.sf(4 / (np.sqrt(2) * error), 4)
    said = runs.all_pairs(scores, aggregate="mean").summary()
    assert said.startswith(
        f"1 pair on 2 tasks by the mean, runs of two agents taken as independent: the smallest adjusted p = {pvalue:.4f}"
    )
    assert "of a and b (difference -4;" in said
    assert "agents 94.1%, agents by task 0%, runs 5.9%." in runs.variance_split(scores).summary()  # 8 and 1/2 of 8.5


def test_scores_are_normalised_once_and_by_references_that_are_there():
    data = as_runs({"a": {"x": [1.0, 2.0], "y": [3.0, 5.0]}})
    for given in (data, runs.normalise(data, "minmax")):
        with refuses(ArgumentError, "normalise"):
            runs.normalise(given, "references")


def test_a_variance_needs_two_runs_two_agents_and_two_tasks():
    for scores in (
        {"a": {"x": [1.0], "y": [2.0]}, "b": {"x": [1.0], "y": [2.0]}},
        {"a": {"x": [1.0, 2.0], "y": [2.0, 4.0]}},
    ):
        with refuses(DataError):
            runs.variance_split(scores)
