"""Figures of runs: aggregates of agents with their intervals, and the share of runs above every threshold with bands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.numbers import interval, number, percent
from podium.plot.axes import (
    PAD,
    Axis,
    axis_below,
    curve,
    curves_scene,
    line_style,
    minus,
    plane,
    stretched,
    with_room,
)
from podium.plot.figure import Ax, Width, figure
from podium.plot.scene import Circle, Line, Polygon, Rect, Scene, Shape, Text, sheet_around
from podium.plot.sources import quantity_of
from podium.plot.textsize import label_of, widest
from podium.runs.registry import AGGREGATES

if TYPE_CHECKING:
    from podium.runs._aggregates import AggregatesResult
    from podium.runs._profiles import ProfilesResult

SIZE = 9.0
ROW = 16.0
PANEL, GAP = 120.0, 24.0
LEAST_PANEL, BELOW = 70.0, 44.0  # narrower panels stand below each other, so far apart
LEFT, WIDTH, HEIGHT = 52.0, 320.0, 220.0
THIN = 3.0  # a share of the height of a row: half of the bar


@figure
def aggregate_intervals(
    result: Comparison | AggregatesResult, *, ax: Ax = None, width: Width = None, stretch: float = 0.0
) -> Scene:
    """A panel for each aggregate: a bar for the interval of each agent, a line at its value; the best agent on top.

    The order is that of the first aggregate. An agent without an interval (a single run) has a dot.
    """
    found: AggregatesResult = _part(result, "aggregates")
    written = quantity_of(result).written
    found = replace(found, values=written(found.values), low=written(found.low), high=written(found.high))
    first = AGGREGATES[found.aggregates[0]]
    order = np.argsort(found.values[:, 0] * (-1 if first.better == "same" else 1), kind="stable")
    names = [found.algorithms[i] for i in order]
    left, top = PAD + widest(map(label_of, names), SIZE) + 8, PAD + 16
    across, panel = _panels(len(found.aggregates), stretch)
    shapes: list[Shape] = []
    for j, aggregate in enumerate(found.aggregates):
        start, y = left + (j % across) * (panel + GAP), top + (j // across) * (len(names) * ROW + BELOW)
        if j % across == 0:
            shapes += [
                Text(left - 8, y + (row + 0.5) * ROW, label_of(name), size=SIZE, anchor="end", key=name, title=name)
                for row, name in enumerate(names)
            ]
        shapes += _panel(found, j, order.tolist(), start, start + panel, y)
        shapes.append(Text(start, y - 8, AGGREGATES[aggregate].label, size=SIZE))
    described = f"{first.label.capitalize()} of {len(names)} agents on {found.n_tasks} tasks; {names[0]} is best."
    return sheet_around(shapes, title="Aggregates over tasks and runs", description=described)


def _panels(count: int, stretch: float) -> tuple[int, float]:
    """How many panels stand beside each other, and how wide each is: all of them, or as many as have room."""
    own = count * (PANEL + GAP) - GAP
    wanted = own + stretch
    across = next((n for n in range(count, 0, -1) if (wanted + GAP) / n - GAP >= LEAST_PANEL), 1)
    return across, max((wanted + GAP) / across - GAP, LEAST_PANEL)


def _part(result: Any, name: str) -> Any:
    """The aggregates or profiles of a comparison of agents, or these themselves."""
    if not isinstance(result, Comparison):
        return result
    if result.extra(name) is None:
        raise ArgumentError("Only a comparison of agents by their runs has this figure.")
    return result.extra(name)


def _panel(
    result: AggregatesResult, column: int, order: list[int], start: float, end: float, top: float
) -> list[Shape]:
    """One aggregate of all agents, on an axis of its own."""
    ends = np.concatenate([array[:, column] for array in (result.low, result.high, result.values)])
    x = Axis(*with_room(ends.tolist(), 0.05), start, end)
    bottom = top + len(order) * ROW
    shapes: list[Shape] = axis_below(x, bottom + 1, grid_to=top)
    for row, i in enumerate(order):
        name, y = result.algorithms[i], top + (row + 0.5) * ROW
        value, least, most = (float(array[i, column]) for array in (result.values, result.low, result.high))
        told = minus(number(value))
        colour = line_style(row % 7)[0]
        if not np.isfinite(least):
            shapes.append(Circle(x(value), y, 3.0, fill="paper", stroke=colour, title=f"{name}\n{told}", key=name))
            continue
        hover = f"{name}\n{told} ({minus(interval(least, most))})"
        box = (x(least), y - ROW / THIN, max(x(most) - x(least), 0.5), 2 * ROW / THIN)
        shapes.append(Rect(*box, fill=colour, stroke=None, opacity=0.45, title=hover, key=name))
        shapes.append(
            Line(x(value), y - ROW / THIN, x(value), y + ROW / THIN, stroke="ink", stroke_width=1.4, key=name)
        )
    return shapes


@figure
def run_profiles(
    result: Comparison | ProfilesResult, *, highlight: int = 7, ax: Ax = None, width: Width = None, stretch: float = 0.0
) -> Scene:
    """The share of runs that score above each threshold; a curve that lies higher is better, its band holds throughout.

    The `highlight` agents with the largest area under their curve are drawn with bands, the others in grey.
    """
    check.count("highlight", highlight)
    found: ProfilesResult = _part(result, "profiles")
    quantity = quantity_of(result)
    found = replace(found, thresholds=quantity.written(found.thresholds))
    thresholds = found.thresholds
    if len(thresholds) < 2:
        raise ArgumentError("A profile needs at least two thresholds.")
    head = PAD + 4
    x = Axis(float(thresholds.min()), float(thresholds.max()), LEFT, LEFT + stretched(WIDTH, stretch))
    y = Axis(0.0, 1.0, head + HEIGHT, head)
    shapes = plane(x, y, "score (threshold)", "share of runs above it")
    order = np.argsort(-found.share.sum(axis=1), kind="stable").tolist()
    for place in reversed(range(len(order))):
        shapes += _curve(found, order[place], place if place < highlight else None, x, y)
    named = [found.algorithms[i] for i in order[:highlight]]
    ends = [y(float(found.share[i, -1])) + 0.01 * place for place, i in enumerate(order[:highlight])]
    return curves_scene(
        shapes,
        dict(zip(named, ends, strict=True)),
        x,
        y,
        title="Performance profiles of runs",
        description=f"Shares of runs above each score, with bands of {percent(found.confidence)} confidence, for "
        f"{len(order)} agents on {found.n_tasks} tasks.",
    )


def _curve(result: ProfilesResult, i: int, place: int | None, x: Axis, y: Axis) -> list[Shape]:
    """The curve of one agent with its band, or a grey line."""
    name = result.algorithms[i]

    def line(shares: np.ndarray) -> list[tuple[float, float]]:
        return [(x(float(t)), y(float(s))) for t, s in zip(result.thresholds, shares, strict=True)]

    drawn = curve(line(result.share[i]), place, name)
    if place is None or not np.isfinite(result.low[i]).all():
        return [drawn]
    band = (*line(result.high[i]), *reversed(line(result.low[i])))
    return [Polygon(band, fill=drawn.stroke, stroke=None, opacity=0.15, key=name), drawn]
