"""Reports on disk: a text is written under another name first and then renamed, so that none is ever half there."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from podium.core.errors import DataError
from podium.plot.scene import Scene
from podium.report.document import Document
from podium.report.render_latex import latex_files

__all__ = ["write_figures", "write_latex", "write_scene", "write_text"]


def write_text(path: Path, text: str) -> Path:
    """Write a text file, or leave what was there untouched."""
    with _said(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    return path


@contextmanager
def _said(path: Path) -> Iterator[None]:
    """What the system refuses becomes one sentence."""
    try:
        yield
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error.strerror}): choose another place.") from None


def write_latex(folder: Path, document: Document) -> Path:
    """The LaTeX report and its parts, as files of one folder."""
    for name, text in latex_files(document).items():
        write_text(folder / name, text)
    return folder


def write_figures(folder: Path, document: Document) -> Path:
    """Every figure as PDF, SVG and TikZ source."""
    for key, block in document.figures().items():
        for kind in ("pdf", "svg", "tikz"):
            write_scene(folder / f"{key}.{kind}", block.scene)
    return folder


def write_scene(path: Path, scene: Scene) -> Path:
    """One figure, in the form that the file's ending names (see `save_figure`)."""
    from podium.plot.save import save_figure

    with _said(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        return save_figure(scene, path)
