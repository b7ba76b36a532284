"""The forest plot: differences with their intervals, one line each, and the rope if there is one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.numbers import decimals, fixed, number, pvalue
from podium.plot.axes import Axis, axis_below, minus, stretched
from podium.plot.figure import Ax, Width, figure
from podium.plot.scene import Circle, Line, Rect, Scene, Shape, Text, sheet_around
from podium.plot.sources import PairsSource, pairs_of
from podium.plot.textsize import label_of, text_width, widest

SIZE = 9.0
ROW = 15.0
PAD = 8.0
AXIS_WIDTH = 260.0

Interval = tuple[float, float, float]  # estimate, low, high


@figure
def forest(
    result: PairsSource,
    *,
    algorithm: str | None = None,
    rope: float | None = None,
    xlabel: str = "",
    ax: Ax = None,
    width: Width = None,
) -> Scene:
    """The difference of each pair with its interval and adjusted p-value; filled marks where the interval excludes 0.

    `result` is a comparison or a result on pairs; with `algorithm`, only its pairs are shown. Pairs without a bounded
    interval are left out. The `rope` is shaded; a comparison brings its own.
    """
    frame = pairs_of(result)
    if algorithm is not None:
        check.member("algorithm", algorithm, [*frame["a"], *frame["b"]])
        frame = frame[(frame["a"] == algorithm) | (frame["b"] == algorithm)]
    rows = frame[["effect", "low", "high"]].to_numpy(dtype=np.float64)
    bounded = np.isfinite(rows).all(axis=1)
    if not bounded.any():
        raise ArgumentError("No pair has a bounded interval: there is nothing to draw.")
    frame, facts = frame[bounded], result.facts if isinstance(result, Comparison) else None
    labels = [f"{a} \u2212 {b}" for a, b in zip(frame["a"], frame["b"], strict=True)]
    return forest_scene(
        labels,
        rows[bounded].tolist(),
        pvalues=frame["adjusted"].tolist(),
        rope=facts.rope if rope is None and facts is not None else rope,
        xlabel=xlabel or (f"difference in {facts.metric}" if facts is not None else "difference"),
    )


def forest_scene(
    labels: Sequence[str],
    intervals: Sequence[Interval],
    *,
    pvalues: Sequence[float] | None = None,
    rope: float | None = None,
    xlabel: str = "difference",
    title: str = "Differences with intervals",
) -> Scene:
    """Lines from low to high with a mark at the estimate; the mark is filled where the interval excludes 0.

    Estimates, intervals and p-values stand on the right. Missing numbers (nan) leave their line empty.
    """
    rows = [(float(estimate), float(low), float(high)) for estimate, low, high in intervals]
    shown = [label_of(label) for label in labels]
    digits = decimals((value for row in rows for value in row), 3)
    texts = [_numbers(*row, digits=digits) for row in rows]
    left = PAD + widest(shown, SIZE) + 12
    x = _axis(rows, rope, left)
    top = PAD + 16.0
    bottom = top + ROW * len(labels)
    shapes: list[Shape] = [rope_band(x, rope, top, bottom)] if rope else []
    shapes += axis_below(x, bottom, label=xlabel, grid_to=top)
    shapes.append(Line(x(0.0), top, x(0.0), bottom, stroke_width=1.0, dash="dashed"))
    for i, (label, row) in enumerate(zip(shown, rows, strict=True)):
        shapes += _line(label, f"{labels[i]}\n{texts[i]}", row, x, (left - 12, top + (i + 0.5) * ROW))
    shapes += _table(texts, pvalues, x.end + 14, top)
    description = f"{len(labels)} differences with intervals; a filled mark means that the interval excludes 0."
    return sheet_around(shapes, margin=PAD, title=title, description=description)


def _axis(rows: Sequence[Interval], rope: float | None, left: float) -> Axis:
    values = [value for row in rows for value in row if value == value] + [0.0]
    if rope:
        values += [-rope, rope]
    low, high = min(values), max(values)
    margin = 0.05 * (high - low) or 1.0
    return Axis(low - margin, high + margin, left, left + stretched(AXIS_WIDTH))


def rope_band(x: Axis, rope: float, top: float, bottom: float) -> Rect:
    """The region of practical equivalence, shaded."""
    start, end = x(-rope), x(rope)
    return Rect(start, top, end - start, bottom - top, fill="wash", stroke=None, title=f"rope: \u00b1{number(rope, 6)}")


def _numbers(estimate: float, low: float, high: float, *, digits: int) -> str:
    if estimate != estimate:
        return "no data"
    middle, *ends = (minus(fixed(value, digits)) for value in (estimate, low, high))
    return middle if low != low or high != high else f"{middle} [{ends[0]}, {ends[1]}]"


def _line(label: str, title: str, row: Interval, x: Axis, place: tuple[float, float]) -> list[Shape]:
    estimate, low, high = row
    label_end, y = place
    shapes: list[Shape] = [Text(label_end, y, label, size=SIZE, anchor="end", title=title)]
    if low == low and high == high:
        shapes.append(Line(x(low), y, x(high), y, stroke_width=1.4, title=title))
        shapes += [Line(x(end), y - 3, x(end), y + 3, stroke_width=1.2) for end in (low, high)]
    if estimate == estimate:
        fill = "ink" if low > 0 or high < 0 else "paper"
        shapes.append(Circle(x(estimate), y, 3.2, fill=fill, stroke_width=1.2, title=title))
    return shapes


def _table(texts: list[str], pvalues: Sequence[float] | None, left: float, top: float) -> list[Shape]:
    """The numbers on the right of the plot."""
    size = SIZE - 1
    columns = [("difference [interval]", texts)]
    if pvalues is not None:
        columns.append(("p", [pvalue(float(value)) for value in pvalues]))
    shapes: list[Shape] = []
    right = left - 14
    for heading, words in columns:
        right += 14 + max(widest(words, size), text_width(heading, size))
        shapes.append(Text(right, top - 9, heading, size=size, anchor="end", colour="muted"))
        shapes += [Text(right, top + (i + 0.5) * ROW, word, size=size, anchor="end") for i, word in enumerate(words)]
    return shapes
