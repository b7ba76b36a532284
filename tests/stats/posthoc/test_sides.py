"""Who is ahead in a pair is said by the test's own statistic, wherever the pair is shown."""

import re

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.metric import Metric
from podium.evidence.table import Table
from podium.plot.scene import Rect, Text


def tiny_wins_and_large_losses(direction="higher"):
    """60 ties, 32 wins of a by a little, 28 losses of a by much: rank sums 528 against 1302."""
    gains = np.concatenate([np.zeros(60), np.linspace(0.001, 0.004, 32), np.linspace(-0.05, -0.09, 28)])
    sign = 1 if direction == "higher" else -1
    values = 0.5 + np.column_stack([sign * gains / 2, -sign * gains / 2])
    return Table(
        values=values,
        datasets=tuple(f"d{i}" for i in range(120)),
        algorithms=("a", "b"),
        metric=Metric(name="auc" if direction == "higher" else "error", direction=direction),
    )


@pytest.mark.parametrize("direction", ["higher", "lower"])
def test_the_side_is_that_of_the_rank_sums(direction):
    pairs = podium.stats.all_pairs(tiny_wins_and_large_losses(direction))

    assert pairs.details["smaller_sum"][0] == 528
    assert pairs.pvalue[0] == pytest.approx(0.0039, abs=5e-5)
    assert (pairs.wins[0], pairs.ties[0], pairs.losses[0]) == (32, 60, 28)
    assert pairs.side[0] == -1
    assert pairs.better(0.05).tolist() == [[False, False], [True, False]]
    assert pairs.disagree.tolist() == [True]
    assert pairs.winner_first()[["a", "b", "wins", "losses", "side"]].values.tolist() == [["b", "a", 28, 32, 1.0]]


def test_the_ranking_calls_the_winner_of_the_test_significantly_better():
    found = podium.compare(tiny_wins_and_large_losses())
    rows = {row.algorithm: row for row in found.ranking}

    assert (rows["b"].wins, rows["b"].losses) == (1, 0)
    assert (rows["a"].wins, rows["a"].losses) == (0, 1)


def test_rank_intervals_follow_the_side():
    places = podium.stats.rank_intervals(tiny_wins_and_large_losses())

    assert dict(zip(places.algorithms, places.high.tolist(), strict=True)) == {"a": 2, "b": 1}


def test_the_matrix_marks_the_winner_of_the_test():
    """With signs only, the cell of a row that is shown to be better has a plus."""
    rng = np.random.default_rng(0)
    others = rng.normal(0.5, 0.2, size=(120, 16))
    names = ["a", "b", *(f"other {i}" for i in range(16))]
    many = pd.DataFrame(np.column_stack([tiny_wins_and_large_losses().values, others]), columns=names)
    scene = podium.plot.comparison_matrix(podium.stats.all_pairs(many, correction="none")).scene
    pluses = {
        (round(shape.x, 3), round(shape.y, 3))
        for shape in scene.shapes
        if isinstance(shape, Text) and shape.text == "+"
    }
    cells = {
        re.sub("[^a-z0-9 ]", "", shape.title.split("\n")[0]): shape
        for shape in scene.shapes
        if isinstance(shape, Rect) and shape.title
    }

    def has_plus(title):
        cell = cells[title]
        return (round(cell.x + cell.width / 2, 3), round(cell.y + cell.height / 2, 3)) in pluses

    assert has_plus("b against a")
    assert not has_plus("a against b")


def test_nothing_disagrees_where_all_point_one_way():
    scores = np.column_stack([np.arange(10) + 1.0, np.arange(10)])
    pairs = podium.stats.all_pairs(scores)

    assert not pairs.disagree.any()
    assert pairs.ahead.tolist() == [1]


def test_pairs_are_shown_winner_first_and_largest_first():
    rng = np.random.default_rng(1)
    scores = rng.normal(size=(25, 4)) + np.array([0.0, 2.0, 1.0, 0.5])
    frame = podium.stats.all_pairs(scores).winner_first()

    assert (frame["side"] >= 0).all()
    assert frame["effect"].is_monotonic_decreasing
    assert frame.loc[0, ["a", "b"]].tolist() == ["algorithm 2", "algorithm 1"]


def test_pairs_seen_from_one_algorithm_all_point_the_same_way():
    rng = np.random.default_rng(1)
    table = Table(
        values=rng.normal(size=(25, 4)),
        datasets=tuple("abcdefghijklmnopqrstuvwxy"),
        algorithms=tuple("pqrs"),
        metric=Metric(name="error", direction="lower"),
    )
    pairs = podium.stats.all_pairs(table)
    frame = pairs.seen_from("r")

    assert set(frame["a"]) == {"r"}
    assert frame["effect"].is_monotonic_increasing  # lower is better: the furthest ahead first
    for row in frame.itertuples():
        two = pairs.pair(row.a, row.b)
        assert (row.effect, row.low, row.high, row.wins, row.statistic) == (
            two.effect,
            two.low,
            two.high,
            two.wins,
            two.statistic,
        )


def test_to_frame_keeps_the_order_of_the_table():
    rng = np.random.default_rng(1)
    frame = podium.stats.all_pairs(rng.normal(size=(25, 3)) + np.array([0.0, 2.0, 1.0])).to_frame()

    assert frame[["a", "b"]].values.tolist() == [
        ["algorithm 1", "algorithm 2"],
        ["algorithm 1", "algorithm 3"],
        ["algorithm 2", "algorithm 3"],
    ]


def test_a_ratio_seen_from_the_other_side_is_its_inverse():
    rng = np.random.default_rng(0)
    scores = pd.DataFrame(np.exp(rng.normal([0.0, 0.2, 0.4], 0.1, (9, 3))), columns=["a", "b", "c"])
    found = podium.stats.all_pairs(scores, test="geometric_ratio", intervals="each")
    for one, other in found.names:
        straight, turned = found.pair(one, other), found.pair(other, one)
        alone = podium.stats.geometric_ratio(scores[other], scores[one])
        assert (turned.effect, turned.low, turned.high) == pytest.approx((alone.effect, alone.low, alone.high))
        assert straight.effect * turned.effect == pytest.approx(1)
    assert np.diag(found.matrix("effect")).tolist() == [1, 1, 1]
    assert not found.disagree.any()
    assert found.winner_first()["effect"].min() > 1
    assert found.winner_first().loc[0, ["a", "b"]].tolist() == ["c", "a"]
