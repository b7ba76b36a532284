"""What holds for every figure: labels keep apart and on the sheet, whatever the names and however many."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import podium
from plot.gallery import HOSTILE, gallery, long_names, outside, overlapping_texts

NAMES = st.lists(
    st.text(st.characters(codec="utf-8", exclude_categories=("Cs",)), min_size=1, max_size=60),
    min_size=2,
    max_size=9,
    unique=True,
)


# Of two algorithms on each benchmark, and of the best five, whose curves are named with their area.
OF_SOME = ("benchmark_forest", "roc_curves", "pr_curves")


def assert_readable(scenes):
    for name, scene in scenes.items():
        overlaps = [(a.text, b.text) for a, b in overlapping_texts(scene)]
        assert not overlaps, (name, overlaps[:3])
        assert not outside(scene), (name, outside(scene)[:3])
        assert scene.title, name
        assert scene.description, name


@pytest.mark.parametrize("k", [2, 3, 10, 20, 60])
def test_long_names_keep_apart_and_inside(k):
    assert_readable(gallery(long_names(k)))


def test_hostile_names_keep_apart_and_inside():
    assert_readable(gallery(HOSTILE))


@settings(max_examples=8)
@example(k=10, seed=694129, word="ç¯ȥxǑĝfæĮáūǸ#ƮĻ§iØYƂƭćÞÁ¢J")
@given(
    k=st.sampled_from([3, 10, 20, 60]),
    seed=st.integers(0, 10**6),
    word=st.text(st.characters(min_codepoint=33, max_codepoint=0x24F, exclude_categories=("Cc",)), max_size=55),
)
def test_any_number_of_long_names_keeps_apart_and_inside(k, seed, word):
    assert_readable(gallery([f"{i} {word}" for i in range(k)], seed=seed, n=6))


@settings(max_examples=20)
@given(names=NAMES, seed=st.integers(0, 10**6))
def test_any_names_keep_apart_and_inside(names, seed):
    assert_readable(gallery(names, seed=seed, n=5))


def test_a_matrix_writes_the_labels_that_it_is_laid_out_for():
    names = [f"{i} with the same long end of its name in every row" for i in range(10)]
    tested = podium.stats.all_pairs(dict(zip(names, np.random.default_rng(0).normal(size=(10, 6)), strict=True)))
    figure = podium.plot.comparison_matrix(tested)
    assert_readable({"matrix": figure.scene})
    written = [text.text for text in figure.scene.texts]
    assert set(figure.table.labels).isdisjoint(names)
    assert all(written.count(label) == 2 for label in figure.table.labels)


@pytest.mark.parametrize("k", [3, 12])
def test_every_algorithm_is_named_in_every_figure_of_all(k):
    names = [f"algorithm{i:02d}" for i in range(k)]
    for figure, scene in gallery(names).items():
        if figure in ("scatter", "forest", "intervals", "profile", *OF_SOME):
            continue  # of two algorithms, of pairs, and of the best eight
        texts = " ".join(text.text for text in scene.texts)
        assert all(name in texts for name in names), figure


def test_shapes_of_an_algorithm_carry_its_key():
    names = ["first", "second", "third"]
    for figure, scene in gallery(names).items():
        if figure not in ("forest", "intervals", *OF_SOME):
            keys = {shape.key for shape in scene.shapes if shape.key}
            assert keys <= set(names), figure
            assert {"first", "second"} <= keys, figure
