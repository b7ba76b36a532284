"""Score against cost: how far each algorithm is behind the best, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.arrays import Bools, Floats
from podium.core.escape import isolated
from podium.core.numbers import capital, number, percent, pvalue
from podium.core.quantity import Quantity
from podium.ordering.trade_off import TradeOff
from podium.plot.axes import PAD, Axis, axis_below, axis_left, minus, stairs, stretched, with_room
from podium.plot.figure import Sheet, figure
from podium.plot.scene import (
    Box,
    Circle,
    Line,
    Point,
    Polygon,
    Polyline,
    Rect,
    Scene,
    Shape,
    Text,
    is_free,
    sheet_around,
)
from podium.plot.sources import difference_of, trade_off_of
from podium.plot.style import label_of, lines_of

SIZE = 9.0
LEFT = 56.0
WIDTH, HEIGHT = 360.0, 260.0
LOG_FROM = 3.0  # the largest cost over the smallest
CLEAR = 8.0  # around a point
HALF = 4.2  # of a diamond


@dataclass(frozen=True, slots=True, kw_only=True)
class _Spot:
    """Where an algorithm lies on the plane, and how far its intervals reach, as they are drawn; None where there is none."""

    name: str
    at: Point
    upright: tuple[float, float] | None
    across: tuple[float, float] | None


@figure
def cost_plane(
    result: Comparison | TradeOff, *, cost: str | None = None, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """How far each algorithm is behind the best against what it costs, with intervals; the frontier is filled.

    The band holds those that are not significantly worse, and the ring is around the cheapest of them; where gaps of the others lie
    within it too, their names are blue instead. The cost axis is logarithmic where costs differ more than threefold. Where names
    have no room beside their points, numbers stand there and the names in a list on the right.

    Parameters
    ----------
    result : Comparison or TradeOff
        A comparison with costs, or one of its trade-offs.
    cost : str, optional
        The name of the cost, where there are several; by default the first.

    Examples
    --------
    >>> import podium
    >>> compared = podium.compare(podium.example("ulas2008"), metric="accuracy", cost="space")
    >>> cost_plane(compared).svg()[:4]
    '<svg'
    """
    return cost_plane_scene(trade_off_of(result, cost), difference_of(result), stretch=stretch)


def cost_plane_scene(trade: TradeOff, quantity: Quantity, *, stretch: float = 0.0) -> Scene:
    """A diamond for each algorithm whose gap is known; those on the frontier are filled and joined by steps."""
    gaps, low, high = (quantity.written(column) for column in (trade.gap, trade.low, trade.high))
    finite = np.isfinite(gaps)
    cost = np.asarray(trade.cost)
    x, y = _axes(cost[finite], np.concatenate([[0.0], gaps, low, high]), stretched(WIDTH, stretch))
    spots = [_spot(trade, i, (gaps[i], low[i], high[i]), x, y) for i in np.flatnonzero(finite).tolist()]
    at = {spot.name: spot.at for spot in spots}
    edge = _band_edge(gaps[finite], np.asarray(trade.worse)[finite])
    shapes = _band(trade, x, y, edge) + _plane(trade, quantity, x, y)
    shapes.append(Line(x.start, y(0.0), x.end, y(0.0), stroke="muted", stroke_width=1.1))
    border = stairs((at[trade.frontier[0]][0], y.end), [at[name] for name in trade.frontier if name in at], x.end)[2:]
    shapes.append(Polyline(border, stroke="muted", stroke_width=0.9, dash="dashed"))
    shapes += [shape for spot in spots for shape in _whiskers(trade, spot)]
    shapes += [shape for spot in spots for shape in _mark(trade, spot, quantity)]
    blue = set(trade.not_worse) if edge is None and not all(trade.worse[1:]) else {trade.choice}
    shapes += _names(spots, x, y, border, blue)
    shapes += _legend(trade, set(at), x.start - 20, y.end + 42, x.end - x.start + 20)
    described = (
        f"Cost and gap to {trade.reference} of {len(spots)} algorithms; on the frontier, the cheapest first: "
        f"{', '.join(trade.frontier)}; the cheapest not significantly worse: {trade.choice}."
    )
    return sheet_around(shapes, title=f"Gap to {trade.reference} and {trade.said}", description=described)


def _plane(trade: TradeOff, quantity: Quantity, x: Axis, y: Axis) -> list[Shape]:
    """Costs below, gaps on the left, the best on top."""
    behind = f"{quantity.measured} behind {label_of(trade.reference)}"
    return [
        *axis_below(x, y.end, label=_cost_label(trade, x), grid_to=y.start),
        *axis_left(y, x.start, label=behind, grid_to=x.end, ticks=_ticks(y)),
    ]


def _ticks(y: Axis) -> list[float]:
    """At least three round gaps, where there is room for them."""
    tried = (y.ticks(about) for about in (5, 7, 9))
    return next((ticks for ticks in tried if len(ticks) >= 3), y.ticks(9))


def _cost_label(trade: TradeOff, x: Axis) -> str:
    """What the cost axis shows: the cost, which mean it is, and its scale."""
    mean = f", {trade.mean} over {trade.on}" if trade.n_rows > 1 else ""
    return f"{capital(trade.said)}{mean}{'; log scale' if x.log else ''}"


def _spot(trade: TradeOff, place: int, gap: tuple[float, float, float], x: Axis, y: Axis) -> _Spot:
    """The place of one algorithm; intervals end where the plane does."""
    name, cost, base = trade.algorithms[place], trade.cost[place], trade.of(trade.reference)["cost"]
    middle, *ends = gap
    costs = [base * trade.relative_low[place], base * trade.relative_high[place]]
    other = name != trade.reference
    return _Spot(
        name=name,
        at=(x(cost), y(middle)),
        upright=_within(y, ends) if other and not any(map(math.isnan, ends)) else None,
        across=_within(x, costs) if other and np.isfinite(costs).all() and (min(costs) > 0 or not x.log) else None,
    )


def _within(axis: Axis, ends: Sequence[float]) -> tuple[float, float]:
    """Both ends on paper, no further than the axis reaches."""
    low, high = (axis(min(max(end, axis.low), axis.high)) for end in ends)
    return low, high


def _band_edge(gaps: Floats, worse: Bools) -> float | None:
    """The gap midway between those not significantly worse and those that are; None where they overlap, or all are of one kind."""
    inside, outside = gaps[~worse], gaps[worse]
    if not len(outside) or not len(inside) or inside.max() >= outside.min():
        return None
    return float(inside.max() + outside.min()) / 2


def _band(trade: TradeOff, x: Axis, y: Axis, edge: float | None) -> list[Shape]:
    """Where the algorithms lie that are not significantly worse; its words stand at the end where fewer points are."""
    if edge is None:
        return []
    words = f"not significantly worse than {isolated(label_of(trade.reference))}"
    return [
        Rect(x.start, y.start, x.end - x.start, y(edge) - y.start, fill="blue", stroke=None, opacity=0.09),
        Text(x.start + 4, y.start + 8, words, size=SIZE - 1, colour="blue", bold=True),
    ]


def _whiskers(trade: TradeOff, spot: _Spot) -> list[Shape]:
    """The interval of the gap, upright, and that of the cost, across."""
    (px, py), is_choice = spot.at, spot.name == trade.choice
    colour = "blue" if is_choice else "muted"
    shapes: list[Shape] = []
    if spot.across is not None:
        shapes.append(Line(spot.across[0], py, spot.across[1], py, stroke=colour, stroke_width=0.7, key=spot.name))
    if spot.upright is not None:
        shapes.append(Line(px, spot.upright[0], px, spot.upright[1], stroke=colour, stroke_width=1.1, key=spot.name))
    return shapes


def _mark(trade: TradeOff, spot: _Spot, quantity: Quantity) -> list[Shape]:
    """A diamond, filled on the frontier; a ring around the choice."""
    (px, py), own = spot.at, trade.of(spot.name)
    blue = spot.name in (trade.reference, trade.choice)
    colour = "blue" if blue else "ink"
    gap = quantity.column([own["gap"]])
    hover = f"{spot.name}\n{trade.said} {minus(number(own['cost'], 4))}"
    if spot.name != trade.reference:
        ends = f" ({minus(gap.interval(own['low'], own['high']))})" if math.isfinite(own["low"] + own["high"]) else ""
        hover += f", {percent(own['relative'])} of {trade.reference}'s" if math.isfinite(own["relative"]) else ""
        hover += f"\n{minus(gap.text(own['gap']))} behind{ends}\nadjusted p {pvalue(own['adjusted'])}"
    hover += f"\n{trade.verdict(spot.name)}"
    fill = colour if spot.name in trade.frontier else "paper"
    corners = ((px, py - HALF), (px + HALF, py), (px, py + HALF), (px - HALF, py))
    shapes: list[Shape] = [Polygon(corners, fill=fill, stroke=colour, stroke_width=1.2, key=spot.name, title=hover)]
    if spot.name == trade.choice:
        shapes.append(Circle(px, py, 2 * HALF, fill=None, stroke="blue", stroke_width=1.4, key=spot.name))
    return shapes


def _legend(trade: TradeOff, shown: set[str], left: float, top: float, width: float) -> list[Shape]:
    """What the marks mean, one line each, those that are there."""
    dominated = bool(shown - set(trade.frontier))
    ring = f"ring: the cheapest that is not significantly worse than {isolated(label_of(trade.reference))}"
    lines = [
        "filled, joined: no other is both cheaper and closer to the best"
        if trade.role == "best"
        else "filled, joined: no other is both cheaper and better"
    ]
    lines += ["hollow: dominated, as another costs no more and its gap is not larger"] if dominated else []
    lines += (
        [ring]
        if trade.choice != trade.reference
        else [f"ring: {isolated(label_of(trade.choice))} is the choice itself"]
    )
    varies = not all(math.isnan(end) for end in trade.relative_low)
    across = f"; across: {percent(trade.confidence)} intervals of the relative cost, each by itself" if varies else ""
    lines.append(f"upright: {percent(trade.confidence)} intervals of the gap{across}")
    texts = [part for line in lines for part in lines_of(line, SIZE - 1, width)]
    return [Text(left, top + 11 * row, text, size=SIZE - 1, colour="muted") for row, text in enumerate(texts)]


def _axes(cost: Floats, gaps: Floats, width: float) -> tuple[Axis, Axis]:
    """Costs from left to right, and gaps downwards, the best on top."""
    low, high = float(cost.min()), float(cost.max())
    if low > 0 and high / low > LOG_FROM:
        room = (high / low) ** 0.06
        x = Axis(low / room, high * room, LEFT, LEFT + width, log=True)
    else:
        x = Axis(*with_room(cost.tolist(), 0.07), LEFT, LEFT + width)
    return x, Axis(*with_room(gaps.tolist(), 0.05), PAD, PAD + HEIGHT)


def _names(spots: Sequence[_Spot], x: Axis, y: Axis, border: Sequence[Point], blue: set[str]) -> list[Shape]:
    """Names beside points, clear of lines if possible; where they have no room, numbers, and the names in a list."""
    names, points = [spot.name for spot in spots], [spot.at for spot in spots]
    full = [_label(name, isolated(label_of(name)), blue) for name in names]
    inside = (x.start + 1, y.start + 1, x.end - 1, y.end - 1)
    steps = [_box(a, b) for a, b in pairwise(border)]
    lines = [_box((px, spot.upright[0]), (px, spot.upright[1])) for spot in spots if spot.upright for px in spot.at[:1]]
    lines += [_box((spot.across[0], py), (spot.across[1], py)) for spot in spots if spot.across for py in spot.at[1:]]
    for obstacles in ([*steps, *lines], steps):
        placed = _placed(full, points, inside, obstacles)
        if placed is not None:
            return _written(full, points, placed)
    short = [_label(name, str(i + 1), blue) for i, name in enumerate(names)]
    placed = _placed(short, points, inside, steps) or _placed(short, points, inside, [])
    beside = placed or [(px + 5, py - 5) for px, py in points]
    return _written(short, points, beside) + _list(names, blue, x.end + 14, y)


def _label(name: str, text: str, blue: set[str]) -> Text:
    """What stands for an algorithm, not yet in its place; those in blue are bold, which is wider."""
    bold = name in blue
    return Text(0.0, 0.0, text, size=SIZE - 1, colour="blue" if bold else "ink", bold=bold, key=name, title=name)


def _box(a: Point, b: Point) -> Box:
    """The room around a line from one point to another."""
    return min(a[0], b[0]) - 1, min(a[1], b[1]) - 1, max(a[0], b[0]) + 1, max(a[1], b[1]) + 1


def _list(names: Sequence[str], blue: set[str], left: float, y: Axis) -> list[Shape]:
    """The names with their numbers, in columns as high as the plot."""
    rows = int((y.end - y.start) / 11)
    labels = [_label(name, f"{i}. {isolated(label_of(name))}", blue) for i, name in enumerate(names, start=1)]
    shapes: list[Shape] = []
    for first in range(0, len(labels), rows):
        column = labels[first : first + rows]
        shapes += [replace(label, x=left, y=y.start + 5 + 11 * row) for row, label in enumerate(column)]
        left += max(label.width for label in column) + 12
    return shapes


def _placed(labels: Sequence[Text], points: list[Point], inside: Box, obstacles: list[Box]) -> list[Point] | None:
    sizes = [(label.width + 2, SIZE + 1) for label in labels]
    return place_labels(points, sizes, inside, obstacles=obstacles)


def _written(labels: Sequence[Text], points: list[Point], corners: list[Point]) -> list[Shape]:
    """The labels in their boxes, with a thin line to the point where they had to move away."""
    lines: list[Shape] = []
    shapes: list[Shape] = []
    for label, point, corner in zip(labels, points, corners, strict=True):
        width, height = label.width + 2, SIZE + 1
        near = (min(max(point[0], corner[0]), corner[0] + width), min(max(point[1], corner[1]), corner[1] + height))
        if abs(near[0] - point[0]) + abs(near[1] - point[1]) > 10:
            lines.append(Line(*point, *near, stroke="muted", stroke_width=0.5, key=label.key))
        shapes.append(replace(label, x=corner[0] + 1, y=corner[1] + height / 2))
    return lines + shapes


def place_labels(
    points: Sequence[Point], sizes: Sequence[Point], inside: Box, *, obstacles: Sequence[Box] = ()
) -> list[Point] | None:
    """For each point the left upper corner of a free box of its label's size, or None if there is no room for all.

    Labels are placed in turn: to the right of the point if that is free, else around it, in growing circles.
    """
    taken: list[Box] = [(x - CLEAR, y - CLEAR, x + CLEAR, y + CLEAR) for x, y in points]
    taken += obstacles
    placed: list[Point] = []
    for i, (point, size) in enumerate(zip(points, sizes, strict=True)):
        corner = _free_corner(point, size, inside, taken, taken[i])
        if corner is None:
            return None
        placed.append(corner)
        taken.append((corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]))
    return placed


def _free_corner(point: Point, size: Point, inside: Box, taken: list[Box], own: Box) -> Point | None:
    width, height = size
    for ring in range(14):
        distance = CLEAR + 1 + 7 * ring
        for step in range(16):
            angle = 2 * math.pi * step / 16
            cos, sin = math.cos(angle), -math.sin(angle)
            # The box touches the ring with the side or corner that faces the point.
            x = point[0] + distance * cos - width * (1 - cos) / 2
            y = point[1] + distance * sin - height * (1 - sin) / 2
            box = (x, y, x + width, y + height)
            if is_free(box, inside, (other for other in taken if other is not own or ring)):
                return x, y
    return None
