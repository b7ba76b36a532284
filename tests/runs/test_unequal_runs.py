"""Tasks with unequal numbers of runs, written out: loops for what is vectorised, the normal law for what is drawn."""

import numpy as np
import pytest
from scipy import stats

from podium.evidence.runs import Runs
from podium.runs import profiles
from podium.runs._profiles import THRESHOLDS, default_thresholds
from podium.runs.improvement import improvement

HOLE = float("nan")
FIRST = np.array([[1.0, 3.0, HOLE, HOLE], [2.0, 5.0, 5.0, 1.0], [4.0, 4.0, 0.0, HOLE]])
SECOND = np.array([[2.0, 0.0, 3.0], [4.0, 1.0, HOLE], [4.0, 6.0, 1.0]])


def runs_of(values):
    agents = np.asarray(values, dtype=float)  # agents x tasks x runs
    tasks = tuple(f"t{j}" for j in range(agents.shape[1]))
    return Runs(values=agents.swapaxes(0, 1), algorithms=tuple("abcd"[: len(agents)]), tasks=tasks)


def test_improvement_averages_the_tasks_whatever_their_runs():
    by_task, placements = [], []
    for one, other in zip(FIRST, SECOND, strict=True):
        one, other = one[~np.isnan(one)], other[~np.isnan(other)]
        won = np.array([[1.0 if x > y else 0.5 if x == y else 0.0 for y in other] for x in one])
        by_task.append(won.mean())
        placements += [won.mean(axis=1), won.mean(axis=0)]
    share = np.array([own.var(ddof=1) / len(own) / len(FIRST) ** 2 for own in placements])
    error = np.sqrt(share.sum())
    df = share.sum() ** 2 / (share**2 / [len(own) - 1 for own in placements]).sum()
    found = improvement(FIRST, SECOND, confidence=0.8)
    assert found.value == pytest.approx(np.mean(by_task), rel=1e-12)
    half = stats.t(df).ppf(0.9) * error
    assert (found.low, found.high) == pytest.approx((found.value - half, found.value + half), rel=1e-9)


@pytest.mark.parametrize("first, second", [(FIRST, SECOND), (FIRST + 9, SECOND), (FIRST, SECOND + 9)])
def test_improvement_from_the_other_side_is_what_is_left(first, second):
    one, other = improvement(first, second), improvement(second, first)
    assert (one.value, one.low, one.high) == pytest.approx((1 - other.value, 1 - other.high, 1 - other.low), abs=1e-12)
    assert one.low < one.high


def test_the_band_of_one_threshold_is_the_normal_interval_of_a_stratified_share():
    values = np.array([[0.0, 1.0, HOLE, HOLE], [0.0, 1.0, 1.0, 1.0]])
    found = profiles(runs_of([values]), thresholds=[0.5], draws=40_000, rng=1)
    assert found.share[0, 0] == pytest.approx((1 / 2 + 3 / 4) / 2)
    variance = (0.5 * 0.5 / (2 - 1) + 0.75 * 0.25 / (4 - 1)) / 2**2
    half = stats.norm.ppf(0.975) * np.sqrt(variance)
    assert found.share[0, 0] - found.low[0, 0] == pytest.approx(half, rel=0.02)


@pytest.mark.parametrize(
    "scores, low, high",
    [
        (np.arange(101.0), 0.0, 99.0),  # from 1 to 99, and zero is near
        (np.arange(101.0) + 100, 101.0, 199.0),  # zero is far
        (np.arange(101.0) - 50, -49.0, 49.0),
        (np.full(5, 3.0), 3.0, 4.0),
    ],
)
def test_thresholds_leave_out_the_outermost_hundredth(scores, low, high):
    found = default_thresholds(runs_of([scores[None, :]]))
    assert (found[0], found[-1], len(found)) == (pytest.approx(low), pytest.approx(high), THRESHOLDS)


def test_the_summary_of_profiles_has_the_values_of_the_middle():
    agents = [[[0.0, 1.0, 2.0, 9.0]], [[5.0, 6.0, 7.0, 8.0]]]
    found = profiles(runs_of(agents), thresholds=[0, 4, 9], draws=200, rng=0)
    assert "score above 4: a 25% and b 100%" in found.summary()
    frame = found.to_frame()
    assert frame["share"].tolist() == [0.75, 0.25, 0.0, 1.0, 1.0, 0.0]
    assert frame["threshold"].tolist() == [0, 4, 9, 0, 4, 9]
