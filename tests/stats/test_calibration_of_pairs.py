"""Calibration: under the null no test of two algorithms rejects more often than it says.

Null tables are simulated for four kinds of scores; the differences of two algorithms are then symmetric around 0.
All pairs of a kind are tested at once by the kernels behind `all_pairs`, each pair made of its own two columns.
"""

import numpy as np
import pytest
from scipy.stats import t as t_law

import podium
from podium.core.ranks import subtract
from podium.stats import registry

KINDS = ("normal", "heavy-tailed", "tied", "skewed-symmetric")
LEVELS = (0.01, 0.05, 0.1)
SLOW_SIZES = [pytest.param(10_000, n, marks=pytest.mark.slow) for n in (6, 10, 20, 54)]


def null_scores(kind, tables, n, random):
    """Columns (2 * tables, n): rows 2i and 2i + 1 are two equally good algorithms on n datasets."""
    shape = (2 * tables, n)
    if kind == "normal":
        return random.normal(0.8, 0.05, shape)
    if kind == "heavy-tailed":
        return random.standard_t(2, shape)
    if kind == "tied":
        return np.round(random.normal(0.8, 0.02, shape), 2)
    return random.exponential(1.0, shape)  # skewed scores whose differences are symmetric


def rejections(test, columns, **options):
    kernel = registry.load(registry.PAIRWISE[test]).kernel
    return shares(kernel(subtract(columns[0::2], columns[1::2]), **options).pvalue)


def shares(pvalue):
    return {level: (pvalue <= level).mean() for level in LEVELS}


def check(found, tables, what, least=0.3):
    """No level is exceeded; `least` is the share of a level that is used even so: a test that never rejects is not calibrated."""
    for level, share in found.items():
        error = 3 * np.sqrt(level * (1 - level) / tables)
        assert least * level - error <= share <= level + error, (*what, level, share)


TESTS = [
    ("wilcoxon", {}),
    ("wilcoxon", {"zeros": "pratt"}),
    ("wilcoxon", {"zeros": "split"}),
    ("sign", {}),
    ("sign", {"ties": "split"}),
]


def calibrate(tables, sizes, seed):
    for kind in KINDS:
        for n in sizes:
            columns = null_scores(kind, tables, n, np.random.default_rng([seed, n, KINDS.index(kind)]))
            for test, options in TESTS:
                check(rejections(test, columns, **options), tables, (test, options, kind, n), 0.5 if n >= 20 else 0.0)
            # The t test assumes normal differences: it is held to its level there, and may only fall short of it
            # for heavy tails; ties and symmetric differences are near enough to normal at these n.
            check(rejections("paired_t", columns), tables, ("paired_t", kind, n))


def test_short_calibration():
    calibrate(2000, (6, 20), seed=1)


@pytest.mark.slow
def test_full_calibration():
    calibrate(10_000, (6, 10, 20, 54), seed=2)


def permutation_share(tables, n, kind, seed):
    columns = null_scores(kind, tables, n, np.random.default_rng(seed))
    pvalue = np.array([podium.stats.permutation(columns[2 * i], columns[2 * i + 1]).pvalue for i in range(tables)])
    return shares(pvalue)


@pytest.mark.parametrize("kind", KINDS)
def test_permutation_short(kind):
    check(permutation_share(500, 8, kind, 3), 500, ("permutation", kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("n", [6, 10, 20])
def test_permutation_full(kind, n):
    tables = 10_000 if n <= 10 else 2000
    check(permutation_share(tables, n, kind, 4), tables, ("permutation", kind, n))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tables", [200, pytest.param(10_000, marks=pytest.mark.slow)])
def test_permutation_by_random_flips(kind, tables):
    random = np.random.default_rng(9)
    columns = null_scores(kind, tables, 54, random)
    results = [
        podium.stats.permutation(columns[2 * i], columns[2 * i + 1], draws=199, rng=random) for i in range(tables)
    ]
    assert "Monte Carlo" in {
        result.method for result in results
    }  # tied tables with many zeros are small enough for all
    check(shares(np.array([result.pvalue for result in results])), tables, ("permutation", kind, 54))


@pytest.mark.parametrize("tables", [300, pytest.param(10_000, marks=pytest.mark.slow)])
@pytest.mark.parametrize("test", ["t", "wilcoxon"])
@pytest.mark.parametrize("n", [10, 20])
def test_equivalence_at_the_edge_of_the_rope(test, tables, n):
    # The true difference is the rope's edge: showing equivalence is the error, and must be rare.
    d = np.random.default_rng(5).normal(0.5, 1.0, (tables, n))
    pvalue = np.array([podium.stats.equivalence(row, np.zeros(n), rope=0.5, test=test).pvalue for row in d])
    check(shares(pvalue), tables, ("equivalence", test, n))


RATIOS = {  # what the two t tests on ratios are t tests of
    podium.stats.relative_t: lambda x, y: (x - y) / (x + y),
    podium.stats.geometric_ratio: lambda x, y: np.log(x / y),
}


def ratio_rejections(test, kind, tables, n):
    """All tables at once, and the function itself on some of them."""
    columns = null_scores(kind, tables, n, np.random.default_rng([8, n, KINDS.index(kind)]))
    # Positive scores of the same order. (Raw exponential scores have uniform relative differences, far from normal: there
    # `relative_t` rejects 2 % at 0.01 with n = 6.)
    columns = columns if kind == "tied" else np.exp(0.1 * columns)
    d = RATIOS[test](columns[0::2], columns[1::2])
    error = d.std(axis=1, ddof=1) / np.sqrt(n)
    t = np.divide(d.mean(axis=1), error, out=np.zeros(tables), where=error > 0)
    pvalue = 2 * t_law.sf(np.abs(t), n - 1)
    for i in range(40):
        assert test(columns[2 * i], columns[2 * i + 1]).pvalue == pytest.approx(pvalue[i], rel=1e-6)
    return shares(pvalue)


@pytest.mark.parametrize("test", list(RATIOS))
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("tables, n", [(2000, 6), (2000, 20), *SLOW_SIZES])
def test_t_on_ratios(test, kind, tables, n):
    check(ratio_rejections(test, kind, tables, n), tables, (test.__name__, kind, n))


@pytest.mark.parametrize("tables", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_5x2_t_does_not_reject_too_often_on_its_model(tables):
    d = np.random.default_rng(11).normal(size=(tables, 5, 2))
    pvalue = np.array([podium.stats.cv5x2_t(row, np.zeros((5, 2))).pvalue for row in d])
    check(shares(pvalue), tables, ("cv5x2_t",))


def fold_rejections(test, tables, shape, shared, random):
    """Fold differences with a share of variance that all folds have in common, as overlapping training sets make."""
    common = random.normal(size=(tables, 1, 1)) * np.sqrt(shared)
    d = common + random.normal(size=(tables, *shape)) * np.sqrt(1 - shared)
    kernel = registry.load(registry.PAIRWISE[test]).kernel
    return shares(kernel(d.reshape(tables, -1), design=podium.Design(repeats=shape[0], folds=shape[1])).pvalue)


@pytest.mark.parametrize("tables", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_corrected_t_is_right_where_its_correlation_is(tables):
    # Nadeau and Bengio's model: folds correlated by 1/10 in 10 x 10 cross-validation.
    random = np.random.default_rng(6)
    check(fold_rejections("corrected_t", tables, (10, 10), 0.1, random), tables, ("corrected_t",))


@pytest.mark.parametrize("tables", [2000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_5x2_f_does_not_reject_too_often_on_its_model(tables):
    random = np.random.default_rng(7)
    check(fold_rejections("cv5x2_f", tables, (5, 2), 0.0, random), tables, ("cv5x2_f",))
