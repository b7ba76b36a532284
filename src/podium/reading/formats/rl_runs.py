"""Scores of reinforcement learning: a file per agent in one folder, JSON as {game: [score of each run]} or an array of runs x games."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from podium.core.contents import is_regular
from podium.core.errors import PodiumError
from podium.core.names import quoted
from podium.reading.array_files import arrays_in
from podium.reading.formats.compressed import stem_of
from podium.reading.formats.trainings import is_trainings
from podium.reading.logs.choose import grouped
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import json_view
from podium.reading.logs.records import Log, number
from podium.reading.reshape import is_game

MOST_BYTES = 5_000_000
_ENDINGS = (".json", ".npy")
_NORMALISERS = ("random", "human")
_NORMALISED = ("HNS", "hns", "human_normalized_score", "human_normalised_score")


@dataclass(frozen=True, slots=True)
class _Agent:
    """What one file says: the scores of the runs of an agent by game, and whether they are normalised already."""

    name: str
    games: dict[str, list[float | None]]
    is_normalised: bool = False

    @property
    def is_scale(self) -> bool:
        """Whether others are measured by these scores."""
        return self.name.lower() in _NORMALISERS


def is_rl_runs(path: Path, head: bytes) -> bool:
    """Whether a file has the runs of an agent by game, and another in its folder has those of another agent."""
    start = head.lstrip()[:1]
    if start == b"\x93":  # one of another shape is refused when it is read
        return not is_trainings(path, head) and len(list(path.parent.glob("*.npy"))) > 1
    if start not in (b"{", b"[") or (start == b"[" and b'"game"' not in head):
        return False
    own = _agent(path)
    if own is None:
        return False
    others = (_agent(other) for other in sorted(path.parent.glob("*.json")) if other != path and is_regular(other))
    return any(
        other is not None and 2 * len(own.games.keys() & other.games.keys()) >= min(len(own.games), len(other.games))
        for other in others
    )


def read_rl_runs(files: list[Path], log: Log) -> None:
    """Every run of every agent; and the mean of its runs on every game, human-normalised where there are human and random scores."""
    agents: dict[Path, _Agent] = {}
    for file in files:
        agent = _agent(file)
        if agent is None:
            _loaded(file)
            raise wrong(file, "does not hold the runs of an agent by game.")
        agents[file] = agent
    for folder, own in grouped(agents, lambda file: file.parent).items():
        for other in sorted(folder.iterdir()):
            if other not in agents and other.suffix.lower() in _ENDINGS and is_regular(other):
                _loaded(other)  # a damaged one is refused: an agent would be lost
        _add_means({file: agents[file] for file in own}, log)
    log.matched_by("game")
    _add_runs(list(agents.values()), log)
    log.are_runs |= any(file.suffix == ".npy" for file in files)


def _add_runs(agents: list[_Agent], log: Log) -> None:
    for agent in agents:
        for game, scores in agent.games.items() if not agent.is_normalised else ():
            for at, score in enumerate(scores):
                if score is not None:
                    log.add_run(agent.name, game, score, run=str(at + 1))
    if normalised := [agent.name for agent in agents if agent.is_normalised]:
        log.note(f"Left out, because their scores are normalised: {quoted(normalised)}.", unit="run")
    tried = [agent for agent in agents if not agent.is_scale and not agent.is_normalised]
    counts = [len(runs) for agent in tried for runs in agent.games.values()]
    log.are_runs = min(counts, default=0) > 1 and any(is_game(game) for agent in tried for game in agent.games)
    if counts:
        log.note(
            f"The runs of two agents are not paired: the mean over the runs of an agent (between {min(counts)} and {max(counts)}) is "
            "its score on a game, and how much its runs vary is not looked at; with the unit run it is, where every agent has several.",
            unit="dataset",
        )


def _add_means(agents: dict[Path, _Agent], log: Log) -> None:
    """The mean of the runs on each game as scores of datasets, on the scale of HUMAN and RANDOM where the folder has both."""
    scale = {agent.name.lower(): agent.games for agent in agents.values() if agent.is_scale}
    normal = len(scale) == len(_NORMALISERS)
    metric, direction = ("human-normalised score", "higher") if normal else ("score", None)  # raw scores may be errors
    left = []
    for file, agent in agents.items():
        if agent.is_normalised and not normal:
            left.append(agent.name)
        elif not agent.is_scale:
            stream = log.stream(file=file, system=agent.name, metric=metric, direction=direction, unit="dataset")
            for game, scores in agent.games.items():
                present = [score for score in scores if score is not None]
                if normal and not agent.is_normalised:
                    present = _normalised(game, present, scale, file)
                stream.add(game, sum(present) / len(present) if present else None)
    how = "The scores are raw: those of one game cannot be compared with those of another."
    if normal:
        how = "Scores are human-normalised: (score - random) / (human - random), by the files HUMAN and RANDOM."
    log.note(how, unit="dataset")
    if left:
        log.note(
            f"Left out, because their scores are normalised and the others are not: {quoted(left)}.", unit="dataset"
        )


def _normalised(game: str, scores: list[float], scale: dict[str, Any], file: Path) -> list[float]:
    low, high = (next(iter(scale[name].get(game, ())), None) for name in _NORMALISERS)
    if low is None or high is None or low == high:
        raise wrong(file, f": the game {game!r} has no human and random score to normalise it by.")
    return [(score - low) / (high - low) for score in scores]


def _loaded(path: Path) -> Any:
    """What a file holds: an array of runs x games as a dict of its columns."""
    if path.suffix.lower() != ".npy":
        return json_view(path).load()
    held = arrays_in(path)[path.stem]
    if held.ndim != 2 or not held.size or held.dtype.kind not in "fiub":
        raise wrong(path, f": the array has the shape {held.shape}; give runs x tasks for each agent.")
    return {f"task {j + 1}": column.tolist() for j, column in enumerate(held.T)}


def _agent(path: Path) -> _Agent | None:
    """What a file says of an agent; None if it is something else."""
    about = path.stat()
    return _agent_at(path, about.st_mtime_ns) if about.st_size <= MOST_BYTES else None


@lru_cache(maxsize=1000)  # every file of a folder is held against its neighbours
def _agent_at(path: Path, changed: int) -> _Agent | None:
    try:
        value = _loaded(path)
    except PodiumError:
        return None
    if isinstance(value, dict) and value and (len(value) > 1 or is_game(next(iter(value)))):
        whole = all(map(_are_scores, value.values()))
        games = {str(game): list(map(number, runs)) for game, runs in value.items()} if whole else {}
        return _Agent(stem_of(path), games) if whole else None
    if isinstance(value, list) and value and all(isinstance(row, dict) and "game" in row for row in value):
        column = next((name for name in _NORMALISED if all(name in row for row in value)), None)
        by_game = grouped(value, lambda row: str(row["game"]))
        games = {game: [number(row.get(column)) for row in rows] for game, rows in by_game.items()}
        return _Agent(stem_of(path), games, is_normalised=True) if column is not None else None
    return None


def _are_scores(runs: Any) -> bool:
    return isinstance(runs, list) and bool(runs) and not any(isinstance(run, str | bool | list | dict) for run in runs)
