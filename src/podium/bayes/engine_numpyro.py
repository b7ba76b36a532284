"""The same models by NUTS of numpyro, for the curious and for cross-checks; never needed.

Nothing is integrated out: the models stand here as in the papers. Minutes instead of a second.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

from podium.bayes.anova_model import RATE, SHAPE, AnovaData
from podium.bayes.diagnostics import CHAINS
from podium.bayes.hierarchical_data import GainFolds
from podium.core.arrays import Floats
from podium.core.errors import MissingPackageError


def anova_chains(data: AnovaData, draws: int, robust: bool, rng: np.random.Generator) -> Floats:
    """chains x draws x (log sigma_y, df, log sigma_a, log sigma_d, b0, a, d), as the Gibbs sampler gives them."""
    numpyro, dist, _ = _engine()
    rows, columns = data.y.shape
    j, i = np.nonzero(~np.isnan(data.y))

    def model() -> None:
        sigma_y = numpyro.sample("sigma_y", dist.Uniform(1e-3, 1e3))
        sigma_a = numpyro.sample("sigma_a", dist.Gamma(SHAPE, RATE))
        sigma_d = numpyro.sample("sigma_d", dist.Gamma(SHAPE, RATE))
        b0 = numpyro.sample("b0", dist.Normal(0, 5))
        a = sigma_a * numpyro.sample("a_raw", dist.Normal(0, 1).expand([columns]))
        d = sigma_d * numpyro.sample("d_raw", dist.Normal(0, 1).expand([rows]))
        numpyro.deterministic("a", a)
        numpyro.deterministic("d", d)
        mean = b0 + a[i] + d[j]
        if robust:
            df = 1 + numpyro.sample("from_one", dist.Exponential(1 / 29))
            numpyro.sample("y", dist.StudentT(df, mean, sigma_y), obs=data.y[j, i])
        else:
            numpyro.sample("y", dist.Normal(mean, sigma_y), obs=data.y[j, i])

    drawn = _sample(model, draws, rng)
    df = 1 + drawn["from_one"] if robust else np.full(drawn["b0"].shape, np.inf)
    scales = [np.log(drawn["sigma_y"]), df, np.log(drawn["sigma_a"]), np.log(drawn["sigma_d"]), drawn["b0"]]
    return np.concatenate([np.stack(scales, axis=2), drawn["a"], drawn["d"]], axis=2)


def hierarchical_chains(data: GainFolds, draws: int, rng: np.random.Generator) -> tuple[Floats, Floats]:
    """chains x draws x (delta0, std0, df), and chains x draws x datasets of delta."""
    numpyro, dist, jnp = _engine()
    n = data.counts
    k = n / (1 + (n - 1) * data.rho)
    within = 2 * k * data.scales  # S, the sum of squares within, over 1 - rho

    def model() -> None:
        delta0 = numpyro.sample("delta0", dist.Uniform(-data.largest, data.largest))
        std0 = numpyro.sample("std0", dist.Uniform(0, data.widest))
        alpha = numpyro.sample("alpha", dist.Uniform(1, 2))
        beta = numpyro.sample("beta", dist.Uniform(0.01, 0.1))
        df = numpyro.deterministic("df", 1 + numpyro.sample("from_one", dist.Gamma(alpha, beta)))
        delta = delta0 + std0 * numpyro.sample("z", dist.StudentT(df, 0, 1).expand([len(n)]))
        numpyro.deterministic("delta", delta)
        sigma = numpyro.sample("sigma", dist.Uniform(0, 1000.0).expand([len(n)]))
        quadratic = within + k * (data.means - delta) ** 2
        numpyro.factor("x", (-n * jnp.log(sigma) - quadratic / (2 * sigma**2)).sum())

    drawn = _sample(model, draws, rng)
    return np.stack([drawn["delta0"], drawn["std0"], drawn["df"]], axis=2), drawn["delta"]


def _engine() -> tuple[Any, Any, Any]:
    try:
        names = ("numpyro", "numpyro.distributions", "jax.numpy", "jax")
        numpyro, distributions, arrays, jax = (importlib.import_module(name) for name in names)
    except ImportError:
        raise MissingPackageError("numpyro", "engine='numpyro'") from None
    jax.config.update("jax_enable_x64", True)
    return numpyro, distributions, arrays


def _sample(model: Callable[[], None], draws: int, rng: np.random.Generator) -> dict[str, Floats]:
    """NUTS, four chains after 1000 steps of warm-up each; named arrays, chains x draws x ..."""
    random, infer = importlib.import_module("jax.random"), importlib.import_module("numpyro.infer")
    keep = -(-draws // CHAINS)
    kernel = infer.NUTS(model, target_accept_prob=0.95)
    chains = infer.MCMC(kernel, num_warmup=1000, num_samples=keep, num_chains=CHAINS, chain_method="vectorized",
                  progress_bar=False)  # fmt: skip
    chains.run(random.PRNGKey(int(rng.integers(2**31))))
    return {name: np.asarray(values) for name, values in chains.get_samples(group_by_chain=True).items()}
