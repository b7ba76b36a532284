"""Test runs of deepeval: .latest_test_run.json and test_run_<date>.json, one system each; or what `evaluate` returned, as JSON.

A test case passes if all its metrics do; the share that passes is compared unless a metric is named. A metric that failed with an
error has no score and is a hole, although deepeval counts its case as failed. The system is the run's identifier, or what its
hyperparameters say.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.reading.logs.json_view import JsonView, dict_of, json_view, list_of, names_in
from podium.reading.logs.naming import system_names
from podium.reading.logs.records import NO_SCORE, Log, digest, hole_kind, number

_LISTS = ("testCases", "conversationalTestCases", "test_results", "test_cases")
_NAMES = ("system", "model", "name", "llm", "agent", "application")
_OF_ITSELF = re.compile(r"test_case_\d+|conversational_test_case_\d+")


def is_deepeval(path: Path, head: bytes) -> bool:
    """Whether a file is a test run, wrapped or not."""
    if not {"testRunData", "testCases", "metricsScores", "test_results", "metrics_data"} & names_in(head):
        return False
    view = _unwrapped(json_view(path))
    keys = set(view.keys())
    graded = any(view.first(name).get("success") is not None for name in _LISTS)
    if view.first("test_results").get("metrics_data") is not None:
        return True
    return "testCases" in keys and (graded or bool({"metricsScores", "testPassed"} & keys))


def _unwrapped(view: JsonView) -> JsonView:
    return view.get("testRunData") or view


@dataclass(slots=True)
class _Case:
    """One test case, without its texts."""

    name: str
    asked: str
    success: float | None
    metrics: list[tuple[str, float | None, float | None, bool | None, str]]
    costs: dict[str, Any]


@dataclass(slots=True)
class _Run:
    """One file."""

    file: Path
    name: str
    settings: dict[str, str]
    cases: list[_Case] = field(default_factory=list)


def read_deepeval(files: list[Path], log: Log) -> None:
    """Every file is a run; cases are matched by name if their names tell them apart, else by what was asked."""
    runs = [_run(file) for file in files]
    by_name = all(_named(run) for run in runs)
    names = system_names([run.name for run in runs], [run.settings for run in runs])
    directions = _directions(runs)
    for run, name in zip(runs, names, strict=True):
        _fill(run, name, by_name, directions, log)
    log.matched_by("the name of the test case" if by_name else "the input of the test case")


def _run(file: Path) -> _Run:
    view = _unwrapped(json_view(file))
    settings = {key: str(value) for key, value in dict_of(view.value("hyperparameters")).items()}
    identifier = view.value("identifier")
    named = next((settings[key] for key in _NAMES if settings.get(key)), "")
    stem = file.name.removesuffix(".json").removesuffix("latest_test_run").strip(".")
    run = _Run(file, str(identifier or named or stem or file.resolve().parent.name), {} if identifier else settings)
    for name in _LISTS:
        run.cases += [_case(dict_of(case.load())) for case in view.items(name)]
    return run


def _case(given: dict[str, Any]) -> _Case:
    asked = str(given.get("input") if given.get("input") is not None else given.get("scenario") or given.get("turns"))
    metrics = []
    listed = (list_of(given.get(name)) for name in ("metricsData", "metrics_data", "metricsMetadata"))
    for metric in next(filter(None, listed), []):
        if isinstance(metric, dict):
            error = metric.get("error")
            score = None if error else number(metric.get("score"))
            why = hole_kind(str(error)) if error else NO_SCORE
            passed = metric.get("success") if isinstance(metric.get("success"), bool) else None
            name = str(metric.get("name") or metric.get("metric"))
            metrics.append((name, score, number(metric.get("threshold")), passed, why))
    return _Case(
        name=str(given.get("name") or ""),
        asked=digest(asked),
        success=number(given.get("success")),
        metrics=metrics,
        costs={"cost": given.get("tokenCost"), "seconds": given.get("completionTime")},
    )


def _named(run: _Run) -> bool:
    """Whether the names of a run's cases tell them apart; "test_case_3" is only their order."""
    names = [case.name for case in run.cases]
    return len(set(names)) == len(names) and all(name and not _OF_ITSELF.fullmatch(name) for name in names)


def _directions(runs: list[_Run]) -> dict[str, str | None]:
    """Which scores of a metric pass: those above its threshold, or those below, as for bias and toxicity."""
    votes: dict[str, Counter[str]] = {}
    for run in runs:
        for case in run.cases:
            for name, score, threshold, passed, _ in case.metrics:
                votes.setdefault(name, Counter())
                if score is not None and threshold is not None and passed is not None and score != threshold:
                    votes[name]["higher" if (score > threshold) == passed else "lower"] += 1
    return {name: own.most_common(1)[0][0] if len(own) == 1 else None for name, own in votes.items()}


def _fill(run: _Run, system: str, by_name: bool, directions: dict[str, str | None], log: Log) -> None:
    about: dict[str, Any] = {"file": run.file, "system": system}
    for case in run.cases:
        key, name = case.name if by_name else case.asked, case.name or None
        log.stream(metric="pass rate", direction="higher", **about).add(key, case.success, name=name)
        for metric, score, _, _, why in case.metrics:
            stream = log.stream(metric=metric, direction=directions.get(metric), main=False, **about)
            stream.add(key, score, name=name, why=why)
        log.spend(case.costs, about, key, name=name)
