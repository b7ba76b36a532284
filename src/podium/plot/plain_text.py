"""Text in matplotlib that is never read as mathematics or LaTeX, whatever draws it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import matplotlib
from matplotlib import text as matplotlib_text

from podium.core.escape import latex

__all__ = ["PlainText"]


class PlainText(matplotlib_text.Text):
    """A text artist that shows `shown`, and gives `raw`, escaped, to drawing that goes through LaTeX (PGF, usetex)."""

    def __init__(self, x: float, y: float, shown: str, *, raw: str, **options: Any) -> None:
        super().__init__(x, y, shown, parse_math=False, **options)
        self._raw = raw

    @contextmanager
    def _as_read_by(self, renderer: Any) -> Iterator[None]:
        inner = getattr(renderer, "_renderer", renderer)
        shown = self.get_text()
        # Hinting makes letters up to 8 % wider on a screen than they are: labels would leave the room they have.
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
