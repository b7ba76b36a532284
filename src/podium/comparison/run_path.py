"""The guided path for agents on tasks with several runs: from scores of runs to the same `Comparison`."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from podium.comparison.comparison import Comparison, RankedCases
from podium.comparison.gather import Settings, gather, ranking_of, references_of
from podium.comparison.rules import Choice, choose
from podium.comparison.run_words import RUNS, RunEvidence, run_facts, run_methods, run_verdict
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import Unit
from podium.core.ranks import rank_rows
from podium.core.runs import Runs
from podium.core.table import Table
from podium.runs._aggregates import AggregatesResult, aggregates
from podium.runs._all_pairs import RunPairs, all_pairs
from podium.runs._normalise import WAYS, normalise, usual_way
from podium.runs._profiles import profiles
from podium.runs.registry import AGGREGATES, GAMMA


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSettings(Settings):
    """What the user chose for runs."""

    aggregate: str | None = None
    normalise: Any = None
    paired: bool | None = None


def compare_runs(given: Runs, *, algorithms: list[str] | None = None, **settings: Any) -> Comparison:
    """Compare agents on the same tasks by their runs; `settings` are those of `compare` that runs have."""
    chosen = RunSettings(**{**settings, "normalise": _scale(settings.get("normalise"))})
    given = given.columns(algorithms) if algorithms is not None else given
    data, how = _normalised(given, chosen.normalise)
    asked: dict[str, Any] = {
        name: getattr(chosen, name) for name in ("aggregate", "control", "confidence", "intervals")
    }
    pairs = all_pairs(data, paired=bool(chosen.paired), **asked)
    facts = run_facts(data, pairs)
    named = {"aggregate": chosen.aggregate, "paired": "yes" if chosen.paired else None}
    choices = choose(facts, named, settled=(how,))
    every = aggregates(data, aggregates=_told(data, pairs.aggregate), confidence=chosen.confidence, rng=chosen.rng)
    table = _table(data, pairs)
    evidence = RunEvidence(
        facts=facts,
        table=table,
        pairs=pairs,
        ranking=_ranking(data, pairs, every, chosen.alpha),
        alpha=chosen.alpha,
        unit=Unit(noun=f"mean {data.metric.said}" if pairs.aggregate == "mean" else AGGREGATES[pairs.aggregate].label),
        notes=data.notes,
        runs=data,
        aggregates=every,
    )
    return gather(
        evidence,
        choices,
        remarks=RUNS.remarks(evidence),
        verdict=run_verdict(evidence),
        methods_paragraph=run_methods(evidence),
        settings=chosen.to_dict(),
        references=references_of(pairs, every),
        runs=given,
        aggregates=every,
        profiles=profiles(data, confidence=chosen.confidence, rng=chosen.rng),
    )


def _told(data: Runs, first: str) -> list[str]:
    """The aggregates of the report, the one that is compared first; a gap to 1 means something only on a known scale."""
    gap = data.metric.higher_is_better and data.normalised
    return [first, *(name for name in AGGREGATES if name != first and (gap or name != "optimality_gap"))]


def _normalised(given: Runs, by: Any) -> tuple[Runs, Choice]:
    """The runs on one scale, and why on this one."""
    if by is None:
        way, because = usual_way(given)
        return normalise(given, way), Choice(question="normalise", answer=way, because=because)
    answer = by if isinstance(by, str) else "references"
    return normalise(given, by), Choice(question="normalise", answer=answer, because="you asked for it", by_user=True)


def _scale(by: Any) -> Any:
    """What the user chose; a file of reference scores becomes these, so that the comparison can be repeated without it."""
    return _references_in(by) if isinstance(by, str) and by not in WAYS else by


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


def _table(data: Runs, pairs: RunPairs) -> Table:
    """The mean of each task and agent; of the optimality gap, the mean gap."""
    values: Floats = data.means.T
    if pairs.aggregate == "optimality_gap":
        gaps = GAMMA - np.minimum(data.values, GAMMA)
        values = (np.nansum(gaps, axis=2) / data.counts).T
    return Table(values=values, datasets=data.tasks, algorithms=data.algorithms, metric=pairs.metric)


def _ranking(data: Runs, pairs: RunPairs, every: AggregatesResult, alpha: float) -> tuple[RankedCases, ...]:
    """The agents by their aggregate."""
    score = every.values[:, 0]
    return ranking_of(
        pairs,
        alpha,
        rank_rows(pairs.metric.sign * score[None])[0],
        mean_score=score,
        median_score=np.nanmedian(data.values, axis=(1, 2)),
        datasets=np.full(data.n_algorithms, data.n_tasks),
        low=every.low[:, 0],
        high=every.high[:, 0],
    )
