"""Figures of the chance room: their numbers, and where they lie on the paper."""

import math

import numpy as np
import pytest

import podium
from podium.chance.distributions import null_curve
from podium.plot.chance import surface_of
from podium.plot.scene import Circle, Line, Polygon, Polyline


def of_kind(scene, kind):
    return [shape for shape in scene.shapes if isinstance(shape, kind)]


def words(scene):
    return [text.text for text in scene.texts]


@pytest.fixture(scope="module")
def table():
    sizes = [10, 20, 40, 80, 160]
    return podium.chance.critical_table("auc", positives=sizes, negatives=[*sizes, 200], competitors=[10, 1000])


def test_the_surface_holds_the_tables_values_and_round_isolines(table):
    layout = surface_of(table, competitors=10)
    np.testing.assert_array_equal(layout.values, table.values[0, 0])
    assert layout.values.shape == (5, 6)
    assert len(layout.levels) >= 8
    assert (np.diff(layout.levels) > 0).all()
    assert layout.values.min() < layout.levels[0] < layout.levels[-1] < layout.values.max()
    assert np.allclose(layout.levels * 100, np.round(layout.levels * 100))
    assert layout.titles == ("Critical values of AUC", "α = 1%, 10 competitors")


def test_a_table_without_those_competitors_is_refused(table):
    with pytest.raises(podium.ArgumentError, match="The table holds"):
        surface_of(table, competitors=7)


def test_curves_are_cumulative_and_end_at_one():
    curve = null_curve("best_f1", positives=10, negatives=1000, points=50)
    law = podium.chance.null_distribution("best_f1", positives=10, negatives=1000)
    assert curve.cdf[-1] == 1
    assert (np.diff(curve.cdf) >= 0).all()
    assert (np.diff(curve.scores) > 0).all()
    assert curve.scores[[0, -1]].tolist() == [law.lowest.value, law.highest.value]
    for score, probability in zip(curve.scores[::10], curve.cdf[::10], strict=True):
        assert probability == law.cdf(score)


def test_curves_of_one_metric_are_told_apart_by_their_cases():
    curves = [null_curve("auc", positives=5, negatives=n) for n in (5, 20)]
    texts = [text.text for text in podium.plot.chance_cdfs(curves).scene.texts]
    assert {"AUC, 5 positives, 5 negatives", "AUC, 5 positives, 20 negatives"} <= set(texts)


def test_cdfs_are_steps_with_a_line_at_the_level():
    curves = [null_curve(metric, positives=5, negatives=20) for metric in ("auc", "best_accuracy", "best_f1")]
    scene = podium.plot.chance_cdfs(curves, level=0.99).scene
    names = ["AUC", "best accuracy", "best F1"]
    assert [word for word in words(scene) if word in names] == names
    lines = of_kind(scene, Polyline)
    assert len({line.dash for line in lines}) == 3  # not told apart by colour alone
    first = lines[0].points
    # 320 points across scores from the lowest to 1, 220 points for probabilities to 1.02; each step has two corners.
    low, zero = first[0]
    span = 1 - min(curve.scores[0] for curve in curves)
    scores = [x - low for x, _ in first[2:-1:2]]
    np.testing.assert_allclose(scores, 320 / span * (curves[0].scores - curves[0].scores[0]), atol=1e-9)
    np.testing.assert_allclose([zero - y for _, y in first[2:-1:2]], 220 / 1.02 * curves[0].cdf, atol=1e-9)
    level = next(line for line in of_kind(scene, Line) if line.stroke == "muted")
    assert zero - level.y1 == pytest.approx(220 / 1.02 * 0.99)
    assert {"99%", "5 positives, 20 negatives"} <= set(words(scene))


def test_contours_have_every_isoline_on_equal_scales_with_its_label(table):
    surface = surface_of(table)
    scene = podium.plot.chance_contours(table).scene
    lines = of_kind(scene, Polyline)
    assert {line.title for line in lines} == set(surface.labels)
    assert surface.labels[0] == f"{surface.levels[0]:.4g}"[1:]
    labels = [text for text in scene.texts if text.size == 7]
    assert labels
    for label in labels:
        assert any((label.x, label.y) in line.points for line in lines if line.title == label.text)
    # 300 points for 10 to 200 negatives, by logarithms; a point is the same ratio along positives, 10 to 160.
    ends = [line for line in of_kind(scene, Line) if line.stroke_width == 0.8 and line.stroke == "ink"]
    across = next(line for line in ends if line.x2 - line.x1 == pytest.approx(300))
    upright = next(line for line in ends if line.x1 == line.x2 == across.x1 and abs(line.y2 - line.y1) > 10)
    assert abs(upright.y2 - upright.y1) == pytest.approx(300 / math.log(20) * math.log(16))


def test_the_surface_draws_every_cell_and_each_isoline_twice(table):
    surface = surface_of(table)
    scene = podium.plot.chance_surface(table).scene
    cells = [shape for shape in of_kind(scene, Polygon) if shape.stroke is None]
    assert len(cells) == 4 * 5
    floor = next(shape for shape in of_kind(scene, Polygon) if shape.fill == "wash")
    assert min(y for _, y in floor.points) > min(y for cell in cells for _, y in cell.points)
    lines = of_kind(scene, Polyline)
    assert {line.title for line in lines if line.stroke == "ink"} == set(surface.labels)
    assert {line.title for line in lines if line.stroke != "ink"} == set(surface.labels)
    assert {"negatives", "positives", "critical value"} <= set(words(scene))
    # Seen from above, the floor is a square.
    above = podium.plot.chance_surface(table, elevation=90, azimuth=-90).scene
    square = next(shape for shape in of_kind(above, Polygon) if shape.fill == "wash")
    xs, ys = zip(*square.points, strict=True)
    assert max(xs) - min(xs) == pytest.approx(max(ys) - min(ys))


@pytest.mark.parametrize("suffix", ["svg", "tikz", "pdf", "png"])
def test_charts_have_every_form(table, tmp_path, suffix):
    for draw in (podium.plot.chance_surface, podium.plot.chance_contours):
        assert draw(table).save(tmp_path / f"chart.{suffix}").stat().st_size > 1000


def test_isolines_of_whole_numbers_run_half_a_unit_below():
    table = podium.chance.critical_table("tp10", positives=[10, 100], negatives=[10, 500], competitors=[10])
    layout = surface_of(table)
    assert layout.values.tolist() == [[8, 2], [10, 6]]
    assert layout.levels.tolist() == [2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]
    assert layout.labels == ("3", "4", "5", "6", "7", "8", "9", "10")


def test_many_competitors_have_a_thousands_mark():
    table = podium.chance.critical_table("auc", positives=[20, 30], negatives=[20, 30], competitors=[1000])
    assert "1,000 competitors" in podium.plot.chance_surface(table).svg()


def test_a_flat_surface_has_no_isolines():
    flat = podium.chance.critical_table("tp1", positives=[10, 20], negatives=[10, 20], competitors=[10])
    layout = surface_of(flat)
    assert layout.levels.size == 0
    for draw in (podium.plot.chance_contours, podium.plot.chance_surface):
        assert not of_kind(draw(flat).scene, Polyline)


def test_the_competitors_chart_marks_the_score():
    curve = podium.planning.plan_competitors("auc", positives=50, negatives=60, score=0.7)
    scene = podium.plot.chance_competitors(curve).scene
    points = of_kind(scene, Circle)
    assert [int(point.title.split()[0].replace(",", "")) for point in points] == list(curve.competitors)
    # Logarithmic to the right, and up by equal amounts.
    x = np.array([point.x for point in points])
    counts = np.log(curve.competitors)
    steps = (counts - counts[0]) / (counts[-1] - counts[0])
    np.testing.assert_allclose(x - x[0], 320 * steps)
    y = np.array([point.y for point in points])
    gains = curve.critical_values - curve.critical_values[0]
    np.testing.assert_allclose((y[0] - y) / (y[0] - y[-1]), gains / gains[-1])
    assert f"score 0.7: at most {curve.most_competitors} competitors" in words(scene)
    assert "50 positives, 60 negatives, α = 1%" in words(scene)
