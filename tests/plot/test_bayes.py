"""Figures of Bayesian results: numbers in the right places, no text over another, nothing off the sheet."""

import numpy as np
import pytest

import podium
from bayes.published import accuracies, mean_accuracies
from plot.gallery import outside, overlapping_texts
from podium.plot import density, differences, rank_probabilities, rope_matrix, shrinkage, simplex
from podium.plot.draw_svg import to_svg
from podium.plot.draw_tikz import to_tikz
from podium.plot.scene import Circle, Polygon, Rect


@pytest.fixture(scope="module")
def anova():
    return podium.bayes.anova(mean_accuracies(), rope=1.0, rng=1)


@pytest.fixture(scope="module")
def hierarchical():
    x, y = (accuracies()[name][:12] / 100 for name in ("nbc", "aode"))
    return podium.bayes.hierarchical(x, y, rope=0.01, names=("nbc", "aode"), rng=1)


def good(figure):
    scene = figure.scene
    assert overlapping_texts(scene) == []
    assert outside(scene) == []
    assert to_svg(scene, id="figure").startswith("<svg")
    assert "tikzpicture" in to_tikz(scene)
    return scene


def test_the_simplex_puts_certainty_into_the_corner(hierarchical):
    scene = good(simplex(hierarchical))
    assert f"{hierarchical.p_left:.3f}" in [text.text for text in scene.texts]
    sure = podium.bayes.sign(np.ones(60), np.zeros(60), rope=0.1, names=("good", "bad"), rng=0)
    scene = simplex(sure).scene
    triangle = next(s for s in scene.shapes if isinstance(s, Polygon) and s.fill is None)
    right = triangle.points[2]
    cells = [s for s in scene.shapes if isinstance(s, Polygon) and s.fill]
    assert all(abs(x - right[0]) < 60 for cell in cells for x, _ in cell.points)


def test_long_names_keep_apart():
    sure = podium.bayes.sign(
        np.ones(9), np.zeros(9), rope=0.1, names=("a rather long name", "another long name"), rng=0
    )
    good(simplex(sure))


def test_density_shades_the_rope(hierarchical):
    exact = podium.bayes.correlated_t([0.8, 0.9, 0.7, 0.8], [0.7, 0.85, 0.72, 0.8], rope=0.02, names=("p", "q"))
    for posterior in (exact, hierarchical):
        scene = good(density(posterior))
        assert any(isinstance(s, Rect) and "rope" in s.title for s in scene.shapes)
    same = podium.bayes.correlated_t([0.8, 0.9], [0.8, 0.9], rope=0.02)
    with pytest.raises(podium.ArgumentError, match="no density"):
        density(same)


def test_shrinkage_draws_every_dataset_towards_the_centre(hierarchical):
    scene = good(shrinkage(hierarchical))
    rings = [s for s in scene.shapes if isinstance(s, Circle) and s.key]
    assert len(rings) == 2 * 12
    spread = np.ptp(hierarchical.details["shrunk"])
    assert spread < np.ptp(hierarchical.details["observed"])


def test_matrix_forest_and_ranks(anova):
    matrix = good(rope_matrix(anova))
    assert f"{anova.pair('hnb', 'nbc').p_right:.3f}" in [text.text for text in matrix.texts]
    forest = good(differences(anova))
    assert forest.texts[0].text
    ranks = good(rank_probabilities(anova))
    assert any("rank 1 with probability" in s.title for s in ranks.shapes)


def test_many_algorithms_get_bars_only():
    y = np.random.default_rng(0).normal(size=(10, 20))
    found = podium.bayes.all_pairs(y, model="sign", rope=0.1, rng=0)
    good(rope_matrix(found))


def test_what_has_no_draws_is_refused(anova):
    with pytest.raises(podium.ArgumentError, match="needs draws"):
        simplex(anova.pair("nbc", "hnb"))
