"""every_eval_ever: one JSON file per model with its scores, and beside it perhaps JSON lines with every sample."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.core.names import shown
from podium.reading.logs.files import head_of, wrong
from podium.reading.logs.json_view import JsonView, dict_of, json_lines, json_view
from podium.reading.logs.records import Log, number

_TOTALS = (b'"evaluation_id"', b'"model_info"', b'"schema_version"')
_SAMPLE = (b'"evaluation_id"', b'"model_id"', b'"sample_id"', b'"evaluation_name"')
# What the totals say of a metric, and which direction is better, by evaluation and by the name of the result.
Metrics = dict[tuple[str, str], tuple[str, str | None]]


def is_every_eval_ever(path: Path, head: bytes) -> bool:
    """Whether a file has the scores of a model, or its samples, in this schema."""
    if not head.lstrip().startswith(b"{"):
        return False
    return all(mark in head for mark in _TOTALS) or all(mark in head.split(b"\n", 1)[0] for mark in _SAMPLE)


def read_every_eval_ever(files: list[Path], log: Log) -> None:
    """The score of every sample where there are samples, and of every benchmark."""
    metrics: Metrics = {}
    samples = [file for file in files if all(mark in head_of(file).split(b"\n", 1)[0] for mark in _SAMPLE)]
    for file in files:
        if file not in samples:
            _totals(file, json_view(file), metrics, log)
    by_hash = _ids_are_unsure(samples)
    for file in samples:
        _samples(file, metrics, log, by_hash)
    if samples:
        log.matched_by("sample_hash" if by_hash else "sample_id")


def _totals(file: Path, view: JsonView, metrics: Metrics, log: Log) -> None:
    """The scores of whole benchmarks, which are the datasets."""
    info = dict_of(view.value("model_info"))
    system = str(info.get("id") or info.get("name") or "")
    if not system:
        raise wrong(file, "does not say which model it is about.")
    evaluation = str(view.value("evaluation_id"))
    seen: set[tuple[str, str]] = set()
    for item in view.items("evaluation_results"):
        row = dict_of(item.load())
        config, details = row.get("metric_config"), row.get("score_details")
        if not isinstance(config, dict) or not isinstance(details, dict):
            raise wrong(file, "has a result without its metric or its score.")
        lower = config.get("lower_is_better")
        direction = None if lower is None else "lower" if lower is True else "higher"
        metric = str(
            config.get("metric_name") or config.get("metric_id") or ("error score" if lower is True else "score")
        )
        name = str(row.get("evaluation_name"))
        for label in (str(row.get("evaluation_result_id")), name):
            metrics.setdefault((evaluation, label), (metric, direction))
        if (name, metric) in seen:
            raise wrong(file, f"has two scores of {shown(name)} by {shown(metric)}: say by which metric_name each is.")
        seen.add((name, metric))
        score = details.get("score")
        unknown = config.get("has_unknown_level") is True and score == -1
        stream = log.stream(file=file, system=system, metric=metric, direction=direction, unit="dataset")
        stream.add(name, None if unknown else score, why="not known" if unknown else "")


def _rows(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    for line, row in json_lines(file):
        if not {"model_id", "sample_id", "evaluation_name"} <= row.keys() or not isinstance(
            row.get("evaluation"), dict
        ):
            raise wrong(file, f", line {line}, is not a sample with its evaluation.")
        yield line, row


def _ids_are_unsure(files: list[Path]) -> bool:
    """Whether a sample's id means different samples, so that their hashes must match them."""
    hashes: dict[tuple[str, str], str] = {}
    unsure = False
    for file in files:
        for _, row in _rows(file):
            own_hash = row.get("sample_hash")
            if not own_hash:
                return False
            key = (str(row["evaluation_name"]), str(row["sample_id"]))
            unsure |= hashes.setdefault(key, str(own_hash)) != str(own_hash)
    return unsure


def _samples(file: Path, metrics: Metrics, log: Log, by_hash: bool) -> None:
    results: dict[tuple[str, ...], str] = {}
    for line, row in _rows(file):
        about: dict[str, Any] = {"file": file, "system": str(row["model_id"]), "benchmark": str(row["evaluation_name"])}
        key = row.get("sample_hash") if by_hash else row["sample_id"]
        evaluation, result = str(row.get("evaluation_id")), str(row.get("evaluation_result_id"))
        total = metrics.get((evaluation, result)) or metrics.get((evaluation, about["benchmark"]))
        metric, direction = total or ("score", None)
        place = (about["system"], about["benchmark"], metric, str(key))
        if results.setdefault(place, result) != result:  # not another try of the same
            raise wrong(
                file, f", line {line}: the sample {shown(str(key))} has scores of several results. Put the file that says their "
                "metrics (metric_name) beside it, or keep one evaluation_result_id."
            )  # fmt: skip
        score, error, name = row["evaluation"].get("score"), row.get("error"), row["sample_id"]
        stream = log.stream(metric=metric, direction=direction, **about)
        stream.add(key, score, name=name, error=error, traits=dict_of(row.get("metadata")))
        latency = number(dict_of(row.get("performance")).get("latency_ms"))
        tokens = dict_of(row.get("token_usage")).get("total_tokens")
        costs = {"tokens": tokens, "seconds": None if latency is None else latency / 1000}
        log.spend(costs, about, key, name=name)
