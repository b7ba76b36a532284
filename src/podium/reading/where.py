"""A filter of rows: `constraint == '4h8c' and fold < 5`. A small language of our own, which runs nothing.

    filter     := condition ("and" condition)*
    condition  := column ("==" | "!=" | "<" | "<=" | ">" | ">=") value  |  column ["not"] "in" "[" value ("," value)* "]"
    column     := a name without blanks, or any name in quotes or backticks
    value      := a number, or a text in quotes

Texts are compared with the cell as it is written, without outer blanks; '' is a blank cell. Numbers are compared with
the number that a cell holds. A cell without a number equals none, and is neither smaller nor larger than any.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from podium.core.arrays import Bools
from podium.core.errors import ArgumentError, DataError
from podium.core.names import quoted, shown
from podium.reading.sheet import Sheet

Value = str | float

_QUOTED = r"'(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"|`[^`]*`"
_COLUMN = rf"{_QUOTED}|[^\W\d][\w.\-/%\#]*"
_SIGN = r"[=!<>]=|[<>]|in\b|not\s+in\b"
_VALUE = rf"{_QUOTED}|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])"
_SIGNS = "==, !=, <, <=, >, >= or in"
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_INSTEAD = {
    "=(?!=)": "write == for equal",
    r"or\b": "only `and` is known: use `in [...]` for several values",
    r"not\b": "only `not in` is known",
    "&": "write and",
    r"\|": "only `and` is known: use `in [...]` for several values",
    r"\(": "write the conditions one after the other, with and between them, and lists in [ ]",
}


@dataclass(frozen=True, slots=True)
class Condition:
    """What the cells of one column must be."""

    column: str
    sign: str
    values: tuple[Value, ...]

    def holds(self, cell: str) -> bool:
        """Whether a cell, as stripped text, meets it."""
        if self.sign in _COMPARE:
            number = _number(cell)
            return (
                number is not None and isinstance(self.values[0], float) and _COMPARE[self.sign](number, self.values[0])
            )
        met = (cell == value.strip() if isinstance(value, str) else _number(cell) == value for value in self.values)
        return any(met) == (self.sign in ("==", "in"))


def filtered(sheet: Sheet, where: str) -> Sheet:
    """The rows of a sheet that meet a filter, and a note that says how many they are; none is refused."""
    keep, note = kept_rows(sheet, where)
    return replace(sheet, frame=sheet.frame[keep].reset_index(drop=True), notes=(*sheet.notes, note))


def kept_rows(sheet: Sheet, where: str) -> tuple[Bools, str]:
    """Which rows meet a filter, and a note that says how many they are; none is refused."""
    keep = np.ones(sheet.n_rows, dtype=bool)
    for condition in parsed(where):
        place = sheet.position(condition.column, "where")
        rows = _rows(sheet, place, condition)
        if not (keep & rows).any():
            seen = quoted(sorted(sheet.codes(place)[0])[:8], 8)
            raise DataError(
                "{argument} {filter} leaves no row of {label}: column {column} has {seen}.",
                argument="where",
                filter=shown(where, 200),
                label=sheet.label,
                column=shown(sheet.header[place]),
                seen=seen or "blank cells only",
            )
        keep &= rows
    return keep, f"{int(keep.sum())} of {sheet.n_rows} rows were kept, those with {where.strip()}."


def parsed(where: str) -> tuple[Condition, ...]:
    """The conditions of a filter; what is not understood is refused, and its place shown.

    >>> parsed("constraint == '4h8c' and fold < 5")
    (Condition(column='constraint', sign='==', values=('4h8c',)), Condition(column='fold', sign='<', values=(5.0,)))
    """
    scan = _Scan(where)
    found = [_condition(scan)]
    while scan.at < len(where):
        scan.take(r"and\b", "`and` or the end")
        found.append(_condition(scan))
    return tuple(found)


def _condition(scan: _Scan) -> Condition:
    """One comparison."""
    column = str(_plain(scan.take(_COLUMN, "the name of a column")))
    sign = " ".join(scan.take(_SIGN, _SIGNS).split())
    if sign in ("in", "not in"):
        scan.take(r"\[", "[")
        values = [_plain(scan.take(_VALUE, "a number, or a text in quotes"))]
        while scan.take(r"[,\]]", ", or ]") == ",":
            values.append(_plain(scan.take(_VALUE, "a number, or a text in quotes")))
        return Condition(column, sign, tuple(values))
    before = scan.at
    value = _plain(scan.take(_VALUE, "a number, or a text in quotes"))
    if sign in _COMPARE and isinstance(value, str):
        scan.at = before
        raise scan.wrong(f"a number after {sign}")
    return Condition(column, sign, (value,))


def _plain(written: str) -> Value:
    """What a name or a value means: without its quotes, or as a number."""
    if written[0] == "`":
        return written[1:-1]
    if written[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", written[1:-1])
    return float(written) if written[0] in "+-.0123456789" else written


class _Scan:
    """The text of a filter, and the place up to which it was read."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, len(text) - len(text.lstrip())

    def take(self, pattern: str, wanted: str) -> str:
        """What comes next, which must be so; `wanted` says it in words."""
        found = re.compile(rf"({pattern})\s*").match(self.text, self.at)
        if found is None:
            raise self.wrong(wanted)
        self.at = found.end()
        return found[1]

    def wrong(self, wanted: str) -> ArgumentError:
        """The error that points at the place."""
        rest = self.text[self.at :]
        instead = next((cure for word, cure in _INSTEAD.items() if re.match(rf"{word}", rest)), None)
        return ArgumentError(
            "{argument} {filter} is not understood {place}: {cure}.",
            argument="where",
            filter=shown(self.text, 200),
            place=f"at {shown(rest, 30)}" if rest else "at its end",
            position=self.at,
            cure=instead or f"expected {wanted}, as in \"constraint == '4h8c' and fold < 5\"",
        )


def _rows(sheet: Sheet, place: int, condition: Condition) -> Bools:
    """Which rows meet a condition: each distinct cell is looked at once."""
    names, codes = sheet.codes(place)
    if condition.sign in _COMPARE and names and not any(_number(name) is not None for name in names):
        raise DataError(
            "Column {column} of {label} holds no numbers ({seen}): {argument} can compare it by == and in only.",
            column=shown(sheet.header[place]),
            label=sheet.label,
            seen=quoted(names, 3),
            argument="where",
        )
    met = np.array([*map(condition.holds, names), condition.holds("")], dtype=bool)
    return met[codes]  # -1, a blank cell, is the last


def _number(cell: str) -> float | None:
    try:
        return float(cell)
    except ValueError:
        return None
