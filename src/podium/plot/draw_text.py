"""Rows as lines of text, for terminals: a mark on a track of cells, its interval as a line, and its numbers."""

from __future__ import annotations

import math

from podium.core.escape import visible
from podium.plot.rows import Row, Rows
from podium.plot.style import shorten

CELLS, LEAST_CELLS = 43, 15
LONGEST_NAME = 24
_MARKS = {"full": "\u25cf", "half": "\u25d0", "none": "\u25cb"}
_SAMPLES = {"ahead": "\u25cf", "behind": "\u25cf", "plain": "\u25cf", "half": "\u25d0", "none": "\u25cb"}


def to_text(data: Rows, width: int = 100) -> list[str]:
    """The rows in lines of at most this width: what is measured, the axis, each row, and what the marks mean."""
    kept = set(range(len(data.heads)))
    starred = data.cut is None and data.says("tint")  # no line parts those that could be first from the others
    names = [shorten(visible(row.said), LONGEST_NAME) + " *" * (starred and row.tinted) for row in data.rows]
    longest = max(map(len, names), default=0)
    if _room(data, kept, longest, width) < LEAST_CELLS:
        kept -= set(data.minor)
    cells = max(min(_room(data, kept, longest, width), CELLS), LEAST_CELLS)
    columns = [[data.heads[i], *(row.texts[i] if row.texts else "" for row in data.rows)] for i in sorted(kept)]
    tracks = [_ticks(data, cells), *(_track(data, row, cells) for row in data.rows)]
    lines = []
    for name, track, *texts in zip(["", *names], tracks, *map(_aligned, columns), strict=True):
        lines.append("  ".join([name.ljust(longest), track, *texts]).rstrip())
    if data.cut is not None:
        above = f" above: could be first ({data.cut} of {len(data.rows)})"
        lines.insert(data.cut + 1, " " * (longest + 2) + "\u254c" * cells + above)
    legend = [f"{_SAMPLES[word]} {meaning}" for word, meaning in data.legend if word in _SAMPLES]
    legend += ["\u25c6 the reference"] if any(row.tone == "reference" for row in data.rows) else []
    legend += ["* could be first"] if starred else []
    more = [f"and {data.folded}"] if data.rest is not None else []
    return [f"{data.title}. {data.scale}.", *lines, *(["   ".join([*legend, *more])] if legend or more else [])]


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
