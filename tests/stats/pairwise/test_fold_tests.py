"""Tests on the folds of one dataset: corrected t, k-fold t, 5x2 cv t and F."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import f as f_law
from scipy.stats import ttest_rel

import podium
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.ranks import settle
from podium.stats.pairwise.cv5x2_f import kernel
from reference.published import benavoli_2017, mlxtend_5x2, mlxtend_resampled

# BayesianTestsML/tutorial, Julia/Notebook1: p of nbc against aode on D01 .. D54, 10 x 10 folds.
NOTEBOOK = """.001 .622 .598 .338 .643 .479 .171 .781 .001 .258 .162 .09 .671 1 .525 .878 .048 .287 .684 0 .646 1 .27 .018 0
.22 0 0 0 0 .687 0 .452 .582 .492 0 .035 .596 .004 .777 .049 0 .198 .004 .94 .304 .684 0 0 .417 .463 .671 .576
.435""".split()


def test_corrected_t_on_54_datasets():
    folds = zip(benavoli_2017()["nbc"], benavoli_2017()["aode"], strict=True)
    found = {f"D{i:02d}": podium.stats.corrected_t(x, y) for i, (x, y) in enumerate(folds, start=1)}
    assert [r.pvalue for r in found.values()] == pytest.approx([float(p) for p in NOTEBOOK], abs=0.0005)
    assert sum(r.pvalue < 0.05 for r in found.values()) == 19
    assert found["D14"].pvalue == found["D22"].pvalue == 1  # all 100 differences are 0
    # Notebook2, in shares instead of percent: p, interval, mean.
    for name, p, low, high, mean in (
        ("D17", 0.047573247196149436, -0.00421866, -2.31392e-05, -0.002120899768821926),
        ("D09", 0.0007237706429719711, -0.114019, -0.0313565, -0.07268759207705232),
        ("D20", 3.884739189329373e-11, -0.0410723, -0.0237609, -0.032416596466590945),
        ("D02", 0.6216862298080181, -0.0130664, 0.0078486, -0.0026088997156299564),
        ("D03", 0.5980328575663212, -0.0128407, 0.0221749, 0.004667099491286156),
    ):
        r = found[name]
        assert r.pvalue == pytest.approx(p, rel=1e-9)
        assert (r.low / 100, r.high / 100, r.effect / 100) == pytest.approx((low, high, mean), abs=1e-6)


def test_corrected_t_of_random_splits():
    # The scores of mlxtend's resampled t test, corrected with 1/30 + 0.3/0.7 (recomputed independently).
    for name, t in (("iris_logreg_vs_tree", 0.9713641219410015), ("iris_logreg_vs_stump", 11.407222704057087)):
        x, y = mlxtend_resampled(name)
        by_fraction = podium.stats.corrected_t(x, y, test_fraction=0.3)
        by_design = podium.stats.corrected_t(x, y, design=podium.Design(repeats=30, folds=1, test_fraction=0.3))
        assert by_fraction.statistic == pytest.approx(t, rel=1e-10)
        assert by_design.pvalue == by_fraction.pvalue


MLXTEND = {  # rasbt/mlxtend, test_paired_ttest_5x2cv.py and test_combined_ftest_5x2cv.py; recomputed to more digits
    "iris_logreg_vs_tree": (0.0, 1.0, 1.1395348837209296, 0.4704629478124442),
    "iris_logreg_vs_stump": (7.269390393784586, 0.0007701198372066765, 59.587155963302656, 0.00014469995171312574),
    "boston_lasso_vs_ridge": (-0.5988863889139442, 0.5753468424539419, 3.211123954573374, 0.10492702580435116),
}


def test_float_noise_does_not_decide_who_is_ahead_in_5x2():
    steps = np.repeat([[0.1], [0.2], [-0.3], [0.4], [-0.4]], 2, axis=1)  # which cancel out; their floats leave 1e-17
    for x, y in ((0.5 + steps, np.full((5, 2), 0.5)), (np.full((5, 2), 0.5), 0.5 + steps)):
        found = podium.stats.cv5x2_f(x, y)
        assert (found.pvalue, found.side, found.effect) == (1 / 32, 0, 0)


@pytest.mark.parametrize("name", MLXTEND)
def test_mlxtend_5x2(name):
    x, y = mlxtend_5x2(name)
    t, f = podium.stats.cv5x2_t(x, y), podium.stats.cv5x2_f(x, y)
    assert (t.statistic, t.pvalue, f.statistic, f.pvalue) == pytest.approx(MLXTEND[name], rel=1e-9, abs=1e-12)
    assert podium.stats.cv5x2_f(y, x).pvalue == pytest.approx(f.pvalue)


def ulas_scores():
    frame = podium.reading.example_frame("ulas2008/accuracies_5x2")
    algorithms = ["c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn"]
    order = frame.set_index(["dataset", "algorithm", "replication", "fold"])["accuracy"]
    datasets = list(dict.fromkeys(frame["dataset"]))
    full = order.reindex([(d, a, r, f) for d in datasets for a in algorithms for r in range(1, 6) for f in (1, 2)])
    return full.to_numpy().reshape(38, 8, 5, 2)


def test_ulas_2008_table_4_3():
    # Wins by the 5x2 cv F test at 0.05 on 38 datasets; bold (here: significant by the sign test) as printed.
    printed = np.array(
        [
            [0, 5, 3, 4, 2, 5, 0, 4],
            [5, 0, 0, 2, 0, 10, 0, 7],
            [11, 7, 0, 6, 3, 10, 3, 9],
            [7, 3, 1, 0, 0, 9, 0, 5],
            [9, 6, 4, 6, 0, 13, 2, 12],
            [7, 9, 8, 6, 5, 0, 1, 8],
            [14, 14, 10, 10, 8, 16, 0, 16],
            [6, 4, 4, 3, 1, 10, 1, 0],
        ]
    )
    bold = {(2, 1), (4, 1), (4, 3), (4, 7), (6, 0), (6, 1), (6, 3), (6, 5), (6, 7)}
    scores = ulas_scores()
    differences = settle(scores[:, :, None] - scores[:, None, :], scale=100.0)
    tested = kernel(differences.reshape(38, 8, 8, 10))
    pvalue = tested.pvalue
    assert tested.statistic.shape == pvalue.shape == tested.side.shape == (38, 8, 8)
    wins = ((pvalue < 0.05) & (differences.mean(axis=(-2, -1)) > 0)).sum(axis=0)
    assert wins.tolist() == printed.tolist()
    for i in range(8):
        for j in range(8):
            x = np.r_[np.ones(wins[i, j]), np.zeros(wins[j, i]), 0, 0]
            y = np.r_[np.zeros(wins[i, j]), np.ones(wins[j, i]), 0, 0]
            significant = podium.stats.sign(x, y).pvalue < 0.05 and wins[i, j] > wins[j, i]
            assert significant == ((i, j) in bold)


def test_many_f_tests_at_once_are_the_single_ones():
    random = np.random.default_rng(2)
    d = random.standard_normal((4, 3, 5, 2))
    tested = kernel(d.reshape(4, 3, 10))
    f, p = tested.statistic, tested.pvalue
    s2 = np.square(d - d.mean(axis=-1, keepdims=True)).sum(axis=-1)
    plain = np.square(d).sum(axis=(-2, -1)) / (2 * s2.sum(axis=-1))
    assert f == pytest.approx(plain)
    assert p == pytest.approx(f_law.sf(plain, 10, 5))


def test_f_without_variance():
    """p is that of the sign test on the second folds of the repeats with a difference: five, or two."""
    zero, constant, missing = np.zeros((5, 2)), np.full((5, 2), 0.1), np.full((5, 2), np.nan)
    two = np.outer([0.1, 0, 0, -0.3, 0], [1, 1])
    tested = kernel(np.array([zero, constant, two, missing]).reshape(4, 10))
    np.testing.assert_array_equal(tested.statistic, [0, np.inf, np.inf, np.nan])
    np.testing.assert_array_equal(tested.pvalue, [1, 1 / 32, 1 / 4, np.nan])
    assert podium.stats.cv5x2_f(constant, constant).pvalue == 1
    assert podium.stats.cv5x2_t(constant, constant).pvalue == 1
    assert podium.stats.cv5x2_t(constant, zero).statistic == np.inf


def test_the_f_interval_is_that_of_the_test():
    random = np.random.default_rng(3)
    d = random.normal(0.3, 1, (5, 2))
    result = podium.stats.cv5x2_f(d, np.zeros((5, 2)))
    for shift in (result.low - 1e-3, result.high + 1e-3):
        assert podium.stats.cv5x2_f(d, np.full((5, 2), shift)).pvalue < 0.05
    for shift in (result.low + 1e-3, result.high - 1e-3):
        assert podium.stats.cv5x2_f(d, np.full((5, 2), shift)).pvalue > 0.05


def test_k_fold_t_is_the_paired_t_on_folds():
    x, y = np.array([0.9, 0.8, 0.85, 0.9, 0.7]), np.array([0.8, 0.8, 0.83, 0.85, 0.72])
    for shape in ((5,), (1, 5)):
        result = podium.stats.kfold_t(x.reshape(shape), y.reshape(shape))
        assert result.pvalue == pytest.approx(ttest_rel(x, y).pvalue)
    assert "rejects far too often" in result.summary()


@pytest.mark.parametrize("test", [podium.stats.cv5x2_f, podium.stats.cv5x2_t, podium.stats.corrected_t])
def test_frames_of_folds_are_paired_by_label(test):
    values = np.random.default_rng(4).random((2, 5, 2))
    x, y = (pd.DataFrame(v, index=list("pqrst"), columns=["first", "second"]) for v in values)
    expected = test(*values).pvalue
    for other in (y, y.iloc[::-1], y[["second", "first"]], values[1]):
        assert test(x, other).pvalue == pytest.approx(expected)
    with pytest.raises(DataError, match="different labels in their index: give scores on the same folds"):
        test(x, y.set_axis(["first", "third"], axis=1))


def test_series_of_folds_are_paired_by_label():
    x, y = pd.Series([0.9, 0.8, 0.7], index=[1, 2, 3]), pd.Series([0.8, 0.75, 0.72], index=[1, 2, 3])
    for test, options in ((podium.stats.kfold_t, {}), (podium.stats.corrected_t, {"test_fraction": 0.3})):
        assert test(x, y[::-1], **options).pvalue == test(x, y, **options).pvalue
        with pytest.raises(DataError, match="different labels"):
            test(x, y.set_axis([1, 2, 4]), **options)


x52, x33 = np.ones((5, 2)), np.ones((3, 3))


@pytest.mark.parametrize(
    "call, kind, sentence",
    [
        (lambda: podium.stats.cv5x2_f(x33, x33), DesignError, "need 5 repeats of 2-fold cross-validation"),
        (
            lambda: podium.stats.cv5x2_t(np.ones(10), np.ones(10)),
            DesignError,
            "these scores have 10 x 1: use `corrected_t`",
        ),
        (lambda: kernel(np.ones((5, 3))), DesignError, "these scores have 3 scores: use `corrected_t`"),
        (lambda: podium.stats.cv5x2_f(x52, x33), DesignError, "their shapes are (5, 2) and (3, 3)"),
        (lambda: podium.stats.corrected_t([1, 2, 3], [1, 2]), DesignError, "must have the same repeats and folds"),
        (lambda: podium.stats.corrected_t([1, 2, 3], [1, 2, 4]), DesignError, "give `test_fraction`"),
        (lambda: podium.stats.corrected_t([[1, np.nan]], [[1, 2]]), DesignError, "`x` lacks the score at index (0, 1)"),
        (lambda: podium.stats.corrected_t([1.0], [2.0], test_fraction=0.3), DataError, "At least 2 folds are needed"),
        (
            lambda: podium.stats.corrected_t(x33, x33, test_fraction=3),
            ArgumentError,
            "`test_fraction` must lie strictly",
        ),
        (
            lambda: podium.stats.corrected_t(x33, x33, design=podium.Design(repeats=2, folds=3)),
            DesignError,
            "A design of 2 x 3 folds does not fit scores of shape (3, 3).",
        ),
        (
            lambda: podium.stats.kfold_t(5, 5),
            DataError,
            "`x` must be the scores of folds, as a list or as rows of repeats; got 5.",
        ),
        (lambda: podium.stats.kfold_t(None, None), DataError, "rows of repeats; got None."),
        (lambda: podium.stats.corrected_t(np.ones((2, 2, 2)), x33), DataError, "rows of repeats; it has 3 dimensions."),
        (
            lambda: podium.stats.corrected_t([[1, 2], [3]], x33),
            DataError,
            "found repeats with unequal numbers of folds.",
        ),
        (lambda: podium.stats.kfold_t(["a", "b"], [1, 2]), DataError, "`x` must contain only numbers; found text."),
        (lambda: podium.stats.kfold_t(x33, x33), DesignError, "got 3 repeats: use `corrected_t`"),
        (lambda: podium.stats.cv5x2_f(np.full((5, 2), np.inf), x52), DataError, "`x` has an infinite value"),
    ],
)
def test_bad_designs_are_one_sentence(call, kind, sentence):
    with pytest.raises(kind) as caught:
        call()
    assert sentence in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_design_is_a_design():
    with pytest.raises(DesignError, match=r"`design` must be a podium.Design.*got '10x10'"):
        podium.stats.corrected_t([0.9, 0.8], [0.7, 0.6], design="10x10")
