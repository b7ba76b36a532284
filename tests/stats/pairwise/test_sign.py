"""The sign test."""

from math import comb

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom, binomtest, norm

import podium
from podium.core.errors import ArgumentError
from reference.published import demsar_auc
from refusals import refuses


def test_hollander_and_wolfe():
    # cran/coin, tests/Examples/coin-Ex.Rout.save: p = 0.08984 greater, 0.1797 two-sided.
    x = [1.83, 0.5, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.3]
    y = [0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29]
    assert podium.stats.sign(x, y).pvalue == 0.1796875
    assert podium.stats.sign(x, y, alternative="greater").pvalue == 0.08984375


def test_demsar_2006_section_3_1_4():
    # C4.5+m wins 11 of 14 with the two ties split. Exactly, p = 0.0574: Demsar's table 3 is an approximation.
    auc = demsar_auc()
    result = podium.stats.sign(auc["C4.5+m"], auc["C4.5"], ties="split")
    assert (result.statistic, result.details["trials"], result.ties) == (11, 14, 2)
    assert result.pvalue == pytest.approx(2 * sum(comb(14, k) for k in (11, 12, 13, 14)) / 2**14)
    dropped = podium.stats.sign(auc["C4.5+m"], auc["C4.5"])
    assert (dropped.statistic, dropped.details["trials"]) == (10, 12)


@pytest.mark.parametrize(
    "alpha, fewest",
    [
        (0.05, [None, 6, 7, 8, 8, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 17, 17, 18, 18]),
        (0.10, [5, 6, 7, 7, 8, 9, 9, 10, 10, 11, 12, 12, 13, 13, 14, 15, 15, 16, 16, 17, 18]),
    ],
)
def test_exact_critical_values_for_table_3_of_demsar_2006(alpha, fewest):
    # The fewest wins of 5 to 25 datasets that are significant, by the binomial law. The printed table is not exact:
    # many of its values are too small, such as 5 of 5 at 0.05, where p = 0.0625.
    for n, expected in enumerate(fewest, start=5):
        pvalues = [podium.stats.sign(np.arange(n) < wins, np.arange(n) >= wins).pvalue for wins in range(n + 1)]
        enough = [wins for wins, p in enumerate(pvalues) if p <= alpha and wins > n / 2]
        assert (enough[0] if enough else None) == expected


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from(("two-sided", "less", "greater")))
def test_the_binomial_law(wins, losses, side):
    x = np.r_[np.ones(wins), -np.ones(losses), 0, 0]
    p = podium.stats.sign(x, np.zeros(len(x)), alternative=side).pvalue
    if wins + losses == 0:
        assert p == 1
    else:
        few = min(wins, losses) if side == "two-sided" else wins
        truth = binomtest(few, wins + losses, alternative="less" if side == "two-sided" else side).pvalue
        assert p == pytest.approx(min(1, 2 * truth) if side == "two-sided" else truth, rel=1e-10)


def test_an_odd_tie_is_left_out_when_ties_are_split():
    result = podium.stats.sign([1, 1, 1, 0, 0, 0], [0, 0, 0, 0, 0, 0], ties="split")
    assert (result.statistic, result.details["trials"], result.ties) == (4, 5, 3)


def test_the_interval_of_the_median_is_that_of_the_test():
    random = np.random.default_rng(1)
    d = random.standard_normal(25)
    result = podium.stats.sign(d, np.zeros(25))
    inside, outside = result.low + 1e-6, result.low - 1e-6
    assert podium.stats.sign(d - inside, np.zeros(25)).pvalue > 0.05
    assert podium.stats.sign(d - outside, np.zeros(25)).pvalue <= 0.05
    assert result.effect == pytest.approx(np.median(d))


def test_all_ties_give_p_one_and_few_pairs_no_finite_interval():
    result = podium.stats.sign([0.5] * 4, [0.5] * 4)
    assert result.pvalue == 1
    assert (result.low, result.high) == (-np.inf, np.inf)
    assert result.to_dict()["low"] is None
    assert "equal scores: left out" in result.summary()


def test_bad_policy():
    with refuses(ArgumentError, "ties"):
        podium.stats.sign([1, 2], [2, 1], ties="keep")


def test_the_normal_approximation_and_the_table_of_critical_wins():
    # Demsar (2006, the Slovene paper, section 2.1): significant where the wins exceed n/2 + 1.96 sqrt(n)/2, about n/2 + sqrt(n).
    table = podium.stats.critical_wins(range(5, 41))
    for n, exact, normal in zip(table.sizes, table.exact, table.normal, strict=True):
        limit = n / 2 + 1.959964 * np.sqrt(n) / 2
        assert normal == int(np.ceil(limit))
        tail = [wins for wins in range(n // 2 + 1, n + 1) if 2 * binom.sf(wins - 1, n, 0.5) <= 0.05]
        assert exact == (tail[0] if tail else -1)
    assert table.to_frame()["exact"].tolist()[:2] == ["none", "6"]
    assert "even winning every dataset" in table.summary()
    d = np.repeat([1.0, -1.0], [11, 3])
    assert podium.stats.sign(d, np.zeros(14), method="asymptotic").pvalue == pytest.approx(
        2 * norm.sf((11 - 7) / (np.sqrt(14) / 2))
    )
    assert podium.stats.sign(d, np.zeros(14)).pvalue == pytest.approx(0.0574, abs=5e-5)
    with refuses(ArgumentError, "method"):
        podium.stats.sign(d, d, method="normal")
