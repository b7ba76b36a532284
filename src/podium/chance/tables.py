"""Tables of critical values: for any sizes, competitors and levels, by default those of Forman and Cohen (2005); and grids
of all mixes of positives and negatives, behind the paper's charts.

A grid takes all cores, with progress; one that is written to a file can be stopped and started again.
"""

from __future__ import annotations

import io
import json
import os
import shutil
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.chance.best_of import quick_critical, quick_level
from podium.chance.distributions import null_distribution
from podium.chance.registry import LEVEL, metric_name, usual
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError, DataError, StoreError
from podium.core.files import write_atomically
from podium.core.numbers import number
from podium.core.progress import Progress, tracked
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

PAPER_SIZES = (20, 30, 40, 50, 60, 70, 80, 90, 100, 150, 200, 300, 400, 500, 600, 700, 800, 900, 1000)


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class CriticalTableResult(Result):
    """Critical values: `values[a, c, i, j]` for alphas[a], competitors[c], positives[i] and negatives[j].

    nan where the metric does not exist (fewer cases than its top n).
    """

    metric: str
    positives: tuple[int, ...]
    negatives: tuple[int, ...]
    competitors: tuple[int, ...]
    alphas: tuple[float, ...]
    values: Floats
    method: str = "exact"
    references: tuple[str, ...] = ("forman2005",)

    def value(self, *, positives: int, negatives: int, competitors: int, alpha: float | None = None) -> float:
        """One critical value; `alpha` is needed where there are several."""
        wanted = (
            self.alphas[0] if alpha is None and len(self.alphas) == 1 else alpha,
            competitors,
            positives,
            negatives,
        )
        try:
            places = [axis.index(one) for axis, one in zip(self._axes.values(), wanted, strict=True)]
        except ValueError:
            asked = ", ".join(f"{name} {one}" for name, one in zip(self._axes, wanted, strict=True))
            raise ArgumentError(f"The table does not hold {asked}. {self.summary()}") from None
        return float(self.values[tuple(places)])

    @property
    def _axes(self) -> dict[str, tuple[float, ...]]:
        return {
            "alpha": self.alphas,
            "competitors": self.competitors,
            "positives": self.positives,
            "negatives": self.negatives,
        }

    @property
    def title(self) -> str:
        """Of which metric."""
        return f"Critical values of {self.metric}"

    def summary(self) -> str:
        """What the table holds."""
        return (
            f"Exact critical values of {self.metric} for {len(self.positives)} numbers of positives by "
            f"{len(self.negatives)} of negatives, against the best of {_listed(self.competitors)} random rankings at "
            f"alpha {_listed(self.alphas)}: a winner must exceed them; that it does says nothing about its rivals."
        )

    def columns(self) -> dict[str, Any]:
        """One row per critical value."""
        places = dict(zip(self._axes, zip(*product(*self._axes.values()), strict=True), strict=True))
        return {"metric": self.metric, **places, "critical_value": self.values.ravel()}

    def tables(self) -> dict[str, pd.DataFrame]:
        """One table per alpha and number of competitors: positives in rows, negatives in columns."""
        import pandas as pd

        columns = [str(many) for many in self.negatives]
        found = {}
        for a, alpha in enumerate(self.alphas):
            for c, competitors in enumerate(self.competitors):
                frame = pd.DataFrame(self.values[a, c], columns=columns)
                frame.insert(0, "positives", self.positives)
                found[f"{competitors}_competitors_at_{number(100 * alpha)}_percent"] = frame
        return found


def _listed(values: Sequence[float]) -> str:
    return ", ".join(map(number, values))


def critical_table(
    metric: str,
    *,
    positives: Sequence[int] = PAPER_SIZES,
    negatives: Sequence[int] = PAPER_SIZES,
    competitors: Sequence[int] = (10, 100, 1000),
    alphas: Sequence[float] = (LEVEL,),
    progress: Progress = None,
) -> CriticalTableResult:
    """Critical values for every combination of the lists; by default the paper's appendix B.

    >>> table = critical_table("tp10", positives=[150], negatives=[484], competitors=[114])
    >>> table.values.item()
    8.0
    """
    name = metric_name(metric)
    sizes = [whole_numbers("positives", positives), whole_numbers("negatives", negatives)]
    counts = whole_numbers("competitors", competitors)
    levels = tuple(check.fraction("alpha", alpha) for alpha in alphas)
    if not levels:
        raise ArgumentError("`alphas` must hold at least one level.")
    values = np.full((len(levels), len(counts), len(sizes[0]), len(sizes[1])), np.nan)
    for i, P in tracked(enumerate(sizes[0]), progress, total=len(sizes[0])):
        for j, N in enumerate(sizes[1]):
            if name.n > P + N:  # fewer cases than the top n: no such score
                continue
            law = null_distribution(metric, positives=P, negatives=N)
            for a, alpha in enumerate(levels):
                for c, count in enumerate(counts):
                    values[a, c, i, j] = quick_critical(law, alpha, count).value
    return CriticalTableResult(
        metric=name.name,
        positives=sizes[0],
        negatives=sizes[1],
        competitors=counts,
        alphas=levels,
        values=values,
        references=name.metric.references,
    )


def whole_numbers(what: str, values: Sequence[int]) -> tuple[int, ...]:
    """Counts, at least one."""
    numbers = tuple(check.count(what, value) for value in values)
    if not numbers:
        raise ArgumentError(f"`{what}` must hold at least one number.")
    return numbers


_ROWS = 10


def critical_grid(
    metric: str,
    *,
    positives: int = 1000,
    negatives: int = 1000,
    competitors: Sequence[int] = (10, 100, 1000),
    alpha: float = LEVEL,
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
    alpha: float = LEVEL,
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
