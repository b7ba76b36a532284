"""Does one scale of abilities fit the results of all pairs? The shares that the fit expects against those that are seen."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.arrays import Floats
from podium.core.numbers import percent
from podium.core.pairs import pair_indices

LEVEL = 0.01  # false alarms: up to 5% of tables that fit, because the test is asymptotic
FEWEST = 5  # datasets of a pair
_STEPS = 50  # of Newton's method, which settles in ten


@dataclass(frozen=True, slots=True, kw_only=True)
class PairFit:
    """For every pair the share of wins that is seen and expected, whether they clash, and Jeffreys' interval of the pair alone."""

    seen: Floats
    expected: Floats
    excess: Floats  # how far apart they are, over what is allowed: above 1 they clash
    alone_low: Floats
    alone_high: Floats

    def warnings(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """A sentence on the pair that fits worst, where it does not fit."""
        if not (self.excess > 1).any():
            return ()
        worst = int(np.nanargmax(self.excess))
        first, second = pair_indices(len(names))
        a, b = names[first[worst]], names[second[worst]]
        return (
            f"One scale of abilities does not fit these results: {a} beats {b} on {percent(float(self.seen[worst]))} of the datasets, "
            f"and the scale says {percent(float(self.expected[worst]))}. Families of algorithms that rise and fall together make the "
            "intervals too short; the individual ones of each pair (alone_low, alone_high) hold.",
        )


def fit_of(results: Floats) -> PairFit:
    """Fit abilities to results (datasets x algorithms x algorithms: 1, 0, -1 or nan), and compare them with each pair's own.

    The fit has half a win added each way. A pair's share less its expectation is a mean over datasets, in which each counts by its
    own result and by what it does to the abilities (its score through the inverse information).
    """
    from scipy.special import betaincinv, stdtrit

    won = (results + 1) / 2
    present = ~np.isnan(won)
    k = won.shape[1]
    wins = np.nansum(won, axis=0) + 0.5 * (1 - np.eye(k))
    ability, information = _abilities(wins)
    expected = 1 / (1 + np.exp(ability[None, :] - ability[:, None]))
    scores = np.where(present, np.nan_to_num(won) - expected, 0.0).sum(axis=2)
    pulled = (scores - scores.mean(axis=0)) @ np.linalg.pinv(information)
    first, second = pair_indices(k)
    own, there = won[:, first, second], present[:, first, second]
    n = there.sum(axis=0).astype(np.float64)
    seen = np.nansum(own, axis=0) / np.maximum(n, 1)
    chance = expected[first, second]
    parts = np.where(there, np.nan_to_num(own) - seen, 0.0) / np.maximum(n, 1)
    parts -= chance * (1 - chance) * (pulled[:, first] - pulled[:, second])
    error = np.sqrt((parts**2).sum(axis=0) * n / np.maximum(n - 1, 1))
    allowed = stdtrit(np.maximum(n - 1, 1), 1 - LEVEL / 2 / len(first)) * error
    usable = (n >= FEWEST) & (allowed > 0) & (k > 2)  # two algorithms always fit
    excess = np.where(usable, np.abs(seen - chance) / np.where(allowed > 0, allowed, 1.0), 0.0)
    ends = [betaincinv(seen * n + 0.5, n - seen * n + 0.5, tail) - 0.5 for tail in (0.025, 0.975)]
    return PairFit(seen=seen, expected=chance, excess=excess, alone_low=ends[0], alone_high=ends[1])


def _abilities(wins: Floats) -> tuple[Floats, Floats]:
    """The abilities of the largest likelihood by Newton's steps, and the information there."""
    ability, met = np.zeros(len(wins)), wins + wins.T
    information = np.eye(len(wins))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(ability[None, :] - ability[:, None]))
        spread = met * chance * (1 - chance)
        information = np.diag(spread.sum(axis=1)) - spread
        step = np.linalg.pinv(information) @ (wins - met * chance).sum(axis=1)
        ability = ability + np.clip(step, -1.0, 1.0)
        if np.abs(step).max() < 1e-10:
            break
    return ability, information
