"""Reports on disk: each file is written under another name first and then renamed, so that none is ever half there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from podium.core.errors import ArgumentError, DataError
from podium.figures.scene import Scene
from podium.report.document import Document
from podium.report.render_latex import latex_files

__all__ = ["write_figures", "write_latex", "write_scene", "write_text"]


def write_text(path: Path, text: str) -> Path:
    """Write a text file, or leave what was there untouched."""
    return _write(path, text.encode("utf-8"))


def _write(path: Path, content: bytes) -> Path:
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(content)
            os.chmod(name, 0o644)
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise DataError(f"{path} cannot be written ({error.strerror}): choose another place.") from None
    return path


def write_latex(folder: Path, document: Document) -> Path:
    """The LaTeX report and its parts, as files of one folder."""
    for name, text in latex_files(document).items():
        write_text(folder / name, text)
    return folder


def write_figures(folder: Path, document: Document) -> Path:
    """Every figure as PDF, SVG and TikZ source."""
    for key, block in document.figures().items():
        for kind in ("pdf", "svg", "tex"):
            write_scene(folder / f"{key}.{kind}", block.scene)
    return folder


def write_scene(path: Path, scene: Scene) -> Path:
    """One figure as the file's ending says: .pdf, .png, .svg or .tex (TikZ)."""
    kind = path.suffix.lower()
    if kind == ".svg":
        from podium.figures.draw_svg import to_svg

        return write_text(path, to_svg(scene, id=path.stem))
    if kind == ".tex":
        from podium.figures.draw_tikz import to_tikz

        return write_text(path, to_tikz(scene))
    if kind not in (".pdf", ".png"):
        raise ArgumentError(f"A figure is written as .pdf, .png, .svg or .tex; got {path.name!r}.")
    from io import BytesIO

    from podium.figures.draw_matplotlib import to_figure

    out = BytesIO()
    to_figure(scene).savefig(out, format=kind[1:], dpi=200, metadata={"CreationDate": None} if kind == ".pdf" else None)
    return _write(path, out.getvalue())
