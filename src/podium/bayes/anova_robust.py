"""The robust ANOVA: Student errors with unknown degrees of freedom, df = 1 + Exponential(mean 29)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from podium.bayes._anova import Fit
from podium.bayes.anova_model import AnovaData
from podium.bayes.diagnostics import Diagnostics, chain_diagnostics
from podium.bayes.pairs import pair_indices
from podium.bayes.posterior import Floats
from podium.core.errors import DataError

__all__ = ["fit_of_chains", "fit_robust"]

CHAINS = 4
NO_VARIANCE = (
    "No posterior predictive check: its discrepancy needs the variance of the errors, and Student errors with {df:.3g} "
    "degrees of freedom (posterior median; at most 2 with probability {chance:.2g}) have none."
)
CHECKED = "Posterior predictive check by the chi-square discrepancy: values near 0 or 1 speak against the model."


def fit_robust(
    data: AnovaData,
    rope: float,
    draws: int,
    credibility: float,
    rng: np.random.Generator,
    progress: Callable[[int, int], None] | None,
) -> Fit:
    """Four chains of the Gibbs sampler."""
    chains = _chains(data, draws, rng, progress)
    return fit_of_chains(data, chains, "Gibbs sampler, 4 chains", rope, credibility, rng)


def fit_of_chains(
    data: AnovaData, chains: Floats, method: str, rope: float, credibility: float, rng: np.random.Generator
) -> Fit:
    """What chains x draws x (log sigma_y, df, log sigma_a, log sigma_d, b0, a, d) say; fractions of the draws."""
    count = data.n_algorithms
    ess, rhat = chain_diagnostics(_watched(chains, count))
    diagnostics = Diagnostics(method=method, draws=chains.shape[0] * chains.shape[1], ess=ess, rhat=rhat)
    if rhat > 1.5 or ess < 20:
        raise DataError(f"The ANOVA did not settle (R-hat {rhat:.2f}): raise `draws`, or use normal errors.")
    flat = chains.reshape(-1, chains.shape[2])
    raw = flat[:, 5 : 5 + count]
    effects = raw - raw.mean(axis=1, keepdims=True)
    difference = np.column_stack([raw[:, i] - raw[:, k] for i, k in pair_indices(count)])
    right, left = (difference > rope).mean(axis=0), (difference < -rope).mean(axis=0)
    tail = (1 - credibility) / 2
    low, high = np.quantile(difference, [tail, 1 - tail], axis=0)
    pvalue, note = _predictive(data, flat, rng)
    return Fit(
        regions=np.column_stack([left, 1 - left - right, right]),
        difference=difference.mean(axis=0),
        low=low,
        high=high,
        level=flat[:, 4] + raw.mean(axis=1),
        effects=effects,
        sd_errors=np.exp(flat[:, 0]),
        sd_algorithms=np.exp(flat[:, 2]),
        sd_datasets=np.exp(flat[:, 3]),
        df=flat[:, 1],
        predictive_pvalue=pvalue,
        predictive_note=note,
        method=diagnostics.method,
        diagnostics=diagnostics,
        warnings=diagnostics.warnings(),
    )


def _chains(
    data: AnovaData, draws: int, rng: np.random.Generator, progress: Callable[[int, int], None] | None
) -> Floats:
    from podium.bayes.anova_robust_kernel import run_chain

    known, filled = ~np.isnan(data.y), np.nan_to_num(data.y)
    keep = -(-draws // CHAINS)
    thin = int(np.clip(2500 // data.n_scores, 1, 8))  # small tables are quick: make their draws worth more
    made = []
    for done, stream in enumerate(rng.spawn(CHAINS), start=1):
        made.append(run_chain(filled, known, max(500, keep // 2), keep, thin, stream))
        if progress is not None:
            progress(done, CHAINS)
    return np.stack(made)


def _watched(chains: Floats, count: int) -> Floats:
    """What must have settled: the scales, the degrees of freedom and the centred effects."""
    effects = chains[:, :, 5 : 5 + count]
    scales = [0, 1, 2, 3] if np.isfinite(chains[0, 0, 1]) else [0, 2, 3]
    return np.concatenate([chains[:, :, scales], effects - effects.mean(axis=2, keepdims=True)], axis=2)


def _predictive(data: AnovaData, flat: Floats, rng: np.random.Generator) -> tuple[float, str]:
    """The check, or the reason why there is none."""
    heavy = float((flat[:, 1] <= 2).mean())
    if heavy > 0:
        return float("nan"), NO_VARIANCE.format(df=float(np.median(flat[:, 1])), chance=heavy)
    some = flat[np.linspace(0, len(flat) - 1, 400).astype(int)]
    columns, known = data.n_algorithms, ~np.isnan(data.y)
    exceeded = 0
    for row in some:
        fitted = row[4] + row[5 : 5 + columns] + row[5 + columns :, None]
        observed = float((((data.y - fitted)[known]) ** 2).sum())
        size = int(known.sum())
        errors = rng.standard_t(row[1], size=size) if np.isfinite(row[1]) else rng.standard_normal(size)
        replicated = float(np.exp(2 * row[0]) * (errors**2).sum())
        exceeded += replicated >= observed
    return exceeded / len(some), CHECKED
