"""The performance profile, after Dolan and More (2002): how often an algorithm is within a distance of the best."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.plot.axes import Axis, axis_below, axis_left, spread
from podium.plot.draw_matplotlib import draw
from podium.plot.palette import SERIES
from podium.plot.ranked import label_of
from podium.plot.scene import Circle, Line, Polyline, Scene, Shape, Text
from podium.plot.textsize import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_performance_profile", "performance_profile_layout", "profile_curves"]

Floats = npt.NDArray[np.float64]
SIZE = 9.0
PAD = 8.0
WIDTH, HEIGHT = 320.0, 220.0
LEFT = 52.0
ROW = 11.0
DASHES: tuple[Literal["solid", "dashed", "dotted"], ...] = ("solid", "dashed", "dotted")


@dataclass(frozen=True, slots=True)
class _Style:
    colour: str
    dash: Literal["solid", "dashed", "dotted"]
    width: float


def profile_curves(distances: Floats) -> list[Floats]:
    """For each algorithm the steps of its curve: rows of distance and share of datasets within it.

    A missing cell (nan) is never within any distance: the curve then ends below 1.

    >>> profile_curves(np.array([[0.0, 1.0], [0.0, 0.0]]))[1].tolist()
    [[0.0, 0.5], [1.0, 1.0]]
    """
    curves = []
    for column in distances.T:
        values, counts = np.unique(column[np.isfinite(column)], return_counts=True)
        curves.append(np.column_stack([values, np.cumsum(counts) / len(column)]))
    return curves


def performance_profile_layout(
    values: Sequence[Sequence[float]] | Floats,
    names: Sequence[str],
    *,
    higher_is_better: bool = True,
    distance: str = "difference",
    highlight: int = 8,
    title: str = "Performance profile",
) -> Scene:
    """Step curves, one for each algorithm; high and left is good.

    `values` are datasets by algorithms. `distance` from the best of each dataset is a 'difference', or a 'ratio' on a
    logarithmic axis (for costs above 0). The `highlight` algorithms with the largest area under their curve are drawn
    in colours, with dashes and names; the others in grey, named on hovering.
    """
    check.choice("distance", distance, ("difference", "ratio"))
    check.count("highlight", highlight)
    names = list(names)
    table = check.numbers("values", values, ndim=2)
    if table.shape[1] != len(names) or 0 in table.shape:
        raise ArgumentError(
            f"`values` must have one column for each of {len(names)} names; its shape is {table.shape}."
        )
    far = _distances(table, higher_is_better, distance)
    head = PAD + 4
    x = _axis(far, distance)
    y = Axis(0.0, 1.0, head + HEIGHT, head)
    label = "difference from the best score" if distance == "difference" else "ratio to the best"
    shapes: list[Shape] = axis_below(x, y.start, label=label, grid_to=y.end)
    shapes += axis_left(y, x.start, label="share of datasets", grid_to=x.end)
    curves = profile_curves(far)
    order = _order(curves, x)
    styles = {algorithm: _style(i) for i, algorithm in enumerate(order[:highlight])}
    for algorithm in reversed(order):
        style = styles.get(algorithm, _Style("faint", "solid", 0.8))
        shapes.append(_curve(curves[algorithm], x, y, style, names[algorithm]))
    labels, right, bottom = _labels(curves, order[:highlight], styles, names, x, y)
    shapes += labels
    described = (
        f"Shares of {len(table)} datasets on which each of {len(names)} algorithms is within a distance of the best."
    )
    height = max(y.start + 36, bottom + PAD)
    return Scene(width=right + PAD, height=height, shapes=tuple(shapes), title=title, description=described)


def draw_performance_profile(
    values: Sequence[Sequence[float]] | Floats,
    names: Sequence[str],
    *,
    higher_is_better: bool = True,
    distance: str = "difference",
    highlight: int = 8,
    ax: Axes | None = None,
) -> Axes:
    """Draw the profile with matplotlib; arguments as in `performance_profile_layout`."""
    scene = performance_profile_layout(
        values, names, higher_is_better=higher_is_better, distance=distance, highlight=highlight
    )
    return draw(scene, ax)


def _distances(table: Floats, higher_is_better: bool, distance: str) -> Floats:
    """How far each score is from the best of its dataset; datasets without any score are left out."""
    rows = table[np.isfinite(table).any(axis=1)]
    if len(rows) == 0:
        raise ArgumentError("`values` has no score.")
    best = np.nanmax(rows, axis=1, keepdims=True) if higher_is_better else np.nanmin(rows, axis=1, keepdims=True)
    if distance == "difference":
        result: Floats = np.abs(rows - best)
        return result
    if np.nanmin(rows) <= 0:
        raise ArgumentError("`distance='ratio'` needs values above 0; use 'difference'.")
    ratios: Floats = best / rows if higher_is_better else rows / best
    return ratios


def _axis(far: Floats, distance: str) -> Axis:
    """Up to the distance that nearly all cells keep: one hopeless cell must not flatten the picture."""
    high = float(np.nanquantile(far, 0.98))
    if distance == "ratio":
        return Axis(1.0, max(high, 1.1), LEFT, LEFT + WIDTH, log=True)
    return Axis(0.0, high if high > 0 else 1.0, LEFT, LEFT + WIDTH)


def _order(curves: list[Floats], x: Axis) -> list[int]:
    """By the area under the curve, the largest first."""

    def area(curve: Floats) -> float:
        places = np.array([min(x(value), x.end) for value in curve[:, 0]] + [x.end])
        return float((np.diff(places) * curve[:, 1]).sum()) if len(curve) else 0.0

    return sorted(range(len(curves)), key=lambda i: -area(curves[i]))


def _style(place: int) -> _Style:
    """Colour and dash change together, so that curves differ without colour too."""
    return _Style(SERIES[place % len(SERIES)], DASHES[place % 3], 1.6)


def _curve(curve: Floats, x: Axis, y: Axis, style: _Style, name: str) -> Polyline:
    points = [(x.start, y(0.0))]
    for value, share in curve:
        if value > x.high:
            break
        points += [(x(value), points[-1][1]), (x(value), y(share))]
    points.append((x.end, points[-1][1]))
    return Polyline(tuple(points), stroke=style.colour, dash=style.dash, stroke_width=style.width, key=name, title=name)


def _labels(
    curves: list[Floats], shown: list[int], styles: dict[int, _Style], names: Sequence[str], x: Axis, y: Axis
) -> tuple[list[Shape], float, float]:
    """The names beside the ends of the curves, spread so that they keep apart; and where they end."""
    ends = [
        y(float(max((share for value, share in curves[i] if value <= x.high), default=0.0))) + 0.01 * place
        for place, i in enumerate(shown)
    ]
    low = y.end
    high = max(y.start, low + ROW * (len(shown) - 1))
    shapes: list[Shape] = []
    text_x = x.end + 46
    for algorithm, end, place in zip(shown, ends, spread(ends, ROW, low, high), strict=True):
        style, name = styles[algorithm], names[algorithm]
        shapes.append(Line(x.end, end, x.end + 16, place, stroke="muted", stroke_width=0.5, key=name))
        shapes.append(
            Line(x.end + 18, place, text_x - 4, place, stroke=style.colour, dash=style.dash, stroke_width=1.6, key=name)
        )
        shapes.append(Circle(x.end, end, 1.6, fill=style.colour, stroke=None, key=name))
        shapes.append(Text(text_x, place, label_of(name), size=SIZE - 1, key=name, title=name))
    right = text_x + widest([label_of(names[i]) for i in shown], SIZE - 1)
    return shapes, right, high + ROW / 2
