"""Every law against the enumeration of all rankings, and against exact whole numbers where there are too many."""

from fractions import Fraction

import numpy as np
import pytest

import podium
from chance.enumeration import CELL_SCORES, ROOTS, all_rankings, auc_law, best_law, top_law
from podium.chance.best_of import critical_point

SIZES = range(1, 9)
# Levels on purpose where a tail of a small table equals alpha: 1/70 is the perfect ranking of 4 + 4, and 0.5.
COMPETITIONS = [(1, 0.05), (1, 0.5), (1, 0.2), (10, 0.01), (2, 0.75), (3, 0.1)]


def compare(metric, P, N, expected):
    """Tails, masses, scores and critical values of a law, against {exact score: probability}."""
    law = podium.chance.null_distribution(metric, positives=P, negatives=N)
    scores, chances = list(expected), list(expected.values())
    tails = [sum(chances[k:]) for k in range(len(scores))]
    floats = np.sqrt(np.array(scores, float)) if metric in ROOTS else np.array(scores, float)
    np.testing.assert_allclose(law.attainable(), floats, rtol=1e-14, atol=1e-15)
    point = law.lowest
    for k, score in enumerate(scores):
        assert point.exact == score
        assert law.tail(point) == pytest.approx(float(tails[k]), rel=1e-12)
        assert law.mass(point) == pytest.approx(float(chances[k]), rel=1e-12)
        assert law.exact_tail(point) == tails[k]
        assert law.locate(floats[k]) == point
        assert law.before(point) == (None if k == 0 else law.floor(floats[k - 1]))
        point = law.after(point)
    assert point is None
    for competitors, alpha in COMPETITIONS:
        above = [*tails[1:], Fraction(0)]
        wanted = next(k for k in range(len(scores)) if (1 - above[k]) ** competitors >= 1 - Fraction(repr(alpha)))
        found, p_above, p_at_least = critical_point(law, alpha, competitors)
        assert found.exact == scores[wanted], (metric, P, N, competitors, alpha)
        assert p_above == pytest.approx(float(above[wanted]), rel=1e-12)
        assert p_at_least == pytest.approx(float(tails[wanted]), rel=1e-12)


@pytest.mark.parametrize("P", SIZES)
def test_best_over_thresholds_by_full_enumeration(P):
    for N in SIZES:
        rankings = all_rankings(P, N)
        for metric in CELL_SCORES:
            compare(metric, P, N, best_law(metric, P, N, rankings))


@pytest.mark.parametrize("P", SIZES)
def test_auc_and_gini_by_full_enumeration(P):
    for N in SIZES:
        rankings = all_rankings(P, N)
        for metric in ("auc", "gini"):
            compare(metric, P, N, auc_law(metric, P, N, rankings))


@pytest.mark.parametrize("P", SIZES)
def test_top_n_by_full_enumeration(P):
    for N in SIZES:
        rankings = all_rankings(P, N)
        for n in range(1, P + N + 1):
            for metric in ("tp", "precision", "recall", "lift"):
                compare(f"{metric}{n}", P, N, top_law(metric, n, P, N, rankings))
        compare("r_precision", P, N, top_law("precision", P, P, N, rankings))
