"""Dopamine's published curves: a JSON file per game, a list of {"Agent", "Iteration", "Value"}; a run starts where iterations do."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

import numpy as np

from podium.core.errors import DataError
from podium.core.names import clean_name
from podium.reading.formats.trainings import LAST_SHARE, at_the_end
from podium.reading.logs.choose import grouped
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import json_view, names_in
from podium.reading.logs.records import Log

_FIELDS = frozenset({"Agent", "Iteration", "Value"})


def is_dopamine(path: Path, head: bytes) -> bool:
    """Whether a JSON file begins as these curves do."""
    return head.lstrip().startswith(b"[") and names_in(head[:300]) >= _FIELDS


def read_dopamine(files: list[Path], log: Log) -> None:
    """The score of every run of every agent on the game of each file."""
    for file in files:
        for agent, runs in _curves(file).items():
            for at, run in enumerate(runs):
                score = float(np.mean(run[-at_the_end(len(run)) :]))
                log.add_run(clean_name(agent, "algorithm"), file.stem, score, run=str(at + 1))
    log.note(f"Curves of Dopamine, a game in each file: the score of a run is {LAST_SHARE} of its iterations.")


def _curves(file: Path) -> dict[str, list[list[float]]]:
    """The values of every run, by agent."""
    try:
        points = [(str(row["Agent"]), float(row["Iteration"]), float(row["Value"])) for row in json_view(file).load()]
        if not all(math.isfinite(value) for _, _, value in points):
            raise ValueError
    except (ValueError, KeyError, TypeError, OverflowError):
        raise wrong(
            file, "holds no curves of Dopamine (Agent, Iteration and Value in each row): repair it, or move it away."
        ) from None
    by_agent = grouped(points, lambda point: point[0])
    return {agent: _runs([point[1:] for point in own], file.name) for agent, own in by_agent.items()}


def _runs(points: list[tuple[float, float]], name: str) -> list[list[float]]:
    """Runs one after the other, or side by side in every iteration."""
    times = Counter(iteration for iteration, _ in points)
    starts = [i for i, (iteration, _) in enumerate(points) if i == 0 or iteration <= points[i - 1][0]]
    if len(starts) == max(times.values()):
        ends = [*starts[1:], len(points)]
        return [[value for _, value in points[start:end]] for start, end in zip(starts, ends, strict=True)]
    if len(set(times.values())) > 1:
        raise DataError(f"{name}: some iterations have more values than others, and nothing distinguishes the runs.")
    ordered = sorted(points, key=lambda point: point[0])
    count = next(iter(times.values()))
    return [[value for _, value in ordered[i::count]] for i in range(count)]
