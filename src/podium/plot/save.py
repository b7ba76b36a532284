"""Scenes to files: the ending of the name decides the form."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from podium.core import check
from podium.plot.draw_matplotlib import to_figure
from podium.plot.draw_svg import to_svg
from podium.plot.draw_tikz import to_tikz
from podium.plot.scene import Rect, Scene

__all__ = ["save_figure"]

SUFFIXES = (".svg", ".tikz", ".tex", ".pdf", ".pgf", ".png")


def save_figure(scene: Scene, path: str | Path, *, dpi: float = 200) -> Path:
    r"""Write the scene as .svg, .tikz (to \input), .tex (a whole document), .pdf, .pgf or .png.

    .svg, .tikz and .tex come from Podium itself, the others from matplotlib; `dpi` is for .png.
    """
    path = Path(path)
    suffix = check.choice("the ending of `path`", path.suffix.lower(), SUFFIXES)
    if suffix == ".svg":
        # A file is shown on grounds of any colour: it brings its own.
        ground = Rect(0, 0, scene.width, scene.height, fill="paper", stroke=None)
        path.write_text(to_svg(replace(scene, shapes=(ground, *scene.shapes)), id="figure") + "\n", encoding="utf-8")
    elif suffix in (".tikz", ".tex"):
        path.write_text(to_tikz(scene, standalone=suffix == ".tex"), encoding="utf-8")
    else:
        to_figure(scene).savefig(path, dpi=dpi)
    return path
