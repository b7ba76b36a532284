"""Compact letters as a figure: algorithms by mean rank, each group a column of its own letter."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from podium.plot.cd_list import cd_list_scene
from podium.plot.draw_matplotlib import draw
from podium.plot.ranked import Groups, bar_title, ranked
from podium.plot.scene import Rect, Scene, Shape, Text
from podium.plot.textsize import widest
from podium.stats.posthoc.letters import letter

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_letter_list", "letter_list_layout"]

SIZE = 9.0
ROW = 13.0
PAD = 8.0
MOST_LETTERS = 52


def letter_list_layout(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    groups: Groups,
    title: str = "Compact letters",
) -> Scene:
    """The list as a scene: algorithms that share a letter are not told apart.

    `groups` hold names or places in `names`; an algorithm in no group gets a letter of its own. More than 52 groups
    cannot be read as letters: they become the list of the critical-difference diagram.
    """
    data = ranked(mean_ranks, names, groups=groups, critical_difference=None)
    k = len(data.names)
    grouped = {member for group in data.groups for member in group}
    if len(data.groups) > MOST_LETTERS:
        return cd_list_scene(data, critical_difference=None, control=None, title=title)
    columns = sorted((*data.groups, *((i,) for i in range(k) if i not in grouped)))
    marks = [letter(i) for i in range(len(columns))]
    name_x = PAD
    number_x = name_x + widest(data.labels, SIZE) + 10 + widest([f"{rank:.2f}" for rank in data.mean_ranks], SIZE)
    step = widest(marks, SIZE, bold=True) + 4
    left = number_x + 14 + step / 2
    right = left + step * (len(columns) - 0.5)
    shapes: list[Shape] = [Rect(PAD, PAD + i * ROW, right - PAD, ROW, fill="wash", stroke=None) for i in range(1, k, 2)]
    for place in range(k):
        y, name = PAD + (place + 0.5) * ROW, data.names[place]
        shapes.append(Text(name_x + 2, y, data.labels[place], size=SIZE, key=name, title=data.title(place)))
        shapes.append(
            Text(number_x, y, f"{data.mean_ranks[place]:.2f}", size=SIZE, anchor="end", colour="muted", key=name)
        )
        shapes += [
            Text(
                left + j * step, y, mark, size=SIZE, anchor="middle", bold=True, key=name, title=bar_title(data, group)
            )
            for j, (group, mark) in enumerate(zip(columns, marks, strict=True))
            if place in group
        ]
    described = f"{k} algorithms by mean rank; those that share a letter are not told apart ({len(columns)} letters)."
    return Scene(width=right + PAD, height=2 * PAD + k * ROW, shapes=tuple(shapes), title=title, description=described)


def draw_letter_list(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    groups: Groups,
    ax: Axes | None = None,
) -> Axes:
    """Draw the list with matplotlib; arguments as in `letter_list_layout`."""
    return draw(letter_list_layout(mean_ranks, names, groups=groups), ax)
