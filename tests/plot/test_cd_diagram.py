import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.errors import ArgumentError
from podium.plot._cd_diagram import cd_diagram_layout, cd_stack_layout
from podium.plot.ranked import ranked
from podium.plot.scene import Circle, Line, Polyline, Rect, Text

# Mean ranks of the 14 x 4 example of Demsar (2006), JMLR 7, and the critical difference 1.25 of its page 13.
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
RANKS = (3.143, 2.000, 2.893, 1.964)


def of_kind(scene, kind):
    return [shape for shape in scene.shapes if isinstance(shape, kind)]


def bars(scene):
    return [shape for shape in scene.shapes if isinstance(shape, Line) and shape.css == "group"]


def test_places_of_the_axis_the_leaders_and_the_critical_difference():
    scene = cd_diagram_layout(RANKS, NAMES, critical_difference=1.25, width=300)
    leaders = {line.key: line.points for line in of_kind(scene, Polyline)}
    start = next(text.x for text in scene.texts if text.text == "1")
    # 300 points for ranks 1 to 4: 100 points a rank.
    for name, rank in zip(NAMES, RANKS, strict=True):
        assert leaders[name][0] == (pytest.approx(start + 100 * (rank - 1)), 44.0)
    # The better half leaves to the left, the best on top; the worst of the others is on top on the right.
    assert leaders["C4.5+m+cf"][1][1] == leaders["C4.5"][1][1] < leaders["C4.5+m"][1][1] == leaders["C4.5+cf"][1][1]
    assert leaders["C4.5+m+cf"][2][0] < start
    assert leaders["C4.5"][2][0] > start + 300
    difference = next(line for line in of_kind(scene, Line) if line.title.startswith("Critical difference"))
    assert (difference.x1, difference.x2) == (pytest.approx(start), pytest.approx(start + 125))


def test_demsars_groups_from_the_critical_difference():
    # Even the best and the worst differ by less: 3.143 - 1.964 = 1.179 (no pair on page 13).
    (bar,) = bars(cd_diagram_layout(RANKS, NAMES, critical_difference=1.25, width=300))
    assert bar.x2 - bar.x1 == pytest.approx(117.9 + 6)
    # With 1.15 the best is told apart from the worst.
    first, second = bars(cd_diagram_layout(RANKS, NAMES, critical_difference=1.15, width=300))
    assert first.y1 < second.y1  # overlapping bars lie in lanes of their own
    assert [bar.x2 - bar.x1 for bar in (first, second)] == [pytest.approx(92.9 + 6), pytest.approx(114.3 + 6)]


def test_group_with_a_gap_is_dotted_past_the_stranger_and_has_dots_at_members():
    scene = cd_diagram_layout([1, 2, 3], ["a", "b", "c"], groups=[(0, 2)], width=200)
    (bar,) = bars(scene)
    assert bar.dash == "dotted"
    assert [circle.key for circle in of_kind(scene, Circle)] == ["a", "c"]
    assert bar.title == "2 algorithms not told apart:\na\nc"


def test_groups_of_one_are_no_bars_and_order_of_input_does_not_matter():
    scene = cd_diagram_layout([3, 1, 2], ["c", "a", "b"], groups=[(0,), (1, 2)])
    (bar,) = bars(scene)
    assert bar.title.split("\n")[1:] == ["a", "b"]
    again = cd_diagram_layout([1, 2, 3], ["a", "b", "c"], groups=[(0, 1), (2,)])
    assert again == scene
    assert cd_diagram_layout([1, 2, 3], ["a", "b", "c"], groups=[("b", "a")]) == scene


def test_ties_share_a_place_and_have_lines_of_their_own():
    scene = cd_diagram_layout([2, 2, 2], ["a", "b", "c"], critical_difference=1)
    starts = {line.points[0] for line in of_kind(scene, Polyline)}
    assert len(starts) == 1
    assert len({line.points[2] for line in of_kind(scene, Polyline)}) == 3
    assert len(bars(scene)) == 1


def test_control_has_its_stretch_and_no_bars():
    scene = cd_diagram_layout(RANKS, NAMES, critical_difference=1.0, control="C4.5", width=300)
    assert not bars(scene)
    (stretch,) = of_kind(scene, Rect)
    # From 2.143 to 4, where the axis ends.
    assert stretch.width == pytest.approx(100 * (4 - 2.143))


@pytest.mark.parametrize("k, form", [(40, "axis"), (41, "list")])
def test_above_forty_algorithms_the_diagram_is_a_list(k, form):
    names = [f"a{i}" for i in range(k)]
    ranks = [1 + i for i in range(k)]
    scene = cd_diagram_layout(ranks, names, critical_difference=2.5)
    assert scene == cd_diagram_layout(ranks, names, critical_difference=2.5, form=form)
    assert bool(of_kind(scene, Polyline)) == (form == "axis")


def test_list_has_one_line_for_each_algorithm_in_order():
    scene = cd_diagram_layout([2.5, 1.25, 3], ["b", "a", "c"], groups=[(0, 1), (0, 2)], form="list")
    names = [text for text in scene.texts if text.text in "abc"]
    assert [text.text for text in names] == ["a", "b", "c"]
    assert [text.y for text in names] == [27.5, 38.5, 49.5]
    assert [(line.y1, line.y2) for line in bars(scene)] == [(24.5, 41.5), (35.5, 52.5)]
    assert len({line.x1 for line in bars(scene)}) == 2


def test_list_with_too_many_bars_shows_a_square_of_pairs():
    k = 60
    groups = [tuple(range(i, i + 50)) for i in range(10)] + [(i, 59 - i % 7) for i in range(45)]
    scene = cd_diagram_layout(list(range(k)), [f"a{i}" for i in range(k)], groups=groups)
    assert not bars(scene)
    assert any("dark: not told apart" in text.text for text in scene.texts)


@given(
    st.lists(st.floats(1, 10), min_size=1, max_size=12),
    st.floats(0.01, 12),
)
def test_groups_by_critical_difference_are_the_largest_stretches(ranks, difference):
    data = ranked(ranks, [str(i) for i in range(len(ranks))], groups=None, critical_difference=difference)
    ordered = data.mean_ranks
    for group in data.groups:
        assert group == tuple(range(group[0], group[-1] + 1))
        assert ordered[group[-1]] - ordered[group[0]] < difference
        if group[0] > 0:
            assert ordered[group[-1]] - ordered[group[0] - 1] >= difference
        if group[-1] + 1 < len(ordered):
            assert ordered[group[-1] + 1] - ordered[group[0]] >= difference
    for i in range(len(ordered) - 1):
        joined = any(i in group and i + 1 in group for group in data.groups)
        assert joined == (ordered[i + 1] - ordered[i] < difference)


def test_stack_has_a_diagram_under_each_heading():
    rows = [("accuracy", [1, 2, 3], [(0, 1)], None), ("time", [3, 2, 1], None, 1.5)]
    scene = cd_stack_layout(rows, ["a", "b", "a longer name"])
    headings = [text for text in scene.texts if isinstance(text, Text) and text.bold]
    assert [text.text for text in headings] == ["accuracy", "time"]
    assert headings[0].y < headings[1].y
    assert [text.text for text in scene.texts].count("a") == 2
    # One axis for all: rank 1 stands at the same place in both.
    assert len({text.x for text in scene.texts if text.text == "1"}) == 1


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"mean_ranks": [1, 2]}, "must give a number for each of 3 names; it has 2"),
        ({"mean_ranks": [1, 2, float("nan")]}, "must give a number"),
        ({"groups": [(0, 3)]}, "names, or places from 0 to 2"),
        ({"control": "d"}, "There is no algorithm 'd'"),
        ({"form": "pie"}, "`form` must be 'auto', 'axis' or 'list'"),
    ],
)
def test_bad_input_gives_one_sentence(change, sentence):
    arguments = {"mean_ranks": [1, 2, 3], "names": ["a", "b", "c"], **change}
    with pytest.raises(ArgumentError, match=sentence):
        cd_diagram_layout(arguments.pop("mean_ranks"), arguments.pop("names"), **arguments)
