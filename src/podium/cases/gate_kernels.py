"""Is one algorithm not worse than another by more than a margin? One-sided bounds and p-values, exact rates of answers.

All differences are gains of the candidate over the baseline: above 0 the candidate is better. "Not worse" is shown where
the lower bound is above -margin; otherwise "worse" where the upper bound is below 0. A bound errs with at most the probability
alpha where the range of a difference is known, else unless a failure is missing among the cases (`Sides.holds` says which).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.cases.binary import tango, tango_statistic
from podium.cases.clusters import Estimate, intra_cluster_correlation, mean_of_cases
from podium.cases.means import Ends, Means, StudentMeans, case_weights
from podium.cases.planning import chances_of_counts
from podium.cases.skew import of_known_range, of_unknown_range, units_of
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import DataError

ANSWERS = ("not worse", "worse", "cannot tell")
KNOWN, UNKNOWN, BY_BENCHMARK = "bounds of a known range", "bounds that allow for skew", "one-sided t bounds"
SEEN = 0.05  # a failure that hits this share of the cases must have been seen, with the probability 1 - alpha
FEWEST_CLUSTERS = 3
_PRIOR_CLUSTERS, _PRIOR_CORRELATION = 10, 0.5  # what is taken for granted of clusters before they are seen
_ROWS = 2_000_000  # differences at a time
_BY_HALVES = 60  # steps of a bisection


@dataclass(frozen=True, slots=True, kw_only=True)
class GateDesign:
    """What the gate knows of the cases besides their differences, and what was asked of it."""

    kind: str
    cluster: Indices
    benchmark: Indices
    macro: bool = True
    margin: float
    alpha: float = 0.05
    anytime: bool = False
    bound: float | None = None  # how far apart two outcomes of a case can be, where that is known

    @property
    def abstains(self) -> bool:
        """Whether the range is unknown, and so few cases are there that a failure of one in 20 may be missing among them."""
        return self.rule == UNKNOWN and self.groups < np.log(self.alpha) / np.log(1 - SEEN)

    @property
    def rule(self) -> str:
        """By which rule differences of numbers are judged."""
        if self.macro and int(self.benchmark.max()) > 0:
            return BY_BENCHMARK
        return UNKNOWN if self.bound is None else KNOWN

    @property
    def n(self) -> int:
        """How many cases there are."""
        return len(self.cluster)

    @property
    def groups(self) -> int:
        """How many clusters there are."""
        return int(self.cluster.max()) + 1

    @property
    def counts_cases(self) -> bool:
        """Whether cases pass or fail, and are neither in clusters nor of several benchmarks."""
        return self.kind == "pass_fail" and self.groups == self.n and int(self.benchmark.max()) == 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The gain with its lower and upper bound, and the p-values of "not worse" and "worse".

    `variance` is that of the difference of one case, in the sense that variance / cases is the squared standard error.
    """

    gain: float
    low: float
    high: float
    not_worse_pvalue: float
    worse_pvalue: float
    variance: float
    method: str
    abstains: bool = False  # no answer, whatever the bounds are


def pass_fail_sides(b: int, c: int, n: int, *, margin: float, alpha: float) -> Sides:
    """Tango's score test of the margin and of no difference; b cases only the candidate passes, c only the baseline.

    >>> found = pass_fail_sides(3, 14, 200, margin=0.05, alpha=0.05)
    >>> round(found.worse_pvalue, 4), found.low < -0.05
    (0.0038, True)
    """
    from scipy.special import ndtr, ndtri

    return _tango_sides(b, c, n, n, margin, float(ndtri(1 - alpha)), ndtr, "Tango's score test")


def _tango_sides(
    b: float, c: float, n: float, cases: int, margin: float, quantile: float, law: Callable[[Any], Any], method: str
) -> Sides:
    """Tango's score test of counts, by the normal law or by that of t; `n` independent cases were `cases`."""
    low, high = tango(np.array(b), np.array(c), np.array(n), quantile)
    return Sides(
        gain=(b - c) / n,
        low=float(low),
        high=float(high),
        not_worse_pvalue=float(law(-tango_statistic(b, c, n, -margin))),
        worse_pvalue=float(law((b - c) / np.sqrt(b + c))) if b + c else 0.5,
        variance=((b + c) / n - ((b - c) / n) ** 2) * (cases / n),
        method=method,
    )


def effective_counts(rows: Floats, design: GateDesign) -> tuple[Floats, Floats, Floats, Floats]:
    """What changed in clusters or benchmarks, as if so many independent cases had been seen.

    For every row the cases that got better, those that got worse, their number, and the degrees of freedom.
    The design effect is what the cluster-robust variance says, or what the intra-cluster correlation does after ten more
    clusters with a correlation of one half: where few clusters have changed, the data know too little of it, and t
    bounds would let a drop by the margin pass up to 29% of the time instead of 5%.
    """
    weights = case_weights(design.benchmark, design.macro) / design.n
    shares = [(side * weights).sum(axis=1) for side in (rows > 0, rows < 0)]
    gain, apart = shares[0] - shares[1], shares[0] + shares[1]
    found = mean_of_cases(rows, design.cluster, design.benchmark, macro=design.macro)
    independent = 1 / (weights**2).sum()
    alone = np.maximum(apart - gain**2, 1e-300) / independent
    seen = np.where(apart > 0, found.error**2 / alone, 1.0)
    effect = np.maximum(np.maximum(seen, 1.0), _likely_effect(rows, design, weights, apart))
    n = independent / effect
    return shares[0] * n, shares[1] * n, n, found.df


def _likely_effect(rows: Floats, design: GateDesign, weights: Floats, apart: Floats) -> Floats:
    """The design effect by the intra-cluster correlation, drawn towards one half; the largest one where nothing changed."""
    largest = float((np.bincount(design.cluster, weights=weights) ** 2).sum() / (weights**2).sum())
    correlation = intra_cluster_correlation(rows, design.cluster)
    drawn = (design.groups * correlation + _PRIOR_CLUSTERS * _PRIOR_CORRELATION) / (design.groups + _PRIOR_CLUSTERS)
    return np.asarray(1 + (largest - 1) * np.where(apart > 0, drawn, 1.0))


def clustered_sides(differences: Floats, design: GateDesign) -> Sides:
    """Pass or fail in clusters or benchmarks: Tango's score test of as many independent cases as these are worth."""
    from scipy.special import stdtr, stdtrit

    _refuse_too_few(design)
    b, c, n, df = (float(part[0]) for part in effective_counts(differences[None], design))
    quantile, method = float(stdtrit(df, 1 - design.alpha)), "Tango's score test of the effective number of cases"
    return _tango_sides(b, c, n, design.n, design.margin, quantile, lambda t: stdtr(df, t), method)


def _refuse_too_few(design: GateDesign) -> None:
    if design.groups < FEWEST_CLUSTERS:
        what = "cases" if design.groups == design.n else "clusters of cases"
        raise DataError(f"{design.groups} {what} allow no answer: at least {FEWEST_CLUSTERS} are needed.")


def gate_means(rows: Floats, design: GateDesign) -> tuple[Estimate, Means]:
    """The rule for rows of differences of numbers, and the estimates behind it.

    The error of clustered cases is at least what the intra-cluster correlation says, drawn towards one half, as for pass or
    fail: without it ten clusters would let a drop by the margin pass 11% of the time instead of 5%.
    """
    found = mean_of_cases(rows, design.cluster, design.benchmark, macro=design.macro)
    weights = case_weights(design.benchmark, design.macro)
    if design.groups < design.n:
        shares, n = weights / design.n, design.n
        deviations = rows - found.mean[:, None]
        alone = ((shares * deviations) ** 2).sum(axis=1) * n / (n - 1)
        likely = _likely_effect(rows, design, shares, (deviations**2).sum(axis=1)) * alone
        error = np.where(found.error > 0, np.sqrt(np.maximum(likely, found.error**2)), 0.0)
        found = Estimate(mean=found.mean, error=error, df=found.df)
    if design.rule == BY_BENCHMARK:
        return found, StudentMeans(estimate=found)
    units, counted = units_of(rows, weights, design.cluster, design.benchmark)
    if design.bound is not None:
        return found, of_known_range(units, counted, (-design.bound, design.bound))
    return found, of_unknown_range(units, counted, found)


def mean_sides(differences: Floats, design: GateDesign) -> Sides:
    """Differences of numbers, by the rule of the design."""
    _refuse_too_few(design)
    found, means = gate_means(differences[None], design)
    low, high = (float(end[0]) for end in means.ends(2 * design.alpha))
    return Sides(
        gain=float(found.mean[0]),
        low=low,
        high=high,
        not_worse_pvalue=float(means.p_above(-design.margin)[0]),
        worse_pvalue=float(means.p_below(0.0)[0]),
        variance=float(found.error[0]) ** 2 * design.n,
        method=design.rule,
        abstains=design.abstains or (design.rule == UNKNOWN and bool(found.error[0] == 0)),
    )


def ends_sides(ends: Callable[[float], Ends], gain: float, design: GateDesign, method: str) -> Sides:
    """The bounds of an interval that is known at every level, such as DeLong's."""
    from scipy.special import ndtri

    low, high = (float(end[0]) for end in ends(2 * design.alpha))
    error = (high - low) / (2 * float(ndtri(1 - design.alpha)))
    return Sides(
        gain=gain,
        low=low,
        high=high,
        not_worse_pvalue=p_above(ends, -design.margin),
        worse_pvalue=1 - p_above(ends, 0.0),
        variance=error**2 * design.n,
        method=method,
    )


def p_above(ends: Callable[[float], Ends], value: float) -> float:
    """The one-sided p-value of "the difference is at most `value`": the level at which the bound touches it."""
    centre = float(ends(1.0)[0][0])
    side = 0 if centre > value else 1
    inside, outside = 1.0, 0.0  # levels at which the bound has not, and has, passed the value
    for _ in range(_BY_HALVES):
        level = (inside + outside) / 2
        bound = float(ends(level)[side][0])
        beyond = bound > value if side == 0 else bound < value
        inside, outside = (level, outside) if beyond else (inside, level)
    return inside / 2 if side == 0 else 1 - inside / 2


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
    from scipy.special import ndtri

    only_candidate, only_baseline = (apart + gain) / 2, (apart - gain) / 2
    if min(only_candidate, only_baseline) < -1e-12 or apart > 1:
        raise DataError("Two algorithms that differ by so much disagree on more cases than that.")
    b, c, weight = chances_of_counts(n, max(only_candidate, 0.0), max(only_baseline, 0.0))
    passed, worse = pass_fail_answers(b, c, n, margin=margin, quantile=float(ndtri(1 - alpha)))
    shares = np.array([weight[passed].sum(), weight[worse].sum(), weight[~(passed | worse)].sum()])
    return np.asarray(shares / shares.sum())


def pass_fail_answers(b: Any, c: Any, n: Any, *, margin: float, quantile: Any) -> tuple[Bools, Bools]:
    """For arrays of counts, where the answer is "not worse", and where it is "worse"."""
    passed: Bools = tango_statistic(b, c, n, -margin) > quantile
    worse: Bools = ((b - c) / np.sqrt(np.where(b + c > 0, b + c, 1)) < -quantile) & ~passed
    return passed, worse


def answers_of_rows(rows: Floats, design: GateDesign) -> tuple[Bools, Bools]:
    """For rows of differences of the same cases, where the answer is "not worse", and where it is "worse"."""
    from scipy.special import ndtri, stdtrit

    margin, alpha = design.margin, design.alpha
    if design.counts_cases:
        b, c = (rows > 0).sum(axis=1), (rows < 0).sum(axis=1)
        return pass_fail_answers(b, c, design.n, margin=margin, quantile=float(ndtri(1 - alpha)))
    found = []
    size = max(1, _ROWS // design.n)
    for start in range(0, len(rows), size):
        block = rows[start : start + size]
        if design.kind == "pass_fail":
            *counts, df = effective_counts(block, design)
            found.append(pass_fail_answers(*counts, margin=margin, quantile=stdtrit(df, 1 - alpha)))
        else:
            estimate, means = gate_means(block, design)
            answers: Bools = ~(design.abstains | ((design.rule == UNKNOWN) & (estimate.error == 0)))
            passed: Bools = (means.p_above(-margin) < alpha) & answers
            found.append((passed, (means.p_below(0.0) < alpha) & answers & ~passed))
    return np.concatenate([passed for passed, _ in found]), np.concatenate([worse for _, worse in found])
