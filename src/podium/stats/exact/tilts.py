"""The contour integral of the signed-rank law for many pairs at once, by matrix products.

P(W <= w) = 1/(2 pi i) * integral of G(z) / (z^{w+1} (1 - z)) on |z| = exp(-theta), G(z) = prod_g ((1 + z^{r_g}) / 2)^{m_g} with
doubled ranks r_g that occur m_g times, by the trapezoid rule with K nodes on the circle. Theta need only be near the saddle of
the integrand, so that a few tilts serve all pairs: then log G of all of them at the nodes is one product, of the numbers m_g
and the logarithms of the factors. The nodes lie around z = |z| and, for the second lobe of the integrand that ranks nearly all
even make, around z = -|z|.

Errors are bounded, and where a bound is not met the tail is left to others: what the rule adds (exp(-theta K) P(W <= w + K) and
exp(theta K) P(W <= w - K), by Chernoff's bounds), what was cut off, and what rounding leaves of an answer that is far below the
integrand. What lies between the lobes is not bounded but judged by its level, -log of the integrand there relative to its value
on the real axis. Phases are as good as random: single ranks, nearly a progression, make it exp(-sum log(1 + |z|^r)); of m equal
ranks, whose phases are equal, the mean of |factor|^m counts. But ranks whose gaps are mostly multiples of one q > 2 line up near
the q-th roots of one, as if every dataset occurs several times (`_lined_up`).
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from podium.core.arrays import Bools, Floats, Ints
from podium.stats.exact.ranks import Ranks
from podium.stats.exact.threads import in_threads

WIDTH = 16  # nodes of a lobe
LEAST_TILT = 3.0  # theta in units of 1 / spread: away from the pole at z = 1
STEP, WIDER = 1.14, 1.2  # of the ladder of tilts that pairs share, and of the numbers of nodes
KEYS = 1000  # more than there are bands of spreads
# Steps of the ladder below the best tilt that are tried: less lies between the lobes there, for some digits of the answer.
LOWER = (0, 2, 4)
FEWEST = 20  # distinct ranks
FULLEST = 8  # equal ranks whose level is known; of more it is higher
STEEP = 3.5  # times theta: about the best of Chernoff's bounds of sums far below
SMALL = 5e-11  # what the rule may add and what may be cut off, relative to the answer
FAINT = 0.01  # the sum over the nodes, relative to the largest of them: less has lost too many digits
# Times exp(-level): what lies between the lobes. benchmarks/contour_level.py compares drawn sums with the dynamic programme.
BETWEEN = 30.0
LEAST, MORE = 28.5, 1.0  # the level that can be enough at the best tilt, and what every step down takes more
HEAVY = 2.0  # times the level, where a pair has three times as many observations as distinct ranks
WIDEST = 128  # gaps between ranks: larger ones are looked at modulo it
CELLS = 2_000_000  # of a matrix pairs x ranks: 16 MB


class Moments(NamedTuple):
    """Of a pair or of some at a tilt: log G at theta, half of it and STEEP of it; mean and spread of the tilted W."""

    log: Any
    half: Any
    steeper: Any
    mean: Any
    spread: Any


def log_value(rank: Ints, size: Ints, theta: Any) -> Any:
    """log G(exp(-theta)) of one pair, or of those of the rows."""
    return (size * (np.log1p(np.exp(-np.asarray(theta)[..., None] * rank)) - math.log(2.0))).sum(axis=-1)


def moments(rank: Ints, size: Ints, theta: Any) -> Moments:
    """Those of one pair at one tilt, or of the rows at one each, but for the steeper one."""
    weight = np.exp(-np.asarray(theta)[..., None] * rank)
    share = weight / (1.0 + weight)
    mean, variance = (size * rank * share).sum(axis=-1), (size * rank**2.0 * share * (1.0 - share)).sum(axis=-1)
    return Moments(log_value(rank, size, theta), log_value(rank, size, 0.5 * theta), 0.0, mean, np.sqrt(variance))


def saddle(rank: Ints, size: Ints, limit: Ints) -> tuple[Floats, Moments]:
    """Tilts near the saddles of G(z) z^-limit but away from the pole at z = 1, by Newton's method, and the laws there."""
    law = moments(rank, size, np.zeros(len(limit)))
    least = LEAST_TILT / law.spread
    theta = np.maximum((law.mean - limit) / law.spread**2, least)
    for _ in range(30):
        law = moments(rank, size, theta)
        far = (theta > least) & (np.abs(law.mean - limit) >= 0.5 * law.spread)
        if not far.any():
            break
        theta = np.where(far, np.maximum(theta + (law.mean - limit) / law.spread**2, least), theta)
    return theta, law


def nodes_needed(law: Moments, theta: Any, limit: Any) -> Any:
    """How many nodes on the circle keep what the rule adds small."""
    log_tail = np.minimum(law.log + theta * limit - np.log(2.5 * theta * law.spread), -0.7)
    above = np.minimum(0.0, law.half + 0.5 * theta * limit)
    period = np.minimum(26.0 - log_tail, 2.0 * (26.0 - log_tail + above)) / theta
    return 2.0 * np.ceil(0.5 * np.maximum(11.5 * law.spread, period))


def bounded(total: Any, left_out: Any, law: Moments, theta: Any, nodes: Any, limit: Any, steep: Any = STEEP) -> Floats:
    """The tails from the sums over the nodes and what else they leave out; -1 where one may be wrong."""
    with np.errstate(over="ignore", under="ignore"):
        answer = total * np.exp(law.log + theta * limit)
        added = np.exp(-theta * nodes)
        added = np.where(added > SMALL * answer, np.exp(law.half + 0.5 * theta * (limit - nodes)), added)
        below = np.exp(law.steeper + steep * theta * (limit - nodes) + theta * nodes)
    added = added + np.where(limit >= nodes, below, 0.0)  # exp(theta K) P(W <= w - K)
    good = (total * theta * nodes > FAINT) & (left_out < SMALL * total) & (added < SMALL * answer)
    return np.where(good, np.minimum(answer, 1.0), -1.0)


def contour_tails(ranks: Ranks, limit: Ints, *, compiled: bool = False) -> Floats:
    """P(W <= limit) of each pair; -1 where it is not sure enough."""
    value = np.full(len(limit), -1.0)
    left = np.flatnonzero((ranks.groups >= FEWEST) & ~_lined_up(ranks))
    size = max(1, len(left) if compiled else CELLS // int(ranks.rank.max(initial=1)))
    for start in range(0, len(left), size):
        part = left[start : start + size]
        value[part] = _Crowd(ranks.of(part), limit[part], compiled).tails()
    return value


def _lined_up(ranks: Ranks) -> Bools:
    """Whether half of the gaps between ranks are multiples of 3, or two in five multiples of one q > 3."""
    lined_up = np.zeros(len(ranks.groups), dtype=bool)
    ties = np.add.reduceat(ranks.size > 1, ranks.start, dtype=np.int64)
    doubtful = np.flatnonzero(5 * ties > ranks.groups)  # a tie makes two gaps that are not 2
    if len(doubtful):
        some = ranks.of(doubtful)
        gap = some.size[:-1] + some.size[1:]
        gap = np.where(gap < WIDEST, gap, WIDEST + gap % WIDEST)
        gap[(some.size[:-1] == 0) | (some.size[1:] == 0)] = 1  # from pair to pair
        widest = int(gap.max(initial=3)) + 1
        counts = np.bincount(some.pair_of_each()[:-1] * widest + gap, minlength=len(doubtful) * widest)
        q = np.arange(3, max(4, min(widest, WIDEST)))
        aligned = counts.reshape(-1, widest).astype(np.float64) @ (np.arange(widest)[:, None] % q == 0)
        lined_up[doubtful] = (np.where(q > 3, 5, 4) * aligned > 2 * some.groups[:, None]).any(axis=1)
    return lined_up


class _Table(NamedTuple):
    """Of ranks 0, 1, 2, ... at one tilt: what each adds to log G at theta, half of it and STEEP of it, and to mean and variance; then
    the logarithms of the factors (`_factors`); and what m equal ranks add to the level."""

    rows: Floats
    levels: Floats


@lru_cache(maxsize=32)
def _table(theta: float, nodes: float, top: int) -> _Table:
    rank = np.arange(top)
    weight = np.exp(-theta * rank)
    share = weight / (1.0 + weight)
    logs = [np.log1p(np.exp(-scale * theta * rank)) - math.log(2.0) for scale in (1.0, 0.5, STEEP)]
    moments = np.stack([*logs, rank * share, rank**2 * share * (1.0 - share)], axis=1)
    rows = np.hstack([moments, *_factors(theta, nodes, np.maximum(rank, 1)[:, None])])
    rows[0] = 0.0  # the empty groups
    return _Table(rows, _levels(weight))


def _factors(theta: float, nodes: float, rank: Ints) -> list[Floats]:
    """log (1 + z^r) / (1 + |z|^r) at the nodes of the first lobe, real and imaginary parts, and what odd ranks have more at -z.

    Phases are counted from those of the tilted mean, so that they are small and keep their digits.
    """
    turn, weight = 2.0 * np.pi / nodes * rank * np.arange(WIDTH), np.exp(-theta * rank)
    behind = turn * (weight / (1.0 + weight))

    def logs(sign: float) -> Floats:
        c, s = sign * weight * np.cos(turn), sign * weight * np.sin(turn)
        return np.hstack([0.5 * np.log1p(2.0 * c + weight**2) - np.log1p(weight), np.arctan2(s, 1.0 + c) - behind])

    first = logs(1.0)
    return [first, np.where(rank % 2 == 1, logs(-1.0) - first, 0.0)]


@lru_cache(maxsize=1)
def _shifts() -> tuple[Floats, Floats]:
    """How far below the middle the tilted mean of n ranks is, over n^2, and theta n: the mean of s tanh(theta n s), 0 < s < 1."""
    turns, share = np.geomspace(1e-3, 1e4, 300), (np.arange(500) + 0.5) / 500
    return (share * np.tanh(np.multiply.outer(turns, share))).mean(axis=1), turns


class _Crowd(NamedTuple):
    """Some pairs, and sums over their groups: by a matrix of how often each pair has each rank, or compiled."""

    ranks: Ranks
    limit: Ints
    compiled: bool

    def tails(self) -> Floats:
        """P(W <= limit) of each pair at the best tilt, or at the next ones below; -1 where it is not sure enough.

        Pairs of about the same spread share a tilt, and the nodes there.
        """
        tails = np.full(len(self.limit), -1.0)
        spread = 0.5 * np.sqrt(self.ranks.squares)
        band = np.rint(np.log(spread) / math.log(WIDER)).astype(np.int64)
        least = np.ceil(np.log(LEAST_TILT / spread) / math.log(STEP)).astype(np.int64)
        tilt = self._tilts(least)
        for lower in LOWER:
            key = np.maximum(tilt - lower, least) * KEYS + band
            left = tails < 0
            keys = np.unique(key[left])

            def piece(part: slice, lower: int = lower, key: Ints = key, left: Bools = left, keys: Ints = keys) -> None:
                for each in keys[part].tolist():
                    here = np.flatnonzero(left & (key == each))
                    tails[here] = self._at_tilt(STEP ** (each // KEYS), here, LEAST + MORE * lower)

            in_threads(piece, len(keys), smallest=1)
        return tails

    def _tilts(self, least: Ints) -> Ints:
        """The step of the ladder nearest to each pair's saddle, as if its ranks were untied and spread evenly."""
        below = np.add.reduceat(self.ranks.rank * self.ranks.size, self.ranks.start) / 2 - self.limit
        theta = np.interp(below / self.ranks.observations**2.0, *_shifts()) / self.ranks.observations
        return np.maximum(np.rint(np.log(np.maximum(theta, 1e-300)) / math.log(STEP)).astype(np.int64), least)

    def _sums(self, table: _Table, here: Ints) -> tuple[Floats, Floats]:
        """The sums of the rows of a table over the groups of some pairs, and what ties take from the level."""
        rows, levels = table
        if self.compiled:
            from podium.stats.exact.crowd_kernels import sum_rows

            sums, ranks = np.empty((len(here), rows.shape[1] + 1)), self.ranks
            groups = ranks.start, ranks.groups, ranks.rank, ranks.size
            sum_rows(here, *groups, rows, np.cumsum(rows[::2], axis=0), levels, sums)
            return sums[:, :-1], sums[:, -1]
        some = self.ranks.of(here)
        pair, times = some.pair_of_each(), np.zeros((len(here), len(rows)))
        times[pair, some.rank] = some.size
        more = levels[some.rank, np.minimum(some.size, FULLEST)] - some.size * levels[some.rank, 1]
        return times @ rows, np.bincount(pair, more, minlength=len(here)).astype(np.float64)

    def _at_tilt(self, theta: float, here: Ints, least: float) -> Floats:
        """The tails at one tilt of pairs of about the same spread."""
        ranks, limit = self.ranks, self.limit[here]
        typical = here[[np.argmax(limit), np.argmin(limit), np.argmax(ranks.squares[here])]]
        laws = [moments(*ranks.one(pair), theta) for pair in typical]
        needed = max(nodes_needed(law, theta, self.limit[pair]) for law, pair in zip(laws, typical, strict=True))
        nodes = 2.0 * math.ceil(0.5 * WIDER ** (math.ceil(2 * math.log(needed) / math.log(WIDER)) / 2))
        highest = int((ranks.rank + ranks.size).max())  # of the ranks that tied ones share too
        table = _table(theta, nodes, highest // 2 * 2 + 2)
        sums, taken = self._sums(table, here)
        log, half, steeper, mean, variance = sums[:, :5].T
        law = Moments(log, half, steeper, mean, np.sqrt(variance))
        level = law.log + ranks.observations[here] * math.log(2.0) + taken
        heavy = np.where(3 * ranks.groups[here] >= ranks.observations[here], 1.0, HEAVY)
        total, cut = _lobes(sums[:, 5:], theta, nodes, limit, law.mean)
        left_out = np.maximum(cut, BETWEEN * np.exp(-level))
        return np.where(level < heavy * least, -1.0, bounded(total, left_out, law, theta, nodes, limit))


def _lobes(logs: Floats, theta: float, nodes: float, limit: Ints, mean: Floats) -> tuple[Floats, Floats]:
    """The sums of G(z) / (G(|z|) z^limit |z|^-limit (1 - z) K) around both lobes, and what the last nodes show of those cut off."""
    angle, counted = 2.0 * np.pi / nodes * np.arange(WIDTH), np.where(np.arange(WIDTH) == 0, 1.0, 2.0) / nodes
    back = np.multiply.outer(limit - mean, angle)
    total, cut, here = np.zeros(len(limit)), np.zeros(len(limit)), np.zeros((len(limit), 2 * WIDTH))
    for sign, more in ((1.0, logs[:, : 2 * WIDTH]), (-1.0, logs[:, 2 * WIDTH :])):
        here = here + more
        pole = counted / (1.0 - sign * np.exp(-theta + 1j * angle))
        size = np.exp(here[:, :WIDTH] + np.log(np.abs(pole)))
        phase = here[:, WIDTH:] - back + np.angle(pole)
        total += (size * np.cos(phase)).sum(axis=1) * np.where(limit % 2 == 1, sign, 1.0)
        cut += size[:, -2:].sum(axis=1)
    return total, cut


def _levels(weight: Floats) -> Floats:
    """-log of the mean of |factor|^m at a random phase, m = 0 .. FULLEST; of odd m between its neighbours, which is less."""
    level = np.zeros((len(weight), FULLEST + 1))
    level[:, 1] = np.log1p(weight)
    for half in range(1, FULLEST // 2 + 1):
        mean = sum((math.comb(half, k) * weight**k) ** 2 for k in range(half + 1))
        level[:, 2 * half] = 2 * half * level[:, 1] - np.log(mean)
    level[:, 3:-1:2] = 0.5 * (level[:, 2:-1:2] + level[:, 4::2])
    return level
