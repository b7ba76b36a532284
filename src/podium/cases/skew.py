"""Means of skewed differences: one rule for the p-value, the interval and the gate.

Student's t trusts the spread that it sees. Where the rare cases that make a mean skewed are missing, or are seen once, it errs far more
often than it says. So each side takes the larger p-value, and the outer bound, of Student's and of a Bayesian bootstrap (Rubin
1981) to which one case is added beyond the worst one seen: further out the more skewed and the fewer the cases are. Where the
range of a case is known, the case is added at its end, and nothing else is needed (Gaffke 2005; Learned-Miller and Thomas 2019).

With unit exponentials E_i the bootstrap asks for P = Prob(sum E_i c_i <= 0) of the deviations c_i from a value. It is the
saddlepoint approximation of Lugannani and Rice (1980), so that there are neither draws nor a smallest p-value.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.cases.clusters import Estimate, cluster_sums
from podium.core.arrays import Floats, Indices
from podium.evidence.cases import Groups
from podium.stats.student import student, student_ends

# How far out the added case lies for each unit of skewness / sqrt(n); chosen on 23 laws, checked on ten others.
ADDED = 9.0
MOST_ADDED = 1.0, 12.0  # at most 1 + 12 / sqrt(n) times as far as the worst case seen
_STEPS = 100
_PRECISE = 1e-13  # of the saddlepoint equation, relative to the spread
_SAME_QUANTILE = 1e-9  # standard errors
_CENTRE = 1e-3  # nearer to the centre 1/w - 1/u loses its digits, and its limit is used
_BLOCK = 50_000  # deviations at a time: what the processor's cache holds
_NOTHING = 1e-300  # of the largest deviation: the reciprocal of less than that may overflow


@dataclass(frozen=True, slots=True, kw_only=True)
class SkewedMeans:
    """Means of rows of values with the two cases added, of which p-values and bounds are asked.

    `values` are rows x units (cases, or the means of clusters), `weights` what each unit counts, 1 on average. `worst` and
    `best` are the added values of each row, with the weight `added`. `estimate` has Student's part; None where the range of
    the cases of one benchmark is known and the bootstrap suffices.
    """

    values: Floats
    weights: Floats
    worst: Floats
    best: Floats
    estimate: Estimate | None
    added: float = 1.0

    def p_above(self, value: float, rows: Any = slice(None)) -> Floats:
        """The one-sided p-values of "the mean is above the value", of all rows or of some."""
        return self._larger(self._tails(value, self.worst, rows), value, "greater", rows)

    def p_below(self, value: float, rows: Any = slice(None)) -> Floats:
        """The one-sided p-values of "the mean is below the value", of all rows or of some."""
        return self._larger(1 - self._tails(value, self.best, rows), value, "less", rows)

    def pvalue(self, value: float = 0.0) -> Floats:
        """The two-sided p-values of "the mean is not the value"."""
        if self.estimate is None:
            return np.asarray(np.minimum(2 * np.minimum(self.p_above(value), self.p_below(value)), 1.0))
        pvalues, above = np.empty(len(self.values)), self.estimate.mean > value
        # Towards the other side Student's p alone is at least one half.
        pvalues[above], pvalues[~above] = self.p_above(value, above), self.p_below(value, ~above)
        return np.minimum(2 * pvalues, 1.0)

    def ends(self, level: float) -> tuple[Floats, Floats]:
        """The two-sided interval whose error probability is `level`: the values that `pvalue` does not exclude."""
        every = np.arange(len(self.values))
        if self.estimate is None:
            return self._bound(every, level / 2, self.worst), self._bound(every, 1 - level / 2, self.best)
        low, high = student_ends(self.estimate.mean, self.estimate.error, self.estimate.df, level)
        # The bootstrap's bound is looked for only where it lies further out than Student's.
        under = every[self._tails(low, self.worst) > level / 2]
        over = every[self._tails(high, self.best) < 1 - level / 2]
        low[under] = np.minimum(low[under], self._bound(under, level / 2, self.worst))
        high[over] = np.maximum(high[over], self._bound(over, 1 - level / 2, self.best))
        return low, high

    def _larger(self, pvalues: Floats, value: float, alternative: str, rows: Any) -> Floats:
        """The larger of the bootstrap's p-values and of Student's, where there are any."""
        if self.estimate is None:
            return pvalues
        mean, error, df = (part[rows] for part in (self.estimate.mean, self.estimate.error, self.estimate.df))
        return np.maximum(pvalues, student(mean - value, error, df, alternative))

    def _deviations(self, rows: Any, value: Any, extra: Floats) -> Floats:
        """The weighted deviations of the units and of the added case from a value for each row."""
        at = np.broadcast_to(value, extra.shape)[:, None]
        own = self.weights * (self.values[rows] - at)
        return np.concatenate([own, self.added * (extra[:, None] - at)], axis=1)

    def _tails(self, value: Any, extra: Floats, rows: Any = slice(None)) -> Floats:
        at = np.broadcast_to(value, extra.shape)
        parts = self._blocks(np.arange(len(extra))[rows])
        return np.concatenate([tail(self._deviations(part, at[part], extra[part]))[0] for part in parts])

    def _bound(self, rows: Indices, share: float, extra: Floats) -> Floats:
        return np.concatenate([self._bound_of(part, share, extra) for part in self._blocks(rows)])

    def _blocks(self, rows: Indices) -> list[Indices]:
        size = max(1, _BLOCK // (self.values.shape[1] + 1))
        return [rows[start : start + size] for start in range(0, max(len(rows), 1), size)]

    def _bound_of(self, rows: Indices, share: float, extra: Floats) -> Floats:
        """Where P reaches a share: the secant of its normal quantile, which is nearly a line, within a bracket."""
        from scipy.special import ndtri

        wanted = float(ndtri(share))
        low = np.minimum(self.values[rows].min(axis=1), extra[rows])
        high = np.maximum(self.values[rows].max(axis=1), extra[rows])
        own = self._deviations(rows, 0.0, extra[rows])
        weight = np.append(self.weights, self.added)
        centre = own.sum(axis=1) / weight.sum()
        spread = np.sqrt(((own - centre[:, None] * weight) ** 2).sum(axis=1)) / weight.sum()
        bounds: Floats = np.asarray(np.clip(centre + wanted * spread, low, high))
        at, before, last = bounds.copy(), np.full(len(rows), np.nan), np.full(len(rows), np.nan)
        start, left = np.zeros(len(rows)), np.flatnonzero(high > low)
        for step in range(_STEPS):
            if not len(left):
                break
            share_here, start[left] = tail(self._deviations(rows[left], at[left], extra[rows[left]]), start[left])
            gap = np.clip(ndtri(share_here), -40.0, 40.0) - wanted
            bounds[left] = at[left]
            below = gap < 0
            low[left], high[left] = np.where(below, at[left], low[left]), np.where(below, high[left], at[left])
            with np.errstate(divide="ignore", invalid="ignore"):
                following = at[left] - gap * (at[left] - before[left]) / (gap - last[left])
            middle = (low[left] + high[left]) / 2
            usable = (following > low[left]) & (following < high[left]) & (step % 8 != 7)
            before[left], last[left] = at[left], gap
            at[left] = np.where(usable, following, middle)
            wide = high[left] - low[left] > 1e-14 * np.maximum(np.abs(low[left]), np.abs(high[left]))
            left = left[(np.abs(gap) > _SAME_QUANTILE) & wide]
        return bounds


def tail(deviations: Floats, start: Floats | None = None) -> tuple[Floats, Floats]:
    """Prob(sum E_i c_i <= 0) for rows of deviations c, by the saddlepoint, and where that lies (to start the next search).

    >>> [round(float(tail(np.array([1.0, 2.0, 4.0, 8.0, -3.0]) - mu)[0]), 8) for mu in (1.0, 0.0)]
    [0.17162632, 0.05465507]
    """
    rows = np.atleast_2d(deviations)
    scale = np.abs(rows).max(axis=1)
    rows = rows / np.where(scale > 0, scale, 1.0)[:, None]
    rows = np.where(np.abs(rows) < _NOTHING, 0.0, rows)
    least, most = rows.min(axis=1), rows.max(axis=1)
    share = np.where(least >= 0, 0.0, 1.0)
    between = np.flatnonzero((least < 0) & (most > 0))
    at = np.zeros(len(rows)) if start is None else start * scale
    if len(between):
        inner = rows if len(between) == len(rows) else rows[between]
        at[between] = _saddlepoint(inner, 1 / least[between], 1 / most[between], at[between])
        share[between] = _lugannani_rice(inner, at[between])
    placed = at / np.where(scale > 0, scale, 1.0)
    return (share, placed) if np.ndim(deviations) > 1 else (share[0], placed[0])


def _saddlepoint(rows: Floats, low: Floats, high: Floats, start: Floats) -> Floats:
    """Where sum c / (1 - c t) is 0, for every row: Newton's steps, by halves where a step leaves the bracket."""
    at = np.where((start > low) & (start < high), start, 0.0)
    left, part = np.arange(len(rows)), rows
    for _ in range(_STEPS):
        ratios = part / (1 - part * at[left][:, None])
        value, slope = ratios.sum(axis=1), np.einsum("rn,rn->r", ratios, ratios)
        open_ = np.abs(value) >= _PRECISE * np.sqrt(slope)
        below = value < 0
        low[left], high[left] = np.where(below, at[left], low[left]), np.where(below, high[left], at[left])
        following = at[left] - value / slope
        inside = (following > low[left]) & (following < high[left])
        at[left] = np.where(open_, np.where(inside, following, (low[left] + high[left]) / 2), at[left])
        if not open_.any():
            break
        if not open_.all():
            left, part = left[open_], part[open_]
    return at


def _lugannani_rice(rows: Floats, at: Floats) -> Floats:
    from scipy.special import ndtr

    ratios = rows / (1 - rows * at[:, None])
    squares = np.einsum("rn,rn->r", ratios, ratios)
    w = np.sign(at) * np.sqrt(np.maximum(2 * np.log1p(-rows * at[:, None]).sum(axis=1), 0.0))
    u = at * np.sqrt(squares)
    near = np.abs(w) < _CENTRE
    away_w, away_u = np.where(near, 1.0, w), np.where(near, 1.0, u)
    density = np.exp(-(away_w**2) / 2) / np.sqrt(2 * np.pi)
    tails = ndtr(away_w) + density * (1 / away_w - 1 / away_u)
    if near.any():
        third = (ratios[near] ** 3).sum(axis=1) / squares[near] ** 1.5
        tails[near] = 0.5 + (w[near] + third / 3) / np.sqrt(2 * np.pi)
    return np.asarray(np.clip(tails, 0.0, 1.0))


def skewness(rows: Floats) -> Floats:
    """The usual unbiased-like skewness g of each row (..., n); 0 where nothing varies or fewer than 3 values are there."""
    n = rows.shape[-1]
    if n < 3:
        return np.zeros(rows.shape[:-1])
    centred = rows - rows.mean(axis=-1)[..., None]
    spread = (centred**2).mean(axis=-1)
    alive = spread > 1e-24 * np.maximum((rows**2).mean(axis=-1), 1e-300)
    third = (centred * centred * centred).mean(axis=-1) / np.where(alive, spread, 1.0) ** 1.5
    return np.where(alive, third * np.sqrt(n * (n - 1)) / (n - 2), 0.0)


def of_unknown_range(
    values: Floats, weights: Floats, estimate: Estimate, limits: tuple[float, float] = (-np.inf, np.inf)
) -> SkewedMeans:
    """The rule where nothing is known of what one case can lose, apart from the `limits` that its metric has."""
    n = values.shape[1]
    mean = (values * weights).sum(axis=1) / weights.sum()
    deviations = weights * (values - mean[:, None])
    lean = skewness(deviations) / np.sqrt(n)
    most = MOST_ADDED[0] + MOST_ADDED[1] / np.sqrt(n)
    worst = mean + np.minimum(most, ADDED * np.maximum(-lean, 0.0)) * deviations.min(axis=1)
    best = mean + np.minimum(most, ADDED * np.maximum(lean, 0.0)) * deviations.max(axis=1)
    worst, best = np.maximum(worst, limits[0]), np.minimum(best, limits[1])
    return SkewedMeans(values=values, weights=weights, worst=worst, best=best, estimate=estimate)


def of_known_range(
    values: Floats, weights: Floats, limits: tuple[float, float], estimate: Estimate | None = None
) -> SkewedMeans:
    """The rule where no case can be below the first limit or above the second; clusters are no larger than the largest here.

    The mean over benchmarks has Student's part besides: the few cases of a small benchmark were moved to the mean that they have.
    """
    worst, best = (np.full(len(values), float(limit)) for limit in limits)
    added = float(weights.max())
    return SkewedMeans(values=values, weights=weights, worst=worst, best=best, estimate=estimate, added=added)


def units_of(values: Floats, groups: Groups) -> tuple[Floats, Floats]:
    """What is resampled: rows x clusters of means, and how much each counts, 1 on average.

    Benchmarks are fixed: what they differ by is no scatter, so that the cases of each are moved to the mean of all.
    """
    counted, benchmark = groups.counted, groups.benchmark
    if groups.several_benchmarks:
        sums = np.stack([np.bincount(benchmark, weights=counted * row) for row in values])
        own = sums / np.bincount(benchmark, weights=counted)
        values = values - own[:, benchmark] + ((values * counted).sum(axis=1) / counted.sum())[:, None]
    weights: Floats = cluster_sums(counted, groups.cluster)
    return cluster_sums(values * counted, groups.cluster) / weights, weights / weights.mean()
