"""Blocks as fragments of HTML: every text is escaped here, once."""

from __future__ import annotations

import math

from podium.core.escape import xml
from podium.plot.draw_svg import to_svg
from podium.report.bibliography import entry, set_citations
from podium.report.document import Block, Bullets, Cell, Column, FigureBlock, Notes, Paragraph, Section, TableBlock

# A longer table starts with this many rows; the page's script turns its leaves. The others wait where no browser
# lays them out: in a template.
STATIC_ROWS = 50
PAGED_FROM = 200

_WEIGHT_MARK = {"warning": "!", "caution": "?", "note": "i"}


def section_html(section: Section) -> str:
    """A section with its heading; its id is its key."""
    blocks = "\n".join(_block(block) for block in section.blocks)
    return (
        f'<section id="{xml(section.key)}" aria-labelledby="{xml(section.key)}-title">\n'
        f'<h2 id="{xml(section.key)}-title">{xml(section.title)}</h2>\n{blocks}\n</section>'
    )


def _block(block: Block) -> str:
    if isinstance(block, Paragraph):
        return _paragraph(block)
    if isinstance(block, Bullets):
        items = "".join(f"<li>{xml(item)}</li>" for item in block.items)
        return f'<ul class="{block.role}">{items}</ul>'
    if isinstance(block, Notes):
        return _notes(block)
    if isinstance(block, TableBlock):
        return _table(block)
    return _figure(block)


def _paragraph(block: Paragraph) -> str:
    if block.role != "methods":
        return f"<p>{xml(block.text)}</p>"
    return f'<p class="methods" data-block="methods">{set_citations(block.text, xml, _citation)}</p>'


def _citation(keys: tuple[str, ...]) -> str:
    links = "; ".join(f'<a href="#ref-{xml(key)}">{xml(entry(key).label)}</a>' for key in keys)
    return f"({links})"


def reference_html(key: str) -> str:
    """One item of the list of references."""
    work = entry(key)
    link = f' <a href="{xml(work.url)}" rel="noreferrer">{xml(work.url)}</a>' if work.url.startswith("https://") else ""
    return f'<li id="ref-{xml(key)}">{xml(work.text())}{link}</li>'


def _notes(block: Notes) -> str:
    items = "".join(
        f'<li class="{note.weight}"><span class="mark" aria-hidden="true">{_WEIGHT_MARK[note.weight]}</span>'
        f"<div><strong>{xml(note.weight.capitalize())}, {xml(note.topic)}.</strong> {xml(note.sentence)}</div></li>"
        for note in block.notes
    )
    return f'<ul class="notes">{items}</ul>'


def _figure(block: FigureBlock) -> str:
    return (
        f'<figure data-block="{xml(block.key)}"><div class="scroll" tabindex="0" role="group" '
        f'aria-label="{xml(block.alt)}">{to_svg(block.scene, id=f"figure-{block.key}")}</div>'
        f"<figcaption>{xml(block.caption)}</figcaption></figure>"
    )


def _table(block: TableBlock) -> str:
    total = len(block.rows)
    rows = [_row(row, block.columns, place in block.marked) for place, row in enumerate(block.rows)]
    shown = total if total <= PAGED_FROM or block.folded else STATIC_ROWS
    caption = f"<caption>{xml(block.caption)}</caption>" if block.caption else ""
    head = "".join(_head(column) for column in block.columns)
    note = f'<p class="note">{xml(block.note)}</p>' if block.note else ""
    cut = f'<p class="note cut">The first {shown} of {total} rows.</p>' if shown < total else ""
    rest = f"<template>{''.join(rows[shown:])}</template>" if shown < total else ""
    marked = f' data-marked="{xml(block.marked_as)}"' if block.marked_as else ""
    body = "\n".join(rows[:shown])
    table = (
        f'<div class="table" data-block="{xml(block.key)}"{marked}>'
        f'<div class="scroll" tabindex="0" role="group" aria-label="{xml(block.caption or block.key)}"><table>'
        f"{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody></table></div>"
        f"{rest}{cut}{note}</div>"
    )
    if not block.folded:
        return table
    return f"<details><summary>{xml(block.caption)} <small>{block.size()}</small></summary>{table}</details>"


def _head(column: Column) -> str:
    help_text = f' title="{xml(column.help)}"' if column.help else ""
    number = ' class="n"' if column.is_numeric else ""
    return (
        f'<th scope="col" data-column="{xml(column.key)}" data-kind="{column.kind}"{number}{help_text}>'
        f"<bdi>{xml(column.title)}</bdi></th>"
    )


def _row(row: tuple[Cell, ...], columns: tuple[Column, ...], marked: bool) -> str:
    named = [index for index, column in enumerate(columns) if column.kind in ("algorithm", "dataset")][:1]
    cells = [
        _cell(value, column, heads=index in named)
        for index, (value, column) in enumerate(zip(row, columns, strict=True))
    ]
    start = '<tr class="marked">' if marked else "<tr>"
    return f"{start}{''.join(cells)}</tr>"


def _cell(value: Cell, column: Column, *, heads: bool) -> str:
    if (
        column.kind == "number" and not heads and not isinstance(value, str)
    ):  # most cells of most tables, and nothing in them to escape
        return f'<td class="n">{column.text(value).replace("-", "−")}</td>'
    text = xml(column.text(value))
    if column.kind == "algorithm":
        text = f'<bdi data-key="{text}">{text}</bdi>'
    elif not column.is_numeric:
        text = f"<bdi>{text}</bdi>"
    if heads:
        return f'<th scope="row">{text}</th>'
    if not column.is_numeric:
        return f"<td>{text}</td>"
    sort = sort_value(value)
    exact = f' data-v="{sort:.6g}"' if sort is not None and column.kind in ("pvalue", "interval", "record") else ""
    key = " adjusted" if column.key == "adjusted" else ""
    return f'<td class="n{key}"{exact}>{text.replace("-", "−")}</td>'


def sort_value(value: Cell) -> float | None:
    """The number by which a cell is sorted: the middle of an interval, wins less losses of a record."""
    if isinstance(value, tuple):
        if len(value) == 3:
            return float(value[0] - value[2])
        ends = [end for end in value if end is not None and math.isfinite(end)]
        return math.fsum(ends) / len(ends) if ends else None
    if value is None or isinstance(value, str) or math.isnan(value):
        return None
    return float(value)
