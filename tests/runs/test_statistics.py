"""Aggregates, pairs and profiles of runs: reference values, oracles, properties."""

import itertools
import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats as scipy_stats

from podium import Runs, runs
from podium.core.errors import PodiumError
from podium.evidence.runs import as_runs
from podium.runs._normalise import game_of
from podium.runs.improvement import improvement
from podium.runs.kernels import estimate, stratified_spread
from podium.runs.registry import AGGREGATES, iqm
from refusals import refuses

IRIS = Path(__file__).parents[3] / "shared/logs/rl_atari100k_iris"
FOUR = np.array(
    [[1.0, 1.2, 0.8, 1.1, 0.9], [0.2, 0.5, 0.3, 0.1, 0.4], [3.0, 2.0, 5.0, 4.0, 2.5], [0.7, 0.6, 0.9, 0.5, 0.8]]
)


def scores():
    return st.tuples(st.integers(1, 6), st.integers(2, 5)).flatmap(
        lambda shape: arrays(np.float64, shape, elements=st.floats(-100, 100).map(lambda x: round(x, 3)))
    )


# Computed by two independent routes: value, standard error, degrees of freedom.
@pytest.mark.parametrize(
    ("values", "name", "expected"),
    [
        (FOUR, "mean", (1.325, 0.1380670127, 4.420552421)),
        (FOUR, "iqm", (0.85, 0.05, 8.0)),
        ([[0.5, 0.7, 0.6], [1.0, 1.4, 1.3], [0.2, 0.9, 0.4]], "iqm", (0.7388888889, 0.09686442097, 2.724528302)),
    ],
)
def test_values_errors_and_degrees_of_freedom(values, name, expected):
    value, spread = estimate(np.array(values), AGGREGATES[name])
    assert (value, spread.error, spread.df) == pytest.approx(expected, rel=1e-9)


@pytest.mark.parametrize(
    ("values", "expected"),
    [([[0.3, 0.5, 0.4, 1.2, 1.6, 1.1, 2.0, 2.5, 1.0, 0.9]], 1.05), ([[1, 2, 3], [4, 5, 9]], 3.5)],
)
def test_the_interquartile_mean_cuts_fractions(values, expected):
    assert iqm(np.array(values, dtype=float)) == pytest.approx(expected, rel=1e-12)


@given(scores())
def test_the_interquartile_mean_of_four_copies_is_a_trimmed_mean(values):
    fourfold = np.repeat(values, 4, axis=1)  # then a quarter is a whole number of scores, and scipy trims exactly that
    assert iqm(values) == pytest.approx(scipy_stats.trim_mean(fourfold, 0.25, axis=None), rel=1e-9, abs=1e-9)


@given(scores(), st.floats(0.1, 10), st.floats(-10, 10))
def test_aggregates_follow_scale_and_shift_and_forget_the_order(values, scale, shift):
    for name in ("iqm", "mean"):
        value, spread = estimate(values, AGGREGATES[name])
        moved, moved_spread = estimate(scale * values[::-1, ::-1] + shift, AGGREGATES[name])
        assert moved == pytest.approx(scale * value + shift, rel=1e-6, abs=1e-6)
        assert moved_spread.error == pytest.approx(scale * spread.error, rel=1e-6, abs=1e-6)


def test_one_task_is_welchs_t_test():
    """By the gap to a score that nobody reaches: that of means allows for skewed runs besides."""
    rng = np.random.default_rng(0)
    a, b = rng.normal(size=5), rng.normal(1, 2, size=8)
    found = runs.all_pairs({"a": {"t": a}, "b": {"t": b}}, aggregate="optimality_gap", gamma=99.0)
    known = scipy_stats.ttest_ind(b, a, equal_var=False)
    assert found.pvalue[0] == pytest.approx(known.pvalue, rel=1e-9)
    assert found.df[0] == pytest.approx(known.df, rel=1e-9)
    interval = known.confidence_interval()
    assert (found.low[0], found.high[0]) == pytest.approx((interval.low, interval.high), rel=1e-9)


def test_pairs_by_seed_are_the_paired_t_test_on_one_task():
    rng = np.random.default_rng(1)
    a = rng.normal(size=6)
    b = a + rng.normal(0.3, 0.2, size=6)
    data = Runs(values=np.array([[a, b]]), algorithms=("a", "b"), tasks=("t",), seeds=tuple("123456"))
    assert runs.all_pairs(data, aggregate="optimality_gap", gamma=99.0, paired=True).pvalue[0] == pytest.approx(
        scipy_stats.ttest_rel(a, b).pvalue
    )
    with refuses(PodiumError, "paired"):
        runs.all_pairs({"a": {"t": a}, "b": {"t": b}}, paired=True)


def test_unequal_numbers_of_runs_weigh_tasks_equally():
    ragged = as_runs({"a": {"t": [1.0, 3.0], "u": [10.0] * 6}})
    assert runs.aggregates(ragged, aggregates=["mean"]).values[0, 0] == 6.0
    # Two runs of t weigh as much as six of u: half of the weight below 10, so the middle half is 3 and 10 in equal parts.
    assert runs.aggregates(ragged, aggregates=["iqm"]).values[0, 0] == pytest.approx(6.5)
    assert stratified_spread(ragged.by_algorithm[0]).error == pytest.approx(0.5)


@given(scores(), scores())
def test_improvement_is_mann_whitney_averaged(a, b):
    tasks = min(len(a), len(b))
    a, b = a[:tasks].round(0), b[:tasks].round(0)
    found = improvement(a, b)
    by_task = [
        np.mean([(x > y) + 0.5 * (x == y) for x, y in itertools.product(u, v)]) for u, v in zip(a, b, strict=True)
    ]
    assert found.value == pytest.approx(np.mean(by_task))
    assert found.low <= found.value <= found.high
    back = improvement(b, a)
    assert (back.value, back.low, back.high) == pytest.approx((1 - found.value, 1 - found.high, 1 - found.low))


def test_improvement_knows_absent_runs():
    a = np.array([[1.0, 4.0, np.nan], [2.0, 2.0, 3.0]])
    b = np.array([[2.0, 3.0], [5.0, 1.0]])
    expected = improvement(a[:1, :2], b[:1]).value / 2 + improvement(a[1:], b[1:]).value / 2
    assert improvement(a, b).value == pytest.approx(expected)


def test_winning_throughout_leaves_doubt():
    found = improvement(np.full((2, 3), 2.0) + np.eye(3)[:2], np.zeros((2, 3)))
    assert (found.value, found.high) == (1.0, 1.0)
    assert found.low == pytest.approx(0.025 ** (1 / 6))  # Clopper and Pearson, 6 of 6


def test_profiles_are_shares_and_their_bands_hold_them():
    rng = np.random.default_rng(2)
    data = {"a": rng.normal(size=(5, 8)), "b": rng.normal(1, 1, size=(3, 8))}
    found = runs.profiles(data, thresholds=[-1.0, 0.0, 1.0])
    assert found.share[0].tolist() == [(data["a"] > t).mean() for t in (-1.0, 0.0, 1.0)]
    assert ((found.low <= found.share) & (found.share <= found.high)).all()
    assert (np.diff(found.share) <= 0).all()


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: runs.all_pairs({"a": [[1.0, 2.0]], "b": [[1.0, 2.0], [2.0, 3.0]]}), "'a' has a single run"),
        (lambda: runs.all_pairs({"a": [[1.0], [2.0]]}), "at least 2 agents"),
        (lambda: runs.all_pairs({"a": [[1.0], [2.0]], "b": [[1.0], [2.0]]}, aggregate="median"), "no test of pairs"),
        (lambda: as_runs({"a": {"t": [1.0]}, "b": {"u": [1.0]}}), "has no run on"),
        (lambda: as_runs({"a": {"t": []}}), "no run"),
        (lambda: as_runs([[1.0]]), "Give the runs as a dict"),
        (lambda: runs.normalise({"a": {"CartPole-v1": [1.0, 2.0]}}), "no Atari game"),
        (lambda: runs.normalise({"a": {"t": [1.0, 1.0]}}, "minmax"), "same score on 't'"),
        (lambda: runs.normalise({"a": {"t": [1.0, 2.0]}}, {"t": (1, 1)}), "two different scores"),
        (lambda: runs.normalise({"a": {"t": [1.0, 2.0]}}, {}), "lack the task 't'"),
    ],
)
def test_what_cannot_be_done_is_said(call, message):
    with pytest.raises(PodiumError, match=message):
        call()


def test_copies_of_one_run_prove_nothing():
    found = runs.all_pairs({"a": [[1.0, 2.0]] * 3, "b": [[0.0, 0.0]] * 3})
    assert found.pvalue.tolist() == [1.0]


def test_equal_differences_of_seeds_count_by_their_runs_whatever_rounding_leaves_of_them():
    """4 tasks of 5 different runs: the sign test of 16 runs beyond the first of each task."""
    scores = np.array([[0.637, 0.270, 0.041, 0.017], [0.813, 0.913, 0.607, 0.729], [0.544, 0.935, 0.816, 0.003]])
    scores = np.vstack([scores, scores[:2] / 3])
    data = as_runs({"a": scores + 0.25, "b": scores}, seeds=range(5))

    found = runs.all_pairs(data, paired=True)

    assert found.df.tolist() == [16]
    assert found.pvalue.tolist() == [2.0**-16]


def test_normalisation_says_what_it_did():
    data = {"a": {"Pong": [-20.7, 14.6], "ALE/Boxing-v5": [0.1, 12.1]}}
    assert runs.normalise(data, "human").by_algorithm[0].tolist() == [[0, 1], [0, 1]]
    assert runs.normalise(data, "minmax").normalised.startswith("min-max")
    assert runs.normalise(data, {"Pong": (0, 1), "ALE/Boxing-v5": (0, 10)}).values[1, 0, 1] == pytest.approx(1.21)
    assert runs.normalise(data, "none").normalised == ""


def test_atari_references_are_those_of_dqn_zoo():
    """The table of google-deepmind/dqn_zoo (dqn_zoo/atari_data.py), spelled in its way; see tests/reference/README.md."""
    table = pd.read_csv(Path(__file__).parents[1] / "reference" / "atari_dqn_zoo.csv")
    assert len(table) == 57
    own = runs.atari_scores()
    told = {game_of(row.game): (row.random, row.human) for row in table.itertuples()}
    assert told == {game: (one.zero, one.one) for game, one in own.items()}


@pytest.mark.skipif(not IRIS.exists(), reason="the published runs are not here")
def test_published_aggregates_of_atari_100k():
    known = json.loads((IRIS / "expected.json").read_text())
    names = ("IRIS", "SPR", "DrQ(eps)", "SimPLe")
    data = {name: json.loads((IRIS / f"results/data/{name}.json").read_text()) for name in names}
    made = runs.normalise(data)
    found = runs.aggregates(made)
    for i, name in enumerate(names):
        own = dict(zip(found.aggregates, found.values[i].tolist(), strict=True))
        for which in ("mean", "median", "optimality_gap"):
            assert own[which] == pytest.approx(known["aggregates"][name][which], rel=1e-9), (name, which)
        # With 130 scores rliable trims 32 of them at each end; fractional trimming takes half of another one.
        assert own["iqm"] == pytest.approx(
            known["aggregates"][name]["iqm"], rel=1e-9 if len(data[name]["Pong"]) == 100 else 0.02
        )
    pairs = runs.all_pairs(made)
    for told, value in known["probability_of_improvement"].items():
        a, b = told.split(" over ")
        assert pairs.pair(a, b).details["improvement"] == pytest.approx(value, rel=1e-9)
    reference = {game: own[0] for game, own in json.loads((IRIS / "results/data/HUMAN.json").read_text()).items()}
    assert {game: one.one for game, one in runs.atari_scores(only_100k=True).items()} == reference


def test_pairs_with_a_control_keep_the_mean_ranks_of_the_pool_and_cite_their_correction():
    rng = np.random.default_rng(5)
    scores = {name: rng.normal(size=(4, 6)) + shift for name, shift in (("a", 0.0), ("b", 0.3), ("c", 0.9))}
    every, some = runs.all_pairs(scores), runs.all_pairs(scores, control="a", correction="hommel")
    assert some.mean_ranks == pytest.approx(every.mean_ranks, abs=1e-12)
    assert "hommel1988" in some.references
    assert "holm1979" not in some.references
    assert "holm1979" in every.references
