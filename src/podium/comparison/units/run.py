"""Agents compared by their runs on the same tasks: an aggregate of all scores, and the t test stratified by task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from podium.comparison.comparison import Extra, Words
from podium.comparison.facts import Facts, measured
from podium.comparison.methods import by_holm, level_and_intervals, who_was_compared
from podium.comparison.reviewer import Reviewer
from podium.comparison.rules import Choice
from podium.comparison.run_remarks import ENOUGH_IN_ALL, OF_MEDIANS, RUNS, about_few, first_two_need
from podium.comparison.unit import Standing, Unit
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import capital, counted
from podium.core.quantity import Quantity
from podium.core.ranks import rank_rows
from podium.core.result import Result
from podium.evidence.runs import Runs
from podium.evidence.table import Table
from podium.runs._aggregates import AggregatesResult, aggregates
from podium.runs._all_pairs import FEWEST_TASKS, RunPairs, all_pairs, seed_correlation
from podium.runs._normalise import WAYS, normalise, usual_way
from podium.runs._profiles import profiles
from podium.runs.registry import AGGREGATES, GAMMA


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFacts(Facts):
    """What the rules for runs look at; `seed_correlation` is how runs of one seed go together, None where none is shared."""

    unit: str = "run"
    one: ClassVar[str] = "agent"
    hole: ClassVar[str] = "score without all runs"
    n_tasks: int
    fewest_runs: int
    most_runs: int
    shared_seeds: int
    seed_correlation: float | None
    normalised: str
    normalise: str
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
    def runs_in_all(self) -> int:
        """Those of an agent over all tasks, at the least."""
        return self.n_tasks * self.fewest_runs

    @property
    def design(self) -> str:
        """Runs and their scale in words."""
        return f"{self.runs_each}, {self.scale}"

    @property
    def runs_each(self) -> str:
        """How many runs there are of what."""
        return f"{self.runs} of each agent{' on each task' if self.n_tasks > 1 else ''}"

    @property
    def scale(self) -> str:
        """How the scores were made comparable, in a few words."""
        return f"scores {self.normalised}" if self.normalised else "scores as they were given"

    @property
    def has_enough_tasks(self) -> bool:
        """Whether the quartiles of all scores are steady."""
        return self.n_tasks >= FEWEST_TASKS

    def places(self) -> Mapping[str, str]:
        """The number of tasks that are enough."""
        return {**super(RunFacts, self).places(), "fewest_tasks": str(FEWEST_TASKS)}


class RunUnit(Unit[Runs, RunFacts, RunPairs]):
    """A comparison of agents by their runs on the same tasks."""

    name: ClassVar[str] = "run"
    reviewer: ClassVar[Reviewer[Any]] = RUNS
    row: ClassVar[str] = "one run of one agent on one task"

    @classmethod
    def instead(cls, units: tuple[str, ...]) -> str:
        """Mean scores over the tasks can be compared as over datasets."""
        return ", or set {unit} to 'dataset' to compare mean scores over the tasks" if "dataset" in units else ""

    @property
    def kept(self) -> Runs:
        """The runs as they were given."""
        runs: Runs = self.original
        return runs

    @cached_property
    def scale(self) -> Any:
        """How the user wants scores to become comparable; a file of reference scores becomes these."""
        by = self.asked["normalise"]
        return _references_in(by) if isinstance(by, str) and by not in WAYS else by

    @cached_property
    def normalised(self) -> Choice:
        """How the scores of different tasks became comparable, and why so."""
        if self.scale is None:
            way, because = usual_way(self.original)
            return Choice(question="normalise", answer=way, because=because)
        answer = self.scale if isinstance(self.scale, str) else "references"
        return Choice(question="normalise", answer=answer, because="you asked for it", by_user=True)

    @property
    def settled(self) -> tuple[Choice, ...]:
        """The scale is chosen before anything is counted."""
        return (self.normalised,)

    @property
    def named(self) -> Mapping[str, str | None]:
        """The aggregate, and whether runs are paired."""
        return {"aggregate": self.asked["aggregate"], "paired": "yes" if self.asked["paired"] else None}

    @cached_property
    def evidence(self) -> Runs:
        """The runs on one scale."""
        by: Any = self.normalised.answer if self.scale is None else self.scale  # a word that was checked, or references
        return normalise(self.original, by)

    @cached_property
    def pairs(self) -> RunPairs:
        """The t test stratified by task, for all pairs."""
        asked = {name: self.asked[name] for name in ("aggregate", "control", "confidence", "intervals")}
        return all_pairs(self.evidence, paired=bool(self.asked["paired"]), **asked)

    @cached_property
    def facts(self) -> RunFacts:
        """What is counted beside the tests."""
        data, pairs = self.evidence, self.pairs
        return RunFacts(
            **measured(pairs.metric, data, pairs.control),
            missing_scores=data.partial(),
            n_tasks=data.n_tasks,
            fewest_runs=int(data.counts.min()),
            most_runs=int(data.counts.max()),
            shared_seeds=len(data.seeds),
            seed_correlation=seed_correlation(data),
            normalised=data.normalised,
            normalise=self.normalised.answer,
            aggregate=pairs.aggregate,
        )

    @cached_property
    def aggregates(self) -> AggregatesResult:
        """The aggregate that is compared first, then the others; a gap to 1 means something only on a known scale."""
        data, first = self.evidence, self.pairs.aggregate
        gap = data.metric.higher_is_better and data.normalised
        others = [name for name in AGGREGATES if name != first and (gap or name != "optimality_gap")]
        drawn: dict[str, Any] = {name: self.asked[name] for name in ("confidence", "rng")}
        return aggregates(data, aggregates=[first, *others], **drawn)

    @cached_property
    def table(self) -> Table:
        """The mean of each task and agent; of the optimality gap, the mean gap."""
        data = self.evidence
        if self.pairs.aggregate == "optimality_gap":
            data = replace(data, values=GAMMA - np.minimum(data.values, GAMMA), metric=self.pairs.metric)
        return data.table()

    @cached_property
    def standing(self) -> Standing:
        """The agents by their aggregate."""
        data, every = self.evidence, self.aggregates
        score = every.values[:, 0]
        columns = {"mean_score": score, "median_score": np.nanmedian(data.values, axis=(0, 2))}
        columns |= {"low": every.low[:, 0], "high": every.high[:, 0]}
        tasks = np.full(data.n_algorithms, data.n_tasks)
        return Standing(
            places=rank_rows(self.pairs.metric.sign * score[None])[0], columns={**columns, "datasets": tasks}
        )

    @property
    def label(self) -> str:
        """What the aggregate is called."""
        return AGGREGATES[self.pairs.aggregate].label

    @cached_property
    def own_quantity(self) -> Quantity:
        """How the aggregate is written: as the scores are, but for those on a scale of their own."""
        data = self.evidence
        label = (
            f"mean {data.metric.display_name.removeprefix('mean ')}" if self.pairs.aggregate == "mean" else self.label
        )
        plain = Quantity(label=label, direction=self.pairs.metric.direction)
        own = data.quantity
        return replace(own, label=label, direction=plain.direction) if own.label else plain

    @cached_property
    def words(self) -> Words:
        """Tasks, and what is said of them."""
        scale = f"; {self.evidence.scale}" if self.evidence.scale else ""
        one = len(self.evidence.tasks) == 1
        return Words(
            row="task",
            rows="tasks",
            key="tasks",
            title="Task",
            n_rows=int(self.pairs.n.max()),
            each=self.facts.design,
            by=self.label,
            places=self.places_note,
            won="tasks won/tied/lost by the first",
            measured=self.own_quantity.label,
            data=f"The mean score of each agent on each task{scale}.",
            printed="Task",
            mean=capital(self.label),
            deviation="standard deviation over the runs",
            test="The t test stratified by task",
            elsewhere=f"What is better on {'this task' if one else 'these tasks'} may not be better on others.",
        )

    @cached_property
    def detectable(self) -> float | None:
        """That of two agents; of more, nothing is said of a typical pair."""
        plan = first_two_need(self, 1.0) if len(self.names) == 2 else None
        return None if plan is None else plan.detectable

    @cached_property
    def extras(self) -> tuple[Extra, ...]:
        """Every aggregate with its interval, and the profiles."""
        shown: dict[str, Any] = {"section": "aggregates", "title": "Aggregates and profiles"}
        drawn: dict[str, Any] = {name: self.asked[name] for name in ("confidence", "rng")}
        return (
            Extra(
                key="aggregates",
                result=self.aggregates,
                caption="Aggregates over tasks and runs, with individual intervals.",
                columns=("aggregate", "algorithm", "value", "interval"),
                scored=("value", "interval"),
                note=self._about_aggregates(),
                closed=True,
                **shown,
            ),
            Extra(key="profiles", result=profiles(self.evidence, **drawn), **shown),
        )

    def _about_aggregates(self) -> str:
        """The scale, and what intervals of few runs may miss."""
        scale, in_all = self.aggregates.normalised or "the scores are as they were given", self.facts.runs_in_all
        few = f" {about_few(in_all)}" if in_all < ENOUGH_IN_ALL else ""
        return f"{capital(scale)}.{few} {OF_MEDIANS}"

    @property
    def settings(self) -> dict[str, Any]:
        """The options, with reference scores instead of their file, so that it can be repeated without."""
        return {**super().settings, "normalise": self.scale}

    def on_what(self) -> str:
        """By which aggregate, on how many tasks and runs."""
        facts = self.facts
        named = "scores" if facts.metric.lower() == "score" else facts.metric.replace("_", " ")
        of = "" if facts.aggregate == "optimality_gap" else f" of {named}"
        better = "" if facts.direction == "higher" else " (lower is better)"
        return f"Metric: {self.label}{of}{better} on {facts.on}, {facts.design}."

    def methods(self) -> str:
        """What was done, in words that can be pasted into a paper."""
        facts = self.facts
        own = {"iqm": " of winsorised scores [@tukey1963]", "mean": " that allows for skewed runs [@hall1992]"}
        sentences = [
            f"We compared {facts.n_algorithms} agents on the same {facts.on.removeprefix('1 ')} with {facts.runs_each} "
            f"({facts.scale}).",
            f"{who_was_compared(facts)} by the difference of the {self.label} [@agarwal2021], with a t test "
            f"stratified by task{own.get(facts.aggregate, '')} and Satterthwaite's degrees of freedom [@satterthwaite1946].",
            "Runs of the same seed were compared with each other."
            if self.pairs.paired
            else "Runs of different agents were treated as independent.",
            *by_holm(self),
            level_and_intervals(self),
        ]
        return " ".join(sentences)

    @staticmethod
    def overview(runs: Any, *, list_missing: bool = False) -> list[Result]:
        """How many runs each agent has, and its mean on every task."""
        from podium.evidence._run_overview import run_overview

        return [run_overview(runs)]

    @classmethod
    def recognised(cls, runs: Any) -> dict[str, Any]:
        """The agents and the tasks."""
        return {**super().recognised(runs), "datasets": list(runs.tasks), "notes": []}

    @classmethod
    def counted(cls, runs: Any) -> str:
        """The tasks."""
        return counted(runs.n_tasks, "task")


def _references_in(file: str) -> dict[str, tuple[float, float]]:
    """Reference scores from a table of three columns: task, the score that becomes 0, the score that becomes 1."""
    import pandas as pd

    if not Path(file).is_file():
        raise ArgumentError(
            f"{{normalise}} must be one of {', '.join(WAYS)}, or a file of reference scores; {file!r} is neither."
        )
    try:
        table = pd.read_csv(file)
        return {str(row[0]).strip(): (float(row[1]), float(row[2])) for row in table.itertuples(index=False)}
    except (ValueError, TypeError, IndexError, OSError):
        raise DataError(
            f"{Path(file).name} holds no reference scores: give three columns, the task and the scores that become 0 and 1."
        ) from None
