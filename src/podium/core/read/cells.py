"""Cells to numbers: blanks, markers, standard deviations, footnotes, percent signs, decimal commas, failures."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd

from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.read.names import shown
from podium.core.read.options import ReadOptions

# Texts that mean "no score" in any table; `missing_marker` names more.
MISSING_MARKERS = frozenset("na n/a nan null none nil missing - -- --- – — ? . * #n/a #na".split())

_NUMBER = r"[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PLAIN = re.compile(_NUMBER)
_COMMA = re.compile(r"[-+−]?\d+,\d+(?:[eE][-+]?\d+)?%?")
_THOUSANDS = re.compile(r"[-+]?\d{1,3}(?:,\d{3})+\.\d+")
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_SPREAD = re.compile(rf"({_NUMBER})\s*(?:±|\+/-|\+-|\\pm)\s*{_NUMBER}|({_NUMBER})\s*[(\[]\s*{_NUMBER}\s*[)\]]")
_FOOTNOTE = re.compile(rf"({_NUMBER})\s*[(\[]\s*(?:\d{{1,3}}|[a-zA-Z*†‡])\s*[)\]]")
_MARKS = re.compile(r"\\(?:textbf|mathbf|underline|textit|emph)\{([^{}]*)\}")
_DECORATION = re.compile(r"^[\s*_$•∘◦†‡§+]*|[\s*_$•∘◦†‡§]*$")
_INFINITE = re.compile(r"[-+]?(inf|infinity)", re.IGNORECASE)
_STARTS_LIKE_A_NUMBER = re.compile(r"[\s*_$]*[-+−]?[.,]?\d|\$?\\(textbf|mathbf|underline)\{|[-+]?inf", re.IGNORECASE)


@dataclass(slots=True)
class Parsed:
    """One column of numbers; `messages` holds the text that stood in a missing cell, by row."""

    values: Floats
    messages: dict[int, str] = field(default_factory=dict)


def parse_column(column: pd.Series, options: ReadOptions, where: Any) -> Parsed:
    """The numbers of a column; `where(row)` names the cell for an error."""
    if column.dtype.kind == "b" or column.dtype.kind in "mM":
        raise DataError(f"{where(0)} is {shown(str(column.iloc[0]))}, not a number: choose the column of the scores.")
    if column.dtype.kind in "iuf":
        values = column.to_numpy(dtype=np.float64)
        infinite = np.flatnonzero(np.isinf(values))
        if infinite.size:
            raise _infinite(str(values[infinite[0]]), where(int(infinite[0])))
        return Parsed(values)
    return _parse_texts(column, options, where)


def _parse_texts(column: pd.Series, options: ReadOptions, where: Any) -> Parsed:
    markers = MISSING_MARKERS | {marker.strip().lower() for marker in options.missing_markers}
    cells = column.to_numpy(dtype=object)
    parsed = Parsed(_plain_numbers(column, options))
    known: dict[str, float] = {}
    percents = 0
    blank = column.isna().to_numpy()
    for row in np.flatnonzero(~np.isfinite(parsed.values) & ~blank).tolist():
        text = str(cells[row]).strip()
        if not text or text.lower() in markers:
            continue
        percents += text.endswith("%")
        if text not in known:
            number = number_of(text, options)
            if number is None and options.text_as_missing and not _looks_like_number(text):
                parsed.messages[row] = text
                continue
            known[text] = _finite(number, text, where, row)
        parsed.values[row] = known[text]
    if 0 < percents < np.count_nonzero(~np.isnan(parsed.values)):
        raise DataError(f"Some cells around {where(0)} have a percent sign and others do not: write all in one way.")
    return parsed


def _plain_numbers(column: pd.Series, options: ReadOptions) -> Floats:
    """The cells that are plain numbers, all at once; nan for the others."""
    if options.missing_markers or not pd.api.types.is_string_dtype(column.dtype):
        return np.full(len(column), np.nan)
    numbers = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    if column.dtype == object:  # pandas takes true for 1
        numbers[[isinstance(cell, bool | np.bool_) for cell in column]] = np.nan
    return numbers


def _finite(number: float | None, text: str, where: Any, row: int) -> float:
    """The number of a cell; what is none, or infinite, is refused."""
    if number is None:
        raise _unreadable(text, where(row))
    if not np.isfinite(number):
        raise _infinite(text, where(row))
    return number


def is_plain_number(text: str) -> bool:
    """Whether a text is a number as programs write it.

    >>> is_plain_number("-0.5e-3"), is_plain_number("1,5"), is_plain_number("error")
    (True, False, False)
    """
    return _PLAIN.fullmatch(text) is not None


def number_of(text: str, options: ReadOptions) -> float | None:
    """The number a cell stands for under the options, or None."""
    if options.footnotes:
        text = _MARKS.sub(r"\1", text)
        text = _DECORATION.sub("", text)
        if match := _FOOTNOTE.fullmatch(text):
            text = match[1]
    if options.decimal_comma:
        text = text.replace(".", "").replace(",", ".") if re.search(r"\.\d{3}\b.*,", text) else text.replace(",", ".")
    if options.mean_sd and (match := _SPREAD.fullmatch(text.replace("$", ""))):
        text = match[1] or match[2]
    if options.percent and (match := _PERCENT.fullmatch(text)):
        text = match[1]
    if _PLAIN.fullmatch(text):
        return float(text.replace("−", "-"))
    return float(text) if _INFINITE.fullmatch(text) else None


def _looks_like_number(text: str) -> bool:
    """Whether this is a number written with extra signs: not a message, even where text counts as missing."""
    patterns = (_COMMA, _THOUSANDS, _PERCENT, _SPREAD, _FOOTNOTE, _INFINITE)
    return any(pattern.fullmatch(text) for pattern in patterns)


# What each option of reading does to a cell, as the error of a cell says it.
_CURES = {
    "decimal_comma": "{decimal_comma} if the comma is a decimal comma",
    "percent": "{percent} to read percent signs",
    "mean_sd": "{mean_sd} to keep the mean",
    "footnotes": "{footnotes} to drop the mark",
}


def _unreadable(text: str, where: str) -> DataError:
    """The error for a cell that is no number under the options, with the fewest options that would read it."""
    readable = (
        names
        for size in range(1, len(_CURES) + 1)
        for names in combinations(_CURES, size)
        if number_of(text, ReadOptions(**dict.fromkeys(names, True))) is not None  # type: ignore[arg-type]
    )
    if _THOUSANDS.fullmatch(text):
        cure = "remove the thousands separators"
    elif _FOOTNOTE.fullmatch(text):
        cure = "give {footnotes} to drop the mark, or {mean_sd} if it is a standard deviation"
    elif options := next(readable, ()):
        cure = "give " + " and ".join(_CURES[name] for name in options)
    else:
        cure = (
            "correct it, give {missing_marker} {cell} if it marks a missing score, or {text_as_missing} if texts are "
            "failures"
        )
    return DataError(f"{{where}} is {{cell}}, not a number: {cure}.", where=where, cell=shown(text))


def _infinite(text: str, where: str) -> DataError:
    return DataError(
        f"{where} is {shown(text)}, an infinite value: correct it, or empty the cell to make it missing on purpose."
    )


def looks_numeric(column: pd.Series) -> bool:
    """Whether a column holds scores, perhaps with extra signs: half of its texts start like a number."""
    if column.dtype.kind in "iuf":
        return not np.isnan(column.to_numpy()).all()
    if column.dtype.kind in "bmM":
        return False
    texts = [str(cell).strip() for cell in column.dropna().head(2000)]
    texts = [text for text in texts if text.lower() not in MISSING_MARKERS and text]
    return bool(texts) and 2 * sum(bool(_STARTS_LIKE_A_NUMBER.match(text)) for text in texts) >= len(texts)


_KINDS = (
    ("timeout", re.compile(r"time[\s_-]*out|timed out|time limit|requested time|^(TO|TLE)$", re.IGNORECASE)),
    ("memory", re.compile(r"memory|\bOOM\b|^(MO|MEMOUT)$", re.IGNORECASE)),
)


def failure_kind(message: str) -> str:
    """The type of a hole: "timeout", "memory" or "failed", from its message.

    >>> failure_kind("TimeoutError: 3600 s"), failure_kind("MemoryError"), failure_kind("Missing predictions.")
    ('timeout', 'memory', 'failed')
    """
    for kind, pattern in _KINDS:
        if pattern.search(message):
            return kind
    return "failed"
