"""One chain of the Bradley-Terry model with normal abilities: slice steps, and an exact step of the common level."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import njit

__all__ = ["run_chain"]

Floats = npt.NDArray[np.float64]


@njit(cache=True)
def _log_density(value: float, k: int, ability: Floats, wins: Floats, sigma: float) -> float:
    """Log density of ability k at `value`, given the others: binomial-logit wins and a normal prior."""
    total = -0.5 * value * value / (sigma * sigma)
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
def _log_sigma_density(log_sigma: float, count: int, squares: float) -> float:
    """Log density of log sigma: lognormal(0, 0.5) prior, `count` abilities with that sum of squares."""
    value: float = -2.0 * log_sigma**2 - count * log_sigma - 0.5 * squares * np.exp(-2.0 * log_sigma)
    return value


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
        sigma = np.exp(log_sigma)
        for k in range(count):
            old = ability[k]
            height = _log_density(old, k, ability, wins, sigma) - rng.standard_exponential()
            low = old - rng.random()
            high = low + 1.0
            while _log_density(low, k, ability, wins, sigma) > height:
                low -= 1.0
            while _log_density(high, k, ability, wins, sigma) > height:
                high += 1.0
            while True:
                new = low + (high - low) * rng.random()
                if _log_density(new, k, ability, wins, sigma) >= height:
                    break
                if new < old:
                    low = new
                else:
                    high = new
            ability[k] = new
        # Only the prior knows the common level: given the gaps it is normal around 0.
        level = sigma / np.sqrt(count) * rng.standard_normal()
        ability += level - ability.mean()
        squares = (ability**2).sum()
        height = _log_sigma_density(log_sigma, count, squares) - rng.standard_exponential()
        low = log_sigma - 0.5 * rng.random()
        high = low + 0.5
        while _log_sigma_density(low, count, squares) > height:
            low -= 0.5
        while _log_sigma_density(high, count, squares) > height:
            high += 0.5
        while True:
            new = low + (high - low) * rng.random()
            if _log_sigma_density(new, count, squares) >= height:
                break
            if new < log_sigma:
                low = new
            else:
                high = new
        log_sigma = new
        if sweep >= warmup:
            out[sweep - warmup, 0] = log_sigma
            out[sweep - warmup, 1:] = ability
    return out
