"""Cells to numbers: blanks, markers, standard deviations, footnotes, percent signs, decimal commas, failures."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import combinations

import numpy as np
import pandas as pd

from podium.core.arrays import Floats
from podium.core.check import LARGEST
from podium.core.errors import DataError
from podium.core.names import key_of, shown
from podium.reading.grouping import dots_group, may_group, ungrouped
from podium.reading.options import ReadOptions

# Texts that mean "no score" in any table; `missing_marker` names more.
MISSING_MARKERS = frozenset("na n/a nan null none nil missing - -- --- – — ? . * #n/a #na".split())

_NUMBER = r"[-+−]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
_PLAIN = re.compile(_NUMBER)
_PERCENT = re.compile(rf"({_NUMBER})\s*%")
_SHARE = rf"{_NUMBER}(?:\s*%)?"
_PLUS_MINUS = r"(?:±|\+/-|\+-|\\pm)"
_SPREAD = re.compile(
    rf"({_SHARE})\s*{_PLUS_MINUS}\s*({_SHARE})|({_SHARE})\s*[(\[]\s*{_PLUS_MINUS}?\s*({_SHARE})\s*[)\]]"
)
_FOOTNOTE = re.compile(rf"({_NUMBER})\s*[(\[]\s*(?:\d{{1,3}}|[a-zA-Z*†‡])\s*[)\]]")
_MARKS = re.compile(r"\\(?:textbf|mathbf|underline|textit|emph)\{([^{}]*)\}")
_TAGS = re.compile(r"</?(?:b|strong|i|em|u)>", re.IGNORECASE)
_DECORATION = re.compile(r"^[\s*_$•∘◦†‡§↑↓▲▼+]*|[\s*_$•∘◦†‡§↑↓▲▼]*$")
_INFINITE = re.compile(r"[-+]?(inf|infinity)", re.IGNORECASE)
_STARTS_LIKE_A_NUMBER = re.compile(
    r"(?:[\s*_$]|<[a-z]+>)*[-+−]?[.,]?\d|\$?\\(textbf|mathbf|underline)\{|[-+]?inf", re.IGNORECASE
)
# What stands before the first letter or digit of a cell: marks, the commands of LaTeX, tags.
_BEFORE_THE_CONTENT = re.compile(r"(?:\\[a-zA-Z]+|</?[a-zA-Z]+>|[\W_])*")
_A_DATE = re.compile(
    r"\d{4}[-/.]\d{1,2}[-/.]\d{1,2}\b|\d{1,2}[-/.]\d{1,2}[-/.]\d{4}\b|(19|20)\d\d[-/](0\d|1[0-2]|[QWqw]\d)"
)
_A_FRACTION = re.compile(r"\d[.,]\d")
_A_LIMIT = re.compile(r"[>≥]\s*=?\s*[\d.,]+\s*(?:s|sec|min|h|hours?|d|days?|[kmgt]b)", re.IGNORECASE)
_A_FAILURE = re.compile(r"error|exception|fail|crash|kill|abort|exceed|diverg|limit|not ", re.IGNORECASE)


@dataclass(slots=True)
class Parsed:
    """One column of numbers.

    `messages` holds the text that stood in a missing cell, by row; `percents` are the rows with a percent sign;
    `deviations` what stood after a ± or in brackets, by row.
    """

    values: Floats
    deviations: dict[int, float] = field(default_factory=dict)
    messages: dict[int, str] = field(default_factory=dict)
    percents: set[int] = field(default_factory=set)


def parse_column(column: pd.Series, options: ReadOptions, where: Callable[[int], str]) -> Parsed:
    """The numbers of a column; `where(row)` names the cell for an error."""
    (parsed,) = parse_columns([column], options, lambda _, row: where(row))
    return parsed


def parse_columns(columns: list[pd.Series], options: ReadOptions, where: Callable[[int, int], str]) -> list[Parsed]:
    """The numbers of columns that are written alike; `where(place, row)` names the cell for an error."""
    options = _settled_thousands(columns, options, where)
    parsed = [_parsed(column, options, partial(where, place)) for place, column in enumerate(columns)]
    _check_percents(parsed, where)
    return parsed


def _check_percents(parsed: list[Parsed], where: Callable[[int, int], str]) -> None:
    """Refuse percent signs in some cells only: the others may be percents or shares."""
    if not any(one.percents for one in parsed):
        return
    signed: list[tuple[int, int]] = []
    plain: list[tuple[int, int]] = []
    for place, one in enumerate(parsed):
        for row in np.flatnonzero(~np.isnan(one.values)).tolist():
            (signed if row in one.percents else plain).append((place, row))
    if plain:
        odd = min(signed, plain, key=len)
        raise odd_percent(where(*odd[0]), signed=odd is signed)


def odd_percent(where: str, *, signed: bool) -> DataError:
    """The error for a score with a percent sign among others without, or the other way round."""
    has, others = ("a percent sign", "none") if signed else ("no percent sign", "one")
    return DataError(f"{where} has {has}, and others have {others}: write all scores in one way.")


def _parsed(column: pd.Series, options: ReadOptions, where: Callable[[int], str]) -> Parsed:
    if column.dtype.kind == "b" or column.dtype.kind in "mM":
        raise DataError(f"{where(0)} is {shown(str(column.iloc[0]))}, not a number: choose the column of the scores.")
    if column.dtype.kind in "iuf":
        values = column.to_numpy(dtype=np.float64)
        beyond = np.flatnonzero(np.abs(values) > LARGEST)
        if beyond.size:
            raise _beyond(float(values[beyond[0]]), str(values[beyond[0]]), where(int(beyond[0])))
        return Parsed(values)
    return _parse_texts(column, options, where)


def _settled_thousands(columns: list[pd.Series], options: ReadOptions, where: Callable[[int, int], str]) -> ReadOptions:
    """The options, with `thousands` where dots beside decimal commas group them; a dot that may be either is refused."""
    if not options.decimal_comma or options.thousands:
        return options
    read = ["0.5" for column in columns if column.dtype.kind == "f" and (column % 1 > 0).any()]  # with decimal points
    texts = [
        (cell, place, row)
        for place, column in enumerate(columns)
        if column.dtype.kind not in "biuf"
        for row, cell in enumerate(column)
        if isinstance(cell, str)
    ]
    group = dots_group([*read, *(text for text, _, _ in texts)])
    unclear = next((cell for cell in texts if may_group(cell[0])), None) if group is None else None
    if unclear is not None:
        text, place, row = unclear
        raise _either(text.strip(), where(place, row))
    return replace(options, thousands=bool(group))


def _either(text: str, where: str) -> DataError:
    plain, comma = ungrouped(text, ","), text.replace(".", ",")
    return DataError(
        f"{where} is {shown(text)}, and beside decimal commas its dot may group thousands or be a decimal point: give "
        f"{{thousands}} if it is {plain}, or write {comma} if it is a decimal point."
    )


def _parse_texts(column: pd.Series, options: ReadOptions, where: Callable[[int], str]) -> Parsed:
    markers = MISSING_MARKERS | {marker.strip().lower() for marker in options.missing_markers}
    cells = column.to_numpy(dtype=object)
    parsed = Parsed(_plain_numbers(column, options))
    by_text: dict[str, float] = {}
    blank = column.isna().to_numpy()
    for row in np.flatnonzero(~(np.abs(parsed.values) <= LARGEST) & ~blank).tolist():
        text = str(cells[row]).strip()
        if not text or text.lower() in markers:
            continue
        if text not in by_text:
            typed = isinstance(cells[row], int | float) and not isinstance(cells[row], bool)  # of Excel or JSON
            number = cells[row] if typed else number_of(text, options)
            if number is None and options.text_as_missing and not _carries_number(text):
                parsed.messages[row] = text
                continue
            by_text[text] = _finite(number, text, options, where(row))
        parsed.values[row] = by_text[text]
        if (deviation := deviation_of(text, options)) is not None:
            parsed.deviations[row] = deviation
        if "%" in text:
            parsed.percents.add(row)
    return parsed


def _plain_numbers(column: pd.Series, options: ReadOptions) -> Floats:
    """The cells that are plain numbers, all at once; nan for the others."""
    if options.missing_markers or options.thousands or not pd.api.types.is_string_dtype(column.dtype):
        return np.full(len(column), np.nan)
    numbers = coerced(column).to_numpy(dtype=np.float64, na_value=np.nan, copy=True)
    if column.dtype == object:  # pandas takes true for 1
        numbers[[isinstance(cell, bool | np.bool_) for cell in column]] = np.nan
    return numbers


def coerced(column: pd.Series) -> pd.Series:
    """The plain numbers of a column. An integer of hundreds of digits is infinite, as 1e999 is: pandas would stop at it."""
    try:
        return pd.to_numeric(column, errors="coerce")
    except OverflowError:
        return pd.to_numeric(column.map(str), errors="coerce")


def _finite(number: float | None, text: str, options: ReadOptions, where: str) -> float:
    """The number of a cell; what is none, or has no end, is refused."""
    if number is None:
        raise _unreadable(text, options, where)
    if not abs(number) <= LARGEST:
        raise _beyond(number, text, where)
    return number


def is_plain_number(text: str) -> bool:
    """Whether a text is a number as programs write it.

    >>> is_plain_number("-0.5e-3"), is_plain_number("1,5"), is_plain_number("error")
    (True, False, False)
    """
    return _PLAIN.fullmatch(text) is not None


def number_of(text: str, options: ReadOptions) -> float | None:
    """The number a cell stands for under the options, or None."""
    text = _settled_text(text, options)
    if match := _spread(text, options):
        text = match[1] or match[3]
    if options.percent and (match := _PERCENT.fullmatch(text)):
        text = match[1]
    if _PLAIN.fullmatch(text):
        return float(text.replace("−", "-"))
    return float(text) if _INFINITE.fullmatch(text) else None


def deviation_of(text: str, options: ReadOptions) -> float | None:
    """What a cell has after its ± or in brackets, or None.

    >>> deviation_of("68.4 ± 7.1", ReadOptions(mean_sd=True)), deviation_of("68.4(7.1)", ReadOptions())
    (7.1, None)
    """
    match = _spread(_settled_text(text, options), options)
    return float((match[2] or match[4]).rstrip(" %").replace("−", "-")) if match else None


def _spread(text: str, options: ReadOptions) -> re.Match[str] | None:
    return _SPREAD.fullmatch(text.replace("$", "")) if options.mean_sd else None


def _settled_text(text: str, options: ReadOptions) -> str:
    """The text of a cell without marks, with a decimal point and without grouped thousands, as far as the options say."""
    if options.footnotes:
        text = _TAGS.sub("", _MARKS.sub(r"\1", text))
        text = _DECORATION.sub("", text)
        if match := _FOOTNOTE.fullmatch(text):
            text = match[1]
    if options.decimal_comma:
        text = ungrouped(text, ",", sure=not options.thousands).replace(",", ".")
    elif options.thousands:
        text = ungrouped(text, ".")
    return text


def _carries_number(text: str) -> bool:
    """Whether a cell that is not a number may hold a score all the same: not a message, even where text counts as missing."""
    if _A_LIMIT.fullmatch(text):
        return False  # "> 24h" is a limit that was reached
    if _BEFORE_THE_CONTENT.sub("", text, count=1)[:1].isdigit():
        return True
    is_message = failure_kind(text) != "failed" or _A_FAILURE.search(text)
    return not is_message and _A_FRACTION.search(text) is not None


# What each option of reading does to a cell, as the error of a cell says it.
_CURES = {
    "decimal_comma": "{decimal_comma} if the comma is a decimal comma",
    "thousands": "{thousands} if digits are grouped in thousands",
    "percent": "{percent} to read percent signs",
    "mean_sd": "{mean_sd} to keep the mean",
    "footnotes": "{footnotes} to drop the mark",
}


def _unreadable(text: str, options: ReadOptions, where: str) -> DataError:
    """The error for a cell that is not a number under the options, with the fewest further options that would read it."""
    offers: tuple[dict[str, bool], ...] = ()
    if _FOOTNOTE.fullmatch(text):
        cure = "give {footnotes} to drop the mark, or {mean_sd} if it is a standard deviation"
    elif cures := _readings(text, options):
        cure = "give " + ", or ".join(" and ".join(_CURES[name] for name in names) for names in cures)
        offers = (dict.fromkeys(cures[0], True),) if len(cures) == 1 else ()
    elif _carries_number(text):
        cure = "correct it, or give {missing_marker} {cell} if it marks a missing score"
    else:
        cure = (
            "correct it, give {missing_marker} {cell} if it marks a missing score, or {text_as_missing} if texts are "
            "failures"
        )
    return DataError(f"{{where}} is {{cell}}, not a number: {cure}.", where=where, cell=shown(text), offers=offers)


def _readings(text: str, options: ReadOptions) -> list[tuple[str, ...]]:
    """The options that would read a cell: every set of the smallest size that will do."""
    for size in range(1, len(_CURES) + 1):
        cures = [
            names
            for names in combinations(_CURES, size)
            if number_of(text, replace(options, **dict.fromkeys(names, True))) is not None  # type: ignore[arg-type]
        ]
        if cures:
            return cures
    return []


def _beyond(number: float, text: str, where: str) -> DataError:
    kind = "an infinite value" if abs(number) == np.inf else "which is too large for a score"
    return DataError(f"{where} is {shown(text)}, {kind}: correct it, or empty the cell to make it missing on purpose.")


MANY_CELLS = 2000  # that show what a column holds


def looks_numeric(column: pd.Series) -> bool:
    """Whether a column holds scores, perhaps with extra signs: half of its texts start like a number."""
    if column.dtype.kind in "iuf":
        return not np.isnan(column.to_numpy()).all()
    if column.dtype.kind in "bmM":
        return False
    head = column.head(MANY_CELLS)
    head = column.dropna().head(MANY_CELLS) if head.isna().any() else head
    texts = Counter(str(cell).strip() for cell in head.tolist())
    texts = Counter({text: n for text, n in texts.items() if text and text.lower() not in MISSING_MARKERS})
    like_numbers = (n for text, n in texts.items() if _STARTS_LIKE_A_NUMBER.match(text) and not _A_DATE.match(text))
    return bool(texts) and 2 * sum(like_numbers) >= texts.total()


# What a column of states calls a run that came to its end, and one that did not.
FINISHED = frozenset("finished complete completed success succeeded ok done".split())
_UNFINISHED = re.compile(
    r"(?!(?:no|not|without|0)_)(?:.*_)?(?:fail|failed|failure|crash|crashed|error|errored|exception|killed|aborted|cancell?ed|timeout"
    r"|timed_out|time_limit|oom|memory|running|pending|queued|scheduled|preempted|interrupted|diverged|unfinished|incomplete)(?!_free)(?:_.*)?"
)


def is_unfinished(status: str) -> bool:
    """Whether a state says that a run failed or has not come to its end; most words say nothing of the kind.

    >>> is_unfinished("Crashed"), is_unfinished("OUT_OF_MEMORY"), is_unfinished("no error"), is_unfinished("error-free")
    (True, True, False, False)
    """
    return _UNFINISHED.fullmatch(key_of(status)) is not None


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
