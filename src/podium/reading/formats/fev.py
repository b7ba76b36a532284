"""fev (forecast evaluation): CSV files with one row per model and task; `test_error` is better when lower."""

from __future__ import annotations

import ast
from collections import Counter
from pathlib import Path
from typing import Any

from podium.core.numbers import listed
from podium.reading.logs.records import Log
from podium.reading.logs.tables import csv_rows, has_columns

_NEEDED = ("model_name", "dataset_path", "dataset_config", "horizon", "eval_metric", "test_error")
_COSTS = ("training_time_s", "inference_time_s")
# What tells two tasks on one dataset apart, where their names do not.
_TASK = ("dataset_config", "horizon", "num_windows", "initial_cutoff", "target", "seasonality")

Row = dict[str, str]


def is_fev(path: Path, head: bytes) -> bool:
    """Whether the first line has the columns of fev's summaries."""
    return has_columns(head, *_NEEDED)


def read_fev(files: list[Path], log: Log) -> None:
    """Every model on every task; the tasks are the datasets."""
    rows = [(file, row) for file in files for _, row in csv_rows(file, _NEEDED)]
    names = _task_names([row for _, row in rows])
    leaks: Counter[str] = Counter()
    for (file, row), task in zip(rows, names, strict=True):
        system = row["model_name"]
        leaks[system] += row.get("trained_on_this_dataset", "").lower() == "true"
        about: dict[str, Any] = {"file": file, "system": system, "unit": "dataset"}
        headline = next(iter(_names(row["eval_metric"])), "test_error")
        stream = log.stream(metric=headline, direction="lower", **about)
        stream.add(task, row["test_error"], why="error")
        for metric in _names(row.get("extra_metrics", "")):
            if metric in row and metric != headline:
                log.stream(metric=metric, direction="lower", main=False, **about).add(task, row[metric])
        log.spend({cost: row.get(cost) for cost in _COSTS}, about, task)
    log.matched_by("task_name")
    trained = [f"{name} ({count})" for name, count in leaks.items() if count]
    if trained:
        log.note(
            f"Trained on the datasets of some tasks, by their own account, and so not strictly comparable: "
            f"{listed(trained)}. These scores are kept."
        )


def _names(text: str) -> list[str]:
    """The metrics in a list or dict that Python wrote as text; one with settings of its own is a dict with its name.

    >>> _names("['WQL', {'name': 'WAPE', 'epsilon': 1.0}]"), _names("[]"), _names("MASE")
    (['WQL', 'WAPE'], [], ['MASE'])
    """
    try:
        held = ast.literal_eval(text) if text[:1] in ("[", "{") else text
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return []
    parts = held if isinstance(held, list) else [held]
    names = (part.get("name") if isinstance(part, dict) else part for part in parts)
    return [str(name) for name in names if name]


def _task_names(rows: list[Row]) -> list[str]:
    """The name of the task of each row, with what else tells it apart where one name is used for several tasks."""
    names = [row.get("task_name") or row["dataset_config"] or row["dataset_path"] for row in rows]
    meant: dict[str, set[tuple[str, ...]]] = {}
    parts = [tuple(row.get(part, "") for part in _TASK) for row in rows]
    twice = _used_twice(rows, names)
    for name, own in zip(names, parts, strict=True):
        meant.setdefault(name, set()).add(own)
    whole_names = []
    for name, own in zip(names, parts, strict=True):
        several = name in twice and len(meant[name]) > 1
        differ = [i for i in range(len(_TASK)) if len({each[i] for each in meant[name]}) > 1] if several else []
        details = ", ".join(f"{_TASK[i]} {own[i] or 'none'}" for i in differ)
        whole_names.append(f"{name} ({details})" if details else name)
    return whole_names


def _used_twice(rows: list[Row], names: list[str]) -> set[str]:
    """The names of tasks that one model has more than once."""
    counts = Counter((row["model_name"], name) for row, name in zip(rows, names, strict=True))
    return {name for (_, name), count in counts.items() if count > 1}
