"""Where scores of runs vary: between tasks, agents, agents by task, and runs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from podium.core import numbers
from podium.core.errors import DataError
from podium.core.result import Result
from podium.evidence.runs import as_runs


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class VarianceResult(Result):
    """Variances of a score: between tasks, between agents, of agents that suit some tasks better than others, and of runs."""

    tasks: float
    agents: float
    agents_by_task: float
    runs: float

    def columns(self) -> list[dict[str, Any]]:
        """One row per source of variance."""
        parts = {"tasks": self.tasks, "agents": self.agents, "agents by task": self.agents_by_task, "runs": self.runs}
        total = sum(parts.values())
        return [
            {"source": name, "variance": value, "share": value / total if total else float("nan")}
            for name, value in parts.items()
        ]

    def summary(self) -> str:
        """The shares in a sentence, and what follows for planning."""
        shares = {str(row["source"]): float(row["share"]) for row in self.columns()}
        listed = ", ".join(f"{name} {numbers.percent(share)}" for name, share in shares.items())
        return f"Of the variance of a single score: {listed}. More runs shrink the last part only; the tasks are taken as they are."


def variance_split(runs: Any) -> VarianceResult:
    """The variance of scores, split into tasks, agents, agents by task (the rest) and runs, by the method of moments.

    A part whose estimate is below 0 is shown as 0.

    Parameters
    ----------
    runs : Runs or dict
        Runs, or agent -> array (runs x tasks) as in rliable, or agent -> {task: scores}.

    Returns
    -------
    VarianceResult
        The variance of tasks, agents, agents by task (the rest) and runs.

    Examples
    --------
    >>> found = variance_split({"a": [[1.0, 5.0], [1.2, 5.2]], "b": [[0.0, 4.0], [0.2, 4.2]]})
    >>> round(found.runs, 4), round(found.tasks, 4), found.agents_by_task
    (0.02, 8.0, 0.0)
    """
    data = as_runs(runs)
    counts = data.counts
    if counts.min() < 2:
        raise DataError("Some agent has a single run on some task: nothing separates runs from the rest.")
    means = data.means
    t, k = means.shape
    if min(k, t) < 2:
        raise DataError("The split needs at least 2 agents and 2 tasks.")
    centred = data.values - means[:, :, None]
    within = float(np.nansum(centred**2) / (counts - 1).sum())
    noise = within * float((1 / counts).mean())
    rest = means - means.mean(axis=0) - means.mean(axis=1, keepdims=True) + means.mean()
    by_task = float((rest**2).sum() / ((k - 1) * (t - 1)))
    agents = float(means.mean(axis=0).var(ddof=1)) - by_task / t
    tasks = float(means.mean(axis=1).var(ddof=1)) - by_task / k
    parts = [value if value > 1e-12 else 0.0 for value in (tasks, agents, by_task - noise, within)]
    return VarianceResult(tasks=parts[0], agents=parts[1], agents_by_task=parts[2], runs=parts[3])
