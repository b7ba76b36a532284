"""An overview of runs: what was read, before any test."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core.arrays import Floats, Ints
from podium.core.numbers import counted
from podium.core.ranks import rank_rows, settle
from podium.evidence._overview import BaseOverview
from podium.evidence.runs import Runs

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunOverview(BaseOverview):
    """How many runs every agent has, on how many tasks its mean is the best, and its mean on each task, as the scores stand."""

    tasks: tuple[str, ...]
    seeds: tuple[str, ...]
    runs: tuple[tuple[int, int], ...]
    best: Floats
    mean_ranks: Floats
    means: Floats
    counts: Ints

    def summary(self) -> str:
        """On what, how many runs, and whether they share seeds."""
        low, high = min(ends[0] for ends in self.runs), max(ends[1] for ends in self.runs)
        each = counted(high, "run") if low == high else f"{low} to {high} runs"
        seeds = f" All share {counted(len(self.seeds), 'seed')}." if self.seeds and len(self.algorithms) > 1 else ""
        scales = ""
        if len(self.tasks) > 1:
            scales = (
                " Scores of different tasks are not on one scale: `compare` normalises them, or says that it does not."
            )
        return (
            f"{counted(len(self.algorithms), 'agent')} on {counted(len(self.tasks), 'task')}, {each} of each agent on each "
            f"task.{seeds}{scales}"
        )

    def columns(self) -> list[dict[str, Any]]:
        """One row per agent, the best mean rank first."""
        order = np.argsort(self.mean_ranks, kind="stable")
        return [
            {
                "algorithm": self.algorithms[i],
                "fewest runs": self.runs[i][0],
                "most runs": self.runs[i][1],
                "best on": int(self.best[i]),
                "mean rank": float(self.mean_ranks[i]),
            }
            for i in order
        ]

    def tables(self) -> dict[str, pd.DataFrame]:
        """The agents; and the mean score of each on every task."""
        import pandas as pd

        means = [
            {"task": task, "algorithm": name, "mean": float(self.means[j, i]), "runs": int(self.counts[j, i])}
            for j, task in enumerate(self.tasks)
            for i, name in enumerate(self.algorithms)
        ]
        return {"result": self.to_frame(), "means": pd.DataFrame(means)}


def run_overview(data: Runs) -> RunOverview:
    """What is known of runs before any test.

    >>> from podium.evidence.runs import as_runs
    >>> run_overview(as_runs({"a": [[1.0, 2.0], [1.5, 2.5]], "b": [[0.5, 3.0], [0.7, 3.5]]})).best.tolist()
    [1.0, 1.0]
    """
    gains = data.metric.sign * settle(data.means)
    best: Floats = (gains == gains.max(axis=1, keepdims=True)).sum(axis=0).astype(np.float64)
    return RunOverview(
        metric=data.metric,
        algorithms=data.algorithms,
        tasks=data.tasks,
        seeds=data.seeds,
        runs=tuple((int(own.min()), int(own.max())) for own in data.counts.T),
        best=best,
        mean_ranks=rank_rows(gains).mean(axis=0),
        means=data.means,
        counts=data.counts,
    )
