"""A running benchmark, seen from a worker: how far it is, what failed and why, and the report so far."""

from __future__ import annotations

from typing import Any

__all__ = ["partial_report", "progress"]

MOST_FAILURES = 200


def progress(_: bytes, *, path: str) -> dict[str, Any]:
    """How far the run is: tasks by status, each algorithm's tasks, failures with their messages."""
    from podium.bench.store import FINAL, open_store

    with open_store(path) as store:
        suite, counts = store.definition(), store.counts()
        rows = store.rows(
            "SELECT algorithm, sum(status = 'ok'), sum(status IS NOT NULL AND status != 'ok'), sum(status IS NULL) "
            "FROM task WHERE planned GROUP BY algorithm ORDER BY algorithm"
        )
        started, finished = store.rows("SELECT started, finished FROM run ORDER BY id DESC LIMIT 1")[0]
        failures = store.failures()
    return {
        "suite": str(suite["name"]),
        "planned": sum(counts.values()),
        "done": sum(counts.get(status, 0) for status in FINAL),
        "counts": counts,
        "started": started,
        "finished": finished,
        "algorithms": [
            {"algorithm": name, "ok": ok or 0, "failed": bad or 0, "waiting": waiting or 0}
            for name, ok, bad, waiting in rows
        ],
        "failures": [dict(zip(failure._fields, failure, strict=True)) for failure in failures[:MOST_FAILURES]],
        "more_failures": max(0, len(failures) - MOST_FAILURES),
    }


def partial_report(_: bytes, *, path: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The comparison of what has been finished so far."""
    from podium.bench.results import results_from_store
    from podium.comparison.compare import compare
    from podium.core.errors import DataError
    from podium.web.reporting import reported

    results = results_from_store(path)
    metric = settings.get("metric") or next((name for name, one in results.metrics.items() if not one.is_cost), None)
    if metric is None:
        raise DataError("No task has finished yet: wait for some scores.")
    scores = results.scores(metric)
    scored = [name for name, column in zip(scores.algorithms, scores.table().values.T, strict=True) if _any(column)]
    given = {**settings, "metric": metric, "algorithms": settings.get("algorithms") or scored}
    lacking = [name for name in scores.algorithms if name not in scored]
    notes = [*results.notes, *([f"Left out, without any score so far: {', '.join(lacking)}."] if lacking else [])]
    return {**reported(compare(results, **given)), "notes": notes}


def _any(column: Any) -> bool:
    return any(value == value for value in column)
