"""Any result in a notebook: its sentence, the figure that shows it, and its table with worded headers.

The HTML needs no style sheet and no script, because a notebook keeps neither.
"""

from __future__ import annotations

from podium.core.escape import xml
from podium.core.numbers import counted
from podium.core.result import Result
from podium.report.document import Block, Bullets, FigureBlock, Paragraph, TableBlock
from podium.report.documents import in_short
from podium.report.html_scenes import prose

MOST_ROWS = 20
CELL = "padding:.2em .9em .2em 0;font-variant-numeric:tabular-nums;vertical-align:top"


def result_html(result: Result) -> str:
    """What a notebook shows of a result."""
    return f"<div>{''.join(map(_html, in_short(result)))}</div>"


def _html(block: Block) -> str:
    if isinstance(block, Bullets):
        headline, *others = map(prose, block.items)
        size, width = (1.3, 34) if block.role == "verdict" else (1.05, 50)
        first = f'<p style="font-size:{size}em;line-height:1.3;font-weight:600;max-width:{width}em">{headline}</p>'
        return first + (f'<p style="max-width:60em">{" ".join(others)}</p>' if others else "")
    if isinstance(block, Paragraph):
        return f'<p style="max-width:60em">{prose(block.text)}</p>'
    if isinstance(block, FigureBlock):
        return f'<div style="max-width:60em">{block.figure._repr_svg_()}</div>'
    return _table(block) if isinstance(block, TableBlock) else ""


def _table(block: TableBlock) -> str:
    """A table; of one that has a single row the numbers, because its words are those of the sentence."""
    numbers = [place for place, column in enumerate(block.columns) if column.is_numeric]
    kept = numbers if numbers and len(block.rows) == 1 else range(len(block.columns))
    titles = [block.columns[place].title for place in kept]
    right = [block.columns[place].is_numeric for place in kept]
    rows = [[texts[place] for place in kept] for texts in block.texts(MOST_ROWS)]
    hidden = len(block.rows) - MOST_ROWS
    more = f"<p>... and {counted(hidden, 'more row')}: to_frame() and tables() have all.</p>" if hidden > 0 else ""
    head, body = _line("th", titles, right), "".join(_line("td", row, right) for row in rows)
    return f'<div style="overflow-x:auto"><table><thead>{head}</thead><tbody>{body}</tbody></table></div>{more}'


def _line(tag: str, texts: list[str], right: list[bool]) -> str:
    """One row: numbers whole and at the right edge, room between columns, digits of one width."""
    whole = "text-align:right" + ";white-space:nowrap" * (tag == "td")
    sides = (whole if edge else "text-align:left" for edge in right)
    cells = (f'<{tag} style="{side};{CELL}">{xml(text)}</{tag}>' for side, text in zip(sides, texts, strict=True))
    return f"<tr>{''.join(cells)}</tr>"
