"""Scores of reinforcement learning: a JSON file per agent, {game: [score of each run]}, in one folder."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from podium.core.errors import DataError, PodiumError
from podium.core.read.formats.packed import stem_of
from podium.core.read.logs.json_view import json_view
from podium.core.read.logs.records import Log, number
from podium.core.read.names import quoted

MOST_BYTES = 5_000_000
_NORMALISERS = ("human", "random")
_NORMALISED = ("HNS", "hns", "human_normalized_score", "human_normalised_score")

Runs = dict[str, list[float | None]]


def is_rl_runs(path: Path, head: bytes) -> bool:
    """Whether a JSON file has the runs of an agent by game, and another in its folder has those of another agent."""
    start = head.lstrip()[:1]
    if start not in (b"{", b"[") or (start == b"[" and b'"game"' not in head):
        return False
    own = _runs(path)
    if own is None:
        return False
    for other in sorted(path.parent.glob("*.json")):
        if other != path and other.is_file():
            games = _runs(other)
            if games is not None and 2 * len(own[0].keys() & games[0].keys()) >= min(len(own[0]), len(games[0])):
                return True
    return False


def read_rl_runs(files: list[Path], log: Log) -> None:
    """Every agent on every game by the mean of its runs; human-normalised where the folder has human and random scores."""
    made: dict[Path, tuple[Runs, bool]] = {}
    for file in files:
        found = _runs(file)
        if found is None:
            raise DataError(f"{file.name} does not hold the runs of an agent by game.", file=str(file))
        made[file] = found
    by_folder: dict[Path, list[Path]] = {}
    for file in files:
        by_folder.setdefault(file.parent, []).append(file)
    for own in by_folder.values():
        _of_folder(own, made, log)
    log.matched_by("game")
    counts = [len(runs) for games, _ in made.values() for runs in games.values()]
    log.note(
        f"The runs of two agents are not paired: the mean over the runs of an agent (between {min(counts)} and {max(counts)}) is "
        "its score on a game, and how much its runs vary is not looked at; with `unit` run it is, where every agent has several."
    )


def _of_folder(files: list[Path], made: dict[Path, tuple[Runs, bool]], log: Log) -> None:
    scale = {stem_of(file).lower(): made[file][0] for file in files if stem_of(file).lower() in _NORMALISERS}
    normal = len(scale) == len(_NORMALISERS)
    left = []
    for file in files:
        name = stem_of(file)
        runs, done = made[file]
        if name.lower() in _NORMALISERS:
            continue
        if done and not normal:
            left.append(name)
            continue
        about = (
            ("human-normalised score", "higher") if normal else ("score", None)
        )  # raw scores may be errors of anything
        stream = log.stream(file=file, system=name, metric=about[0], direction=about[1], unit="dataset")
        for game, scores in runs.items():
            if normal and not done:
                scores = _normalised(game, scores, scale, file)
            present = [score for score in scores if score is not None]
            stream.add(game, sum(present) / len(present) if present else None)
    if normal:
        log.note("Scores are human-normalised: (score - random) / (human - random), by the files HUMAN and RANDOM.")
    else:
        log.note("The scores are raw: those of one game cannot be compared with those of another.")
    if left:
        log.note(f"Left out, because their scores are normalised and the others are not: {quoted(left)}.")


def _normalised(game: str, scores: list[float | None], scale: dict[str, Runs], file: Path) -> list[float | None]:
    ends = [scale[name].get(game) for name in ("random", "human")]
    low, high = (next(iter(end or [None]), None) for end in ends)
    if low is None or high is None or low == high:
        raise DataError(
            f"{file.name}: the game {game!r} has no human and random score to normalise it by.", file=str(file)
        )
    return [None if score is None else (score - low) / (high - low) for score in scores]


def _runs(path: Path) -> tuple[Runs, bool] | None:
    """The scores of an agent by game, and whether they are normalised already; None if the file is something else."""
    try:
        if path.stat().st_size > MOST_BYTES:
            return None
        value = json_view(path).load()
    except (PodiumError, OSError):
        return None
    if isinstance(value, dict) and len(value) > 1:
        found = {str(game): _scores(runs) for game, runs in value.items()}
        return ({g: r for g, r in found.items() if r}, False) if all(found.values()) else None
    if isinstance(value, list) and value and all(isinstance(row, dict) and "game" in row for row in value):
        column = next((name for name in _NORMALISED if all(name in row for row in value)), None)
        if column is None:
            return None
        runs: Runs = {}
        for row in value:
            runs.setdefault(str(row["game"]), []).append(number(row[column]))
        return runs, True
    return None


def _scores(runs: Any) -> list[float | None] | None:
    if not isinstance(runs, list) or not runs or any(isinstance(run, str | bool | list | dict) for run in runs):
        return None
    return [number(run) for run in runs]
