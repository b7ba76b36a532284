"""Charts and matrices as tables of a page: each line has a name, a picture and its numbers, which are read without it.

A picture is an <svg> without a view box whose x are percentages: it follows the width of the page, its dots stay round and
nothing needs a style attribute, which the page's policy forbids.
"""

from __future__ import annotations

import math
import re
from itertools import pairwise

from podium.core.escape import xml
from podium.plot.scene import length
from podium.report.document import Chart, ChartRow, Keys, Mark, Matrix, MatrixCell

LANE = 11  # pixels from one bar of a group to the next
SHORT_NAME = 8
CELL_LETTERS = (4, 8)  # for which the style sheet has cells of a matrix
HALF = 44  # letters of a line of a matrix that half a page has room for
ROOMS = (4, 6, 8, 10, 12, 16, 20)  # letters for which the style sheet has a column of names
ONE_LINE = 18  # letters of a name that stays on one line
MANY, FEW = 20, 8  # lines: above the one they are low, up to the other high
PHONE_TICKS, PHONE_TICKS_WIDE = 9, 4  # letters of a scale that a phone has room for; beside the longest names
DOT_ROOM = 2.4  # percent of the scale that a dot takes
DOT_LANES = tuple(8 * lane for lane in (0, -1, 1, -2, 2, -3, 3, -4, 4))  # pixels from the middle of the line
_LEGEND = {
    "filled": '<circle class="f" cx="6" cy="6" r="5"/>',
    "behind": '<circle class="b" cx="6" cy="6" r="5"/>',
    "hollow": '<circle class="o" cx="6" cy="6" r="5"/>',
    "lit": '<rect class="chip" x="0" y="1" width="12" height="10"/>',
    "band": '<rect class="rope" x="0" y="1" width="12" height="10"/>',
    "reference": '<line class="dash" x1="6" x2="6" y1="0" y2="12"/>',
}


def keys_html(block: Keys) -> str:
    """The numbers that matter, large."""
    items = "".join(f"<div><dd>{xml(value)}</dd><dt>{xml(text)}</dt></div>" for value, text in block.items)
    return f'<dl class="keys">{items}</dl>'


def chart_html(chart: Chart) -> str:
    """A chart with its title, its legend and its note."""
    rest = ""
    if chart.rest is not None:
        rest = f"<details><summary>The other {len(chart.rest.rows)}</summary>{_lines(chart.rest)}</details>"
    note = f"<p>{xml(chart.note)}</p>" if chart.note else ""
    return (
        f'<figure class="chart" data-block="{xml(chart.key)}"><p class="head">{xml(chart.title)}</p>{_lines(chart)}{rest}'
        f"<figcaption>{_legend(chart)}{note}</figcaption></figure>"
    )


def is_tall(chart: Chart) -> bool:
    """Whether a chart is higher than the words beside it."""
    return len(chart.rows) > MANY


def _is_low(chart: Chart) -> bool:
    """Whether the lines of a chart are low, as there are many of them."""
    return is_tall(chart) or chart.rest is not None


def _lines(chart: Chart) -> str:
    """The table of a chart; a line is drawn below the last that could be first, where none of the others can."""
    lit = [row.lit for row in chart.rows]
    cut = [i for i, (one, next_one) in enumerate(pairwise(lit), start=1) if one and not next_one]
    first = any(entry.startswith("lit: ") for entry in chart.legend)
    rows = "".join(_row(chart, place, first and cut == [place]) for place in range(len(chart.rows)))
    height = " many" if _is_low(chart) else " few" * (len(chart.rows) <= FEW)
    kind = f"plot {chart.key.replace('_', '-')}{height} {_room(chart)} g{len(chart.bars)}"
    caption = f'<caption class="vh">{xml(chart.title)}</caption>'
    return f'{_defs(chart)}<table class="{kind}">{caption}{_head(chart)}<tbody>{rows}</tbody></table>'


def _room(chart: Chart) -> str:
    """How wide the column of names is, by the letters of its longest line; the longest names take a share of the page."""
    need = max((_letters(row) for row in chart.rows), default=0)
    return next((f"nm{room}" for room in ROOMS if need <= room), "wide")


def _letters(row: ChartRow) -> int:
    """The letters that a line must hold so that no word is broken and a name has at most two lines."""
    text = row.label or " ".join((" over ".join(row.names), row.tag)).strip()
    longest = max(map(len, re.split(r"[\s-]", text)), default=0)
    return max(longest, len(text) if len(text) <= ONE_LINE else math.ceil(0.6 * len(text)))


def _percent(chart: Chart, value: float) -> str:
    """The place of a value on the scale; what lies beyond it stands at its end."""
    return f"{length(_share(chart, value))}%"


def _defs(chart: Chart) -> str:
    """The grid, once for all lines."""
    lines = "".join(
        f'<line class="gl" x1="{x}" x2="{x}" y1="0" y2="100%"/>' for x in (_percent(chart, t) for t, _ in chart.ticks)
    )
    if chart.band is not None:
        low, high = (_share(chart, end) for end in chart.band)
        lines = f'<rect class="rope" x="{length(low)}%" y="0" width="{length(high - low)}%" height="100%"/>{lines}'
    if chart.reference is not None and chart.low <= chart.reference <= chart.high:
        x = _percent(chart, chart.reference)
        kind = "zero" if chart.reference == 0 else "dash"
        lines += f'<line class="{kind}" x1="{x}" x2="{x}" y1="0" y2="100%"/>'
    return f'<svg class="defs" aria-hidden="true"><defs><g id="{_grid(chart)}">{lines}</g></defs></svg>'


def _grid(chart: Chart) -> str:
    """The id of a chart's grid; the other lines of a chart have another scale, and so another key."""
    return f"grid-{xml(chart.key)}-{len(chart.rows)}"


def _share(chart: Chart, value: float | None) -> float:
    share = ((value or 0.0) - chart.low) / ((chart.high - chart.low) or 1.0)
    return 2 + 96 * min(max(share, -0.02), 1.02)


def _head(chart: Chart) -> str:
    ticks = "".join(
        f'<text{" class=alt" * spare} x="{_percent(chart, place)}" y="70%">{xml(text)}</text>'
        for (place, text), spare in zip(chart.ticks, _spare(chart), strict=True)
    )
    heads = "".join(
        f'<th scope="col" class="n{_wide(chart, place)} {_column(chart, place)}">{xml(head)}</th>'
        for place, head in enumerate(chart.heads)
    )
    bars = ""
    if chart.bars:
        letters = "".join(
            f'<text x="{LANE * i + 6}" y="70%">{xml(letter)}</text>' for i, letter in enumerate(chart.letters)
        )
        bars = f'<th scope="col" class="g"><span class="vh">Groups</span><svg class="t" aria-hidden="true">{letters}</svg></th>'
    name = "Pair" if any(len(row.names) > 1 for row in chart.rows) else "Algorithm"
    return (
        f'<thead><tr><th scope="col" class="nm"><span class="vh">{name}</span></th>'
        f'<th scope="col" class="w"><span class="vh">Picture</span><svg class="t" aria-hidden="true">{ticks}</svg></th>'
        f"{heads}{bars}</tr></thead>"
    )


def _spare(chart: Chart) -> list[bool]:
    """Which ticks have no number on a phone, where all of them would touch: every second one, never that of 0."""
    places = [place for place, _ in chart.ticks]
    most = PHONE_TICKS_WIDE if _room(chart) == "wide" else PHONE_TICKS
    crowded = sum(len(text) + 1 for _, text in chart.ticks) > most
    kept = places.index(0.0) if 0.0 in places else 0
    return [crowded and (i - kept) % 2 == 1 for i in range(len(places))]


def _wide(chart: Chart, place: int) -> str:
    """Intervals need more room than other numbers, and give way on a phone: the picture shows them."""
    return " iv" if "nterval" in chart.heads[place] else ""


def _column(chart: Chart, place: int) -> str:
    """The class of a column by its width in rem: its head in the smaller letters, its numbers in bold."""
    head = 0.42 * max(map(len, chart.heads[place].split()), default=0)
    text = 0.54 * max((len(row.texts[place]) for row in chart.rows if row.texts), default=0)
    return f"c{min(max(math.ceil(max(head, text) + 0.6), 3), 12)}"


def _row(chart: Chart, place: int, is_cut: bool) -> str:
    row = chart.rows[place]
    kinds = {"first": row.lit, "cut": is_cut, "sig": row.mark.filled and len(row.names) > 1}
    classes = [name for name, is_so in kinds.items() if is_so]
    start = f'<tr class="{" ".join(classes)}">' if classes else "<tr>"
    numbers = "".join(f'<td class="n{_wide(chart, i)}">{xml(text)}</td>' for i, text in enumerate(row.texts))
    grid = f'<use href="#{_grid(chart)}"/>'
    bars = f'<td class="g"><svg class="t" aria-hidden="true">{_bars(chart, place)}</svg></td>' if chart.bars else ""
    key = f' data-key="{xml(row.names[0])}"' if len(row.names) == 1 else ""
    picture = f'<svg class="t" aria-hidden="true">{grid}<g{key}>{_mark(chart, row.mark)}</g></svg>'
    return f'{start}<th scope="row" class="nm">{_names(row)}</th><td class="w">{picture}</td>{numbers}{bars}</tr>'


def _names(row: ChartRow) -> str:
    tag = f' <small class="tag">{xml(row.tag)}</small>' if row.tag else ""
    if row.label:
        return xml(row.label) + tag
    names = (f'<bdi data-key="{xml(name)}">{breakable(name)}</bdi>' for name in row.names)
    return " <span>over</span> ".join(names) + tag


def breakable(name: str) -> str:
    """A name as HTML; a long one may be broken after its marks before it is broken anywhere.

    >>> breakable("forest"), breakable("extra_trees_of_500")
    ('forest', 'extra_<wbr>trees_<wbr>of_<wbr>500')
    """
    return xml(name) if len(name) < ROOMS[-3] else "<wbr>".join(map(xml, re.split(r"(?<=[_/:,])(?=\w)", name)))


def _mark(chart: Chart, mark: Mark) -> str:
    open_mark = "o" if mark.low is not None or chart.reference == 0 else "d"
    kind = "b" if mark.behind else "f" if mark.filled else open_mark
    parts = [
        f'<circle class="dot" cx="{_percent(chart, dot)}" cy="50%" r="4"{_shifted(lane)}/>'
        for dot, lane in zip(sorted(mark.dots), _lanes(chart, sorted(mark.dots)), strict=True)
    ]
    if mark.low is not None and mark.high is not None:
        ends = _percent(chart, mark.low), _percent(chart, mark.high)
        parts.append(f'<line class="{kind}" x1="{ends[0]}" x2="{ends[1]}" y1="50%" y2="50%"/>')
    if mark.value is not None and math.isfinite(mark.value):
        parts.append(
            f'<circle class="{kind}" cx="{_percent(chart, mark.value)}" cy="50%" r="{4 if _is_low(chart) else 6}"/>'
        )
    return "".join(parts)


def _lanes(chart: Chart, dots: list[float]) -> list[int]:
    """How far each dot is moved up or down so that it hides no other, as far as there is room."""
    ends = [-math.inf] * len(DOT_LANES)
    found = []
    for dot in dots:
        x = _share(chart, dot)
        free = [lane for lane, end in enumerate(ends) if x - end >= DOT_ROOM]
        lane = free[0] if free else ends.index(min(ends))
        ends[lane] = x
        found.append(DOT_LANES[lane])
    return found


def _shifted(pixels: int) -> str:
    return f' transform="translate(0 {pixels})"' if pixels else ""


def _bars(chart: Chart, place: int) -> str:
    """The pieces of the bars in one line: whole where the line is a member, thin where the bar only passes."""
    parts = []
    for lane, group in enumerate(chart.bars):
        if not group[0] <= place <= group[-1]:
            continue
        x = LANE * lane + 3
        if place not in group:
            parts.append(f'<line class="pass" x1="{x + 3}" x2="{x + 3}" y1="0" y2="100%"/>')
            continue
        top, bottom = (25 if place == group[0] else -1), (75 if place == group[-1] else 101)
        parts.append(f'<rect class="bar" x="{x}" y="{top}%" width="6" height="{bottom - top}%"/>')
    return "".join(parts)


def _legend(chart: Chart) -> str:
    shown = []
    for item in chart.legend:
        word, _, meaning = item.partition(": ")
        if _is_seen(chart, word):
            shown.append(
                f'<span class="key"><svg width="12" height="12" aria-hidden="true">{_LEGEND[word]}</svg>{xml(meaning)}</span>'
            )
    return f'<div class="legend">{"".join(shown)}</div>' if shown else ""


def _is_seen(chart: Chart, word: str) -> bool:
    """Whether the chart has what an entry of the legend explains."""
    marks = [row.mark for row in chart.rows]
    seen = {
        "filled": any(mark.filled and not mark.behind for mark in marks),
        "behind": any(mark.behind for mark in marks),
        "hollow": any(not mark.filled and mark.low is not None for mark in marks),
        "lit": any(row.lit for row in chart.rows) and not all(row.lit for row in chart.rows),
        "band": chart.band is not None,
        "reference": chart.reference is not None and chart.low <= chart.reference <= chart.high,
    }
    return seen[word]


def matrix_html(matrix: Matrix) -> str:
    """The matrix as a table whose cells are coloured; long names stand for themselves in lines, for a number in columns."""
    named = max(map(len, matrix.names)) <= SHORT_NAME and matrix.written
    heads = "".join(
        f'<th scope="col">{f"<bdi data-key={_quoted(name)}>{xml(name)}</bdi>" if named else place}</th>'
        for place, name in enumerate(matrix.names, start=1)
    )
    rows = []
    for place, (name, cells) in enumerate(zip(matrix.names, matrix.cells, strict=True), start=1):
        number = "" if named else f"<small>{place}</small> "
        head = f'<th scope="row">{number}<bdi data-key={_quoted(name)}>{breakable(name)}</bdi></th>'
        rows.append(
            f"<tr>{head}{''.join(_matrix_cell(cell, matrix.written, place > column) for column, cell in enumerate(cells))}</tr>"
        )
    steps = "".join(f'<span class="{_step_class(step)}">{xml(text)}</span>' for step, text in matrix.steps)
    kind = " ".join(("mx", *(_written_classes(matrix, named) if matrix.written else ("tiny", "long"))))
    return (
        f'<figure class="chart" data-block="{xml(matrix.key)}"><p class="head">{xml(matrix.title)}</p>'
        f'<div class="scroll" tabindex="0" role="group" aria-label="{xml(matrix.title)}">'
        f'<table class="{kind}"><caption class="vh">{xml(matrix.title)}</caption>'
        f"<thead><tr><td></td>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
        f'<div class="steps" aria-hidden="true">{steps}</div><figcaption>{xml(matrix.note)}</figcaption></figure>'
    )


def _written_classes(matrix: Matrix, named: bool) -> list[str]:
    """How wide the cells and the names of a matrix with numbers are, and whether half a page is too narrow for it."""
    lower, upper = (
        max(
            len(cell.text)
            for i, row in enumerate(matrix.cells)
            for j, cell in enumerate(row)
            if cell and (i > j) == low
        )
        for low in (True, False)
    )
    letters = min(max(upper, lower - 1, CELL_LETTERS[0]), CELL_LETTERS[1])  # records have smaller letters, none bold
    longest = max(len(word) for name in matrix.names for word in re.split(r"[\s_/:=,-]", name))
    room = SHORT_NAME if named else next((room for room in ROOMS if max(longest, SHORT_NAME) + 3 <= room), 0)
    fine = letters * len(matrix.names) + room > HALF
    return [f"x{letters}", *([] if named else ["long", f"nm{room}" if room else "wide"]), *["fine"] * fine]


def _quoted(name: str) -> str:
    return f'"{xml(name)}"'


def _matrix_cell(cell: MatrixCell | None, written: bool, lower: bool) -> str:
    if cell is None:
        return '<td class="me"></td>'
    if lower and written:
        return f'<td class="lo">{xml(cell.text)}</td>'
    frame = " s" if cell.framed and written else ""
    return f'<td class="{_step_class(cell.step)}{frame}">{xml(cell.text)}</td>'


def _step_class(step: int) -> str:
    return f"p{step}" if step > 0 else f"n{-step}" if step < 0 else "z"
