"""Labels beside points: near their point, apart from each other and from all points."""

from __future__ import annotations

import math
from collections.abc import Sequence

from podium.plot.scene import Box, Point

__all__ = ["place_labels"]


def place_labels(
    points: Sequence[Point],
    sizes: Sequence[tuple[float, float]],
    inside: Box,
    *,
    obstacles: Sequence[Box] = (),
    clear: float = 5.0,
) -> list[Point] | None:
    """For each point the left upper corner of a free box of its label's size, or None if there is no room for all.

    Labels are placed in turn: to the right of the point if that is free, else around it, in growing circles.
    """
    taken: list[Box] = [(x - clear, y - clear, x + clear, y + clear) for x, y in points]
    taken += obstacles
    placed: list[Point] = []
    for i, (point, size) in enumerate(zip(points, sizes, strict=True)):
        own = taken[i]
        corner = _free_corner(point, size, inside, taken, own, clear)
        if corner is None:
            return None
        placed.append(corner)
        taken.append((corner[0], corner[1], corner[0] + size[0], corner[1] + size[1]))
    return placed


def _free_corner(
    point: Point, size: tuple[float, float], inside: Box, taken: list[Box], own: Box, clear: float
) -> Point | None:
    width, height = size
    for ring in range(14):
        distance = clear + 1 + 7 * ring
        for step in range(16):
            angle = 2 * math.pi * step / 16
            cos, sin = math.cos(angle), -math.sin(angle)
            # The box touches the ring with the side or corner that faces the point.
            x = point[0] + distance * cos - width * (1 - cos) / 2
            y = point[1] + distance * sin - height * (1 - sin) / 2
            box = (x, y, x + width, y + height)
            if _within(box, inside) and not any(_overlap(box, other) for other in taken if other is not own or ring):
                return x, y
    return None


def _within(box: Box, sheet: Box) -> bool:
    return box[0] >= sheet[0] and box[1] >= sheet[1] and box[2] <= sheet[2] and box[3] <= sheet[3]


def _overlap(a: Box, b: Box) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
