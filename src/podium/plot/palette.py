"""The colours of all figures: a few named roles that survive colour blindness and greyscale printing.

Series colours are those of Okabe and Ito (2008). A colour of a shape is a role ("ink", "blue"), or a place on a ramp:
"ramp:0.25" (from light to dark, 0 to 1) or "diverging:-0.5" (orange below 0, blue above, -1 to 1).
No figure says anything by colour alone.
"""

from __future__ import annotations

import functools

from podium.core.errors import ArgumentError

# Role -> colour on white paper. "black" and "white" stay what they are in dark mode, for text on a ramp.
LIGHT = {
    "ink": "#1a1a1a",
    "muted": "#5c5c5c",
    "faint": "#d0d0d0",
    "wash": "#f0f0f0",
    "paper": "#ffffff",
    "blue": "#0072b2",
    "vermilion": "#d55e00",
    "green": "#009e73",
    "purple": "#b5579a",
    "orange": "#e69f00",
    "sky": "#56b4e9",
    "yellow": "#f0e442",
    "black": "#000000",
    "white": "#ffffff",
}
# The same roles on a dark page.
DARK = {
    **LIGHT,
    "ink": "#ececec",
    "muted": "#aeaeae",
    "faint": "#4a4a4a",
    "wash": "#2a2a2a",
    "paper": "#181818",
    "blue": "#4fb3ee",
    "vermilion": "#ff8a3d",
    "green": "#2fd0a2",
    "purple": "#e29aca",
}
# The order in which series take colours.
SERIES = ("blue", "vermilion", "green", "purple", "orange", "sky", "ink")

_RAMPS: dict[str, tuple[tuple[float, tuple[int, int, int]], ...]] = {
    # Lightness falls evenly, so that the ramp keeps its order in greyscale.
    "ramp": (
        (0.0, (247, 251, 255)),
        (0.25, (198, 219, 239)),
        (0.5, (120, 178, 216)),
        (0.75, (42, 119, 182)),
        (1.0, (8, 48, 107)),
    ),
    "diverging": (
        (-1.0, (179, 88, 6)),
        (-0.5, (244, 173, 92)),
        (0.0, (247, 247, 247)),
        (0.5, (134, 178, 214)),
        (1.0, (33, 96, 160)),
    ),
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
    red, green, blue = _on_ramp(_RAMPS[ramp], float(place))
    return f"#{red:02x}{green:02x}{blue:02x}"


def _on_ramp(stops: tuple[tuple[float, tuple[int, int, int]], ...], place: float) -> tuple[int, int, int]:
    place = min(max(place, stops[0][0]), stops[-1][0])
    after = next(i for i in range(1, len(stops)) if place <= stops[i][0])
    (left, low), (right, high) = stops[after - 1], stops[after]
    share = (place - left) / (right - left)
    red, green, blue = (round(a + share * (b - a)) for a, b in zip(low, high, strict=True))
    return red, green, blue


def text_on(colour: str) -> str:
    """The role of text that can be read on this colour: 'black' or 'white'."""
    value = hex_colour(colour)
    red, green, blue = (int(value[i : i + 2], 16) / 255 for i in (1, 3, 5))
    luminance = 0.2126 * red**2.2 + 0.7152 * green**2.2 + 0.0722 * blue**2.2
    return "black" if luminance > 0.18 else "white"
