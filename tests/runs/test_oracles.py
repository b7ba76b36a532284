"""The numbers of runs by other routes: rliable, sums of squares written out, other laws, draws, counting."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats as scipy_stats

from podium import Runs, runs
from podium.stats import rank_intervals

REFERENCE = json.loads((Path(__file__).parents[1] / "reference" / "rliable.json").read_text())


def runs_of(values, seeds=()):
    """Runs from an array agents x tasks x runs."""
    values = np.asarray(values, dtype=float)
    return Runs(
        values=values.swapaxes(0, 1),
        algorithms=tuple(f"a{i}" for i in range(len(values))),
        tasks=tuple(f"t{j}" for j in range(values.shape[1])),
        seeds=tuple(seeds),
    )


# --- rliable ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("row", REFERENCE["rows"], ids=lambda row: f"{len(row['a'])}x{len(row['a'][0])}")
def test_values_are_those_of_rliable(row):
    a, b = np.array(row["a"]), np.array(row["b"])
    found = runs.aggregates({"a": a}, draws=10)
    own = dict(zip(found.aggregates, found.values[0], strict=True))
    for name in ("mean", "median", "optimality_gap"):
        assert own[name] == pytest.approx(row[name], rel=1e-9), name
    gap = runs.aggregates({"a": a}, aggregates=["optimality_gap"], gamma=0.7).values[0, 0]
    assert gap == pytest.approx(row["optimality_gap at 0.7"], rel=1e-9)
    if a.size % 4 == 0:  # otherwise rliable cuts whole scores, and less than a quarter
        assert own["iqm"] == pytest.approx(row["iqm"], rel=1e-9)
    pairs = runs.all_pairs({"a": a, "b": b}, aggregate="mean")
    assert pairs.improvement[0] == pytest.approx(row["improvement"], rel=1e-9)
    shares = runs.profiles({"a": a}, thresholds=REFERENCE["thresholds"], draws=10).share[0]
    assert shares == pytest.approx(row["profile"], rel=1e-9)


def test_a_gap_is_never_below_zero():
    found = runs.aggregates(runs_of([[[0.9, 1.2, 1.3], [1.1, 1.0, 1.4]]]), aggregates=["optimality_gap"])
    assert found.low[0, 0] == 0.0
    assert found.high[0, 0] > found.values[0, 0] > 0
    alone = runs.aggregates(runs_of([[[0.9], [1.1]]]), aggregates=["optimality_gap"])
    assert np.isnan(alone.low[0, 0])  # a single run has no interval


# --- Seeds that pair -------------------------------------------------------------------------------------------------


def test_paired_runs_on_several_tasks_by_hand():
    """The mean over tasks of mean differences; its variance is the sum over tasks of s²/R, over T²; Satterthwaite's df.

    The gap to a score that nobody reaches is the mean the other way round, tested by t alone.
    """
    rng = np.random.default_rng(3)
    luck = rng.normal(0, 1, (4, 5))
    a, b = luck + rng.normal(0.2, 0.1, (4, 5)), luck + rng.normal(0, 0.3, (4, 5))
    asked = {"aggregate": "optimality_gap", "gamma": 99.0}
    found = runs.all_pairs(runs_of([a, b], "12345"), paired=True, **asked)
    parts = (a - b).var(axis=1, ddof=1) / 5 / 16
    assert found.effect[0] == pytest.approx((b - a).mean())
    error, df = np.sqrt(parts.sum()), parts.sum() ** 2 / (parts**2 / 4).sum()
    assert found.df[0] == pytest.approx(df)
    assert found.pvalue[0] == pytest.approx(2 * scipy_stats.t.sf(abs((a - b).mean()) / error, df))
    apart = runs.all_pairs(runs_of([a, b], "12345"), **asked)
    own = np.concatenate([side.var(axis=1, ddof=1) / 5 / 16 for side in (a, b)])
    assert apart.pvalue[0] == pytest.approx(
        2 * scipy_stats.t.sf(abs((a - b).mean()) / np.sqrt(own.sum()), own.sum() ** 2 / (own**2 / 4).sum())
    )
    assert found.pvalue[0] < apart.pvalue[0]  # shared luck goes away


def test_pairing_keeps_its_level_where_seeds_share_luck_and_where_they_do_not():
    rng = np.random.default_rng(4)
    for share in (0.0, 0.9):
        alarms = []
        for _ in range(400):
            luck = np.sqrt(share) * rng.standard_normal((6, 5))
            both = [luck + np.sqrt(1 - share) * rng.standard_normal((6, 5)) for _ in range(2)]
            alarms.append(runs.all_pairs(runs_of(both, "12345"), paired=True).pvalue[0] <= 0.05)
        assert np.mean(alarms) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


def test_the_interval_of_the_interquartile_mean_is_that_of_a_bootstrap_where_runs_are_many():
    rng = np.random.default_rng(5)
    scores = rng.gamma(2, 0.5, (12, 1)) + rng.normal(0, 0.2, (12, 60))
    found = runs.aggregates(runs_of([scores]), aggregates=["iqm"])
    drawn = np.take_along_axis(np.broadcast_to(scores, (2000, 12, 60)), rng.integers(60, size=(2000, 12, 60)), axis=2)
    spread = scipy_stats.trim_mean(drawn.reshape(2000, -1), 0.25, axis=1).std(ddof=1)
    assert found.error[0, 0] == pytest.approx(spread, rel=0.1)


# --- Bands, places, variances ----------------------------------------------------------------------------------------


def test_the_band_of_one_task_with_two_runs_is_known():
    """Between the two runs the deviation is (z1 - z2)/2 times sqrt(2)/2, and so normal with variance 1/4; elsewhere it is 0."""
    found = runs.profiles(runs_of([[[0.0, 1.0]]]), thresholds=[-1.0, 0.5, 2.0], draws=40_000, confidence=0.5)
    half = found.high[0, 1] - 0.5
    assert half == pytest.approx(0.5 * scipy_stats.norm.ppf(0.75), rel=0.03)
    assert (found.share[0, 0], found.share[0, 2]) == (1.0, 0.0)


def test_a_band_for_all_thresholds_is_wider_than_one_for_each():
    rng = np.random.default_rng(6)
    data = runs_of(rng.normal(size=(1, 8, 5)))
    every = runs.profiles(data, thresholds=np.linspace(-2, 2, 41), draws=4000)
    single = [runs.profiles(data, thresholds=[at], draws=4000) for at in (-1.0, 0.0, 1.0)]
    widths = [float((one.high - one.share).max()) for one in single]
    assert float((every.high - every.share).max()) > max(widths)


@settings(max_examples=15)
@given(st.integers(0, 10_000), st.integers(2, 6))
def test_places_count_who_is_shown_to_be_better_and_worse(seed, agents):
    rng = np.random.default_rng(seed)
    values = rng.normal(0, 0.2, (agents, 10, 4)) + rng.uniform(0, 0.5, (agents, 1, 1))
    pairs = runs.all_pairs(runs_of(values), aggregate="mean")
    found = rank_intervals(pairs, confidence=0.95)
    # Holm, written out: the smallest p-value is compared with 0.05/m, the next with 0.05/(m - 1), until one is larger.
    better, worse, left = np.zeros(agents), np.zeros(agents), pairs.n_pairs
    for row in np.argsort(pairs.pvalue):
        if pairs.pvalue[row] > 0.05 / left:
            break
        winner, loser = pairs.first[row], pairs.second[row]
        if values[winner].mean() < values[loser].mean():
            winner, loser = loser, winner
        better[loser] += 1
        worse[winner] += 1
        left -= 1
    assert found.low.tolist() == (1 + better).tolist()
    assert found.high.tolist() == (agents - worse).tolist()


@settings(max_examples=20)
@given(st.integers(0, 10_000), st.integers(2, 4), st.integers(2, 5), st.integers(2, 4))
def test_variances_are_those_of_the_two_way_table_of_sums_of_squares(seed, agents, tasks, repeats):
    """Expected mean squares of a two-way random design with repeats (Searle, Casella and McCulloch 1992, chapter 4)."""
    values = np.random.default_rng(seed).normal(size=(agents, tasks, repeats)) + np.arange(tasks)[None, :, None]
    grand, cells = values.mean(), values.mean(axis=2)
    rows, columns = values.mean(axis=(1, 2)), values.mean(axis=(0, 2))
    ms_agents = tasks * repeats * ((rows - grand) ** 2).sum() / (agents - 1)
    ms_tasks = agents * repeats * ((columns - grand) ** 2).sum() / (tasks - 1)
    rest = cells - rows[:, None] - columns[None] + grand
    ms_rest = repeats * (rest**2).sum() / ((agents - 1) * (tasks - 1))
    ms_runs = ((values - cells[:, :, None]) ** 2).sum() / (agents * tasks * (repeats - 1))
    expected = {
        "runs": ms_runs,
        "agents_by_task": (ms_rest - ms_runs) / repeats,
        "agents": (ms_agents - ms_rest) / (tasks * repeats),
        "tasks": (ms_tasks - ms_rest) / (agents * repeats),
    }
    found = runs.variance_split(runs_of(values))
    for name, value in expected.items():
        assert getattr(found, name) == pytest.approx(max(value, 0.0), rel=1e-9, abs=1e-9), name
