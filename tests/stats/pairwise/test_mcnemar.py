"""McNemar's test."""

import numpy as np
import pytest
from scipy.stats import binomtest, chi2

import podium
from podium.core.errors import DataError


def predictions(both, only_a, only_b, neither):
    a = np.repeat([1, 1, 0, 0], [both, only_a, only_b, neither])
    b = np.repeat([1, 0, 1, 0], [both, only_a, only_b, neither])
    return np.ones(len(a), dtype=int), a, b


def test_agresti_prime_minister():
    # Agresti, Categorical Data Analysis, table 10.1: 794, 150, 86, 570; z^2 = 17.36 without correction.
    result = podium.mcnemar(*predictions(794, 150, 86, 570), method="asymptotic", continuity=False)
    assert result.statistic == pytest.approx(64**2 / 236)
    assert result.statistic == pytest.approx(17.36, abs=0.005)
    assert result.pvalue == pytest.approx(chi2.sf(64**2 / 236, 1))
    corrected = podium.mcnemar(*predictions(794, 150, 86, 570), method="asymptotic")
    assert corrected.statistic == pytest.approx(63**2 / 236)
    assert (result.both, result.only_a, result.only_b, result.neither) == (794, 150, 86, 570)
    assert result.effect == pytest.approx(0.04)
    assert result.low < 0.04 < result.high


@pytest.mark.parametrize("only_a, only_b", [(3, 9), (0, 5), (10, 10), (25, 11)])
def test_exact_is_binomial(only_a, only_b):
    result = podium.mcnemar(*predictions(20, only_a, only_b, 4))
    assert result.method == "exact"
    assert result.pvalue == pytest.approx(binomtest(only_a, only_a + only_b).pvalue)


def test_labels_may_be_words_and_equal_models_have_p_one():
    truth, same = ["cat", "dog", "cat"], ["cat", "cat", "cat"]
    for method in ("exact", "asymptotic"):
        result = podium.mcnemar(truth, same, same, method=method)
        assert (result.pvalue, result.effect) == (1, 0)
    assert "not of the algorithms" in result.summary()


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        (([1, 0], [1, 0], [1]), "must be labels of the same cases"),
        (([], [], []), "There is no case"),
        (([1.0, np.nan], [1, 0], [1, 0]), "`y_true` has a missing or infinite label"),
    ],
)
def test_bad_input(arguments, sentence):
    with pytest.raises(DataError, match=sentence):
        podium.mcnemar(*arguments)
