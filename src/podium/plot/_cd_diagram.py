"""The critical-difference diagram of Demsar (2006), and its form for pairwise tests.

Algorithms stand on an axis of mean ranks, the best on the left; bars connect those that do not differ significantly. A bar of a
pairwise test need not hold all algorithms it passes: it has dots at its members, and is dotted where it passes others.
From 41 algorithms on, or where bars would pile up, the diagram becomes a list.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, Unpack

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.numbers import fixed
from podium.plot.axes import Axis
from podium.plot.figure import Sheet, figure
from podium.plot.rows import Row, Rows, group_bars, lanes, rows_of
from podium.plot.scene import (
    Anchor,
    Circle,
    Dash,
    Layout,
    Line,
    Polyline,
    Rect,
    Scene,
    Shape,
    Text,
    scene_of,
    sheet_around,
    stacked,
)
from podium.plot.sources import Group, Ranked, RankSource, ranked_of
from podium.plot.style import widest

SIZE = 9.0
ROW = 13.0  # between label lines
LANE = 6.0  # between bars
PAD = 8.0
MOST_ALGORITHMS = 40
MOST_SHARE = 0.3  # of the width that names may take beside an axis
LEAST_SPAN, LEAST_TICKS = 0.5, 3  # of a narrow figure that its axis has, or else so many ranks on it
LEAST_TICK = 24.0  # points between the ranks that are written on the axis
MOST_LANES, MOST_LIST_LANES = 16, 40  # of bars across, and of upright ones beside a list


@figure
def cd_diagram(
    result: RankSource,
    *,
    alpha: float = 0.05,
    critical_difference: float | None = None,
    form: Literal["auto", "axis", "list"] = "auto",
    stretch: float = 0.0,
    **sheet: Unpack[Sheet],
) -> Layout:
    """Mean ranks on an axis, the best on the left; bars connect algorithms that do not differ significantly.

    Parameters
    ----------
    result : Comparison, GroupsResult, PairsResult or Multi2TestResult
        A comparison, groups, pairs, or an order of `multi2test`. A result against a control shows one critical
        difference to both sides of it where there is one, else a list with hollow marks for those that do not
        differ significantly from it.
    alpha : float, default 0.05
        Significance level for pairs; comparisons, groups and orders are already decided.
    critical_difference : float, optional
        Shown as a bar of that length; that of Nemenyi's and of the Bonferroni-Dunn test is known.
    form : {"auto", "axis", "list"}, default "auto"
        An axis or a list; "auto" is a list where an axis would be crowded.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> cd_diagram(podium.stats.nemenyi(scores)).svg()[:4]
    '<svg'
    """
    return _layouts([ranked_of(result, alpha, critical_difference)], form, stretch)[0]


@figure
def cd_stack(
    results: Mapping[str, RankSource],
    *,
    alpha: float = 0.05,
    form: Literal["auto", "axis", "list"] = "auto",
    stretch: float = 0.0,
    **sheet: Unpack[Sheet],
) -> Scene:
    """Diagrams of the same algorithms below each other: one for each metric or group of datasets.

    All diagrams have the same axis.

    Parameters
    ----------
    results : mapping
        Heading -> result, as `cd_diagram` takes it.
    alpha : float, default 0.05
        Significance level for pairs; comparisons, groups and orders are already decided.
    form : {"auto", "axis", "list"}, default "auto"
        An axis or a list; "auto" is a list where an axis would be crowded.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> cd_stack({"small": podium.stats.nemenyi(scores), "large": podium.stats.nemenyi(scores[:3])}).svg()[:4]
    '<svg'
    """
    rows = {heading: ranked_of(result, alpha) for heading, result in results.items()}
    if not rows or len({frozenset(data.names) for data in rows.values()}) > 1:
        raise ArgumentError("A stack needs results of the same algorithms.")
    scenes = [scene_of(each, stretch) for each in _layouts(list(rows.values()), form, stretch)]
    description = " ".join(f"{heading}: {scene.description}" for heading, scene in zip(rows, scenes, strict=True))
    return stacked(scenes, headings=list(rows), title="Critical-difference diagrams", description=description)


def _layouts(stack: Sequence[Ranked], form: str, stretch: float) -> list[Layout]:
    check.choice("form", form, ("auto", "axis", "list"))
    frame = _frame(stack, stretch)
    if form == "list" or (form == "auto" and any(_crowded(data, frame) for data in stack)):
        return [_list(data) for data in stack]
    return [_axis_scene(data, frame) for data in stack]


class Frame(NamedTuple):
    """The axis, where the lines to the labels at both sides end, and the share of the width that the longest label takes."""

    axis: Axis
    left: float
    right: float
    share: float


def _frame(stack: Sequence[Ranked], stretch: float) -> Frame:
    """The frame of all these diagrams: between the labels, or above them where the figure is made narrower.

    An axis that finds no room above its labels is no better than names that take too much.
    """
    k = len(stack[0].names)
    numbers = widest([rank for data in stack for rank in data.ranks], SIZE - 1)
    bold, half = any(data.control is not None for data in stack), (k + 1) // 2
    names = [
        widest([label for data in stack for label in data.labels[part]], SIZE, bold=bold)
        for part in (slice(half), slice(half, None))
    ]
    left, right = (9 + numbers + name for name in names)
    length = max(280.0, 12.0 * k)
    whole = max(left + 24 + length + right + stretch, 36.0)
    share = max(names) / whole
    if stretch >= 0:
        start = PAD + left + 12
        axis = Axis(*_limits(stack), start, start + length + stretch)
        return Frame(axis, axis.start - 12, axis.end + 12, share)
    axis = _spanning(stack, PAD, PAD + whole, left, right)
    squeezed = axis.end - axis.start < LEAST_SPAN * whole and len(_written_ranks(axis)) < LEAST_TICKS
    return Frame(axis, PAD + left, PAD + whole - right, 1.0 if squeezed else share)


def _spanning(stack: Sequence[Ranked], start: float, end: float, left: float, right: float) -> Axis:
    """An axis from edge to edge, as long as no mark stands above the labels of its side; else it ends beside these."""
    k = len(stack[0].names)
    half = (k + 1) // 2
    low, high = _used(stack)
    for lower, upper in ((low, high), (low - 1, high), (low, high + 1), (low - 1, high + 1)):
        axis = Axis(max(lower, 1), min(upper, max(k, 2)), start, end)
        if all(
            axis(data.mean_ranks[0]) > start + left + 4
            and axis(data.mean_ranks[min(half, k - 1)]) < end - right - 4
            and axis(data.mean_ranks[-1]) < end - right - 4
            for data in stack
        ):
            return axis
    return Axis(low, high, start + left + 12, end - right - 12)


def _limits(stack: Sequence[Ranked]) -> tuple[int, int]:
    """Whole ranks around all mean ranks: from 1 to k for up to ten algorithms, else only the part that is used."""
    low, high = _used(stack)
    k = len(stack[0].names)
    return (min(1, low), max(k, high, 2)) if k <= 10 else (low, high)


def _used(stack: Sequence[Ranked]) -> tuple[int, int]:
    """Whole ranks around all mean ranks, with room for the critical difference."""
    low = math.floor(min(data.mean_ranks[0] for data in stack))
    high = math.ceil(max(data.mean_ranks[-1] for data in stack))
    return low, max(high, low + 1, *(low + math.ceil(data.critical_difference or 0) for data in stack))


def _spans(data: Ranked, x: Axis) -> list[tuple[float, float]]:
    """Where the bars of groups begin and end; a little wider than the ranks, so that ties have a bar too."""
    return [(x(data.mean_ranks[group[0]]) - 3, x(data.mean_ranks[group[-1]]) + 3) for group in data.groups]


def _crowded(data: Ranked, frame: Frame) -> bool:
    """Whether an axis would be hard to read, or names take too much of the width; a control without a critical difference would be a row of dots on dots."""
    if len(data.names) > MOST_ALGORITHMS or (data.control is not None and data.critical_difference is None):
        return True
    return frame.share > MOST_SHARE or max(lanes(_spans(data, frame.axis), 4.0), default=-1) + 1 > MOST_LANES


def _axis_scene(data: Ranked, frame: Frame) -> Scene:
    x = frame.axis
    difference = data.critical_difference
    top = PAD + (24.0 if difference is not None else 0.0) + 14.0
    shapes: list[Shape] = _ruler(x, top)
    if difference is not None:
        shapes += _difference_bar(x, top - 24.0, difference)
    if data.control is not None and difference is not None:
        shapes += _control_stretch(data, x, top, difference, data.control)
    bars, depth = _bars(data, x, top + 11.0)
    first_row = top + 14.0 + depth + (8.0 if data.control is not None else 0.0)
    shapes += _leaders(data, frame, top, first_row)
    shapes += bars
    return sheet_around(shapes, title=_title(data), description=_words(data))


def _title(data: Ranked) -> str:
    """What it is called: only Demsar's diagram has a critical difference."""
    if data.critical_difference is not None:
        return "Critical-difference diagram"
    return "Mean ranks and groups" if data.groups else "Mean ranks"


def _ruler(x: Axis, y: float) -> list[Shape]:
    shapes: list[Shape] = [Line(x.start, y, x.end, y, stroke_width=1.0)]
    if int(x.high - x.low) <= 20:
        halves = (x(tick + 0.5) for tick in range(int(x.low), int(x.high)))
        shapes += [Line(half, y - 3, half, y, stroke_width=0.7) for half in halves]
    for tick in _written_ranks(x):
        shapes.append(Line(x(tick), y - 5, x(tick), y, stroke_width=1.0))
        shapes.append(Text(x(tick), y - 11, fixed(tick, 0), size=SIZE - 1, anchor="middle", colour="muted"))
    return shapes


def _written_ranks(x: Axis) -> list[int]:
    """The round ranks that are written on an axis."""
    room = (x.end - x.start) / (x.high - x.low)
    step = next(
        step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if step * room >= LEAST_TICK or step == 1000
    )
    return [tick for tick in range(int(x.low), int(x.high) + 1) if tick % step == 0 or step == 1]


def _difference_bar(x: Axis, y: float, difference: float) -> list[Shape]:
    """The critical difference to scale, from the left end of the axis on."""
    length = difference / (x.high - x.low) * (x.end - x.start)
    label, end = f"CD = {fixed(difference, 2)}", min(x.start + length, x.end)
    title = f"Critical difference {fixed(difference, 4)}"
    ends = [x.start, *([end] if end == x.start + length else [])]
    marks = [Line(place, y - 3, place, y + 3, stroke_width=1.2) for place in ends]
    return [Line(x.start, y, end, y, stroke_width=1.2, title=title), *marks, Text(end + 5, y, label, size=SIZE)]


def _control_stretch(data: Ranked, x: Axis, y: float, difference: float, control: str) -> list[Shape]:
    """One critical difference to both sides of the control, cut at the ends of the axis."""
    rank = data.mean_ranks[data.names.index(control)]
    first, last = x(max(rank - difference, x.low)), x(min(rank + difference, x.high))
    low, high = fixed(rank - difference, 3), fixed(rank + difference, 3)
    title = f"Not significantly different from {control}: mean ranks from {low} to {high}"
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
    title = data.group_title(group)
    if group[-1] - group[0] + 1 == len(group):
        return [Line(span[0], y, span[1], y, stroke_width=3.0, title=title, css="group")]
    shapes: list[Shape] = []
    dash: Dash
    for before, after in itertools.pairwise(group):
        ends = x(data.mean_ranks[before]), x(data.mean_ranks[after])
        wide, dash = (3.0, "solid") if after == before + 1 else (1.2, "dotted")
        shapes.append(Line(ends[0], y, ends[1], y, stroke_width=wide, dash=dash, title=title, css="group"))
    shapes += [
        Circle(x(data.mean_ranks[i]), y, 2.6, fill="ink", stroke=None, title=title, key=data.names[i]) for i in group
    ]
    return shapes


def _leaders(data: Ranked, frame: Frame, axis_y: float, first_row: float) -> list[Shape]:
    """From each mean rank down and out to its label: the better half on the left, the others on the right."""
    x, k, number_width = frame.axis, len(data.names), widest(data.ranks, SIZE - 1)
    left_count = (k + 1) // 2
    shapes: list[Shape] = []
    for place in range(k):
        on_left, is_control = place < left_count, data.names[place] == data.control
        anchor: Anchor = "end" if on_left else "start"
        y = first_row + ROW * (place if on_left else k - 1 - place)
        edge = frame.left if on_left else frame.right
        out = -1 if on_left else 1
        at, key, title = x(data.mean_ranks[place]), data.names[place], data.title(place)
        shapes.append(Polyline(((at, axis_y), (at, y), (edge, y)), stroke_width=0.7, key=key, title=title))
        number_x = edge + out * (4 + number_width) if on_left else edge + 4
        name_x = edge + out * (4 + number_width + 5)
        shapes.append(Text(number_x, y, data.ranks[place], size=SIZE - 1, colour="muted", key=key))
        label = data.labels[place]
        shapes.append(Text(name_x, y, label, size=SIZE, anchor=anchor, key=key, title=title, bold=is_control))
    return shapes


def _list(data: Ranked) -> Rows:
    """The same as rows: mean ranks, half of the critical difference to each side, groups as upright bars."""
    half = math.nan if data.critical_difference is None or data.control is not None else data.critical_difference / 2
    low, high = math.floor(data.mean_ranks[0]), math.ceil(data.mean_ranks[-1])
    high = max(high, low + 1)
    rows = [
        Row(
            names=(name,),
            value=rank,
            low=max(rank - half, low),
            high=min(rank + half, high),
            fill="full" if data.control is None or name == data.control or place not in data.alike else "none",
            tone="reference" if name == data.control else "plain",
            tag="control" if name == data.control else "",
            texts=(text,),
        )
        for place, (name, rank, text) in enumerate(zip(data.names, data.mean_ranks, data.ranks, strict=True))
    ]
    difference = "" if data.critical_difference is None else f"; CD = {fixed(data.critical_difference, 2)}"
    reach = ", lines reach half of it to each side" if not math.isnan(half) else ""
    bars = group_bars(data.groups, MOST_LIST_LANES)
    return rows_of(
        _title(data),
        f"Mean rank, lower is better{difference}{reach}",
        rows,
        limits=(low, high),
        heads=("Mean rank",),
        bars=bars,
        legend=(("none", "not significantly different from the control"), ("plain", "significantly different from it"))
        if data.control
        else (),
        joins="Bars connect algorithms that do not differ significantly." if bars else "",
        words=_words(data),
    )


def _words(data: Ranked) -> str:
    """What the diagram shows, for those who cannot see it."""
    cd = data.critical_difference
    difference = "" if cd is None else f" The critical difference is {fixed(cd, 2)}."
    if data.control is not None:
        alike = ", ".join(data.names[i] for i in data.alike) or "none"
        return f"{data.ends()}.{difference} Not significantly different from the control {data.control}: {alike}."
    groups = [", ".join(data.names[i] for i in group) for group in data.groups[:6]]
    apart = f" Not significantly different: {'; '.join(groups)}." if groups else ""
    more = f" And {len(data.groups) - 6} more groups." if len(data.groups) > 6 else ""
    return f"{data.ends()}.{difference}{apart}{more}"
