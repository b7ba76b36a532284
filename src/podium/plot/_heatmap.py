"""Scores of all algorithms on all datasets as a heat map; missing cells are crossed."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.plot.axes import common_digits, fixed_text, number_text
from podium.plot.draw_matplotlib import draw
from podium.plot.palette import text_on
from podium.plot.ranked import label_of
from podium.plot.scene import Line, Rect, Scene, Shape, Text
from podium.plot.textsize import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_heatmap", "heatmap_layout"]

Floats = npt.NDArray[np.float64]
SIZE = 8.0
PAD = 8.0
MOST_WITH_NUMBERS = 900
MOST_SINGLE_CELLS = 9000
LEGEND = 28.0


def heatmap_layout(
    values: Sequence[Sequence[float]] | Floats,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    *,
    higher_is_better: bool = True,
    scale: str = "dataset",
    title: str = "Scores",
) -> Scene:
    """Cells darker for better scores, from the worst to the best of their dataset or of the whole table.

    `scale` is 'dataset' or 'table'. Numbers are written where there are at most 900 cells; the best of each dataset is
    bold. A missing score (nan) is a crossed empty cell. Above 9000 cells, neighbours of about the same colour are one
    shape and have no hover title: the figure stays small.
    """
    check.choice("scale", scale, ("dataset", "table"))
    datasets, algorithms = list(datasets), list(algorithms)
    table = check.numbers("values", values, ndim=2)
    if table.shape != (len(datasets), len(algorithms)) or 0 in table.shape:
        raise ArgumentError(
            f"`values` must be {len(datasets)} datasets by {len(algorithms)} algorithms; it is {table.shape}."
        )
    numbers = table.size <= MOST_WITH_NUMBERS
    digits = common_digits(table[np.isfinite(table)].tolist())
    written = [fixed_text(float(value), digits) for value in table[np.isfinite(table)]]
    cell = (max(14.0, widest(written, SIZE - 1, bold=True) + 6), 12.0) if numbers else (10.0, 10.0)
    rows, columns = [label_of(name) for name in datasets], [label_of(name) for name in algorithms]
    left, top = PAD + widest(rows, SIZE) + 6, PAD + widest(columns, SIZE) + 6
    shapes: list[Shape] = [
        Text(left - 6, top + (i + 0.5) * cell[1], label, size=SIZE, anchor="end", title=datasets[i])
        for i, label in enumerate(rows)
    ]
    shapes += [
        Text(left + (j + 0.5) * cell[0], top - 5, label, size=SIZE, rotation=90, key=algorithms[j], title=algorithms[j])
        for j, label in enumerate(columns)
    ]
    goodness = _goodness(table if higher_is_better else -table, scale)
    if table.size > MOST_SINGLE_CELLS:
        shapes += _merged_cells(goodness, (left, top), cell)
    else:
        shapes += _cells(table, goodness, datasets, algorithms, (left, top), cell, digits if numbers else None)
    bottom = top + len(rows) * cell[1]
    legend = _legend(left, bottom + 8, scale, bool(np.isnan(table).any()))
    shapes += legend
    holes = int(np.isnan(table).sum())
    described = f"Scores of {len(columns)} algorithms on {len(rows)} datasets; {holes} cells are missing."
    ends = [text.x + text.width for text in legend if isinstance(text, Text)]
    wide = max([left + len(columns) * cell[0], *ends]) + PAD
    return Scene(width=wide, height=bottom + LEGEND, shapes=tuple(shapes), title=title, description=described)


def draw_heatmap(
    values: Sequence[Sequence[float]] | Floats,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    *,
    higher_is_better: bool = True,
    scale: str = "dataset",
    ax: Axes | None = None,
) -> Axes:
    """Draw the heat map with matplotlib; arguments as in `heatmap_layout`."""
    scene = heatmap_layout(values, datasets, algorithms, higher_is_better=higher_is_better, scale=scale)
    return draw(scene, ax)


def _goodness(gains: Floats, scale: str) -> Floats:
    """From 0 (worst) to 1 (best); a half where all are equal."""
    axis = 1 if scale == "dataset" else None
    finite = np.isfinite(gains)
    low = np.min(gains, axis=axis, keepdims=True, where=finite, initial=np.inf)
    high = np.max(gains, axis=axis, keepdims=True, where=finite, initial=-np.inf)
    spread = np.where(high > low, high - low, 1.0)
    result: Floats = np.where(high > low, (gains - low) / spread, np.where(finite, 0.5, np.nan))
    return result


def _cells(
    table: Floats,
    goodness: Floats,
    datasets: Sequence[str],
    algorithms: Sequence[str],
    corner: tuple[float, float],
    cell: tuple[float, float],
    digits: int | None,
) -> list[Shape]:
    grounds: list[Shape] = []
    crosses: list[Shape] = []
    texts: list[Shape] = []
    for i, j in np.ndindex(table.shape):
        x, y, value = corner[0] + j * cell[0], corner[1] + i * cell[1], float(table[i, j])
        name = algorithms[j]
        if value != value:
            title = f"{datasets[i]}\n{name}\nmissing"
            grounds.append(Rect(x, y, *cell, fill="paper", stroke="faint", stroke_width=0.5, title=title, key=name))
            crosses.append(Line(x + 2, y + 2, x + cell[0] - 2, y + cell[1] - 2, stroke="muted", stroke_width=0.6))
            crosses.append(Line(x + 2, y + cell[1] - 2, x + cell[0] - 2, y + 2, stroke="muted", stroke_width=0.6))
            continue
        colour = f"ramp:{0.05 + 0.85 * goodness[i, j]:.2f}"
        title = f"{datasets[i]}\n{name}\n{number_text(value, 6)}"
        grounds.append(Rect(x, y, *cell, fill=colour, stroke="paper", stroke_width=0.5, title=title, key=name))
        if digits is not None:
            best = goodness[i, j] == 1
            place = x + cell[0] / 2, y + cell[1] / 2
            text = fixed_text(value, digits)
            texts.append(Text(*place, text, size=SIZE - 1, anchor="middle", bold=best, colour=text_on(colour)))
    return grounds + crosses + texts


def _merged_cells(goodness: Floats, corner: tuple[float, float], cell: tuple[float, float]) -> list[Shape]:
    """Cells in ten shades, equal neighbours of a row as one."""
    missing = -1
    shades = np.where(np.isfinite(goodness), np.round(np.nan_to_num(goodness) * 10), missing).astype(np.intp)
    grounds: list[Shape] = []
    crosses: list[Shape] = []
    for i, row in enumerate(shades):
        starts = np.concatenate(([0], np.flatnonzero(np.diff(row)) + 1, [len(row)]))
        for start, end in itertools.pairwise(starts.tolist()):
            x, y = corner[0] + start * cell[0], corner[1] + i * cell[1]
            width = (end - start) * cell[0]
            if row[start] == missing:
                grounds.append(Rect(x, y, width, cell[1], fill="paper", stroke="faint", stroke_width=0.5))
                crosses.append(Line(x + 2, y + 2, x + width - 2, y + cell[1] - 2, stroke="muted", stroke_width=0.6))
                crosses.append(Line(x + 2, y + cell[1] - 2, x + width - 2, y + 2, stroke="muted", stroke_width=0.6))
            else:
                grounds.append(Rect(x, y, width, cell[1], fill=f"ramp:{0.05 + 0.085 * row[start]:.2f}", stroke=None))
    return grounds + crosses


def _legend(left: float, y: float, scale: str, holes: bool) -> list[Shape]:
    """The ramp with its ends named."""
    where = "of its dataset" if scale == "dataset" else "of the table"
    shapes: list[Shape] = [Text(left, y + 5, "worst", size=SIZE - 1, colour="muted")]
    x = left + 30
    shapes += [Rect(x + 10 * i, y, 10, 10, fill=f"ramp:{0.05 + 0.17 * i:.2f}", stroke=None) for i in range(6)]
    shapes.append(Text(x + 66, y + 5, f"best {where}", size=SIZE - 1, colour="muted"))
    if holes:
        x += 66 + 100
        shapes.append(Rect(x, y, 10, 10, fill="paper", stroke="faint", stroke_width=0.5))
        shapes.append(Line(x + 2, y + 2, x + 8, y + 8, stroke="muted", stroke_width=0.6))
        shapes.append(Line(x + 2, y + 8, x + 8, y + 2, stroke="muted", stroke_width=0.6))
        shapes.append(Text(x + 15, y + 5, "missing", size=SIZE - 1, colour="muted"))
    return shapes
