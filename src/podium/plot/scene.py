"""A figure as numbers: a sheet of a certain size and the shapes on it.

The unit is the point (1/72 inch); the origin is the upper left corner, x grows to the right and y grows downwards.
Shapes are drawn in their order. Colours are roles of `podium.plot.style`. Layouts make scenes; the renderers
`draw_matplotlib`, `draw_tikz` and `draw_svg` draw them and compute nothing.

Every shape may have a `title` (shown on hovering; a line break separates lines), a `key` (what the shape belongs to,
such as the name of an algorithm, so that a page can highlight all of it) and a `css` class.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import KW_ONLY, dataclass, fields, replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias, TypeVar

from podium.core.escape import visible
from podium.plot.style import ASCENT, CAP_HEIGHT, DESCENT, text_width

if TYPE_CHECKING:
    from podium.plot.matrix import Grid
    from podium.plot.rows import Rows

T = TypeVar("T")
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # left, top, right, bottom
Anchor = Literal["start", "middle", "end"]
Dash = Literal["solid", "dashed", "dotted"]
MARGIN = 8.0  # around the shapes of a sheet


# The fields of shapes that are places or lengths; all others stay when a shape is moved or scaled.
_ACROSS = {"x", "x1", "x2"}
_DOWN = {"y", "y1", "y2"}
_LENGTHS = {"width", "height", "radius", "size", "stroke_width"}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Mark:
    """What all shapes share: what they belong to, and how they are moved."""

    title: str = ""
    key: str = ""
    css: str = ""

    def placed(self, scale: float, dx: float, dy: float) -> Self:
        """The same shape, scaled and then moved."""
        changes: dict[str, Any] = {}
        for field in fields(self):
            value = getattr(self, field.name)
            if field.name == "points":
                changes["points"] = tuple((scale * x + dx, scale * y + dy) for x, y in value)
            elif field.name in _ACROSS or field.name in _DOWN:
                changes[field.name] = scale * value + (dx if field.name in _ACROSS else dy)
            elif field.name in _LENGTHS:
                changes[field.name] = scale * value
        return replace(self, **changes)

    def moved(self, dx: float, dy: float) -> Self:
        """The same shape elsewhere."""
        return self.placed(1.0, dx, dy)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Stroked(_Mark):
    """A shape that is drawn with a pen, and may be filled."""

    fill: str | None = None
    stroke: str | None = "ink"
    stroke_width: float = 1.0
    dash: Dash = "solid"
    opacity: float = 1.0


@dataclass(frozen=True, slots=True)
class Line(_Stroked):
    """A straight line with flat ends."""

    x1: float
    y1: float
    x2: float
    y2: float

    @property
    def points(self) -> tuple[Point, ...]:
        """Both ends."""
        return (self.x1, self.y1), (self.x2, self.y2)


@dataclass(frozen=True, slots=True)
class Polyline(_Stroked):
    """Straight lines through points."""

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Curve(_Stroked):
    """One cubic Bezier curve: start, two control points, end."""

    points: tuple[Point, Point, Point, Point]


@dataclass(frozen=True, slots=True)
class Polygon(_Stroked):
    """A closed shape through points."""

    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Rect(_Stroked):
    """An upright rectangle by its upper left corner."""

    x: float
    y: float
    width: float
    height: float

    @property
    def points(self) -> tuple[Point, ...]:
        """The four corners."""
        right, bottom = self.x + self.width, self.y + self.height
        return (self.x, self.y), (right, self.y), (right, bottom), (self.x, bottom)


@dataclass(frozen=True, slots=True)
class Circle(_Stroked):
    """A circle."""

    x: float
    y: float
    radius: float

    @property
    def points(self) -> tuple[Point, ...]:
        """Two opposite corners of the square around it."""
        return (self.x - self.radius, self.y - self.radius), (self.x + self.radius, self.y + self.radius)


@dataclass(frozen=True, slots=True)
class Text(_Mark):
    """One line of text whose capitals are centred on y; `rotation` turns it counterclockwise about (x, y), in degrees.

    The text is data: no renderer reads markup or mathematics in it.
    """

    x: float
    y: float
    text: str
    _: KW_ONLY
    size: float = 9.0
    anchor: Anchor = "start"
    rotation: float = 0.0
    bold: bool = False
    colour: str = "ink"

    @property
    def width(self) -> float:
        """The room it takes along its line (an upper estimate)."""
        return text_width(visible(self.text), self.size, bold=self.bold)

    @property
    def baseline(self) -> Point:
        """The point of the baseline that renderers anchor."""
        return self._turned(0.0, self.size * CAP_HEIGHT / 2)

    @property
    def points(self) -> tuple[Point, ...]:
        """The four corners of the room it takes."""
        left = {"start": 0.0, "middle": -self.width / 2, "end": -self.width}[self.anchor]
        base = self.size * CAP_HEIGHT / 2
        top, bottom = base - self.size * ASCENT, base + self.size * DESCENT
        right = left + self.width
        return tuple(self._turned(x, y) for x, y in ((left, top), (right, top), (right, bottom), (left, bottom)))

    def _turned(self, x: float, y: float) -> Point:
        angle = math.radians(self.rotation)
        cos, sin = math.cos(angle), math.sin(angle)
        return self.x + x * cos + y * sin, self.y - x * sin + y * cos


Drawn = Line | Polyline | Curve | Polygon | Rect | Circle
Shape = Drawn | Text


def length(value: float) -> str:
    """A length as SVG and TikZ take it: hundredths of a point, and no more signs than it needs.

    >>> length(2.5), length(-0.001)
    ('2.5', '0')
    """
    text = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def is_free(box: Box, inside: Box, taken: Iterable[Box]) -> bool:
    """Whether a box lies inside another one, and on none of those that are taken."""
    if box[0] < inside[0] or box[1] < inside[1] or box[2] > inside[2] or box[3] > inside[3]:
        return False
    return not any(box[0] < b[2] and b[0] < box[2] and box[1] < b[3] and b[1] < box[3] for b in taken)


def box_of(shape: Shape) -> Box:
    """The upright box around a shape, without the width of its lines."""
    points = _on_curve(shape.points) if isinstance(shape, Curve) else shape.points
    xs, ys = zip(*points, strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _on_curve(points: tuple[Point, Point, Point, Point]) -> list[Point]:
    """Points along a Bezier curve, close enough for the box around it."""
    along = []
    for step in range(65):
        t = step / 64
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t**2 * (1 - t), t**3)
        x, y = (sum(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
        along.append((x, y))
    return along


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """A sheet and the shapes on it; `title` and `description` say to those who cannot see it what it shows."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    title: str = ""
    description: str = ""

    @property
    def texts(self) -> tuple[Text, ...]:
        """The texts among the shapes."""
        return tuple(shape for shape in self.shapes if isinstance(shape, Text))

    @property
    def is_ramped(self) -> bool:
        """Whether colours of a ramp are in it, which a page turns in the dark."""
        return any(
            isinstance(shape.fill, str) and shape.fill.startswith("ramp:")
            for shape in self.shapes
            if not isinstance(shape, Text)
        )

    def resized(self, width: float) -> Scene:
        """The scene on a sheet of this width: made smaller where it is wider, in the middle where it is narrower."""
        scale = width / self.width if self.width > width + 1e-6 else 1.0
        margin = (width - scale * self.width) / 2
        shapes = tuple(shape.placed(scale, margin, 0.0) for shape in self.shapes)
        return replace(self, width=width, height=scale * self.height, shapes=shapes)


#: What a figure lays out: shapes, or rows or cells that a page or a terminal writes as a table, on a sheet only where one is needed.
Layout: TypeAlias = "Scene | Rows | Grid"


def scene_of(layout: Layout, stretch: float = 0.0) -> Scene:
    """A layout on its sheet."""
    return layout if isinstance(layout, Scene) else layout.scene(stretch)


def sheet_around(shapes: Iterable[Shape], *, title: str, description: str) -> Scene:
    """A scene as large as its shapes and a margin; shapes are moved only where they would leave it to the left or top."""
    placed = list(shapes)
    boxes = [box_of(shape) for shape in placed]
    dx, dy = (max(0.0, MARGIN - min(box[side] for box in boxes)) for side in (0, 1))
    if dx or dy:
        placed = [shape.moved(dx, dy) for shape in placed]
    width = max(box[2] for box in boxes) + dx + MARGIN
    height = max(box[3] for box in boxes) + dy + MARGIN
    return Scene(width=width, height=height, shapes=tuple(placed), title=title, description=description)


def stacked(
    scenes: Iterable[Scene], *, headings: Iterable[str] = (), gap: float = 14.0, title: str = "", description: str = ""
) -> Scene:
    """Scenes below each other on one sheet, each under its heading, if headings are given."""
    scenes = list(scenes)
    labels = [visible(heading) for heading in headings] or [""] * len(scenes)
    shapes: list[Shape] = []
    y = 0.0
    for scene, heading in zip(scenes, labels, strict=True):
        if heading:
            shapes.append(Text(4.0, y + 8.0, heading, size=10, bold=True))
            y += 18.0
        shapes.extend(shape.moved(0.0, y) for shape in scene.shapes)
        y += scene.height + gap
    wide = max([scene.width for scene in scenes] + [8.0 + text_width(label, 10, bold=True) for label in labels])
    return Scene(width=wide, height=y - gap, shapes=tuple(shapes), title=title, description=description)
