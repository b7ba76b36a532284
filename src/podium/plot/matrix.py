"""The matrix of pairwise results, after the multiple comparison matrix of Ismail-Fawaz et al. (2023).

Above the diagonal stands the gain of the row over the column, below it how often the row won and lost. Apart from the
correction of p, a cell depends on its two algorithms only. Bold text and a frame mark pairs that differ significantly, and
only they have a strong colour: blue where the row is better by the test, orange where the column is.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.arrays import Floats
from podium.core.numbers import fixed, format_pvalue, number
from podium.plot.axes import PAD, minus
from podium.plot.cells import EMPTY, Tile, column_names, row_names, tile_shapes
from podium.plot.figure import Sheet, figure
from podium.plot.scene import Point, Rect, Scene, Shape, Text, sheet_around
from podium.plot.sources import PairsSource, PairsView, pairs_view
from podium.plot.style import label_of, lines_of, widest

SIZE, SMALL = 9.0, 8.0
CELL_HEIGHT, SMALL_CELL = 18.0, 13.0
MOST_WRITTEN = 16  # algorithms; the cells of larger matrices are too small for numbers
MOST_SINGLE = 60  # algorithms; of more, neighbours of one colour are one shape
PALE, STRONG = (0.08, 0.16, 0.24), (0.5, 0.75, 0.95)  # the places of the steps on the ramp
STEPS = len(PALE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Cell:
    """One pair: what is written, how far ahead the row is in steps (-3 to 3), whether that is shown, and all its numbers."""

    text: str
    step: int = 0
    shown: bool = False
    title: str = ""

    @property
    def colour(self) -> str:
        """Its place on the ramp."""
        if not self.step:
            return "wash"
        return f"diverging:{math.copysign((STRONG if self.shown else PALE)[abs(self.step) - 1], self.step)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Every algorithm against every other, the best first; `breaks` are where one step of colour ends and the next begins.

    Where there is no room for numbers (`written` is false), a sign stands in the cells of pairs that differ significantly.
    """

    title: str
    names: tuple[str, ...]
    labels: tuple[str, ...]
    cells: tuple[tuple[Cell | None, ...], ...]
    written: bool
    breaks: tuple[str, ...]
    note: str

    @property
    def description(self) -> str:
        """What the matrix shows, for those who cannot see it."""
        k = len(self.names)
        shown = sum(cell.shown for row in self.cells for cell in row if cell is not None) // (1 if self.written else 2)
        return (
            f"{k} algorithms, each row against each column; {shown} of {k * (k - 1) // 2} pairs differ significantly."
        )

    def scene(self, stretch: float = 0.0) -> Scene:
        """The matrix on a sheet; where that is narrower than it would like to be, with signs instead of numbers."""
        return _scene(_with_signs(self) if self.written and stretch < 0 else self, max(stretch, 0.0))


@figure
def comparison_matrix(result: PairsSource, *, alpha: float = 0.05, **sheet: Unpack[Sheet]) -> Grid:
    """Each row against each column, the best first: the gain above the diagonal, wins and losses below it.

    Gains have the sign that makes higher better. Of more than 16 algorithms, only signs are written.

    Parameters
    ----------
    result : Comparison or PairsResult
        A comparison, or a result on all pairs.
    alpha : float, default 0.05
        Significance level of the pairs; a comparison has its own.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> comparison_matrix(podium.stats.all_pairs(scores)).svg()[:4]
    '<svg'
    """
    view = pairs_view(result, alpha)
    pairs, quantity = view.pairs, view.quantity
    if isinstance(result, Comparison):
        names = tuple(row.algorithm for row in result.ranking)
    else:
        names = tuple(pairs.algorithms[i] for i in pairs.mean_ranks.argsort(kind="stable"))
    order = np.ix_(*[[pairs.algorithms.index(name) for name in names]] * 2)
    columns = {key: pairs.matrix(key)[order] for key in ("effect", "adjusted", "side", "wins", "ties", "losses")}
    gains = view.gain(columns["effect"])
    top = _least_round(
        float(np.nanmax(np.abs(quantity.written(np.where(np.isfinite(gains), gains, np.nan))), initial=0.0))
    )
    written = len(names) <= MOST_WRITTEN
    cells = tuple(
        tuple(None if i == j else _cell(view, gains, columns, top, (i, j), written) for j in range(len(names)))
        for i in range(len(names))
    )
    below = " Below the diagonal: won\u2013lost by the row." if written else ""
    marked = "Framed and bold" if written else "Strong colour and sign"
    return Grid(
        title=f"Gain of the row over the column, {quantity.measured}{view.lower_is_better}",
        names=names,
        labels=tuple(map(label_of, names)),
        cells=cells,
        written=written,
        breaks=tuple(minus(number(value)) for value in (-top[1], -top[0], 0.0, top[0], top[1])),
        note=f"Best first. {marked}: significantly different, {view.level}; blue: the row is better; orange: the column.{below}",
    )


def _least_round(largest: float) -> tuple[float, float, float]:
    """Where steps of colour end: the least of 1, 2, 5, 10 ... that is no smaller than the largest difference, and two below.

    >>> _least_round(1.75)
    (0.5, 1.0, 2.0)
    """
    power = 10.0 ** math.floor(math.log10(largest)) if largest > 0 else 1.0
    rounds = [factor * power for factor in (0.1, 0.2, 0.5, 1, 2, 5, 10)]
    last = next(place for place, value in enumerate(rounds) if value >= largest * (1 - 1e-9) and place >= 2)
    return (rounds[last - 2], rounds[last - 1], rounds[last])


def _cell(
    view: PairsView,
    gains: Floats,
    columns: dict[str, Floats],
    breaks: tuple[float, ...],
    place: tuple[int, int],
    written: bool,
) -> Cell:
    """The pair of a row and a column."""
    gain, p, side = float(gains[place]), float(columns["adjusted"][place]), float(columns["side"][place])
    record = [fixed(columns[key][place], 0) for key in ("wins", "ties", "losses")]
    text, shown = minus(view.quantity.text(gain)), bool(p <= view.alpha)
    title = "\n".join((text, " / ".join(record), format_pvalue(p)))
    if written and place[0] > place[1]:
        return Cell(text=f"{record[0]}\u2013{record[2]}", title=title)
    if not written:
        text = ("+" if side > 0 else "\u2212") if shown else ""
    return Cell(text=text, step=_step(view, gain, side if shown else 0.0, breaks), shown=shown, title=title)


def _step(view: PairsView, gain: float, side: float, breaks: tuple[float, ...]) -> int:
    """How strong the colour is; what is shown is never without, and has the side of the test."""
    size = abs(float(view.quantity.written(gain)))
    if math.isnan(size):
        return round(side)
    step = min(int(np.searchsorted(breaks, size * (1 - 1e-9))) + 1, STEPS)
    return round(math.copysign(step, side or gain)) if side or size else 0


def _with_signs(grid: Grid) -> Grid:
    """The same where there is no room for numbers: both halves have the colours and signs of the upper one."""
    k = len(grid.names)

    def cell(i: int, j: int) -> Cell | None:
        upper = grid.cells[min(i, j)][max(i, j)]
        if upper is None:
            return None
        step = upper.step if i < j else -upper.step
        return replace(upper, step=step, text=("+" if step > 0 else "\u2212") if upper.shown else "")

    cells = tuple(tuple(cell(i, j) for j in range(k)) for i in range(k))
    note = grid.note.partition(" Below")[0].replace("Framed and bold", "Strong colour and sign")
    return replace(grid, cells=cells, written=False, note=note)


# --- On a sheet ------------------------------------------------------------------------------------------------------


def _cell_width(grid: Grid) -> float:
    texts = (cell.text for row in grid.cells for cell in row if cell is not None)
    return max(widest(texts, SMALL, bold=True) + 8, 24.0) if grid.written else SMALL_CELL


def _scene(grid: Grid, stretch: float) -> Scene:
    k, own = len(grid.names), _cell_width(grid)
    size = (max(own + stretch / k, own), CELL_HEIGHT if grid.written else SMALL_CELL)
    left = PAD + widest(grid.labels, SIZE) + 8
    upright = widest(grid.labels, SIZE) > size[0] - 6
    top = PAD + (widest(grid.labels, SIZE) if upright else SIZE) + 8
    shapes = row_names(grid.names, left - 8, top, size[1], size=SIZE, labels=grid.labels)
    turn, above = (90, 6) if upright else (0, 9)
    shapes += column_names(grid.names, left, top - above, size[0], size=SIZE, rotation=turn, labels=grid.labels)
    tiles = ([_tile(grid, i, j) for j in range(k)] for i in range(k))
    shapes += tile_shapes(tiles, (left, top), size, size=SMALL)
    shapes += _frames(grid, (left, top), size)
    bottom = top + k * size[1] + 12
    room = max(left + k * size[0] - PAD, 20 * SMALL)
    notes = [*lines_of(grid.title, SMALL, room), *lines_of(grid.note, SMALL, room)]
    shapes += [Text(PAD, bottom + 11 * i, line, size=SMALL, colour="muted") for i, line in enumerate(notes)]
    return sheet_around(shapes, title=grid.title, description=grid.description)


def _tile(grid: Grid, i: int, j: int) -> Tile:
    """The cell of a row and a column; of many algorithms its colour alone."""
    cell = grid.cells[i][j]
    if cell is None:
        return EMPTY
    if len(grid.names) > MOST_SINGLE:
        return Tile(fill=cell.colour if cell.step else None, key=grid.names[i])
    title = f"{grid.names[i]} against {grid.names[j]}\n{cell.title}"
    is_record = grid.written and i > j
    return Tile(
        fill=None if is_record else cell.colour, text=cell.text, bold=cell.shown, title=title, key=grid.names[i]
    )


def _frames(grid: Grid, corner: Point, size: Point) -> Iterator[Shape]:
    """Around what is shown, where numbers are written."""
    for i, row in enumerate(grid.cells):
        for j, cell in enumerate(row):
            if cell is not None and cell.shown and grid.written:
                x, y = corner[0] + j * size[0], corner[1] + i * size[1]
                yield Rect(x + 1.25, y + 1.25, size[0] - 2.5, size[1] - 2.5, stroke="ink", stroke_width=1.2)
