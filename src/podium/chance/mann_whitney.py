"""AUC of a random ranking: the Mann-Whitney law of U, the number of pairs in the right order.

Three ways, by size. Few cases: the counts themselves, by multiplying out the Gaussian binomial coefficient.
Else the contour integral of its generating function through the saddle point,

    P(U <= v) = 1/(2 pi i) * integral of G(z) / (z^(v+1) (1 - z)) over |z| = exp(-theta),
    log G(exp(-w)) = -P N w / 2 + Psi(P + N) - Psi(P) - Psi(N),   Psi(n) = sum of log(sinh(j w/2) / (j w/2)) to j = n,

by the trapezoid rule, which converges geometrically. Where |(P + N) w / 2| is small, Psi is a short power series.
"""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

from podium.chance.jit import kernel

__all__ = ["contour_critical", "far_tail", "rank_counts", "spread", "tail_and_mass", "uses_counts"]

Floats = npt.NDArray[np.float64]

TERMS = 16


def _log_sinhc_series() -> Floats:
    """Coefficients of log(sinh(x) / x) in powers of x squared, from x^2: 1/6, -1/180, 1/2835, ...

    From the derivative, coth(x) - 1/x = 2x * sum of 1/(x^2 + (m pi)^2), the k-th is (-1)^(k+1) zeta(2k) / (k pi^(2k)).
    """
    k = np.arange(1, TERMS + 1)
    m = np.arange(1.0, 400.0)
    zeta = (m[:, None] ** (-2.0 * k)).sum(axis=0)  # the rest of the sum is below rounding from k = 4
    zeta[:3] = math.pi**2 / 6, math.pi**4 / 90, math.pi**6 / 945
    coefficients: Floats = (-1.0) ** (k + 1) * zeta / (k * math.pi ** (2.0 * k))
    return coefficients


_SERIES = _log_sinhc_series()


def uses_counts(P: int, N: int) -> bool:
    """Whether all counts are multiplied out: small tables, and few of one class, where the contour has side lobes."""
    return min(P, N) <= 44 or P * N <= 6400


def far_tail(P: int, N: int, v: int) -> bool:
    """Whether v is so near 0 that counting up to v is short, and more accurate than the contour."""
    return v <= max(P, N) or (min(P, N) <= 500 and v <= 8 * max(P, N))


@kernel
def rank_counts(P: int, N: int, top: int) -> Floats:
    """Number of rankings with U = 0..top, as floats (whole while below 2^53)."""
    few, many = min(P, N), max(P, N)
    counts = np.zeros(top + 1)
    counts[0] = 1.0
    for j in range(1, few + 1):  # the Gaussian binomial: times (1 - q^(many + j)), divided by (1 - q^j)
        for u in range(top, many + j - 1, -1):
            counts[u] -= counts[u - many - j]
        for u in range(j, top + 1):
            counts[u] += counts[u - j]
    return counts


@kernel
def power_sums(P: int, N: int) -> Floats:
    """Sum over j = 1..P of (N + j)^(2k) - j^(2k), in units of (P + N)^(2k), for k = 1..TERMS: all terms positive."""
    T = float(P + N)
    sums = np.zeros(TERMS)
    few, many = min(P, N), max(P, N)
    for j in range(1, few + 1):
        x = (many + j) / T
        y = j / T
        x2, y2 = x * x, y * y
        a, b = x2, y2
        for k in range(TERMS):
            sums[k] += a - b
            a *= x2
            b *= y2
    return sums


@kernel
def spread(P: int, N: int) -> float:
    """Standard deviation of U."""
    return math.sqrt(P * float(N) * (P + N + 1) / 12.0)


@kernel
def _log_ratio_by_product(P: int, N: int, w: complex) -> complex:
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
def _log_ratio_by_series(sums: Floats, x: complex) -> complex:
    """The same from the power series; x = (P + N) w / 2."""
    x2 = x * x
    total = 0.0 + 0.0j
    for k in range(TERMS - 1, -1, -1):
        total = (total + _SERIES[k] * sums[k]) * x2
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
def saddle(P: int, N: int, deviates: float) -> tuple[float, float, int]:
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
def transform(P: int, N: int, theta: float, step: float, nodes: int) -> npt.NDArray[np.complex128]:
    """log of G(exp(-w)) exp(P N w / 2) at w = theta - i k step, k = 0..nodes."""
    values = np.empty(nodes + 1, np.complex128)
    reach = 0.5 * (P + N) * math.hypot(theta, step * nodes)
    if reach < 1.0:
        sums = power_sums(P, N)
        for k in range(nodes + 1):
            values[k] = _log_ratio_by_series(sums, 0.5 * (P + N) * complex(theta, -k * step))
    else:
        for k in range(nodes + 1):
            values[k] = _log_ratio_by_product(P, N, complex(theta, -k * step))
    return values


@kernel
def integrate(
    P: int, N: int, v: int, theta: float, step: float, logs: npt.NDArray[np.complex128]
) -> tuple[float, float]:
    """P(U <= v) and P(U = v) from the transform at the nodes."""
    distance = v - 0.5 * (P * float(N))
    cumulative, mass = 0.0, 0.0
    for k in range(len(logs)):
        w = complex(theta, -k * step)
        term = np.exp(logs[k] + w * distance)
        if k == 0:
            term *= 0.5
        mass += term.real
        cumulative += (term / (1.0 - np.exp(-w))).real
    scale = step / math.pi
    return cumulative * scale, mass * scale


@kernel
def tail_and_mass(P: int, N: int, v: int) -> tuple[float, float]:
    """P(U <= v) and P(U = v) for v at most P N / 2, by the contour integral."""
    deviates = (0.5 * (P * float(N)) - v) / spread(P, N)
    theta, step, nodes = saddle(P, N, deviates)
    return integrate(P, N, v, theta, step, transform(P, N, theta, step, nodes))


@kernel
def contour_critical(P: int, N: int, level: float, deviates: float) -> int:
    """The largest v with P(U <= v - 1) <= level, that is, the mirrored critical value: one node set, Newton steps."""
    mean, sigma = 0.5 * (P * float(N)), spread(P, N)
    theta, step, nodes = saddle(P, N, deviates)
    logs = transform(P, N, theta, step, nodes)
    v = int(mean - deviates * sigma)
    for _ in range(50):  # Newton on log P(U <= v), whose slope is mass / tail
        cumulative, mass = integrate(P, N, v, theta, step, logs)
        move = math.log(level / cumulative) * cumulative / mass
        if abs(move) < 1.5:
            break
        v = min(max(int(v + move + 0.5), 0), int(mean))
    while integrate(P, N, v, theta, step, logs)[0] > level:
        v -= 1
    while integrate(P, N, v + 1, theta, step, logs)[0] <= level:
        v += 1
    return v + 1
