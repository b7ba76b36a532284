"""How much room text takes, without asking a drawing library.

Widths are those of DejaVu Sans, matplotlib's own font and one of the widest in use: text set in Helvetica, Arial,
Times or Latin Modern takes less, so that what does not overlap here does not overlap anywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from podium.core.escape import visible
from podium.core.registry import read_toml

# Parts of the size of the font.
ASCENT = 0.76
DESCENT = 0.24
CAP_HEIGHT = 0.73

_WIDTHS: dict[str, tuple[int, ...]] = read_toml("plot", "style.toml")["widths"]  # of the characters from space to tilde


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line of text, in the unit of `size`.

    >>> text_width("Wi", 10)
    12.67
    """
    table = _WIDTHS["bold" if bold else "regular"]
    thousandths = sum(
        table[ord(character) - 32] if " " <= character <= "~" else _other_width(character, table) for character in text
    )
    return thousandths * size / 1000


def _other_width(character: str, table: tuple[int, ...]) -> int:
    """Accents take no room, accented letters that of their letter; East Asian and emoji are square and more."""
    if unicodedata.combining(character) or unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    base = unicodedata.normalize("NFD", character)[0]
    if " " <= base <= "~":
        return table[ord(base) - 32]
    if unicodedata.east_asian_width(character) in "WF" or ord(character) > 0x1F000:
        return 1400
    return 1000


def widest(texts: Iterable[str], size: float, *, bold: bool = False) -> float:
    """The width of the widest text, 0 if there is none."""
    return max((text_width(text, size, bold=bold) for text in texts), default=0.0)


def lines_of(text: str, size: float, room: float) -> list[str]:
    """The text in lines that are no wider than the room, unless a word is.

    >>> lines_of("one two three", 10, 45)
    ['one two', 'three']
    """
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and text_width(longer, size) <= room:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def shorten(text: str, characters: int = 60) -> str:
    """The text, with its middle left out if it is longer than so many characters; both ends tell names apart.

    >>> shorten("abcdefghij", 7)
    'abc…hij'
    """
    if len(text) <= characters:
        return text
    tail = (characters - 1) // 2
    return text[: characters - 1 - tail] + "…" + text[len(text) - tail :]


def label_of(name: str) -> str:
    """A name as it is written in a figure: on one line, at most 60 characters."""
    return shorten(visible(name), 60)
