"""The figure that every function of this room gives: a scene, shown in a notebook, drawn into axes, or written to a file."""

from __future__ import annotations

import functools
import inspect
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, TypeAlias, TypedDict

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.files import write_atomically
from podium.core.numbers import fixed
from podium.plot.draw_svg import to_svg
from podium.plot.draw_tikz import to_tikz
from podium.plot.scene import Layout, Rect, Scene, scene_of
from podium.plot.style import labelled

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from podium.plot.matrix import Grid
    from podium.plot.rows import Rows

#: Axes of matplotlib to draw into.
Ax: TypeAlias = "Axes | None"
#: A column or the page of a paper with two columns, or points; None is the figure's own width.
Width: TypeAlias = Literal["column", "page"] | float | None
WIDTHS = {"column": 3.3 * 72, "page": 6.9 * 72}
SUFFIXES = (".pdf", ".svg", ".png", ".pgf", ".tikz", ".tex")

P = ParamSpec("P")


class Sheet(TypedDict, total=False):
    """The options that all figures have: axes of matplotlib to draw into, and how wide it is."""

    ax: Ax
    width: Width


_SHEET = [
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=None, annotation=kind)
    for name, kind in (("ax", "Ax"), ("width", "Width"))
]

# What the docstring of every figure says between its own parameters and its examples.
_SHARED = """\
ax : matplotlib.axes.Axes, optional
    Axes to draw into.
width : {"column", "page"} or float, optional
    How wide it is: a column or the page of a paper, or points. By default as wide as it needs.

Returns
-------
Figure
    The figure: `save` writes it, a notebook shows it.

"""


class Figure:
    """A figure of a result: `save` writes it, a notebook shows it, `draw` draws it into axes of matplotlib.

    Parameters
    ----------
    layout : Layout
        The rows, cells or shapes that a function of `podium.plot` lays out.

    Examples
    --------
    >>> import podium
    >>> podium.plot.heatmap([[0.9, 0.8], [0.7, 0.75]]).svg()[:4]
    '<svg'
    """

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @functools.cached_property
    def scene(self) -> Scene:
        """The figure on its sheet."""
        return scene_of(self._layout)

    @property
    def table(self) -> Rows | Grid | None:
        """Its rows or cells, where it has such: a page or a terminal writes these instead of the shapes."""
        return None if isinstance(self._layout, Scene) else self._layout

    @property
    def title(self) -> str:
        """Its heading."""
        return self._layout.title

    @property
    def description(self) -> str:
        """What it shows, for those who cannot see it."""
        return self._layout.description

    def __repr__(self) -> str:
        wide, high = self.scene.width / 72, self.scene.height / 72
        return f"<Figure {self.title!r}, {fixed(wide, 1)} x {fixed(high, 1)} in: .save('figure.pdf')>"

    def _repr_svg_(self) -> str:
        return self.svg(id=f"figure{zlib.crc32(repr(self.scene).encode()):08x}")

    def svg(self, *, id: str = "figure") -> str:
        """The figure as an <svg> element with its own background, for notebooks and viewers of any colour."""
        ground = Rect(0, 0, self.scene.width, self.scene.height, fill="paper", stroke=None)
        return to_svg(replace(self.scene, shapes=(ground, *self.scene.shapes)), id=id)

    def draw(self, ax: Ax = None) -> Axes:
        """Draw it into the axes, or into a new figure of pyplot; it is scaled down if it is larger than the axes."""
        from podium.plot.draw_matplotlib import draw

        return draw(self.scene, ax)

    def save(self, path: str | Path, *, dpi: float = 200) -> Path:
        r"""Write it in the format that the file's ending names, and return the path.

        .pdf (with embedded TrueType fonts), .svg, .png (with `dpi`), .pgf, .tikz (to \input) or .tex (a whole document).
        """
        path = Path(path)
        suffix = check.choice("the ending of `path`", path.suffix.lower(), SUFFIXES)
        if suffix == ".svg":
            return write_atomically(path, self.svg() + "\n")
        if suffix in (".tikz", ".tex"):
            return write_atomically(path, to_tikz(self.scene, standalone=suffix == ".tex"))
        from podium.plot.draw_matplotlib import file_of

        return write_atomically(path, file_of(self.scene, suffix.removeprefix("."), dpi))


def figure(lay_out: Callable[P, Layout]) -> Callable[P, Figure]:
    """Make a figure of what a function lays out: as wide as asked, and drawn into the axes if there are any.

    The function passes over the options of a sheet, which are used and described here. What it may use is `stretch`: by how many points the
    figure shall be wider than it is by itself; rows and cells are stretched when they are drawn. For a width, or for the width of
    the axes, the layout is made again with a longer or shorter axis, so that text keeps its size; what then remains too wide is
    made smaller.
    """
    takes = inspect.signature(lay_out).parameters
    own = [parameter for name, parameter in takes.items() if name not in ("stretch", "sheet", "ax", "width")]
    signature = inspect.Signature([*own, *_SHEET], return_annotation="Figure")

    @functools.wraps(lay_out)
    def make(*args: P.args, **options: P.kwargs) -> Figure:
        signature.bind(*args, **options)  # refuses what is no option

        def layout(stretch: float) -> Layout:
            all_options: Any = {**options, "stretch": stretch} if "stretch" in takes else options
            try:
                with labelled(_algorithms(args[0]) if args else ()):
                    return lay_out(*args, **all_options)
            except (AttributeError, TypeError) as error:
                raise _of_another_result(lay_out.__name__, args) or error from None

        def laid_out(stretch: float) -> Scene:
            return scene_of(layout(stretch), stretch)

        ax: Any = options.get("ax")
        width: Any = options.get("width")
        if width is not None:
            drawn = Figure(_as_wide(laid_out, points_of(width)).resized(points_of(width)))
        elif ax is not None:
            from podium.plot.draw_matplotlib import size_of

            drawn = Figure(_within(laid_out, *size_of(ax)))
        else:
            drawn = Figure(layout(0.0))
        if ax is not None:
            drawn.draw(ax)
        return drawn

    del make.__dict__["__wrapped__"]  # its parameters are not those that people see
    make.__dict__["__signature__"] = signature
    before, examples, shown = inspect.cleandoc(lay_out.__doc__ or "").partition("Examples\n")
    make.__doc__ = f"{before.rstrip()}\n{_SHARED}{examples}{shown}"
    return make


def _algorithms(shown: Any) -> tuple[str, ...]:
    """Whose names a figure of this writes: of a result, or of several by heading; () where it has none."""
    if isinstance(shown, Mapping):
        return tuple(name for one in shown.values() for name in _algorithms(one))
    pairs = getattr(shown, "pairs", None)
    names = getattr(shown, "algorithms", None) or getattr(pairs, "algorithms", None) or getattr(shown, "names", ())
    return tuple(name for name in names if isinstance(name, str)) if isinstance(names, tuple | list) else ()


def _of_another_result(name: str, args: tuple[Any, ...]) -> ArgumentError | None:
    """The error for a figure of what it does not show; None where it shows such results, or where nobody knows."""
    from podium.plot.registry import FIGURES, figures_of

    kind = FIGURES.get(name)
    if kind is None or not kind.shows or not args or kind in figures_of(args[0]):
        return None
    shown, fitting = args[0], figures_of(args[0])
    instead = f": its figures are {', '.join(each.name for each in fitting)}" if fitting else ""
    return ArgumentError(f"{name!r} shows results of {' or '.join(kind.shows)}; got {type(shown).__name__}{instead}.")


def points_of(width: str | float) -> float:
    """A width in points.

    >>> round(points_of("column"), 1), points_of(300)
    (237.6, 300.0)
    """
    if isinstance(width, str):
        return WIDTHS[check.choice("width", width, tuple(WIDTHS))]
    points = check.number("width", width)
    if points < 36:
        raise ArgumentError(f"`width` must be 'column', 'page' or at least 36 points; got {width}.")
    return points


def _as_wide(laid_out: Callable[[float], Scene], width: float) -> Scene:
    """The layout at this width, as nearly as its axis can; ticks and labels may move it a little, so once more.

    Some layouts have another form where they are narrow. The better of the two tries is that which need not be made
    smaller, else the narrower one.
    """
    scene, stretch = laid_out(0.0), 0.0
    tries = []
    for _ in range(2):
        stretch += width - scene.width
        scene = laid_out(stretch)
        tries.append(scene)
    fitting = [scene for scene in tries if scene.width <= width + 0.5]
    return max(fitting, key=lambda scene: scene.width) if fitting else min(tries, key=lambda scene: scene.width)


def _within(laid_out: Callable[[float], Scene], width: float, height: float) -> Scene:
    """The layout as wide as these axes, unless it grows higher than they are."""
    own, wide = laid_out(0.0), _as_wide(laid_out, width)
    if wide.height <= max(height, own.height) or wide.width <= own.width:
        return wide
    share = max(0.0, height - own.height) / (wide.height - own.height)
    return laid_out(share * (wide.width - own.width))
