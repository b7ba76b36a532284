"""Trajectories of tau-bench and tau2-bench: several trials of each task by one agent.

A trial succeeded where its reward is 1 (within a millionth); trials are samples of a task. tau-bench's files name no system:
the name of the file is its name, and the domain stands in the agent's policy. A trial of tau-bench that broke off with an error
is a hole. tau2-bench tells errors of the agent (and of its user) from those of the infrastructure: it counts the first as
failures, and only the others are holes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.reading.logs.json_view import JsonView, dict_of, json_view
from podium.reading.logs.naming import system_names
from podium.reading.logs.records import Log, hole_kind, number

DOMAINS = ("airline", "retail", "telecom")
_RECORD = re.compile(rb'"(task_id|reward|trial|traj)"\s*:')
_NAME = re.compile(r"(?P<agent>.+?)_range_(?P<range>[-\d]+)_user-(?P<user>.+?)(?:_(?P<when>\d{6,}))?$")


def is_tau_bench(path: Path, head: bytes) -> bool:
    """Whether a file is a list of trials, or a run of tau2-bench."""
    start = head.lstrip()[:1]
    if start == b"[":
        found = {match[1] for match in _RECORD.finditer(head)}
        if not {b"task_id", b"reward"} <= found:
            return False
        keys = set(json_view(path).first().keys())
        return {"task_id", "reward", "trial"} <= keys and bool({"traj", "info"} & keys)
    if start == b"{" and re.search(rb'"(simulations|environment_info|agent_info|num_trials)"', head):
        return {"info", "simulations"} <= set(json_view(path).keys())
    return False


@dataclass(slots=True)
class _Run:
    """One file."""

    view: JsonView
    name: str
    settings: dict[str, str]
    domain: str
    when: str = ""


def read_tau_bench(files: list[Path], log: Log) -> None:
    """Every file is one system in one domain."""
    runs = [_run(json_view(file)) for file in files]
    names = system_names([run.name for run in runs], [run.settings for run in runs], [run.domain for run in runs])
    for run, name in zip(runs, names, strict=True):
        if run.view.kind == "[":
            _read_trials(run, name, log)
        else:
            _read_simulations(run, name, log)
    log.matched_by("task_id")


def _run(view: JsonView) -> _Run:
    stem = view.path.name.removesuffix(".gz").removesuffix(".json")
    if view.kind == "[":
        named = _NAME.fullmatch(stem)
        domain = _domain_of(view) or next((d for d in DOMAINS if d in stem.lower()), "")
        name = re.sub(rf"[-_]?({'|'.join(DOMAINS)})$", "", named["agent"] if named else stem) or stem
        return _Run(
            view, name, {"user": named["user"]} if named else {}, domain, (named["when"] if named else "") or ""
        )
    agent = dict_of(view.value("info", "agent_info"))
    user = dict_of(view.value("info", "user_info"))
    domain = str(view.value("info", "environment_info", "domain_name") or "")
    settings = {"agent": agent.get("implementation"), "user": user.get("llm"), "llm_args": agent.get("llm_args")}
    told = {key: str(value) for key, value in settings.items() if value}
    return _Run(view, str(agent.get("llm") or stem), told, domain, str(view.value("timestamp") or ""))


def _domain_of(view: JsonView) -> str:
    """The domain that the agent's policy names in its first words."""
    for item in view.items():
        words = str(item.first("traj").value("content") or "")[:300].lower()
        found = [domain for domain in DOMAINS if domain in words]
        if found:
            return found[0]
    return ""


def _about(run: _Run, system: str, benchmark: str) -> dict[str, Any]:
    return {"file": run.view.path, "system": system, "benchmark": benchmark, "when": run.when}


def _success(reward: Any) -> float | None:
    value = number(reward)
    return None if value is None else float(abs(value - 1) < 1e-6)


def _read_trials(run: _Run, system: str, log: Log) -> None:
    about = _about(run, system, f"tau-bench {run.domain}".strip())
    stream = log.stream(metric="success rate", direction="higher", **about)
    for item in run.view.items():
        error = item.value("info", "error")
        trial = number(item.value("trial"))
        why = hole_kind(str(error)) if error else "no reward"
        score = None if error else _success(item.value("reward"))
        stream.add(item.value("task_id"), score, sample=int(trial) if trial is not None else None, why=why)


def _read_simulations(run: _Run, system: str, log: Log) -> None:
    about = _about(run, system, f"tau2-bench {run.domain}".strip())
    stream = log.stream(metric="success rate", direction="higher", **about)
    costs = {"agent_cost": "cost", "duration": "seconds"}
    spent = {name: log.cost(metric=told, **about) for name, told in costs.items()}
    for item in run.view.items("simulations"):
        task, trial = item.value("task_id"), number(item.value("trial"))
        sample = int(trial) if trial is not None else None
        ended = str(item.value("termination_reason") or "")
        broken = ended == "infrastructure_error"
        score = None if broken else _success(item.value("reward_info", "reward"))
        stream.add(task, score, sample=sample, why="infrastructure" if broken else "no reward")
        for name, cost in spent.items():
            amount = number(item.value(name))
            if amount is not None:
                cost.add(task, amount, sample=sample)
