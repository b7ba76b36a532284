"""The colours of the page can be read: contrasts of WCAG 2, level AA."""

import re
from importlib.resources import files

import pytest

CSS = files("podium.report").joinpath("templates", "page.css").read_text(encoding="utf-8")
LIGHT, DARK = (
    dict(re.findall(r"--([\w-]+): (#\w{6});", block))
    for block in re.findall(r":root \{(.*?)\n\s*\}", CSS, re.DOTALL)[:2]
)


def luminance(colour):
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first, second):
    high, low = sorted((luminance(first), luminance(second)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_black_on_white_is_the_largest_contrast():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("ink", ["ink", "soft", "link", "warning", "caution", "note"])
@pytest.mark.parametrize("paper", ["page", "card", "head"])
def test_text_can_be_read(colours, ink, paper):
    assert contrast(colours[ink], colours[paper]) >= 4.5


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_highlighted_text_can_be_read(colours):
    assert contrast(colours["lit-ink"], colours["lit"]) >= 7


def test_both_schemes_name_the_same_colours():
    assert set(LIGHT) == set(DARK)
