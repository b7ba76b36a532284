"""Dirichlet processes over datasets: what the sign test and the signed-rank test share.

A prior observation of strength s0 stands at a place z0; the n observed gains have weight 1 each. The weights
are Dirichlet(s0, 1, ..., 1): independent Gamma variables, divided by their sum. A subset of the Gamma
variables, divided by its own sum, is Dirichlet again, so one set of draws serves all pairs, with holes too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.bayes.pairs import pair_indices
from podium.bayes.posterior import Floats, rope_width
from podium.core import check
from podium.core.errors import ArgumentError, DataError
from podium.core.ranks import subtract
from podium.core.rng import Rng, generator
from podium.core.table import Pair, Table

__all__ = ["Gains", "Prior", "draw_gammas", "gains_of_pair", "gains_of_table", "mean_gains"]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Gains:
    """The gains of a over b: datasets x pairs, nan where a score is missing."""

    values: Floats
    algorithms: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    missing: np.ndarray[tuple[int], np.dtype[np.int64]]

    @property
    def present(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Where both scores are known."""
        return ~np.isnan(self.values)

    @property
    def counts(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """How many datasets each pair shares."""
        return np.asarray(self.present.sum(axis=0), dtype=np.int64)

    def warnings(self, rope: float) -> tuple[str, ...]:
        """What a careful reader must know of the pairs, one sentence each."""
        found = (_warning(self.values[:, k], pair, rope) for k, pair in enumerate(self.pairs))
        return tuple(sentence for sentence in found if sentence)


def _warning(values: Floats, pair: tuple[str, str], rope: float) -> str:
    known, (a, b) = values[~np.isnan(values)], pair
    if not known.any():
        return f"{a} and {b} have identical scores on all {len(known)} datasets: nothing tells them apart."
    if len(known) == 1:
        return f"{a} and {b} share only one dataset: the prior weighs as much as the data."
    if rope > 0 and np.abs(known).max() <= rope:
        return f"No difference between {a} and {b} exceeds the rope ({rope:g}): they are equivalent by its width."
    return ""


def gains_of_table(table: Table) -> Gains:
    """The gains of every pair of columns, with float noise rounded away; each pair on the datasets it shares."""
    gains = table.gains
    index = np.array(pair_indices(table.n_algorithms))
    values = subtract(gains[:, index[:, 0]], gains[:, index[:, 1]])
    pairs = tuple((table.algorithms[i], table.algorithms[j]) for i, j in index)
    missing = np.isnan(values).sum(axis=0)
    for (a, b), lost in zip(pairs, missing, strict=True):
        if lost == table.n_datasets:
            raise DataError(f"{a!r} and {b!r} have no dataset in common: leave one of them out.")
    return Gains(values=values, algorithms=table.algorithms, pairs=pairs, missing=missing.astype(np.int64))


def gains_of_pair(pair: Pair, names: tuple[str, str]) -> Gains:
    """The gains of a single pair."""
    missing = np.array([pair.missing], dtype=np.int64)
    return Gains(values=pair.differences[:, None], algorithms=names, pairs=(names,), missing=missing)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Prior:
    """A rope, a prior observation worth `strength` datasets at `place`, and what becomes of zeros at rope 0."""

    rope: float
    strength: float
    place: str
    zeros: str

    @classmethod
    def checked(cls, rope: Any, strength: float, place: str, zeros: str) -> Prior:
        """The same, refused in a sentence where it cannot be used."""
        check.choice("place", place, ("left", "rope", "right"))
        check.choice("zeros", zeros, ("rope", "split"))
        if check.number("prior", strength) <= 0:
            raise ArgumentError(f"`prior` must be positive: it is worth so many datasets; got {strength!r}.")
        return cls(rope=rope_width(rope), strength=float(strength), place=place, zeros=zeros)

    @property
    def gain(self) -> float:
        """Where the prior observation stands: in the rope (0), or just beyond its left or right edge."""
        beyond = float(np.nextafter(self.rope, np.inf))
        return {"left": -beyond, "rope": 0.0, "right": beyond}[self.place]

    @property
    def splits(self) -> bool:
        """Whether zeros belong half to each side: only where asked for, and only without a rope."""
        return self.rope == 0 and self.zeros == "split"


def draw_gammas(rng: Rng, *, draws: int, n: int, prior: Prior) -> Floats:
    """Unnormalised Dirichlet weights, (1 + n) x draws: the prior's first."""
    source = generator(rng)
    weights = np.empty((n + 1, draws))
    weights[0] = source.standard_gamma(prior.strength, size=draws)
    weights[1:] = source.standard_exponential((n, draws))
    return weights


def mean_gains(gains: Gains, gammas: Floats, prior: Prior, *, credibility: float) -> dict[str, Any]:
    """The mean gain over the population: its expectation (exact) and its interval (from the draws)."""
    present = gains.present
    filled = np.where(present, gains.values, 0.0)
    expected = (prior.strength * prior.gain + filled.sum(axis=0)) / (prior.strength + gains.counts)
    ones = np.ones((1, filled.shape[1]))
    means = (np.vstack([prior.gain * ones, filled]).T @ gammas) / (np.vstack([ones, present]).T @ gammas)
    tail = (1 - check.fraction("credibility", credibility)) / 2
    low, high = np.quantile(means, [tail, 1 - tail], axis=1)
    return {"difference": expected, "low": low, "high": high}
