"""Signs that group thousands: 1,234, or 1.234 beside decimal commas, 1 234 and 1'234."""

from __future__ import annotations

import re
from collections.abc import Iterable

_HEAD = r"(?<![\d.,])[1-9]\d{0,2}"
_ANY_SIGN = re.compile(r"[.,'’\s]")
_GROUPS = {  # by the sign of the decimals, the digits whose groups are parted by one and the same other sign
    decimal: re.compile(rf"{_HEAD}([{other}'’\s])\d{{3}}(?:\1\d{{3}})*(?!\d|\1\d)") for decimal, other in (".,", ",.")
}
# Beside decimal commas, dots that can only group, and those that may group or be decimal points.
_SURE = re.compile(rf"{_HEAD}(?:(?:\.\d{{3}})+(?=,\d)|(?:\.\d{{3}}){{2,}}(?!\d|\.\d))")
_EITHER = re.compile(rf"{_HEAD}\.\d{{3}}(?![\d.,])")
_POINT = re.compile(r"\d?\.\d")


def ungrouped(text: str, decimal: str, *, sure: bool = False) -> str:
    """The text without the signs that group thousands; `sure` removes only dots that can mean nothing else.

    >>> ungrouped("1,234.5", "."), ungrouped("1.234", ","), ungrouped("1.234", ",", sure=True), ungrouped("0.842", ",")
    ('1234.5', '1234', '1.234', '0.842')
    """
    groups = _SURE if sure else _GROUPS[decimal]
    return groups.sub(lambda match: _ANY_SIGN.sub("", match[0]), text)


def may_group(text: str) -> bool:
    """Whether a dot beside decimal commas may group thousands, and may as well be a decimal point."""
    return _EITHER.search(text) is not None


def dots_group(texts: Iterable[str]) -> bool | None:
    """Whether the dots in numbers with decimal commas group thousands; None where the numbers do not tell.

    >>> dots_group(["1.234", "1.100,5"]), dots_group(["1.234", "12.5"]), dots_group(["1.234", "987,5"])
    (True, False, None)
    """
    grouped = pointed = False
    for text in texts:
        grouped = grouped or _SURE.search(text) is not None
        pointed = pointed or _POINT.search(_EITHER.sub("", _SURE.sub("", text))) is not None
    return grouped if grouped != pointed else None
