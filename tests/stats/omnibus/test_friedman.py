"""Friedman's test: published tables, scipy and R, degenerate tables, and what must always hold."""

import math
from itertools import permutations, product

import numpy as np
import pandas as pd
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from podium import Metric, Table
from podium.core import rank_rows
from podium.core.errors import ArgumentError, DataError
from podium.stats import friedman
from podium.stats.omnibus.friedman import friedman_statistics
from reference import benchmarks, published
from refusals import refuses

tables = st.tuples(st.integers(2, 7), st.integers(2, 4)).flatmap(
    lambda shape: arrays(np.float64, shape, elements=st.integers(0, 6).map(float))
)


def test_demsar_2006():
    # Demsar 2006, section 3.2.2: ranks 3.143, 2.000, 2.893, 1.964; chi2 = 9.28, F = 3.69 (without tie correction).
    result = friedman(-published.DEMSAR_RANKS)
    np.testing.assert_allclose(result.mean_ranks, [3.143, 2.0, 2.893, 1.964], atol=5e-4)
    assert result.details["chi2_uncorrected"] == pytest.approx(9.28, abs=0.005)
    assert result.details["iman_davenport_uncorrected"] == pytest.approx(3.69, abs=0.005)
    assert result.details["chi2_uncorrected_pvalue"] == pytest.approx(
        0.025807496707063185, rel=1e-10
    )  # not printed; scipy's chi2
    assert friedman(-published.DEMSAR_RANKS, variant="iman_davenport").df == (3, 39)
    # scipy's TestFriedmanChiSquare.ref1, "verified with matlab and R": corrected for ties.
    assert result.details["chi2"] == pytest.approx(10.2283464566929, abs=1e-10)
    assert result.details["chi2_pvalue"] == pytest.approx(0.0167215803284414, abs=1e-12)


def test_ranks_of_the_printed_aucs_of_demsar_2006():
    # Recomputed from the three printed decimals, where voting has a tie; the two chi2 agree with scipy.
    result = friedman(published.DEMSAR_AUC)
    np.testing.assert_allclose(result.mean_ranks, [44 / 14, 2.0, 41 / 14, 27 / 14], rtol=1e-12)
    assert result.details["chi2_uncorrected"] == pytest.approx(9.857142857142824, abs=1e-9)
    assert result.details["chi2"] == pytest.approx(10.952380952380915, abs=1e-9)
    assert result.details["chi2_pvalue"] == pytest.approx(0.011986176325418037, abs=1e-9)


def test_garcia_and_herrera_2008():
    # scmamp's vignette: chi2 39.647, p = 5.121e-08; F = 14.309, p = 1.593e-09; R's friedman.test: 39.913, 4.512e-08.
    result = friedman(published.GARCIA_HERRERA)
    np.testing.assert_allclose(result.mean_ranks, [2.1, 3.25, 2.2, 4.333333, 3.116667], atol=5e-6)
    assert result.details["chi2_uncorrected"] == pytest.approx(39.647, abs=5e-4)
    assert result.details["chi2_uncorrected_pvalue"] == pytest.approx(5.121e-08, abs=5e-12)
    assert result.details["iman_davenport_uncorrected"] == pytest.approx(14.309, abs=5e-4)
    assert friedman(published.GARCIA_HERRERA, variant="iman_davenport").df == (4, 116)
    assert result.details["iman_davenport_uncorrected_pvalue"] == pytest.approx(1.593e-09, abs=5e-13)
    assert result.details["chi2"] == pytest.approx(39.913, abs=5e-4)
    assert result.details["chi2_pvalue"] == pytest.approx(4.512e-08, abs=5e-12)


def test_tables_of_r_and_scipy():
    # coin-Ex.Rout.save, Hollander and Wolfe 1999 table 7.1: chi2 = 11.143, p = 0.003805.
    result = friedman(published.ROUNDING_FIRST_BASE)
    assert (result.details["chi2"], result.details["chi2_pvalue"]) == (
        pytest.approx(11.143, abs=5e-4),
        pytest.approx(0.003805, abs=5e-7),
    )
    assert friedman(published.QUADE).details["chi2"] == pytest.approx(6.0)
    # scipy TestFriedmanChiSquare: Zar, Biostatistical Analysis, example 12.6.
    zar = np.array(
        [[7.0, 9.9, 8.5, 5.1, 10.3], [5.3, 5.7, 4.7, 3.5, 7.7], [4.9, 7.6, 5.5, 2.8, 8.4], [8.8, 8.9, 8.1, 3.3, 9.1]]
    ).T
    assert friedman(zar).details["chi2"] == pytest.approx(10.68, abs=1e-12)
    assert friedman(zar).details["chi2_pvalue"] == pytest.approx(0.0135882729582176, abs=1e-12)
    # scipy, "Bioestadistica para las ciencias de la salud".
    bio = np.array(
        [
            [4, 3, 5, 3, 5, 3, 2, 5, 4, 4, 4, 3], [2, 2, 1, 2, 3, 1, 2, 3, 2, 1, 1, 3],
            [2, 4, 3, 3, 4, 3, 3, 4, 4, 1, 2, 1], [3, 5, 4, 3, 4, 4, 3, 3, 3, 4, 4, 4],
        ]
    ).T  # fmt: skip
    assert friedman(bio).details["chi2"] == pytest.approx(18.9428571428571, abs=1e-12)
    assert friedman(bio).details["chi2_pvalue"] == pytest.approx(0.000280938375189499, abs=1e-12)


# Recomputed with scipy: n, mean ranks; chi2, its p, F and its p without the correction for ties; the same with it.
RECOMPUTED = {
    "hfawaz": (
        published.hfawaz, 15, [4.2, 3.7666666666666666, 1.5333333333333334, 3.5, 2.0],
        [32.57333333333331, 1.4605007885159385e-06, 16.627126883811346, 4.899464612595086e-09],
        [33.46575342465751, 9.589217562506298e-07, 17.657201858544106, 1.9902887812375736e-09],
    ),
    "benavoli_2017": (
        published.benavoli_2017_means, 54,
        [3.685185185185185, 2.4444444444444446, 2.7037037037037037, 3.25, 2.9166666666666665],
        [20.203703703703702, 0.0004552153638071491, 5.468930294145465, 0.0003289966364262748],
        [20.840496657115565, 0.00034058004490788584, 5.65971066695378, 0.00023959933493920756],
    ),
    "automl": (  # without ties the two are the same
        benchmarks.automl, 33,
        [
            2.5454545454545454, 5.909090909090909, 6.787878787878788, 1.5757575757575757, 4.03030303030303,
            3.4545454545454546, 3.696969696969697,
        ],
        [140.01298701298705, 9.959062050903988e-28, 77.26584546472571, 1.5120808585303076e-48],
        [140.01298701298705, 9.959062050903988e-28, 77.26584546472571, 1.5120808585303076e-48],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", RECOMPUTED)
def test_tables_of_others_recomputed(name):
    table, n, mean_ranks, uncorrected, corrected = RECOMPUTED[name]
    result = friedman(table())
    assert result.n_datasets == n
    np.testing.assert_allclose(result.mean_ranks, mean_ranks, rtol=1e-12)
    for ending, expected in (("_uncorrected", uncorrected), ("", corrected)):
        names = [f"{start}{ending}{end}" for start in ("chi2", "iman_davenport") for end in ("", "_pvalue")]
        np.testing.assert_allclose([result.details[field] for field in names], expected, rtol=1e-10)


def test_printed_ranks_of_hfawaz():
    # critdd, tests/readme.py, and cd-diagram.png, read to 0.05.
    np.testing.assert_allclose(friedman(published.hfawaz()).mean_ranks, [4.2, 3.75, 1.5, 3.5, 2.0], atol=0.05)


# Mean ranks of 40 classifiers of time series on 112 datasets, recomputed with scipy, best first.
BAKEOFF_RANKS = {
    "HC2": 7.901785714285714, "MR-Hydra": 9.745535714285714, "MR": 10.571428571428571, "RIST": 12.924107142857142,
    "TS-CHIEF": 13.116071428571429, "RDST": 13.808035714285714, "H-InceptionTime": 14.3125,
    "HC1": 14.504464285714286, "MiniROCKET": 14.513392857142858, "QUANT": 14.696428571428571,
    "ROCKET": 14.723214285714286, "Arsenal": 14.776785714285714, "Hydra": 14.879464285714286,
    "WEASEL-2": 14.901785714285714, "LITETime": 14.977678571428571, "InceptionTime": 15.178571428571429,
    "DrCIF": 15.620535714285714, "R-STSF": 16.236607142857142, "MrSQM": 18.415178571428573, "FreshPRINCE": 19.09375,
    "TDE": 19.263392857142858, "CIF": 20.098214285714285, "STC": 20.191964285714285, "ResNet": 20.683035714285715,
    "STSF": 21.3125, "PF": 21.6875, "WEASEL-1": 22.897321428571427, "cBOSS": 24.723214285714285,
    "BOSS": 25.339285714285715, "TSFresh": 26.125, "EE": 27.651785714285715, "RISE": 27.870535714285715,
    "TSF": 28.441964285714285, "Signatures": 30.446428571428573, "RSF": 30.982142857142858,
    "Catch22": 31.700892857142858, "GRAIL": 33.080357142857146, "1NN-DTW": 33.861607142857146,
    "ShapeDTW": 34.36607142857143, "CNN": 34.379464285714285,
}  # fmt: skip


def test_the_bake_off_of_time_series():
    result = friedman(benchmarks.bakeoff())
    assert (result.n_datasets, len(result.algorithms)) == (112, 40)
    found = dict(zip(result.algorithms, result.mean_ranks, strict=True))
    assert found == pytest.approx(BAKEOFF_RANKS, rel=1e-12)
    assert sorted(found, key=found.__getitem__) == list(BAKEOFF_RANKS)
    assert result.details["chi2"] == pytest.approx(1842.0721855165227, rel=1e-10)
    assert result.details["iman_davenport"] == pytest.approx(80.94847818687398, rel=1e-10)
    assert result.details["chi2_pvalue"] == result.details["iman_davenport_pvalue"] == 0  # below what a float can hold


def test_two_algorithms_make_the_exact_sign_test():
    # coin-Ex.Rout.save, Hollander and Wolfe's depression data as 9 x 2: chi2 = 2.7778, exact p = 0.1797.
    x = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    result = friedman(np.column_stack([x, y]))
    assert result.method == "exact"
    assert result.statistic == pytest.approx(2.7778, abs=5e-5)
    assert result.pvalue == pytest.approx(0.1796875)


def test_example_1_of_benavoli_2016():
    # Mean ranks of A and B 2 and 3.5 (5 is best there), Friedman p about 1e-10.
    result = friedman(published.BENAVOLI_EXAMPLE_1)
    np.testing.assert_allclose(6 - result.mean_ranks, [2, 3.5, 1.5, 3.5, 4.5])
    assert result.details["chi2"] == pytest.approx(48)
    assert 1e-10 < result.details["chi2_pvalue"] < 1e-9


def test_many_tables_at_once():
    rng = np.random.default_rng(0)
    ranks = np.argsort(np.argsort(rng.random((3, 4, 10, 5)), axis=-1), axis=-1) + 1.0
    many = friedman_statistics(ranks)
    assert many["chi2"].shape == (3, 4)
    for i, j in np.ndindex(3, 4):
        one = friedman(-ranks[i, j], variant="iman_davenport")
        assert one.statistic == pytest.approx(many["iman_davenport"][i, j])
        assert one.pvalue == pytest.approx(many["iman_davenport_pvalue"][i, j])


def test_the_recommended_variant():
    rng = np.random.default_rng(1)
    small, large = friedman(rng.random((6, 5))), friedman(rng.random((54, 7)))
    assert (small.variant, small.method) == ("exact", "exact")
    assert (large.variant, large.method) == ("iman_davenport", "asymptotic")
    assert large.details["exact_pvalue"] is None
    assert large.pvalue == large.details["iman_davenport_pvalue"]
    few = friedman(rng.random((10, 12)))
    assert (few.variant, few.method) == ("beta", "approximate: beta distribution of exact mean and variance")
    assert few.pvalue == few.details["beta_pvalue"]
    assert few.statistic == few.details["chi2"]


def test_the_beta_law_without_ties_is_that_of_kendall_and_babington_smith():
    # F = (n - 1) W / (1 - W) with k - 1 - 2 / n and n - 1 times as many degrees of freedom.
    result = friedman(np.random.default_rng(2).random((10, 12)))
    degrees = 12 - 1 - 2 / 10
    expected = scipy.stats.f.sf(result.details["iman_davenport"], degrees, 9 * degrees)
    assert result.details["beta_pvalue"] == pytest.approx(expected, rel=1e-10)


@pytest.mark.parametrize("values", [[[1, 2, 3], [1, 1, 2], [2, 2, 1]], [[1, 2, 3], [3, 1, 2], [1, 2, 2]], [[1, 2]] * 2])
def test_the_beta_law_has_the_mean_and_variance_of_all_orders(values):
    rows = [sorted(set(permutations(row))) for row in values]
    ranks = rank_rows(np.array(list(product(*rows)), dtype=float).reshape(-1, len(values[0])))
    ranks = ranks.reshape(-1, len(values), len(values[0]))
    centred = ranks - ranks.mean(axis=-1, keepdims=True)
    spreads = (centred**2).sum(axis=-1)
    share = (centred.sum(axis=1) ** 2).sum(axis=-1) / np.sqrt(spreads).sum(axis=-1) ** 2
    mean, variance = share.mean(), share.var()
    size = max(mean * (1 - mean) / variance - 1, 1e-9)
    expected = scipy.stats.beta.sf(share, mean * size, (1 - mean) * size)
    np.testing.assert_allclose(friedman_statistics(ranks)["beta_pvalue"], expected, rtol=1e-6, atol=1e-9)


@pytest.mark.parametrize("variant", ["chi2", "chi2_uncorrected", "iman_davenport", "beta", "exact"])
def test_variants_report_their_own_numbers(variant):
    result = friedman(published.QUADE, variant=variant)
    assert result.variant == variant
    if variant != "exact":
        assert result.statistic == result.details["chi2" if variant == "beta" else variant]
        assert result.pvalue == result.details[f"{variant}_pvalue"]


@pytest.mark.parametrize("variant", ["auto", "iman_davenport", "beta", "chi2", "chi2_uncorrected"])
def test_all_ties_give_one(variant):
    result = friedman(np.ones((6, 4)), variant=variant)
    assert result.statistic == 0
    assert result.pvalue == 1
    assert result.details["tied_datasets"] == 6


def test_perfect_agreement():
    result = friedman(np.tile([3.0, 2.0, 1.0], (4, 1)), variant="iman_davenport")
    assert math.isinf(result.statistic)
    assert result.pvalue == pytest.approx(math.factorial(3) ** -3)
    assert result.details["kendall_w"] == pytest.approx(1)
    assert friedman(np.tile([3.0, 2.0, 1.0], (4, 1)), variant="beta").pvalue == pytest.approx(6**-3)
    assert friedman(np.tile(np.arange(30.0), (40, 1))).pvalue < 1e-300


def test_float_noise_is_a_tie():
    a, b = (0.1 + 0.2 + 0.3) / 3, (0.3 + 0.2 + 0.1) / 3
    assert a != b
    assert friedman([[a, b], [b, a], [a, b]]).pvalue == 1


def test_the_direction_of_the_metric_decides_who_is_first():
    table = Table(
        values=np.array([[1.0, 2.0], [1.0, 3.0]]),
        datasets=("d", "e"),
        algorithms=("a", "b"),
        metric=Metric(name="error", direction="lower"),
    )
    assert friedman(table).mean_ranks.tolist() == [1, 2]


def test_datasets_with_holes_are_left_out_and_named():
    frame = pd.DataFrame(
        {"a": [1.0, 2, 3, 4], "b": [2.0, np.nan, 1, 5], "c": [3.0, 1, 2, 6]}, index=["iris", "wine", "zoo", "car"]
    )
    result = friedman(frame)
    assert result.dropped == ("wine",)
    assert result.n_datasets == 3
    assert "1 dataset with missing cells was left out: wine." in result.summary()
    with refuses(DataError, "missing"):
        friedman(frame, missing="refuse")


@pytest.mark.parametrize(
    "table, sentence",
    [
        ([[1.0], [2.0]], "at least 2 algorithms"),
        ([[1.0, 2.0]], "At least 2 complete datasets"),
        ([[1.0, np.inf], [1, 2]], "'algorithm 2' has an infinite score on 'dataset 1'"),
        ([[1.0, np.nan], [1, 2]], "1 more have missing cells"),
        ([1.0, 2.0], "2 dimensions"),
    ],
)
def test_bad_tables_are_refused_in_one_sentence(table, sentence):
    with pytest.raises(DataError, match=sentence):
        friedman(table)


def test_bad_options():
    with refuses(ArgumentError, "variant"):
        friedman(published.QUADE, variant="f")
    with pytest.raises(ArgumentError, match="use variant='iman_davenport'"):
        friedman(np.random.default_rng(0).random((54, 9)), variant="exact")


@given(tables, st.integers(0, 1000))
def test_order_and_monotone_transforms_do_not_matter(values, seed):
    rng = np.random.default_rng(seed)
    n, k = values.shape
    first = friedman(values)
    again = friedman(values[rng.permutation(n)][:, rng.permutation(k)])
    assert again.pvalue == pytest.approx(first.pvalue, rel=1e-9)
    slopes, starts = rng.uniform(0.5, 2, (n, 1)), rng.normal(size=(n, 1))
    moved = friedman(starts + slopes * np.exp(values / 3))  # another increasing function for each dataset
    assert moved.pvalue == pytest.approx(first.pvalue, rel=1e-9)
    assert 0 <= first.pvalue <= 1
    np.testing.assert_array_equal(moved.mean_ranks, first.mean_ranks)


def test_results_say_what_was_done():
    result = friedman(published.DEMSAR_AUC)
    plain = result.to_dict()
    assert plain["kind"] == "OmnibusResult"
    assert "does not show that the algorithms are equal" in result.summary()
    assert result.to_frame().shape[0] == 1
    assert "demsar2006" in result.references


def test_two_algorithms_are_exact_at_any_number_of_datasets():
    values = np.random.default_rng(0).random((3000, 2))
    result = friedman(values)
    wins = int((values[:, 0] > values[:, 1]).sum())
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(scipy.stats.binomtest(wins, 3000).pvalue)
