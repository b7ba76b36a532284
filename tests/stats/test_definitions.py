"""Corrections and tests of ranks by their definitions, written out step by step or by counting all orders."""

import itertools

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from scipy import stats

from podium.core.ranks import rank_rows
from podium.stats import adjust, conover, cv5x2_t, friedman, mean_ranks, nemenyi, quade, rank_sums

# Of m p-values in ascending order, the level that the i-th (from 1) is compared with; and whether one steps down or up.
STEPS = {
    "bonferroni": ("single", lambda i, m, alpha: alpha / m),
    "sidak": ("single", lambda i, m, alpha: 1 - (1 - alpha) ** (1 / m)),
    "holm": ("down", lambda i, m, alpha: alpha / (m - i + 1)),
    "holm_sidak": ("down", lambda i, m, alpha: 1 - (1 - alpha) ** (1 / (m - i + 1))),
    "finner": ("down", lambda i, m, alpha: 1 - (1 - alpha) ** (i / m)),
    "hochberg": ("up", lambda i, m, alpha: alpha / (m - i + 1)),
    "benjamini_hochberg": ("up", lambda i, m, alpha: i * alpha / m),
    "benjamini_yekutieli": ("up", lambda i, m, alpha: i * alpha / m / sum(1 / j for j in range(1, m + 1))),
}


def rejected(method, pvalues, alpha):
    """How many of the ascending p-values a procedure rejects at a level."""
    if method == "li":
        if pvalues[-1] <= alpha:
            return len(pvalues)
        return sum(p <= (1 - pvalues[-1]) / (1 - alpha) * alpha for p in pvalues[:-1])
    kind, level = STEPS[method]
    below = [p <= level(i, len(pvalues), alpha) for i, p in enumerate(pvalues, start=1)]
    if kind == "up":
        return max((i for i, is_below in enumerate(below, start=1) if is_below), default=0)
    return sum(below) if kind == "single" else next((i for i, is_below in enumerate(below) if not is_below), len(below))


@pytest.mark.parametrize("method", [*STEPS, "li"])
@given(st.lists(st.floats(1e-6, 0.999), min_size=1, max_size=8), st.floats(0.001, 0.4))
def test_adjusted_pvalues_reject_where_the_steps_do(method, raw, alpha):
    pvalues = np.sort(raw)
    adjusted = adjust(pvalues, method)
    assume((np.abs(adjusted - alpha) > 1e-9).all())
    assert (adjusted <= alpha).sum() == rejected(method, pvalues, alpha)


def tables(seed, n=6, k=4):
    return np.random.default_rng(seed).uniform(0.5, 1, (n, k)).round(2)


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_tests_of_mean_ranks_by_their_formulas(seed):
    table = tables(seed)
    (n, k), ranks = table.shape, rank_rows(table)
    sums, pairs = ranks.sum(axis=0), list(itertools.combinations(range(table.shape[1]), 2))
    z = np.array([(sums[a] - sums[b]) / n for a, b in pairs]) / np.sqrt(k * (k + 1) / (6 * n))
    assert mean_ranks(table).pvalue == pytest.approx(2 * stats.norm.sf(np.abs(z)))
    expected = np.maximum(stats.studentized_range.sf(np.sqrt(2) * np.abs(z), k, np.inf), 2 * stats.norm.sf(np.abs(z)))
    assert nemenyi(table).adjusted == pytest.approx(expected, abs=1e-6)
    left, df = n * (ranks**2).sum() - (sums**2).sum(), (n - 1) * (k - 1)
    assume(left > 1e-9)
    t = np.array([sums[a] - sums[b] for a, b in pairs]) / np.sqrt(2 * left / df)
    assert conover(table).pvalue == pytest.approx(2 * stats.t.sf(np.abs(t), df), abs=1e-12)


@given(st.integers(0, 10**6))
@settings(max_examples=10)
def test_rank_sums_by_counting_all_orders(seed):
    table = np.random.default_rng(seed).permuted(np.tile([0.1, 0.2, 0.3], (4, 1)), axis=1)
    orders = [np.array(rows) for rows in itertools.product(itertools.permutations((1, 2, 3)), repeat=4)]
    differences = np.array([np.abs(rows[:, 0].sum() - rows[:, 1].sum()) for rows in orders])
    sums = rank_rows(table).sum(axis=0)
    for pvalue, (a, b) in zip(rank_sums(table).pvalue, itertools.combinations(range(3), 2), strict=True):
        assert pvalue == pytest.approx((differences >= abs(sums[a] - sums[b]) - 1e-9).mean())


@given(st.integers(0, 10**6))
@settings(max_examples=20)
def test_iman_davenport_and_quade_by_their_formulas(seed):
    table = np.random.default_rng(seed).uniform(size=(7, 4))
    (n, k), ranks = table.shape, rank_rows(table)
    chi = 12 * n / (k * (k + 1)) * ((ranks.mean(axis=0) - (k + 1) / 2) ** 2).sum()
    f = (n - 1) * chi / (n * (k - 1) - chi)
    assert friedman(table, variant="iman_davenport").statistic == pytest.approx(f)
    weights = stats.rankdata(np.ptp(table, axis=1))
    scores = weights[:, None] * (ranks - (k + 1) / 2)
    between, total = (scores.sum(axis=0) ** 2).sum() / n, (scores**2).sum()
    assert quade(table).statistic == pytest.approx((n - 1) * between / (total - between))


@given(st.integers(0, 10**6))
def test_cv52_t_by_its_formula(seed):
    differences = np.random.default_rng(seed).normal(size=(5, 2))
    variances = differences.var(axis=1, ddof=1)
    t = differences[0, 0] / np.sqrt(variances.mean())
    found = cv5x2_t(differences, np.zeros((5, 2)))
    assert (found.statistic, found.pvalue) == pytest.approx((t, 2 * stats.t.sf(abs(t), 5)))
    ends = stats.t.interval(0.95, 5, differences[0, 0], np.sqrt(variances.mean()))
    assert (found.low, found.high) == pytest.approx(ends)
