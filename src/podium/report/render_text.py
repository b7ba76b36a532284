"""The document for the terminal, through rich; nothing in a name is taken for markup or control."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal

from podium.core.escape import visible
from podium.report.bibliography import entry, split_citations
from podium.report.document import Block, Bullets, Document, FigureBlock, Notes, Paragraph, TableBlock

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

__all__ = ["print_document", "render_text"]

MAX_ROWS = 40  # a terminal is no place for thousands of pairs
MAX_TITLE_LINES = 3
NAME_WIDTH = 12  # a name may be folded to this, not further
_WEIGHT_STYLE = {"warning": "bold red", "caution": "yellow", "note": "cyan"}


def render_text(document: Document, *, width: int = 100, max_rows: int = MAX_ROWS) -> str:
    """The document as plain text of a given width, without colour."""
    from rich.console import Console

    out = io.StringIO()
    console = Console(file=out, width=width, color_system=None, force_terminal=False, legacy_windows=False)
    print_document(document, console, max_rows=max_rows)
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def print_document(document: Document, console: Console, *, max_rows: int = MAX_ROWS) -> None:
    """Print the document to a rich console, with colour where the console has it."""
    from rich.rule import Rule
    from rich.text import Text

    console.print(Text(visible(document.title), style="bold"))
    if document.subtitle:
        console.print(Text(visible(document.subtitle), style="dim"))
    for section in document.sections:
        console.print()
        if section.title != document.title:
            console.print(Rule(Text(visible(section.title), style="bold"), align="left", style="dim"))
        made = (list(_block(block, max_rows, console.width, section.title)) for block in section.blocks)
        shown = [parts for parts in made if parts]
        for index, parts in enumerate(shown):
            if index:
                console.print()
            for part in parts:
                console.print(part, soft_wrap=False)
    if document.references:
        console.print()
        console.print(Rule(Text("References", style="bold"), align="left", style="dim"))
        for key in document.references:
            console.print(_hanging("• ", entry(key).text()))


def _block(block: Block, max_rows: int, width: int, told: str) -> Iterator[RenderableType]:
    if isinstance(block, Paragraph):
        yield _hanging("", _with_citations(block.text) if block.role == "methods" else block.text)
    elif isinstance(block, Bullets):
        style = "bold" if block.role == "verdict" else ""
        yield from (_hanging("• ", item, style=style) for item in block.items)
    elif isinstance(block, Notes):
        for note in block.notes:
            style = _WEIGHT_STYLE[note.weight]
            yield _hanging("• ", f"{note.sentence}", lead=f"{note.weight}, {note.topic}: ", lead_style=style)
    elif isinstance(block, TableBlock) and block.folded:
        size = f"{len(block.rows)} rows, {len(block.columns)} columns"
        yield _hanging("", f"{block.caption} ({size}: in the JSON file and on the page.)", style="dim")
    elif isinstance(block, TableBlock):
        yield from _table(block, max_rows, width, told)
    elif isinstance(block, FigureBlock) and block.told:
        yield _hanging("", block.alt)


def _with_citations(text: str) -> str:
    pieces = split_citations(text)
    return "".join(
        piece if isinstance(piece, str) else "(" + "; ".join(entry(key).label for key in piece) + ")"
        for piece in pieces
    )


def _hanging(mark: str, text: str, *, style: str = "", lead: str = "", lead_style: str = "bold") -> RenderableType:
    """A paragraph whose lines hang under its first word."""
    from rich.table import Table
    from rich.text import Text

    body = Text(visible(lead), style=lead_style, overflow="fold") if lead else Text(overflow="fold")
    body.append(Text(visible(text), style=style))
    if not mark:
        return body
    grid = Table.grid(padding=0)
    grid.add_column(width=len(mark), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(mark), body)
    return grid


def _table(block: TableBlock, max_rows: int, width: int, told: str) -> Iterator[RenderableType]:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    shown, left_out = _columns_with_room(block, max_rows, width)
    caption = Text(visible(block.caption)) if block.caption.rstrip(".") != told else None
    table = Table(box=SIMPLE_HEAD, pad_edge=False, title=caption, title_justify="left")
    for index in shown:
        column = block.columns[index]
        justify: Literal["left", "right"] = "right" if column.is_numeric else "left"
        least = _least_width(block, index, max_rows)
        title = Text(_title(visible(column.title), least if column.is_numeric else NAME_WIDTH))
        table.add_column(title, justify=justify, overflow="fold", min_width=least, no_wrap=column.is_numeric)
    for row in block.rows[:max_rows]:
        table.add_row(*(Text(visible(block.columns[index].text(row[index]))) for index in shown))
    yield table
    for remark in (_hidden_rows(block, max_rows), left_out, block.note):
        if remark:
            yield Text(visible(remark), style="dim")


def _title(title: str, width: int) -> str:
    """A title on as many lines as its column is too narrow for."""
    lines = textwrap.wrap(title, max(width, 1), break_on_hyphens=False)
    return "\n".join(lines[:MAX_TITLE_LINES]) + ("…" if len(lines) > MAX_TITLE_LINES else "")


def _hidden_rows(block: TableBlock, max_rows: int) -> str:
    hidden = len(block.rows) - max_rows
    return f"... and {hidden} more rows: the JSON and CSV files have them all." if hidden > 0 else ""


def _least_width(block: TableBlock, index: int, max_rows: int) -> int:
    """What a column cannot do without: its longest number and title word; names may be folded."""
    column = block.columns[index]
    cells = max((len(column.text(row[index])) for row in block.rows[:max_rows]), default=0)
    word = max(map(len, column.title.split()), default=0)
    if not column.is_numeric:
        return min(max(cells, word), NAME_WIDTH)
    return max(cells, word) if word <= NAME_WIDTH + 4 else cells


def _columns_with_room(block: TableBlock, max_rows: int, width: int) -> tuple[list[int], str]:
    """The columns to show: the most minor gives way first, until names have room to be read."""
    shown = list(range(len(block.columns)))
    need = {index: _least_width(block, index, max_rows) for index in shown}
    while sum(need[index] + 3 for index in shown) > width:
        least = max(shown, key=lambda index: block.columns[index].minor)
        if block.columns[least].minor == 0:
            break
        shown.remove(least)
    titles = [block.columns[index].title for index in range(len(block.columns)) if index not in shown]
    return shown, f"No room for: {', '.join(titles)}." if titles else ""
