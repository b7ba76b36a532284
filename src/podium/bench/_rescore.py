"""New metrics from kept predictions, without running anything again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from podium.bench.execute import add_paths
from podium.bench.metrics import METRICS, CustomMetric, score_or_hole
from podium.bench.spec import Suite
from podium.bench.store import Store
from podium.core import check
from podium.core.errors import ArgumentError, StoreError
from podium.core.metric import usual_name
from podium.core.numbers import counted
from podium.core.progress import Progress, tracked

_BATCH = 500


def rescore(
    store: Store, metrics: Sequence[str], *, paths: Sequence[str | Path] | None = None, progress: Progress = None
) -> dict[str, int]:
    """Compute metrics for every finished task.

    Predictions that cannot be read are named at the end.

    Parameters
    ----------
    store : Store
        A store that is open for writing.
    metrics : sequence of str
        Names of the metrics.
    paths : sequence of str or pathlib.Path, optional
        Folders with the modules of your own metrics (an empty list, if they are installed). Such a metric is
        code that the store only names: it is imported only if this says so.
    progress : callable, optional
        Called with how much is done, and of how much.

    Returns
    -------
    dict of str to int
        How many scores each metric got.

    Examples
    --------
    >>> with podium.bench.open_store("mini.db", write=True) as store:  # doctest: +SKIP
    ...     rescore(store, ["accuracy"])
    {'accuracy': 40}
    """
    own, metrics = store.own_metrics(), [usual_name(name) for name in metrics]
    for name in metrics:
        if check.member("metric", name, {**METRICS, **own}) in own and paths is None:
            raise ArgumentError(
                f"The metric {name!r} is code that the results database names ({own[name].function}): if you trust it, give the folder "
                "of its module as {argument}.",
                argument="paths",
            )
    add_paths(map(str, paths or ()))
    keys = [str(key) for (key,) in store.rows("SELECT key FROM task WHERE status = 'ok' ORDER BY key")]
    counts, unreadable = _fill(store, dict.fromkeys(keys, metrics), own, progress)
    if unreadable:
        raise StoreError(f"{counted(len(unreadable), 'finished task')} of {len(keys)} got no score. {unreadable[0]}")
    return {name: counts.get(name, 0) for name in metrics}


def rescore_missing(store: Store, suite: Suite) -> tuple[str, ...]:
    """Compute the metrics that finished tasks of the plan lack, where their predictions can be read; what to say."""
    lacking: dict[str, list[str]] = {}
    for name in suite.metrics:
        for key in store.lacking(name):
            lacking.setdefault(key, []).append(name)
    _, unreadable = _fill(store, lacking, {metric.name: metric for metric in suite.own_metrics})
    notes = []
    if len(lacking) > len(unreadable):
        listed = ", ".join(repr(name) for name in suite.metrics if any(name in names for names in lacking.values()))
        notes.append(f"{counted(len(lacking) - len(unreadable), 'finished task')} got {listed} from kept predictions.")
    if unreadable:
        failed = counted(len(unreadable), "finished task")
        notes.append(f"{failed} could not get every metric of the suite. {unreadable[0]}")
    return tuple(notes)


def _fill(
    store: Store, wanted: Mapping[str, Sequence[str]], own: Mapping[str, CustomMetric], progress: Progress = None
) -> tuple[dict[str, int], list[str]]:
    """Compute and keep the wanted metrics of each task; how many values each got, and what could not be read."""
    counts: dict[str, int] = {}
    unreadable: list[str] = []
    rows: list[tuple[str, str, float | None, str]] = []
    for key, metrics in tracked(wanted.items(), progress, total=len(wanted)):
        try:
            predictions = store.load_predictions(key)
        except StoreError as error:
            unreadable.append(str(error))
            continue
        for name in metrics:
            value, hole = score_or_hole(name, predictions, own)
            rows.append((key, name, value, hole))
            counts[name] = counts.get(name, 0) + (value is not None)
        if len(rows) >= _BATCH:
            store.add_scores(rows)
            rows = []
    store.add_scores(rows)
    return counts, unreadable
