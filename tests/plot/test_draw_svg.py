import re
import xml.etree.ElementTree as ElementTree
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plot.gallery import HOSTILE, gallery
from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.plot.draw_svg import STYLE, to_svg
from podium.plot.scene import Circle, Curve, Line, Polygon, Polyline, Rect, Scene, Text
from podium.plot.style import LIGHT

SVG = "{http://www.w3.org/2000/svg}"
ALLOWED = {f"{SVG}{tag}" for tag in "svg title desc line polyline polygon path rect circle text".split()}


@pytest.fixture(scope="module")
def hostile():
    return gallery(HOSTILE)


def test_every_figure_is_xml_of_few_elements_without_style_script_or_reference(hostile):
    for name, scene in hostile.items():
        root = ElementTree.fromstring(to_svg(scene, id="x"))
        for element in root.iter():
            assert element.tag in ALLOWED, name
            assert not {"style", "href", "src"} & set(element.attrib), name
            assert not any(attribute.startswith("on") for attribute in element.attrib), name


def test_texts_are_what_was_given(hostile):
    for name, scene in hostile.items():
        root = ElementTree.fromstring(to_svg(scene, id="x"))
        written = []
        for element in root.iter(f"{SVG}text"):
            title = element.find(f"{SVG}title")
            written.append((element.text or "") if title is None else (title.tail or ""))
        assert written == [visible(text.text) for text in scene.texts], name


def test_head_is_accessible_and_scales():
    scene = Scene(width=30, height=12, shapes=(), title="A <b>", description="C & d")
    root = ElementTree.fromstring(to_svg(scene, id="figure-1"))
    assert root.get("viewBox") == "0 0 30 12"
    assert (root.get("width"), root.get("height")) == ("40", "16")
    assert root.get("role") == "img"
    assert root.get("aria-labelledby") == "figure-1-title figure-1-desc"
    assert root.find(f"{SVG}title").text == "A <b>"
    assert root.find(f"{SVG}desc").text == "C & d"


def test_every_kind_of_shape():
    shapes = (
        Line(0, 1, 2, 3.456, stroke="muted", dash="dashed", key="a<b", title="one\ntwo"),
        Polyline(((0, 0), (1, 2))),
        Curve(((0, 0), (1, 1), (2, 1), (3, 0))),
        Polygon(((0, 0), (1, 0), (1, 1)), fill="blue", stroke=None, opacity=0.5),
        Rect(1, 2, 3, 4, fill="ramp:0", css="cell"),
        Circle(1, 2, 3),
        Text(1, 2, "x", rotation=90, anchor="end", bold=True, size=10),
    )
    lines = to_svg(Scene(width=9, height=9, shapes=shapes), id="x").splitlines()[1:-1]
    assert lines == [
        '<line x1="0" y1="1" x2="2" y2="3.46" class="ps-muted" stroke="#5c5c5c" stroke-width="1" '
        'stroke-dasharray="4 3" data-key="a&lt;b"><title>one',
        "two</title></line>",
        '<polyline points="0,0 1,2" class="ps-ink" fill="none" stroke="#1a1a1a" stroke-width="1"/>',
        '<path d="M0 0C1 1, 2 1, 3 0" class="ps-ink" fill="none" stroke="#1a1a1a" stroke-width="1"/>',
        '<polygon points="0,0 1,0 1,1" class="pf-blue" fill="#0072b2" opacity="0.5"/>',
        '<rect x="1" y="2" width="3" height="4" class="cell ps-ink" fill="#f7fbff" stroke="#1a1a1a" stroke-width="1"/>',
        '<circle cx="1" cy="2" r="3" class="ps-ink" fill="none" stroke="#1a1a1a" stroke-width="1"/>',
        '<text x="4.65" y="2" font-size="10" class="pf-ink" fill="#1a1a1a" text-anchor="end" font-weight="bold" '
        'transform="rotate(-90 4.65 2)">x</text>',
    ]


@given(st.floats(-1e4, 1e4))
def test_numbers_have_at_most_two_digits_and_no_negative_zero(value):
    svg = to_svg(Scene(width=1, height=1, shapes=(Circle(value, 0, 1),)), id="x")
    written = re.search(r'cx="([^"]*)"', svg).group(1)
    assert re.fullmatch(r"-?\d+(\.\d{1,2})?", written)
    assert written != "-0"
    assert float(written) == pytest.approx(value, abs=0.00501)


def test_style_has_every_role_in_light_and_dark():
    for role in LIGHT:
        assert (
            STYLE.count(f"--podium-{role}:") == 5
        )  # light, dark by system, dark by choice, print, what is turned in the dark
        assert f".pf-{role}{{fill:var(--podium-{role})}}" in STYLE
    assert "<" not in STYLE


def test_a_figure_on_a_ramp_is_turned_in_the_dark_and_nothing_else():
    cell, line = Rect(0, 0, 1, 1, fill="ramp:0.5"), Line(0, 0, 1, 1)
    assert Scene(width=1, height=1, shapes=(line, cell)).is_ramped
    assert not Scene(width=1, height=1, shapes=(line, replace(cell, fill="diverging:0.5"))).is_ramped
    assert STYLE.count("filter:invert(1)") == 2  # by the system and by choice; never on paper
    assert all("screen" in part[:60] for part in STYLE.split("@media") if "filter" in part)


@pytest.mark.parametrize("bad", ["", "1", 'a"b', "a b", "a>"])
def test_id_must_be_plain(bad):
    with pytest.raises(ArgumentError, match="`id` must be a letter"):
        to_svg(Scene(width=1, height=1, shapes=()), id=bad)
