"""Tables of a document as LaTeX (booktabs): never wider than their line, over pages where they are long."""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace

from podium.core.escape import latex, visible, without_isolates
from podium.core.labels import short_labels
from podium.core.numbers import NO_NUMBER, fixed
from podium.plot.scene import length
from podium.plot.style import text_width
from podium.report.document import Cell, Column, Score, TableBlock, filled
from podium.report.tables import title_of

PAGE_ROWS = 40  # a longer table breaks over pages
MAX_ROWS = 300  # beyond, the first rows, and where to find the others
MAX_PARTS = 8  # tables side by side that a wide one becomes; beyond, the first
LONG_WORD = 24  # letters; a longer word may be broken anywhere
WRAPPED_FROM = 18  # letters from which a column of names or words may be set in lines
LETTER = 10.0  # points of the widest letter
LEAST_WRAPPED = 13  # letters that such a column keeps
_SIGNS = {"-": "$-$", "−": "$-$", "<": "$<$", "≤": r"$\leq$", "±": r"$\pm$", "∞": r"$\infty$", NO_NUMBER: "--"}
_SIGNS |= {"†": r"$^{\dagger}$", "‡": r"$^{\ddagger}$"}


@dataclass(frozen=True, slots=True)
class Line:
    """The room of a line in points, and the sizes that letters have there from `small` down."""

    width: float
    sizes: tuple[float, float, float]


REPORT = Line(455.0, (10.0, 9.0, 8.0))
COLUMN = Line(234.0, (9.0, 8.0, 7.0))
_COMMANDS = (r"\small", r"\footnotesize", r"\scriptsize")
_GAPS = (6.0, 4.0, 3.0)  # points at both sides of a column
# What is tried in this order: the size, whether names stand upright in the head, whether long columns are set in lines.
_TRIES = [(0, False, False), (1, False, False), (0, False, True), (0, True, False), (1, True, False), (1, False, True)]
_TRIES += [(2, False, False), (2, True, False), (2, False, True), (2, True, True)]


@dataclass(frozen=True, slots=True)
class Setting:
    """How a table is set: the size of letters, upright heads, and the width in points of each column that is set in lines."""

    size: int
    upright: bool
    lines: dict[int, float]

    @property
    def command(self) -> str:
        """The commands for the size and the gaps."""
        return f"{_COMMANDS[self.size]}\\setlength{{\\tabcolsep}}{{{length(_GAPS[self.size])}pt}}"


def table_latex(block: TableBlock, place: str = "", line: Line = REPORT) -> str:
    """The table; several of them where it has more columns than a line has room for."""
    block = _cut(_labelled(block))
    whole = _setting(block, line)
    if whole is not None:
        return _one(block, whole, place, breaks=line is REPORT)
    parts = list(_parts(block, line))
    tables = []
    for number, (part, setting) in enumerate(parts, start=1):
        caption = f"{part.caption} Part {number} of {len(parts)}." if len(parts) > 1 else part.caption
        tables.append(
            _one(
                replace(part, caption=caption, key=f"{part.key}{number if number > 1 else ''}"),
                setting,
                place,
                breaks=line is REPORT,
            )
        )
    return "\n".join(tables)


def _cut(block: TableBlock) -> TableBlock:
    """No more rows than can be printed; those that sum up stay."""
    body = len(block.rows) - block.foot
    if body <= MAX_ROWS:
        return block
    note = f"The first {MAX_ROWS} of {body} rows; the CSV and JSON files have them all. {block.note}"
    return replace(block, rows=(*block.rows[:MAX_ROWS], *block.rows[body:]), note=note)


def _labelled(block: TableBlock) -> TableBlock:
    """The same with short labels for algorithms that head columns."""
    labels = short_labels(column.title for column in block.columns if column.is_named)
    return replace(block, columns=tuple(replace(c, title=labels[c.title]) if c.is_named else c for c in block.columns))


def _parts(block: TableBlock, line: Line) -> Iterator[tuple[TableBlock, Setting]]:
    """Tables that have room: with some of the named columns each, or without columns that matter less."""
    named = [place for place, column in enumerate(block.columns) if column.is_named]
    others = [place for place in range(len(block.columns)) if place not in named]
    for width in range(len(named) - 1, 0, -1):
        starts = range(0, len(named), width)
        parts = [_with_columns(block, [*others, *named[start : start + width]]) for start in starts]
        settings = [_setting(part, line) for part in parts]
        if width == 1 or all(setting is not None for setting in settings):
            chosen = [(part, setting or Setting(2, True, {})) for part, setting in zip(parts, settings, strict=True)]
            yield from chosen[:MAX_PARTS]
            return
    yield _with_fewer_columns(block, line)


def _with_fewer_columns(block: TableBlock, line: Line) -> tuple[TableBlock, Setting]:
    """The table without the columns that matter least, as few as possible."""
    while (setting := _setting(block, line)) is None:
        least = max(range(len(block.columns)), key=lambda place: block.columns[place].minor)
        if not block.columns[least].minor:
            return block, Setting(2, False, _lines(block, line, 2, _widths(block, 2, line, upright=False), least=0.0))
        block = _with_columns(block, [place for place in range(len(block.columns)) if place != least])
    return block, setting


def _with_columns(block: TableBlock, places: list[int]) -> TableBlock:
    rows = tuple(tuple(row[place] for place in places) for row in block.rows)
    return replace(block, columns=tuple(block.columns[place] for place in places), rows=rows)


def _setting(block: TableBlock, line: Line) -> Setting | None:
    """The first way in which the table has room; None where there is none."""
    named = any(column.is_named for column in block.columns)
    for size, upright, in_lines in _TRIES:
        if upright and not named:
            continue
        widths = _widths(block, size, line, upright=upright)
        room = line.width - 2 * _GAPS[size] * (len(widths) - 1)
        if sum(widths) <= room:
            return Setting(size, upright, {})
        if in_lines and (lines := _lines(block, line, size, widths, least=LEAST_WRAPPED)):
            return Setting(size, upright, lines)
    return None


def _widths(block: TableBlock, size: int, line: Line, *, upright: bool) -> list[float]:
    """The points that each column takes."""
    points, widths = line.sizes[size], []
    for place, column in enumerate(block.columns):
        head = 1.2 * points if upright and column.is_named else _width(column.title, points)
        texts = (_width(column.text(row[place]), points, numeric=column.is_numeric) for row in block.rows)
        widths.append(max(head, *texts, 0.0))
    return widths


def _width(text: str, points: float, *, numeric: bool = False) -> float:
    """The points of a text: digits are half as wide as high; letters are measured, in a font that is wider than most."""
    return 0.52 * points * len(text) if numeric else 0.93 * text_width(visible(text), points)


def _lines(block: TableBlock, line: Line, size: int, widths: list[float], *, least: float) -> dict[int, float]:
    """The widths of the columns that are set in lines: what the others leave, by the length of their texts; {} without room."""
    letter = 0.5 * line.sizes[size]
    long = {
        place: min(width, 80 * letter)
        for place, (column, width) in enumerate(zip(block.columns, widths, strict=True))
        if not column.is_numeric and width > WRAPPED_FROM * letter
    }
    taken = sum(width for place, width in enumerate(widths) if place not in long)
    left = line.width - 2 * _GAPS[size] * (len(widths) - 1) - taken
    shares = {place: left * width / sum(long.values()) for place, width in long.items()}
    return shares if shares and min(shares.values()) >= least * letter else {}


def _one(block: TableBlock, setting: Setting, place: str, *, breaks: bool) -> str:
    """One table, over pages where it is long and `breaks`: two columns of text allow no such table."""
    # An empty group first: a name that begins with "[" or "*" must not be read as an option of \\.
    end = r" \\ \addlinespace" if setting.lines else r" \\"  # rows of several lines stand apart
    rows = ["{}" + " & ".join(_cells(block, i, setting)) + end for i in range(len(block.rows))]
    if block.foot:
        rows.insert(len(rows) - block.foot, r"\midrule")
    parts = {
        "size": setting.command,
        "alignment": "@{}" + "".join(_aligned(c, setting.lines.get(i)) for i, c in enumerate(block.columns)) + "@{}",
        "head": " & ".join(_head(column, setting) for column in block.columns) + r" \\",
        "rows": "\n".join(rows),
        "caption": breakable(f"{block.caption} {block.note}".strip() or f"{title_of(block.key)}."),
        "key": block.key,
    }
    if breaks and _height(block, setting) > PAGE_ROWS + block.foot:
        return filled("longtable.tex", **parts)
    return filled("table.tex", content=filled("tabular.tex", **parts).rstrip(), place=place, **parts)


def _height(block: TableBlock, setting: Setting) -> float:
    """How many lines the rows take; one that is set in lines has a little room below."""
    if not setting.lines:
        return len(block.rows)
    texts = [{i: block.columns[i].text(row[i]) for i in setting.lines} for row in block.rows]
    points = REPORT.sizes[setting.size]
    each = (max(math.ceil(1.15 * _width(text, points) / setting.lines[i]) for i, text in row.items()) for row in texts)
    return sum(0.4 + lines for lines in each)


def _head(column: Column, setting: Setting) -> str:
    return rf"\rotatebox{{90}}{{{latex(column.title)}}}" if setting.upright and column.is_named else latex(column.title)


def _aligned(column: Column, width: float | None) -> str:
    """Numbers right, names left, and lines of text ragged."""
    if width is not None:
        return rf">{{\raggedright\arraybackslash}}p{{{fixed(width, 0)}pt}}"
    return "r" if column.is_numeric else "l"


def _cells(block: TableBlock, place: int, setting: Setting) -> list[str]:
    """The cells of a row, in bold where they, or the row, stand out; no row does where all would."""
    stands_out = place in block.marked and len(block.marked) < len(block.rows)
    cells = []
    for i, (column, value) in enumerate(zip(block.columns, block.rows[place], strict=True)):
        most = int(setting.lines[i] / LETTER) if i in setting.lines else LONG_WORD
        text = _cell(column.text(value), value, most)
        bold = stands_out or (isinstance(value, Score) and value.bold)
        cells.append(rf"\textbf{{{text}}}" if bold and text else text)
    return cells


def _cell(text: str, value: Cell, most: int) -> str:
    return breakable(text, most) if isinstance(value, str) else "".join(_SIGNS.get(letter, letter) for letter in text)


def breakable(text: str, most: int = LONG_WORD) -> str:
    """The text, with leave to break long names where they have marks, words of more letters anywhere; apostrophes of type.

    >>> breakable("a_b's lead")
    "a\\\\_\\\\allowbreak{}b's lead"
    """
    shown = unicodedata.normalize("NFC", without_isolates(visible(text)))
    parts = (latex(part) if len(part) <= most else _broken(part, most) for part in re.split(r"(\s+)", shown))
    joined = re.sub(r"(?<=\w)\\textquotesingle\{\}(?=s\b)", "'", "".join(parts))
    return re.sub(r"\\_|(?<=\w\w)/(?=\w\w)", r"\g<0>\\allowbreak{}", joined)  # W/T/L stays whole


def _broken(word: str, most: int) -> str:
    """A long word that may be broken after its marks, and between any letters where it has too few marks."""
    pieces = re.split(r"(?<=[:,;=(\[)-])(?=\w)|(?<=\w)(?=[(\[])|(?<=\.)(?=[^\W\d])", word)  # 0.5 stays whole
    parts = (
        # Between letters only: an accent stays with the letter that it belongs to.
        re.split(r"(?<=[^\W_])(?=[^\W_])", piece) if re.search(rf"[^\W_]{{{most},}}", piece) else [piece]
        for piece in pieces
    )
    return r"\allowbreak{}".join(latex(part) for piece in parts for part in piece)
