"""The colours of all figures: a few named roles that survive colour blindness and greyscale printing.

Series colours are those of Okabe and Ito (2008). A colour of a shape is a role ("ink", "blue"), or a place on a ramp:
"ramp:0.25" (from light to dark, 0 to 1) or "diverging:-0.5" (orange below 0, blue above, -1 to 1).
No figure says anything by colour alone.
"""

from __future__ import annotations

import functools

import numpy as np

from podium.core.errors import ArgumentError
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
        raise ArgumentError(f"There is no colour {colour!r}: use {', '.join(LIGHT)}, 'ramp:0.5' or 'diverging:-0.5'.")
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
