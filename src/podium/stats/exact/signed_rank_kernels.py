"""Compiled kernels of the signed-rank law: the null distribution of a sum of ranks with random signs.

Everything lives on doubled ranks, which are whole numbers even where ties share a rank. The generating
function of the doubled sum is prod_j (1 + z^{r_j}) / 2. Its lower tail comes from one of

- a table shared by all untied cases of the same n,
- a dynamic programme (adding positive numbers only, so that the far tail is as accurate as the middle),
- the contour integral P(W <= w) = 1/(2 pi i) * integral of G(z) / (z^{w+1} (1 - z)) on |z| = exp(-theta) with
  theta at the saddle: the trapezoid rule needs some 25 nodes around z = |z| and as many around z = -|z|,
  where ranks that are nearly all even (few ties) make the second lobe of the integrand.
"""

from __future__ import annotations

import numpy as np
from numba import njit

from podium.stats.exact.tie_kernels import tied_tail

__all__ = ["lower_tail_contour", "lower_tail_programme", "rank_pairs", "untied_tables"]

DROP, PRATT, SPLIT = 0, 1, 2
TWO_SIDED, LESS, GREATER = 0, 1, 2
TABLE, PROGRAMME, CONTOUR, NONE = 0, 1, 2, 3

# The contour needs a law without further lobes. At a random phase the integrand is exp(-level) of its value on the
# real axis, level = sum log(1 + |z|^r); many distinct ranks keep phases from lining up. Within these bounds the
# relative error stays below 1e-9 (see the tests); beyond them the dynamic programme is used.
CONTOUR_GROUPS = 50
CONTOUR_LEVEL, CONTOUR_LEVEL_FEW_GROUPS, CONTOUR_LEVEL_MANY_GROUPS = 33.0, 45.0, 27.0
CONTOUR_WIDTH = 64  # nodes that fit the scratch arrays
PROGRAMME_LIMIT = 1000  # observations: 2^-n must stay a normal float


@njit(cache=True, nogil=True)
def untied_tables(largest):  # type: ignore[no-untyped-def]
    """P(W <= w) for n = 0..largest untied ranks and w up to the middle: offsets into one flat array, and the array."""
    offsets = np.zeros(largest + 2, dtype=np.int64)
    for n in range(largest + 1):
        offsets[n + 1] = offsets[n] + n * (n + 1) // 4 + 1
    table = np.empty(offsets[largest + 1])
    width = largest * (largest + 1) // 4 + 1
    old, new = np.zeros(width + 1), np.zeros(width + 1)
    old[0] = 1.0
    reach = 0
    for n in range(largest + 1):
        if n > 0:
            top = min(reach + n, width - 1)
            for s in range(min(n, top + 1)):
                new[s] = 0.5 * old[s]
            for s in range(n, top + 1):
                new[s] = 0.5 * (old[s] + old[s - n])
            old, new = new, old
            reach = top
        total = 0.0
        for s in range(n * (n + 1) // 4 + 1):
            total += old[s]
            table[offsets[n] + s] = total
    return offsets, table


@njit(cache=True, nogil=True)
def lower_tail_programme(rank, size, groups, limit, old, new):  # type: ignore[no-untyped-def]
    """P(W <= limit) for ranks `rank[g]` that occur `size[g]` times, ascending; `old`, `new` hold limit + 1 numbers."""
    for s in range(limit + 1):
        old[s] = 0.0
        new[s] = 0.0
    old[0] = 1.0
    reach = 0
    observations = 0
    for g in range(groups):
        r = rank[g]
        observations += size[g]
        if r > limit:
            continue
        left = size[g]
        while left > 0:
            taken = min(left, 3)
            top = min(reach + taken * r, limit)
            _add_ranks(old, new, r, taken, top)
            old, new = new, old
            reach = top
            left -= taken
    total = 0.0
    for s in range(reach + 1):
        total += old[s]
    return total * 0.5**observations


@njit(cache=True, nogil=True)
def _add_ranks(old, new, r, times, top):  # type: ignore[no-untyped-def]
    """new = old * (1 + z^r)^times up to the power `top`, in one pass."""
    one, two, three = min(r, top + 1), min(2 * r, top + 1), min(3 * r, top + 1)
    second = 2.0 if times == 2 else 3.0  # the binomial coefficients 1 2 1 and 1 3 3 1
    for s in range(one):
        new[s] = old[s]
    if times == 1:
        for s in range(one, top + 1):
            new[s] = old[s] + old[s - r]
        return
    for s in range(one, two):
        new[s] = old[s] + second * old[s - r]
    if times == 2:
        for s in range(two, top + 1):
            new[s] = old[s] + 2.0 * old[s - r] + old[s - 2 * r]
        return
    for s in range(two, three):
        new[s] = old[s] + 3.0 * (old[s - r] + old[s - 2 * r])
    for s in range(three, top + 1):
        new[s] = old[s] + 3.0 * (old[s - r] + old[s - 2 * r]) + old[s - 3 * r]


@njit(cache=True, nogil=True)
def _tilted(rank, size, groups, theta):  # type: ignore[no-untyped-def]
    """Mean, variance and log of the generating function at z = exp(-theta) (the tilted law)."""
    mean, variance, log_value, product = 0.0, 0.0, 0.0, 1.0
    for g in range(groups):
        weight = np.exp(-theta * rank[g])
        share = weight / (1.0 + weight)
        mean += size[g] * rank[g] * share
        variance += size[g] * rank[g] * rank[g] * share * (1.0 - share)
        for _ in range(size[g]):
            product *= 0.5 * (1.0 + weight)
        if product < 1e-200 or size[g] > 100:
            log_value += np.log(product)
            product = 1.0
    return mean, variance, log_value + np.log(product)


@njit(cache=True, nogil=True)
def _saddle(rank, size, groups, limit):  # type: ignore[no-untyped-def]
    """A tilt near the saddle of G(z) z^-limit, kept away from the pole at z = 1; and the tilted law's moments."""
    mean, variance, log_value = _tilted(rank, size, groups, 0.0)
    least = 2.4 / np.sqrt(variance)
    theta = max((mean - limit) / variance, least)
    here, spread, log_value = _tilted(rank, size, groups, theta)
    for _ in range(30):
        if theta == least or abs(here - limit) < 0.5 * np.sqrt(spread):
            break
        theta = max(theta + (here - limit) / spread, least)
        here, spread, log_value = _tilted(rank, size, groups, theta)
    return theta, np.sqrt(spread), log_value


@njit(cache=True, nogil=True)
def _least_level(groups):  # type: ignore[no-untyped-def]
    """The level from which the contour may be used with so many distinct ranks."""
    if groups < CONTOUR_GROUPS:
        return np.inf
    if groups >= 100:
        return CONTOUR_LEVEL_MANY_GROUPS
    return CONTOUR_LEVEL if groups >= 70 else CONTOUR_LEVEL_FEW_GROUPS


@njit(cache=True, nogil=True, error_model="numpy")
def lower_tail_contour(rank, size, groups, limit, scratch):  # type: ignore[no-untyped-def]
    """P(W <= limit) by the contour integral; `scratch` has twelve rows of CONTOUR_WIDTH numbers; -1 where it fails."""
    theta, sigma, log_value = _saddle(rank, size, groups, limit)
    observations = 0
    for g in range(groups):
        observations += size[g]
    level = log_value + observations * np.log(2.0)
    if level < _least_level(groups):
        return -1.0
    scale = log_value + theta * limit
    # The aliases of the trapezoid rule at period K: exp(-theta K) / tail, and the tilted law K away.
    period = max(10.5 * sigma, (37.0 - scale + np.log(2.5 * theta * sigma)) / theta)
    nodes = 2 * int(np.ceil(0.5 * period))
    step = 2.0 * np.pi / nodes
    used = int(np.ceil(10.0 / (sigma * step))) + 1
    if used > CONTOUR_WIDTH or not np.isfinite(scale):
        return -1.0
    x1, y1, x2, y2, x, y = scratch[0], scratch[1], scratch[2], scratch[3], scratch[4], scratch[5]
    # The product over even ranks, which both lobes share; over odd ranks near z = |z|, and near z = -|z|.
    ex, ey, px, py, qx, qy = scratch[6], scratch[7], scratch[8], scratch[9], scratch[10], scratch[11]
    radius = np.exp(-theta)
    for k in range(used):
        x1[k], y1[k] = radius * np.cos(k * step), radius * np.sin(k * step)
        x2[k], y2[k] = radius * radius * np.cos(2 * k * step), radius * radius * np.sin(2 * k * step)
        x[k], ex[k], px[k], qx[k] = 1.0, 1.0, 1.0, 1.0
        y[k], ey[k], py[k], qy[k] = 0.0, 0.0, 0.0, 0.0
    last = 0
    for g in range(groups):
        gap = rank[g] - last
        last = rank[g]
        while gap >= 2:
            _multiply(x, y, x2, y2, used)
            gap -= 2
        if gap == 1:
            _multiply(x, y, x1, y1, used)
        share = 1.0 / (1.0 + np.exp(-theta * last))
        for _ in range(size[g]):
            if last % 2 == 0:
                _include(ex, ey, x, y, share, 1.0, used)
            else:
                _include(px, py, x, y, share, 1.0, used)
                _include(qx, qy, x, y, share, -1.0, used)
    _multiply(px, py, ex, ey, used)
    _multiply(qx, qy, ex, ey, used)
    total, parity = 0.0, 1.0 - 2.0 * (limit % 2)
    for k in range(used):
        weight = 1.0 if k == 0 else 2.0
        cosine, sine = np.cos(k * step * limit), -np.sin(k * step * limit)
        total += weight * _real_quotient(px[k], py[k], cosine, sine, 1.0 - x1[k], -y1[k])
        total += weight * parity * _real_quotient(qx[k], qy[k], cosine, sine, 1.0 + x1[k], y1[k])
    return total / nodes * np.exp(scale)


@njit(cache=True, nogil=True)
def _multiply(x, y, by_x, by_y, used):  # type: ignore[no-untyped-def]
    """(x + iy) *= (by_x + i by_y), node by node."""
    for k in range(used):
        a, b = x[k], y[k]
        x[k] = a * by_x[k] - b * by_y[k]
        y[k] = a * by_y[k] + b * by_x[k]


@njit(cache=True, nogil=True)
def _include(px, py, x, y, share, sign, used):  # type: ignore[no-untyped-def]
    """p *= (1 + sign z^r) / (1 + |z|^r), node by node; `share` is 1 / (1 + |z|^r)."""
    for k in range(used):
        a, b = px[k], py[k]
        u, v = share * (1.0 + sign * x[k]), share * sign * y[k]
        px[k] = a * u - b * v
        py[k] = a * v + b * u


@njit(cache=True, nogil=True, error_model="numpy")
def _real_quotient(ax, ay, bx, by, cx, cy):  # type: ignore[no-untyped-def]
    """Re(a b / c)."""
    x, y = ax * bx - ay * by, ax * by + ay * bx
    return (x * cx + y * cy) / (cx * cx + cy * cy)


@njit(cache=True, nogil=True)
def _groups(keys, count, skipped, rank, size):  # type: ignore[no-untyped-def]
    """Doubled ranks of sorted keys (2 |difference| + sign bit), their sizes, and the doubled sum over positives.

    `skipped` ranks below the first key are taken by zeros.
    """
    groups, positive_sum, start = 0, 0, 0
    while start < count:
        magnitude = keys[start] >> 1
        end, positives = start, 0
        while end < count and keys[end] >> 1 == magnitude:
            positives += keys[end] & 1
            end += 1
        rank[groups] = 2 * skipped + start + 1 + end
        size[groups] = end - start
        positive_sum += rank[groups] * positives
        groups += 1
        start = end
    return groups, positive_sum


@njit(cache=True, nogil=True)
def _lower_tail(rank, size, groups, count, limit, untied, offsets, table, ties, old, new, scratch):  # type: ignore[no-untyped-def]
    """P(W <= limit) for a limit up to the middle, and how it was found."""
    if limit < 0:
        return 0.0, TABLE
    if untied and count <= len(offsets) - 2:
        return table[offsets[count] + limit // 2], TABLE
    slots, numbers, plain, ratio, factor, inverse = ties
    if count * limit > 20_000 and groups >= CONTOUR_GROUPS and slots[count] >= 0:
        slot, shift, level = slots[count], count * np.log(2.0), _least_level(groups)
        value = tied_tail(
            rank,
            size,
            groups,
            limit,
            shift,
            level,
            numbers[slot],
            plain[slot],
            ratio[slot],
            factor[slot],
            inverse[slot],
            scratch,
        )
        if value >= 0.0:
            return min(value, 1.0), CONTOUR
    if count * limit > 60_000 and groups >= CONTOUR_GROUPS:
        value = lower_tail_contour(rank, size, groups, limit, scratch)
        if value >= 0.0:
            return min(value, 1.0), CONTOUR
    if count > PROGRAMME_LIMIT or limit + 1 > len(old):
        return -1.0, NONE
    return lower_tail_programme(rank, size, groups, limit, old, new), PROGRAMME


@njit(cache=True, nogil=True)
def _tail(rank, size, groups, count, plus, total, alternative, untied, offsets, table, ties, old, new, scratch):  # type: ignore[no-untyped-def]
    """The p-value of a doubled positive sum `plus` out of `total`, by the symmetry of the law; and how."""
    if alternative == TWO_SIDED:
        limit = min(plus, total - plus)
        value, how = _lower_tail(rank, size, groups, count, limit, untied, offsets, table, ties, old, new, scratch)
        return min(1.0, 2.0 * value), how
    limit = plus if alternative == LESS else total - plus
    if 2 * limit <= total:
        return _lower_tail(rank, size, groups, count, limit, untied, offsets, table, ties, old, new, scratch)
    limit = total - limit - 1
    value, how = _lower_tail(rank, size, groups, count, limit, untied, offsets, table, ties, old, new, scratch)
    return 1.0 - value if how != NONE else -1.0, how


@njit(cache=True, nogil=True)
def _keys(x, y, keys):  # type: ignore[no-untyped-def]
    """Keys of the non-zero differences, sorted; counts of present, positive and zero ones.

    Differences are whole multiples of the 12th significant digit of the pair's largest score, so that float
    noise breaks no ties (as `podium.core.ranks.settle` does).
    """
    largest = 0.0
    for i in range(len(x)):
        if not (np.isnan(x[i]) or np.isnan(y[i])):
            largest = max(largest, abs(x[i]), abs(y[i]))
    unit = 10.0 ** (np.floor(np.log10(max(largest, 1e-280))) - 11.0)
    present, positives, zeros, count = 0, 0, 0, 0
    for i in range(len(x)):
        difference = x[i] - y[i]
        if np.isnan(difference):
            continue
        present += 1
        steps = np.int64(np.rint(difference / unit))
        if steps == 0:
            zeros += 1
        else:
            positive = 1 if steps > 0 else 0
            positives += positive
            keys[count] = 2 * abs(steps) + positive
            count += 1
    keys[:count].sort()
    return present, positives, zeros, count


@njit(cache=True, nogil=True)
def rank_pairs(
    columns, first, second, zeros_policy, alternative, offsets, table, ties, programme, counts, sums, pvalue, how
):  # type: ignore[no-untyped-def]
    """Signed-rank sums and exact p-values of the pairs (first[i], second[i]) of the rows of `columns`.

    Fills counts (present, positive, zero), sums (doubled: positive sum, total; and the sum of squared doubled
    ranks), pvalue and how (-1 and NONE where no exact law is affordable). `programme` is the room of the
    dynamic programme, so it bounds its cost; offsets and table are those of `untied_tables`.
    """
    n = columns.shape[1]
    keys = np.empty(n, dtype=np.int64)
    rank, size = np.empty(n + 1, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    old, new = np.empty(programme), np.empty(programme)
    scratch = np.empty((12, CONTOUR_WIDTH))
    for pair in range(len(first)):
        present, positives, zeros, count = _keys(columns[first[pair]], columns[second[pair]], keys)
        counts[pair, 0], counts[pair, 1], counts[pair, 2] = present, positives, zeros
        ranked_zeros = 0
        if zeros_policy == PRATT:
            ranked_zeros = zeros
        elif zeros_policy == SPLIT:
            ranked_zeros = zeros - zeros % 2  # an odd one is left out, as Demsar does
        groups, plus = _groups(keys, count, ranked_zeros, rank, size)
        untied = groups == count and ranked_zeros == 0
        if zeros_policy == SPLIT and ranked_zeros > 0:
            # The zeros are observations too: they share the lowest ranks, and half of their sum is positive.
            for g in range(groups, 0, -1):
                rank[g], size[g] = rank[g - 1], size[g - 1]
            rank[0], size[0] = ranked_zeros + 1, ranked_zeros
            groups += 1
            count += ranked_zeros
            plus += ranked_zeros * (ranked_zeros + 1) // 2
        total, squares = 0, 0.0
        for g in range(groups):
            total += rank[g] * size[g]
            squares += np.float64(rank[g]) * rank[g] * size[g]
        sums[pair, 0], sums[pair, 1], sums[pair, 2] = plus, total, squares
        if groups == 0:
            pvalue[pair], how[pair] = 1.0, TABLE
        elif alternative >= 0:
            pvalue[pair], how[pair] = _tail(
                rank, size, groups, count, plus, total, alternative, untied, offsets, table, ties, old, new, scratch
            )
