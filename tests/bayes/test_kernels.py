"""The densities and moves of compiled samplers, one by one, against SciPy's densities: quick without compiling too."""

import numpy as np
import pytest
from scipy import special, stats

from podium.bayes import anova_robust_kernel as kernel
from podium.bayes import bradley_terry_kernel as bradley_terry
from podium.bayes import hierarchical_kernel as hierarchical
from podium.bayes import signed_rank_kernel as signed_rank
from podium.bayes.anova_model import RATE, SHAPE

pytestmark = pytest.mark.kernel


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


def student(y, present, level, a, d, df, sigma):
    """The log density of the scores that are there."""
    centre = level + a[None, :] + d[:, None]
    return stats.t.logpdf(y[present], df, centre[present], sigma).sum()


def small():
    """Scores of 4 datasets x 3 algorithms with a hole, and the effects of both."""
    rng = np.random.default_rng(3)
    present = np.ones((4, 3), dtype=bool)
    present[1, 2] = False
    y = np.where(present, rng.normal(size=(4, 3)), 0.0)
    return y, present, rng.normal(size=3), rng.normal(size=4)


def test_single_moves_accept_by_the_density():
    """The same random numbers, decided by SciPy's densities of all scores and of the effect."""
    y, present, a, d = small()
    scale, variance, level = np.array([np.log(0.6), np.log(3.0)]), 0.5, 0.2
    wide = 2.4 * 0.6 * np.sqrt((4.0 + 3) / (4.0 + 1)) / np.sqrt(3)
    stream, same, expected, moved = np.random.default_rng(5), np.random.default_rng(5), d.copy(), 0
    for _ in range(60):
        kernel._single_moves(y, present, level, d, a, scale, variance, stream)
        for j in range(4):
            new = expected.copy()
            new[j] += wide * same.standard_normal()
            gain = student(y, present, level, a, new, 4.0, 0.6) - student(y, present, level, a, expected, 4.0, 0.6)
            gain += np.diff(stats.norm.logpdf([expected[j], new[j]], 0, np.sqrt(variance)))[0]
            if np.log(same.random()) < gain:
                expected, moved = new, moved + 1
        assert d == pytest.approx(expected)
    assert 40 < moved < 200


def test_stretches_accept_by_the_density_of_effects_and_their_sigma():
    """The same random numbers, decided by the whole density of scores, effects and log sigmas, and by what a stretch does to volumes."""
    y, present, a, d = small()
    scale, logs = np.array([np.log(0.6), np.log(3.0)]), np.array([-0.2, 0.3])

    def density(effects, log_sigmas):
        total = student(y, present, 0.2, *effects, 4.0, 0.6)
        for own, log_sigma in zip(effects, log_sigmas, strict=True):
            sigma = np.exp(log_sigma)
            total += stats.norm.logpdf(own, 0, sigma).sum() + log_sigma
            total += stats.gamma.logpdf(sigma, SHAPE, scale=1 / RATE)
        return total

    stream, same, own, log_sigmas, moved = (
        np.random.default_rng(5),
        np.random.default_rng(5),
        [a.copy(), d.copy()],
        logs.copy(),
        0,
    )
    for _ in range(80):
        kernel._stretch(y, present, 0.2, a, d, logs, scale, stream)
        for factor in (0, 0, 1, 1):
            step = (0.1, 0.4, 1.5)[int(3 * same.random())] * same.standard_normal()
            new, new_logs = list(own), log_sigmas.copy()
            new[factor], new_logs[factor] = own[factor] * np.exp(step), log_sigmas[factor] + step
            gain = density(new, new_logs) - density(own, log_sigmas) + step * len(own[factor])
            if np.log(same.random()) < gain:
                own, log_sigmas, moved = new, new_logs, moved + 1
        assert (*a, *d, *logs) == pytest.approx((*own[0], *own[1], *log_sigmas))
    assert 60 < moved < 300


def test_the_scale_moves_by_its_density_and_its_proposal():
    """The same random numbers: two normal steps by the Cholesky factor of the proposal, decided by the density."""
    squares, scale, shape = (
        np.array([0.2, -0.4, 1.9, 0.7]) ** 2,
        np.array([-0.3, 1.0]),
        np.array([0.1, 0, 0, 0.3, 0.1, 0.5]),
    )
    root = np.linalg.cholesky([[0.3, 0.1], [0.1, 0.5]])
    stream, same, expected = np.random.default_rng(5), np.random.default_rng(5), scale.copy()
    for _ in range(60):
        kernel._move_scale(squares, scale, shape, 0.0, stream)
        for _ in range(kernel.SCALE_STEPS):
            new = expected + np.exp(0.1) * root @ same.standard_normal(2)
            gain = kernel._log_scale_target(squares, *new) - kernel._log_scale_target(squares, *expected)
            expected = new if np.log(same.random()) < gain else expected
        assert scale == pytest.approx(expected)
    assert shape.tolist() == [0.1, 0, 0, 0.3, 0.1, 0.5]


def test_the_proposal_of_the_scale_adapts_by_global_adaptive_scaling():
    """Algorithm 4 of Andrieu and Thoms (2008): towards an acceptance of 0.3, and the mean and covariance of where it was."""
    squares, scale, rate = np.array([0.2, -0.4, 1.9, 0.7]) ** 2, np.array([-0.3, 1.0]), 0.3
    shape, size, mean, covariance = (
        np.array([0.1, 0, 0, 0.3, 0.1, 0.5]),
        0.1,
        np.zeros(2),
        np.array([[0.3, 0.1], [0.1, 0.5]]),
    )
    stream, same, at = np.random.default_rng(5), np.random.default_rng(5), scale.copy()
    for _ in range(10):
        kernel._move_scale(squares, scale, shape, rate, stream)
        for _ in range(kernel.SCALE_STEPS):
            new = at + np.exp(size) * np.linalg.cholesky(covariance) @ same.standard_normal(2)
            gain = kernel._log_scale_target(squares, *new) - kernel._log_scale_target(squares, *at)
            at = new if np.log(same.random()) < gain else at
            gap = at - mean
            size, mean = size + rate * (min(1.0, np.exp(gain)) - 0.3), mean + rate * gap
            covariance = covariance + rate * (np.outer(gap, gap) - covariance) + 1e-6 * np.eye(2)
        assert (*scale, *shape) == pytest.approx((*at, size, *mean, *covariance[[0, 0, 1], [0, 1, 1]]))


def test_effects_are_drawn_from_their_normal_density():
    """Level and algorithms with the datasets integrated out, then the datasets: means by solving, noise by the same numbers."""
    y, present, _, _ = small()
    weights = np.where(present, np.random.default_rng(1).gamma(2.0, size=y.shape), 0.0)
    va, vd, level_a, d = 0.4, 1.3, np.zeros(4), np.zeros(4)
    kernel._effects(y, weights, level_a, d, va, vd, np.random.default_rng(5))
    design = np.zeros((12, 8))  # level, algorithms, datasets
    for place, (j, i) in enumerate(np.ndindex(4, 3)):
        design[place, [0, 1 + i, 4 + j]] = 1.0
    prior = np.diag(1 / np.array([25.0, *[va] * 3, *[vd] * 4]))
    precision, load = design.T @ (weights.ravel()[:, None] * design) + prior, design.T @ (weights * y).ravel()
    covariance, mean = np.linalg.inv(precision), np.linalg.solve(precision, load)
    same = np.random.default_rng(5)
    root = np.linalg.cholesky(np.linalg.inv(covariance[:4, :4]))
    assert level_a == pytest.approx(mean[:4] + np.linalg.solve(root.T, same.standard_normal(4)))
    block = precision[4:, 4:]  # diagonal
    rest = np.linalg.solve(block, load[4:] - precision[4:, :4] @ level_a)
    assert d == pytest.approx(rest + same.standard_normal(4) / np.sqrt(np.diag(block)))


def cdf_of(log_density, low, high):
    grid = np.linspace(low, high, 4001)
    mass = np.cumsum(np.exp(log_density(grid)))
    return lambda x: np.interp(x, grid, mass / mass[-1])


def test_slices_keep_the_density_of_a_sigma():
    rng, at, draws = np.random.default_rng(1), 3.0, np.empty(3000)
    for place in range(len(draws)):
        at = draws[place] = kernel._slice(at, 5, 2.0, rng)
    law = cdf_of(np.vectorize(lambda x: kernel._log_sigma_target(x, 5, 2.0)), -4, 4)
    assert stats.kstest(draws[20::3], law).pvalue > 0.01


WINS = np.array([[0, 7, 4], [3, 0, 6], [6, 4, 0]], dtype=float)


def test_the_density_of_an_ability_is_binomial_times_normal():
    ability = np.array([0.3, -0.8, 0.4])

    def expected(value):
        new = np.array([0.3, value, 0.4])
        wins = sum(
            stats.binom(10, special.expit(new[i] - new[k])).logpmf(WINS[i, k]) for i, k in ((0, 1), (0, 2), (1, 2))
        )
        return wins + stats.norm(0, np.exp(0.2)).logpdf(value)

    found = [bradley_terry._log_density(at, 1, ability, WINS, 0.2) for at in (-2.0, 0.0, 0.35, 1.5)]
    assert np.diff(found) == pytest.approx(np.diff([expected(at) for at in (-2.0, 0.0, 0.35, 1.5)]))


def test_the_density_of_log_sigma_of_abilities_is_normal():
    ability = np.array([0.3, -0.8, 0.4])
    expected = [
        stats.norm(0, 0.5).logpdf(at) + stats.norm(0, np.exp(at)).logpdf(ability).sum() for at in (-1.0, 0.0, 0.7)
    ]
    found = [bradley_terry._log_density(at, -1, ability, WINS, 9.9) for at in (-1.0, 0.0, 0.7)]
    assert np.diff(found) == pytest.approx(np.diff(expected))


@pytest.mark.parametrize("k, width", [(1, 1.0), (-1, 0.5)])
def test_slices_of_bradley_and_terry_keep_their_density(k, width):
    rng, ability, log_sigma, draws = np.random.default_rng(4), np.array([0.3, -0.8, 0.4]), 0.2, np.empty(3000)
    for place in range(len(draws)):
        draws[place] = bradley_terry._slice(k, width, ability, WINS, log_sigma, rng)
        if k >= 0:
            ability[k] = draws[place]
        else:
            log_sigma = draws[place]
    law = cdf_of(np.vectorize(lambda x: bradley_terry._log_density(x, k, ability, WINS, log_sigma)), -5, 5)
    assert stats.kstest(draws[20::3], law).pvalue > 0.01


@pytest.mark.parametrize("df", [0.7, 3.0, 40.0])
def test_a_grid_of_precisions_mixes_normals_to_students_t(df):
    taus, weights = np.empty(60), np.empty(60)
    hierarchical._grid(df, taus, weights)
    for x in (0.0, 0.5, 2.0, 6.0):
        mixed = weights @ stats.norm(0, 1 / np.sqrt(taus)).pdf(x)
        assert mixed == pytest.approx(stats.t(df).pdf(x), rel=1e-4)


def test_draws_of_a_delta_have_the_density_of_its_dataset():
    """A Student prior of 3 degrees around 0.1 times a likelihood that is a mixture of two normals."""
    nodes, log_weights = np.array([[0.5, 2.0]]), np.log([[0.3, 0.7]])
    points, means, scales = np.tile([0.1, 0.6, 3.0], (4000, 1)), np.array([1.5]), np.array([0.2])
    draws = hierarchical.draw_deltas(points, means, nodes, log_weights, scales, 60, np.random.default_rng(0))[:, 0]

    def log_density(delta):
        likelihood = 0.3 * stats.norm.pdf(1.5, delta, np.sqrt(0.4)) + 0.7 * stats.norm.pdf(1.5, delta, np.sqrt(0.1))
        return np.log(likelihood) + stats.t(3, loc=0.1, scale=0.6).logpdf(delta)

    assert stats.kstest(draws, cdf_of(log_density, -6, 8)).pvalue > 0.01


def test_without_wins_a_chain_of_bradley_and_terry_draws_its_prior():
    draws = bradley_terry.run_chain(np.zeros((2, 2)), 50, 2000, np.random.default_rng(3))
    assert stats.kstest(draws[::4, 0], stats.norm(0, 0.5).cdf).pvalue > 0.01
    assert stats.kstest(draws[::4, 2] / np.exp(draws[::4, 0]), stats.norm.cdf).pvalue > 0.01


def test_without_scores_a_chain_of_the_robust_anova_draws_its_prior():
    none = np.zeros((3, 2), dtype=bool)
    draws = kernel.run_chain(np.zeros((3, 2)), none, 200, 400, 8, np.random.default_rng(3))
    priors = {2: stats.gamma(SHAPE, scale=1 / RATE), 3: stats.gamma(SHAPE, scale=1 / RATE), 4: stats.norm(0, 5)}
    for place, prior in priors.items():
        own = np.exp(draws[:, place]) if place < 4 else draws[:, place]
        assert stats.kstest(own[::2], prior.cdf).pvalue > 0.01, place
    assert stats.kstest(draws[::2, 5] / np.exp(draws[::2, 2]), stats.norm.cdf).pvalue > 0.01
    assert stats.kstest(draws[::2, 7] / np.exp(draws[::2, 3]), stats.norm.cdf).pvalue > 0.01


def test_a_chain_of_the_robust_anova_finds_the_spread_of_its_errors():
    y = np.random.default_rng(0).normal(0, 2, (12, 4))
    draws = kernel.run_chain(y - y.mean(), np.ones(y.shape, dtype=bool), 150, 150, 1, np.random.default_rng(3))
    spread = np.exp(draws[:, 0]) * np.sqrt(
        stats.t.ppf(0.75, draws[:, 1]) ** 2 / stats.norm.ppf(0.75) ** 2
    )  # by the quartiles
    assert np.median(spread) == pytest.approx(2.0, rel=0.25)


def test_the_largest_share_wins_its_draw_and_equal_ones_share_it():
    shares = np.array([[0.7, 0.1, 0.5, 0.25, 1 / 3], [0.1, 0.6, 0.5, 0.25, 1 / 3]])  # left and right of five draws
    assert signed_rank.most_frequent(shares) == pytest.approx([1 + 0.5 + 1 / 3, 1 + 1 / 3, 1 + 0.5 + 1 / 3])
