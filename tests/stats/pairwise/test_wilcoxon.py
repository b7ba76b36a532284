"""The Wilcoxon signed-rank test: published and R values, all sign flips, properties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.core.errors import ArgumentError, DataError
from reference import published
from refusals import refuses
from stats.two_algorithms import signed_rank_oracle

ZEROS = ("drop", "pratt", "split")
SIDES = ("two-sided", "less", "greater")

# Hollander and Wolfe's depression data (cran/exactRankTests, exactRankTests-Ex.Rout.save).
DEPRESSION = (
    [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3],
    [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29],
)
# cran/coin, tests/regtest_2sample.Rout.save.
COIN = ([14, 18, 2, 4, -5, 14, -3, -1, 1, 6, 3, 3], [8, 26, -7, -1, 2, 9, 0, -4, 13, 3, 3, 4])

small = st.lists(st.integers(-4, 4), min_size=2, max_size=9)


def against_zero(d, **options):
    return podium.stats.wilcoxon(d, np.zeros(len(d)), **options)


def test_demsar_2006_section_3_1_3():
    # R+ = 93, R- = 12 with the two zeros split; critical value 21, so the difference is significant at 0.05.
    auc = published.demsar_auc()
    result = podium.stats.wilcoxon(auc["C4.5+m"], auc["C4.5"], zeros="split")
    assert (result.statistic, result.details) == (93, {"rank_total": 105, "smaller_sum": 12})
    assert (result.n, result.ties, result.method) == (14, 2, "exact")
    assert result.pvalue < 0.05


def test_exactranktests_and_coin():
    # Values: cran/exactRankTests and cran/coin *.Rout.save, rerun with R 4.2.2.
    result = podium.stats.wilcoxon(*DEPRESSION)
    assert (result.statistic, result.pvalue) == (40, 0.0390625)
    assert podium.stats.wilcoxon(*DEPRESSION, alternative="greater").pvalue == 0.01953125
    assert podium.stats.wilcoxon(*COIN, alternative="greater").pvalue == 0.47412109375
    assert podium.stats.wilcoxon(*COIN, alternative="greater", zeros="pratt").pvalue == 0.4609375
    assert podium.stats.wilcoxon(*COIN, method="asymptotic").pvalue == pytest.approx(0.928977559746, abs=1e-11)
    assert podium.stats.wilcoxon(*COIN, method="asymptotic", zeros="pratt").pvalue == pytest.approx(
        0.906077348924, abs=1e-11
    )
    assert against_zero([1, 2, 3, 4, 5, 6, 7, 8]).pvalue == 0.0078125
    assert against_zero([1, 2, 3, 4, 5, 6, 7, 7]).pvalue == 0.0078125
    assert against_zero([1, 1, 1]).pvalue == 0.25


def test_serum_antigen_with_dropped_zeros():
    # exactRankTests-Ex.Rout.save: V = 124, p = 0.002136 exact, 0.003783 asymptotic.
    levels = published.numbers(published.SERUM_BEFORE), published.numbers(published.SERUM_AFTER)
    result = podium.stats.wilcoxon(*levels)
    assert (result.statistic, result.ties) == (124, 4)
    assert result.pvalue == 0.00213623046875
    assert podium.stats.wilcoxon(*levels, method="asymptotic").pvalue == pytest.approx(0.003783246, abs=5e-10)


def test_73_pairs_with_26_zeros():
    # bugfix-tests.Rout.save (V = 559, p = 0.9603) and coin run in R.
    pairs = published.numbers(published.BELLIO_X), published.numbers(published.BELLIO_Y)
    result = podium.stats.wilcoxon(*pairs)
    assert (result.statistic, result.ties) == (559, 26)
    assert result.pvalue == pytest.approx(0.960288678733, abs=1e-12)
    for zeros, method, p in (
        ("pratt", "exact", 0.96542327355),
        ("drop", "asymptotic", 0.957799443331),
        ("pratt", "asymptotic", 0.964067841177),
    ):
        assert podium.stats.wilcoxon(*pairs, zeros=zeros, method=method).pvalue == pytest.approx(p, abs=1e-11)


def test_missing_pairs_are_left_out_and_counted():
    # cran/coin, tests/bugfixes.Rout.save: Z = 0.44721, p = 0.6547; and p = 0.1025 for (1, 2, 3), (0, 1, 0).
    result = podium.stats.wilcoxon([np.nan, 1, 2, 8], [2, 4, np.nan, 3], method="asymptotic")
    assert result.pvalue == pytest.approx(0.6547, abs=5e-5)
    assert (result.n, result.left_out) == (2, 2)
    assert "2 pairs were left out for a missing score" in result.summary()
    assert podium.stats.wilcoxon([1, 2, 3], [0, 1, 0], method="asymptotic").pvalue == pytest.approx(0.1025, abs=5e-5)


# scipy/stats/tests/test_morestats.py, TestWilcoxon (most from R).
ACCURACY = np.repeat([-4, -3, -2, -1, 0, 1, 2, 3, 4], [1, 4, 16, 15, 8, 4, 5, 1, 2])


@pytest.mark.parametrize(
    "zeros, smaller_sum, pvalue",
    [("pratt", 423, 0.0031724568006762576), ("split", 441, 0.0032145343172473055), ("drop", 327, 0.00641346115861)],
)
def test_scipy_zero_methods(zeros, smaller_sum, pvalue):
    result = against_zero(ACCURACY, zeros=zeros, method="asymptotic")
    assert result.details["smaller_sum"] == smaller_sum
    assert result.pvalue == pytest.approx(pvalue, abs=1e-13)


def test_scipy_continuity_from_r():
    x = [120, 114, 181, 188, 180, 146, 121, 191, 132, 113, 127, 112]
    y = [133, 143, 119, 189, 112, 199, 198, 113, 115, 121, 142, 187]
    assert podium.stats.wilcoxon(x, y).details["smaller_sum"] == 34
    assert podium.stats.wilcoxon(x, y, method="asymptotic").pvalue == pytest.approx(0.6948866023724735, abs=1e-12)
    with_continuity = podium.stats.wilcoxon(x, y, method="asymptotic", continuity=True)
    assert with_continuity.pvalue == pytest.approx(0.7240816609153895, abs=1e-12)
    assert with_continuity.details["continuity"]
    assert (
        "continuity" not in podium.stats.wilcoxon(x, y, continuity=True).details
    )  # exact: there is nothing to correct
    tied = against_zero([0.1] * 10, method="asymptotic"), against_zero([0.1] * 10, method="asymptotic", continuity=True)
    assert [r.details["smaller_sum"] for r in tied] == [0, 0]
    assert [r.pvalue for r in tied] == pytest.approx([0.001565402258002551, 0.00190419504300439], abs=1e-14)


def test_scipy_one_sided_from_r():
    x = [125, 115, 130, 140, 140, 115, 140, 125, 140, 135]
    y = [110, 122, 125, 120, 140, 124, 123, 137, 135, 145]
    expected = {
        ("less", False): 0.7031847042787,
        ("less", True): 0.72336564289,
        ("greater", False): 0.2968152957213,
        ("greater", True): 0.3176446594176,
    }
    for (side, continuity), p in expected.items():
        result = podium.stats.wilcoxon(x, y, alternative=side, method="asymptotic", continuity=continuity)
        assert result.statistic == 27
        assert result.pvalue == pytest.approx(p, abs=1e-12)


def test_scipy_exact_from_r():
    x = [1.81, 0.82, 1.56, -0.48, 0.81, 1.28, -1.04, 0.23, -0.75, 0.14]
    y = [0.71, 0.65, -0.2, 0.85, -1.1, -0.45, -0.84, -0.24, -0.68, -0.76]
    found = [podium.stats.wilcoxon(x, y, alternative=side).pvalue for side in SIDES]
    assert found == pytest.approx([0.10546875, 0.95800781256, 0.052734375], abs=1e-9)
    ramp = np.arange(0.5, 20), np.arange(20.0, 0, -1)
    found = [podium.stats.wilcoxon(*ramp, alternative=side).pvalue for side in SIDES]
    assert found == pytest.approx([0.8694877624511719, 0.4347438812255859, 0.5795888900756836], abs=1e-15)
    for centre in ([-1, -2, 3], [-1, 2, -3, -4, 5], [-1, -2, 3, -4, -5, -6, 7, 8]):
        assert against_zero(centre).pvalue == 1
    pratt = podium.stats.wilcoxon([1, 2, 3, 4], [1, 2, 3, 5], zeros="pratt", method="asymptotic")
    assert pratt.details["smaller_sum"] == 0
    assert pratt.pvalue == pytest.approx(0.31731050786291415, abs=1e-14)


def test_benavoli_2017_means():
    # BayesianTestsML/tutorial, Julia/Notebook6 (normal with continuity correction), at full precision from scipy.
    means = published.benavoli_2017_means()
    expected = {
        ("nbc", "aode"): 1.6284399116647025e-06,
        ("nbc", "hnb"): 0.0005375581429507265,
        ("nbc", "j48"): 0.4634932959089305,
        ("nbc", "j48gr"): 0.3944934887211895,
        ("aode", "hnb"): 0.6543471036654895,
        ("aode", "j48"): 0.07651160855740691,
        ("aode", "j48gr"): 0.10599106748250968,
        ("hnb", "j48"): 0.06665749248244826,
        ("hnb", "j48gr"): 0.08351352683582187,
    }
    for (a, b), p in expected.items():
        result = podium.stats.wilcoxon(means[a], means[b], method="asymptotic", continuity=True)
        assert result.pvalue == pytest.approx(p, rel=1e-10)
    assert podium.stats.wilcoxon(means["j48"], means["j48gr"]).ties == 15


def test_benavoli_2016_example_1():
    a, b = np.repeat([50.0, 80.0], 10), np.repeat([80.0, 50.0], 10)
    for test in (podium.stats.paired_t, podium.stats.sign, podium.stats.wilcoxon):
        assert test(a, b).pvalue == 1


def test_benavoli_2016_example_3():
    # p = 0.0002 for C2 and C4; the last row, zoo, is lost but for its order C2 > C3 = 95.09 > C4.
    table = podium.reading.example_frame("benavoli2016/accuracies").set_index("dataset")
    table.loc["zoo", ["C2", "C4"]] = [97.0, 94.0]
    c2, c4 = table["C2"], table["C4"]
    asymptotic = podium.stats.wilcoxon(c2, c4, method="asymptotic", continuity=True)
    assert round(asymptotic.pvalue, 4) == 0.0002
    assert podium.stats.wilcoxon(c2, c4).pvalue < asymptotic.pvalue


def test_benavoli_2016_example_3_for_every_possible_zoo():
    # All we know of the lost row is C2 > 95.09 > C4. Over all scores with two decimals, p is 0.0002 or 0.0001.
    table = podium.reading.example_frame("benavoli2016/accuracies").set_index("dataset")
    known = (table["C2"] - table["C4"]).dropna().to_numpy()
    assert known.size == 53
    steps = np.unique(np.abs(known).round(2))  # p changes only where zoo meets another difference
    gaps = np.unique(np.concatenate([steps - 0.01, steps, steps + 0.01, [0.02, 10, 100]]).round(2))
    gaps = gaps[gaps >= 0.02]
    results = [against_zero(np.append(known, gap)) for gap in gaps]
    assert {result.method for result in results} == {"exact"}
    pvalues = np.array([result.pvalue for result in results])
    assert (round(pvalues.min(), 5), round(pvalues.max(), 5)) == (0.00011, 0.00021)
    assert round(pvalues[gaps <= 10].min(), 5) == 0.00012


@given(small, st.sampled_from(ZEROS), st.sampled_from(SIDES))
def test_all_sign_flips(d, zeros, side):
    result = against_zero(d, zeros=zeros, alternative=side)
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(signed_rank_oracle(d, zeros, side), abs=1e-12)


scores = st.lists(st.tuples(st.integers(0, 40), st.integers(0, 40)), min_size=2, max_size=60)


@given(scores, st.sampled_from(ZEROS), st.sampled_from(("exact", "asymptotic")))
def test_swapping_the_algorithms_mirrors_the_result(pairs, zeros, method):
    x, y = np.array(pairs, dtype=float).T / 40
    here, there = (
        podium.stats.wilcoxon(x, y, zeros=zeros, method=method),
        podium.stats.wilcoxon(y, x, zeros=zeros, method=method),
    )
    assert here.pvalue == pytest.approx(there.pvalue, abs=1e-12)
    assert here.statistic == there.details["rank_total"] - there.statistic
    assert here.effect == pytest.approx(-there.effect)
    assert here.low == pytest.approx(-there.high)
    greater = podium.stats.wilcoxon(x, y, zeros=zeros, method=method, alternative="greater").pvalue
    assert greater == pytest.approx(podium.stats.wilcoxon(y, x, zeros=zeros, method=method, alternative="less").pvalue)
    assert 0 <= here.pvalue <= 1


@given(scores, st.integers(1, 9), st.integers(-5, 5), st.randoms())
def test_units_and_the_order_of_datasets_do_not_matter(pairs, scale, shift, shuffler):
    x, y = np.array(pairs, dtype=float).T
    order = list(range(len(x)))
    shuffler.shuffle(order)
    plain, moved = (
        podium.stats.wilcoxon(x, y),
        podium.stats.wilcoxon(scale * x[order] + shift, scale * y[order] + shift),
    )
    assert plain.pvalue == moved.pvalue
    assert moved.effect == pytest.approx(scale * plain.effect)


def test_float_noise_breaks_no_ties():
    # 0.768 - 0.763 and 0.936 - 0.931 are different floats; so are averages of the same folds in another order.
    x, y = np.array([0.768, 0.936, 0.5, 0.1 + 0.2]), np.array([0.763, 0.931, 0.49, 0.3])
    assert podium.stats.wilcoxon(x, y).ties == 1
    assert podium.stats.wilcoxon(x, y).statistic == 1.5 + 1.5 + 3


def test_exact_and_asymptotic_meet_at_large_n():
    random = np.random.default_rng(0)
    for n, digits in ((400, 9), (400, 2), (3000, 9), (3000, 3)):
        x = np.round(random.normal(0.05, 1, n), digits)
        exact, normal = against_zero(x), against_zero(x, method="asymptotic")
        assert exact.method == "exact"
        assert exact.pvalue == pytest.approx(normal.pvalue, rel=0.02)


def test_where_no_exact_law_is_affordable_the_result_says_so():
    d = np.random.default_rng(0).choice([-1.0, 1.0], size=4000)
    assert against_zero(d).method == "exact"  # a sign test
    d[:4] = 2, 3, 4, 5
    assert against_zero(d).method == "asymptotic"
    with pytest.raises(ArgumentError, match="not affordable"):
        against_zero(d, method="exact")


@pytest.mark.parametrize("zeros", ZEROS)
@pytest.mark.parametrize("method", ["auto", "exact", "asymptotic"])
def test_identical_algorithms_have_p_one(zeros, method):
    result = podium.stats.wilcoxon([0.7] * 20, [0.7] * 20, zeros=zeros, method=method)
    assert result.pvalue == 1
    assert (result.effect, result.low, result.high) == (0, 0, 0)
    assert (
        result.statistic == result.details["smaller_sum"] == (105 if zeros == "split" else 0)
    )  # scipy: test_zero_diff


@pytest.mark.parametrize(
    "x, y, options, sentence",
    [
        ([1], [2], {}, "At least 2 complete pairs of scores are needed; there are 1."),
        ([1, 2], [1, 2, 3], {}, "`x` and `y` must be paired: they have 2 and 3 scores."),
        ([1, np.inf], [1, 2], {}, "`x` has an infinite value at index (1,)"),
        ([1, 2], [2, 3], {"zeros": "prat"}, "`zeros` must be 'drop', 'pratt' or 'split'; got 'prat': did you mean"),
        ([1, 2], [2, 3], {"alternative": "two_sided"}, "`alternative` must be 'two-sided', 'less' or 'greater'; got"),
        ([1, 2], [2, 3], {"alternative": "up"}, "`alternative` must be 'two-sided', 'less' or 'greater'; got 'up'."),
        ([1, 2], [2, 3], {"method": "normal"}, "`method` must be 'auto', 'exact' or 'asymptotic'; got 'normal'."),
        ([1, 2], [2, 3], {"confidence": 95}, "`confidence` must lie strictly between 0 and 1; got 95."),
    ],
)
def test_bad_input_is_one_sentence(x, y, options, sentence):
    with pytest.raises((ArgumentError, DataError)) as caught:
        podium.stats.wilcoxon(x, y, **options)
    assert str(caught.value).startswith(sentence)
    assert "\n" not in str(caught.value)


def test_one_dataset_with_huge_scores_makes_no_ties_elsewhere():
    # Squared errors: one dataset in the billions beside others in the thousandths.
    rng = np.random.default_rng(0)
    y = rng.random(12) * 0.01 + 0.001
    x = y * 0.9
    x[0], y[0] = 4.0e10, 4.1e10
    assert podium.stats.wilcoxon(x, y).pvalue == pytest.approx(2 / 2**12)
    assert podium.stats.sign(x, y).pvalue == pytest.approx(2 / 2**12)
    pairs = podium.stats.all_pairs(np.column_stack([x, y]))
    assert (pairs.wins[0], pairs.ties[0], pairs.losses[0]) == (0, 0, 12)
    assert pairs.effect[0] == pytest.approx(podium.stats.wilcoxon(x, y).effect)
    assert podium.stats.wilcoxon(x[1:], y[1:]).high > pairs.effect[0] > podium.stats.wilcoxon(x[1:], y[1:]).low
    assert podium.stats.permutation(x, y).pvalue == pytest.approx(2 / 2**12)


def test_differences_of_decimals_are_decimals():
    assert podium.stats.paired_t([2, 3], [1, 2]).effect == 1.0
    assert podium.stats.paired_t([0.3, 0.4, 0.5], [0.1, 0.2, 0.3]).effect == 0.2
    assert podium.stats.wilcoxon([0.3, 0.4, 30.5], [0.1, 0.2, 30.3]).effect == 0.2  # ties across magnitudes
    assert podium.stats.all_pairs(np.array([[0.3, 0.1], [0.4, 0.2], [30.5, 30.3]])).effect[0] == 0.2


def test_continuity_is_true_or_false():
    with refuses(ArgumentError, "continuity", value="'no'"):
        podium.stats.wilcoxon([1, 2, 3], [2, 1, 1], continuity="no")
