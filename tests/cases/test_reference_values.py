"""Reference values of the tests on cases, each computed by two independent routes (closed form, enumeration, quadrature,
deletion one by one, scipy or scikit-learn) that agreed to 2e-6 or better."""

from pathlib import Path

import numpy as np
import pytest
from scipy.special import ndtr

from podium.cases import all_pairs, binary, clusters, influence, samples
from podium.cases._drops import Drops, cases_to_overturn
from podium.cases.anytime import confidence_sequence, e_value
from podium.cases.family import flip_family
from podium.cases.pair_kernels import count_pairs, delong_pairs
from podium.core.pairs import pair_indices

Z = binary.normal_quantile(0.95)
TRUTH = np.array([1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 0, 1])
ONE = np.array([0.9, 0.4, 0.7, 0.6, 0.5, 0.2, 0.8, 0.6, 0.3, 0.1, 0.55, 0.65])
TWO = np.array([0.7, 0.5, 0.6, 0.2, 0.5, 0.3, 0.9, 0.4, 0.4, 0.2, 0.6, 0.5])
LABELS = np.column_stack([ONE > 0.5, TWO > 0.5]).astype(int)


@pytest.mark.parametrize(
    "b, c, exact, mid",
    [
        (10, 2, 0.03857421875, 0.0224609375),
        (6, 5, 1.0, 0.7744140625),
        (9, 0, 0.00390625, 0.001953125),
        (30, 12, 0.007915897335, 0.005401572655),
        (5, 0, 0.0625, 0.03125),
        (105, 62, 0.001091058321, 0.0008548765507),
    ],
)
def test_mcnemar(b, c, exact, mid):
    assert binary.exact_pvalues(b, c) == pytest.approx(exact, rel=1e-9)
    assert binary.mid_pvalues(b, c) == pytest.approx(mid, rel=1e-9)


@pytest.mark.parametrize("b, c, n, pvalue", [(10, 2, 30, 0.02341377126), (6, 1, 15, 0.0737864621)])
def test_unconditional(b, c, n, pvalue):
    assert binary.unconditional_pvalue(b, c, n) == pytest.approx(pvalue, rel=1e-8)


def test_the_table_of_fagerland_lydersen_and_laake():
    """n11 = 1, b = 1, c = 7, n00 = 12 of their 2014 paper on paired proportions."""
    assert binary.exact_pvalues(1, 7) == pytest.approx(0.0703, abs=5e-5)
    assert binary.mid_pvalues(1, 7) == pytest.approx(0.0391, abs=5e-5)
    assert binary.unconditional_pvalue(1, 7, 21) == pytest.approx(0.0353, abs=5e-5)
    assert binary.tango(1, 7, 21, Z) == pytest.approx((-0.5172, -0.0260), abs=5e-5)
    assert binary.bonett_price(1, 7, 21, Z) == pytest.approx((-0.5084, -0.0134), abs=5e-5)


@pytest.mark.parametrize(
    "b, c, n, low, high",
    [
        (10, 2, 30, 0.03782767486, 0.4621723251),
        (0, 0, 20, -0.1259912568, 0.1259912568),
        (9, 0, 30, 0.1030089348, 0.4594910652),
        (30, 12, 100, 0.05369749616, 0.2992436803),
    ],
)
def test_bonett_price(b, c, n, low, high):
    assert binary.bonett_price(b, c, n, Z) == pytest.approx((low, high), abs=1e-9)


@pytest.mark.parametrize(
    "b, c, n, low, high",
    [(10, 2, 30, 0.04560432328, 0.4684655756), (30, 12, 100, 0.05495817644, 0.3008397749)],
)
def test_tango(b, c, n, low, high):
    assert binary.tango(b, c, n, Z) == pytest.approx((low, high), abs=1e-9)


def test_tango_without_disagreement():
    half = Z**2 / (20 + Z**2)
    assert binary.tango(0, 0, 20, Z) == pytest.approx((-half, half), abs=1e-9)


@pytest.mark.parametrize("x, n, wilson", [(27, 30, (0.7437891742, 0.9654001113)), (0, 8, (0.0, 0.3244075649))])
def test_one_accuracy(x, n, wilson):
    assert binary.wilson(x, n, Z) == pytest.approx(wilson, abs=1e-9)


@pytest.mark.parametrize(
    "x, n, wilson",
    [
        (3, 8, (0.13684428582359737, 0.6942576053973728)),
        (190, 200, (0.9104218518612239, 0.972617354399236)),
    ],
)
def test_one_accuracy_as_in_statsmodels(x, n, wilson):
    """statsmodels 0.15.0: proportion.proportion_confint(x, n, method="wilson")."""
    assert binary.wilson(x, n, Z) == pytest.approx(wilson, abs=1e-12)


def test_cluster_mean():
    values = np.array([1, 0, 1, 1, -1, 0, 1, 0, 1, 1, 0, -1.0])
    cluster = np.array([0, 0, 0, 1, 1, 2, 2, 2, 2, 3, 3, 4])
    found = clusters.clustered_mean(values, cluster, working="independent")
    assert (found.mean, found.error, found.df) == pytest.approx((0.3333333333, 0.17884779, 3.28685259), abs=1e-8)


def test_cluster_correlation():
    values = np.array([1, 1, 1, 1, -1, 0, 1, 0, 0, 1, 0, -1, -1, -1.0])
    cluster = np.array([0, 0, 0, 0, 1, 2, 2, 2, 2, 3, 3, 4, 4, 4])
    assert clusters.intra_cluster_correlation(values, cluster) == pytest.approx(0.8416385135, abs=1e-9)
    assert clusters.clustered_mean(values, cluster).df == pytest.approx(2.67324751, abs=1e-8)


def test_macro_mean():
    values = np.array([1, 0, 0, 1, -1, 0, 0.5, 0.2, -0.1, 0.3])
    found = clusters.stratified_mean(values, np.array([0] * 6 + [1] * 4), np.arange(10), macro=True)
    assert (found.mean, found.error, found.df) == pytest.approx((0.1958333333, 0.165883577, 6.49497796), abs=1e-8)


@pytest.mark.parametrize(
    "a, b, z, pvalue",
    [
        ("wfns", "s100b", 2.20898359144091, 0.0271757822291882),
        ("wfns", "ndka", 2.79777591868904, 0.00514557970691098),
        ("ndka", "s100b", -1.39077002573558, 0.164295175223054),
    ],
)
def test_delong_as_in_proc(a, b, z, pvalue):
    """R's pROC: roc.test of its data aSAH (xrobin/pROC, tests/testthat/test-roc.test.R), by the normal law."""
    truth, scores = asah(a, b)
    found = delong_pairs(influence.placements(truth, scores), truth, *pair_indices(2))
    assert found.statistic[0] == pytest.approx(z, rel=1e-12)
    assert 2 * ndtr(-abs(found.statistic[0])) == pytest.approx(pvalue, rel=1e-10)
    # Student's law with degrees of freedom by class is a little more careful.
    assert pvalue < found.pvalue[0] < 1.1 * pvalue + 0.005


def test_the_auc_of_one_as_in_proc():
    """R's pROC: ci.auc of ndka (tests/testthat/test-ci.auc.R), DeLong with the normal law."""
    truth, scores = asah("ndka")
    low, area, high = 0.501244999271703, 0.611957994579946, 0.722670989888189
    placed = influence.placements(truth, scores)
    assert placed[truth].mean() == pytest.approx(area, rel=1e-12)
    error = np.sqrt(placed[truth].var(ddof=1) / truth.sum() + placed[~truth].var(ddof=1) / (~truth).sum())
    assert (area - Z * error, area + Z * error) == pytest.approx((low, high), rel=1e-10)


def asah(*names):
    """113 patients after a haemorrhage (Turck et al. 2010), as in R's pROC: poor outcome, and the scores named."""
    table = np.genfromtxt(Path(__file__).parents[1] / "reference" / "asah.csv", delimiter=",", names=True)
    return table["poor"] == 1, np.column_stack([table[name] for name in names])


def test_delong():
    placed = influence.placements(TRUTH == 1, np.column_stack([ONE, TWO]))
    assert placed[TRUTH == 1].mean(axis=0) == pytest.approx([0.875, 0.6805555556], abs=1e-9)
    found = delong_pairs(placed, TRUTH == 1, np.array([0]), np.array([1]))
    assert found.details["error"] == pytest.approx([0.1526514629], abs=1e-9)


@pytest.mark.parametrize(
    "metric, value, error",
    [
        (influence.f1, 0.7692307692, 0.1390885989),
        (influence.mcc, 0.5070925528, 0.2827834663),
        (influence.balanced_accuracy, 0.75, 0.1409294544),
        (influence.precision, 0.7142857143, 0.1907240451),
        (influence.recall, 0.8333333333, 0.1748014747),
        (influence.kappa, 0.5, 0.2691462775),
    ],
)
def test_jackknife_of_counts(metric, value, error):
    found = influence.from_counts(metric, TRUTH, LABELS[:, :1], 2)
    assert (found.score[0], _error(found)) == pytest.approx((value, error), abs=1e-9)


def test_jackknife_of_ranks_and_sums():
    found = influence.average_precision(TRUTH == 1, ONE[:, None])
    assert (found.score[0], _error(found)) == pytest.approx((0.9055555556, 0.09760932635), abs=1e-9)
    found = influence.auc(TRUTH == 1, ONE[:, None])
    assert (found.score[0], _error(found)) == pytest.approx((0.875, 0.1225689526), abs=1e-9)
    truth, predicted = np.array([3.0, 1.5, 2.0, 4.0, 0.5, 2.5]), np.array([[2.5, 1.0, 2.2, 3.1, 1.0, 2.4]]).T
    found = influence.rmse(truth, predicted)
    assert (found.score[0], _error(found)) == pytest.approx((0.5180090089, 0.1224042727), abs=1e-9)
    found = influence.r2(truth, predicted)
    assert (found.score[0], _error(found)) == pytest.approx((0.7816949153, 0.1309956437), abs=1e-9)


@pytest.mark.parametrize(
    "metric, low, high",
    [
        (influence.f1, -0.2592418467, 0.5281494097),
        (influence.mcc, -0.5783256204, 0.817856787),
        (influence.recall, -0.2571888662, 0.7571888662),
        (influence.balanced_accuracy, -0.2797518372, 0.4047518372),
    ],
)
def test_counts_with_four_cases_added(metric, low, high):
    right = TRUTH[:, None] == LABELS
    found = count_pairs(metric, TRUTH == 1, right, np.array([0]), np.array([1]))
    assert np.ravel(found.ends(0.05)) == pytest.approx([low, high], abs=1e-9)


@pytest.mark.kernel
def test_step_down_with_all_flips():
    outcomes = np.array(
        [[1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 1, 1], [0, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 0], [1, 1, 0], [1, 0, 1]],
        dtype=float,
    )
    assert flip_family(outcomes, *pair_indices(3)).adjusted.tolist() == [0.375, 0.015625, 0.26171875]


@pytest.mark.parametrize(
    "m, c, k, at_least_one, all_of_them",
    [(10, 3, 5, 0.9166666667, 0.0), (10, 3, 2, 0.5333333333, 0.06666666667), (5, 5, 3, 1, 1), (20, 1, 10, 0.5, 0.0)],
)
def test_pass_at_k(m, c, k, at_least_one, all_of_them):
    assert samples.pass_at_k(c, m, k) == pytest.approx(at_least_one, abs=1e-9)
    assert samples.pass_hat_k(c, m, k) == pytest.approx(all_of_them, abs=1e-9)


def test_variance_split():
    split = samples.variance_split(
        [[1, 1, 0, 1], [0, 0, 1, 0], [1, 1, 1, 1], [0, 1, 0, 1]],
        [[1, 0, 0, 1], [0, 0, 0, 0], [1, 1, 1, 0], [1, 1, 0, 0]],
    )
    found = (split.difference, split.within_a, split.within_b, split.between)
    assert found == pytest.approx((0.1875, 0.2083333333, 0.2291666667, -0.09375), abs=1e-9)


@pytest.mark.parametrize("b, c, value", [(15, 5, 3.220600521), (12, 2, 12.0029304), (9, 0, 51.2)])
def test_e_values(b, c, value):
    assert e_value(b, c) == pytest.approx(value, rel=1e-8)
    order = np.array([1.0] * b + [-1.0] * c + [0.0] * 7)
    assert confidence_sequence(order).e_values[-1] == pytest.approx(value, rel=1e-8)


@pytest.mark.parametrize(
    "differences, low, high",
    [
        ([1] * 12 + [-1] * 3 + [0] * 15, -0.07901316993, 0.6174756085),
        ([0.4, 0.2, 0, 0.6, -0.2, 0.4, 0.2, 0.2, 0, 0.8], -0.2468102415, 0.5722247378),
    ],
)
def test_confidence_sequences(differences, low, high):
    found = confidence_sequence(differences, running=False)
    assert (found.low, found.high) == pytest.approx((low, high), abs=1e-7)


def test_first_crossing():
    assert confidence_sequence([1, 1, 0, 1, -1, 1, 1, 1, 0, 1, 1, 1, 1, -1, 1, 1, 1]).first_crossing(0.05) == 0
    assert confidence_sequence([1] * 9).first_crossing(0.05) == 8


@pytest.mark.parametrize(
    "b, c, found", [(10, 2, (2, 8, 9)), (30, 12, (7, 18, 19)), (105, 62, (20, 43, 44)), (4, 0, (None, 4, None))]
)
def test_drops(b, c, found):
    assert cases_to_overturn(b, c) == Drops(decision=found[0], tie=found[1], reversal=found[2])


def _error(found):
    return found.values[:, 0].std(ddof=1) / np.sqrt(len(found.values))


# Albumin, total protein, K-G score and outcome of 43 patients: DeLong, DeLong and Clarke-Pearson (1988), as printed in the SAS/STAT
# documentation of PROC LOGISTIC, "Comparing Receiver Operating Characteristic Curves".
DELONG_1988 = """
3.0 5.8 10 0 3.2 6.3 5 1 3.9 6.8 3 1 2.8 4.8 6 0 3.2 5.8 3 1 0.9 4.0 5 0 2.5 5.7 8 0 1.6 5.6 5 1 3.8 5.7 5 1
3.7 6.7 6 1 3.2 5.4 4 1 3.8 6.6 6 1 4.1 6.6 5 1 3.6 5.7 5 1 4.3 7.0 4 1 3.6 6.7 4 0 2.3 4.4 6 1 4.2 7.6 4 0
4.0 6.6 6 0 3.5 5.8 6 1 3.8 6.8 7 1 3.0 4.7 8 0 4.5 7.4 5 1 3.7 7.4 5 1 3.1 6.6 6 1 4.1 8.2 6 1 4.3 7.0 5 1
4.3 6.5 4 1 3.2 5.1 5 1 2.6 4.7 6 1 3.3 6.8 6 0 1.7 4.0 7 0 3.7 6.1 5 1 3.3 6.3 7 1 4.2 7.7 6 1 3.5 6.2 5 1
2.9 5.7 9 0 2.1 4.8 7 1 2.8 6.2 8 0 4.0 7.0 7 1 3.3 5.7 6 1 3.7 6.9 5 1 3.6 6.6 5 1
"""


def test_delongs_own_example():
    """SAS prints the areas .7366, .7258 and .6478, and of the differences to the K-G score the errors .0953 and .1046."""
    rows = np.array(DELONG_1988.split(), dtype=float).reshape(-1, 4)
    truth = rows[:, 3] == 1
    scores = np.column_stack([rows[:, 0], 10 - rows[:, 2], rows[:, 1]])
    placed = influence.placements(truth, scores)
    assert placed[truth].mean(axis=0) == pytest.approx([0.7366, 0.7258, 0.6478], abs=5e-5)
    found = delong_pairs(placed, truth, np.array([0, 2]), np.array([1, 1]))
    assert found.effect == pytest.approx([0.0108, -0.0780], abs=5e-5)
    assert found.details["error"] == pytest.approx([0.0953, 0.1046], abs=5e-5)


@pytest.mark.parametrize("k, ends", [(40, (-0.0739145, 0.4268556)), (20, (-0.0521110, 0.4050522))])
def test_simultaneous_intervals_of_many_algorithms(k, ends):
    """30 cases that only the first passes, 12 that only the second does, of 100: at the normal quantile of 1 - 0.025 / pairs."""
    passed = np.zeros((100, k))
    passed[:30, 0] = passed[30:42, 1] = 1
    found = all_pairs(passed, draws=99)
    assert (found.low[0], found.high[0]) == pytest.approx(ends, abs=1e-6)


def test_intervals_without_a_difference_have_a_length():
    truth = np.array([True] * 6 + [False] * 8)
    same = np.random.default_rng(1).normal(size=(14, 1)).repeat(2, axis=1)
    found = delong_pairs(influence.placements(truth, same), truth, np.array([0]), np.array([1]))
    half = Z * np.sqrt(2 / 8**2 + 2 / 10**2)
    assert np.ravel(found.ends(0.05)) == pytest.approx([-half, half])
    assert found.pvalue.tolist() == [1.0]


def test_pairs_by_matrix_products_are_those_by_differences():
    """The variance of a difference from the covariance matrix, against the differences themselves."""
    rng = np.random.default_rng(4)
    truth = rng.random(60) < 0.4
    scores = rng.normal(size=(60, 4)).round(1) + truth[:, None]
    placed = influence.placements(truth, scores)
    first, second = pair_indices(4)
    found = delong_pairs(placed, truth, first, second)
    d = placed[:, first] - placed[:, second]
    variance = d[truth].var(axis=0, ddof=1) / truth.sum() + d[~truth].var(axis=0, ddof=1) / (~truth).sum()
    assert found.details["error"] == pytest.approx(np.sqrt(variance))
    assert found.wins.tolist() == (d > 1e-9).sum(axis=0).tolist()
    assert found.losses.tolist() == (d < -1e-9).sum(axis=0).tolist()


def test_the_mean_of_fixed_tasks():
    """Four tasks of five runs each: every task has the same weight."""
    runs = [[1.0, 1.2, 0.8, 1.1, 0.9], [0.2, 0.5, 0.3, 0.1, 0.4], [3.0, 2.0, 5.0, 4.0, 2.5], [0.7, 0.6, 0.9, 0.5, 0.8]]
    task = np.repeat(np.arange(4), 5)
    found = clusters.stratified_mean(np.ravel(runs), task, np.arange(20), macro=True)
    assert (found.mean, found.error, found.df) == pytest.approx((1.325, 0.1380670127, 4.420552421), abs=1e-8)
