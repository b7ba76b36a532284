"""The colours of all figures, and how much room their letters take, without asking a drawing library.

Colours are a few named roles that survive colour blindness and greyscale printing. Series colours are those of Okabe and Ito
(2008). A colour of a shape is a role ("ink", "blue"), or a place on a ramp: "ramp:0.25" (from light to dark, 0 to 1) or
"diverging:-0.5" (orange below 0, blue above, -1 to 1). No figure says anything by colour alone.

Widths are those of DejaVu Sans, matplotlib's own font and one of the widest in use: text set in Helvetica, Arial,
Times or Latin Modern takes less, so that what does not overlap here does not overlap anywhere.
"""

from __future__ import annotations

import functools
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.core.labels import short_labels
from podium.core.registry import read_toml

_STYLE = read_toml("plot", "style.toml")
LIGHT: dict[str, str] = _STYLE["light"]
DARK: dict[str, str] = {**LIGHT, **_STYLE["dark"]}
# The order in which series take colours.
SERIES = ("blue", "vermilion", "green", "purple", "orange", "sky", "ink")

# Where each ramp begins (all end at 1), and its colours at equal steps.
_RAMPS = {
    # Lightness falls evenly, so that the ramp keeps its order in greyscale.
    "ramp": (0.0, ("#f7fbff", "#c6dbef", "#78b2d8", "#2a77b6", "#08306b")),
    "diverging": (-1.0, ("#b35806", "#f4ad5c", "#f7f7f7", "#86b2d6", "#2160a0")),
}


def is_role(colour: str) -> bool:
    """Whether the colour is a named role, which a page may show differently in dark mode."""
    return colour in LIGHT


@functools.lru_cache(maxsize=4096)
def hex_colour(colour: str) -> str:
    """The colour as #rrggbb on white paper.

    >>> hex_colour("blue"), hex_colour("ramp:0"), hex_colour("diverging:1")
    ('#0072b2', '#f7fbff', '#2160a0')
    """
    if colour in LIGHT:
        return LIGHT[colour]
    ramp, _, place = colour.partition(":")
    if ramp not in _RAMPS:
        raise ArgumentError(f"Unknown colour {colour!r}: use {', '.join(LIGHT)}, 'ramp:0.5' or 'diverging:-0.5'.")
    start, stops = _RAMPS[ramp]
    steps = np.linspace(start, 1.0, len(stops))
    channels = zip(*map(_channels, stops), strict=True)
    return "#" + "".join(f"{round(float(np.interp(float(place), steps, channel))):02x}" for channel in channels)


def _channels(value: str) -> tuple[int, ...]:
    return tuple(bytes.fromhex(value[1:]))


def text_on(colour: str) -> str:
    """The role of text that can be read on this colour: 'black' or 'white'."""
    red, green, blue = (channel / 255 for channel in _channels(hex_colour(colour)))
    luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "black" if luminance > 0.18 else "white"


# Parts of the size of the font.
ASCENT = 0.76
DESCENT = 0.24
CAP_HEIGHT = 0.73

_WIDTHS: dict[str, tuple[int, ...]] = _STYLE["widths"]  # of the characters from space to tilde


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


_LABELS: ContextVar[Mapping[str, str]] = ContextVar("labels")


@contextmanager
def labelled(names: Iterable[str]) -> Iterator[None]:
    """While a figure is laid out: these names have short labels, no two of which are alike."""
    token = _LABELS.set(short_labels(names))
    try:
        yield
    finally:
        _LABELS.reset(token)


def label_of(name: str) -> str:
    """A name as it is written in a figure: on one line, at most 60 characters."""
    label = _LABELS.get({}).get(name)
    return shorten(visible(name), 60) if label is None else visible(label)
