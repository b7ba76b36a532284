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

from podium.reading.formats.compressed import stem_of
from podium.reading.logs.json_view import JsonView, dict_of, json_view, names_in
from podium.reading.logs.naming import system_names
from podium.reading.logs.records import Log, number

DOMAINS = ("airline", "retail", "telecom")
_NAME = re.compile(r"(?P<agent>.+?)_range_(?P<range>[-\d]+)_user-(?P<user>.+?)(?:_(?P<when>\d{6,}))?$")


def is_tau_bench(path: Path, head: bytes) -> bool:
    """Whether a file is a list of trials, or a run of tau2-bench."""
    names = names_in(head)
    if {"task_id", "reward"} <= names and head.lstrip().startswith(b"["):
        keys = set(json_view(path).first().keys())
        return {"task_id", "reward", "trial"} <= keys and bool({"traj", "info"} & keys)
    if {"simulations", "environment_info", "agent_info", "num_trials"} & names:
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
    names = system_names([(run.name, run.settings, run.domain) for run in runs])
    for run, name in zip(runs, names, strict=True):
        _read(run, name, log)
    log.matched_by("task_id")


def _run(view: JsonView) -> _Run:
    stem = stem_of(view.path)
    if view.is_list:
        named = _NAME.fullmatch(stem)
        domain = _domain_of(view) or next((d for d in DOMAINS if d in stem.lower()), "")
        name = re.sub(rf"[-_]?({'|'.join(DOMAINS)})$", "", named["agent"] if named else stem) or stem
        settings = {"user": named["user"]} if named else {}
        return _Run(view, name, settings, domain, (named and named["when"]) or "")
    agent = dict_of(view.value("info", "agent_info"))
    user = dict_of(view.value("info", "user_info"))
    domain = str(view.value("info", "environment_info", "domain_name") or "")
    about = {"agent": agent.get("implementation"), "user": user.get("llm"), "llm_args": agent.get("llm_args")}
    settings = {key: str(value) for key, value in about.items() if value}
    return _Run(view, str(agent.get("llm") or stem), settings, domain, str(view.value("timestamp") or ""))


def _domain_of(view: JsonView) -> str:
    """The domain that the agent's policy names in its first words."""
    for item in view.items():
        words = str(item.first("traj").value("content") or "")[:300].lower()
        domains = [domain for domain in DOMAINS if domain in words]
        if domains:
            return domains[0]
    return ""


def _read(run: _Run, system: str, log: Log) -> None:
    trials = run.view.items() if run.view.is_list else run.view.items("simulations")
    benchmark = f"{'tau-bench' if run.view.is_list else 'tau2-bench'} {run.domain}".strip()
    about: dict[str, Any] = {"file": run.view.path, "system": system, "benchmark": benchmark, "when": run.when}
    stream = log.stream(metric="success rate", direction="higher", **about)
    for item in trials:
        task, place = item.value("task_id"), {"sample": item.value("trial")}
        reward, error = number(item.value("reward_info", "reward")), None
        if run.view.is_list:
            reward, error = number(item.value("reward")), item.value("info", "error")
        success = None if reward is None else float(abs(reward - 1) < 1e-6)
        if item.value("termination_reason") == "infrastructure_error":
            stream.add(task, None, why="infrastructure", **place)
        else:
            stream.add(task, success, why="no reward", error=error, **place)
        log.spend({"cost": item.value("agent_cost"), "seconds": item.value("duration")}, about, task, **place)
