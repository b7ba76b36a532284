"""Outcomes in cells: 1 and 0, pass and fail, the letters of graders, numbers; errors and timeouts are typed holes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import key_of, shown
from podium.reading.cells import MISSING_MARKERS, failure_kind, is_plain_number, number_of
from podium.reading.options import ReadOptions
from podium.reading.roles import is_called, words_of
from podium.reading.sheet import Sheet

# Names of columns of outcomes. A name of several words counts what is right if one of them says so and none the contrary.
_PASSING = words_of("outcomes.passing")
_SAYS_RIGHT = words_of("outcomes.passing", "outcomes.right")
_SAYS_WRONG = words_of("outcomes.wrong")
_EITHER = frozenset("true t yes y false f no n".split())  # the column's name says what is true
_RIGHT = frozenset("true t yes y pass passed c correct right resolved success solved ok".split())
_WRONG = frozenset("false f no n fail failed i incorrect wrong unresolved failure unsolved".split())
_PARTIAL = frozenset("partial partially_correct".split())
_ERRORS = ("error", "timeout", "timed out", "crash", "oom", "out of memory", "exception", "killed", "tle")


def outcomes_of(sheet: Sheet, place: int, options: ReadOptions) -> tuple[Floats, dict[int, str]]:
    """The numbers of a column of outcomes, and why a cell is a hole, by row."""
    column, name, label = sheet.column(place), sheet.header[place], sheet.label
    if column.dtype.kind in "biuf":
        values = column.to_numpy(dtype=np.float64)
        if np.isinf(values).any():
            row = int(np.flatnonzero(np.isinf(values))[0])
            raise _no_outcome(str(values[row]), label, name, row)
        return values, {}
    codes, distinct = pd.factorize(column)
    texts = [str(cell).strip() for cell in distinct]
    digits = [is_plain_number(text) for text in texts]  # nearly all, where a column of numbers has a word
    company = _words([text for text, number in zip(texts, digits, strict=True) if not number])
    if any(digits):
        company |= {texts[digits.index(True)]}
    markers = MISSING_MARKERS | {marker.strip().lower() for marker in options.missing_markers}
    numbers, reasons = np.full(len(texts) + 1, np.nan), {}
    for place, text in enumerate(texts):
        plain = text.lower()
        if not plain or plain in markers:
            continue
        grade = None if digits[place] else _grade(plain, company)
        if grade is not None:
            numbers[place] = grade
        elif not digits[place] and (kind := error_kind(text)) is not None:
            reasons[place] = kind
        else:
            grade = number_of(text, options)
            if grade is None or not math.isfinite(grade):
                raise _no_outcome(text, label, name, int(np.flatnonzero(codes == place)[0]))
            numbers[place] = grade
    holes = {row: reasons[code] for row, code in enumerate(codes.tolist()) if code in reasons} if reasons else {}
    return numbers[codes], holes


def error_kind(text: str) -> str | None:
    """The kind of hole that a word for an error makes ("error", "timeout", "memory"); None for any other word.

    >>> error_kind("Timed out"), error_kind("failed")
    ('timeout', None)
    """
    plain = text.strip().lower()
    if not any(word in plain for word in _ERRORS):
        return None
    return "timeout" if plain == "tle" else failure_kind(text).replace("failed", "error")


def _grade(plain: str, company: frozenset[str]) -> float | None:
    """What a word is worth. P is partly right beside C and I, and a pass elsewhere."""
    if plain in _PARTIAL:
        return 0.5
    if plain == "p":
        return 0.5 if company & {"c", "i"} else 1.0 if company <= {"p", "f"} else None
    return 1.0 if plain in _RIGHT else 0.0 if plain in _WRONG else None


def are_grades(names: list[str]) -> bool:
    """Whether distinct cells are nothing but words for right and wrong (and holes), such as true and false or C and I."""
    if any(_grade(word, frozenset()) is None for word in _words(names[:20])):
        return False  # as nearly always: names
    words = _words(names)
    return bool(words) and all(_grade(word, words) is not None for word in words)


def _words(texts: list[str]) -> frozenset[str]:
    """The words of a column that are neither holes nor errors."""
    words = (text.strip().lower() for text in texts)
    return frozenset(
        word for word in words if word not in MISSING_MARKERS and not any(error in word for error in _ERRORS)
    )


def says_what_is_right(column: pd.Series) -> bool:
    """Whether the words of a column say themselves what is right: passed and failed do, true and false do not."""
    names = distinct_texts(column)
    return are_grades(names) and not _words(names) <= _EITHER


def distinct_texts(column: pd.Series) -> list[str]:
    """The distinct cells of a column as text; none of a column of numbers or dates."""
    return [] if column.dtype.kind in "iufmM" else [str(cell) for cell in pd.unique(column.dropna())]


def counts_right(name: str) -> bool:
    """Whether 1 is right in a column of that name.

    >>> counts_right("answer_correct"), counts_right("score"), counts_right("failed"), counts_right("not solved")
    (True, True, False, False)
    """
    words = frozenset(key_of(name).split("_"))
    return is_called(name, "outcomes.name") or bool(words & _SAYS_RIGHT and not words & _SAYS_WRONG)


def counts_wrong(name: str) -> bool:
    """Whether 1 may well be wrong in a column of that name.

    >>> counts_wrong("gpt_wrong"), counts_wrong("wer_whisper"), counts_wrong("score")
    (True, True, False)
    """
    words = frozenset(key_of(name).split("_"))
    metrics = (known_metric(word, exact=True) for word in words)
    return bool(words & _SAYS_WRONG) or any(metric is not None and not metric.higher_is_better for metric in metrics)


def name_of_share(name: str) -> str:
    """What the share of cases that are right is called, where `counts_right`.

    >>> name_of_share("is_correct"), name_of_share("tests passed")
    ('accuracy', 'pass rate')
    """
    return "pass rate" if frozenset(key_of(name).split("_")) & _PASSING else "accuracy"


def are_zero_one(column: pd.Series) -> bool:
    """Whether a column holds nothing but 0 and 1."""
    if column.dtype.kind not in "iufb":
        return False
    values = column.to_numpy()
    return all(bool(((some == 0) | (some == 1) | (some != some)).all()) for some in (values[:100], values))


def _no_outcome(text: Any, label: str, name: str, row: int) -> DataError:
    return DataError(
        f"{label}: {shown(str(text))} in column {shown(name)}, row {row + 1} below the header, is not an outcome: write 1 or 0, pass or "
        f"fail, a number, or error. If the column holds no outcomes, leave it out with {{ignore_column}} {shown(name)}."
    )
