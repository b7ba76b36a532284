"""The Bayesian Bradley-Terry model: how often does each algorithm beat each other one? (Wainer 2023)

    wins of i over k ~ Binomial(datasets, logistic(ability_i - ability_k))
    ability_i ~ N(0, sigma)        sigma ~ lognormal(0, 0.5)

It looks only at who wins, so it fits any metric, and its rope is one of probabilities: two algorithms are
practically equivalent if each beats the other on 45% to 55% of the datasets.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np

from podium.bayes.diagnostics import CHAINS, diagnosed
from podium.bayes.posterior import EffectsPosterior, central, effects_of, fractions, rope_width, triple
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import DesignError
from podium.core.pairs import pair_indices
from podium.core.progress import Progress, tracked
from podium.core.ranks import subtract
from podium.core.rng import Rng, generator
from podium.core.scores import Scores
from podium.core.table import as_table

TIES = {"spread": 0.5, "add": 1.0, "forget": 0.0}  # what a tie is worth to each of the two


def bradley_terry(
    data: Any,
    *,
    rope: Any = 0.0,
    band: float = 0.05,
    fold_effect: float = 0.0,
    ties: str = "spread",
    credibility: float = 0.95,
    draws: int = 8000,
    rng: Rng = None,
    progress: Progress = None,
) -> EffectsPosterior:
    """P(a beats b on a dataset) for all pairs, and the probability that it is near one half.

    Equivalent are those that beat each other with probability 1/2 plus or minus `band`. A dataset is a tie
    where the means differ by at most `rope` (in the metric's units), or, for Scores with
    folds and a `fold_effect` (0.4 in Wainer 2023), where the mean difference is at most that many standard
    deviations of the differences of the folds. `ties` then says how it counts: half a win for each
    ("spread"), a win to each ("add") or nothing ("forget").

    In the result `rope` is the band, `difference` is of P(a beats b) - 1/2, and the effects are abilities, on the
    logit scale around 0. `details["wins"][i, k]` counts the datasets on which i beats k, `details["ties"][i, k]` those
    on which neither does.

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
    names, wins, tied, total = count_wins(data, rope=width, fold_effect=fold_effect)
    chains = _chains(wins + share * tied, check.count("draws", draws, at_least=400), generator(rng), progress)
    flat = chains.reshape(-1, chains.shape[2])
    ability = flat[:, 1:] - flat[:, 1:].mean(axis=1, keepdims=True)
    apart = ability.reshape(*chains.shape[:2], -1)
    diagnostics = diagnosed(apart, "slice sampler, 4 chains", "The Bradley-Terry model")
    first, second = pair_indices(len(names))
    beats = 1 / (1 + np.exp(ability[:, second] - ability[:, first])) - 0.5
    low, high = central(beats, credibility)
    met = (wins + wins.T + tied)[first, second].astype(np.int64)
    same = [names[i] + " and " + names[k] for i, k in zip(first, second, strict=True) if wins[i, k] + wins[k, i] == 0]
    return EffectsPosterior.of(
        "bradley_terry",
        names,
        rope=band,
        **triple("p", fractions(beats, band)),
        difference=beats.mean(axis=0),
        low=low,
        high=high,
        credibility=credibility,
        n=met,
        left_out=total - met,
        method=diagnostics.method,
        warnings=(*diagnostics.warnings(), *(f"{two} tie on every dataset: nothing tells them apart." for two in same)),
        **effects_of(ability, credibility),
        diagnostics=diagnostics,
        details={
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


fit = bradley_terry  # it is of all pairs already


def count_wins(
    data: Any, *, rope: float = 0.0, fold_effect: float = 0.0
) -> tuple[tuple[str, ...], Floats, Floats, int]:
    """The algorithms, the datasets won by ordered pairs, those tied by pairs, and how many datasets there are."""
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
    wins, ties = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2)
    for i, k in combinations(range(len(names)), 2):
        gains = subtract(values[:, i], values[:, k])
        gains = gains[~np.isnan(gains).all(axis=1)]
        mean = np.nanmean(gains, axis=1) if len(gains) else np.empty(0)
        edge = np.full(len(mean), rope)
        if fold_effect > 0 and len(gains):
            edge = np.maximum(edge, fold_effect * np.nanstd(gains, axis=1, ddof=1))
        wins[i, k], wins[k, i] = (mean > edge).sum(), (mean < -edge).sum()
        ties[i, k] = ties[k, i] = (np.abs(mean) <= edge).sum()
    return names, wins, ties, len(values)


def _chains(wins: Floats, draws: int, rng: np.random.Generator, progress: Progress) -> Floats:
    from podium.bayes.bradley_terry_kernel import run_chain

    streams, keep = tracked(rng.spawn(CHAINS), progress, total=CHAINS), -(-draws // CHAINS)
    return np.stack([run_chain(np.ascontiguousarray(wins), 500, keep, stream) for stream in streams])
