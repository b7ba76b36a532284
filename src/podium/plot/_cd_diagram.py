"""The critical-difference diagram of Demsar (2006), and its form for pairwise tests.

Algorithms stand on an axis of mean ranks, the best on the left; a bar joins those that are not told apart. A bar of a
pairwise test need not hold all algorithms it passes: it has dots at its members, and is dotted where it passes others.
From 41 algorithms on, or where bars would pile up, the diagram becomes a list (`cd_list`).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from podium.core import check
from podium.plot.axes import Axis, round_ticks
from podium.plot.cd_list import cd_list_scene
from podium.plot.draw_matplotlib import draw
from podium.plot.ranked import Group, Groups, Ranked, bar_title, lanes, ranked
from podium.plot.scene import Circle, Line, Polyline, Rect, Scene, Shape, Text, box_of, stacked
from podium.plot.textsize import text_width, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["cd_diagram_layout", "cd_stack_layout", "draw_cd_diagram", "draw_cd_stack"]

SIZE = 9.0
ROW = 13.0  # between label lines
LANE = 6.0  # between bars
PAD = 6.0
MOST_ALGORITHMS = 40
MOST_LANES = 16


def cd_diagram_layout(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    critical_difference: float | None = None,
    groups: Groups | None = None,
    control: str | None = None,
    form: str = "auto",
    width: float | None = None,
    title: str = "Critical-difference diagram",
) -> Scene:
    """The diagram as a scene.

    Parameters
    ----------
    mean_ranks, names
        One for each algorithm, in any order; low ranks are good.
    critical_difference
        Shown as a bar; if no groups are given, ranks that differ by less are joined.
    groups
        Sets of names, or of places in `names`, that are not told apart, such as those of a pairwise test.
    control
        The algorithm that all are compared with (Bonferroni-Dunn): the stretch of one critical difference to both
        sides of it is drawn instead of groups.
    form
        'axis', 'list', or 'auto': a list where an axis would be crowded.
    width
        Of the axis, in points.
    """
    check.choice("form", form, ("auto", "axis", "list"))
    if control is not None:
        check.member("algorithm", control, names)
        groups = ()
    data = ranked(mean_ranks, names, groups=groups, critical_difference=critical_difference)
    frame = _frame([data], width)
    if form == "list" or (form == "auto" and _crowded(data, frame)):
        return cd_list_scene(data, critical_difference=critical_difference, control=control, title=title)
    return _axis_scene(data, frame, critical_difference, control, title)


def draw_cd_diagram(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    critical_difference: float | None = None,
    groups: Groups | None = None,
    control: str | None = None,
    form: str = "auto",
    ax: Axes | None = None,
) -> Axes:
    """Draw the diagram with matplotlib; arguments as in `cd_diagram_layout`."""
    scene = cd_diagram_layout(
        mean_ranks, names, critical_difference=critical_difference, groups=groups, control=control, form=form
    )
    return draw(scene, ax)


def cd_stack_layout(
    rows: Sequence[tuple[str, Sequence[float], Groups | None, float | None]],
    names: Sequence[str],
    *,
    form: str = "auto",
    title: str = "Critical-difference diagrams",
) -> Scene:
    """Diagrams of the same algorithms below each other, one for each metric or group of datasets.

    Each row is (heading, mean ranks, groups or None, critical difference or None). All axes are the same.
    """
    check.choice("form", form, ("auto", "axis", "list"))
    stack = [ranked(ranks, names, groups=groups, critical_difference=cd) for _, ranks, groups, cd in rows]
    frame = _frame(stack, None)
    as_list = form == "list" or (form == "auto" and any(_crowded(data, frame) for data in stack))
    scenes = [
        cd_list_scene(data, critical_difference=row[3], control=None, title=row[0])
        if as_list
        else _axis_scene(data, frame, row[3], None, row[0])
        for data, row in zip(stack, rows, strict=True)
    ]
    description = " ".join(f"{row[0]}: {scene.description}" for row, scene in zip(rows, scenes, strict=True))
    return stacked(scenes, headings=[row[0] for row in rows], title=title, description=description)


def draw_cd_stack(
    rows: Sequence[tuple[str, Sequence[float], Groups | None, float | None]],
    names: Sequence[str],
    *,
    form: str = "auto",
    ax: Axes | None = None,
) -> Axes:
    """Draw the diagrams with matplotlib; arguments as in `cd_stack_layout`."""
    return draw(cd_stack_layout(rows, names, form=form), ax)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Frame:
    """What diagrams of a stack share: the axis and the room for labels on both sides."""

    axis: Axis
    left: float
    right: float
    number_width: float


def _frame(stack: Sequence[Ranked], width: float | None) -> _Frame:
    """The frame that holds all these diagrams."""
    k = len(stack[0].names)
    half = (k + 1) // 2
    number_width = widest([f"{rank:.2f}" for data in stack for rank in data.mean_ranks], SIZE - 1)
    beside = PAD + 5 + number_width + 16
    left = beside + widest([label for data in stack for label in data.labels[:half]], SIZE)
    right = beside + widest([label for data in stack for label in data.labels[half:]], SIZE)
    low, high = _limits(stack)
    length = width or max(280.0, 12.0 * k)
    return _Frame(axis=Axis(low, high, left, left + length), left=left, right=right, number_width=number_width)


def _limits(stack: Sequence[Ranked]) -> tuple[int, int]:
    """Whole ranks around all mean ranks: from 1 to k for up to ten algorithms, else only the part that is used."""
    low = math.floor(min(data.mean_ranks[0] for data in stack))
    high = math.ceil(max(data.mean_ranks[-1] for data in stack))
    k = len(stack[0].names)
    if k <= 10:
        return min(1, low), max(k, high, 2)
    return low, max(high, low + 1)


def _spans(data: Ranked, x: Axis) -> list[tuple[float, float]]:
    """Where the bars of groups begin and end; a little wider than the ranks, so that ties have a bar too."""
    return [(x(data.mean_ranks[group[0]]) - 3, x(data.mean_ranks[group[-1]]) + 3) for group in data.groups]


def _crowded(data: Ranked, frame: _Frame) -> bool:
    """Whether an axis would be hard to read."""
    lane_count = max(lanes(_spans(data, frame.axis), 4.0), default=-1) + 1
    return len(data.names) > MOST_ALGORITHMS or lane_count > MOST_LANES


def _axis_scene(
    data: Ranked, frame: _Frame, critical_difference: float | None, control: str | None, title: str
) -> Scene:
    x = frame.axis
    top = PAD + (24.0 if critical_difference is not None else 0.0) + 14.0
    shapes: list[Shape] = _ruler(x, top)
    if critical_difference is not None:
        shapes += _difference_bar(x, top - 24.0, critical_difference, x.end + frame.right - PAD)
    if control is not None and critical_difference is not None:
        shapes += _control_stretch(data, x, top, critical_difference, control)
    bars, depth = _bars(data, x, top + 11.0)
    first_row = top + 14.0 + depth + (8.0 if control is not None else 0.0)
    shapes += _leaders(data, frame, top, first_row)
    shapes += bars
    rows = (len(data.names) + 1) // 2
    height = first_row + (rows - 1) * ROW + ROW / 2 + PAD
    wide = max([x.end + frame.right, *(box_of(shape)[2] + PAD for shape in shapes)])
    return Scene(
        width=wide, height=height, shapes=tuple(shapes), title=title, description=_words(data, critical_difference)
    )


def _ruler(x: Axis, y: float) -> list[Shape]:
    shapes: list[Shape] = [Line(x.start, y, x.end, y, stroke_width=1.0)]
    about = min(int(x.high - x.low), int((x.end - x.start) / 30))
    majors = [tick for tick in round_ticks(x.low, x.high, about) if tick == int(tick)]
    if int(x.high - x.low) <= 20:
        shapes += [
            Line(x(tick + 0.5), y - 3, x(tick + 0.5), y, stroke_width=0.7) for tick in range(int(x.low), int(x.high))
        ]
    for tick in majors:
        shapes.append(Line(x(tick), y - 5, x(tick), y, stroke_width=1.0))
        shapes.append(Text(x(tick), y - 11, f"{tick:.0f}", size=SIZE - 1, anchor="middle", colour="muted"))
    return shapes


def _difference_bar(x: Axis, y: float, difference: float, right_edge: float) -> list[Shape]:
    """The critical difference to scale, from the left end of the axis on."""
    length = difference / (x.high - x.low) * (x.end - x.start)
    label = f"CD = {difference:.2f}"
    end = min(x.start + length, right_edge - text_width(label, SIZE) - 5)
    shapes: list[Shape] = [Line(x.start, y, end, y, stroke_width=1.2, title=f"Critical difference {difference:.4f}")]
    shapes.append(Line(x.start, y - 3, x.start, y + 3, stroke_width=1.2))
    if end == x.start + length:
        shapes.append(Line(end, y - 3, end, y + 3, stroke_width=1.2))
    shapes.append(Text(end + 5, y, label, size=SIZE))
    return shapes


def _control_stretch(data: Ranked, x: Axis, y: float, difference: float, control: str) -> list[Shape]:
    """One critical difference to both sides of the control, cut at the ends of the axis."""
    rank = data.mean_ranks[data.names.index(control)]
    first, last = x(max(rank - difference, x.low)), x(min(rank + difference, x.high))
    title = f"Not told apart from {control}: mean ranks from {rank - difference:.3f} to {rank + difference:.3f}"
    return [
        Rect(first, y + 5, last - first, 6, fill="faint", stroke="muted", stroke_width=0.6, title=title, key=control),
        Circle(x(rank), y + 8, 2.5, fill="ink", stroke=None, key=control),
    ]


def _bars(data: Ranked, x: Axis, y: float) -> tuple[list[Shape], float]:
    """The bars of the groups, and the room below the axis that they take."""
    spans = _spans(data, x)
    levels = lanes(spans, 4.0)
    shapes: list[Shape] = []
    for group, span, level in zip(data.groups, spans, levels, strict=True):
        shapes += _bar(data, group, span, y + level * LANE, x)
    return shapes, (max(levels, default=-1) + 1) * LANE


def _bar(data: Ranked, group: Group, span: tuple[float, float], y: float, x: Axis) -> list[Shape]:
    title = bar_title(data, group)
    if group[-1] - group[0] + 1 == len(group):
        return [Line(span[0], y, span[1], y, stroke_width=3.0, title=title, css="group")]
    shapes: list[Shape] = []
    for before, after in itertools.pairwise(group):
        ends = x(data.mean_ranks[before]), x(data.mean_ranks[after])
        joined = after == before + 1
        shapes.append(
            Line(ends[0], y, ends[1], y, stroke_width=3.0, title=title, css="group")
            if joined
            else Line(ends[0], y, ends[1], y, stroke_width=1.2, dash="dotted", title=title, css="group")
        )
    shapes += [
        Circle(x(data.mean_ranks[i]), y, 2.6, fill="ink", stroke=None, title=title, key=data.names[i]) for i in group
    ]
    return shapes


def _leaders(data: Ranked, frame: _Frame, axis_y: float, first_row: float) -> list[Shape]:
    """From each mean rank down and out to its label: the better half on the left, the others on the right."""
    x, number_width = frame.axis, frame.number_width
    k = len(data.names)
    left_count = (k + 1) // 2
    shapes: list[Shape] = []
    for place in range(k):
        on_left = place < left_count
        y = first_row + ROW * (place if on_left else k - 1 - place)
        edge = frame.left - 12 if on_left else x.end + 12
        out = -1 if on_left else 1
        at, key, title = x(data.mean_ranks[place]), data.names[place], data.title(place)
        shapes.append(Polyline(((at, axis_y), (at, y), (edge, y)), stroke_width=0.7, key=key, title=title))
        number_x = edge + out * (4 + number_width) if on_left else edge + 4
        name_x = edge + out * (4 + number_width + 5)
        shapes.append(Text(number_x, y, f"{data.mean_ranks[place]:.2f}", size=SIZE - 1, colour="muted", key=key))
        shapes.append(
            Text(name_x, y, data.labels[place], size=SIZE, anchor="end" if on_left else "start", key=key, title=title)
        )
    return shapes


def _words(data: Ranked, critical_difference: float | None) -> str:
    """What the diagram shows, for those who cannot see it."""
    best = f"{len(data.names)} algorithms by mean rank, from {data.names[0]} ({data.mean_ranks[0]:.2f}, the best)"
    worst = f" to {data.names[-1]} ({data.mean_ranks[-1]:.2f})."
    difference = "" if critical_difference is None else f" The critical difference is {critical_difference:.2f}."
    groups = [", ".join(data.names[i] for i in group) for group in data.groups[:6]]
    apart = f" Not told apart: {'; '.join(groups)}." if groups else ""
    more = f" And {len(data.groups) - 6} more groups." if len(data.groups) > 6 else ""
    return best + worst + difference + apart + more
