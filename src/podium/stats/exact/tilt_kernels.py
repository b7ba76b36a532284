"""What the contour integrals of the signed-rank law share: the tilt, and the bounds of errors.

P(W <= w) = 1/(2 pi i) * integral of G(z) / (z^{w+1} (1 - z)) on |z| = exp(-theta), G(z) = prod_g ((1 + z^{r_g}) / 2)^{m_g} with
doubled ranks r_g that occur m_g times, by the trapezoid rule with K nodes on the circle. Theta need only be near the saddle of
the integrand. `arc_kernels` has the integral of one pair, `shared_tilt_kernels` that of a crowd of pairs.

Errors are bounded, and where a bound is not met the answer is -1: what the rule adds (exp(-theta K) P(W <= w + K) and
exp(theta K) P(W <= w - K), by Chernoff's bounds), what was cut off, what lies between the nodes used, and what rounding leaves
of an answer that is far below the integrand.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit

LEAST_TILT = 3.0  # theta in units of 1 / spread: away from the pole at z = 1
SMALL = 5e-11  # what the rule may add and what may be cut off, relative to the answer
FAINT = 0.01  # the sum over the nodes, relative to the largest of them: less has lost too many digits


@njit(cache=True, nogil=True)
def bounded(total, cut, elsewhere, limit, theta, nodes, log_value, half, steep, steeper):  # type: ignore[no-untyped-def]
    """The answer from the sum over the nodes, what its last nodes show of those cut off, what else is left out, and log G at
    theta, theta / 2 and steep theta; -1 if it may be wrong."""
    answer = total * np.exp(log_value + theta * limit)
    added = np.exp(-theta * nodes)
    if added > SMALL * answer:  # P(W <= w + K) is far below 1 too
        added = np.exp(half + 0.5 * theta * (limit - nodes))
    if limit >= nodes:  # exp(theta K) P(W <= w - K)
        added += np.exp(steeper + steep * theta * (limit - nodes) + theta * nodes)
    left_out = max(cut, elsewhere) < SMALL * total
    return min(answer, 1.0) if total * theta * nodes > FAINT and left_out and added < SMALL * answer else -1.0


@njit(cache=True, nogil=True)
def log_value_at(rank, size, groups, theta):  # type: ignore[no-untyped-def]
    """log G(exp(-theta))."""
    log_value = 0.0
    for g in range(groups):
        log_value += size[g] * np.log(0.5 * (1.0 + np.exp(-theta * rank[g])))
    return log_value


@njit(cache=True, nogil=True, error_model="numpy")
def saddle(rank, size, groups, limit):  # type: ignore[no-untyped-def]
    """A tilt near the saddle of G(z) z^-limit but away from the pole at z = 1; the tilted spread of W, and log G."""
    mean, variance = _moments(rank, size, groups, 0.0)
    least = LEAST_TILT / np.sqrt(variance)
    theta = max((mean - limit) / variance, least)
    mean, variance = _moments(rank, size, groups, theta)
    for _ in range(30):
        if theta == least or abs(mean - limit) < 0.5 * np.sqrt(variance):
            break
        theta = max(theta + (mean - limit) / variance, least)
        mean, variance = _moments(rank, size, groups, theta)
    return theta, np.sqrt(variance), log_value_at(rank, size, groups, theta)


@njit(cache=True, nogil=True)
def _moments(rank, size, groups, theta):  # type: ignore[no-untyped-def]
    """Mean and variance of W in the law tilted by exp(-theta W)."""
    mean, variance = 0.0, 0.0
    for g in range(groups):
        weight = np.exp(-theta * rank[g])
        share = weight / (1.0 + weight)
        mean += size[g] * rank[g] * share
        variance += size[g] * rank[g] * rank[g] * share * (1.0 - share)
    return mean, variance
