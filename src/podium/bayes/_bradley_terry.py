"""The Bayesian Bradley-Terry model: how often does each algorithm beat each other one? (Wainer 2023)

    wins of i over k ~ Binomial(datasets, logistic(ability_i - ability_k))
    ability_i ~ N(0, sigma)        sigma ~ lognormal(0, 0.5)

It looks only at who wins, so it fits any metric, and its rope is one of probabilities: two algorithms are
practically equivalent if each beats the other on 45 % to 55 % of the datasets.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bayes.diagnostics import Diagnostics, chain_diagnostics
from podium.bayes.pairs import pair_indices, pair_names
from podium.bayes.posterior import Floats, PairsPosterior, rope_width, to_inference_data
from podium.bayes.ranking import rank_probabilities
from podium.core import check
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.core.ranks import subtract
from podium.core.rng import Rng, generator
from podium.core.scores import Scores
from podium.core.table import as_table

__all__ = ["BradleyTerryPosterior", "bradley_terry", "count_wins"]

CHAINS = 4
TIES = ("spread", "add", "forget")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class BradleyTerryPosterior(PairsPosterior):
    """All pairs; `rope` is here the band of win probabilities around 1/2 (0.05: 45 % to 55 %), `tie_rope` that of ties.

    `difference`, `low` and `high` are of P(a beats b) - 1/2. `wins[i, k]` counts the datasets on which i beats
    k, `ties[i, k]` those on which neither does. `abilities` are posterior means, on the logit scale, around 0.
    """

    wins: Floats
    ties: Floats
    ties_rule: str
    tie_rope: float
    fold_effect: float
    abilities: Floats
    p_best: Floats
    rank_probabilities: Floats
    sigma: float
    diagnostics: Diagnostics
    references: tuple[str, ...] = ("wainer2023", "bradley1952")

    def to_arviz(self) -> Any:
        """The draws as ArviZ inference data, in their four chains."""
        return to_inference_data(self.draws, chains=CHAINS)


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
    progress: Callable[[int, int], None] | None = None,
) -> BradleyTerryPosterior:
    """P(a beats b on a dataset) for all pairs, and the probability that it is near one half.

    Equivalent are those that beat each other with probability 1/2 plus or minus `band`. A dataset is a tie
    where the means differ by at most `rope` (in the metric's units), or, for Scores with
    folds and a `fold_effect` (0.4 in Wainer 2023), where the mean difference is at most that many standard
    deviations of the differences of the folds. `ties` then says what becomes of it: half a win to each
    ("spread"), a win to each ("add") or nothing ("forget").

    >>> import numpy as np
    >>> level = np.arange(20.0)[:, None]
    >>> answer = bradley_terry(level + [0.0, 1.0, 1.0], rng=0)
    >>> bool(answer.p_left[0] > 0.99), answer.wins[1, 0], answer.ties[1, 2], bool(0.3 < answer.p_rope[2])
    (True, np.float64(20.0), np.float64(20.0), True)
    """
    if check.nonnegative("band", band) >= 0.5:
        raise ArgumentError(f"`band` lies around a probability of 1/2, so it is below 0.5; got {band!r}.")
    check.choice("ties", ties, TIES)
    check.fraction("credibility", credibility)
    names, wins, tied, total = count_wins(data, rope=rope_width(rope), fold_effect=fold_effect)
    share = {"spread": 0.5, "add": 1.0, "forget": 0.0}[ties]
    chains = _chains(wins + share * tied, check.count("draws", draws, at_least=400), generator(rng), progress)
    ability = chains[:, :, 1:]
    ess, rhat = chain_diagnostics(ability - ability.mean(axis=2, keepdims=True))
    if rhat > 1.5:
        raise DataError(f"The Bradley-Terry model did not settle (R-hat {rhat:.2f}): raise `draws`.")
    diagnostics = Diagnostics(method="slice sampler, 4 chains", draws=CHAINS * chains.shape[1], ess=ess, rhat=rhat)
    flat = chains.reshape(-1, chains.shape[2])
    return _result(names, wins, tied, total, flat, band, diagnostics, ties, rope_width(rope), fold_effect, credibility)


def count_wins(
    data: Any, *, rope: float = 0.0, fold_effect: float = 0.0
) -> tuple[tuple[str, ...], Floats, Floats, int]:
    """The algorithms, the datasets won by ordered pairs, those tied by pairs, and how many datasets there are."""
    check.nonnegative("fold_effect", fold_effect)
    if fold_effect > 0:
        if not (isinstance(data, Scores) and data.has_folds):
            raise DesignError("Ties by the spread of the folds need the scores of every fold; give a `rope` instead.")
        values = data.metric.sign * data.values.reshape(len(data.datasets), len(data.algorithms), -1)
        names: tuple[str, ...] = data.algorithms
    else:
        table = as_table(data)
        values, names = table.gains[:, :, None], table.algorithms
    wins, ties = np.zeros((len(names),) * 2), np.zeros((len(names),) * 2)
    for i, k in pair_indices(len(names)):
        gains = subtract(values[:, i], values[:, k])
        gains = gains[~np.isnan(gains).all(axis=1)]
        mean = np.nanmean(gains, axis=1) if len(gains) else np.empty(0)
        edge = np.full(len(mean), rope)
        if fold_effect > 0 and len(gains):
            edge = np.maximum(edge, fold_effect * np.nanstd(gains, axis=1, ddof=1))
        wins[i, k], wins[k, i] = (mean > edge).sum(), (mean < -edge).sum()
        ties[i, k] = ties[k, i] = (np.abs(mean) <= edge).sum()
    return names, wins, ties, len(values)


def _chains(wins: Floats, draws: int, rng: np.random.Generator, progress: Callable[[int, int], None] | None) -> Floats:
    from podium.bayes.bradley_terry_kernel import run_chain

    made = []
    for done, stream in enumerate(rng.spawn(CHAINS), start=1):
        made.append(run_chain(np.ascontiguousarray(wins), 500, -(-draws // CHAINS), stream))
        if progress is not None:
            progress(done, CHAINS)
    return np.stack(made)


def _result(
    names: tuple[str, ...],
    wins: Floats,
    ties: Floats,
    total: int,
    flat: Floats,
    band: float,
    diagnostics: Diagnostics,
    rule: str,
    tie_rope: float,
    fold_effect: float,
    credibility: float,
) -> BradleyTerryPosterior:
    ability = flat[:, 1:] - flat[:, 1:].mean(axis=1, keepdims=True)
    index = np.array(pair_indices(len(names)))
    beats = 1 / (1 + np.exp(ability[:, index[:, 1]] - ability[:, index[:, 0]])) - 0.5
    left, right = (beats < -band).mean(axis=0), (beats > band).mean(axis=0)
    tail = (1 - credibility) / 2
    low, high = np.quantile(beats, [tail, 1 - tail], axis=0)
    met = (wins + wins.T + ties)[index[:, 0], index[:, 1]].astype(np.int64)
    ranks = rank_probabilities(ability)
    identical = [(names[i], names[k]) for i, k in index if wins[i, k] + wins[k, i] == 0]
    warnings = tuple(f"{a} and {b} tie on every dataset: nothing tells them apart." for a, b in identical)
    return BradleyTerryPosterior(
        model="Bayesian Bradley-Terry model",
        algorithms=names,
        pairs=pair_names(names),
        rope=band,
        p_left=left,
        p_rope=1 - left - right,
        p_right=right,
        difference=beats.mean(axis=0),
        low=low,
        high=high,
        credibility=credibility,
        n=met,
        missing=total - met,
        method=diagnostics.method,
        warnings=(*diagnostics.warnings(), *warnings),
        draws={"abilities": ability, "sigma": np.exp(flat[:, 0])},
        wins=wins,
        ties=ties,
        ties_rule=rule,
        tie_rope=tie_rope,
        fold_effect=fold_effect,
        abilities=ability.mean(axis=0),
        p_best=ranks[:, 0],
        rank_probabilities=ranks,
        sigma=float(np.median(np.exp(flat[:, 0]))),
        diagnostics=diagnostics,
    )
