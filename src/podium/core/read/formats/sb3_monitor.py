"""Monitors of Stable-Baselines3: `<algorithm>/<environment>_<run>/0.monitor.csv`, an episode per row."""

from __future__ import annotations

import csv
import json
import re
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

from podium.core.errors import DataError
from podium.core.numbers import counted
from podium.core.read.logs.files import damaged_line, opened_text
from podium.core.read.logs.records import Log, number
from podium.core.read.names import quoted

_START = re.compile(rb'#\s*\{[^\n]*"t_start"[^\n]*\}\s*\r?\n\s*r,l,t')
_RUN = re.compile(r"(.+?)_(\d{1,6})")
LAST = 100  # episodes: what Stable-Baselines3 itself reports while training

Episode = tuple[float, float]


def is_sb3_monitor(path: Path, head: bytes) -> bool:
    """Whether a file starts as a monitor does."""
    return _START.match(head) is not None


def read_sb3_monitor(files: list[Path], log: Log) -> None:
    """The mean reward of the last episodes of every training; the monitors of one folder are one training."""
    trainings: dict[Path, list[Path]] = defaultdict(list)
    for file in files:
        trainings[file.resolve().parent].append(file)
    numbers: dict[tuple[str, str], int] = defaultdict(int)
    first: dict[str, Path] = {}
    empty, short = [], 0
    for folder, own in trainings.items():
        episodes = episodes_of(own)
        rewards, environment = episodes.rewards, episodes.environment
        system = folder.parent.name or "agent"
        dataset = environment or (found[1] if (found := _RUN.fullmatch(folder.name)) else folder.name)
        if not rewards:
            empty.append(f"{system} on {dataset}")
        short += 0 < len(rewards) < LAST
        last = rewards[-LAST:]
        about = {"file": first.setdefault(system, own[0]), "system": system, "unit": "dataset"}
        stream = log.stream(metric="episode_reward", direction="higher", **about)
        repeat = numbers[system, dataset]
        numbers[system, dataset] += 1
        score = sum(last) / len(last) if last else None
        stream.add(dataset, score, repeat=repeat, why="no episode ended")
    log.matched_by("environment")
    log.note(
        f"The score of a training is the mean reward of its last {LAST} episodes. Its episodes are not repeats, and rewards of one "
        "environment cannot be compared with those of another."
    )
    if short:
        log.note(f"{counted(short, 'training')} had fewer episodes: all of them count.")
    if empty:
        log.note(f"Without a single episode: {quoted(empty, 4)}.")


@dataclass(slots=True)
class Episodes:
    """The rewards of a training in the order in which its episodes ended, how many steps they took, and the environment."""

    rewards: list[float]
    steps: float
    environment: str


def episodes_of(files: list[Path]) -> Episodes:
    """The episodes of one training, whose environments have a monitor each.

    Within a file the order of the rows holds: where a training was taken up again, its clock started anew.
    """
    found: list[Episode] = []
    steps, environment = 0.0, ""
    for file in files:
        begun, rows, name = _rows_of(file)
        if environment and name not in ("", environment):
            raise DataError(
                f"The monitors of {file.parent.name} are of two environments, {environment} and {name}: keep a folder for each training.",
                file=str(file),
            )
        environment = environment or name
        clock = shift = 0.0
        for at, reward, length in rows:
            if at + shift < clock:
                shift = clock - at
            clock = at + shift
            found.append((begun + clock, reward))
            steps += length
    return Episodes(
        rewards=[reward for _, reward in sorted(found, key=lambda item: item[0])], steps=steps, environment=environment
    )


def _rows_of(file: Path) -> tuple[float, list[tuple[float, float, float]], str]:
    """When a monitor began, the time, reward and length of its episodes, and the environment that it names."""
    where = f"{file.parent.name}/{file.name}"
    found = []
    try:
        with opened_text(file) as text:
            about = json.loads(text.readline(1_000_000).lstrip("#"))
            rows = csv.DictReader(text)
            for row in rows:
                reward, at = number(row.get("r")), number(row.get("t"))
                if reward is None or at is None:
                    raise damaged_line(file, rows.line_num + 1, "not an episode", where)
                found.append((at, reward, number(row.get("l")) or 0.0))
            environment = about.get("env_id")
            return number(about.get("t_start")) or 0.0, found, "" if environment in (None, "None") else str(environment)
    except DataError:
        raise
    except (ValueError, AttributeError, RecursionError, csv.Error):
        raise DataError(
            f"{where} is not a monitor file that can be read: restore it, or leave it out.", file=str(file)
        ) from None
