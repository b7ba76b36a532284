"""The compiled loop over the arcs of many pairs; `arcs` does the same by arrays for a few."""

from __future__ import annotations

import math

import numpy as np

from podium.core.arrays import Floats
from podium.core.compiled import inner, njit
from podium.stats.exact.arcs import ARC, LONG

LANES = 32  # long arcs that are looked at together: vectors of the processor


def room() -> Floats:
    """Space for the bounds of long arcs, for those of the short ones within one, and for the nodes of an arc."""
    return np.empty((6, LANES))


@njit(cache=True, nogil=True, error_model="numpy")
def sum_arcs(ranks, factors, whole, real, total, room):  # type: ignore[no-untyped-def]
    """Fills in the sum of each pair over the arcs that count; 0 where these are more than the most.

    Of a pair: ranks and how often each occurs; how far each turns from node to node, its steepness and weight; in `whole` how many
    groups, nodes and arcs at the most, and the limit; in `real` theta and what bound is enough.
    """
    for i in range(len(total)):
        groups, nodes, most, limit = whole[i]
        rank, size, turn, steep, weight = ranks[i, 0], ranks[i, 1], factors[i, 0], factors[i, 1], factors[i, 2]
        total[i] = _of_pair(rank, size, turn, steep, weight, groups, nodes, most, limit, real[i, 0], real[i, 1], room)


@inner(error_model="numpy")
def _of_pair(rank, size, turn, steep, weight, groups, nodes, most, limit, theta, enough, room):  # type: ignore[no-untyped-def]
    long, short, x, y, u, v = (
        room[0],
        room[1, : LONG // ARC],
        room[2, :ARC],
        room[3, :ARC],
        room[4, :ARC],
        room[5, :ARC],
    )
    total = 0.0
    for block in range(0, nodes // 2 + 1, LANES * LONG):
        _bound(long, block, 1.0 * LONG, turn, steep, groups, enough)
        for j in range(LANES):
            start = block + LONG * j
            if long[j] > enough or 2 * start > nodes:
                continue
            _bound(short, start, 1.0 * ARC, turn, steep, groups, enough)
            for k in range(len(short)):
                first = start + ARC * k
                if short[k] <= enough and 2 * first <= nodes:
                    most -= 1
                    if most < 0:
                        return 0.0
                    total += _sum(rank, size, groups, weight, nodes, limit, theta, first, x, y, u, v)
    return total


@inner()
def _bound(bound, first, length, turn, steep, groups, enough):  # type: ignore[no-untyped-def]
    """For arcs one after the other what makes each exp(-bound) of the peak at most; by some groups, as soon as all is enough.

    The length is a float: of whole numbers that stand in the code each makes a signature of its own.
    """
    half = 0.5 * (length - 1)
    bound[:] = 0.0
    for g in range(groups):
        start, step, wide, c, small = turn[g] * (first + half), turn[g] * length, turn[g] * half, steep[g], 0
        for j in range(len(bound)):
            f = start + j * step
            f = abs(f - np.rint(f)) - wide
            f = f if f > 0.0 else 0.0
            bound[j] += c * f * f
            small += bound[j] <= enough
        if small == 0:
            break


@inner(error_model="numpy")
def _sum(rank, size, groups, weight, nodes, limit, theta, first, x, y, u, v):  # type: ignore[no-untyped-def]
    """What the nodes of an arc add, and those below the real axis."""
    once, tilt = 2.0 * math.pi / nodes, math.exp(-theta)
    for i in range(len(x)):
        angle, back = once * (first + i), once * ((first + i) * (limit % nodes) % nodes)
        c, s = 1.0 - tilt * math.cos(angle), tilt * math.sin(angle)
        length = c * c + s * s
        x[i] = (math.cos(back) * c + math.sin(back) * s) / length
        y[i] = (math.cos(back) * s - math.sin(back) * c) / length
    for g in range(groups):
        start, angle, share = once * (first * rank[g] % nodes), once * rank[g], 1.0 / (1.0 + weight[g])
        c, s, cosine, sine = weight[g] * math.cos(start), weight[g] * math.sin(start), math.cos(angle), math.sin(angle)
        for i in range(len(x)):
            u[i], v[i] = (1.0 + c) * share, s * share
            c, s = c * cosine - s * sine, c * sine + s * cosine
        power = size[g]
        while power:
            if power & 1:
                for i in range(len(x)):
                    x[i], y[i] = x[i] * u[i] - y[i] * v[i], x[i] * v[i] + y[i] * u[i]
            for i in range(len(x)):
                u[i], v[i] = u[i] * u[i] - v[i] * v[i], 2.0 * u[i] * v[i]
            power >>= 1
    total = 0.0
    for i in range(min(len(x), nodes // 2 + 1 - first)):
        total += x[i] if first + i == 0 or 2 * (first + i) == nodes else 2.0 * x[i]
    return total / nodes
