import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plot.gallery import overlapping_texts
from podium.core.errors import ArgumentError
from podium.plot.axes import Axis, axis_below, axis_left, rank_ticks, round_ticks, spread, tick_texts
from podium.plot.costs import place_labels
from podium.plot.rows import lanes
from podium.plot.scene import Scene, Text


def test_places_on_a_linear_and_on_a_logarithmic_axis():
    assert [Axis(1, 3, 10, 110)(value) for value in (1, 2, 3)] == [10, 60, 110]
    assert [Axis(1, 100, 0, 50, log=True)(value) for value in (1, 10, 100)] == pytest.approx([0, 25, 50])


@pytest.mark.parametrize("low, high, log", [(1, 1, False), (2, 1, False), (0, 1, True)])
def test_an_axis_needs_room(low, high, log):
    with pytest.raises(ArgumentError, match="An axis cannot go from"):
        Axis(low, high, 0, 1, log=log)


@given(st.floats(-1e6, 1e6), st.floats(1e-6, 1e6), st.integers(1, 12))
def test_round_ticks_lie_inside_and_are_evenly_spaced(low, span, about):
    high = low + span
    ticks = round_ticks(low, high, about)
    slack = 1e-6 * max(abs(low), abs(high), 1)
    assert all(low - slack <= tick <= high + slack for tick in ticks)
    assert len(ticks) <= about + 2
    steps = [b - a for a, b in itertools.pairwise(ticks)]
    assert all(step == pytest.approx(steps[0], abs=slack) for step in steps)


@given(st.floats(-1e5, 1e5), st.floats(1e-4, 1e5), st.booleans())
def test_labels_of_axes_keep_apart(low, span, upwards):
    axis = Axis(low, low + span, 200, 20) if upwards else Axis(low, low + span, 50, 250)
    shapes = axis_left(axis, 60, label="error") if upwards else axis_below(axis, 30, label="error")
    assert not overlapping_texts(Scene(width=400, height=300, shapes=tuple(shapes)))


def test_tick_texts_have_the_same_digits():
    assert tick_texts([0.0, 0.5, 1.0], Axis(0, 1, 0, 1)) == ["0.0", "0.5", "1.0"]
    assert tick_texts([-10.0, 0.0], Axis(-10, 1, 0, 1)) == ["\u221210", "0"]


@given(st.integers(1, 400), st.floats(60, 600))
def test_rank_ticks_run_from_1_to_k(k, room):
    ticks = rank_ticks(k, room)
    assert ticks[0] == 1
    assert ticks[-1] == k
    assert ticks == sorted(set(ticks))


@given(st.lists(st.floats(0, 100), min_size=1, max_size=12))
def test_spread_keeps_order_gap_and_limits(places):
    placed = spread(places, 8, 0, 100)
    assert min(placed) >= -1e-9
    assert max(placed) <= 100 + 1e-9
    for (a, before), (b, after) in itertools.combinations(zip(places, placed, strict=True), 2):
        assert abs(before - after) >= 8 - 1e-9
        if a != b:
            assert (a < b) == (before < after)


def test_spread_moves_nothing_that_has_room():
    assert spread([10.0, 30.0, 20.0], 10, 0, 100) == [10, 30, 20]


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(1, 5)), max_size=12))
def test_lanes_never_overlap_and_are_as_few_as_possible(stretches):
    spans = sorted((start, start + length) for start, length in stretches)
    found = lanes(spans, 1.0)
    for (a, lane_a), (b, lane_b) in itertools.combinations(zip(spans, found, strict=True), 2):
        assert lane_a != lane_b or a[1] + 1 <= b[0] or b[1] + 1 <= a[0]
    crowd = max((sum(s < x + 1 and x < e + 1 for s, e in spans) for x, _ in spans), default=0)
    assert max(found, default=-1) + 1 == crowd


@given(st.lists(st.tuples(st.floats(20, 280), st.floats(20, 180)), min_size=1, max_size=12))
def test_placed_labels_keep_clear_of_each_other_and_of_points(points):
    placed = place_labels(points, [(30.0, 10.0)] * len(points), (0, 0, 300, 200))
    if placed is None:
        return
    boxes = [(x, y, x + 30, y + 10) for x, y in placed]
    for a, b in itertools.combinations(boxes, 2):
        assert a[0] >= b[2] or b[0] >= a[2] or a[1] >= b[3] or b[1] >= a[3]
    for left, top, right, bottom in boxes:
        assert left >= 0
        assert right <= 300
        assert top >= 0
        assert bottom <= 200
        assert not any(left < x < right and top < y < bottom for x, y in points)


def test_a_label_stands_to_the_right_of_a_lonely_point():
    assert place_labels([(50, 50)], [(30, 10)], (0, 0, 100, 100)) == [(59, 45)]
    assert place_labels([(50, 50)], [(200, 10)], (0, 0, 100, 100)) is None


def test_texts_of_axes_are_shapes_with_the_places_of_their_ticks():
    axis = Axis(0, 1, 100, 200)
    texts = [shape for shape in axis_below(axis, 50) if isinstance(shape, Text)]
    assert [(text.text, text.x, text.y) for text in texts][:2] == [("0.0", 100, 60), ("0.2", 120, 60)]
