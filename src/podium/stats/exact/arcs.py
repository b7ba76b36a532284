"""The contour integral of the signed-rank law pair by pair, with the parts of the circle that can be left out proved.

As in `tilts`, but whatever the ties. At the angle 2 pi f / r from the real axis a factor is at most exp(-c f^2) of its value
there, f its distance from the next whole number (`steepness`). So the sum of m c f^2 bounds arcs of nodes: nearly all are
negligible. Long arcs are looked at first, then the parts of those that may count. What is left is summed up.
"""

from __future__ import annotations

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.stats.exact.ranks import Ranks
from podium.stats.exact.small import is_small
from podium.stats.exact.threads import in_threads
from podium.stats.exact.tilts import bounded, log_value, nodes_needed, saddle

ARC, LONG = 8, 64  # nodes
CELLS = 1_000_000  # of a matrix pairs x ranks: 8 MB
MOST_NODES = 1 << 31
SOME, SHARE = 500, 0.02  # arcs of a pair that are summed up at the most, or that share of them
NOTHING = 1e-16 - 1.0  # above the number whose log1p is infinite
SLIGHT = 1e-12  # of the answer: what may be left out
_SECONDS_OF_PAIR, _SECONDS_OF_NODE = 3e-4, 1e-9  # by arrays


def arc_tails(ranks: Ranks, limit: Ints) -> Floats:
    """P(W <= limit) of each pair; -1 where no bound of errors is met."""
    value = np.full(len(limit), -1.0)
    step = max(1, CELLS // (1 + int(ranks.groups.max(initial=0))))
    for start in range(0, len(limit), step):
        some = np.arange(start, min(start + step, len(limit)))
        value[some] = _tails(*ranks.of(some).padded(), limit[some])
    return value


def _tails(rank: Ints, size: Ints, limit: Ints) -> Floats:
    theta, law = saddle(rank, size, limit)
    needed = nodes_needed(law, theta, limit)
    nodes = np.where(needed < MOST_NODES, needed, 0).astype(np.int64)
    # What is left out is 1 / theta times its bound at the most, and the sum is about 1 / (2.5 theta spread).
    total = _sums(rank, size, theta, nodes, limit, np.log(5.0 * law.spread / SLIGHT))
    # The best of Chernoff's bounds of sums far below, were the law normal.
    faster = 1.0 + nodes / (theta * law.spread**2)
    law = law._replace(steeper=log_value(rank, size, faster * theta))
    return np.where(total > 0, bounded(total, SLIGHT * total, law, theta, nodes, limit, faster), -1.0)


def steepness(weight: Floats) -> Floats:
    """c with |1 + weight e^{2 pi i f}| / (1 + weight) <= exp(-c f^2) for |f| <= 1/2: the lesser one of f = 0 and f = 1/2."""
    with np.errstate(divide="ignore"):
        return np.minimum(2.0 * np.pi**2 * weight / (1.0 + weight) ** 2, 8.0 * np.arctanh(weight))


def _sums(rank: Ints, size: Ints, theta: Floats, nodes: Ints, limit: Ints, enough: Floats) -> Floats:
    """Of each pair the sum of G(z) / (G(|z|) z^limit |z|^-limit (1 - z) K) over the nodes that are not shown to be exp(-enough) of
    the peak at most; 0 where these are many."""
    weight, turn = np.exp(-theta[:, None] * rank), rank / np.maximum(nodes, 1)[:, None]
    steep = size * steepness(weight)
    # What bounds most comes first.
    order = np.argsort(-steep * np.maximum(0.5 - 0.5 * (LONG - 1) * turn, 0.0) ** 3, axis=1)
    rank, size, turn, steep, weight = (
        np.take_along_axis(each, order, axis=1) for each in (rank, size, turn, steep, weight)
    )
    groups, total = np.count_nonzero(size, axis=1), np.zeros(len(limit))
    most = np.maximum(SOME, SHARE * nodes / (2 * ARC)).astype(np.int64)
    ranks, factors = np.stack([rank, size], axis=1), np.stack([turn, steep, weight], axis=1)
    whole, real = np.stack([groups, nodes, most, limit], axis=1), np.stack([theta, enough], axis=1)
    each = ranks, factors, whole, real, total
    if is_small(_SECONDS_OF_PAIR * len(limit) + _SECONDS_OF_NODE * float(nodes.sum()), "arc_kernels:sum_arcs"):
        for i in range(len(limit)):
            total[i] = _sum(*(one[i] for one in each[:-1]))
    else:
        from podium.stats.exact.arc_kernels import room, sum_arcs

        in_threads(lambda part: sum_arcs(*(one[part] for one in each), room()), len(limit))
    return total


def _sum(ranks: Ints, factors: Floats, whole: Ints, real: Floats) -> float:
    """That of one pair."""
    (groups, nodes, most, limit), (theta, enough) = whole.tolist(), real.tolist()
    (rank, size), (turn, steep, weight) = ranks[:, :groups], factors[:, :groups]
    first = _not_negligible(np.arange(0, nodes // 2 + 1, LONG), LONG, turn, steep, enough)
    first = _not_negligible((first[:, None] + np.arange(0, LONG, ARC)).ravel(), ARC, turn, steep, enough)
    k = (first[:, None] + np.arange(ARC)).ravel()
    k = k[2 * k <= nodes]
    if len(k) > ARC * most or not nodes:
        return 0.0
    angle = 2.0 * np.pi * (k[:, None] * rank % nodes) / nodes
    c, s = weight * np.cos(angle), weight * np.sin(angle)
    log = (0.5 * np.log1p(np.maximum(2.0 * c + weight**2, NOTHING)) - np.log1p(weight)) @ size
    phase = np.arctan2(s, 1.0 + c) @ size - 2.0 * np.pi * (k * (limit % nodes) % nodes) / nodes
    here = np.exp(log + 1j * phase) / (1.0 - np.exp(-theta + 2j * np.pi * k / nodes))
    return float(here.real @ np.where((k == 0) | (2 * k == nodes), 1.0, 2.0) / nodes)


def _not_negligible(first: Ints, length: int, turn: Floats, steep: Floats, enough: float) -> Ints:
    """Those of some arcs that are not shown to be exp(-enough) of the peak at most."""
    bound, half = np.zeros(len(first)), 0.5 * (length - 1)
    for once, c in zip(turn.tolist(), steep.tolist(), strict=True):
        f = once * (first + half)
        f = np.maximum(np.abs(f - np.rint(f)) - once * half, 0.0)
        bound += c * f * f
        left = bound <= enough
        first, bound = first[left], bound[left]
    return first
