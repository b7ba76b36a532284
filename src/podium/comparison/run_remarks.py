"""What a careful reviewer remarks on agents and their runs: one function each, with its topic and weight above it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.comparison.methods import pairs_named
from podium.comparison.reviewer import FLATTERED, Reviewer, Said
from podium.core.errors import PodiumError
from podium.core.numbers import counted, listed, number, percent, share_of, some
from podium.core.search import USUAL_POWER
from podium.planning.runs import runs_needed
from podium.runs._all_pairs import FEWEST_TASKS, all_pairs
from podium.runs._normalise import normalise, scales_apart
from podium.runs.kernels import FEWEST_FOR_MEDIAN
from podium.runs.registry import AGGREGATES
from podium.runs.variance import variance_split

if TYPE_CHECKING:
    from podium.comparison.units.run import RunUnit
    from podium.planning._plan import Plan

ENOUGH_IN_ALL = (
    250  # runs over all tasks: means of runs of which 4% break through cover 93% and more, whatever tasks weigh
)
OF_MEDIANS = (
    "Means of few skewed runs are off to one side, and the interval of the median of the tasks may miss the truth (95% intervals covered as "
    f"little as 50% with 5 runs, on 57 tasks): take the interquartile mean. Medians have no interval below {FEWEST_FOR_MEDIAN} runs."
)
FEW_RUNS = 3  # of an agent on a task, from which on intervals were measured to hold

RUNS: Reviewer[RunUnit] = Reviewer()


@RUNS.remark("runs that never vary", "warning")
def _never_vary(unit: RunUnit) -> Iterator[str]:
    spread = np.nanmax(unit.evidence.values, axis=2) - np.nanmin(unit.evidence.values, axis=2)
    still = [name for name, own in zip(unit.evidence.algorithms, spread.T, strict=True) if not own.any()]
    if still:
        yield (
            f"All runs of {listed(still, most=3)} have the same score on every task: are they copies of one run? They say "
            "nothing about the variability of runs, and copies count as one run."
        )


@RUNS.remark("few runs", "caution")
def _few_runs(unit: RunUnit) -> Iterator[str]:
    if unit.facts.fewest_runs < FEW_RUNS:
        yield (
            f"Some agent has only {counted(unit.facts.fewest_runs, 'run')} on a task: intervals were measured to hold from "
            f"{FEW_RUNS} on. Add runs."
        )


@RUNS.remark("missing runs", "caution")
def _missing_runs(unit: RunUnit) -> Iterator[str]:
    holes = unit.facts.missing_scores
    if holes:
        which = f"{counted(len(holes), 'pair')} of an agent and a task {'has' if len(holes) == 1 else 'have'}"
        yield f"{which} fewer runs than the agent has elsewhere ({some(map(str, holes), 6)}). {FLATTERED}"


@RUNS.remark("few runs in all", "note")
def _few_in_all(unit: RunUnit) -> Iterator[str]:
    """Where means are compared; elsewhere it stands below their intervals."""
    if unit.facts.aggregate == "mean" and unit.facts.runs_in_all < ENOUGH_IN_ALL:
        yield about_few(unit.facts.runs_in_all)


def about_few(in_all: int) -> str:
    """What intervals of means cover where few of so many runs break through (docs/internals/runs.md)."""
    return (
        f"If few runs break through, none may be among these {in_all}. Where 4% of an agent's runs do, the 95% interval of its mean, and of "
        "its difference from an agent without, covered as little as 71% with 30 runs in all and 86% with 50; where a fifth of the tasks has "
        "ten times the scale of the others, that of the mean 63% with 50, 77% with 78 and 84% with 130."
    )


@RUNS.remark("few tasks", "caution")
def _few_tasks(unit: RunUnit) -> Iterator[str]:
    if unit.facts.aggregate == "iqm" and unit.facts.n_tasks < FEWEST_TASKS:
        yield (
            f"With fewer than {FEWEST_TASKS} tasks the quartiles of all scores jump from task to task, and the interval of the "
            "interquartile mean may be too short: look at the mean as well."
        )


@RUNS.remark("normalisation", "caution")
def _scale(unit: RunUnit) -> Iterator[Said]:
    facts = unit.facts
    if facts.normalise == "minmax":
        yield (
            "The lowest and the highest score of these runs are 0 and 1 on each task: with other agents in the table the same runs "
            "get other numbers. Give reference scores where you have them."
        )
    elif not facts.normalised and facts.aggregate == "optimality_gap":
        yield (
            "The optimality gap says how far scores stay below 1 on average. These scores are as they were given: it means something "
            "only if 1 is the score to reach on each task."
        )
    elif not facts.normalised and facts.n_tasks > 1:
        apart = scales_apart(unit.evidence)
        if apart is not None:
            yield (
                f"The scores are as they were given, and spread {number(apart.times, 2)} times as far on {apart.widest} "
                f"as on {apart.narrow}: tasks with large scores dominate. Normalise them.",
                "warning",
            )
        elif unit.evidence.metric.bounds(unit.evidence.values) is None:
            yield from _otherwise(unit)


def _otherwise(unit: RunUnit) -> Iterator[str]:
    """Pairs that are decided differently where every task has the same weight, from the lowest to the highest of its scores."""
    data, pairs = unit.evidence, unit.pairs
    low, high = np.nanmin(data.values, axis=(1, 2)), np.nanmax(data.values, axis=(1, 2))
    ends = {task: (a, b if b > a else a + 1) for task, a, b in zip(data.tasks, low, high, strict=True)}
    asked: dict[str, Any] = {name: getattr(pairs, name) for name in ("aggregate", "control", "paired")}
    alike = all_pairs(normalise(data, ends), **asked)
    odd = np.flatnonzero(((pairs.adjusted <= unit.alpha) * pairs.side) != ((alike.adjusted <= unit.alpha) * alike.side))
    if len(odd):
        times = number((high - low).max() / np.median((high - low)[high > low]), 2)
        yield (
            f"If every task had the same weight (minmax), {share_of(len(odd), pairs.n_pairs)} pairs would be decided differently: "
            f"{pairs_named(pairs, odd)}. The scores are as they were given; those on {data.tasks[int(np.argmax(high - low))]} spread {times} "
            "times as far as on the median task, and weigh as much more. Normalise them, or say why raw scores are to be added up."
        )


@RUNS.remark("aggregate and improvement", "caution")
def _disagree(unit: RunUnit) -> Iterator[str]:
    """Pairs that the aggregate puts one way and the probability of improvement clearly the other way."""
    pairs = unit.pairs
    against = ((pairs.side > 0) & (pairs.improvement_high < 0.5)) | ((pairs.side < 0) & (pairs.improvement_low > 0.5))
    odd = np.flatnonzero((pairs.adjusted <= unit.alpha) & against)
    if len(odd):
        yield (
            f"{pairs_named(pairs, odd)}: the one with the better {AGGREGATES[pairs.aggregate].label} wins less than half of the single runs. It wins "
            "rarely, but by more; say which of the two matters to you."
        )


@RUNS.remark("seeds", "note")
def _seeds(unit: RunUnit) -> Iterator[str]:
    facts = unit.facts
    if unit.pairs.paired or not facts.shared_seeds or facts.seed_correlation is None:
        return
    correlation = number(facts.seed_correlation, 2).replace("-", "\u2212")
    yield (
        f"The agents share {counted(facts.shared_seeds, 'seed')}; scores of one seed correlate by "
        f"{correlation} between agents. The runs were taken as independent; if a seed fixes the same randomness for all "
        "agents, compare runs of one seed with each other (paired)."
    )


@RUNS.remark("power", "note")
def _power(unit: RunUnit) -> Iterator[str]:
    """The difference that so many runs would find, for the first two of the ranking."""
    plan = first_two_need(unit, 1.0)
    size = 0.0 if plan is None else plan.detectable or 0.0
    half = first_two_need(unit, size / 2) if size else None
    if half is None:
        return
    first, second = unit.names[:2]
    yield (
        f"A true difference of about {unit.quantity.at(size).amount(size)} between {first} and {second} would be detected with a "
        f"power of {percent(USUAL_POWER)}; half as much needs about {counted(half.needed or 0, 'run')} per task."
    )


def first_two_need(unit: RunUnit, size: float) -> Plan | None:
    """The runs that the first two of the ranking need to show such a difference; None where that cannot be said."""
    asked: dict[str, Any] = {"algorithms": (unit.names[0], unit.names[1]), "aggregate": unit.pairs.aggregate}
    try:
        return runs_needed(unit.evidence, size, power=USUAL_POWER, alpha=unit.alpha / unit.pairs.n_pairs, **asked)
    except PodiumError:
        return None


@RUNS.remark("variance", "note")
def _variance(unit: RunUnit) -> Iterator[str]:
    try:
        split = variance_split(unit.evidence)
    except PodiumError:
        return
    yield split.summary()
