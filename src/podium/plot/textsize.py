"""How much room text takes, without asking a drawing library.

Widths are those of DejaVu Sans, matplotlib's own font and one of the widest in use: text set in Helvetica, Arial,
Times or Latin Modern takes less, so that what does not overlap here does not overlap anywhere.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable

from podium.core.escape import visible

# Parts of the size of the font.
ASCENT = 0.76
DESCENT = 0.24
CAP_HEIGHT = 0.73

# Advance widths of the characters from space to tilde, in thousandths of the size of the font.
_REGULAR = tuple(
    int(width)
    for width in """318 401 460 838 636 950 780 275 390 390 500 838 318 361 318 337 636 636 636 636 636 636 636 636 636
    636 337 337 838 838 838 531 1000 684 686 698 770 632 575 775 752 295 295 656 557 863 748 787 603 787 695 635 611
    732 684 989 685 611 685 390 337 390 838 500 500 613 635 550 635 615 352 635 634 278 278 579 278 974 634 612 635
    635 411 521 392 634 592 818 592 592 525 636 337 636 838""".split()
)
_BOLD = tuple(
    int(width)
    for width in """348 456 521 838 696 1002 872 306 457 457 523 838 380 415 380 365 696 696 696 696 696 696 696 696
    696 696 400 400 838 838 838 580 1000 774 762 734 830 683 683 821 837 372 372 775 637 995 837 850 733 850 770 720
    682 812 774 1103 771 724 725 457 365 457 838 500 500 675 716 593 716 678 435 716 712 343 343 665 343 1042 712 687
    716 716 493 595 478 712 652 924 645 652 582 712 365 712 838""".split()
)


def text_width(text: str, size: float, *, bold: bool = False) -> float:
    """The width of one line of text, in the unit of `size`.

    >>> text_width("Wi", 10)
    12.67
    """
    table = _BOLD if bold else _REGULAR
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
