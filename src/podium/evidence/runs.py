"""Runs: agents on tasks, each run several times with another seed; the runs of a cell are repeats of one training."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from podium.core import check
from podium.core.arrays import Floats, Ints
from podium.core.errors import DataError
from podium.core.metric import Metric
from podium.core.named import ByAlgorithm
from podium.core.numbers import counted
from podium.core.quantity import Quantity
from podium.evidence.evidence import MissingScore, names_of, plain_fields, shared_fields
from podium.evidence.reading import Reading
from podium.evidence.shown import in_lines
from podium.evidence.table import Table, deviations_of

if TYPE_CHECKING:
    import pandas as pd

SCORE = Metric(name="score", direction="higher")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, repr=False)
class Runs(ByAlgorithm):
    """The score of every run: `values[task, agent, run]`, nan where an agent has fewer runs than another.

    Parameters
    ----------
    values : array of shape (n_tasks, n_agents, n_runs)
        The scores.
    algorithms : tuple of str
        Names of the agents.
    tasks : tuple of str
        Names of the tasks.
    metric : Metric, default "score", higher is better
        What the scores measure.
    seeds : tuple of str, optional
        Names of the runs, where every agent has the same seeds on every task; otherwise the runs of two agents
        have nothing to do with each other.
    normalised : str, optional
        How scores of different tasks were made comparable, in a few words.
    ends : str, optional
        What 0 and 1 are, of normalised scores.
    references : mapping, optional
        The scores of each task that shall become 0 and 1, where the source has such.
    notes : tuple of str, optional
        Sentences about how the runs were read.
    reading : Reading, optional
        How the columns of the source were read.

    Examples
    --------
    >>> import numpy as np
    >>> runs = Runs(values=np.array([[[1.0, 2.0], [3.0, 4.0]]]), algorithms=("dqn", "ppo"), tasks=("Pong",))
    >>> runs.means.tolist()
    [[1.5, 3.5]]
    """

    values: Floats
    algorithms: tuple[str, ...]
    tasks: tuple[str, ...]
    metric: Metric = SCORE
    seeds: tuple[str, ...] = ()
    normalised: str = ""
    ends: str = ""
    references: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    reading: Reading | None = None

    def __post_init__(self) -> None:
        values = check.numbers("values", self.values, ndim=3)
        object.__setattr__(self, "values", values)
        if values.shape[:2] != (len(self.tasks), len(self.algorithms)):
            shape = f"{len(self.algorithms)} agents and {len(self.tasks)} tasks"
            raise DataError(f"{shape} cannot have runs of shape {values.shape}: give tasks x agents x runs.")
        check.distinct("agent", self.algorithms)
        check.distinct("task", self.tasks)
        if not values.size:
            raise DataError("There is no run: give a score for each agent, task and run.")
        none = np.argwhere(self.counts == 0)
        if len(none):
            task, agent = none[0]
            raise DataError(
                f"{self.algorithms[agent]!r} has no run on {self.tasks[task]!r}: leave out the rows of the task or of the agent with "
                "{where}, so that every agent has runs on every task."
            )

    def __repr__(self) -> str:
        on = f"{counted(self.n_tasks, 'task')}, {counted(int(self.counts.sum()), 'run')} in all"
        return in_lines(self, on, self.table().to_frame().rename_axis("task"))

    @property
    def unit(self) -> str:
        """What the tests count."""
        return "run"

    @property
    def rows(self) -> tuple[str, ...]:
        """The tasks."""
        return self.tasks

    @property
    def quantity(self) -> Quantity:
        """How scores and differences are written; normalised scores are on a scale of their own."""
        own = Quantity(label=self.metric.display_name, direction=self.metric.direction)
        return own if self.normalised else self.metric.quantity(self.values)

    @property
    def scale(self) -> str:
        """How scores of different tasks were made comparable, and what 0 and 1 are; empty where they are as they were given."""
        return ": ".join(filter(None, (self.normalised, self.ends)))

    @property
    def missing(self) -> tuple[MissingScore, ...]:
        """None: every agent has runs on every task, if not equally many."""
        return ()

    def partial(self) -> tuple[MissingScore, ...]:
        """The cells with fewer runs than their agent has on another task."""
        counts = self.counts
        fewer = np.argwhere(counts < counts.max(axis=0))
        return tuple(
            MissingScore(self.tasks[i], self.algorithms[j], f"{counts[i, j]} of {counts[:, j].max()} runs")
            for i, j in fewer
        )

    def table(self) -> Table:
        """Tasks x agents: the mean over the runs."""
        deviations = deviations_of(self.values) if self.values.shape[2] > 1 else None
        named: dict[str, Any] = {"datasets": self.tasks, "algorithms": self.algorithms, "metric": self.metric}
        return Table(values=self.means, deviations=deviations, **named)

    @property
    def n_tasks(self) -> int:
        """How many tasks there are."""
        return len(self.tasks)

    @property
    def counts(self) -> Ints:
        """The number of runs, tasks x agents."""
        return np.asarray((~np.isnan(self.values)).sum(axis=2))

    @property
    def means(self) -> Floats:
        """The mean score on each task (row) of each agent (column)."""
        return np.asarray(np.nansum(self.values, axis=2) / self.counts)

    @property
    def by_algorithm(self) -> Floats:
        """The runs of one agent after the other, each tasks x runs."""
        return self.values.swapaxes(0, 1)

    def of(self, algorithm: str) -> Floats:
        """The runs of one agent: tasks x runs."""
        return np.asarray(self.values[:, self.place(algorithm)])

    def select(self, algorithms: Sequence[str]) -> Runs:
        """The chosen agents, in the order given."""
        index = self.places(algorithms)
        return replace(self, values=self.values[:, index], algorithms=tuple(algorithms))

    def to_frame(self) -> pd.DataFrame:
        """A long table: one row per run."""
        import pandas as pd

        agent, task, run = np.nonzero(~np.isnan(self.by_algorithm))
        names = [self.seeds[r] for r in run] if self.seeds else (run + 1).tolist()
        return pd.DataFrame(
            {
                "agent": np.array(self.algorithms, dtype=object)[agent],
                "task": np.array(self.tasks, dtype=object)[task],
                "run": names,
                self.metric.name: self.values[task, agent, run],
            }
        )

    def to_plain(self) -> dict[str, Any]:
        """Plain values, ready for JSON."""
        return plain_fields(self, "tasks seeds normalised ends references")

    @classmethod
    def from_plain(cls, data: Mapping[str, Any]) -> Runs:
        """The runs that `to_plain` wrote."""
        references = {task: (float(low), float(high)) for task, (low, high) in data["references"].items()}
        named = names_of(data, "tasks seeds")
        return cls(
            **shared_fields(data), **named, normalised=data["normalised"], ends=data["ends"], references=references
        )


def as_runs(data: Any, *, tasks: Any = None, metric: Metric = SCORE, seeds: Any = None) -> Runs:
    """Runs from Runs, or from a dict: agent -> array (runs x tasks), or agent -> {task: scores of its runs}.

    The first is the shape that rliable takes; numbers of runs may differ between agents, and in the second form between
    tasks.

    >>> as_runs({"dqn": [[1.0, 5.0], [2.0, 6.0], [3.0, 7.0]], "ppo": [[2.0, 4.0], [2.5, 4.5]]}).counts.tolist()
    [[3, 2], [3, 2]]
    >>> as_runs({"dqn": {"Pong": [1, 2], "Alien": [5]}, "ppo": {"Alien": [4], "Pong": [3]}}).tasks
    ('Pong', 'Alien')
    """
    if isinstance(data, Runs):
        return data
    if not isinstance(data, Mapping) or not data:
        raise DataError("Give the runs as a dict: agent -> array (runs x tasks), or agent -> {task: scores}.")
    cells = {str(name): _cells(str(name), item, tasks) for name, item in data.items()}
    named = next(iter(cells.values()))
    for name, own in cells.items():
        if set(own) != set(named):
            odd = sorted(set(own) ^ set(named))[0]
            who = name if odd not in own else next(iter(cells))
            raise DataError(
                f"{who!r} has no run on {odd!r}, and another agent has: leave out the rows of the task or of the agent with {{where}}, so that every agent has runs on every task."
            )
    most = max(len(scores) for own in cells.values() for scores in own.values())
    values = np.full((len(named), len(cells), most), np.nan)
    for i, own in enumerate(cells.values()):
        for j, task in enumerate(named):
            values[j, i, : len(own[task])] = own[task]
    return Runs(
        values=values,
        algorithms=tuple(cells),
        tasks=tuple(named),
        metric=metric,
        seeds=tuple(map(str, seeds)) if seeds is not None else (),
    )


def _cells(name: str, item: Any, tasks: Any) -> dict[str, Floats]:
    """The runs of one agent by task."""
    if isinstance(item, Mapping):
        return {
            str(task): check.floats(f"{name} on {task}", np.atleast_1d(scores), ndim=1) for task, scores in item.items()
        }
    values = check.floats(name, item, ndim=2)
    names = [f"task {j + 1}" for j in range(values.shape[1])] if tasks is None else [str(task) for task in tasks]
    if len(names) != values.shape[1]:
        raise DataError(f"{name!r} has {values.shape[1]} columns (tasks), and {len(names)} tasks are named.")
    return {task: values[~np.isnan(values[:, j]), j] for j, task in enumerate(names)}
