"""How numbers, p-values, probabilities, intervals and counts read: one wording for sentences, tables and figures.

All functions give plain text with a plain minus; a renderer may set it with the minus sign of its format.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from datetime import timedelta
from typing import Any

NO_NUMBER = "–"  # an en dash: there is no number here
SMALLEST_PVALUE = 1e-4  # smaller ones are written as below it: no assumption holds to more digits
USUAL_LEVELS = (0.01, 0.05, 0.1)  # a p-value shows on which side of them it is
MOST_DIGITS = (
    6  # after the point; numbers below TINY that need more, and those from HUGE on, are written with a power of ten
)
TINY, HUGE = 1e-4, 1e9

# What the columns of results hold, by their names: kind -> names. Anything else is a number, a count or text by type.
KINDS = {
    "algorithm": ("algorithm", "a", "b", "control", "winner"),
    "dataset": ("dataset",),
    "pvalue": ("pvalue", "adjusted", "raw"),
    "probability": tuple("p_left p_rope p_right share_left share_rope share_right p_best power rate".split()),
}


def kind_of(name: str) -> str:
    """What a column of that name holds: 'algorithm', 'dataset', 'pvalue' or 'probability'; '' where the name is silent.

    >>> kind_of("adjusted"), kind_of("friedman_pvalue"), kind_of("p_rope"), kind_of("effect")
    ('pvalue', 'pvalue', 'probability', '')
    """
    if name.endswith(("_pvalue", " pvalue")):
        return "pvalue"
    return next((kind for kind, names in KINDS.items() if name in names), "")


def number(value: float | None, significant: int = 3) -> str:
    """A number with so many significant digits, without an exponent where it can be read without one.

    >>> number(0.012345), number(-1234.5), number(2e-9), number(0.0), number(float("nan")), number(float("inf"))
    ('0.0123', '-1234', '2e-09', '0', '–', '∞')
    """
    if value is None or math.isnan(value):
        return NO_NUMBER
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    size = abs(value)
    if size >= 10**significant and size < 1e7:
        return f"{value:.0f}"
    return f"{value:.{significant}g}" if size else "0"


def as_given(value: float | None) -> str:
    """A number that someone chose, with all its digits.

    >>> as_given(0.05), as_given(20), as_given(1234.56789), as_given(2.0)
    ('0.05', '20', '1234.56789', '2')
    """
    return NO_NUMBER if value is None else f"{value:.12g}"


def fixed(value: float | None, digits: int) -> str:
    """A number with so many digits after the point, for columns; nothing is called minus zero.

    >>> fixed(-0.256, 2), fixed(-0.001, 2), fixed(float("nan"), 1), fixed(float("-inf"), 1)
    ('-0.26', '0.00', '–', '-∞')
    >>> fixed(6.3676e19, 0), fixed(7.25e-11, 13)
    ('6.37e+19', '7.25e-11')
    """
    if value is None or not math.isfinite(value) or abs(value) >= HUGE:
        return number(value)
    if digits > MOST_DIGITS and 0 < abs(value) < TINY:
        return number(value)
    text = f"{value:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def pvalue(value: float | None) -> str:
    """A p-value with as many digits as mean anything: 4, 3 or 2 after the point; one more close to a usual level.

    >>> pvalue(0.04936), pvalue(0.0005), pvalue(3e-9), pvalue(0.0), pvalue(0.4581), pvalue(1.0)
    ('0.049', '0.0005', '<0.0001', '<0.0001', '0.46', '1.00')
    >>> pvalue(0.0499), pvalue(0.05), pvalue(0.0501)  # the level is often 0.05: which side is it on?
    ('0.0499', '0.050', '0.0501')
    >>> pvalue(0.0104), pvalue(0.1), pvalue(0.1004), pvalue(0.104)
    ('0.0104', '0.10', '0.1004', '0.104')
    """
    if value is None or math.isnan(value):
        return NO_NUMBER
    if value < SMALLEST_PVALUE:
        return f"<{SMALLEST_PVALUE:.4f}"
    away = min(abs(value - level) for level in USUAL_LEVELS)
    if value < 0.01 or 0 < away < 0.0005:
        return f"{value:.4f}"
    return f"{value:.3f}" if value < 0.1 or 0 < away < 0.005 else f"{value:.2f}"


def format_pvalue(value: float, name: str = "p") -> str:
    """A p-value within a sentence.

    >>> format_pvalue(0.0123), format_pvalue(3e-8), format_pvalue(0.2, "adjusted p")
    ('p = 0.012', 'p < 0.0001', 'adjusted p = 0.20')
    """
    text = pvalue(value)
    return f"{name} < {text[1:]}" if text.startswith("<") else f"{name} = {text}"


def percent(probability: float) -> str:
    """A probability in percent; certainty only where it is certain.

    >>> percent(0.123), percent(0.9999), percent(0.00001), percent(1.0), percent(0.95)
    ('12.3%', '>99.9%', '<0.1%', '100%', '95%')
    """
    if 0 < probability < 0.001:
        return "<0.1%"
    if 0.999 < probability < 1:
        return ">99.9%"
    return f"{100 * probability:.1f}".removesuffix(".0") + "%"


def said_probability(probability: float) -> str:
    """An estimated probability within a sentence: never certain.

    >>> said_probability(0.0), said_probability(0.5), said_probability(1.0)
    ('below 0.1%', '50%', 'above 99.9%')
    """
    if probability < 0.001:
        return "below 0.1%"
    return "above 99.9%" if probability > 0.999 else percent(probability)


def megabytes(size: float, unit: float = 1e6) -> str:
    """A size in bytes, in megabytes of a million bytes, or of another `unit`.

    >>> megabytes(2_500_000_000), megabytes(1000), megabytes(2**26, 2**20)
    ('2,500 MB', '0.001 MB', '64 MB')
    """
    return f"{size / unit:,.0f} MB" if size >= unit else f"{as_given(size / unit)} MB"


def clock(seconds: float) -> str:
    """Hours, minutes and seconds, and days if it takes so long.

    >>> clock(3725)
    '1:02:05'
    """
    return str(timedelta(seconds=round(seconds)))


def interval(low: float, high: float, significant: int = 3) -> str:
    """An interval within a sentence.

    >>> interval(-0.0124, 0.2)
    '-0.0124 to 0.2'
    """
    return f"{number(low, significant)} to {number(high, significant)}"


def counted(count: int, noun: str, plural: str | None = None) -> str:
    """A count with its noun.

    >>> counted(1, "tie"), counted(2000, "tie"), counted(0, "loss", "losses")
    ('1 tie', '2,000 ties', '0 losses')
    """
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def share_of(some: int, every: int) -> str:
    """How many of how many.

    >>> share_of(10274, 15931)
    '10,274 of 15,931'
    """
    return f"{some:,} of {every:,}"


WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def capital(text: str) -> str:
    """The text with a capital at its start."""
    return text[:1].upper() + text[1:]


def spelled(count: int) -> str:
    """A small count as a word.

    >>> spelled(2), spelled(13)
    ('two', '13')
    """
    return WORDS[count] if count < len(WORDS) else str(count)


def listed(names: Sequence[str], most: int = 6) -> str:
    """Names within a sentence; the last of very many are only counted.

    >>> listed(["a"]), listed(["a", "b", "c"]), listed(list("abcdefgh"), most=3)
    ('a', 'a, b and c', 'a, b, c and 5 more')
    """
    if len(names) > most + 1:  # "and 1 more" would be no shorter than its name
        return f"{', '.join(names[:most])} and {len(names) - most} more"
    return " and ".join(filter(None, (", ".join(names[:-1]), names[-1]))) if names else "none"


def some(names: Iterable[str], most: int) -> str:
    """The first of some names with commas between, and how many more there are.

    >>> some(["a", "b"], 3), some("abcde", 3)
    ('a, b', 'a, b, c and 2 more')
    """
    every = list(names)
    return ", ".join(every[:most]) + (f" and {len(every) - most:,} more" if len(every) > most else "")


def decimals(values: Iterable[float | None], significant: int = 4) -> int:
    """How many digits after the point show a column of numbers with about so many significant digits.

    >>> decimals([0.8712, 0.91]), decimals([1234.5, 998.0]), decimals([])
    (4, 0, 3)
    """
    sizes = sorted(abs(value) for value in values if value is not None and math.isfinite(value) and value != 0)
    if not sizes:
        return 3
    magnitude = math.floor(math.log10(sizes[len(sizes) // 2])) + 1
    return min(max(significant - magnitude, 0), MOST_DIGITS + 1)


def significant(name: str) -> int:
    """How many digits that count a number of that name has, in tables and sentences: a threshold must not be rounded far."""
    return 5 if name == "critical_value" else 4


def alone(name: str, value: Any) -> str:
    """A value that stands beside its name, in no column.

    >>> alone("critical_value", 0.7744479), alone("fraction", 0.7744479), alone("pvalue", 0.04936), alone("fraction", None)
    ('0.77445', '0.7744', '0.049', '–')
    """
    kind, digits = column_kind(name, [value])
    return number(value, significant(name)) if kind == "number" else cell(value, kind, digits)


def column_kind(name: str, values: Sequence[Any]) -> tuple[str, int]:
    """What a column holds, by its name and its values, and with how many digits after the point it is shown.

    >>> column_kind("adjusted", [0.01, None]), column_kind("gain", [0.8712, 0.91]), column_kind("wins", [3, 4])
    (('pvalue', 3), ('number', 4), ('count', 0))
    >>> column_kind("statistic", [3.0, 7.0]), column_kind("note", ["a", None]), column_kind("tied", [True, False])
    (('number', 0), ('text', 3), ('text', 3))
    """
    named = kind_of(name)
    present = [value for value in values if value is not None]
    if named in ("algorithm", "dataset"):
        return named, 3
    if not present or any(isinstance(value, bool) or not isinstance(value, int | float) for value in present):
        return "text", 3
    if named:
        return named, 3
    if all(isinstance(value, int) for value in present):
        return "count", 0
    whole = all(value.is_integer() for value in map(float, present) if math.isfinite(value))
    return "number", 0 if whole else decimals(present, significant(name))


def cell(value: Any, kind: str = "text", digits: int = 3) -> str:
    """A cell of a table of any kind as plain text, not yet escaped for any format.

    >>> cell(0.04936, "pvalue"), cell(1200, "count"), cell(0.5, "number", 2), cell(None, "number"), cell(True)
    ('0.049', '1,200', '0.50', '–', 'yes')
    >>> cell((-0.5, 0.25), "interval", 2), cell((12, 1, 3), "record"), cell((12, 1, 3), "standing")
    ('[-0.50, 0.25]', '12–1–3', '12/1/3')
    """
    if isinstance(value, str):
        return value
    # Rows won, tied and lost; or algorithms beaten, open and lost to.
    if kind in ("record", "standing") and value is not None:
        return (NO_NUMBER if kind == "record" else "/").join(f"{count:,}" for count in value)
    if kind == "interval" and value is not None:
        low, high = (fixed(end, digits) for end in value)
        return NO_NUMBER if low == high == NO_NUMBER else f"[{low}, {high}]"
    if isinstance(value, list | tuple):
        inner = (" / ".join(map(cell, item)) if isinstance(item, list | tuple) else cell(item) for item in value)
        return ", ".join(inner) or "none"
    if isinstance(value, dict):
        return ", ".join(f"{name}: {cell(item)}" for name, item in value.items()) or "none"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if value is not None and not isinstance(value, int | float):
        return str(value)
    if value is None or kind == "pvalue":
        return pvalue(value)
    if kind == "text":
        return str(value) if isinstance(value, int) else number(value, 4)
    return f"{value:,.0f}" if kind == "count" and math.isfinite(value) else fixed(value, digits)


IRREGULAR = {"query": "queries", "family": "families"}


def plural(noun: str) -> str:
    """Several of a kind.

    >>> plural("item"), plural("query")
    ('items', 'queries')
    """
    return IRREGULAR.get(noun, f"{noun}s")
