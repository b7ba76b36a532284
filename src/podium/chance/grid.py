"""Critical values for all mixes of positives and negatives at once: the tables behind the paper's charts.

All cores, with progress; a grid written to a file can be stopped and started again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from podium.chance.best_of import quick_level
from podium.chance.registry import metric_name, usual
from podium.chance.tables import CriticalTableResult, whole_numbers
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError, StoreError
from podium.core.files import write_atomically
from podium.core.progress import Progress, tracked

_ROWS = 10


def critical_grid(
    metric: str,
    *,
    positives: int = 1000,
    negatives: int = 1000,
    competitors: Sequence[int] = (10, 100, 1000),
    alpha: float = 0.01,
    workers: int | None = None,
    progress: Progress = None,
) -> CriticalTableResult:
    """Critical values for 1..positives and 1..negatives, in memory.

    >>> grid = critical_grid("best_accuracy", positives=40, negatives=40)
    >>> grid.value(positives=40, negatives=40, competitors=1000)  # the paper's simulation printed .750
    0.7625
    """
    plan = _Plan.of([metric], positives, negatives, competitors, alpha)
    values, tasks = plan.empty(), plan.tasks()
    for task, part in tracked(_run(plan, tasks, workers), progress, total=len(tasks)):
        plan.place(values, task, part)
    return _table(plan.metrics[0], values[plan.metrics[0]], plan.competitors, plan.alpha)


def _table(metric: str, values: Floats, competitors: tuple[int, ...], alpha: float) -> CriticalTableResult:
    return CriticalTableResult(
        metric=metric,
        positives=tuple(range(1, values.shape[1] + 1)),
        negatives=tuple(range(1, values.shape[2] + 1)),
        competitors=competitors,
        alphas=(alpha,),
        values=values[None],
    )


def write_grid(
    path: str | os.PathLike[str],
    metrics: Sequence[str] = usual("grid"),
    *,
    positives: int = 1000,
    negatives: int = 1000,
    competitors: Sequence[int] = (10, 100, 1000),
    alpha: float = 0.01,
    workers: int | None = None,
    progress: Progress = None,
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
    made, before = _run(plan, missing, workers), len(tasks) - len(missing)
    for task, part in tracked(made, progress, total=len(tasks), before=before):
        _save(parts / task.file, part=part)
    values = plan.empty()
    for task in tasks:
        with np.load(parts / task.file) as stored:
            plan.place(values, task, stored["part"])
    _save(target, np.savez_compressed, alpha=np.array(plan.alpha), competitors=np.array(plan.competitors), **values)
    shutil.rmtree(parts)
    return target


def read_grid(path: str | os.PathLike[str]) -> dict[str, CriticalTableResult]:
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
    return {name: _table(name, values, competitors, alpha) for name, values in arrays.items()}


@dataclass(frozen=True, slots=True)
class _Task:
    """Some rows of one metric."""

    metric: str
    start: int
    stop: int

    @property
    def file(self) -> str:
        return f"{self.metric}-{self.start:06d}.npz"


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is to be computed."""

    metrics: tuple[str, ...]
    positives: int
    negatives: int
    competitors: tuple[int, ...]
    alpha: float

    @classmethod
    def of(cls, metrics: Sequence[str], positives: Any, negatives: Any, competitors: Any, alpha: Any) -> _Plan:
        return cls(
            tuple(dict.fromkeys(metric_name(metric).name for metric in metrics)),
            check.count("positives", positives, at_most=10_000),
            check.count("negatives", negatives, at_most=10_000),
            tuple(sorted(set(whole_numbers("competitors", competitors)))),
            check.fraction("alpha", alpha),
        )

    def tasks(self) -> list[_Task]:
        """Rows of ten; for a symmetric law, a row is the larger class."""
        tasks = []
        for metric in self.metrics:
            rows = max(self.positives, self.negatives) if _symmetric(metric) else self.positives
            tasks += [_Task(metric, start, min(start + _ROWS, rows + 1)) for start in range(1, rows + 1, _ROWS)]
        return tasks

    def empty(self) -> dict[str, Floats]:
        shape = (len(self.competitors), self.positives, self.negatives)
        return {metric: np.full(shape, np.nan) for metric in self.metrics}

    def place(self, values: dict[str, Floats], task: _Task, part: Floats) -> None:
        """Put finished rows into the grid; those of a symmetric law also across the diagonal."""
        grid = values[task.metric]
        if not _symmetric(task.metric):
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


def _symmetric(metric: str) -> bool:
    return bool(metric_name(metric).metric.load().SYMMETRIC)


def _run(plan: _Plan, tasks: list[_Task], workers: int | None) -> Iterator[tuple[_Task, Floats]]:
    """Compute tasks on all cores (the kernels release the interpreter's lock), the longest first."""
    count = check.count("workers", os.cpu_count() or 1 if workers is None else workers)
    levels = np.array([quick_level(plan.alpha, count) for count in plan.competitors])  # they fall
    names = [metric_name(metric) for metric in plan.metrics]
    rows = {name.name: name.metric.load().rows(name, plan.positives, plan.negatives, levels) for name in names}

    def compute(task: _Task) -> Floats:
        found = [rows[task.metric](row) for row in range(task.start, task.stop)]
        part = np.full((len(levels), len(found), max(row.shape[1] for row in found)), np.nan)
        for place, row in enumerate(found):
            part[:, place, : row.shape[1]] = row
        return part

    with ThreadPoolExecutor(count) as pool:
        futures = {pool.submit(compute, task): task for task in reversed(tasks)}
        try:
            for future in as_completed(futures):
                yield futures[future], future.result()
        finally:  # stopped or failed: do not start what waits
            for future in futures:
                future.cancel()


def _open_parts(parts: Path, plan: _Plan) -> None:
    """Say in the folder of pieces which grid they belong to, or check that it is the same."""
    settings, wanted = parts / "settings.json", json.dumps(asdict(plan))
    if not settings.exists():
        write_atomically(settings, wanted)
    elif settings.read_text(encoding="utf-8") != wanted:
        raise ArgumentError(f"{str(parts)!r} holds pieces of another grid: delete it, or ask for the same grid again.")


def _save(path: Path, save: Callable[..., None] = np.savez, **arrays: npt.NDArray[Any]) -> None:
    stream = io.BytesIO()
    save(stream, **arrays)
    write_atomically(path, stream.getvalue())
