"""Scenes as inline SVG for a page: accessible, scalable, without script, style attribute or outside reference.

Colours are presentation attributes, so that the picture is right on its own; shapes also carry the classes `pf-ROLE`
(filled) and `ps-ROLE` (stroked), with which the style sheet `STYLE`, put once into the page, follows light and dark.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from podium.core.errors import ArgumentError
from podium.core.escape import xml
from podium.plot.scene import Circle, Curve, Drawn, Line, Polygon, Polyline, Rect, Scene, Shape, Text, length
from podium.plot.style import DARK, LIGHT, hex_colour, is_role

FONTS = "Helvetica, Arial, &#39;Liberation Sans&#39;, &#39;DejaVu Sans&#39;, sans-serif"
_DASHES = {"dashed": "4 3", "dotted": "1.5 2"}
_TURNED = "filter:invert(1) hue-rotate(180deg)"  # in the dark a ramp goes from dark to light, with its hues
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
        f".podium-figure{{max-width:100%;height:auto}}{roles}.ramped{{{variables(LIGHT)}}}"
        f"@media screen and (prefers-color-scheme:dark){{:root:not([data-theme=light]) .ramped svg{{{_TURNED}}}}}"
        f"@media screen{{:root[data-theme=dark] .ramped svg{{{_TURNED}}}}}"
    )


#: The style sheet that pages put once into a <style> element.
STYLE = _style()


def to_svg(scene: Scene, *, id: str) -> str:
    """The scene as one <svg> element; `id` must be unique in the page."""
    if not _ID.fullmatch(id):
        raise ArgumentError(f"`id` must be a letter followed by letters, digits, '-' or '_'; got {id!r}.")
    width, height = length(scene.width), length(scene.height)
    # A point is 4/3 pixels of a page: text of 9 points is as large as the text around it.
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="podium-figure" id="{id}" viewBox="0 0 {width} {height}" '
        f'width="{length(scene.width * 4 / 3)}" height="{length(scene.height * 4 / 3)}" role="img" '
        f'aria-labelledby="{id}-title {id}-desc" font-family="{FONTS}">'
        f'<title id="{id}-title">{xml(scene.title)}</title><desc id="{id}-desc">{xml(scene.description)}</desc>'
    )
    return "\n".join([head, *(_element(shape) for shape in scene.shapes), "</svg>"])


def _element(shape: Shape) -> str:
    if isinstance(shape, Text):
        return _text(shape)
    tag, geometry = _geometry(shape)
    attributes = " ".join([geometry, *_paint(shape), *_belonging(shape)])
    return f"<{tag} {attributes}>{_title(shape)}</{tag}>" if shape.title else f"<{tag} {attributes}/>"


def _geometry(shape: Drawn) -> tuple[str, str]:
    n = length
    match shape:
        case Line():
            return "line", f'x1="{n(shape.x1)}" y1="{n(shape.y1)}" x2="{n(shape.x2)}" y2="{n(shape.y2)}"'
        case Polyline() | Polygon():
            points = " ".join(f"{n(x)},{n(y)}" for x, y in shape.points)
            return type(shape).__name__.lower(), f'points="{points}"'
        case Curve():
            start, *rest = (f"{n(x)} {n(y)}" for x, y in shape.points)
            return "path", f'd="M{start}C{", ".join(rest)}"'
        case Rect():
            return "rect", f'x="{n(shape.x)}" y="{n(shape.y)}" width="{n(shape.width)}" height="{n(shape.height)}"'
        case Circle():
            return "circle", f'cx="{n(shape.x)}" cy="{n(shape.y)}" r="{n(shape.radius)}"'


def _classes(shape: Shape, fill: str | None, stroke: str | None = None) -> Iterator[str]:
    painted = [f"{kind}-{role}" for kind, role in (("pf", fill), ("ps", stroke)) if role and is_role(role)]
    if classes := [*filter(None, [shape.css]), *painted]:
        yield f'class="{xml(" ".join(classes))}"'


def _paint(shape: Drawn) -> Iterator[str]:
    yield from _classes(shape, shape.fill, shape.stroke)
    if not isinstance(shape, Line):
        yield f'fill="{hex_colour(shape.fill) if shape.fill else "none"}"'
    if shape.stroke:
        yield f'stroke="{hex_colour(shape.stroke)}" stroke-width="{length(shape.stroke_width)}"'
        if shape.dash != "solid":
            yield f'stroke-dasharray="{_DASHES[shape.dash]}"'
    if shape.opacity < 1:
        yield f'opacity="{length(shape.opacity)}"'


def _belonging(shape: Shape) -> Iterator[str]:
    if shape.key:
        yield f'data-key="{xml(shape.key)}"'


def _title(shape: Shape) -> str:
    if not shape.title:
        return ""
    return "<title>" + "\n".join(xml(line) for line in shape.title.split("\n")) + "</title>"


def _text(text: Text) -> str:
    x, y = text.baseline
    attributes = [f'x="{length(x)}" y="{length(y)}" font-size="{length(text.size)}"']
    attributes += [*_classes(text, text.colour), f'fill="{hex_colour(text.colour)}"']
    if text.anchor != "start":
        attributes.append(f'text-anchor="{text.anchor}"')
    if text.bold:
        attributes.append('font-weight="bold"')
    if text.rotation:
        attributes.append(f'transform="rotate({length(-text.rotation)} {length(x)} {length(y)})"')
    attributes += _belonging(text)
    return f"<text {' '.join(attributes)}>{_title(text)}{xml(text.text)}</text>"
