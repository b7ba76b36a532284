"""The document as Markdown with tables, as GitHub and Pandoc read it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from podium.core.escape import visible
from podium.core.version import VERSION
from podium.report.bibliography import entry, set_citations
from podium.report.document import Bullets, Cell, Column, Document, Note, Notes, Paragraph, Printed, Score, TableBlock

MAX_ROWS = 500
MAX_COLUMNS = 30
SHORT_ROWS = 12  # of the ranking, and so many warnings and cautions, in a comment
SHORT_NOTES = 3


def escape_markdown(text: str) -> str:
    r"""Text that Markdown shows as it is, on one line.

    >>> escape_markdown("A & B_%# <b>|x|</b>")
    'A &amp; B\\_%\\# &lt;b&gt;\\|x\\|&lt;/b&gt;'
    """
    line = re.sub(r"\s+", " ", visible(text)).strip()
    line = re.sub(r"([\\`*_{}\[\]#|~$])", r"\\\1", line)
    line = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    # A sentence must not begin a list, a heading or a quotation.
    return re.sub(r"^(\d+)([.)])(?=\s|$)|^([-+=])(?!\d)", lambda m: f"{m[1]}\\{m[2]}" if m[1] else f"\\{m[3]}", line)


def render_markdown(document: Document) -> str:
    """The document as Markdown."""
    parts = [f"# {escape_markdown(document.title)}", escape_markdown(document.subtitle)]
    for section in document.sections:
        parts.append(f"## {escape_markdown(section.title)}")
        parts += [_block(block) for block in section.printed]
    if document.references:
        parts.append("## References")
        parts.append("\n".join(f"- {_reference(key)}" for key in document.references))
    return "\n\n".join(part for part in parts if part) + "\n"


def render_short_markdown(document: Document) -> str:
    """The verdict and the ranking in at most 30 lines, for a comment on a pull request; other documents whole."""
    verdict, ranking = document.sections[0].verdict, document.tables().get("ranking")
    if verdict is None or ranking is None:
        return render_markdown(document)
    headline, *others = map(escape_markdown, verdict.items)
    notes = [note for block in document.blocks() if isinstance(block, Notes) for note in block.notes]
    warned = _notes([note for note in notes if note.weight != "note"][:SHORT_NOTES])
    shown = replace(ranking, rows=ranking.rows[:SHORT_ROWS], caption="", note="")
    hidden = len(ranking.rows) - SHORT_ROWS
    more = f"... and {hidden} more." if hidden > 0 else ""
    foot = f"<sub>{escape_markdown(document.title)}: {escape_markdown(document.subtitle)}. Podium {VERSION}</sub>"
    parts = [f"### {headline}", " ".join(others), _table(shown, SHORT_ROWS).strip(), more, warned, foot]
    return "\n\n".join(part for part in parts if part) + "\n"


def _reference(key: str) -> str:
    work = entry(key)
    return escape_markdown(work.text()) + (f" <{work.url}>" if work.url else "")


def _block(block: Printed) -> str:
    if isinstance(block, Paragraph) and block.role == "code":
        return f"```\n{visible(block.text)}\n```"
    if isinstance(block, Paragraph) and block.role == "heading":
        return f"**{escape_markdown(block.text)}**"
    if isinstance(block, Paragraph):
        return escape_markdown(set_citations(block.text) if block.role == "methods" else block.text)
    if isinstance(block, Bullets):
        strong = "**" if block.role == "verdict" else ""
        return "\n".join(f"- {strong}{escape_markdown(item)}{strong}" for item in block.items)
    if isinstance(block, Notes):
        return _notes(block.notes)
    if isinstance(block, TableBlock):
        return _table(block, MAX_ROWS)
    return f"*{escape_markdown(block.caption)}* {escape_markdown(block.figure.description)}" if block.told else ""


def _notes(notes: Sequence[Note]) -> str:
    lines = ((f"{note.weight.capitalize()}, {escape_markdown(note.topic)}:", note.sentence) for note in notes)
    return "\n".join(f"- **{head}** {escape_markdown(sentence)}" for head, sentence in lines)


def table_markdown(block: TableBlock) -> str:
    """One table with all its columns and rows."""
    return _lines(block, len(block.rows)) + "\n"


def _cell(column: Column, value: Cell) -> str:
    text = escape_markdown(column.text(value))
    return f"**{text}**" if isinstance(value, Score) and value.bold else text


def _table(block: TableBlock, max_rows: int) -> str:
    caption = f"*{escape_markdown(block.caption)}*" if block.caption else ""
    if len(block.columns) > MAX_COLUMNS:
        return f"{caption} ({block.size()}: see the JSON file.)"
    return _lines(block, max_rows)


def _lines(block: TableBlock, max_rows: int) -> str:
    caption = f"*{escape_markdown(block.caption)}*" if block.caption else ""
    lines = [
        [escape_markdown(column.title) for column in block.columns],
        ["---:" if column.is_numeric else ":---" for column in block.columns],
        *(
            [_cell(column, value) for column, value in zip(block.columns, row, strict=True)]
            for row in block.rows[:max_rows]
        ),
    ]
    hidden = len(block.rows) - max_rows
    notes = [caption, f"The {hidden} rows that follow are in the JSON and CSV files." if hidden > 0 else ""]
    notes.append(escape_markdown(block.note))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n\n" + " ".join(filter(None, notes))
