"""Runs of which few break through: Hall's interval of means, order statistics of the median, and coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium import runs
from podium.core.metric import Metric
from podium.evidence.runs import as_runs
from podium.runs.kernels import _order_place, hall_quantile, skewed_ends, stratified_spread, t_interval
from podium.stats.student import student, student_ends

SMALL = np.array([[0, 0, 10], [1, 1.2, 0.9], [0, 0.1, 0.3], [2, 2.1, 8]])
TABLE = np.array([[1.0, 1.2, 0.8, 1.1, 0.9], [0.2, 0.5, 0.3, 0.1, 0.4], [3.0, 2.0, 5.0, 4.0, 2.5], [0.7, 0.6, 0.9, 0.5, 0.8]])  # fmt: skip


@pytest.mark.parametrize(
    "values, lean, ends",
    [(SMALL, 0.7670552, (-0.8171332, 10.20367)), (TABLE, 0.2493444, (0.9556275, 1.8469165))],
)
def test_values_of_a_second_program(values, lean, ends):
    spread = stratified_spread(values)
    assert spread.skewness == pytest.approx(lean, abs=1e-7)
    assert t_interval(float(values.mean()), spread, 0.95, skewed=True) == pytest.approx(ends, abs=2e-5)


@given(st.floats(-6, 6), st.floats(1, 60), st.floats(-1.5, 1.5), st.sampled_from([0.01, 0.05, 0.3]))
def test_the_interval_turns_and_is_never_shorter_than_students(mean, df, lean, level):
    low, high = (float(end) for end in skewed_ends(mean, 1.0, df, lean, 1 - level))
    turned = skewed_ends(-mean, 1.0, df, -lean, 1 - level)
    assert (-float(turned[1]), -float(turned[0])) == pytest.approx((low, high))
    plain = [float(end) for end in student_ends(mean, 1.0, df, level)]
    assert low <= plain[0] + 1e-9
    assert high >= plain[1] - 1e-9


def test_the_transformed_quantile_is_the_inverse_of_the_cubic():
    y, g = hall_quantile(np.linspace(-3, 3, 7), 0.4), 0.4
    assert (y + g * y**2 / 3 + g**2 * y**3 / 27 + g / 6).tolist() == pytest.approx(np.linspace(-3, 3, 7).tolist())


def test_the_median_has_no_interval_below_five_runs():
    rng = np.random.default_rng(1)
    few, enough = (runs.aggregates({"a": rng.lognormal(size=(n, 12))}, aggregates=["median"]) for n in (4, 5))
    assert np.isnan(few.low).all()
    assert np.isfinite(enough.low).all()
    unequal = runs.aggregates({"a": {"x": rng.normal(size=4), "y": rng.normal(size=9)}}, aggregates=["median"])
    assert np.isnan(unequal.low).all()
    assert [_order_place(n, 0.025) for n in (5, 6, 10, 26)] == [0, 0, 1, 7]


def lognormal(rng, shape):
    return rng.lognormal(size=shape), np.full(shape[0], np.exp(0.5))


def breakthroughs(rng, shape):
    return rng.normal(size=shape) * 0.1 + (rng.random(shape) < 0.08), np.full(shape[0], 0.08)


def levels_near(rng, shape):
    """Lognormal runs, tasks at levels that span half a standard deviation of runs."""
    values, truth = lognormal(rng, shape)
    levels = np.linspace(0, 1.08, shape[0])
    return values + levels[:, None], truth + levels


def levels_apart(rng, shape):
    """The same, tasks at levels that span nearly two standard deviations of runs."""
    values, truth = lognormal(rng, shape)
    levels = np.linspace(0, 4, shape[0])
    return values + levels[:, None], truth + levels


def in_half_of_the_tasks(rng, shape):
    """8% of the runs break through, in the first half of the tasks."""
    reached = np.arange(shape[0]) < shape[0] / 2
    broken = (rng.random(shape) < 0.08) & reached[:, None]
    return 0.05 * rng.normal(size=shape) + broken, 0.08 * reached


def a_fifth_worth_tenfold(rng, shape):
    """The same, and the first fifth of the tasks has a scale of ten."""
    values, truth = in_half_of_the_tasks(rng, shape)
    scale = np.where(np.arange(shape[0]) < shape[0] / 5, 10.0, 1.0)
    return values * scale[:, None], truth * scale


def rare_and_far(rng, shape):
    """4% of the runs break through by 25 standard deviations."""
    return rng.normal(size=shape) + 25.0 * (rng.random(shape) < 0.04), np.ones(shape[0])


# Not among the laws by which the rule was chosen:
def late_collapse(rng, shape):
    """One run in ten loses nearly all that the others reach."""
    return 1 - 0.9 * (rng.random(shape) < 0.1) + 0.05 * rng.normal(size=shape), np.full(shape[0], 0.91)


def half_of_the_tenfold(rng, shape):
    """8% of the runs break through in every other task, and every fifth task has a scale of ten."""
    values, truth = breakthroughs(rng, shape)
    reached, scale = np.arange(shape[0]) % 2, np.where(np.arange(shape[0]) % 5 == 1, 10.0, 1.0)
    values = np.where(reached[:, None], values, 0.1 * rng.normal(size=shape))
    return values * scale[:, None], truth * reached * scale


def gamma_scales(rng, shape):
    """Skewed runs on tasks whose scales differ by a factor of 30."""
    scale = 30 ** np.linspace(0, 1, shape[0])
    return rng.gamma(0.7, size=shape) * scale[:, None], 0.7 * scale


def cover(law, shape, draws, rng):
    held = 0
    for _ in range(draws):
        values, truth = law(rng, shape)
        low, high = t_interval(float(values.mean()), stratified_spread(values), 0.95, skewed=True)
        held += low <= truth.mean() <= high
    return held / draws


@pytest.mark.parametrize("law, least", [(lognormal, 0.92), (breakthroughs, 0.96), (late_collapse, 0.93), (gamma_scales, 0.88)])  # fmt: skip
def test_means_of_skewed_runs_cover(law, least):
    assert cover(law, (26, 3), 400, np.random.default_rng(3)) >= least - 3 * np.sqrt(0.06 / 400)


@pytest.mark.slow
@pytest.mark.parametrize("spread, least", [(4.0, 0.95), (0.0, 0.80)])
@pytest.mark.parametrize("tasks", [10, 26])
def test_the_median_of_skewed_runs_covers(tasks, spread, least):
    """Where all tasks have one level, means of five skewed runs lie below it, and no interval around their median cures that."""
    rng, held = np.random.default_rng(tasks), 0
    levels = np.linspace(0, spread, tasks)
    truth = np.exp(0.5) + np.median(levels)
    for _ in range(300):
        scores = rng.lognormal(size=(5, tasks)) + levels
        found = runs.aggregates({"a": scores}, aggregates=["median"], draws=500, rng=rng)
        held += found.low[0, 0] <= truth <= found.high[0, 0]
    assert held / 300 >= least


@given(st.integers(0, 10_000), st.booleans(), st.sampled_from([0.01, 0.05, 0.3]))
def test_p_and_interval_of_a_difference_of_means_agree(seed, higher, level):
    """Also the other way round, and p is never below Student's."""
    rng = np.random.default_rng(seed)
    values = {"a": rng.lognormal(size=(3, 6)) - 1, "b": rng.normal(size=(4, 6))}
    made = as_runs(values, metric=Metric(name="score", direction="higher" if higher else "lower"))
    found, turned = (runs.all_pairs(made.select(names), confidence=1 - level) for names in ("ab", "ba"))
    assert (found.pvalue[0] <= level) == (not found.low[0] <= 0 <= found.high[0])
    np.testing.assert_allclose([*turned.pvalue, *turned.low, *turned.high], [*found.pvalue, *-found.high, *-found.low])
    assert found.pvalue[0] >= student(found.statistic, 1.0, found.details["df"])[0] - 1e-12


# The shapes of the two agents' runs, with equal means; before, differences of means had Student's p alone.
UNLIKE = {
    "lognormal - normal": lambda rng, shape: (rng.lognormal(size=shape) - np.exp(0.5), rng.normal(size=shape)),
    "8% break through - none": lambda rng, shape: (breakthroughs(rng, shape)[0] - 0.08, 0.1 * rng.normal(size=shape)),
    # Not among the laws by which the rule was chosen:
    "gamma - uniform": lambda rng, shape: (rng.gamma(0.5, size=shape), rng.random(shape)),
    "8% break through - 10% collapse": lambda rng, shape: (
        breakthroughs(rng, shape)[0] - 0.08,
        late_collapse(rng, shape)[0] - 0.91,
    ),
}


def told_apart(law, shape, rng):
    """Whether equal agents, runs in columns, are told apart by their means: by Student's t, and now."""
    one, other = UNLIKE[law](rng, shape)
    found = runs.all_pairs({"a": one.T, "b": other.T}, aggregate="mean")
    return student(found.statistic, 1.0, found.details["df"])[0] <= 0.05, found.pvalue[0] <= 0.05


@pytest.mark.parametrize("law", UNLIKE)
def test_agents_of_equal_means_and_unlike_shapes_are_not_told_apart(law):
    rng = np.random.default_rng(4)
    found = np.mean([told_apart(law, (10, 5), rng) for _ in range(300)], axis=0)
    assert found[1] <= min(found[0], 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300))
