"""All pairs of algorithms on the same cases, or all against a control: from values per case to one result for pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from podium.cases.clusters import cluster_sums
from podium.cases.family import Family, bootstrap_family, flip_family
from podium.cases.pair_kernels import CasePair, case_weights, influence_pairs, mean_pairs, pass_fail_pairs
from podium.cases.registry import TESTS
from podium.core import check, numbers
from podium.core.arrays import Floats, Indices
from podium.core.cases import Cases, as_cases, codes
from podium.core.errors import DataError
from podium.core.pairs import pair_indices
from podium.core.rng import Rng
from podium.stats.corrections import adjust
from podium.stats.posthoc.pairs_result import Estimates, PairsResult

MISSING = ("pairwise", "wrong", "refuse")
INTERVALS = ("simultaneous", "each")
SKEWED, MANY_CASES = 1.0, 500  # numeric differences more skewed than this need a bootstrap below so many cases
FEW_OF_A_CLASS, SHARE_OF_A_CLASS = 100, 0.3  # below both, sign flips of influence values reject too often


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CasePairs(PairsResult):
    """Pairs of algorithms on the same cases; `n` counts cases, wins those that speak for a.

    `intervals` says whether the intervals hold for all pairs at once or for each pair alone, `mean` whether benchmarks
    or cases have the same weight, `kind` what the values of a case are.
    """

    title: ClassVar[str] = "Pairs of algorithms on the same cases"

    intervals: str
    mean: str
    kind: str
    draws: int

    def summary(self) -> str:
        """The pairs in a sentence or two, and what does not follow."""
        best = int(np.argmin(self.adjusted))
        a, b = self.algorithms[self.first[best]], self.algorithms[self.second[best]]
        least, most = int(self.n.min()), int(self.n.max())
        span = f"{least}" if least == most else f"{least} to {most}"
        corrected = "" if self.n_pairs == 1 else f", corrected by {self.correction}"
        return (
            f"{numbers.counted(self.n_pairs, 'pair')} on {span} cases, each by {self.method}{corrected}: the smallest "
            f"{numbers.said_pvalue(float(self.adjusted[best]), 'adjusted p')}, of {a} and {b} "
            f"({self.wins[best]} cases speak for {a}, {self.losses[best]} for {b}). "
            "The result is about cases like these; two algorithms that are not told apart need not be equally good."
        )


def all_pairs(
    outcomes: Any,
    *,
    control: str | None = None,
    exact: bool = False,
    missing: str = "pairwise",
    mean: str | None = None,
    clusters: Any = None,
    benchmarks: Any = None,
    weights: Any = None,
    confidence: float = 0.95,
    intervals: str = "simultaneous",
    draws: int = 9999,
    rng: Rng = 0,
) -> CasePairs:
    """Compare algorithms on the same cases, all pairs or all against a `control`.

    `outcomes` are Cases, a DataFrame or array (cases x algorithms), or a dict of columns: 0 and 1, or any numbers. Pass or
    fail is compared by McNemar's test (mid-p, or `exact`) with Bonett and Price's interval, numbers by the t test of
    the case values, robust to `clusters`. With `benchmarks` each benchmark has the same weight (`mean="macro"`, the
    default) or each case (`mean="micro"`). With `weights` each case counts by its own: the sign flips of the weighted
    differences then take McNemar's place, which can only count cases. From three algorithms on p-values are adjusted by a
    step-down procedure with shared sign flips, which knows that the pairs depend on each other. `missing` cells are left out
    "pairwise", taken for "wrong" (the worst value that the metric can have, where one is known), or refused ("refuse").

    >>> found = all_pairs({"a": [1] * 9 + [0], "b": [0] * 9 + [0]})
    >>> found.pvalue.tolist(), found.wins.tolist()
    ([0.001953125], [9])
    """
    check.fraction("confidence", confidence)
    check.choice("intervals", intervals, INTERVALS)
    check.flag("exact", exact)
    data = filled(as_cases(outcomes, clusters=clusters, benchmarks=benchmarks, weights=weights), missing)
    if data.n_algorithms < 2:
        raise DataError(f"A comparison needs at least 2 algorithms (columns); there are {data.n_algorithms}.")
    if data.n_cases < 2:
        raise DataError(f"A comparison needs at least 2 cases (rows); there are {data.n_cases}.")
    weighting = check.choice("mean", mean or ("macro" if data.benchmarks else "micro"), ("macro", "micro"))
    first, second = pair_indices(data.n_algorithms, None if control is None else data.place(control))
    found = tested(data, first, second, exact=exact, macro=weighting == "macro")
    asked: dict[str, Any] = {"control": control, "confidence": confidence, "intervals": intervals, "missing": missing}
    return case_pairs(data, found, first, second, mean=weighting, draws=draws, rng=rng, **asked)


def filled(data: Cases, missing: str) -> Cases:
    """The cases after the policy for holes."""
    if check.choice("missing", missing, MISSING) == "pairwise" or not data.has_holes:
        return data
    case, who = (int(place) for place in np.argwhere(np.isnan(data.values))[0])
    if missing == "refuse":
        raise DataError(
            f"{data.algorithms[who]!r} has no outcome on {data.cases[case]!r}: let {{missing}} be 'wrong' or 'pairwise'."
        )
    if data.worst is None:
        raise DataError(
            f"What a failure is worth in {data.metric.name} is not known: {data.algorithms[who]!r} has no outcome on "
            f"{data.cases[case]!r}. Write the worst value into such cells, or let {{missing}} be 'pairwise'."
        )
    return replace(data, values=np.where(np.isnan(data.values), data.worst, data.values), scores=np.empty(0))


def tested(data: Cases, first: Indices, second: Indices, *, exact: bool, macro: bool) -> CasePair:
    """What the test that fits the values says of these pairs, not yet adjusted."""
    one_mean = not macro or len(set(data.benchmarks)) < 2
    plain = data.weights is None and not data.clusters and one_mean
    if data.kind == "influence":
        return influence_pairs(data, first, second)
    if data.kind == "pass_fail" and plain:
        return pass_fail_pairs(data, first, second, exact=exact)
    return mean_pairs(data, first, second, macro=macro)


def case_pairs(
    data: Cases,
    found: CasePair,
    first: Indices,
    second: Indices,
    *,
    control: str | None,
    confidence: float,
    intervals: str,
    mean: str,
    missing: str,
    draws: int,
    rng: Rng,
) -> CasePairs:
    """Adjust the p-values of all pairs, and name everything."""
    from scipy.special import ndtr

    family = None if len(first) == 1 else _family(data, first, second, mean == "macro", draws, rng)
    adjusted, correction = _adjusted(found, family)
    level = 1 - confidence
    if intervals == "simultaneous" and len(first) > 1:
        level = level / len(first) if family is None else min(2 * float(ndtr(-family.critical(level))), level)
    sign = data.metric.sign

    def ends() -> tuple[Floats, ...]:
        low, high = found.ends(level)
        return (found.effect, low, high) if sign > 0 else (-found.effect, -high, -low)

    same = ("statistic", "pvalue", "wins", "ties", "losses", "n", "method", "details")
    return CasePairs(
        **{name: getattr(found, name) for name in same},
        algorithms=data.algorithms,
        first=first,
        second=second,
        control=control,
        turned=-found.statistic,
        adjusted=np.maximum(adjusted, found.pvalue),
        side=_side(found),
        test=f"cases_{data.kind}",
        correction=correction,
        missing=missing,
        holes=tuple(f"{data.cases[i]} / {data.algorithms[j]}" for i, j in np.argwhere(np.isnan(data.values))),
        effect_name="difference",
        confidence=confidence,
        metric=data.metric,
        mean_ranks=_mean_ranks(len(data.algorithms), first, second, found),
        estimates=Estimates(ends),
        intervals=intervals,
        mean=mean,
        kind=data.kind,
        draws=0 if family is None else family.draws,
        references=(*TESTS[found.method].references, *_CORRECTED.get(correction, ())),
    )


def _adjusted(found: CasePair, family: Family | None) -> tuple[Floats, str]:
    """Adjusted p-values and the name of the correction: by the joint law of all pairs where it is known, else Holm's."""
    if family is not None:
        return family.adjusted, "step_down"
    if len(found.pvalue) == 1:
        return found.pvalue, "none"
    return adjust(found.pvalue, "holm"), "holm"


def _side(found: CasePair) -> Floats:
    """Who is ahead by the test's own statistic; where nothing varies and it is 0, by the difference itself."""
    shown = np.where(np.abs(found.effect) > 1e-12, found.effect, 0.0)
    return np.sign(np.where(found.statistic != 0, found.statistic, shown))


def _mean_ranks(k: int, first: Indices, second: Indices, found: Any) -> Floats:
    """Mean ranks over the cases, from who wins: 1, plus the better ones, plus half of the equal ones."""
    ranks, n = np.ones(k), np.maximum(found.n, 1)
    np.add.at(ranks, first, (found.losses + 0.5 * found.ties) / n)
    np.add.at(ranks, second, (found.wins + 0.5 * found.ties) / n)
    return ranks


def _family(data: Cases, first: Indices, second: Indices, macro: bool, draws: int, rng: Rng) -> Family | None:
    """The step-down procedure where it keeps its level; None where Holm's correction of the single p-values is safer."""
    if data.kind == "influence" and not _enough_of_each_class(data):
        return None
    gains = data.metric.sign * data.values * case_weights(data.benchmark, macro, data.weights)[:, None]
    if not np.isnan(gains).any():
        sums = cluster_sums(gains.T, data.cluster).T
        if data.kind == "numeric" and data.n_cases < MANY_CASES and _skewed(sums, first, second):
            return bootstrap_family(sums, first, second, draws=min(draws, 999), rng=rng)
        return flip_family(sums, first, second, draws=draws, rng=rng)
    # Holes: every pair has cases of its own, so each is a column of its own, against a column of zeros.
    differences = np.nan_to_num(gains[:, first] - gains[:, second])
    columns = np.column_stack([cluster_sums(differences.T, data.cluster).T, np.zeros(int(data.cluster.max()) + 1)])
    pairs = np.arange(len(first))
    return flip_family(columns, pairs, np.full(len(first), len(first)), draws=draws, rng=rng)


def _enough_of_each_class(data: Cases) -> bool:
    if not data.classes:
        return data.n_cases >= FEW_OF_A_CLASS
    rarest = int(np.bincount(codes(data.classes)).min())
    return rarest >= FEW_OF_A_CLASS or rarest >= SHARE_OF_A_CLASS * data.n_cases


def _skewed(sums: Floats, first: Indices, second: Indices) -> bool:
    """Whether the differences of some pair are clearly skewed."""
    size = max(1, 4_000_000 // len(sums))
    for start in range(0, len(first), size):
        here = slice(start, start + size)
        differences = sums[:, first[here]] - sums[:, second[here]]
        centred = differences - differences.mean(axis=0)
        spread = (centred**2).mean(axis=0) ** 1.5
        third = np.abs((centred**3).mean(axis=0))
        if (third > SKEWED * spread).any():
            return True
    return False


_CORRECTED = {"step_down": ("romano2005", "westfall1993"), "holm": ("holm1979",)}
