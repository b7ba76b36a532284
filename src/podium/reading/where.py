"""A filter of rows: `constraint == '4h8c' and fold < 5`. It is parsed as Python is, and only conditions pass; it runs nothing.

    filter     := condition ("and" condition)*
    condition  := column ("==" | "!=" | "<" | "<=" | ">" | ">=") value  |  column ["not"] "in" "[" value ("," value)* "]"
    column     := a name without blanks, or any name in quotes or backticks
    value      := a number, or a text in quotes

Texts are compared with the cell as it is written, without outer blanks; '' is a blank cell. Numbers are compared with
the number that a cell holds. A cell without a number equals none, and is neither smaller nor larger than any.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from podium.core.arrays import Bools
from podium.core.errors import ArgumentError, DataError
from podium.core.names import key_of, quoted, shown
from podium.reading.sheet import Sheet

Value = str | float

_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
_NODES = (ast.Eq, ast.NotEq, ast.In, ast.NotIn, ast.Lt, ast.LtE, ast.Gt, ast.GtE)
_SIGNS = dict(zip(_NODES, ("==", "!=", "in", "not in", *_COMPARE), strict=True))
# Names of columns before a sign, whatever Python makes of them ("class", "top-1%"), and what is in quotes or backticks.
_COLUMN = re.compile(
    r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|`[^`]*`"""
    r"""|(?<!\w)(?!(?:and|or|not|in)\b)[^\W\d][\w.\-/%\#]*(?=\s*(?:[=!<>]=|[<>]|(?:not\s+)?in\b))"""
)


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
    fixed = [each.column for each in parsed(where) if each.sign in ("==", "in") and len(each.values) == 1]
    return replace(sheet.rows(keep), notes=(*sheet.notes, note), fixed=frozenset(map(key_of, fixed)))


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
    # A name stands behind a mask of its length, so that every place stays where it is.
    masked = _COLUMN.sub(lambda name: name[0] if name[0][0] in "'\"" else "_" * len(name[0].encode()), where)
    try:
        tree = ast.parse(f"({masked})", mode="eval").body  # in brackets, where blanks and lines do not matter
    except SyntaxError as error:
        raise _wrong(where, where[max(0, (error.offset or 2) - 2) :]) from None
    except (ValueError, MemoryError, RecursionError):  # a zero byte, or brackets without end
        raise _wrong(where, where) from None
    nodes = tree.values if isinstance(tree, ast.BoolOp) and isinstance(tree.op, ast.And) else [tree]
    return tuple(_condition(node, where) for node in nodes)


def _condition(node: ast.expr, where: str) -> Condition:
    """One comparison; any other kind of node is refused."""
    match node:
        case ast.Compare(
            left=column,
            ops=[ast.In() | ast.NotIn() as sign],
            comparators=[ast.List(elts=cells) | ast.Tuple(elts=cells)],
        ):
            pass
        case ast.Compare(left=column, ops=[sign], comparators=[cell]) if type(sign) in _SIGNS:
            cells = [cell]
        case _:
            raise _wrong(where, _part(node, where))
    name, values = _value(column, where, name=True), tuple(_value(cell, where) for cell in cells)
    if _SIGNS[type(sign)] in _COMPARE and isinstance(values[0], str):
        raise _wrong(where, _part(cells[0], where), f"a number after {_SIGNS[type(sign)]}")
    return Condition(str(name), _SIGNS[type(sign)], values)


def _value(node: ast.expr, where: str, *, name: bool = False) -> Value:
    """A text or a number; the `name` of a column is a text, or stands behind its mask."""
    if name and isinstance(node, ast.Name):
        return _part(node, where).strip("`")
    try:
        value = ast.literal_eval(node)
        if type(value) in (str, int, float):
            return value if isinstance(value, str) else float(value)
        raise TypeError
    except (TypeError, ValueError, OverflowError):
        raise _wrong(where, _part(node, where), "a number, or a text in quotes") from None


def _part(node: ast.expr, where: str) -> str:
    """What a node stands for in the text of the filter, which was parsed in brackets; places are counted in bytes."""
    return where.encode()[node.col_offset - 1 : (node.end_col_offset or 0) - 1].decode(errors="replace")


def _wrong(where: str, part: str, wanted: str = "conditions") -> ArgumentError:
    """The error that shows the part that is not understood."""
    return ArgumentError(
        "{argument} {filter} is not understood {place}: expected {wanted}, as in \"constraint == '4h8c' and fold < 5\" (==, !=, <, <=, "
        ">, >= or in [...], strings in quotes, and only `and` between conditions).",
        argument="where",
        filter=shown(where, 200),
        place=f"at {shown(part.strip(), 30)}" if part.strip() else "at its end",
        part=part.strip(),
        wanted=wanted,
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
