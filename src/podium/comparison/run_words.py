"""What is said of agents on tasks: on what, what does not follow, the methods, a careful reviewer's remarks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np

from podium.comparison.comparison import Remark, Verdict
from podium.comparison.run_facts import RunEvidence, RunFacts
from podium.comparison.verdict import verdict_of
from podium.core.errors import PodiumError
from podium.core.numbers import as_given, counted, listed, number, percent
from podium.runs._all_pairs import FEWEST_TASKS, RunPairs
from podium.runs.planning import runs_needed, variance_split
from podium.runs.registry import AGGREGATES

FEW_RUNS = 3
POWER = 0.8


def run_verdict(found: RunEvidence) -> Verdict:
    """The verdict, in words that follow the unit."""
    told = verdict_of(found)
    follow = [
        "What is better on these tasks need not be better on others." if "datasets like these" in sentence else sentence
        for sentence in told.does_not_follow
    ]
    return replace(told, on_what=_on_what(found.facts), does_not_follow=tuple(follow))


def _on_what(facts: RunFacts) -> str:
    label = AGGREGATES[facts.aggregate].label
    named = "scores" if facts.metric.lower() == "score" else facts.metric.replace("_", " ")
    of = "" if facts.aggregate == "optimality_gap" else f" of {named}"
    better = "" if facts.direction == "higher" else " (lower is better)"
    return f"Measured by the {label}{of}{better} on {facts.on}, {facts.design}."


def run_methods(facts: RunFacts, pairs: RunPairs, alpha: float) -> str:
    """What was done, in words that can be pasted into a paper."""
    label = AGGREGATES[facts.aggregate].label
    if facts.n_algorithms == 2:
        compared = "The two were compared"
    else:
        compared = f"Every agent was compared with {facts.control}" if facts.control else "All pairs were compared"
    winsorised = " of winsorised scores [@tukey1963]" if facts.aggregate == "iqm" else ""
    together = (
        "for all pairs at once" if pairs.intervals == "simultaneous" and pairs.n_pairs > 1 else "for each pair alone"
    )
    sentences = [
        f"We compared {facts.n_algorithms} agents on the same {facts.on} with {facts.runs} of each agent on each task "
        f"({facts.scale}).",
        f"{compared} by the difference of the {label} [@agarwal2021], with a t test stratified by task{winsorised} and "
        "Satterthwaite's degrees of freedom [@satterthwaite1946].",
        "Runs of the same seed were compared with each other."
        if pairs.paired
        else "Runs of different agents were taken as independent.",
    ]
    if pairs.correction == "holm":
        sentences.append("P-values were adjusted by Holm's correction [@holm1979].")
    sentences.append(
        f"The level is {as_given(alpha)}; intervals have a confidence of {percent(pairs.confidence)}, {together}."
    )
    return " ".join(sentences)


# Remarks.


def run_remarks(found: RunEvidence) -> tuple[Remark, ...]:
    """Every remark that applies, the weightiest first."""
    made = [remark for maker in _MAKERS for remark in maker(found)]
    weights = {"warning": 0, "caution": 1, "note": 2}
    return tuple(sorted(made, key=lambda remark: weights[remark.weight]))


def _never_vary(found: RunEvidence) -> Iterator[Remark]:
    spread = np.nanmax(found.runs.values, axis=2) - np.nanmin(found.runs.values, axis=2)
    still = [name for name, own in zip(found.runs.algorithms, spread, strict=True) if not own.any()]
    if still:
        yield Remark(
            topic="runs that never vary",
            sentence=f"All runs of {listed(still, most=3)} have the same score on every task: are they copies of one run? They say "
            "nothing about how far runs scatter.",
            weight="warning",
        )


def _few_runs(found: RunEvidence) -> Iterator[Remark]:
    if found.facts.fewest_runs < FEW_RUNS:
        yield Remark(
            topic="few runs",
            sentence=f"Some agent has only {counted(found.facts.fewest_runs, 'run')} on a task: intervals were measured to hold from "
            f"{FEW_RUNS} on. Add runs.",
            weight="caution",
        )


def _few_tasks(found: RunEvidence) -> Iterator[Remark]:
    if found.facts.aggregate == "iqm" and found.facts.n_tasks < FEWEST_TASKS:
        yield Remark(
            topic="few tasks",
            sentence=f"With fewer than {FEWEST_TASKS} tasks the quartiles of all scores jump from task to task, and the interval of the "
            "interquartile mean may be too short: look at the mean as well.",
            weight="caution",
        )


def _scale(found: RunEvidence) -> Iterator[Remark]:
    facts = found.facts
    if facts.normalised.startswith("min-max"):
        yield Remark(
            topic="normalisation",
            sentence="The lowest and the highest score of these runs are 0 and 1 on each task: with other agents beside them the same runs "
            "get other numbers. Give reference scores where you have them.",
            weight="caution",
        )
    elif not facts.normalised and facts.n_tasks > 1:
        spans = np.nanmax(found.runs.values, axis=(0, 2)) - np.nanmin(found.runs.values, axis=(0, 2))
        if spans.max() > 10 * spans.min() > 0:
            widest, least = (found.runs.tasks[int(place)] for place in (np.argmax(spans), np.argmin(spans)))
            yield Remark(
                topic="normalisation",
                sentence=f"The scores are as they were given, and spread {number(float(spans.max() / spans.min()), 2)} times as far on {widest} "
                f"as on {least}: tasks with large scores rule the result. Normalise them.",
                weight="warning",
            )


def _seeds(found: RunEvidence) -> Iterator[Remark]:
    facts = found.facts
    if found.pairs.paired or not facts.shared_seeds or facts.seed_correlation is None:
        return
    yield Remark(
        topic="seeds",
        sentence=f"The agents share {counted(facts.shared_seeds, 'seed')}; scores of one seed correlate by "
        f"{number(facts.seed_correlation, 2)} between agents. The runs were taken as independent; if a seed fixes the same luck for all "
        "agents, compare runs of one seed with each other (paired).",
        weight="note",
    )


def _disagree(found: RunEvidence) -> Iterator[Remark]:
    """Pairs that the aggregate puts one way and the probability of improvement clearly the other way."""
    pairs = found.pairs
    against = ((pairs.side > 0) & (pairs.improvement_high < 0.5)) | ((pairs.side < 0) & (pairs.improvement_low > 0.5))
    odd = np.flatnonzero((pairs.adjusted <= found.alpha) & against)
    if len(odd):
        named = listed([f"{a} and {b}" for a, b in (pairs.names[p] for p in odd)], most=3)
        yield Remark(
            topic="aggregate and improvement",
            sentence=f"{named}: the one with the better {AGGREGATES[pairs.aggregate].label} wins less than half of the single runs. It wins "
            "rarely, but by more; say which of the two matters to you.",
            weight="caution",
        )


def _power(found: RunEvidence) -> Iterator[Remark]:
    """The difference that so many runs would find, for the first two of the ranking."""
    if len(found.names) < 2:
        return
    first, second = found.names[:2]
    alpha = found.alpha / found.pairs.n_pairs
    kind = found.pairs.aggregate
    try:
        plan = runs_needed(found.runs, 1.0, algorithms=(first, second), aggregate=kind, power=POWER, alpha=alpha)
        half = runs_needed(
            found.runs, plan.detectable_now / 2, algorithms=(first, second), aggregate=kind, power=POWER, alpha=alpha
        )
    except PodiumError:
        return
    yield Remark(
        topic="power",
        sentence=f"A true difference of about {number(plan.detectable_now, 2)} between {first} and {second} would be found with a "
        f"probability of {percent(POWER)}; half as much needs about {counted(half.runs, 'run')} per task.",
        weight="note",
    )


def _variance(found: RunEvidence) -> Iterator[Remark]:
    try:
        split = variance_split(found.runs)
    except PodiumError:
        return
    yield Remark(topic="variance", sentence=split.summary(), weight="note")


def _source(found: RunEvidence) -> Iterator[Remark]:
    for note in found.notes:
        yield Remark(topic="source", sentence=note, weight="note")


_MAKERS: tuple[Callable[[RunEvidence], Iterator[Remark]], ...] = (
    _never_vary,
    _few_runs,
    _few_tasks,
    _scale,
    _disagree,
    _seeds,
    _power,
    _variance,
    _source,
)
