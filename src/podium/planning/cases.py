"""How many cases, samples and how much money a wanted difference takes; and whether a running evaluation may stop."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from podium.cases.anytime import about_clusters, confidence_sequence
from podium.cases.binary import wilson
from podium.cases.clusters import clustered_mean, intra_cluster_correlation
from podium.cases.planning import affordable, best_samples, cases_needed, in_percent, mcnemar_power, t_power
from podium.cases.samples import VarianceSplit, variance_split
from podium.cases.skew import of_unknown_range
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import as_given, counted, percent
from podium.core.quantity import PERCENTAGE_POINTS, Quantity
from podium.core.result import DecisionResult
from podium.evidence.cases import Cases, as_cases
from podium.planning._plan import CONFIDENCE, Plan, PlanDesign
from podium.planning._power import PowerResult

if TYPE_CHECKING:
    import pandas as pd

SAMPLES = (1, 2, 5, 10)
ENOUGH_FOR_A_RANGE = 40  # numbers in a pilot, from which on ranges of lognormal ones hold as often as they say
FEW_IN_A_PILOT = "If the differences are skewed, such ranges hold the right number less often: in 74% of pilots of 15 lognormal numbers."
PRICE_OF_LOOKING = 1.9  # cases for the same power, where every case is looked at
SHARES = Quantity(label="accuracy", unit=PERCENTAGE_POINTS, factor=100, decimals=1)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class StopResult(DecisionResult):
    """Whether a running evaluation may stop: `decision` is "stop" or "go on", and holds however often one looks.

    `difference` is a minus b so far, `low` and `high` the interval that holds at every moment, `evidence` the e-value
    (its reciprocal bounds the p-value), `decided_after` the number of cases after which it was shown (0: not yet). Of clusters none
    can have more cases than `largest_cluster` (1: there are none).
    """

    DECIDES: ClassVar[str] = "decision"
    EXIT_CODES: ClassVar[Mapping[str, int]] = {"stop": 0, "go on": 3}

    a: str
    b: str
    decision: str
    reason: str
    cases: int
    difference: float
    low: float
    high: float
    evidence: float
    pvalue: float
    decided_after: int
    largest_cluster: int
    cases_in_all: int | None
    alpha: float
    quantity: Quantity
    references: tuple[str, ...] = ("waudbysmith2024",)

    @property
    def title(self) -> str:
        """The heading of its report."""
        return f"Running evaluation: {self.decision}"

    def sentences(self) -> tuple[str, ...]:
        """Stop or go on, why, and the interval."""
        quantity = self.quantity.at(self.difference, self.low, self.high)
        amount = quantity.apart(self.a, self.difference, self.b)
        more = [f"About {self.cases_in_all:,} cases in all should tell."] if self.cases_in_all else []
        return (
            f"{self.decision.capitalize()}: {self.reason}.",
            f"{amount} so far (interval at every moment: {quantity.span(self.low, self.high)}) on "
            f"{counted(self.cases, 'case')}.",
            *more,
            *([about_clusters(self.largest_cluster)] if self.largest_cluster > 1 else []),
            "Cases were taken in the order of the file, which must not depend on their outcomes.",
        )

    def columns(self) -> list[dict[str, Any]]:
        """One row of numbers."""
        names = "decision cases difference low high evidence pvalue decided_after cases_in_all".split()
        return [{name: getattr(self, name) for name in names}]

    def tables(self) -> dict[str, pd.DataFrame]:
        """The row, with differences as sentences have them."""
        import pandas as pd

        return {"result": pd.DataFrame([self.quantity.row(row) for row in self.columns()])}


def plan(
    pilot: Any = None,
    *,
    difference: float,
    agreement: float | None = None,
    a: str | None = None,
    b: str | None = None,
    case_cost: float | None = None,
    sample_cost: float | None = None,
    target_power: float = 0.8,
    alpha: float = 0.05,
) -> Plan:
    """How many cases are needed to detect a difference of two algorithms, from a pilot or from an assumed agreement.

    Parameters
    ----------
    pilot : Cases, DataFrame, array-like or dict, optional
        Outcomes of cases x algorithms, as for `podium.cases.all_pairs`, or predictions with their metric.
    difference : float
        The smallest difference that matters, in the metric's units: 0.02 for 2 percentage points.
    agreement : float, optional
        Without a pilot: the share of cases on which both are expected to pass, or both to fail.
    a, b : str, optional
        Names of the two algorithms; by default the first two.
    case_cost : float, optional
        What one more case costs, such as its label.
    sample_cost : float, optional
        What one try of a case by one algorithm costs; by default what the pilot knows of its outcomes.
    target_power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    Plan
        How many cases are needed, the power they reach and what they cost.

    Examples
    --------
    >>> plan(difference=0.08, agreement=0.804).needed
    233
    """
    goal = {"power": check.fraction("target_power", target_power), "alpha": check.fraction("alpha", alpha)}
    costs = {"case_cost": case_cost, "sample_cost": sample_cost}
    costs = {name: None if cost is None else check.nonnegative(name, cost) for name, cost in costs.items()}
    size, basis = _basis(pilot, difference, agreement, a, b)
    if sample_cost is None:
        costs["sample_cost"] = basis.sample_cost
    designs = tuple(_design(basis, size, samples, costs, goal) for samples in _numbers_of_samples(basis, **costs))
    by_count = basis.apart is not None
    return Plan(
        counted="case",
        each=" by both algorithms",
        difference=size,
        quantity=basis.quantity,
        designs=designs,
        best=int(np.argmin([float(d.outcomes or 0) if d.cost is None else d.cost for d in designs])),
        target_power=target_power,
        alpha=alpha,
        test=f"the {'exact ' if by_count else ''}power of {basis.test}",
        source=basis.source,
        pilot=basis.cases,
        remarks=basis.remarks,
        references=("mcnemar1947", "fagerland2013") if by_count else (),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Basis:
    """What the plan rests on: how often the two disagree (of pass or fail), or the variances between and within cases."""

    source: str
    quantity: Quantity = SHARES
    remarks: tuple[str, ...] = ()
    cases: int = 0
    apart: float | None = None
    between: float = 0.0
    within_a: float = 0.0
    within_b: float = 0.0
    sampled: bool = False
    effect: float = 1.0  # of clusters
    variance: tuple[float, float] | None = None  # the ends of its interval, as shares of the one that the pilot shows
    sample_cost: float | None = None

    @property
    def test(self) -> str:
        """What decides."""
        return "the t test of the case values" if self.apart is None else "McNemar's test (mid-p)"

    def power(self, size: float, cases: int, samples: int, alpha: float) -> float:
        """The power for a difference of this size on so many cases."""
        if self.apart is None:
            return t_power(cases, size, self.of_a_case(samples), alpha)
        only_a, only_b = (self.apart + size) / 2, max((self.apart - size) / 2, 0.0)
        return mcnemar_power(cases, only_a=only_a, only_b=only_b, alpha=alpha)

    def of_a_case(self, samples: int) -> float:
        """The variance of the difference on a case that is tried so often."""
        return self.effect * (self.between + (self.within_a + self.within_b) / samples)


def power_by_cases(
    sizes: Sequence[int],
    *,
    samples: int,
    pilot: Any = None,
    difference: float,
    agreement: float | None = None,
    a: str | None = None,
    b: str | None = None,
    alpha: float = 0.05,
) -> PowerResult:
    """The power of a plan's test on fewer and on more cases than it takes, each tried `samples` times; the others are those of `plan`."""
    size, basis = _basis(pilot, difference, agreement, a, b)
    power = np.array([[[basis.power(size, cases, samples, alpha) for cases in sizes]]])
    return PowerResult(
        tests=(basis.test,),
        effects=(size,),
        sizes=tuple(sizes),
        power=power,
        standard_error=0 * power,
        source=basis.source,
        here=basis.cases or None,
        sized_by="cases",
        quantity=basis.quantity,
        alpha=alpha,
        draws=0,
        seed="none",
    )


def _basis(pilot: Any, difference: float, agreement: float | None, a: str | None, b: str | None) -> tuple[float, Basis]:
    """The size of the difference, and what is known of how the two differ."""
    size = _size(difference)
    if pilot is None:
        return size, _assumed(size, agreement)
    if agreement is not None:
        raise ArgumentError("Give a pilot or an {agreement}, not both.")
    pair = _pair(as_cases(pilot), a, b)
    return size, replace(_from_pilot(pair, size), sample_cost=_known_cost(pair))


def _size(difference: float) -> float:
    size = abs(check.number("difference", difference))
    if size == 0:
        raise ArgumentError("No number of cases shows a difference of 0: give the smallest {difference} that matters.")
    return size


def _assumed(size: float, agreement: float | None) -> Basis:
    if agreement is None:
        raise ArgumentError(
            "Give a pilot to plan from, or the {agreement} that you expect: the share of cases on which both pass or both fail."
        )
    apart = 1 - check.fraction("agreement", agreement)
    if size > apart + 1e-12:
        raise ArgumentError(
            f"Two algorithms that agree on {percent(agreement)} of the cases cannot differ by {as_given(size)}: give a smaller "
            "{agreement} or {difference}."
        )
    return Basis(source=f"an assumed agreement on {percent(agreement)} of the cases", apart=apart)


def _pair(cases: Cases, a: str | None, b: str | None) -> Cases:
    if cases.n_algorithms < 2:
        raise DataError(
            f"A plan needs the outcomes of 2 algorithms; there is {cases.n_algorithms}. Give a pilot of two, or say without one by "
            "{agreement} how often they will agree."
        )
    first = a or next(name for name in cases.algorithms if name != b)
    pair = cases.select((first, b or next(name for name in cases.algorithms if name != first)))
    both = ~np.isnan(pair.unweighted("A plan").values).any(axis=1)
    if both.sum() < 5:
        raise DataError(
            f"{pair.algorithms[0]!r} and {pair.algorithms[1]!r} have {int(both.sum())} cases in common: a pilot needs 5 or more."
        )
    return pair if both.all() else pair.take(both)


def _from_pilot(pair: Cases, size: float) -> Basis:
    n = pair.n_cases
    source = f"a pilot of {counted(n, 'case')} ({pair.algorithms[0]} and {pair.algorithms[1]})"
    basis = Basis(source=source, quantity=pair.quantity, remarks=tuple(in_percent(pair, "a difference", size)), cases=n)
    _, cluster = np.unique(pair.cluster, return_inverse=True)
    differences = pair.values[:, 0] - pair.values[:, 1]
    basis = replace(basis, variance=_known_variance(np.bincount(cluster, weights=differences).astype(np.float64)))
    sizes = np.bincount(cluster).astype(np.float64)
    typical = float((sizes**2).sum() / sizes.sum())
    effect = 1 + (typical - 1) * float(intra_cluster_correlation(differences, cluster))
    split = _split(pair)
    if split is not None:
        variances: dict[str, Any] = {"within_a": split.within_a, "within_b": split.within_b}
        return replace(basis, between=max(split.between, 0.0), **variances, sampled=True, effect=effect)
    if pair.kind == "pass_fail" and len(sizes) == n:
        # As in Bonett and Price's interval, a disagreement is added on either side.
        apart = (float((differences != 0).sum()) + 2) / (n + 2)
        return replace(basis, apart=max(apart, size))
    variance = float(differences.var(ddof=1))
    if variance <= 0:
        raise DataError(
            "The two do not differ on any case of the pilot: it says nothing of how much they vary. Try more cases."
        )
    short = (FEW_IN_A_PILOT,) if len(sizes) < ENOUGH_FOR_A_RANGE else ()
    return replace(basis, between=variance, effect=effect, remarks=(*basis.remarks, *short))


def _split(pair: Cases) -> VarianceSplit | None:
    """The variances between and within cases, where every case has at least two samples of both."""
    if pair.samples is None:
        return None
    counts = (~np.isnan(pair.samples)).sum(axis=2)
    each = int(counts.min())
    if each < 2:
        return None
    present_first = np.argsort(np.isnan(pair.samples), axis=2, kind="stable")[:, :, :each]
    first = np.take_along_axis(pair.samples, present_first, axis=2)
    return variance_split(first[:, 0], first[:, 1])


def _known_cost(pair: Cases) -> float | None:
    """The mean cost of one outcome in the pilot, by sample."""
    means = pair.mean_costs
    costs = np.empty(0) if means is None else means[~np.isnan(means)]
    return float(costs.mean()) if len(costs) else None


def _numbers_of_samples(basis: Basis, *, case_cost: float | None, sample_cost: float | None) -> list[int]:
    if not basis.sampled:
        return [1]
    tried = set(SAMPLES)
    if case_cost and sample_cost:
        costs = {"case_cost": case_cost, "sample_cost": 2 * sample_cost}
        best = best_samples(basis.between, basis.within_a, basis.within_b, **costs)
        tried |= {math.floor(min(best, 100)), math.ceil(min(best, 100))}
    return sorted(tried)


def _design(
    basis: Basis, size: float, samples: int, costs: dict[str, float | None], goal: dict[str, float]
) -> PlanDesign:
    if basis.apart is not None:
        cases, power = mcnemar_cases(basis.apart, size, target_power=goal["power"], alpha=goal["alpha"])
        low, high = _range_of_counts(cases, size, basis)
    else:
        needed = cases_needed(size, between=basis.of_a_case(samples), power=goal["power"], alpha=goal["alpha"])
        cases, power = needed.cases, needed.power
        low, high = (math.ceil(cases * end) for end in basis.variance) if basis.variance else (None, None)
    case_cost, sample_cost = costs["case_cost"], costs["sample_cost"]
    free = case_cost is None and sample_cost is None
    cost = None if free else cases * ((case_cost or 0.0) + 2 * samples * (sample_cost or 0.0))
    outcomes = 2 * samples * cases
    return PlanDesign(count=cases, power=power, samples=samples, outcomes=outcomes, cost=cost, low=low, high=high)


def mcnemar_cases(apart: float, difference: float, *, target_power: float, alpha: float) -> tuple[int, float]:
    """The cases on which McNemar's test has the target power, in steps of 1%, and that power.

    >>> mcnemar_cases(0.2, 0.08, target_power=0.8, alpha=0.05)[0]
    238
    """
    start = cases_needed(
        difference, between=max(apart - difference**2, 1e-12), power=target_power, alpha=alpha
    ).by_normal_law
    n = max(int(0.95 * start), 5)
    only_a, only_b = (apart + difference) / 2, max((apart - difference) / 2, 0.0)
    while (power := mcnemar_power(n, only_a=only_a, only_b=only_b, alpha=alpha)) < target_power:
        n += max(1, n // 100)
    return n, power


def _range_of_counts(cases: int, size: float, basis: Basis) -> tuple[int | None, int | None]:
    """Cases in proportion to the variance at the ends of the interval of how often the two disagree."""
    from scipy.special import ndtri

    if basis.apart is None or not basis.cases:
        return None, None
    disagreed = max(basis.apart * (basis.cases + 2) - 2, 0.0)
    ends = wilson(disagreed, basis.cases, float(ndtri(0.5 + CONFIDENCE / 2)))
    usual = basis.apart - size**2
    low, high = (math.ceil(cases * (max(float(end), size) - size**2) / usual) if usual > 0 else cases for end in ends)
    return low, high


def _known_variance(values: Floats) -> tuple[float, float] | None:
    """The ends of the interval of the variance of values, as shares of the one seen; None where they do not vary.

    A variance is the mean of squared deviations, which are skewed: the rule for means of skewed numbers speaks of it.
    """
    squares = ((values - values.mean()) ** 2)[None]
    n, seen = len(values), float(squares.mean())
    if n < 3 or seen == 0:
        return None
    means = of_unknown_range(squares, np.ones(n), clustered_mean(squares, np.arange(n)), limits=(0.0, np.inf))
    low, high = (float(end[0]) / seen for end in means.ends(1 - CONFIDENCE))
    return max(low, 0.0), high


def may_stop(
    outcomes: Any,
    *,
    a: str | None = None,
    b: str | None = None,
    difference: float | None = None,
    bound: float | None = None,
    largest_cluster: int | None = None,
    target_power: float = 0.8,
    alpha: float = 0.05,
) -> StopResult:
    """May a running evaluation of two algorithms stop? The answer holds however often you look.

    It may if one is significantly better, or if a difference that would matter is ruled out. Cases are followed in their order.

    Parameters
    ----------
    outcomes : Cases, DataFrame, array-like or dict
        Outcomes of cases x algorithms, in the order in which they came.
    a, b : str, optional
        Names of the two algorithms; by default the first two.
    difference : float, optional
        The smallest difference that would matter, in the metric's units.
    bound : float, optional
        The largest difference that one case can have; known for outcomes from 0 to 1.
    largest_cluster : int, optional
        The most cases that a cluster can have, also one that is still to come; needed where there are clusters.
    target_power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Significance level.

    Returns
    -------
    StopResult
        `decision` is "stop" or "go on", and the interval and p-value behind it.

    Examples
    --------
    >>> may_stop({"x": [1] * 9, "y": [0] * 9}).decision
    'stop'
    """
    check.fraction("alpha", alpha)
    cases = as_cases(outcomes)
    if cases.kind == "influence":
        raise DataError(
            f"A running evaluation is followed case by case; {cases.metric.name} is of all cases: choose a mean."
        )
    pair = _pair(cases, a, b)
    if len(set(pair.benchmarks)) > 1:
        raise ArgumentError("A running evaluation is followed on one benchmark at a time: choose one by {where}.")
    if bound is None and pair.kind == "numeric":
        raise ArgumentError(f"Say how far apart two outcomes of {pair.metric.name!r} can be: give {{bound}}.")
    sign = pair.metric.sign
    _, cluster = np.unique(pair.cluster, return_inverse=True)
    gains = sign * (pair.values[:, 0] - pair.values[:, 1])
    sizes, sums = (np.bincount(cluster, weights=each).astype(np.float64) for each in (None, gains))
    if largest_cluster is not None and not pair.clusters:
        raise ArgumentError("There are no clusters of cases: leave out {largest_cluster}.")
    of_clusters: dict[str, Any] = {"sizes": sizes, "largest_cluster": largest_cluster} if pair.clusters else {}
    sequence = confidence_sequence(sums, bound=bound or 1.0, confidence=1 - alpha, **of_clusters)
    matters = None if difference is None else abs(check.number("difference", difference))
    decision, reason = _decision(pair, sequence, sums, sizes, matters, alpha)
    followed = sums / sizes.mean()  # a cluster counts by its cases
    low, high = (sequence.low, sequence.high) if sign > 0 else (-sequence.high, -sequence.low)
    return StopResult(
        a=pair.algorithms[0],
        b=pair.algorithms[1],
        decision=decision,
        reason=reason,
        cases=pair.n_cases,
        difference=float(sign * gains.mean()),
        low=low,
        high=high,
        evidence=float(sequence.e_values.max()),
        pvalue=sequence.pvalue,
        decided_after=int(sizes[: sequence.first_crossing(alpha)].sum()),
        largest_cluster=largest_cluster or 1,
        cases_in_all=None if decision == "stop" else _in_all(followed, matters, pair, target_power, alpha),
        alpha=alpha,
        quantity=pair.quantity,
    )


def _decision(
    pair: Cases, sequence: Any, sums: Floats, sizes: Floats, matters: float | None, alpha: float
) -> tuple[str, str]:
    first, second = pair.algorithms
    after = sequence.first_crossing(alpha)
    if after:
        better, other = (first, second) if sums[:after].sum() > 0 else (second, first)
        case = int(sizes[:after].sum())
        since = f"case {case}" if len(sizes) == pair.n_cases else f"cluster {after} (case {case})"
        return "stop", f"{better} is significantly better than {other}, since {since}"
    if matters is not None and -matters < sequence.low and sequence.high < matters:
        return "stop", f"a difference of {pair.quantity.in_full(matters)} or more is ruled out"
    still = "" if matters is None else f", and a difference of {pair.quantity.in_full(matters)} is not ruled out"
    return "go on", f"neither is significantly better yet{still}"


def _in_all(followed: Floats, matters: float | None, pair: Cases, target_power: float, alpha: float) -> int | None:
    """Cases after which the difference that matters (or else the one so far) would be shown with the target probability."""
    size = matters if matters is not None else abs(float(followed.mean()))
    variance = float(followed.var(ddof=1)) or 2 / (len(followed) + 2)
    if size <= 0:
        return None
    needed = affordable(size, variance, power=target_power, alpha=alpha)
    if needed is None:
        return None
    in_all = math.ceil(PRICE_OF_LOOKING * needed * pair.n_cases / len(followed))
    return in_all if in_all > pair.n_cases else None
