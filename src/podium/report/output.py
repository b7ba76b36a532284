"""`show(document)`: where a document goes: to the terminal, to standard output, to files.

Every command ends with it: its output options have the names of the arguments, so that it passes them on as they are.
"""

from __future__ import annotations

import sys
from pathlib import Path
from pkgutil import resolve_name
from typing import TYPE_CHECKING

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.core.files import STANDARD_OUTPUT, real, write_atomically, writing
from podium.report.document import Document
from podium.report.documents import document as document_of

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.plot.figure import Figure

DRAWN = ("html", "pdf", "tex")  # forms that show figures
FIGURE_FORMS = ("pdf", "svg", "tikz")

Target = str | Path | None

# Who makes each form of a document; only those that are asked for are loaded.
HOMES = {
    "html": "podium.report.render_html:render_html",
    "md": "podium.report.render_markdown:render_markdown",
    "json": "podium.report.render_json:render_json",
    "csv": "podium.report.render_json:render_main_table",
    "tex": "podium.report.render_latex:render_latex",
}
# The same of one table, by the ending of its file.
TABLE_FORMS = {
    ".tex": "podium.report.latex_tables:table_latex",
    ".md": "podium.report.render_markdown:table_markdown",
    ".html": "podium.report.html_blocks:table_html",
    ".csv": "podium.report.render_json:render_csv",
}
# What is printed goes into a comment on a pull request; what is written is the whole report.
PRINTED = {**HOMES, "md": "podium.report.render_markdown:render_short_markdown"}


def save(result: Result, path: str | Path) -> Path:
    """The report of a result in the form that the file's ending names."""
    forms = {f".{form}": form for form in (*HOMES, "pdf")}
    form = forms[check.choice("the ending of `path`", Path(path).suffix.lower(), tuple(forms))]
    report = document_of(result, drawn=form in DRAWN)
    return _write_pdf(path, report) if form == "pdf" else write_atomically(path, resolve_name(HOMES[form])(report))


def latex_of(result: Result) -> str:
    """The report of a result as a LaTeX document."""
    return str(resolve_name(HOMES["tex"])(document_of(result)))


def show(
    document: Document,
    *,
    html: Target = None,
    pdf: Target = None,
    md: Target = None,
    latex: Target = None,
    json: Target = None,
    csv: Target = None,
    table: Target = None,
    figures: Target = None,
    quiet: bool = False,
    full: bool = True,
) -> list[Path]:
    """Write the document in every form that was asked for; without "-" or `quiet` also print it for people, `full` or short.

    Each argument is the name of a file, or "-" for standard output. `latex` is a file that ends in .tex, or a folder
    for parts that a paper takes one by one; `table` is the file of the paper's table (.tex, .md, .html or .csv), `figures` is a folder, `pdf` a file that Chromium prints.
    The files that were written are named on the error stream and returned. A command is: read, compute, `show(document(result), html=html, ..., quiet=quiet)`.
    """
    in_parts = latex is not None and str(latex) != STANDARD_OUTPUT and not str(latex).endswith(".tex")
    forms = {"html": html, "md": md, "json": json, "csv": csv, "tex": None if in_parts else latex}
    if "" in (*forms.values(), latex, pdf, table, figures):
        raise ArgumentError("The name of an output is empty: give the name of a file, or leave out its option.")
    _refuse_twice(*forms.values(), pdf, table)
    written = []
    printed = False
    for form, target in forms.items():
        if target is not None and str(target) == STANDARD_OUTPUT:
            sys.stdout.write(resolve_name(PRINTED[form])(document))
            printed = True
        elif target is not None:
            written.append(write_atomically(target, resolve_name(HOMES[form])(document)))
    if latex is not None and in_parts:
        written.append(_write_parts(Path(latex), document))
    if pdf is not None:
        written.append(_write_pdf(pdf, document))
    if table is not None:
        written.append(_write_table(Path(table), document))
    if figures is not None:
        written.append(write_figures(Path(figures), document))
    if not (printed or quiet):
        _print(document, full, has_page=html is not None)
    for path in written:
        sys.stderr.write(visible(f"Wrote {path}") + "\n")
    return written


def _print(document: Document, full: bool, *, has_page: bool) -> None:
    from podium.report.render_text import print_document, terminal

    if full:
        print_document(document, terminal())
        return
    from podium.report.render_short import FOR_ALL, FOR_MORE, print_short

    print_short(document, terminal(), for_more=FOR_ALL if has_page else FOR_MORE)


def _refuse_twice(*targets: Target) -> None:
    """Refuse one file for two forms: the second would take the place of the first."""
    files = [real(target) for target in targets if target is not None and str(target) != STANDARD_OUTPUT]
    for path in files:
        if files.count(path) > 1 and (path.is_file() or not path.exists()):
            raise ArgumentError(f"{path.name} is named for two forms of the report: give each a file of its own.")


def _write_pdf(target: str | Path, document: Document) -> Path:
    from podium.report.render_pdf import write_pdf

    if str(target) == STANDARD_OUTPUT:
        raise ArgumentError("A PDF is written to a file: give its name.")
    return write_pdf(Path(target), document)


def _write_parts(folder: Path, document: Document) -> Path:
    from podium.report.render_latex import latex_files

    for name, text in latex_files(document).items():
        write_atomically(folder / name, text)
    return folder


def _write_table(path: Path, document: Document) -> Path:
    """The scores as a paper prints them, or the main table where there are none, in the form that the ending names."""
    form = TABLE_FORMS[check.choice("the ending of {table}", path.suffix.lower(), tuple(TABLE_FORMS))]
    block = document.tables().get("scores", document.main)
    if block is None:
        raise ArgumentError("There is no table to write: leave out {table}.")
    return write_atomically(path, resolve_name(form)(block))


def write_figures(folder: Path, document: Document) -> Path:
    """Every figure as PDF, SVG and TikZ source."""
    figures = document.figures()
    if not figures:
        raise ArgumentError("There is no figure to write: leave out {figures}.")
    for key, block in figures.items():
        for form in FIGURE_FORMS:
            write_figure(folder / f"{key}.{form}", block.figure)
    return folder


def write_figure(path: Path, figure: Figure) -> Path:
    """One figure, in the form that the file's ending names."""
    with writing(path):
        return figure.save(path)
