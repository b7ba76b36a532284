"""The signed-rank law of many untied ranks 1, 2, ..., n: all pairs of one n share it, so their tails come from one table.

With d = n (n + 1) / 4 - w and any tilt theta > 0, the contour integral of the generating function over |z| = exp(-theta) is

    P(W <= w) = exp(-theta d) prod_r cosh(theta r / 2) / pi * int Re[ F(phi) exp(i phi d) / (1 - exp(-theta + i phi)) ] dphi,
    F(phi) = prod_r (cos(phi r / 2) - i tanh(theta r / 2) sin(phi r / 2)),

and F fades so fast that the trapezoid rule needs few nodes. The logarithm of a tail is a smooth function of w, so two Chebyshev
polynomials have it for all w: one in units of the spread near the middle, one in sqrt(w) far from it, where the number of sums
up to w grows like exp(c sqrt(w)). Sums up to `COUNTED` are counted. Relative errors stay below 2e-11 (tests/stats/exact).
"""

from __future__ import annotations

import math
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.polynomial.chebyshev import Chebyshev, chebpts2, chebvander

from podium.core.arrays import Floats, Ints

COUNTED = 2500  # below, the lattice of the sums shows: the contour would need nodes all around
NEAR = 7.0  # spreads from the middle where the polynomials meet
NOTHING = 38.7  # spreads from the middle where exp(-z^2 / 2), a bound of the tail, is below the smallest float
NEAR_TERMS, FAR_TERMS = 28, 40
LEAST_TILT = 2.0  # in units of 1 / spread: the pole at theta = 0 stays away, and e^2 of precision is lost at the most
NODES = 28  # on the upper half of the contour
STEP, POLE = 0.5, 36.0  # nodes are at most that many 1 / spread apart, and the pole adds at most exp(-POLE)
AT_ONCE = 500_000  # complex numbers: 8 MB
WINDOW = 2  # sums on both sides of the first guess of a quantile


def spread_of(n: int) -> float:
    """The standard deviation of the sum of n untied ranks with fair signs."""
    return math.sqrt(n * (n + 1) * (2 * n + 1) / 24)


def log_tails(n: int, sums: Ints) -> Floats:
    """log P(W <= w) of rows of sums up to the middle, from COUNTED on; those of a row are near each other and share a tilt."""
    size = max(1, AT_ONCE // n)
    return np.concatenate([_log_tails(n, sums[i : i + size]) for i in range(0, len(sums), size)])


def _log_tails(n: int, sums: Ints) -> Floats:
    ranks, below = np.arange(1.0, n + 1), n * (n + 1) / 4 - sums.astype(np.float64)
    theta, spread = _tilts(n, below[:, :1], ranks)
    step = np.minimum(STEP / spread, 2 * np.pi * theta / POLE)
    slopes, turn = np.tanh(theta * ranks / 2), np.exp(-0.5j * step * ranks)
    turned, total = np.ones_like(turn), np.zeros(sums.shape)
    for k in range(NODES):
        law = np.prod(turned.real + 1j * slopes * turned.imag, axis=1, keepdims=True)
        here = law * np.exp(1j * k * step * below) / -np.expm1(1j * k * step - theta)
        total += here.real * (0.5 if k == 0 else 1.0)
        turned *= turn
    log_cosh = np.log1p(np.exp(-theta * ranks)) + (theta * ranks / 2 - math.log(2))
    return np.asarray(log_cosh.sum(axis=1, keepdims=True) - theta * below + np.log(step * total / np.pi))


def _tilts(n: int, below: Floats, ranks: Floats) -> tuple[Floats, Floats]:
    """Tilts whose laws have their means near these sums, by Newton's method from below, and the spreads of these laws."""
    theta = np.maximum(below / spread_of(n) ** 2, LEAST_TILT / spread_of(n))
    while True:
        slopes = np.tanh(theta * ranks / 2)
        mean, spread = (slopes * ranks).sum(axis=1) / 2, np.sqrt(((1 - slopes**2) * ranks**2).sum(axis=1)) / 2
        short, variance = below - mean[:, None], spread[:, None] ** 2
        if not (short > 0.5 * spread[:, None]).any():
            return theta, spread[:, None]
        theta = np.where(short > 0.5 * spread[:, None], theta + short / variance, theta)


def _far_from(n: int) -> int:
    """The least sum of the table far from the middle."""
    middle = n * (n + 1) / 4
    return math.ceil(max(COUNTED, middle / 100, middle - NOTHING * spread_of(n)))


def _near_from(n: int) -> int:
    """The least sum of the table near the middle."""
    return math.ceil(n * (n + 1) / 4 - NEAR * spread_of(n))


@lru_cache(maxsize=64)
def _table(n: int, near: bool) -> Chebyshev:
    """log P(W <= w) as a polynomial in w or its root, through the whole numbers next to Chebyshev's points."""
    first, last = (_near_from(n), n * (n + 1) // 4) if near else (_far_from(n), _near_from(n))
    ends = _place(np.array([first, last]), near)
    points = ends.mean() + np.ptp(ends) / 2 * chebpts2(NEAR_TERMS if near else FAR_TERMS)
    sums = np.unique(np.clip(np.rint(points if near else points**2), first, last).astype(np.int64))
    basis = chebvander(np.interp(_place(sums, near), ends, (-1, 1)), len(sums) - 1)
    return Chebyshev(np.linalg.solve(basis, log_tails(n, sums[:, None])[:, 0]), domain=ends)


def _place(sums: Ints, near: bool) -> Floats:
    """The variable in which the logarithm of the tails is smooth."""
    return sums.astype(np.float64) if near else np.sqrt(sums)


@lru_cache(maxsize=64)
def _counts(n: int) -> Floats:
    """P(W <= w) for w < COUNTED, by counting."""
    law = np.zeros(COUNTED)
    law[0] = 1.0
    for rank in range(1, min(n, COUNTED - 1) + 1):
        law[rank:] += law[:-rank].copy()
    return np.asarray(np.exp(np.log(np.cumsum(law)) - n * math.log(2)))


def untied_tails(n: int, sums: Ints) -> Floats:
    """P(W <= w) for sums from 0 up to the middle, n above 300: from a table where they are many, else one by one."""
    tails = np.zeros(len(sums))
    counted = sums < COUNTED
    tails[counted] = _counts(n)[sums[counted]] if counted.any() else 0.0
    left = ~counted & (n * (n + 1) / 4 - sums < NOTHING * spread_of(n))
    is_near = sums >= _near_from(n)
    for near, within in ((True, left & is_near), (False, left & ~is_near & (sums >= _far_from(n)))):
        if within.sum() > (NEAR_TERMS if near else FAR_TERMS):
            tails[within] = np.exp(_table(n, near)(_place(sums[within], near)))
            left &= ~within
    if left.any():
        distinct, place = np.unique(sums[left], return_inverse=True)
        tails[left] = np.exp(log_tails(n, distinct[:, None])[:, 0])[place]
    return tails


def quantile_of_many(n: int, tail: float) -> int:
    """The largest w with P(W <= w) <= tail for n > 300 untied ranks, a tail from 1e-12 to 1/2."""
    z, spread = NormalDist().inv_cdf(tail), spread_of(n)
    fourth = -np.sum(np.arange(1.0, n + 1) ** 4) / 8 / spread**4  # the excess kurtosis; the law is symmetric
    guess = math.floor(n * (n + 1) / 4 + (z + (z**3 - 3 * z) * fourth / 24) * spread - 0.5)  # Cornish and Fisher
    width = WINDOW
    while True:
        window = np.arange(guess - width, guess + width + 1)
        within = log_tails(n, window[None])[0] <= math.log(tail)
        if within[0] and not within[-1]:
            return int(window[within][-1])
        width *= 4
