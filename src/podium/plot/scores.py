"""Figures of scores: two algorithms on the same datasets, the performance profile of Dolan and More (2002), the heat map."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace
from typing import Literal, Unpack

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.escape import isolated
from podium.core.numbers import capital, counted, decimals, fixed, number
from podium.evidence.table import Table
from podium.plot.axes import PAD, Axis, curves_scene, minus, plane, stairs, stretched, with_room
from podium.plot.cells import Tile, column_names, crossed_cell, row_names, tile_shapes
from podium.plot.figure import Sheet, figure
from podium.plot.rows import Row, Rows, rows_of
from podium.plot.scene import Circle, Line, Point, Polygon, Rect, Scene, Shape, Text, sheet_around, stacked
from podium.plot.sources import TableSource, quantity_of, table_of
from podium.plot.style import label_of, widest

SIZE = 9.0
SIDE = 260.0
LEFT = 52.0
WIDTH, HEIGHT = 320.0, 220.0
Size = tuple[float, float]
HEAT_SIZE = 8.0
MOST_WITH_NUMBERS = 900
MOST_SINGLE_CELLS = 9000
GAP = 8.0  # below the cells
LEAST_PITCH = 9.5  # points from one name of a column to the next; closer ones would touch


@figure
def scatter(
    result: TableSource, *, algorithms: tuple[str, str] | None = None, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """Scores of one algorithm to the right, of another upwards, on equal scales: one mark for each dataset.

    The counts of wins and ties stand above the plot, and each side of the diagonal names its winner. Circles are wins of the first,
    triangles wins of the second, open circles ties. Datasets with a missing score are left out and counted.

    Parameters
    ----------
    result : Comparison, Scores, Table, DataFrame or array-like
        A comparison, or scores of datasets x algorithms.
    algorithms : (str, str), optional
        The two algorithms, of more than two.

    Examples
    --------
    >>> scatter([[0.9, 0.8], [0.8, 0.7], [0.7, 0.8]]).svg()[:4]
    '<svg'
    """
    table = table_of(result)
    if algorithms is not None:
        table = table.select(list(algorithms))
    if table.n_algorithms != 2:
        raise ArgumentError(f"A scatter plot shows two of the {table.n_algorithms} algorithms: name them.")
    quantity = quantity_of(result)
    first, second = quantity.written(table.values).T
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
    shapes: list[Shape] = [side_of_first, *plane(x, y, *(f"{label}, {quantity.scale}" for label in labels))]
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
    left_out = f"; left out for a missing score: {missing}" if missing else ""
    lines = [
        ("first", f"{isolated(labels[0])} better: {counts['first']} (shaded side)", labels[0]),
        ("second", f"{isolated(labels[1])} better: {counts['second']}", labels[1]),
        ("tie", f"ties: {counts['tie']}{left_out}", ""),
    ][: 3 if counts["tie"] or missing else 2]
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
    distance: Literal["difference", "ratio"] = "difference",
    highlight: int = 8,
    stretch: float = 0.0,
    **sheet: Unpack[Sheet],
) -> Scene:
    """The share of datasets on which each algorithm is within a distance of the best; high and left is good.

    The algorithms with the largest area under their curve are drawn in colours, with dashes and names; the others in grey, named on
    hovering.

    Parameters
    ----------
    result : Comparison, Scores, Table, DataFrame or array-like
        A comparison, or scores of datasets x algorithms.
    distance : {"difference", "ratio"}, default "difference"
        The distance from the best of each dataset; "ratio" has a logarithmic axis (for costs above 0).
    highlight : int, default 8
        How many of the best are drawn in colours.

    Examples
    --------
    >>> performance_profile([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]]).svg()[:4]
    '<svg'
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
        return np.asarray(np.abs(rows - best))
    if np.nanmin(rows) <= 0:
        raise ArgumentError("`distance='ratio'` needs values above 0; use 'difference'.")
    return np.asarray(best / rows if higher_is_better else rows / best)


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


@figure
def score_strips(result: TableSource, **sheet: Unpack[Sheet]) -> Rows:
    """A strip for each algorithm, the best on top: a dot for the score on each dataset, a ring at the median.

    Parameters
    ----------
    result : Comparison, Scores, Table, DataFrame or array-like
        A comparison, or scores of datasets x algorithms.

    Examples
    --------
    >>> score_strips([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8]]).svg()[:4]
    '<svg'
    """
    table, quantity = table_of(result, best_first=True), quantity_of(result)
    written = quantity.written(table.values)
    if not np.isfinite(written).any():
        raise ArgumentError("The table has no score.")
    limits = with_room(written.ravel().tolist(), 0.04)
    quantity = quantity.column(table.values[np.isfinite(table.values)].tolist())
    rows = []
    for name, column, scores in zip(table.algorithms, written.T, table.values.T, strict=True):
        present, own = column[np.isfinite(column)].tolist(), scores[np.isfinite(scores)]
        dots = tuple((value, 0) for value in present)
        median = float(np.median(own)) if len(own) else math.nan
        value = float(quantity.written(median))
        rows.append(Row(names=(name,), value=value, fill="none", dots=dots, texts=(minus(quantity.text(median)),)))
    return rows_of(
        f"Scores on {counted(table.n_datasets, 'dataset')}",
        capital(quantity.scale or table.metric.display_name),
        rows,
        limits=limits,
        heads=("Median",),
        legend=(("dot", "a dataset"), ("none", "the median")),
    )


@figure
def heatmap(
    result: TableSource, *, scale: Literal["dataset", "table"] = "dataset", stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """Scores as cells, darker for better ones, from the worst to the best of their dataset or of the whole table.

    Numbers are written where there are at most 900 cells; the best of each dataset is bold. A missing score is a crossed empty
    cell. Where a `width` has no room for all columns beside each other, they stand in several lines. Above 9000 cells,
    neighbours of about the same colour are one shape without a hover title, and the figure stays small.

    Parameters
    ----------
    result : Comparison, Scores, Table, DataFrame or array-like
        A comparison, or scores of datasets x algorithms.
    scale : {"dataset", "table"}, default "dataset"
        Whether the darkest cell is the best of its dataset or of the whole table.

    Examples
    --------
    >>> heatmap([[0.9, 0.8, 0.7], [0.8, 0.7, 0.6]]).svg()[:4]
    '<svg'
    """
    table = table_of(result, best_first=True)
    table = replace(table, values=quantity_of(result).written(table.values))
    check.choice("scale", scale, ("dataset", "table"))
    values = table.values
    finite = values[np.isfinite(values)].tolist()
    digits, cell, most = _cell_size(finite, table.n_algorithms, stretch, numbered=values.size <= MOST_WITH_NUMBERS)
    left = PAD + widest(map(label_of, table.datasets), HEAT_SIZE) + 6
    goodness, holes = _goodness(table.gains, scale), int(np.isnan(values).sum())
    bands = [
        _band(table.select(table.algorithms[i : i + most]), goodness[:, i : i + most], left, cell, digits)
        for i in range(0, table.n_algorithms, most)
    ]
    cells = stacked(bands, gap=0.0)
    legend = _ramp_legend(PAD if stretch < 0 else left, cells.height, scale, holes > 0)
    described = f"Scores of {table.n_algorithms} algorithms on {table.n_datasets} datasets; {holes} cells are missing."
    return sheet_around([*cells.shapes, *legend], title="Scores", description=described)


def _band(table: Table, goodness: Floats, left: float, cell: Size, digits: int | None) -> Scene:
    """Columns beside each other, with their names above and those of the datasets on the left."""
    top = PAD + widest(map(label_of, table.algorithms), HEAT_SIZE) + 6
    shapes = [replace(name, key="") for name in row_names(table.datasets, left - 6, top, cell[1], size=HEAT_SIZE)]
    shapes += column_names(table.algorithms, left, top - 5, cell[0], size=HEAT_SIZE)
    single = table.values.size <= MOST_SINGLE_CELLS
    tiles = (
        [_tile(table, value, i, j, digits) for j, value in enumerate(row)] for i, row in enumerate(goodness.tolist())
    )
    shapes += tile_shapes(tiles if single else _bare(goodness), (left, top), cell, size=HEAT_SIZE - 1, lined=single)
    width, height = left + table.n_algorithms * cell[0] + PAD, top + table.n_datasets * cell[1] + GAP
    return Scene(width=width, height=height, shapes=tuple(shapes))


def _cell_size(values: list[float], columns: int, stretch: float, *, numbered: bool) -> tuple[int | None, Size, int]:
    """How many digits numbers have, the size of cells, and how many columns stand beside each other.

    Where there is no room, numbers lose digits, then cells numbers; where even names would touch, columns stand in
    several lines, again with numbers.
    """
    if not numbered:
        return None, (stretched(10.0, stretch, least=4.0, share=1 / columns), 10.0), columns
    most, least = decimals(values, 3), decimals(values, 2)
    rooms = {digits: _room(values, digits) for digits in range(most, least - 1, -1)}
    wanted = max(14.0, rooms[most] + 2) + stretch / columns
    if wanted < LEAST_PITCH:
        lines = math.ceil(columns / max(1, int(wanted * columns / rooms[least])))
        return least, (rooms[least], 12.0), math.ceil(columns / lines)
    digits = next((digits for digits, room in rooms.items() if room <= wanted), None)
    return digits, (wanted, 12.0), columns


def _room(values: list[float], digits: int) -> float:
    return widest((fixed(value, digits) for value in values), HEAT_SIZE - 1, bold=True) + 4


def _goodness(gains: Floats, scale: str) -> Floats:
    """From 0 (worst) to 1 (best); a half where all are equal."""
    axis = 1 if scale == "dataset" else None
    finite = np.isfinite(gains)
    low = np.min(gains, axis=axis, keepdims=True, where=finite, initial=np.inf)
    high = np.max(gains, axis=axis, keepdims=True, where=finite, initial=-np.inf)
    spread = np.where(high > low, high - low, 1.0)
    return np.asarray(np.where(high > low, (gains - low) / spread, np.where(finite, 0.5, np.nan)))


def _tile(table: Table, goodness: float, i: int, j: int, digits: int | None) -> Tile:
    """The cell of a dataset and an algorithm."""
    name, value = table.algorithms[j], float(table.values[i, j])
    said = "missing" if value != value else minus(number(value, 6))
    title = f"{table.datasets[i]}\n{name}\n{said}"
    if value != value:
        return Tile(fill=None, crossed=True, title=title, key=name)
    text = "" if digits is None else minus(fixed(value, digits))
    return Tile(fill=_shade(goodness), text=text, bold=goodness == 1, title=title, key=name)


def _shade(goodness: float) -> str:
    return f"ramp:{0.05 + 0.85 * goodness:.2f}"


def _bare(goodness: Floats) -> Iterator[list[Tile]]:
    """Cells in ten shades, without words."""
    for row in np.round(goodness, 1).tolist():
        yield [Tile(fill=_shade(value), crossed=value != value) for value in row]


def _ramp_legend(left: float, y: float, scale: str, holes: bool) -> list[Shape]:
    """The ramp with its ends named."""
    where = "of its dataset" if scale == "dataset" else "of the table"
    shapes: list[Shape] = [Text(left, y + 5, "worst", size=HEAT_SIZE - 1, colour="muted")]
    x = left + 30
    shapes += [Rect(x + 10 * i, y, 10, 10, fill=_shade(i / 5), stroke=None) for i in range(6)]
    shapes.append(Text(x + 66, y + 5, f"best {where}", size=HEAT_SIZE - 1, colour="muted"))
    if holes:
        x += 66 + 100
        shapes += crossed_cell(x, y, 10, 10)
        shapes.append(Text(x + 15, y + 5, "missing", size=HEAT_SIZE - 1, colour="muted"))
    return shapes
