"""The critical-difference diagram as a list, for many algorithms: one line each, groups as upright bars.

Where bars would take too many columns, a square beside the list shows each pair that is not told apart.
"""

from __future__ import annotations

import math

import numpy as np

from podium.core.numbers import fixed
from podium.plot.axes import Axis, axis_below, stretched, stripes
from podium.plot.ranked import Group, Ranked, bar_title, lanes
from podium.plot.scene import Circle, Line, Rect, Scene, Shape, Text, box_of, runs
from podium.plot.textsize import text_width, widest

SIZE = 8.0
ROW = 11.0
PAD = 6.0
HEAD = 16.0
AXIS_WIDTH = 180.0
COLUMN = 6.0  # between upright bars
MOST_COLUMNS = 40
CELL = 4.0


def cd_list_scene(data: Ranked) -> Scene:
    """The list as a scene."""
    k, difference = len(data.names), data.critical_difference
    name_x = PAD + text_width(str(k), SIZE) + 6
    labels = widest(data.labels, SIZE, bold=data.control is not None)
    number_x = name_x + labels + 8 + widest(data.ranks, SIZE)
    low, high = math.floor(data.mean_ranks[0]), math.ceil(data.mean_ranks[-1])
    x = Axis(low, max(high, low + 1), number_x + 12, number_x + 12 + stretched(AXIS_WIDTH))
    top, bottom = PAD + HEAD, PAD + HEAD + k * ROW
    groups, right = _group_bars(data, x.end + 14, top)
    shapes = stripes(k, top, ROW, PAD, max(right, x.end))
    shapes += axis_below(x, bottom + 2, label="mean rank", grid_to=top)
    shapes += _lines(data, x, top, name_x, number_x)
    if data.control is not None and difference is not None:
        shapes += _control(data, x, top, bottom, difference, data.control)
    elif difference is not None:
        label = f"CD = {fixed(difference, 2)}; lines reach half of it to each side"
        shapes.append(Text(x.end, PAD + HEAD / 2, label, size=SIZE - 1, anchor="end", colour="muted"))
    shapes += groups
    wide = max([right + PAD, *(box_of(shape)[2] + PAD for shape in shapes)])
    told = f"{len(data.groups)} groups that are not told apart"
    if data.control is not None:
        told = f"{len(data.alike)} are not told apart from the control {data.control}"
    description = f"{data.ends()}; {told}."
    title = "Mean ranks and groups" if difference is None else "Critical-difference diagram"
    return Scene(width=wide, height=bottom + 36, shapes=tuple(shapes), title=title, description=description)


def _y(place: int, top: float) -> float:
    return top + (place + 0.5) * ROW


def _lines(data: Ranked, x: Axis, top: float, name_x: float, number_x: float) -> list[Shape]:
    shapes: list[Shape] = []
    for place, (name, label, rank) in enumerate(zip(data.names, data.labels, data.mean_ranks, strict=True)):
        y, title = _y(place, top), data.title(place)
        shapes.append(Text(name_x - 6, y, str(place + 1), size=SIZE, anchor="end", colour="muted", key=name))
        shapes.append(Text(name_x, y, label, size=SIZE, key=name, title=title, bold=name == data.control))
        shapes.append(Text(number_x, y, data.ranks[place], size=SIZE, anchor="end", key=name))
        if data.critical_difference is not None:
            half = data.critical_difference / 2
            ends = x(max(x.low, rank - half)), x(min(x.high, rank + half))
            shapes.append(Line(ends[0], y, ends[1], y, stroke_width=1.0, stroke="muted", key=name, title=title))
        shapes.append(Circle(x(rank), y, 2.4, fill="ink", stroke=None, key=name, title=title))
    return shapes


def _control(data: Ranked, x: Axis, top: float, bottom: float, difference: float, control: str) -> list[Shape]:
    rank = data.mean_ranks[data.names.index(control)]
    places = [x(value) for value in (rank - difference, rank + difference) if x.low <= value <= x.high]
    label = f"dashed: CD = {fixed(difference, 2)} from the control"
    shapes: list[Shape] = [Line(place, top, place, bottom, dash="dashed", stroke_width=0.8) for place in places]
    return [*shapes, Text(x.end, PAD + HEAD / 2, label, size=SIZE - 1, anchor="end", colour="muted")]


def _group_bars(data: Ranked, left: float, top: float) -> tuple[list[Shape], float]:
    """Upright bars in as few columns as possible, or a square of pairs; and where they end on the right."""
    if data.control is not None:
        return _control_dots(data, left, top, data.control)
    if not data.groups:
        return [], left - 14
    if len(data.groups) > MOST_COLUMNS * len(data.names):
        return _square(data, left, top)
    columns = lanes([(group[0], group[-1]) for group in data.groups], 1.0)
    count = max(columns) + 1
    if count > MOST_COLUMNS:
        return _square(data, left, top)
    shapes: list[Shape] = [_heading(left, "not told apart")]
    for group, column in zip(data.groups, columns, strict=True):
        shapes += _upright(data, group, left + (column + 0.5) * COLUMN, top)
    return shapes, left + count * COLUMN


def _control_dots(data: Ranked, left: float, top: float, control: str) -> tuple[list[Shape], float]:
    """A ring in the line of the control, a dot in those of the algorithms that are not told apart from it."""
    x, place = left + 6.0, data.names.index(control)
    shapes: list[Shape] = [_heading(left, "dot: not told apart from the control")]
    shapes += [
        Circle(x, _y(i, top), 2.6, fill="ink", stroke=None, key=data.names[i], title=data.title(i)) for i in data.alike
    ]
    shapes.append(Circle(x, _y(place, top), 3.4, fill="paper", stroke_width=1.6, key=control, title=data.title(place)))
    return shapes, left + 12.0


def _heading(left: float, text: str) -> Text:
    return Text(left, PAD + HEAD / 2, text, size=SIZE - 1, colour="muted")


def _upright(data: Ranked, group: Group, x: float, top: float) -> list[Shape]:
    """Thick through neighbours that both belong, dotted past those that do not; a dot at each member."""
    title = bar_title(data, group)
    shapes: list[Shape] = []
    start = group[0]
    for before, after in zip(group, (*group[1:], -1), strict=True):
        if after == before + 1:
            continue
        ends = _y(start, top) - 3, _y(before, top) + 3
        shapes.append(Line(x, ends[0], x, ends[1], stroke_width=3.0, title=title, css="group"))
        if after >= 0:
            last, first = _y(before, top) + 3, _y(after, top) - 3
            shapes.append(Line(x, last, x, first, stroke_width=1.0, dash="dotted", title=title, css="group"))
        start = after
    return shapes


def _square(data: Ranked, left: float, top: float) -> tuple[list[Shape], float]:
    """One cell for each pair, dark where the pair is not told apart; neighbours in a line are drawn as one."""
    k = len(data.names)
    shared = np.eye(k, dtype=np.bool_)
    for group in data.groups:
        shared[np.ix_(group, group)] = True
    shapes: list[Shape] = [_heading(left, f"dark: not told apart ({len(data.groups)} groups); columns in this order")]
    for place in range(k):
        title = f"{data.names[place]}\nnot told apart from {int(shared[place].sum()) - 1} others"
        box = (top + place * ROW + 0.75, ROW - 1.5)
        for start, length, alike in runs(shared[place].tolist()):
            if alike:
                rect = (left + start * CELL, box[0], length * CELL, box[1])
                shapes.append(Rect(*rect, fill="muted", stroke=None, key=data.names[place], title=title))
    right = left + k * CELL
    shapes.append(Rect(left, top, k * CELL, k * ROW, stroke="faint", stroke_width=0.5))
    return shapes, right
