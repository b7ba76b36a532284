"""What agents on tasks are like: the facts of their runs, and the evidence with the words that follow the unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from podium.comparison.evidence import Evidence
from podium.comparison.facts import Facts, measured
from podium.core.numbers import counted
from podium.core.runs import Runs
from podium.runs._aggregates import AggregatesResult
from podium.runs._all_pairs import FEWEST_TASKS, RunPairs, seed_correlation


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
