"""Dopamine's published curves: a JSON file per game, a list of {"Agent", "Iteration", "Value"}; a run starts where iterations do."""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from pathlib import Path

import numpy as np

from podium.core.errors import DataError
from podium.core.read.names import clean_name
from podium.core.read.trainings import LAST_SHARE, at_the_end

_FIELDS = frozenset({"Agent", "Iteration", "Value"})
HOW = f"{LAST_SHARE} of its iterations"


def is_dopamine(path: Path) -> bool:
    """Whether a folder has curves of Dopamine, by how its JSON files begin."""
    return any(_begins_so(file) for file in path.glob("*.json"))


def _begins_so(file: Path) -> bool:
    try:
        with file.open("rb") as opened:
            head = opened.read(300)
    except OSError:
        return False
    return head.lstrip().startswith(b"[") and all(f'"{name}"'.encode() in head for name in _FIELDS)


def dopamine_runs(path: Path) -> tuple[dict[str, dict[str, list[float]]], list[str]]:
    """The score of every run by agent and game, and the files that hold something else."""
    cells: dict[str, dict[str, list[float]]] = defaultdict(dict)
    others = []
    for file in sorted(path.iterdir()):
        if not _begins_so(file):
            others.append(file.name)
            continue
        for agent, runs in _curves(file).items():
            cells[clean_name(agent, "algorithm")][file.stem] = [
                float(np.mean(run[-at_the_end(len(run)) :])) for run in runs
            ]
    return dict(cells), others


def _curves(file: Path) -> dict[str, list[list[float]]]:
    """The values of every run, by agent."""
    try:
        rows = json.loads(file.read_text(encoding="utf-8"))
        points = [(str(row["Agent"]), float(row["Iteration"]), float(row["Value"])) for row in rows]
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        raise DataError(
            f"{file.name} holds no curves of Dopamine (Agent, Iteration and Value in each row): repair it, or move it away."
        ) from None
    by_agent: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for agent, iteration, value in points:
        by_agent[agent].append((iteration, value))
    return {agent: _runs(own, file.name) for agent, own in by_agent.items()}


def _runs(points: list[tuple[float, float]], name: str) -> list[list[float]]:
    """Runs one after the other, or side by side in every iteration."""
    times = Counter(iteration for iteration, _ in points)
    starts = [i for i, (iteration, _) in enumerate(points) if i == 0 or iteration <= points[i - 1][0]]
    if len(starts) == max(times.values()):
        ends = [*starts[1:], len(points)]
        return [[value for _, value in points[start:end]] for start, end in zip(starts, ends, strict=True)]
    if len(set(times.values())) > 1:
        raise DataError(f"{name}: some iterations have more values than others, and nothing tells the runs apart.")
    ordered = sorted(points, key=lambda point: point[0])
    count = next(iter(times.values()))
    return [[value for _, value in ordered[i::count]] for i in range(count)]
