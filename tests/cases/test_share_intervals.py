"""Intervals of a share and of a difference of two paired shares: published values, SciPy's, oracles, and symmetry.

Published values: tables of Newcombe's two papers of 1998, as the tests of the R package ratesci by Laud (test3.R) and other public
programs quote them; and the tests of the R package contingencytables, the programs of Fagerland, Lydersen and Laake's
"Statistical Analysis of Contingency Tables" (2017). The oracles: Newcombe's interval from SciPy's Wilson limits and the
correlation of the two columns of 0 and 1, Tango's from the likelihood maximised by SciPy.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import optimize, stats

import podium
from podium.cases import share_interval
from podium.cases.binary import DIFFERENCES, SHARES, newcombe, tango
from podium.core.errors import PodiumError

Z = 1.959963985

# Newcombe 1998 (Statistics in Medicine 17, 857-872), table I, methods 3 and 5; 13 of 16: contingencytables, test-ch2.R.
SINGLE = {
    (81, 263): ((0.2553, 0.3662), (0.2527, 0.3676)),
    (15, 148): ((0.0624, 0.1605), (0.0578, 0.1617)),
    (0, 20): ((0.0, 0.1611), (0.0, 0.1684)),
    (1, 29): ((0.0061, 0.1718), (0.0009, 0.1776)),
    (13, 16): ((0.5699, 0.9341), (0.5435, 0.9595)),
}
# Brown, Cai and DasGupta 2001, table of Jeffreys' limits for n = 7; the last: contingencytables, test-ch2.R.
JEFFREYS = {
    (0, 7): (0.0, 0.292),
    (1, 7): (0.016, 0.501),
    (2, 7): (0.065, 0.648),
    (13, 16): (0.5792, 0.9442),
}

# Cases that both, only the first, only the second, and neither pass: Newcombe 1998 (Statistics in Medicine 17, 2635-2650), table III,
# method 10; then Fagerland, Lydersen and Laake 2014 (the data of Bentur), and Tang 2010 and Chang 2024 as in ratesci, test3.R.
NEWCOMBE = {
    (36, 12, 2, 0): (0.0569, 0.3404),
    (20, 12, 2, 16): (0.0562, 0.3292),
    (18, 12, 2, 18): (0.0562, 0.3290),
    (36, 14, 0, 0): (0.1528, 0.4167),
    (35, 14, 0, 1): (0.1461, 0.4175),
    (18, 14, 0, 18): (0.1441, 0.3963),
    (2, 97, 1, 0): (0.8721, 0.9854),
    (1, 97, 1, 1): (0.8736, 0.9850),
    (0, 29, 1, 0): (0.6666, 0.9882),
    (2, 98, 0, 0): (0.9178, 0.9945),
    (1, 98, 0, 1): (0.9171, 0.9916),
    (0, 30, 0, 0): (0.8395, 1.0),
    (54, 0, 0, 0): (-0.0664, 0.0664),
    (53, 0, 0, 1): (-0.0729, 0.0729),
    (30, 0, 0, 24): (-0.0358, 0.0358),
    (29, 0, 0, 25): (-0.0354, 0.0354),
    (28, 0, 0, 26): (-0.0352, 0.0352),
    (27, 0, 0, 27): (-0.0351, 0.0351),
    (1, 1, 7, 12): (-0.507, -0.026),
    (8, 3, 1, 2): (-0.1574, 0.4136),
    (7, 25, 2, 68): (0.133, 0.318),
}
# Only the first, only the second, all cases, confidence: the examples of Tango 1998, Agresti and Min 2005, Fagerland and others 2014,
# Tang 2010 and Chang 2024, as in ratesci, test3.R.
TANGO = {
    (9, 3, 32, 0.95): (-0.027, 0.390),
    (0, 1, 44, 0.9): (-0.096, 0.037),
    (16, 8, 86, 0.95): (-0.020, 0.207),
    (1, 7, 21, 0.95): (-0.517, -0.026),
    (3, 1, 14, 0.95): (-0.1670, 0.4327),
    (25, 2, 102, 0.95): (0.139, 0.321),
}


@pytest.mark.parametrize("counts", SINGLE)
def test_wilson_and_clopper_pearson_of_published_examples(counts):
    for method, expected in zip(("wilson", "clopper_pearson"), SINGLE[counts], strict=True):
        assert [float(end) for end in share_interval(*counts, method=method)] == pytest.approx(expected, abs=6e-5)


def test_jeffreys_of_published_examples():
    for counts, expected in JEFFREYS.items():
        assert [float(end) for end in share_interval(*counts, method="jeffreys")] == pytest.approx(expected, abs=5e-4)


@pytest.mark.parametrize("counts", NEWCOMBE)
def test_newcombe_of_published_examples(counts):
    both, b, c, _ = counts
    found, expected = [float(end) for end in newcombe(b, c, sum(counts), both, Z)], NEWCOMBE[counts]
    digits = max(len(str(end).split(".")[1]) for end in expected)
    assert found == pytest.approx(expected, abs=10**-digits)


@pytest.mark.parametrize("counts", TANGO)
def test_tango_of_published_examples(counts):
    *cases, confidence = counts
    found = [float(end) for end in tango(*cases, stats.norm.ppf((1 + confidence) / 2))]
    assert found == pytest.approx(TANGO[counts], abs=5.1e-4)


def test_the_data_of_cavo_by_the_programs_of_fagerland_lydersen_and_laake():
    """Both 59, only the first 6, only the second 16, neither 80: contingencytables, test-ch8.R."""
    b, c, n, both = 6, 16, 161, 59
    expected = {"newcombe": (-0.1186, -0.0046), "tango": (-0.1240, -0.0054), "bonett_price": (-0.1195, -0.0032)}
    for interval, ends in expected.items():
        found = [float(end) for end in DIFFERENCES[interval](b, c, n, both, Z)]
        assert found == pytest.approx(ends, abs=6e-5)
    truth, first, second = (
        np.ones(n),
        np.repeat([1, 1, 0, 0], [59, 6, 16, 80]),
        np.repeat([1, 0, 1, 0], [59, 6, 16, 80]),
    )
    for method, pvalue in {"exact": 0.052479, "mid-p": 0.034690}.items():
        found = podium.cases.mcnemar(truth, first, second, method=method, interval="newcombe")
        assert found.pvalue == pytest.approx(pvalue, abs=6e-7)
        assert (found.low, found.high) == pytest.approx(expected["newcombe"], abs=6e-5)
        assert "newcombe1998" in found.references
        assert (found.wins, found.losses, found.both, found.neither) == (b, c, both, 80)


COUNTS = [
    (12, 2, 50, 36),
    (1, 7, 21, 1),
    (5, 5, 40, 20),
    (9, 0, 30, 15),
    (0, 3, 25, 22),
    (2, 1, 200, 150),
    (30, 12, 100, 4),
]


@pytest.mark.parametrize("b, c, n, both", COUNTS)
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_newcombe_from_scipys_wilson_limits_and_the_correlation_of_the_columns(b, c, n, both, confidence):
    """Method 10: the distances of each share to its Wilson limits, put together by phi with half a case per cell off."""
    neither = n - b - c - both
    x, y = np.repeat([1, 1, 0, 0], [both, b, c, neither]), np.repeat([1, 0, 1, 0], [both, b, c, neither])
    phi = 0.0
    if x.std() > 0 and y.std() > 0:
        covariance = np.cov(x, y, ddof=0)[0, 1] * n**2  # both * neither - b * c
        corrected = max(covariance - n / 2, 0.0) if covariance > 0 else covariance
        phi = corrected / (x.std() * y.std() * n**2)
    first, second = (stats.binomtest(int(each.sum()), n).proportion_ci(confidence, method="wilson") for each in (x, y))
    gaps = (
        (x.mean() - first.low, second.high - y.mean()),
        (first.high - x.mean(), y.mean() - second.low),
    )
    down, up = (float(np.sqrt(one**2 + other**2 - 2 * phi * one * other)) for one, other in gaps)
    middle = x.mean() - y.mean()
    found = [float(end) for end in newcombe(b, c, n, both, stats.norm.ppf((1 + confidence) / 2))]
    assert found == pytest.approx((middle - down, middle + up), abs=1e-9)


def tango_oracle(b, c, n, quantile):
    """Where the score statistic is the quantile, with the nuisance parameter that maximises the trinomial likelihood."""

    def statistic(difference):
        # P(only the second) = q, P(only the first) = q + difference, the rest neither or both.
        low, high = max(0.0, -difference), (1 - difference) / 2

        def score(q):  # the derivative of the log-likelihood in q, times its denominators, which are positive inside
            rest = 1 - difference - 2 * q
            return b * q * rest + c * (q + difference) * rest - 2 * (n - b - c) * q * (q + difference)

        q = optimize.brentq(score, low + 1e-12 * (high - low), high, xtol=1e-15)
        variance = 2 * q + difference - difference**2
        return (b - c - n * difference) / np.sqrt(n * variance)

    middle, edge = (b - c) / n, 1 - 1e-9
    low = optimize.brentq(lambda at: statistic(at) - quantile, -edge, middle)
    high = optimize.brentq(lambda at: statistic(at) + quantile, middle, edge)
    return low, high


@pytest.mark.parametrize("b, c, n, both", [row for row in COUNTS if row[0] and row[1]])
@pytest.mark.parametrize("confidence", [0.9, 0.95, 0.99])
def test_tango_is_where_the_score_statistic_meets_the_quantile(b, c, n, both, confidence):
    quantile = float(stats.norm.ppf((1 + confidence) / 2))
    assert [float(end) for end in tango(b, c, n, quantile)] == pytest.approx(tango_oracle(b, c, n, quantile), abs=1e-7)


@given(st.integers(0, 60), st.integers(1, 60), st.sampled_from([0.8, 0.95, 0.99]))
def test_wilson_and_clopper_pearson_are_scipys_and_jeffreys_has_its_beta_law(passed, more, confidence):
    n = passed + more
    exact = stats.binomtest(passed, n).proportion_ci(confidence, method="exact")
    assert [float(end) for end in share_interval(passed, n, method="clopper_pearson", confidence=confidence)] == (
        pytest.approx((exact.low, exact.high), abs=1e-9)
    )
    score = stats.binomtest(passed, n).proportion_ci(confidence, method="wilson")
    assert [float(end) for end in share_interval(passed, n, method="wilson", confidence=confidence)] == (
        pytest.approx((score.low, score.high), abs=1e-9)
    )
    low, high = stats.beta(passed + 0.5, more + 0.5).interval(confidence)
    assert [float(end) for end in share_interval(passed, n, method="jeffreys", confidence=confidence)] == (
        pytest.approx((low if passed else 0.0, high), abs=1e-9)
    )


@pytest.mark.parametrize("method", SHARES)
@given(passed=st.integers(0, 40), failed=st.integers(0, 40))
def test_failures_are_mirrored_successes(method, passed, failed):
    n = max(passed + failed, 1)
    low, high = share_interval(passed, n, method=method)
    mirrored = share_interval(n - passed, n, method=method)
    assert (1 - float(mirrored[1]), 1 - float(mirrored[0])) == pytest.approx((float(low), float(high)), abs=1e-9)
    assert low <= passed / n <= high


@pytest.mark.parametrize("interval", DIFFERENCES)
@given(counts=st.tuples(*[st.integers(0, 12)] * 4).filter(lambda counts: sum(counts) > 1))
def test_the_interval_of_a_difference_turns_with_the_two(interval, counts):
    both, b, c, _ = counts
    n = sum(counts)
    low, high = DIFFERENCES[interval](b, c, n, both, 1.96)
    turned = DIFFERENCES[interval](c, b, n, both, 1.96)
    assert (-float(turned[1]), -float(turned[0])) == pytest.approx((float(low), float(high)), abs=1e-9)
    assert low - 1e-9 <= (b - c) / n <= high + 1e-9 or interval == "bonett_price"


def test_what_is_no_share_is_refused():
    for wrong in ((5, 4), (-1, 3), (0, 0)):
        with pytest.raises(PodiumError):
            share_interval(*wrong)
    with pytest.raises(PodiumError):
        share_interval(1, 2, method="wald")
