"""The performance profile, after Dolan and More (2002): how often an algorithm is within a distance of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.table import Table
from podium.plot.axes import Axis, axis_below, axis_left, stretched
from podium.plot.figure import Width, figure
from podium.plot.scene import Polyline, Scene, Shape, box_of
from podium.plot.series import line_style, named_ends, names_width
from podium.plot.sources import table_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from podium.plot.sources import TableSource

__all__ = ["performance_profile", "profile_curves"]

Floats = npt.NDArray[np.float64]
PAD = 8.0
WIDTH, HEIGHT = 320.0, 220.0
LEFT = 52.0


@figure
def performance_profile(
    result: TableSource,
    *,
    distance: str = "difference",
    highlight: int = 8,
    ax: Axes | None = None,
    width: Width | None = None,
) -> Scene:
    """The share of datasets on which each algorithm is within a distance of the best; high and left is good.

    `result` is a comparison, scores, or a table of datasets by algorithms. `distance` from the best of each dataset is
    a 'difference', or a 'ratio' on a logarithmic axis (for costs above 0). The `highlight` algorithms with the largest
    area under their curve are drawn in colours, with dashes and names; the others in grey, named on hovering.
    """
    table = table_of(result)
    check.choice("distance", distance, ("difference", "ratio"))
    check.count("highlight", highlight)
    far = _distances(table, distance)
    head = PAD + 4
    x = _axis(far, distance, stretched(WIDTH))
    y = Axis(0.0, 1.0, head + HEIGHT, head)
    label = "difference from the best score" if distance == "difference" else "ratio to the best"
    shapes: list[Shape] = axis_below(x, y.start, label=label, grid_to=y.end)
    shapes += axis_left(y, x.start, label="share of datasets", grid_to=x.end)
    curves = profile_curves(far)
    order = _order(curves, x)
    for place in reversed(range(len(order))):
        name, curve = table.algorithms[order[place]], curves[order[place]]
        shapes.append(_curve(curve, x, y, place if place < highlight else None, name))
    named = [table.algorithms[i] for i in order[:highlight]]
    ends = [
        y(float(max((share for value, share in curves[i] if value <= x.high), default=0.0))) + 0.01 * place
        for place, i in enumerate(order[:highlight])
    ]
    labels = named_ends(named, ends, x.end + 4, y.end, y.start)
    return Scene(
        width=x.end + 4 + names_width(named) + PAD,
        height=max([y.start + 36, *(box_of(shape)[3] + PAD for shape in labels)]),
        shapes=(*shapes, *labels),
        title="Performance profile",
        description=f"Shares of {table.n_datasets} datasets on which each of {table.n_algorithms} algorithms "
        "is within a distance of the best.",
    )


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


def _distances(table: Table, distance: str) -> Floats:
    """How far each score is from the best of its dataset; datasets without any score are left out."""
    higher_is_better = table.metric.higher_is_better
    rows = table.values[np.isfinite(table.values).any(axis=1)]
    if rows.size == 0:
        raise ArgumentError("The table has no score.")
    best = np.nanmax(rows, axis=1, keepdims=True) if higher_is_better else np.nanmin(rows, axis=1, keepdims=True)
    if distance == "difference":
        result: Floats = np.abs(rows - best)
        return result
    if np.nanmin(rows) <= 0:
        raise ArgumentError("`distance='ratio'` needs values above 0; use 'difference'.")
    ratios: Floats = best / rows if higher_is_better else rows / best
    return ratios


def _axis(far: Floats, distance: str, width: float) -> Axis:
    """Up to the distance that nearly all cells keep: one hopeless cell must not flatten the picture."""
    high = float(np.nanquantile(far, 0.98))
    if distance == "ratio":
        return Axis(1.0, max(high, 1.1), LEFT, LEFT + width, log=True)
    return Axis(0.0, high if high > 0 else 1.0, LEFT, LEFT + width)


def _order(curves: list[Floats], x: Axis) -> list[int]:
    """By the area under the curve, the largest first."""

    def area(curve: Floats) -> float:
        places = np.array([min(x(value), x.end) for value in curve[:, 0]] + [x.end])
        return float((np.diff(places) * curve[:, 1]).sum()) if len(curve) else 0.0

    return sorted(range(len(curves)), key=lambda i: -area(curves[i]))


def _curve(curve: Floats, x: Axis, y: Axis, place: int | None, name: str) -> Polyline:
    """The curve of the algorithm at this place, or of one that is not highlighted."""
    points = [(x.start, y(0.0))]
    for value, share in curve:
        if value > x.high:
            break
        points += [(x(value), points[-1][1]), (x(value), y(share))]
    points.append((x.end, points[-1][1]))
    if place is None:
        return Polyline(tuple(points), stroke="faint", stroke_width=0.8, key=name, title=name)
    colour, dash = line_style(place)
    return Polyline(tuple(points), stroke=colour, dash=dash, stroke_width=1.6, key=name, title=name)
