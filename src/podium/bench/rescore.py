"""New metrics from kept predictions, without running anything again."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from podium.bench.metrics import METRICS, NoProbabilities, score
from podium.bench.store import Store
from podium.core import check

__all__ = ["rescore"]

_BATCH = 500


def rescore(
    store: Store, metrics: Sequence[str], *, progress: Callable[[int, int], None] | None = None
) -> dict[str, int]:
    """Compute metrics for every finished task; how many scores each metric got."""
    for name in metrics:
        check.member("metric", name, METRICS)
    keys = [str(key) for (key,) in store.rows("SELECT key FROM task WHERE status = 'ok' ORDER BY key")]
    found = dict.fromkeys(metrics, 0)
    batch: list[tuple[str, str, float | None, str]] = []
    for place, key in enumerate(keys):
        predictions = store.load_predictions(key)
        for name in metrics:
            try:
                batch.append((key, name, score(name, predictions), ""))
                found[name] += 1
            except NoProbabilities as error:
                batch.append((key, name, None, str(error)))
        if len(batch) >= _BATCH:
            store.add_scores(batch)
            batch = []
        if progress:
            progress(place + 1, len(keys))
    store.add_scores(batch)
    return found
