"""TabArena: long tables (CSV or Parquet) of `metric_error` by method, dataset and fold; imputed scores are holes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from podium.core.metric import known_metric
from podium.core.numbers import counted
from podium.reading.logs.files import form_of, head_of, wrong
from podium.reading.logs.records import Log, number
from podium.reading.logs.tables import csv_rows, has_columns

_NEEDED = ("dataset", "fold", "method", "metric_error")
_COSTS = ("time_train_s", "time_infer_s")


def is_tabarena(path: Path, head: bytes) -> bool:
    """Whether a table has the columns of TabArena."""
    if form_of(head) == "parquet":
        return set(_NEEDED) <= set(_parquet_columns(path))
    return has_columns(head, *_NEEDED)


def read_tabarena(files: list[Path], log: Log) -> None:
    """Every method on every split of every dataset, by the error of the dataset's own metric."""
    imputed: Counter[str] = Counter()
    for file in files:
        for line, row in _rows(file):
            system, name = str(row["method"]), _error_name(row.get("metric"))
            fold = number(row["fold"])
            if fold is None or fold != int(fold) or fold < 0:
                raise wrong(file, f", row {line}: {row['fold']!r} is not the number of a fold.")
            is_imputed = str(row.get("imputed")).lower() in ("true", "1", "1.0")
            imputed[system] += is_imputed
            about: dict[str, Any] = {"file": file, "system": system, "unit": "dataset"}
            place: dict[str, Any] = {"sample": int(fold), "repeat": int(number(row.get("repeat")) or 0)}
            stream = log.stream(metric=name, direction="lower", **about)
            score, why = (None, "imputed") if is_imputed else (row["metric_error"], "")
            stream.add(row["dataset"], score, why=why, **place)
            if not is_imputed:
                log.spend({cost: row.get(cost) for cost in _COSTS}, about, row["dataset"], **place)
    gone = {name: count for name, count in imputed.items() if count}
    if gone:
        log.note(
            f"{counted(sum(gone.values()), 'score')} of {counted(len(gone), 'method')} were imputed, which is another method's "
            "score in place of a failure; they count as missing."
        )
    log.matched_by("dataset, repeat and fold")


def _error_name(metric: Any) -> str:
    """What `metric_error` measures on a dataset: of a metric that is better when higher, what is missing to 1.

    >>> _error_name("roc_auc"), _error_name("rmse"), _error_name(None)
    ('1 - roc_auc', 'rmse', 'metric_error')
    """
    if metric is None or metric != metric or not str(metric):
        return "metric_error"
    usual = known_metric(str(metric))
    return f"1 - {metric}" if usual is not None and usual.higher_is_better else str(metric)


def _rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    return _parquet_rows(file) if form_of(head_of(file)) == "parquet" else csv_rows(file, _NEEDED)


def _parquet_columns(path: Path) -> Iterable[str]:
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        return ()
    try:
        return list(parquet.read_schema(path).names)
    except (ArrowException, OSError, ValueError):
        return ()


def _parquet_rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    from pyarrow import ArrowException, parquet

    wanted = (*_NEEDED, *_COSTS, "metric", "imputed", "repeat")
    try:
        columns = [name for name in wanted if name in parquet.read_schema(path).names]
        yield from enumerate(parquet.read_table(path, columns=columns).to_pylist(), 1)
    except (ArrowException, OSError, ValueError) as error:
        raise wrong(path, f"is damaged or was cut off ({type(error).__name__}): restore it, or leave it out.") from None
