"""Is one algorithm not worse than another by more than a margin? One-sided bounds and p-values, exact rates of answers.

All differences are gains of the candidate over the baseline: above 0 the candidate is better. "Not worse" is shown where
the lower bound is above -margin; otherwise "worse" where the upper bound is below 0. A bound errs with at most the probability
alpha where the range of a difference is known, else unless a failure is missing among the cases (the method says which).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.cases.anytime import SequenceMeans
from podium.cases.binary import halved, tango, tango_statistic
from podium.cases.clusters import FEWEST_CLUSTERS, Estimate, cluster_sums, intra_cluster_correlation, mean_of_cases
from podium.cases.means import Ends, Means, TwoSided, quantile, tail
from podium.cases.planning import chances_of_counts
from podium.cases.skew import of_known_range, of_unknown_range, units_of
from podium.core.arrays import Bools, Floats
from podium.core.errors import DataError
from podium.evidence.cases import Groups

ANSWERS = ("not worse", "worse", "cannot tell")
KNOWN, UNKNOWN = "bounds of a known range", "bounds that allow for skew"
SEEN = 0.05  # a failure that hits this share of the cases must have been seen, with the probability 1 - alpha
_PRIOR_CLUSTERS, _PRIOR_CORRELATION = 10, 0.5  # what is taken for granted of clusters before they are seen
_ROWS = 2_000_000  # differences at a time


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class GateDesign(Groups):
    """What the gate knows of the cases besides their differences, and what was asked of it."""

    kind: str
    macro: bool = True
    margin: float
    alpha: float = 0.05
    anytime: bool = False
    bound: float | None = None  # how far apart two outcomes of a case can be, where that is known
    largest_cluster: int = 1  # the most cases that a cluster can have, for those who look all the time

    @property
    def abstains(self) -> bool:
        """Whether the range is unknown, and so few cases are there that a failure of one in 20 may be missing among them."""
        return self.rule == UNKNOWN and self.fewest < np.log(self.alpha) / np.log(1 - SEEN)

    @property
    def rule(self) -> str:
        """By which rule differences of numbers are judged."""
        return UNKNOWN if self.bound is None else KNOWN

    @property
    def fewest(self) -> int:
        """How many cases, or clusters, the smallest benchmark has of those with the same weight; all, where each case has it."""
        if not self.over_benchmarks:
            return self.n_clusters
        benchmark = np.zeros(self.n_clusters, dtype=np.intp)
        benchmark[self.cluster] = self.benchmark
        return int(np.bincount(benchmark).min())

    @property
    def counts_cases(self) -> bool:
        """Whether cases pass or fail, and are neither in clusters nor of several benchmarks."""
        return self.kind == "pass_fail" and not self.clustered and not self.several_benchmarks


@dataclass(frozen=True, kw_only=True)
class TangoMeans(TwoSided):
    """Tango's score test: of n cases the candidate alone passes b and the baseline alone c; by t where there are degrees of freedom."""

    b: Any
    c: Any
    n: Any
    df: Floats | None = None

    def p_above(self, value: float) -> Floats:
        """By the upper tail."""
        return tail(-tango_statistic(self.b, self.c, self.n, value), self.df)

    def p_below(self, value: float) -> Floats:
        """By the lower tail."""
        return tail(tango_statistic(self.b, self.c, self.n, value), self.df)

    def ends(self, level: float) -> Ends:
        """By bisection."""
        return tango(self.b, self.c, self.n, quantile(level, self.df))


@dataclass(frozen=True, kw_only=True)
class IntervalMeans(TwoSided):
    """One mean whose interval is known at every level, such as DeLong's."""

    ends: Callable[[float], Ends]

    def p_above(self, value: float) -> Floats:
        """The level at which the bound touches the value."""
        side = 0 if self.ends(1.0)[0][0] > value else 1

        def is_beyond(level: Any) -> bool:
            bound = self.ends(float(level))[side][0]
            return bool(bound > value if side == 0 else bound < value)

        share = np.atleast_1d(halved(1.0, 0.0, is_beyond)) / 2
        return share if side == 0 else 1 - share

    def p_below(self, value: float) -> Floats:
        """The other side."""
        return 1 - self.p_above(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """What the gate sees in rows of differences: their gains, and the rule that speaks of their means.

    `variance` is that of the difference of one case, in the sense that variance / cases is the squared standard error. A row
    that is `silent` has no answer, whatever its p-values are.
    """

    gain: Floats
    variance: Floats
    means: Means
    method: str
    silent: Any = False

    def answers(self, margin: float, alpha: float) -> tuple[Bools, Bools]:
        """Where the answer is "not worse", and where it is "worse"."""
        passed: Bools = (self.means.p_above(-margin) < alpha) & ~np.asarray(self.silent)
        return passed, (self.means.p_below(0.0) < alpha) & ~np.asarray(self.silent) & ~passed


def judge(rows: Floats, design: GateDesign) -> Judged:
    """Rows of differences of the same cases, by the rule of their design.

    >>> alone = GateDesign(kind="pass_fail", cluster=np.arange(200), benchmark=np.zeros(200, dtype=int), margin=0.05)
    >>> judged = judge(np.repeat([1.0, -1.0, 0.0], [3, 14, 183])[None], alone)
    >>> judged.means.p_below(0.0).round(4).tolist(), bool(judged.means.ends(0.1)[0][0] < -0.05)
    ([0.0038], True)
    """
    if design.anytime:
        sums, sizes = cluster_sums(rows, design.cluster), np.bincount(design.cluster).astype(np.float64)
        means = SequenceMeans(sums=sums, sizes=sizes, bound=design.bound or 1.0, largest=design.largest_cluster)
        return Judged(gain=rows.mean(axis=1), variance=sums.var(axis=1), means=means, method="an e-process")
    if design.counts_cases:
        return judge_counts((rows > 0).sum(axis=1), (rows < 0).sum(axis=1), design.n)
    if design.n_clusters < FEWEST_CLUSTERS:
        what = "clusters of cases" if design.clustered else "cases"
        raise DataError(f"{design.n_clusters} {what} allow no answer: at least {FEWEST_CLUSTERS} are needed.")
    if design.kind == "pass_fail":
        b, c, n, df = effective_counts(rows, design)
        judged = judge_counts(b, c, n, df)
        method = f"{judged.method} of the effective number of cases"
        return replace(judged, variance=judged.variance * (design.n / n), method=method)
    estimate, numbers = gate_means(rows, design)
    silent = design.abstains | ((design.rule == UNKNOWN) & (estimate.error == 0))
    variance = estimate.error**2 * design.n
    return Judged(gain=estimate.mean, variance=variance, means=numbers, method=design.rule, silent=silent)


def judge_counts(b: Any, c: Any, n: Any, df: Floats | None = None) -> Judged:
    """Of n cases the candidate alone passes b and the baseline alone c."""
    gain, apart = (b - c) / n, (b + c) / n
    means = TangoMeans(b=b, c=c, n=n, df=df)
    return Judged(gain=gain, variance=apart - gain**2, means=means, method="Tango's score test")


def effective_counts(rows: Floats, design: GateDesign) -> tuple[Floats, Floats, Floats, Floats]:
    """What changed in clusters or benchmarks, as if so many independent cases had been seen.

    For every row the cases that got better, those that got worse, their number, and the degrees of freedom.
    The design effect is what the cluster-robust variance says, or what the intra-cluster correlation does after ten more
    clusters with a correlation of one half: where few clusters have changed, the data know too little of it, and t
    bounds would let a drop by the margin pass up to 29% of the time instead of 5%.
    """
    weights = design.counted / design.n
    shares = [(side * weights).sum(axis=1) for side in (rows > 0, rows < 0)]
    gain, apart = shares[0] - shares[1], shares[0] + shares[1]
    estimate = mean_of_cases(rows, design)
    independent = 1 / (weights**2).sum()
    alone = np.maximum(apart - gain**2, 1e-300) / independent
    seen = np.where(apart > 0, estimate.error**2 / alone, 1.0)
    effect = np.maximum(seen, _likely_effect(rows, design, weights, apart))
    n = independent / effect
    return shares[0] * n, shares[1] * n, n, estimate.df


def _likely_effect(rows: Floats, design: GateDesign, weights: Floats, apart: Floats) -> Floats:
    """The design effect by the intra-cluster correlation, drawn towards one half; the largest one where nothing changed."""
    largest = float((np.bincount(design.cluster, weights=weights) ** 2).sum() / (weights**2).sum())
    correlation = intra_cluster_correlation(rows, design.cluster)
    seen = design.n_clusters
    drawn = (seen * correlation + _PRIOR_CLUSTERS * _PRIOR_CORRELATION) / (seen + _PRIOR_CLUSTERS)
    return np.asarray(1 + (largest - 1) * np.where(apart > 0, drawn, 1.0))


def gate_means(rows: Floats, design: GateDesign) -> tuple[Estimate, Means]:
    """The rule for rows of differences of numbers, and the estimates behind it.

    The error of clustered cases is at least what the intra-cluster correlation says, drawn towards one half, as for pass or
    fail: without it ten clusters would let a drop by the margin pass 11% of the time instead of 5%.
    """
    estimate = mean_of_cases(rows, design)
    if design.clustered:
        shares, n = design.counted / design.n, design.n
        deviations = rows - estimate.mean[:, None]
        alone = ((shares * deviations) ** 2).sum(axis=1) * n / (n - 1)
        likely = _likely_effect(rows, design, shares, (deviations**2).sum(axis=1)) * alone
        error = np.where(estimate.error > 0, np.sqrt(np.maximum(likely, estimate.error**2)), 0.0)
        estimate = Estimate(mean=estimate.mean, error=error, df=estimate.df)
    units, counted = units_of(rows, design)
    if design.bound is None:
        return estimate, of_unknown_range(units, counted, estimate)
    students = estimate if design.over_benchmarks else None
    return estimate, of_known_range(units, counted, (-design.bound, design.bound), students)


def answer_of(not_worse_pvalue: float, worse_pvalue: float, alpha: float, *, abstains: bool = False) -> str:
    """The answer: "not worse" before "worse", because a drop below the margin is one that does not matter.

    >>> answer_of(0.01, 0.01, 0.05), answer_of(0.2, 0.01, 0.05), answer_of(0.05, 0.3, 0.05)
    ('not worse', 'worse', 'cannot tell')
    """
    if abstains:
        return ANSWERS[2]
    if not_worse_pvalue < alpha:
        return ANSWERS[0]
    return ANSWERS[1] if worse_pvalue < alpha else ANSWERS[2]


def exact_rates(n: int, *, apart: float, gain: float, margin: float, alpha: float = 0.05) -> Floats:
    """The exact probabilities of the three answers on n cases that pass or fail, in the order of `ANSWERS`.

    `apart` is the probability that the two disagree on a case, `gain` the true difference.

    >>> exact_rates(200, apart=0.1, gain=0.0, margin=0.05).round(3).tolist()
    [0.695, 0.049, 0.256]
    """
    only_candidate, only_baseline = (apart + gain) / 2, (apart - gain) / 2
    if min(only_candidate, only_baseline) < -1e-12 or apart > 1:
        raise DataError("Two algorithms that differ by so much disagree on more cases than that.")
    b, c, weight = chances_of_counts(n, max(only_candidate, 0.0), max(only_baseline, 0.0))
    passed, worse = judge_counts(b, c, n).answers(margin, alpha)
    shares = np.array([weight[passed].sum(), weight[worse].sum(), weight[~(passed | worse)].sum()])
    return np.asarray(shares / shares.sum())


def answers_of_rows(rows: Floats, design: GateDesign) -> tuple[Bools, Bools]:
    """For rows of differences of the same cases, where the answer is "not worse", and where it is "worse"."""
    size = max(1, _ROWS // design.n)
    parts = [judge(rows[start : start + size], design) for start in range(0, len(rows), size)]
    passed, worse = zip(*(part.answers(design.margin, design.alpha) for part in parts), strict=True)
    return np.concatenate(passed), np.concatenate(worse)
