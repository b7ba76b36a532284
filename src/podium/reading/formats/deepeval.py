"""Test runs of deepeval: .latest_test_run.json and test_run_<date>.json, one system each; or what `evaluate` returned, as JSON.

A test case passes if all its metrics do; the share that passes is compared unless a metric is named. A metric that failed with an
error has no score and is a hole, although deepeval counts its case as failed. The system is the run's identifier, or what its
hyperparameters say.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from podium.reading.logs.json_view import JsonView, dict_of, json_view, list_of, names_in
from podium.reading.logs.naming import system_names
from podium.reading.logs.records import Log, digest, number

_LISTS = ("testCases", "conversationalTestCases", "test_results", "test_cases")
_METRICS = ("metricsData", "metrics_data", "metricsMetadata")
_NAMES = ("system", "model", "name", "llm", "agent", "application")
_OF_ITSELF = re.compile(r"test_case_\d+|conversational_test_case_\d+")


def is_deepeval(path: Path, head: bytes) -> bool:
    """Whether a file is a test run, wrapped or not."""
    if not {"testRunData", "testCases", "metricsScores", "test_results", "metrics_data"} & names_in(head):
        return False
    view = _unwrapped(json_view(path))
    if {"testCases", "testPassed"} <= set(view.keys()) or {"testCases", "metricsScores"} <= set(view.keys()):
        return True
    first = next((case for case in _cases(view)), {})
    return bool({"testCases", "test_results"} & set(view.keys())) and any(
        name in first for name in (*_METRICS, "success")
    )


def _unwrapped(view: JsonView) -> JsonView:
    return view.get("testRunData") or view


def read_deepeval(files: list[Path], log: Log) -> None:
    """Every file is a run; cases are matched by name if their names tell them apart, else by what was asked."""
    runs = [_unwrapped(json_view(file)) for file in files]
    by_name = all(map(_are_named, runs))
    directions = _directions(runs)
    for run, system in zip(runs, system_names([(*_system_of(run), "") for run in runs]), strict=True):
        _fill(run, system, by_name, directions, log)
    log.matched_by("the name of the test case" if by_name else "the input of the test case")


def _cases(run: JsonView) -> Iterator[dict[str, Any]]:
    return (dict_of(case.load()) for name in _LISTS for case in run.items(name))


def _metrics(case: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The metrics of a test case, by name."""
    listed = (list_of(case.get(name)) for name in _METRICS)
    for metric in next(filter(None, listed), []):
        if isinstance(metric, dict):
            yield str(metric.get("name") or metric.get("metric")), metric


def _system_of(run: JsonView) -> tuple[str, dict[str, str]]:
    """The name of a run, and the settings that may tell it from others of the same name."""
    if identifier := run.value("identifier"):
        return str(identifier), {}
    settings = {key: str(value) for key, value in dict_of(run.value("hyperparameters")).items()}
    named = next((settings[key] for key in _NAMES if settings.get(key)), "")
    stem = run.path.name.removesuffix(".json").removesuffix("latest_test_run").strip(".")
    return named or stem or run.path.resolve().parent.name, settings


def _are_named(run: JsonView) -> bool:
    """Whether the names of a run's cases tell them apart; "test_case_3" is only their order."""
    names = [str(case.get("name") or "") for case in _cases(run)]
    return len(set(names)) == len(names) and all(name and not _OF_ITSELF.fullmatch(name) for name in names)


def _directions(runs: list[JsonView]) -> dict[str, str | None]:
    """Which scores of a metric pass: those above its threshold, or those below, as for bias and toxicity."""
    votes: dict[str, set[str]] = defaultdict(set)
    for name, metric in (item for run in runs for case in _cases(run) for item in _metrics(case)):
        score, threshold, passed = number(metric.get("score")), number(metric.get("threshold")), metric.get("success")
        if score is None or threshold is None or score == threshold or metric.get("error"):
            continue
        if isinstance(passed, bool):
            votes[name].add("higher" if (score > threshold) == passed else "lower")
    return {name: own.pop() if len(own) == 1 else None for name, own in votes.items()}


def _passed(case: dict[str, Any]) -> Any:
    """Whether a test case passed: as it says, or where it says nothing, whether all its metrics did."""
    if case.get("success") is not None:
        return case["success"]
    passed = [entry.get("success") for _, entry in _metrics(case)]
    return None if None in passed or not passed else all(passed)


def _fill(run: JsonView, system: str, by_name: bool, directions: dict[str, str | None], log: Log) -> None:
    about: dict[str, Any] = {"file": run.path, "system": system}
    for case in _cases(run):
        asked = case.get("input") if case.get("input") is not None else case.get("scenario") or case.get("turns")
        key, name = case.get("name") if by_name else digest(str(asked)), case.get("name") or None
        log.stream(metric="pass rate", direction="higher", **about).add(key, _passed(case), name=name)
        for metric, entry in _metrics(case):
            stream = log.stream(metric=metric, direction=directions.get(metric), main=False, **about)
            stream.add(key, entry.get("score"), name=name, error=entry.get("error"))
        log.spend({"cost": case.get("tokenCost"), "seconds": case.get("completionTime")}, about, key, name=name)
