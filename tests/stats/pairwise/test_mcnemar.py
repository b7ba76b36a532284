"""McNemar's test."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binomtest, chi2

import podium
from podium.core.errors import ArgumentError, DataError


def predictions(both, only_a, only_b, neither):
    a = np.repeat([1, 1, 0, 0], [both, only_a, only_b, neither])
    b = np.repeat([1, 0, 1, 0], [both, only_a, only_b, neither])
    return np.ones(len(a), dtype=int), a, b


def test_agresti_prime_minister():
    # Agresti, Categorical Data Analysis, table 10.1: 794, 150, 86, 570; z^2 = 17.36 without correction.
    result = podium.stats.mcnemar(*predictions(794, 150, 86, 570), method="asymptotic", continuity=False)
    assert result.statistic == pytest.approx(64**2 / 236)
    assert result.statistic == pytest.approx(17.36, abs=0.005)
    assert result.pvalue == pytest.approx(chi2.sf(64**2 / 236, 1))
    corrected = podium.stats.mcnemar(*predictions(794, 150, 86, 570), method="asymptotic")
    assert corrected.statistic == pytest.approx(63**2 / 236)
    assert (result.wins, result.losses) == (150, 86)
    assert (result.details["both"], result.details["neither"]) == (794, 570)
    assert result.effect == pytest.approx(0.04)
    assert result.low < 0.04 < result.high


@pytest.mark.parametrize("only_a, only_b", [(3, 9), (0, 5), (10, 10), (25, 11)])
def test_exact_is_binomial(only_a, only_b):
    result = podium.stats.mcnemar(*predictions(20, only_a, only_b, 4))
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


def test_labels_may_be_words_and_equal_models_have_p_one():
    truth, same = ["cat", "dog", "cat"], ["cat", "cat", "cat"]
    for method in ("exact", "asymptotic"):
        result = podium.stats.mcnemar(truth, same, same, method=method)
        assert (result.pvalue, result.effect) == (1, 0)
    assert "not of the algorithms" in result.summary()


def test_predictions_are_matched_by_index():
    truth, a, b = (pd.Series(labels, index=list("wxyz")) for labels in ([1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 1]))
    expected = podium.stats.mcnemar(truth, a, b)
    assert (expected.wins, expected.losses) == (3, 1)
    for shuffled in (podium.stats.mcnemar(truth, a[::-1], b), podium.stats.mcnemar(truth[::-1], a, b[::-1])):
        assert (shuffled.wins, shuffled.losses) == (3, 1)
    with pytest.raises(DataError, match="`y_true` and `pred_b` have different labels in their index"):
        podium.stats.mcnemar(truth, a, b.set_axis(list("wxya")))
    with pytest.raises(DataError, match="give `y_true` its index too"):
        podium.stats.mcnemar(truth.to_numpy(), a, b[::-1])


def test_a_model_that_is_always_wrong_is_no_error_of_coding():
    assert podium.stats.mcnemar([1, 1, 1], [0, 0, 0], [0, 1, 1]).losses == 2
    assert podium.stats.mcnemar([1, 0], [True, True], [1.0, 0.0]).losses == 1


def test_continuity_is_true_or_false():
    with pytest.raises(ArgumentError, match="`continuity` must be True or False; got 'no'"):
        podium.stats.mcnemar([1, 0], [1, 0], [1, 0], continuity="no")


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (([1, 0], [1, 0], [1]), "must be labels of the same cases"),
        (([], [], []), "There is no case"),
        (([1.0, np.nan], [1, 0], [1, 0]), "`y_true` has a missing or infinite label"),
        (([1, 0], [1, None], [1, 0]), "`pred_a` has a missing or infinite label"),
        ((["a", "b"], ["a", "b"], ["a", np.nan]), "`pred_b` has a missing or infinite label"),
        (([1, 0], pd.Series([1, pd.NA], dtype="Int64"), [1, 0]), "`pred_a` has a missing"),
        (([1, 0], np.ma.masked_array([1, 0], mask=[False, True]), [1, 0]), "`pred_a` has a missing"),
        (([1, 0], ["1", "0"], [1, 0]), "`pred_a` has no label in common with `y_true` .1 there, '1' here.: code both"),
        (([1, 0], [1, 0], ["1", "0"]), "`pred_b` has no label in common"),
        (([0, 1], [2, 3], [2, 3]), "`pred_a` has no label in common"),
        (([1, 0], [0.9, 0.2], [1, 0]), "such as 0.9, which are no labels of `y_true`: .* not probabilities"),
        (([1, 0], [1, 0], [1.0, 0.2]), "`pred_b` has values such as 0.2"),
        (([[1], [1, 2]], [1, 2], [1, 2]), "`y_true` must be one label per case; it has rows of unequal length"),
    ],
)
def test_bad_input(arguments, sentence):
    with pytest.raises(DataError, match=sentence):
        podium.stats.mcnemar(*arguments)
