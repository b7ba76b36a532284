"""Figures of all Bayesian pairs: the rope matrix and the forest of differences."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from podium.core.numbers import fixed, number, percent
from podium.plot._forest import forest_scene
from podium.plot.figure import Width, figure
from podium.plot.scene import Rect, Scene, Shape, Text
from podium.plot.textsize import label_of, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from podium.bayes.posterior import PairsPosterior

__all__ = ["differences", "rope_matrix"]

SIZE = 9.0
PAD = 8.0
CELL = 46.0
BAR = 8.0
MOST_WITH_TEXT = 16
SMALL_CELL = 14.0


@figure
def rope_matrix(posterior: PairsPosterior, *, ax: Axes | None = None, width: Width | None = None) -> Scene:
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
    return Scene(
        width=max(left + cell * len(names) + 0.75 * reach, left + 290) + PAD,
        height=bottom + 24 + PAD,
        shapes=tuple(shapes),
        title=f"{posterior.label}, rope {number(posterior.rope, 6)}",
        description=f"{posterior.label}: probabilities of better, equivalent and worse for "
        f"{len(posterior.difference)} pairs.",
    )


@figure
def differences(
    posterior: PairsPosterior, *, xlabel: str = "", ax: Axes | None = None, width: Width | None = None
) -> Scene:
    """The expected gain of every pair with its interval and the rope, the largest on top.

    Pairs are turned so that gains are positive: the better algorithm is named first.
    """
    turned = posterior.difference < 0
    low = np.where(turned, -posterior.high, posterior.low)
    high = np.where(turned, -posterior.low, posterior.high)
    order = np.argsort(-np.abs(posterior.difference), kind="stable")
    pairs = [posterior.names[k][::-1] if turned[k] else posterior.names[k] for k in order]
    return forest_scene(
        [f"{a} over {b}" for a, b in pairs],
        np.column_stack([np.abs(posterior.difference), low, high])[order].tolist(),
        rope=posterior.rope or None,
        xlabel=xlabel or f"gain ({percent(posterior.credibility)} intervals)",
        title=f"{posterior.label}: differences",
    )


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
    better, same, worse = (fixed(chance, 3) for chance in chances)
    title = f"{row} better than {column}: {better}\nequivalent: {same}\n{column} better: {worse}"
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
        shapes.append(Text(x + cell / 2, y + 22, fixed(chances[top], 3), size=8, anchor="middle", bold=sure))
    return shapes


def _legend(x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for word, colour in zip(("row better", "equivalent", "column better"), COLOURS, strict=True):
        shapes.append(Rect(x, y - 4, 14, 8, fill=colour, stroke=None))
        shapes.append(Text(x + 19, y, word, size=8, colour="muted"))
        x += 92
    return shapes
