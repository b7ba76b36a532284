"""Where in a TOML file a key or a value stands, so that a complaint can name the line."""

from __future__ import annotations

import re

__all__ = ["line_of"]

_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\]]+?)\s*\]\]?\s*(#.*)?$")


def line_of(text: str, table: str = "", index: int = 0, key: str = "", value: object = None) -> int:
    """The line (from 1) of a key, or of a text value in it, within the index-th table of that name.

    Falls back to the header of the table, then to line 1.

    >>> line_of('seed = 1\\n[limits]\\nseconds = 3', "limits", key="seconds")
    3
    """
    lines = text.splitlines()
    first, last = _scope(lines, table, index)
    if not key:
        return max(first, 1)
    pattern = re.compile(rf"""(^|[\s{{,])["']?{re.escape(key)}["']?\s*=""")
    for number in range(first, last):
        if pattern.search(lines[number]) and not lines[number].lstrip().startswith("#"):
            return _value_line(lines, number, last, value) + 1
    return max(first, 1)


def _scope(lines: list[str], table: str, index: int) -> tuple[int, int]:
    """The lines of a table as a range from the line after its header (0 for the top level)."""
    starts: list[tuple[int, str]] = [(0, "")]
    for number, line in enumerate(lines):
        found = _HEADER.match(line)
        if found:
            starts.append((number + 1, found.group(2).strip("\"' ")))
    ends = [start - 1 for start, _ in starts[1:]] + [len(lines)]
    places = [(start, end) for (start, name), end in zip(starts, ends, strict=True) if name == table]
    return places[min(index, len(places) - 1)] if places else (0, ends[0])


def _value_line(lines: list[str], start: int, end: int, value: object) -> int:
    if value is None:
        return start
    needle = re.compile(rf"(?<![\w.-]){re.escape(str(value))}(?![\w.-])")
    for number in range(start, end):
        if needle.search(lines[number]):
            return number
    return start
