"""What is said of algorithms on the same cases: on what, what does not follow, the methods, a careful reviewer's remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from podium.cases._all_pairs import CasePairs, all_pairs
from podium.cases._drops import drops, mean_drops
from podium.cases.clusters import clustered_mean, stratified_mean
from podium.cases.pair_kernels import case_weights
from podium.cases.planning import detectable
from podium.comparison.case_facts import CaseEvidence, CaseFacts
from podium.comparison.comparison import Remark, Verdict
from podium.comparison.verdict import verdict_of
from podium.core.numbers import as_given, counted, listed, percent

FEW_DISAGREEMENTS = 6  # below this no outcome of the exact test reaches 0.05
FEW_OF_A_CLASS, FEW_IN_A_BENCHMARK, FEW_CLUSTERS = 30, 10, 6
POWER = 0.8
MOST_PAIRS = 200  # pairs whose variances are looked at for the smallest difference that can be found

_TESTS = {
    "mid-p": "McNemar's test, mid-p [@mcnemar1947; @fagerland2013], with intervals after Bonett and Price [@bonett2012]",
    "t": "the t test of the case values",
    "sign flips by cluster": "sign flips of whole clusters, with cluster-robust intervals [@bell2002; @pustejovsky2018]",
    "DeLong": "DeLong's test of two AUCs on the same cases [@delong1988; @sun2014]",
    "jackknife": "the jackknife [@efron1981]",
    "jackknife with four cases added": "the jackknife with four cases added [@efron1981; @bonett2012]",
}


def case_verdict(found: CaseEvidence) -> Verdict:
    """The verdict, in words that follow the unit."""
    follow = [
        f"{sentence[: sentence.index('datasets like these')]}cases like these need not be better on others."
        if "datasets like these" in sentence
        else sentence
        for sentence in verdict_of(found).does_not_follow
    ]
    return replace(verdict_of(found), on_what=_on_what(found), does_not_follow=tuple(follow))


def _on_what(found: CaseEvidence) -> str:
    facts = found.facts
    more = [f"the mean of {facts.n_samples} samples each"] if facts.n_samples > 1 else []
    more += [f"in {counted(facts.n_clusters, 'cluster')}"] if facts.clustered else []
    if facts.n_benchmarks > 1:
        weight = "benchmark" if facts.mean == "macro" else "case"
        more.append(f"from {facts.n_benchmarks} benchmarks, each {weight} with the same weight")
    are = "is" if len(facts.holes) == 1 else "are"
    holes = (
        f"; {len(facts.holes)} of {facts.n_cases * facts.n_algorithms} outcomes {are} missing" if facts.holes else ""
    )
    said = found.cases.metric.said if found.unit.noun else "a score"
    better = "" if facts.direction == "higher" and facts.kind == "pass_fail" else f" ({facts.direction} is better)"
    return f"Measured by {said}{better} on {facts.on}{''.join(f', {part}' for part in more)}{holes}."


def case_methods(facts: CaseFacts, pairs: CasePairs, missing: str, alpha: float) -> str:
    """What was done, in words that can be pasted into a paper."""
    if facts.n_algorithms == 2:
        compared = "The two were compared"
    else:
        compared = f"Every algorithm was compared with {facts.control}" if facts.control else "All pairs were compared"
    sentences = [
        f"We compared {facts.n_algorithms} algorithms on the same {facts.on} ({facts.design}) by their {facts.metric}.",
        f"{compared} by {_TESTS[pairs.method]}.",
    ]
    if pairs.correction == "step_down":
        drawn = f" ({pairs.draws:,} draws)" if pairs.draws else ""
        sentences.append(
            f"P-values were adjusted for all pairs at once by a step-down procedure with shared sign flips{drawn} "
            "[@romano2005; @westfall1993]."
        )
    elif pairs.correction == "holm":
        sentences.append("P-values were adjusted by Holm's correction [@holm1979].")
    if facts.n_benchmarks > 1:
        sentences.append(f"Each {'benchmark' if facts.mean == 'macro' else 'case'} has the same weight.")
    together = (
        "for all pairs at once" if pairs.intervals == "simultaneous" and pairs.n_pairs > 1 else "for each pair alone"
    )
    sentences.append(
        f"The level is {as_given(alpha)}; intervals have a confidence of {percent(pairs.confidence)}, {together}."
    )
    if facts.holes:
        sentences.append(
            {
                "pairwise": "Each pair was compared on the cases that both have.",
                "wrong": "Missing outcomes were counted as wrong.",
            }[missing]
        )
    return " ".join(sentences)


# Remarks.


def case_remarks(found: CaseEvidence) -> tuple[Remark, ...]:
    """Every remark that applies, the weightiest first."""
    made = [remark for maker in _MAKERS for remark in maker(found)]
    weights = {"warning": 0, "caution": 1, "note": 2}
    return tuple(sorted(made, key=lambda remark: weights[remark.weight]))


def _few_disagreements(found: CaseEvidence) -> Iterator[Remark]:
    if found.facts.kind != "pass_fail" or found.pairs.method not in ("mid-p", "exact"):
        return
    apart = found.pairs.wins + found.pairs.losses
    few = np.flatnonzero((apart < FEW_DISAGREEMENTS) & (apart > 0))
    if len(few):
        a, b = found.pairs.names[int(few[0])]
        more = f", and so are those of {counted(len(few) - 1, 'other pair')}" if len(few) > 1 else ""
        yield Remark(
            topic="few disagreements",
            sentence=f"{a} and {b} disagree on only {counted(int(apart[few[0]]), 'case')}{more}: too few for the exact test ever to "
            "reach p = 0.05. Read these p-values with care.",
            weight="caution",
        )


def _few_of_a_class(found: CaseEvidence) -> Iterator[Remark]:
    if 0 < found.facts.rarest_class < FEW_OF_A_CLASS:
        yield Remark(
            topic="few cases of one class",
            sentence=f"The rarer class has {counted(found.facts.rarest_class, 'case')}: intervals may be too short below "
            f"{FEW_OF_A_CLASS}.",
            weight="caution",
        )


def _small_benchmark(found: CaseEvidence) -> Iterator[Remark]:
    facts = found.facts
    if facts.n_benchmarks > 1 and facts.smallest_benchmark < FEW_IN_A_BENCHMARK:
        yield Remark(
            topic="a small benchmark",
            sentence=f"One benchmark has only {counted(facts.smallest_benchmark, 'case')}: with fewer than {FEW_IN_A_BENCHMARK} "
            "the interval of the mean over benchmarks covers 92 to 93% instead of 95%.",
            weight="caution",
        )


def _few_clusters(found: CaseEvidence) -> Iterator[Remark]:
    facts = found.facts
    if facts.clustered and facts.n_clusters < FEW_CLUSTERS:
        yield Remark(
            topic="few clusters",
            sentence=f"{counted(facts.n_clusters, 'cluster')} are few: with fewer than {FEW_CLUSTERS} the p-values rest on the t law "
            "alone.",
            weight="warning",
        )


def _identical(found: CaseEvidence) -> Iterator[Remark]:
    values, pairs = found.cases.values, found.pairs
    alike = np.flatnonzero(pairs.ties == pairs.n).tolist()
    same = [p for p in alike if np.array_equal(values[:, pairs.first[p]], values[:, pairs.second[p]], equal_nan=True)]
    if same:
        named = listed([f"{a} and {b}" for a, b in (pairs.names[p] for p in same)], most=3)
        yield Remark(
            topic="identical outcomes",
            sentence=f"{named} have the same outcome on every case: are they the same system under two names?",
            weight="warning",
        )


def _holes(found: CaseEvidence) -> Iterator[Remark]:
    facts, cases = found.facts, found.cases
    if not facts.holes:
        return
    by = {name: sum(hole[1] == name for hole in facts.holes) for name in cases.algorithms}
    who = listed([f"{name} ({count})" for name, count in by.items() if count], most=4)
    why = "".join(f"; {reason}: {count}" for reason, count in facts.hole_reasons if reason != "missing")
    sentence = f"{counted(len(facts.holes), 'outcome')} missing: {who}{why}.".replace(
        "outcomes missing", "outcomes are missing"
    )
    sentence = sentence.replace("outcome missing", "outcome is missing")
    yield Remark(topic="missing outcomes", sentence=f"{sentence}{_other_policy(found)}", weight="caution")


def _other_policy(found: CaseEvidence) -> str:
    """What counting holes as wrong, or leaving them out, would change."""
    cases, pairs = found.cases, found.pairs
    if cases.kind not in ("pass_fail", "bounded") or not cases.metric.higher_is_better:
        return ""
    other = "wrong" if pairs.missing == "pairwise" else "pairwise"
    them = "it" if len(found.facts.holes) == 1 else "them"
    said = f"Counting {them} as wrong" if other == "wrong" else f"Leaving {them} out pair by pair"
    again = all_pairs(
        cases,
        control=pairs.control,
        missing=other,
        mean=pairs.mean,
        exact=pairs.method == "exact",
        confidence=pairs.confidence,
    )
    changed = pairs.better(found.alpha) != again.better(found.alpha)
    names = [f"{a} and {b}" for a, b in pairs.names if changed[_at(pairs, a, b)] or changed[_at(pairs, b, a)]]
    if not names:
        return f" {said} would change no decision."
    return f" {said} would change the decision on {listed(names, most=3)}."


def _at(pairs: CasePairs, a: str, b: str) -> tuple[int, int]:
    return pairs.algorithms.index(a), pairs.algorithms.index(b)


def _two_approximations(found: CaseEvidence) -> Iterator[Remark]:
    """Pairs that are told apart, though the interval of their difference contains 0."""
    pairs = found.pairs
    odd = np.flatnonzero((pairs.adjusted <= found.alpha) & (pairs.low <= 0) & (pairs.high >= 0))
    if len(odd):
        named = listed([f"{a} and {b}" for a, b in (pairs.names[p] for p in odd)], most=3)
        yield Remark(
            topic="test and interval",
            sentence=f"{named}: told apart by the test, though the interval of the difference contains 0. The p-values and the intervals "
            "are two approximations, and the step-down test is the sharper one; call such a pair a close decision.",
            weight="caution",
        )


def _fewest_cases(found: CaseEvidence) -> Iterator[Remark]:
    """How few cases decide who is first, chosen against the leader."""
    cases, facts = found.cases, found.facts
    if facts.kind == "influence" or found.all_equal:
        return
    weights = case_weights(cases.benchmark, facts.mean == "macro")
    gains = cases.metric.sign * cases.values * weights[:, None]
    lead = cases.algorithms.index(found.leader)
    fewest, rival = facts.n_cases + 1, ""
    for place, name in enumerate(cases.algorithms):
        if place == lead:
            continue
        differences = gains[:, lead] - gains[:, place]
        differences = differences[~np.isnan(differences)]
        needed = mean_drops(differences) if differences.sum() > 0 else 0
        if differences.sum() > 0 and facts.kind == "pass_fail" and found.pairs.method == "mid-p":
            needed = drops(int((differences > 0).sum()), int((differences < 0).sum()), alpha=found.alpha).reversal
        if 0 < needed < fewest:
            fewest, rival = needed, name
    if rival:
        share = percent(fewest / facts.n_cases)
        yield Remark(
            topic="how few cases decide",
            sentence=f"Without {counted(fewest, 'case')} ({share} of all, chosen against it), {found.leader} would no longer be ahead "
            f"of {rival}.",
            weight="note" if fewest > 1 else "caution",
        )


def _smallest_difference(found: CaseEvidence) -> Iterator[Remark]:
    """The difference that would be found with a probability of 80%, for a typical pair."""
    cases, pairs, facts = found.cases, found.pairs, found.facts
    step = max(1, pairs.n_pairs // MOST_PAIRS)
    variances = []
    for i, j in zip(pairs.first[::step], pairs.second[::step], strict=True):
        differences = cases.values[:, i] - cases.values[:, j]
        there = ~np.isnan(differences)
        _, cluster = np.unique(cases.cluster[there], return_inverse=True)
        _, benchmark = np.unique(cases.benchmark[there], return_inverse=True)
        if facts.n_benchmarks > 1:
            error = stratified_mean(differences[there], benchmark, cluster, macro=facts.mean == "macro").error
        else:
            error = clustered_mean(differences[there], cluster).error
        variances.append(float(error) ** 2 * there.sum())
    variance, n = float(np.median(variances)), int(np.median(pairs.n))
    if not variance > 0 or n < 3:
        return
    size = detectable(n, variance, power=POWER, alpha=found.alpha / pairs.n_pairs)
    yield Remark(
        topic="power",
        sentence=f"A true difference of about {found.unit.at(size).amount(size)} would be found with a probability of "
        f"{percent(POWER)}; smaller ones are likely to be missed.",
        weight="note",
    )


def _source(found: CaseEvidence) -> Iterator[Remark]:
    for note in found.notes:
        yield Remark(topic="source", sentence=note, weight="note")


_MAKERS: tuple[Callable[[CaseEvidence], Iterator[Remark]], ...] = (
    _few_clusters,
    _identical,
    _few_disagreements,
    _few_of_a_class,
    _small_benchmark,
    _holes,
    _two_approximations,
    _fewest_cases,
    _smallest_difference,
    _source,
)
