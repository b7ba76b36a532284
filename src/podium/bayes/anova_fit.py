"""Both ways to fit the Bayesian ANOVA: normal errors by importance sampling, Student errors by a Gibbs sampler."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.bayes.anova_model import (
    CELLS,
    AnovaData,
    Sigmas,
    draw_datasets,
    draw_effects,
    log_posterior,
    pair_moments,
    sigmas_at,
)
from podium.bayes.diagnostics import CHAINS, Diagnostics, diagnosed
from podium.bayes.importance import importance_sample
from podium.bayes.posterior import of_all_gaps, quantiles, regions
from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.numbers import number
from podium.core.pairs import pair_indices
from podium.core.progress import Progress, tracked

MOST_DRAWN = 50_000_000  # effects of datasets and algorithms in all draws: 400 MB, and two copies
MIXTURE_CELLS = 3_000_000  # at most so many pairs x components at a time
FEWEST = 200  # components
SDS = ("sd_errors", "sd_algorithms", "sd_datasets")
GIBBS = f"Gibbs sampler, {CHAINS} chains"
NO_VARIANCE = (
    "No posterior predictive check: its discrepancy needs the variance of the errors, and Student errors with {df} "
    "degrees of freedom (posterior median; at most 2 with probability {chance}) have none."
)
CHECKED = "Posterior predictive check by the chi-square discrepancy: values near 0 or 1 speak against the model."


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """What a way of fitting gives, in units of the sd of the data.

    `sds` are draws of the sd of errors, algorithms and datasets, `df` those of the Student errors (inf: normal ones).
    """

    regions: Floats
    difference: Floats
    low: Floats
    high: Floats
    level: Floats
    effects: Floats
    sds: dict[str, Floats]
    df: Floats
    predictive_pvalue: float
    predictive_note: str
    method: str
    diagnostics: Diagnostics


def fit_normal(data: AnovaData, rope: float, draws: int, credibility: float, rng: np.random.Generator) -> Fit:
    """Weighted points in three variances, exact Gaussian effects at each."""
    pairs = np.column_stack(pair_indices(data.n_algorithms))
    if FEWEST * len(pairs) > MOST_DRAWN:
        raise DataError(
            f"The ANOVA keeps the moments of {len(pairs):,} pairs at {FEWEST} points, which takes too much memory: leave some of the "
            f"{data.n_algorithms:,} algorithms out."
        )
    weighted = importance_sample(lambda points: log_posterior(data, points), np.array([0.0, -1.0, -0.5]), rng=rng)
    size = max(len(pairs), data.n_algorithms**2)
    some = weighted.resample(int(np.clip(MIXTURE_CELLS // size, FEWEST, 4000)), rng, by=1)
    means, sds = pair_moments(data, sigmas_at(weighted.points[some]), pairs)
    few = np.linspace(0, len(some) - 1, int(np.clip(100_000 // len(pairs), FEWEST, len(some)))).astype(int)
    tail = (1 - credibility) / 2
    v = sigmas_at(weighted.points[rng.permutation(weighted.resample(draws, rng, by=1))])
    level, effects = draw_effects(data, v, rng)
    return Fit(
        regions=mixture_regions(means, sds, rope),
        difference=means.mean(axis=0),
        low=mixture_quantile(means[few], sds[few], tail),
        high=mixture_quantile(means[few], sds[few], 1 - tail),
        level=level + effects.mean(axis=1),
        effects=effects - effects.mean(axis=1, keepdims=True),
        sds=dict(zip(SDS, map(np.sqrt, (v.error, v.algorithm, v.dataset)), strict=True)),
        df=np.full(draws, np.inf),
        predictive_pvalue=_predictive_normal(data, level, effects, v, rng),
        predictive_note=CHECKED,
        method="importance sampling over the variances, exact effects",
        diagnostics=weighted.diagnostics,
    )


def _predictive_normal(data: AnovaData, level: Floats, effects: Floats, v: Sigmas, rng: np.random.Generator) -> float:
    """P(discrepancy of replicated data >= that of the data): the former is chi-square given the parameters."""
    from scipy.special import chdtrc

    present = ~np.isnan(data.y)
    chance, step = 0.0, max(1, min(250, CELLS // data.y.size))
    for start in range(0, len(level), step):
        part = slice(start, start + step)
        by_dataset = draw_datasets(data, v.at(part), level[part], effects[part], rng)
        fitted = level[part, None, None] + effects[part, None, :] + by_dataset[:, :, None]
        squares = np.where(present, data.y - fitted, 0.0) ** 2
        chance += float(chdtrc(data.n_scores, squares.sum(axis=(1, 2)) / v.error[part]).sum())
    return chance / len(level)


def mixture_regions(means: Floats, sds: Floats, rope: float) -> Floats:
    """Pairs x (below -rope, within, above rope) of the equally weighted Gaussians N(means[k, pair], sds[k, pair]^2)."""
    from scipy.special import ndtr

    weights = np.full(len(means), 1 / len(means))
    left, right = weights @ ndtr((-rope - means) / sds), weights @ ndtr((means - rope) / sds)
    return regions(left, right, wide=rope > 0)


def mixture_quantile(means: Floats, sds: Floats, level: float) -> Floats:
    """The quantile of each pair's equally weighted mixture, by bisection on its distribution function."""
    from scipy.special import ndtr, ndtri

    reach = abs(float(ndtri(level))) + 1.0
    low, high = (means - reach * sds).min(axis=0), (means + reach * sds).max(axis=0)
    return quantiles(lambda at: ndtr((at - means) / sds).mean(axis=0), level, low, high, rounds=34)


def fit_robust(
    data: AnovaData, rope: float, draws: int, credibility: float, rng: np.random.Generator, progress: Progress
) -> Fit:
    """Four chains of the Gibbs sampler; df = 1 + Exponential(mean 29)."""
    from podium.bayes.anova_robust_kernel import run_chain

    rows, columns = data.y.shape
    if draws * (rows + columns) > MOST_DRAWN:
        raise DataError(
            f"The robust ANOVA keeps {draws:,} draws of the effect of each dataset and algorithm, which takes too much memory for "
            f"{rows:,} datasets and {columns:,} algorithms: ask for fewer draws, or for the ANOVA with normal errors."
        )
    present, filled = ~np.isnan(data.y), np.nan_to_num(data.y)
    keep = -(-draws // CHAINS)
    thin = int(np.clip(2500 // data.n_scores, 1, 8))  # small tables are quick: make their draws worth more
    streams = tracked(rng.spawn(CHAINS), progress, total=CHAINS)
    chains = np.stack([run_chain(filled, present, max(500, keep // 2), keep, thin, stream) for stream in streams])
    return _fit_of_chains(data, chains, rope, credibility, rng)


def _fit_of_chains(data: AnovaData, chains: Floats, rope: float, credibility: float, rng: np.random.Generator) -> Fit:
    """What chains x draws x (log sigma_y, df, log sigma_a, log sigma_d, b0, a, d) say; fractions of the draws."""
    count = data.n_algorithms
    diagnostics = diagnosed(_watched(chains, count), GIBBS, "The ANOVA", fewest=20)
    flat = chains.reshape(-1, chains.shape[2])
    raw = flat[:, 5 : 5 + count]
    shares, difference, low, high = of_all_gaps(raw, rope, credibility)
    pvalue, note = _predictive_robust(data, flat, rng)
    return Fit(
        regions=shares,
        difference=difference,
        low=low,
        high=high,
        level=flat[:, 4] + raw.mean(axis=1),
        effects=raw - raw.mean(axis=1, keepdims=True),
        sds=dict(zip(SDS, np.exp(flat[:, [0, 2, 3]]).T, strict=True)),
        df=flat[:, 1],
        predictive_pvalue=pvalue,
        predictive_note=note,
        method=GIBBS,
        diagnostics=diagnostics,
    )


def _watched(chains: Floats, count: int) -> Floats:
    """What must have settled: the scales, the degrees of freedom and the centred effects."""
    effects = chains[:, :, 5 : 5 + count]
    return np.concatenate([chains[:, :, :4], effects - effects.mean(axis=2, keepdims=True)], axis=2)


def _predictive_robust(data: AnovaData, flat: Floats, rng: np.random.Generator) -> tuple[float, str]:
    """The check, or the reason why there is none."""
    heavy = float((flat[:, 1] <= 2).mean())
    if heavy > 0:
        return float("nan"), NO_VARIANCE.format(df=number(float(np.median(flat[:, 1]))), chance=number(heavy, 2))
    some = flat[np.linspace(0, len(flat) - 1, 400).astype(int)]
    columns, present = data.n_algorithms, ~np.isnan(data.y)
    size, exceeded = data.n_scores, 0
    for row in some:
        fitted = row[4] + row[5 : 5 + columns] + row[5 + columns :, None]
        observed = float((((data.y - fitted)[present]) ** 2).sum())
        errors = rng.standard_t(row[1], size=size) if np.isfinite(row[1]) else rng.standard_normal(size)
        replicated = float(np.exp(2 * row[0]) * (errors**2).sum())
        exceeded += replicated >= observed
    return exceeded / len(some), CHECKED
