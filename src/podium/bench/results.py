"""From a store to `Results`: every score and cost, and every failure as a typed hole."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.bench.metrics import COSTS, ESTIMATES, metric_of
from podium.bench.seals import Finished
from podium.bench.store import Store, mixed_versions, open_store
from podium.core import check
from podium.core.errors import StoreError
from podium.evidence.results import COLUMNS, Results

_TASKS = "SELECT DISTINCT status, dataset, algorithm, message FROM task WHERE planned AND status IS NOT NULL"


def results_from_store(
    path: str | Path, *, metrics: Collection[str] | None = None, costs: bool = True, estimates: bool = True
) -> Results:
    """The scores that a store has now, also during a run.

    A task that failed has a row per metric with its status and message and no value. Tasks that have not run
    yet have none; a note counts them. What was optional and skipped everywhere is left out, with a note. Where no
    metric is named, the suite's first is meant.

    Parameters
    ----------
    path : str or pathlib.Path
        The file of the store.
    metrics : collection of str, optional
        Names of the metrics; by default all.
    costs : bool, default True
        Include the costs: times, sizes, memory.
    estimates : bool, default True
        Include `cv_error`, the error that the search promised.

    Returns
    -------
    Results
        The scores.

    Examples
    --------
    >>> scores = results_from_store("mini.db").scores("error")  # doctest: +SKIP
    """
    with open_store(path) as store, store.snapshot():
        finished = store.check()
        suite = store.definition()
        wanted = _wanted(store, suite, metrics, costs=costs, estimates=estimates)
        gone = _left_out(store.rows(_TASKS))
        notes = _notes(store, suite, gone)
        frame = _frame(finished, suite, wanted, gone)
        if frame.empty:
            raise StoreError(f"No task of {str(path)!r} has finished yet: `podium status` says how far the run is.")
        families = dict(store.rows("SELECT name, family FROM dataset"))
        own = store.own_metrics()
    # A metric may be left from an earlier suite, whose tasks are no longer planned.
    frame["metric"] = frame["metric"].cat.remove_unused_categories()
    wanted = list(frame["metric"].cat.categories)
    return Results(
        frame=frame,
        metrics={name: metric_of(name, own) for name in wanted},
        families={str(name): str(family) for name, family in families.items()},
        test_fraction=suite["protocol"]["test_fraction"],
        notes=notes,
        source=str(path),
        main=next((name for name in wanted if metrics is not None or name not in COSTS), None),
    )


def _wanted(
    store: Store, suite: dict[str, Any], metrics: Collection[str] | None, *, costs: bool, estimates: bool
) -> list[str]:
    stored = [str(name) for (name,) in store.rows("SELECT DISTINCT metric FROM score")]
    if metrics is not None:
        return [check.member("metric", name, stored) for name in metrics]
    scores = [name for name in stored if name not in COSTS and name not in ESTIMATES]
    first = [name for name in suite["metrics"] if name in scores] or list(suite["metrics"])
    rest = sorted(set(scores) - set(first))
    more = [name for name in COSTS if costs and name in stored]
    return [*first, *rest, *(name for name in ESTIMATES if estimates and name in stored), *more]


def _frame(
    finished: Finished, suite: dict[str, Any], wanted: list[str], gone: Collection[tuple[int, str]]
) -> pd.DataFrame:
    """The long table, its rows in the order of the plan; names as categories in the order of the suite.

    Every wanted metric of every planned task: its value, why an ok task has none, or why the task failed.
    """
    names = ["key", "digest", "planned", "dataset", "algorithm", "repeat", "fold", "status", "message", "remark"]
    tasks = pd.DataFrame(finished.tasks, columns=names)
    tasks = tasks[tasks.pop("planned") == 1].drop(columns="digest")
    for place, (column, kind) in enumerate((("dataset", "datasets"), ("algorithm", "algorithms")), 1):
        tasks = tasks[~tasks[column].isin([name for number, name in gone if number == place])]
        listed = [entry["name"] for entry in suite[kind]]
        there = tasks[column].unique()
        order = [name for name in listed if name in set(there)] + [name for name in there if name not in listed]
        tasks[column] = pd.Categorical(tasks[column], categories=pd.Index(order, dtype=object))
    tasks = tasks.sort_values(["dataset", "repeat", "fold", "algorithm"])
    ok = tasks["status"] == "ok"
    tasks["message"] = tasks["remark"].where(ok, tasks["message"])
    codes = {name: code for code, name in enumerate(wanted)}
    failed = [(name, None, "") for name in wanted]
    by_task = [
        [score for score in finished.scores.get(key, ()) if score[0] in codes] if is_ok else failed
        for key, is_ok in zip(tasks.pop("key"), ok, strict=True)
    ]
    metric = np.array([codes[name] for scores in by_task for name, _, _ in scores], dtype=np.intp)
    # A nan is kept by SQLite as NULL, which is None here.
    value = np.array([value for scores in by_task for _, value, _ in scores], dtype=np.float64)
    hole = np.array([why for scores in by_task for _, _, why in scores], dtype=object)
    sorting = np.argsort(metric, kind="stable")  # within a metric the tasks are in order already
    frame = tasks.take(np.repeat(np.arange(len(by_task)), [len(scores) for scores in by_task])[sorting])
    frame["metric"] = pd.Categorical.from_codes(metric[sorting], categories=pd.Index(wanted, dtype=object))
    frame["value"] = value[sorting]
    there = hole[sorting] == ""
    frame["message"] = frame["message"].where(there, hole[sorting])
    frame["status"] = frame["status"].where(there, "skipped").astype("category")
    return frame[list(COLUMNS)].reset_index(drop=True)


def _left_out(tasks: list[tuple[Any, ...]]) -> dict[tuple[int, str], str]:
    """What was skipped everywhere, by column (1 dataset, 2 algorithm) and name, with the reason."""
    ran = {(column, row[column]) for row in tasks if row[0] != "skipped" for column in (1, 2)}
    gone = [(column, name) for column in (1, 2) for name in dict.fromkeys(row[column] for row in tasks)]
    reasons = {}
    for column, name in gone:
        if (column, name) not in ran:
            rows = [row for row in tasks if row[column] == name]
            # The reason of a cell both of whose names were skipped is the dataset's.
            own = [row for row in rows if (3 - column, row[3 - column]) in ran]
            reasons[column, name] = str((own or rows)[0][3])
    return reasons


def _notes(store: Store, suite: dict[str, Any], gone: dict[tuple[int, str], str]) -> tuple[str, ...]:
    counts = store.counts()
    waiting, skipped, total = counts.get("waiting", 0), counts.get("skipped", 0), sum(counts.values())
    protocol = suite["protocol"]
    notes = [f"Suite {suite['name']!r} under the protocol {protocol['kind']!r}, seed {suite['seed']}."]
    if waiting:
        notes.append(f"{waiting} of {total} tasks {'has' if waiting == 1 else 'have'} not run yet.")
    failed = {status: count for status, count in counts.items() if status not in ("ok", "waiting", "skipped")}
    if failed:
        listed = ", ".join(f"{count} {status}" for status, count in sorted(failed.items()))
        notes.append(f"{sum(failed.values())} of {total} tasks failed ({listed}).")
    if skipped:
        notes.append(f"{skipped} of {total} tasks {'was' if skipped == 1 else 'were'} skipped.")
    notes += [
        f"The {'dataset' if column == 1 else 'algorithm'} {name!r} is left out, for it was skipped: {reason}"
        for (column, name), reason in gone.items()
    ]
    if protocol["search"] == "flat":
        notes.append("Hyperparameters were chosen once on whole datasets: the scores are optimistic.")
    notes += [*store.remarks(), *mixed_versions([store], "tasks")]
    for name in suite["metrics"]:
        if lacking := len(store.lacking(name)):
            have = f"finished tasks {'has' if lacking == 1 else 'have'} no {name!r}, a metric of the suite"
            notes.append(f"{lacking} of {counts.get('ok', 0)} {have}: run the suite again.")
    return tuple(notes)
