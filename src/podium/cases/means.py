"""Means over cases with their p-values and intervals: which rule fits, and the rules themselves.

Every rule answers the same questions (`p_above`, `p_below`, `pvalue`, `ends`), and its interval holds what its p-value does not
exclude. docs/methods/cases.md says which rule is taken when, docs/methods/cases_calibration.md how well each of them holds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from podium.cases.clusters import Estimate, mean_of_cases
from podium.cases.influence import ratio
from podium.cases.skew import of_known_range, of_unknown_range, units_of
from podium.core.arrays import Bools, Floats, Indices
from podium.evidence.cases import Groups
from podium.stats.student import student, student_ends

FEW_DIFFERENCES = 20  # fewer cases than this that differ: no spread can be trusted, cases are added
MANY_BENCHMARKS = 10  # beyond, the hybrid of many small benchmarks misses 9% instead of 5%, and t does not
BOUNDED = ("pass_fail", "bounded")
NO_LIMITS = (-np.inf, np.inf)
Ends = tuple[Floats, Floats]


class Means(Protocol):
    """What a rule says of means, one for each row of values."""

    def p_above(self, value: float) -> Floats:
        """The one-sided p-values of "the mean is above the value"."""

    def p_below(self, value: float) -> Floats:
        """The one-sided p-values of "the mean is below the value"."""

    def pvalue(self, value: float = 0.0) -> Floats:
        """The two-sided p-values of "the mean is not the value"."""

    def ends(self, level: float) -> Ends:
        """The two-sided intervals whose error probability is `level`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chosen:
    """The estimates of the rows, the rule that speaks of them, and its name in `tests.toml`."""

    estimate: Estimate
    means: Means
    method: str


class TwoSided:
    """The two-sided p-value from the one-sided ones."""

    def pvalue(self: Any, value: float = 0.0) -> Floats:
        """The two-sided p-values of "the mean is not the value"."""
        return np.asarray(np.minimum(2 * np.minimum(self.p_above(value), self.p_below(value)), 1.0))


def tail(at: Floats, df: Any = None) -> Floats:
    """The lower tail of the normal law, or of t with these degrees of freedom."""
    from scipy.special import ndtr, stdtr

    return np.asarray(ndtr(at) if df is None else stdtr(df, at))


def quantile(level: float, df: Any = None) -> Any:
    """The two-sided quantile of the normal law, or of t: what is further out errs with the probability `level`."""
    from scipy.special import ndtri, stdtrit

    return float(ndtri(1 - level / 2)) if df is None else stdtrit(df, 1 - level / 2)


@dataclass(frozen=True, kw_only=True)
class StudentMeans(TwoSided):
    """Student's t of the estimates, whatever their standard errors come from."""

    estimate: Estimate

    def p_above(self, value: float) -> Floats:
        """By the upper tail."""
        return student(self.estimate.mean - value, self.estimate.error, self.estimate.df, "greater")

    def p_below(self, value: float) -> Floats:
        """By the lower tail."""
        return student(self.estimate.mean - value, self.estimate.error, self.estimate.df, "less")

    def ends(self, level: float) -> Ends:
        """The estimate and as many standard errors as the level asks for."""
        return student_ends(self.estimate.mean, self.estimate.error, self.estimate.df, level)


@dataclass(frozen=True, kw_only=True)
class AddedMeans(TwoSided):
    """Bounded values of which few differ: two cases are added, one at either end (of -1, 0 and 1: Bonett and Price 2012).

    `size`, `total` and `squares` are the number of cases and the sums of their values and squares. Unequal weights leave
    fewer cases to tell the spread by than the normal law would need: then there are degrees of freedom.
    """

    size: Floats
    total: Floats
    squares: Floats
    df: Floats | None = None

    @property
    def centre(self) -> Floats:
        """The mean with the two cases."""
        return self.total / (self.size + 2)

    @property
    def error(self) -> Floats:
        """Its standard error."""
        number = self.size + 2
        return np.sqrt(np.maximum((self.squares + 2) / number - self.centre**2, 0.0) / number)

    def p_above(self, value: float) -> Floats:
        """By the upper tail."""
        return tail((value - self.centre) / self.error, self.df)

    def p_below(self, value: float) -> Floats:
        """By the lower tail."""
        return tail((self.centre - value) / self.error, self.df)

    def ends(self, level: float) -> Ends:
        """Within -1 and 1."""
        half = quantile(level, self.df) * self.error
        return np.maximum(self.centre - half, -1.0), np.minimum(self.centre + half, 1.0)


@dataclass(frozen=True, kw_only=True)
class BenchmarkCounts(TwoSided):
    """The mean over few benchmarks of cases that pass or fail: a hybrid of the intervals of Bonett and Price of each.

    `better` and `worse` (rows x benchmarks) count the cases that only the first and only the second passes, `sizes` the cases of
    each benchmark. The distances from the estimates to the ends add up as squares (Zou and Donner 2008), so that a small
    benchmark without a disagreement is what it is: weak evidence.
    """

    better: Floats
    worse: Floats
    sizes: Floats

    @property
    def shares(self) -> Floats:
        """The difference on each benchmark."""
        return (self.better - self.worse) / self.sizes

    def _adjusted(self) -> tuple[Floats, Floats]:
        """The difference on each benchmark with a case added on either side, and its standard error."""
        number = self.sizes + 2
        centre = (self.better - self.worse) / number
        spread = (self.better + self.worse + 2) / number - centre**2
        return centre, np.sqrt(np.maximum(spread, 0.0) / number)

    def _beyond(self, value: float, towards: float) -> Floats:
        """The p-value that the mean lies beyond the value: the level at which the end of the interval reaches it."""
        count = self.sizes.shape[-1]
        centre, error = self._adjusted()
        distance = towards * (self.shares.mean(axis=1) - value) * count
        ahead = distance > 0
        shift = (self.shares - centre) * np.where(ahead, towards, -towards)[:, None]
        square, mixed = (error**2).sum(axis=1), (shift * error).sum(axis=1)
        rest = (shift**2).sum(axis=1) - distance**2
        reached = (-mixed + np.sqrt(np.maximum(mixed**2 - square * rest, 0.0))) / square
        one_sided = np.where(distance == 0, 0.5, tail(-np.maximum(reached, 0.0)))
        return np.where(ahead | (distance == 0), one_sided, 1 - one_sided)

    def p_above(self, value: float) -> Floats:
        """By the lower end."""
        return self._beyond(value, 1.0)

    def p_below(self, value: float) -> Floats:
        """By the upper end."""
        return self._beyond(value, -1.0)

    def ends(self, level: float) -> Ends:
        """The mean, and on either side the root of the sum of squared distances to the ends of each benchmark."""
        centre, error = self._adjusted()
        half, mean = quantile(level) * error, self.shares.mean(axis=1)
        count = self.sizes.shape[-1]
        low = mean - np.sqrt(((self.shares - centre + half) ** 2).sum(axis=1)) / count
        high = mean + np.sqrt(((centre + half - self.shares) ** 2).sum(axis=1)) / count
        return np.maximum(low, -1.0), np.minimum(high, 1.0)


def half_case(better: Floats, worse: Floats, sizes: Floats) -> Estimate:
    """The mean over benchmarks of cases that pass or fail, its variance with half a case added on either side of each."""
    count, number = sizes.shape[-1], sizes + 1
    shares = (better + worse + 1) / number - ((better - worse) / number) ** 2
    variances = shares / sizes / count**2
    total = variances.sum(axis=1)
    df = total**2 / (variances**2 / (sizes - 1)).sum(axis=1)
    return Estimate(mean=((better - worse) / sizes).mean(axis=1), error=np.sqrt(total), df=df)


def _of_benchmarks(rows: Floats, benchmark: Indices) -> Chosen:
    """The rule for the mean over benchmarks of rows of differences -1, 0 and 1."""
    sizes = np.bincount(benchmark).astype(np.float64)
    member = (benchmark[:, None] == np.arange(len(sizes))).astype(np.float64)
    better, worse = ((side.astype(np.float64) @ member) for side in (rows > 0, rows < 0))
    estimate = half_case(better, worse, sizes)
    if len(sizes) > MANY_BENCHMARKS:
        return Chosen(estimate=estimate, means=StudentMeans(estimate=estimate), method="half-case t")
    means = BenchmarkCounts(better=better, worse=worse, sizes=sizes)
    return Chosen(estimate=estimate, means=means, method="hybrid of Bonett and Price")


@dataclass(frozen=True, kw_only=True)
class MixedMeans(TwoSided):
    """Rows of which some follow one rule and the others another."""

    chosen: Bools
    one: Means
    other: Means

    def _both(self, one: Floats, other: Floats) -> Floats:
        joined = np.empty(len(self.chosen))
        joined[self.chosen], joined[~self.chosen] = one, other
        return joined

    def p_above(self, value: float) -> Floats:
        """By the rule of each."""
        return self._both(self.one.p_above(value), self.other.p_above(value))

    def p_below(self, value: float) -> Floats:
        """By the rule of each."""
        return self._both(self.one.p_below(value), self.other.p_below(value))

    def ends(self, level: float) -> Ends:
        """By the rule of each."""
        one, other = self.one.ends(level), self.other.ends(level)
        return self._both(one[0], other[0]), self._both(one[1], other[1])


def means_of(kind: str, rows: Floats, groups: Groups, limits: tuple[float, float] = NO_LIMITS) -> Chosen:
    """The rule for the means of rows of differences or values (rows x cases); `limits` are the smallest and largest possible value."""
    if groups.over_benchmarks and kind == "pass_fail" and groups.weights is None and not groups.clustered:
        return _of_benchmarks(rows, groups.benchmark)
    estimate = mean_of_cases(rows, groups)
    units, shares = units_of(rows, groups)
    sparse = _sparse(rows, units, groups) & (kind in BOUNDED and not groups.over_benchmarks)
    if sparse.all():
        few = _few(rows, units, shares, groups, estimate.error, limits)
        return Chosen(estimate=estimate, means=few, method="known range" if groups.clustered else "two cases added")
    usual = ~sparse
    part = Estimate(mean=estimate.mean[usual], error=estimate.error[usual], df=estimate.df[usual])
    means: Means = of_unknown_range(units[usual], shares, part, limits)
    if sparse.any():
        few = _few(rows[sparse], units[sparse], shares, groups, estimate.error[sparse], limits)
        means = MixedMeans(chosen=sparse, one=few, other=means)
    if groups.over_benchmarks:
        return Chosen(estimate=estimate, means=means, method="t by benchmark")
    return Chosen(estimate=estimate, means=means, method="cluster-robust t" if groups.clustered else "widened t")


def _sparse(rows: Floats, units: Floats, groups: Groups) -> Bools:
    """Where so few cases differ that their spread says little; of clusters, where moreover most do not differ at all."""
    if not groups.clustered:
        return np.asarray(worth(groups.counted * (rows != 0)) < FEW_DIFFERENCES)
    apart = (units != 0).sum(axis=1)
    return np.asarray((apart < FEW_DIFFERENCES) & (2 * apart < units.shape[1]))


def _few(
    rows: Floats, units: Floats, shares: Floats, groups: Groups, error: Floats, limits: tuple[float, float]
) -> Means:
    """The rule where few cases differ, of values that are known to lie between limits."""
    if groups.clustered:
        return of_known_range(units, shares, limits if np.isfinite(limits).all() else (-1.0, 1.0))
    weights = np.ones(rows.shape[1]) if groups.weights is None else groups.weights
    size, total, squares = _worth_of_mean(rows, weights, error)
    df = None if groups.weights is None else np.maximum(size, 2.0) - 1
    return AddedMeans(size=size, total=total, squares=squares, df=df)


def worth(weights: Floats) -> Floats:
    """The number of cases of equal weight that tell as much as those with these weights (..., n) (Kish 1965)."""
    return ratio(weights.sum(axis=-1) ** 2, (weights**2).sum(axis=-1))


def _worth_of_mean(differences: Floats, weights: Floats, error: Floats) -> tuple[Floats, Floats, Floats]:
    """How many cases of equal weight each mean is worth, and the sums of its differences and of their squares then.

    Where the cases that differ are the heavy ones, the mean is worth fewer cases than the weights alone would say.
    """
    share = weights / weights.sum()
    mean, square = differences @ share, differences**2 @ share
    size = np.broadcast_to(worth(weights), mean.shape)
    worth_by_error = ratio(square - mean**2, error**2)
    size = np.where(worth_by_error > 0, np.minimum(size, worth_by_error), size) if np.ptp(weights) > 0 else size
    return size, size * mean, size * square
