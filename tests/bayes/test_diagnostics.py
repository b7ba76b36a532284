"""Diagnostics that must notice what is wrong, and importance sampling that must be right."""

import numpy as np
import pytest
from scipy import stats

from podium.bayes import diagnostics
from podium.bayes.diagnostics import Diagnostics, chain_diagnostics, pareto_shape
from podium.bayes.importance import _mode_and_scatter, _quasi_random, importance_sample
from podium.core.errors import DataError
from refusals import refuses


def test_independent_draws_are_all_effective():
    chains = np.random.default_rng(0).normal(size=(4, 1000, 2))
    ess, rhat = chain_diagnostics(chains)
    assert 3000 < ess < 5000
    assert rhat < 1.01


def test_correlated_draws_are_worth_less():
    rng = np.random.default_rng(1)
    chains = np.zeros((4, 4000, 1))
    noise = rng.normal(size=(4, 4000))
    for t in range(1, 4000):
        chains[:, t, 0] = 0.9 * chains[:, t - 1, 0] + noise[:, t]
    ess, _ = chain_diagnostics(chains)
    assert ess == pytest.approx(16_000 * 0.1 / 1.9, rel=0.25)  # (1 - rho) / (1 + rho)


def test_chains_that_disagree_are_noticed():
    chains = np.random.default_rng(0).normal(size=(4, 500, 1))
    chains[0] += 3
    ess, rhat = chain_diagnostics(chains)
    assert rhat > 1.2
    sentences = Diagnostics(method="x", draws=2000, ess=ess, rhat=rhat).warnings()
    assert any("chains disagree" in sentence for sentence in sentences)
    assert any("effective draws" in sentence for sentence in sentences)


@pytest.mark.parametrize("shape", [0.2, 0.5, 0.9])
def test_the_tail_of_weights_is_measured(shape):
    weights = stats.genpareto(shape).rvs(40_000, random_state=0)
    assert pareto_shape(np.log(weights)) == pytest.approx(shape, abs=0.15)
    assert pareto_shape(np.full(1000, 0.5)) == 0.0


def test_heavy_weights_are_told():
    assert "heavy tail" in Diagnostics(method="x", draws=9, ess=900, pareto_k=0.8).warnings()[0]
    assert Diagnostics(method="x", draws=9, ess=900, pareto_k=0.3, rhat=1.0).warnings() == ()


def test_importance_sampling_of_a_skewed_density():
    # Log-gamma coordinates, one of them shifted far from the start, with a correlation.
    def log_density(p):
        u, v = p[:, 0] - 6.0, p[:, 1] - 0.5 * p[:, 0]
        return 3.0 * u - np.exp(u) + 1.5 * v - np.exp(v)

    found = importance_sample(log_density, np.array([0.0, 0.0]), rng=np.random.default_rng(0))
    u = found.points[:, 0] - 6.0
    assert found.weights @ np.exp(u) == pytest.approx(3.0, rel=0.02)  # the mean of Gamma(3)
    assert found.diagnostics.ess > 3000
    index = found.resample(5000, np.random.default_rng(1))
    assert np.exp(u[index]).mean() == pytest.approx(3.0, rel=0.03)


def test_a_density_that_is_nowhere_is_refused():
    with pytest.raises(DataError, match="could not be sampled"):
        importance_sample(lambda p: np.full(len(p), -np.inf), np.zeros(2), rng=np.random.default_rng(0))


def test_a_constant_quantity_does_not_hide_chains_that_disagree():
    chains = np.random.default_rng(0).normal(size=(4, 500, 1))
    chains[:2] += 10
    alone = chain_diagnostics(chains)
    beside = chain_diagnostics(np.concatenate([np.ones((4, 500, 1)), chains], axis=2))
    assert beside == alone
    assert alone[1] > 1.7
    assert chain_diagnostics(np.ones((4, 500, 2))) == (2000.0, 1.0)


def test_points_of_the_importance_sample_advance_by_the_generalised_golden_ratio():
    """The roots of x^(d + 1) = x + 1: 1.6180, 1.3247 (the plastic number) and 1.2207 (Roberts 2018)."""
    for size, root in ((1, 1.6180339887), (2, 1.3247179572), (3, 1.2207440846)):
        steps = np.diff(_quasi_random(6, size, np.random.default_rng(0)), axis=0) % 1.0
        assert steps == pytest.approx(np.tile(root ** -np.arange(1.0, size + 1), (5, 1)))


def test_the_scatter_at_the_mode_of_a_normal_density_is_its_covariance():
    covariance, mean = np.array([[1.0, 0.6], [0.6, 2.0]]), np.array([0.5, -1.0])
    law = stats.multivariate_normal(mean, covariance)
    mode, scatter = _mode_and_scatter(lambda points: np.atleast_1d(law.logpdf(points)), np.zeros(2))
    assert mode == pytest.approx(mean, abs=0.1)
    assert scatter == pytest.approx(covariance, rel=1e-4)


@pytest.mark.parametrize("ess, rhat, settled", [(1000, 1.4, True), (1000, 1.6, False), (50, 1.0, False)])
def test_chains_that_did_not_settle_are_refused(monkeypatch, ess, rhat, settled):
    monkeypatch.setattr(diagnostics, "chain_diagnostics", lambda chains: (ess, rhat))
    chains = np.zeros((4, 25, 1))
    if settled:
        assert diagnostics.diagnosed(chains, "x", "The model", fewest=60).draws == 100
        return
    with refuses(DataError, "draws"):
        diagnostics.diagnosed(chains, "x", "The model", fewest=60)
    assert diagnostics.diagnosed(chains, "x").ess == ess  # what was not sampled is told, not refused
