"""The document for the terminal, through rich; nothing in a name is taken for markup or control."""

from __future__ import annotations

import io
import textwrap
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Literal

from podium.core.escape import visible
from podium.core.numbers import counted
from podium.plot.draw_text import to_text
from podium.plot.rows import Rows
from podium.report.bibliography import entry, set_citations
from podium.report.document import Bullets, Column, Document, FigureBlock, Notes, Paragraph, Printed, TableBlock

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

MAX_ROWS = 120  # all that `verify` checks; a terminal is no place for thousands of pairs
MAX_TITLE_LINES = 4
APART = 2  # blanks between columns
NAME_WIDTH = 12  # a name may be folded to this, not further
_WEIGHT_STYLE = {"warning": "bold red", "caution": "yellow", "note": "cyan"}


def render_text(document: Document, *, width: int = 100, max_rows: int = MAX_ROWS) -> str:
    """The document as plain text of a given width, without colour."""
    return plain_text(lambda console: print_document(document, console, max_rows=max_rows), width)


def plain_text(printing: Callable[[Console], None], width: int) -> str:
    """What is printed to a console of a given width, without colour."""
    from rich.console import Console

    out = io.StringIO()
    printing(Console(file=out, width=width, color_system=None, force_terminal=False, legacy_windows=False))
    return "\n".join(line.rstrip() for line in out.getvalue().splitlines()) + "\n"


def terminal() -> Console:
    """The terminal. A closed pipe (`| head`) is an error for the caller, who knows what it means; rich would exit with 1."""
    from rich.console import Console

    class Terminal(Console):
        def on_broken_pipe(self) -> None:
            raise  # rich calls it while it handles the error

    return Terminal(highlight=False)


def print_document(document: Document, console: Console, *, max_rows: int = MAX_ROWS) -> None:
    """Print the document to a rich console, with colour where the console has it."""
    from rich.rule import Rule
    from rich.text import Text

    console.print(Text(visible(document.title), style="bold"))
    if document.subtitle:
        console.print(Text(visible(document.subtitle), style="dim"))
    for section in document.sections:
        shown = [parts for block in section.printed if (parts := list(block_parts(block, max_rows, console.width)))]
        if not shown:
            continue  # figures alone
        console.print()
        if section.title != document.title:
            console.print(Rule(Text(visible(section.title), style="bold"), align="left", style="dim"))
        for index, parts in enumerate(shown):
            if index:
                console.print()
            for part in parts:
                console.print(part, soft_wrap=False)
    if document.references:
        console.print()
        console.print(Rule(Text("References", style="bold"), align="left", style="dim"))
        for key in document.references:
            console.print(hanging("• ", entry(key).text()))


def block_parts(block: Printed, max_rows: int, width: int, *, notes: bool = True) -> Iterator[RenderableType]:
    """A block as rich prints it, one part after the other; without the `notes` below it where they have no room."""
    if isinstance(block, Paragraph):
        lead = {"heading": "", "code": "  "}.get(block.role, "")
        ends = ":" if block.role == "heading" else ""
        yield hanging(lead, set_citations(block.text) if block.role == "methods" else f"{block.text}{ends}")
    elif isinstance(block, Bullets):
        style = "bold" if block.role == "verdict" else ""
        yield from (hanging("• ", item, style=style) for item in block.items)
    elif isinstance(block, Notes):
        for note in block.notes:
            style = _WEIGHT_STYLE[note.weight]
            yield hanging("• ", f"{note.sentence}", lead=f"{note.weight}, {note.topic}: ", lead_style=style)
    elif isinstance(block, TableBlock) and block.folded:
        yield hanging("", f"{block.caption} ({block.size()}: in the JSON file and on the page.)", style="dim")
    elif isinstance(block, TableBlock):
        yield from _table(block, max_rows, width, notes=notes)
    elif isinstance(block, FigureBlock) and block.told:
        yield from _figure(block, max_rows, width, notes=notes)


def _figure(block: FigureBlock, max_rows: int, width: int, *, notes: bool) -> Iterator[RenderableType]:
    """Rows as they are drawn with letters; another figure in words."""
    from rich.text import Text

    if not isinstance(block.figure.table, Rows):
        yield hanging("", block.figure.description)
        return
    heading, *lines = to_text(block.figure.table, width, max_rows)
    yield Text(heading)
    yield from (Text(line, no_wrap=True, overflow="ellipsis") for line in lines)
    if notes and block.figure.table.note:
        yield Text(visible(block.figure.table.note), style="dim")


def hanging(
    mark: str, text: str, *, style: str = "", lead: str = "", lead_style: str = "bold", cells: int | None = None
) -> RenderableType:
    """A paragraph whose lines hang under its first word; of a longer one only so many `cells`."""
    from rich.table import Table
    from rich.text import Text

    body = Text(visible(lead), style=lead_style, overflow="fold") if lead else Text(overflow="fold")
    body.append(Text(visible(text), style=style))
    if cells is not None:
        body.truncate(cells, overflow="ellipsis")
    if not mark:
        return body
    grid = Table.grid(padding=0)
    grid.add_column(width=len(mark), no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(mark), body)
    return grid


def _table(block: TableBlock, max_rows: int, width: int, *, notes: bool) -> Iterator[RenderableType]:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    texts = [[visible(text) for text in row] for row in block.texts(max_rows)]
    least = [_least_width(column, [row[place] for row in texts]) for place, column in enumerate(block.columns)]
    shown = _places_with_room(block.columns, least, width)
    caption = Text(visible(block.caption)) if block.caption else None
    table = Table(
        box=SIMPLE_HEAD,
        padding=(0, APART - 1, 0, 0),
        pad_edge=False,
        show_edge=False,
        title=caption,
        title_justify="left",
    )
    for place in shown:
        column = block.columns[place]
        justify: Literal["left", "right"] = "right" if column.is_numeric else "left"
        title = Text(_title(visible(column.title), least[place] if column.is_numeric else NAME_WIDTH))
        table.add_column(title, justify=justify, overflow="fold", min_width=least[place], no_wrap=column.is_numeric)
    for row in texts:
        table.add_row(*(Text(row[place]) for place in shown))
    yield table
    hidden = len(block.rows) - max_rows
    without = ", ".join(column.title for place, column in enumerate(block.columns) if place not in shown)
    more = f"... and {counted(hidden, 'more row')}." if hidden > 0 else ""
    for remark in (more, f"Too narrow to show: {without}." if without else "", block.note * notes):
        if remark:
            yield Text(visible(remark), style="dim")


def _title(title: str, width: int) -> str:
    """A title on as many lines as its column is too narrow for."""
    lines = textwrap.wrap(title, max(width, 1), break_on_hyphens=False)
    return "\n".join(lines[:MAX_TITLE_LINES]) + ("…" if len(lines) > MAX_TITLE_LINES else "")


def _least_width(column: Column, texts: list[str]) -> int:
    """What a column cannot do without: its longest number and title word; names may be folded."""
    cells = max(map(len, texts), default=0)
    word = max(map(len, column.title.split(" ")))
    if not column.is_numeric:
        return min(max(cells, word), NAME_WIDTH)
    return max(cells, word) if word <= NAME_WIDTH + 4 else cells


def _places_with_room(columns: Sequence[Column], least: list[int], width: int) -> list[int]:
    """The columns to show: the most minor gives way first, until names have room to be read."""
    shown = list(range(len(columns)))
    while sum(least[place] + APART for place in shown) - APART > width:
        minor = max(shown, key=lambda place: columns[place].minor)
        if columns[minor].minor == 0:
            break
        shown.remove(minor)
    return shown
