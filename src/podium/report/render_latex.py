"""The document as LaTeX: a report that compiles, made of parts that can be pasted into a paper."""

from __future__ import annotations

import re
from dataclasses import replace

from podium.core.escape import latex
from podium.plot.draw_tikz import to_tikz
from podium.plot.scene import Scene
from podium.report.bibliography import bibtex, cited_keys, set_citations
from podium.report.document import (
    Block,
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
from podium.report.latex_tables import COLUMN, breakable, table_latex

MAX_COLUMNS = 14  # of a table that is not for a paper
PAPER_ROWS = 24  # two thirds of it where names take two lines
LONG_NAME = 14
# What a draft shows in a column: tables with the columns that fit.
LEAST_LETTERS = 6.5  # points; smaller ones cannot be read in print
PAGE = (459.0, 600.0)  # points across and down that the report has for a figure
SOURCE = "source"  # the topic of remarks on where the scores come from
TALLEST_IN_PAPER = 450.0  # points; of a higher forest the table tells the most important lines
PAPER_FIGURES = ("cost_plane", "gaps", "strip", "cd_diagram")
FIRST_IN_PAPER = (*(f"figure_{key}_column" for key in PAPER_FIGURES), "table_ranking_column")
PAPER_TABLES = {
    "ranking": ("algorithm", "mean_rank", "rank_interval", "group", "mean_score"),
    "pairs": ("a", "b", "effect", "interval", "adjusted"),
}
NOT_IN_PAPER = ("facts", "settings", "choices", "outcomes")  # tables of the report alone

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
    document = _labelled(document)
    parts = {f"{name}.tex": latex_part(block) for block in document.blocks() if (name := part_name(block))}
    bibliography = {"references.bib": bibtex(document.references)} if document.references else {}
    return {"report.tex": _report(document), **parts, **paper_files(document), **bibliography}


def _labelled(document: Document) -> Document:
    """The same with the short labels of algorithms in every table but their key."""
    key = document.tables().get("names")
    labels = {} if key is None else {name: label for label, name in key.rows}

    def labelled(block: Block) -> Block:
        if not isinstance(block, TableBlock) or block.key == "names":
            return block
        places = {place for place, column in enumerate(block.columns) if column.kind == "algorithm"}
        rows = tuple(tuple(labels.get(c, c) if i in places else c for i, c in enumerate(row)) for row in block.rows)
        return replace(block, rows=rows)

    sections = (replace(section, blocks=tuple(map(labelled, section.blocks))) for section in document.sections)
    return replace(document, sections=tuple(sections)) if labels else document


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
        *_paper_scores(document),
        r"\end{document}",
    ]
    return {**{f"{name}.tex": text for name, text in parts.items()}, "paper.tex": "\n".join(body) + "\n"}


def _paper_parts(document: Document) -> dict[str, str]:
    """The figures and tables of a draft that the document has."""
    figures, tables = document.figures(), document.tables()
    parts = {f"figure_{key}_column": _paper_figure(figures[key]) for key in PAPER_FIGURES if key in figures}
    for key, columns in PAPER_TABLES.items():
        if key in tables:
            parts[f"table_{key}_column"] = table_latex(_narrow(tables[key], columns), place="[tb]", line=COLUMN)
    return {name: text for name, text in parts.items() if text}


def _paper_scores(document: Document) -> list[str]:
    """Every score, on pages of its own, which a long table may break over."""
    scores = document.tables().get("scores")
    return (
        []
        if scores is None
        else [r"\onecolumn\appendix\floatplacement{table}{H}\section{Scores}", *_inputs([part_name(scores)])]
    )


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
        return "" if column.height > TALLEST_IN_PAPER else _figure(block, column, place="[htb]")
    return _figure(block, block.at_width("page"), place="[t]", star="*")


def _narrow(block: TableBlock, columns: tuple[str, ...]) -> TableBlock:
    """The table with the columns that a column of a paper has room for, and no more rows than half a page."""
    places = [i for i, column in enumerate(block.columns) if column.key in columns]
    names = [row[i] for row in block.rows for i in places if block.columns[i].kind == "algorithm"]
    most = PAPER_ROWS if max((len(str(name)) for name in names), default=0) <= LONG_NAME else PAPER_ROWS * 2 // 3
    chosen, cut = list(range(len(block.rows))), ""
    some = 0 < len(block.marked) < len(block.rows)
    bold = f"Bold: {block.marked_as}. " if block.marked_as and some else ""
    if len(chosen) > most:
        cut = f"Of the {len(chosen)} rows {most} are printed{', those in bold before all others' if bold else ''}. "
        chosen = sorted(chosen, key=lambda row: row not in block.marked)[:most]
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
    """The name of a block that a paper may take as it is; "" where it is none."""
    if isinstance(block, TableBlock) and block.key not in NOT_IN_PAPER:
        return f"table_{block.key}"
    if isinstance(block, FigureBlock):
        return f"figure_{block.key}"
    return "methods" if isinstance(block, Paragraph) and block.role == "methods" else ""


def latex_part(block: Printed) -> str:
    r"""A block for a paper: a booktabs table, a TikZ figure, or the methods paragraph with \citep for what it cites."""
    if isinstance(block, TableBlock):
        return table_latex(block)
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
    if isinstance(block, TableBlock) and len(block.columns) <= MAX_COLUMNS:
        return table_latex(block)
    size = f" The table has {block.size()}: it is in the JSON file." if isinstance(block, TableBlock) else ""
    return latex(block.caption) + size


def _list(name: str, items: list[str]) -> str:
    return "\n".join([rf"\begin{{{name}}}", *items, rf"\end{{{name}}}"]) if items else ""


def _figure(block: FigureBlock, scene: Scene, place: str = "", star: str = "") -> str:
    """A figure drawn by TikZ, made smaller where a page has no room for it."""
    wide, high = PAGE
    fitting = scene.resized(min(scene.width, wide, scene.width * high / scene.height))
    return filled(
        "figure.tex",
        content=to_tikz(fitting).strip(),
        caption=breakable(block.caption),
        key=block.key,
        place=place,
        star=star,
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
