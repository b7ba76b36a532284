"""New metrics from kept predictions, without running anything again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from podium.bench.metrics import METRICS, NoProbabilities, score
from podium.bench.store import Store
from podium.core import check
from podium.core.errors import StoreError

_BATCH = 500


def rescore(
    store: Store, metrics: Sequence[str], *, progress: Callable[[int, int], None] | None = None
) -> dict[str, int]:
    """Compute metrics for every finished task; how many scores each metric got.

    Predictions that cannot be read are named in the end, when all others are done.
    """
    for name in metrics:
        check.member("metric", name, METRICS)
    keys = [str(key) for (key,) in store.rows("SELECT key FROM task WHERE status = 'ok' ORDER BY key")]
    found = dict.fromkeys(metrics, 0)
    unreadable: list[str] = []
    batch: list[tuple[str, str, float | None, str]] = []
    for place, key in enumerate(keys):
        try:
            rows = _rows(store, key, metrics)
        except StoreError as error:
            unreadable.append(str(error))
            continue
        for _, name, value, _ in rows:
            found[name] += value is not None
        batch += rows
        if len(batch) >= _BATCH:
            store.add_scores(batch)
            batch = []
        if progress:
            progress(place + 1, len(keys))
    store.add_scores(batch)
    if unreadable:
        raise StoreError(f"{_tasks(len(unreadable))} of {len(keys)} got no score. {unreadable[0]}")
    return found


def rescore_missing(store: Store, metrics: Sequence[str]) -> tuple[str, ...]:
    """Compute the metrics that finished tasks of the plan lack, where their predictions can be read; what to say."""
    lacking: dict[str, list[str]] = {}
    for name in metrics:
        query = (
            "SELECT key FROM task t WHERE planned AND status = 'ok' "
            "AND NOT EXISTS (SELECT 1 FROM score s WHERE s.key = t.key AND s.metric = ?)"
        )
        for (key,) in store.rows(query, name):
            lacking.setdefault(str(key), []).append(name)
    unreadable, batch = [], []
    for key, names in lacking.items():
        try:
            batch += _rows(store, key, names)
        except StoreError as error:
            unreadable.append(str(error))
        if len(batch) >= _BATCH:
            store.add_scores(batch)
            batch = []
    store.add_scores(batch)
    notes = []
    if len(lacking) > len(unreadable):
        listed = ", ".join(repr(name) for name in metrics if any(name in names for names in lacking.values()))
        notes.append(f"{_tasks(len(lacking) - len(unreadable))} got {listed} from kept predictions.")
    if unreadable:
        notes.append(f"{_tasks(len(unreadable))} could not get every metric of the suite. {unreadable[0]}")
    return tuple(notes)


def _rows(store: Store, key: str, metrics: Sequence[str]) -> list[tuple[str, str, float | None, str]]:
    """A task's scores as rows of the store; one that cannot be had says why."""
    predictions = store.load_predictions(key)
    rows: list[tuple[str, str, float | None, str]] = []
    for name in metrics:
        try:
            rows.append((key, name, score(name, predictions), ""))
        except NoProbabilities as error:
            rows.append((key, name, None, str(error)))
    return rows


def _tasks(count: int) -> str:
    return "1 finished task" if count == 1 else f"{count} finished tasks"
