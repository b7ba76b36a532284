"""The document as LaTeX: a report that compiles, made of parts that can be pasted into a paper."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace

from podium.core.escape import isolated, latex, visible, without_isolates
from podium.core.numbers import NO_NUMBER
from podium.plot.draw_tikz import to_tikz
from podium.plot.scene import Scene
from podium.report.bibliography import bibtex, cited_keys, set_citations
from podium.report.document import (
    Bullets,
    Document,
    FigureBlock,
    Notes,
    Paragraph,
    Printed,
    TableBlock,
    filled,
    template,
)
from podium.report.tables import title_of

PAGE_ROWS = 36  # a longer table breaks over pages
MAX_COLUMNS = 14
MAX_ROWS = 300  # beyond, the first rows, and where to find the others
PAPER_ROWS = 24
# What a draft shows in a column: tables with the columns that fit.
LEAST_LETTERS = 6.5  # points; smaller ones cannot be read in print
PAGE = (459.0, 600.0)  # points across and down that the report has for a figure
SOURCE = "source"  # the topic of remarks on where the scores come from
TALLEST_IN_PAPER = 430.0  # points; of a higher forest the table tells the most important lines
PAPER_FIGURES = ("cost_plane", "gaps", "strip", "cd_diagram")
FIRST_IN_PAPER = (*(f"figure_{key}_column" for key in ("cost_plane", "gaps", "strip")), "table_ranking_column")
PAPER_TABLES = {
    "ranking": ("algorithm", "mean_rank", "rank_interval", "group", "mean_score"),
    "pairs": ("a", "b", "effect", "interval", "adjusted"),
}
LINE, COLUMN = 84, 52  # letters of a line of the report, and of a column of a paper, in the size of tables
TABLE_LETTERS = 10.0  # points
FINER = 1.37  # times as many letters where they are \scriptsize, and columns closer
WORDY = 26  # characters from which a column of text is set as a paragraph
LONG_NAME = 20  # the same for names where the line is too short
LONG_WORD = 24  # letters; a longer word may be broken anywhere

_PREAMBLE = template("preamble.tex")

_PAPER = (
    _PREAMBLE.replace("11pt,a4paper", "10pt,twocolumn,a4paper")
    .replace("margin=2.4cm", "margin=1.8cm,columnsep=0.65cm")  # columns as wide as the figures for a column
    .replace("\\floatplacement{table}{H}\n\\floatplacement{figure}{H}\n", "")
    + "\\IfFileExists{flushend.sty}{\\usepackage{flushend}}{}\n\\raggedbottom\n"
)


def latex_files(document: Document) -> dict[str, str]:
    """File name -> text: report.tex, one file per table and figure, methods.tex, and references.bib.

    The report inputs the parts, so each can be taken into a paper as it is. paper.tex is a draft in two columns, with
    figures and tables as wide as a column (`figure_..._column.tex`).
    """
    parts = {f"{name}.tex": latex_part(block) for block in document.blocks() if (name := part_name(block))}
    bibliography = {"references.bib": bibtex(document.references)} if document.references else {}
    return {"report.tex": _report(document), **parts, **paper_files(document), **bibliography}


def render_latex(document: Document) -> str:
    """The same report as one file that needs no other, its bibliography included."""
    files = latex_files(document)
    text = re.sub(r"\\input\{(\w+)\}", lambda part: files[f"{part[1]}.tex"].rstrip(), files["report.tex"])
    if not document.references:
        return text
    works = f"\\begin{{filecontents*}}[overwrite]{{\\jobname.bib}}\n{files['references.bib']}\\end{{filecontents*}}\n"
    return works + text.replace(r"\bibliography{references}", r"\bibliography{\jobname}")


def paper_files(document: Document) -> dict[str, str]:
    """The draft of a paper in two columns: what was found, how, and the figures and tables that show it.

    None where there is no verdict. Long tables are cut: significant pairs come first.
    """
    verdict = document.sections[0].verdict
    if verdict is None:
        return {}
    parts = _paper_parts(document)
    early = [name for name in parts if name in FIRST_IN_PAPER]
    body = [
        _PAPER,
        rf"\title{{{breakable(document.title)}}}",
        r"\author{}\date{\vspace{-4em}}",
        r"\begin{document}",
        r"\maketitle",
        *_paper_result(document, verdict, early),
        *_paper_method(document, [name for name in parts if name not in early]),
        *([r"\small\bibliographystyle{plainnat}", r"\bibliography{references}"] if document.references else []),
        r"\end{document}",
    ]
    return {**{f"{name}.tex": text for name, text in parts.items()}, "paper.tex": "\n".join(body) + "\n"}


def _paper_parts(document: Document) -> dict[str, str]:
    """The figures and tables of a draft that the document has."""
    figures, tables = document.figures(), document.tables()
    parts = {f"figure_{key}_column": _paper_figure(figures[key]) for key in PAPER_FIGURES if key in figures}
    for key, columns in PAPER_TABLES.items():
        if key in tables:
            parts[f"table_{key}_column"] = _table(_narrow(tables[key], columns), place="[tb]", line=COLUMN)
    return {name: text for name, text in parts.items() if text}


def _inputs(names: list[str]) -> list[str]:
    return [rf"\input{{{name}}}" for name in names]


def _paper_result(document: Document, verdict: Bullets, parts: list[str]) -> list[str]:
    """The verdict, the parts that show it, and what follows and what does not."""
    follows = [b for b in document.sections[0].printed if isinstance(b, Bullets) and b is not verdict]
    paragraphs = (breakable(" ".join(block.items)) + "\n" for block in follows)
    return [r"\section{Result}", breakable(" ".join(verdict.items)), *_inputs(parts), "", *paragraphs]


def _paper_method(document: Document, parts: list[str]) -> list[str]:
    """How it was done, where the scores come from, the other parts, and what a reviewer would remark."""
    methods = any(isinstance(b, Paragraph) and b.role == "methods" for b in document.blocks())
    notes = [note for b in document.blocks() if isinstance(b, Notes) for note in b.notes]
    return [
        r"\section{Method}",
        *([r"\input{methods}"] if methods else []),
        *(breakable(note.sentence) for note in notes if note.topic == SOURCE),
        *_inputs(parts),
        r"\section{Limits}",
        *(breakable(note.sentence) for note in notes if note.topic != SOURCE),
    ]


def _paper_figure(block: FigureBlock) -> str:
    """The figure for a column; across the page where a column would make its letters too small; none where it is too high."""
    column = block.at_width("column")
    if min((text.size for text in column.texts), default=LEAST_LETTERS) >= LEAST_LETTERS:
        return "" if column.height > TALLEST_IN_PAPER else _figure(block, column, place="[tb]")
    return _figure(block, block.at_width("page"), place="[t]", star="*")


def _narrow(block: TableBlock, columns: tuple[str, ...]) -> TableBlock:
    """The table with the columns that a column of a paper has room for, and no more rows than half a page."""
    places = [i for i, column in enumerate(block.columns) if column.key in columns]
    chosen = sorted(range(len(block.rows)), key=lambda row: row not in block.marked)[:PAPER_ROWS]
    cut = f"The first {PAPER_ROWS} of {len(block.rows)}. " if len(block.rows) > PAPER_ROWS else ""
    bold = f"Bold: {block.marked_as}. " if block.marked_as and block.marked else ""
    return replace(
        block,
        columns=tuple(block.columns[i] for i in places),
        rows=tuple(tuple(block.rows[row][i] for i in places) for row in chosen),
        marked=frozenset(i for i, row in enumerate(chosen) if row in block.marked),
        note=f"{cut}{bold}{_note_of(block, columns)}",
    )


def _note_of(block: TableBlock, columns: tuple[str, ...]) -> str:
    """The note without the sentences that explain columns which are left out."""
    gone = tuple(f"{column.title}:" for column in block.columns if column.key not in columns)
    return " ".join(sentence for sentence in re.split(r"(?<=\.) ", block.note) if not sentence.startswith(gone))


def part_name(block: Printed) -> str:
    """The name of a block that a paper may take as it is; "" where it is none, or too wide."""
    if isinstance(block, TableBlock) and len(block.columns) <= MAX_COLUMNS:
        return f"table_{block.key}"
    if isinstance(block, FigureBlock):
        return f"figure_{block.key}"
    return "methods" if isinstance(block, Paragraph) and block.role == "methods" else ""


def latex_part(block: Printed) -> str:
    r"""A block for a paper: a booktabs table, a TikZ figure, or the methods paragraph with \citep for what it cites."""
    if isinstance(block, TableBlock):
        return _table(block)
    if isinstance(block, FigureBlock):
        return _figure(block, _legible(block))
    if isinstance(block, Paragraph):
        return set_citations(block.text, breakable, lambda keys: rf"\citep{{{','.join(keys)}}}") + "\n"
    raise TypeError(f"{type(block).__name__} is no part of its own")


def _report(document: Document) -> str:
    body = [
        _PREAMBLE,
        r"\begin{document}",
        rf"{{\LARGE\bfseries {breakable(document.title)}\par}}",
        rf"{{{latex(document.subtitle)}\par}}",
    ]
    body += [
        f"\n\\section*{{{latex(section.title)}}}\n" + "\n\n".join(map(_block, section.printed))
        for section in document.sections
    ]
    if document.references:
        methods = (block.text for block in document.blocks() if isinstance(block, Paragraph) and part_name(block))
        cited = {key for text in methods for key in cited_keys(text)}
        uncited = [key for key in document.references if key not in cited]
        body += [rf"\nocite{{{','.join(uncited)}}}"] if uncited else []
        body += [r"\bibliographystyle{plainnat}", r"\bibliography{references}"]
    return "\n".join([*body, r"\end{document}", ""])


def _block(block: Printed) -> str:
    if name := part_name(block):
        return rf"\input{{{name}}}"
    if isinstance(block, Paragraph):
        style = {"heading": r"\textbf", "code": r"\texttt"}.get(block.role)
        return rf"{style}{{{breakable(block.text)}}}" if style else breakable(block.text)
    if isinstance(block, Bullets):
        return _list("itemize", [rf"\item {{}}{breakable(item)}" for item in block.items])
    if isinstance(block, Notes):
        items = [
            rf"\item[{{{latex(f'{note.weight.capitalize()}, {note.topic}')}.}}] {breakable(note.sentence)}"
            for note in block.notes
        ]
        return _list("description", items)
    size = f" The table has {block.size()}: it is in the JSON file." if isinstance(block, TableBlock) else ""
    return latex(block.caption) + size


def breakable(text: str) -> str:
    """The text, with leave to break long names where they have marks, the longest words anywhere; apostrophes of type.

    >>> breakable("a_b's lead")
    "a\\\\_\\\\allowbreak{}b's lead"
    """
    shown = unicodedata.normalize("NFC", without_isolates(visible(text)))
    parts = (latex(part) if len(part) <= LONG_WORD else _broken(part) for part in re.split(r"(\s+)", shown))
    joined = re.sub(r"(?<=\w)\\textquotesingle\{\}(?=s\b)", "'", "".join(parts))
    return re.sub(r"\\_|(?<=\w\w)/(?=\w\w)", r"\g<0>\\allowbreak{}", joined)  # W/T/L stays whole


def _broken(word: str) -> str:
    """A long word that may be broken after its marks, and between any letters where it has too few marks."""
    pieces = re.split(r"(?<=[:,;=)])(?=\w)|(?<=\.)(?=[^\W\d])", word)  # 0.5 stays whole
    parts = (
        # Between letters only: an accent stays with the letter that it belongs to.
        re.split(r"(?<=[^\W_])(?=[^\W_])", piece) if re.search(rf"[^\W_]{{{LONG_WORD},}}", piece) else [piece]
        for piece in pieces
    )
    return r"\allowbreak{}".join(latex(part) for piece in parts for part in piece)


def _list(name: str, items: list[str]) -> str:
    return "\n".join([rf"\begin{{{name}}}", *items, rf"\end{{{name}}}"]) if items else ""


def _figure(block: FigureBlock, scene: Scene, place: str = "", star: str = "") -> str:
    """A figure drawn by TikZ, never wider than the line, nor higher than a page has room for."""
    limit = r"0.85\textheight"
    high = rf"\resizebox{{!}}{{\ifdim\height>{limit}{limit}\else\height\fi}}{{%"
    picture = "\n".join([high, f"{_no_wider_than_the_line(to_tikz(scene).strip())}%", "}"])
    return filled(
        "figure.tex", content=picture, caption=breakable(block.caption), key=block.key, place=place, star=star
    )


def _legible(block: FigureBlock) -> Scene:
    """The figure as it is; laid out for a page where letters would be too small, if it then has larger ones and says no less."""

    def letters(scene: Scene) -> float:
        scale = min(1.0, PAGE[0] / scene.width, PAGE[1] / scene.height)
        return scale * min((text.size for text in scene.texts), default=LEAST_LETTERS)

    own = block.figure.scene
    if letters(own) >= LEAST_LETTERS:
        return own
    page = block.at_width("page")
    return own if len(page.texts) < len(own.texts) or letters(page) < letters(own) else page


def _no_wider_than_the_line(content: str) -> str:
    return "\n".join([r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%", f"{content}%", "}"])


def _table(block: TableBlock, place: str = "", line: float = LINE) -> str:
    """A long table breaks over pages with its head repeated, a very long one is cut and says so."""
    if len(block.rows) > MAX_ROWS:
        cut = f"The first {MAX_ROWS} of {len(block.rows)} rows; the CSV and JSON files have them all. {block.note}"
        block = replace(block, rows=block.rows[:MAX_ROWS], note=cut)
    is_long = len(block.rows) > PAGE_ROWS
    block = _with_numbered_heads(block, line)
    is_fine = len(block.columns) > 5 if is_long else any(_wrapped_names(block, line))
    line = FINER * line if is_fine else line
    # Rows of several lines stand apart.
    end = r" \\ \addlinespace" if any(_wrapped_names(block, line)) else r" \\"
    # An empty group first: a name that begins with "[" or "*" must not be read as an option of \\.
    parts = {
        "size": r"\scriptsize\setlength{\tabcolsep}{3pt}" if is_fine else r"\small",
        "alignment": _alignment(block, line),
        "head": " & ".join(latex(column.title) for column in block.columns) + r" \\",
        "rows": "\n".join("{}" + " & ".join(_cells(block, i, row)) + end for i, row in enumerate(block.texts())),
        "caption": breakable(f"{block.caption} {block.note}".strip() or f"{title_of(block.key)}."),
        "key": block.key,
    }
    if is_long:
        return filled("longtable.tex", **parts)
    content = _no_wider_than_the_line(filled("tabular.tex", **parts).rstrip())
    return filled("table.tex", content=content, place=place, **parts)


def _widths(block: TableBlock) -> list[int]:
    """The letters of the longest cell of each column, its head included."""
    return [max(map(len, column)) for column in zip([c.title for c in block.columns], *block.texts(), strict=True)]


def _with_numbered_heads(block: TableBlock, line: float) -> TableBlock:
    """Names that head columns as numbers, with a key, where letters would otherwise be too small to be read."""
    if sum(_widths(block)) + 2 * len(block.columns) <= line * TABLE_LETTERS / LEAST_LETTERS:
        return block
    names = [column.title for column in block.columns if column.is_named]
    if not names:
        return block
    numbers = iter(range(1, len(names) + 1))
    columns = (replace(c, title=f"({next(numbers)})") if c.is_named else c for c in block.columns)
    key = "; ".join(f"({i}) {isolated(name)}" for i, name in enumerate(names, start=1))
    return replace(block, columns=tuple(columns), note=f"{block.note} Columns: {key}.".strip())


def _wrapped_names(block: TableBlock, line: float) -> list[bool]:
    """Which columns are names that are set in lines: long ones, where the line is too short for the table."""
    widths = _widths(block)
    is_crowded = sum(widths) + 2 * len(widths) > line
    return [
        is_crowded and column.kind in ("algorithm", "dataset") and width > LONG_NAME
        for column, width in zip(block.columns, widths, strict=True)
    ]


def _alignment(block: TableBlock, line: float) -> str:
    """Numbers right, names left; sentences, and long names where they have no room, as paragraphs.

    Paragraphs share what the line has left by the length of their text.
    """
    widths = dict(zip(block.columns, _widths(block), strict=True))
    wraps = dict(zip(block.columns, _wrapped_names(block, line), strict=True))
    wordy = {c: min(w, 80) for c, w in widths.items() if wraps[c] or (c.kind == "text" and w > WORDY)}
    taken = sum(width + 2 for column, width in widths.items() if column not in wordy) / line
    left = max(1 - taken - 0.03 * len(wordy), 0.15 * len(wordy))
    letters = {column: "r" if column.is_numeric else "l" for column in block.columns}
    for column, width in wordy.items():
        share = left * width / sum(wordy.values())
        letters[column] = rf">{{\raggedright\arraybackslash}}p{{{share:.2f}\linewidth}}"
    return "@{}" + "".join(letters.values()) + "@{}"


def _cells(block: TableBlock, place: int, texts: list[str]) -> list[str]:
    """The cells of a row; those of a row that stands out are bold."""
    signs = {"\u2212": "$-$", "<": "$<$", "∞": r"$\infty$", NO_NUMBER: "--"}
    cells = [
        breakable(text) if isinstance(value, str) else "".join(signs.get(letter, letter) for letter in text)
        for value, text in zip(block.rows[place], texts, strict=True)
    ]
    return [rf"\textbf{{{cell}}}" if cell else cell for cell in cells] if place in block.marked else cells
