"""Kernels of many tables at once, the tables of all pairs, and their diagonal."""

import numpy as np
import pytest
from scipy.stats import norm

import podium
from podium.stats import registry
from podium.stats.omnibus import skillings_mack
from podium.stats.posthoc.rank_tests import bonferroni_dunn_kernel

RNG = np.random.default_rng(7)


def test_bonferroni_dunn_multiplies_by_the_algorithms_less_the_control():
    tables = RNG.normal(size=(3, 10, 4)) + np.array([0, 0.4, 0.8, 1.2])
    found = bonferroni_dunn_kernel(tables, control=1)
    for table, pvalues, adjusted in zip(tables, found.pvalue, found.adjusted, strict=True):
        ranks = (-table).argsort(axis=1).argsort(axis=1).mean(axis=0) + 1
        z = np.abs(ranks - ranks[1])[[0, 2, 3]] / np.sqrt(4 * 5 / (6 * 10))
        assert np.sort(pvalues) == pytest.approx(np.sort(2 * norm.sf(z)), rel=1e-9)
        assert adjusted == pytest.approx(np.minimum(3 * pvalues, 1), rel=1e-12)


@pytest.mark.parametrize("name", [name for name, test in registry.PAIRWISE.items() if test.over == "pool"])
def test_a_kernel_corrects_itself_where_its_entry_says_so(name):
    # Otherwise its own correction is ignored, and Holm's is named and used.
    method = registry.PAIRWISE[name]
    found = registry.kernel(method)(RNG.normal(size=(8, 3)), control=0 if method.needs_control else None)
    assert (found.adjusted is not None) == bool(method.correction)


def test_many_tables_with_holes_are_tested_one_by_one():
    tables = RNG.normal(size=(2, 3, 8, 4))
    tables[..., 0, 0] = tables[..., 3, 2] = np.nan
    found = skillings_mack.kernel(tables)
    assert found.statistic.shape == found.pvalue.shape == (2, 3)
    for i in range(2):
        for j in range(3):
            alone = podium.stats.skillings_mack(tables[i, j])
            assert found.statistic[i, j] == pytest.approx(alone.statistic)
            assert found.pvalue[i, j] == pytest.approx(alone.pvalue)


def test_nobody_beats_itself_in_a_matrix_of_pairs():
    pairs = podium.stats.all_pairs(podium.example("benavoli2016").scores().table(), test="wilcoxon")
    for column, expected in {
        "pvalue": 1.0,
        "adjusted": 1.0,
        "wins": 0.0,
        "ties": 0.0,
        "losses": 0.0,
        "side": 0.0,
    }.items():
        assert np.diag(pairs.matrix(column)).tolist() == [expected] * len(pairs.algorithms), column
    assert np.diag(pairs.matrix("effect")).tolist() == [0.0] * len(pairs.algorithms)
    assert (pairs.matrix("wins") == pairs.matrix("losses").T).all()
