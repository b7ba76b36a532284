"""The forest plot: differences with their intervals, one line each, and the rope if there is one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.core import check
from podium.core.errors import ArgumentError
from podium.plot.axes import Axis, axis_below, common_digits, fixed_text, pvalue_text
from podium.plot.draw_matplotlib import draw
from podium.plot.ranked import label_of
from podium.plot.scene import Circle, Line, Rect, Scene, Shape, Text, sheet_around
from podium.plot.textsize import text_width, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_forest", "forest_layout"]

SIZE = 9.0
ROW = 15.0
PAD = 8.0
AXIS_WIDTH = 260.0


def forest_layout(
    labels: Sequence[str],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    pvalues: Sequence[float] | None = None,
    rope: float | None = None,
    reference: float = 0.0,
    xlabel: str = "difference",
    title: str = "Differences with intervals",
) -> Scene:
    """Lines from low to high with a mark at the estimate; the mark is filled where the interval excludes `reference`.

    With a rope, the region of practical equivalence is shaded. Estimates, intervals and p-values stand on the right.
    Missing numbers (nan) leave their line empty.
    """
    labels = list(labels)
    columns = [check.numbers(n, v, ndim=1) for n, v in (("estimates", estimates), ("lows", lows), ("highs", highs))]
    if any(len(column) != len(labels) for column in columns) or not labels:
        raise ArgumentError(
            f"`estimates`, `lows` and `highs` must each have {len(labels)} numbers, one for each label."
        )
    rows = list(zip(*(column.tolist() for column in columns), strict=True))
    shown = [label_of(label) for label in labels]
    digits = common_digits(value for row in rows for value in row)
    texts = [_numbers(*row, digits=digits) for row in rows]
    left = PAD + widest(shown, SIZE) + 12
    x = _axis(rows, reference, rope, left)
    top = PAD + 16.0
    bottom = top + ROW * len(labels)
    shapes: list[Shape] = []
    if rope:
        shapes.append(_rope(x, reference, rope, top, bottom))
    shapes += axis_below(x, bottom, label=xlabel, grid_to=top)
    shapes.append(Line(x(reference), top, x(reference), bottom, stroke_width=1.0, dash="dashed"))
    for i, (label, row) in enumerate(zip(shown, rows, strict=True)):
        place = (PAD + widest(shown, SIZE), top + (i + 0.5) * ROW)
        shapes += _line(label, f"{labels[i]}\n{texts[i]}", row, x, place, reference)
    shapes += _table(texts, pvalues, x.end + 14, top)
    description = (
        f"{len(labels)} differences with intervals; a filled mark means that the interval excludes {reference:g}."
    )
    return sheet_around(shapes, margin=PAD, title=title, description=description)


def draw_forest(
    labels: Sequence[str],
    estimates: Sequence[float],
    lows: Sequence[float],
    highs: Sequence[float],
    *,
    pvalues: Sequence[float] | None = None,
    rope: float | None = None,
    xlabel: str = "difference",
    ax: Axes | None = None,
) -> Axes:
    """Draw the forest plot with matplotlib; arguments as in `forest_layout`."""
    return draw(forest_layout(labels, estimates, lows, highs, pvalues=pvalues, rope=rope, xlabel=xlabel), ax)


def _axis(rows: list[tuple[float, ...]], reference: float, rope: float | None, left: float) -> Axis:
    values = [value for row in rows for value in row if value == value] + [reference]
    if rope:
        values += [reference - rope, reference + rope]
    low, high = min(values), max(values)
    margin = 0.05 * (high - low) or 1.0
    return Axis(low - margin, high + margin, left, left + AXIS_WIDTH)


def _rope(x: Axis, reference: float, rope: float, top: float, bottom: float) -> Rect:
    start, end = x(reference - rope), x(reference + rope)
    return Rect(start, top, end - start, bottom - top, fill="wash", stroke=None, title=f"rope: ±{rope:g}")


def _numbers(estimate: float, low: float, high: float, *, digits: int) -> str:
    if estimate != estimate:
        return "no data"
    if low != low or high != high:
        return fixed_text(estimate, digits)
    return f"{fixed_text(estimate, digits)} [{fixed_text(low, digits)}, {fixed_text(high, digits)}]"


def _line(
    label: str, title: str, row: tuple[float, ...], x: Axis, place: tuple[float, float], reference: float
) -> list[Shape]:
    estimate, low, high = row
    label_end, y = place
    shapes: list[Shape] = [Text(label_end, y, label, size=SIZE, anchor="end", title=title)]
    if low == low and high == high:
        shapes.append(Line(x(low), y, x(high), y, stroke_width=1.4, title=title))
        shapes += [Line(x(end), y - 3, x(end), y + 3, stroke_width=1.2) for end in (low, high)]
    if estimate == estimate:
        excludes = low > reference or high < reference
        fill = "ink" if excludes else "paper"
        shapes.append(Circle(x(estimate), y, 3.2, fill=fill, stroke_width=1.2, title=title))
    return shapes


def _table(texts: list[str], pvalues: Sequence[float] | None, left: float, top: float) -> list[Shape]:
    """The numbers on the right of the plot."""
    size = SIZE - 1
    columns = [("difference [interval]", texts)]
    if pvalues is not None:
        columns.append(("p", [pvalue_text(float(pvalue)) for pvalue in pvalues]))
    shapes: list[Shape] = []
    right = left - 14
    for heading, words in columns:
        right += 14 + max(widest(words, size), text_width(heading, size))
        shapes.append(Text(right, top - 9, heading, size=size, anchor="end", colour="muted"))
        shapes += [Text(right, top + (i + 0.5) * ROW, word, size=size, anchor="end") for i, word in enumerate(words)]
    return shapes
