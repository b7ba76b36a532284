"""Every check of what users give, and its wording: one sentence, the name in backquotes, the value that was got."""

from __future__ import annotations

import difflib
import math
from collections.abc import Collection, Iterable
from numbers import Integral, Real
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.core.errors import ArgumentError, DataError

__all__ = [
    "alternative",
    "cells",
    "choice",
    "count",
    "fraction",
    "member",
    "nonnegative",
    "number",
    "numbers",
]

ALTERNATIVES = ("two-sided", "less", "greater")


def choice(name: str, value: Any, options: Collection[str]) -> str:
    """One of a few words.

    >>> choice("zeros", "prat", ("drop", "pratt", "split"))
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `zeros` must be 'drop', 'pratt' or 'split'; got 'prat'.
    """
    if isinstance(value, str) and value in options:
        return value
    words = [repr(option) for option in options]
    listed = words[0] if len(words) == 1 else ", ".join(words[:-1]) + f" or {words[-1]}"
    raise ArgumentError(f"`{name}` must be {listed}; got {value!r}.")


def alternative(value: Any) -> str:
    """'two-sided', 'less' or 'greater'."""
    return choice("alternative", value, ALTERNATIVES)


def member(kind: str, value: str, names: Iterable[str]) -> str:
    """A name that must exist, with the nearest one suggested.

    >>> member("algorithm", "svn", ["svm", "knn"])
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: There is no algorithm 'svn': did you mean 'svm'? Known: 'svm', 'knn'.
    """
    known = list(names)
    if value in known:
        return value
    near = difflib.get_close_matches(str(value), known, n=1)
    hint = f": did you mean {near[0]!r}?" if near else "."
    listed = ", ".join(repr(name) for name in known[:12]) + (f" and {len(known) - 12} more" if len(known) > 12 else "")
    raise ArgumentError(f"There is no {kind} {value!r}{hint} Known: {listed}.")


def _is_number(value: Any) -> bool:
    return isinstance(value, Real) and not isinstance(value, bool)


def number(name: str, value: Any) -> float:
    """A finite number."""
    if _is_number(value) and math.isfinite(value):
        return float(value)
    raise ArgumentError(f"`{name}` must be a finite number; got {value!r}.")


def nonnegative(name: str, value: Any) -> float:
    """A finite number from 0."""
    if number(name, value) < 0:
        raise ArgumentError(f"`{name}` must not be negative; got {value!r}.")
    return float(value)


def fraction(name: str, value: Any) -> float:
    """A number strictly between 0 and 1: a level, a confidence.

    >>> fraction("alpha", 5)
    Traceback (most recent call last):
    ...
    podium.core.errors.ArgumentError: `alpha` must lie strictly between 0 and 1; got 5.
    """
    if _is_number(value) and 0 < value < 1:
        return float(value)
    raise ArgumentError(f"`{name}` must lie strictly between 0 and 1; got {value!r}.")


def count(name: str, value: Any, *, at_least: int = 1, at_most: int | None = None) -> int:
    """A whole number in a range."""
    whole = isinstance(value, Integral) and not isinstance(value, bool)
    if whole and at_least <= int(value) <= (math.inf if at_most is None else at_most):
        return int(value)
    upper = "" if at_most is None else f" to {at_most}"
    raise ArgumentError(f"`{name}` must be a whole number from {at_least}{upper}; got {value!r}.")


def numbers(name: str, values: Any, *, ndim: int) -> npt.NDArray[np.float64]:
    """An array of numbers with so many dimensions; missing values stay nan, infinities are refused."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"`{name}` must hold numbers only; it has text or rows of unequal length.") from None
    if array.ndim != ndim:
        raise DataError(f"`{name}` must have {ndim} dimension{'s' if ndim > 1 else ''}; it has {array.ndim}.")
    if np.isinf(array).any():
        where = tuple(int(i) for i in np.argwhere(np.isinf(array))[0])
        raise DataError(
            f"`{name}` has an infinite value at index {where}: correct it, or make it missing (nan) on purpose."
        )
    return array


def cells(pairs: Iterable[tuple[str, ...]], *, limit: int = 8) -> str:
    """Cells by name for a sentence: "zoo / C1, zoo / C2 and 4 more"."""
    listed = [" / ".join(pair) for pair in pairs]
    more = f" and {len(listed) - limit} more" if len(listed) > limit else ""
    return ", ".join(listed[:limit]) + more
