"""Cost against error: which algorithms no other one beats in both, and their place in an order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from podium.core.arrays import Floats
from podium.core.escape import isolated
from podium.core.numbers import number
from podium.plot.axes import PAD, Axis, minus, plane, stairs, stretched, with_room
from podium.plot.figure import Ax, Width, figure
from podium.plot.scene import Box, Circle, Line, Point, Polyline, Scene, Shape, Text, is_free, sheet_around
from podium.plot.sources import cost_order_of, quantity_of
from podium.plot.textsize import label_of, text_width, widest

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.ordering._multi2test import Multi2TestResult

SIZE = 9.0
LEFT = 56.0
WIDTH, HEIGHT = 360.0, 240.0
LOG_FROM = 30.0


@figure
def cost_plane(
    result: Multi2TestResult | Comparison, *, ax: Ax = None, width: Width = None, stretch: float = 0.0
) -> Scene:
    """Average cost and error of each algorithm with its place in the order; those on the Pareto front are filled.

    `result` is one of `multi2test`, or a comparison with costs. The error of an algorithm is its mean distance from the
    best of each dataset. The cost axis is logarithmic where costs differ more than thirtyfold. Where names have no room
    beside their points, numbers stand there and the names in a list on the right.
    """
    found = cost_order_of(result)
    behind = (found.first_errors - found.first_errors.min(axis=1, keepdims=True)).mean(axis=0)
    labels = (found.cost_names[0].replace("_", " "), "mean distance from the best")
    written = quantity_of(result).written(behind).tolist()
    return cost_plane_scene(
        found.algorithms, found.average_cost, written, order=found.order, labels=labels, stretch=stretch
    )


def pareto_front(costs: Sequence[float], errors: Sequence[float]) -> list[int]:
    """The algorithms that no other beats in one and matches in the other, from the cheapest on.

    >>> pareto_front([1, 2, 3], [0.3, 0.4, 0.1])
    [0, 2]
    """
    front: list[int] = []
    for i in np.lexsort((errors, costs)).tolist():
        last = front[-1] if front else i
        if last == i or errors[i] < errors[last] or (errors[i] == errors[last] and costs[i] == costs[last]):
            front.append(i)
    return front


def cost_plane_scene(
    names: Sequence[str],
    costs: Sequence[float],
    errors: Sequence[float],
    *,
    order: Sequence[str] = (),
    labels: tuple[str, str] = ("cost", "error"),
    stretch: float = 0.0,
) -> Scene:
    """A point for each algorithm; filled and joined by steps where it lies on the Pareto front."""
    cost, error = np.asarray(costs, dtype=np.float64), np.asarray(errors, dtype=np.float64)
    places = {name: i + 1 for i, name in enumerate(order)}
    x, y = _axes(cost, error, stretched(WIDTH, stretch))
    xlabel, ylabel = labels
    shapes = plane(x, y, xlabel + (" (logarithmic)" if x.log else ""), ylabel)
    points = [(x(float(c)), y(float(e))) for c, e in zip(cost, error, strict=True)]
    front = pareto_front(costs, errors)
    # The border of what the front dominates: down at each of its points, then to the right.
    border = stairs((points[front[0]][0], y.end), [points[i] for i in front], x.end)
    shapes.append(Polyline(border, stroke="blue", stroke_width=1.0, dash="dashed"))
    for i, name in enumerate(names):
        hover = f"{name}\n{xlabel} {minus(number(cost[i], 4))}\n{ylabel} {minus(number(error[i], 4))}"
        hover += f"\nplace {places[name]}" if name in places else ""
        fill = "blue" if i in front else "paper"
        shapes.append(Circle(*points[i], 3.4, fill=fill, stroke="blue", stroke_width=1.2, key=name, title=hover))
    shapes += _names(names, points, places, x, y, border)
    shapes.append(
        Text(x.start, PAD + 2, "filled, joined: no other is both cheaper and better", size=SIZE - 1, colour="muted")
    )
    described = f"Cost and error of {len(names)} algorithms; on the Pareto front: {', '.join(names[i] for i in front)}."
    return sheet_around(shapes, title="Cost and error", description=described)


def _axes(cost: Floats, error: Floats, width: float) -> tuple[Axis, Axis]:
    top = PAD + 14
    low, high = float(cost.min()), float(cost.max())
    if low > 0 and high / low > LOG_FROM:
        x = Axis(low / 1.4, high * 1.4, LEFT, LEFT + width, log=True)
    else:
        x = Axis(*with_room(cost.tolist(), 0.07), LEFT, LEFT + width)
    return x, Axis(*with_room(error.tolist(), 0.07), top + HEIGHT, top)


def _names(
    names: Sequence[str], points: list[Point], places: dict[str, int], x: Axis, y: Axis, border: Sequence[Point]
) -> list[Shape]:
    """Names beside points; where they have no room, numbers, and the names in a list."""
    numbers = [str(places.get(name, "")) for name in names]
    full = [
        f"{number}. {isolated(label_of(name))}".removeprefix(". ") for name, number in zip(names, numbers, strict=True)
    ]
    inside = (x.start + 1, y.end + 1, x.end - 1, y.start - 1)
    lines = [(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])) for a, b in pairwise(border)]
    obstacles = [(left - 1, top - 1, right + 1, bottom + 1) for left, top, right, bottom in lines]
    placed = _placed(full, points, inside, obstacles)
    if placed is not None:
        return _written(names, full, points, placed)
    short = numbers if all(numbers) else [str(i + 1) for i in range(len(names))]
    placed = _placed(short, points, inside, obstacles) or _placed(short, points, inside, [])
    beside = placed or [(px + 5, py - 5) for px, py in points]
    return _written(names, short, points, beside) + _list(names, short, x.end + 14, y)


def _list(names: Sequence[str], numbers: list[str], left: float, y: Axis) -> list[Shape]:
    """The names with their numbers, in columns as high as the plot."""
    rows = int((y.start - y.end) / 11)
    listed = sorted(range(len(names)), key=lambda i: int(numbers[i]))
    texts = {i: f"{numbers[i]}. {isolated(label_of(names[i]))}" for i in listed}
    shapes: list[Shape] = []
    for first in range(0, len(listed), rows):
        column = listed[first : first + rows]
        for row, i in enumerate(column):
            shapes.append(Text(left, y.end + 5 + 11 * row, texts[i], size=SIZE - 1, key=names[i], title=names[i]))
        left += widest([texts[i] for i in column], SIZE - 1) + 12
    return shapes


def _placed(texts: list[str], points: list[Point], inside: Box, obstacles: list[Box]) -> list[Point] | None:
    sizes = [(text_width(text, SIZE - 1) + 2, SIZE + 1) for text in texts]
    return place_labels(points, sizes, inside, obstacles=obstacles)


def _written(names: Sequence[str], texts: list[str], points: list[Point], corners: list[Point]) -> list[Shape]:
    """The texts in their boxes, with a thin line to the point where they had to move away."""
    lines: list[Shape] = []
    shapes: list[Shape] = []
    for name, text, point, corner in zip(names, texts, points, corners, strict=True):
        width, height = text_width(text, SIZE - 1) + 2, SIZE + 1
        near = (min(max(point[0], corner[0]), corner[0] + width), min(max(point[1], corner[1]), corner[1] + height))
        if abs(near[0] - point[0]) + abs(near[1] - point[1]) > 10:
            lines.append(Line(*point, *near, stroke="muted", stroke_width=0.5, key=name))
        shapes.append(Text(corner[0] + 1, corner[1] + height / 2, text, size=SIZE - 1, key=name, title=name))
    return lines + shapes


def place_labels(
    points: Sequence[Point],
    sizes: Sequence[tuple[float, float]],
    inside: Box,
    *,
    obstacles: Sequence[Box] = (),
    clear: float = 5.0,
) -> list[Point] | None:
    """For each point the left upper corner of a free box of its label's size, or None if there is no room for all.

    Labels are placed in turn: to the right of the point if that is free, else around it, in growing circles.
    """
    taken: list[Box] = [(x - clear, y - clear, x + clear, y + clear) for x, y in points]
    taken += obstacles
    placed: list[Point] = []
    for i, (point, size) in enumerate(zip(points, sizes, strict=True)):
        own = taken[i]
        corner = _free_corner(point, size, inside, taken, own, clear)
        if corner is None:
            return None
        placed.append(corner)
        taken.append((corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]))
    return placed


def _free_corner(
    point: Point, size: tuple[float, float], inside: Box, taken: list[Box], own: Box, clear: float
) -> Point | None:
    width, height = size
    for ring in range(14):
        distance = clear + 1 + 7 * ring
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
