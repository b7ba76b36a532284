import pytest
from hypothesis import given
from hypothesis import strategies as st

from plot.gallery import outside, overlapping_texts
from podium.plot.scene import Circle, Curve, Line, Polygon, Polyline, Rect, Scene, Text, box_of, stacked
from podium.plot.style import CAP_HEIGHT, shorten, text_width

SHAPES = [
    Line(1, 2, 3, 4),
    Polyline(((1, 2), (5, 0))),
    Curve(((0, 0), (0, 4), (4, 4), (4, 0))),
    Polygon(((0, 0), (2, 0), (1, 1)), fill="blue"),
    Rect(1, 2, 3, 4),
    Circle(5, 5, 2),
    Text(3, 3, "abc"),
]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: type(shape).__name__)
def test_moving_a_shape_moves_its_box(shape):
    left, top, right, bottom = box_of(shape)
    assert box_of(shape.moved(10, -2)) == pytest.approx((left + 10, top - 2, right + 10, bottom - 2))


def test_box_of_a_curve_is_that_of_the_curve_not_of_its_control_points():
    # A cubic reaches three quarters of the height of two equal control points.
    assert box_of(Curve(((0, 0), (0, 4), (4, 4), (4, 0)))) == pytest.approx((0, 0, 4, 3))


@pytest.mark.parametrize("anchor, left", [("start", 10.0), ("middle", 10 - 6.335), ("end", 10 - 12.67)])
def test_text_box(anchor, left):
    # DejaVu Sans: W is 0.989 and i 0.278 of the size.
    box = box_of(Text(10, 20, "Wi", size=10, anchor=anchor))
    assert box == pytest.approx((left, 20 + 3.65 - 7.6, left + 12.67, 20 + 3.65 + 2.4))


def test_capitals_are_centred_on_y():
    x, y = Text(10, 20, "W", size=10).baseline
    assert (x, y) == (10, pytest.approx(20 + 10 * CAP_HEIGHT / 2))


def test_rotation_is_counterclockwise_about_the_place():
    flat, up = Text(0, 0, "Wi", size=10), Text(0, 0, "Wi", size=10, rotation=90)
    left, top, right, bottom = box_of(flat)
    assert box_of(up) == pytest.approx((top, -right, bottom, -left))


def test_overlaps_and_what_leaves_the_sheet_are_found():
    texts = Text(5, 10, "one"), Text(8, 12, "two"), Text(5, 40, "three")
    scene = Scene(width=20, height=60, shapes=texts)
    assert overlapping_texts(scene) == [(texts[0], texts[1])]
    assert outside(scene) == [texts[0], texts[1], texts[2]]
    assert outside(Scene(width=60, height=60, shapes=texts[::2])) == []


def test_stacked_scenes_lie_below_each_other():
    scene = Scene(width=50, height=20, shapes=(Line(0, 10, 50, 10),), title="t")
    both = stacked([scene, scene], headings=["a", "b"], gap=10)
    assert (both.width, both.height) == (50, 2 * 18 + 2 * 20 + 10)
    assert [shape.y1 for shape in both.shapes if isinstance(shape, Line)] == [28, 76]


@given(st.text(max_size=80), st.text(max_size=80))
def test_width_is_additive_and_never_negative(a, b):
    assert text_width(a + b, 9) == pytest.approx(text_width(a, 9) + text_width(b, 9), abs=1e-9)
    assert text_width(a, 9) >= 0


def test_widths_are_those_of_matplotlibs_font():
    from matplotlib.font_manager import FontProperties, findfont, get_font
    from matplotlib.ft2font import LoadFlags

    for weight, bold in (("normal", False), ("bold", True)):
        font = get_font(findfont(FontProperties(family="DejaVu Sans", weight=weight)))
        font.set_size(1000, 72)
        for code in range(32, 127):
            advance = font.load_char(code, flags=LoadFlags.NO_HINTING).linearHoriAdvance / 65536
            assert text_width(chr(code), 1000, bold=bold) == pytest.approx(advance, abs=1)


@given(st.text(max_size=100), st.integers(3, 70))
def test_shorten_keeps_both_ends_and_the_limit(text, characters):
    short = shorten(text, characters)
    assert len(short) == min(len(text), characters)
    if len(text) > characters:
        before, after = short.split("…", 1) if "…" not in text else (text[0], text[-1])
        assert text.startswith(before)
        assert text.endswith(after)
