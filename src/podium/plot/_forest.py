"""The forest plot: differences with their intervals, one line each, and the rope if there is one."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.numbers import decimals, fixed, number, percent, pvalue
from podium.plot.axes import PAD, STRETCH, Axis, axis_below, minus, stretched, with_room
from podium.plot.figure import Ax, Width, figure
from podium.plot.scene import Circle, Line, Polygon, Rect, Scene, Shape, Text, box_of, sheet_around
from podium.plot.sources import PairsSource, difference_of, written_effects
from podium.plot.textsize import label_of, text_width, widest
from podium.stats.pairwise.pair_result import effect_kind

if TYPE_CHECKING:
    from podium.stats.posthoc.pairs_result import PairsResult

SIZE = 9.0
ROW = 15.0
AXIS_WIDTH = 260.0
LEAST_AXIS = 90.0

Interval = tuple[float, float, float]  # estimate, low, high


@figure
def forest(
    result: PairsSource,
    *,
    algorithm: str | None = None,
    alpha: float = 0.05,
    rope: float | None = None,
    xlabel: str = "",
    ax: Ax = None,
    width: Width = None,
) -> Scene:
    """The difference of each pair with its interval and adjusted p-value, the one that is ahead named first.

    `result` is a comparison, which has its own level, or a result on pairs, decided at `alpha`; the largest difference is
    on top. With `algorithm`, only its pairs are shown, all seen from it; with a control, each algorithm minus the control.
    A mark is filled where the pair is told apart by its adjusted p-value, whatever its interval; an interval without an end
    is an arrow. The `rope` is shaded; a comparison brings its own.
    """
    comparison = result if isinstance(result, Comparison) else None
    pairs: PairsResult = comparison.pairs if comparison is not None else result  # type: ignore[assignment]
    level = check.fraction("alpha", alpha if comparison is None else comparison.alpha)
    if algorithm is not None:
        frame = pairs.seen_from(algorithm)
    else:
        frame = pairs.winner_first() if pairs.control is None else pairs.against(pairs.control)
    if frame["effect"].isna().all():
        raise ArgumentError("No pair has an effect: there is nothing to draw.")
    lower = "" if pairs.metric.higher_is_better else ", lower is better"
    ratio = comparison is None and pairs.neutral > 0
    what, between = ("ratio", "/") if ratio else ("difference", "\u2212")
    quantity = difference_of(result)
    unit = f", {quantity.unit}" if quantity.unit else ""
    named = f"{what} in {quantity.label or pairs.metric.name}{unit}{lower}" if comparison is not None or lower else what
    rope = comparison.facts.rope if rope is None and comparison is not None else rope
    effects = written_effects(result, frame[["effect", "low", "high"]].astype(float).to_numpy())
    return forest_scene(
        [f"{a} {between} {b}" for a, b in zip(frame["a"], frame["b"], strict=True)],
        [(estimate, low, high) for estimate, low, high in effects.tolist()],
        pvalues=frame["adjusted"].tolist(),
        filled=(frame["adjusted"] <= level).tolist(),
        legend=f"filled: told apart, adjusted p \u2264 {number(level)}",
        rope=None
        if rope is None or effect_kind(pairs.effect_name).relative
        else quantity.factor * rope,  # in the metric's units
        neutral=pairs.neutral if ratio else 0.0,
        xlabel=xlabel or named,
        heading=f"{what} [{interval_words(pairs)}]",
    )


def interval_words(pairs: PairsResult) -> str:
    """What the intervals of pairs are, for a heading."""
    kind = "simultaneous " if pairs.intervals == "simultaneous" and pairs.n_pairs > 1 else ""
    return f"{kind}{percent(pairs.confidence)} interval"


def forest_scene(
    labels: Sequence[str],
    intervals: Sequence[Interval],
    *,
    pvalues: Sequence[float] | None = None,
    filled: Sequence[bool] | None = None,
    legend: str = "filled: the interval excludes 0",
    rope: float | None = None,
    neutral: float = 0.0,
    xlabel: str = "difference",
    heading: str = "difference [interval]",
    title: str = "Differences with intervals",
) -> Scene:
    """Lines from low to high with a mark at the estimate, filled as told, else where the interval excludes 0.

    Estimates, intervals and p-values stand on the right, where a figure of a given width has room for them, and the `legend` of the marks below. Missing numbers (nan) leave
    their line empty; an infinite end is an arrow.
    """
    rows = [(float(estimate), float(low), float(high)) for estimate, low, high in intervals]
    marks = [low > 0 or high < 0 for _, low, high in rows] if filled is None else list(filled)
    shown = [label_of(label) for label in labels]
    digits = decimals((value for row in rows for value in row if math.isfinite(value)), 3)
    texts = [_numbers(*row, digits=digits) for row in rows]
    left = PAD + widest(shown, SIZE) + 12
    table = _table(heading, texts, pvalues, 0.0, PAD + 16.0)
    beside = max((box_of(shape)[2] for shape in table), default=0.0) + 14
    narrow = AXIS_WIDTH + STRETCH.get() < LEAST_AXIS  # no room for numbers: the intervals take theirs
    x = _axis(rows, neutral, rope, left, AXIS_WIDTH + (beside if narrow else 0.0))
    top = PAD + 16.0
    bottom = top + ROW * len(labels)
    shapes: list[Shape] = [rope_band(x, rope, top, bottom)] if rope else []
    shapes += axis_below(x, bottom, label=xlabel, grid_to=top)
    shapes.append(Line(x(neutral), top, x(neutral), bottom, stroke_width=1.0, dash="dashed"))
    for i, (label, row) in enumerate(zip(shown, rows, strict=True)):
        place = left - 12, top + (i + 0.5) * ROW
        shapes += _line(label, f"{labels[i]}\n{texts[i]}", row, x, place, filled=marks[i])
    shapes += [] if narrow else _table(heading, texts, pvalues, x.end + 14, top)
    shapes.append(Text((x.start + x.end) / 2, bottom + 40, legend, size=SIZE - 1, anchor="middle", colour="muted"))
    return sheet_around(shapes, title=title, description=f"{len(labels)} differences with intervals; {legend}.")


def _axis(rows: Sequence[Interval], neutral: float, rope: float | None, left: float, length: float) -> Axis:
    values = [neutral, neutral - (rope or 0.0), neutral + (rope or 0.0), *(value for row in rows for value in row)]
    # An arrow needs room beyond the marks, to be seen as longer than any interval that ends.
    room = 0.2 if any(map(math.isinf, values)) else 0.05
    return Axis(*with_room(values, room, 1.0), left, left + stretched(length, least=LEAST_AXIS))


def rope_band(x: Axis, rope: float, top: float, bottom: float) -> Rect:
    """The region of practical equivalence, shaded."""
    start, end = x(-rope), x(rope)
    return Rect(start, top, end - start, bottom - top, fill="wash", stroke=None, title=f"rope: \u00b1{number(rope, 6)}")


def _numbers(estimate: float, low: float, high: float, *, digits: int) -> str:
    if estimate != estimate:
        return "no data"
    middle, *ends = (
        minus(fixed(value, digits)) if math.isfinite(value) else f"{chr(0x2212) if value < 0 else ''}\u221e"
        for value in (estimate, low, high)
    )
    return middle if low != low or high != high else f"{middle} [{ends[0]}, {ends[1]}]"


def _line(label: str, title: str, row: Interval, x: Axis, place: tuple[float, float], *, filled: bool) -> list[Shape]:
    estimate, low, high = row
    label_end, y = place
    shapes: list[Shape] = [Text(label_end, y, label, size=SIZE, anchor="end", title=title)]
    if low == low and high == high:
        ends = (x(low) if math.isfinite(low) else x.start), (x(high) if math.isfinite(high) else x.end)
        shapes.append(Line(ends[0], y, ends[1], y, stroke_width=1.4, title=title))
        for value, end, inward in ((low, ends[0], 5.0), (high, ends[1], -5.0)):
            if math.isfinite(value):
                shapes.append(Line(end, y - 3, end, y + 3, stroke_width=1.2))
            else:
                shapes.append(Polygon(((end, y), (end + inward, y - 3), (end + inward, y + 3)), fill="ink"))
    if estimate == estimate:
        fill = "ink" if filled else "paper"
        shapes.append(Circle(x(estimate), y, 3.2, fill=fill, stroke_width=1.2, title=title))
    return shapes


def _table(heading: str, texts: list[str], pvalues: Sequence[float] | None, left: float, top: float) -> list[Shape]:
    """The numbers on the right of the plot."""
    size = SIZE - 1
    columns = [(heading, texts)]
    if pvalues is not None:
        columns.append(("adjusted p", [pvalue(float(value)) for value in pvalues]))
    shapes: list[Shape] = []
    right = left - 14
    for head, words in columns:
        right += 14 + max(widest(words, size), text_width(head, size))
        shapes.append(Text(right, top - 9, head, size=size, anchor="end", colour="muted"))
        shapes += [Text(right, top + (i + 0.5) * ROW, word, size=size, anchor="end") for i, word in enumerate(words)]
    return shapes
