"""All pairs of algorithms on the same cases, or all against a control: from values per case to one result for pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from podium.cases.family import Family, flip_family
from podium.cases.pair_kernels import influence_pairs, mean_pairs, pass_fail_pairs
from podium.cases.registry import TESTS
from podium.core import check, numbers
from podium.core.arrays import Indices
from podium.core.errors import DataError
from podium.core.ranks import mean_ranks, rank_rows
from podium.core.rng import Rng
from podium.core.words import Intervals, Mean, MissingOutcomes
from podium.evidence.cases import Cases, as_cases
from podium.stats.posthoc.compared import Compared, Gains, pairs_of_gains
from podium.stats.posthoc.pairs_result import INTERVALS, PairsResult

MISSING = ("pairwise", "wrong", "refuse")
STEP_DOWN = ("romano2005", "westfall1993")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CasePairs(PairsResult):
    """Pairs of algorithms on the same cases; `n` counts cases, wins those that speak for a.

    `mean` says whether benchmarks or cases have the same weight, `values_are` what the values of a case are.
    """

    title: ClassVar[str] = "Pairs of algorithms on the same cases"

    mean: str
    values_are: str
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
            f"{numbers.format_pvalue(float(self.adjusted[best]), 'adjusted p')}, of {a} and {b} "
            f"({self.wins[best]} cases speak for {a}, {self.losses[best]} for {b}). "
            "The result is about cases like these; no significant difference does not mean no difference."
        )


def all_pairs(
    outcomes: Any,
    *,
    control: str | None = None,
    exact: bool = False,
    missing: MissingOutcomes = "pairwise",
    mean: Mean | None = None,
    clusters: Any = None,
    benchmarks: Any = None,
    weights: Any = None,
    confidence: float = 0.95,
    intervals: Intervals = "simultaneous",
    draws: int = 9999,
    rng: Rng = 0,
) -> CasePairs:
    """Compare algorithms on the same cases, all pairs or all against a control.

    Pass or fail is compared by McNemar's test with Bonett and Price's interval; numbers by the larger p-value and the outer bounds of
    Student's t and of a Bayesian bootstrap that allows for skew, robust to clusters. From three algorithms on p-values are adjusted
    by Holm's correction, those of McNemar's test by a step-down procedure with shared sign-flip permutations, which takes into account that the
    pairs depend on each other.

    Parameters
    ----------
    outcomes : Cases, DataFrame, array-like or dict
        Outcomes of cases (rows) x algorithms (columns), or a dict of columns: 0 and 1, or any numbers.
    control : str, optional
        Compare every other algorithm only with this one.
    exact : bool, default False
        Use McNemar's exact test, whose error rate never exceeds the level, instead of mid-p.
    missing : {"pairwise", "wrong", "refuse"}, default "pairwise"
        What to do about missing outcomes: leave them out pair by pair, count them as the worst value that the
        metric can have, or raise an error.
    mean : {"macro", "micro"}, optional
        Whether each benchmark or each case has the same weight; by default "macro" where there are benchmarks.
    clusters : array-like of shape (n_cases,), optional
        The cluster of each case: cases of one cluster are not independent of each other.
    benchmarks : array-like of shape (n_cases,), optional
        The benchmark of each case.
    weights : array-like of shape (n_cases,), optional
        How much each case counts in the means. Means then take the place of McNemar's test, which can only
        count cases.
    confidence : float, default 0.95
        Confidence of the interval.
    intervals : {"simultaneous", "each"}, default "simultaneous"
        Whether the confidence is that of all intervals together or of each one alone.
    draws : int, default 9999
        Number of sign-flip permutations or resamples.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    CasePairs
        For each pair: the statistic, the raw and the adjusted p-value, the difference with its interval, and
        the cases that speak for each.

    Examples
    --------
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
    compared = compared_on(data, control)
    gains = tested(data, compared.first, compared.second, exact=exact, macro=weighting == "macro")
    asked: dict[str, Any] = {"confidence": confidence, "intervals": intervals, "missing": missing}
    return case_pairs(data, gains, compared, mean=weighting, draws=draws, rng=rng, **asked)


def compared_on(data: Cases, control: str | None) -> Compared:
    """All algorithms and their pairs, or those with the control."""
    return Compared(algorithms=data.algorithms, metric=data.metric, missing_scores=data.missing).among(control)


def filled(data: Cases, missing: str) -> Cases:
    """The cases after the policy for holes."""
    if check.choice("missing", missing, MISSING) == "pairwise" or not data.has_holes:
        return data
    case, who = (int(place) for place in np.argwhere(np.isnan(data.values))[0])
    if missing == "refuse":
        raise DataError(
            f"{data.algorithms[who]!r} has no outcome on {data.cases[case]!r}: set {{missing}} to 'wrong' or 'pairwise'."
        )
    if data.worst is None:
        raise DataError(
            f"What a failure scores in {data.metric.name} is not known: {data.algorithms[who]!r} has no outcome on "
            f"{data.cases[case]!r}. Write the worst value into such cells, or set {{missing}} to 'pairwise'."
        )
    return replace(data, values=np.where(np.isnan(data.values), data.worst, data.values), scores=np.empty(0))


def tested(data: Cases, first: Indices, second: Indices, *, exact: bool, macro: bool) -> Gains:
    """What the test that fits the values says of these pairs, not yet adjusted."""
    one_mean = not macro or len(set(data.benchmarks)) < 2
    plain = data.weights is None and not data.clusters and one_mean
    if data.kind == "influence":
        return influence_pairs(data, first, second)
    if data.kind == "pass_fail" and plain:
        return pass_fail_pairs(data, first, second, exact=exact)
    return mean_pairs(data, first, second, macro=macro)


def case_pairs(data: Cases, gains: Gains, compared: Compared, *, draws: int, rng: Rng, **asked: Any) -> CasePairs:
    """Adjust the p-values by the joint law of all pairs where it is known, else by Holm's correction, and name everything."""
    several = len(compared.first) > 1
    family = _family(data, compared, draws, rng) if several and gains.method in ("mid-p", "exact") else None
    correction = "step_down" if family is not None else "holm" if several else "none"
    return pairs_of_gains(
        CasePairs,
        compared,
        gains,
        adjusted=None if family is None else np.maximum(family.adjusted, gains.pvalue),
        correction=correction,
        test=f"cases_{data.kind}",
        effect_name="difference",
        # Pairs with a control do not tell how the others rank among each other.
        mean_ranks=None if compared.control is None else mean_ranks(rank_rows(data.on_each_case)),
        values_are=data.kind,
        draws=0 if family is None else family.draws,
        references=(*TESTS[gains.method].references, *(() if family is None else STEP_DOWN)),
        **asked,
    )


def _family(data: Cases, compared: Compared, draws: int, rng: Rng) -> Family:
    """The step-down procedure of cases that pass or fail: equally accurate is the symmetry that sign-flip permutations need."""
    first, second = compared.first, compared.second
    gains = data.metric.sign * data.values
    if not np.isnan(gains).any():
        return flip_family(gains, first, second, draws=draws, rng=rng)
    # Holes: every pair has cases of its own, so each is a column of its own, against a column of zeros.
    columns = np.column_stack([np.nan_to_num(gains[:, first] - gains[:, second]), np.zeros(data.n_cases)])
    pairs = np.arange(len(first))
    return flip_family(columns, pairs, np.full(len(first), len(first)), draws=draws, rng=rng)
