"""Critical values for all mixes of positives and negatives at once: the tables behind the paper's charts.

All cores, with progress; a grid written to a file can be stopped and started again.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.chance.best_of import single_level
from podium.chance.names import MetricName, metric_name
from podium.core import check
from podium.core.errors import ArgumentError, DataError, StoreError

__all__ = ["ChanceGrid", "critical_grid", "read_grid", "write_grid"]

Floats = npt.NDArray[np.float64]
Progress = Callable[[int, int], None]

# A tail equal to the level counts as not above it; floats may put it a few units too high.
TIE = 1.0 + 1e-12
_ROWS = 10


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChanceGrid:
    """Critical values of one metric: `values[c, i, j]` for competitors[c], i + 1 positives and j + 1 negatives.

    nan where the metric does not exist (fewer cases than its top n).
    """

    metric: str
    alpha: float
    competitors: tuple[int, ...]
    values: Floats

    def value(self, *, positives: int, negatives: int, competitors: int) -> float:
        """One critical value."""
        _, most_positives, most_negatives = self.values.shape
        P = check.count("positives", positives, at_most=most_positives)
        N = check.count("negatives", negatives, at_most=most_negatives)
        if competitors not in self.competitors:
            raise ArgumentError(f"The grid holds {self.competitors} competitors; got {competitors!r}.")
        return float(self.values[self.competitors.index(competitors), P - 1, N - 1])


def critical_grid(
    metric: str,
    *,
    positives: int = 1000,
    negatives: int = 1000,
    competitors: Sequence[int] = (10, 100, 1000),
    alpha: float = 0.01,
    workers: int | None = None,
    progress: Progress | None = None,
) -> ChanceGrid:
    """Critical values for 1..positives and 1..negatives, in memory.

    >>> grid = critical_grid("best_accuracy", positives=40, negatives=40)
    >>> grid.value(positives=40, negatives=40, competitors=1000)  # the paper's simulation printed .750
    0.7625
    """
    plan = _Plan.of([metric], positives, negatives, competitors, alpha)
    values = plan.empty()
    for done, (task, part) in enumerate(_run(plan, plan.tasks(), workers), start=1):
        plan.place(values, task, part)
        if progress:
            progress(done, len(plan.tasks()))
    name = plan.metrics[0].name
    return ChanceGrid(metric=name, alpha=plan.alpha, competitors=plan.competitors, values=values[name])


def write_grid(
    path: str | os.PathLike[str],
    metrics: Sequence[str] = ("auc", "best_accuracy", "best_f1", "tp10"),
    *,
    positives: int = 1000,
    negatives: int = 1000,
    competitors: Sequence[int] = (10, 100, 1000),
    alpha: float = 0.01,
    workers: int | None = None,
    progress: Progress | None = None,
) -> Path:
    """Write the grids of several metrics into one compressed file (npz), to be read by `read_grid`.

    Finished pieces wait in a folder beside the file (its name plus ".parts"): a stopped run continues from there.
    """
    target = Path(path)
    plan = _Plan.of(metrics, positives, negatives, competitors, alpha)
    parts = target.with_name(target.name + ".parts")
    _open_parts(parts, plan)
    tasks = plan.tasks()
    missing = [task for task in tasks if not (parts / task.file).exists()]
    for done, (task, part) in enumerate(_run(plan, missing, workers), start=len(tasks) - len(missing) + 1):
        _save(parts / task.file, part=part)
        if progress:
            progress(done, len(tasks))
    values = plan.empty()
    for task in tasks:
        with np.load(parts / task.file) as stored:
            plan.place(values, task, stored["part"])
    _save(target, compressed=True, alpha=np.array(plan.alpha), competitors=np.array(plan.competitors), **values)
    shutil.rmtree(parts)
    return target


def read_grid(path: str | os.PathLike[str]) -> dict[str, ChanceGrid]:
    """The grids of a file that `write_grid` made, by metric."""
    try:
        with np.load(path) as stored:
            arrays = dict(stored)
        alpha = float(arrays.pop("alpha"))
        competitors = tuple(int(c) for c in arrays.pop("competitors"))
    except FileNotFoundError:
        raise StoreError(f"There is no grid file {os.fspath(path)!r}.") from None
    except (OSError, ValueError, KeyError):
        raise DataError(f"{os.fspath(path)!r} is not a grid file made by `podium chance grid`.") from None
    return {
        name: ChanceGrid(metric=name, alpha=alpha, competitors=competitors, values=values)
        for name, values in arrays.items()
    }


@dataclass(frozen=True, slots=True)
class _Task:
    """Some rows of one metric."""

    metric: MetricName
    start: int
    stop: int

    @property
    def file(self) -> str:
        return f"{self.metric.name}-{self.start:06d}.npz"


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be computed."""

    metrics: tuple[MetricName, ...]
    positives: int
    negatives: int
    competitors: tuple[int, ...]
    alpha: float

    @classmethod
    def of(cls, metrics: Sequence[str], positives: Any, negatives: Any, competitors: Any, alpha: Any) -> _Plan:
        counts = sorted({check.count("competitors", c) for c in competitors})
        if not counts:
            raise ArgumentError("`competitors` must hold at least one number.")
        return cls(
            tuple(dict.fromkeys(metric_name(metric) for metric in metrics)),
            check.count("positives", positives, at_most=10_000),
            check.count("negatives", negatives, at_most=10_000),
            tuple(counts),
            check.fraction("alpha", alpha),
        )

    @property
    def levels(self) -> Floats:
        return np.array([single_level(self.alpha, c) * TIE for c in self.competitors])

    def tasks(self) -> list[_Task]:
        """Rows of ten; for AUC, which is symmetric, a row is the larger class."""
        tasks = []
        for metric in self.metrics:
            rows = max(self.positives, self.negatives) if metric.family == "auc" else self.positives
            tasks += [_Task(metric, start, min(start + _ROWS, rows + 1)) for start in range(1, rows + 1, _ROWS)]
        return tasks

    def empty(self) -> dict[str, Floats]:
        shape = (len(self.competitors), self.positives, self.negatives)
        return {metric.name: np.full(shape, np.nan) for metric in self.metrics}

    def place(self, values: dict[str, Floats], task: _Task, part: Floats) -> None:
        """Put finished rows into the grid; those of AUC also across the diagonal."""
        grid = values[task.metric.name]
        if task.metric.family != "auc":
            grid[:, task.start - 1 : task.stop - 1] = part
            return
        for offset, larger in enumerate(range(task.start, task.stop)):
            row = part[:, offset, :larger]
            if larger <= self.positives:
                across = min(larger, self.negatives)
                grid[:, larger - 1, :across] = row[:, :across]
            if larger <= self.negatives:
                down = min(larger, self.positives)
                grid[:, :down, larger - 1] = row[:, :down]

    def describe(self) -> dict[str, Any]:
        return {
            "metrics": [metric.name for metric in self.metrics],
            "positives": self.positives,
            "negatives": self.negatives,
            "competitors": list(self.competitors),
            "alpha": self.alpha,
        }


def _run(plan: _Plan, tasks: list[_Task], workers: int | None) -> Iterator[tuple[_Task, Floats]]:
    """Compute tasks on all cores (the kernels release the interpreter's lock), the longest first."""
    from podium.chance.grid_rows import Rows

    count = check.count("workers", os.cpu_count() or 1 if workers is None else workers)
    rows = Rows(plan.positives, plan.negatives, plan.levels)
    with ThreadPoolExecutor(count) as pool:
        futures = {pool.submit(rows.compute, t.metric, t.start, t.stop): t for t in reversed(tasks)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:  # stopped or failed: do not start what waits
            for future in futures:
                future.cancel()


def _open_parts(parts: Path, plan: _Plan) -> None:
    """Make the folder of pieces, or check that it belongs to the same grid."""
    settings = parts / "settings.json"
    try:
        parts.mkdir(parents=True, exist_ok=True)
        if settings.exists():
            if json.loads(settings.read_text(encoding="utf-8")) != plan.describe():
                raise ArgumentError(
                    f"{str(parts)!r} holds pieces of another grid: delete it, or ask for the same grid again."
                )
        else:
            settings.write_text(json.dumps(plan.describe()), encoding="utf-8")
    except OSError as error:
        raise StoreError(f"{str(parts)!r} cannot be written: {error.strerror}.") from None


def _save(path: Path, *, compressed: bool = False, **arrays: npt.NDArray[Any]) -> None:
    """Write whole or not at all: to a file beside it, then renamed."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with beside.open("wb") as stream:
            write: Any = np.savez_compressed if compressed else np.savez
            write(stream, **arrays)
        beside.replace(path)
    except OSError as error:
        raise StoreError(f"{str(path)!r} cannot be written: {error.strerror}.") from None
    finally:
        beside.unlink(missing_ok=True)
