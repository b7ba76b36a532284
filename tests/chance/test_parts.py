"""Parts of the exact distributions by other routes: many digits, lists of all rankings."""

from decimal import Decimal, getcontext
from itertools import combinations

import numpy as np
import pytest

from podium.chance.distributions import null_curve
from podium.chance.hypergeometric import _deviance, _log_binomial


@pytest.mark.parametrize(
    "x, mean", [(10.0, 9.9), (1000.0, 1001.5), (50.0, 60.0), (3.0, 2.5), (7.0, 40.0), (1e6, 1e6 + 3)]
)
def test_the_deviance_near_its_zero(x, mean):
    getcontext().prec = 60
    exact = Decimal(x) * (Decimal(x) / Decimal(mean)).ln() + Decimal(mean) - Decimal(x)
    assert _deviance(x, mean) == pytest.approx(float(exact), rel=1e-12)


@pytest.mark.parametrize("n, p", [(5, 0.3), (40, 0.5), (300, 0.02)])
def test_binomial_probabilities(n, p):
    from scipy.stats import binom

    found = [_log_binomial(x, n, p, 1 - p) for x in range(n + 1)]
    assert found == pytest.approx(binom(n, p).logpmf(np.arange(n + 1)), rel=1e-10, abs=1e-12)


def test_the_curve_of_a_metric_is_the_share_of_rankings_at_most_so_good():
    P, N = 4, 5
    areas = []
    for places in combinations(range(P + N), P):  # the places of the positives, the best first
        won = sum(sum(other > place for other in range(P + N) if other not in places) for place in places)
        areas.append(won / (P * N))
    curve = null_curve("auc", positives=P, negatives=N)
    assert len(curve.scores) == P * N + 1
    for score, share in zip(curve.scores, curve.cdf, strict=True):
        assert share == pytest.approx(np.mean(np.array(areas) <= score + 1e-9), abs=1e-12)
