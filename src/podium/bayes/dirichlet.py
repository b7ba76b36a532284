"""Dirichlet processes over datasets: what the sign test and the signed-rank test share.

A prior observation of strength s0 stands at a place z0; the n observed gains have weight 1 each. The weights
are Dirichlet(s0, 1, ..., 1): independent Gamma variables, divided by their sum. A subset of the Gamma
variables, divided by its own sum, is Dirichlet again, so one set of draws serves all pairs, with holes too.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from podium.bayes.posterior import AT_ONCE, SIDES, PairsPosterior, central, rope_width, triple
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import DataError
from podium.core.numbers import as_given, number
from podium.core.pairs import pair_indices
from podium.core.progress import Progress
from podium.core.ranks import differences
from podium.core.rng import Rng, generator
from podium.evidence.table import as_pair, as_table

MOST_GAINS = 40_000_000  # of all pairs on all datasets: 320 MB, and a few copies


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PairGains:
    """The gains of a over b: datasets x pairs, nan where a score is missing."""

    values: Floats
    algorithms: tuple[str, ...]
    left_out: Ints

    @property
    def counts(self) -> Ints:
        """How many datasets each pair shares."""
        return np.asarray((~np.isnan(self.values)).sum(axis=0), dtype=np.int64)

    def warnings(self, prior: Prior) -> tuple[str, ...]:
        """What a careful reader must know of the pairs, one sentence each."""
        pairs = combinations(self.algorithms, 2)
        sentences = (_warning(values, pair, prior) for values, pair in zip(self.values.T, pairs, strict=True))
        return tuple(sentence for sentence in sentences if sentence)


def _warning(values: Floats, pair: tuple[str, str], prior: Prior) -> str:
    gains, (a, b), rope = values[~np.isnan(values)], pair, prior.rope
    if not gains.any():
        return f"{a} and {b} have identical scores on all {len(gains)} datasets: there is nothing to compare."
    if len(gains) == 1:
        return f"{a} and {b} share only one dataset, and the prior weighs as much as {as_given(prior.strength)}."
    if rope > 0 and np.abs(gains).max() <= rope:
        width = number(rope, 4)
        return f"No difference between {a} and {b} exceeds the rope ({width}): they are equivalent by its width."
    return ""


def gains_of_table(data: Any) -> PairGains:
    """The gains of every pair of columns, with float noise rounded away; each pair on the datasets it shares."""
    table = as_table(data)
    first, second = pair_indices(table.n_algorithms)
    if len(first) * table.n_datasets > MOST_GAINS:
        raise DataError(
            f"The differences of all pairs of {table.n_algorithms:,} algorithms on {table.n_datasets:,} datasets take too much memory: "
            "leave some of the algorithms out."
        )
    values = differences(table.gains.T[first], table.gains.T[second]).T
    left_out = np.isnan(values).sum(axis=0)
    if (left_out == table.n_datasets).any():
        k = int(np.argmax(left_out == table.n_datasets))
        a, b = table.algorithms[first[k]], table.algorithms[second[k]]
        raise DataError(f"{a!r} and {b!r} have no dataset in common: leave one of them out.")
    return PairGains(values=values, algorithms=table.algorithms, left_out=left_out.astype(np.int64))


def gains_of_pair(x: Any, y: Any, names: tuple[str, str]) -> PairGains:
    """The gains of a single pair."""
    check.pair_of_names(names)
    pair = as_pair(x, y)
    left_out = np.array([pair.missing], dtype=np.int64)
    return PairGains(values=pair.differences[:, None], algorithms=names, left_out=left_out)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prior:
    """A rope, a prior observation worth `strength` datasets at `place`, and what becomes of zeros at rope 0."""

    rope: float
    strength: float
    place: str
    zeros: str
    reach: float = 0.0

    @classmethod
    def checked(cls, rope: Any, strength: float, place: str, zeros: str) -> Prior:
        """The same, refused in a sentence where it cannot be used."""
        check.choice("place", place, SIDES)
        check.choice("zeros", zeros, ("rope", "split"))
        if check.number("prior", strength) <= 0:
            raise check.refused("prior", strength, "must be positive: it counts as so many datasets")
        return cls(rope=rope_width(rope), strength=float(strength), place=place, zeros=zeros)

    @property
    def gain(self) -> float:
        """Where the prior observation stands: in the rope (0), or `reach` and a little beyond its left or right edge."""
        beyond = float(np.nextafter(self.rope + self.reach, np.inf))
        return {"left": -beyond, "rope": 0.0, "right": beyond}[self.place]

    @property
    def splits(self) -> bool:
        """Whether zeros belong half to each side: only where asked for, and only without a rope."""
        return self.rope == 0 and self.zeros == "split"


def fit_table(
    fit: Callable[[PairGains, Prior, float, int, np.random.Generator, Progress], PairsPosterior],
    data: Any,
    *,
    prior: float,
    draws: int,
    rope: Any = 0.0,
    place: str = "rope",
    zeros: str = "rope",
    credibility: float = 0.95,
    rng: Rng = None,
    progress: Progress = None,
) -> PairsPosterior:
    """All pairs of algorithms, each on the datasets it shares; `fit` is the model's own."""
    believed = Prior.checked(rope, prior, place, zeros)
    return fit(gains_of_table(data), believed, credibility, draws, generator(rng), progress)


def draw_gammas(rng: np.random.Generator, *, draws: int, n: int, prior: Prior) -> Floats:
    """Unnormalised Dirichlet weights, (1 + n) x draws: the prior's first."""
    weights = np.empty((n + 1, draws))
    weights[0] = rng.standard_gamma(prior.strength, size=draws)
    weights[1:] = rng.standard_exponential((n, draws))
    return weights


def mean_gains(gains: PairGains, prior: Prior, gammas: Floats) -> Floats:
    """The mean gain of each pair for each draw of the weights, pairs x draws."""
    total, weight = _weighted(gains.values, gammas[1:])
    return np.asarray((prior.gain * gammas[0] + total) / (gammas[0] + weight))


def draw_mean_gains(gains: PairGains, prior: Prior, draws: int, rng: np.random.Generator) -> Floats:
    """The same for weights that are drawn and let go, some datasets at a time."""
    strength = rng.standard_gamma(prior.strength, size=draws)
    total, weight = prior.gain * strength, strength
    size = max(1, AT_ONCE // draws)
    for start in range(0, len(gains.values), size):
        values = gains.values[start : start + size]
        more = _weighted(values, rng.standard_exponential((len(values), draws)))
        total, weight = total + more[0], weight + more[1]
    return total / weight


def _weighted(values: Floats, weights: Floats) -> tuple[Floats, Floats]:
    """The weighted sums of the gains that are present, and of their weights."""
    present = ~np.isnan(values)
    return np.where(present, values, 0.0).T @ weights, present.T.astype(np.float64) @ weights


def posterior_of(
    model: str,
    gains: PairGains,
    prior: Prior,
    *,
    chances: Floats,
    shares: Floats,
    means: Floats,
    credibility: float,
    **fields: Any,
) -> PairsPosterior:
    """The result of all pairs; the mean gain has its exact expectation and an interval from `means`, its draws."""
    low, high = central(means.T, credibility)
    own = {"prior": prior.strength, "place": prior.place, "zeros": prior.zeros}
    return PairsPosterior.of(
        model,
        gains.algorithms,
        rope=prior.rope,
        **triple("p", chances),
        **triple("share", shares),
        difference=(prior.strength * prior.gain + np.nansum(gains.values, axis=0)) / (prior.strength + gains.counts),
        low=low,
        high=high,
        credibility=credibility,
        n=gains.counts,
        left_out=gains.left_out,
        warnings=gains.warnings(prior),
        details={**own, **fields.pop("details", {})},
        **fields,
    )
