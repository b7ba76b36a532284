"""Can the draws be trusted? Effective sample size, R-hat, the tail of importance weights, and sentences on them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from podium.core.arrays import Floats
from podium.core.errors import DataError
from podium.core.numbers import fixed

CHAINS = 4  # of every sampler that makes chains
ENOUGH_DRAWS = 400  # effective, for probabilities good to two digits
LARGEST_RHAT = 1.02
LARGEST_PARETO = 0.7  # Vehtari et al. 2024: beyond it, importance weights are not to be trusted


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Diagnostics:
    """How the draws were made and how good they are; `rhat` and `pareto_k` are nan where they do not apply."""

    method: str
    draws: int
    ess: float
    rhat: float = float("nan")
    pareto_k: float = float("nan")

    def warnings(self) -> tuple[str, ...]:
        """A sentence for everything that is not as it should be."""
        sentences = []
        if self.ess < ENOUGH_DRAWS:
            sentences.append(
                f"Only {fixed(self.ess, 0)} effective draws (at least {ENOUGH_DRAWS} are wanted): ask for more."
            )
        if self.rhat > LARGEST_RHAT:
            rhat = fixed(self.rhat, 3)
            sentences.append(f"The chains disagree (R-hat {rhat}, wanted below {LARGEST_RHAT}): ask for more draws.")
        if self.pareto_k > LARGEST_PARETO:
            sentences.append(
                f"The importance weights have a heavy tail (Pareto k {fixed(self.pareto_k, 2)}, wanted below "
                f"{LARGEST_PARETO}): take the probabilities as approximate."
            )
        return tuple(sentences)


def diagnosed(chains: Floats, method: str, what: str = "", *, fewest: float = 0.0) -> Diagnostics:
    """What is to be said of chains x draws x quantities; an error where `what` was sampled and did not settle at all."""
    ess, rhat = chain_diagnostics(chains)
    if what and (rhat > 1.5 or ess < fewest):
        sentence = f"{what} did not settle (R-hat {fixed(rhat, 2)}): raise {{draws}}."
        raise DataError(sentence, options=["draws"], rhat=rhat)
    return Diagnostics(method=method, draws=chains.shape[0] * chains.shape[1], ess=ess, rhat=rhat)


def chain_diagnostics(chains: Floats) -> tuple[float, float]:
    """The smallest effective sample size and the largest split R-hat; `chains` is chains x draws x quantities.

    Ranks of the draws stand in for the draws (Vehtari et al. 2021), so heavy tails do no harm.
    """
    from scipy.special import ndtri

    half = chains.shape[1] // 2
    split = np.concatenate([chains[:, :half], chains[:, -half:]], axis=0)
    many = split.shape[0] * half
    flat = split.reshape(many, -1)
    moving = np.ptp(flat, axis=0) > 0
    if not moving.any():
        return float(many), 1.0
    ranks = np.argsort(np.argsort(flat[:, moving], axis=0), axis=0) + 1.0
    scores = ndtri((ranks - 0.375) / (many + 0.25)).reshape(split.shape[0], half, -1)
    within = scores.var(axis=1, ddof=1).mean(axis=0)
    between = scores.mean(axis=1).var(axis=0, ddof=1)
    pooled = (half - 1) / half * within + between
    rhat = float(np.sqrt(pooled / within).max())
    ess = min(_effective(scores[:, :, q], pooled[q], within[q]) for q in range(scores.shape[2]))
    return float(ess), rhat


def _effective(chains: Floats, pooled: float, within: float) -> float:
    """Geyer's initial positive sequence on the autocorrelations of all chains together."""
    count, length = chains.shape
    centred = chains - chains.mean(axis=1, keepdims=True)
    size = 2 ** int(np.ceil(np.log2(2 * length)))
    power = np.abs(np.fft.rfft(centred, n=size, axis=1)) ** 2
    covariance = np.fft.irfft(power, axis=1)[:, :length].mean(axis=0) / length
    correlation = 1 - (within - covariance * length / (length - 1)) / pooled
    correlation[0] = 1.0
    even = correlation[: 2 * (length // 2)].reshape(-1, 2).sum(axis=1)
    negative = np.flatnonzero(even <= 0)
    stop = negative[0] if negative.size else len(even)
    time = -1 + 2 * np.minimum.accumulate(even[: max(stop, 1)]).sum()
    return float(count * length / max(time, 1 / np.log10(max(count * length, 10))))


def pareto_shape(log_weights: Floats) -> float:
    """The shape k of the generalised Pareto tail of importance weights (Zhang and Stephens 2009).

    >>> rng = np.random.default_rng(0)
    >>> bool(pareto_shape(rng.exponential(0.2, 5000)) < 0.5 < 0.7 < pareto_shape(rng.exponential(1.2, 5000)))
    True
    """
    finite = np.sort(log_weights[np.isfinite(log_weights)])
    tail = int(min(0.2 * len(finite), 3 * np.sqrt(len(finite))))
    if tail < 10:
        return float("nan")
    top = np.exp(finite[-tail:] - finite[-1])
    excess = top - np.exp(finite[-tail - 1] - finite[-1])
    excess = excess[excess > 0]
    if len(excess) < 10:
        return 0.0
    return _fit_pareto(excess)


def _fit_pareto(excess: Floats) -> float:
    """The posterior-mean estimate of Zhang and Stephens, shrunk a little towards 0.5 as Vehtari et al. do."""
    n = len(excess)
    grid = 30 + int(np.sqrt(n))
    quartile = excess[int(n / 4 + 0.5) - 1]
    theta = 1 / excess[-1] + (1 - np.sqrt(grid / (np.arange(1, grid + 1) - 0.5))) / (3 * quartile)
    shape = np.log1p(-theta[:, None] * excess[None, :]).mean(axis=1)
    likelihood = n * (np.log(-theta / shape) - shape - 1)
    weights = 1 / np.exp(likelihood[None, :] - likelihood[:, None]).sum(axis=1)
    chosen = (theta * weights).sum() / weights.sum()
    k = float(np.log1p(-chosen * excess).mean())
    return (n * k + 10 * 0.5) / (n + 10)
