"""What agents on tasks are like, and what is said of them: facts, evidence, verdict, methods, remarks."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from podium.comparison.comparison import Remark, Verdict
from podium.comparison.evidence import Evidence, Reviewer
from podium.comparison.facts import Facts, measured
from podium.comparison.methods import by_holm, level_and_intervals, pairs_named, who_was_compared
from podium.comparison.verdict import verdict_of
from podium.core.errors import PodiumError
from podium.core.numbers import counted, listed, number, percent
from podium.core.runs import Runs
from podium.runs._aggregates import AggregatesResult
from podium.runs._all_pairs import FEWEST_TASKS, RunPairs, seed_correlation
from podium.runs._normalise import scales_apart
from podium.runs.planning import runs_needed, variance_split
from podium.runs.registry import AGGREGATES

FEW_RUNS = 3
POWER = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts(Facts):
    """What the rules for runs look at; `seed_correlation` is how runs of one seed go together, None where none is shared."""

    metric: str
    direction: str
    n_algorithms: int
    control: str | None
    unit: str = "run"
    who: ClassVar[str] = "agents"
    n_tasks: int
    fewest_runs: int
    most_runs: int
    shared_seeds: int
    seed_correlation: float | None
    normalised: str
    aggregate: str

    @property
    def on(self) -> str:
        """What the agents were compared on, counted."""
        return counted(self.n_tasks, "task")

    @property
    def runs(self) -> str:
        """How many runs a cell has."""
        same = self.fewest_runs == self.most_runs
        return counted(self.most_runs, "run") if same else f"{self.fewest_runs} to {self.most_runs} runs"

    @property
    def design(self) -> str:
        """Runs and their scale in words."""
        return f"{self.runs} of each agent on each task, {self.scale}"

    @property
    def scale(self) -> str:
        """How the scores were made comparable, in a few words."""
        return f"scores {self.normalised.split(':')[0]}" if self.normalised else "scores as they were given"

    @property
    def has_enough_tasks(self) -> bool:
        """Whether the quartiles of all scores are steady."""
        return self.n_tasks >= FEWEST_TASKS

    def in_words(self, sentence: str) -> str:
        """A sentence with the number of tasks that are enough."""
        return sentence.replace("{fewest_tasks}", str(FEWEST_TASKS))


def run_facts(data: Runs, pairs: RunPairs) -> RunFacts:
    """Count the facts of runs."""
    counts = data.counts
    return RunFacts(
        **measured(pairs.metric, data, pairs.control),
        n_tasks=data.n_tasks,
        fewest_runs=int(counts.min()),
        most_runs=int(counts.max()),
        shared_seeds=len(data.seeds),
        seed_correlation=seed_correlation(data),
        normalised=data.normalised,
        aggregate=pairs.aggregate,
    )


@dataclass(frozen=True, kw_only=True)
class RunEvidence(Evidence):
    """What was found on runs; the words that differ from those over datasets."""

    facts: RunFacts
    pairs: RunPairs
    runs: Runs
    aggregates: AggregatesResult
    rows: str = "tasks"
    test_label: str = "The t test stratified by task"
    elsewhere: str = "What is better on these tasks need not be better on others."


RUNS = Reviewer[RunEvidence]()


def run_verdict(found: RunEvidence) -> Verdict:
    """The verdict, in words that follow the unit."""
    return verdict_of(found, on_what=_on_what(found.facts))


def _on_what(facts: RunFacts) -> str:
    label = AGGREGATES[facts.aggregate].label
    named = "scores" if facts.metric.lower() == "score" else facts.metric.replace("_", " ")
    of = "" if facts.aggregate == "optimality_gap" else f" of {named}"
    better = "" if facts.direction == "higher" else " (lower is better)"
    return f"Measured by the {label}{of}{better} on {facts.on}, {facts.design}."


def run_methods(found: RunEvidence) -> str:
    """What was done, in words that can be pasted into a paper."""
    facts = found.facts
    winsorised = " of winsorised scores [@tukey1963]" if facts.aggregate == "iqm" else ""
    sentences = [
        f"We compared {facts.n_algorithms} agents on the same {facts.on} with {facts.runs} of each agent on each task "
        f"({facts.scale}).",
        f"{who_was_compared(facts)} by the difference of the {AGGREGATES[facts.aggregate].label} [@agarwal2021], with a t test "
        f"stratified by task{winsorised} and Satterthwaite's degrees of freedom [@satterthwaite1946].",
        "Runs of the same seed were compared with each other."
        if found.pairs.paired
        else "Runs of different agents were taken as independent.",
        *by_holm(found),
        level_and_intervals(found),
    ]
    return " ".join(sentences)


# Remarks.


@RUNS.remark("runs that never vary", "warning")
def _never_vary(found: RunEvidence) -> Iterator[str]:
    spread = np.nanmax(found.runs.values, axis=2) - np.nanmin(found.runs.values, axis=2)
    still = [name for name, own in zip(found.runs.algorithms, spread, strict=True) if not own.any()]
    if still:
        yield (
            f"All runs of {listed(still, most=3)} have the same score on every task: are they copies of one run? They say "
            "nothing about how far runs scatter."
        )


@RUNS.remark("few runs", "caution")
def _few_runs(found: RunEvidence) -> Iterator[str]:
    if found.facts.fewest_runs < FEW_RUNS:
        yield (
            f"Some agent has only {counted(found.facts.fewest_runs, 'run')} on a task: intervals were measured to hold from "
            f"{FEW_RUNS} on. Add runs."
        )


@RUNS.remark("few tasks", "caution")
def _few_tasks(found: RunEvidence) -> Iterator[str]:
    if found.facts.aggregate == "iqm" and found.facts.n_tasks < FEWEST_TASKS:
        yield (
            f"With fewer than {FEWEST_TASKS} tasks the quartiles of all scores jump from task to task, and the interval of the "
            "interquartile mean may be too short: look at the mean as well."
        )


@RUNS.remark("normalisation", "caution")
def _scale(found: RunEvidence) -> Iterator[str | Remark]:
    facts = found.facts
    if facts.normalised.startswith("min-max"):
        yield (
            "The lowest and the highest score of these runs are 0 and 1 on each task: with other agents beside them the same runs "
            "get other numbers. Give reference scores where you have them."
        )
    elif not facts.normalised and facts.aggregate == "optimality_gap":
        yield (
            "The optimality gap says how far scores stay below 1 on average. These scores are as they were given: it means something "
            "only if 1 is the score to reach on each task."
        )
    elif not facts.normalised and facts.n_tasks > 1:
        apart = scales_apart(found.runs)
        if apart is not None:
            yield Remark(
                topic="normalisation",
                sentence=f"The scores are as they were given, and spread {number(apart.times, 2)} times as far on {apart.widest} "
                f"as on {apart.narrow}: tasks with large scores rule the result. Normalise them.",
                weight="warning",
            )


@RUNS.remark("aggregate and improvement", "caution")
def _disagree(found: RunEvidence) -> Iterator[str]:
    """Pairs that the aggregate puts one way and the probability of improvement clearly the other way."""
    pairs = found.pairs
    against = ((pairs.side > 0) & (pairs.improvement_high < 0.5)) | ((pairs.side < 0) & (pairs.improvement_low > 0.5))
    odd = np.flatnonzero((pairs.adjusted <= found.alpha) & against)
    if len(odd):
        yield (
            f"{pairs_named(pairs, odd)}: the one with the better {AGGREGATES[pairs.aggregate].label} wins less than half of the single runs. It wins "
            "rarely, but by more; say which of the two matters to you."
        )


@RUNS.remark("seeds", "note")
def _seeds(found: RunEvidence) -> Iterator[str]:
    facts = found.facts
    if found.pairs.paired or not facts.shared_seeds or facts.seed_correlation is None:
        return
    yield (
        f"The agents share {counted(facts.shared_seeds, 'seed')}; scores of one seed correlate by "
        f"{number(facts.seed_correlation, 2)} between agents. The runs were taken as independent; if a seed fixes the same luck for all "
        "agents, compare runs of one seed with each other (paired)."
    )


@RUNS.remark("power", "note")
def _power(found: RunEvidence) -> Iterator[str]:
    """The difference that so many runs would find, for the first two of the ranking."""
    if len(found.names) < 2:
        return
    first, second = found.names[:2]
    asked: dict[str, Any] = {"algorithms": (first, second), "aggregate": found.pairs.aggregate, "power": POWER}
    asked["alpha"] = found.alpha / found.pairs.n_pairs
    try:
        plan = runs_needed(found.runs, 1.0, **asked)
        half = runs_needed(found.runs, plan.detectable_now / 2, **asked)
    except PodiumError:
        return
    yield (
        f"A true difference of about {number(plan.detectable_now, 2)} between {first} and {second} would be found with a "
        f"probability of {percent(POWER)}; half as much needs about {counted(half.runs, 'run')} per task."
    )


@RUNS.remark("variance", "note")
def _variance(found: RunEvidence) -> Iterator[str]:
    try:
        split = variance_split(found.runs)
    except PodiumError:
        return
    yield split.summary()
