"""Rank intervals: for each algorithm the ranks that the data allow, around its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.comparison.comparison import Comparison
from podium.core.numbers import number
from podium.plot.axes import Axis, axis_below, rank_ticks, stretched
from podium.plot.figure import Width, figure
from podium.plot.scene import Circle, Line, Rect, Scene, Shape, Text, sheet_around
from podium.plot.textsize import label_of, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from podium.stats.posthoc.rank_intervals import RankIntervalsResult

__all__ = ["rank_intervals"]

SIZE = 9.0
ROW = 13.0
PAD = 8.0


@figure
def rank_intervals(
    result: RankIntervalsResult | Comparison, *, ax: Axes | None = None, width: Width | None = None
) -> Scene:
    """The place of each algorithm by mean rank, with the places that it may hold: simultaneous intervals."""
    if isinstance(result, Comparison):
        rows = [(row.algorithm, row.mean_rank, row.rank_low, row.rank_high) for row in result.ranking]
    else:
        rows = list(zip(result.algorithms, result.mean_ranks, result.low, result.high, strict=True))
    names, mean_ranks, lows, highs = zip(*rows, strict=True)
    intervals = list(zip(_places(mean_ranks), lows, highs, strict=True))
    k = len(names)
    order = sorted(range(k), key=lambda i: intervals[i][:2])
    left = PAD + widest(map(label_of, names), SIZE) + 10
    length = stretched(max(220.0, min(520.0, 12.0 * k)))
    x = Axis(0.5, max(k, *(high for _, _, high in intervals)) + 0.5, left, left + length)
    top = PAD
    bottom = top + ROW * k
    shapes: list[Shape] = [Rect(PAD, top + i * ROW, x.end - PAD, ROW, fill="wash", stroke=None) for i in range(1, k, 2)]
    shapes += axis_below(x, bottom, label="rank", grid_to=top, ticks=rank_ticks(k, x.end - x.start))
    for row, i in enumerate(order):
        y, name = top + (row + 0.5) * ROW, names[i]
        rank, low, high = (float(value) for value in intervals[i])
        hover = f"{name}\nrank {number(rank)}, from {number(low)} to {number(high)}"
        shapes.append(Text(left - 10, y, label_of(name), size=SIZE, anchor="end", key=name, title=hover))
        shapes.append(Line(x(low), y, x(high), y, stroke_width=2.2, stroke="muted", key=name, title=hover))
        shapes += [Line(x(end), y - 3, x(end), y + 3, stroke_width=1.2, stroke="muted") for end in (low, high)]
        shapes.append(Circle(x(rank), y, 3.0, fill="ink", stroke="paper", stroke_width=0.8, key=name, title=hover))
    return sheet_around(
        shapes,
        margin=PAD,
        title="Ranks with simultaneous intervals",
        description=f"Ranks of {k} algorithms with their intervals; {names[order[0]]} is first.",
    )


def _places(mean_ranks: Sequence[float]) -> list[float]:
    """The place of each mean rank in their order; ties share theirs."""
    ordered = sorted(mean_ranks)
    return [ordered.index(rank) + (ordered.count(rank) + 1) / 2 for rank in mean_ranks]
