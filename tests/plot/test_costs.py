"""The plane of cost and gap: which marks stand where, and what they mean."""

import numpy as np

from plot.gallery import trade_off
from podium.core.quantity import Quantity
from podium.plot.costs import cost_plane_scene
from podium.plot.scene import Circle, Line, Polygon, Polyline, Rect


def of_kind(scene, kind):
    return [shape for shape in scene.shapes if isinstance(shape, kind)]


def plane_of(names, costs, gaps, **more):
    return cost_plane_scene(trade_off(names, costs, gaps, **more), Quantity(label=""))


def middles(scene):
    return {mark.key: tuple(np.mean(mark.points, axis=0).round(6)) for mark in of_kind(scene, Polygon)}


def test_the_frontier_is_filled_and_joined_by_steps_and_the_best_is_on_top():
    scene = plane_of(["c", "a", "b"], [30, 1, 2], [0.0, 0.3, 0.4], worse=[False, True, True])
    fills = {mark.key: mark.fill for mark in of_kind(scene, Polygon)}
    assert (fills["a"], fills["b"], fills["c"]) == ("ink", "paper", "blue")
    at = middles(scene)
    assert at["a"][0] < at["b"][0] < at["c"][0]
    assert at["c"][1] < at["a"][1] < at["b"][1]
    (steps,) = of_kind(scene, Polyline)
    corners = {tuple(np.round(point, 6)) for point in steps.points}
    assert {at["a"], at["c"], (at["c"][0], at["a"][1])} <= corners


def test_a_band_holds_those_not_significantly_worse_and_the_ring_is_around_the_cheapest():
    scene = plane_of(["best", "near", "far"], [9, 5, 1], [0.0, 0.1, 0.5], worse=[False, False, True])
    (band,) = of_kind(scene, Rect)
    at = middles(scene)
    assert at["near"][1] < band.y + band.height < at["far"][1]
    (ring,) = of_kind(scene, Circle)
    assert ring.key == "near"
    assert "not significantly worse than best" in [text.text for text in scene.texts]


def test_where_gaps_overlap_names_are_blue_instead_of_a_band():
    scene = plane_of(["best", "near", "far"], [9, 5, 1], [0.0, 0.5, 0.1], worse=[False, False, True])
    assert not of_kind(scene, Rect)
    colours = {text.text: text.colour for text in scene.texts}
    assert (colours["near"], colours["far"]) == ("blue", "ink")


def test_the_cost_axis_is_logarithmic_for_costs_of_many_sizes_and_says_which_mean():
    texts = [text.text for text in plane_of(["a", "b"], [1, 100], [0.0, 0.2]).texts]
    assert "Time, geometric mean over 9 datasets; log scale" in texts
    assert "Time, geometric mean over 9 datasets" in [text.text for text in plane_of(["a", "b"], [1, 2], [0, 1]).texts]


def test_intervals_that_reach_too_far_end_where_the_plane_does():
    scene = plane_of(["a", "b"], [1, 100], [0.0, 0.2], low=[np.nan, -np.inf], high=[np.nan, np.inf])
    upright = [line for line in of_kind(scene, Line) if line.key == "b" and line.x1 == line.x2]
    assert np.isfinite([upright[0].y1, upright[0].y2]).all(), scene.shapes
