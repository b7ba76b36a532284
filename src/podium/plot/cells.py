"""Cells in rows and columns: their colours, what is written on them, and the names beside and above them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from podium.plot.scene import Line, Point, Rect, Shape, Text
from podium.plot.style import is_role, label_of, text_on


@dataclass(frozen=True, slots=True, kw_only=True)
class Tile:
    """A cell: its colour, what is written on it, and what hovering tells; one without a colour is text alone."""

    fill: str | None
    text: str = ""
    bold: bool = False
    title: str = ""
    key: str = ""
    crossed: bool = False  # nothing is there


EMPTY = Tile(fill=None)


def tile_shapes(
    rows: Iterable[Sequence[Tile]], corner: Point, cell: Point, *, size: float, lined: bool = True
) -> list[Shape]:
    """The cells from this corner on, then the texts on them in letters of this size.

    Neighbours that are alike in everything are one shape: thousands of cells without words stay a small figure.
    """
    grounds: list[Shape] = []
    texts: list[Shape] = []
    for i, row in enumerate(rows):
        start, y = 0, corner[1] + i * cell[1]
        for tile, alike in groupby(row):
            count = len(list(alike))
            x, width = corner[0] + start * cell[0], count * cell[0]
            start += count
            if tile.crossed:
                ground, *cross = crossed_cell(x, y, width, cell[1], title=tile.title, key=tile.key)
                grounds.append(ground)
                texts += cross
            elif tile.fill:
                stroke, box = "paper" if lined else None, (x, y, width, cell[1])
                grounds.append(
                    Rect(*box, fill=tile.fill, stroke=stroke, stroke_width=0.5, title=tile.title, key=tile.key)
                )
            if tile.text:
                at = x + width / 2, y + cell[1] / 2
                letters, colour = (size, _ink_on(tile.fill)) if tile.fill else (size - 1, "muted")
                texts.append(Text(*at, tile.text, size=letters, anchor="middle", bold=tile.bold, colour=colour))
    return grounds + texts


def _ink_on(fill: str) -> str:
    return "ink" if is_role(fill) else text_on(fill)


def crossed_cell(x: float, y: float, width: float, height: float, *, title: str = "", key: str = "") -> list[Shape]:
    """An empty cell, and its cross."""
    left, right, top, bottom = x + 2, x + width - 2, y + 2, y + height - 2
    return [
        Rect(x, y, width, height, fill="paper", stroke="faint", stroke_width=0.5, title=title, key=key),
        Line(left, top, right, bottom, stroke="muted", stroke_width=0.6),
        Line(left, bottom, right, top, stroke="muted", stroke_width=0.6),
    ]


def row_names(
    names: Sequence[str], x: float, top: float, height: float, *, size: float, labels: Sequence[str] = ()
) -> list[Shape]:
    """Names of rows of this height, up to x; by these labels, where they are drawn later than the figure is laid out."""
    return [
        Text(x, top + (i + 0.5) * height, label, size=size, anchor="end", key=name, title=name)
        for i, (name, label) in enumerate(zip(names, labels or map(label_of, names), strict=True))
    ]


def column_names(
    names: Sequence[str],
    left: float,
    y: float,
    width: float,
    *,
    size: float,
    rotation: float = 90,
    labels: Sequence[str] = (),
) -> list[Shape]:
    """Names above columns of this width, turned, from y on; by these labels, as those of rows."""
    text = Text(0.0, y, "", size=size, rotation=rotation, anchor="start" if rotation else "middle")
    return [
        replace(text, x=left + (i + 0.5) * width, text=label, key=name, title=name)
        for i, (name, label) in enumerate(zip(names, labels or map(label_of, names), strict=True))
    ]
