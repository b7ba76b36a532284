"""Scores of reinforcement learning: a file per agent in one folder, JSON as {game: [score of each run]} or an array of runs x games."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from podium.core.errors import PodiumError
from podium.core.names import quoted
from podium.reading.array_files import arrays_in
from podium.reading.formats.packed import stem_of
from podium.reading.formats.trainings import is_trainings
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import json_view
from podium.reading.logs.records import Log, number
from podium.reading.run_columns import is_game

MOST_BYTES = 5_000_000
_ENDINGS = (".json", ".npy")
_NORMALISERS = ("human", "random")
_NORMALISED = ("HNS", "hns", "human_normalized_score", "human_normalised_score")

Runs = dict[str, list[float | None]]


def is_rl_runs(path: Path, head: bytes) -> bool:
    """Whether a file has the runs of an agent by game, and another in its folder has those of another agent."""
    start = head.lstrip()[:1]
    if start not in (b"{", b"[", b"\x93") or (start == b"[" and b'"game"' not in head):
        return False
    if start == b"\x93":  # one of another shape is refused when it is read
        return not is_trainings(path, head) and len(list(path.parent.glob("*.npy"))) > 1
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
    """Every run of every agent; and the mean of its runs on every game, human-normalised where there are human and random scores."""
    made: dict[Path, tuple[Runs, bool]] = {}
    by_folder: dict[Path, list[Path]] = {}
    for file in files:
        found = _runs(file)
        if found is None:
            _loaded(file)
            raise wrong(file, "does not hold the runs of an agent by game.")
        made[file] = found
        by_folder.setdefault(file.parent, []).append(file)
    for folder, own in by_folder.items():
        for other in sorted(folder.iterdir()):
            if other not in made and other.suffix.lower() in _ENDINGS and other.is_file():
                _loaded(other)  # a damaged one is refused: an agent would be lost
        _of_folder(own, made, log)
    log.matched_by("game")
    _add_runs(made, log)


def _add_runs(made: dict[Path, tuple[Runs, bool]], log: Log) -> None:
    done = [stem_of(file) for file, (_, is_done) in made.items() if is_done]
    for file, (games, is_done) in made.items():
        for game, scores in games.items() if not is_done else ():
            for at, score in enumerate(scores):
                if score is not None:
                    log.add_run(stem_of(file), game, score, run=str(at + 1))
    if done:
        log.note(f"Left out, because their scores are normalised: {quoted(done)}.", unit="run")
    agents = [games for file, (games, is_done) in made.items() if not _is_scale(file) and not is_done]
    counts = [len(runs) for games in agents for runs in games.values()]
    of_games = any(is_game(game) for games in agents for game in games)
    log.are_runs = (min(counts, default=0) > 1 and of_games) or any(file.suffix == ".npy" for file in made)
    if not counts:
        return
    log.note(
        f"The runs of two agents are not paired: the mean over the runs of an agent (between {min(counts)} and {max(counts)}) is "
        "its score on a game, and how much its runs vary is not looked at; with `unit` run it is, where every agent has several.",
        unit="dataset",
    )


def _is_scale(file: Path) -> bool:
    return stem_of(file).lower() in _NORMALISERS


def _of_folder(files: list[Path], made: dict[Path, tuple[Runs, bool]], log: Log) -> None:
    """The mean of the runs on each game as scores of datasets, on the scale of HUMAN and RANDOM where the folder has both."""
    scale = {stem_of(file).lower(): made[file][0] for file in files if _is_scale(file)}
    normal = len(scale) == len(_NORMALISERS)
    agents = [file for file in files if not _is_scale(file)]
    left = [stem_of(file) for file in agents if made[file][1] and not normal]
    metric, direction = ("human-normalised score", "higher") if normal else ("score", None)  # raw scores may be errors
    for file in agents:
        runs, done = made[file]
        for game, scores in runs.items() if normal or not done else ():
            scores = _normalised(game, scores, scale, file) if normal and not done else scores
            present = [score for score in scores if score is not None]
            stream = log.stream(file=file, system=stem_of(file), metric=metric, direction=direction, unit="dataset")
            stream.add(game, sum(present) / len(present) if present else None)
    how = "The scores are raw: those of one game cannot be compared with those of another."
    if normal:
        how = "Scores are human-normalised: (score - random) / (human - random), by the files HUMAN and RANDOM."
    log.note(how, unit="dataset")
    if left:
        log.note(
            f"Left out, because their scores are normalised and the others are not: {quoted(left)}.", unit="dataset"
        )


def _normalised(game: str, scores: list[float | None], scale: dict[str, Runs], file: Path) -> list[float | None]:
    ends = [scale[name].get(game) for name in ("random", "human")]
    low, high = (next(iter(end or [None]), None) for end in ends)
    if low is None or high is None or low == high:
        raise wrong(file, f": the game {game!r} has no human and random score to normalise it by.")
    return [None if score is None else (score - low) / (high - low) for score in scores]


def _loaded(path: Path) -> Any:
    """What a file holds: an array of runs x games as a dict of its columns."""
    if path.suffix.lower() != ".npy":
        return json_view(path).load()
    held = arrays_in(path)[path.stem]
    if held.ndim != 2 or not held.size or held.dtype.kind not in "fiub":
        raise wrong(path, f": the array has the shape {held.shape}; give runs x tasks for each agent.")
    return {f"task {j + 1}": column.tolist() for j, column in enumerate(held.T)}


def _runs(path: Path) -> tuple[Runs, bool] | None:
    """The scores of an agent by game, and whether they are normalised already; None if the file is something else."""
    try:
        about = path.stat()
        return _found(path, about.st_mtime_ns) if about.st_size <= MOST_BYTES else None
    except OSError:
        return None


@lru_cache(maxsize=1000)  # every file of a folder is held against its neighbours
def _found(path: Path, changed: int) -> tuple[Runs, bool] | None:
    try:
        value = _loaded(path)
    except PodiumError:
        return None
    if isinstance(value, dict) and value and (len(value) > 1 or is_game(next(iter(value)))):
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
