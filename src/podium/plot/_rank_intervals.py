"""Rank intervals: for each algorithm the ranks that the data allow, around its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.core import check
from podium.core.errors import ArgumentError
from podium.plot.axes import Axis, axis_below, rank_ticks
from podium.plot.draw_matplotlib import draw
from podium.plot.ranked import label_of
from podium.plot.scene import Circle, Line, Rect, Scene, Shape, Text, sheet_around
from podium.plot.textsize import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_rank_intervals", "rank_intervals_layout"]

SIZE = 9.0
ROW = 13.0
PAD = 8.0


def rank_intervals_layout(
    names: Sequence[str],
    ranks: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    xlabel: str = "rank",
    title: str = "Ranks with simultaneous intervals",
) -> Scene:
    """A line from the lowest to the highest rank of each algorithm, a dot at its own; the best on top."""
    names = list(names)
    columns = [check.numbers(n, v, ndim=1) for n, v in (("ranks", ranks), ("lows", lows), ("highs", highs))]
    if any(len(column) != len(names) for column in columns) or not names:
        raise ArgumentError(f"`ranks`, `lows` and `highs` must each have {len(names)} numbers, one for each name.")
    k = len(names)
    order = sorted(range(k), key=lambda i: (columns[0][i], columns[1][i]))
    labels = [label_of(names[i]) for i in order]
    left = PAD + widest(labels, SIZE) + 10
    x = Axis(0.5, max(k, float(columns[2].max())) + 0.5, left, left + max(220.0, min(520.0, 12.0 * k)))
    top = PAD
    bottom = top + ROW * k
    shapes: list[Shape] = [Rect(PAD, top + i * ROW, x.end - PAD, ROW, fill="wash", stroke=None) for i in range(1, k, 2)]
    shapes += axis_below(x, bottom, label=xlabel, grid_to=top, ticks=rank_ticks(k, x.end - x.start))
    for row, i in enumerate(order):
        y, name = top + (row + 0.5) * ROW, names[i]
        rank, low, high = (float(column[i]) for column in columns)
        title_text = f"{name}\nrank {rank:g}, from {low:g} to {high:g}"
        shapes.append(Text(left - 10, y, labels[row], size=SIZE, anchor="end", key=name, title=title_text))
        shapes.append(Line(x(low), y, x(high), y, stroke_width=2.2, stroke="muted", key=name, title=title_text))
        shapes += [Line(x(end), y - 3, x(end), y + 3, stroke_width=1.2, stroke="muted") for end in (low, high)]
        shapes.append(Circle(x(rank), y, 3.0, fill="ink", stroke="paper", stroke_width=0.8, key=name, title=title_text))
    described = f"Ranks of {k} algorithms with their intervals; {names[order[0]]} is first."
    return sheet_around(shapes, margin=PAD, title=title, description=described)


def draw_rank_intervals(
    names: Sequence[str],
    ranks: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    xlabel: str = "rank",
    ax: Axes | None = None,
) -> Axes:
    """Draw the rank intervals with matplotlib; arguments as in `rank_intervals_layout`."""
    return draw(rank_intervals_layout(names, ranks, lows, highs, xlabel=xlabel), ax)
