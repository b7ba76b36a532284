"""Posterior summaries of the Bayesian models by a general engine (NUTS of numpyro), for tests of the fast ways.

Run once, by hand, where numpyro is installed; it wrote references.json beside it:

    python make_references.py        (numpyro 0.22.0, jax 0.10.2, about 5 minutes)

Nothing is integrated out here: the models are written down as in the papers, in full.
"""

import json
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np
import numpyro
import numpyro.distributions as dist
from numpyro.diagnostics import summary
from numpyro.infer import MCMC, NUTS

jax.config.update("jax_enable_x64", True)


def sample(model, seed, *, samples=4000, accept=0.95):
    kernel = NUTS(model, target_accept_prob=accept)
    chains = MCMC(
        kernel, num_warmup=1500, num_samples=samples, num_chains=2, chain_method="vectorized", progress_bar=False
    )
    chains.run(jax.random.PRNGKey(seed))
    return {name: np.asarray(values) for name, values in chains.get_samples(group_by_chain=True).items()}


def describe(values):
    """Mean, sd and the effective size of one quantity, chains x draws."""
    found = summary({"q": values})["q"]
    return {"mean": float(values.mean()), "sd": float(values.std()), "ess": float(found["n_eff"])}


def gamma_mode_sd(mode, sd):
    rate = (mode + np.sqrt(mode**2 + 4 * sd**2)) / (2 * sd**2)
    return dist.Gamma(1 + mode * rate, rate)


def anova(y, robust):
    """Kruschke's two-factor model as in Wainer 2016; y is datasets x algorithms, nan for a hole."""
    rows, columns = y.shape
    known = ~np.isnan(y)
    s, m = np.nanstd(y, ddof=1), np.nanmean(y)
    j, i = np.nonzero(known)

    def model():
        sigma_y = numpyro.sample("sigma_y", dist.Uniform(s / 1000, 1000 * s))
        sigma_a = numpyro.sample("sigma_a", gamma_mode_sd(s / 2, 2 * s))
        sigma_d = numpyro.sample("sigma_d", gamma_mode_sd(s / 2, 2 * s))
        b0 = numpyro.sample("b0", dist.Normal(m, 5 * s))
        a = sigma_a * numpyro.sample("a_raw", dist.Normal(0, 1).expand([columns]))
        d = sigma_d * numpyro.sample("d_raw", dist.Normal(0, 1).expand([rows]))
        numpyro.deterministic("a", a)
        mean = b0 + a[i] + d[j]
        if robust:
            nu = numpyro.deterministic("nu", 1 + numpyro.sample("nu_minus_one", dist.Exponential(1 / 29)))
            numpyro.sample("y", dist.StudentT(nu, mean, sigma_y), obs=y[known])
        else:
            numpyro.sample("y", dist.Normal(mean, sigma_y), obs=y[known])

    return model


def summarise_anova(y, rope, *, robust, seed):
    draws = sample(anova(y, robust), seed)
    a = draws["a"]
    pairs = {}
    for i in range(y.shape[1]):
        for k in range(i + 1, y.shape[1]):
            gap = a[:, :, i] - a[:, :, k]
            chances = [float((gap < -rope).mean()), float((abs(gap) <= rope).mean()), float((gap > rope).mean())]
            pairs[f"{i}-{k}"] = {**describe(gap), "regions": chances}
    names = ["sigma_y", "sigma_a", "sigma_d", *(["nu"] if robust else [])]
    scales = {name: {**describe(draws[name]), "median": float(np.median(draws[name]))} for name in names}
    best = np.bincount(a.reshape(-1, y.shape[1]).argmax(axis=1), minlength=y.shape[1]) / a[:, :, 0].size
    return {
        "y": np.where(np.isnan(y), None, y).tolist(),
        "rope": rope,
        "pairs": pairs,
        "scales": scales,
        "best": best.tolist(),
    }


def hierarchical(x, rho):
    """Corani et al. 2017 with the multivariate normal written by its mean and its sum of squares within."""
    q, n = x.shape
    mean = x.mean(axis=1)
    within = ((x - mean[:, None]) ** 2).sum(axis=1)
    k = n / (1 + (n - 1) * rho)

    def model():
        delta0 = numpyro.sample("delta0", dist.Uniform(-abs(x).max(), abs(x).max()))
        std0 = numpyro.sample("std0", dist.Uniform(0, 1000 * mean.std()))
        alpha = numpyro.sample("alpha", dist.Uniform(1, 2))
        beta = numpyro.sample("beta", dist.Uniform(0.01, 0.1))
        nu = numpyro.deterministic("nu", 1 + numpyro.sample("nu_minus_one", dist.Gamma(alpha, beta)))
        delta = delta0 + std0 * numpyro.sample("z", dist.StudentT(nu, 0, 1).expand([q]))
        numpyro.deterministic("delta", delta)
        sigma = numpyro.sample("sigma", dist.Uniform(0, 1000 * x.std(axis=1).mean()).expand([q]))
        quadratic = within / (1 - rho) + k * (mean - delta) ** 2
        numpyro.factor("x", (-n * jnp.log(sigma) - quadratic / (2 * sigma**2)).sum())

    return model


def summarise_hierarchical(x, rho, rope, *, seed):
    from scipy import stats

    draws = sample(hierarchical(x, rho), seed, samples=6000, accept=0.98)
    d0, s0, nu = (draws[name] for name in ("delta0", "std0", "nu"))
    left, right = stats.t.cdf(-rope, nu, d0, s0), stats.t.sf(rope, nu, d0, s0)
    theta = np.stack([left, 1 - left - right, right], axis=-1)
    most = np.bincount(theta.reshape(-1, 3).argmax(axis=1), minlength=3) / theta[:, :, 0].size
    return {
        "gains": x.tolist(),
        "rho": rho,
        "rope": rope,
        "most_frequent": most.tolist(),
        "shares": [describe(theta[:, :, c]) for c in range(3)],
        "delta0": describe(d0),
        "log_std0": describe(np.log(s0)),
        "log_nu": describe(np.log(nu)),
        "delta": [describe(draws["delta"][:, :, i]) for i in range(len(x))],
    }


def summarise_bradley_terry(wins, rope, *, seed):
    count = len(wins)
    i, k = np.triu_indices(count, 1)

    def model():
        sigma = numpyro.sample("sigma", dist.LogNormal(0, 0.5))
        ability = sigma * numpyro.sample("raw", dist.Normal(0, 1).expand([count]))
        numpyro.deterministic("ability", ability)
        gap = ability[i] - ability[k]
        plus, minus = -jnp.logaddexp(0, -gap), -jnp.logaddexp(0, gap)
        numpyro.factor("wins", (wins[i, k] * plus + wins[k, i] * minus).sum())

    draws = sample(model, seed)
    pairs = {}
    for one, two in zip(i, k, strict=True):
        beats = 1 / (1 + np.exp(draws["ability"][:, :, two] - draws["ability"][:, :, one])) - 0.5
        chances = [float((beats < -rope).mean()), float((abs(beats) <= rope).mean()), float((beats > rope).mean())]
        pairs[f"{one}-{two}"] = {**describe(beats), "regions": chances}
    return {"wins": wins.tolist(), "rope": rope, "pairs": pairs, "sigma": describe(draws["sigma"])}


def main():
    rng = np.random.default_rng(20261115)
    level, effect = rng.normal(0.8, 0.1, (12, 1)), np.array([0.0, 0.01, 0.02, 0.05])
    full = level + effect + rng.normal(0, 0.02, (12, 4))
    holes = full.copy()
    holes[[0, 3, 7, 7], [1, 2, 0, 3]] = np.nan
    heavy = level + effect + 0.01 * rng.standard_t(1.5, (12, 4))
    gains = rng.normal(0.015, 0.01, (8, 1)) + rng.normal(0, rng.uniform(0.01, 0.04, (8, 1)), (8, 10))
    gains[5] += 0.08  # one outlying dataset
    wins = np.array([[(full[:, a] > full[:, b]).sum() for b in range(4)] for a in range(4)], dtype=float)
    made = {
        "engine": f"numpyro {numpyro.__version__}, jax {jax.__version__}, NUTS, 2 chains",
        "anova": summarise_anova(full, 0.01, robust=False, seed=1),
        "anova_holes": summarise_anova(holes, 0.01, robust=False, seed=2),
        "anova_robust": summarise_anova(heavy, 0.01, robust=True, seed=3),
        "hierarchical": summarise_hierarchical(gains, 0.1, 0.01, seed=4),
        "bradley_terry": summarise_bradley_terry(wins, 0.05, seed=5),
    }
    path = Path(__file__).with_name("references.json") if len(sys.argv) < 2 else Path(sys.argv[1])
    path.write_text(json.dumps(made, indent=1))


if __name__ == "__main__":
    main()
