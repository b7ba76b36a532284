"""A document: sections of blocks that know what they hold, and nothing of how they will look."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal

from podium.core import check, numbers

if TYPE_CHECKING:
    from podium.plot.figure import Figure
    from podium.plot.scene import Scene


@cache
def template(name: str) -> str:
    """A file that documents are made with."""
    return files("podium.report").joinpath("templates", name).read_text(encoding="utf-8")


def filled(name: str, **values: str) -> str:
    """The template with its {{names}} filled in one sweep, so that no value is searched for names."""
    return re.sub(r"\{\{(\w+)\}\}", lambda match: values[match[1]], template(name))


# What a cell may hold: text, a number, an interval (low, high), a record (wins, ties, losses), or nothing.
Interval = tuple[float | None, float | None]
Record = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Score:
    """A score of a paper's table: its number and deviation, how both are printed, and whether in bold."""

    value: float
    deviation: float
    text: str
    bold: bool


Cell = str | bool | int | float | Interval | Record | Score | None

Kind = Literal[
    "algorithm", "dataset", "text", "count", "number", "pvalue", "probability", "interval", "record", "standing"
]

# What a page draws beside the number of a cell: the span of an interval, a box for each of a record.
Drawing = Literal["", "span", "boxes"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """One column of a table: its stable key, its title, and what its cells are."""

    key: str
    title: str
    kind: Kind = "text"
    digits: int = 3
    help: str = ""
    minor: int = 0  # above 0: may be left out where there is no room, the highest first
    is_named: bool = False  # whether its title is the name of an algorithm, and so of any length
    drawn: Drawing = ""
    limits: tuple[float, float] = (0.0, 1.0)  # the ends of the scale that it is drawn on
    # What is written of a number, where it is not as it is in memory (CSV and pictures have that).
    written: Callable[[float], float] | None = None

    def text(self, value: Cell) -> str:
        """A cell as plain text, not yet escaped for any format."""
        if isinstance(value, Score):
            return value.text
        if self.written is not None and isinstance(value, float):
            value = self.written(value)
        elif self.written is not None and isinstance(value, tuple):
            value = tuple(None if end is None else self.written(end) for end in value)  # type: ignore[assignment]
        text = numbers.cell(value, self.kind, self.digits)
        return text.replace("-", "\u2212") if self.is_numeric and not isinstance(value, str) else text

    @property
    def is_numeric(self) -> bool:
        """Whether the cells are numbers, and so belong to the right edge."""
        return self.kind not in ("algorithm", "dataset", "text")


@dataclass(frozen=True, slots=True, kw_only=True)
class Paragraph:
    """Sentences. In the methods, "[@key]" cites the bibliography; a heading names what follows; code is typed as it is."""

    text: str
    role: Literal["text", "methods", "heading", "code"] = "text"
    short: bool = True  # whether the short form has it too


@dataclass(frozen=True, slots=True, kw_only=True)
class Bullets:
    """Sentences, one point each; the verdict is the first thing that a reader sees."""

    items: tuple[str, ...]
    role: Literal["text", "verdict", "notes"] = "text"  # notes are what was said when the scores were read
    labels: tuple[str, ...] = ()  # what each item of a verdict answers; "" for the headline
    short: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What a careful reviewer would say about one topic."""

    topic: str
    sentence: str
    weight: str = "note"


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """Remarks, the heaviest first; `names` are those with brackets, of which no form cuts any."""

    notes: tuple[Note, ...]
    names: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        weights = ("warning", "caution", "note")
        for note in self.notes:
            check.choice("weight", note.weight, weights)
        object.__setattr__(self, "notes", tuple(sorted(self.notes, key=lambda note: weights.index(note.weight))))


@dataclass(frozen=True, slots=True, kw_only=True)
class TableBlock:
    """A table; `key` names it in file names and in the page. It needs no caption where a heading says the same."""

    key: str
    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    marked: frozenset[int] = frozenset()  # rows that stand out, and in one word what they are
    marked_as: str = ""
    folded: bool = False  # on the page, closed until asked for: the data
    closed: bool = False  # the same, but shown where nothing can be opened
    foot: int = 0  # how many of the last rows sum up those above

    def __post_init__(self) -> None:
        width = len(self.columns)
        for index, row in enumerate(self.rows):
            if len(row) != width:
                raise ValueError(f"row {index} of table {self.key!r} has {len(row)} cells, not {width}")

    def texts(self, most: int | None = None) -> list[list[str]]:
        """The cells of the first rows as plain text, not yet escaped for any format."""
        return [[c.text(value) for c, value in zip(self.columns, row, strict=True)] for row in self.rows[:most]]

    def size(self) -> str:
        """How many rows and columns there are, in words."""
        return f"{numbers.counted(len(self.rows), 'row')} and {numbers.counted(len(self.columns), 'column')}"


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureBlock:
    """A figure with its caption."""

    key: str
    figure: Figure
    caption: str
    at_width: Callable[[str], Scene] = field(repr=False, compare=False)  # for the "column" or the "page" of a paper
    told: bool = False  # where figures cannot be drawn, say what one would see
    closed: bool = False  # on the page, closed until asked for


@dataclass(frozen=True, slots=True, kw_only=True)
class Keys:
    """The few numbers that matter, each with what it counts; a page sets them large."""

    items: tuple[tuple[str, str], ...]


Printed = Paragraph | Bullets | Notes | TableBlock | FigureBlock
Block = Printed | Keys


@dataclass(frozen=True, slots=True, kw_only=True)
class Section:
    """A titled run of blocks; on a page its `finding` stands below the title, and a folded one waits to be opened.

    The `short` ones are what a terminal prints unless all is asked for.
    """

    key: str
    title: str
    blocks: tuple[Block, ...]
    finding: str = ""
    folded: bool = False
    short: bool = True

    @property
    def verdict(self) -> Bullets | None:
        """What it says first of all, where it has a verdict."""
        return next((block for block in self.blocks if isinstance(block, Bullets) and block.role == "verdict"), None)

    @property
    def printed(self) -> tuple[Printed, ...]:
        """The blocks for everything but a page."""
        return tuple(block for block in self.blocks if not isinstance(block, Keys))


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """A whole report. `data` is everything, as plain values: the JSON, and what the page carries within."""

    title: str
    subtitle: str
    sections: tuple[Section, ...]
    references: tuple[str, ...] = ()
    data: dict[str, Any] = field(default_factory=dict)
    main: TableBlock | None = None  # the table that is written as CSV

    def blocks(self) -> Iterator[Printed]:
        """All blocks in order, but for those of the page alone."""
        for section in self.sections:
            yield from section.printed

    def tables(self) -> dict[str, TableBlock]:
        """The tables by key."""
        return {block.key: block for block in self.blocks() if isinstance(block, TableBlock)}

    def figures(self) -> dict[str, FigureBlock]:
        """The figures by key."""
        return {block.key: block for block in self.blocks() if isinstance(block, FigureBlock)}
