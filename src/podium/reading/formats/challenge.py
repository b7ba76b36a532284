"""challengeR: a long CSV of a challenge, one value per task, algorithm and case; each task numbers its cases from the start."""

from __future__ import annotations

from pathlib import Path

from podium.core.names import shown
from podium.reading.logs.files import wrong
from podium.reading.logs.records import Log
from podium.reading.logs.tables import csv_rows, has_columns

_COLUMNS = ("task", "alg_name", "value", "case")


def is_challenge(path: Path, head: bytes) -> bool:
    """Whether the first line has the columns of challengeR's data matrix."""
    return has_columns(head, *_COLUMNS)


def read_challenge(files: list[Path], log: Log) -> None:
    """Every algorithm on every case; a task is a benchmark. The file does not say which direction is better."""
    for file in files:
        seen: set[tuple[str, ...]] = set()
        for line, row in csv_rows(file, _COLUMNS):
            task, system, case = row["task"], row["alg_name"], row["case"]
            if (task, system, case) in seen:
                raise wrong(
                    file,
                    f", line {line}: {shown(system)} has a second value for the case {shown(case)} of {shown(task)}.",
                )
            seen.add((task, system, case))
            log.stream(file=file, system=system, benchmark=task, metric="value").add(case, row["value"])
    log.matched_by("task and case")
