import itertools

import pytest

from podium.core.errors import ArgumentError
from podium.plot.style import DARK, LIGHT, SERIES, hex_colour, is_role, text_on


def luminance(colour):
    """Relative luminance, as WCAG 2.1 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a, b):
    bright, dark = sorted((luminance(a), luminance(b)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("role, least", [("ink", 7), ("muted", 4.5), ("blue", 3), ("vermilion", 3), ("green", 3)])
def test_contrast_with_paper_and_stripes(colours, role, least):
    assert contrast(colours[role], colours["paper"]) >= least
    assert contrast(colours[role], colours["wash"]) >= least * 0.85


@pytest.mark.parametrize(
    "ramp", [f"ramp:{i / 20}" for i in range(21)] + [f"diverging:{i / 10}" for i in range(-10, 11)]
)
def test_text_on_ramps_can_be_read(ramp):
    assert contrast(hex_colour(ramp), hex_colour(text_on(ramp))) >= 4.5


def test_the_ramp_keeps_its_order_in_greyscale():
    brightness = [luminance(hex_colour(f"ramp:{i / 20}")) for i in range(21)]
    assert all(a > b for a, b in itertools.pairwise(brightness))


def test_series_are_roles_and_unknown_colours_are_refused():
    assert all(is_role(colour) for colour in SERIES)
    assert set(LIGHT) == set(DARK)
    with pytest.raises(ArgumentError, match="Unknown colour 'mauve'"):
        hex_colour("mauve")


def test_places_beyond_the_ramp_are_its_ends():
    assert hex_colour("ramp:7") == hex_colour("ramp:1")
    assert hex_colour("diverging:-9") == hex_colour("diverging:-1")
