"""Looking at any time: values of a second program, many cases, clusters by their cases, and error rates at every look."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import integrate

from podium.cases import confidence_sequence, e_value
from podium.cases.anytime import SequenceMeans, _moments, _Path, bets_of
from podium.core.errors import ArgumentError
from podium.evidence.cases import as_cases
from podium.planning import may_stop
from refusals import refuses


def test_many_cases_are_the_formula_and_stop():
    """51% of 50,000: bets that are not small say 3.2 at most, the formula says 123.5."""
    assert float(e_value(25_500, 24_500)) == pytest.approx(123.51393, abs=1e-5)
    order = np.random.default_rng(0).permutation(np.r_[np.ones(25_500), -np.ones(24_500)])
    found = confidence_sequence(order)
    assert found.e_values[-1] == pytest.approx(123.51393, abs=1e-5)
    assert found.first_crossing(0.05) > 0
    assert confidence_sequence(order, running=False).low == pytest.approx(0.0019, abs=1e-4)
    assert confidence_sequence(order, running=False).high == pytest.approx(0.0381, abs=1e-4)
    assert found.low > 0


@settings(max_examples=15, deadline=None)
@given(st.lists(st.floats(-1, 1).map(lambda x: round(x, 2)), min_size=1, max_size=12), st.floats(-0.9, 0.9))
def test_the_sum_over_bets_is_the_integral(values, mean):
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


def followed(frame, largest=20):
    return may_stop(as_cases(frame[["a", "b"]], clusters=frame["cluster"]), largest_cluster=largest)


def test_clusters_are_followed_by_their_cases():
    frame = clustered(80, np.random.default_rng(3))
    found = followed(frame)
    assert found.difference == pytest.approx(float((frame["a"] - frame["b"]).mean()))
    assert found.difference > 0.5
    assert found.reason.startswith("a is significantly better than b, since cluster")
    at = int(found.reason.split("cluster ")[1].split(" ")[0])
    sizes = frame.groupby("cluster", sort=False).size()
    assert f"(case {sizes.iloc[:at].sum()})" in found.reason
    assert found.decided_after == sizes.iloc[:at].sum()


def test_equal_clusters_of_one_case_are_cases():
    rng = np.random.default_rng(4)
    values = rng.choice([-1.0, 0.0, 1.0], 60, p=[0.1, 0.6, 0.3])
    # Bets of clusters are symmetric, so that the interval is not quite the same; the evidence is.
    plain, one = confidence_sequence(values), confidence_sequence(values, sizes=np.ones(60), largest_cluster=1)
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


def leaning(shares, leans, rng):
    """150 clusters: sizes with their shares, and how far the cases of each size lean to the first algorithm."""
    sizes = rng.choice(list(shares), 150, p=list(shares.values()))
    chance = (1 + np.array([leans[size] for size in sizes.tolist()])) / 2
    return 2.0 * rng.binomial(sizes, chance) - sizes, sizes.astype(float)


def alike(sizes, rng):
    """Clusters whose cases have much in common, whatever their size."""
    return 2.0 * rng.binomial(sizes.astype(int), rng.beta(0.5, 0.5, len(sizes))) - sizes, sizes


# Sums and sizes of clusters in which as many cases favour one as the other.
CLUSTERS = {
    "30% of 8 cases lean to one": lambda rng: leaning({8: 0.3, 1: 0.7}, {8: 0.125, 1: -3 / 7}, rng),
    "30% of 20 cases lean to one": lambda rng: leaning({20: 0.3, 1: 0.7}, {20: 0.1, 1: -6 / 7}, rng),
    "3% of 8 cases, none leans": lambda rng: leaning({8: 0.03, 1: 0.97}, {8: 0.0, 1: 0.0}, rng),
    # Not named where the rule was chosen:
    "1 to 16 cases, large ones lean": lambda rng: leaning(
        {1: 0.4, 2: 0.25, 4: 0.2, 8: 0.1, 16: 0.05}, {1: -0.6, 2: -0.4, 4: 0.0, 8: 0.35, 16: 0.2}, rng
    ),
    "Pareto sizes to 200, cases alike": lambda rng: alike(np.minimum(np.ceil(rng.pareto(1.2, 150) + 0.5), 200), rng),
    "1 to 20 cases, cases alike": lambda rng: alike(rng.integers(1, 21, 150).astype(float), rng),
}
RARE = {30: 0.03, 1: 0.97}, {30: 0.97 / 1.8, 1: -0.5}  # the first of 30 cases may come late


def cluster_evidence(sums, sizes, largest):
    return _Path(values=sums / largest, sizes=sizes / largest).evidence()


def told_apart(sums, sizes):
    """Whether equal algorithms are told apart with the largest size known, and by looks that take the largest so far."""
    so_far, limit = np.maximum.accumulate(sizes), np.log(20)
    looks = []
    for size in np.unique(so_far):
        stop = np.searchsorted(so_far, size, side="right")
        looks.append(cluster_evidence(sums[:stop], sizes[:stop], size)[so_far[:stop] == size].max())
    return cluster_evidence(sums, sizes, sizes.max()).max() >= limit, max(looks) >= limit


def test_the_largest_size_of_clusters_must_be_given():
    frame = clustered(40, np.random.default_rng(3))
    for largest in (None, 19):
        with refuses(ArgumentError, "largest_cluster"):
            followed(frame, largest)
    with refuses(ArgumentError, "largest_cluster"):
        confidence_sequence([3.0, -1.0], sizes=[3, 1])
    with refuses(ArgumentError, "largest_cluster"):
        may_stop({"x": [1] * 9, "y": [0] * 9}, largest_cluster=3)
    assert "has more than 20 cases" in followed(frame).summary()
    assert "cluster" not in may_stop({"x": [1] * 9, "y": [0] * 9}).summary()


def test_a_larger_size_than_that_of_any_cluster_stops_later():
    """By brute force: the mean over bets of what each makes of the sums, in units of the largest size."""
    sums, sizes = np.array([3.0, -1.0, 2.0, 1.0]), np.array([3.0, 1.0, 2.0, 2.0])
    for largest in (3, 7):
        made = lambda bet, largest=largest: np.prod(1 + bet * sums / largest) / 2  # noqa: E731
        expected = integrate.quad(made, -1, 1)[0]
        found = confidence_sequence(sums, sizes=sizes, largest_cluster=largest)
        assert found.e_values[-1] == pytest.approx(expected, rel=1e-9)
        share = lambda bet, largest=largest: np.prod(1 + bet * (sums + 0.1 * sizes) / largest / 0.9)  # noqa: E731
        means = SequenceMeans(sums=sums[None], sizes=sizes, largest=largest)
        assert np.exp(means.evidence(-0.1, 1)[0, -1]) == pytest.approx(integrate.quad(share, 0, 1)[0], rel=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("design", CLUSTERS)
def test_false_stops_of_clusters(design):
    """Looked at after every cluster, also by those who take the largest so far for the largest."""
    rng, draws = np.random.default_rng(9), 1000
    found = np.array([told_apart(*CLUSTERS[design](rng)) for _ in range(draws)]).mean(axis=0)
    assert (found <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / draws)).all()
    assert design != "1 to 20 cases, cases alike" or found[0] >= 0.005  # not so careful that nothing is ever shown


@pytest.mark.slow
def test_rare_large_clusters_must_be_known_beforehand():
    """As the page says: 1% of false stops with the largest size known, 40% by looks that take the largest so far."""
    rng, wrong = np.random.default_rng(9), []
    for _ in range(600):
        sums, sizes = leaning(*RARE, rng)
        one_sided = SequenceMeans(sums=sums[None], sizes=sizes, largest=30).shown_after(margin=1e-9, alpha=0.05)
        known = cluster_evidence(sums, sizes, 30).max() >= np.log(20)
        wrong.append((known, told_apart(sums, sizes)[1], *(after[0] > 0 for after in one_sided)))
    known, so_far, above, below = np.mean(wrong, axis=0)
    assert so_far == pytest.approx(0.40, abs=0.08)
    assert known <= 0.05
    assert max(above, below) <= 0.05


@pytest.mark.slow
@pytest.mark.parametrize("chances", [(0.15, 0.15), (0.51, 0.49), (0.02, 0.3)])
def test_the_interval_holds_at_all_looks_to_20000_cases(chances):
    rng, moments, missed = np.random.default_rng(8), np.array(sorted(_moments(20_000))), 0
    for _ in range(300):
        drawn = rng.choice([1.0, -1.0, 0.0], 20_000, p=[*chances, 1 - sum(chances)])
        path = _Path(values=drawn, sizes=None)
        missed += path.most_evidence(chances[0] - chances[1], moments) >= np.log(20)
    assert 0.003 <= missed / 300 <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / 300)
