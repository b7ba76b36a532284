"""`show(document)`: where a document goes: to the terminal, to standard output, to files.

Every command ends with it: its output options have the names of the arguments, so that it passes them on as they are.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.core.files import write_atomically, writing
from podium.plot.figure import Figure
from podium.plot.scene import Scene
from podium.report.document import Document
from podium.report.render_html import render_html
from podium.report.render_json import render_csv, render_json
from podium.report.render_latex import latex_files, render_latex
from podium.report.render_markdown import render_markdown, render_short_markdown
from podium.report.render_pdf import write_pdf
from podium.report.render_text import print_document, terminal

STANDARD_OUTPUT = "-"
FIGURE_FORMS = ("pdf", "svg", "tikz")

Target = str | Path | None

# What is printed goes into a comment on a pull request; what is written is the whole report.
SHORT: dict[Callable[[Document], str], Callable[[Document], str]] = {render_markdown: render_short_markdown}


def show(
    document: Document,
    *,
    html: Target = None,
    pdf: Target = None,
    md: Target = None,
    latex: Target = None,
    json: Target = None,
    csv: Target = None,
    figures: Target = None,
    quiet: bool = False,
) -> list[Path]:
    """Write the document in every form that was asked for; without "-" or `quiet` also print it for people.

    Each argument is the name of a file, or "-" for standard output. `latex` is a file that ends in .tex, or a folder
    for parts that a paper takes one by one; `figures` is a folder, `pdf` a file that Chromium prints. What was written is said on the error stream and
    returned. A command is: read, compute, `show(document(result), html=html, ..., quiet=quiet)`.
    """
    forms: dict[Callable[[Document], str], Target] = {
        render_html: html,
        render_markdown: md,
        render_json: json,
        _main_table: csv,
        render_latex: latex if latex is None or str(latex) == STANDARD_OUTPUT or str(latex).endswith(".tex") else None,
    }
    written = []
    printed = False
    for render, target in forms.items():
        if target is not None and str(target) == STANDARD_OUTPUT:
            sys.stdout.write(SHORT.get(render, render)(document))
            printed = True
        elif target is not None:
            written.append(write_atomically(target, render(document)))
    if latex is not None and forms[render_latex] is None:
        written.append(_write_parts(Path(latex), document))
    if pdf is not None:
        if str(pdf) == STANDARD_OUTPUT:
            raise ArgumentError("A PDF is written to a file: give its name.")
        written.append(write_pdf(Path(pdf), document))
    if figures is not None:
        written.append(write_figures(Path(figures), document))
    if not (printed or quiet):
        print_document(document, terminal())
    for path in written:
        sys.stderr.write(visible(f"Wrote {path}") + "\n")
    return written


def _main_table(document: Document) -> str:
    if document.main is None:
        raise ArgumentError("There is no table to write as CSV.")
    return render_csv(document.main)


def _write_parts(folder: Path, document: Document) -> Path:
    for name, text in latex_files(document).items():
        write_atomically(folder / name, text)
    return folder


def write_figures(folder: Path, document: Document) -> Path:
    """Every figure as PDF, SVG and TikZ source."""
    for key, block in document.figures().items():
        for form in FIGURE_FORMS:
            write_scene(folder / f"{key}.{form}", block.scene)
    return folder


def write_scene(path: Path, scene: Scene) -> Path:
    """One figure, in the form that the file's ending names."""
    with writing(path):
        return Figure(scene).save(path)
