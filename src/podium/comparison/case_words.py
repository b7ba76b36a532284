"""What algorithms on the same cases are like, and what is said of them: facts, evidence, verdict, methods, remarks."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from podium.cases._all_pairs import CasePairs, all_pairs
from podium.cases.bootstrap import needs_bootstrap
from podium.cases.planning import detectable
from podium.cases.predictions import COUNTED_WRONG
from podium.cases.registry import TESTS
from podium.chance.labels import LabelChanceResult
from podium.chance.predictions import ChanceTestResult
from podium.comparison.case_missing import changed
from podium.comparison.comparison import Remark, Verdict
from podium.comparison.evidence import Evidence, Reviewer
from podium.comparison.facts import Facts, measured
from podium.comparison.leaderboard import FEWEST_ALGORITHMS, fewest_cases, variance_of_pair, without_the_fewest
from podium.comparison.methods import (
    by_holm,
    level_and_intervals,
    pairs_named,
    practice,
    who_was_compared,
    would_be_found,
)
from podium.comparison.verdict import verdict_of
from podium.core.cases import Cases, codes
from podium.core.errors import DataError
from podium.core.numbers import counted, listed, number, percent, said_pvalue
from podium.core.read.case_columns import plural

FEW_DISAGREEMENTS = 6  # below this no outcome of the exact test reaches 0.05
FEW_OF_A_CLASS, FEW_IN_A_BENCHMARK, FEW_CLUSTERS = 50, 20, 6
VERY_FEW_OF_A_CLASS = 10
FEW_NUMBERS = 100  # cases; below, the jackknife of an RMSE or R2 is a little short
FEW_FAILURES = 10  # fewer failures, or successes, than this: Wilson's interval of one accuracy covers 85 to 94%
FEW_TO_SEE_SKEW = 20  # cases
FEW_STEPS = 100  # cases; below, the steps of an accuracy make Wilson's interval cover 92% for some accuracies
HEAVY = 0.2  # of all weight in one case
POWER = 0.8
MOST_PAIRS = 200  # pairs whose variances are looked at for the smallest difference that can be found


KINDS = {
    "pass_fail": "pass or fail",
    "bounded": "values from 0 to 1",
    "numeric": "numbers",
    "influence": "one metric of all predictions",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseFacts(Facts):
    """What the rules for cases look at. `rarest_class` counts the cases of the rarer class, 0 where there are none.

    With weights the mean is worth `worth` cases of equal weight, and `heaviest` is the largest share that one case has.
    """

    metric: str
    direction: str
    n_algorithms: int
    holes: tuple[tuple[str, str], ...]
    control: str | None
    rope: float | None
    unit: str = "case"
    hole: ClassVar[str] = "missing outcome"
    n_cases: int
    kind: str
    n_samples: int
    n_clusters: int
    n_benchmarks: int
    smallest_benchmark: int
    rarest_class: int
    mean: str
    hole_reasons: tuple[tuple[str, int], ...]
    weighted: bool
    worth: float
    heaviest: float
    noun: str = "case"

    @property
    def nouns(self) -> str:
        """What several cases are called."""
        return plural(self.noun)

    def counted(self, count: int) -> str:
        """So many cases."""
        return counted(count, self.noun, self.nouns)

    def in_words(self, sentence: str) -> str:
        """A sentence without names, with the noun of these cases."""
        return re.sub(r"\bcases\b", self.nouns, re.sub(r"\bcase\b", self.noun, sentence))

    @property
    def on(self) -> str:
        """What the algorithms were compared on, counted."""
        return self.counted(self.n_cases)

    @property
    def clustered(self) -> bool:
        """Whether some cases belong together."""
        return self.n_clusters < self.n_cases

    @property
    def design(self) -> str:
        """The kind of values, samples, clusters and benchmarks in words."""
        parts = [KINDS[self.kind]]
        parts += [f"{self.n_samples} samples per {self.noun}"] if self.n_samples > 1 else []
        parts += ["weighted"] if self.weighted else []
        parts += [counted(self.n_clusters, "cluster")] if self.clustered else []
        parts += [counted(self.n_benchmarks, "benchmark")] if self.n_benchmarks > 1 else []
        return ", ".join(parts)


def case_facts(cases: Cases, *, control: str | None, rope: float | None, mean: str) -> CaseFacts:
    """Count the facts of cases."""
    missing = np.argwhere(np.isnan(cases.values))
    holes = tuple((cases.cases[i], cases.algorithms[j]) for i, j in missing)
    holes += tuple(hole for hole, why in cases.holes.items() if why == COUNTED_WRONG)
    reasons = Counter(cases.holes.get(hole, "missing") for hole in holes)
    sizes = np.bincount(cases.benchmark)
    return CaseFacts(
        **measured(cases.metric, cases, control),
        holes=holes,
        rope=rope,
        n_cases=cases.n_cases,
        kind=cases.kind,
        n_samples=1 if cases.samples is None else cases.samples.shape[2],
        n_clusters=int(cases.cluster.max()) + 1,
        n_benchmarks=len(sizes),
        smallest_benchmark=int(sizes.min()),
        rarest_class=int(np.bincount(codes(cases.classes)).min()) if cases.classes else 0,
        mean=mean,
        hole_reasons=tuple(sorted(reasons.items())),
        weighted=cases.weights is not None,
        worth=cases.worth,
        heaviest=1 / cases.n_cases if cases.weights is None else float(cases.weights.max() / cases.weights.sum()),
        noun=cases.noun,
    )


@dataclass(frozen=True, kw_only=True)
class CaseEvidence(Evidence):
    """What was found on cases; `luck` says whether the best is better than the best of as many that guess."""

    facts: CaseFacts
    pairs: CasePairs
    cases: Cases
    luck: ChanceTestResult | LabelChanceResult | None = None


CASES = Reviewer[CaseEvidence]()


def case_verdict(found: CaseEvidence) -> Verdict:
    """The verdict, in words that follow the unit."""
    return verdict_of(found, on_what=_on_what(found), cost=_cost(found))


def _cost(found: CaseEvidence) -> str:
    """What the two best cost for each case, where costs are known."""
    costs, metric = found.cases.mean_costs, found.cases.cost
    if costs is None or metric is None:
        return ""
    known = {name: float(cost) for name, cost in zip(found.cases.algorithms, costs, strict=True) if np.isfinite(cost)}
    named = dict.fromkeys((*found.names[:2], *sorted(known, key=lambda name: known[name])[:1]))
    told = listed([f"{name} {number(known[name])}" for name in named if name in known])
    return f"Mean {metric.name} for each {found.facts.noun}: {told}." if known else ""


def _on_what(found: CaseEvidence) -> str:
    facts = found.facts
    more = [f"the mean of {facts.n_samples} samples each"] if facts.n_samples > 1 else []
    more += [f"in {counted(facts.n_clusters, 'cluster')}"] if facts.clustered else []
    more += [f"from {facts.n_benchmarks} benchmarks"] if facts.n_benchmarks > 1 else []
    more += [_weighting(facts, "with")] if facts.n_benchmarks > 1 or facts.weighted else []
    are, total = "is" if len(facts.holes) == 1 else "are", facts.n_cases * facts.n_algorithms
    holes = f"; {len(facts.holes)} of {total} outcomes {are} missing" if facts.holes else ""
    said = found.cases.metric.said if found.unit.noun else "a score"
    better = "" if facts.direction == "higher" and facts.kind == "pass_fail" else f" ({facts.direction} is better)"
    return f"Measured by {said}{better} on {facts.on}{''.join(f', {part}' for part in more)}{holes}."


def _weighting(facts: CaseFacts, has: str) -> str:
    """What has which weight in the mean."""
    macro = facts.mean == "macro"
    if not facts.weighted:
        return f"each {'benchmark' if macro else facts.noun} {has} the same weight"
    return f"each benchmark {has} the same weight and in it " * macro + f"each {facts.noun} {has} its own weight"


def case_methods(found: CaseEvidence) -> str:
    """What was done, in words that can be pasted into a paper."""
    facts, pairs = found.facts, found.pairs
    sentences = [
        f"We compared {facts.n_algorithms} algorithms on the same {facts.on} ({facts.design}) by their {facts.metric}.",
        f"{who_was_compared(facts)} by {facts.in_words(TESTS[pairs.method].told)}.",
        *by_holm(found),
    ]
    if pairs.correction == "step_down":
        drawn = f" ({pairs.draws:,} draws)" if pairs.draws else ""
        sentences.append(
            f"P-values were adjusted for all pairs at once by a step-down procedure with shared sign flips{drawn} "
            "[@romano2005; @westfall1993]."
        )
    if facts.n_benchmarks > 1 or facts.weighted:
        sentences.append(f"In the mean {_weighting(facts, 'has')}.")
    sentences += [level_and_intervals(found), *practice(found)]
    if facts.holes:
        policies = {
            "pairwise": f"Each pair was compared on the {facts.nouns} that both have.",
            "wrong": "Missing outcomes were counted as wrong.",
        }
        sentences.append(policies[pairs.missing])
    return " ".join(sentences)


# Remarks.


@CASES.remark("few clusters", "warning")
def _few_clusters(found: CaseEvidence) -> Iterator[str]:
    facts = found.facts
    if facts.clustered and facts.n_clusters < FEW_CLUSTERS:
        yield (
            f"{counted(facts.n_clusters, 'cluster')} are few: with fewer than {FEW_CLUSTERS} the p-values rest on the t distribution "
            "alone."
        )


@CASES.remark("weights", "note")
def _unequal_weights(found: CaseEvidence) -> Iterator[str | Remark]:
    """What weights mean, and how much they cost."""
    facts = found.facts
    if not facts.weighted:
        return
    said = (
        f"A weight says how much its {facts.noun} counts in the mean, not how often it was seen. The {facts.on} tell as much as "
        f"about {facts.counted(max(1, round(facts.worth)))} of equal weight; the heaviest has {percent(facts.heaviest)} of all weight."
    )
    costly = facts.worth < facts.n_cases / 2 or facts.heaviest > HEAVY
    yield Remark(topic="weights", sentence=said, weight="caution") if costly else said


@CASES.remark("identical outcomes", "warning")
def _identical(found: CaseEvidence) -> Iterator[str]:
    values, pairs = found.cases.values, found.pairs
    alike = np.flatnonzero(pairs.ties == pairs.n).tolist()
    same = [p for p in alike if np.array_equal(values[:, pairs.first[p]], values[:, pairs.second[p]], equal_nan=True)]
    if same:
        noun = found.facts.noun
        yield f"{pairs_named(pairs, same)} have the same outcome on every {noun}: are they the same system under two names?"


@CASES.remark("few disagreements", "caution")
def _few_disagreements(found: CaseEvidence) -> Iterator[str]:
    if found.facts.kind != "pass_fail" or found.pairs.method not in ("mid-p", "exact"):
        return
    apart = found.pairs.wins + found.pairs.losses
    few = np.flatnonzero((apart < FEW_DISAGREEMENTS) & (apart > 0))
    if len(few):
        a, b = found.pairs.names[int(few[0])]
        more = f", and {counted(len(few) - 1, 'other pair')} on fewer than {FEW_DISAGREEMENTS}" if len(few) > 1 else ""
        yield (
            f"{a} and {b} disagree on only {found.facts.counted(int(apart[few[0]]))}{more}: too few for the exact test ever to "
            "reach p = 0.05. Read these p-values with care."
        )


@CASES.remark("contest", "note")
def _contest(found: CaseEvidence) -> Iterator[str | Remark]:
    """Better than luck, better than the second, and between which places."""
    if found.luck is None or found.facts.control is not None:
        return
    luck, best = found.luck, found.ranking[0]
    beats = luck.pvalue <= found.alpha
    than = f"{found.facts.in_words(luck.rivals)} ({said_pvalue(luck.pvalue)})"
    said = f"{luck.winner} is {'' if beats else 'not '}shown to be better than {than}"
    if len(found.ranking) > 1 and best.algorithm == luck.winner:
        second = found.ranking[1].algorithm
        shown = second in found.beaten_by(best.algorithm)
        adjusted = float(found.pairs.pair(best.algorithm, second).adjusted)
        said += f", and {'' if shown else 'not '}shown to be better than the second, {second} ({said_pvalue(adjusted, 'adjusted p')})"
    place = f"place {best.rank_low}" + (f" to {best.rank_high}" if best.rank_high > best.rank_low else "")
    yield Remark(
        topic="contest",
        sentence=f"{said}; on cases like these it holds {place} of {len(found.ranking)}.",
        weight="note" if beats else "warning",
    )


@CASES.remark("few cases of one class", "caution")
def _few_of_a_class(found: CaseEvidence) -> Iterator[str | Remark]:
    """DeLong's and the jackknife's intervals, as they were measured (docs/methods/cases_calibration.md)."""
    rarest = found.facts.rarest_class
    if 0 < rarest < FEW_OF_A_CLASS and found.pairs.method in ("DeLong", "jackknife"):
        covers = "88 to 92%" if rarest < VERY_FEW_OF_A_CLASS else "90 to 94%"
        yield (
            f"The rarer class has {counted(rarest, 'case')}: with so few, 95% intervals of a difference covered only {covers} "
            "in simulations of two algorithms that resemble each other, and those of a single score 93 to 99%."
        )
    elif 0 < rarest < FEW_OF_A_CLASS and found.facts.kind == "influence":
        yield Remark(
            topic="few cases of one class",
            sentence=f"The rarer class has {counted(rarest, 'case')}: with so few, the 95% interval of a single score covered 92 to 99% in "
            "simulations.",
            weight="note",
        )


@CASES.remark("few failures", "note")
def _few_failures(found: CaseEvidence) -> Iterator[str | Remark]:
    """The interval of one accuracy near 0 or 1."""
    cases = found.cases
    if cases.kind not in ("pass_fail", "bounded"):
        return
    present = ~np.isnan(cases.values)
    passed = np.where(present, cases.values, 0.0).sum(axis=0)
    few = np.minimum(passed, present.sum(axis=0) - passed) < FEW_FAILURES
    if few.any():
        named = listed([name for name, is_few in zip(cases.algorithms, few.tolist(), strict=True) if is_few], most=3)
        has = "has" if few.sum() == 1 else "have"
        yield (
            f"{named} {has} fewer than {FEW_FAILURES} failures or fewer than {FEW_FAILURES} successes: the 95% interval of such an "
            f"accuracy covers 85 to 94%, the less the fewer {found.facts.nouns} there are."
        )
    elif found.pairs.method in ("mid-p", "exact") and cases.n_cases < FEW_STEPS:
        yield Remark(
            topic="few cases",
            sentence=f"On {found.facts.on} the 95% interval of a single accuracy covers 92 to 97%, because an accuracy moves in steps. "
            "That of a difference is not concerned.",
            weight="note",
        )


@CASES.remark("skewed differences", "caution")
def _skewed_numbers(found: CaseEvidence) -> Iterator[str | Remark]:
    resampled = found.pairs.details.get("bootstrap_interval")
    if found.facts.kind == "numeric" and resampled is not None and np.any(resampled):
        whose = "the two" if found.pairs.n_pairs == 1 else counted(int(np.sum(resampled)), "pair")
        yield (
            f"The differences of {whose} are clearly skewed on {found.facts.on}. The interval is the wider of Student's and a studentised "
            "bootstrap's; on 8 to 20 such cases it covered 90 to 95% instead of 95%. Close decisions need more cases."
        )
    elif found.facts.kind == "numeric" and needs_bootstrap(np.nan_to_num(found.cases.values.T)).any():
        yield Remark(
            topic="skewed scores",
            sentence=f"Scores are clearly skewed on {found.facts.on}: on 8 to 20 such cases the 95% interval of a single score covered 90 "
            "to 95%. That of a difference is not concerned.",
            weight="note",
        )
    elif found.facts.kind == "numeric" and found.facts.n_cases < FEW_TO_SEE_SKEW:
        yield Remark(
            topic="few cases",
            sentence=f"On {found.facts.on} skewed differences cannot be told from others; if they are skewed, the 95% interval covers about 90%.",
            weight="note",
        )


@CASES.remark("few cases", "note")
def _few_numbers(found: CaseEvidence) -> Iterator[str]:
    """RMSE and R2 on very few cases."""
    facts = found.facts
    if facts.kind == "influence" and not found.cases.classes and facts.n_cases < FEW_NUMBERS:
        yield (
            f"On {facts.on} the 95% interval of a single {found.cases.metric.said} covered 92 to 95% in simulations, and that of a "
            "difference 92 to 95%."
        )


@CASES.remark("a small benchmark", "caution")
def _small_benchmark(found: CaseEvidence) -> Iterator[str]:
    facts = found.facts
    if facts.n_benchmarks > 1 and facts.smallest_benchmark < FEW_IN_A_BENCHMARK:
        yield (
            f"One benchmark has only {facts.counted(facts.smallest_benchmark)}: with fewer than {FEW_IN_A_BENCHMARK} "
            "the interval of the mean over benchmarks covers 88 to 94% instead of 95%."
        )


@CASES.remark("missing outcomes", "caution")
def _holes(found: CaseEvidence) -> Iterator[str]:
    facts, cases = found.facts, found.cases
    if not facts.holes:
        return
    by = {name: sum(hole[1] == name for hole in facts.holes) for name in cases.algorithms}
    who = listed([f"{name} ({count})" for name, count in by.items() if count], most=4)
    why = "".join(f"; {reason}: {count}" for reason, count in facts.hole_reasons if reason != "missing")
    are = "is" if len(facts.holes) == 1 else "are"
    yield f"{counted(len(facts.holes), 'outcome')} {are} missing: {who}{why}.{_other_policy(found)}"


def _other_policy(found: CaseEvidence) -> str:
    """What counting holes as wrong, or leaving them out, would change."""
    cases, pairs = found.cases, found.pairs
    if cases.worst is None:
        return ""
    other = "wrong" if pairs.missing == "pairwise" else "pairwise"
    them = "it" if len(found.facts.holes) == 1 else "them"
    said = f"Counting {them} as wrong" if other == "wrong" else f"Leaving {them} out pair by pair"
    asked: dict[str, Any] = {name: getattr(pairs, name) for name in ("control", "mean", "confidence")}
    try:
        again = all_pairs(cases, missing=other, exact=pairs.method == "exact", **asked)
    except DataError:  # without the holes too few cases may be left
        return f" {said} would leave too few cases for a test."
    return f" {said} would {changed(pairs, again, found.alpha)}."


@CASES.remark("test and interval", "caution")
def _two_approximations(found: CaseEvidence) -> Iterator[str]:
    """Pairs that are told apart, though the interval of their difference contains 0."""
    pairs = found.pairs
    odd = np.flatnonzero((pairs.adjusted <= found.alpha) & (pairs.low <= 0) & (pairs.high >= 0))
    if len(odd):
        yield (
            f"{pairs_named(pairs, odd)}: told apart by the test, though the interval of the difference contains 0. The p-values and the intervals "
            "are two approximations; call such a pair a close decision."
        )


@CASES.remark("how few cases decide", "note")
def _fewest_cases(found: CaseEvidence) -> Iterator[str | Remark]:
    """How few cases decide who is first, chosen against the leader."""
    facts = found.facts
    if facts.n_algorithms >= FEWEST_ALGORITHMS and facts.control is None:
        return  # the leaderboard says it
    fewest, rival = fewest_cases(found)
    if rival:
        yield Remark(
            topic=f"how few {facts.nouns} decide",
            sentence=without_the_fewest(facts.counted(fewest), fewest / facts.n_cases, found.leader, rival),
            weight="note" if fewest > 1 else "caution",
        )


@CASES.remark("power", "note")
def _smallest_difference(found: CaseEvidence) -> Iterator[str]:
    """The difference that would be found with a probability of 80%, for a typical pair."""
    cases, pairs, facts = found.cases, found.pairs, found.facts
    step = max(1, pairs.n_pairs // MOST_PAIRS)
    macro = facts.mean == "macro"
    chosen = zip(pairs.first[::step].tolist(), pairs.second[::step].tolist(), strict=True)
    variances = [variance_of_pair(cases, i, j, macro=macro)[1] for i, j in chosen]
    variance, n = float(np.median(variances)), int(np.median(pairs.n))
    if not variance > 0 or n < 3:
        return
    size = detectable(n, variance, power=POWER, alpha=found.alpha / pairs.n_pairs)
    yield would_be_found(found, size, POWER)
