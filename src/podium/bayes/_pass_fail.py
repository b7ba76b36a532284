"""Two algorithms on the same cases, with a rope: a Dirichlet posterior for pass or fail, Student's for means of cases.

Of the cases that only a passes (b of n), only b passes (c), and the rest, the shares have the prior Dirichlet(1/2, 1/2, 1). The
difference of accuracies is D = s (2 q - 1) with s ~ Beta(b + c + 1, n - b - c + 1), the share of disagreements, and
q ~ Beta(b + 1/2, c + 1/2), a's part of them, independent of each other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from podium.bayes.posterior import PairPosterior, PairsPosterior, quantiles, regions, rope_width, triple
from podium.core import check
from podium.core.arrays import Floats, Ints

_NODES = 200  # quadrature points over the share of disagreements
MOST_INTERVALS = 300  # pairs whose interval is that of the posterior itself; of more, the normal law of its moments


def pass_fail(
    only_a: int, only_b: int, n: int, *, rope: Any = 0.0, names: tuple[str, str] = ("a", "b"), credibility: float = 0.95
) -> PairPosterior:
    """Is a practically better than b, from the cases that only one of them passes?

    The posterior of the difference of accuracies with the prior Dirichlet(1/2, 1/2, 1), by quadrature, without draws.

    Parameters
    ----------
    only_a, only_b : int
        Number of cases that only this one passes.
    n : int
        Number of cases in all.
    rope : float or RopeResult, default 0.0
        Differences of the accuracies up to this do not matter: 0.01 for one percentage point.
    names : (str, str), default ("a", "b")
        What the two algorithms are called.
    credibility : float, default 0.95
        Probability that the credible intervals hold.

    Returns
    -------
    PairPosterior
        `p_left` (b is better), `p_rope` (practically equivalent), `p_right` (a is better), and the difference
        with its interval.

    Examples
    --------
    >>> found = pass_fail(30, 12, 100, rope=0.01)
    >>> round(found.p_left, 3), round(found.p_rope, 3), round(found.p_right, 3)
    (0.001, 0.002, 0.996)
    """
    counts = [
        check.count(name, value, at_least=0) for name, value in (("only_a", only_a), ("only_b", only_b), ("n", n))
    ]
    if counts[0] + counts[1] > counts[2]:
        raise check.refused("n", n, f"must be at least {counts[0] + counts[1]}, the cases on which the two disagree")
    b, c, total = (np.array([value]) for value in counts)
    check.pair_of_names(names)
    return pass_fail_pairs(names, b, c, total, rope=rope, credibility=credibility).pair(*names)


def pass_fail_pairs(
    algorithms: tuple[str, ...], only_a: Ints, only_b: Ints, n: Ints, *, rope: Any, credibility: float = 0.95
) -> PairsPosterior:
    """The same for all pairs of algorithms, in the order of `pair_indices`."""
    from scipy.special import ndtri

    width, tail = rope_width(rope), (1 - check.fraction("credibility", credibility)) / 2
    b, c, total = (np.asarray(values, dtype=np.float64) for values in (only_a, only_b, n))
    below = _cdf(b, c, total)
    left, right = below(np.full(len(b), -width)), 1 - below(np.full(len(b), width))
    mean, variance = _moments(b, c, total)
    if len(b) <= MOST_INTERVALS:
        ends = np.full(len(b), -1.0), np.full(len(b), 1.0)
        low, high = (quantiles(below, level, *ends, rounds=40) for level in (tail, 1 - tail))
    else:
        low, high = (np.clip(mean + side * ndtri(1 - tail) * np.sqrt(variance), -1, 1) for side in (-1, 1))
    fields = {"difference": mean, "low": low, "high": high, "method": "quadrature"}
    return _posterior("pass_fail", algorithms, left, right, n, rope=width, credibility=credibility, **fields)


def case_means(
    algorithms: tuple[str, ...],
    gain: Floats,
    error: Floats,
    df: Floats,
    n: Ints,
    *,
    rope: Any,
    credibility: float = 0.95,
) -> PairsPosterior:
    """Means of case values with their standard errors: Student's t distribution around the gain, as from a flat prior."""
    from scipy.special import stdtr, stdtrit

    width, tail = rope_width(rope), (1 - check.fraction("credibility", credibility)) / 2
    safe = np.where(error > 0, error, 1.0)
    left = np.where(error > 0, stdtr(df, (-width - gain) / safe), (gain < -width).astype(np.float64))
    right = np.where(error > 0, stdtr(df, (gain - width) / safe), (gain > width).astype(np.float64))
    half = stdtrit(df, 1 - tail) * error
    fields = {"difference": gain, "low": gain - half, "high": gain + half, "method": "Student's t distribution"}
    return _posterior("case_means", algorithms, left, right, n, rope=width, credibility=credibility, **fields)


def _posterior(
    model: str, algorithms: tuple[str, ...], left: Floats, right: Floats, n: Ints, **fields: Any
) -> PairsPosterior:
    """What either model says of all pairs, none of whose cases is left out."""
    counts = {"n": np.asarray(n, dtype=np.int64), "left_out": np.zeros(len(left), dtype=np.int64)}
    return PairsPosterior.of(model, algorithms, **triple("p", regions(left, right)), **counts, **fields)


def _cdf(b: Floats, c: Floats, n: Floats) -> Callable[[Floats], Floats]:
    """P(D <= d) of every pair: the share q given s, averaged over quantiles of s."""
    from scipy.special import betainc, betaincinv

    nodes, weights = np.polynomial.legendre.leggauss(_NODES)
    apart = np.maximum(betaincinv((b + c + 1)[:, None], (n - b - c + 1)[:, None], (nodes + 1) / 2), 1e-300)

    def below(d: Floats) -> Floats:
        share = np.clip((1 + d[:, None] / apart) / 2, 0.0, 1.0)
        return betainc((b + 0.5)[:, None], (c + 0.5)[:, None], share) @ weights / 2

    return below


def _moments(b: Floats, c: Floats, n: Floats) -> tuple[Floats, Floats]:
    """Mean and variance of s (2 q - 1)."""
    apart, part = (b + c + 1) / (n + 2), (b + 0.5) / (b + c + 1)
    apart_square = apart * (b + c + 2) / (n + 3)
    part_square = part * (b + 1.5) / (b + c + 2)
    mean = apart * (2 * part - 1)
    return mean, np.maximum(apart_square * (4 * part_square - 4 * part + 1) - mean**2, 0.0)
