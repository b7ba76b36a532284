"""Scores of all algorithms on all datasets as a heat map; missing cells are crossed."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.numbers import decimals, fixed, number
from podium.evidence.table import Table
from podium.plot.axes import PAD, minus, stretched
from podium.plot.cells import Tile, column_names, crossed_cell, row_names, tile_shapes
from podium.plot.figure import Ax, Width, figure
from podium.plot.scene import Rect, Scene, Shape, Text, sheet_around, stacked
from podium.plot.sources import TableSource, quantity_of, table_of
from podium.plot.textsize import label_of, widest

Size = tuple[float, float]
SIZE = 8.0
MOST_WITH_NUMBERS = 900
MOST_SINGLE_CELLS = 9000
GAP = 8.0  # below the cells
LEAST_PITCH = 9.5  # points from one name of a column to the next; closer ones would touch


@figure
def heatmap(
    result: TableSource, *, scale: str = "dataset", ax: Ax = None, width: Width = None, stretch: float = 0.0
) -> Scene:
    """Scores as cells, darker for better ones, from the worst to the best of their dataset or of the whole table.

    `result` is a comparison, scores, or a table of datasets by algorithms; `scale` is 'dataset' or 'table'. Numbers are
    written where there are at most 900 cells; the best of each dataset is bold. A missing score is a crossed empty
    cell. Where a `width` has no room for all columns beside each other, they stand in several lines. Above 9000 cells,
    neighbours of about the same colour are one shape without a hover title, and the figure stays small.
    """
    table = table_of(result, best_first=True)
    table = replace(table, values=quantity_of(result).written(table.values))
    check.choice("scale", scale, ("dataset", "table"))
    values = table.values
    finite = values[np.isfinite(values)].tolist()
    digits, cell, most = _cell_size(finite, table.n_algorithms, stretch, numbered=values.size <= MOST_WITH_NUMBERS)
    left = PAD + widest(map(label_of, table.datasets), SIZE) + 6
    goodness, holes = _goodness(table.gains, scale), int(np.isnan(values).sum())
    bands = [
        _band(table.select(table.algorithms[i : i + most]), goodness[:, i : i + most], left, cell, digits)
        for i in range(0, table.n_algorithms, most)
    ]
    cells = stacked(bands, gap=0.0)
    legend = _legend(PAD if stretch < 0 else left, cells.height, scale, holes > 0)
    described = f"Scores of {table.n_algorithms} algorithms on {table.n_datasets} datasets; {holes} cells are missing."
    return sheet_around([*cells.shapes, *legend], title="Scores", description=described)


def _band(table: Table, goodness: Floats, left: float, cell: Size, digits: int | None) -> Scene:
    """Columns beside each other, with their names above and those of the datasets on the left."""
    top = PAD + widest(map(label_of, table.algorithms), SIZE) + 6
    shapes = [replace(name, key="") for name in row_names(table.datasets, left - 6, top, cell[1], size=SIZE)]
    shapes += column_names(table.algorithms, left, top - 5, cell[0], size=SIZE)
    single = table.values.size <= MOST_SINGLE_CELLS
    tiles = (
        [_tile(table, value, i, j, digits) for j, value in enumerate(row)] for i, row in enumerate(goodness.tolist())
    )
    shapes += tile_shapes(tiles if single else _bare(goodness), (left, top), cell, size=SIZE - 1, lined=single)
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
    return widest((fixed(value, digits) for value in values), SIZE - 1, bold=True) + 4


def _goodness(gains: Floats, scale: str) -> Floats:
    """From 0 (worst) to 1 (best); a half where all are equal."""
    axis = 1 if scale == "dataset" else None
    finite = np.isfinite(gains)
    low = np.min(gains, axis=axis, keepdims=True, where=finite, initial=np.inf)
    high = np.max(gains, axis=axis, keepdims=True, where=finite, initial=-np.inf)
    spread = np.where(high > low, high - low, 1.0)
    result: Floats = np.where(high > low, (gains - low) / spread, np.where(finite, 0.5, np.nan))
    return result


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


def _legend(left: float, y: float, scale: str, holes: bool) -> list[Shape]:
    """The ramp with its ends named."""
    where = "of its dataset" if scale == "dataset" else "of the table"
    shapes: list[Shape] = [Text(left, y + 5, "worst", size=SIZE - 1, colour="muted")]
    x = left + 30
    shapes += [Rect(x + 10 * i, y, 10, 10, fill=_shade(i / 5), stroke=None) for i in range(6)]
    shapes.append(Text(x + 66, y + 5, f"best {where}", size=SIZE - 1, colour="muted"))
    if holes:
        x += 66 + 100
        shapes += crossed_cell(x, y, 10, 10)
        shapes.append(Text(x + 15, y + 5, "missing", size=SIZE - 1, colour="muted"))
    return shapes
