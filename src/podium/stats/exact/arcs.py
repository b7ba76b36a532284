"""The contour integral of the signed-rank law pair by pair, with the parts of the circle that can be left out proved.

As in `tilts`, but whatever the ties. At the angle 2 pi f / r from the real axis a factor is at most exp(-c f^2) of its value
there, f its distance from the next whole number (`steepness`). So the sum of m c f^2 bounds arcs of nodes: nearly all are
negligible. Long arcs are looked at first, then the parts of those that may count. What is left is summed up.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.stats.exact.ranks import Ranks
from podium.stats.exact.tilts import bounded, log_value, nodes_needed, saddle

ARC, LONG = 8, 64  # nodes
BLOCK = 1 << 16  # numbers that are looked at together
CELLS = 1_000_000  # of a matrix pairs x ranks: 8 MB
MOST_NODES = 1 << 31
SOME, SHARE = 500, 0.02  # arcs of a pair that are summed up at the most, or that share of them
NOTHING = 1e-16 - 1.0  # above the number whose log1p is infinite
SLIGHT = 1e-12  # of the answer: what may be left out


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
    turn, steep = rank / np.maximum(nodes, 1)[:, None], size * steepness(np.exp(-theta[:, None] * rank))
    pair, arc = _arcs_that_count(nodes, turn, steep, np.log(5.0 * law.spread / SLIGHT))
    total = np.zeros(len(limit))
    for start in range(0, len(pair), BLOCK // ARC):
        part = slice(start, start + BLOCK // ARC)
        total += _sums_over(pair[part], arc[part], rank, size, theta, nodes, limit)
    # The best of Chernoff's bounds of sums far below, were the law normal.
    faster = 1.0 + nodes / (theta * law.spread**2)
    law = law._replace(steeper=log_value(rank, size, faster * theta))
    return np.where(total > 0, bounded(total, SLIGHT * total, law, theta, nodes, limit, faster), -1.0)


def steepness(weight: Floats) -> Floats:
    """c with |1 + weight e^{2 pi i f}| / (1 + weight) <= exp(-c f^2) for |f| <= 1/2: the lesser one of f = 0 and f = 1/2."""
    with np.errstate(divide="ignore"):
        return np.minimum(2.0 * np.pi**2 * weight / (1.0 + weight) ** 2, 8.0 * np.arctanh(weight))


def _arcs_that_count(nodes: Ints, turn: Floats, steep: Floats, enough: Floats) -> tuple[Ints, Ints]:
    """The arcs of the upper half circle of each pair, none of one that has many, that are not shown to be exp(-enough) of the peak
    at most: whose they are, and their places."""
    long, parts = nodes // 2 // LONG + (nodes > 0), LONG // ARC
    most, counted, ends = np.maximum(SOME, SHARE * parts * long), np.zeros(len(nodes)), np.cumsum(long)
    long_bound, bound = _bound(LONG, turn, steep), _bound(ARC, turn, steep)
    pairs: list[Ints] = []
    arcs: list[Ints] = []
    for first in range(0, int(ends[-1]), BLOCK):
        arc = np.arange(first, min(first + BLOCK, int(ends[-1])))
        pair = np.searchsorted(ends, arc, side="right")
        arc -= ends[pair] - long[pair]
        few = counted[pair] <= most[pair]
        pair, arc = _not_negligible(pair[few], arc[few], long_bound, enough)
        pair, arc = np.repeat(pair, parts), (parts * arc[:, None] + np.arange(parts)).ravel()
        pair, arc = _not_negligible(pair, arc, bound, enough)
        counted += np.bincount(pair, minlength=len(nodes))
        pairs.append(pair)
        arcs.append(arc)
    pair, arc = np.concatenate([np.empty(0, np.intp), *pairs]), np.concatenate([np.empty(0, np.intp), *arcs])
    few = counted[pair] <= most[pair]
    return pair[few], arc[few]


class _Bound(NamedTuple):
    """What bounds an arc of so many nodes: of each rank of each pair the turn at one node and at half of an arc, and its steepness;
    the ranks that bound most come first."""

    length: int
    turn: Floats
    half: Floats
    steep: Floats


def _bound(length: int, turn: Floats, steep: Floats) -> _Bound:
    half = 0.5 * (length - 1) * turn
    order = np.argsort(-steep * np.maximum(0.5 - half, 0.0) ** 3, axis=1)
    return _Bound(length, *(np.take_along_axis(each, order, axis=1) for each in (turn, half, steep)))


def _not_negligible(pair: Ints, arc: Ints, by: _Bound, enough: Floats) -> tuple[Ints, Ints]:
    """Those of some arcs that are not shown to be exp(-enough) of the peak at most."""
    bound, g = np.zeros(len(pair)), 0
    while g < by.turn.shape[1] and len(pair):
        some = slice(g, g + max(1, BLOCK // len(pair)))  # the fewer arcs are left, the more ranks at once
        f = by.turn[pair, some] * (by.length * arc + 0.5 * (by.length - 1))[:, None]
        f = np.maximum(np.abs(f - np.rint(f)) - by.half[pair, some], 0.0)
        bound += np.einsum("ij,ij,ij->i", by.steep[pair, some], f, f)
        open_yet, g = bound <= enough[pair], some.stop
        if 4 * np.count_nonzero(open_yet) < 3 * len(pair) or g >= by.turn.shape[1]:
            pair, arc, bound = pair[open_yet], arc[open_yet], bound[open_yet]
    return pair, arc


def _sums_over(pair: Ints, arc: Ints, rank: Ints, size: Ints, theta: Floats, nodes: Ints, limit: Ints) -> Floats:
    """Of each pair the sum of G(z) / (G(|z|) z^limit |z|^-limit (1 - z) K) over the nodes of its arcs and of those below the real
    axis."""
    k, pair = (ARC * arc[:, None] + np.arange(ARC)).ravel(), np.repeat(pair, ARC)
    k, pair = k[2 * k <= nodes[pair]], pair[2 * k <= nodes[pair]]
    around, tilt = nodes[pair], theta[pair]
    phase = -2.0 * np.pi * (k * (limit[pair] % around) % around) / around
    log = np.zeros(len(k))
    for g in range(int(np.count_nonzero(size[pair].any(axis=0)))):
        r, m = rank[pair, g], size[pair, g]
        angle, weight = 2.0 * np.pi * (k * r % around) / around, np.exp(-tilt * r)
        c, s = weight * np.cos(angle), weight * np.sin(angle)
        log += m * (0.5 * np.log1p(np.maximum(2.0 * c + weight**2, NOTHING)) - np.log1p(weight))
        phase += m * np.arctan2(s, 1.0 + c)
    here = np.exp(log + 1j * phase) / (1.0 - np.exp(-tilt + 2j * np.pi * k / around))
    both = np.where((k == 0) | (2 * k == around), 1.0, 2.0) / around
    return np.bincount(pair, here.real * both, minlength=len(nodes)).astype(np.float64)
