"""One diverged score or dataset, or one huge scale, makes no ties among the others."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest
from scipy.stats import rankdata

import podium
from podium.evidence.design import Design
from podium.stats import aligned_ranks, all_pairs, friedman, permutation, quade, wilcoxon
from podium.stats.effects import hodges_lehmann
from podium.stats.pairwise.corrected_t import corrected_t

X = np.array([0.91, 0.85, 0.78, 0.96, 0.70, 0.66, 1e16])
Y = np.array([0.90, 0.81, 0.75, 0.90, 0.68, 0.67, 3e16])


def test_friedman_sees_the_order_beside_a_diverged_algorithm():
    plain = [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.3, 0.2, 0.1], [0.7, 0.8, 0.9]]
    diverged = [[*row, 1e13] for row in plain]
    assert friedman(diverged).mean_ranks[:3].tolist() == [1 + rank for rank in friedman(plain).mean_ranks.tolist()]


def test_wilcoxon_beside_a_diverged_dataset():
    ranks = rankdata(np.round(np.abs(X - Y), 12))
    assert wilcoxon(X, Y).statistic == ranks[X > Y].sum()


def test_the_permutation_test_counts_small_differences_beside_a_huge_one():
    x, y = np.array([0.1, 0.2, 0.3, 1e16]), np.zeros(4)
    sums = [sum(s * int(d * 10) for s, d in zip(signs, x, strict=True)) for signs in product([-1, 1], repeat=4)]
    expected = np.mean([abs(total) >= sum(int(d * 10) for d in x) for total in sums])
    assert permutation(x, y).pvalue == expected == 2 / 16


def test_random_flips_beside_a_huge_difference():
    rng = np.random.default_rng(3)
    x = rng.normal(0, 1, 60)
    alone = permutation(x, np.zeros(60), rng=1, draws=2000)
    beside = permutation([*x, 1e16, -1e16], np.zeros(62), rng=1, draws=2000)
    assert alone.method.startswith("Monte Carlo")
    assert 0 < beside.pvalue <= 1  # half of the flips of the two huge ones cancel; the small ones then decide
    assert beside.pvalue == pytest.approx(0.5 + 0.5 * alone.pvalue, abs=0.05)


def test_the_median_of_walsh_averages_beside_a_huge_difference():
    d = X - Y
    sums = np.sort([(d[i] + d[j]) / 2 for i in range(7) for j in range(i, 7)])
    found = hodges_lehmann(X, Y)
    assert found.estimate == pytest.approx((sums[13] + sums[14]) / 2, rel=1e-9)
    assert found.estimate > 0


def test_aligned_ranks_and_quade_beside_a_diverged_algorithm():
    rng = np.random.default_rng(1)
    plain = rng.integers(1, 9, (8, 3)) / 10
    diverged = np.column_stack([plain, np.full(8, -1e16)])
    ranks = aligned_ranks(diverged).mean_ranks
    assert len(set(ranks.tolist())) == 4  # no longer all tied
    assert quade(diverged).mean_ranks[3] == 4


def test_aligned_ranks_keep_an_order_that_floats_cannot():
    table = np.array([[0.1, 0.2, 0.3, -1e16], [0.5, 0.4, 0.3, 0.2]])
    exact = [[Fraction(str(v)) - sum(Fraction(str(w)) for w in row) / 4 for v in row] for row in table.tolist()]
    order = rankdata([[-float(v) for v in row] for row in exact])  # floats tie the first three
    assert order[0] == order[1] == order[2] == 2.0
    assert (aligned_ranks(table).mean_ranks * 2).tolist() == [3 + 4, 2 + 5, 1 + 6, 8 + 7]


def test_all_pairs_are_what_each_pair_is_alone():
    rng = np.random.default_rng(5)
    table = rng.integers(1, 31, (25, 6)) / 30  # thirtieths: differences tie across datasets, with noise
    table[3] *= 1e13
    found = all_pairs(table)
    for place, (a, b) in enumerate(combinations(range(6), 2)):
        alone = wilcoxon(table[:, a], table[:, b])
        whole = np.rint(table[:, [a, b]] * 30)
        sizes = np.abs(whole[:, 0] - whole[:, 1])
        positive = (whole[:, 0] > whole[:, 1]) & (sizes > 0)
        assert alone.statistic == rankdata(np.where(sizes > 0, sizes, np.nan), nan_policy="omit")[positive].sum()
        assert (found.statistic[place], found.pvalue[place]) == (alone.statistic, alone.pvalue)


def test_folds_that_differ_keep_their_difference_beside_a_diverged_fold():
    x = np.array([[0.1, 0.2], [0.3, 1e16]])
    y = np.array([[0.2, 0.1], [0.3, 1e16]])
    result = corrected_t(x, y)
    assert (result.wins, result.ties, result.losses) == (1, 2, 1)


def test_bayesian_signed_rank_beside_a_huge_dataset():
    result = podium.bayes.signed_rank([*X[:6], 1e16], [*Y[:6], 1e16], rope=0.0, rng=1, draws=2000)
    plain = podium.bayes.signed_rank([*X[:6], 0.5], [*Y[:6], 0.5], rope=0.0, rng=1, draws=2000)
    assert result.p_right == plain.p_right


def test_a_dataset_of_huge_gains_does_not_flatten_the_others():
    from podium.bayes.hierarchical_data import gain_folds

    rng = np.random.default_rng(2)
    x, y = rng.random((3, 10)), rng.random((3, 10))
    x[2], y[2] = x[2] * 1e14, y[2] * 1e14
    assert gain_folds(x, y, Design(repeats=1, folds=10), None, 0.01).flat == ()
