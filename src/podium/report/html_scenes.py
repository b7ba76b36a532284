"""Rows and grids of figures as tables of a page: each line has a name, a picture and its numbers, which are read without it.

A picture is an <svg> without a view box whose x are percentages: it follows the width of the page, its dots stay round and
nothing needs a style attribute, which the page's policy forbids.
"""

from __future__ import annotations

import math
import re
from dataclasses import replace

from podium.core.escape import xml
from podium.plot.matrix import Cell, Grid
from podium.plot.rows import MANY, MOST_BARS, Row, Rows
from podium.plot.scene import length

LANE = 11  # pixels from one bar of a group to the next
DOT_LANE = 8  # pixels from one row of dots to the next
SHORT_NAME = 8
CELL_LETTERS = (4, 8)  # for which the style sheet has cells of a matrix
HALF = 44  # letters of a line of a matrix that half a page has room for
ROOMS = (4, 6, 8, 10, 12, 16, 20)  # letters for which the style sheet has a column of names
HIGH_LINE, LOW_LINE = 12, 22  # letters of a name that stays on one line, in high rows and in low ones
SMALLER = 0.7  # letters of low rows to those of high ones, which are bold
FEW = 8  # lines up to which they are high
PHONE_TICKS = 13  # letters of a scale that a phone has room for
_TONES = {"ahead": "f", "reference": "f", "behind": "b", "plain": "d"}
_SAMPLES = {
    "ahead": '<circle class="f" cx="6" cy="6" r="5"/>',
    "behind": '<circle class="b" cx="6" cy="6" r="5"/>',
    "plain": '<circle class="d" cx="6" cy="6" r="5"/>',
    "none": '<circle class="o" cx="6" cy="6" r="5"/>',
    "half": '<circle class="o {tone}" cx="6" cy="6" r="5"/><path class="h {tone}" d="M6 1A5 5 0 0 1 6 11Z"/>',
    "tint": '<rect class="chip" x="0" y="1" width="12" height="10"/>',
    "band": '<rect class="rope" x="0" y="1" width="12" height="10"/>',
    "dot": '<circle class="dot" cx="6" cy="6" r="4"/>',
    "line": '<line class="dash" x1="6" x2="6" y1="0" y2="12"/>',
}


def rows_html(key: str, data: Rows) -> str:
    """Rows with their title, their legend and what else is to be said."""
    rest = ""
    if data.rest is not None:
        others = _lines(f"{key}-rest", data.rest, low=True)
        rest = f"<details><summary>{data.folded} <small>on a scale of their own</small></summary>{others}</details>"
    if data.lanes > MOST_BARS:  # more can be followed on a sheet, not on a page
        data = replace(data, bars=(), joins="")
    notes = (("", data.note), (' class="joins"', data.joins))
    note = "".join(f"<p{kind}>{prose(text)}</p>" for kind, text in notes if text)
    low = len(data.rows) > MANY or data.rest is not None
    return (
        f'<figure class="chart" data-block="{xml(key)}"><p class="head">{prose(data.title)}</p><p class="scale">{prose(data.scale)}</p>'
        f"{_lines(key, data, low=low)}{rest}<figcaption>{_legend(data)}{note}</figcaption></figure>"
    )


def _lines(key: str, data: Rows, *, low: bool) -> str:
    height = " many" if low else " few" * (len(data.rows) <= FEW)
    rows = "".join(_row(key, data, place, low) for place in range(len(data.rows)))
    kind = f"plot {key.replace('_', '-')}{height} {_room(data, LOW_LINE if low else HIGH_LINE)} g{data.lanes}"
    caption = f'<caption class="vh">{xml(data.title)}</caption>'
    return f'{_defs(key, data)}<table class="{xml(kind)}">{caption}{_head(data)}<tbody>{rows}</tbody></table>'


def _room(data: Rows, line: int) -> str:
    """How wide the column of names is, by the letters of its longest line; the longest names take a share of the page."""
    need = max((_letters(row.said, line) for row in data.rows), default=0) * (SMALLER if line == LOW_LINE else 1)
    return next((f"nm{room}" for room in ROOMS if need <= room), "wide")


def _letters(text: str, line: int) -> int:
    """The letters that a line must hold so that no word is broken and a name that is longer than a line has two."""
    longest = max((len(word) for part in _parts(text) for word in re.split(r"[\s-]", part)), default=0)
    return max(longest, len(text) if len(text) <= line else math.ceil(0.6 * len(text)))


def _share(data: Rows, value: float) -> float:
    """The place of a value on the axis in percent; what lies beyond it stands at its end."""
    share = (value - data.low) / ((data.high - data.low) or 1.0)
    return 2 + 96 * min(max(share, -0.02), 1.02)


def _percent(data: Rows, value: float) -> str:
    return f"{length(_share(data, value))}%"


def _defs(key: str, data: Rows) -> str:
    """The grid, once for all lines."""
    lines = "".join(
        f'<line class="gl" x1="{x}" x2="{x}" y1="0" y2="100%"/>'
        for x in (_percent(data, tick) for tick, _ in data.ticks)
    )
    if data.band is not None:
        low, high = (_share(data, end) for end in data.band)
        lines = f'<rect class="rope" x="{length(low)}%" y="0" width="{length(high - low)}%" height="100%"/>{lines}'
    if data.reference is not None and data.low <= data.reference <= data.high:
        x = _percent(data, data.reference)
        kind = "zero" if data.reference == 0 else "dash"
        lines += f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="100%"/>'
    return f'<svg class="defs" aria-hidden="true"><defs><g id="grid-{xml(key)}">{lines}</g></defs></svg>'


def _head(data: Rows) -> str:
    ticks = "".join(
        f'<text{" class=alt" * spare} x="{_percent(data, place)}" y="70%">{xml(text)}</text>'
        for (place, text), spare in zip(data.ticks, _spare(data), strict=True)
    )
    heads = "".join(
        f'<th scope="col" class="n{_minor(data, place)} {_column(data, place)}">{xml(head)}</th>'
        for place, head in enumerate(data.heads)
    )
    bars = ""
    if data.bars:
        letters = "".join(
            f'<text x="{LANE * lane + 6}" y="70%">{xml(letter)}</text>'
            for (lane, _), letter in zip(data.bars, data.letters, strict=False)
        )
        bars = f'<th scope="col" class="g"><span class="vh">Groups</span><svg class="t" aria-hidden="true">{letters}</svg></th>'
    name = "Pair" if any(len(row.names) > 1 for row in data.rows) else "Algorithm"
    return (
        f'<thead><tr><th scope="col" class="nm"><span class="vh">{name}</span></th>'
        f'<th scope="col" class="w"><span class="vh">Picture</span><svg class="t" aria-hidden="true">{ticks}</svg></th>'
        f"{heads}{bars}</tr></thead>"
    )


def _spare(data: Rows) -> list[bool]:
    """Which ticks have no number on a phone, where all of them would touch: every second one or more, never that of 0."""
    texts = [text for _, text in data.ticks]
    kept = next((i for i, (place, _) in enumerate(data.ticks) if place == 0), 0)
    for step in range(1, len(texts) + 1):
        chosen = [i for i in range(len(texts)) if (i - kept) % step == 0]
        if len(chosen) <= 2 or sum(len(texts[i]) + 1 for i in chosen) <= PHONE_TICKS:
            break
    return [i not in chosen for i in range(len(texts))]


def _minor(data: Rows, place: int) -> str:
    """Minor columns give way where there is little room: the picture shows what they say."""
    return " iv" if place in data.minor else ""


def _column(data: Rows, place: int) -> str:
    """The class of a column by its width in rem: its head in the smaller letters, its numbers in bold."""
    head = 0.48 * max(map(len, data.heads[place].split()), default=0)
    text = 0.54 * max((len(row.texts[place]) for row in data.rows if row.texts), default=0)
    return f"c{min(max(math.ceil(max(head, text) + 0.3), 3), 12)}"


def _row(key: str, data: Rows, place: int, low: bool) -> str:
    row = data.rows[place]
    kinds = {"first": row.tinted, "cut": data.cut == place, "sig": row.is_decided, "dots": row.is_high}
    classes = [name for name, is_so in kinds.items() if is_so]
    start = f'<tr class="{" ".join(classes)}">' if classes else "<tr>"
    numbers = "".join(f'<td class="n{_minor(data, i)}">{xml(text)}</td>' for i, text in enumerate(row.texts))
    bars = f'<td class="g"><svg class="t" aria-hidden="true">{_bars(data, place)}</svg></td>' if data.bars else ""
    own = f' data-key="{xml(row.names[0])}"' if len(row.names) == 1 else ""
    picture = (
        f'<svg class="t" aria-hidden="true"><use href="#grid-{xml(key)}"/><g{own}>{_mark(data, row, low)}</g></svg>'
    )
    return f'{start}<th scope="row" class="nm">{_names(data, row)}</th><td class="w">{picture}</td>{numbers}{bars}</tr>'


def _names(data: Rows, row: Row) -> str:
    tag = f' <small class="tag">{xml(row.tag)}</small>' if row.tag else ""
    if row.label:
        return xml(row.label) + tag
    names = map(_labelled, row.names, row.short or row.names)
    return " <span>over</span> ".join(names) + tag


def _labelled(name: str, label: str) -> str:
    """A name by its short label; a page highlights it with all that belongs to it, and shows the whole name on hovering."""
    return f'<bdi data-key="{xml(name)}">{breakable(label)}</bdi>'


def breakable(name: str) -> str:
    """A name as HTML; a long one may be broken after its marks, or before a capital, before it is broken anywhere.

    >>> breakable("forest"), breakable("extra_trees_of_500"), breakable("RandomForest")
    ('forest', 'extra_<wbr>trees_<wbr>of_<wbr>500', 'Random<wbr>Forest')
    """
    return xml(name) if len(name) < SHORT_NAME else "<wbr>".join(map(xml, _parts(name)))


def _parts(name: str) -> list[str]:
    """The parts between which a name may be broken, besides its blanks and hyphens."""
    return re.split(r"(?<=[_/:,])(?=\w)|(?<=[a-z])(?=[A-Z])", name)


def prose(text: str) -> str:
    """Sentences as HTML: no p-value is parted from its number, a possessive has an apostrophe of type, and a long name may be
    broken after its marks.

    >>> prose("A & B's lead (p < 0.0001)")
    'A &amp; B’s lead (p\xa0&lt;\xa00.0001)'
    """
    sentences = re.sub(r"(?<=\w)'s\b", "’s", text)
    text = xml(re.sub(r"\bp ([=<>≤]) (?=\d)", "p\u00a0\\1\u00a0", sentences))
    return re.sub(r"\S{20,}", lambda word: re.sub(r"(?<=[_/])(?=\w)", "<wbr>", word[0]), text)


def _mark(data: Rows, row: Row, low: bool) -> str:
    """The dots of a row, its interval, and its mark."""
    tone, radius = _TONES[row.tone], 4 if low else 6
    parts = [
        f'<circle class="dot" cx="{_percent(data, dot)}" cy="50%" r="4" transform="translate(0 {DOT_LANE * lane})"/>'
        for dot, lane in row.dots
    ]
    if row.has_interval:
        ends = _percent(data, row.low), _percent(data, row.high)
        parts.append(f'<line class="{tone}" x1="{ends[0]}" x2="{ends[1]}" y1="50%" y2="50%"/>')
    if math.isnan(row.value):
        return "".join(parts)
    x = _percent(data, row.value)
    kind = {"full": tone, "half": f"o {tone}", "none": "o"}[row.fill]
    parts.append(f'<circle class="{kind}" cx="{x}" cy="50%" r="{radius}"/>')
    if row.fill == "half":  # a picture in the picture, as only its corner can be given in percent
        half = f'<path class="h {tone}" d="M0 {-radius}A{radius} {radius} 0 0 1 0 {radius}Z"/>'
        parts.append(f'<svg x="{x}" y="50%" overflow="visible">{half}</svg>')
    return "".join(parts)


def _bars(data: Rows, place: int) -> str:
    """The pieces of the bars in one line: whole where the line is a member, thin where the bar only passes."""
    parts = []
    for lane, group in data.bars:
        if not group[0] <= place <= group[-1]:
            continue
        x = LANE * lane + 3
        if place not in group:
            parts.append(f'<line class="pass" x1="{x + 3}" x2="{x + 3}" y1="0" y2="100%"/>')
            continue
        top, bottom = (25 if place == group[0] else -1), (75 if place == group[-1] else 101)
        parts.append(f'<rect class="bar" x="{x}" y="{top}%" width="6" height="{bottom - top}%"/>')
    return "".join(parts)


def _legend(data: Rows) -> str:
    shown = "".join(
        f'<span class="key"><svg width="12" height="12" aria-hidden="true">{_SAMPLES[word].replace("{tone}", _TONES[data.half_tone])}</svg>'
        f"{prose(meaning)}</span>"
        for word, meaning in data.legend
    )
    return f'<div class="legend">{shown}</div>' if shown else ""


def grid_html(key: str, grid: Grid) -> str:
    """A matrix as a table whose cells are coloured; long names stand for themselves in lines, for a number in columns."""
    named = max(map(len, grid.names)) <= SHORT_NAME and grid.written
    heads = "".join(
        f'<th scope="col">{_labelled(name, name) if named else place}</th>'
        for place, name in enumerate(grid.names, start=1)
    )
    rows = []
    for place, (name, label, cells) in enumerate(zip(grid.names, grid.labels, grid.cells, strict=True)):
        number = "" if named else f"<small>{place + 1}</small> "
        head = f'<th scope="row">{number}{_labelled(name, label)}</th>'
        written = "".join(_cell(cell, grid.written and place > column) for column, cell in enumerate(cells))
        rows.append(f"<tr>{head}{written}</tr>")
    kind = " ".join(("mx", *(_written_classes(grid, named) if grid.written else ("tiny", "long"))))
    return (
        f'<figure class="chart" data-block="{xml(key)}"><p class="head">{xml(grid.title)}</p>'
        f'<div class="scroll" tabindex="0" role="group" aria-label="{xml(grid.title)}">'
        f'<table class="{kind}"><caption class="vh">{xml(grid.title)}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f"{_steps(grid)}<figcaption>{prose(grid.note)}</figcaption></figure>"
    )


def _steps(grid: Grid) -> str:
    """The steps of colour: those of what is shown above those of what may be due to chance, and where each ends."""
    order = [*(f"n{step}" for step in (3, 2, 1)), *(f"p{step}" for step in (1, 2, 3))]
    lines = ""
    for word, strong in (("significant", " s"), ("may be due to chance", "")):
        cells = "".join(f'<i class="{kind}{strong}"></i>' for kind in order)
        lines += f"<div><span>{word}</span>{cells}</div>"
    breaks = "".join(f"<b>{xml(text)}</b>" for text in grid.breaks)
    return f'<div class="steps" aria-hidden="true">{lines}<div class="breaks"><span></span>{breaks}</div></div>'


def _written_classes(grid: Grid, named: bool) -> list[str]:
    """How wide the cells and the names of a matrix with numbers are, and whether half a page is too narrow for it."""
    lower, upper = (
        max(len(cell.text) for i, row in enumerate(grid.cells) for j, cell in enumerate(row) if cell and (i > j) == low)
        for low in (True, False)
    )
    letters = min(max(upper, lower - 1, CELL_LETTERS[0]), CELL_LETTERS[1])  # records have smaller letters, none bold
    longest = max(len(word) for label in grid.labels for word in re.split(r"[\s_/:=,-]", label))
    room = SHORT_NAME if named else next((room for room in ROOMS if max(longest, SHORT_NAME) + 3 <= room), 0)
    fine = letters * len(grid.names) + room > HALF
    return [f"x{letters}", *([] if named else ["long", f"nm{room}" if room else "wide"]), *["fine"] * fine]


def _cell(cell: Cell | None, is_record: bool) -> str:
    if cell is None:
        return '<td class="me"></td>'
    if is_record:
        return f'<td class="lo">{xml(cell.text)}</td>'
    kind = f"p{cell.step}" if cell.step > 0 else f"n{-cell.step}" if cell.step < 0 else "z"
    return f'<td class="{kind}{" s" if cell.shown else ""}">{xml(cell.text)}</td>'
