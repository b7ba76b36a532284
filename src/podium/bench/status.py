"""How far a run is, and what failed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from podium.bench.store import open_store
from podium.core.numbers import counted
from podium.core.result import Result, plain

if TYPE_CHECKING:
    import pandas as pd

FAILURES_SHOWN = 5  # unless all are asked for


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class RunStatus(Result):
    """The tasks that a store's last run planned: how many are done, by algorithm, and which failed or were skipped."""

    JSON: ClassVar[Mapping[str, Any]] = dict.fromkeys(("algorithms", "tasks"), list[dict[str, Any]])

    suite: str
    counts: dict[str, int]
    algorithms: pd.DataFrame
    tasks: pd.DataFrame
    containment: str = ""
    remarks: tuple[str, ...] = ()
    failures: bool = False

    @property
    def failed(self) -> pd.DataFrame:
        """The tasks that failed."""
        return self.tasks[self.tasks["status"] != "skipped"]

    def summary(self) -> str:
        """How many tasks are done."""
        parts = ", ".join(f"{count} {word}" for word, count in sorted(self.counts.items()))
        hidden = 0 if self.failures else max(len(self.failed) - FAILURES_SHOWN, 0)
        more = f" {counted(hidden, 'failure')} not shown: see `failures`." if hidden else ""
        how = f" Processes of a task are found by their {self.containment}." if self.containment else ""
        remarks = "".join(f" {remark}" for remark in self.remarks)
        return f"{self.suite}: {counted(sum(self.counts.values()), 'task')} planned: {parts}.{remarks}{more}{how}"

    def to_frame(self) -> pd.DataFrame:
        """One row per algorithm."""
        return self.algorithms

    def tables(self) -> dict[str, pd.DataFrame]:
        """The algorithms, the tasks that failed, and why others were skipped."""
        columns = ["status", "algorithm", "dataset", "message", "repeat", "fold"]
        skipped = self.tasks[self.tasks["status"] == "skipped"]
        frames = {
            "result": self.algorithms,
            "failed": (self.failed if self.failures else self.failed[:FAILURES_SHOWN])[columns],
            "skipped": skipped.groupby("message", sort=False).size().reset_index(name="tasks"),
        }
        return {name: frame for name, frame in frames.items() if len(frame) or name == "result"}

    def to_dict(self) -> dict[str, Any]:
        """Plain values; a row per algorithm, and per task that is not ok."""
        rows = {name: plain(getattr(self, name).to_dict("records")) for name in ("algorithms", "tasks")}
        return {**Result.to_dict(self), **rows}


def run_status(store: str | Path, *, failures: bool = False) -> RunStatus:
    """How far the last run of a store is; its tables show the first failures, or all `failures`."""
    with open_store(store) as opened, opened.snapshot():
        opened.check()
        return RunStatus(
            suite=str(opened.definition()["name"]),
            counts=opened.counts(),
            algorithms=opened.by_algorithm(),
            tasks=opened.failures(),
            containment=opened.environment().get("containment", ""),
            remarks=tuple(opened.remarks()),
            failures=failures,
        )
