"""Exact places in the figures with axes: forest, ranks, scatter, heat map, matrix, profile."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from plot.gallery import intervals, table
from podium.core.errors import ArgumentError
from podium.core.metric import Metric
from podium.plot import heatmap, performance_profile, rank_distribution, rank_intervals, scatter
from podium.plot.matrix import _least_round
from podium.plot.pairs import interval_rows
from podium.plot.ranks import rank_shares
from podium.plot.scene import Circle, Line, Polygon, Polyline, Rect, Text, box_of, is_free
from podium.plot.scores import profile_curves
from refusals import refuses

NAN = float("nan")
ERROR = Metric(name="error", direction="lower")


def of_kind(scene, kind, **wanted):
    return [s for s in scene.shapes if isinstance(s, kind) and all(getattr(s, k) == v for k, v in wanted.items())]


def words(scene):
    return [text.text for text in scene.texts]


def test_marks_are_filled_where_the_interval_excludes_zero():
    rows = [(1, 0.5, 1.5), (-2, -4, 1), (NAN, NAN, NAN)]
    scene = interval_rows(["a", "b", "c"], rows).scene()
    marks = of_kind(scene, Circle)[:2]  # the others are those of the legend
    assert [mark.fill for mark in marks] == ["ink", "paper"]
    assert marks[1].y - marks[0].y == 15
    # The axis holds -4 to 1.5 with 4 % to spare on 260 points.
    scale = 260 / (5.5 * 1.08)
    assert marks[0].x - marks[1].x == pytest.approx(3 * scale)
    interval = of_kind(scene, Line, stroke_width=1.4)[1]
    assert interval.x2 - interval.x1 == pytest.approx(5 * scale)
    texts = words(scene)
    assert texts[texts.index("a") : texts.index("a") + 3] == ["a", "1.00", "0.50 to 1.50"]
    assert texts[texts.index("b") : texts.index("b") + 3] == ["b", "\u22122.00", "\u22124.00 to 1.00"]
    assert texts[-2:] == ["the interval excludes 0", "it does not"]


def test_an_interval_without_an_end_is_an_arrow():
    scene = interval_rows(["a"], [(1, 0.5, np.inf)]).scene()
    (line,), (arrow,) = of_kind(scene, Line, stroke_width=1.4), of_kind(scene, Polygon)
    assert arrow.points[0] == (line.x2, line.y2)


def test_forest_names_the_winner_first_and_labels_its_intervals():
    rng = np.random.default_rng(0)
    scores = rng.normal(size=(20, 3)) + np.array([0.0, 2.0, 0.5])
    pairs = podium.stats.all_pairs(scores)
    figure = podium.plot.forest(pairs)
    texts = words(figure.scene)
    assert texts.index("algorithm 2 over algorithm 1") < texts.index("algorithm 2 over algorithm 3")
    assert "95% interval" in texts
    assert "simultaneous" in figure.table.note
    assert "significantly better, p \u2264 0.05" in texts
    seen = words(podium.plot.forest(pairs, algorithm="algorithm 1").scene)
    assert [text for text in seen if " over " in text] == [
        "algorithm 1 over algorithm 3",
        "algorithm 1 over algorithm 2",
    ]
    each = podium.stats.all_pairs(scores, intervals="each")
    assert "individual" in podium.plot.forest(each).table.note


def test_a_forest_of_a_control_has_each_algorithm_over_the_control():
    found = podium.compare(podium.example("benavoli2016"), control="C7")
    lines = [text.text for text in podium.plot.forest(found).scene.texts if "over C7" in text.text]
    assert len(lines) == 6
    assert lines[0] == "C2 over C7"
    assert lines[-1] == "C4 over C7"


def test_the_rope_is_shaded():
    (rope,) = of_kind(interval_rows(["a"], [(1, 0, 2)], rope=0.5).scene(), Rect, title="rope")
    assert rope.width == pytest.approx(1.0 * 260 / (2.5 * 1.08))


def test_rank_intervals_have_the_best_on_top():
    scene = rank_intervals(intervals(["b", "a"], [2, 1], [1, 1], [2, 2])).scene
    assert [text.text for text in scene.texts if text.text in "ab"] == ["a", "b"]
    dots = of_kind(scene, Circle)
    # 260 points for ranks 0.5 to 2.5.
    assert dots[1].x - dots[0].x == pytest.approx(130)


@given(st.integers(2, 6), st.integers(1, 8), st.integers(0, 10**6))
def test_shares_of_ranks_add_up_and_keep_the_mean(k, n, seed):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 3, (n, k))
    ranks = np.array([[1 + (row < v).sum() + ((row == v).sum() - 1) / 2 for v in row] for row in values])
    shares = rank_shares(ranks)
    assert shares.sum(axis=1) == pytest.approx(np.ones(k))
    assert shares @ np.arange(1, k + 1) == pytest.approx(ranks.mean(axis=0))


def test_rank_distribution_places_cells_and_mean():
    scene = rank_distribution(table([[2, 1], [2, 1], [1, 2], [NAN, 1]], ["a", "b"])).scene
    cells = of_kind(scene, Rect)
    assert [cell.title.split("\n")[1] for cell in cells if cell.key == "a"] == [
        "rank 1 on 66.7% of datasets",
        "rank 2 on 33.3% of datasets",
    ]
    assert (cells[0].width, cells[0].height) == (24, 18)
    notch = of_kind(scene, Polygon)[0].points[2][0]
    assert notch - cells[0].x == pytest.approx(24 * (4 / 3 - 0.5))


@pytest.mark.parametrize("higher, counts", [(True, (2, 1, 1)), (False, (1, 2, 1))])
def test_scatter_counts_wins_ties_and_missing(higher, counts):
    scores = np.transpose([[1.0, 3.0, 5.0, 4.0, NAN], [1.0, 2.0, 6.0, 2.0, 1.0]])
    scene = scatter(table(scores, "AB", metric=None if higher else ERROR)).scene
    texts = words(scene)
    assert f"A better: {counts[0]} (shaded side)" in texts
    assert f"B better: {counts[1]}" in texts
    assert f"ties: {counts[2]}; left out for a missing score: 1" in texts
    # The mark of the legend and that of each dataset; the rest are triangles.
    assert len(of_kind(scene, Circle, fill="blue")) == 1 + counts[0]
    assert len(of_kind(scene, Polygon, fill="vermilion")) == 1 + counts[1]
    tie = of_kind(scene, Circle, fill="paper")[0]
    diagonal = of_kind(scene, Line, dash="dashed")[0]
    assert tie.x - diagonal.x1 == pytest.approx(diagonal.y1 - tie.y)


def test_heat_map_crosses_holes_and_marks_the_best():
    scene = heatmap(table([[0.9, 0.8, NAN], [0.5, 0.5, 0.5]], "abc", ["d1", "d2"])).scene
    cells = [rect for rect in of_kind(scene, Rect) if rect.title]
    assert [cell.title.split("\n") for cell in cells][:3] == [
        ["d1", "a", "0.9"],
        ["d1", "b", "0.8"],
        ["d1", "c", "missing"],
    ]
    assert [cell.fill for cell in cells] == ["ramp:0.90", "ramp:0.05", "paper"] + ["ramp:0.47"] * 3
    assert [(text.text, text.bold) for text in scene.texts if text.text.startswith("0.")] == [
        ("0.900", True),
        ("0.800", False),
        ("0.500", False),
        ("0.500", False),
        ("0.500", False),
    ]
    lower = heatmap(table([[0.9, 0.8]], "ab", metric=ERROR)).scene
    assert [rect.fill for rect in of_kind(lower, Rect) if rect.title] == ["ramp:0.05", "ramp:0.90"]


def test_many_columns_of_a_heat_map_stand_in_several_lines_with_their_numbers():
    values = np.random.default_rng(1).uniform(0.5, 0.9, (5, 60))
    scene = heatmap(table(values, [f"algorithm {i}" for i in range(60)]), width="page").scene
    assert min(text.size for text in scene.texts) >= 6.5
    assert sum(text.text.startswith("0.") for text in scene.texts) == 300
    heads = [text for text in scene.texts if text.rotation == 90]
    assert len(heads) == 60
    assert 1 < len({round(text.y, 3) for text in heads}) < 6
    boxes = [box_of(text) for text in scene.texts]
    whole = (0.0, 0.0, scene.width, scene.height)
    assert all(is_free(box, whole, boxes[:i]) for i, box in enumerate(boxes))


def test_large_heat_map_is_merged_and_shows_the_same_area():
    values = np.tile([0.0, 0.0, 1.0, 1.0, NAN], (1, 400)).reshape(1, 2000).repeat(5, axis=0)
    scene = heatmap(table(values, [f"a{i}" for i in range(2000)])).scene
    cells = [rect for rect in of_kind(scene, Rect) if rect.y < 10 + scene.height - 28 - 8]
    assert len(cells) < 5 * 2000 * 0.7
    assert sum(r.width * r.height for r in of_kind(scene, Rect, fill="ramp:0.90")) == pytest.approx(4000 * 100 + 100)


def steep(k, n=24):
    """Algorithms of which each is clearly better than the next."""
    values = np.random.default_rng(1).normal(0.0, 0.01, (n, k)) - 0.03 * np.arange(k)
    return podium.compare(pd.DataFrame(values, columns=[f"n{i}" for i in range(k)]), direction="higher")


def test_matrix_has_gains_above_and_records_below():
    found = steep(3)
    figure = podium.plot.comparison_matrix(found)
    scene, grid, pairs = figure.scene, figure.table, found.pairs
    first = pairs.pair("n0", "n1")
    assert grid.names == ("n0", "n1", "n2")
    assert float(grid.cells[0][1].text) == pytest.approx(found.difference.factor * first.effect, abs=1e-4)
    assert grid.cells[1][0].text == f"{first.losses}\u2013{first.wins}"
    assert [grid.cells[i][i] for i in range(3)] == [None] * 3
    for i in range(3):
        for j in range(i + 1, 3):
            assert grid.cells[i][j].shown == (pairs.pair(grid.names[i], grid.names[j]).adjusted <= found.alpha)
    cells = {rect.title.split("\n")[0]: rect for rect in of_kind(scene, Rect) if rect.title}
    assert set(cells) == {"n0 against n1", "n0 against n2", "n1 against n2"}
    assert cells["n0 against n2"].x - cells["n0 against n1"].x == pytest.approx(cells["n0 against n1"].width)
    assert len(of_kind(scene, Rect, fill=None)) == sum(text.bold for text in scene.texts) == 3
    assert "3 of 3 pairs differ significantly" in scene.description


@pytest.mark.parametrize(
    "largest, breaks",
    [(1.75, (0.5, 1.0, 2.0)), (2.0, (0.5, 1.0, 2.0)), (0.03, (0.01, 0.02, 0.05)), (0.0, (0.2, 0.5, 1.0))],
)
def test_steps_of_colour_end_at_round_numbers_that_hold_the_largest_difference(largest, breaks):
    assert _least_round(largest) == pytest.approx(breaks if largest else (0.1, 0.2, 0.5))


def test_only_what_is_shown_has_a_strong_colour_and_the_side_of_the_test():
    found = podium.compare(podium.example("benavoli2016"))
    grid = podium.plot.comparison_matrix(found).table
    for i, row in enumerate(grid.cells):
        for j, cell in enumerate(row):
            if j <= i:
                continue
            pair = found.pairs.pair(grid.names[i], grid.names[j])
            assert cell.shown == (pair.adjusted <= found.alpha)
            assert not cell.shown or np.sign(cell.step) == np.sign(pair.side)
            if cell.step:
                assert (abs(float(cell.colour.partition(":")[2])) >= 0.5) == cell.shown


def test_matrix_of_many_algorithms_shows_signs_then_areas():
    signs = podium.plot.comparison_matrix(steep(20)).scene
    written = [text.text for text in signs.texts if text.text in "+\u2212"]
    shown = int((steep(20).pairs.adjusted <= 0.05).sum())
    assert written.count("+") == written.count("\u2212") == shown > 100
    areas = podium.plot.comparison_matrix(steep(61)).scene
    assert len(of_kind(areas, Rect)) < 61 * 60 / 2
    assert not [text for text in areas.texts if text.text == "+"]


def test_matrix_refuses_a_level_that_is_none():
    with refuses(ArgumentError, "alpha"):
        podium.plot.comparison_matrix(steep(3), alpha=2)


@given(st.integers(1, 5), st.integers(1, 9), st.integers(0, 10**6))
def test_profile_curves_count_datasets_within_a_distance(k, n, seed):
    distances = np.random.default_rng(seed).integers(0, 4, (n, k)).astype(float)
    for column, curve in zip(distances.T, profile_curves(distances), strict=True):
        for value, share in curve:
            assert share == pytest.approx(np.mean(column <= value))


def test_profile_of_a_clear_winner():
    scene = performance_profile(table([[1.0, 0.0], [1.0, 0.5]], ["best", "other"])).scene
    curves = {line.key: line.points for line in of_kind(scene, Polyline)}
    x0, y0 = curves["best"][0]
    assert curves["best"] == ((x0, y0), (x0, y0), (x0, y0 - 220), (x0 + 320, y0 - 220))
    assert curves["other"][0] == (x0, y0)
    # Within 0.5 on half of the datasets; the axis ends at the 98 % quantile of all distances, 0.97.
    assert curves["other"][2] == (pytest.approx(x0 + 320 * 0.5 / 0.97), pytest.approx(y0 - 110))


def test_profile_ratio_needs_positive_values():
    with pytest.raises(ArgumentError, match="needs values above 0"):
        performance_profile(table([[1.0, 0.0]], "ab"), distance="ratio")
    scene = performance_profile(table([[1.0, 4.0], [2.0, 2.0]], "ab", metric=ERROR), distance="ratio").scene
    assert "ratio to the best" in words(scene)


@pytest.mark.parametrize(
    "make",
    [
        lambda: rank_distribution(table([[1, NAN]], "ab")),
        lambda: scatter(table([[1, NAN]], "ab")),
        lambda: performance_profile(table([[NAN, NAN]], "ab")),
        lambda: heatmap(table([[1, 2]], "ab"), scale="page"),
    ],
)
def test_what_cannot_be_drawn_is_refused(make):
    with pytest.raises(ArgumentError):
        make()


def test_a_forest_as_wide_as_a_column_keeps_its_text_size():
    values = np.random.default_rng(1).normal(0, 1, (30, 5)) + np.arange(5)
    found = podium.compare(
        pd.DataFrame(values, columns=list("abcde"), index=[f"data {i}" for i in range(30)]), direction="higher"
    )
    for width, points in (("column", 237.6), ("page", 496.8)):
        scene = podium.plot.forest(found, width=width).scene
        assert scene.width == pytest.approx(points, abs=0.5)
        assert min(shape.size for shape in scene.shapes if hasattr(shape, "size")) >= 7


@pytest.mark.parametrize(("figure", "metric"), [("roc_curves", "auc"), ("pr_curves", "average_precision")])
def test_the_legend_of_curves_has_the_area_below_them(figure, metric):
    """Whatever the algorithms were compared by: scikit-learn's areas."""
    from sklearn import metrics

    truth = np.arange(60) % 3 == 0
    predicted = {name: truth + np.random.default_rng(i).normal(size=60) for i, name in enumerate(("ant", "bee"))}
    area = {"auc": metrics.roc_auc_score, "average_precision": metrics.average_precision_score}[metric]
    for asked in ("auc", "average_precision"):
        scene = getattr(podium.plot, figure)(podium.compare(predicted, truth=truth, metric=asked)).scene
        written = {shape.text for shape in scene.shapes if isinstance(shape, Text)}
        assert {f"{name} {area(truth, scores):.3f}" for name, scores in predicted.items()} <= written
