"""Runs that detect a difference of two agents, against the noncentral t distribution."""

import numpy as np
import pytest
from scipy import stats

from podium.core.errors import ArgumentError, DataError
from podium.planning import runs_needed
from refusals import refuses

PILOT = {"a": [[-1.0], [0.0], [1.0]], "b": [[1.0], [2.0], [3.0]]}  # both with variance 1


def pilot(tasks):
    """The same three runs on every task."""
    return {name: np.tile(values, tasks) for name, values in PILOT.items()}


def power(difference, count, tasks):
    """Of the t test of so many tasks with equal variances."""
    df = 2 * tasks * (count - 1)
    return stats.nct.sf(stats.t.isf(0.025, df), df, difference * np.sqrt(count * tasks / 2))


@pytest.mark.parametrize("tasks", [1, 3])
@pytest.mark.parametrize("difference", [0.3, 0.5, 1.0, -2.0])
def test_the_fewest_runs_of_the_t_test(difference, tasks):
    plan = runs_needed(pilot(tasks), difference, aggregate="mean")
    least = next(count for count in range(2, 1000) if power(abs(difference), count, tasks) >= 0.8)
    assert plan.needed == least
    assert plan.power == pytest.approx(power(abs(difference), least, tasks), rel=1e-9)
    assert power(plan.detectable, 3, tasks) == pytest.approx(0.8, rel=1e-6)
    assert plan.columns() == [{"runs": least, "power": plan.power}]
    assert f"about {least} runs of each agent on each task" in plan.summary()
    assert "from 3 runs of a and b on each task" in plan.summary()


def test_the_aggregate_is_the_iqm_from_ten_tasks_on():
    plans = [runs_needed(pilot(tasks), 1.0) for tasks in (9, 10)]
    assert [plan.test.split(" of the ")[1].split(",")[0] for plan in plans] == ["mean", "interquartile mean"]
    unequal = runs_needed({"a": {"x": [1.0, 2.0]}, "b": {"x": [1.0, 2.0, 4.0]}}, 1.0)
    assert "from 2 to 3 runs of a and b" in unequal.summary()


@pytest.mark.parametrize(
    "runs, asked, option",
    [
        ({**PILOT, "c": PILOT["a"]}, {"difference": 1.0}, "algorithms"),
        (PILOT, {"difference": 0.0}, "difference"),
        (PILOT, {"difference": 1e-6}, "difference"),
        (PILOT, {"difference": 1.0, "aggregate": "median"}, "aggregate"),
    ],
)
def test_what_cannot_be_planned_is_refused(runs, asked, option):
    with refuses(ArgumentError, option):
        runs_needed(runs, **asked)


def test_runs_that_do_not_vary_are_refused():
    with refuses(DataError):
        runs_needed({"a": [[1.0], [1.0]], "b": [[2.0], [2.0]]}, 1.0)
