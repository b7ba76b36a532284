"""The Bayesian sign test: how often is each of two algorithms practically better? (Benavoli et al. 2014, 2017)"""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from podium.bayes.dirichlet import PairGains, Prior, draw_mean_gains, fit_table, gains_of_pair, posterior_of
from podium.bayes.posterior import SIDES, PairPosterior, PairsPosterior
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.rng import Rng, generator
from podium.core.words import Place, Zeros


def sign(
    x: Any,
    y: Any,
    *,
    rope: Any = 0.0,
    prior: float = 1.0,
    place: Place = "rope",
    zeros: Zeros = "rope",
    names: tuple[str, str] = ("a", "b"),
    credibility: float = 0.95,
    draws: int = 20_000,
    rng: Rng = None,
) -> PairPosterior:
    """Which is the most frequent: b better, practically equivalent, or a better? Scores x (of a) and y (of b).

    The probabilities are exact (a one-dimensional integral). `details["counts"]` has the datasets on which b is better, neither is,
    and a is.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of a and of b, one per dataset; higher is better.
    rope : float or RopeResult, default 0.0
        Differences up to this, in the units of the scores, do not matter; or a result of `rope_from_...`.
    prior : float, default 1.0
        How many datasets the prior is worth.
    place : {"left", "rope", "right"}, default "rope"
        Where the mass of the prior lies: b better, equivalent, or a better.
    zeros : {"rope", "split"}, default "rope"
        With a rope of 0, differences of 0 lie in it (the limit of ever smaller ropes), or half of each counts
        for both sides.
    names : (str, str), default ("a", "b")
        What the two algorithms are called.
    credibility : float, default 0.95
        Probability that the credible intervals hold.
    draws : int, default 20000
        Number of draws, for the interval of the mean gain and the figures.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    PairPosterior
        `p_left` (b is better), `p_rope` (practically equivalent), `p_right` (a is better), and the difference
        with its interval.

    Examples
    --------
    >>> answer = sign([3.0, 2.0, 4.0, 3.0], [1.0, 1.0, 2.0, 3.1], rope=0.5, rng=0)
    >>> answer.details["counts"].tolist(), round(answer.p_right, 4), round(answer.share_right, 2)
    ([0, 1, 3], 0.6875, 0.6)
    """
    believed = Prior.checked(rope, prior, place, zeros)
    source = generator(rng)
    fitted = _fit(gains_of_pair(x, y, names), believed, credibility, draws, source)
    alpha = _alpha(fitted.pair_details["counts"], believed)[0]
    shares = source.dirichlet(np.maximum(alpha, 1e-12), size=draws)
    return replace(fitted.pair(*names), draws=dict(zip(SIDES, shares.T, strict=True)))


def _fit(gains: PairGains, prior: Prior, credibility: float, draws: int, rng: np.random.Generator) -> PairsPosterior:
    check.count("draws", draws, at_least=100)
    right, left = (gains.values > prior.rope).sum(axis=0), (gains.values < -prior.rope).sum(axis=0)
    counts = np.column_stack([left, gains.counts - left - right, right]).astype(np.int64)
    alpha = _alpha(counts, prior)
    shares = alpha / alpha.sum(axis=1, keepdims=True)
    if prior.splits:
        shares = shares @ np.array([[1.0, 0.0, 0.0], [0.5, 0.0, 0.5], [0.0, 0.0, 1.0]])
    return posterior_of(
        "sign",
        gains,
        prior,
        chances=_split(alpha) if prior.splits else largest_of_dirichlet(alpha),
        shares=shares,
        means=draw_mean_gains(gains, prior, draws, rng),
        credibility=credibility,
        method="exact",
        pair_details={"counts": counts},
    )


fit = partial(fit_table, lambda *data: _fit(*data[:-1]), prior=1.0, draws=20_000)  # quick enough for no progress


def _alpha(counts: Ints, prior: Prior) -> Floats:
    """The parameters of the Dirichlet posterior: the counts, and the prior's strength at its place."""
    alpha = counts.astype(np.float64)
    alpha[:, SIDES.index(prior.place)] += prior.strength
    return alpha


def _split(alpha: Floats) -> Floats:
    """Zeros half to each side: the right share exceeds the left one where Beta(right, left) exceeds 1/2."""
    from scipy.special import betainc

    left, right = alpha[:, 0], alpha[:, 2]
    safe = np.maximum(alpha, 1e-300)
    p_right = 1 - betainc(safe[:, 2], safe[:, 0], 0.5)
    p_right = np.where(left == 0, np.where(right == 0, 0.5, 1.0), np.where(right == 0, 0.0, p_right))
    return np.column_stack([1 - p_right, np.zeros(len(alpha)), p_right])


def largest_of_dirichlet(alpha: Floats) -> Floats:
    """The probability of each component of a Dirichlet vector to be its largest, row by row.

    With independent Gamma variables G, P(G_1 is the largest) is the integral of f_1(x) F_2(x) F_3(x) over x.
    With x the quantile of G_1 at Phi(t) it is smooth in t and the trapezoidal rule converges very fast.

    >>> largest_of_dirichlet(np.array([[1.0, 1.0, 1.0], [0.0, 1.0, 1.0]])).round(12)
    array([[0.33333333, 0.33333333, 0.33333333],
           [0.        , 0.5       , 0.5       ]])
    """
    from scipy.special import gammainc, gammainccinv, gammaincinv, ndtr

    t = np.linspace(-8.5, 8.5, 341)
    weight = np.exp(-0.5 * t**2)
    weight /= weight.sum()
    chances = np.zeros(alpha.shape)
    for row, shapes in enumerate(alpha):
        active = np.flatnonzero(shapes > 0)
        for i in active:
            x = np.where(t < 0, gammaincinv(shapes[i], ndtr(t)), gammainccinv(shapes[i], ndtr(-t)))
            others = [gammainc(shapes[j], x) for j in active if j != i]
            chances[row, i] = weight @ np.prod(others, axis=0) if others else 1.0
        chances[row] /= chances[row].sum()
    return chances
