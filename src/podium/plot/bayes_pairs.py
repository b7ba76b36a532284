"""Figures of all Bayesian pairs: the rope matrix, the forest of differences, the probabilities of ranks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.bayes.posterior import EffectsPosterior, PairsPosterior
from podium.plot._forest import forest_layout
from podium.plot.axes import Axis, axis_below, rank_ticks
from podium.plot.draw_matplotlib import draw
from podium.plot.palette import text_on
from podium.plot.ranked import label_of
from podium.plot.scene import Rect, Scene, Shape, Text
from podium.plot.textsize import widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "differences_layout",
    "draw_differences",
    "draw_rank_probabilities",
    "draw_rope_matrix",
    "rank_probabilities_layout",
    "rope_matrix_layout",
]

SIZE = 9.0
PAD = 8.0
CELL = 46.0
BAR = 8.0
MOST_WITH_TEXT = 16
SMALL_CELL = 14.0


def rope_matrix_layout(posterior: PairsPosterior, *, title: str = "") -> Scene:
    """A cell for each pair (row a, column b): the row better, equivalent, the column better.

    The bar in each cell is parted by the three probabilities, from the left: row better (blue), equivalent
    (grey), column better (orange); the largest is written above it with its word. Algorithms are sorted by how
    often they are expected to be better. With many algorithms only the bars are drawn.
    """
    order = _order(posterior)
    names = [posterior.algorithms[i] for i in order]
    labels = [label_of(name) for name in names]
    roomy = len(names) <= MOST_WITH_TEXT
    cell = CELL if roomy else SMALL_CELL
    reach = widest(labels, SIZE)
    turn = 45 if roomy and reach < CELL else 90
    left, top = PAD + reach + 8, PAD + (0.75 if turn == 45 else 1.0) * reach + 14
    better, same = posterior.matrix("p_right")[np.ix_(order, order)], posterior.matrix("p_rope")[np.ix_(order, order)]
    shapes: list[Shape] = []
    for i, label in enumerate(labels):
        middle = (i + 0.5) * cell
        shapes.append(Text(left - 8, top + middle, label, size=SIZE, anchor="end", key=names[i], title=names[i]))
        shapes.append(Text(left + middle, top - 6, label, size=SIZE, rotation=turn, key=names[i], title=names[i]))
    for i, row in enumerate(names):
        for k, column in enumerate(names):
            if i != k:
                chances = (better[i, k], same[i, k], better[k, i])
                shapes += _cell(row, column, chances, (left + k * cell, top + i * cell), cell, roomy=roomy)
    bottom = top + cell * len(names)
    shapes += _legend(left, bottom + 14)
    described = f"{posterior.label}: probabilities of better, equivalent and worse for {len(posterior.names)} pairs."
    right = max(left + cell * len(names) + 0.75 * reach, left + 290) + PAD
    heading = title or f"{posterior.label}, rope {posterior.rope:g}"
    return Scene(width=right, height=bottom + 24 + PAD, shapes=tuple(shapes), title=heading, description=described)


def _order(posterior: PairsPosterior) -> npt.NDArray[np.intp]:
    """Algorithms by their mean expected gain over the others, the best first."""
    gains = np.nan_to_num(posterior.matrix("difference")).sum(axis=1)
    return np.argsort(-gains, kind="stable")


COLOURS = ("diverging:0.9", "faint", "diverging:-0.7")
WORDS = ("better", "equiv.", "worse")


def _cell(
    row: str, column: str, chances: tuple[float, ...], corner: tuple[float, float], cell: float, *, roomy: bool
) -> list[Shape]:
    x, y = corner
    title = (
        f"{row} better than {column}: {chances[0]:.3f}\nequivalent: {chances[1]:.3f}\n{column} better: {chances[2]:.3f}"
    )
    shapes: list[Shape] = [Rect(x, y, cell, cell, fill="paper", stroke="faint", stroke_width=0.6, title=title, key=row)]
    start, width = x + 3, cell - 6
    bar_top, bar_height = (y + cell - BAR - 5, BAR) if roomy else (y + 3, cell - 6)
    for chance, colour in zip(chances, COLOURS, strict=True):
        if chance * width > 0.2:
            shapes.append(Rect(start, bar_top, chance * width, bar_height, fill=colour, stroke=None, title=title))
        start += chance * width
    if roomy:
        top = int(np.argmax(chances))
        sure = chances[top] > 0.95
        shapes.append(Text(x + cell / 2, y + 10, WORDS[top], size=8, anchor="middle", bold=sure))
        shapes.append(Text(x + cell / 2, y + 22, f"{chances[top]:.3f}", size=8, anchor="middle", bold=sure))
    return shapes


def _legend(x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for word, colour in zip(("row better", "equivalent", "column better"), COLOURS, strict=True):
        shapes.append(Rect(x, y - 4, 14, 8, fill=colour, stroke=None))
        shapes.append(Text(x + 19, y, word, size=8, colour="muted"))
        x += 92
    return shapes


def differences_layout(posterior: PairsPosterior, *, xlabel: str = "", title: str = "") -> Scene:
    """The expected gain of every pair with its interval and the rope, the largest on top.

    Pairs are turned so that gains are positive: the better algorithm is named first.
    """
    turned = posterior.difference < 0
    sign = np.where(turned, -1.0, 1.0)
    low = np.where(turned, -posterior.high, posterior.low)
    high = np.where(turned, -posterior.low, posterior.high)
    order = np.argsort(-np.abs(posterior.difference), kind="stable")
    pairs = [posterior.names[k][::-1] if turned[k] else posterior.names[k] for k in order]
    return forest_layout(
        [f"{a} over {b}" for a, b in pairs],
        (sign * posterior.difference)[order].tolist(),
        low[order].tolist(),
        high[order].tolist(),
        rope=posterior.rope or None,
        xlabel=xlabel or f"gain ({100 * posterior.credibility:g} % intervals)",
        title=title or f"{posterior.label}: differences",
    )


def rank_probabilities_layout(posterior: EffectsPosterior, *, title: str = "") -> Scene:
    """The probability of each algorithm (row) to have each rank (column), in percent, the best on top."""
    chances = posterior.rank_probabilities
    count = len(posterior.algorithms)
    expected = chances @ np.arange(1, count + 1)
    order = np.argsort(expected, kind="stable")
    labels = [label_of(posterior.algorithms[i]) for i in order]
    cell = max(8.0, min(26.0, 480.0 / count))
    height = max(11.0, min(18.0, cell))
    left, top = PAD + widest(labels, SIZE) + 8, PAD
    x = Axis(0.5, count + 0.5, left, left + count * cell)
    shapes: list[Shape] = []
    for row, i in enumerate(order.tolist()):
        y, name = top + row * height, posterior.algorithms[i]
        shapes.append(Text(left - 8, y + height / 2, labels[row], size=SIZE, anchor="end", key=name, title=name))
        for rank in range(count):
            chance = float(chances[i, rank])
            colour = f"ramp:{0.85 * chance:.2f}"
            hover = f"{name}\nrank {rank + 1} with probability {chance:.3f}"
            box = (x(rank + 0.5), y, cell, height)
            shapes.append(Rect(*box, fill=colour, stroke="paper", stroke_width=0.5, title=hover, key=name))
            if count <= 25 and chance >= 0.005:
                number = f"{100 * chance:.0f}"
                place = (x(rank + 1.0), y + height / 2)
                shapes.append(Text(*place, number, size=7.5, anchor="middle", colour=text_on(colour)))
    bottom = top + count * height
    shapes += axis_below(x, bottom + 1, label="rank (probability in %)", ticks=rank_ticks(count, x.end - x.start))
    width = max(x.end, *(s.x + s.width / 2 for s in shapes if isinstance(s, Text) and s.anchor == "middle")) + PAD
    described = (
        f"Probabilities of the ranks of {count} algorithms; {posterior.algorithms[int(order[0])]} is expected first."
    )
    heading = title or f"{posterior.label}: ranks"
    return Scene(width=width, height=bottom + 37, shapes=tuple(shapes), title=heading, description=described)


def draw_rope_matrix(posterior: PairsPosterior, *, ax: Axes | None = None) -> Axes:
    """Draw the matrix with matplotlib; see `rope_matrix_layout`."""
    return draw(rope_matrix_layout(posterior), ax)


def draw_differences(posterior: PairsPosterior, *, xlabel: str = "", ax: Axes | None = None) -> Axes:
    """Draw the forest with matplotlib; see `differences_layout`."""
    return draw(differences_layout(posterior, xlabel=xlabel), ax)


def draw_rank_probabilities(posterior: EffectsPosterior, *, ax: Axes | None = None) -> Axes:
    """Draw the probabilities with matplotlib; see `rank_probabilities_layout`."""
    return draw(rank_probabilities_layout(posterior), ax)
