"""Cost against error: which algorithms no other one beats in both, and their place in an order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.escape import isolated
from podium.plot.axes import Axis, axis_below, axis_left, number_text
from podium.plot.draw_matplotlib import draw
from podium.plot.labels import place_labels
from podium.plot.ranked import label_of
from podium.plot.scene import Box, Circle, Line, Point, Polyline, Scene, Shape, Text, sheet_around
from podium.plot.textsize import text_width, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cost_plane_layout", "draw_cost_plane", "pareto_front"]

SIZE = 9.0
PAD = 8.0
LEFT = 56.0
WIDTH, HEIGHT = 360.0, 240.0
LOG_FROM = 30.0


def pareto_front(costs: Sequence[float], errors: Sequence[float]) -> list[int]:
    """The algorithms that no other beats in one and matches in the other, from the cheapest on.

    >>> pareto_front([1, 2, 3], [0.3, 0.4, 0.1])
    [0, 2]
    """
    cost, error = check.numbers("costs", costs, ndim=1), check.numbers("errors", errors, ndim=1)
    front: list[int] = []
    for i in np.lexsort((error, cost)).tolist():
        last = front[-1] if front else None
        if last is None or error[i] < error[last] or (error[i] == error[last] and cost[i] == cost[last]):
            front.append(i)
    return front


def cost_plane_layout(
    names: Sequence[str],
    costs: Sequence[float],
    errors: Sequence[float],
    *,
    order: Sequence[str] = (),
    xlabel: str = "cost",
    ylabel: str = "error",
    title: str = "Cost and error",
) -> Scene:
    """A point for each algorithm; filled and joined by steps where it lies on the Pareto front.

    With `order`, each name carries its place. The cost axis is logarithmic where costs differ more than thirtyfold.
    Where names have no room beside their points, numbers stand there and the names in a list on the right.
    """
    names = list(names)
    cost, error = check.numbers("costs", costs, ndim=1), check.numbers("errors", errors, ndim=1)
    if not len(names) == len(cost) == len(error) or not len(names):
        raise ArgumentError(f"`costs` and `errors` must each have {len(names)} numbers, one for each name.")
    if np.isnan(cost).any() or np.isnan(error).any():
        raise ArgumentError("`costs` and `errors` must have no missing value.")
    places = {check.member("algorithm", name, names): i + 1 for i, name in enumerate(order)}
    x, y = _axes(cost, error)
    shapes: list[Shape] = axis_below(x, y.start, label=xlabel + (" (logarithmic)" if x.log else ""), grid_to=y.end)
    shapes += axis_left(y, x.start, label=ylabel, grid_to=x.end)
    points = [(x(float(c)), y(float(e))) for c, e in zip(cost, error, strict=True)]
    front = pareto_front(cost.tolist(), error.tolist())
    steps = _steps([points[i] for i in front], x, y)
    shapes.append(steps)
    for i, name in enumerate(names):
        hover = f"{name}\n{xlabel} {number_text(float(cost[i]))}\n{ylabel} {number_text(float(error[i]))}"
        hover += f"\nplace {places[name]}" if name in places else ""
        fill = "blue" if i in front else "paper"
        shapes.append(Circle(*points[i], 3.4, fill=fill, stroke="blue", stroke_width=1.2, key=name, title=hover))
    shapes += _names(names, points, places, x, y, steps)
    shapes.append(
        Text(x.start, PAD + 2, "filled, joined: no other is both cheaper and better", size=SIZE - 1, colour="muted")
    )
    described = f"Cost and error of {len(names)} algorithms; on the Pareto front: {', '.join(names[i] for i in front)}."
    return sheet_around(shapes, margin=PAD, title=title, description=described)


def draw_cost_plane(
    names: Sequence[str],
    costs: Sequence[float],
    errors: Sequence[float],
    *,
    order: Sequence[str] = (),
    xlabel: str = "cost",
    ylabel: str = "error",
    ax: Axes | None = None,
) -> Axes:
    """Draw the plane with matplotlib; arguments as in `cost_plane_layout`."""
    return draw(cost_plane_layout(names, costs, errors, order=order, xlabel=xlabel, ylabel=ylabel), ax)


def _axes(cost: npt.NDArray[np.float64], error: npt.NDArray[np.float64]) -> tuple[Axis, Axis]:
    top = PAD + 14
    low, high = float(cost.min()), float(cost.max())
    if low > 0 and high / low > LOG_FROM:
        x = Axis(low / 1.4, high * 1.4, LEFT, LEFT + WIDTH, log=True)
    else:
        margin = 0.07 * (high - low) or 0.5
        x = Axis(low - margin, high + margin, LEFT, LEFT + WIDTH)
    low, high = float(error.min()), float(error.max())
    margin = 0.07 * (high - low) or 0.5
    return x, Axis(low - margin, high + margin, top + HEIGHT, top)


def _steps(front: list[Point], x: Axis, y: Axis) -> Polyline:
    """The border of what the front dominates: down at each of its points, then to the right."""
    points = [(front[0][0], y.end)]
    for place in front:
        points += [(place[0], points[-1][1]), place]
    points.append((x.end, front[-1][1]))
    return Polyline(tuple(points), stroke="blue", stroke_width=1.0, dash="dashed")


def _names(
    names: Sequence[str], points: list[Point], places: dict[str, int], x: Axis, y: Axis, steps: Polyline
) -> list[Shape]:
    """Names beside points; where they have no room, numbers, and the names in a list."""
    numbers = [str(places.get(name, "")) for name in names]
    full = [
        f"{number}. {isolated(label_of(name))}".removeprefix(". ") for name, number in zip(names, numbers, strict=True)
    ]
    inside = (x.start + 1, y.end + 1, x.end - 1, y.start - 1)
    lines = [(min(a[0], b[0]), min(a[1], b[1]), max(a[0], b[0]), max(a[1], b[1])) for a, b in pairwise(steps.points)]
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
