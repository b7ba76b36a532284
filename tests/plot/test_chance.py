"""Charts of the chance room: layouts by their numbers, drawings by what they put on the axes."""

import numpy as np
import pytest
from matplotlib.figure import Figure

import podium
from podium.chance.distributions import null_curve
from podium.plot import chance as charts


@pytest.fixture(scope="module")
def table():
    sizes = [10, 20, 40, 80, 160]
    return podium.chance.critical_table("auc", positives=sizes, negatives=[*sizes, 200], competitors=[10, 1000])


def test_the_surface_holds_the_tables_values_and_round_isolines(table):
    layout = charts.chance_surface_layout(table, competitors=10)
    np.testing.assert_array_equal(layout.values, table.values[0, 0])
    assert layout.values.shape == (5, 6)
    assert len(layout.levels) >= 8
    assert (np.diff(layout.levels) > 0).all()
    assert layout.values.min() < layout.levels[0] < layout.levels[-1] < layout.values.max()
    assert np.allclose(layout.levels * 100, np.round(layout.levels * 100))
    assert layout.title == "Critical values of AUC\nα = 1 %, 10 competitors"


def test_a_table_without_those_competitors_is_refused(table):
    with pytest.raises(podium.ArgumentError, match="The table holds"):
        charts.chance_surface_layout(table, competitors=7)


def test_curves_are_cumulative_and_end_at_one():
    curve = null_curve("best_f1", positives=10, negatives=1000, points=50)
    law = podium.chance.null_distribution("best_f1", positives=10, negatives=1000)
    assert curve.cdf[-1] == 1
    assert (np.diff(curve.cdf) >= 0).all()
    assert (np.diff(curve.scores) > 0).all()
    assert curve.scores[[0, -1]].tolist() == [law.lowest.value, law.highest.value]
    for score, probability in zip(curve.scores[::10], curve.cdf[::10], strict=True):
        assert probability == law.cdf(score)


def test_cdfs_on_given_axes_with_a_line_at_the_level():
    curves = [null_curve(metric, positives=5, negatives=20) for metric in ("auc", "best_accuracy", "best_f1")]
    axes = Figure().add_subplot()
    assert charts.draw_chance_cdfs(curves, level=0.99, ax=axes) is axes
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["AUC", "best accuracy", "best F1"]
    np.testing.assert_array_equal(axes.lines[0].get_xdata()[1:], curves[0].scores)
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), [0, *curves[0].cdf])
    np.testing.assert_array_equal(axes.lines[-1].get_ydata(), [0.99, 0.99])
    assert len({line.get_linestyle() for line in axes.lines[:3]}) == 3  # not told apart by colour alone
    assert axes.get_title() == "5 positives, 20 negatives"


def test_surface_and_contours_draw_every_isoline(table, tmp_path):
    layout = charts.chance_surface_layout(table)
    surface = charts.draw_chance_surface(layout)
    assert surface.get_xlabel() == "negatives"
    assert surface.get_zlim()[0] < layout.values.min()  # the floor for the projected isolines
    contours = charts.draw_chance_contours(layout)
    np.testing.assert_array_equal(contours.collections[0].levels, layout.levels)
    shown = {text.get_text() for text in contours.texts}
    assert shown
    assert shown <= set(layout.labels)
    assert layout.labels[0] == f"{layout.levels[0]:.4g}"[1:]
    for name, axes in (("surface.png", surface), ("contours.pdf", contours)):
        axes.figure.savefig(tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000


def test_isolines_of_whole_numbers_run_half_a_unit_below():
    table = podium.chance.critical_table("tp10", positives=[10, 100], negatives=[10, 500], competitors=[10])
    layout = charts.chance_surface_layout(table)
    assert layout.values.tolist() == [[8, 2], [10, 6]]
    assert layout.levels.tolist() == [2.5, 3.5, 4.5, 5.5, 6.5, 7.5, 8.5, 9.5]
    assert layout.labels == ("3", "4", "5", "6", "7", "8", "9", "10")


def test_a_flat_surface_has_no_isolines():
    flat = podium.chance.critical_table("tp1", positives=[10, 20], negatives=[10, 20], competitors=[10])
    layout = charts.chance_surface_layout(flat)
    assert layout.levels.size == 0
    charts.draw_chance_contours(layout)
    charts.draw_chance_surface(layout)


def test_the_competitors_chart_marks_the_score():
    curve = podium.chance.plan_competitors("auc", positives=50, negatives=60, score=0.7)
    axes = charts.draw_chance_competitors(curve)
    np.testing.assert_array_equal(axes.lines[0].get_ydata(), curve.critical_values)
    assert axes.texts[0].get_text() == f"score 0.7: at most {curve.most_competitors} competitors"
    assert axes.get_xscale() == "log"
