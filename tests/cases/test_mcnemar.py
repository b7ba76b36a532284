"""McNemar's test."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom, binomtest, chi2

import podium
from podium.core.errors import ArgumentError, DataError
from refusals import refuses


def predictions(both, only_a, only_b, neither):
    a = np.repeat([1, 1, 0, 0], [both, only_a, only_b, neither])
    b = np.repeat([1, 0, 1, 0], [both, only_a, only_b, neither])
    return np.ones(len(a), dtype=int), a, b


def test_agresti_prime_minister():
    """Agresti, Categorical Data Analysis, table 10.1: 794, 150, 86, 570; both the exact and the mid-p value are binomial sums."""
    result = podium.cases.mcnemar(*predictions(794, 150, 86, 570))
    assert (result.wins, result.losses, result.both, result.neither) == (150, 86, 794, 570)
    assert result.effect == pytest.approx(0.04)
    assert result.low < 0.04 < result.high
    exact = binomtest(86, 236).pvalue
    assert result.pvalue == pytest.approx(exact - binom.pmf(86, 236, 0.5))
    # 17.36 is Agresti's z^2 without correction; so many cases leave little between it and the binomial law.
    assert result.pvalue == pytest.approx(chi2.sf(64**2 / 236, 1), rel=0.1)


@pytest.mark.parametrize("only_a, only_b", [(3, 9), (0, 5), (10, 10), (25, 11)])
def test_exact_is_binomial(only_a, only_b):
    result = podium.cases.mcnemar(*predictions(20, only_a, only_b, 4), method="exact")
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


@pytest.mark.parametrize(
    "only_a, only_b, pvalue", [(3, 9, 0.14599609375), (0, 5, 0.0625), (10, 10, 1.0), (25, 11, 0.028816719655878845)]
)
def test_exact_is_that_of_statsmodels(only_a, only_b, pvalue):
    """statsmodels 0.15.0: contingency_tables.mcnemar([[20, only_a], [only_b, 4]], exact=True).pvalue."""
    result = podium.cases.mcnemar(*predictions(20, only_a, only_b, 4), method="exact")
    assert result.pvalue == pytest.approx(pvalue, rel=1e-12)


def test_it_is_the_pair_of_the_room():
    truth, a, b = predictions(20, 11, 3, 6)
    found, pair = podium.cases.mcnemar(truth, a, b), podium.cases.all_pairs({"a": a, "b": b}).pair("a", "b")
    for name in ("pvalue", "effect", "low", "high", "wins", "ties", "losses", "side"):
        assert getattr(found, name) == pytest.approx(getattr(pair, name)), name
    assert podium.cases.mcnemar(truth, a, b, method="unconditional").pvalue == pytest.approx(0.0353, abs=0.02)
    assert podium.explain("mcnemar").signature.startswith("podium.cases.mcnemar(")
    assert not hasattr(podium.stats, "mcnemar")


def test_labels_may_be_words_and_equal_models_have_p_one():
    truth, same = ["cat", "dog", "cat"], ["cat", "cat", "cat"]
    for method in ("mid-p", "exact", "unconditional"):
        result = podium.cases.mcnemar(truth, same, same, method=method)
        assert (result.pvalue, result.effect) == (1, 0)
    assert "not of the algorithms" in result.summary()


def test_predictions_are_matched_by_index():
    truth, a, b = (pd.Series(labels, index=list("wxyz")) for labels in ([1, 1, 0, 0], [1, 0, 0, 0], [0, 1, 1, 1]))
    expected = podium.cases.mcnemar(truth, a, b)
    assert (expected.wins, expected.losses) == (3, 1)
    for shuffled in (podium.cases.mcnemar(truth, a[::-1], b), podium.cases.mcnemar(truth[::-1], a, b[::-1])):
        assert (shuffled.wins, shuffled.losses) == (3, 1)
    with pytest.raises(DataError, match="`y_true` and `pred_b` have different labels in their index"):
        podium.cases.mcnemar(truth, a, b.set_axis(list("wxya")))
    with pytest.raises(DataError, match="give `y_true` its index too"):
        podium.cases.mcnemar(truth.to_numpy(), a, b[::-1])


def test_a_model_that_is_always_wrong_is_no_error_of_coding():
    assert podium.cases.mcnemar([1, 1, 1], [0, 0, 0], [0, 1, 1]).losses == 2
    assert podium.cases.mcnemar([1, 0], [True, True], [1.0, 0.0]).losses == 1


@pytest.mark.parametrize("option", ["method", "interval"])
def test_an_unknown_method_is_refused(option):
    with refuses(ArgumentError, option, value="'asymptotic'"):
        podium.cases.mcnemar([1, 0], [1, 0], [1, 0], **{option: "asymptotic"})


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
        (([1, 0], [0.9, 0.2], [1, 0]), "such as 0.9, which are not labels of `y_true`: .* not probabilities"),
        (([1, 0], [1, 0], [1.0, 0.2]), "`pred_b` has values such as 0.2"),
        (([[1], [1, 2]], [1, 2], [1, 2]), "`y_true` must be one label per case; it has rows of unequal length"),
    ],
)
def test_bad_input(arguments, sentence):
    with pytest.raises(DataError, match=sentence):
        podium.cases.mcnemar(*arguments)


@pytest.mark.parametrize("confidence", [0.0, 1.0, 95, float("nan")])
def test_a_confidence_is_a_share(confidence):
    with pytest.raises(podium.ArgumentError) as refused:
        podium.cases.mcnemar([1, 0], [1, 0], [1, 0], confidence=confidence)
    assert "confidence" in str(refused.value)
