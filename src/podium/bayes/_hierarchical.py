"""The hierarchical correlated t test: two algorithms, many datasets, all their folds (Corani et al. 2017).

    x_i ~ MVN(delta_i 1, sigma_i^2 M), M with 1 on the diagonal and rho elsewhere: the gains on dataset i
    delta_i ~ t(df; delta0, std0)            sigma_i ~ U(0, large)
    delta0 ~ U(-max|x|, max|x|)              std0 ~ U(0, 1000 times the sd of the datasets' means)
    df - 1 ~ Gamma(alpha, beta)              alpha ~ U(1, 2), beta ~ U(0.01, 0.1)

sigma_i, delta_i, alpha and beta are integrated out; three dimensions remain.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np

from podium.bayes.diagnostics import Diagnostics
from podium.bayes.hierarchical_data import GainFolds, gain_folds, mixture_nodes
from podium.bayes.importance import importance_sample
from podium.bayes.posterior import SIDES, PairPosterior, PairsPosterior, central, fractions, rope_width, stacked, triple
from podium.core import check
from podium.core.arrays import Floats
from podium.core.progress import Progress, tracked
from podium.core.rng import Rng, generator
from podium.evidence.design import Design
from podium.evidence.scores import Scores

POINTS, PILOT = 4096, 384  # of the density, and of each round that shapes the proposal
MIXING_GRID = 20  # nodes in log tau: about 0.65 sd apart, for any df


def hierarchical(
    x: Any,
    y: Any,
    *,
    rope: Any = 0.0,
    design: Design | None = None,
    names: tuple[str, str] = ("a", "b"),
    datasets: tuple[str, ...] | None = None,
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
) -> PairPosterior:
    """Is a (scores x) practically better than b (scores y) on datasets like these? Uses every fold.

    `p_right` is the probability that, in the population of datasets, "a practically better" is the most frequent outcome;
    `share_right` the probability that a is practically better on the next dataset. `difference` is the centre of the population of
    gains; `details` have the posterior medians of its spread `std0` and tail `df`, and what each dataset is shrunk to (see
    `datasets_frame`).

    Parameters
    ----------
    x, y : array-like of shape (datasets, repeats, folds) or (datasets, scores)
        Scores of a and of b on the same folds; higher is better.
    rope : float or RopeResult, default 0.0
        Differences up to this, in the units of the scores, do not matter; or a result of `rope_from_...`.
    design : Design, optional
        Repeats, folds and the share of test cases, where the shape does not say them; without it, scores of a
        dataset are one repeat of as many folds.
    names : (str, str), default ("a", "b")
        What the two algorithms are called.
    datasets : tuple of str, optional
        Names of the datasets.
    credibility : float, default 0.95
        Probability that the credible intervals hold.
    draws : int, default 4000
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
    >>> source = np.random.default_rng(5)
    >>> gains = source.normal(0.03, 0.01, (15, 1)) + source.normal(0, 0.02, (15, 10))
    >>> answer = hierarchical(0.8 + gains, np.full((15, 10), 0.8), rope=0.01, rng=0)
    >>> answer.p_right > 0.99, 0.9 < answer.share_right < 1
    (True, True)
    """
    check.pair_of_names(names)
    data = gain_folds(x, y, design, datasets, rope_width(rope))
    row, drawn = _row(data, names, rope_width(rope), credibility, draws, generator(rng))
    return replace(_posterior([row], names, data, rope, credibility).pair(*names), draws=drawn)


def fit(
    data: Scores,
    *,
    rope: Any = 0.0,
    credibility: float = 0.95,
    draws: int = 4000,
    rng: Rng = None,
    progress: Progress = None,
) -> PairsPosterior:
    """All pairs of algorithms, one after the other."""
    columns = np.moveaxis(data.metric.sign * data.values, 1, 0)
    pairs = list(zip(combinations(data.algorithms, 2), combinations(columns, 2), strict=True))
    rows = []
    each = zip(pairs, generator(rng).spawn(len(pairs)), strict=True)
    for (names, (x, y)), stream in tracked(each, progress, total=len(pairs)):
        reduced = gain_folds(x, y, data.design, data.datasets, rope_width(rope))
        rows.append(_row(reduced, names, rope_width(rope), credibility, draws, stream)[0])
    return _posterior(rows, data.algorithms, reduced, rope, credibility)


def _posterior(
    rows: list[Mapping[str, Any]], algorithms: tuple[str, ...], data: GainFolds, rope: Any, credibility: float
) -> PairsPosterior:
    return PairsPosterior.of(
        "hierarchical",
        algorithms,
        rope=rope_width(rope),
        credibility=credibility,
        method=rows[0]["diagnostics"].method,
        details={"rho": data.rho, "datasets": data.names},
        **stacked(rows),
    )


def _row(
    data: GainFolds, names: tuple[str, str], rope: float, credibility: float, draws: int, rng: np.random.Generator
) -> tuple[Mapping[str, Any], dict[str, Floats]]:
    """The numbers of a pair, and its draws."""
    check.count("draws", draws, at_least=400)
    check.fraction("credibility", credibility)
    points, weights, picked, deltas, diagnostics = _by_importance(data, draws, rng)
    theta = _theta(points, rope / data.unit)
    top = theta >= theta.max(axis=1, keepdims=True)
    chances = weights @ (top / top.sum(axis=1, keepdims=True))
    delta0, std0, df = data.unit * picked[:, 0], data.unit * picked[:, 1], picked[:, 2]
    each = data.unit * deltas
    low, high = central(delta0, credibility)
    each_low, each_high = central(each, credibility)
    row = {
        **triple("p", chances),
        "difference": data.unit * float(picked[:, 0].mean()),
        "low": low,
        "high": high,
        "n": len(data.means),
        "left_out": len(data.names) - len(data.means),
        **triple("share", weights @ theta),
        "std0": data.unit * float(np.median(picked[:, 1])),
        "df": float(np.median(df)),
        "observed": data.spread(data.unit * data.means),
        "shrunk": data.spread(data.unit * deltas.mean(axis=0)),
        "shrunk_low": data.spread(each_low),
        "shrunk_high": data.spread(each_high),
        "regions": data.spread(fractions(each, rope)),
        "diagnostics": diagnostics,
        "warnings": (*diagnostics.warnings(), *data.warnings(names)),
    }
    drawn = dict(zip(SIDES, _theta(picked, rope / data.unit).T, strict=True))
    return row, {**drawn, "delta0": delta0, "std0": std0, "df": df, "delta": each}


Sampled = tuple[Floats, Floats, Floats, Floats, Diagnostics]


def _by_importance(data: GainFolds, draws: int, rng: np.random.Generator) -> Sampled:
    """Points (delta0, std0, df) and their weights, equally weighted draws of them and of the deltas, in units."""
    from podium.bayes.hierarchical_kernel import draw_deltas, log_likelihood

    nodes, log_weights = mixture_nodes(data.counts)

    def log_density(points: Floats) -> Floats:
        natural, jacobian = _natural(data, points)
        likelihood = log_likelihood(natural, data.means, nodes, log_weights, data.scales, MIXING_GRID)
        return np.asarray(likelihood + jacobian + _log_df_prior(natural[:, 2] - 1))

    weighted = importance_sample(log_density, _start(data), rng=rng, count=POINTS, pilot=PILOT)
    picked, _ = _natural(data, weighted.points[rng.permutation(weighted.resample(draws, rng))])
    deltas = draw_deltas(picked, data.means, nodes, log_weights, data.scales, MIXING_GRID, rng)
    return _natural(data, weighted.points)[0], weighted.weights, picked, deltas, weighted.diagnostics


def _natural(data: GainFolds, points: Floats) -> tuple[Floats, Floats]:
    """(delta0, std0, df) at three unbounded coordinates, and the log of the Jacobian.

    delta0 = largest tanh(c0 fine / largest), std0 = widest logistic(c1), df = 1 + exp(c2), so that uniform
    priors between limits have no edge; `fine` makes c0 count in steps of the expected error of delta0.
    """
    place = np.tanh(points[:, 0] * data.fine / data.largest)
    share = 1 / (1 + np.exp(-points[:, 1]))
    from_one = np.exp(np.minimum(points[:, 2], 12.0))
    jacobian = np.log1p(-np.minimum(place**2, 1 - 1e-15)) - np.logaddexp(0, points[:, 1])
    jacobian = jacobian - np.logaddexp(0, -points[:, 1]) + points[:, 2]
    return np.column_stack([data.largest * place, data.widest * share, 1 + from_one]), jacobian


def _start(data: GainFolds) -> Floats:
    """Coordinates near the middle of the data, to begin the search of the mode."""
    spread = max(float(data.means.std()), 0.1 * float(np.sqrt(data.scales.mean()))) / data.widest
    middle = float(np.clip(np.median(data.means) / data.largest, -0.99, 0.99))
    return np.array([np.arctanh(middle) * data.largest / data.fine, np.log(spread), 1.0])


def _log_df_prior(from_one: Floats) -> Floats:
    """log p(df - 1): a Gamma density, averaged over alpha ~ U(1, 2) and beta ~ U(0.01, 0.1) by Gauss-Legendre."""
    from scipy.special import logsumexp

    alpha, beta, log_weights = _prior_grid()
    x = from_one[:, None, None]
    return logsumexp(log_weights + (alpha - 1) * np.log(x) - beta * x, axis=(1, 2))


@functools.cache
def _prior_grid() -> tuple[Floats, Floats, Floats]:
    """Where the prior of df is averaged, and the logs of the weights there: the same at each of thousands of calls."""
    from scipy.special import gammaln

    nodes, weights = np.polynomial.legendre.leggauss(12)
    alpha, beta = 1.5 + 0.5 * nodes[:, None], 0.055 + 0.045 * nodes[None, :]
    log_weights = np.log(weights[:, None] * weights[None, :]) + alpha * np.log(beta) - gammaln(alpha)
    return alpha, beta, log_weights


def _theta(natural: Floats, rope: float) -> Floats:
    """The population's (left, rope, right) at each point."""
    from scipy.special import stdtr

    delta0, std0, df = natural.T
    left, right = stdtr(df, (-rope - delta0) / std0), stdtr(df, (delta0 - rope) / std0)
    middle = np.maximum(0.0, 1 - left - right) if rope > 0 else np.zeros_like(left)
    return np.column_stack([left, middle, right])
