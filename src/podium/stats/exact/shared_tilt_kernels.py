"""The contour integral (`tilt_kernels`) for a crowd of pairs, from tables that all of them share.

A few tilts serve all pairs of about the same spread, and ranks are whole numbers: so the logarithms of the factors
1 + z^r at the nodes are tables, and log G of a pair is a sum of their rows: one for all its ranks as if they were untied, and
one for what each tie changes. The nodes lie around z = |z| and, for the second lobe of the integrand that ranks nearly all even
make, around z = -|z|.

What lies between the lobes is not bounded but judged by its level, -log of the integrand there relative to its value on the
real axis. Phases are as good as random: single ranks, nearly a progression, make it exp(-sum log(1 + |z|^r)); of m equal ranks,
whose phases are equal, the mean of |factor|^m counts. But ranks whose gaps are mostly multiples of one q > 2 line up near the
q-th roots of one, as if every dataset occurs several times (`_lined_up`).
"""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats
from podium.core.compiled import njit
from podium.stats.exact.tilt_kernels import LEAST_TILT, bounded

WIDTH = 20  # nodes, a multiple of 4
TILTS: Floats = LEAST_TILT * np.power(1.3, np.arange(8.0))  # theta in units of 1 / spread
BAND = 1.2  # spreads that share a table differ by this factor at most
FEWEST = 20  # distinct ranks
SIZES = 4  # even sizes of groups whose level is known: 2, 4, 6, 8
LARGEST_TIE = 4  # with a row of its own
STEEP = 3.5  # times theta: about the best of Chernoff's bounds of sums far below
LOBE = 2 * WIDTH  # columns: log (1 + z^r) / (1 + |z|^r), real and imaginary parts
MEAN, LOG, HALF, STEEPER, RISE = range(5)  # columns of the laws: tilted mean, log G at three thetas, part of the level
LAWS = 5
LOWER = 2  # tilts below the best one that are tried: less lies between the lobes there, for some digits of the answer
# Times exp(-level): what lies between the lobes. benchmarks/contour_level.py compares drawn sums with the dynamic programme: of
# 75,206 that pass, all but 4 err by less than 2e-10, and those by less than 4e-10.
BETWEEN = 30.0
LEAST, MORE = 28.5, 2.0  # the level that can be enough at the best tilt, and how much more it takes at the next ones
NEGLIGIBLE = -40.0  # the log of a lobe that is left out


@njit(cache=True, nogil=True, error_model="numpy")
def fill_shared(theta, nodes, rows, turns, laws, levels, pole):  # type: ignore[no-untyped-def]
    """The tables of one tilt with K = `nodes` nodes on the circle.

    `rows` and `laws` have ranks r < len(levels), after these runs of even ranks 2, 4, ..., 2i, and after these ties
    (`_tie_row`): what t equal ranks have more than the t untied ones in whose place they stand. turns[i] = what a rank
    r = 2i + 1 has more at -z than at z; levels[r, m] = what m equal ranks add to the level; pole = the
    weights 1 / (K (1 - z)) and 1 / (K (1 + z)).
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
            rows[r, k], rows[r, WIDTH + k] = one.real, one.imag
            if r % 2 == 1:
                more = np.log(1.0 - power) - one
                turns[r // 2, k], turns[r // 2, WIDTH + k] = more.real, more.imag
    rows[0], laws[0], rows[top], laws[top] = 0.0, 0.0, 0.0, 0.0
    for r in range(1, top):
        weight = np.exp(-theta * r)
        share, log_sum = 1.0 / (1.0 + weight), np.log(1.0 + weight)
        for k in range(WIDTH):
            rows[r, k] -= log_sum
        laws[r, MEAN], laws[r, LOG], laws[r, RISE] = r * weight * share, log_sum - np.log(2.0), log_sum
        laws[r, HALF] = np.log(0.5 * (1.0 + np.exp(-0.5 * theta * r)))
        laws[r, STEEPER] = np.log(0.5 * (1.0 + np.exp(-STEEP * theta * r)))
        _fill_levels(weight, levels[r])
        if r % 2 == 0:
            run = top + r // 2
            rows[run] = rows[run - 1] + rows[r]
            laws[run] = laws[run - 1] + laws[r]
    _fill_ties(rows, laws, levels)


@njit(cache=True, nogil=True)
def _tie_row(top, size, before):  # type: ignore[no-untyped-def]
    """The row of so many equal ranks after so many smaller ones."""
    half = top // 2 + 1
    return top + half + (size - 2) * half + before


@njit(cache=True, nogil=True)
def _fill_ties(rows, laws, levels):  # type: ignore[no-untyped-def]
    top = len(levels)
    for size in range(2, LARGEST_TIE + 1):
        for before in range((top - 1) // 2 - size + 1):
            into, rank, run = _tie_row(top, size, before), 2 * before + size + 1, top + before
            for k in range(LOBE):
                rows[into, k] = size * rows[rank, k] - (rows[run + size, k] - rows[run, k])
            for k in range(LAWS):
                laws[into, k] = size * laws[rank, k] - (laws[run + size, k] - laws[run, k])
            laws[into, RISE] = levels[rank, size] - (laws[run + size, RISE] - laws[run, RISE])


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
def shared_tails(pairs, bands, rank, size, groups, observations, limit, tables, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`, from the tables of its band; -1 where no bound is met."""
    numbers, rows, turns, laws, levels, poles = tables
    room = shared_room(rank.shape[1])
    for i in pairs:
        b, untied = bands[i], levels.shape[2] + observations[i]
        nearest = _nearest(limit[i], laws[b, :, untied])
        for lower in range(LOWER + 1):
            t, least = max(nearest - lower, 0), LEAST + MORE * lower
            if (
                value[i] < 0.0
                and laws[b, t, untied, RISE] >= least
                and groups[i] >= FEWEST
                and 3 * groups[i] >= observations[i]
            ):
                one = numbers[b, t, 0], numbers[b, t, 1], rows[b, t], turns[b, t], laws[b, t], levels[b, t], poles[b, t]
                value[i] = shared_tail(rank[i], size[i], groups[i], limit[i], one, least, room)


@njit(cache=True, nogil=True)
def shared_room(groups):  # type: ignore[no-untyped-def]
    """Space for `shared_tail`: rows and how often each is taken, two lobes, gaps, ties."""
    rows = 3 * groups + 4
    return (
        np.empty(rows, np.int64),
        np.empty(rows),
        np.empty(2 * LOBE),
        np.empty(33, np.int64),
        np.empty(groups, np.int64),
    )


@njit(cache=True, nogil=True)
def _nearest(limit, untied):  # type: ignore[no-untyped-def]
    """The tilt whose mean of W is nearest to `limit`, by the law of as many untied ranks."""
    before = 0.0
    for t in range(len(TILTS)):
        mean = untied[t, MEAN]
        if mean <= limit:
            return t - 1 if t > 0 and before + mean < 2 * limit else t
        before = mean
    return len(TILTS) - 1


@njit(cache=True, nogil=True)
def shared_tail(rank, size, groups, limit, tables, least, room):  # type: ignore[no-untyped-def]
    """P(W <= limit) of ranks in groups, from the tables of one tilt; -1 where no bound of errors is met."""
    theta, nodes, rows, turns, laws, levels, pole = tables
    row, times, lobes, gaps, ties = room
    tied = _find_ties(size, groups, ties)
    count, level = _terms(rank, size, groups, ties, tied, levels, row, times)
    log_value, half, steeper = 0.0, 0.0, 0.0
    for i in range(count):
        log_value += times[i] * laws[row[i], LOG]
        half += times[i] * laws[row[i], HALF]
        steeper += times[i] * laws[row[i], STEEPER]
        level += times[i] * laws[row[i], RISE]
    if level < least or _lined_up(size, groups, gaps):
        return -1.0
    _add_rows(count, row, times, rows, lobes)
    odd = _odd_terms(rank, size, ties, tied, row, times)
    _add_turns(odd, row, times, turns, 0, lobes)
    turn, highest = 2.0 * np.pi / nodes * limit, NEGLIGIBLE
    for k in range(WIDTH):
        highest = max(highest, lobes[LOBE + k])
    other, more = 0.0, 0.0
    if highest > NEGLIGIBLE:
        _add_turns(odd, row, times, turns, WIDTH, lobes)
        other, more = _lobe(lobes, 2, turn, pole)
    total, cut = _lobe(lobes, 0, turn, pole)
    total, cut = total + (1.0 - 2.0 * (limit % 2)) * other, cut + more
    return bounded(total, cut, BETWEEN * np.exp(-level), limit, theta, nodes, log_value, half, STEEP, steeper)


@njit(cache=True, nogil=True)
def _find_ties(size, groups, ties):  # type: ignore[no-untyped-def]
    """Which groups are ties, and how many are. Nothing branches on the ties, which cannot be foretold."""
    count = np.uint64(0)
    for g in range(groups):
        ties[count] = g
        count += np.uint64(size[g] > 1)
    return np.int64(count)


@njit(cache=True, nogil=True)
def _terms(rank, size, groups, ties, count, levels, row, times):  # type: ignore[no-untyped-def]
    """Which rows of the tables make up the ranks, and how often each, in fours: all ranks as if untied, and what each tie has
    more. Long ties have no row: what they take from the level."""
    top, level = len(levels), 0.0
    lowest = (rank[0] - size[0] - 1) >> 1  # zeros before
    highest = (rank[groups - 1] + size[groups - 1] - 1) >> 1
    row[0], times[0], row[1], times[1] = top + highest, 1.0, top + lowest, -1.0
    half, filled = top // 2 + 1, 2
    for i in range(count):
        g = ties[i]
        m = size[g]
        before = (rank[g] - m - 1) >> 1
        if m <= LARGEST_TIE:
            row[filled], times[filled] = top - half + m * half + before, 1.0
            filled += 1
        else:
            row[filled], times[filled] = rank[g], m
            row[filled + 1], times[filled + 1] = top + before + m, -1.0
            row[filled + 2], times[filled + 2] = top + before, 1.0
            filled += 3
            level += levels[rank[g], min(m, 2 * SIZES)] - m * levels[rank[g], 1]
    return _filled_up(filled, row, times), level


@njit(cache=True, nogil=True)
def _odd_terms(rank, size, ties, count, row, times):  # type: ignore[no-untyped-def]
    """The rows of `turns` that odd ranks have."""
    odd = np.uint64(0)
    for i in range(count):
        g = np.uint64(ties[i])
        row[odd], times[odd] = rank[g] >> 1, size[g]
        odd += np.uint64(rank[g] & 1)
    return _filled_up(np.int64(odd), row, times)


@njit(cache=True, nogil=True)
def _filled_up(count, row, times):  # type: ignore[no-untyped-def]
    """Rows in fours: zero times the first one where there are fewer."""
    while count % 4 > 0:
        row[count], times[count] = 0, 0.0
        count += 1
    return count


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_rows(count, row, times, rows, lobes):  # type: ignore[no-untyped-def]
    """The sum of rows, each so many times; four of them at a time."""
    for k in range(LOBE):
        lobes[k] = 0.0
    for i in range(0, count, 4):
        a, b, c, d = np.uint64(row[i]), np.uint64(row[i + 1]), np.uint64(row[i + 2]), np.uint64(row[i + 3])
        p, q, r, s = times[i], times[i + 1], times[i + 2], times[i + 3]
        for k in range(np.uint64(LOBE)):
            lobes[k] += (p * rows[a, k] + q * rows[b, k]) + (r * rows[c, k] + s * rows[d, k])


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_turns(count, row, times, turns, part, lobes):  # type: ignore[no-untyped-def]
    """The second lobe's real or imaginary part."""
    one, into = np.uint64(part), np.uint64(LOBE + part)
    for k in range(WIDTH):
        lobes[LOBE + part + k] = lobes[part + k]
    for i in range(0, count, 4):
        a, b, c, d = np.uint64(row[i]), np.uint64(row[i + 1]), np.uint64(row[i + 2]), np.uint64(row[i + 3])
        p, q, r, s = times[i], times[i + 1], times[i + 2], times[i + 3]
        for k in range(np.uint64(WIDTH)):
            more = (p * turns[a, one + k] + q * turns[b, one + k]) + (r * turns[c, one + k] + s * turns[d, one + k])
            lobes[into + k] += more


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


@njit(cache=True, nogil=True)
def _lined_up(size, groups, gaps):  # type: ignore[no-untyped-def]
    """Whether half of the gaps between ranks are multiples of 3, or two in five multiples of one q > 3; `gaps` is room."""
    two, three, four, five = 0, 0, 0, 0
    for g in range(1, groups):
        gap = size[g - 1] + size[g]
        two += gap == 2
        three += gap == 3
        four += gap == 4
        five += gap == 5
    others = groups - two - three - four - five
    if 2 * (others + three) <= groups and 5 * (others + max(four, five)) <= 2 * groups:
        return False
    gaps[:] = 0
    for g in range(1, groups):
        gaps[min(size[g - 1] + size[g], 32)] += 1
    for q in range(3, 33):
        aligned = 0
        for gap in range(q, 33, q):
            aligned += gaps[gap]
        if (5 if q > 3 else 4) * aligned > 2 * groups:
            return True
    return False
