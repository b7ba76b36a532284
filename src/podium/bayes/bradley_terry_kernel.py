"""One chain of the Bradley-Terry model with normal abilities: slice steps, and an exact step of the common level."""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats
from podium.core.compiled import njit


@njit(cache=True)
def _log_density(value: float, k: int, ability: Floats, wins: Floats, log_sigma: float) -> float:
    """Log density of ability k at `value`, given the others and log sigma; of log sigma itself where k is -1.

    Wins are binomial-logit, abilities N(0, sigma), sigma is lognormal(0, 0.5).
    """
    if k < 0:
        squares = (ability**2).sum()
        prior: float = -2.0 * value**2 - len(ability) * value - 0.5 * squares * np.exp(-2.0 * value)
        return prior
    sigma = np.exp(log_sigma)
    total: float = -0.5 * value * value / (sigma * sigma)
    for j in range(ability.shape[0]):
        if j != k:
            gap = value - ability[j]
            # log logistic(gap) for the wins of k, log logistic(-gap) for its losses
            if gap > 0:
                plus, minus = -np.log1p(np.exp(-gap)), -gap - np.log1p(np.exp(-gap))
            else:
                plus, minus = gap - np.log1p(np.exp(gap)), -np.log1p(np.exp(gap))
            total += wins[k, j] * plus + wins[j, k] * minus
    return total


@njit(cache=True)
def _slice(k: int, width: float, ability: Floats, wins: Floats, log_sigma: float, rng: np.random.Generator) -> float:
    """One slice step of ability k, or of log sigma where k is -1: stepping out, then shrinking."""
    old = ability[k] if k >= 0 else log_sigma
    height = _log_density(old, k, ability, wins, log_sigma) - rng.standard_exponential()
    low = old - width * rng.random()
    high = low + width
    while _log_density(low, k, ability, wins, log_sigma) > height:
        low -= width
    while _log_density(high, k, ability, wins, log_sigma) > height:
        high += width
    while True:
        new = low + (high - low) * rng.random()
        if _log_density(new, k, ability, wins, log_sigma) >= height:
            return new
        if new < old:
            low = new
        else:
            high = new


@njit(cache=True)
def run_chain(wins: Floats, warmup: int, keep: int, rng: np.random.Generator) -> Floats:
    """keep x (log sigma, ability 1, ..., ability K); `wins[i, j]` counts the wins of i over j."""
    count = wins.shape[0]
    out = np.empty((keep, count + 1))
    ability = np.empty(count)
    for k in range(count):
        ability[k] = rng.standard_normal()
    log_sigma = 0.3 * rng.standard_normal()
    for sweep in range(warmup + keep):
        for k in range(count):
            ability[k] = _slice(k, 1.0, ability, wins, log_sigma, rng)
        # Only the prior knows the common level: given the gaps it is normal around 0.
        level = np.exp(log_sigma) / np.sqrt(count) * rng.standard_normal()
        ability += level - ability.mean()
        log_sigma = _slice(-1, 0.5, ability, wins, log_sigma, rng)
        if sweep >= warmup:
            out[sweep - warmup, 0] = log_sigma
            out[sweep - warmup, 1:] = ability
    return out
