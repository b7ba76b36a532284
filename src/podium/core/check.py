"""Every check of what users give, and its wording: one sentence, with the argument and the value it got as data."""

from __future__ import annotations

import datetime
import difflib
import functools
import inspect
import math
from collections.abc import Callable, Collection, Iterable, Sequence
from numbers import Complex, Integral, Real
from typing import Any, ParamSpec, TypeVar

import numpy as np
import numpy.typing as npt

from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.errors import refused as refused
from podium.core.errors import shown as shown
from podium.core.numbers import as_given, some
from podium.core.numbers import number as as_text

ALTERNATIVES = ("two-sided", "less", "greater")


def choice(name: str, value: Any, options: Collection[str]) -> str:
    """One of a few words, with the nearest one suggested.

    >>> choice("zeros", "prat", ("drop", "pratt", "split"))
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `zeros` must be 'drop', 'pratt' or 'split'; got 'prat': did you mean 'pratt'?
    """
    if isinstance(value, str) and value in options:
        return value
    near = _meant(value, options) if isinstance(value, str) else []
    hint = f": did you mean {_either(near)}?" if near else "."
    raise refused(name, value, f"must be {_either(options)}", hint, choices=tuple(options))


def _either(options: Iterable[str]) -> str:
    """'a', 'b' or 'c'."""
    words = [repr(option) for option in options]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" or {words[-1]}"


def _meant(value: str, options: Iterable[str]) -> list[str]:
    """The options that a word may stand for: the nearest in spelling, or else those with these initials ('BH')."""
    spelled = {_spelling(option): option for option in options}
    typed = _spelling(value)
    if (peer := _PEER_VALUES.get(typed)) in spelled:
        return [spelled[peer]]
    near = difflib.get_close_matches(typed, spelled, n=1)
    initials = [word for word in spelled if "_" in word and "".join(part[:1] for part in word.split("_")) == typed]
    return [spelled[word] for word in near or initials]


def _spelling(word: str) -> str:
    return word.strip().lower().replace("-", "_").replace(" ", "_")


def alternative(value: Any) -> str:
    """'two-sided', 'less' or 'greater'."""
    return choice("alternative", value, ALTERNATIVES)


def flag(name: str, value: Any) -> bool:
    """True or False, and nothing that merely counts as one of them.

    >>> flag("continuity", "no")
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `continuity` must be True or False; got 'no'.
    """
    if isinstance(value, bool | np.bool_):
        return bool(value)
    raise refused(name, value, "must be {true} or {false}", true="True", false="False")


def member(kind: str, value: Any, names: Iterable[str], *, limit: int = 12, more: str = "") -> str:
    """A name that must exist, with the nearest one suggested, and what `more` there is to try.

    >>> member("algorithm", "svn", ["svm", "knn"])
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: Unknown algorithm 'svn': did you mean 'svm'? Available: 'svm', 'knn'.
    """
    existing = list(names)
    if isinstance(value, str) and value in existing:
        return value
    near = difflib.get_close_matches(str(value), existing, n=1) or _meant(str(value), existing)
    hint = f": did you mean {_either(near)}?" if near else "."
    available = some(map(repr, existing), limit)
    raise ArgumentError(
        f"Unknown {{kind}} {{value}}{{hint}} Available: {{available}}.{more}",
        kind=kind,
        value=shown(value),
        hint=hint,
        available=available,
    )


def _by_word(words: dict[str, str]) -> dict[str, str]:
    return {word: name for name, several in words.items() for word in several.split()}


# What a value is called here, and what other libraries call it.
_PEER_VALUES = _by_word(
    {
        "benjamini_hochberg": "fdr_bh",
        "benjamini_yekutieli": "fdr_by",
        "hochberg": "simes_hochberg",
        "paired_t": "ttest ttest_rel t_test",
        "cv5x2_t": "ttest_5x2cv 5x2cv",
        "corrected_t": "corrected_ttest nadeau_bengio",
        "wilcoxon": "signed_rank",
        "drop": "wilcox",
        "split": "zsplit",
        "bergmann_hommel": "bergmann",
        "friedman": "friedmanchisquare friedman_chisquare",
    }
)
# What an argument is called here, and what other libraries call it.
_PEERS = _by_word(
    {
        "control": "baseline reference",
        "test": "posthoc post_hoc method",
        "correction": "p_adjust adjust multitest",
        "zeros": "zero_method",
        "confidence": "ci confidence_level",
        "rng": "random_state seed",
        "direction": "higher_is_better lower_better greater_is_better maximize ascending",
        "alpha": "significance sig",
        "algorithms": "columns",
        "where": "filter query",
    }
)


def known_arguments(verb: str, typed: Iterable[str], arguments: Iterable[str]) -> None:
    """Refuse arguments that a function does not have, with the one that is meant, if it can be told.

    >>> known_arguments("compare", ["baseline"], ["control", "alpha"])
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: compare has no argument `baseline`: did you mean `control`?
    """
    names = tuple(arguments)
    for name in typed:
        if name in names:
            continue
        peer = _PEERS.get(name)
        near = [peer] if peer in names else difflib.get_close_matches(name, names, n=1)
        hint = ": did you mean {meant}?" if near else "."
        raise ArgumentError(
            f"{verb} has no argument {{argument}}{hint}", argument=name, meant=f"`{near[0]}`" if near else ""
        )


_P = ParamSpec("_P")
_R = TypeVar("_R")


def names_its_arguments(function: Callable[_P, _R]) -> Callable[_P, _R]:
    """A function that says which argument may be meant where it is given one that it does not have.

    Where it takes options of others too (`**options`), it refuses only other libraries' names for its own arguments; `method`
    is an option of many tests.
    """
    parameters = inspect.signature(function).parameters
    own = list(parameters)
    takes_more = any(parameter.kind is parameter.VAR_KEYWORD for parameter in parameters.values())

    @functools.wraps(function)
    def called(*args: _P.args, **named: _P.kwargs) -> _R:
        doubtful = [name for name in named if name != "method" and _PEERS.get(name) in own] if takes_more else named
        known_arguments(function.__name__, doubtful, own)
        return function(*args, **named)

    return called


def listed(names: Iterable[str], *, limit: int = 12) -> str:
    """Names for a sentence: 'a', 'b' and 3 more."""
    return some((shown(name, limit=60) for name in names), limit)


def text(name: str, value: Any) -> str:
    """A text that is not blank."""
    if isinstance(value, str) and value.strip():
        return value
    raise refused(name, value, "must be a non-empty string")


def several(name: str, values: Any) -> tuple[Any, ...]:
    """The items of a list; a single one is refused.

    >>> several("sizes", 6)
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `sizes` must be a list; got 6.
    """
    if isinstance(values, Iterable) and not isinstance(values, str):
        return tuple(values)
    raise refused(name, values, "must be a list")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


LARGEST = 1e300  # of a score, and of what is divided by a level: differences, sums and shares beyond it are infinite


def number(name: str, value: Any) -> float:
    """A finite number."""
    if _is_number(value) and math.isfinite(value):
        return float(value)
    raise refused(name, value, "must be a finite number")


def nonnegative(name: str, value: Any) -> float:
    """A finite number from 0."""
    if number(name, value) < 0:
        raise refused(name, value, "must not be negative")
    return float(value)


def fraction(name: str, value: Any) -> float:
    """A number strictly between 0 and 1: a level, a confidence.

    >>> fraction("alpha", 5)
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `alpha` must lie strictly between 0 and 1; got 5.
    """
    if _is_number(value) and 1 / LARGEST <= value < 1:
        return float(value)
    tiny = _is_number(value) and 0 < value < 1
    least = f"must be at least {as_given(1 / LARGEST)}"
    raise refused(name, value, least if tiny else "must lie strictly between 0 and 1")


def count(name: str, value: Any, *, at_least: int = 1, at_most: int | None = None) -> int:
    """A whole number in a range."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and at_least <= int(value) <= (math.inf if at_most is None else at_most):
        return int(value)
    size = f"of at least {at_least}" if at_most is None else f"from {at_least} to {at_most}"
    raise refused(name, value, f"must be an integer {size}")


def numbers(name: str, values: Any, *, ndim: int) -> Floats:
    """An array of numbers with so many dimensions; missing values are nan, infinities are refused."""
    array = floats(name, values, ndim=ndim)
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise DataError(
            "{argument} has an infinite value at index {index}: correct it, or make it missing (nan) on purpose.",
            argument=name,
            index=where,
        )
    return array


def distinct(kind: str, names: Sequence[str]) -> None:
    """Refuse a name that is given twice."""
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"The {kind} {twice!r} occurs more than once: give each its own name.")


def pair_of_names(names: Any, argument: str = "names") -> None:
    """Refuse what is not two different names."""
    if not isinstance(names, tuple | list) or len(names) != 2 or len(set(map(str, names))) != 2:
        raise refused(argument, names, "must be two different names")


def finite(values: Floats, algorithms: Sequence[str], datasets: Sequence[str]) -> None:
    """Refuse a score without end by the names of its algorithm and dataset; the axes are (dataset, algorithm, ...).

    Before folds are averaged: the mean of inf and -inf would look like a missing cell.
    """
    beyond = np.abs(values) > LARGEST
    if beyond.any():
        i, j = np.argwhere(beyond)[0][:2]
        kind = "an infinite score" if np.isinf(values[beyond][0]) else f"a score beyond {as_given(LARGEST)}"
        raise DataError(
            f"{{algorithm}} has {kind} on {{dataset}}: correct it, or make it missing (nan) on purpose.",
            algorithm=repr(algorithms[j]),
            dataset=repr(datasets[i]),
        )


def floats(name: str, values: Any, *, ndim: int | None = None, ragged: str = "rows of unequal length") -> Floats:
    """An array of numbers, infinite ones too; what is missing (None, NA, masked) becomes nan.

    >>> floats("x", np.ma.masked_array([1, 2], mask=[False, True]))
    array([ 1., nan])
    """
    array = _as_floats(name, values, ragged)
    if ndim is not None and array.ndim != ndim:
        raise DataError(
            f"{{argument}} must have {ndim} dimension{'s' if ndim > 1 else ''}; it has {array.ndim}.", argument=name
        )
    return array


def _as_floats(name: str, values: Any, ragged: str) -> Floats:
    if isinstance(values, np.ma.MaskedArray):
        return np.where(np.ma.getmaskarray(values), np.nan, _as_floats(name, values.data, ragged))
    if isinstance(values, list | tuple) and any(isinstance(row, np.ma.MaskedArray) for row in values):
        values = [_as_floats(name, row, ragged) for row in values]
    try:
        array = np.asarray(values)
    except (TypeError, ValueError):
        raise _no_numbers(name, ragged) from None
    strange = _what_is_no_number(array, ragged)
    if strange:
        raise _no_numbers(name, strange)
    if array.dtype.kind == "O":
        array = np.array([np.nan if _is_na(cell) else float(cell) for cell in array.flat]).reshape(array.shape)
    return np.asarray(array, dtype=np.float64)


def _no_numbers(name: str, strange: str) -> DataError:
    return DataError("{argument} must contain only numbers; found {strange}.", argument=name, strange=strange)


def _what_is_no_number(array: npt.NDArray[Any], ragged: str) -> str:
    """What an array holds besides numbers, for a sentence; "" if nothing."""
    if array.dtype.kind in "fiub":
        return ""
    kinds = {"c": "complex numbers", "M": "dates or times", "m": "dates or times"}
    if array.dtype.kind in kinds:
        return kinds[array.dtype.kind]
    return next((word for cell in array.flat if (word := _no_number(cell, ragged))), "")


def _no_number(cell: Any, ragged: str) -> str:
    if _is_na(cell):
        return ""
    if isinstance(cell, Complex) and not isinstance(cell, Real):
        return "complex numbers"
    if isinstance(cell, datetime.date | datetime.timedelta | np.datetime64 | np.timedelta64):
        return "dates or times"
    if isinstance(cell, list | tuple | np.ndarray):
        return ragged
    try:
        float(cell)
    except (TypeError, ValueError):
        return "text" if isinstance(cell, str | bytes) else f"a {type(cell).__name__}"
    return ""


def _is_na(cell: Any) -> bool:
    """Whether this is None, or one of the missing values of pandas (NA, NaT), which are not numbers."""
    return cell is None or type(cell).__name__ in ("NAType", "NaTType")


def cells(pairs: Iterable[tuple[str, ...]], *, limit: int = 8) -> str:
    """Cells by name for a sentence: "zoo / C1, zoo / C2 and 4 more"."""
    return some(map(" / ".join, pairs), limit)


def magnitude(values: Floats) -> None:
    """Refuse scores whose squares are beyond what floats hold: sums of squares of them would be 0 or infinite."""
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if largest > 1e75 or 0 < largest < 1e-75:
        size = "large" if largest > 1 else "small"
        raise DataError(
            f"Scores of about {as_text(largest, 1)} are too {size} to be squared: give them in another unit."
        )
