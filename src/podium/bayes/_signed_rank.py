"""The Bayesian signed-rank test: two algorithms over datasets, all pairs at once (Benavoli et al. 2014, 2017)."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from podium.bayes import dirichlet
from podium.bayes.dirichlet import PairGains, Prior
from podium.bayes.posterior import AT_ONCE, PairPosterior, PairsPosterior
from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.progress import Progress, tracked
from podium.core.ranks import TIE
from podium.core.rng import Rng, generator
from podium.core.words import Place, Zeros

Regions = tuple[Ints, Ints, Floats]  # the order, the cuts and the prior parameters of a pair
CHUNK = 2000  # draws at a time, if they fit
INTERVAL_DRAWS = 10_000  # enough for the interval of the mean gain


def signed_rank(
    x: Any,
    y: Any,
    *,
    rope: Any = 0.0,
    prior: float = 0.5,
    place: Place = "rope",
    zeros: Zeros = "rope",
    names: tuple[str, str] = ("a", "b"),
    credibility: float = 0.95,
    draws: int = 50_000,
    rng: Rng = None,
) -> PairPosterior:
    """Which is the most frequent: b better, practically equivalent, or a better? Scores x (of a) and y (of b).

    Unlike the sign test it also uses the sizes of the gains: its shares are of pairs of datasets, by the mean of their two gains. The
    probabilities are fractions of the draws (`details["mc_error"]` is their largest standard error), the shares are exact.

    Parameters
    ----------
    x, y : array-like of shape (n_datasets,)
        Scores of a and of b, one per dataset; higher is better.
    rope : float or RopeResult, default 0.0
        Differences up to this, in the units of the scores, do not matter; or a result of `rope_from_...`.
    prior : float, default 0.5
        How many datasets the prior is worth.
    place : {"left", "rope", "right"}, default "rope"
        Where the mass of the prior lies: b better, equivalent, or a better.
    zeros : {"rope", "split"}, default "rope"
        With a rope of 0, differences of 0 lie in it (the limit of ever smaller ropes), or half of each counts
        for both sides, as in baycomp.
    names : (str, str), default ("a", "b")
        What the two algorithms are called.
    credibility : float, default 0.95
        Probability that the credible intervals hold.
    draws : int, default 50000
        Number of random draws.
    rng : int or numpy.random.Generator, optional
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    PairPosterior
        `p_left` (b is better), `p_rope` (practically equivalent), `p_right` (a is better), and the difference
        with its interval.

    Examples
    --------
    >>> import numpy as np
    >>> x = np.array([0.81, 0.77, 0.92, 0.63, 0.70, 0.88])
    >>> answer = signed_rank(x, x - [0.03, 0.02, 0.04, 0.01, 0.02, -0.01], rope=0.01, rng=1)
    >>> round(answer.share_right, 3), answer.p_right > 0.8
    (0.718, True)
    """
    believed = Prior.checked(rope, prior, place, zeros)
    fitted, (left, right) = _fit(dirichlet.gains_of_pair(x, y, names), believed, credibility, draws, generator(rng))
    return replace(fitted.pair(*names), draws={"left": left, "rope": 1 - left - right, "right": right})


def _fit(
    gains: PairGains, prior: Prior, credibility: float, draws: int, rng: np.random.Generator, progress: Progress = None
) -> tuple[PairsPosterior, Floats]:
    """The result of all pairs, and the draws of (left, right) of the last one."""
    check.count("draws", draws, at_least=100)
    edge = 0.5 if prior.rope > 0 or prior.splits else 0.0
    regions = [_regions(values, prior) for values in gains.values.T]
    chances, drawn, means = _draw(gains, prior, regions, edge, draws, rng, progress)
    fitted = dirichlet.posterior_of(
        "signed_rank",
        gains,
        prior,
        chances=chances,
        shares=np.array([_expected(cuts, alpha, edge) for _, cuts, alpha in regions]),
        means=means,
        credibility=credibility,
        method="independent draws",
        details={"mc_error": float(np.sqrt((chances * (1 - chances)).max() / draws))},
    )
    return fitted, drawn


# The same draws of the weights of the datasets serve all pairs.
fit = partial(dirichlet.fit_table, lambda *data: _fit(*data)[0], prior=0.5, draws=50_000)


def _draw(
    gains: PairGains,
    prior: Prior,
    regions: list[Regions],
    edge: float,
    draws: int,
    rng: np.random.Generator,
    progress: Progress,
) -> tuple[Floats, Floats, Floats]:
    """Fractions of draws won by each outcome of each pair, the shares of the last pair, and some draws of the mean gains.

    The draws come in chunks that stay in the processor's cache while all pairs use them.
    """
    from podium.bayes.signed_rank_kernel import most_frequent, signed_rank_shares

    won, kept, some = np.zeros((len(regions), 3)), [], []
    chunk = min(CHUNK, max(1, AT_ONCE // (1 + len(gains.values))))
    starts = range(0, draws, chunk)
    for start in tracked(starts, progress, total=len(starts)):
        size = min(chunk, draws - start)
        gammas = dirichlet.draw_gammas(rng, draws=size, n=len(gains.values), prior=prior)
        for k, (order, cuts, _) in enumerate(regions):
            shares = signed_rank_shares(gammas, order, cuts, edge)
            won[k] += most_frequent(shares)
        kept.append(shares)
        if start < INTERVAL_DRAWS:
            some.append(dirichlet.mean_gains(gains, prior, gammas))
    return won / draws, np.hstack(kept), np.hstack(some)


def _regions(values: Floats, prior: Prior) -> Regions:
    """The columns of the weights by ascending gain, the cuts of `signed_rank_shares`, and the prior parameters."""
    columns = np.concatenate([[0], 1 + np.flatnonzero(~np.isnan(values))])
    gain = np.concatenate([[prior.gain], values[~np.isnan(values)]])
    by_gain = np.argsort(gain, kind="stable")
    ordered = gain[by_gain]
    cuts = [_cut(ordered, edge, prior.rope) for edge in (-2 * prior.rope, 2 * prior.rope)]
    alpha = np.where(columns == 0, prior.strength, 1.0)[by_gain]
    return columns[by_gain].astype(np.int64), np.vstack(cuts), alpha


def _cut(ordered: Floats, edge: float, rope: float) -> Ints:
    """For each gain, how many of all form a sum with it that is below an edge of the doubled rope, and not above it.

    A sum ties with the edge by the precision of what was added.
    """
    wanted = edge - ordered
    noise = TIE * np.maximum(np.maximum(np.abs(ordered), np.abs(wanted)), rope)
    below, upto = (np.searchsorted(ordered, wanted - noise), np.searchsorted(ordered, wanted + noise, side="right"))
    return np.stack([below, upto]).astype(np.int64)


def _expected(cuts: Ints, alpha: Floats, edge: float) -> Floats:
    """The exact posterior mean of (left, rope, right): E[w_i w_j] = a_i (a_j + [i = j]) / (s (s + 1))."""
    sums, place, total = np.concatenate([[0.0], np.cumsum(alpha)]), np.arange(len(alpha)), float(alpha.sum())
    low, low_edge, high, high_edge = (sums[cut] + (place < cut) for cut in cuts)  # over j below the cut, a_j + [i = j]
    left = alpha @ (low + edge * (low_edge - low)) / (total * (total + 1))
    right = alpha @ (total + 1 - high_edge + edge * (high_edge - high)) / (total * (total + 1))
    return np.array([left, max(0.0, 1 - left - right), right])
