"""The densities and moves of the robust ANOVA, one by one, against SciPy's densities and sums over a fine grid."""

import numpy as np
import pytest
from scipy import stats

from podium.bayes import anova_robust_kernel as kernel
from podium.bayes.anova_model import RATE, SHAPE


def test_the_density_of_log_sigma_is_gamma_times_normal():
    effects = np.array([0.3, -1.1, 0.4])

    def expected(log_sigma):
        sigma = np.exp(log_sigma)  # the last summand below goes from sigma to its logarithm
        prior = stats.gamma(SHAPE, scale=1 / RATE).logpdf(sigma)
        return prior + stats.norm(0, sigma).logpdf(effects).sum() + log_sigma

    for low, high in ((-2.0, 0.5), (0.0, 1.0), (-0.3, 3.0)):
        found = [kernel._log_sigma_target(at, len(effects), float(effects @ effects)) for at in (low, high)]
        assert found[1] - found[0] == pytest.approx(expected(high) - expected(low), rel=1e-10)


def test_the_likelihood_of_a_row_is_students():
    y, others = np.array([0.2, -0.4, 1.9, 0.7]), np.array([0.1, 0.0, -0.3, 0.2])
    known = np.array([True, True, False, True])

    def expected(at, df, sigma):
        return stats.t(df, loc=at + others[known], scale=sigma).logpdf(y[known]).sum()

    df, sigma = 3.5, 0.8
    found = [kernel._student(y, known, others, at, df, sigma) for at in (-0.5, 0.6)]
    assert found[1] - found[0] == pytest.approx(expected(0.6, df, sigma) - expected(-0.5, df, sigma), rel=1e-10)


def test_the_density_of_scale_and_degrees_of_freedom_is_students_with_its_priors():
    residuals = np.array([0.2, -0.4, 1.9, 0.7, -0.1])

    def expected(log_sigma, log_df):
        df = 1 + np.exp(log_df)
        prior = stats.expon(scale=kernel.MEAN_DF).logpdf(df - 1) + log_df  # uniform in sigma, as log_sigma says
        return stats.t(df, scale=np.exp(log_sigma)).logpdf(residuals).sum() + prior + log_sigma

    at = [(-0.7, 0.3), (0.4, 2.0), (0.0, 4.0)]
    found = [kernel._log_scale_target(residuals**2, *place) for place in at]
    wanted = [expected(*place) for place in at]
    assert np.diff(found) == pytest.approx(np.diff(wanted), rel=1e-10)
    assert kernel._log_scale_target(residuals**2, 7.0, 1.0) == -np.inf  # a thousandth to a thousand times the spread


def test_single_moves_keep_their_density():
    rng = np.random.default_rng(3)
    y, others, known = np.array([[0.9, 1.6, -0.2]]), np.array([0.1, -0.2, 0.0]), np.ones((1, 3), dtype=bool)
    scale, variance, level = np.array([np.log(0.6), np.log(3.0)]), 0.5, 0.2
    grid = np.linspace(-4, 4, 4001)
    density = np.array([stats.t(4.0, loc=level + at + others, scale=0.6).logpdf(y[0]).sum() for at in grid])
    weight = np.exp(density + stats.norm(0, np.sqrt(variance)).logpdf(grid))
    mean, square = (weight * grid).sum() / weight.sum(), (weight * grid**2).sum() / weight.sum()
    effect, draws = np.zeros(1), np.empty(40_000)
    for i in range(len(draws)):
        kernel._single_moves(y, known, level, effect, others, scale, variance, rng)
        draws[i] = effect[0]
    spread = np.sqrt(square - mean**2)
    assert draws.mean() == pytest.approx(mean, abs=0.05 * spread)  # some 10,000 effective draws: five standard errors
    assert draws.std() == pytest.approx(spread, rel=0.05)
