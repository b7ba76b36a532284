"""The dependence of mean-rank decisions on the pool: Benavoli, Corani, Mangili (2016), Table 1."""

from itertools import combinations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import podium
import results_of
from podium.core.errors import ArgumentError, DataError
from podium.studies.pool import pool_dependence
from refusals import refuses
from said import says_its_numbers, shows_its_numbers


@pytest.fixture(scope="module")
def accuracies():
    """The 54 x 7 table with the order of the last dataset that the printed mean ranks fix (see the data's notes)."""
    return podium.example("benavoli2016_zoo").scores().table().to_frame()


def test_table_1_in_full(accuracies):
    result = pool_dependence(accuracies)
    found = {
        (pair.a, pair.b): {
            pool.size: (pool.significant, pool.total) for pool in pair.pools if pool.depends and pool.size >= 4
        }
        for pair in result.pairs
    }

    assert not result.sampled
    assert {pair: pools for pair, pools in found.items() if pools} == {
        ("C2", "C4"): {4: (7, 10), 5: (9, 10), 6: (3, 5)},
        ("C2", "C7"): {4: (1, 10)},
        ("C3", "C7"): {4: (2, 10)},
        ("C4", "C6"): {4: (9, 10), 5: (5, 10)},
    }
    table = result.tables()["result"]
    assert set(zip(table["a"], table["b"], strict=True)) == {(pair.a, pair.b) for pair in result.affected}
    assert len(result.columns()) == sum(len(pair.pools) for pair in result.pairs)


def test_the_pools_of_example_3_are_on_either_side(accuracies):
    # Section 4.3: {C1, C2, C3, C4} tells C2 and C4 apart, {C1, C2, C4, C5} does not.
    pair = pool_dependence(accuracies, pairs=[("C2", "C4")]).pairs[0]

    assert ("C1", "C3") in pair.makes_differ
    assert ("C1", "C5") in pair.makes_equal
    assert pair.pvalue == pytest.approx(0.0002, abs=5e-5)
    assert {pool.constant_decision for pool in pair.pools} == {True}
    other = pool_dependence(accuracies, pairs=[("C1", "C6")]).pairs[0]  # by p below alpha / m (m - 1) 2
    decided = [other.pvalue <= 0.05 / (pool.size * (pool.size - 1) / 2) for pool in other.pools]
    assert [pool.constant_decision for pool in other.pools] == decided


# Section 4.1, Example 1: two kinds of datasets, ten of each.
EXAMPLE_1 = pd.DataFrame([[50, 80, 55, 60, 65]] * 10 + [[80, 50, 45, 85, 90]] * 10, columns=list("ABCDE"), dtype=float)


def test_the_two_alone_against_all_is_a_dependence_too():
    # Section 4.1: alone A and B do not differ (p = 1), together with C, D and E they do. No two pools of one size disagree.
    result = pool_dependence(EXAMPLE_1)
    pairs = {pair.a + pair.b: pair for pair in result.affected}

    assert set(pairs) == {"AB", "AD", "DE"}
    assert pairs["AB"].makes_differ == (("C", "D", "E"),)
    assert () in pairs["AB"].makes_equal
    assert "3 of 10 pairs" in result.summary()
    remarks = {
        remark.topic: remark.sentence
        for remark in podium.compare(EXAMPLE_1, rows="datasets", metric="accuracy").remarks
    }
    assert "3 of 10 pairs" in remarks["pool dependence"]


def brute_force(values, a, b, size, alpha):
    """Rank every pool again and apply equation 4."""
    others = [x for x in range(values.shape[1]) if x not in (a, b)]
    n, significant, total = len(values), 0, 0
    for chosen in combinations(others, size - 2):
        ranks = stats.rankdata(-values[:, [a, b, *chosen]], axis=1).mean(axis=0)
        critical = stats.norm.ppf(1 - alpha / (size * (size - 1))) * np.sqrt(size * (size + 1) / (6 * n))
        significant += abs(ranks[0] - ranks[1]) >= critical - 1e-12
        total += 1
    return significant, total


@given(st.integers(0, 10_000), st.integers(3, 6), st.integers(4, 15))
def test_every_count_agrees_with_ranking_each_pool_anew(seed, k, n):
    values = np.round(10 * np.random.default_rng(seed).normal(size=(n, k)) + np.linspace(0, 10, k))
    for pair in pool_dependence(values, alpha=0.2).pairs:
        a, b = (int(name.split()[1]) - 1 for name in (pair.a, pair.b))
        for pool in pair.pools:
            assert (pool.significant, pool.total) == brute_force(values, a, b, pool.size, 0.2)


def test_too_many_pools_are_sampled_and_said_so():
    values = np.random.default_rng(0).normal(size=(30, 20)) + np.linspace(0, 1.5, 20)
    sampled = pool_dependence(values, draws=200, pairs=[("algorithm 1", "algorithm 12")])
    again = pool_dependence(values, draws=200, pairs=[("algorithm 1", "algorithm 12")])

    assert sampled.sampled
    assert "sample of pools" in sampled.summary()
    assert sampled.to_dict() == again.to_dict()
    assert [pool.total for pool in sampled.pairs[0].pools] == [1, *[200] * 17, 1]
    assert not pool_dependence(values[:, :18], pairs=[("algorithm 1", "algorithm 12")]).sampled


def test_holes_are_left_out_and_named():
    result = pool_dependence(podium.example("benavoli2016").scores())

    assert result.left_out == ("zoo",)
    assert "1 incomplete dataset" in result.summary()


def test_bad_requests_are_one_sentence():
    with pytest.raises(DataError, match="two datasets"):
        pool_dependence([[1.0, 2.0, 3.0]])
    with pytest.raises(ArgumentError, match="did you mean"):
        pool_dependence(np.ones((5, 3)), pairs=[("algorithm 1", "algoritm 2")])


@pytest.mark.parametrize("pairs", ["x", 5, ["ab"], [("algorithm 1",)], [("algorithm 1", "algorithm 1")]])
def test_pairs_are_a_list_of_pairs_of_names(pairs):
    with refuses(ArgumentError, "pairs"):
        pool_dependence(np.ones((5, 3)), pairs=pairs)


def test_weaker_variants_of_a_new_method_make_it_differ():
    """Benavoli et al. 2016, end of 4.1. The new method wins 10 of 20 by 0.2 and loses 10 by 0.1.

    z = (10 (k + 1) - 10) / 20 / sqrt(m (m + 1) / 120) with m = k + 2: 3.0 for 3 variants and 4.178 for 8.
    """
    two = pd.DataFrame({"new": [0.8] * 10 + [0.7] * 10, "old": [0.6] * 10 + [0.8] * 10})
    adjusted = {}
    for variants in (3, 8):
        table = podium.studies.weaker_variants(two, variants=variants)
        ranks = table.ranks()
        assert (ranks[:10] == [*range(1, variants + 3)]).all()  # new > its variants > old
        assert (ranks[10:] == [*range(2, variants + 3), 1]).all()  # old > new > its variants
        found = podium.stats.mean_ranks(table, correction="bonferroni").to_frame().set_index(["a", "b"])
        adjusted[variants] = found.loc[("new", "old"), "adjusted"]
        assert podium.stats.wilcoxon(*table.select(["new", "old"]).values.T).pvalue == pytest.approx(0.056, abs=5e-4)
    assert adjusted == {3: pytest.approx(0.027, abs=5e-4), 8: pytest.approx(0.0013, abs=5e-5)}


def test_numbers_in_sentences_and_frames_are_those_of_the_result():
    for result in results_of.studies():
        says_its_numbers(result)
        shows_its_numbers(result)
