"""Figures of studies: series against a bias (four panels), power against the number of datasets, decisions by pool."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from podium.plot.axes import Axis, axis_below, axis_left, spread
from podium.plot.palette import SERIES
from podium.plot.scene import Circle, Dash, Line, Polyline, Rect, Scene, Shape, Text
from podium.plot.textsize import text_width, widest
from podium.studies._power import PowerResult
from podium.studies._replicability import ReplicabilityResult
from podium.studies.pool import PoolResult

__all__ = ["pool_layout", "power_layout", "replicability_layout"]

Floats = npt.NDArray[np.float64]

WIDTH, HEIGHT = 230.0, 150.0
LEFT, TOP, GAP, BELOW = 52.0, 26.0, 16.0, 40.0
SIZE = 8.5
ROW = 11.0
DASHES: tuple[Dash, ...] = ("solid", "dashed", "dotted")


@dataclass(frozen=True, slots=True)
class _Panel:
    """One panel of lines: values of shape (series, x)."""

    title: str
    values: Floats
    low: float
    high: float


def replicability_layout(result: ReplicabilityResult) -> Scene:
    """Share rejected, Bouckaert's replicability, mean p and 1 - var(p) against the bias (Demsar 2006, figures 1-3)."""
    panels = (
        _Panel("share rejected", result.rejected, 0.0, 1.0),
        _Panel("Bouckaert's replicability", result.agreement, 0.4, 1.0),
        _Panel("mean p-value", result.mean_pvalue, 0.0, float(max(0.1, result.mean_pvalue.max()))),
        _panel_of("1 − variance of p", result.steadiness),
    )
    first, second = result.chosen_by
    return _grid(
        panels,
        result.tests,
        np.array(result.biases),
        x_label=f"bias k towards {first} against {second}",
        title="Replicability of tests",
        description=f"Four series of {len(result.tests)} tests against {len(result.biases)} biases.",
    )


def power_layout(result: PowerResult) -> Scene:
    """Power against the number of datasets, one panel per effect."""
    panels = [_Panel(f"effect {effect:g}", result.power[:, j], 0.0, 1.0) for j, effect in enumerate(result.effects)]
    return _grid(
        panels,
        result.tests,
        np.array(result.sizes, dtype=float),
        x_label="datasets",
        title="Power of tests",
        description=f"Power of {len(result.tests)} tests for {len(result.effects)} effects.",
    )


def _panel_of(title: str, values: Floats) -> _Panel:
    low = float(np.floor(values.min() * 20) / 20)
    return _Panel(title, values, low, 1.0)


def _grid(
    panels: Sequence[_Panel], names: Sequence[str], x: Floats, *, x_label: str, title: str, description: str
) -> Scene:
    """Panels two in a row, with the names of the series beside the last one of each row."""
    labels = widest(tuple(names), SIZE) + 30
    across = min(2, len(panels))
    shapes: list[Shape] = []
    for place, panel in enumerate(panels):
        column, row = place % across, place // across
        left = LEFT + column * (WIDTH + LEFT + GAP)
        top = TOP + row * (HEIGHT + BELOW + TOP)
        shapes += _panel(panel, names, x, left, top, x_label)
        if column == across - 1 or place == len(panels) - 1:
            shapes += _names(panel, names, left + WIDTH + 4, top)
    rows = -(-len(panels) // across)
    width = LEFT + across * (WIDTH + LEFT + GAP) - LEFT - GAP + labels + 8
    height = TOP + rows * (HEIGHT + BELOW + TOP) - TOP
    return Scene(width=width, height=height, shapes=tuple(shapes), title=title, description=description)


def _panel(panel: _Panel, names: Sequence[str], x: Floats, left: float, top: float, x_label: str) -> list[Shape]:
    low, high = (float(x.min()), float(x.max())) if len(x) > 1 else (float(x[0]) - 1, float(x[0]) + 1)
    across = Axis(low, high, left, left + WIDTH)
    up = Axis(panel.low, max(panel.high, panel.low + 1e-6), top + HEIGHT, top)
    shapes: list[Shape] = [Text(left, top - 10, panel.title, size=SIZE + 1, bold=True)]
    shapes += axis_below(across, top + HEIGHT, label=x_label, grid_to=top)
    shapes += axis_left(up, left, grid_to=left + WIDTH)
    for place, name in enumerate(names):
        points = tuple(
            (across(float(a)), up(float(np.clip(v, panel.low, panel.high))))
            for a, v in zip(x, panel.values[place], strict=True)
        )
        colour, dash = _style(place)
        if len(points) > 1:
            shapes.append(Polyline(points, stroke=colour, dash=dash, stroke_width=1.5, key=name, title=name))
        shapes += [Circle(a, b, 1.6, fill=colour, stroke=None, key=name, title=name) for a, b in points]
    return shapes


def _style(place: int) -> tuple[str, Dash]:
    """Colour and dash change together, so that series differ without colour too."""
    return SERIES[place % len(SERIES)], DASHES[(place + place // len(SERIES)) % len(DASHES)]


def _names(panel: _Panel, names: Sequence[str], x: float, top: float) -> list[Shape]:
    """The names beside the ends of the series, moved apart where these are close."""
    up = Axis(panel.low, max(panel.high, panel.low + 1e-6), top + HEIGHT, top)
    ends = [up(float(np.clip(values[-1], panel.low, panel.high))) for values in panel.values]
    placed = spread(ends, ROW, top, top + HEIGHT)
    shapes: list[Shape] = []
    for place, (name, end, y) in enumerate(zip(names, ends, placed, strict=True)):
        colour, dash = _style(place)
        shapes.append(Line(x, end, x + 10, y, stroke="faint", stroke_width=0.6))
        shapes.append(Line(x + 10, y, x + 22, y, stroke=colour, dash=dash, stroke_width=1.5))
        shapes.append(Text(x + 25, y, name, size=SIZE, key=name))
    return shapes


def pool_layout(result: PoolResult) -> Scene:
    """For each pair whose decision depends on the pool: the share of pools of each size that make it significant.

    A filled bar is the share by mean ranks; the mark at the right tells the decision of the test of the two alone.
    """
    pairs = result.affected or result.pairs[:1]
    sizes = [pool.size for pool in result.pairs[0].pools]
    labels = [f"{pair.a} – {pair.b}" for pair in pairs]
    left = widest(labels, SIZE) + 14
    cell = max(34.0, text_width("100/100", 7.0) + 8)
    shapes: list[Shape] = [Text(left, 14, "significant pools, by size of the pool", size=SIZE + 1, bold=True)]
    shapes += [
        Text(left + (i + 0.5) * cell, 32, str(size), size=SIZE, anchor="middle", colour="muted")
        for i, size in enumerate(sizes)
    ]
    for row, (pair, label) in enumerate(zip(pairs, labels, strict=True)):
        y = 42 + row * 22.0
        shapes.append(Text(left - 6, y + 9, label, size=SIZE, anchor="end"))
        for i, pool in enumerate(pair.pools):
            x = left + i * cell
            share = pool.significant / pool.total
            words = f"{label}: {pool.significant} of {pool.total} pools of {pool.size} are significant"
            shapes.append(Rect(x + 1, y, cell - 2, 18, fill="wash", stroke=None, title=words))
            shapes.append(Rect(x + 1, y + 14, (cell - 2) * share, 4, fill="blue", stroke=None, title=words))
            text = f"{pool.significant}/{pool.total}"
            shapes.append(Text(x + cell / 2, y + 7, text, size=7.0, anchor="middle"))
        shapes.append(Text(left + len(sizes) * cell + 6, y + 9, f"{result.test} p = {pair.pvalue:.2g}", size=SIZE))
    width = left + len(sizes) * cell + 14 + widest([f"{result.test} p = {pair.pvalue:.2g}" for pair in pairs], SIZE)
    return Scene(
        width=width,
        height=42 + len(pairs) * 22.0 + 8,
        shapes=tuple(shapes),
        title="Decisions by pool",
        description=f"{len(result.affected)} pairs whose mean-ranks decision depends on the pool.",
    )
