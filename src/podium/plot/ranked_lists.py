"""Ranked algorithms without an axis: compact letters, and names with lines under what is not told apart."""

from __future__ import annotations

from podium.core.numbers import fixed
from podium.plot.axes import PAD, STRETCH, stripes
from podium.plot.cd_list import cd_list_scene
from podium.plot.figure import Ax, Width, figure
from podium.plot.ranked import Ranked, bar_title, lanes
from podium.plot.scene import Line, Scene, Shape, Text, box_of
from podium.plot.sources import RankSource, ranked_of
from podium.plot.textsize import text_width, widest
from podium.stats.posthoc.letters import letter

SIZE = 9.0
ROW = 13.0
MOST_LETTERS = 52
WIDEST_LINE = 792.0  # 11 inches of names


@figure
def letter_list(result: RankSource, *, alpha: float = 0.05, ax: Ax = None, width: Width = None) -> Scene:
    """Algorithms by mean rank with compact letters: those that share a letter are not told apart.

    Results are those of `cd_diagram`; `alpha` is the level for pairs. An algorithm in no group gets a letter of its
    own. More than 52 groups cannot be read as letters: they become the list of the critical-difference diagram.
    """
    data = ranked_of(result, alpha)
    k = len(data.names)
    grouped = {member for group in data.groups for member in group}
    if len(data.groups) > MOST_LETTERS:
        return cd_list_scene(data)
    columns = sorted((*data.groups, *((i,) for i in range(k) if i not in grouped)))
    marks = [letter(i) for i in range(len(columns))]
    number_x = PAD + widest(data.labels, SIZE) + 10 + widest(data.ranks, SIZE)
    step = widest(marks, SIZE, bold=True) + 4
    left = number_x + 14 + step / 2
    right = left + step * (len(columns) - 0.5)
    shapes = stripes(k, PAD, ROW, PAD, right)
    for place, name in enumerate(data.names):
        y = PAD + (place + 0.5) * ROW
        shapes.append(Text(PAD + 2, y, data.labels[place], size=SIZE, key=name, title=data.title(place)))
        shapes.append(Text(number_x, y, data.ranks[place], size=SIZE, anchor="end", colour="muted", key=name))
        for j, (group, mark) in enumerate(zip(columns, marks, strict=True)):
            if place in group:
                hover = bar_title(data, group)
                shapes.append(
                    Text(left + j * step, y, mark, size=SIZE, anchor="middle", bold=True, key=name, title=hover)
                )
    return Scene(
        width=right + PAD,
        height=2 * PAD + k * ROW,
        shapes=tuple(shapes),
        title="Compact letters",
        description=f"{k} algorithms by mean rank; those that share a letter are not told apart "
        f"({len(columns)} letters).",
    )


@figure
def underlined_ranks(result: RankSource, *, alpha: float = 0.05, ax: Ax = None, width: Width = None) -> Scene:
    """Names in the order of their mean ranks, with a line under each group that is not told apart.

    Results are those of `cd_diagram`; `alpha` is the level for pairs. Where names would take more than 11 inches, the
    list of the critical-difference diagram.
    """
    data = ranked_of(result, alpha)
    widths = [max(text_width(label, SIZE), 26.0) for label in data.labels]
    if sum(widths) + 14 * len(widths) > WIDEST_LINE:
        return cd_list_scene(data)
    gap = max(8.0, 14.0 + min(STRETCH.get(), 0.0) / len(widths))
    starts = [PAD + sum(widths[:i]) + gap * i for i in range(len(widths))]
    shapes: list[Shape] = []
    for i, (label, name) in enumerate(zip(data.labels, data.names, strict=True)):
        x = starts[i] + widths[i] / 2
        shapes.append(Text(x, PAD + 5, label, size=SIZE, anchor="middle", key=name, title=data.title(i)))
        shapes.append(Text(x, PAD + 17, data.ranks[i], size=SIZE - 1, anchor="middle", colour="muted", key=name))
    levels = lanes([(group[0], group[-1]) for group in data.groups], 1.0)
    for group, level in zip(data.groups, levels, strict=True):
        shapes += _underline(data, group, starts, widths, PAD + 27 + 5 * level)
    height = PAD + 27 + 5 * max(levels, default=0) + PAD
    if data.critical_difference is not None:
        height += 12
        difference = f"CD = {fixed(data.critical_difference, 2)}"
        shapes.append(Text(PAD, height - 10, difference, size=SIZE - 1, colour="muted"))
    return Scene(
        width=max([starts[-1] + widths[-1], *(box_of(shape)[2] for shape in shapes)]) + PAD,
        height=height,
        shapes=tuple(shapes),
        title="Mean ranks with underlines",
        description=f"{len(data.names)} algorithms by mean rank: {', '.join(data.names)}; "
        "lines join those not told apart.",
    )


def _underline(data: Ranked, group: tuple[int, ...], starts: list[float], widths: list[float], y: float) -> list[Shape]:
    """Thick below members, dotted below those between that do not belong."""
    title = bar_title(data, group)
    shapes: list[Shape] = []
    for i in range(group[0], group[-1] + 1):
        end = starts[i] + widths[i]
        to = starts[i + 1] if i < group[-1] else end
        thick = starts[i] if i not in group else to if i + 1 in group else end
        if thick > starts[i]:
            shapes.append(Line(starts[i], y, thick, y, stroke_width=2.0, title=title))
        if to > thick:
            shapes.append(Line(thick, y, to, y, dash="dotted", title=title))
    return shapes
