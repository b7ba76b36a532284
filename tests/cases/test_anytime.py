"""Looking at any time: values of a second program, many cases, clusters by their cases, and error rates at every look."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from podium.cases import e_value, watch
from podium.cases.anytime import bets_of
from podium.evidence.cases import as_cases
from podium.planning import stop


def test_many_cases_are_the_formula_and_stop():
    """51% of 50,000: bets that are not small say 3.2 at most, the formula says 123.5."""
    assert float(e_value(25_500, 24_500)) == pytest.approx(123.51393, abs=1e-5)
    order = np.random.default_rng(0).permutation(np.r_[np.ones(25_500), -np.ones(24_500)])
    found = watch(order)
    assert found.e_values[-1] == pytest.approx(123.51393, abs=1e-5)
    assert found.first_crossing(0.05) > 0
    assert watch(order, running=False).low == pytest.approx(0.0019, abs=1e-4)
    assert watch(order, running=False).high == pytest.approx(0.0381, abs=1e-4)
    assert found.low > 0


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 2)), min_size=1, max_size=12), st.floats(-0.9, 0.9))
def test_the_sum_over_bets_is_the_integral(values, mean):
    from podium.cases.anytime import _Path

    d = np.array(values)
    low, high = -1 / (1 - mean), 1 / (1 + mean)
    total = integrate.quad(lambda bet: np.prod(1 + bet * (d - mean)), low, high, limit=200)[0] / (high - low)
    found = _Path(values=d, sizes=None).most_evidence(mean, np.array([len(d)]))
    assert np.exp(found) == pytest.approx(total, rel=1e-6, abs=1e-9)


def test_weights_of_the_bets_add_up():
    bets, weights = bets_of(0.7)
    assert weights.sum() == pytest.approx(0.7)
    assert (weights @ bets, weights @ bets**3) == pytest.approx((0.7**2 / 2, 0.7**4 / 4))


def clustered(groups, rng):
    """Large clusters on which a passes, small ones on which b does: a passes 90% of the cases, b more of the clusters."""
    rows = []
    for group in range(groups):
        large = rng.random() < 0.3
        for place in range(20 if large else 1):
            wins = (large and rng.random() < 0.95) or (not large and rng.random() < 0.05)
            rows.append((f"g{group}", f"g{group} q{place}", int(wins), int(not wins)))
    return pd.DataFrame(rows, columns=["cluster", "case", "a", "b"])


def followed(frame):
    return stop(as_cases(frame[["a", "b"]], clusters=frame["cluster"]))


def test_clusters_are_followed_by_their_cases():
    frame = clustered(80, np.random.default_rng(3))
    found = followed(frame)
    assert found.difference == pytest.approx(float((frame["a"] - frame["b"]).mean()))
    assert found.difference > 0.5
    assert found.reason.startswith("a is shown to be better than b, since cluster")
    at = int(found.reason.split("cluster ")[1].split(" ")[0])
    sizes = frame.groupby("cluster", sort=False).size()
    assert f"(case {sizes.iloc[:at].sum()})" in found.reason
    assert found.decided_after == sizes.iloc[:at].sum()


def test_equal_clusters_of_one_case_are_cases():
    rng = np.random.default_rng(4)
    values = rng.choice([-1.0, 0.0, 1.0], 60, p=[0.1, 0.6, 0.3])
    # Bets of clusters are symmetric, so that the interval is not quite the same; the evidence is.
    plain, one = watch(values), watch(values, sizes=np.ones(60))
    np.testing.assert_allclose(one.e_values, plain.e_values, rtol=1e-9)
    assert (one.low, one.high) == pytest.approx((plain.low, plain.high), abs=0.02)


def stops(draws, n, rng):
    """The share of evaluations of two that are equally good in which some look says otherwise, up to n cases."""
    moves = rng.choice([-1, 0, 1], p=[0.15, 0.7, 0.15], size=(draws, n)).astype(np.int8)
    b, c = np.cumsum(moves > 0, axis=1), np.cumsum(moves < 0, axis=1)
    return float((e_value(b, c).max(axis=1) >= 20).mean())


def test_false_stops_at_every_look():
    assert 0.005 <= stops(400, 1500, np.random.default_rng(6)) <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)


@pytest.mark.slow
def test_false_stops_at_length():
    share = np.mean([stops(250, 20_000, np.random.default_rng(seed)) for seed in range(8)])
    assert 0.015 <= share <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 2000)


@pytest.mark.slow
@pytest.mark.parametrize("share, lean", [(0.3, (0.125, -3 / 7)), (0.03, (0.0, 0.0))])
def test_false_stops_of_clusters(share, lean):
    """Large clusters lean to one and single cases to the other, so that cases balance; or few large clusters decide."""
    alarms, rng = 0, np.random.default_rng(9)
    for _ in range(400):
        large = rng.random(150) < share
        sizes = np.where(large, 8.0, 1.0)
        wins = rng.binomial(sizes.astype(int), (1 + np.where(large, *lean)) / 2)
        alarms += watch(2 * wins - sizes, sizes=sizes).first_crossing(0.05) > 0
    assert alarms / 400 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 400)
