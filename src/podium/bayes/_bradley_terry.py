"""The Bayesian Bradley-Terry model: how often does each algorithm beat each other one? (Wainer 2023)

    wins of i over k ~ Binomial(datasets, logistic(ability_i - ability_k))
    ability_i ~ N(0, sigma)        sigma ~ lognormal(0, 0.5)

It looks only at who wins, so it fits any metric, and its rope is one of probabilities: two algorithms are
practically equivalent if each beats the other on 45% to 55% of the datasets.

The k (k - 1) / 2 results on one dataset depend on each other: they are one ranking. Each counts 3 / (k + 1), which is exact where
all are equally good: the mean rank of one has the variance (k^2 - 1) / 12, and independent results would give (k - 1) / 4.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from typing import Any, Literal

import numpy as np

from podium.bayes.bradley_terry_fit import fit_of
from podium.bayes.diagnostics import CHAINS, diagnosed
from podium.bayes.posterior import EffectsPosterior, effects_of, of_all_gaps, rope_width, triple
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DataError, DesignError
from podium.core.pairs import pair_indices
from podium.core.progress import Progress, tracked
from podium.core.ranks import subtract
from podium.core.rng import Rng, generator
from podium.evidence.scores import Scores
from podium.evidence.table import as_table

MOST_RESULTS = 50_000_000  # datasets x algorithms x algorithms: about 2 GB with what is computed from them
TIES = {"spread": 0.5, "add": 1.0, "forget": 0.0}  # what a tie is worth to each of the two


def bradley_terry(
    data: Any,
    *,
    rope: Any = 0.0,
    band: float = 0.05,
    fold_effect: float = 0.0,
    ties: Literal["spread", "add", "forget"] = "spread",
    credibility: float = 0.95,
    draws: int = 8000,
    rng: Rng = None,
    progress: Progress = None,
) -> EffectsPosterior:
    """P(a beats b on a dataset) for all pairs, and the probability that it is near one half.

    In the result `rope` is the band, `difference` is of P(a beats b) - 1/2, and the effects are abilities, on the
    logit scale around 0. `details["wins"][i, k]` counts the datasets on which i beats k, `details["ties"][i, k]` those
    on which neither does. A difference is decided only where it exceeds what the largest of all pairs would by chance
    (the studentised range): `pair_details["apart"]` is each in standard deviations. A warning names the pair whose results
    fit the model worst, if they do not fit; `alone_low` and `alone_high` are Jeffreys' interval of each pair by itself.

    Parameters
    ----------
    data : Scores, Table, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    rope : float or RopeResult, default 0.0
        A dataset is a tie where the means differ by at most this, in the metric's units.
    band : float, default 0.05
        Two algorithms are equivalent if each beats the other with probability 1/2 plus or minus this; below
        0.5.
    fold_effect : float, default 0.0
        For Scores with folds: a dataset is also a tie where the mean difference is at most this many standard
        deviations of the differences of the folds (0.4 in Wainer 2023).
    ties : {"spread", "add", "forget"}, default "spread"
        What a tie counts: half a win for each, a win for each, or nothing.
    credibility : float, default 0.95
        Probability that the credible intervals hold.
    draws : int, default 8000
        Number of draws in all, at least 400.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    EffectsPosterior
        All pairs, and the ability of each algorithm.

    Examples
    --------
    >>> import numpy as np
    >>> level = np.arange(20.0)[:, None]
    >>> answer = bradley_terry(level + [0.0, 1.0, 1.0], rng=0)
    >>> wins, ties = answer.details["wins"], answer.details["ties"]
    >>> bool(answer.p_left[0] > 0.99), float(wins[1, 0]), float(ties[1, 2]), bool(0.3 < answer.p_rope[2])
    (True, 20.0, 20.0, True)
    """
    if check.nonnegative("band", band) >= 0.5:
        raise check.refused("band", band, "lies around a probability of 1/2, so it is below 0.5")
    share = TIES[check.choice("ties", ties, TIES)]
    width = rope_width(rope)
    names, results = results_of(data, rope=width, fold_effect=fold_effect)
    wins, tied = ((results == one).sum(axis=0).astype(np.float64) for one in (1, 0))
    chains = _chains(
        counted_results(results, share), check.count("draws", draws, at_least=400), generator(rng), progress
    )
    flat = chains.reshape(-1, chains.shape[2])
    ability = flat[:, 1:] - flat[:, 1:].mean(axis=1, keepdims=True)
    apart = ability.reshape(*chains.shape[:2], -1)
    diagnostics = diagnosed(apart, "slice sampler, 4 chains", "The Bradley-Terry model")
    first, second = pair_indices(len(names))
    shares, beats, low, high = of_all_gaps(ability, band, credibility, lambda gaps: 1 / (1 + np.exp(-gaps)) - 0.5)
    met = (wins + wins.T + tied)[first, second].astype(np.int64)
    fitted = fit_of(results)
    return EffectsPosterior.of(
        "bradley_terry",
        names,
        rope=band,
        **triple("p", shares),
        difference=beats,
        low=low,
        high=high,
        credibility=credibility,
        n=met,
        left_out=len(results) - met,
        method=f"{diagnostics.method}; each result of a dataset with k algorithms counts 3 / (k + 1)",
        warnings=(*diagnostics.warnings(), *fitted.warnings(names), *_never_apart(names, wins)),
        pair_details={"apart": _apart(ability), "alone_low": fitted.alone_low, "alone_high": fitted.alone_high},
        **effects_of(ability, credibility),
        diagnostics=diagnostics,
        details={
            "algorithms": len(names),
            "wins": wins,
            "ties": tied,
            "ties_rule": ties,
            "tie_rope": width,
            "fold_effect": fold_effect,
            "sigma": float(np.median(np.exp(flat[:, 0]))),
            "chains": CHAINS,
        },
        draws={"abilities": ability, "sigma": np.exp(flat[:, 0])},
    )


def _never_apart(names: tuple[str, ...], wins: Floats) -> Iterator[str]:
    """A sentence on each pair that only ever ties."""
    for i, k in combinations(range(len(names)), 2):
        if wins[i, k] + wins[k, i] == 0:
            yield f"{names[i]} and {names[k]} tie on every dataset: there is nothing to compare."


def _apart(ability: Floats) -> Floats:
    """The differences of abilities (draws x algorithms) of all pairs, in standard deviations."""
    first, second = pair_indices(ability.shape[1])
    mean, covariance = ability.mean(axis=0), np.cov(ability, rowvar=False, bias=True)
    variance = np.diag(covariance)[first] + np.diag(covariance)[second] - 2 * covariance[first, second]
    return np.asarray(np.abs(mean[first] - mean[second]) / np.sqrt(np.maximum(variance, 1e-24)))


fit = bradley_terry  # it is of all pairs already


def results_of(data: Any, *, rope: float = 0.0, fold_effect: float = 0.0) -> tuple[tuple[str, ...], Floats]:
    """The algorithms, and datasets x algorithms x algorithms: 1 where the first wins, -1 where it loses, 0 a tie, nan missing."""
    check.nonnegative("fold_effect", fold_effect)
    if fold_effect > 0:
        if not (isinstance(data, Scores) and data.has_folds):
            raise DesignError(
                "Ties by the spread of the folds need the scores of every fold; give {rope} instead.", options=["rope"]
            )
        values = data.metric.sign * data.values.reshape(len(data.datasets), len(data.algorithms), -1)
        names: tuple[str, ...] = data.algorithms
    else:
        table = as_table(data)
        values, names = table.gains[:, :, None], table.algorithms
    if len(values) * len(names) ** 2 > MOST_RESULTS:
        raise DataError(
            "The Bradley-Terry model keeps the result of every pair of algorithms on every dataset, which takes too much memory for "
            f"{len(names):,} algorithms on {len(values):,} datasets: leave some of them out, or use another model."
        )
    results = np.full((len(values), len(names), len(names)), np.nan)
    for i, k in combinations(range(len(names)), 2):
        gains = subtract(values[:, i], values[:, k])
        there = ~np.isnan(gains).all(axis=1)
        if not there.any():
            continue
        mean = np.nanmean(gains[there], axis=1)
        edge = np.full(len(mean), rope)
        if fold_effect > 0:
            edge = np.maximum(edge, fold_effect * np.nanstd(gains[there], axis=1, ddof=1))
        results[there, i, k] = np.where(np.abs(mean) <= edge, 0.0, np.sign(mean))
        results[there, k, i] = -results[there, i, k]
    return names, results


def counted_results(results: Floats, share: float = 0.5) -> Floats:
    """The wins of ordered pairs as the model counts them; a tie is worth `share` to each of the two."""
    present = (~np.isnan(results)).any(axis=2).sum(axis=1)  # algorithms that have a result on the dataset
    weight = 3 / (np.maximum(present, 2) + 1)
    worth = np.where(results == 1, 1.0, np.where(results == 0, share, 0.0))
    return np.asarray(np.einsum("d,dik->ik", weight, worth))


def _chains(wins: Floats, draws: int, rng: np.random.Generator, progress: Progress) -> Floats:
    from podium.bayes.bradley_terry_kernel import run_chain

    streams, keep = tracked(rng.spawn(CHAINS), progress, total=CHAINS), -(-draws // CHAINS)
    return np.stack([run_chain(np.ascontiguousarray(wins), 500, keep, stream) for stream in streams])
