"""Scenes drawn by matplotlib: screens, PNG, PDF, PGF.

In given axes a point stays a point, so that text has the size it was laid out with; what does not fit is made smaller.
"""

from __future__ import annotations

import functools
import io
import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import matplotlib
from matplotlib import text as matplotlib_text
from matplotlib.collections import Collection, LineCollection, PathCollection
from matplotlib.colors import to_rgba
from matplotlib.figure import Figure
from matplotlib.path import Path as Outline

from podium.core.escape import latex, spelled_out, visible, without_isolates
from podium.plot.scene import Circle, Curve, Drawn, Line, Polyline, Scene, Shape, Text
from podium.plot.style import hex_colour, text_width

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_DASHES = {"dashed": (4.0, 3.0), "dotted": (1.5, 2.0)}
_ALIGNMENT = {"start": "left", "middle": "center", "end": "right"}


def draw(scene: Scene, ax: Axes | None = None) -> Axes:
    """Draw the scene into the axes, or into a new figure of the scene's own size; returns the axes."""
    if ax is None:
        import matplotlib.pyplot as plt

        figure = plt.figure(figsize=(scene.width / 72, scene.height / 72))
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    width, height = size_of(ax)
    scale = min(1.0, width / scene.width, height / scene.height)
    # Where the axes are larger than the scene, it stands in their middle.
    beside, above = (width / scale - scene.width) / 2, (height / scale - scene.height) / 2
    ax.set_xlim(-beside, scene.width + beside)
    ax.set_ylim(scene.height + above, -above)
    ax.set_aspect("equal")
    ax.set_axis_off()
    # Neighbours of one kind become one collection: thousands of cells are drawn at once.
    for order, (kind, alike) in enumerate(itertools.groupby(scene.shapes, key=type)):
        shapes: list[Any] = list(alike)
        if kind is not Text:
            _add_drawn(kind, shapes, ax, scale, order)
            continue
        for text in shapes:
            _add_text(text, ax, scale, order)
    return ax


def size_of(ax: Axes) -> tuple[float, float]:
    """The width and height of axes in points."""
    figure = ax.get_figure(root=True)
    assert figure is not None
    box = ax.get_window_extent()
    return box.width * 72 / figure.dpi, box.height * 72 / figure.dpi


def to_figure(scene: Scene) -> Figure:
    """A new figure of the scene's own size that pyplot does not know of, for writing files."""
    figure = Figure(figsize=(scene.width / 72, scene.height / 72))
    draw(scene, figure.add_axes((0.0, 0.0, 1.0, 1.0)))
    return figure


def file_of(scene: Scene, kind: str, dpi: float) -> bytes:
    """A file in a format of matplotlib; a PDF embeds its fonts as TrueType, as publishers ask."""
    file = io.BytesIO()
    with matplotlib.rc_context({"pdf.fonttype": 42}):
        to_figure(scene).savefig(file, format=kind, dpi=dpi)
    return file.getvalue()


def _stroke(shape: Drawn, scale: float) -> tuple[float, Any]:
    if shape.stroke is None or shape.dash == "solid":
        return shape.stroke_width * scale if shape.stroke else 0.0, "solid"
    # Matplotlib counts dashes in widths of the line, the scene in points.
    pattern = tuple(length / shape.stroke_width for length in _DASHES[shape.dash])
    return shape.stroke_width * scale, (0, pattern)


def _add_drawn(kind: type[Shape], shapes: list[Drawn], ax: Axes, scale: float, order: int) -> None:
    widths, dashes = zip(*(_stroke(shape, scale) for shape in shapes), strict=True)
    edges = [_rgba(shape.stroke, shape.opacity) for shape in shapes]
    shared: dict[str, Any] = {"linewidths": widths, "linestyles": list(dashes), "zorder": order + 1, "clip_on": False}
    drawn: Collection
    if kind in (Line, Polyline):
        drawn = LineCollection([list(shape.points) for shape in shapes], colors=edges, capstyle="butt", **shared)
    else:
        fills = [_rgba(shape.fill, shape.opacity) for shape in shapes]
        drawn = PathCollection([_path(shape) for shape in shapes], facecolors=fills, edgecolors=edges, **shared)
        drawn.set_transform(ax.transData)
    ax.add_collection(drawn, autolim=False)


def _rgba(colour: str | None, opacity: float) -> tuple[float, float, float, float]:
    return to_rgba(hex_colour(colour), opacity) if colour else (0.0, 0.0, 0.0, 0.0)


def _path(shape: Drawn) -> Any:
    match shape:
        case Circle():
            return Outline.circle((shape.x, shape.y), shape.radius)
        case Curve():
            return Outline(list(shape.points), [Outline.MOVETO, Outline.CURVE4, Outline.CURVE4, Outline.CURVE4])
        case _:
            points = list(shape.points)
            return Outline([*points, points[0]], closed=True)


def _add_text(text: Text, ax: Axes, scale: float, order: int) -> None:
    x, y = text.baseline
    content = drawable(text.text)
    # Spelled-out characters are squeezed into the room that the text was given.
    fit = min(1.0, text.width / text_width(content, text.size, bold=text.bold)) if content != text.text else 1.0
    artist = _PlainText(
        x,
        y,
        content,
        raw=text.text,
        fontsize=text.size * scale * fit,
        fontweight="bold" if text.bold else "normal",
        color=hex_colour(text.colour),
        ha=_ALIGNMENT[text.anchor],
        va="baseline",
        rotation=text.rotation,
        rotation_mode="anchor",
        transform=ax.transData,
        zorder=order + 1,
        clip_on=False,
    )
    ax.add_artist(artist)


class _PlainText(matplotlib_text.Text):
    """A text artist that shows `shown`, and gives `raw`, escaped, to drawing that goes through LaTeX (PGF, usetex)."""

    def __init__(self, x: float, y: float, shown: str, *, raw: str, **options: Any) -> None:
        super().__init__(x, y, shown, parse_math=False, **options)
        self._raw = raw

    @contextmanager
    def _as_read_by(self, renderer: Any) -> Iterator[None]:
        inner = getattr(renderer, "_renderer", renderer)
        shown = self.get_text()
        # Hinting makes letters up to 8% wider on a screen than they are: labels would leave the room they have.
        hinting = matplotlib.rcParams["text.hinting"]
        matplotlib.rcParams["text.hinting"] = "no_hinting"
        if self.get_usetex() or type(inner).__module__.endswith("backend_pgf"):
            self.set_text(latex(self._raw))
        try:
            yield
        finally:
            self.set_text(shown)
            matplotlib.rcParams["text.hinting"] = hinting

    def draw(self, renderer: Any) -> None:
        """Draw with the renderer."""
        with self._as_read_by(renderer):
            super().draw(renderer)

    def get_window_extent(self, renderer: Any = None, dpi: float | None = None) -> Any:
        """The box around the text."""
        with self._as_read_by(renderer):
            return super().get_window_extent(renderer, dpi)


def drawable(text: str) -> str:
    """The text on one line, with characters that no font in use has spelled out."""
    text = without_isolates(visible(text))
    if text.isascii():
        return text
    drawn = _known_characters(_families())
    runs = itertools.groupby((c for c in text if c != "\ufe0f"), key=lambda character: ord(character) in drawn)
    return "".join("".join(run) if is_known else spelled_out("".join(run)) for is_known, run in runs)


def _families() -> tuple[str, ...]:
    """The families that matplotlib will look through, generic names resolved."""
    settings: Any = matplotlib.rcParams
    generic = ("serif", "sans-serif", "cursive", "fantasy", "monospace")
    return tuple(
        family
        for name in settings["font.family"]
        for family in (settings[f"font.{name}"] if name in generic else [name])
    )


@functools.cache
def _known_characters(families: tuple[str, ...]) -> frozenset[int]:
    from matplotlib.font_manager import FontProperties, findfont, get_font, get_font_names

    installed = set(get_font_names())
    usable = [family for family in families if family in installed]
    # For a generic name matplotlib takes the first family that is installed, and no other.
    paths = [findfont(FontProperties(family=family)) for family in usable[:1] or ["DejaVu Sans"]]
    return frozenset(code for path in paths for code in get_font(path).get_charmap())
