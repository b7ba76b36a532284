import itertools
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.core.errors import ArgumentError
from podium.plot import cd_diagram, cd_stack
from podium.plot._cd_diagram import MOST_LIST_LANES
from podium.plot.rows import lanes
from podium.plot.scene import Circle, Line, Polyline, Rect, Text
from podium.plot.sources import ranked, ranked_of
from podium.stats import registry
from podium.stats.posthoc.all_pairs import all_pairs
from podium.stats.posthoc.cliques import groups
from podium.stats.posthoc.rank_tests import bonferroni_dunn, nemenyi

# Mean ranks of the 14 x 4 example of Demsar (2006), JMLR 7, and the critical difference 1.25 of its page 13.
NAMES = ("C4.5", "C4.5+m", "C4.5+cf", "C4.5+m+cf")
RANKS = (3.143, 2.000, 2.893, 1.964)
PER_RANK = 280 / 3  # 280 points for ranks 1 to 4


def demsar(critical_difference):
    """The diagram of Nemenyi's test with this critical difference."""
    found = groups(RANKS, critical_difference=critical_difference, algorithms=NAMES)
    return cd_diagram(found, critical_difference=critical_difference).scene


def diagram(mean_ranks, names, form="auto", **settings):
    return cd_diagram(ranked(mean_ranks, names, **settings), form=form).scene


def of_kind(scene, kind):
    return [shape for shape in scene.shapes if isinstance(shape, kind)]


def bars(scene):
    return [shape for shape in scene.shapes if isinstance(shape, Line) and shape.css == "group"]


def test_places_of_the_axis_the_leaders_and_the_critical_difference():
    scene = demsar(1.25)
    leaders = {line.key: line.points for line in of_kind(scene, Polyline)}
    start = next(text.x for text in scene.texts if text.text == "1")
    for name, rank in zip(NAMES, RANKS, strict=True):
        assert leaders[name][0] == (pytest.approx(start + PER_RANK * (rank - 1)), 46.0)
    # The better half leaves to the left, the best on top; the worst of the others is on top on the right.
    assert leaders["C4.5+m+cf"][1][1] == leaders["C4.5"][1][1] < leaders["C4.5+m"][1][1] == leaders["C4.5+cf"][1][1]
    assert leaders["C4.5+m+cf"][2][0] < start
    assert leaders["C4.5"][2][0] > start + 280
    difference = next(line for line in of_kind(scene, Line) if line.title.startswith("Critical difference"))
    assert (difference.x1, difference.x2) == (pytest.approx(start), pytest.approx(start + 1.25 * PER_RANK))


def test_demsars_groups_from_the_critical_difference():
    # Even the best and the worst differ by less: 3.143 - 1.964 = 1.179 (no pair on page 13).
    (bar,) = bars(demsar(1.25))
    assert bar.x2 - bar.x1 == pytest.approx(1.179 * PER_RANK + 6)
    # With 1.15 the best is told apart from the worst.
    first, second = bars(demsar(1.15))
    assert first.y1 < second.y1  # overlapping bars lie in lanes of their own
    assert [bar.x2 - bar.x1 for bar in (first, second)] == [
        pytest.approx(0.929 * PER_RANK + 6),
        pytest.approx(1.143 * PER_RANK + 6),
    ]


def test_group_with_a_gap_is_dotted_past_the_stranger_and_has_dots_at_members():
    scene = diagram([1, 2, 3], ["a", "b", "c"], groups=[("a", "c")])
    (bar,) = bars(scene)
    assert bar.dash == "dotted"
    assert [circle.key for circle in of_kind(scene, Circle)] == ["a", "c"]
    assert bar.title == "2 algorithms that do not differ significantly:\na\nc"


def test_groups_of_one_are_no_bars_and_order_of_input_does_not_matter():
    scene = diagram([3, 1, 2], ["c", "a", "b"], groups=[("c",), ("a", "b")])
    (bar,) = bars(scene)
    assert bar.title.split("\n")[1:] == ["a", "b"]
    assert diagram([1, 2, 3], ["a", "b", "c"], groups=[("b", "a"), ("c",)]) == scene


def test_ties_share_a_place_and_have_lines_of_their_own():
    scene = diagram([2, 2, 2], ["a", "b", "c"], groups=["abc"], critical_difference=1)
    starts = {line.points[0] for line in of_kind(scene, Polyline)}
    assert len(starts) == 1
    assert len({line.points[2] for line in of_kind(scene, Polyline)}) == 3
    assert len(bars(scene)) == 1


def test_control_has_its_stretch_and_no_bars():
    scene = diagram(RANKS, NAMES, critical_difference=1.0, control="C4.5")
    assert not bars(scene)
    (stretch,) = of_kind(scene, Rect)
    # From 2.143 to 4, where the axis ends.
    assert stretch.width == pytest.approx(PER_RANK * (4 - 2.143))


def test_a_comparison_with_a_control_is_a_list_that_marks_those_not_told_apart_from_it():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(30, 4)) + np.array([0.0, 0.1, 3.0, -3.0])
    found = podium.compare(
        pd.DataFrame(scores, columns=["base", "near", "distant", "last"], index=[f"d{i}" for i in range(30)]),
        control="base",
        direction="higher",
    )
    figure = cd_diagram(found)
    rows = {row.algorithm: (row.wins, row.ties, row.losses) for row in found.ranking}
    assert rows == {"base": (1, 1, 1), "near": (0, 1, 0), "distant": (1, 0, 0), "last": (0, 0, 1)}
    assert "the control base" in figure.description
    marks = {row.names[0]: (row.fill, row.tone) for row in figure.table.rows}
    assert marks["base"] == ("full", "reference")
    assert {name for name, mark in marks.items() if mark == ("none", "plain")} == {"near"}


def test_a_comparison_by_nemenyis_test_shows_its_critical_difference():
    """Demsar (2006), equation for CD: q(0.05; 7, inf) sqrt(7 * 8 / (6 * 53)) = 2.949 * 0.4196."""
    found = podium.compare(podium.example("benavoli2016"), test="nemenyi")
    assert found.pairs.n.min() == found.pairs.n.max() == 53
    scene = cd_diagram(found).scene
    assert scene.title == "Critical-difference diagram"
    (label,) = [text.text for text in scene.texts if text.text.startswith("CD = ")]
    assert float(label.removeprefix("CD = ")) == pytest.approx(2.949 * (7 * 8 / (6 * 53)) ** 0.5, abs=0.006)
    other = podium.compare(podium.example("benavoli2016"))  # Wilcoxon's test has none
    assert not [text for text in cd_diagram(other).scene.texts if "CD" in text.text]


def test_a_test_on_ranks_without_a_critical_difference_is_drawn_without_one(monkeypatch):
    method = replace(registry.PAIRWISE["nemenyi"], distance=False)
    monkeypatch.setitem(registry.PAIRWISE, "nemenyi", method)
    assert ranked_of(podium.compare(podium.example("benavoli2016"), test="nemenyi"), 0.05).critical_difference is None


def test_intervals_of_another_test_are_named_as_such():
    found = podium.compare(podium.example("benavoli2016"), test="nemenyi")
    for figure in (podium.plot.gaps, podium.plot.forest):
        note = figure(found).table.note
        assert "Wilcoxon" in note
        assert "Nemenyi" in note
    assert "can disagree" not in podium.plot.gaps(podium.compare(podium.example("benavoli2016"))).table.note


@pytest.mark.parametrize("k", [30, 40, 41, 100, 179])
def test_what_is_drawn_joins_each_pair_not_told_apart_and_no_other(k):
    """Bars with dots and dotted links, or none where they would be too many: the same truth at every k."""
    rng = np.random.default_rng(k)
    scores = rng.normal(size=(25, k)) + np.linspace(1.5, 0, k)
    pairs = all_pairs(scores, correction="none")
    data = ranked_of(pairs, 0.05)
    near = pairs.matrix("adjusted") > 0.05
    order = [pairs.algorithms.index(name) for name in data.names]
    joined = np.zeros((k, k), dtype=bool)
    for group in data.groups:
        joined[np.ix_(group, group)] = True
    np.fill_diagonal(joined, val=False)
    expected = near[np.ix_(order, order)]
    np.fill_diagonal(expected, val=False)
    assert np.array_equal(joined, expected)

    figure = cd_diagram(pairs)
    if figure.table is None:
        assert {bar.title for bar in bars(figure.scene)} == {data.group_title(group) for group in data.groups}
    elif figure.table.bars:
        assert {group for _, group in figure.table.bars} == set(data.groups)
    else:
        spans = [(group[0], group[-1]) for group in data.groups]
        assert max(lanes(spans, 1.0)) >= MOST_LIST_LANES


def test_runs_that_leave_pairs_out_get_links_for_them():
    """a and c are not told apart, but b between them is told apart from c: no run holds a and c."""
    apart = np.array([[0, 0, 0], [0, 0, 1], [0, 1, 0]], dtype=bool)
    found = groups(apart, mean_ranks=[1.0, 2.0, 3.0], algorithms=["a", "b", "c"])
    assert found.unbarred == (("a", "c"),)
    assert [bar.dash for bar in bars(cd_diagram(found).scene)] == ["solid", "dotted"]


@pytest.mark.parametrize("k, form", [(40, "axis"), (41, "list")])
def test_above_forty_algorithms_the_diagram_is_a_list(k, form):
    names = [f"a{i}" for i in range(k)]
    ranks = [1 + i for i in range(k)]
    found = groups(ranks, critical_difference=2.5, algorithms=names)
    scene = cd_diagram(found).scene
    assert scene.shapes == cd_diagram(found, form=form).scene.shapes
    assert bool(of_kind(scene, Polyline)) == (form == "axis")


def test_list_has_one_line_for_each_algorithm_in_order():
    scene = diagram([2.5, 1.25, 3], ["b", "a", "c"], "list", groups=["ba", "bc"])
    names = [text for text in scene.texts if text.text in "abc"]
    assert [text.text for text in names] == ["a", "b", "c"]
    assert [b.y - a.y for a, b in itertools.pairwise(names)] == [15, 15]
    assert [line.y2 - line.y1 for line in bars(scene)] == [2 * 15 - 6] * 2
    assert bars(scene)[1].y1 - bars(scene)[0].y1 == 15
    assert len({line.x1 for line in bars(scene)}) == 2


@given(
    st.lists(st.floats(1, 10), min_size=1, max_size=12),
    st.floats(0.01, 12),
)
def test_groups_by_critical_difference_are_the_largest_stretches(ranks, difference):
    names = [str(i) for i in range(len(ranks))]
    data = ranked_of(groups(ranks, critical_difference=difference, algorithms=names), 0.05)
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
    names = ["a", "b", "a longer name"]
    accuracy = groups([1, 2, 3], critical_difference=1.5, algorithms=names)
    time = groups([3, 2, 1], critical_difference=1.5, algorithms=names)
    scene = cd_stack({"accuracy": accuracy, "time": time}).scene
    headings = [text for text in scene.texts if isinstance(text, Text) and text.bold]
    assert [text.text for text in headings] == ["accuracy", "time"]
    assert headings[0].y < headings[1].y
    assert [text.text for text in scene.texts].count("a") == 2
    # One axis for all: rank 1 stands at the same place in both.
    assert len({text.x for text in scene.texts if text.text == "1"}) == 1


def test_a_result_on_pairs_brings_its_critical_difference_and_its_control():
    scores = [[0.1 * j + 0.01 * ((i * j) % 5) for j in range(4)] for i in range(14)]
    scene = cd_diagram(nemenyi(scores), alpha=0.10).scene
    assert "CD = 1.12" in [text.text for text in scene.texts]
    scene = cd_diagram(bonferroni_dunn(scores, "algorithm 1")).scene
    (stretch,) = of_kind(scene, Rect)
    assert stretch.key == "algorithm 1"
    assert not bars(scene)


@pytest.mark.parametrize(
    "change, sentence",
    [
        ({"mean_ranks": [1, 2]}, "must give a number for each of 3 names; it has 2"),
        ({"mean_ranks": [1, 2, float("nan")]}, "must give a number"),
        ({"form": "pie"}, "`form` must be 'auto', 'axis' or 'list'"),
    ],
)
def test_bad_input_gives_one_sentence(change, sentence):
    arguments = {"mean_ranks": [1, 2, 3], "names": ["a", "b", "c"], **change}
    with pytest.raises(ArgumentError, match=sentence):
        diagram(**arguments)
