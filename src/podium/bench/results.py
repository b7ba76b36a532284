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

__all__ = ["results_from_store"]


def results_from_store(
    path: str | Path, *, metrics: Collection[str] | None = None, costs: bool = True, estimates: bool = False
) -> Results:
    """The scores of a store as they stand now, also while a run goes on.

    A task that failed has a row per metric with its status and message and no value. Tasks that have not run
    yet have none; a note counts them. `estimates` adds `cv_error`, what the search believed before the test.
    """
    with open_store(path) as store:
        suite = store.definition()
        wanted = _wanted(store, suite, metrics, costs=costs, estimates=estimates)
        frame = _frame(store, suite, wanted)
        families = dict(store.rows("SELECT name, family FROM dataset"))
        notes = _notes(store, suite)
    present = [name for name in wanted if name in set(frame["metric"].cat.categories)]
    return Results(
        frame=frame,
        metrics={name: metric_of(name) for name in present},
        families={str(name): str(family) for name, family in families.items()},
        test_fraction=suite["protocol"]["test_fraction"],
        notes=notes,
        source=str(path),
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


def _frame(store: Store, suite: dict[str, Any], wanted: list[str]) -> pd.DataFrame:
    """The long table; names as categories in the order of the suite."""
    tasks = store.rows(
        "SELECT key, dataset, algorithm, repeat, fold, status, message FROM task WHERE planned AND status IS NOT NULL"
    )
    datasets, algorithms = _order(suite, "datasets", tasks, 1), _order(suite, "algorithms", tasks, 2)
    place = {row[0]: i for i, row in enumerate(tasks)}
    blocks = [_scored(store, place, name, m) for m, name in enumerate(wanted)]
    failed = np.array([i for i, row in enumerate(tasks) if row[5] != "ok"], dtype=np.intp)
    blocks += [
        (failed, np.full(len(failed), m), np.full(len(failed), np.nan), [""] * len(failed)) for m in range(len(wanted))
    ]
    task = np.concatenate([block[0] for block in blocks]) if blocks else np.empty(0, dtype=np.intp)
    metric = np.concatenate([block[1] for block in blocks]) if blocks else np.empty(0, dtype=np.intp)
    values = np.concatenate([block[2] for block in blocks]) if blocks else np.empty(0)
    hole = np.array([text for block in blocks for text in block[3]], dtype=object)
    status = np.array([row[5] for row in tasks], dtype=object)[task] if len(tasks) else np.empty(0, dtype=object)
    message = np.array([row[6] for row in tasks], dtype=object)[task] if len(tasks) else np.empty(0, dtype=object)
    status = np.where(hole != "", "skipped", status)
    columns = {
        "algorithm": _category(_codes(tasks, 2, algorithms)[task], algorithms),
        "dataset": _category(_codes(tasks, 1, datasets)[task], datasets),
        "repeat": np.array([row[3] for row in tasks], dtype=np.int64)[task],
        "fold": np.array([row[4] for row in tasks], dtype=np.int64)[task],
        "metric": _category(metric, wanted),
        "value": values,
        "status": pd.Categorical(status),
        "message": np.where(hole != "", hole, message),
    }
    return pd.DataFrame(columns)[list(COLUMNS)]


def _category(codes: Any, names: list[str]) -> Any:
    return pd.Categorical.from_codes(codes, categories=pd.Index(names, dtype=object))


def _scored(store: Store, place: dict[str, int], name: str, code: int) -> tuple[Any, Any, Any, list[str]]:
    """The scores of one metric: the places of their tasks, the metric's number, the values, why one is missing."""
    query = (
        "SELECT s.key, s.value, s.message FROM score s JOIN task t USING (key) "
        "WHERE s.metric = ? AND t.planned AND t.status = 'ok'"
    )
    # A running driver may have finished more tasks since the list of tasks was read.
    rows = [row for row in store.rows(query, name) if row[0] in place]
    # A nan is kept by SQLite as NULL.
    values = np.array([np.nan if row[1] is None else row[1] for row in rows], dtype=np.float64)
    tasks = np.array([place[row[0]] for row in rows], dtype=np.intp)
    return tasks, np.full(len(rows), code), values, [row[2] for row in rows]


def _order(suite: dict[str, Any], kind: str, tasks: list[tuple[Any, ...]], column: int) -> list[str]:
    """Names in the order of the suite, as far as they occur."""
    there = dict.fromkeys(row[column] for row in tasks)
    known = [entry["name"] for entry in suite[kind] if entry["name"] in there]
    return known + [name for name in there if name not in set(known)]


def _codes(tasks: list[tuple[Any, ...]], column: int, names: list[str]) -> Any:
    place = {name: i for i, name in enumerate(names)}
    return np.array([place[row[column]] for row in tasks], dtype=np.intp)


def _notes(store: Store, suite: dict[str, Any]) -> tuple[str, ...]:
    counts = store.counts()
    waiting, total = counts.get("waiting", 0), sum(counts.values())
    protocol = suite["protocol"]
    notes = [f"Suite {suite['name']!r} under the protocol {protocol['kind']!r}, seed {suite['seed']}."]
    if waiting:
        notes.append(f"{waiting} of {total} tasks have not run yet.")
    failed = {status: count for status, count in counts.items() if status not in ("ok", "waiting")}
    if failed:
        listed = ", ".join(f"{count} {status}" for status, count in sorted(failed.items()))
        notes.append(f"{sum(failed.values())} of {total} tasks failed ({listed}).")
    if protocol["search"] == "flat":
        notes.append("Hyperparameters were chosen once on whole datasets: the scores are optimistic.")
    return tuple(notes)
