"""Diagrams of mean ranks for functions that give or take axes of matplotlib."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Bools, Floats
from podium.plot._cd_diagram import cd_diagram
from podium.plot.figure import Figure
from podium.stats.posthoc.cliques import GroupsResult, complete_groups, groups

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def grouped(apart: Bools, ranks: Floats, names: Sequence[str]) -> GroupsResult:
    """The groups that are not told apart, every pair of them in one."""
    return complete_groups(np.asarray(apart, dtype=bool), mean_ranks=ranks, algorithms=tuple(map(str, names)))


def within(distance: float, ranks: Floats, names: Sequence[str]) -> GroupsResult:
    """The groups whose mean ranks differ by less than a critical difference."""
    return groups(np.asarray(ranks, dtype=float), critical_difference=distance, algorithms=tuple(map(str, names)))


def diagram(found: GroupsResult, distance: float | None = None, width: float | None = None) -> Figure:
    """The diagram of the groups, with the critical difference as a bar; the width is in inches."""
    points = None if width is None else max(72.0 * width, 144.0)
    return cd_diagram(found, critical_difference=distance, width=points)


def drawn(figure: Figure, ax: Any = None, reverse: bool = False) -> Axes:
    """The figure in the axes, or in new ones of its own size; with `reverse`, the best at the right."""
    import matplotlib.pyplot as plt

    if ax is None:
        made = plt.figure(figsize=(figure.scene.width / 72, figure.scene.height / 72), facecolor="white")
        ax = made.add_axes((0, 0, 1, 1))
    return figure.draw(ax)
