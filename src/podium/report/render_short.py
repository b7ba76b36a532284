"""The short form for a terminal: the answer, what it rests on and what to be careful about, on one screen.

It chooses from the document what is `short` there; tables and rows of figures give way until all of it fits.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, groupby
from typing import TYPE_CHECKING

from podium.core.escape import visible
from podium.core.numbers import capital, counted, decimals
from podium.report.document import Bullets, Document, FigureBlock, Notes, Paragraph, Printed, Section, TableBlock
from podium.report.documents import document
from podium.report.render_text import block_parts, hanging, plain_text

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.segment import Segment

    from podium.core.result import Result

MOST_LINES = 40
LEAST_ROWS, FEW_ROWS = 2, 8  # of a table that is alone, and of one that is not
LABEL = 10  # the column of labels such as "How much"
MOST_OF_SENTENCE = 8  # lines; names may be of any length
MOST_DIGITS = 3  # after the point
MOST_CAUTIONS, MOST_OF_CAUTION = 5, 2
FOR_ALL = "Every table and remark: --full"
FOR_MORE = f"Page with figures: --html report.html      {FOR_ALL}"

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9])")
_IN_BRACKETS = re.compile(r"\s\([^()]*\)")


def render_short(document: Document) -> str:
    """The short form as plain text, without the line that names options of the command line."""
    return plain_text(lambda console: print_short(document, console, for_more=""), 80)


def comparison_text(comparison: Result) -> str:
    """A comparison as Python prints it: what `podium compare` prints."""
    return render_short(document(comparison, drawn=False, short=True)).rstrip()


def print_short(document: Document, console: Console, *, for_more: str = FOR_MORE) -> None:
    """Print what is short in the document, in at most 40 lines that end with how to see more."""
    from rich.segment import Segment, SegmentLines
    from rich.text import Text

    def lines(rows: int, tables: tuple[str, ...], explained: bool) -> list[list[Segment]]:
        groups = _groups(document, rows, tables, console.width, explained=explained)
        apart = chain.from_iterable(([Segment("")], *_rendered(group, console)) for group in groups)
        return list(apart)[1:]

    last = [] if not for_more else [[Segment("")], *_rendered([Text(for_more, style="dim")], console)]
    room = MOST_LINES - len(last)
    forms = [*_forms([section for section in document.sections if section.short])]
    form = next((form for form in forms if len(lines(FEW_ROWS, *form)) <= room), forms[-1])
    sizes = range(LEAST_ROWS, MOST_LINES)
    rows = bisect_right(sizes, room, key=lambda size: len(lines(size, *form)))
    console.print(SegmentLines([*lines(sizes[max(rows - 1, 0)], *form)[:room], *last], new_lines=True), end="")


def _forms(sections: list[Section]) -> Iterator[tuple[tuple[str, ...], bool]]:
    """Which tables to print, and whether they are explained: the last give way first, then what explains them.

    The first table of each section but the first stays: an option has asked for it.
    """
    keys = [[block.key for block in _tables(section)] for section in sections]
    asked = {own[0] for own in keys[1:] if own}
    tables = [*chain.from_iterable(keys)]
    yield tuple(tables), True
    for key in reversed([key for key in tables[1:] if key not in asked]):
        tables.remove(key)
        yield tuple(tables), True
    if asked:
        yield tuple(tables), False


def _rendered(parts: list[RenderableType], console: Console) -> Iterator[list[Segment]]:
    """The lines of some parts."""
    for part in parts:
        yield from console.render_lines(part, pad=False)


def _tables(section: Section) -> list[TableBlock]:
    return [block for block in section.blocks if isinstance(block, TableBlock)]


def _groups(
    document: Document, rows: int, tables: tuple[str, ...], width: int, *, explained: bool
) -> Iterator[list[RenderableType]]:
    """What stands together, with an empty line between any two; with these tables only."""
    from rich.text import Text

    context = f"{document.title}: {document.subtitle}" if document.subtitle else document.title
    yield [_sentence(context, width, style="dim" if document.subtitle else "bold")]
    for place, section in enumerate(section for section in document.sections if section.short):
        untitled = (Notes,) if explained else (Notes, Bullets)
        named = bool(place) and not isinstance(section.blocks[0], untitled)
        title = [Text(visible(section.title), style="bold")] if named else []
        for group in _of_section(section, tables, rows, width, explained=explained):
            yield [*title, *group]
            title = []


def _of_section(
    section: Section, tables: tuple[str, ...], rows: int, width: int, *, explained: bool
) -> Iterator[list[RenderableType]]:
    for block in section.printed:
        left_out = block.key not in tables if isinstance(block, TableBlock) else not getattr(block, "short", True)
        if isinstance(block, Bullets) and block.role == "verdict":
            yield from _verdict(block, width)
        elif isinstance(block, Notes):
            yield list(_notes(block, width))
        elif not left_out and (group := list(_block(block, rows, width, explained=explained))):
            yield group


def _block(block: Printed, rows: int, width: int, *, explained: bool) -> Iterator[RenderableType]:
    """Sentences that are not endless; tables and figures of so many rows."""
    if isinstance(block, Bullets) and block.role == "notes" and not explained:
        return iter(
            [_sentence(f"{counted(len(block.items), 'note')} on how the scores were read.", width, style="dim")]
        )
    if isinstance(block, Bullets):
        most = MOST_OF_CAUTION if block.role == "notes" else MOST_OF_SENTENCE
        return (_sentence(item, width, mark="• ", most=most) for item in block.items)
    if isinstance(block, Paragraph) and block.role == "text":
        return iter([_sentence(block.text, width)])
    if isinstance(block, TableBlock):
        block = _rounded(block)
    return block_parts(block, rows, width, notes=explained and not isinstance(block, FigureBlock))


def _rounded(table: TableBlock) -> TableBlock:
    """A table of differences with at most three digits after the point, or as many as give its smallest column two that count.

    Other tables keep theirs: a critical value must not be rounded.
    """
    if not {"difference", "effect"} & {column.key for column in table.columns}:
        return table
    cells = zip(table.columns, zip(*table.rows, strict=True), strict=True)
    most = max([MOST_DIGITS, *(decimals(values, 2) for column, values in cells if column.kind == "number")])
    columns = tuple(replace(column, digits=min(column.digits, most)) for column in table.columns)
    return replace(table, columns=columns)


def _verdict(block: Bullets, width: int) -> Iterator[list[RenderableType]]:
    """The headline, then each sentence behind the label that it answers."""
    headline, *others = block.items
    yield [_sentence(headline, width, style="bold")]
    labels = block.labels[1:] or [""] * len(others)
    column = max(LABEL, *(len(label) + 2 for label in labels), 0)
    marks = (label.ljust(column) if label else "• " for label in labels)
    if others:
        yield [_sentence(item, width, mark=mark) for mark, item in zip(marks, others, strict=True)]


def _notes(block: Notes, width: int) -> Iterator[RenderableType]:
    """Warnings and cautions by their first sentence, then how many notes there are on what."""
    notes = block.notes
    heavy = [note for note in notes if note.weight != "note"]
    for note in heavy[:MOST_CAUTIONS]:
        said = f"{note.topic}: {_first_of(note.sentence, 2 * (width - 2 * LABEL) - len(note.topic), block.names)}"
        yield _sentence(said, width, mark=capital(note.weight).ljust(LABEL), most=MOST_OF_CAUTION)
    light = [*heavy[MOST_CAUTIONS:], *(note for note in notes if note.weight == "note")]
    if light:
        topics = [(topic, len(list(some))) for topic, some in groupby(light, key=lambda note: note.topic)]
        named = ", ".join(f"{topic} ({count})" if count > 1 else topic for topic, count in topics)
        kind = "more remark" if len(heavy) > MOST_CAUTIONS else "note"
        yield _sentence(f"{counted(len(light), kind)}: {named}.", width, style="dim", most=MOST_OF_CAUTION)


def _first_of(sentences: str, most: int, names: tuple[str, ...]) -> str:
    """The first sentence without its brackets but those in names; of one that is too long for so many letters, what stands before its last colon."""
    kept = {bracket for name in names for bracket in _IN_BRACKETS.findall(name)}
    plain = _IN_BRACKETS.sub(lambda bracket: bracket[0] if bracket[0] in kept else "", sentences)
    first = _SENTENCE_END.split(plain, maxsplit=1)[0]
    head, colon, _ = first[:most].rpartition(": ")
    return f"{head}." if len(first) > most and colon else first


def _sentence(
    text: str, width: int, *, mark: str = "", style: str = "", most: int = MOST_OF_SENTENCE
) -> RenderableType:
    """A sentence of at most so many lines, which hang under its first word."""
    room = width - len(mark)
    return hanging(mark, text, style=style, cells=room if most == 1 else most * (room - LABEL))  # lines end at words
