"""The gate of continuous integration: is the candidate not worse than the baseline by more than a margin?"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from podium.cases._all_pairs import filled
from podium.cases.anytime import SequenceMeans, about_clusters, most_cases
from podium.cases.gate_kernels import KNOWN, UNKNOWN, GateDesign, IntervalMeans, Judged, answer_of, judge
from podium.cases.gate_power import GatePower
from podium.cases.gate_repeat import IdenticalRuns, identical_runs
from podium.cases.gate_result import GateCheck, GateResult
from podium.cases.means import quantile
from podium.cases.pair_kernels import check_benchmark_sizes, influence_pairs, range_of_differences, speaking
from podium.cases.planning import in_percent
from podium.cases.predictions import special_pairs
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import below_range
from podium.core.numbers import as_given, counted, percent
from podium.core.rng import Rng
from podium.core.words import Mean, MissingOutcomes
from podium.evidence.case_join import NOT_RUN
from podium.evidence.cases import Cases, as_cases
from podium.stats.corrections import adjust

MISSING = ("pairwise", "wrong", "refuse")
REFERENCES = {
    "Tango's score test": ("tango1998",),
    "Tango's score test of the effective number of cases": ("tango1998", "bell2002", "pustejovsky2018"),
    KNOWN: ("gaffke2005", "learnedmiller2019", "lugannani1980"),
    UNKNOWN: ("rubin1981", "lugannani1980", "learnedmiller2019"),
    "DeLong bounds": ("delong1988", "sun2014"),
    "an e-process": ("waudbysmith2024",),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class GateSettings:
    """What was asked for, checked."""

    alpha: float
    mean: str | None
    per_benchmark: bool
    anytime: bool
    bound: float | None
    largest_cluster: int | None
    draws: int
    rng: Rng


def gate(
    outcomes: Any,
    *,
    margin: float | Mapping[str, float],
    baseline: str | None = None,
    candidate: str | None = None,
    alpha: float = 0.05,
    missing: MissingOutcomes | None = None,
    mean: Mean | None = None,
    per_benchmark: bool = False,
    clusters: Any = None,
    benchmarks: Any = None,
    anytime: bool = False,
    bound: float | None = None,
    largest_cluster: int | None = None,
    aa_test: bool = False,
    draws: int = 1000,
    rng: Rng = 0,
) -> GateResult:
    """Is the candidate not worse than the baseline by more than the margin? "not worse", "worse" or "cannot tell".

    "Not worse" is an error if the candidate is behind by the margin, "worse" if nothing has changed. Either happens with a probability
    of at most `alpha` where the range of a case is known: from the metric, or because `bound` says how much one case can lose. Where
    it is not known, that holds unless a failure is missing among the cases; below 59 cases (at 0.05) the gate then cannot tell.

    Parameters
    ----------
    outcomes : Cases, Predictions, DataFrame, array-like, dict or list of them
        Outcomes as `all_pairs` takes them, or Predictions; a list has one for each metric.
    margin : float or mapping
        Largest acceptable drop (non-inferiority margin), in the metric's units; or one by the name of each
        metric.
    baseline : str, optional
        Name of the baseline; by default the first algorithm.
    candidate : str, optional
        Name of the candidate; by default the second algorithm.
    alpha : float, default 0.05
        Significance level.
    missing : {"pairwise", "wrong", "refuse"}, optional
        What to do about missing outcomes. By default the answer must be the same whether they are left out pair
        by pair or counted as wrong.
    mean : {"macro", "micro"}, optional
        Whether each benchmark or each case has the same weight; by default "macro" where there are benchmarks.
    per_benchmark : bool, default False
        Check each benchmark, instead of their mean.
    clusters : array-like of shape (n_cases,), optional
        The cluster of each case: cases of one cluster are not independent of each other.
    benchmarks : array-like of shape (n_cases,), optional
        The benchmark of each case.
    anytime : bool, default False
        Give an answer that holds however often one looks; the range of a case must then be known.
    bound : float, optional
        The most that one case can lose, for numbers whose range is not known.
    largest_cluster : int, optional
        The most cases that a cluster can have, also one that is still to come; `anytime` needs it where there
        are clusters.
    aa_test : bool, default False
        Also run the gate on identical runs.
    draws : int, default 1000
        How often the gate is run on identical runs.
    rng : int or numpy.random.Generator, default 0
        Seed or generator; equal seeds give equal numbers.

    Returns
    -------
    GateResult
        The answer, and every check behind it.

    Examples
    --------
    >>> gate({"old": [1] * 150 + [0] * 50, "new": [1] * 149 + [0] * 51}, margin=0.05).answer
    'not worse'
    """
    if missing is not None:
        check.choice("missing", missing, MISSING)
    for name, flag in (("per_benchmark", per_benchmark), ("anytime", anytime), ("aa_test", aa_test)):
        check.flag(name, flag)
    chosen = GateSettings(
        alpha=_level(alpha),
        mean=None if mean is None else check.choice("mean", mean, ("macro", "micro")),
        per_benchmark=per_benchmark,
        anytime=anytime,
        bound=None if bound is None else check.number("bound", bound),
        largest_cluster=largest_cluster,
        draws=check.count("draws", draws),
        rng=rng,
    )
    by_metric = _each(outcomes, clusters, benchmarks)
    pairs = [_pair(one, margin, baseline, candidate, several=len(by_metric) > 1) for one in by_metric]
    if anytime and missing is None:
        pairs = [replace(pair, cases=_that_ran(pair.cases)) for pair in pairs]
    n_missing = sum(int(np.isnan(pair.cases.values).any(axis=1).sum()) for pair in pairs)
    policy, torn = missing or "pairwise", ""
    checks = _checks(pairs, policy, chosen)
    answer = _answer(checks)
    if missing is None and n_missing and _can_be_wrong(pairs):
        checks, torn = _agreed(checks, _checks(pairs, "wrong", chosen))
    names = pairs[0].cases.algorithms
    return GateResult(
        baseline=names[0],
        candidate=names[1],
        answer="cannot tell" if torn else answer,
        checks=checks,
        alpha=chosen.alpha,
        missing=policy,
        n_missing=n_missing,
        anytime=anytime,
        correction="holm" if len(checks) > 1 else "none",
        remarks=(*_about_holes(pairs, n_missing, missing, torn, answer), *_remarks(pairs, checks, chosen)),
        identical=tuple(_identical(pairs, policy, chosen)) if aa_test else (),
        references=tuple(dict.fromkeys(key for one in checks for key in REFERENCES.get(one.method, ()))),
    )


def _agreed(checks: tuple[GateCheck, ...], others: tuple[GateCheck, ...]) -> tuple[tuple[GateCheck, ...], str]:
    """The checks, those open that the others answer differently, and what the others say; where both say the same, as they are."""
    answer = _answer(others)
    if answer == _answer(checks):
        return checks, ""
    both = zip(checks, others, strict=True)
    return tuple(
        one if one.answer == other.answer else replace(one, answer="cannot tell") for one, other in both
    ), answer


# What is compared.


@dataclass(frozen=True, slots=True, kw_only=True)
class GatePair:
    """Baseline and candidate by one metric, and its margin."""

    cases: Cases
    margin: float

    @property
    def differences(self) -> Floats:
        """The gains of the candidate over the baseline."""
        return np.asarray(self.cases.metric.sign * (self.cases.values[:, 1] - self.cases.values[:, 0]))


def _level(alpha: float) -> float:
    check.fraction("alpha", alpha)
    if alpha >= 0.5:
        raise check.refused("alpha", alpha, "must be below 0.5")
    return float(alpha)


def _each(outcomes: Any, clusters: Any, benchmarks: Any) -> list[Cases]:
    """The cases of every metric."""
    several = isinstance(outcomes, list | tuple) and bool(outcomes)
    several = several and all(hasattr(one, "algorithms") or hasattr(one, "columns") for one in outcomes)
    return [as_cases(one, clusters=clusters, benchmarks=benchmarks) for one in (outcomes if several else [outcomes])]


def _pair(cases: Cases, margin: Any, baseline: str | None, candidate: str | None, *, several: bool) -> GatePair:
    algorithms = cases.algorithms
    if (baseline is None or candidate is None) and len(algorithms) != 2:
        raise ArgumentError(
            f"There are {len(algorithms)} algorithms: say which one is the `baseline` and which one the `candidate`."
        )
    names = (baseline or algorithms[0], candidate or algorithms[1])
    for name in names:
        check.member("algorithm", name, algorithms)
    if names[0] == names[1]:
        raise ArgumentError(f"The baseline and the candidate are both {names[0]!r}: name two.")
    chosen = cases.select(names)
    both = ~np.isnan(chosen.unweighted("The gate").values).any(axis=1)
    if not both.any():
        raise DataError(
            f"{names[0]!r} and {names[1]!r} have no outcome on the same case: check the names of the cases."
        )
    return GatePair(cases=chosen, margin=_margin(margin, chosen, several=several))


def _margin(margin: float | Mapping[str, float], cases: Cases, *, several: bool) -> float:
    """The margin of this metric, above 0 and below what outcomes can differ by."""
    name = cases.metric.name
    if isinstance(margin, Mapping):
        if name not in margin:
            names = ", ".join(map(str, margin)) or "none"
            raise ArgumentError(f"There is no {{argument}} for {name!r}: there is one for {names}.", argument="margin")
        margin = margin[name]
    size = check.number("margin", margin)
    if size <= 0:
        cure = "; to show a candidate better, compare the two."
        raise check.refused("margin", margin, "must be above 0: the drop that would still not matter", cure)
    return below_range("margin", size, cases.ends, noun="outcomes", of=f" (of {name})" if several else "")


def _that_ran(cases: Cases) -> Cases:
    """Without the cases that one of the two has not run yet."""
    waiting = {case for (case, _), why in cases.reasons.items() if why == NOT_RUN}
    return cases.take([case not in waiting for case in cases.cases]) if waiting else cases


def _can_be_wrong(pairs: Sequence[GatePair]) -> bool:
    return all(pair.cases.worst is not None for pair in pairs)


# The checks.


def _checks(pairs: Sequence[GatePair], policy: str, chosen: GateSettings) -> tuple[GateCheck, ...]:
    """Every check, the p-values of "worse" adjusted for their number."""
    rows = [_check(part, name, chosen) for pair in pairs for name, part in _parts(pair, policy, chosen)]
    if len(rows) == 1:
        return tuple(rows)
    adjusted = adjust(np.array([row.worse_pvalue for row in rows]), "holm")
    return tuple(
        replace(
            row,
            worse_pvalue=float(p),
            answer=answer_of(row.not_worse_pvalue, float(p), chosen.alpha, abstains=row.abstains),
        )
        for row, p in zip(rows, adjusted, strict=True)
    )


def _answer(checks: Sequence[GateCheck]) -> str:
    answers = {one.answer for one in checks}
    if "worse" in answers:
        return "worse"
    return "cannot tell" if "cannot tell" in answers else "not worse"


def _parts(pair: GatePair, policy: str, chosen: GateSettings) -> Iterator[tuple[str, GatePair]]:
    """The cases of each check after the policy for missing outcomes, and the benchmark that they are of ("": all)."""
    cases = filled(pair.cases, policy)
    if cases.has_holes:
        cases = cases.take(~np.isnan(cases.values).any(axis=1))
    named = list(dict.fromkeys(cases.benchmarks))
    if len(named) > 1 and chosen.per_benchmark:
        for name in named:
            part = cases.take([one == name for one in cases.benchmarks])
            yield name, GatePair(cases=replace(part, benchmarks=()), margin=pair.margin)
    elif len(named) > 1 and chosen.anytime:
        raise ArgumentError(
            "{anytime} follows the cases in their order, and benchmarks that come one after the other would mislead it: give "
            "{per_benchmark} for a check of each."
        )
    else:
        yield "", replace(pair, cases=cases)


def _check(pair: GatePair, benchmark: str, chosen: GateSettings) -> GateCheck:
    cases, differences = pair.cases, pair.differences
    sign, design = cases.metric.sign, _design(pair, chosen)
    if design.macro and design.kind != "influence":
        check_benchmark_sizes(cases)
    judged = _judged_influence(pair, design) if design.kind == "influence" else judge(differences[None], design)
    gain, silent = float(judged.gain[0]), bool(np.any(judged.silent))
    better, worse = (int(count[0]) for count in speaking(cases.on_each_case, np.array([1]), np.array([0])))
    before, after = cases.scores_by(macro=design.macro).tolist()
    low, high = (sign * float(end[0]) for end in judged.means.ends(2 * chosen.alpha)[::sign])
    not_worse_pvalue, worse_pvalue = (
        float(pvalue[0]) for pvalue in (judged.means.p_above(-pair.margin), judged.means.p_below(0.0))
    )
    answer = answer_of(not_worse_pvalue, worse_pvalue, chosen.alpha, abstains=silent)
    power = GatePower(
        gain=gain, variance=float(judged.variance[0]), differences=differences, design=design, rng=chosen.rng
    )
    return GateCheck(
        metric=cases.metric.name,
        benchmark=benchmark,
        mean=_mean_of(cases, design),
        answer=answer,
        baseline_score=before,
        candidate_score=after,
        difference=sign * gain,
        low=low,
        high=high,
        margin=pair.margin,
        cases=design.n,
        clusters=design.n_clusters,
        fewest=design.fewest,
        cases_better=better,
        cases_worse=worse,
        not_worse_pvalue=not_worse_pvalue,
        worse_pvalue=worse_pvalue,
        **power.abilities(answer),
        method=judged.method,
        abstains=silent,
        quantity=cases.quantity,
        decided_after=_decided_after(judged, design).get(answer, 0),
    )


def _mean_of(cases: Cases, design: GateDesign) -> str:
    """Which mean the scores are, in words; "" where they are none."""
    benchmarks = len(set(cases.benchmarks))
    if design.kind == "influence" and benchmarks < 2:
        return ""
    if benchmarks < 2:
        return "with weights" if cases.weights is not None else "every case has the same weight"
    return (
        f"the mean of {benchmarks} benchmarks, each with the same weight"
        if design.macro
        else "every case has the same weight"
    )


def _design(pair: GatePair, chosen: GateSettings) -> GateDesign:
    cases = pair.cases
    groups = cases.groups()
    return GateDesign(
        kind=cases.kind,
        cluster=groups.cluster,
        benchmark=groups.benchmark,
        macro=(chosen.mean or "macro") == "macro",
        margin=pair.margin,
        alpha=chosen.alpha,
        anytime=chosen.anytime,
        bound=_bound(cases, pair.margin, chosen),
        largest_cluster=_largest_cluster(cases, chosen),
    )


def _largest_cluster(cases: Cases, chosen: GateSettings) -> int:
    """The most cases that a cluster can have: whoever looks all the time has to know it."""
    if chosen.anytime and cases.clusters:
        return most_cases(chosen.largest_cluster, np.bincount(cases.cluster))
    if chosen.largest_cluster is not None:
        raise ArgumentError("{largest_cluster} is for clusters that are looked at with {anytime}.")
    return 1


def _bound(cases: Cases, margin: float, chosen: GateSettings) -> float | None:
    """How far apart two outcomes of a case can be; None where nobody said so and the metric does not."""
    if chosen.bound is not None:
        if chosen.bound <= 0:
            raise check.refused("bound", chosen.bound, "must be above 0")
        furthest = float(np.nanmax(np.abs(cases.values[:, 1] - cases.values[:, 0])))
        if cases.kind != "influence" and furthest > chosen.bound * (1 + 1e-12):
            must = f"must be at least {as_given(furthest)}, the largest difference of a case"
            raise check.refused("bound", chosen.bound, must)
        if chosen.anytime and margin >= chosen.bound:
            raise DataError("No difference can exceed this margin: {margin} must be below {bound}.")
        return chosen.bound
    span = range_of_differences(cases)[1]
    if np.isfinite(span):
        return span
    if chosen.anytime:
        raise ArgumentError(
            f"{{anytime}} needs to know how far apart two outcomes of {cases.metric.name!r} can be: give {{bound}}."
        )
    return None


def _judged_influence(pair: GatePair, design: GateDesign) -> Judged:
    if design.anytime:
        raise ArgumentError(f"{{anytime}} is for metrics that are means over cases; {pair.cases.metric.name!r} is not.")
    one, other = np.array([1]), np.array([0])  # the candidate minus the baseline
    gains = special_pairs(pair.cases, one, other) or influence_pairs(pair.cases, one, other)
    low, high = gains.ends(2 * design.alpha)
    variance = ((high - low) / (2 * quantile(2 * design.alpha))) ** 2 * design.n
    means = IntervalMeans(ends=gains.ends)
    return Judged(gain=gains.effect, variance=variance, means=means, method=f"{gains.method} bounds")


def _decided_after(judged: Judged, design: GateDesign) -> dict[str, int]:
    """After how many cases each answer was first shown to those who look all the time."""
    if not isinstance(judged.means, SequenceMeans):
        return {}
    not_worse, worse = judged.means.shown_after(margin=design.margin, alpha=design.alpha)
    return {"not worse": int(not_worse[0]), "worse": int(worse[0])}


def _identical(pairs: Sequence[GatePair], policy: str, chosen: GateSettings) -> Iterator[IdenticalRuns]:
    for benchmark, part in (each for pair in pairs for each in _parts(pair, policy, chosen)):
        if part.cases.kind == "influence":
            name = part.cases.metric.name
            raise ArgumentError(f"{{aa_test}} is for metrics that are means over cases; {name!r} is not.")
        asked: dict[str, Any] = {"benchmark": benchmark, "draws": chosen.draws, "rng": chosen.rng}
        yield identical_runs(part.cases, part.differences, _design(part, chosen), **asked)


# Remarks.


def _about_holes(
    pairs: Sequence[GatePair], n_missing: int, missing: str | None, torn: str, answer: str
) -> Iterator[str]:
    if not n_missing:
        return
    total = sum(pair.cases.n_cases for pair in pairs)
    said = (
        f"{counted(n_missing, 'case')} of {total} {'lacks' if n_missing == 1 else 'lack'} an outcome of one of the two"
    )
    if torn:
        yield (
            f"{said}, and the answer depends on what that means: {answer} if they are left out, {torn} if they count as wrong. Say which "
            "by the option missing (pairwise or wrong)."
        )
    elif missing == "wrong":
        yield f"{said}: these count as wrong."
    elif missing is None and _can_be_wrong(pairs):
        yield f"{said}: these are left out; counting them as wrong would give the same answer."
    else:
        yield f"{said}: these are left out."


def _remarks(pairs: Sequence[GatePair], checks: Sequence[GateCheck], chosen: GateSettings) -> Iterator[str]:
    for one in checks:
        if one.decided_after:
            looked = "cluster" if one.clusters < one.cases else "case"
            yield f"In {one.name} this was shown after {counted(one.decided_after, looked)}, and holds from then on."
        yield from _how_sure(one, chosen)
    for pair in pairs:
        yield from in_percent(pair.cases, "a margin", pair.margin)
        if chosen.largest_cluster is not None:
            yield about_clusters(chosen.largest_cluster)
    if chosen.anytime:
        yield "Cases were taken in the order of the file, which must not depend on their outcomes."


def _how_sure(one: GateCheck, chosen: GateSettings) -> Iterator[str]:
    """What may make this check err more often than the level says, and what would help."""
    level, n = percent(chosen.alpha), one.fewest
    what = f"{counted(n, 'cluster' if one.clusters < one.cases else 'case')}{' of the smallest benchmark' if n < one.clusters else ''}"
    if one.method == UNKNOWN and one.abstains and one.difference == one.low == one.high:
        yield (
            f"In {one.name} all cases differ by the same amount, or by none; this says nothing of cases that are not here. Give the most "
            "that one case can lose (the option bound)."
        )
    elif one.method == UNKNOWN and one.abstains:
        yield (
            f"{what} are too few to have seen a failure that hits 1 in 20: the gate cannot tell unless you give the most that one case can "
            "lose (the option bound)."
        )
    elif one.method == UNKNOWN:
        unseen = 1 - chosen.alpha ** (1 / n)
        yield (
            f"The answer errs in at most {level} unless a failure is missing among these {what}: one that hits fewer than {percent(unseen)} "
            "may be. If you know the most that one case can lose, give it (the option bound)."
        )
