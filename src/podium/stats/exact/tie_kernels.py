"""Shared tables for the signed-rank law of many pairs with the same n and a few small groups of ties.

The contour integral of `signed_rank_kernels` at tilts and nodes that depend on n alone: the untied integrand is
tabulated, and each group of m tied ranks that starts at rank a multiplies it by
(1 + z^{2a + m - 1})^m / prod_{j=a}^{a+m-1} (1 + z^{2j}), tabulated too. So a pair costs one product per group and node.
"""

from __future__ import annotations

import numpy as np
from numba import njit

__all__ = ["TILTS", "WIDTH", "tie_tables", "tied_tail"]

WIDTH = 40  # nodes
TILTS = np.array([2.4, 3.3, 4.3, 5.4, 6.6, 7.9, 9.3])  # in standard deviations of the untied law
SIZES = 3  # groups of 2, 3 and 4 have a table of their own; rows 3 and 4 are those of 2 and 4 near z = -|z|
MANY_ODD = 44  # odd ranks: the lobe near z = -|z| is below 1e-13 with so many


@njit(cache=True, nogil=True, error_model="numpy")
def tie_tables(n, numbers, untied, ratio, factor, inverse):  # type: ignore[no-untyped-def]
    """Fills the tables of n untied ranks, tilt by tilt.

    numbers[t]: theta, tilted mean, log G, number of nodes on the circle, nodes used (0: do not use this tilt).
    untied[t, :, k], ratio[t, row, a, :, k], factor[t, r, :, k] = 1 + z^r, inverse[t, j, :, k] = 1 / (1 + z^{2j}),
    each as real and imaginary parts.
    """
    variance = 0.0
    for j in range(1, n + 1):
        variance += float(j) * j
    spread = np.sqrt(variance)
    tilts = len(TILTS)
    for t in range(tilts):
        theta = TILTS[t] / spread
        mean, tilted, log_value = _moments(n, theta)
        following = _moments(n, TILTS[min(t + 1, tilts - 1)] / spread)[0]
        lowest = 0.5 * (mean + following) if t + 1 < tilts else mean - 0.5 * np.sqrt(tilted)
        sigma = np.sqrt(tilted)
        # As in lower_tail_contour, at the lowest sum that will use this tilt, and with a margin for the ties.
        worst = log_value + theta * lowest - 2.0
        period = max(11.0 * sigma, (37.0 - worst + np.log(2.5 * theta * sigma)) / theta)
        nodes = 2 * int(np.ceil(0.5 * period))
        used = int(np.ceil(10.5 * nodes / (2.0 * np.pi * sigma))) + 1
        fits = used <= WIDTH and lowest > 0
        numbers[t, 0], numbers[t, 1], numbers[t, 2] = theta, mean, log_value
        numbers[t, 3], numbers[t, 4] = nodes, used if fits else 0
        if fits:
            _fill(n, theta, nodes, used, untied[t], ratio[t], factor[t], inverse[t])


@njit(cache=True, nogil=True)
def _moments(n, theta):  # type: ignore[no-untyped-def]
    """Mean, variance and log of the generating function of the untied doubled ranks at z = exp(-theta)."""
    mean, variance, log_value = 0.0, 0.0, 0.0
    for j in range(1, n + 1):
        weight = np.exp(-2.0 * j * theta)
        share = weight / (1.0 + weight)
        mean += 2.0 * j * share
        variance += 4.0 * j * j * share * (1.0 - share)
        log_value += np.log(0.5 * (1.0 + weight))
    return mean, variance, log_value


@njit(cache=True, nogil=True, error_model="numpy")
def _fill(n, theta, nodes, used, untied, ratio, factor, inverse):  # type: ignore[no-untyped-def]
    """The tables of one tilt; every inner loop runs over the nodes."""
    step, power, below = np.empty((2, WIDTH)), np.empty((2, WIDTH)), np.empty((2, WIDTH))
    for k in range(used):
        angle = 2.0 * np.pi * k / nodes
        step[0, k], step[1, k] = np.exp(-theta) * np.cos(angle), np.exp(-theta) * np.sin(angle)
        power[0, k], power[1, k] = 1.0, 0.0
        untied[0, k], untied[1, k] = 1.0, 0.0
    for r in range(1, 2 * n + 1):
        _times(power[0], power[1], step[0], step[1], 0.0, 1.0, used)
        here = factor[r]
        for k in range(used):
            here[0, k], here[1, k] = 1.0 + power[0, k], power[1, k]
        if r % 2 == 0:
            half = inverse[r // 2]
            for k in range(used):
                size = here[0, k] * here[0, k] + here[1, k] * here[1, k]
                half[0, k], half[1, k] = here[0, k] / size, -here[1, k] / size
            _times(untied[0], untied[1], here[0], here[1], 0.0, 1.0 / (1.0 + np.exp(-theta * r)), used)
    for a in range(1, n):
        for k in range(used):
            below[0, k], below[1, k] = inverse[a, 0, k], inverse[a, 1, k]
        for size in range(2, min(SIZES + 1, n - a + 1) + 1):
            _times(below[0], below[1], inverse[a + size - 1, 0], inverse[a + size - 1, 1], 0.0, 1.0, used)
            middle = factor[2 * a + size - 1]
            _power_ratio(ratio[size - 2, a], below, middle, size, 0.0, 1.0, used)
            if size != 3:
                _power_ratio(ratio[SIZES + size // 2 - 1, a], below, middle, size, 2.0, -1.0, used)


@njit(cache=True, nogil=True)
def _power_ratio(out, below, middle, size, shift, sign, used):  # type: ignore[no-untyped-def]
    """out = below (shift + sign middle)^size, node by node."""
    for k in range(used):
        out[0, k], out[1, k] = below[0, k], below[1, k]
    for _ in range(size):
        _times(out[0], out[1], middle[0], middle[1], shift, sign, used)


@njit(cache=True, nogil=True, error_model="numpy")
def tied_tail(rank, size, groups, limit, shift, level, numbers, untied, ratio, factor, inverse, scratch):  # type: ignore[no-untyped-def]
    """P(W <= limit) of groups of ties from the tables of their n; -1 where no tilt fits.

    `shift` is n log 2; the integrand away from its lobes must be below exp(-level) (see `lower_tail_contour`).
    """
    t = 0
    while t + 1 < len(TILTS) and numbers[t + 1, 4] > 0 and 2 * limit < numbers[t, 1] + numbers[t + 1, 1]:
        t += 1
    used = int(numbers[t, 4])
    theta, nodes = numbers[t, 0], numbers[t, 3]
    if used == 0 or (t > 0 and limit < 2 * numbers[t, 1] - numbers[t - 1, 1]) or numbers[t, 2] + shift < level:
        return -1.0
    px, py, qx, qy = scratch[0], scratch[1], scratch[2], scratch[3]
    for k in range(used):
        px[k], py[k] = untied[t, 0, k], untied[t, 1, k]
        qx[k], qy[k] = untied[t, 0, k], untied[t, 1, k]
    odd = 0
    for g in range(groups):
        if rank[g] % 2 == 1:
            odd += size[g]
    for g in range(groups):
        m = size[g]
        if m == 1:
            continue
        start = (rank[g] - m + 1) // 2
        if m <= SIZES + 1:
            _times(px, py, ratio[t, m - 2, start, 0], ratio[t, m - 2, start, 1], 0.0, 1.0, used)
            if odd < MANY_ODD:
                row = m - 2 if m == 3 else SIZES + m // 2 - 1
                _times(qx, qy, ratio[t, row, start, 0], ratio[t, row, start, 1], 0.0, 1.0, used)
            continue
        here = factor[t, rank[g]]
        for j in range(start, start + m):
            below = inverse[t, j]
            _times(px, py, here[0], here[1], 0.0, 1.0, used)
            _times(px, py, below[0], below[1], 0.0, 1.0, used)
            if odd < MANY_ODD:
                if m % 2 == 1:
                    _times(qx, qy, here[0], here[1], 0.0, 1.0, used)
                else:
                    _times(qx, qy, here[0], here[1], 2.0, -1.0, used)  # 1 - z^r
                _times(qx, qy, below[0], below[1], 0.0, 1.0, used)
    radius, angle = np.exp(-theta), 2.0 * np.pi / nodes
    total, parity = 0.0, 1.0 - 2.0 * (limit % 2)
    turn, here = complex(np.cos(angle * limit), -np.sin(angle * limit)), complex(1.0, 0.0)
    ahead, around = radius * complex(np.cos(angle), np.sin(angle)), complex(radius, 0.0)
    spin = ahead / radius
    for k in range(used):
        value = (complex(px[k], py[k]) * here / (1.0 - around)).real
        if odd < MANY_ODD:
            value += parity * (complex(qx[k], qy[k]) * here / (1.0 + around)).real
        total += value if k == 0 else 2.0 * value
        here *= turn
        around *= spin
    return total / nodes * np.exp(numbers[t, 2] + theta * limit)


@njit(cache=True, nogil=True)
def _times(x, y, by_x, by_y, shift, sign, used):  # type: ignore[no-untyped-def]
    """(x + iy) *= shift + sign (by_x + i by_y), node by node."""
    for k in range(used):
        a, b = x[k], y[k]
        u, v = shift + sign * by_x[k], sign * by_y[k]
        x[k] = a * u - b * v
        y[k] = a * v + b * u
