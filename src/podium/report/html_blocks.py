"""Blocks as fragments of HTML: every text is escaped here, once."""

from __future__ import annotations

import base64
import gzip
import io
import math
import zlib
from dataclasses import replace
from itertools import zip_longest

from podium.core.escape import xml
from podium.core.numbers import share_of
from podium.plot.draw_svg import to_svg
from podium.plot.matrix import Grid
from podium.plot.rows import Rows
from podium.plot.scene import length
from podium.report.bibliography import entry, set_citations
from podium.report.document import (
    Block,
    Bullets,
    Cell,
    Column,
    FigureBlock,
    Keys,
    Notes,
    Paragraph,
    Score,
    Section,
    TableBlock,
)
from podium.report.html_scenes import breakable, grid_html, prose, rows_html

# A longer table starts with this many rows; the page's script turns its leaves. The others wait where no browser
# lays them out, packed.
STATIC_ROWS = 50
PAGED_FROM = 200
MOST_ROWS = 2000  # of a table within the page; the JSON file has all
MOST_CELLS = 4000  # a folded table of more cells is packed too
NARROW, MIDDLE = 400.0, 700.0  # points; a figure up to the one is fitted to a phone, up to the other to a tablet
MOST_TWICE = 600  # shapes of a figure that the page has twice, once for a column, which phones show
BESIDE = 30  # rows of the first picture; beside more there is room for what else is said
NEW_LINE = "\n"
MOST_BOXES = 14  # of a record that is drawn as boxes
MOST_ON_PAPER = 14  # columns of a table that a sheet holds in letters that can be read

_WEIGHT_MARK = {
    "warning": '<path class="st" d="M11 3 20 19H2Z"/><path class="st" d="M11 9v5M11 16v1"/>',
    "caution": '<path class="st" d="M11 2 20 11 11 20 2 11Z"/><path class="st" d="M11 7v5M11 14v1"/>',
    "note": '<circle class="st" cx="11" cy="11" r="9"/><path class="st" d="M11 10v6M11 6v1"/>',
}


def section_html(section: Section) -> str:
    """A section with its heading; its id is its key. That of the verdict is the first screen."""
    if section.verdict is not None:
        return _first_screen(section, section.verdict)
    key, title = xml(section.key), xml(section.title)
    blocks = _blocks(section.blocks)
    finding = f'<p class="finding">{xml(section.finding)}</p>' if section.finding else ""
    heading = f'<h2 id="{key}-title">{title}</h2>'
    if not section.folded:
        return f'<section id="{key}" aria-labelledby="{key}-title">\n{heading}\n{finding}{blocks}\n</section>'
    return folded_html(section.key, section.title, section.finding, blocks)


def folded_html(key: str, title: str, finding: str, content: str) -> str:
    """A section that waits to be opened."""
    beside = f" <span>{xml(finding)}</span>" if finding else ""
    return (
        f'<section class="fold" id="{xml(key)}" aria-labelledby="{xml(key)}-title"><details><summary>'
        f'<h2 id="{xml(key)}-title">{xml(title)}</h2>{beside}</summary>{content}</details></section>'
    )


def _blocks(blocks: tuple[Block, ...]) -> str:
    """The blocks in order; a matrix and the rows after it stand side by side where there is room."""
    parts: list[str] = []
    before = None  # the figure before, as a table
    for block in blocks:
        html, table = _block(block), block.figure.table if isinstance(block, FigureBlock) and not block.closed else None
        if isinstance(before, Grid) and before.written and isinstance(table, Rows):
            parts[-1] = f'<div class="two">{parts[-1]}{html}</div>'
        else:
            parts.append(html)
        before = table
    return "\n".join(parts)


def _first_screen(section: Section, verdict: Bullets) -> str:
    """The verdict, beside it the picture that shows it; then the numbers that matter; then what follows and what not."""
    lead = next((block for block in section.blocks if isinstance(block, FigureBlock)), None)
    keys = "".join(_block(block) for block in section.blocks if isinstance(block, Keys))
    rest = tuple(
        block for block in section.blocks if block is not verdict and not isinstance(block, Keys | FigureBlock)
    )
    headline, *others = verdict.items
    support = "".join(
        f"<p>{f'<b>{xml(label)}</b> ' if label else ''}<span data-verdict>{prose(text)}</span></p>"
        for label, text in zip_longest(verdict.labels[1:], others)
    )
    size = " longest" if len(headline) > 160 else " long" if len(headline) > 110 else ""
    picture = f'<div class="f">{_block(lead)}</div>' if lead else ""
    table = lead.figure.table if lead else None
    tall = isinstance(table, Rows) and len(table.rows) > BESIDE
    below = keys + _aside(rest)
    return (
        f'<section id="{xml(section.key)}" class="lead" aria-labelledby="{xml(section.key)}-title"><div class="hero{" tall" * tall}">'
        f'<h1 id="{xml(section.key)}-title" class="verdict{size}" data-verdict>{prose(headline)}</h1>'
        f'{picture}<div class="sup">{support}</div>{below * tall}</div>\n{below * (not tall)}</section>'
    )


def _aside(blocks: tuple[Block, ...]) -> str:
    """Lists with their headings, side by side."""
    parts: list[str] = []
    for block in blocks:
        if isinstance(block, Paragraph) and block.role == "heading":
            parts.append("")
        parts[-1:] = [(parts[-1] if parts else "") + _block(block)]
    return f'<div class="quiet">{"".join(f"<div>{part}</div>" for part in parts)}</div>' if parts else ""


def _block(block: Block) -> str:
    match block:
        case Paragraph():
            return _paragraph(block)
        case Bullets():
            items = "".join(f"<li>{prose(item)}</li>" for item in block.items)
            return f'<ul class="{block.role}">{items}</ul>'
        case Notes():
            return _notes(block)
        case TableBlock():
            return _table(block)
        case Keys():
            items = "".join(f"<div><dd>{xml(value)}</dd><dt>{prose(text)}</dt></div>" for value, text in block.items)
            return f'<dl class="keys">{items}</dl>'
        case FigureBlock():
            figure = _figure(block)
            title = xml((block.figure.title if block.figure.table else block.caption).removesuffix("."))
            return f"<details><summary>{title}</summary>{figure}</details>" if block.closed else figure


def _paragraph(block: Paragraph) -> str:
    if block.role == "heading":
        return f'<h2 class="head">{xml(block.text)}</h2>'
    if block.role == "code":
        lines = "\n".join(map(xml, block.text.split("\n")))
        return f'<pre tabindex="0"><code>{lines}</code></pre>'
    if block.role != "methods":
        return f"<p>{prose(block.text)}</p>"
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
        f'<li class="{note.weight}"><svg viewBox="0 0 22 22" width="22" height="22" aria-hidden="true">'
        f"{_WEIGHT_MARK[note.weight]}</svg><div><strong>{xml(note.weight.capitalize())}, {xml(note.topic)}.</strong> {prose(note.sentence)}</div></li>"
        for note in block.notes
    )
    return f'<ul class="notes">{items}</ul>'


def _figure(block: FigureBlock) -> str:
    """A figure as rows or cells of a table, else drawn: with its title and caption, a wide one also for a column, which
    phones show."""
    table = block.figure.table
    if isinstance(table, Rows):
        return rows_html(block.key, table)
    if isinstance(table, Grid):
        return grid_html(block.key, table)
    title = "" if block.closed else f'<p class="head">{xml(block.figure.title)}</p>'
    scene = block.figure.scene
    narrow = " narrow" if scene.width <= NARROW else " middle" if scene.width <= MIDDLE else ""
    column, ramped = "", ' class="ramped"' * scene.is_ramped
    if scene.width > NARROW and len(scene.shapes) <= MOST_TWICE:
        column = f'<div class="slim">{to_svg(block.at_width("column"), id=f"figure-{block.key}-column")}</div>'
    return (
        f'<figure data-block="{xml(block.key)}"{ramped}>{title}<div class="scroll{narrow}" tabindex="0" role="group" '
        f'aria-label="{xml(block.figure.description)}">{to_svg(scene, id=f"figure-{block.key}")}</div>{column}'
        f"<figcaption>{xml(block.caption)}</figcaption></figure>"
    )


def table_html(block: TableBlock) -> str:
    """One table for a page of somebody else, with all its rows and no style."""
    head = "".join(_head(column) for column in block.columns)
    rows, body = _rows(block), len(block.rows) - block.foot
    foot = f"\n<tfoot>\n{NEW_LINE.join(rows[body:])}\n</tfoot>" if block.foot else ""
    return (
        f"<table>\n<caption>{xml(f'{block.caption} {block.note}'.strip())}</caption>\n<thead><tr>{head}</tr></thead>\n"
        f"<tbody>\n{NEW_LINE.join(rows[:body])}\n</tbody>{foot}\n</table>\n"
    )


def _table(block: TableBlock) -> str:
    everything = len(block.rows)
    foot = f"\n<tfoot>{''.join(_rows(block)[-block.foot :])}</tfoot>" if block.foot else ""
    block = replace(block, rows=block.rows[: len(block.rows) - block.foot][:MOST_ROWS])
    everything, total = everything - block.foot, len(block.rows)
    rows = _rows(block)
    folded = block.folded or block.closed
    large = block.folded and total * len(block.columns) > MOST_CELLS
    shown = min(total, 5) if large else total if total <= PAGED_FROM or block.folded else STATIC_ROWS
    caption = f"<caption{' class=vh' * folded}><span>{xml(block.caption)}</span></caption>" if block.caption else ""
    head = "".join(_head(column) for column in block.columns)
    note = f'<p class="note">{xml(block.note)}</p>' if block.note else ""
    cut = f'<p class="note cut">The first {share_of(shown, total)} rows.</p>' if shown < total else ""
    if total < everything:
        kept = f"This page has the first {share_of(total, everything)} rows: the JSON file (--json) has them all."
        cut += f'<p class="note">{kept}</p>'
    rest = f'<template data-packed="gzip">{packed("".join(rows[shown:]))}</template>' if shown < total else ""
    off, sheet = "", ""
    if len(block.columns) > MOST_ON_PAPER:
        kept = f"{block.size()}, too wide for paper: this page and its JSON file have them."
        off, sheet = " offpaper", f'<p class="note onpaper">{kept}</p>'
    marked = f' data-marked="{xml(block.marked_as)}"' if block.marked_as else ""
    body = "\n".join(rows[:shown])
    table = (
        f'<div class="table" data-block="{xml(block.key)}"{marked}>'
        f'<div class="scroll{off}" tabindex="0" role="group" aria-label="{xml(block.caption or block.key)}"><table>'
        f"{caption}<thead><tr>{head}</tr></thead>\n<tbody>\n{body}\n</tbody>{foot}</table></div>"
        f"{rest}{cut}{sheet}{note}</div>"
    )
    if not folded:
        return table
    return f"<details><summary>{prose(block.caption.removesuffix('.'))} <small>{block.size()}</small></summary>{table}</details>"


def packed(text: str, level: int = 7) -> str:
    """Text that only the page's script reads, small: the last 3% would take most of the time."""
    return base64.b64encode(gzip.compress(text.encode("utf-8"), level, mtime=0)).decode("ascii")


MOST_UNPACKED = 200_000_000  # bytes: the scores of a few million cases


def unpacked(text: str) -> str:
    """The text again.

    >>> unpacked(packed("<tr>…"))
    '<tr>…'
    """
    whole = gzip.GzipFile(fileobj=io.BytesIO(base64.b64decode(text, validate=True))).read(MOST_UNPACKED + 1)
    if len(whole) > MOST_UNPACKED:
        raise zlib.error(f"more than {MOST_UNPACKED} bytes")
    return whole.decode("utf-8")


def _head(column: Column) -> str:
    help_text = f' title="{xml(column.help)}"' if column.help else ""
    kind = f"{'n' * column.is_numeric}{_minor(column)}".strip()
    number = f' class="{kind}"' if kind else ""
    return (
        f'<th scope="col" data-column="{xml(column.key)}" data-kind="{column.kind}"{number}{help_text}>'
        f"<bdi>{xml(column.title)}</bdi></th>"
    )


def _minor(column: Column) -> str:
    """The class of what a phone leaves out of the ranking, of the pairs and of the costs; what decides stays."""
    return " m" if column.minor > 1 and column.key != "adjusted" else ""


def _rows(block: TableBlock) -> list[str]:
    """The rows; the first column of names heads its row."""
    kinds = [column.kind for column in block.columns]
    heads = next((place for place, kind in enumerate(kinds) if kind in ("algorithm", "dataset")), None)
    rows = []
    for place, row in enumerate(block.rows):
        cells = (_cell(v, c, heads=i == heads) for i, (v, c) in enumerate(zip(row, block.columns, strict=True)))
        marked = ' class="marked"' if place in block.marked else ""
        rows.append(f"<tr{marked}>{''.join(cells)}</tr>")
    return rows


def _cell(value: Cell, column: Column, *, heads: bool) -> str:
    if column.is_numeric:
        return _number_cell(value, column)
    name = column.text(value)
    key = f' data-key="{xml(name)}"' if column.kind == "algorithm" else ""
    text = f"<bdi{key}>{breakable(name)}</bdi>"
    minor = ' class="m"' if _minor(column) else ""
    return f'<th scope="row">{text}</th>' if heads else f"<td{minor}>{text}</td>"


def _number_cell(value: Cell, column: Column) -> str:
    """Most cells of most tables; but for "<0.0001" and words there is nothing in them to escape."""
    kind = column.kind
    text = column.text(value)
    if isinstance(value, Score):
        text = f"<b>{xml(text)}</b>" if value.bold else xml(text)
    if kind == "interval":
        text = text.strip("[]").replace(", ", " to ")  # as the charts beside it
    if kind == "pvalue" or isinstance(value, str):
        text = xml(text)
    beside = isinstance(value, Score) and (not value.text[-1:].isdigit() or "±" in text)
    sort = sort_value(value) if beside or kind in ("pvalue", "interval", "record", "standing") else None
    exact = f' data-v="{sort:.6g}"' if sort is not None else ""
    key = _minor(column)
    if column.drawn and (picture := _drawing(value, column)):
        return f'<td class="n{key} drawn"{exact}>{text}{picture}</td>'
    return f'<td class="n{key}"{exact}>{text}</td>'


def _drawing(value: Cell, column: Column) -> str:
    """The picture of a number within its cell: a span or boxes, on the scale of its column."""
    if column.drawn == "boxes" and isinstance(value, tuple) and len(value) == 3 and sum(value) <= MOST_BOXES:
        kinds = [kind for kind, count in zip(("won", "even", "lost"), value, strict=True) for _ in range(count)]
        boxes = "".join(
            f'<rect class="{kind}" x="{11 * i + 1}" y="3" width="8" height="10"/>' for i, kind in enumerate(kinds)
        )
        return f'<svg class="cell" width="{11 * len(kinds) + 1}" height="16" aria-hidden="true">{boxes}</svg>'
    ends = value if isinstance(value, tuple) else ()
    finite = [float(end) for end in ends if isinstance(end, int | float) and math.isfinite(end)]
    if column.drawn != "span" or len(finite) != 2:
        return ""
    low, high = column.limits
    places = [4 + 92 * (end - low) / ((high - low) or 1.0) for end in finite]
    track = '<line class="gl" x1="4%" x2="96%" y1="50%" y2="50%"/>'
    mark = f'<line class="span" x1="{length(places[0] - 2)}%" x2="{length(places[1] + 2)}%" y1="50%" y2="50%"/>'
    return f'<svg class="cell" width="112" height="16" aria-hidden="true">{track}{mark}</svg>'


def sort_value(value: Cell) -> float | None:
    """The number by which a cell is sorted: the middle of an interval, wins less losses of a record."""
    if isinstance(value, tuple):
        if len(value) == 3:
            return float(value[0] - value[2])
        ends = [end for end in value if end is not None and math.isfinite(end)]
        return math.fsum(ends) / len(ends) if ends else None
    if isinstance(value, Score):
        value = value.value
    if value is None or isinstance(value, str) or math.isnan(value):
        return None
    return float(value)
