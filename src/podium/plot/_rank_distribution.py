"""How often each algorithm had each rank: one line for each algorithm, the best mean rank on top."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core import check
from podium.core.errors import ArgumentError
from podium.plot.axes import Axis, axis_below, rank_ticks
from podium.plot.draw_matplotlib import draw
from podium.plot.palette import text_on
from podium.plot.ranked import label_of
from podium.plot.scene import Polygon, Rect, Scene, Shape, Text, sheet_around
from podium.plot.textsize import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_rank_distribution", "rank_distribution_layout", "rank_shares"]

Floats = npt.NDArray[np.float64]
SIZE = 9.0
PAD = 8.0
MOST_WITH_NUMBERS = 25
MOST_SINGLE_CELLS = 60


def rank_shares(ranks: Floats) -> Floats:
    """The share of datasets on which each algorithm (row) had each rank (column).

    A rank shared by tied algorithms, such as 2.5, counts half for 2 and half for 3. Datasets that an algorithm lacks
    (nan) do not count for it.

    >>> rank_shares(np.array([[1.0, 2.0], [1.5, 1.5]])).tolist()
    [[0.75, 0.25], [0.25, 0.75]]
    """
    n, k = ranks.shape
    shares = np.zeros((k, k))
    finite = np.isfinite(ranks)
    low = np.where(finite, np.floor(ranks), 1).astype(np.intp)
    part = np.where(finite, ranks - low, 0.0)
    columns = np.broadcast_to(np.arange(k), (n, k))
    np.add.at(shares, (columns[finite], low[finite] - 1), 1 - part[finite])
    upper = finite & (part > 0)
    np.add.at(shares, (columns[upper], low[upper]), part[upper])
    result: Floats = shares / np.maximum(finite.sum(axis=0), 1)[:, None]
    return result


def rank_distribution_layout(
    ranks: Sequence[Sequence[float]] | Floats, names: Sequence[str], *, title: str = "Distribution of ranks"
) -> Scene:
    """A cell for each algorithm and rank, darker and with its percentage for more datasets; a notch at the mean rank.

    `ranks` are datasets by algorithms, 1 is best.
    """
    names = list(names)
    table = check.numbers("ranks", ranks, ndim=2)
    k = len(names)
    if table.shape[1] != k or k == 0 or len(table) == 0:
        raise ArgumentError(f"`ranks` must have one column for each of {k} names; its shape is {table.shape}.")
    if np.nanmin(table) < 1 or np.nanmax(table) > k:
        raise ArgumentError(f"`ranks` must lie between 1 and {k}; got {np.nanmin(table):g} to {np.nanmax(table):g}.")
    means = np.array([column[np.isfinite(column)].mean() if np.isfinite(column).any() else k for column in table.T])
    shares = rank_shares(table)
    order = np.argsort(means, kind="stable")
    labels = [label_of(names[i]) for i in order]
    cell = max(8.0, min(24.0, 480.0 / k))
    height = max(11.0, min(18.0, cell))
    left, top = PAD + widest(labels, SIZE) + 8, PAD
    x = Axis(0.5, k + 0.5, left, left + k * cell)
    texts: list[Shape] = []
    grounds: list[Shape] = []
    for row, i in enumerate(order):
        y, name = top + row * height, names[i]
        texts.append(Text(left - 8, y + height / 2, labels[row], size=SIZE, anchor="end", key=name, title=name))
        shades = [round(0.85 * float(share / shares.max()), 2) for share in shares[i]]
        box = (y, cell, height)
        if k > MOST_SINGLE_CELLS:
            grounds += _merged_cells(name, shades, x, box)
        else:
            grounds += _cells(name, shares[i].tolist(), shades, x, box)
        if k <= MOST_WITH_NUMBERS:
            texts += _percentages(shares[i].tolist(), shades, x, y + height / 2)
        texts.append(_notch(x(float(means[i])), y, name, f"{name}\nmean rank {means[i]:.3f}"))
    bottom = top + k * height
    note = "rank (% of datasets; triangle: mean rank)" if k <= MOST_WITH_NUMBERS else "rank (triangle: mean rank)"
    shapes = grounds + texts + axis_below(x, bottom + 1, label=note, ticks=rank_ticks(k, x.end - x.start))
    described = f"How often each of {k} algorithms had each rank on {len(table)} datasets; the best mean rank on top."
    return sheet_around(shapes, margin=PAD, title=title, description=described)


def draw_rank_distribution(
    ranks: Sequence[Sequence[float]] | Floats, names: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw the distribution with matplotlib; arguments as in `rank_distribution_layout`."""
    return draw(rank_distribution_layout(ranks, names), ax)


Row = tuple[float, float, float]  # top, width of a cell, height of a cell


def _cells(name: str, shares: list[float], shades: list[float], x: Axis, row: Row) -> list[Shape]:
    shapes: list[Shape] = []
    for rank, (share, shade) in enumerate(zip(shares, shades, strict=True), start=1):
        hover = f"{name}\nrank {rank} on {100 * share:.1f} % of datasets"
        box = (x(rank - 0.5), row[0], row[1], row[2])
        shapes.append(Rect(*box, fill=f"ramp:{shade}", stroke="paper", stroke_width=0.5, title=hover, key=name))
    return shapes


def _merged_cells(name: str, shades: list[float], x: Axis, row: Row) -> list[Shape]:
    """Neighbours of about the same shade as one shape: the figure stays small."""
    shapes: list[Shape] = []
    start = 0
    for shade, run in itertools.groupby(round(shade, 1) for shade in shades):
        length = len(list(run))
        if shade > 0:
            box = (x(start + 0.5), row[0] + 0.25, length * row[1], row[2] - 0.5)
            shapes.append(Rect(*box, fill=f"ramp:{shade}", stroke=None, key=name))
        start += length
    return shapes


def _percentages(shares: list[float], shades: list[float], x: Axis, y: float) -> list[Shape]:
    return [
        Text(x(rank), y, f"{100 * share:.0f}", size=7, anchor="middle", colour=text_on(f"ramp:{shade}"))
        for rank, (share, shade) in enumerate(zip(shares, shades, strict=True), start=1)
        if share >= 0.005
    ]


def _notch(x: float, top: float, key: str, title: str) -> Polygon:
    """A small triangle that points down at the mean rank."""
    points = ((x - 3, top), (x + 3, top), (x, top + 4.5))
    return Polygon(points, fill="vermilion", stroke="paper", stroke_width=0.5, key=key, title=title)
