"""Skewed differences are seen, symmetric ones are not taken for skewed, and the remark gives the sign test."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import stdtr

import podium
from comparison.stories import table
from podium.comparison.symmetry import CLEARLY, student_tails, symmetry_pvalue, triples

SYMMETRIC = {
    "normal": lambda rng, size: rng.normal(size=size),
    "Cauchy": lambda rng, size: rng.standard_cauchy(size=size),
    "two humps": lambda rng, size: rng.normal(size=size) + 3 * rng.choice([-1, 1], size=size),
    "differences of skewed scores": lambda rng, size: rng.exponential(size=size) - rng.exponential(size=size),
    "ties on a grid": lambda rng, size: np.round(rng.normal(size=size)),
    # Not among the laws by which the level was chosen:
    "half of them 0": lambda rng, size: rng.normal(size=size) * (rng.random(size) < 0.5),
    "spreads of datasets from 0.1 to 10": lambda rng, size: rng.normal(size=size) * 10 ** rng.uniform(-1, 1, size),
}


@pytest.mark.parametrize("law", SYMMETRIC)
@pytest.mark.parametrize("n", [15, 40])
def test_symmetric_differences_are_rarely_taken_for_skewed(law, n):
    rows = SYMMETRIC[law](np.random.default_rng(1), (400, n))
    rate = np.mean([symmetry_pvalue(row) <= CLEARLY for row in rows])

    assert rate <= 0.014 + 3 * np.sqrt(0.014 / 400)


def test_skewed_differences_are_seen():
    rows = np.random.default_rng(2).exponential(size=(200, 54))
    assert np.mean([symmetry_pvalue(row) <= CLEARLY for row in rows]) > 0.8


def test_values_of_the_triples_test():
    skewed = np.array([0.01, 0.02, 0.02, 0.03, 0.03, 0.04, 0.05, 0.06, 0.08, 0.1, 0.13, 0.18, 0.25, 0.4, 0.8])
    lean, variance = triples(skewed)
    assert (lean, variance) == pytest.approx((0.2131868, 0.001611857), abs=1e-7)
    assert symmetry_pvalue(skewed) == pytest.approx(0.0001101463, abs=1e-9)
    plain = np.array([-3, -1.2, -0.8, -0.5, -0.3, -0.1, 0, 0.1, 0.2, 0.4, 0.6, 0.9, 1.5, 2.2, 9])
    assert symmetry_pvalue(plain) == pytest.approx(0.5519222, abs=1e-7)


@given(st.lists(st.integers(-8, 8), min_size=5, max_size=12))
def test_the_counts_are_those_of_all_triples(values):
    x = np.sort(np.array(values, dtype=float))
    n = len(x)
    if np.ptp(x) == 0:
        return
    f = {t: np.sign(x[t[0]] + x[t[2]] - 2 * x[t[1]]) / 3 for t in itertools.combinations(range(n), 3)}
    lean = np.mean(list(f.values()))
    one = [np.mean([v for t, v in f.items() if i in t]) for i in range(n)]
    two = [np.mean([v for t, v in f.items() if i in t and j in t]) for i, j in itertools.combinations(range(n), 2)]
    spread = (
        1.5 * (n - 3) * (n - 4) * np.var(np.array(one) - lean) + 1.5 * (n - 3) * (n - 4) * (np.mean(one) - lean) ** 2
    )
    spread += 3 * (n - 3) * np.mean((np.array(two) - lean) ** 2)
    assert triples(x) == pytest.approx((lean, (spread + 1 / 9 - lean**2) / len(f)), abs=1e-12)


def test_the_remark_names_the_pair_and_the_sign_test():
    gains = np.concatenate([np.full(18, -0.001) * np.arange(1, 19) / 18, 0.004 * 1.3 ** np.arange(16)])
    scores = np.column_stack([0.6 + gains, np.full(len(gains), 0.6)])
    found = podium.compare(table(scores, ("risky", "plain")))
    said = {remark.topic: remark.sentence for remark in found.remarks}["skewed differences"]

    assert found.pairs.adjusted[0] <= 0.05
    assert f"risky and plain (p = {podium.stats.sign(scores[:, 0], scores[:, 1]).pvalue:.2f})" in said


@pytest.mark.parametrize("df", [1, 2, 3, 14, 19, 50, 99])
def test_the_finite_sum_of_students_tails_is_scipys(df):
    for t in (0.0, 0.5, -2.0, 3.3, 8.0):
        assert student_tails(t, df) == pytest.approx(2 * stdtr(df, -abs(t)), abs=1e-13)
