"""What a careful reviewer remarks on algorithms on the same cases: one function each, with its topic and weight above it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.cases._all_pairs import all_pairs
from podium.cases.planning import detectable_by_counts, minimum_detectable
from podium.comparison.case_missing import changed
from podium.comparison.comparison import Remark
from podium.comparison.leaderboard import FEWEST_ALGORITHMS, fewest_cases, variance_of_pair, without_the_fewest
from podium.comparison.methods import pairs_named, would_be_found
from podium.comparison.reviewer import Reviewer, Said
from podium.core.errors import DataError
from podium.core.numbers import counted, listed, percent
from podium.core.search import USUAL_POWER
from podium.core.words import MissingOutcomes

if TYPE_CHECKING:
    from podium.comparison.units.case import CaseUnit

FEW_DISAGREEMENTS = 6  # below this no outcome of the exact test reaches 0.05
FEW_CLUSTERS = 6  # below, no signs of clusters could give p = 0.05: two of the 2^5 of five are 0.0625
# Where intervals were measured to cover less, and much less, than they say (docs/methods/cases_calibration.md).
FEW_OF_A_CLASS, FEW_IN_A_BENCHMARK, VERY_FEW_IN_A_BENCHMARK = 50, 20, 8
FEW_NUMBERS = 100  # cases; below, the jackknife of an RMSE or R2 is a little short
FEW_FAILURES = 10  # fewer failures, or successes, than this: Wilson's interval of one accuracy covers 85 to 94%
FEW_TO_SEE_SKEW = 20  # cases
FEW_STEPS = 100  # cases; below, the steps of an accuracy make Wilson's interval cover 92% for some accuracies
HEAVY = 0.2  # of all weight in one case
COUNTING = ("mid-p", "exact")  # tests of how often each of two is better
MOST_PAIRS = 200  # pairs whose variances are looked at for the smallest difference that can be found

CASES: Reviewer[CaseUnit] = Reviewer()


@CASES.remark("few clusters", "warning")
def _few_clusters(unit: CaseUnit) -> Iterator[str]:
    facts = unit.facts
    if facts.clustered and facts.n_clusters < FEW_CLUSTERS:
        yield (
            f"{counted(facts.n_clusters, 'cluster')} are few: with fewer than {FEW_CLUSTERS} the p-values rest only on the t "
            "distribution."
        )


@CASES.remark("weights", "note")
def _unequal_weights(unit: CaseUnit) -> Iterator[Said]:
    """What weights mean, and how much they cost."""
    facts = unit.facts
    if not facts.weighted:
        return
    said = (
        f"A weight says how much its {facts.noun} counts in the mean, not how often it was seen. The effective sample size of the "
        f"{facts.on} is about {facts.counted(max(1, round(facts.worth)))};  the heaviest has {percent(facts.heaviest)} of all weight."
    )
    costly = facts.worth < facts.n_cases / 2 or facts.heaviest > HEAVY
    yield said, "caution" if costly else "note"


@CASES.remark("few disagreements", "caution")
def _few_disagreements(unit: CaseUnit) -> Iterator[str]:
    if unit.facts.kind != "pass_fail" or unit.pairs.method not in ("mid-p", "exact"):
        return
    apart = unit.pairs.wins + unit.pairs.losses
    few = np.flatnonzero((apart < FEW_DISAGREEMENTS) & (apart > 0))
    if len(few):
        a, b = unit.pairs.names[int(few[0])]
        more = f", and {counted(len(few) - 1, 'other pair')} on fewer than {FEW_DISAGREEMENTS}" if len(few) > 1 else ""
        yield (
            f"{a} and {b} disagree on only {unit.facts.counted(int(apart[few[0]]))}{more}: too few for the exact test ever to "
            "reach p = 0.05. Treat these p-values with care."
        )


@CASES.remark("few cases of one class", "caution")
def _few_of_a_class(unit: CaseUnit) -> Iterator[Said]:
    """DeLong's and the jackknife's intervals, as they were measured (docs/methods/cases_calibration.md)."""
    rarest = unit.facts.rarest_class
    if not 0 < rarest < FEW_OF_A_CLASS:
        return
    if unit.pairs.method == "DeLong":
        yield (
            f"With {counted(rarest, 'case')} of the rarer class the intervals are wide on purpose: a few hard cases may be missing by "
            "chance. In simulations the 95% intervals of differences covered 94 to 100%, and those of single scores 92% and more."
        )
    elif unit.pairs.method == "jackknife":
        yield (
            f"The rarer class has {counted(rarest, 'case')}: with so few, 95% intervals of a difference covered as little as 88% "
            "in simulations of two algorithms that resemble each other, and those of a single score 93 to 99%."
        )
    elif unit.facts.kind == "influence":
        yield (
            f"The rarer class has {counted(rarest, 'case')}: with so few, the 95% interval of a single score covered 92 to 99% in "
            "simulations.",
            "note",
        )


@CASES.remark("few failures", "note")
def _few_failures(unit: CaseUnit) -> Iterator[Said]:
    """The interval of one accuracy near 0 or 1."""
    cases = unit.evidence
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
            f"accuracy covers 85 to 94%, less with fewer {unit.facts.nouns}."
        )
    elif unit.pairs.method in ("mid-p", "exact") and cases.n_cases < FEW_STEPS:
        sentence = (
            f"On {unit.facts.on} the 95% interval of a single accuracy covers 92 to 97%, because an accuracy moves in steps; "
            "that of a difference covers about 93% if all disagreements have one side."
        )
        yield Remark("few cases", sentence, "note")


@CASES.remark("few cases", "note")
def _few_to_see_skew(unit: CaseUnit) -> Iterator[str]:
    """Numbers on so few cases that skew is not seen: what the rule that allows for it was measured to err by."""
    facts = unit.facts
    if facts.kind == "numeric" and facts.n_clusters < FEW_TO_SEE_SKEW:
        yield (
            f"On {facts.counted(facts.n_clusters) if not facts.clustered else counted(facts.n_clusters, 'cluster')} skew cannot be detected: "
            "p-values and intervals may err in 8 to 18% instead of 5% if the differences are skewed, and more if a rare failure is missing: one "
            f"that hits fewer than {percent(1 - unit.alpha ** (1 / facts.n_clusters))} of {facts.nouns} may be."
        )


@CASES.remark("unseen failures", "note")
def _unseen_failures(unit: CaseUnit) -> Iterator[str]:
    """Numbers without a known range: what no case shows, no rule can allow for."""
    facts, ends = unit.facts, unit.evidence.ends
    if facts.kind == "numeric" and ends is None and facts.n_clusters >= FEW_TO_SEE_SKEW:
        small = facts.n_benchmarks > 1 and facts.mean == "macro"
        unseen = 1 - unit.alpha ** (1 / (facts.smallest_benchmark if small else facts.n_clusters))
        yield (
            f"P-values and intervals allow for skew, but not for a failure that is missing among these {facts.nouns}: one that hits "
            f"fewer than {percent(unseen)} of {f'the {facts.nouns} of the smallest benchmark' if small else 'them'} may be."
        )


@CASES.remark("few cases", "note")
def _few_numbers(unit: CaseUnit) -> Iterator[str]:
    """RMSE and R2 on very few cases."""
    facts = unit.facts
    if facts.kind == "influence" and not unit.evidence.classes and facts.n_cases < FEW_NUMBERS:
        yield (
            f"On {facts.on} the 95% interval of a single {unit.evidence.metric.display_name} covered 92 to 95% in simulations, and that of a "
            "difference 92 to 95%."
        )


@CASES.remark("a small benchmark", "caution")
def _small_benchmark(unit: CaseUnit) -> Iterator[str]:
    """The benchmark whose few cases have as much weight as those of any other, and pairs that never disagree there."""
    facts, cases = unit.facts, unit.evidence
    if facts.n_benchmarks < 2 or facts.mean != "macro" or facts.smallest_benchmark >= FEW_IN_A_BENCHMARK:
        return
    sizes = np.bincount(cases.benchmark)
    place = int(np.argmin(sizes))
    here = cases.benchmark == place
    name, few = cases.benchmarks[int(np.argmax(here))], facts.counted(int(sizes[place]))
    covers = 82 if sizes[place] < VERY_FEW_IN_A_BENCHMARK else 90
    short = (
        ""
        if facts.kind == "pass_fail"
        else f" If the values are skewed, 95% intervals of the mean cover as little as {covers}%."
    )
    yield f"{percent(1 / facts.n_benchmarks)} of the weight lies on the {few} of {name}.{short}"
    gaps = cases.values[here][:, unit.pairs.first] - cases.values[here][:, unit.pairs.second]
    silent = np.flatnonzero(np.all(np.nan_to_num(gaps) == 0, axis=0))
    if len(silent) and facts.kind == "pass_fail":
        yield (
            f"On {name} {pairs_named(unit.pairs, silent)} never disagree: with only {few} that is weak evidence, and it counts as such."
        )


@CASES.remark("missing outcomes", "caution")
def _holes(unit: CaseUnit) -> Iterator[str]:
    facts, cases = unit.facts, unit.evidence
    if not facts.missing_scores:
        return
    by = {name: sum(hole.algorithm == name for hole in facts.missing_scores) for name in cases.algorithms}
    who = listed([f"{name} ({count})" for name, count in by.items() if count], most=4)
    reasons = Counter(sorted(hole.why for hole in facts.missing_scores if hole.why))
    why = "".join(f"; {reason}: {count}" for reason, count in reasons.items())
    are = "is" if len(facts.missing_scores) == 1 else "are"
    yield f"{counted(len(facts.missing_scores), 'outcome')} {are} missing: {who}{why}.{_other_policy(unit)}"


def _other_policy(unit: CaseUnit) -> str:
    """What counting missing outcomes as wrong, or leaving them out, would change."""
    cases, pairs = unit.evidence, unit.pairs
    if cases.worst is None:
        return ""
    other: MissingOutcomes = "wrong" if pairs.missing == "pairwise" else "pairwise"
    them = "it" if len(unit.facts.missing_scores) == 1 else "them"
    said = f"Counting {them} as wrong" if other == "wrong" else f"Leaving {them} out pair by pair"
    asked: dict[str, Any] = {name: getattr(pairs, name) for name in ("control", "mean", "confidence")}
    try:
        again = all_pairs(cases, missing=other, exact=pairs.method == "exact", **asked)
    except DataError:  # without the holes too few cases may be left
        return f" {said} would leave too few cases for a test."
    return f" {said} would {changed(pairs, again, unit.alpha)}."


@CASES.remark("a benchmark that a pair lacks", "caution")
def _lacking_benchmark(unit: CaseUnit) -> Iterator[str]:
    """Pairs that are compared on their common cases, of which one of the benchmarks has none."""
    cases, pairs = unit.filled, unit.pairs
    if unit.facts.n_benchmarks < 2 or not cases.has_holes or cases.kind == "influence":
        return
    present = ~np.isnan(cases.values)
    for place in range(unit.facts.n_benchmarks):
        here = present[cases.benchmark == place].astype(np.int64)
        lacking = np.flatnonzero((here.T @ here)[pairs.first, pairs.second] == 0)
        if len(lacking):
            name = cases.benchmarks[int(np.argmax(cases.benchmark == place))]
            yield f"{pairs_named(pairs, lacking)} have no common case of {name}: they are compared on the other benchmarks only."


@CASES.remark("test and interval", "caution")
def _two_approximations(unit: CaseUnit) -> Iterator[str]:
    """Pairs that differ significantly, though the interval of their difference contains 0."""
    pairs = unit.pairs
    odd = np.flatnonzero((pairs.adjusted <= unit.alpha) & (pairs.low <= 0) & (pairs.high >= 0))
    if len(odd):
        yield (
            f"The difference is significant, though its interval contains 0, for {counted(len(odd), 'pair')} ({pairs_named(pairs, odd)}). "
            "The p-values and the intervals are two approximations; treat such a pair as borderline."
        )


@CASES.remark("sensitive to few cases", "note")
def _fewest_cases(unit: CaseUnit) -> Iterator[Said]:
    """How few cases decide who is first, chosen against the leader."""
    facts = unit.facts
    if facts.n_algorithms >= FEWEST_ALGORITHMS and facts.control is None:
        return  # the leaderboard says it
    fewest, rival = fewest_cases(unit)
    if rival:
        sentence = without_the_fewest(facts.counted(fewest), fewest / facts.n_cases, unit.leader, rival)
        yield Remark(f"sensitive to few {facts.nouns}", sentence, "note" if fewest > 1 else "caution")


@CASES.remark("power", "note")
def _smallest_difference(unit: CaseUnit) -> Iterator[str]:
    if unit.detectable is None:
        return
    tail = " This assumes symmetric differences: with a long tail, as few as 2 in 10 are detected."
    numeric = unit.facts.kind == "numeric" and unit.pairs.method not in COUNTING
    yield f"{would_be_found(unit, unit.detectable, USUAL_POWER)}{tail if numeric else ''}"


def detectable_on(unit: CaseUnit) -> float | None:
    """The difference that would be found with a probability of 80%, for a typical pair."""
    pairs, macro = unit.pairs, unit.facts.mean == "macro"
    step = max(1, pairs.n_pairs // MOST_PAIRS)
    chosen = zip(pairs.first[::step].tolist(), pairs.second[::step].tolist(), strict=True)
    variances = [variance_of_pair(unit.evidence, i, j, macro=macro)[1] for i, j in chosen]
    variance, n, level = float(np.median(variances)), int(np.median(pairs.n)), unit.alpha / pairs.n_pairs
    if not variance > 0 or n < 3:
        return None
    if pairs.method in COUNTING:
        apart = float(np.median((pairs.wins + pairs.losses + 2) / (pairs.n + 2)))
        return detectable_by_counts(n, apart, power=USUAL_POWER, alpha=level)
    return minimum_detectable(n, variance, power=USUAL_POWER, alpha=level)
