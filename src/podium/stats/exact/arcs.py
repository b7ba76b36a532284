"""The contour integral of the signed-rank law for one pair, with the parts of the circle that can be left out proved.

As in `tilts`, but whatever the ties. At the angle 2 pi f / r from the real axis a factor is at most exp(-c f^2) of its value
there, f its distance from the next whole number (`steepness`). So the sum of m c f^2 bounds arcs of nodes: nearly all are
negligible. Those that are not are summed up.
"""

from __future__ import annotations

import math

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.stats.exact.tilts import bounded, log_value, nodes_needed, saddle

ARC = 8  # nodes
BLOCK = 1 << 16  # arcs that are looked at together
MOST_NODES = 1 << 31
SOME, SHARE = 500, 0.02  # arcs that are summed up at the most, or that share of them
NOTHING = 1e-16 - 1.0  # above the number whose log1p is infinite
SLIGHT = 1e-12  # of the answer: what may be left out


def arc_tail(rank: Ints, size: Ints, limit: int) -> float:
    """P(W <= limit) for ranks `rank[g]` that occur `size[g]` times; -1 where no bound of errors is met."""
    theta, law = saddle(rank, size, limit)
    nodes = float(nodes_needed(law, theta, limit))
    if not nodes < MOST_NODES:
        return -1.0
    # What is left out is 1 / theta times its bound at the most, and the sum is about 1 / (2.5 theta spread).
    arcs = _arcs_that_count(rank, size, theta, int(nodes), math.log(5.0 * law.spread / SLIGHT))
    if arcs is None:
        return -1.0
    total = _sum_over(arcs, rank, size, theta, int(nodes), limit)
    # The best of Chernoff's bounds of sums far below, were the law normal.
    steep = 1.0 + nodes / float(theta * law.spread**2)
    law = law._replace(steeper=log_value(rank, size, steep * theta))
    return float(bounded(total, SLIGHT * total, law, theta, nodes, limit, steep))


def steepness(weight: Floats) -> Floats:
    """c with |1 + weight e^{2 pi i f}| / (1 + weight) <= exp(-c f^2) for |f| <= 1/2: the lesser one of f = 0 and f = 1/2."""
    return np.minimum(2.0 * np.pi**2 * weight / (1.0 + weight) ** 2, 8.0 * np.arctanh(weight))


def _arcs_that_count(rank: Ints, size: Ints, theta: float, nodes: int, enough: float) -> Ints | None:
    """The arcs of the upper half circle that are not shown to be exp(-enough) of the peak at most; None if they are many."""
    steep = size * steepness(np.exp(-theta * rank))
    order = np.argsort(-steep)
    turns, steep = rank[order, None] / nodes, steep[order]
    total = nodes // 2 // ARC + 1
    arcs: list[Ints] = []
    for first in range(0, total, BLOCK):
        left = np.arange(first, min(first + BLOCK, total))
        bound, g = np.zeros(len(left)), 0
        while g < len(steep) and len(left):
            some = slice(g, g + max(1, BLOCK // len(left)))  # the fewer arcs are left, the more ranks at once
            f = turns[some] * (ARC * left + 0.5 * (ARC - 1))
            f = np.maximum(np.abs(f - np.rint(f)) - 0.5 * turns[some] * (ARC - 1), 0.0)
            bound += steep[some] @ f**2
            open_yet, g = bound <= enough, some.stop
            if 4 * np.count_nonzero(open_yet) < 3 * len(left) or g >= len(steep):
                left, bound = left[open_yet], bound[open_yet]
        arcs.append(left)
        if sum(map(len, arcs)) > max(SOME, SHARE * total):
            return None
    return np.concatenate(arcs)


def _sum_over(arcs: Ints, rank: Ints, size: Ints, theta: float, nodes: int, limit: int) -> float:
    """The sum of G(z) / (G(|z|) z^limit |z|^-limit (1 - z) K) over the nodes of these arcs and of those below the real axis."""
    k = (ARC * arcs[:, None] + np.arange(ARC)).ravel()
    k = k[2 * k <= nodes]
    phase = -2.0 * np.pi * (k * (limit % nodes) % nodes) / nodes
    log = np.zeros(len(k))
    for r, m in zip(rank.tolist(), size.tolist(), strict=True):
        angle, weight = 2.0 * np.pi * (k * r % nodes) / nodes, math.exp(-theta * r)
        c, s = weight * np.cos(angle), weight * np.sin(angle)
        log += m * (0.5 * np.log1p(np.maximum(2.0 * c + weight**2, NOTHING)) - math.log1p(weight))
        phase += m * np.arctan2(s, 1.0 + c)
    here = np.exp(log + 1j * phase) / (1.0 - np.exp(-theta + 2j * np.pi * k / nodes))
    return float((here.real * np.where((k == 0) | (2 * k == nodes), 1.0, 2.0)).sum() / nodes)
