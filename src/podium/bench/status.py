"""How far a run is, and what failed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.bench.store import AlgorithmRow, AttemptRow, open_store
from podium.core.numbers import counted
from podium.core.result import Result

if TYPE_CHECKING:
    import pandas as pd

FAILURES_SHOWN = 5  # unless all are asked for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunStatus(Result):
    """The tasks that a store's last run planned: how many are done, by algorithm, and which failed or were skipped."""

    suite: str
    counts: dict[str, int]
    algorithms: tuple[AlgorithmRow, ...]
    tasks: tuple[AttemptRow, ...]
    failures: bool = False

    @property
    def failed(self) -> tuple[AttemptRow, ...]:
        """The tasks that failed."""
        return tuple(task for task in self.tasks if task.status != "skipped")

    def summary(self) -> str:
        """How many tasks are done."""
        parts = ", ".join(f"{count} {word}" for word, count in sorted(self.counts.items()))
        hidden = 0 if self.failures else max(len(self.failed) - FAILURES_SHOWN, 0)
        more = f" {counted(hidden, 'failure')} not shown: see `failures`." if hidden else ""
        return f"{self.suite}: {counted(sum(self.counts.values()), 'task')} planned: {parts}.{more}"

    def to_frame(self) -> pd.DataFrame:
        """One row per algorithm."""
        import pandas as pd

        return pd.DataFrame(self.algorithms, columns=AlgorithmRow._fields)

    def tables(self) -> dict[str, pd.DataFrame]:
        """The algorithms, the tasks that failed, and why others were skipped."""
        import pandas as pd

        shown = self.failed if self.failures else self.failed[:FAILURES_SHOWN]
        skipped = Counter(task.message for task in self.tasks if task.status == "skipped")
        columns = ["status", "algorithm", "dataset", "message", "repeat", "fold"]
        found = {
            "result": self.to_frame(),
            "failed": pd.DataFrame(shown, columns=AttemptRow._fields)[columns],
            "skipped": pd.DataFrame(skipped.items(), columns=["message", "tasks"]),
        }
        return {name: frame for name, frame in found.items() if len(frame) or name == "result"}

    def to_dict(self) -> dict[str, Any]:
        """Plain values; a row per algorithm, and per task that is not ok."""
        rows = {
            "algorithms": [row._asdict() for row in self.algorithms],
            "tasks": [row._asdict() for row in self.tasks],
        }
        return {**Result.to_dict(self), **rows}


def run_status(store: str | Path, *, failures: bool = False) -> RunStatus:
    """How far the last run of a store is; its tables show the first failures, or all `failures`."""
    with open_store(store) as opened:
        return RunStatus(
            suite=str(opened.definition()["name"]),
            counts=opened.counts(),
            algorithms=tuple(opened.by_algorithm()),
            tasks=tuple(opened.failures()),
            failures=failures,
        )
