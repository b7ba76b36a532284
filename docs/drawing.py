"""Figures on pages: drawn when the documentation is built, as SVG that follows light and dark."""

from __future__ import annotations

import contextlib
import re
import traceback
from pathlib import Path

from podium.core.escape import xml
from podium.plot.draw_svg import STYLE, to_svg
from podium.plot.registry import FIGURES

GALLERY = Path(__file__).parent / "gallery.md"
LEAST = 460  # pixels: a wider figure is not made smaller than this, so that a phone shows readable text
_PICTURES: dict[str, str] = {}


class PageError(Exception):
    """A block of a page that cannot be made; the sentence says which."""


def drawn(code: str, names: dict[str, object], id: str) -> str:
    """The figure that one line of code makes, as HTML that can be moved sideways where it is too wide."""
    try:
        scene = eval(code.strip(), {**names}).scene
    except Exception as error:
        raise PageError(f"the figure {code.strip()!r} fails: {traceback.format_exc()}") from error
    label = f'role="group" aria-label="{xml(scene.title)}"'
    least = min(LEAST, round(scene.width * 4 / 3))
    picture = f'<div style="min-width:{least}px">{to_svg(scene, id=id)}</div>'
    return f'```{{raw}} html\n<div class="drawn" tabindex="0" {label}>{picture}</div>\n```\n'


class Gallery:
    """Draws the figures of one page. Each block stands alone; lines that blocks start with in common are run once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.known: dict[str, dict[str, object]] = {}

    def block(self, code: str) -> str:
        """A figure below its name, its caption and its code."""
        name = figure_of(code)
        title = f"### {name}\n\n{FIGURES[name].caption} [Reference](reference/api_plot.md#{name.replace('_', '-')})."
        return f"{title}\n\n```python\n{code.strip()}\n```\n\n{self.picture(code)}"

    def picture(self, code: str) -> str:
        """The figure alone; the reference shows it, too, so that it is drawn once."""
        if code not in _PICTURES:
            *first, last = code.strip("\n").splitlines()
            with contextlib.chdir(self.folder):
                _PICTURES[code] = drawn(last, self.names_after("\n".join(first)), f"figure-{figure_of(code)}")
        return _PICTURES[code]

    def names_after(self, code: str) -> dict[str, object]:
        if code not in self.known:
            names: dict[str, object] = {"__name__": "__page__"}
            try:
                exec(compile(code, "<page>", "exec"), names)
            except Exception as error:
                raise PageError(f"code of the gallery fails: {traceback.format_exc()}") from error
            self.known[code] = names
        return self.known[code]


def figure_of(code: str) -> str:
    """The name of the figure that the last line makes."""
    last = code.strip("\n").splitlines()[-1]
    called = re.match(r"podium\.plot\.(\w+)\(", last)
    if not called or called[1] not in FIGURES:
        raise PageError(f"a figure must be made by a function of `podium.plot`, in one line; got {last!r}")
    return called[1]


def gallery_code() -> dict[str, str]:
    """The code of the gallery by the name of its figure."""
    blocks = re.findall(r"^```\{draw\}\n(.*?)^```$", GALLERY.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    return {figure_of(code): code for code in blocks}


def style() -> str:
    """The colours of figures in light and dark; the theme marks the body, where a report marks the root."""
    return STYLE.replace(":root", "body")
