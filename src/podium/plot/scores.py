"""Figures of scores: two algorithms on the same datasets, and the performance profile of Dolan and More (2002)."""

from __future__ import annotations

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.escape import isolated
from podium.core.numbers import number
from podium.evidence.table import Table
from podium.plot.axes import PAD, Axis, curves_scene, minus, plane, stairs, stretched, with_room
from podium.plot.figure import Ax, Width, figure
from podium.plot.scene import Circle, Line, Point, Polygon, Scene, Shape, Text, sheet_around
from podium.plot.sources import TableSource, quantity_of, table_of
from podium.plot.textsize import label_of

SIZE = 9.0
SIDE = 260.0
LEFT = 52.0
WIDTH, HEIGHT = 320.0, 220.0


@figure
def scatter(
    result: TableSource,
    *,
    algorithms: tuple[str, str] | None = None,
    ax: Ax = None,
    width: Width = None,
    stretch: float = 0.0,
) -> Scene:
    """Scores of one algorithm to the right, of another upwards, on equal scales: one mark for each dataset.

    `result` is a comparison, scores, or a table of datasets by algorithms; of more than two, `algorithms` names the
    two. The counts of wins and ties stand above the plot, and each side of the diagonal names its winner. Circles are
    wins of the first, triangles wins of the second, open circles ties. Datasets with a missing score are left out and
    counted.
    """
    table = table_of(result)
    if algorithms is not None:
        table = table.select(list(algorithms))
    if table.n_algorithms != 2:
        raise ArgumentError(f"A scatter plot shows two of the {table.n_algorithms} algorithms: name them.")
    first, second = quantity_of(result).written(table.values).T
    whole = np.isfinite(first) & np.isfinite(second)
    if not whole.any():
        raise ArgumentError("The two algorithms have no dataset in common.")
    low, high = with_room([*first[whole], *second[whole]], 0.04)
    names = (table.algorithms[0], table.algorithms[1])
    head, side, higher = PAD + 34.0, stretched(SIDE, stretch), table.metric.higher_is_better
    x, y = Axis(low, high, LEFT, LEFT + side), Axis(low, high, head + side, head)
    labels = (label_of(names[0]), label_of(names[1]))
    corner = (x.end, y.start) if higher else (x.start, y.end)  # of the half in which the first is better
    side_of_first = Polygon(((x.start, y.start), (x.end, y.end), corner), fill="wash", stroke=None)
    shapes: list[Shape] = [side_of_first, *plane(x, y, *labels)]
    shapes.append(Line(x.start, y.start, x.end, y.end, stroke="muted", dash="dashed"))
    counts = {"first": 0, "second": 0, "tie": 0}
    for i in np.flatnonzero(whole).tolist():
        pair = (float(first[i]), float(second[i]))
        winner = _winner(*pair, higher)
        counts[winner] += 1
        scores = [f"{name}\n{minus(number(score, 6))}" for name, score in zip(names, pair, strict=True)]
        hover = "\n".join((table.datasets[i], *scores))
        shapes.append(_mark(winner, x(pair[0]), y(pair[1]), hover, names))
    shapes += _legend(labels, counts, int((~whole).sum()), LEFT)
    described = (
        f"{names[0]} is better on {counts['first']} datasets, {names[1]} on {counts['second']}, "
        f"{counts['tie']} are ties."
    )
    return sheet_around(shapes, title="Two algorithms on the same datasets", description=described)


def _winner(first: float, second: float, higher_is_better: bool) -> str:
    if first == second:
        return "tie"
    return "first" if (first > second) == higher_is_better else "second"


def _mark(winner: str, x: float, y: float, title: str, names: tuple[str, str]) -> Shape:
    if winner == "first":
        return Circle(x, y, 3.0, fill="blue", stroke="paper", stroke_width=0.6, title=title, key=names[0])
    if winner == "second":
        points = ((x - 3.4, y + 2.6), (x + 3.4, y + 2.6), (x, y - 3.6))
        return Polygon(points, fill="vermilion", stroke="paper", stroke_width=0.6, title=title, key=names[1])
    return Circle(x, y, 3.0, fill="paper", stroke="ink", stroke_width=1.0, title=title)


def _legend(labels: tuple[str, str], counts: dict[str, int], missing: int, left: float) -> list[Shape]:
    """Each mark with what it means and how often it occurs, in up to three lines above the plot."""
    rest = [f"ties: {counts['tie']}"] + ([f"left out for a missing score: {missing}"] if missing else [])
    lines = (
        ("first", f"{isolated(labels[0])} better: {counts['first']} (shaded side)", labels[0]),
        ("second", f"{isolated(labels[1])} better: {counts['second']}", labels[1]),
        ("tie", "; ".join(rest), ""),
    )
    shapes: list[Shape] = []
    for i, (winner, text, key) in enumerate(lines):
        y = PAD + 4 + 12.0 * i - 2
        shapes.append(_mark(winner, left + 4, y, "", labels))
        shapes.append(Text(left + 12, y, text, size=SIZE - 0.5, key=key))
    return shapes


@figure
def performance_profile(
    result: TableSource,
    *,
    distance: str = "difference",
    highlight: int = 8,
    ax: Ax = None,
    width: Width = None,
    stretch: float = 0.0,
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
    far = quantity_of(result).written(far) if distance == "difference" else far
    head = PAD + 4
    x = _axis(far, distance, stretched(WIDTH, stretch))
    y = Axis(0.0, 1.0, head + HEIGHT, head)
    label = "difference from the best score" if distance == "difference" else "ratio to the best"
    shapes = plane(x, y, label, "share of datasets")
    curves = profile_curves(far)
    order = _order(curves, x)
    return curves_scene(
        shapes,
        {table.algorithms[i]: _steps(curves[i], x, y) for i in order},
        x,
        y,
        highlight=highlight,
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


def _steps(rows: Floats, x: Axis, y: Axis) -> tuple[Point, ...]:
    """The corners of a curve that goes up in steps, as far as the axis reaches."""
    within = ((x(value), y(share)) for value, share in rows if value <= x.high)
    return stairs((x.start, y(0.0)), within, x.end)
