"""How many runs are needed to find a difference."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError
from podium.core.search import least_count, least_size
from podium.core.words import AggregateName
from podium.evidence.runs import as_runs
from podium.planning._plan import Plan, PlanDesign
from podium.runs._all_pairs import FEWEST_TASKS
from podium.runs.kernels import Spread, stratified_spread
from podium.runs.registry import GAMMA, aggregate_named, task_means

MOST_RUNS = 100_000  # more than anybody trains
SURELY_FOUND = 30.0  # standard errors; beyond this the law of the statistic is not needed


def runs_needed(
    runs: Any,
    difference: float,
    *,
    algorithms: tuple[str, str] | None = None,
    aggregate: AggregateName | None = None,
    power: float = 0.8,
    alpha: float = 0.05,
    gamma: float = GAMMA,
) -> Plan:
    """How many runs per task detect a true difference of two agents, from the variance of a pilot.

    The tasks stay the same.

    Parameters
    ----------
    runs : Runs or dict
        The pilot: Runs, or agent -> array (runs x tasks), or agent -> {task: scores}.
    difference : float
        The true difference of the two agents; not 0.
    algorithms : (str, str), optional
        The two agents, of more than two.
    aggregate : {"iqm", "mean", "optimality_gap"}, optional
        What is compared; by default "iqm" from 10 tasks on and "mean" below.
    power : float, default 0.8
        Target power.
    alpha : float, default 0.05
        Significance level.
    gamma : float, default 1.0
        The score that leaves no optimality gap.

    Returns
    -------
    Plan
        How many are needed, and the power they reach.

    Examples
    --------
    >>> pilot = {"a": [[1.0, 2.0], [1.4, 2.5], [1.1, 2.2]], "b": [[0.5, 1.0], [0.9, 1.3], [0.7, 1.0]]}
    >>> runs_needed(pilot, 0.2).needed
    10
    """
    data = as_runs(runs)
    data = data.select(algorithms) if algorithms is not None else data
    if data.n_algorithms != 2:
        raise ArgumentError("Name the two agents with {algorithms}.", options=("algorithms",))
    check.fraction("power", power)
    check.fraction("alpha", alpha)
    size = abs(check.number("difference", difference))
    if size == 0:
        raise ArgumentError(
            "{difference} must not be 0: no number of runs shows that nothing differs.", options=("difference",)
        )
    kind = aggregate_named(aggregate or ("iqm" if data.n_tasks >= FEWEST_TASKS else "mean"))
    if kind.influence is None:
        raise ArgumentError("{aggregate} must be 'iqm', 'mean' or 'optimality_gap'.", options=("aggregate",))
    spread, single = Spread(variance=0.0, weight=0.0), Spread(variance=0.0, weight=0.0)
    for own in data.by_algorithm:
        influence = kind.influence(own, gamma)
        spread, single = spread + stratified_spread(influence), single + _of_single_runs(influence)
    if not spread.variance > 0:
        raise DataError(
            "The runs do not vary, or an agent has a single run on some task: there is nothing to plan with."
        )
    least = least_count(lambda runs: _power(size, _with_runs(single, runs), alpha) >= power, 2, MOST_RUNS)
    if least is None:
        raise ArgumentError(
            f"More than {MOST_RUNS} runs would be needed: ask for a larger {{difference}}.", options=("difference",)
        )
    now, most = int(data.counts.min()), int(data.counts.max())
    agents = f"{now} runs" if now == most else f"{now} to {most} runs"
    return Plan(
        counted="run",
        each=" of each agent on each task",
        difference=size,
        designs=(PlanDesign(count=least, power=_power(size, _with_runs(single, least), alpha)),),
        target_power=power,
        alpha=alpha,
        test=f"the t test of the {kind.label}, stratified by task",
        source=f"{agents} of {data.algorithms[0]} and {data.algorithms[1]} on each task",
        detectable=least_size(lambda size: _power(size, spread, alpha) >= power, spread.error, math.inf, halvings=60),
        remarks=("Few runs give only a rough estimate of the variability, and so of how many are needed.",),
        references=kind.references,
    )


def _of_single_runs(influence: Floats) -> Spread:
    """The variance of a mean of single runs, and the sum of its squared parts."""
    counts = (~np.isnan(influence)).sum(axis=1)
    centred = influence - task_means(influence)[:, None]
    share = np.nansum(centred**2, axis=1) / np.maximum(counts - 1, 1) / len(influence) ** 2
    return Spread(variance=float(share.sum()), weight=float((share**2).sum()))


def _with_runs(single: Spread, runs: int) -> Spread:
    """The spread with so many runs in every cell."""
    return Spread(variance=single.variance / runs, weight=single.weight / runs**2 / (runs - 1))


def _power(size: float, spread: Spread, alpha: float) -> float:
    """The probability that the t test finds a true difference on its own side."""
    from scipy.stats import nct, t

    df, shift = min(spread.df, 1e6), size / spread.error
    return float(nct.sf(t.isf(alpha / 2, df), df, shift)) if shift < SURELY_FOUND else 1.0
