"""The matrix of pairwise results, after the multiple comparison matrix of Ismail-Fawaz et al. (2023).

Above the diagonal stands the gain of the row over the column, below it how often the row won and lost. Apart from the
correction of p, a cell depends on its two algorithms only. Bold text and a frame mark pairs that are shown to differ, and
only they have a strong colour: blue where the row is better by the test, orange where the column is.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core.arrays import Floats
from podium.core.numbers import fixed, number, said_pvalue
from podium.plot.axes import PAD, minus
from podium.plot.figure import Ax, Width, figure
from podium.plot.palette import text_on
from podium.plot.scene import Rect, Scene, Shape, Text, runs, sheet_around
from podium.plot.sources import PairsSource, PairsView, pairs_view
from podium.plot.textsize import label_of, lines_of, widest

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

    Where there is no room for numbers (`written` is false), a sign stands in the cells of pairs that are shown to differ.
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
        return f"{k} algorithms, each row against each column; {shown} of {k * (k - 1) // 2} pairs are shown to differ."

    def scene(self, stretch: float = 0.0) -> Scene:
        """The matrix on a sheet; where that is narrower than it would like to be, with signs instead of numbers."""
        return _scene(_with_signs(self) if self.written and stretch < 0 else self, max(stretch, 0.0))


@figure
def comparison_matrix(result: PairsSource, *, alpha: float = 0.05, ax: Ax = None, width: Width = None) -> Grid:
    """Each row against each column, the best first: the gain above the diagonal, wins and losses below it.

    `result` is a comparison, which has its own level, or a result on all pairs. Gains have the sign that makes higher better. Of more than 16 algorithms, only signs are written.
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
        note=f"Best first. {marked}: shown to differ, {view.level}; blue: the row is better; orange: the column.{below}",
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
    title = "\n".join((text, " / ".join(record), said_pvalue(p)))
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
    shapes: list[Shape] = []
    for i, name in enumerate(grid.names):
        x, y = left + (i + 0.5) * size[0], top + (i + 0.5) * size[1]
        shapes.append(Text(left - 8, y, grid.labels[i], size=SIZE, anchor="end", key=name, title=name))
        head = Text(x, top - 9, label_of(name), size=SIZE, anchor="middle", key=name, title=name)
        shapes.append(replace(head, y=top - 6, anchor="start", rotation=90) if upright else head)
    for i, name in enumerate(grid.names):
        shapes += _cells(grid, i, name, (left, top + i * size[1]), size)
    bottom = top + k * size[1] + 12
    room = max(left + k * size[0] - PAD, 20 * SMALL)
    notes = [*lines_of(grid.title, SMALL, room), *lines_of(grid.note, SMALL, room)]
    shapes += [Text(PAD, bottom + 11 * i, line, size=SMALL, colour="muted") for i, line in enumerate(notes)]
    return sheet_around(shapes, title=grid.title, description=grid.description)


def _cells(grid: Grid, i: int, name: str, corner: tuple[float, float], size: tuple[float, float]) -> list[Shape]:
    """The cells of a row: colours, frames and texts; of many algorithms, neighbours of one colour as one shape."""
    (left, y), (width, height), row = corner, size, grid.cells[i]
    shapes: list[Shape] = []
    colours = [None if cell is None or not (cell.step or grid.written) else cell.colour for cell in row]
    if len(row) > MOST_SINGLE:
        return [
            Rect(left + start * width, y + 0.5, length * width, height - 1, fill=colour, stroke=None, key=name)
            for start, length, colour in runs(colours)
            if colour
        ]
    for j, (cell, colour) in enumerate(zip(row, colours, strict=True)):
        if cell is None:
            continue
        x, is_record = left + j * width, grid.written and i > j
        title = f"{name} against {grid.names[j]}\n{cell.title}"
        if not is_record:
            box = (x, y, width, height)
            shapes.append(Rect(*box, fill=colour or "wash", stroke="paper", stroke_width=0.5, title=title, key=name))
        if cell.shown and grid.written:
            frame = (x + 1.25, y + 1.25, width - 2.5, height - 2.5)
            shapes.append(Rect(*frame, stroke="ink", stroke_width=1.2))
        if cell.text:
            ink = "muted" if is_record else text_on(colour) if colour and colour != "wash" else "ink"
            letters = SMALL - 1 if is_record else SMALL
            at = x + width / 2, y + height / 2
            shapes.append(Text(*at, cell.text, size=letters, anchor="middle", bold=cell.shown, colour=ink))
    return shapes
