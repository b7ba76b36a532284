"""The exact Friedman law against enumeration of all orders."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from podium.core.ranks import rank_rows
from podium.stats.exact.friedman import affordable, exact_pvalue, perfect_agreement_pvalue

pytestmark = pytest.mark.kernel


def by_enumeration(ranks):
    """The share of all orders of all rows with at least this sum of squared rank sums."""
    rows = [list(itertools.permutations(row)) for row in ranks]
    observed = (ranks.sum(axis=0) ** 2).sum()
    sums = [(np.sum(orders, axis=0) ** 2).sum() for orders in itertools.product(*rows)]
    return np.mean(np.array(sums) >= observed - 1e-9)


@pytest.mark.parametrize("n, k", [(2, 2), (5, 2), (2, 3), (3, 3), (4, 3), (2, 4), (3, 4)])
def test_no_ties(n, k):
    rng = np.random.default_rng(n * k)
    for _ in range(3):
        ranks = rank_rows(rng.random((n, k)))
        assert exact_pvalue(ranks) == pytest.approx(by_enumeration(ranks), rel=1e-12)


@pytest.mark.parametrize("n, k", [(5, 2), (4, 3), (5, 3), (3, 4)])
def test_ties(n, k):
    rng = np.random.default_rng(n * k)
    for _ in range(4):
        ranks = rank_rows(rng.integers(0, 3, (n, k)).astype(float))
        assert exact_pvalue(ranks) == pytest.approx(by_enumeration(ranks), rel=1e-12)


def test_values_of_published_tables():
    # Friedman 1937 and Hollander and Wolfe 1999, table A.22: P(S >= x) for k = 3: n = 4, chi2 >= 6.5: 0.042 (0.0417);
    # n = 5, chi2 >= 6.4: 0.039; for k = 4, n = 3, chi2 >= 7.4: 0.033..
    law = {
        (0.0417, 5e-5): [[1, 2, 3], [1, 2, 3], [1, 2, 3], [1, 3, 2]],
        (0.039, 5e-4): [[1, 2, 3], [1, 2, 3], [1, 2, 3], [2, 1, 3], [1, 3, 2]],
        (0.033, 5e-4): [[1, 2, 3, 4], [1, 2, 3, 4], [2, 1, 4, 3]],
    }
    for (printed, tolerance), ranks in law.items():
        assert exact_pvalue(np.array(ranks, dtype=float)) == pytest.approx(printed, abs=tolerance)


def test_perfect_agreement_has_the_smallest_pvalue():
    ranks = np.tile(np.arange(1.0, 5), (5, 1))
    assert exact_pvalue(ranks) == pytest.approx(math.factorial(4) ** -4, rel=1e-12)
    assert perfect_agreement_pvalue(ranks) == pytest.approx(math.factorial(4) ** -4, rel=1e-12)


def test_datasets_where_all_tie_do_not_matter():
    ranks = rank_rows(np.random.default_rng(1).random((5, 3)))
    assert exact_pvalue(np.vstack([ranks, [2, 2, 2]])) == exact_pvalue(ranks)
    assert exact_pvalue(np.full((4, 3), 2.0)) == 1.0


@given(st.integers(2, 6), st.integers(2, 4), st.integers(0, 10_000))
def test_pvalues_are_probabilities_and_do_not_depend_on_the_order_of_columns(n, k, seed):
    rng = np.random.default_rng(seed)
    ranks = rank_rows(rng.integers(0, 5, (n, k)).astype(float))
    pvalue = exact_pvalue(ranks)
    assert 0 < pvalue <= 1
    assert exact_pvalue(ranks[:, rng.permutation(k)]) == pvalue
    assert exact_pvalue(ranks[rng.permutation(n)]) == pvalue


def test_what_is_affordable():
    rng = np.random.default_rng(2)
    for n, k in ((6, 6), (10, 5), (20, 4), (54, 3), (200, 2)):
        assert affordable(rank_rows(rng.random((n, k))))
    for n, k in ((54, 7), (6, 10), (200, 1000)):
        assert not affordable(rank_rows(rng.random((n, k))))
