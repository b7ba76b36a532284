"""Diagrams of mean ranks for functions that give or take axes of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Bools, Floats
from podium.plot._cd_diagram import cd_diagram
from podium.plot.figure import Figure
from podium.plot.scene import Rect, Shape
from podium.stats.posthoc.cliques import GroupsResult, complete_groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def grouped(apart: Bools, ranks: Floats, names: Sequence[str]) -> GroupsResult:
    """The groups that are not told apart, every pair of them in one."""
    return complete_groups(np.asarray(apart, dtype=bool), mean_ranks=ranks, algorithms=tuple(map(str, names)))


def diagram(
    found: GroupsResult, distance: float | None = None, width: float | None = None, reverse: bool = False
) -> Figure:
    """The diagram of the groups, with the critical difference as a bar; the width is in inches.

    With `reverse`, the best stands at the right, where some packages put it.
    """
    points = None if width is None else max(72.0 * width, 144.0)
    made = cd_diagram(found, critical_difference=distance, width=points)
    if not reverse:
        return made
    return Figure(replace(made.scene, shapes=tuple(_turned(shape, made.scene.width) for shape in made.scene.shapes)))


def _turned(shape: Shape, width: float) -> Shape:
    """A shape seen from behind the sheet; a text stays legible."""
    changes: dict[str, Any] = {}
    for field in fields(shape):
        value = getattr(shape, field.name)
        if field.name in ("x", "x1", "x2"):
            changes[field.name] = width - value - (shape.width if isinstance(shape, Rect) else 0.0)
        elif field.name == "points":
            changes["points"] = tuple((width - x, y) for x, y in value)
        elif field.name == "anchor":
            changes["anchor"] = {"start": "end", "end": "start"}.get(value, value)
    return replace(shape, **changes)


def drawn(figure: Figure, ax: Any = None) -> Axes:
    """The figure in the axes, or in new ones of its own size."""
    import matplotlib.pyplot as plt

    if ax is None:
        made = plt.figure(figsize=(figure.scene.width / 72, figure.scene.height / 72), facecolor="white")
        ax = made.add_axes((0, 0, 1, 1))
    return figure.draw(ax)
