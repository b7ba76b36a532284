"""Rows as lines of text, for terminals: a mark on a track of cells, its interval as a line, and its numbers."""

from __future__ import annotations

import math
from dataclasses import replace

from rich.cells import cell_len

from podium.core.escape import visible
from podium.plot.rows import Row, Rows, seen
from podium.plot.style import shorten

CELLS, LEAST_CELLS = 43, 12
LONGEST_NAMES = (24, 16, 12)  # as long as there is room for marks and numbers
_MARKS = {"full": "\u25cf", "half": "\u25d0", "none": "\u25cb"}
_SAMPLES = {"ahead": "\u25cf", "behind": "\u25cf", "plain": "\u25cf", "half": "\u25d0", "none": "\u25cb"}


def to_text(data: Rows, width: int = 100, most: int | None = None) -> list[str]:
    """What is measured; then in lines of at most this width the axis, each of the first rows, and what the marks mean."""
    total = len(data.rows) + (len(data.rest.rows) if data.rest is not None else 0)
    could_be_first = data.cut
    data = replace(data, rows=data.rows[:most], bars=())
    kept = set(range(len(data.heads)))
    starred = could_be_first is None and data.says("tint")  # no line parts those that could be first from the others
    for limit in LONGEST_NAMES:
        names = [
            shorten(visible(replace(row, tag="").said), limit) + " *" * (starred and row.tinted) for row in data.rows
        ]
        longest = max(map(cell_len, names), default=0)
        if _room(data, kept, longest, width) >= LEAST_CELLS:
            break
    else:
        kept -= set(data.minor)
    cells = max(min(_room(data, kept, longest, width), CELLS), LEAST_CELLS)
    columns = [[data.heads[i], *(row.texts[i] if row.texts else "" for row in data.rows)] for i in sorted(kept)]
    tracks = [_ticks(data, cells), *(_track(data, row, cells) for row in data.rows)]
    lines = []
    for name, track, *texts in zip(["", *names], tracks, *map(_aligned, columns), strict=True):
        lines.append("  ".join([name + " " * (longest - cell_len(name)), track, *texts]).rstrip())
    if could_be_first is not None and could_be_first < len(data.rows):
        above = f" above: could be first ({could_be_first} of {total})"
        dashes = min(cells, width - longest - 2 - len(above))
        lines.insert(could_be_first + 1, " " * (longest + 2) + "\u254c" * dashes + above)
    is_seen = seen(data.rows, data.reference, data.band)
    legend = [f"{_SAMPLES[word]} {meaning}" for word, meaning in data.legend if word in _SAMPLES and word in is_seen]
    legend += [f"\u25c6 the {row.tag or 'reference'}" for row in data.rows if row.tone == "reference"]
    legend += ["* could be first"] if starred else []
    more = [f"and {total - len(data.rows)} more"] if total > len(data.rows) else []
    return [f"{data.title}. {data.scale}.", *lines, *_side_by_side([*legend, *more], width)]


def _side_by_side(entries: list[str], width: int) -> list[str]:
    """The entries of a legend in as few lines as they need."""
    lines: list[str] = []
    for entry in entries:
        if lines and cell_len(lines[-1]) + 3 + cell_len(entry) <= width:
            lines[-1] += f"   {entry}"
        else:
            lines.append(entry)
    return lines


def _room(data: Rows, kept: set[int], longest: int, width: int) -> int:
    """The cells that names and columns leave."""
    taken = (max(len(data.heads[i]), *(len(row.texts[i]) for row in data.rows if row.texts)) + 2 for i in kept)
    return width - longest - 2 - sum(taken)


def _aligned(texts: list[str]) -> list[str]:
    longest = max(map(len, texts))
    return [text.rjust(longest) for text in texts]


def _place(data: Rows, value: float, cells: int) -> int:
    """The cell of a value; what lies beyond the axis stands at its end."""
    share = (value - data.low) / ((data.high - data.low) or 1.0)
    return round(min(max(share, 0.0), 1.0) * (cells - 1))


def _ticks(data: Rows, cells: int) -> str:
    line = [" "] * cells
    last = -1
    for tick, text in data.ticks:
        start = min(max(_place(data, tick, cells) - len(text) // 2, 0), cells - len(text))
        if start > last + 1 or last < 0:
            line[start : start + len(text)] = text
            last = start + len(text) - 1
    return "".join(line)


def _track(data: Rows, row: Row, cells: int) -> str:
    """The line of the reference, the interval, and the mark; dots are counted by their number in each cell."""
    line = [" "] * cells
    zero = None if data.reference is None else _place(data, data.reference, cells)
    if zero is not None:
        line[zero] = "\u2502"
    for value, _ in row.dots:
        place = _place(data, value, cells)
        line[place] = str(min(int(line[place]) + 1, 9)) if line[place].isdigit() else "1"
    if row.has_interval:
        start, end = _place(data, row.low, cells), _place(data, row.high, cells)
        line[start : end + 1] = "\u2500" * (end + 1 - start)
        if zero is not None and start <= zero <= end:
            line[zero] = "\u253c"
    if not math.isnan(row.value):
        line[_place(data, row.value, cells)] = "\u25c6" if row.tone == "reference" else _MARKS[row.fill]
    return "".join(line)
