"""The colours of the page can be read: contrasts of WCAG 2, level AA."""

import re
from importlib.resources import files

import numpy as np
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
def test_text_can_be_read(colours):
    for paper in ("paper", "quiet", "wash"):
        for ink in ("ink", "ink2", "ink3", "blue", "orange", "red"):
            assert contrast(colours[ink], colours[paper]) >= 4.5, (ink, paper)
    for step in ("h2", "h3", "m2", "m3", "b1", "b2", "b3", "o1", "o2", "o3"):
        assert contrast(colours["ink"], colours[step]) >= 4.5, step
    for step in ("h4", "m4"):
        assert contrast(colours[f"{step}t"], colours[step]) >= 4.5
    assert contrast(colours["rule2"], colours["paper"]) >= 3  # outlines of open marks


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
def test_highlighted_text_can_be_read(colours):
    assert contrast(colours["lit-ink"], colours["lit"]) >= 7


def test_both_schemes_name_the_same_colours():
    assert set(LIGHT) == set(DARK)


# What remains of colours without red, green or blue cones (Machado et al. 2009, severity 1).
BLIND = {
    "protanopia": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
    "deuteranopia": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
    "tritanopia": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
}
TO_XYZ = [[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]]


def seen(colour, eyes):
    """The colour in CIELAB, as those eyes see it."""
    channels = np.array([int(colour[i : i + 2], 16) for i in (1, 3, 5)]) / 255
    linear = np.where(channels <= 0.04045, channels / 12.92, ((channels + 0.055) / 1.055) ** 2.4)
    xyz = np.array(TO_XYZ) @ np.clip(np.array(BLIND[eyes]) @ linear, 0, 1)
    f = np.cbrt(np.maximum(xyz / [0.9505, 1.0, 1.089], 1e-4))
    return np.array([116 * f[1] - 16, 500 * (f[0] - f[1]), 200 * (f[1] - f[2])])


@pytest.mark.parametrize("colours", [LIGHT, DARK], ids=["light", "dark"])
@pytest.mark.parametrize("eyes", BLIND)
def test_colours_that_mean_something_stay_apart_for_the_colour_blind(colours, eyes):
    ahead, behind = ("h2", "h3", "h4"), ("m2", "m3", "m4")
    look = {name: seen(colours[name], eyes) for name in ("blue", "orange", *ahead, *behind)}
    assert np.linalg.norm(look["blue"] - look["orange"]) > 25
    for one, other in zip(ahead, behind, strict=True):  # of one strength
        assert np.linalg.norm(look[one] - look[other]) > 12, (one, other)
    for ramp in (ahead, behind):
        steps = [look[name][0] for name in ramp]
        assert steps == sorted(steps, reverse=bool(steps[0] > steps[-1]))  # the ramp keeps its order in lightness
