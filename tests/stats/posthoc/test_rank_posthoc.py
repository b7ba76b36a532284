"""Rank-based tests of pairs: Nemenyi, mean ranks, Bonferroni-Dunn, exact rank sums, Conover, critical differences."""

import itertools
import math

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.special import ndtr

from podium.core import rank_rows
from podium.core.errors import ArgumentError, DataError
from podium.stats import (
    adjust,
    bonferroni_dunn,
    conover,
    critical_difference,
    friedman,
    groups,
    mean_ranks,
    nemenyi,
    rank_sums,
)
from podium.stats.exact.studentized_range import range_tail
from podium.stats.posthoc.critical_difference import critical_value
from podium.stats.posthoc.rank_tests import bonferroni_dunn_kernel, mean_rank_z
from podium.stats.posthoc.rank_tests import nemenyi_kernel as kernel
from reference import eisinga2017, published
from refusals import refuses

ALL_PAIRS = [nemenyi, mean_ranks, rank_sums, conover]


def demsar():
    return pd.DataFrame(-published.DEMSAR_RANKS, columns=list(published.DEMSAR_NAMES))


def garcia_herrera():
    return pd.DataFrame(published.GARCIA_HERRERA, columns=list(published.GARCIA_HERRERA_NAMES))


def significant(result, alpha):
    frame = result.to_frame()
    return {frozenset(pair) for pair in frame.loc[frame.adjusted <= alpha, ["a", "b"]].itertuples(index=False)}


@pytest.mark.parametrize(
    "test, alpha, printed, tolerance",
    [
        # Demsar 2006, table 5(a), k = 2..10; some printed values are off by 0.001.
        ("nemenyi", 0.05, [1.960, 2.343, 2.569, 2.728, 2.850, 2.949, 3.031, 3.102, 3.164], 0.0011),
        ("nemenyi", 0.10, [1.645, 2.052, 2.291, 2.459, 2.589, 2.693, 2.780, 2.855, 2.920], 0.0011),
        # Demsar 2006, table 5(b); 2.724 printed for k = 9 is a misprint of 2.734.
        ("bonferroni_dunn", 0.05, [1.960, 2.241, 2.394, 2.498, 2.576, 2.638, 2.690, 2.734, 2.773], 0.0006),
        ("bonferroni_dunn", 0.10, [1.645, 1.960, 2.128, 2.241, 2.326, 2.394, 2.450, 2.498, 2.539], 0.0006),
    ],
)
def test_table_5_of_demsar_2006(test, alpha, printed, tolerance):
    np.testing.assert_allclose([critical_value(k, alpha, test=test) for k in range(2, 11)], printed, atol=tolerance)


def test_critical_differences_of_demsar_2006():
    assert critical_difference(4, 14) == pytest.approx(1.25, abs=0.005)
    assert critical_difference(4, 14, 0.10) == pytest.approx(1.12, abs=0.005)
    assert critical_difference(4, 14, test="bonferroni_dunn") == pytest.approx(1.1681, abs=5e-5)  # 1.16 in the paper
    # R: qtukey(.95, 5, Inf) / sqrt(2) * sqrt(5 * 6 / (6 * 30)).
    assert critical_difference(5, 30) == pytest.approx(1.1136092236789705, abs=1e-6)


def test_decisions_of_demsar_2006():
    # Section 3.2.2: Nemenyi tells nothing apart at 0.05, and C4.5 from the two with m at 0.10 (figure 1a);
    # Bonferroni-Dunn: only C4.5+m+cf; Holm, Hochberg and Hommel also C4.5+m. z = 2.416, 2.342, 0.512; p = 0.016, ...
    assert significant(nemenyi(demsar()), 0.05) == set()
    assert significant(nemenyi(demsar()), 0.10) == {frozenset({"C4.5", "C4.5+m"}), frozenset({"C4.5", "C4.5+m+cf"})}
    control = bonferroni_dunn(demsar(), "C4.5")
    frame = control.to_frame().set_index("a")
    z = -frame.statistic[["C4.5+m+cf", "C4.5+m", "C4.5+cf"]]  # Demsar subtracts the other from the control
    np.testing.assert_allclose(z, [2.416, 2.342, 0.512], atol=0.0011)
    np.testing.assert_allclose(frame.pvalue[["C4.5+m+cf", "C4.5+m", "C4.5+cf"]], [0.016, 0.019, 0.607], atol=0.0015)
    assert significant(control, 0.05) == {frozenset({"C4.5", "C4.5+m+cf"})}
    for correction in ("holm", "hochberg", "hommel"):
        stepwise = bonferroni_dunn(demsar(), "C4.5", correction=correction)
        assert significant(stepwise, 0.05) == {frozenset({"C4.5", "C4.5+m+cf"}), frozenset({"C4.5", "C4.5+m"})}


def test_adjusted_pvalues_of_demsar_2006():
    # R 4.2, p.adjust of the three p-values against C4.5 (the paper prints decisions only): C4.5+m+cf, C4.5+m, C4.5+cf.
    expected = {
        "none": [0.01571998, 0.019172485, 0.6084078],
        "bonferroni": [0.04715994, 0.05751745, 1],
        "holm": [0.04715994, 0.04715994, 0.6084078],
        "hochberg": [0.03834497, 0.03834497, 0.6084078],
        "hommel": [0.03143996, 0.03834497, 0.6084078],
    }
    for correction, adjusted in expected.items():
        frame = bonferroni_dunn(demsar(), "C4.5", correction=correction).to_frame().set_index("a")
        found = frame.adjusted[["C4.5+m+cf", "C4.5+m", "C4.5+cf"]]
        np.testing.assert_allclose(found, adjusted, rtol=0, atol=5e-9)
        # Demsar 2006, p. 13: SE = sqrt(4 * 5 / (6 * 14)) = 0.488.
        found = bonferroni_dunn(demsar(), "C4.5", correction=correction)
        apart = found.mean_ranks[found.first] - found.mean_ranks[found.second]
        np.testing.assert_allclose(apart / found.statistic, 0.488, atol=5e-4)
        np.testing.assert_allclose(apart / found.statistic, 0.4879500364742666, rtol=1e-12)
    tested = bonferroni_dunn_kernel(demsar().to_numpy()[None], control=list(published.DEMSAR_NAMES).index("C4.5"))
    np.testing.assert_allclose(np.sort(tested.adjusted[0]), expected["bonferroni"], rtol=0, atol=5e-9)


GH_ORDER = [(0, 3), (2, 3), (3, 4), (0, 1), (1, 3), (1, 2), (0, 4), (2, 4), (1, 4), (0, 2)]
# Garcia and Herrera 2008 as quoted by the unit tests of STAC: adjusted p-values, smallest raw p first.
GH_ADJUSTED = {
    "bonferroni": [0.0, 0.0, 0.029, 0.048, 0.08, 0.101, 0.127, 0.247, 1.0, 1.0],
    "holm": [0.0, 0.0, 0.023, 0.034, 0.048, 0.051, 0.051, 0.074, 1.0, 1.0],
    "hochberg": [0.0, 0.0, 0.023, 0.034, 0.048, 0.051, 0.051, 0.074, 0.806, 0.806],
    "finner": [0.0, 0.0, 0.01, 0.012, 0.016, 0.017, 0.018, 0.031, 0.781, 0.806],
    "shaffer": [0.0, 0.0, 0.017, 0.029, 0.048, 0.048, 0.051, 0.074, 1.0, 1.0],
}
# The same from the ranks as they are, recomputed from the definitions, and Bergmann-Hommel's, which STAC does not have.
GH_TAIL = [0.047780935239300035, 0.050561669606667345, 0.051052030130564946, 0.07423401613919685]
GH_HOLM = [4.4869910705652974e-07, 1.5625062230934041e-06, 0.02304387735221678, 0.033941339051752596, *GH_TAIL]
GH_RECOMPUTED = {
    "bonferroni": [
        4.4869910705652974e-07, 1.736118025659338e-06, 0.028804846690270974, 0.048487627216789425, 0.07963489206550005,
        0.10112333921333469, 0.12763007532641235, 0.2474467204639895, 1, 1,
    ],
    "holm": [*GH_HOLM, 1, 1],
    "hochberg": [*GH_HOLM, 0.80649594050734, 0.80649594050734],
    "finner": [
        4.48699016164511e-07, 8.680587115783567e-07, 0.009569390004532718, 0.012077860262460494, 0.01586356125275712,
        0.016797015099852874, 0.018182880445352545, 0.030834570034481312, 0.7799392392397695, 0.80649594050734,
    ],
    "shaffer": [
        4.4869910705652974e-07, 1.0416708153956027e-06, 0.017282908014162587, 0.029092576330073658,
        0.047780935239300035, 0.047780935239300035, 0.051052030130564946, 0.07423401613919685, 1, 1,
    ],
    "bergmann_hommel": [
        4.4869910705652974e-07, 1.0416708153956027e-06, 0.01152193867610839, 0.029092576330073658,
        0.03185395682620002, 0.030337001764000407, 0.03828902259792371, 0.03828902259792371, 1, 1,
    ],
}  # fmt: skip
# Rejections at 0.05 by the same tests of STAC; Bergmann-Hommel's by edgar-gip/hyp-test (BH.pm).
GH_REJECTED = {"bonferroni": 4, "holm": 5, "hochberg": 5, "finner": 8, "shaffer": 6, "bergmann_hommel": 8}


def test_garcia_and_herrera_2008():
    raw = mean_ranks(garcia_herrera(), correction="none")
    order = [list(zip(raw.first, raw.second, strict=True)).index(pair) for pair in GH_ORDER]
    # scmamp's friedmanPost: raw p-values.
    np.testing.assert_allclose(
        raw.pvalue[order],
        [4.486991e-08, 1.736118e-07, 0.002880485, 0.004848763, 0.007963489, 0.01011233, 0.01276301, 0.02474467, 0.7439715, 0.8064959],
        rtol=1e-6,
    )  # fmt: skip
    # STAC: z from ranks rounded to three digits.
    z = np.abs(mean_rank_z([2.1, 3.25, 2.2, 4.333, 3.117], 30))[order]
    np.testing.assert_allclose(z, [5.47, 5.225, 2.979, 2.817, 2.653, 2.572, 2.491, 2.246, 0.326, 0.245], atol=6e-4)
    # All printed digits follow from those ranks; from the ranks as they are, 0.127 and 0.781 would be 0.128 and 0.780.
    from_rounded = np.empty(10)
    from_rounded[order] = 2 * ndtr(-z)
    for correction, printed in GH_ADJUSTED.items():
        np.testing.assert_allclose(adjust(from_rounded, correction)[order], printed, rtol=0, atol=5e-4)
    for correction, expected in GH_RECOMPUTED.items():
        found = mean_ranks(garcia_herrera(), correction=correction).adjusted[order]
        np.testing.assert_allclose(found, expected, rtol=1e-8)
        assert (found <= 0.05).sum() == GH_REJECTED[correction]
    # Bergmann-Hommel rejects 8 of 10 at 0.05; C4.5 = naive Bayes and 1NN = CN2 are retained.
    exact = mean_ranks(garcia_herrera(), correction="bergmann_hommel")
    assert [GH_ORDER[i] for i, p in enumerate(exact.adjusted[order]) if p > 0.05] == [(1, 4), (0, 2)]
    # By critical difference (scmamp): C4.5-1NN, C4.5-Kernel, naive Bayes-Kernel, Kernel-CN2.
    expected = {("C4.5", "1NN"), ("C4.5", "Kernel"), ("NaiveBayes", "Kernel"), ("Kernel", "CN2")}
    assert significant(nemenyi(garcia_herrera()), 0.05) == {frozenset(pair) for pair in expected}


def three_pvalues(table):
    """Exact, normal and Nemenyi's p-values of all pairs, a row each."""
    exact, normal = rank_sums(table, correction="none"), mean_ranks(table, correction="none")
    assert exact.method == "exact"
    return np.column_stack([exact.pvalue, normal.pvalue, nemenyi(table).adjusted])


def test_all_pairs_of_eisinga_2017():
    table = pd.DataFrame(-published.QPCR, columns=eisinga2017.QPCR_NAMES)
    np.testing.assert_allclose(4 * friedman(table).mean_ranks, eisinga2017.QPCR_SUMS)
    differences = [b - a for a, b in itertools.combinations(eisinga2017.QPCR_SUMS, 2)]
    assert len(differences) == 55
    np.testing.assert_allclose(np.abs(rank_sums(table).statistic), differences)
    expected = np.array([eisinga2017.QPCR_LAW[d] for d in differences])
    found = three_pvalues(table)
    np.testing.assert_allclose(found[:, :2], expected[:, :2], rtol=1e-10)
    np.testing.assert_allclose(found[:, 2], expected[:, 2], rtol=0, atol=1e-8)


def test_all_pairs_of_sachs_1997():
    # PMCMRplus frdAllPairsExactTest on the diuretics, ten digits.
    np.testing.assert_allclose(np.abs(rank_sums(-published.SACHS).statistic), eisinga2017.SACHS_DIFFERENCES)
    expected = [eisinga2017.SACHS_LAW[d] for d in eisinga2017.SACHS_DIFFERENCES]
    np.testing.assert_allclose(three_pvalues(-published.SACHS), expected, rtol=1e-9)


def test_conover_agrees_with_scikit_posthocs():
    # scikit-posthocs 0.17.1, posthoc_conover_friedman on the Garcia and Herrera table.
    result = conover(garcia_herrera(), correction="none")
    frame = result.to_frame().set_index(["a", "b"])
    assert frame.pvalue[("C4.5", "1NN")] == pytest.approx(9.200284e-04, rel=1e-6)
    assert frame.pvalue[("C4.5", "Kernel")] == pytest.approx(1.252817e-09, rel=1e-6)
    assert frame.pvalue[("NaiveBayes", "Kernel")] == pytest.approx(5.270056e-09, rel=1e-6)
    assert frame.pvalue[("Kernel", "CN2")] == pytest.approx(4.715036e-04, rel=1e-6)


def test_examples_of_benavoli_2016():
    # Example 1: z* = 2.807, a difference of 1.5 against 1.4.
    assert critical_value(5, test="mean_ranks") == pytest.approx(2.807, abs=5e-4)
    assert critical_difference(5, 20, test="mean_ranks") == pytest.approx(1.4, abs=0.005)
    result = mean_ranks(published.BENAVOLI_EXAMPLE_1, correction="bonferroni")
    assert abs(result.mean_ranks[0] - result.mean_ranks[1]) == 1.5
    assert result.adjusted[0] < 0.05
    alone = mean_ranks(published.BENAVOLI_EXAMPLE_1[:, :2])
    assert alone.pvalue[0] == 1


def benavoli_table():
    """Table 2 of Benavoli et al. 2016; the row zoo is lost in print, its order follows from the printed mean ranks."""
    from podium.reading import example_frame

    frame = example_frame("benavoli2016/accuracies").set_index("dataset")
    frame.loc["zoo"] = [92.0, 97.0, 95.09, 93.0, 92.0, 96.0, 95.09]  # C2 > C6 > C3 = C7 > C4 > C1 = C5
    return frame


def test_example_3_of_benavoli_2016():
    table = benavoli_table()
    assert len(table) == 54
    assert critical_value(4, test="mean_ranks") == pytest.approx(2.64, abs=0.005)
    for pool, ranks, z in (
        (["C1", "C2", "C3", "C4"], [2.518, 2.676, 2.888, 1.917], 3.06),
        (["C1", "C2", "C4", "C5"], [2.528, 2.713, 2.102, 2.657], 2.46),
    ):
        result = mean_ranks(table[pool])
        np.testing.assert_allclose(5 - result.mean_ranks, ranks, atol=0.001)
        found = result.to_frame().set_index(["a", "b"]).statistic[("C2", "C4")]
        assert abs(found) == pytest.approx(z, abs=0.005)


def test_table_1_of_benavoli_2016():
    """How often two algorithms are told apart, over all pools of two, three and four others."""
    table = benavoli_table()
    depends = {}
    for pair in itertools.combinations(table.columns, 2):
        others = [name for name in table.columns if name not in pair]
        row = []
        for size in (2, 3, 4):
            pools = [[*pair, *pool] for pool in itertools.combinations(others, size)]
            apart = [told_apart(table[pool].to_numpy()) for pool in pools]
            row.append("-" if len(set(apart)) == 1 else f"{sum(apart)}/{len(apart)}")
        if row != ["-"] * 3:
            depends[pair] = row
    assert depends == {
        ("C2", "C4"): ["7/10", "9/10", "3/5"],
        ("C2", "C7"): ["1/10", "-", "-"],
        ("C3", "C7"): ["2/10", "-", "-"],
        ("C4", "C6"): ["9/10", "5/10", "-"],
    }


def told_apart(values):
    means = rank_rows(values).mean(axis=0)
    return bool(abs(means[0] - means[1]) >= critical_difference(values.shape[1], len(values), test="mean_ranks"))


def test_table_42_of_ulas_2008():
    # Table 4.2: (a) average ranks, (c) Nemenyi's decisions at 0.05; the ranks are those of table A.11.
    from podium.reading import example_frame

    frame = example_frame("ulas2008/ranks_accuracy").set_index("dataset")
    result = nemenyi(-frame)
    assert list(frame.columns) == ["c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn"]
    np.testing.assert_allclose(result.mean_ranks, [5.37, 5.45, 4.57, 4.87, 3.05, 5.07, 2.45, 5.18], atol=0.0051)
    svl, svr = [1, 1, 0, 1, 0, 1, 0, 1], [1, 1, 1, 1, 0, 1, 0, 1]
    decisions = (result.matrix("adjusted") <= 0.05).astype(int)
    assert decisions[4].tolist() == svl
    assert decisions[6].tolist() == svr
    assert decisions.sum() == 2 * (sum(svl) + sum(svr))
    assert groups(result).groups == (("svr", "svl"), ("svl", "mlp"), ("mlp", "lnp", "sv2", "5nn", "c45", "mdt"))


def test_nemenyi_of_many_tables_at_once():
    values = np.random.default_rng(0).random((20, 6))
    many = kernel(np.stack([values, values[:, ::-1]])).adjusted
    assert many.shape == (2, 15)
    np.testing.assert_allclose(np.sort(many[0]), np.sort(many[1]), rtol=1e-12)


def test_a_thousand_algorithms():
    result = nemenyi(np.random.default_rng(0).random((20, 1000)))
    assert result.adjusted.size == 499_500
    few = np.arange(0, 499_500, 50_000)
    direct = range_tail(np.sqrt(2) * np.abs(mean_rank_z(result.mean_ranks, 20)[few]), 1000)
    np.testing.assert_allclose(result.adjusted[few], direct, rtol=1e-9)


@given(st.integers(0, 10_000), st.sampled_from(ALL_PAIRS))
def test_order_transforms_and_bounds(seed, test):
    rng = np.random.default_rng(seed)
    values = rng.integers(0, 8, (6, 4)).astype(float)
    result = test(values)
    assert (result.adjusted >= result.pvalue).all()
    assert (result.adjusted <= 1).all()
    order = rng.permutation(4)
    moved = test(np.exp(values[rng.permutation(6)][:, order]))
    square, expected = moved.matrix("adjusted"), result.matrix("adjusted")[np.ix_(order, order)]
    np.testing.assert_allclose(square, expected, rtol=1e-9, atol=1e-15)


@pytest.mark.parametrize("test", ALL_PAIRS)
def test_all_ties_and_equal_columns_give_one(test):
    assert (test(np.ones((5, 3))).adjusted == 1).all()
    values = np.random.default_rng(0).random((8, 3))
    values[:, 1] = values[:, 0]
    assert test(values).pvalue[0] == 1


def test_conover_with_perfect_agreement():
    result = conover(np.tile([3.0, 2.0, 1.0], (4, 1)))
    np.testing.assert_allclose(result.pvalue, math.factorial(3) ** -3)  # the chance that all four agree
    assert np.isinf(result.statistic).all()


@pytest.mark.parametrize("test", ALL_PAIRS)
def test_bad_tables(test):
    with pytest.raises(DataError, match="at least 2 algorithms"):
        test([[1.0], [2.0]])
    with pytest.raises(DataError, match="At least 2 complete datasets"):
        test([[1.0, 2.0]])
    result = test([[1.0, 2.0, 3.0], [2.0, 1.0, np.nan], [1.0, 3.0, 2.0], [1.0, 2.0, 3.0]])
    assert result.dropped == ("dataset 2",)
    assert list(result.to_frame().columns[:5]) == ["a", "b", "statistic", "pvalue", "adjusted"]
    assert "Benavoli" in result.summary()


def test_bad_arguments():
    with pytest.raises(ArgumentError, match=r"did you mean 'C4\.5'"):
        bonferroni_dunn(demsar(), "C4.6")
    assert np.isnan(bonferroni_dunn(demsar(), "C4.5").matrix("adjusted")[1, 2])
    for call in (
        lambda: critical_difference(1, 5),
        lambda: critical_difference(3, 0),
        lambda: critical_difference(3, 5, 0),
    ):
        with pytest.raises(ArgumentError):
            call()


@pytest.mark.parametrize("test", [nemenyi, mean_ranks, rank_sums, conover])
@pytest.mark.parametrize("confidence", [95, 1.5, 0, None])
def test_a_confidence_that_is_none_is_refused(test, confidence):
    with refuses(ArgumentError, "confidence"):
        test(np.arange(12.0).reshape(4, 3), confidence=confidence)
