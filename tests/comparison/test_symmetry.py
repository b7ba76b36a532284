"""Skewed differences are seen, symmetric ones are not taken for skewed, and the remark gives the sign test."""

import numpy as np
import pytest

import podium
from comparison.stories import table
from podium.comparison.symmetry import CLEARLY, symmetry_pvalue

SYMMETRIC = {
    "normal": lambda rng, size: rng.normal(size=size),
    "uniform": lambda rng, size: rng.uniform(-1, 1, size=size),
    "heavy": lambda rng, size: rng.standard_t(4, size=size),
    "differences of skewed scores": lambda rng, size: rng.exponential(size=size) - rng.exponential(size=size),
}


@pytest.mark.parametrize("law", SYMMETRIC)
@pytest.mark.parametrize("n", [20, 60])
def test_symmetric_differences_are_rarely_taken_for_skewed(law, n):
    rows = SYMMETRIC[law](np.random.default_rng(1), (2000, n))
    rate = np.mean([symmetry_pvalue(row) <= CLEARLY for row in rows])

    assert rate <= CLEARLY + 0.02  # an asymptotic law: up to 3% where the tails are heavy


def test_skewed_differences_are_seen():
    rows = np.random.default_rng(2).exponential(size=(500, 54))
    assert np.mean([symmetry_pvalue(row) <= CLEARLY for row in rows]) > 0.8


def test_it_matches_the_formula_of_the_paper():
    # Miao, Gel and Gastwirth (2006), eq. 2, by hand: mean 2, median 1, mean |d - 1| = 3/2, n = 4.
    from scipy.stats import norm

    z = 2 * (2 - 1) / (np.sqrt(np.pi / 2) * 1.5) / np.sqrt(np.pi / 2 - 1)
    assert symmetry_pvalue(np.array([0.0, 1.0, 1.0, 6.0])) == pytest.approx(2 * norm.sf(z))


def test_the_remark_names_the_pair_and_the_sign_test():
    gains = np.concatenate([np.full(18, -0.001) * np.arange(1, 19) / 18, 0.02 * np.arange(1, 17)])
    scores = np.column_stack([0.6 + gains, np.full(len(gains), 0.6)])
    found = podium.compare(table(scores, ("risky", "plain")))
    said = {remark.topic: remark.sentence for remark in found.remarks}["skewed differences"]

    assert found.pairs.adjusted[0] <= 0.05
    assert f"risky and plain (p = {podium.stats.sign(scores[:, 0], scores[:, 1]).pvalue:.2f})" in said
