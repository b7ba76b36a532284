"""The contour integral of `tilt_kernels` for a crowd of pairs, from tables that all of them share.

A few tilts serve all pairs of about the same spread, and ranks are whole numbers: so the logarithms of the factors
1 + z^r at the nodes are tables, and log G of a pair is a sum of their rows. A tie of t ranks is one row times t, and a run
of untied ranks r, r + 2, r + 4, ... is the difference of two rows that are sums already.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.tilt_kernels import FEWEST, LEVEL, SIZES, STEEP, TILTS, WIDTH, bounded, lined_up

BAND = 1.2  # spreads that share a table differ by this factor at most
LOBES = 4 * WIDTH  # columns: log (1 + z^r) / (1 + |z|^r), real and imaginary, the same at -z
MEAN, LOG, HALF, STEEPER, RISE = range(5)  # columns of the laws: tilted mean, log G at three thetas, part of the level
LAWS = 5
NEGLIGIBLE = -40.0  # the log of a lobe that is left out


@njit(cache=True, nogil=True, error_model="numpy")
def fill_shared(theta, nodes, rows, laws, levels, pole):  # type: ignore[no-untyped-def]
    """The tables of one tilt with K = `nodes` nodes on the circle, for ranks r < len(levels), and after these for runs of
    even ranks 2, 4, ..., 2i.

    levels[r, m] = what m equal ranks add to the level of `_has_two_lobes`; pole = the weights 1 / (K (1 - z)) and
    1 / (K (1 + z)).
    """
    top = len(levels)
    for k in range(WIDTH):
        angle, weight = 2.0 * np.pi * k / nodes, (1.0 if k == 0 else 2.0) / nodes
        z = np.exp(-theta) * complex(np.cos(angle), np.sin(angle))
        plus, minus, power = weight / (1.0 - z), weight / (1.0 + z), complex(1.0, 0.0)
        pole[0, k], pole[1, k], pole[2, k], pole[3, k] = plus.real, plus.imag, minus.real, minus.imag
        for r in range(1, top):
            power *= z
            one = np.log(1.0 + power)
            two = one if r % 2 == 0 else np.log(1.0 - power)
            rows[r, k], rows[r, WIDTH + k] = one.real, one.imag
            rows[r, 2 * WIDTH + k], rows[r, 3 * WIDTH + k] = two.real, two.imag
    rows[0], laws[0], rows[top], laws[top] = 0.0, 0.0, 0.0, 0.0
    for r in range(1, top):
        weight = np.exp(-theta * r)
        share, log_sum = 1.0 / (1.0 + weight), np.log(1.0 + weight)
        for k in range(WIDTH):
            rows[r, k] -= log_sum
            rows[r, 2 * WIDTH + k] -= log_sum
        laws[r, MEAN], laws[r, LOG], laws[r, RISE] = r * weight * share, log_sum - np.log(2.0), log_sum
        laws[r, HALF] = np.log(0.5 * (1.0 + np.exp(-0.5 * theta * r)))
        laws[r, STEEPER] = np.log(0.5 * (1.0 + np.exp(-STEEP * theta * r)))
        _fill_levels(weight, levels[r])
        if r % 2 == 0:
            run = top + r // 2
            for k in range(LOBES):
                rows[run, k] = rows[run - 1, k] + rows[r, k]
            for k in range(LAWS):
                laws[run, k] = laws[run - 1, k] + laws[r, k]


@njit(cache=True, nogil=True)
def _fill_levels(weight, level):  # type: ignore[no-untyped-def]
    """-log of the mean of |factor|^m at a random phase; of odd m between its neighbours, which is less."""
    level[0], level[1] = 0.0, np.log(1.0 + weight)
    for half in range(1, SIZES + 1):
        mean, term = 0.0, 1.0
        for k in range(half + 1):
            mean += term * term
            term *= weight * (half - k) / (k + 1)
        level[2 * half] = 2 * half * np.log(1.0 + weight) - np.log(mean)
    for m in range(3, 2 * SIZES, 2):
        level[m] = 0.5 * (level[m - 1] + level[m + 1])


@njit(cache=True, nogil=True)
def shared_tails(pairs, bands, rank, size, groups, observations, limit, numbers, rows, laws, levels, poles, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, from the tables of its band; -1 where no bound is met."""
    n = rank.shape[1]
    room = np.empty(2 * n + 4, dtype=np.int64), np.empty(2 * n + 4), np.empty(LOBES)
    for i in pairs:
        b = bands[i]
        t = _tilt(limit[i], laws[b, :, levels.shape[2] + observations[i]])
        if t >= 0:
            tables = numbers[b, t, 0], numbers[b, t, 1], rows[b, t], laws[b, t], levels[b, t], poles[b, t]
            value[i] = shared_tail(rank[i], size[i], groups[i], limit[i], tables, room)


@njit(cache=True, nogil=True)
def _tilt(limit, untied):  # type: ignore[no-untyped-def]
    """The tilt whose mean of W is nearest to `limit`, by the law of as many untied ranks; -1 if their level is too low, for
    that of tied ranks is lower still."""
    tilt, before = len(TILTS) - 1, 0.0
    for t in range(len(TILTS)):
        mean = untied[t, MEAN]
        if mean <= limit:
            tilt = t - 1 if t > 0 and before + mean < 2 * limit else t
            break
        before = mean
    return tilt if untied[tilt, RISE] >= LEVEL else -1


@njit(cache=True, nogil=True)
def shared_tail(rank, size, groups, limit, tables, room):  # type: ignore[no-untyped-def]
    """P(W <= limit) of ranks in groups, from the tables of one tilt; -1 where no bound of errors is met."""
    if groups < FEWEST:
        return -1.0
    theta, nodes, rows, laws, levels, pole = tables
    row, times, lobes = room
    count, level = _terms(rank, size, groups, levels, row, times)
    log_value, half, steeper = 0.0, 0.0, 0.0
    for i in range(count):
        log_value += times[i] * laws[row[i], LOG]
        half += times[i] * laws[row[i], HALF]
        steeper += times[i] * laws[row[i], STEEPER]
        level += times[i] * laws[row[i], RISE]
    if level < LEVEL or lined_up(size, groups):
        return -1.0
    _add_rows(count, row, times, rows, lobes)
    turn = 2.0 * np.pi / nodes * limit
    total, cut = _lobe(lobes, 0, turn, pole)
    highest = NEGLIGIBLE
    for k in range(WIDTH):
        highest = max(highest, lobes[2 * WIDTH + k])
    if highest > NEGLIGIBLE:
        other, more = _lobe(lobes, 2, turn, pole)
        total, cut = total + (1.0 - 2.0 * (limit % 2)) * other, cut + more
    return bounded(total, cut, limit, theta, nodes, log_value, half, steeper)


@njit(cache=True, nogil=True)
def _terms(rank, size, groups, levels, row, times):  # type: ignore[no-untyped-def]
    """Which rows of the tables make up the ranks, and how often each, in fours; what ties take from the level."""
    count, level, g, top = 0, 0.0, 0, len(levels)
    while g < groups:
        first = rank[g]
        if size[g] == 1:
            if first & 1 == 0:
                while g + 1 < groups and size[g + 1] == 1 and rank[g + 1] == rank[g] + 2:
                    g += 1
            if rank[g] > first:
                row[count], times[count] = top + first // 2 - 1, -1.0
                row[count + 1], times[count + 1] = top + rank[g] // 2, 1.0
                count += 2
            else:
                row[count], times[count] = first, 1.0
                count += 1
        else:
            row[count], times[count] = first, size[g]
            level += levels[first, min(size[g], 2 * SIZES)] - size[g] * levels[first, 1]
            count += 1
        g += 1
    while count % 4 > 0:
        row[count], times[count] = 0, 0.0
        count += 1
    return count, level


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_rows(count, row, times, rows, lobes):  # type: ignore[no-untyped-def]
    """The sum of rows, each so many times; four of them at a time."""
    for k in range(LOBES):
        lobes[k] = 0.0
    for i in range(0, count, 4):
        a, b, c, d = np.uint64(row[i]), np.uint64(row[i + 1]), np.uint64(row[i + 2]), np.uint64(row[i + 3])
        p, q, r, s = times[i], times[i + 1], times[i + 2], times[i + 3]
        for k in range(np.uint64(LOBES)):
            lobes[k] += (p * rows[a, k] + q * rows[b, k]) + (r * rows[c, k] + s * rows[d, k])


@njit(cache=True, nogil=True, fastmath={"contract"})
def _lobe(lobes, part, turn, pole):  # type: ignore[no-untyped-def]
    """The sum of exp(log G - i k turn) times the pole over the nodes of a lobe, and the size of what its last nodes add.

    exp(x) is that of x / 256 by its series, squared eight times: whole vectors at once, and right to 14 digits.
    """
    real, imaginary = part * WIDTH, (part + 1) * WIDTH
    for k in range(WIDTH):
        x, y = lobes[real + k] / 256.0, (lobes[imaginary + k] - turn * k) / 256.0
        u, v = 1.0 + x / 7.0, y / 7.0
        u, v = 1.0 + (x * u - y * v) * (1.0 / 6.0), (x * v + y * u) * (1.0 / 6.0)
        u, v = 1.0 + (x * u - y * v) * 0.2, (x * v + y * u) * 0.2
        u, v = 1.0 + (x * u - y * v) * 0.25, (x * v + y * u) * 0.25
        u, v = 1.0 + (x * u - y * v) * (1.0 / 3.0), (x * v + y * u) * (1.0 / 3.0)
        u, v = 1.0 + (x * u - y * v) * 0.5, (x * v + y * u) * 0.5
        u, v = 1.0 + (x * u - y * v), x * v + y * u
        for _ in range(8):
            u, v = u * u - v * v, 2.0 * u * v
        lobes[real + k] = u * pole[part, k] - v * pole[part + 1, k]
        lobes[imaginary + k] = u * pole[part + 1, k] + v * pole[part, k]
    total, cut = 0.0, 0.0
    for k in range(WIDTH):
        total += lobes[real + k]
    for k in range(WIDTH - 2, WIDTH):
        cut += abs(lobes[real + k]) + abs(lobes[imaginary + k])
    return total, cut
