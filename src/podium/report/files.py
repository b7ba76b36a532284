"""Reports on disk: each file is written under another name first and then renamed, so that none is ever half there."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

from podium.core.errors import DataError
from podium.report.document import Document
from podium.report.render_latex import latex_files

__all__ = ["write_figures", "write_latex", "write_text"]


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
    from io import BytesIO

    from podium.figures.draw_matplotlib import to_figure
    from podium.figures.draw_svg import to_svg
    from podium.figures.draw_tikz import to_tikz

    for key, block in document.figures().items():
        out = BytesIO()
        to_figure(block.scene).savefig(out, format="pdf", metadata={"CreationDate": None})
        _write(folder / f"{key}.pdf", out.getvalue())
        write_text(folder / f"{key}.svg", to_svg(block.scene, id=key))
        write_text(folder / f"{key}.tex", to_tikz(block.scene))
    return folder
