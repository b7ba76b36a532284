import matplotlib
import matplotlib.pyplot as plt
import numpy as np
import pytest
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.collections import LineCollection, PathCollection

from needs import need_program
from plot.gallery import HOSTILE, gallery
from podium.core.errors import ArgumentError
from podium.core.escape import visible
from podium.plot.draw_matplotlib import draw, drawable, to_figure
from podium.plot.figure import Figure
from podium.plot.scene import Line, Rect, Scene, Text
from refusals import refuses


@pytest.fixture(scope="module")
def hostile():
    return gallery(HOSTILE)


def test_every_figure_draws_with_hostile_names(hostile, tmp_path):
    for name, scene in hostile.items():
        figure = to_figure(scene)
        figure.savefig(tmp_path / "figure.png", dpi=30)
        (ax,) = figure.axes
        shown = [text.get_text() for text in ax.texts]
        assert len(shown) == len(scene.texts), name
        for text, given in zip(shown, scene.texts, strict=True):
            if visible(given.text).isascii():
                assert text == visible(given.text), name


def test_figure_has_the_size_of_the_scene():
    figure = to_figure(Scene(width=144, height=72, shapes=()))
    assert figure.get_size_inches().tolist() == [2.0, 1.0]


def test_text_is_never_mathematics_and_is_as_wide_as_the_layout_thinks():
    scene = Scene(width=400, height=40, shapes=(Text(10, 20, "$x^2$ " + "hamburgefonts " * 3, size=9),))
    figure = to_figure(scene)
    (text,) = figure.axes[0].texts
    assert not text.get_parse_math()
    width = text.get_window_extent(RendererAgg(800, 200, figure.dpi)).width * 72 / figure.dpi
    assert width == pytest.approx(scene.texts[0].width, rel=0.02)


@pytest.mark.parametrize("side, scale", [(0.5, 1.0), (0.125, 0.36)])
def test_in_given_axes_a_point_stays_a_point_unless_the_scene_is_too_large(side, scale):
    scene = Scene(width=200, height=100, shapes=(Text(0, 50, "a", size=10), Line(0, 0, 9, 9, stroke_width=2)))
    figure = plt.figure(figsize=(8, 8))
    ax = figure.add_axes((0, 0, side, side))
    assert draw(scene, ax) is ax
    # 4 inches have room for 200 points; in 1 inch a point of the scene is 72 / 200 of one.
    assert ax.texts[0].get_fontsize() == pytest.approx(10 * scale)
    (lines,) = (artist for artist in ax.collections if isinstance(artist, LineCollection))
    assert lines.get_linewidths() == pytest.approx([2 * scale])
    middle = ax.transData.transform((100, 50)) - ax.get_window_extent().p0
    assert middle * 72 / figure.dpi == pytest.approx([288 * side, 288 * side])
    plt.close(figure)


def test_without_axes_pyplot_gets_a_figure():
    ax = draw(Scene(width=72, height=72, shapes=()))
    assert plt.gcf() is ax.get_figure()
    plt.close("all")


def test_neighbours_of_one_kind_are_one_collection_in_their_order():
    shapes = (Rect(0, 0, 1, 1, fill="blue"), Rect(1, 0, 1, 1), Line(0, 0, 1, 1), Rect(2, 0, 1, 1))
    (ax,) = to_figure(Scene(width=9, height=9, shapes=shapes)).axes
    kinds = [(type(artist), artist.get_zorder()) for artist in ax.collections]
    assert kinds == [(PathCollection, 1), (LineCollection, 2), (PathCollection, 3)]
    assert np.allclose(ax.collections[0].get_facecolor()[0], matplotlib.colors.to_rgba("#0072b2"))


def test_characters_without_a_glyph_are_spelled_out():
    assert drawable("算法 x") == "[U+7B97-U+6CD5] x"
    assert drawable("héllo שלום") == "héllo שלום"


@pytest.mark.latex
def test_pgf_escapes_names(tmp_path):
    need_program("pdflatex")
    with matplotlib.rc_context({"pgf.texsystem": "pdflatex", "pgf.rcfonts": False}):
        scene = Scene(width=300, height=40, shapes=(Text(10, 20, r"A & B_%# $x$ \input{x}"),))
        to_figure(scene).savefig(tmp_path / "figure.pgf")
    source = (tmp_path / "figure.pgf").read_text()
    assert r"A \& B\_\%\# \$x\$ \textbackslash{}input\{x\}" in source


def test_files_by_ending(tmp_path):
    scene = Scene(width=72, height=36, shapes=(Text(4, 9, "a"),), title="t")
    heads = {
        ".svg": b"<svg ",
        ".tikz": rb"\begin{tikzpicture}",
        ".tex": rb"\documentclass",
        ".pdf": b"%PDF",
        ".png": b"\x89PNG",
    }
    for suffix, head in heads.items():
        path = Figure(scene).save(tmp_path / f"figure{suffix}")
        assert path.read_bytes().startswith(head)
    with refuses(ArgumentError, "the ending of `path`"):
        Figure(scene).save(tmp_path / "figure.jpg")
