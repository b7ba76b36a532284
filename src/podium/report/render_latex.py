"""The document as LaTeX: a report that compiles, made of parts that can be pasted into a paper."""

from __future__ import annotations

import re
from dataclasses import replace

from podium.core.escape import latex
from podium.core.numbers import NO_NUMBER
from podium.plot.draw_tikz import to_tikz
from podium.report.bibliography import bibtex, split_citations
from podium.report.document import (
    Block,
    Bullets,
    Cell,
    Column,
    Document,
    FigureBlock,
    Notes,
    Paragraph,
    Section,
    TableBlock,
)

__all__ = ["figure_part", "latex_files", "methods_part", "render_latex", "table_part"]

PAGE_ROWS = 36  # a longer table breaks over pages
MAX_COLUMNS = 14
MAX_ROWS = 300  # beyond, the first rows, and where to find the others
WORDY = 26  # characters from which a column of text is set as a paragraph
LONG_NAME = 34

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[utf8]{inputenc}
\usepackage[T1]{fontenc}
\usepackage{textcomp}
\usepackage{mathpazo}
\usepackage{helvet}
\usepackage[margin=2.4cm]{geometry}
\usepackage{amsmath,amssymb}
\usepackage{array,booktabs,longtable}
\usepackage{graphicx}
\usepackage{float}
\floatplacement{table}{H}
\floatplacement{figure}{H}
\usepackage{tikz}
\usepackage[font=small,labelfont=bf]{caption}
\usepackage[round]{natbib}
\usepackage{microtype}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}\setlength{\parskip}{0.5\baselineskip}
\setlength{\emergencystretch}{3em}
"""


def latex_files(document: Document) -> dict[str, str]:
    """File name -> text: report.tex, one file per table and figure, methods.tex, and references.bib.

    The report inputs the parts, so each can be taken into a paper as it is.
    """
    parts = {f"{name}.tex": text for name, text in _parts(document).items()}
    bibliography = {"references.bib": bibtex(document.references)} if document.references else {}
    return {"report.tex": _report(document), **parts, **bibliography}


def render_latex(document: Document) -> str:
    """The same report as one file that needs no other, its bibliography included."""
    files = latex_files(document)
    text = re.sub(r"\\input\{(\w+)\}", lambda part: files[f"{part[1]}.tex"].rstrip(), files["report.tex"])
    if not document.references:
        return text
    works = f"\\begin{{filecontents*}}[overwrite]{{\\jobname.bib}}\n{files['references.bib']}\\end{{filecontents*}}\n"
    return works + text.replace(r"\bibliography{references}", r"\bibliography{\jobname}")


def _parts(document: Document) -> dict[str, str]:
    parts: dict[str, str] = {}
    for block in document.blocks():
        if isinstance(block, TableBlock) and _fits(block):
            parts[f"table_{block.key}"] = table_part(block)
        elif isinstance(block, FigureBlock):
            parts[f"figure_{block.key}"] = figure_part(block)
        elif isinstance(block, Paragraph) and block.role == "methods":
            parts["methods"] = methods_part(block)
    return parts


def _report(document: Document) -> str:
    body = [
        _PREAMBLE,
        r"\begin{document}",
        rf"{{\LARGE\bfseries {latex(document.title)}\par}}",
        rf"{{{latex(document.subtitle)}\par}}",
        *(_section(section) for section in document.sections),
    ]
    if document.references:
        cited = {key for block in document.blocks() if isinstance(block, Paragraph) for key in _cited(block)}
        uncited = [key for key in document.references if key not in cited]
        body += [rf"\nocite{{{','.join(uncited)}}}"] if uncited else []
        body += [r"\bibliographystyle{plainnat}", r"\bibliography{references}"]
    return "\n".join([*body, r"\end{document}", ""])


def _cited(block: Paragraph) -> list[str]:
    pieces = split_citations(block.text) if block.role == "methods" else []
    return [key for piece in pieces if isinstance(piece, tuple) for key in piece]


def _section(section: Section) -> str:
    blocks = "\n\n".join(_block(block) for block in section.blocks)
    return f"\n\\section*{{{latex(section.title)}}}\n{blocks}"


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return r"\input{methods}" if block.role == "methods" else _breakable(block.text)
    if isinstance(block, Bullets):
        return _list("itemize", [rf"\item {{}}{_breakable(item)}" for item in block.items])
    if isinstance(block, Notes):
        items = [
            rf"\item[{{{latex(f'{note.weight.capitalize()}, {note.topic}')}.}}] {_breakable(note.sentence)}"
            for note in block.notes
        ]
        return _list("description", items)
    if isinstance(block, TableBlock):
        if not _fits(block):
            size = f"{len(block.rows)} rows and {len(block.columns)} columns"
            return f"{latex(block.caption)} The table has {size}: it is in the JSON file."
        return rf"\input{{table_{block.key}}}"
    return rf"\input{{figure_{block.key}}}"


def _breakable(text: str) -> str:
    """The text, with leave to break long names where they have underscores or slashes."""
    return latex(text).replace(r"\_", r"\_\allowbreak{}").replace("/", r"/\allowbreak{}")


def _list(name: str, items: list[str]) -> str:
    return "\n".join([rf"\begin{{{name}}}", *items, rf"\end{{{name}}}"]) if items else ""


def methods_part(block: Paragraph) -> str:
    r"""The methods paragraph, with \citep for what it cites."""
    pieces = split_citations(block.text)
    return (
        "".join(latex(piece) if isinstance(piece, str) else rf"\citep{{{','.join(piece)}}}" for piece in pieces) + "\n"
    )


def figure_part(block: FigureBlock) -> str:
    """A figure drawn by TikZ, never wider than the line, nor higher than a page has room for."""
    return "\n".join(
        [
            r"% needs \usepackage{tikz,graphicx}",
            r"\begin{figure}",
            r"\centering\sffamily",
            _no_higher_than_the_page(_no_wider_than_the_line(to_tikz(block.scene).strip())),
            rf"\caption{{{latex(block.caption)}}}",
            rf"\label{{fig:{block.key}}}",
            r"\end{figure}",
            "",
        ]
    )


def _no_wider_than_the_line(content: str) -> str:
    return "\n".join([r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", f"{content}%", "}"])


def _no_higher_than_the_page(content: str) -> str:
    limit = r"0.85\textheight"
    return "\n".join([rf"\resizebox{{!}}{{\ifdim\height>{limit}{limit}\else\height\fi}}{{%", f"{content}%", "}"])


def _fits(block: TableBlock) -> bool:
    return len(block.columns) <= MAX_COLUMNS


def table_part(block: TableBlock) -> str:
    """A booktabs table; a long one breaks over pages with its head repeated, a very long one is cut and says so."""
    if len(block.rows) > MAX_ROWS:
        cut = f"The first {MAX_ROWS} of {len(block.rows)} rows; the CSV and JSON files have them all. {block.note}"
        block = replace(block, rows=block.rows[:MAX_ROWS], note=cut)
    if len(block.rows) > PAGE_ROWS:
        return _long_table(block)
    tabular = "\n".join(
        [
            rf"\begin{{tabular}}{{{_alignment(block)}}}",
            r"\toprule",
            _head(block),
            r"\midrule",
            *_rows(block),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )
    return "\n".join(
        [
            r"% needs \usepackage{booktabs,array,graphicx}",
            r"\begin{table}",
            r"\centering\small",
            rf"\caption{{{latex(_caption(block))}}}",
            rf"\label{{tab:{block.key}}}",
            tabular if _wordy(block) else _no_wider_than_the_line(tabular),
            r"\end{table}",
            "",
        ]
    )


def _long_table(block: TableBlock) -> str:
    size = r"\scriptsize\setlength{\tabcolsep}{3pt}" if len(block.columns) > 5 else r"\small"
    return "\n".join(
        [
            r"% needs \usepackage{booktabs,array,longtable}",
            rf"{{{size}",
            rf"\begin{{longtable}}{{{_alignment(block)}}}",
            rf"\caption{{{latex(_caption(block))}}}\label{{tab:{block.key}}}\\",
            r"\toprule",
            _head(block),
            r"\midrule\endfirsthead",
            r"\toprule",
            _head(block),
            r"\midrule\endhead",
            r"\bottomrule\endfoot",
            *_rows(block),
            r"\end{longtable}}",
            "",
        ]
    )


def _caption(block: TableBlock) -> str:
    return f"{block.caption} {block.note}".strip()


def _widths(block: TableBlock) -> list[int]:
    """The longest cell of each column, in characters."""
    return [
        max([len(column.title), *(len(column.text(row[index])) for row in block.rows)])
        for index, column in enumerate(block.columns)
    ]


def _wordy(block: TableBlock) -> list[int]:
    """The columns to be set as paragraphs: sentences in any table, names too where a table breaks over pages."""
    limit = LONG_NAME if len(block.rows) > PAGE_ROWS else None
    return [
        index
        for index, (column, width) in enumerate(zip(block.columns, _widths(block), strict=True))
        if not column.is_numeric and width > (WORDY if column.kind == "text" else limit or width)
    ]


def _alignment(block: TableBlock) -> str:
    """Numbers right, names left; paragraphs share what the line has left by the length of their text."""
    widths, wordy = _widths(block), _wordy(block)
    per_line = 115 if len(block.rows) > PAGE_ROWS and len(block.columns) > 5 else 84
    taken = sum(width + 2 for index, width in enumerate(widths) if index not in wordy) / per_line
    left = max(1 - taken - 0.03 * len(wordy), 0.15 * len(wordy))
    total = sum(min(widths[index], 80) for index in wordy)
    letters = []
    for index, column in enumerate(block.columns):
        share = left * min(widths[index], 80) / total if index in wordy else 0
        paragraph = rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"
        letters.append(paragraph if index in wordy else "r" if column.is_numeric else "l")
    return "@{}" + "".join(letters) + "@{}"


def _head(block: TableBlock) -> str:
    return " & ".join(latex(column.title) for column in block.columns) + r" \\"


def _rows(block: TableBlock) -> list[str]:
    return [
        # An empty group first: a name that begins with "[" or "*" must not be read as an option of \\.
        "{}" + " & ".join(_cell(value, column) for value, column in zip(row, block.columns, strict=True)) + r" \\"
        for row in block.rows
    ]


def _cell(value: Cell, column: Column) -> str:
    text = column.text(value)
    if isinstance(value, str):
        return _breakable(text)
    return text.replace("-", "$-$").replace("<", "$<$").replace("∞", r"$\infty$").replace(NO_NUMBER, "--")
