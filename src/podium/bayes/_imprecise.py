"""The imprecise Dirichlet process: probabilities over all places of the prior's mass (Benavoli et al. 2014)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import Any, Literal

import numpy as np

from podium.bayes import _sign, _signed_rank
from podium.bayes.dirichlet import PairGains, Prior, gains_of_table
from podium.bayes.posterior import SIDES
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.numbers import as_given, counted, number
from podium.core.result import Result
from podium.core.rng import Rng, generator

_FIT = {"sign": _sign._fit, "signed_rank": lambda *data: _signed_rank._fit(*data)[0]}


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ImprecisePosterior(Result):
    """Lower and upper probabilities of each pair: `lower[pair, side]` and `upper`, the sides being left (b better), rope, right.

    Whatever is believed beforehand of the prior's `prior` datasets, the posterior probability lies between the two.
    """

    algorithms: tuple[str, ...]
    model: str
    rope: float
    prior: float
    lower: Floats
    upper: Floats
    n: Ints
    references: tuple[str, ...] = ("benavoli2014",)

    @property
    def names(self) -> tuple[tuple[str, str], ...]:
        """The pairs."""
        return tuple(combinations(self.algorithms, 2))

    def undecided(self, probability: float = 0.95) -> tuple[tuple[str, str], ...]:
        """The pairs on which the data do not decide: one place of the prior gives a verdict, another does not."""
        open_ = np.any((self.lower <= probability) & (self.upper > probability), axis=1).tolist()
        return tuple(pair for pair, some in zip(self.names, open_, strict=True) if some)

    def summary(self) -> str:
        """What the place of the prior changes."""
        at = int((self.upper - self.lower).max(axis=1).argmax())
        side = int((self.upper - self.lower)[at].argmax())
        a, b = self.names[at]
        what = (f"{b} is better", "the two are practically equivalent", f"{a} is better")[side]
        changed = self.undecided()
        names = "; ".join(" and ".join(pair) for pair in changed[:5]) + ("; ..." if len(changed) > 5 else "")
        deciding = f": on {names}, at a probability of 0.95, the prior decides, not the data" if changed else ""
        worth = "1 dataset" if self.prior == 1 else f"{as_given(self.prior)} datasets"
        return (
            f"Over all places of a prior worth {worth}, the place changes the verdict on "
            f"{len(changed)} of {counted(len(self.names), 'pair')}{deciding}. The widest range is that of {a} and {b}: the probability "
            f"that {what} lies between {number(self.lower[at, side], 3)} and {number(self.upper[at, side], 3)}."
        )

    def columns(self) -> dict[str, Any]:
        """One row per pair."""
        a, b = zip(*self.names, strict=True)
        ends = {
            f"{end}_{side}": values[:, k]
            for k, side in enumerate(SIDES)
            for end, values in (("lower", self.lower), ("upper", self.upper))
        }
        return {"a": a, "b": b, "n": self.n, **ends}


def imprecise(
    data: Any,
    *,
    model: Literal["sign", "signed_rank"] = "signed_rank",
    rope: Any = 0.0,
    prior: float = 1.0,
    draws: int = 20_000,
    rng: Rng = 0,
) -> ImprecisePosterior:
    """The least and the largest probability of each verdict, over all places of a prior.

    The probabilities of the two sides are extreme where the prior's mass lies beyond all gains on one side; that of the rope
    where it lies in the rope, just beyond its edges, or beyond all gains. All five places are tried, with the same draws.

    Parameters
    ----------
    data : Scores, Table, DataFrame or array-like
        Scores of datasets (rows) x algorithms (columns). Of a bare array or DataFrame, higher is better.
    model : {"sign", "signed_rank"}, default "signed_rank"
        The model.
    rope : float or RopeResult, default 0.0
        Differences up to this, in the units of the scores, do not matter; or a result of `rope_from_...`.
    prior : float, default 1.0
        How many datasets the prior is worth.
    draws : int, default 20000
        Number of random draws.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    ImprecisePosterior
        For each pair the lower and the upper probability that b is better, that they are equivalent, and that a
        is better.

    Examples
    --------
    >>> found = imprecise([[3.0, 1.0], [2.0, 1.0], [4.0, 2.0], [3.0, 3.1]], model="sign", rope=0.5)
    >>> found.lower[0].round(2).tolist(), found.upper[0].round(2).tolist()
    ([0.0, 0.06, 0.69], [0.11, 0.31, 0.94])
    """
    check.choice("model", model, tuple(_FIT))
    gains = gains_of_table(data)
    seed = int(generator(rng).integers(2**32))
    chances = []
    for place, reach in _places(gains):
        believed = replace(Prior.checked(rope, prior, place, "rope"), reach=reach)
        posterior = _FIT[model](gains, believed, 0.95, draws, np.random.default_rng(seed))
        chances.append(np.column_stack([getattr(posterior, f"p_{side}") for side in SIDES]))
    return ImprecisePosterior(
        algorithms=gains.algorithms,
        model=model,
        rope=believed.rope,
        prior=believed.strength,
        lower=np.min(chances, axis=0),
        upper=np.max(chances, axis=0),
        n=gains.counts,
    )


def _places(gains: PairGains) -> list[tuple[str, float]]:
    """The sides of the prior's mass and how far beyond the rope: twice the largest gain is beyond all sums of two."""
    far = 2.0 * float(np.nanmax(np.abs(gains.values))) + 1.0
    return [("rope", 0.0), *((side, reach) for side in ("left", "right") for reach in (0.0, far))]
