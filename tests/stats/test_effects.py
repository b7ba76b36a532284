"""Effect sizes: the estimates by their definitions, the intervals by their coverage."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest, nct

import podium
from podium.core.errors import DataError

SIZES = (
    podium.stats.mean_difference,
    podium.stats.median_difference,
    podium.stats.hodges_lehmann,
    podium.stats.rank_biserial,
    podium.stats.probability_of_superiority,
    podium.stats.cohen_dz,
)


def walsh(d):
    i, j = np.triu_indices(len(d))
    return np.sort((d[i] + d[j]) / 2)


@given(st.lists(st.integers(-50, 50), min_size=2, max_size=70))
def test_hodges_lehmann_is_the_median_of_walsh_averages(steps):
    d = np.array(steps, dtype=float)
    result = podium.stats.hodges_lehmann(d, np.zeros(len(d)))
    assert result.estimate == pytest.approx(np.median(walsh(d)))


@pytest.mark.parametrize("n, place", [(6, 1), (10, 9), (14, 22), (20, 53)])
def test_its_interval_is_made_of_walsh_averages(n, place):
    # The places are R's: qsignrank(0.025, n) in wilcox.test(conf.int = TRUE).
    d = np.random.default_rng(n).standard_normal(n)
    averages = walsh(d)
    result = podium.stats.hodges_lehmann(d, np.zeros(n))
    assert (result.low, result.high) == pytest.approx((averages[place - 1], averages[-place]))


def test_hollander_and_wolfe_interval():
    # Hollander and Wolfe's depression data: the 6th of 45 Walsh averages from either end (P(W <= 5) = 0.0195).
    x = np.array([1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30])
    y = np.array([0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29])
    result = podium.stats.hodges_lehmann(x, y)
    averages = walsh(x - y)
    assert result.estimate == pytest.approx(np.median(averages), abs=1e-9)
    assert (result.low, result.high) == pytest.approx((averages[5], averages[-6]), abs=1e-9)
    assert (result.estimate, result.low, result.high) == pytest.approx((0.46, 0.01, 0.786), abs=1e-9)


@pytest.mark.parametrize("digits", [9, 1, 0])
def test_the_exact_intervals_cover_as_often_as_they_say(digits):
    # Symmetric around 0, continuous or coarse: coverage at least 95 % less three standard errors of 3000 draws.
    random = np.random.default_rng(digits)
    differences = np.round(random.standard_t(3, size=(3000, 20)), digits)
    from podium.stats.exact.location import locations

    for walsh in (True, False):
        _, low, high = locations(differences, 0.95, walsh=walsh)
        assert ((low <= 0) & (high >= 0)).mean() > 0.95 - 3 * np.sqrt(0.95 * 0.05 / 3000)


def test_too_few_pairs_have_no_finite_exact_interval():
    result = podium.stats.hodges_lehmann([1, 2, 3, 4, 5], [0, 0, 0, 0, 0])
    assert (result.low, result.high) == (-np.inf, np.inf)
    assert podium.stats.hodges_lehmann([1, 2, 3, 4, 5, 6], [0] * 6).low == 1


def test_rank_biserial():
    # (15 - 6) / 21 for ranks 1..6 of which 1, 2, 3 are negative.
    result = podium.stats.rank_biserial([-1, -2, -3, 4, 5, 6], [0] * 6, rng=1)
    assert result.estimate == pytest.approx((15 - 6) / 21)
    assert -1 <= result.low <= result.estimate <= result.high <= 1
    again = podium.stats.rank_biserial([-1, -2, -3, 4, 5, 6], [0] * 6, rng=1)
    assert (again.low, again.high) == (result.low, result.high)
    assert podium.stats.rank_biserial([1, 2, 0], [0, 0, 0], rng=1).estimate == 1


def test_probability_of_superiority_is_clopper_and_pearsons():
    x = np.r_[np.ones(8), np.zeros(4)]
    result = podium.stats.probability_of_superiority(x, 1 - x)
    truth = binomtest(8, 12).proportion_ci(0.95, method="exact")
    assert (result.estimate, result.low, result.high) == pytest.approx((8 / 12, truth.low, truth.high))
    assert podium.stats.probability_of_superiority([1, 1], [0, 0]).high == 1
    assert "ties count half" in podium.stats.probability_of_superiority([1, 1], [1, 0]).method


def test_cohen_dz_inverts_the_noncentral_t():
    d = np.random.default_rng(4).normal(0.5, 1, 25)
    result = podium.stats.cohen_dz(d, np.zeros(25))
    t = result.estimate * 5
    assert result.estimate == pytest.approx(d.mean() / d.std(ddof=1))
    assert nct.sf(t, 24, result.low * 5) == pytest.approx(0.025, abs=1e-6)
    assert nct.cdf(t, 24, result.high * 5) == pytest.approx(0.025, abs=1e-6)
    with pytest.raises(DataError, match="differences that vary"):
        podium.stats.cohen_dz([1, 1, 1], [0, 0, 0])


@pytest.mark.parametrize("size", SIZES)
def test_swapping_mirrors_and_equal_algorithms_have_no_effect(size):
    random = np.random.default_rng(9)
    x, y = random.normal(0.1, 1, 15), random.normal(0, 1, 15)
    options = {"rng": 3} if size is podium.stats.rank_biserial else {}
    here, there = size(x, y, **options), size(y, x, **options)
    centre = 1.0 if size is podium.stats.probability_of_superiority else 0.0
    assert here.estimate == pytest.approx(centre - there.estimate)
    assert here.low == pytest.approx(centre - there.high)
    assert (here.wins, here.losses) == (there.losses, there.wins)
    assert size(x, x, **options).estimate == centre / 2
    assert f"{here.estimate:.4g}" in here.summary()


def test_all_effects_in_one_table():
    frame = podium.stats.effect_sizes([3, 4, 6, 6, 9, 9], [1, 1, 1, 6, 2, 3], rng=0).to_frame()
    assert list(frame.columns) == ["name", "estimate", "low", "high", "confidence", "method"]
    assert len(frame) == 6
    assert len(podium.stats.effect_sizes([2, 3, 4], [1, 2, 3], rng=0).effects) == 5  # constant: no d_z


@pytest.mark.parametrize("shift", [0.0, 0.3, 1.0, 3.0, 30.0])
def test_cohen_dz_of_the_exchanged_pair_is_its_mirror(shift):
    """Far from an observed t scipy's noncentral law is nan; the interval must come, and not depend on which is first."""
    x = np.array([0.1, -0.4, 0.9, 1.2, -1.1, 0.3, 0.2, -0.6, 0.5, -0.2, 1.0, -0.9])
    y = x[::-1] + shift
    worse, better = podium.stats.cohen_dz(x, y), podium.stats.cohen_dz(y, x)
    mirrored = (-better.estimate, -better.high, -better.low)
    assert (worse.estimate, worse.low, worse.high) == pytest.approx(mirrored, abs=1e-9)
    t = worse.estimate * np.sqrt(12)
    assert nct.cdf(t, 11, worse.low * np.sqrt(12)) == pytest.approx(0.975, abs=1e-6)
