"""The contour integral of the signed-rank law for one pair, with the parts of the circle that can be left out proved.

P(W <= w) = 1/(2 pi i) * integral of G(z) / (z^{w+1} (1 - z)) on |z| = exp(-theta), G(z) = prod_g ((1 + z^{r_g}) / 2)^{m_g} with
doubled ranks r_g that occur m_g times, by the trapezoid rule with K nodes on the circle. At the angle 2 pi f / r from the real
axis a factor is at most exp(-c f^2) of its value there, f its distance from the next whole number (`_steepness`). So the sum of
m c f^2 bounds arcs of nodes: nearly all are negligible, whatever the ties. Those that are not are summed up.

What the rule adds is bounded too (`bounded`); where that or the number of arcs is too much, the answer is -1.
"""

from __future__ import annotations

import numpy as np

from podium.core.compiled import njit
from podium.stats.exact.tilt_kernels import bounded, log_value_at, saddle

ARC = 8  # nodes
BLOCK = 256  # arcs that are looked at together
PLACES = np.arange(BLOCK).astype(np.float32)
LOOK = 4  # groups after which arcs that are left are looked for
ROUNDING = 1e-4  # of f, in single precision
MOST_NODES = 1 << 31
SOME, SHARE = 500, 0.02  # arcs that are summed up at the most, or that share of them
FADED = 1e-18  # a factor that is 1
SLIGHT = 1e-12  # of the answer: what may be left out


@njit(cache=True, nogil=True)
def arc_tails(pairs, rank, size, groups, limit, value):  # type: ignore[no-untyped-def]
    """value[i] = P(W <= limit[i]) for each i of `pairs`; -1 where no bound of errors is met."""
    for i in pairs:
        value[i] = arc_tail(rank[i, : groups[i]], size[i, : groups[i]], limit[i])


@njit(cache=True, nogil=True, error_model="numpy")
def arc_tail(rank, size, limit):  # type: ignore[no-untyped-def]
    """P(W <= limit) for ranks `rank[g]` that occur `size[g]` times, ascending; -1 where no bound of errors is met."""
    groups = len(rank)
    theta, spread, log_value = saddle(rank, size, groups, limit)
    log_tail = min(log_value + theta * limit - np.log(2.5 * theta * spread), -0.7)
    half = log_value_at(rank, size, groups, 0.5 * theta)
    above = min(0.0, half + 0.5 * theta * limit)
    period = min((26.0 - log_tail) / theta, 2.0 * (26.0 - log_tail + above) / theta)
    nodes = 2.0 * np.ceil(0.5 * max(11.5 * spread, period))
    if not nodes < MOST_NODES:
        return -1.0
    # What is left out is 1 / theta times its bound at the most, and the sum is about 1 / (2.5 theta spread).
    arcs = _arcs_that_count(rank, size, theta, np.int64(nodes), np.log(5.0 * spread / SLIGHT))
    if len(arcs) == 0:
        return -1.0
    total = _sum_over(arcs, rank, size, theta, np.int64(nodes), limit)
    steep = 1.0 + nodes / (theta * spread**2)  # the best of Chernoff's bounds of sums far below, were the law normal
    steeper = log_value_at(rank, size, groups, steep * theta)
    return bounded(total, 0.0, SLIGHT * total, limit, theta, nodes, log_value, half, steep, steeper)


@njit(cache=True, nogil=True, error_model="numpy")
def _steepness(weight):  # type: ignore[no-untyped-def]
    """c with |1 + weight e^{2 pi i f}| / (1 + weight) <= exp(-c f^2) for |f| <= 1/2: the lesser one of f = 0 and f = 1/2."""
    share = weight / (1.0 + weight) ** 2
    return min(2.0 * np.pi**2 * share, -4.0 * np.log((1.0 - weight) / (1.0 + weight)))


@njit(cache=True, nogil=True)
def _arcs_that_count(rank, size, theta, nodes, enough):  # type: ignore[no-untyped-def]
    """The arcs of the upper half circle that are not shown to be exp(-enough) of the peak at most; none if they are many."""
    steepness = np.empty(len(rank))
    for g in range(len(rank)):
        steepness[g] = size[g] * _steepness(np.exp(-theta * rank[g]))
    total = nodes // 2 // ARC + 1
    most = int(max(SOME, SHARE * total))
    found, count = np.empty(most, np.int64), 0
    bound = np.empty(BLOCK, np.float32)
    for first in range(0, total, BLOCK):
        bound[:] = 0.0
        for g in range(len(rank)):
            turns = rank[g] / nodes
            start, reach = turns * (ARC * first + 0.5 * (ARC - 1)), 0.5 * turns * (ARC - 1) + ROUNDING
            _add_bounds(bound, start - np.floor(start), turns * ARC, reach, steepness[g])
            if g % LOOK == LOOK - 1 and not _any_below(bound, enough):
                break
        for i in range(min(BLOCK, total - first)):
            if bound[i] <= enough:
                if count == len(found):
                    return found[:0]
                found[count] = first + i
                count += 1
    return found[:count]


@njit(cache=True, nogil=True, fastmath={"contract"})
def _add_bounds(bound, start, step, reach, steepness):  # type: ignore[no-untyped-def]
    """Add the least steepness * f^2 of each arc, whose middle is f = start + i step and whose ends are `reach` away."""
    start, step, reach, steepness = np.float32(start), np.float32(step), np.float32(reach), np.float32(steepness)
    for i in range(BLOCK):
        f = start + PLACES[i] * step
        f -= np.floor(f)
        far = max(min(f, np.float32(1.0) - f) - reach, np.float32(0.0))
        bound[i] += steepness * far * far


@njit(cache=True, nogil=True)
def _any_below(bound, enough):  # type: ignore[no-untyped-def]
    """Whether any bound is not above `enough`."""
    most, count = np.float32(enough), np.int32(0)
    for i in range(BLOCK):
        count += np.int32(bound[i] <= most)
    return count > 0


@njit(cache=True, nogil=True)
def _sum_over(arcs, rank, size, theta, nodes, limit):  # type: ignore[no-untyped-def]
    """The sum of G(z) / (G(|z|) z^limit |z|^-limit (1 - z) K) over the nodes of these arcs and of those below the real axis."""
    turned, weight = np.empty((len(rank), 2, ARC)), np.empty(len(rank))
    for g in range(len(rank)):
        weight[g] = np.exp(-theta * rank[g])
        for i in range(ARC):
            angle = 2.0 * np.pi * (rank[g] * i % nodes) / nodes
            turned[g, 0, i], turned[g, 1, i] = weight[g] * np.cos(angle), weight[g] * np.sin(angle)
    product, factor = np.empty((2, ARC)), np.empty((2, ARC))
    total = 0.0
    for arc in arcs:
        product[0], product[1] = 1.0, 0.0
        for g in range(len(rank)):
            if size[g] * weight[g] < FADED:
                continue
            angle = 2.0 * np.pi * (rank[g] * (ARC * arc) % nodes) / nodes
            cosine, sine, share = np.cos(angle), np.sin(angle), 1.0 / (1.0 + weight[g])
            for i in range(ARC):
                c, s = turned[g, 0, i], turned[g, 1, i]
                factor[0, i], factor[1, i] = (1.0 + cosine * c - sine * s) * share, (cosine * s + sine * c) * share
            _multiply_power(product, factor, size[g])
        for i in range(ARC):
            k = ARC * arc + i
            if 2 * k <= nodes:
                angle = 2.0 * np.pi * k / nodes
                back = 2.0 * np.pi * (k * (limit % nodes) % nodes) / nodes
                here = complex(product[0, i], product[1, i]) * complex(np.cos(back), -np.sin(back))
                here /= 1.0 - np.exp(-theta) * complex(np.cos(angle), np.sin(angle))
                total += here.real * (1.0 if k == 0 or 2 * k == nodes else 2.0)
    return total / nodes


@njit(cache=True, nogil=True)
def _multiply_power(product, factor, power):  # type: ignore[no-untyped-def]
    """product *= factor^power, complex numbers node by node; `factor` is room afterwards."""
    while True:
        if power & 1:
            for i in range(ARC):
                a, b, u, v = product[0, i], product[1, i], factor[0, i], factor[1, i]
                product[0, i], product[1, i] = a * u - b * v, a * v + b * u
        power >>= 1
        if power == 0:
            return
        for i in range(ARC):
            u, v = factor[0, i], factor[1, i]
            factor[0, i], factor[1, i] = u * u - v * v, 2.0 * u * v
