"""The contour integral of the signed-rank law.

P(W <= w) = 1/(2 pi i) * integral of G(z) / (z^{w+1} (1 - z)) on |z| = exp(-theta), G(z) = prod_j (1 + z^{r_j}) / 2 with
doubled ranks r_j. The nodes lie around z = |z| and, for the second lobe of the integrand that ranks nearly all even make,
around z = -|z|. Theta need only be near the saddle: `shared_tilt_kernels` has tables that the pairs of a crowd share; here
a pair has a theta of its own.

Errors are bounded, and where a bound is not met the answer is -1: what the trapezoid rule with K nodes on the circle
adds (exp(-theta K) P(W <= w + K) and exp(theta K) P(W <= w - K), by Chernoff's bounds), what the last nodes used
show of those cut off, and lobes elsewhere (`_has_two_lobes`).
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit

WIDTH = 20  # nodes, a multiple of 4
TILTS = np.array([3.0, 3.9, 5.1, 6.6, 8.6, 11.2, 14.5, 18.8])  # theta in units of 1 / spread
SMALL = 5e-11  # what the rule may add and what may be cut off, relative to the answer
FEWEST = 20  # distinct ranks
# Of the integrand away from its lobes: a heuristic. benchmarks/contour_level.py compares drawn sums with the dynamic
# programme: of the 41,370 that reach this level, all but 3 err by less than 2e-10, and those by less than 2e-9.
LEVEL = 27.5
SIZES = 4  # even sizes of groups with a column of their own: 2, 4, 6, 8
STEEP = 3.5  # times theta: about the best of Chernoff's bounds of sums far below
LAWS = 5 + SIZES
HALF, STEEPER = 3 + SIZES, 4 + SIZES  # columns


@njit(cache=True, nogil=True, error_model="numpy")
def fill_tilt(theta, nodes, factor, law, pole):  # type: ignore[no-untyped-def]
    """The tables of one tilt, for ranks r up to len(factor) - 1 and K = `nodes` nodes on the circle.

    factor[r] = (1 + z^r) / (1 + |z|^r), real parts and then imaginary parts; law[r] = the tilted mean of a rank r,
    log((1 + |z|^r) / 2), 2 / (1 + |z|^r), and for h = 1 .. SIZES what |factor|^2h is at a random phase, as -log of its
    mean, sum_k C(h, k)^2 |z|^2rk / (1 + |z|^r)^2h, and the second column again for theta / 2 and for a steep theta;
    pole = the weights 1 / (K (1 - z)) and 1 / (K (1 + z)).
    """
    for k in range(WIDTH):
        angle, weight = 2.0 * np.pi * k / nodes, (1.0 if k == 0 else 2.0) / nodes
        z = np.exp(-theta) * complex(np.cos(angle), np.sin(angle))
        plus, minus, power = weight / (1.0 - z), weight / (1.0 + z), complex(1.0, 0.0)
        pole[0, k], pole[1, k], pole[2, k], pole[3, k] = plus.real, plus.imag, minus.real, minus.imag
        for r in range(1, len(factor)):
            power *= z
            factor[r, k], factor[r, WIDTH + k] = 1.0 + power.real, power.imag
    for r in range(1, len(factor)):
        weight = np.exp(-theta * r)
        share = 1.0 / (1.0 + weight)
        law[r, 0], law[r, 1], law[r, 2] = r * weight * share, np.log(0.5 * (1.0 + weight)), 2.0 * share
        law[r, HALF] = np.log(0.5 * (1.0 + np.exp(-0.5 * theta * r)))
        law[r, STEEPER] = np.log(0.5 * (1.0 + np.exp(-STEEP * theta * r)))
        for half in range(1, SIZES + 1):
            mean, term = 0.0, 1.0
            for k in range(half + 1):
                mean += term * term
                term *= weight * (half - k) / (k + 1)
            law[r, 2 + half] = -np.log(mean * share ** (2 * half))
        for k in range(2 * WIDTH):
            factor[r, k] *= share


@njit(cache=True, nogil=True)
def _has_two_lobes(rank, size, groups, law):  # type: ignore[no-untyped-def]
    """Whether the integrand is negligible but around z = |z| and z = -|z|.

    Elsewhere phases are as good as random. Single ranks, nearly a progression, make it exp(-sum log(1 + |z|^r)) of its
    value on the real axis; of equal ranks, whose phases are equal, the mean of |factor|^m counts. But ranks whose gaps
    are mostly multiples of one q > 2 line up near the q-th roots of one: as if every dataset occurs several times.
    """
    if groups < FEWEST:
        return False
    level = 0.0
    for g in range(groups):
        row, m = law[rank[g]], min(size[g], 2 * SIZES)
        if m == 1:
            level += row[1] + np.log(2.0)
        else:
            level += 0.5 * (row[2 + m // 2] + row[2 + (m + 1) // 2])  # odd: between its neighbours, which is less
    return level >= LEVEL and not lined_up(size, groups)


@njit(cache=True, nogil=True)
def lined_up(size, groups):  # type: ignore[no-untyped-def]
    """Whether most gaps between ranks are multiples of one q > 2."""
    short = 0
    for g in range(1, groups):
        short += size[g - 1] + size[g] < 3
    if 2 * short >= groups:
        return False
    gaps = np.zeros(33, dtype=np.int64)
    for g in range(1, groups):
        gaps[min(size[g - 1] + size[g], 32)] += 1
    for q in range(3, 33):
        aligned = 0
        for gap in range(q, 33, q):
            aligned += gaps[gap]
        if 2 * aligned > groups:
            return True
    return False


@njit(cache=True, nogil=True)
def _sum_of(rank, size, groups, law, column):  # type: ignore[no-untyped-def]
    """The sum of a column of `law` over all ranks."""
    total = 0.0
    for g in range(groups):
        total += size[g] * law[rank[g], column]
    return total


@njit(cache=True, nogil=True)
def _multiply(p, row, sign, shift):  # type: ignore[no-untyped-def]
    """p *= shift + sign * row, complex numbers node by node."""
    for k in range(WIDTH):
        a, b, u, v = p[k], p[WIDTH + k], shift + sign * row[k], sign * row[WIDTH + k]
        p[k] = a * u - b * v
        p[WIDTH + k] = a * v + b * u


@njit(cache=True, nogil=True)
def _products(rank, size, groups, factor, law, lobes):  # type: ignore[no-untyped-def]
    """lobes[0], lobes[1] = the integrand around |z| and around -|z|, where odd powers change sign; lobes[2] is room."""
    for lobe in range(3):
        for k in range(WIDTH):
            lobes[lobe, k], lobes[lobe, WIDTH + k] = 1.0, 0.0
    for g in range(groups):
        row = factor[rank[g]]
        for _ in range(size[g]):
            if rank[g] % 2 == 0:
                _multiply(lobes[2], row, 1.0, 0.0)
            else:
                _multiply(lobes[0], row, 1.0, 0.0)
                _multiply(lobes[1], row, -1.0, law[rank[g], 2])
    _multiply(lobes[0], lobes[2], 1.0, 0.0)
    _multiply(lobes[1], lobes[2], 1.0, 0.0)


@njit(cache=True, nogil=True)
def contour_tails(pairs, rank, size, groups, limit, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, with a tilt of its own; -1 where no bound is met."""
    lobes = np.empty((3, 2 * WIDTH))
    largest = 0
    for i in pairs:
        largest = max(largest, rank[i, groups[i] - 1])
    room = contour_room(largest)
    for i in pairs:
        value[i] = lower_tail_contour(rank[i], size[i], groups[i], limit[i], room, lobes)


@njit(cache=True, nogil=True)
def _tilted_tail(rank, size, groups, limit, theta, nodes, factor, law, pole, lobes):  # type: ignore[no-untyped-def]
    """P(W <= limit) of ranks in groups, from the tables of a tilt; -1 where no bound of errors is met."""
    if not _has_two_lobes(rank, size, groups, law):
        return -1.0
    _products(rank, size, groups, factor, law, lobes)
    angle = 2.0 * np.pi / nodes
    turn, here = complex(np.cos(angle * limit), -np.sin(angle * limit)), complex(1.0, 0.0)
    total, cut, sign = 0.0, 0.0, 1.0 - 2.0 * (limit % 2)
    for k in range(WIDTH):
        one = complex(lobes[0, k], lobes[0, WIDTH + k]) * complex(pole[0, k], pole[1, k])
        two = complex(lobes[1, k], lobes[1, WIDTH + k]) * complex(pole[2, k], pole[3, k])
        total += ((one + sign * two) * here).real
        here *= turn
        if k >= WIDTH - 2:
            cut += abs(one.real) + abs(one.imag) + abs(two.real) + abs(two.imag)
    log_value = _sum_of(rank, size, groups, law, 1)
    half, steeper = _sum_of(rank, size, groups, law, HALF), _sum_of(rank, size, groups, law, STEEPER)
    return bounded(total, cut, limit, theta, nodes, log_value, half, steeper)


@njit(cache=True, nogil=True)
def bounded(total, cut, limit, theta, nodes, log_value, half, steeper):  # type: ignore[no-untyped-def]
    """The answer from the sum over the nodes, log G at theta, theta / 2 and STEEP theta; -1 if it may be wrong."""
    answer = total * np.exp(log_value + theta * limit)
    added = np.exp(-theta * nodes)
    if added > SMALL * answer:  # P(W <= w + K) is far below 1 too
        added = np.exp(half + 0.5 * theta * (limit - nodes))
    if limit >= nodes:  # exp(theta K) P(W <= w - K)
        added += np.exp(steeper + STEEP * theta * (limit - nodes) + theta * nodes)
    return min(answer, 1.0) if total > 0.0 and cut < SMALL * total and added < SMALL * answer else -1.0


@njit(cache=True, nogil=True)
def _log_value(rank, size, groups, theta):  # type: ignore[no-untyped-def]
    """log G(exp(-theta))."""
    log_value = 0.0
    for g in range(groups):
        log_value += size[g] * np.log(0.5 * (1.0 + np.exp(-theta * rank[g])))
    return log_value


@njit(cache=True, nogil=True)
def contour_room(largest):  # type: ignore[no-untyped-def]
    """Space for `lower_tail_contour` with doubled ranks up to `largest`: the tables of a tilt."""
    return np.empty((largest + 1, 2 * WIDTH)), np.empty((largest + 1, LAWS)), np.empty((4, WIDTH))


@njit(cache=True, nogil=True, error_model="numpy")
def lower_tail_contour(rank, size, groups, limit, room, lobes):  # type: ignore[no-untyped-def]
    """P(W <= limit) with a tilt of its own; `room` is a `contour_room`; -1 where no bound of errors is met."""
    factor, law, pole = room
    theta, spread, log_value = _saddle(rank, size, groups, limit)
    log_tail = min(log_value + theta * limit - np.log(2.5 * theta * spread), -0.7)
    above = min(0.0, _log_value(rank, size, groups, 0.5 * theta) + 0.5 * theta * limit)
    period = min((26.0 - log_tail) / theta, 2.0 * (26.0 - log_tail + above) / theta)
    nodes = 2.0 * np.ceil(0.5 * max(11.5 * spread, period))
    if not np.isfinite(nodes):
        return -1.0
    top = rank[groups - 1] + 1
    fill_tilt(theta, nodes, factor[:top], law[:top], pole)
    return _tilted_tail(rank, size, groups, limit, theta, nodes, factor, law, pole, lobes)


@njit(cache=True, nogil=True, error_model="numpy")
def _saddle(rank, size, groups, limit):  # type: ignore[no-untyped-def]
    """A tilt near the saddle of G(z) z^-limit but away from the pole at z = 1; the tilted spread of W, and log G."""
    mean, variance = _moments(rank, size, groups, 0.0)
    least = TILTS[0] / np.sqrt(variance)
    theta = max((mean - limit) / variance, least)
    mean, variance = _moments(rank, size, groups, theta)
    for _ in range(30):
        if theta == least or abs(mean - limit) < 0.5 * np.sqrt(variance):
            break
        theta = max(theta + (mean - limit) / variance, least)
        mean, variance = _moments(rank, size, groups, theta)
    return theta, np.sqrt(variance), _log_value(rank, size, groups, theta)


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
