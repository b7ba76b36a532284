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
from typing import NamedTuple

import numpy as np

from podium.core.arrays import Bools
from podium.core.errors import ArgumentError, DataError
from podium.core.names import quoted, shown
from podium.reading.sheet import Sheet

Value = str | float

_TOKEN = re.compile(
    r"""\s*(?:(?P<quoted>'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`)
    |(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.]))
    |(?P<sign>==|!=|<=|>=|<|>|\[|\]|,)
    |(?P<word>[^\W\d][\w.\-/%\#]*)
    |(?P<other>\S+))""",
    re.VERBOSE,
)
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_INSTEAD = {
    "=": "write == for equal",
    "or": "only `and` is known: use `in [...]` for several values",
    "not": "only `not in` is known",
    "&": "write and",
    "&&": "write and",
    "|": "only `and` is known: use `in [...]` for several values",
    "(": "write the conditions one after the other, with and between them, and lists in [ ]",
}


class Token(NamedTuple):
    """One word of a filter and where it starts."""

    kind: str
    text: str
    start: int


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
    note = f"{int(keep.sum())} of {sheet.n_rows} rows were kept, those with {where.strip()}."
    return replace(sheet, frame=sheet.frame[keep].reset_index(drop=True), notes=(*sheet.notes, note))


def parsed(where: str) -> tuple[Condition, ...]:
    """The conditions of a filter; what is not understood is refused, and its place shown.

    >>> parsed("constraint == '4h8c' and fold < 5")
    (Condition(column='constraint', sign='==', values=('4h8c',)), Condition(column='fold', sign='<', values=(5.0,)))
    """
    return _Parser(where).conditions()


class _Parser:
    def __init__(self, text: str) -> None:
        self.text = text
        found = [(str(match.lastgroup), match) for match in _TOKEN.finditer(text)]
        self.tokens = [Token(kind, match[kind], match.start(kind)) for kind, match in found]
        self.at = 0

    @property
    def next(self) -> Token | None:
        """The word that comes next; None at the end."""
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def conditions(self) -> tuple[Condition, ...]:
        """All of the filter."""
        found = [self.condition()]
        while self.next is not None:
            if self.next.text != "and":
                raise self.wrong("`and` or the end")
            self.at += 1
            found.append(self.condition())
        return tuple(found)

    def condition(self) -> Condition:
        """One comparison."""
        column = _unquoted(self.take("the name of a column", "word", "quoted"))
        sign = self.take("==, !=, <, <=, >, >= or in", "sign", "word").text
        if sign == "not" and self.next is not None and self.next.text == "in":
            self.at += 1
            return Condition(column, "not in", self.values())
        if sign == "in":
            return Condition(column, "in", self.values())
        if sign not in ("==", "!=", *_COMPARE):
            self.at -= 1
            raise self.wrong("==, !=, <, <=, >, >= or in")
        place = self.at
        value = self.value()
        if sign in _COMPARE and isinstance(value, str):
            self.at = place
            raise self.wrong(f"a number after {sign}")
        return Condition(column, sign, (value,))

    def values(self) -> tuple[Value, ...]:
        """The list of `in`."""
        self.take("[", "sign", text="[")
        found = [self.value()]
        while self.take(", or ]", "sign", text=",]").text == ",":
            found.append(self.value())
        return tuple(found)

    def value(self) -> Value:
        token = self.take("a number, or a text in quotes", "number", "quoted")
        return float(token.text) if token.kind == "number" else _unquoted(token)

    def take(self, wanted: str, *kinds: str, text: str = "") -> Token:
        """The next word, which must be of one of these kinds (and one of these signs)."""
        token = self.next
        if token is None or token.kind not in kinds or (text and token.text not in text):
            raise self.wrong(wanted)
        self.at += 1
        return token

    def wrong(self, wanted: str) -> ArgumentError:
        """The error that points at the place."""
        token = self.next
        instead = _INSTEAD.get(token.text) or _INSTEAD.get(token.text[:1]) if token else None
        place = f"at {shown(self.text[token.start :], 30)}" if token else "at its end"
        return ArgumentError(
            "{argument} {filter} is not understood {place}: {cure}.",
            argument="where",
            filter=shown(self.text, 200),
            place=place,
            position=token.start if token else len(self.text),
            cure=instead or f"expected {wanted}, as in \"constraint == '4h8c' and fold < 5\"",
        )


def _unquoted(token: Token) -> str:
    if token.kind != "quoted":
        return token.text
    return token.text[1:-1] if token.text[0] == "`" else re.sub(r"\\(.)", r"\1", token.text[1:-1])


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
