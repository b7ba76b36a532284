"""ARFF files as tables: quoted names, nominal values, missing values (?) and sparse rows are kept."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pandas as pd

from podium.core.errors import DataError

_QUOTED = r"""'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*\""""
_ATTRIBUTE = re.compile(rf"@attribute\s+({_QUOTED}|[^\s{{]+)\s*(.+)$", re.IGNORECASE)
# A cell begins where the line does, or after a comma or tab: an index where the row is sparse, and a value, perhaps quoted.
_CELL = re.compile(rf"(?:^|[,\t])\s*((?:\d+ +)?(?:{_QUOTED})|[^,\t]*?)\s*(?=[,\t]|$)")


def parse_arff(text: str, label: str = "ARFF file") -> pd.DataFrame:
    """The data of an ARFF file; numeric columns as numbers, nominal ones as categories in their declared order.

    >>> parse_arff("@relation r\\n@attribute a numeric\\n@attribute 'b c' {x,y}\\n@data\\n1,x\\n?,y").shape
    (2, 2)
    """
    kinds: dict[str, list[str] | None] = {}
    lines = iter(enumerate(text.removeprefix("\ufeff").splitlines(), 1))
    for number, line in lines:
        stripped = line.strip()
        if stripped.lower().startswith("@attribute"):
            match = _ATTRIBUTE.match(stripped)
            if match is None:
                raise DataError(f"{label}, line {number}: this @attribute cannot be understood.")
            name = _plain(match.group(1))
            if name in kinds:
                raise DataError(f"{label}, line {number}: a second attribute {name!r}: give it another name.")
            kinds[name] = _kind(match.group(2).strip(), f"{label}, line {number}")
        elif stripped.lower().startswith("@data"):
            break
    if not kinds:
        raise DataError(f"{label} has no @attribute lines: it is not an ARFF file.")
    rows = list(_rows(lines, list(kinds.values()), label))
    return pd.DataFrame(
        {
            name: _column([row[place] for row in rows], kind, f"{label}, column {name!r}")
            for place, (name, kind) in enumerate(kinds.items())
        }
    )


def _plain(text: str) -> str:
    """Without its quotes and escapes."""
    text = text.strip()
    if len(text) >= 2 and text[0] == text[-1] and text[0] in "'\"":
        return re.sub(r"\\(.)", r"\1", text[1:-1])
    return text


def _kind(text: str, label: str) -> list[str] | None:
    """The values of a nominal attribute; an empty list for free text and dates; None for numbers."""
    if text.startswith("{"):
        return list(dict.fromkeys(_plain(cell) for cell in _cells(_braced(text, label))))
    word = text.partition("[")[0].split()  # KEEL's files write the range after it, also without a blank
    return None if word and word[0].lower() in ("numeric", "real", "integer") else []


def _braced(text: str, label: str) -> str:
    """What stands between the braces; those within quotes, or in a comment after them, do not count."""
    masked = re.sub(_QUOTED, lambda quoted: "_" * len(quoted.group()), text)
    if "}" not in masked:
        raise DataError(f"{label}: the closing brace }} is missing.")
    return text[1 : masked.index("}")]


def _cells(line: str) -> list[str]:
    if not any(mark in line for mark in "'\"\t"):  # most lines of large files
        return [cell.strip() for cell in line.split(",")]
    return [match.group(1) for match in _CELL.finditer(line)]


def _rows(lines: Iterator[tuple[int, str]], kinds: list[list[str] | None], label: str) -> Iterator[list[str]]:
    for number, line in lines:
        stripped = line.strip()
        if not stripped or stripped.startswith("%"):
            continue
        place = f"{label}, line {number}"
        cells = _sparse(stripped, kinds, place) if stripped.startswith("{") else _cells(stripped)
        if len(cells) != len(kinds):
            raise DataError(f"{place}: {len(cells)} values for {len(kinds)} attributes.")
        yield cells


def _sparse(line: str, kinds: list[list[str] | None], label: str) -> list[str]:
    """A row that names only some cells: the others are 0, or the first value of a nominal attribute."""
    cells = ["0" if not kind else repr(kind[0]) for kind in kinds]
    inside = _braced(line, label).strip().replace("\t", " ")
    for entry in _cells(inside) if inside else ():
        place, _, value = entry.partition(" ")
        if not (place.isascii() and place.isdigit()) or int(place) >= len(cells):
            expected = f"an index from 0 to {len(cells) - 1} and a value"
            raise DataError(f"{label}: a sparse cell is {expected}; got {entry[:40]!r}.")
        if not value.strip():
            raise DataError(f"{label}: the sparse cell {place} has no value.")
        cells[int(place)] = value.strip()
    return cells


def _column(cells: list[str], kind: list[str] | None, label: str) -> pd.Series:
    if kind is None:
        try:
            return pd.Series([np.nan if cell in ("?", "") else float(cell) for cell in cells], dtype=np.float64)
        except ValueError as error:
            raise DataError(f"{label} should hold numbers: {error}.") from None
    values = [None if cell in ("?", "") else _plain(cell) for cell in cells]
    if not kind:
        return pd.Series(values, dtype=object)
    strange = sorted({value for value in values if value is not None} - set(kind))
    if strange:
        raise DataError(f"{label} has the undeclared value {strange[0]!r}.")
    return pd.Series(pd.Categorical(values, categories=kind))  # declared values stay values, be they called NA or None
