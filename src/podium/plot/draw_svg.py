"""Scenes as inline SVG for a page: accessible, scalable, without script, style attribute or outside reference.

Colours are presentation attributes, so that the picture is right on its own; shapes also carry the classes `pf-ROLE`
(filled) and `ps-ROLE` (stroked), with which the style sheet `STYLE`, put once into the page, follows light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from podium.core.errors import ArgumentError
from podium.core.escape import xml
from podium.plot.palette import DARK, LIGHT, hex_colour, is_role
from podium.plot.scene import Circle, Curve, Line, Polygon, Polyline, Rect, Scene, Shape, Text

FONTS = "Helvetica, Arial, &#39;Liberation Sans&#39;, &#39;DejaVu Sans&#39;, sans-serif"
_DASHES = {"dashed": "4 3", "dotted": "1.5 2"}
_ID = re.compile(r"[A-Za-z][A-Za-z0-9_-]*")


def _style() -> str:
    def variables(colours: dict[str, str]) -> str:
        return "".join(f"--podium-{role}:{colour};" for role, colour in colours.items())

    roles = "".join(
        f".podium-figure .{kind}-{role}{{{paint}:var(--podium-{role})}}"
        for role in LIGHT
        for kind, paint in (("pf", "fill"), ("ps", "stroke"))
    )
    return (
        f":root{{{variables(LIGHT)}}}"
        f"@media (prefers-color-scheme:dark){{:root:not([data-theme=light]){{{variables(DARK)}}}}}"
        f":root[data-theme=dark]{{{variables(DARK)}}}"
        f"@media print{{:root,:root:not([data-theme=light]),:root[data-theme=dark]{{{variables(LIGHT)}}}}}"
        f".podium-figure{{max-width:100%;height:auto}}{roles}"
    )


#: The style sheet that pages put once into a <style> element.
STYLE = _style()


def to_svg(scene: Scene, *, id: str) -> str:
    """The scene as one <svg> element; `id` must be unique in the page."""
    if not _ID.fullmatch(id):
        raise ArgumentError(f"`id` must be a letter followed by letters, digits, '-' or '_'; got {id!r}.")
    width, height = _number(scene.width), _number(scene.height)
    # A point is 4/3 pixels of a page: text of 9 points is as large as the text around it.
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="podium-figure" id="{id}" viewBox="0 0 {width} {height}" '
        f'width="{_number(scene.width * 4 / 3)}" height="{_number(scene.height * 4 / 3)}" role="img" '
        f'aria-labelledby="{id}-title {id}-desc" font-family="{FONTS}">'
        f'<title id="{id}-title">{xml(scene.title)}</title><desc id="{id}-desc">{xml(scene.description)}</desc>'
    )
    return "\n".join([head, *(_element(shape) for shape in scene.shapes), "</svg>"])


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".").replace("-0", "-0" if abs(value) >= 0.005 else "0")


def _points(shape: Polyline | Polygon) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in shape.points)


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        return _text(shape)
    tag, geometry = _geometry(shape)
    attributes = " ".join([geometry, *_paint(shape), *_belonging(shape)])
    return f"<{tag} {attributes}>{_title(shape)}</{tag}>" if shape.title else f"<{tag} {attributes}/>"


def _geometry(shape: Line | Polyline | Curve | Polygon | Rect | Circle) -> tuple[str, str]:
    n = _number
    match shape:
        case Line():
            return "line", f'x1="{n(shape.x1)}" y1="{n(shape.y1)}" x2="{n(shape.x2)}" y2="{n(shape.y2)}"'
        case Polyline():
            return "polyline", f'points="{_points(shape)}"'
        case Polygon():
            return "polygon", f'points="{_points(shape)}"'
        case Curve():
            start, *rest = (f"{n(x)} {n(y)}" for x, y in shape.points)
            return "path", f'd="M{start}C{", ".join(rest)}"'
        case Rect():
            return "rect", f'x="{n(shape.x)}" y="{n(shape.y)}" width="{n(shape.width)}" height="{n(shape.height)}"'
        case Circle():
            return "circle", f'cx="{n(shape.x)}" cy="{n(shape.y)}" r="{n(shape.radius)}"'


def _paint(shape: Line | Polyline | Curve | Polygon | Rect | Circle) -> Iterator[str]:
    fill = shape.fill if isinstance(shape, Polygon | Rect | Circle) else None
    classes = [shape.css] if shape.css else []
    classes += [f"pf-{fill}"] if fill and is_role(fill) else []
    classes += [f"ps-{shape.stroke}"] if shape.stroke and is_role(shape.stroke) else []
    if classes:
        yield f'class="{xml(" ".join(classes))}"'
    if not isinstance(shape, Line):
        yield f'fill="{hex_colour(fill) if fill else "none"}"'
    if shape.stroke:
        yield f'stroke="{hex_colour(shape.stroke)}" stroke-width="{_number(shape.stroke_width)}"'
        if shape.dash != "solid":
            yield f'stroke-dasharray="{_DASHES[shape.dash]}"'
    if shape.opacity < 1:
        yield f'opacity="{_number(shape.opacity)}"'


def _belonging(shape: Shape) -> Iterator[str]:
    if shape.key:
        yield f'data-key="{xml(shape.key)}"'


def _title(shape: Shape) -> str:
    if not shape.title:
        return ""
    return "<title>" + "\n".join(xml(line) for line in shape.title.split("\n")) + "</title>"


def _text(text: Text) -> str:
    x, y = text.baseline
    classes = [text.css] if text.css else []
    classes += [f"pf-{text.colour}"] if is_role(text.colour) else []
    attributes = [f'x="{_number(x)}" y="{_number(y)}" font-size="{_number(text.size)}"']
    if classes:
        attributes.append(f'class="{xml(" ".join(classes))}"')
    attributes.append(f'fill="{hex_colour(text.colour)}"')
    if text.anchor != "start":
        attributes.append(f'text-anchor="{text.anchor}"')
    if text.bold:
        attributes.append('font-weight="bold"')
    if text.rotation:
        attributes.append(f'transform="rotate({_number(-text.rotation)} {_number(x)} {_number(y)})"')
    if text.opacity < 1:
        attributes.append(f'opacity="{_number(text.opacity)}"')
    attributes += _belonging(text)
    return f"<text {' '.join(attributes)}>{_title(text)}{xml(text.text)}</text>"
