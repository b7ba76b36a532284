"""The compiled loop over the arcs of many pairs; `arcs` does the same by arrays for a few."""

from __future__ import annotations

import math

from podium.core.compiled import njit
from podium.stats.exact.arcs import ARC, LONG


@njit(cache=True, nogil=True, error_model="numpy")
def sum_arcs(rank, size, groups, turn, steep, weight, nodes, limit, theta, enough, most, total, product):  # type: ignore[no-untyped-def]
    """Fills in the sum of each pair over the arcs that count; 0 where these are more than `most`."""
    for i in range(len(nodes)):
        tilt, left, last, first, length = math.exp(-theta[i]), most[i], nodes[i] // 2, 0, LONG
        while first <= last and left >= 0:
            counts = not _is_negligible(turn[i], steep[i], groups[i], first, length, enough[i])
            if counts and length == LONG:
                length = ARC
                continue
            if counts:
                left -= 1
                total[i] += _sum(rank[i], size[i], groups[i], weight[i], nodes[i], limit[i], tilt, first, product)
            first += length
            length = LONG if first % LONG == 0 else ARC
        if left < 0:
            total[i] = 0.0


@njit(cache=True, nogil=True)
def _is_negligible(turn, steep, groups, first, length, enough):  # type: ignore[no-untyped-def]
    """Whether some groups show that an arc is exp(-enough) of the peak at most."""
    bound, half = 0.0, 0.5 * (length - 1)
    for g in range(groups):
        f = turn[g] * (first + half)
        f = abs(f - math.floor(f + 0.5)) - turn[g] * half
        if f > 0.0:
            bound += steep[g] * f * f
            if bound > enough:
                return True
    return False


@njit(cache=True, nogil=True, error_model="numpy")
def _sum(rank, size, groups, weight, nodes, limit, tilt, first, product):  # type: ignore[no-untyped-def]
    """What the nodes of an arc add, and those below the real axis; `product` is room for them."""
    once = 2.0 * math.pi / nodes
    for i in range(ARC):
        angle, back = once * (first + i), once * ((first + i) * (limit % nodes) % nodes)
        c, s = 1.0 - tilt * math.cos(angle), tilt * math.sin(angle)
        length = c * c + s * s
        product[0, i] = (math.cos(back) * c + math.sin(back) * s) / length
        product[1, i] = (math.cos(back) * s - math.sin(back) * c) / length
    for g in range(groups):
        start, angle, share = once * (first * rank[g] % nodes), once * rank[g], 1.0 / (1.0 + weight[g])
        c, s, cosine, sine = weight[g] * math.cos(start), weight[g] * math.sin(start), math.cos(angle), math.sin(angle)
        for i in range(ARC):
            u, v, power = (1.0 + c) * share, s * share, size[g]
            while power:
                if power & 1:
                    product[0, i], product[1, i] = (
                        product[0, i] * u - product[1, i] * v,
                        product[0, i] * v + product[1, i] * u,
                    )
                u, v, power = u * u - v * v, 2.0 * u * v, power >> 1
            c, s = c * cosine - s * sine, c * sine + s * cosine
    total = 0.0
    for i in range(min(ARC, nodes // 2 + 1 - first)):
        total += product[0, i] if first + i == 0 or 2 * (first + i) == nodes else 2.0 * product[0, i]
    return total / nodes
