"""every_eval_ever: one JSON file per model with its scores, and beside it perhaps JSON lines with every sample."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.read.logs.json_view import json_lines, json_view
from podium.core.read.logs.records import Log, Stream, hole_kind, number

_TOTALS = (b'"evaluation_id"', b'"model_info"', b'"schema_version"')
_SAMPLE = (b'"evaluation_id"', b'"model_id"', b'"sample_id"', b'"evaluation_name"')
_COSTS = {"tokens": ("token_usage", "total_tokens", 1.0), "seconds": ("performance", "latency_ms", 0.001)}


@dataclass(slots=True)
class _Metrics:
    """What the totals say of a metric, by evaluation and by the name of the result."""

    told: dict[tuple[str, str], tuple[str, str | None]] = field(default_factory=dict)

    def of(self, row: dict[str, Any]) -> tuple[str, str | None]:
        """The metric and the direction of a sample."""
        evaluation = str(row.get("evaluation_id"))
        for name in ("evaluation_result_id", "evaluation_name"):
            found = self.told.get((evaluation, str(row.get(name))))
            if found is not None:
                return found
        return "score", None


def is_every_eval_ever(path: Path, head: bytes) -> bool:
    """Whether a file has the scores of a model, or its samples, in this schema."""
    if not head.lstrip().startswith(b"{"):
        return False
    return all(mark in head for mark in _TOTALS) or all(mark in head.split(b"\n", 1)[0] for mark in _SAMPLE)


def read_every_eval_ever(files: list[Path], log: Log) -> None:
    """The score of every sample where there are samples, and of every benchmark."""
    metrics = _Metrics()
    samples = []
    for file in files:
        view = None if _is_samples(file) else json_view(file)
        if view is None:
            samples.append(file)
        else:
            _totals(file, view, metrics, log)
    by_hash = _ids_are_unsure(samples)
    for file in samples:
        _samples(file, metrics, log, by_hash)
    if samples:
        log.matched_by("sample_hash" if by_hash else "sample_id")


def _is_samples(file: Path) -> bool:
    from podium.core.read.logs.find import head_of

    return all(mark in head_of(file).split(b"\n", 1)[0] for mark in _SAMPLE)


def _totals(file: Path, view: Any, metrics: _Metrics, log: Log) -> None:
    """The scores of whole benchmarks, which are the datasets."""
    info = view.value("model_info")
    system = (info.get("id") or info.get("name")) if isinstance(info, dict) else None
    if not system:
        raise DataError(f"{file.name} does not say which model it is about.", file=str(file))
    evaluation = str(view.value("evaluation_id"))
    results = view.get("evaluation_results")
    streams: dict[str, Stream] = {}
    for item in results.items() if results is not None else ():
        row = item.load()
        config, details = (
            row.get(name) if isinstance(row, dict) else None for name in ("metric_config", "score_details")
        )
        if not isinstance(config, dict) or not isinstance(details, dict):
            raise DataError(f"{file.name} has a result without its metric or its score.", file=str(file))
        lower = config.get("lower_is_better")
        direction = None if lower is None else "lower" if lower is True else "higher"
        metric = str(
            config.get("metric_name") or config.get("metric_id") or ("error score" if lower is True else "score")
        )
        name = str(row.get("evaluation_name"))
        for label in (str(row.get("evaluation_result_id")), name):
            metrics.told.setdefault((evaluation, label), (metric, direction))
        if metric not in streams:
            streams[metric] = log.stream(file=file, system=system, metric=metric, direction=direction, unit="dataset")
        streams[metric].add(name, details.get("score"))


def _rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in json_lines(file):
        if not {"model_id", "sample_id", "evaluation_name"} <= row.keys() or not isinstance(
            row.get("evaluation"), dict
        ):
            raise DataError(f"{file.name}, line {line}, is no sample with its evaluation.", file=str(file))
        yield line, row


def _ids_are_unsure(files: list[Path]) -> bool:
    """Whether a sample's id means different samples in different files, so that their hashes must match them."""
    if len(files) < 2:
        return False
    known: dict[tuple[str, str], str] = {}
    unsure = False
    for file in files:
        for _, row in _rows(file):
            found = row.get("sample_hash")
            if not found:
                return False
            key = (str(row["evaluation_name"]), str(row["sample_id"]))
            unsure |= known.setdefault(key, str(found)) != str(found)
    return unsure


def _samples(file: Path, metrics: _Metrics, log: Log, by_hash: bool) -> None:
    streams: dict[tuple[str, str, str], Stream] = {}

    def stream(system: str, name: str, metric: str, direction: str | None, is_cost: bool = False) -> Stream:
        key = (system, name, metric)
        if key not in streams:
            streams[key] = log.stream(
                file=file, system=system, benchmark=name, metric=metric, direction=direction, is_cost=is_cost
            )
        return streams[key]

    for _, row in _rows(file):
        system, name = str(row["model_id"]), str(row["evaluation_name"])
        key = row.get("sample_hash") if by_hash else row["sample_id"]
        error = str(row.get("error") or "")
        score = None if error else row["evaluation"].get("score")
        traits = row["metadata"] if isinstance(row.get("metadata"), dict) else None
        chosen = stream(system, name, *metrics.of(row))
        chosen.add(key, score, name=row["sample_id"], why=hole_kind(error) if error else "", traits=traits)
        for cost, (group, member, factor) in _COSTS.items():
            told = row.get(group)
            spent = number(told.get(member)) if isinstance(told, dict) else None
            if spent is not None:
                stream(system, name, cost, "lower", is_cost=True).add(key, factor * spent, name=row["sample_id"])
