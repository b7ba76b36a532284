"""Bayesian ANOVA: all algorithms at once, normal or robust, with or without holes (Wainer 2016)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.bayes.anova_model import (
    AnovaData,
    anova_data,
    draw_effects,
    log_posterior,
    pair_moments,
    sigmas_at,
)
from podium.bayes.diagnostics import Diagnostics
from podium.bayes.importance import importance_sample
from podium.bayes.mixtures import mixture_quantile, mixture_regions
from podium.bayes.pairs import pair_indices, pair_names
from podium.bayes.posterior import Floats, PairsPosterior, rope_width, to_inference_data
from podium.bayes.ranking import rank_probabilities
from podium.core import check
from podium.core.rng import Rng, generator
from podium.core.table import Table, as_table

if TYPE_CHECKING:
    import pandas as pd

__all__ = ["AnovaPosterior", "anova"]

MIXTURE_CELLS = 3_000_000  # at most so many pairs x components at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class AnovaPosterior(PairsPosterior):
    """All pairs, and for each algorithm its effect and its place.

    `effects` are gains over the mean of the algorithms, with intervals; `p_best[i]` is the probability that
    algorithm i has the largest effect, `rank_probabilities[i, r]` that it has rank r + 1. The sd of errors,
    algorithms and datasets are posterior medians; `df` is that of the Student errors (inf: normal errors).
    `predictive_pvalue` is the posterior predictive check of Wainer 2016 (the chi-square discrepancy), nan where
    it does not exist; `predictive_note` says what it means.
    """

    robust: bool
    effects: Floats
    effect_low: Floats
    effect_high: Floats
    p_best: Floats
    rank_probabilities: Floats
    sd_errors: float
    sd_algorithms: float
    sd_datasets: float
    df: float
    predictive_pvalue: float
    predictive_note: str
    holes: tuple[tuple[str, str], ...]
    diagnostics: Diagnostics
    references: tuple[str, ...] = ("wainer2016", "kruschke2015")

    def to_arviz(self) -> Any:
        """The draws as ArviZ inference data; the robust model's in its four chains."""
        return to_inference_data(self.draws, chains=4 if self.robust else 1)

    def effects_frame(self) -> pd.DataFrame:
        """One row per algorithm, the best first: effect, low, high, p_best, expected rank."""
        import pandas as pd

        places = np.arange(1, len(self.algorithms) + 1)
        frame = pd.DataFrame(
            {
                "algorithm": self.algorithms,
                "effect": self.effects,
                "low": self.effect_low,
                "high": self.effect_high,
                "p_best": self.p_best,
                "expected_rank": self.rank_probabilities @ places,
            }
        )
        return frame.sort_values("effect", ascending=False, ignore_index=True)


def anova(
    table: Any,
    *,
    rope: Any = 0.0,
    robust: bool = False,
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
    engine: str = "podium",
    progress: Callable[[int, int], None] | None = None,
) -> AnovaPosterior:
    """The differences between all algorithms, and the probability that each is within the rope.

    Kruschke's two-factor model without interaction: a score is a sum of an overall level, the algorithm's
    effect, the dataset's effect and an error, normal or (`robust`) Student t with unknown degrees of freedom.
    Missing cells are allowed. With normal errors, probabilities come from weighted points in three
    variances and an exact Gaussian; with robust ones from a Gibbs sampler of four chains, `draws` in all.
    `engine="numpyro"` samples the model as it stands by NUTS instead, for cross-checks, in minutes.

    >>> import numpy as np
    >>> level = np.linspace(0.6, 0.9, 12)[:, None]
    >>> noise = np.random.default_rng(3).normal(0, 0.01, (12, 3))
    >>> answer = anova(level + [0.0, 0.001, 0.05] + noise, rope=0.01, rng=0)
    >>> answer.p_best.round(2), answer.p_left.round(2)
    (array([0., 0., 1.]), array([0., 1., 1.]))
    """
    known = as_table(table)
    data = anova_data(known)
    width, source = rope_width(rope), generator(rng)
    check.fraction("credibility", credibility)
    check.count("draws", draws, at_least=400)
    if check.choice("engine", engine, ("podium", "numpyro")) == "numpyro":
        from podium.bayes.anova_robust import fit_of_chains
        from podium.bayes.engine_numpyro import anova_chains

        chains = anova_chains(data, draws, robust, source)
        fitted = fit_of_chains(data, chains, "NUTS of numpyro, 4 chains", width / data.sd, credibility, source)
    elif robust:
        from podium.bayes.anova_robust import fit_robust

        fitted = fit_robust(data, width / data.sd, draws, credibility, source, progress)
    else:
        fitted = _fit_normal(data, width / data.sd, draws, credibility, source)
    return _result(known, data, fitted, width, credibility)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Fit:
    """What a way of fitting gives, in units of the sd of the data."""

    regions: Floats
    difference: Floats
    low: Floats
    high: Floats
    level: Floats
    effects: Floats
    sd_errors: Floats
    sd_algorithms: Floats
    sd_datasets: Floats
    df: Floats
    predictive_pvalue: float
    predictive_note: str
    method: str
    diagnostics: Diagnostics
    warnings: tuple[str, ...]


def _fit_normal(data: AnovaData, rope: float, draws: int, credibility: float, rng: np.random.Generator) -> Fit:
    weighted = importance_sample(lambda points: log_posterior(data, points), np.array([0.0, -1.0, -0.5]), rng=rng)
    pairs = np.array(pair_indices(data.n_algorithms), dtype=np.intp)
    size = max(len(pairs), data.n_algorithms**2)
    some = weighted.resample(int(np.clip(MIXTURE_CELLS // size, 200, 4000)), rng, by=1)
    means, sds = pair_moments(data, sigmas_at(weighted.points[some]), pairs)
    few = np.linspace(0, len(some) - 1, int(np.clip(100_000 // len(pairs), 200, len(some)))).astype(int)
    tail = (1 - credibility) / 2
    v = sigmas_at(weighted.points[rng.permutation(weighted.resample(draws, rng, by=1))])
    level, effects, by_dataset = draw_effects(data, v, rng)
    return Fit(
        regions=mixture_regions(means, sds, np.full(len(some), 1 / len(some)), rope),
        difference=means.mean(axis=0),
        low=mixture_quantile(means[few], sds[few], tail),
        high=mixture_quantile(means[few], sds[few], 1 - tail),
        level=level + effects.mean(axis=1),
        effects=effects - effects.mean(axis=1, keepdims=True),
        sd_errors=np.sqrt(v.error),
        sd_algorithms=np.sqrt(v.algorithm),
        sd_datasets=np.sqrt(v.dataset),
        df=np.full(draws, np.inf),
        predictive_pvalue=_predictive(data, level, effects, by_dataset, v.error),
        predictive_note=(
            "Posterior predictive check by the chi-square discrepancy: values near 0 or 1 speak against the model."
        ),
        method="importance sampling over the variances, exact effects",
        diagnostics=weighted.diagnostics,
        warnings=weighted.diagnostics.warnings(),
    )


def _predictive(data: AnovaData, level: Floats, effects: Floats, by_dataset: Floats, variance: Floats) -> float:
    """P(discrepancy of replicated data >= that of the data): the former is chi-square given the parameters."""
    from scipy.special import chdtrc

    known = ~np.isnan(data.y)
    chance = 0.0
    for start in range(0, len(level), 250):
        part = slice(start, start + 250)
        fitted = level[part, None, None] + effects[part, None, :] + by_dataset[part, :, None]
        squares = np.where(known, data.y - fitted, 0.0) ** 2
        chance += float(chdtrc(data.n_scores, squares.sum(axis=(1, 2)) / variance[part]).sum())
    return chance / len(level)


def _result(table: Table, data: AnovaData, fit: Fit, rope: float, credibility: float) -> AnovaPosterior:
    tail = (1 - credibility) / 2
    low, high = np.quantile(fit.effects, [tail, 1 - tail], axis=0)
    ranks = rank_probabilities(fit.effects)
    shared = _shared(table)
    robust = bool(np.isfinite(fit.df).all())
    return AnovaPosterior(
        model="Robust Bayesian ANOVA" if robust else "Bayesian ANOVA",
        algorithms=table.algorithms,
        pairs=pair_names(table.algorithms),
        rope=rope,
        p_left=fit.regions[:, 0],
        p_rope=fit.regions[:, 1],
        p_right=fit.regions[:, 2],
        difference=data.sd * fit.difference,
        low=data.sd * fit.low,
        high=data.sd * fit.high,
        credibility=credibility,
        n=shared,
        missing=table.n_datasets - shared,
        method=fit.method,
        warnings=(*fit.warnings, *_warnings(table)),
        draws={
            "effects": data.sd * fit.effects,
            "level": data.mean + data.sd * fit.level,
            "sd_errors": data.sd * fit.sd_errors,
            "sd_algorithms": data.sd * fit.sd_algorithms,
            "sd_datasets": data.sd * fit.sd_datasets,
            **({"df": fit.df} if robust else {}),
        },
        robust=robust,
        effects=data.sd * fit.effects.mean(axis=0),
        effect_low=data.sd * low,
        effect_high=data.sd * high,
        p_best=ranks[:, 0],
        rank_probabilities=ranks,
        sd_errors=data.sd * float(np.median(fit.sd_errors)),
        sd_algorithms=data.sd * float(np.median(fit.sd_algorithms)),
        sd_datasets=data.sd * float(np.median(fit.sd_datasets)),
        df=float(np.median(fit.df)),
        predictive_pvalue=fit.predictive_pvalue,
        predictive_note=fit.predictive_note,
        holes=table.holes(),
        diagnostics=fit.diagnostics,
    )


def _shared(table: Table) -> npt.NDArray[np.int64]:
    known = ~np.isnan(table.values)
    return np.array([(known[:, i] & known[:, k]).sum() for i, k in pair_indices(table.n_algorithms)], dtype=np.int64)


def _warnings(table: Table) -> tuple[str, ...]:
    found = []
    holes = table.holes()
    if holes:
        found.append(f"{len(holes)} missing cells, taken as missing at random: {check.cells(holes)}.")
    if table.n_datasets == 1:
        found.append("With one dataset, errors and effects of algorithms cannot be told apart: the prior decides.")
    filled = np.where(np.isnan(table.values), np.inf, table.values)
    for i, k in pair_indices(table.n_algorithms):
        if np.array_equal(filled[:, i], filled[:, k]):
            a, b = table.algorithms[i], table.algorithms[k]
            found.append(f"{a} and {b} have identical scores everywhere: nothing tells them apart.")
    return tuple(found)
