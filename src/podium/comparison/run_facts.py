"""What agents on tasks are like: the facts of their runs, and the evidence with the words that follow the unit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from podium.comparison.evidence import Evidence
from podium.comparison.facts import Facts
from podium.core.numbers import Unit, counted
from podium.core.runs import Runs
from podium.runs._aggregates import AggregatesResult
from podium.runs._all_pairs import RunPairs, seed_correlation
from podium.runs.registry import AGGREGATES

# What belongs to facts over datasets only.
NOT_OF_RUNS = (
    "n_datasets", "n_complete", "partial_cells", "repeats", "folds", "is_5x2", "n_families", "costs", "ceiling_share",
    "tied_share", "holes", "rope",
)  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts(Facts):
    """What the rules for runs look at; `seed_correlation` is how runs of one seed go together, None where none is shared."""

    unit: str = "run"
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

    def sentence(self) -> str:
        """The facts in one sentence."""
        return f"{self.n_algorithms} agents on {self.on}, {self.metric} ({self.direction} is better), {self.design}."


def run_facts(data: Runs, pairs: RunPairs) -> RunFacts:
    """Count the facts of runs."""
    counts = data.counts
    return RunFacts(
        metric=pairs.metric.name,
        direction=pairs.metric.direction,
        n_algorithms=data.n_algorithms,
        n_datasets=data.n_tasks,
        n_complete=data.n_tasks,
        holes=(),
        partial_cells=(),
        repeats=int(counts.max()),
        folds=1,
        is_5x2=False,
        tied_share=0.0,
        ceiling_share=0.0,
        n_families=data.n_tasks,
        costs=(),
        control=pairs.control,
        rope=None,
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
    counts_wins: ClassVar[bool] = False

    @property
    def unit(self) -> Unit:
        """A difference is one of the aggregate."""
        return Unit(noun=AGGREGATES[self.pairs.aggregate].label)

    @property
    def one_dataset(self) -> str | None:
        """Runs are no folds."""
        return None

    @property
    def rows(self) -> str:
        """What the words of a sentence count."""
        return "tasks"

    @property
    def averages(self) -> bool:
        """An aggregate is one number of all tasks."""
        return False

    @property
    def by_score(self) -> bool:
        """The ranking is by the aggregate."""
        return True

    @property
    def test_label(self) -> str:
        """The name of the test at the start of a sentence."""
        return "The t test stratified by task"

    @property
    def smallest_possible(self) -> float:
        """Nothing is out of reach before the runs are seen."""
        return 0.0
