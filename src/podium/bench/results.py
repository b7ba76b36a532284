"""From a store to `Results`: every score and cost, and every failure as a typed hole."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from podium.bench.metrics import COSTS, ESTIMATES, metric_of
from podium.bench.store import Store, open_store
from podium.core import check
from podium.core.results import COLUMNS, Results

_TASKS = "SELECT key, dataset, algorithm, repeat, fold, status, message FROM task WHERE planned AND status IS NOT NULL"


def results_from_store(
    path: str | Path, *, metrics: Collection[str] | None = None, costs: bool = True, estimates: bool = False
) -> Results:
    """The scores of a store as they stand now, also while a run goes on.

    A task that failed has a row per metric with its status and message and no value. Tasks that have not run
    yet have none; a note counts them. What was optional and skipped everywhere is left out, with a note. Where no
    metric is named, the suite's first is meant. `estimates` adds `cv_error`, what the search believed before the test.
    """
    with open_store(path) as store:
        suite = store.definition()
        wanted = _wanted(store, suite, metrics, costs=costs, estimates=estimates)
        tasks = store.rows(_TASKS)
        gone = _left_out(tasks)
        notes = _notes(store, suite, gone)
        tasks = [row for row in tasks if (1, row[1]) not in gone and (2, row[2]) not in gone]
        frame = _frame(store, suite, tasks, wanted)
        families = dict(store.rows("SELECT name, family FROM dataset"))
    if len(frame):  # a metric may be left from an earlier suite, whose tasks are no longer planned
        frame["metric"] = frame["metric"].cat.remove_unused_categories()
        wanted = list(frame["metric"].cat.categories)
    return Results(
        frame=frame,
        metrics={name: metric_of(name) for name in wanted},
        families={str(name): str(family) for name, family in families.items()},
        test_fraction=suite["protocol"]["test_fraction"],
        notes=notes,
        source=str(path),
        main=next((name for name in wanted if metrics is not None or name not in COSTS), None),
    )


def _wanted(
    store: Store, suite: dict[str, Any], metrics: Collection[str] | None, *, costs: bool, estimates: bool
) -> list[str]:
    known = [str(name) for (name,) in store.rows("SELECT DISTINCT metric FROM score")]
    if metrics is not None:
        return [check.member("metric", name, known) for name in metrics]
    scores = [name for name in known if name not in COSTS and name not in ESTIMATES]
    first = [name for name in suite["metrics"] if name in scores] or list(suite["metrics"])
    rest = sorted(set(scores) - set(first))
    more = [name for name in COSTS if costs and name in known]
    return [*first, *rest, *(name for name in ESTIMATES if estimates and name in known), *more]


def _frame(store: Store, suite: dict[str, Any], tasks: list[tuple[Any, ...]], wanted: list[str]) -> pd.DataFrame:
    """The long table, its rows in the order of the plan; names as categories in the order of the suite."""
    datasets, algorithms = _order(suite, "datasets", tasks, 1), _order(suite, "algorithms", tasks, 2)
    dataset, algorithm = _codes(tasks, 1, datasets), _codes(tasks, 2, algorithms)
    repeat, fold = (np.array([row[column] for row in tasks], dtype=np.int64) for column in (3, 4))
    rank = np.empty(len(tasks), dtype=np.intp)  # the place of each task in the plan
    rank[np.lexsort((algorithm, fold, repeat, dataset))] = np.arange(len(tasks))
    place = {row[0]: i for i, row in enumerate(tasks)}
    failed = np.array([i for i, row in enumerate(tasks) if row[5] != "ok"], dtype=np.intp)
    blocks = [_block(store, place, name, failed, rank) for name in wanted]
    task = np.concatenate([block[0] for block in blocks]) if blocks else np.empty(0, dtype=np.intp)
    values = np.concatenate([block[1] for block in blocks]) if blocks else np.empty(0)
    hole = np.concatenate([block[2] for block in blocks]) if blocks else np.empty(0, dtype=object)
    metric = np.repeat(np.arange(len(wanted)), [len(block[0]) for block in blocks])
    status, message = (np.array([row[column] for row in tasks], dtype=object)[task] for column in (5, 6))
    columns = {
        "algorithm": _category(algorithm[task], algorithms),
        "dataset": _category(dataset[task], datasets),
        "repeat": repeat[task],
        "fold": fold[task],
        "metric": _category(metric, wanted),
        "value": values,
        "status": pd.Categorical(np.where(hole != "", "skipped", status)),
        "message": np.where(hole != "", hole, message),
    }
    return pd.DataFrame(columns)[list(COLUMNS)]


def _category(codes: Any, names: list[str]) -> Any:
    return pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype=object))


def _block(store: Store, place: dict[str, int], name: str, failed: Any, rank: Any) -> tuple[Any, Any, Any]:
    """The rows of one metric in the order of the plan: the places of their tasks, the values, why one is missing."""
    query = (
        "SELECT s.key, s.value, s.message FROM score s JOIN task t USING (key) "
        "WHERE s.metric = ? AND t.planned AND t.status = 'ok'"
    )
    # A running driver may have finished more tasks since the list of tasks was read.
    rows = [row for row in store.rows(query, name) if row[0] in place]
    # A nan is kept by SQLite as NULL.
    values = np.array([np.nan if row[1] is None else row[1] for row in rows], dtype=np.float64)
    tasks = np.concatenate([np.array([place[row[0]] for row in rows], dtype=np.intp), failed])
    values = np.concatenate([values, np.full(len(failed), np.nan)])
    holes = np.array([row[2] for row in rows] + [""] * len(failed), dtype=object)
    order = np.argsort(rank[tasks], kind="stable")
    return tasks[order], values[order], holes[order]


def _order(suite: dict[str, Any], kind: str, tasks: list[tuple[Any, ...]], column: int) -> list[str]:
    """Names in the order of the suite, as far as they occur."""
    there = dict.fromkeys(row[column] for row in tasks)
    known = [entry["name"] for entry in suite[kind] if entry["name"] in there]
    return known + [name for name in there if name not in set(known)]


def _codes(tasks: list[tuple[Any, ...]], column: int, names: list[str]) -> Any:
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[row[column]] for row in tasks], dtype=np.intp)


def _left_out(tasks: list[tuple[Any, ...]]) -> dict[tuple[int, str], str]:
    """What was skipped everywhere, by column (1 dataset, 2 algorithm) and name, with the reason."""
    ran = {(column, row[column]) for row in tasks if row[5] != "skipped" for column in (1, 2)}
    gone = [(column, name) for column in (1, 2) for name in dict.fromkeys(row[column] for row in tasks)]
    reasons = {}
    for column, name in gone:
        if (column, name) not in ran:
            rows = [row for row in tasks if row[column] == name]
            # The reason of a cell both of whose names were skipped is the dataset's.
            own = [row for row in rows if (3 - column, row[3 - column]) in ran]
            reasons[column, name] = str((own or rows)[0][6])
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
    notes += [
        f"The metric {name!r} of the suite has not been computed: run the suite again."
        for name in suite["metrics"]
        if counts.get("ok", 0) and not store.rows("SELECT 1 FROM score WHERE metric = ? LIMIT 1", name)
    ]
    return tuple(notes)
