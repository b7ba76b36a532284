"""Axes of figures: round ticks, places of values, labels that keep apart, and series with their names."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from podium.core import numbers
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.plot.scene import Dash, Line, Point, Polyline, Scene, Shape, Text, sheet_around
from podium.plot.style import SERIES, label_of, text_width, widest

TICK = 4.0
LABEL_SIZE = 8.0
NAME_SIZE = 8.5
ROW = 11.0
PAD = 8.0
ROOM = 25.0  # between the end of a series and its name
DASHES: tuple[Dash, ...] = ("solid", "dashed", "dotted")


@dataclass(frozen=True, slots=True)
class Axis:
    """Values from `low` to `high` on the stretch of paper from `start` to `end`; with `log`, by their logarithm."""

    low: float
    high: float
    start: float
    end: float
    log: bool = False

    def __post_init__(self) -> None:
        if not self.low < self.high or (self.log and self.low <= 0):
            raise ArgumentError(
                f"An axis cannot go from {numbers.number(self.low)} to {numbers.number(self.high)}{' by logarithm' * self.log}."
            )

    def __call__(self, value: float) -> float:
        """The place of a value on the paper."""
        if self.log:
            share = math.log(value / self.low) / math.log(self.high / self.low)
        else:
            share = (value - self.low) / (self.high - self.low)
        return self.start + share * (self.end - self.start)

    def ticks(self, about: int = 6) -> list[float]:
        """Round values inside the axis."""
        return _log_ticks(self.low, self.high) if self.log else round_ticks(self.low, self.high, about)


def round_ticks(low: float, high: float, about: int = 6) -> list[float]:
    """Round values from low to high, about so many.

    >>> round_ticks(0.0, 1.0, 5)
    [0.0, 0.2, 0.4, 0.6, 0.8, 1.0]
    """
    raw = (high - low) / max(about, 1)
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= raw * (1 - 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, 1 - math.floor(math.log10(step)))
    return [round(i * step, digits) + 0.0 for i in range(first, last + 1)]


def _log_ticks(low: float, high: float) -> list[float]:
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    for factors in ((1,), (1, 3), (1, 2, 5)):
        ticks = [f * 10.0**p for p in powers for f in factors if low * (1 - 1e-9) <= f * 10.0**p <= high * (1 + 1e-9)]
        if len(ticks) >= 3:
            break
    return ticks[:: 1 + len(ticks) // 9] if len(ticks) >= 2 else round_ticks(low, high)


def minus(text: str) -> str:
    """A number as `core.numbers` writes it, with a true minus sign.

    >>> minus("-0.25"), minus("1e-07")
    ('−0.25', '1e−07')
    """
    return text.replace("-", "\u2212")


def stretched(length: float, stretch: float, *, least: float = 90.0, share: float = 1.0) -> float:
    """The length of an axis that takes a share of the points by which its figure is wider than by itself."""
    return max(length + share * stretch, min(length, least))


def rank_ticks(k: int, room: float) -> list[float]:
    """Whole ranks from 1 to k whose labels keep apart on so much room: all of them, or 1, round ones, and k.

    >>> rank_ticks(4, 200), rank_ticks(40, 200)
    ([1.0, 2.0, 3.0, 4.0], [1.0, 5.0, 10.0, 15.0, 20.0, 25.0, 30.0, 35.0, 40.0])
    """
    most = room / (text_width(str(k), LABEL_SIZE) + 8)
    if k <= most:
        return [float(rank) for rank in range(1, k + 1)]
    step = next(size for power in range(6) for size in (10**power, 2 * 10**power, 5 * 10**power) if k / size < most - 2)
    inner = [float(rank) for rank in range(step, k, step) if rank - 1 >= step / 2 and k - rank >= step / 2]
    return [1.0, *inner, float(k)]


def axis_below(
    axis: Axis, y: float, *, label: str = "", grid_to: float | None = None, ticks: Sequence[float] | None = None
) -> list[Shape]:
    """An axis along the bottom at height y, ticks downwards, its label 26 below, grid lines up to `grid_to`."""
    shapes: list[Shape] = []
    ticks = _thinned(axis) if ticks is None else ticks
    if grid_to is not None:
        shapes += [Line(axis(t), y, axis(t), grid_to, stroke="faint", stroke_width=0.5) for t in ticks]
    shapes.append(Line(axis.start, y, axis.end, y, stroke_width=0.8))
    for tick, text in zip(ticks, tick_texts(ticks, axis), strict=True):
        x = axis(tick)
        shapes.append(Line(x, y, x, y + TICK, stroke_width=0.8))
        shapes.append(Text(x, y + TICK + 6, text, size=LABEL_SIZE, anchor="middle", colour="muted"))
    if label:
        shapes.append(Text((axis.start + axis.end) / 2, y + 26, label, size=LABEL_SIZE + 1, anchor="middle"))
    return shapes


def tick_texts(ticks: Sequence[float], axis: Axis) -> list[str]:
    """Labels of ticks, all with the same digits after the point unless the axis is logarithmic.

    >>> tick_texts([0, 200_000, 1e6], Axis(0, 1e6, 0, 300)), tick_texts([-0.5, 0], Axis(-1, 0, 0, 300))
    (['0', '200,000', '1,000,000'], ['−0.5', '0.0'])
    """
    plain = [minus(numbers.number(tick, 4)) for tick in ticks]
    if axis.log or any("e" in text for text in plain):
        return plain
    digits = max((len(text.partition(".")[2]) for text in plain), default=0)
    return [minus(numbers.fixed(tick, digits) if digits else f"{round(tick):,}") for tick in ticks]


def _thinned(axis: Axis) -> list[float]:
    """Ticks whose labels keep apart."""
    for about in (6, 4, 3, 2, 1):
        ticks = axis.ticks(about)
        half = [text_width(text, LABEL_SIZE) / 2 + 2 for text in tick_texts(ticks, axis)]
        gaps = [abs(axis(b) - axis(a)) for a, b in itertools.pairwise(ticks)]
        if all(gap >= half[i] + half[i + 1] for i, gap in enumerate(gaps)):
            return ticks
    return ticks[:1]


def axis_left(
    axis: Axis, x: float, *, label: str = "", grid_to: float | None = None, ticks: Sequence[float] | None = None
) -> list[Shape]:
    """An axis along the left at x, with ticks outwards and its label left of their numbers."""
    shapes: list[Shape] = []
    ticks = axis.ticks(5) if ticks is None else ticks
    if grid_to is not None:
        shapes += [Line(x, axis(t), grid_to, axis(t), stroke="faint", stroke_width=0.5) for t in ticks]
    shapes.append(Line(x, axis.start, x, axis.end, stroke_width=0.8))
    for tick, text in zip(ticks, tick_texts(ticks, axis), strict=True):
        y = axis(tick)
        shapes.append(Line(x - TICK, y, x, y, stroke_width=0.8))
        shapes.append(Text(x - TICK - 2, y, text, size=LABEL_SIZE, anchor="end", colour="muted"))
    if label:
        middle = (axis.start + axis.end) / 2
        beside = widest(tick_texts(ticks, axis), LABEL_SIZE)
        shapes.append(
            Text(x - TICK - 2 - beside - 10, middle, label, size=LABEL_SIZE + 1, anchor="middle", rotation=90)
        )
    return shapes


def plane(x: Axis, y: Axis, xlabel: str, ylabel: str) -> list[Shape]:
    """Two axes with a grid, below and on the left of what they span."""
    return [*axis_below(x, y.start, label=xlabel, grid_to=y.end), *axis_left(y, x.start, label=ylabel, grid_to=x.end)]


def with_room(values: Iterable[float], share: float, otherwise: float = 0.5) -> tuple[float, float]:
    """The ends of an axis that holds all finite values, with a share of their span as room on either side."""
    finite = [float(value) for value in values if math.isfinite(value)]
    low, high = min(finite, default=0.0), max(finite, default=1.0)
    room = share * (high - low) or otherwise
    return low - room, high + room


def span_of(values: Floats) -> tuple[float, float]:
    """The least and the largest value, and one more where these are equal: the ends of an axis."""
    low, high = float(values.min()), float(values.max())
    return low, high if high > low else low + 1.0


def curve(points: Iterable[Point], place: int | None, name: str, *, stroke_width: float = 1.6) -> Polyline:
    """The line of the series at this place, or a grey one where it is not highlighted."""
    if place is None:
        return Polyline(tuple(points), stroke="faint", stroke_width=0.8, key=name, title=name)
    colour, dash = line_style(place)
    return Polyline(tuple(points), stroke=colour, dash=dash, stroke_width=stroke_width, key=name, title=name)


def stairs(start: Point, points: Iterable[Point], end: float) -> tuple[Point, ...]:
    """The corners of a curve of steps: across to each point, then up or down to it, and at last across to the end.

    >>> stairs((0, 0), [(1, 2)], 3)
    ((0, 0), (1, 0), (1, 2), (3, 2))
    """
    corners = [start]
    for x, y in points:
        corners += [(x, corners[-1][1]), (x, y)]
    return (*corners, (end, corners[-1][1]))


def spread(places: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places moved as little as needed to lie `gap` apart between low and high, in the same order.

    >>> spread([5.0, 5.0, 20.0], 4.0, 0.0, 30.0)
    [3.0, 7.0, 20.0]
    """
    from scipy.optimize import isotonic_regression  # here: a comparison in the terminal is done before scipy is loaded

    order = np.argsort(places, kind="stable")
    ahead = gap * np.arange(len(places))
    apart = isotonic_regression(np.asarray(places, dtype=np.float64)[order] - ahead).x
    placed = np.clip(apart, low, max(low, high - ahead[-1])) + ahead
    result = np.empty_like(placed)
    result[order] = placed
    return [float(place) for place in result]


def line_style(place: int) -> tuple[str, Dash]:
    """Colour and dash of a series; they change together, so that series differ without colour too."""
    return SERIES[place % len(SERIES)], DASHES[(place + place // len(SERIES)) % len(DASHES)]


def names_width(names: Sequence[str]) -> float:
    """The room that names beside their series take."""
    return ROOM + widest([label_of(name) for name in names], NAME_SIZE)


def named_ends(names: Sequence[str], ends: Sequence[float], x: float, top: float, bottom: float) -> list[Shape]:
    """The names of series from x on, at the heights of their ends, moved apart where these are close."""
    placed = spread(ends, ROW, top, max(bottom, top + ROW * (len(names) - 1)))
    shapes: list[Shape] = []
    shapes += [Line(x, end, x + 10, y, stroke="faint", stroke_width=0.6) for end, y in zip(ends, placed, strict=True)]
    return shapes + [shape for i, name in enumerate(names) for shape in _sample(i, name, x, placed[i])]


def curves_scene(
    shapes: Sequence[Shape],
    curves: Mapping[str, Sequence[Point]],
    x: Axis,
    y: Axis,
    *,
    highlight: int,
    title: str,
    description: str,
) -> Scene:
    """Curves between two axes, the best first: those to `highlight` in colours, with names at the heights where they end."""
    lines = [
        curve(points, place if place < highlight else None, name) for place, (name, points) in enumerate(curves.items())
    ]
    named = list(curves)[:highlight]
    ends = [line.points[-1][1] + 0.01 * place for place, line in enumerate(lines[:highlight])]
    labels = named_ends(named, ends, x.end + 4, y.end, y.start)
    return sheet_around([*shapes, *reversed(lines), *labels], title=title, description=description)


def legend_below(names: Sequence[str], width: float, stretch: float, least: float) -> tuple[bool, float]:
    """Whether names of series have room only below the plot, which wants to be so wide; and how wide it then is."""
    if width + stretch >= least:
        return False, stretched(width, stretch)
    return True, min(max(width + names_width(names) + stretch, 90.0), width)


def legend(names: Sequence[str], x: float, top: float) -> list[Shape]:
    """The names of series from x on, in a list."""
    return [shape for i, name in enumerate(names) for shape in _sample(i, name, x, top + (i + 0.5) * ROW)]


def _sample(place: int, name: str, x: float, y: float) -> list[Shape]:
    colour, dash = line_style(place)
    return [
        Line(x + 10, y, x + 22, y, stroke=colour, dash=dash, stroke_width=1.5),
        Text(x + ROOM, y, label_of(name), size=NAME_SIZE, key=name, title=name),
    ]
