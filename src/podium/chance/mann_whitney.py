"""AUC of a random ranking: the Mann-Whitney law of U, the number of pairs in the right order.

Two ways, by size. Few cases: the counts themselves, by multiplying out the Gaussian binomial coefficient.
Else the contour integral of its generating function through the saddle point,

    P(U <= v) = 1/(2 pi i) * integral of G(z) / (z^(v+1) (1 - z)) over |z| = exp(-theta),
    log G(exp(-w)) = -P N w / 2 + Psi(P + N) - Psi(P) - Psi(N),   Psi(n) = sum of log(sinh(j w/2) / (j w/2)) to j = n,

by the trapezoid rule, which converges geometrically.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.chance.hypergeometric import kernel
from podium.core.arrays import Floats

Complexes = npt.NDArray[np.complex128]
# theta, the step between nodes, 1 - exp(-w) at the nodes w, and the log of the transform there.
Contour = tuple[float, float, Complexes, Complexes]


def uses_counts(P: int, N: int) -> bool:
    """Whether all counts are multiplied out: small tables, and few of one class, where the contour has side lobes."""
    return min(P, N) <= 44 or P * N <= 6400


def far_tail(P: int, N: int, v: int) -> bool:
    """Whether v is so near 0 that counting up to v is short, and more accurate than the contour."""
    return v <= max(P, N) or (min(P, N) <= 500 and v <= 8 * max(P, N))


def multiply_out(counts: Any, many: int, j: int) -> None:
    """One factor more of the Gaussian binomial coefficient: times 1 - q^(many + j), divided by 1 - q^j.

    With Python's whole numbers in a list it is exact at any size; compiled, for floats, it is fast.
    """
    for u in range(len(counts) - 1, many + j - 1, -1):
        counts[u] -= counts[u - many - j]
    for u in range(j, len(counts)):
        counts[u] += counts[u - j]


_multiply_out = kernel(multiply_out)


@kernel
def rank_counts(P: int, N: int, top: int) -> Floats:
    """Number of rankings with U = 0..top, as floats (whole while below 2^53)."""
    counts = np.zeros(top + 1)
    counts[0] = 1.0
    for j in range(1, min(P, N) + 1):
        _multiply_out(counts, max(P, N), j)
    return counts


@kernel
def spread(P: int, N: int) -> float:
    """Standard deviation of U."""
    return math.sqrt(P * float(N) * (P + N + 1) / 12.0)


@kernel
def _log_ratio(P: int, N: int, w: complex) -> complex:
    """Psi(P + N) - Psi(P) - Psi(N) as a product over the smaller class; fresh sinh every 32 factors."""
    few, many = min(P, N), max(P, N)
    half = 0.5 * w
    sh, ch = np.sinh(half), np.cosh(half)
    total = 0.0 + 0.0j
    start = 1
    while start <= few:
        stop = min(start + 32, few + 1)
        top_s, top_c = np.sinh((many + start) * half), np.cosh((many + start) * half)
        low_s, low_c = np.sinh(start * half), np.cosh(start * half)
        product = 1.0 + 0.0j
        for j in range(start, stop):
            product *= top_s * j / (low_s * (many + j))
            top_s, top_c = top_s * ch + top_c * sh, top_c * ch + top_s * sh
            low_s, low_c = low_s * ch + low_c * sh, low_c * ch + low_s * sh
        total += np.log(product)
        start = stop
    return total


@kernel
def _tilted(P: int, N: int, theta: float) -> tuple[float, float]:
    """How far the mean of U lies below P N / 2 under the weights exp(-theta U), and the standard deviation."""
    few, many = min(P, N), max(P, N)
    shift, variance = 0.0, 0.0
    for j in range(1, few + 1):
        # d/dtheta of log sinh(j theta / 2) is (j / 2) coth, its derivative -(j / 2)^2 / sinh^2
        x, y = 0.5 * (many + j) * theta, 0.5 * j * theta
        shift += 0.5 * (many + j) / math.tanh(x) - 0.5 * j / math.tanh(y)
        variance += (0.5 * j / math.sinh(min(y, 300.0))) ** 2 - (0.5 * (many + j) / math.sinh(min(x, 300.0))) ** 2
    return shift, math.sqrt(variance)


@kernel
def _saddle(P: int, N: int, deviates: float) -> tuple[float, float, int]:
    """(theta, step, nodes) of the trapezoid rule for a point so many standard deviations below the mean."""
    sigma = spread(P, N)
    theta = max(deviates, 1.0) / sigma
    local = sigma
    if deviates > 4.0:  # the law is lighter than Gaussian in its far tail: solve for the saddle
        for _ in range(60):
            shift, local = _tilted(P, N, theta)
            move = (deviates * sigma - shift) / (local * local)
            theta += max(-0.5 * theta, min(move, theta))
            if abs(move) < 1e-3 * theta:
                break
    # The next alias is smaller by exp(-2 pi theta / step) but for the tail itself, about exp(-z^2 / 2), and the last
    # node by exp(-(local phi)^2 / 2): both far below rounding.
    z = theta * local
    turns = (40.0 + 0.5 * deviates * max(deviates, z)) / z
    step = 2.0 * math.pi / (turns * local)
    nodes = int(9.5 / (local * step)) + 1
    return theta, step, nodes


@kernel
def _contour(P: int, N: int, deviates: float) -> Contour:
    """The nodes w = theta - i k step, k = 0..nodes, with log of G(exp(-w)) exp(P N w / 2) at each."""
    theta, step, nodes = _saddle(P, N, deviates)
    poles, logs = np.empty((2, nodes + 1), np.complex128)
    for k in range(nodes + 1):
        w = complex(theta, -k * step)
        poles[k], logs[k] = 1.0 - np.exp(-w), _log_ratio(P, N, w)
    return theta, step, poles, logs


@kernel
def _integrate(contour: Contour, distance: float) -> tuple[float, float]:
    """P(U <= v) and P(U = v); distance is v - P N / 2."""
    theta, step, poles, logs = contour
    cumulative, mass = 0.0, 0.0
    for k in range(len(logs)):
        term = np.exp(logs[k] + complex(theta, -k * step) * distance)
        if k == 0:
            term *= 0.5
        mass += term.real
        cumulative += (term / poles[k]).real
    scale = step / math.pi
    return cumulative * scale, mass * scale


@kernel
def tail_and_mass(P: int, N: int, v: int) -> tuple[float, float]:
    """P(U <= v) and P(U = v) for v at most P N / 2, by the contour integral."""
    distance = v - 0.5 * (P * float(N))
    return _integrate(_contour(P, N, -distance / spread(P, N)), distance)


@kernel
def contour_critical(P: int, N: int, level: float, deviates: float) -> int:
    """The smallest v with P(U <= v) > level, by halving: the mirrored critical value, about so many standard deviations below the mean.

    One contour, through the saddle of that point, serves all steps.
    """
    contour = _contour(P, N, deviates)
    mean = 0.5 * (P * float(N))
    low, high = -1, int(mean)
    while high - low > 1:
        middle = (low + high) // 2
        if _integrate(contour, middle - mean)[0] > level:
            high = middle
        else:
            low = middle
    return high
