"""Bayesian ANOVA: all algorithms at once, normal or robust, with or without missing scores (Wainer 2016)."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from podium.bayes.anova_fit import Fit, fit_normal, fit_robust
from podium.bayes.anova_model import AnovaData, anova_data
from podium.bayes.diagnostics import CHAINS
from podium.bayes.posterior import EffectsPosterior, effects_of, rope_width, triple
from podium.core import check
from podium.core.numbers import counted, some
from podium.core.pairs import pair_indices
from podium.core.progress import Progress
from podium.core.rng import Rng, generator
from podium.evidence.table import Table, as_table


def anova(
    table: Any,
    *,
    rope: Any = 0.0,
    robust: bool = False,
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
    progress: Progress = None,
) -> EffectsPosterior:
    """The differences between all algorithms, and the probability that each is within the rope.

    Kruschke's two-factor model without interaction: a score is a sum of an overall level, the algorithm's effect, the dataset's effect
    and an error. With normal errors, probabilities come from weighted points in three variances and an exact Gaussian; with
    robust ones from a Gibbs sampler of four chains.

    `details` have posterior medians: the sd of errors, algorithms and datasets, and `df` of the Student errors (inf:
    normal errors); and `predictive_pvalue`, the posterior predictive check of Wainer 2016 (the chi-square
    discrepancy), nan where it does not exist, with a `predictive_note` on what it means.

    Parameters
    ----------
    table : Table, Scores, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns), nan where one is missing. Of a bare array or
        DataFrame, higher is better.
    rope : float or RopeResult, default 0.0
        Differences up to this, in the units of the scores, do not matter; or a result of `rope_from_...`.
    robust : bool, default False
        Whether errors are Student t with unknown degrees of freedom instead of normal.
    credibility : float, default 0.95
        Probability that the credible intervals hold.
    draws : int, default 4000
        Number of draws in all, at least 400.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    EffectsPosterior
        All pairs, and for each algorithm its effect and the probability that it is best.

    Examples
    --------
    >>> import numpy as np
    >>> level = np.linspace(0.6, 0.9, 12)[:, None]
    >>> noise = np.random.default_rng(3).normal(0, 0.01, (12, 3))
    >>> answer = anova(level + [0.0, 0.001, 0.05] + noise, rope=0.01, rng=0)
    >>> answer.p_best.round(2), answer.p_left.round(2)
    (array([0., 0., 1.]), array([0., 1., 1.]))
    """
    scores = as_table(table)
    data = anova_data(scores)
    width, source = rope_width(rope), generator(rng)
    check.fraction("credibility", credibility)
    check.count("draws", draws, at_least=400)
    if robust:
        fitted = fit_robust(data, width / data.sd, draws, credibility, source, progress)
    else:
        fitted = fit_normal(data, width / data.sd, draws, credibility, source)
    return _posterior(scores, data, fitted, width, credibility)


fit = anova  # it is of all pairs already


def _posterior(table: Table, data: AnovaData, fit: Fit, rope: float, credibility: float) -> EffectsPosterior:
    robust = bool(np.isfinite(fit.df).all())
    sds = {name: data.sd * drawn for name, drawn in fit.sds.items()}
    first, second = pair_indices(table.n_algorithms)
    present = ~np.isnan(table.values)
    shared = (present[:, first] & present[:, second]).sum(axis=0)
    effects = data.sd * fit.effects
    return EffectsPosterior.of(
        "robust_anova" if robust else "anova",
        table.algorithms,
        rope=rope,
        **triple("p", fit.regions),
        difference=data.sd * fit.difference,
        low=data.sd * fit.low,
        high=data.sd * fit.high,
        credibility=credibility,
        n=shared,
        left_out=table.n_datasets - shared,
        method=fit.method,
        warnings=(*fit.diagnostics.warnings(), *_warnings(table)),
        **effects_of(effects, credibility),
        diagnostics=fit.diagnostics,
        details={
            **{name: float(np.median(drawn)) for name, drawn in sds.items()},
            "df": float(np.median(fit.df)),
            "predictive_pvalue": fit.predictive_pvalue,
            "predictive_note": fit.predictive_note,
            "missing_scores": table.missing,
            "chains": CHAINS if robust else 1,
        },
        draws={
            "effects": effects,
            "level": data.mean + data.sd * fit.level,
            **sds,
            **({"df": fit.df} if robust else {}),
        },
    )


def _warnings(table: Table) -> tuple[str, ...]:
    notes = []
    holes = table.missing
    if holes:
        notes.append(f"{counted(len(holes), 'missing score')}, taken as missing at random: {some(map(str, holes), 8)}.")
    if table.n_datasets == 1:
        notes.append("With one dataset, errors and effects of algorithms cannot be separated: the prior decides.")
    columns = np.where(np.isnan(table.values), np.inf, table.values).T
    for (a, b), (x, y) in zip(combinations(table.algorithms, 2), combinations(columns, 2), strict=True):
        if np.array_equal(x, y):
            notes.append(f"{a} and {b} have identical scores everywhere: there is nothing to compare.")
    return tuple(notes)
