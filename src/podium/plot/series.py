"""Lines of several series: how they differ, and their names beside their ends."""

from __future__ import annotations

from collections.abc import Sequence

from podium.plot.axes import spread
from podium.plot.palette import SERIES
from podium.plot.scene import Dash, Line, Shape, Text
from podium.plot.textsize import label_of, widest

__all__ = ["legend", "line_style", "named_ends", "names_width"]

SIZE = 8.5
ROW = 11.0
ROOM = 25.0  # between the end of a series and its name
DASHES: tuple[Dash, ...] = ("solid", "dashed", "dotted")


def line_style(place: int) -> tuple[str, Dash]:
    """Colour and dash of a series; they change together, so that series differ without colour too."""
    return SERIES[place % len(SERIES)], DASHES[(place + place // len(SERIES)) % len(DASHES)]


def names_width(names: Sequence[str]) -> float:
    """The room that names beside their series take."""
    return ROOM + widest([label_of(name) for name in names], SIZE)


def named_ends(names: Sequence[str], ends: Sequence[float], x: float, top: float, bottom: float) -> list[Shape]:
    """The names of series from x on, at the heights of their ends, moved apart where these are close."""
    placed = spread(ends, ROW, top, max(bottom, top + ROW * (len(names) - 1)))
    leaders: list[Shape] = [
        Line(x, end, x + 10, y, stroke="faint", stroke_width=0.6) for end, y in zip(ends, placed, strict=True)
    ]
    return leaders + [shape for i, name in enumerate(names) for shape in _sample(i, name, x, placed[i])]


def legend(names: Sequence[str], x: float, top: float) -> list[Shape]:
    """The names of series from x on, in a list."""
    return [shape for i, name in enumerate(names) for shape in _sample(i, name, x, top + (i + 0.5) * ROW)]


def _sample(place: int, name: str, x: float, y: float) -> list[Shape]:
    colour, dash = line_style(place)
    return [
        Line(x + 10, y, x + 22, y, stroke=colour, dash=dash, stroke_width=1.5),
        Text(x + ROOM, y, label_of(name), size=SIZE, key=name, title=name),
    ]
