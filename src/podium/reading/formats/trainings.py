"""Training logs: monitors, progress.csv and evaluations.npz of Stable-Baselines, event files of CleanRL and others, .npy of curves.

The files of one folder are of one training, and a training has one score: its episodes are not repeats.
"""

from __future__ import annotations

import csv
import json
import math
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from podium.core.errors import DataError
from podium.core.names import quoted, shown
from podium.core.numbers import as_given, counted
from podium.reading.array_files import arrays_in
from podium.reading.event_files import scalars_in
from podium.reading.logs.files import damaged_line, opened_text, wrong
from podium.reading.logs.records import Log, number
from podium.reading.training_names import ONE_TASK, cleanrl_name, named, names_environment

LAST = 100  # episodes: what Stable-Baselines3 itself reports while training
LAST_SHARE = f"the mean of the last tenth, at most {LAST},"  # what stands for a whole curve
MONITOR, EPISODIC = "episode return", "charts/episodic_return"
ROLLOUT, EVALUATED = "rollout/ep_rew_mean", "eval/mean_reward"
CURVE = "mean return"
# What a training may be scored by, the first that all have is taken; with how that becomes one number.
MEASURES = {
    MONITOR: f"the mean of its last {LAST} episodes (monitor.csv)",
    EPISODIC: f"the mean of its last {LAST} episodes (event files)",
    ROLLOUT: f"the last {ROLLOUT}, a mean of up to {LAST} episodes",
    EVALUATED: "the mean of its last evaluation",
    CURVE: f"{LAST_SHARE} of its curve",
}
_STEPS = "time/total_timesteps"
_MONITOR = re.compile(rb'#\s*\{[^\n]*"t_start"[^\n]*\}\s*\r?\n\s*r,l,t')
EVENTS = "events.out.tfevents."
# A monitor of the environment for evaluations; its folder, which has the word alone: `test_runs` may hold trainings.
_OF_EVALUATIONS = re.compile(r"(eval|evaluations?|test)[^a-z]", re.IGNORECASE)
_FOLDERS_OF_EVALUATIONS = re.compile(r"(eval|evaluations?|test)([_-]?(env|envs|logs?|monitors?))?", re.IGNORECASE)
_ONE_ROW = re.compile(rb"'shape': \(\d+,\)")  # in the header of a .npy
APART = 1.25  # trainings of one task that differ more in length are told


Scores = dict[str, tuple[float, float]]  # the score and the last step, by what it is measured by


@dataclass(slots=True)
class Training:
    """One training and its scores; `task` is "" where no file names it."""

    folder: Path
    task: str = ""
    scores: Scores = field(default_factory=dict)
    episodes: int | None = None


def is_trainings(path: Path, head: bytes) -> bool:
    """Whether a file is a training log; event files are such where CleanRL named their folder or they have a known measure."""
    if not path.name.startswith(EVENTS):
        return _kind(path, head) is not None
    return cleanrl_name(path.parent.name) is not None or any(name.encode() in head for name in MEASURES)


def read_trainings(files: list[Path], log: Log) -> None:
    """Every training with one score: by the metric that was asked for, which may be any column or tag of the logs."""
    trainings = list(_trainings(files, log.metric))
    empty = [one for one in trainings if not one.scores]
    trainings = [one for one in trainings if one.scores]
    chosen = _measure(trainings, log)
    places = [_place(log.root, one.folder) for one in trainings]
    names = named([Path(place).parts for place in places], [one.task for one in trainings], log.root.resolve().name)
    scores = [one.scores[chosen] for one in trainings]
    for place, name, (score, _) in zip(places, names, scores, strict=True):
        if not math.isfinite(score):
            raise DataError(
                f"{shown(place)}: its {chosen} is not a number (nan or infinite) in the end. Leave it out, or repair it."
            )
        log.add_run(name.agent, name.task, score, run=name.run, seed=name.seed)
    log.measure = chosen
    lengths = unequal_lengths([name.task for name in names], [end for _, end in scores])
    for note in (*_said(chosen, trainings), *lengths, *_others(trainings, chosen)):
        log.note(note)
    if any(name.task == ONE_TASK for name in names):
        log.note("No file or folder names an environment: all trainings were taken to be on the same one.")
    if empty:
        listed = quoted([_place(log.root, one.folder) for one in empty], 4)
        log.note(f"Left out, because no episode ended and nothing was logged: {listed}.")


def _place(path: Path, folder: Path) -> str:
    inner = folder.relative_to(path).as_posix()
    return "" if inner == "." else inner


def at_the_end(rows: int) -> int:
    """How many of the rows of a run are its end, whose mean is its score.

    >>> at_the_end(25), at_the_end(5000)
    (3, 100)
    """
    return min(LAST, math.ceil(rows / 10))


# Files.


def _wrong(file: Path, problem: str) -> DataError:
    """The error for one of many files of the same name: its folder tells it apart."""
    return wrong(file, problem, f"{file.parent.name}/{file.name}")


def _kind(file: Path, head: bytes | None = None) -> str | None:
    """What kind of training log a file is, by its name; and by its first bytes, where it is not yet known to be one."""
    name = file.name
    if name == "evaluations.npz":
        return "evaluations"
    if name.startswith(EVENTS):
        return "events"
    if name == "progress.csv":
        return "progress" if head is None or _STEPS.encode() in head.partition(b"\n")[0] else None
    if name.endswith("monitor.csv") and not (
        _OF_EVALUATIONS.match(name) or _FOLDERS_OF_EVALUATIONS.fullmatch(file.parent.name)
    ):
        return "monitor" if not head or not head.strip() or head.startswith(b"#") or _MONITOR.match(head) else None
    if name.endswith(".npy") and names_environment(file.stem):
        return "curve" if head is None or _ONE_ROW.search(head[:200]) else None
    return None


def _trainings(files: list[Path], metric: str | None) -> Iterator[Training]:
    """The logs of each folder together: they are of one training; a monitor with a name of its own is one by itself."""
    folders: dict[Path, dict[str, list[Path]]] = defaultdict(lambda: defaultdict(list))
    for file in files:
        kind = _kind(file) or ""
        own = file.name.removesuffix("monitor.csv").removesuffix(".npy").strip(".")
        is_own = kind in ("monitor", "curve") and own and not own.isdigit()
        folders[file.parent / own if is_own else file.parent][kind].append(file)
    for folder, kinds in folders.items():
        training = Training(folder=folder)
        if kinds["monitor"]:
            _monitors(training, kinds["monitor"])
        training.scores |= _events(kinds["events"], metric)
        for kind, reader in (("progress", _progress), ("evaluations", _evaluations), ("curve", _curve)):
            for file in kinds[kind]:
                training.scores |= reader(file, metric)
        yield training


def _monitors(training: Training, files: list[Path]) -> None:
    """The episodes of one training, whose environments have a monitor each, in the order in which they ended.

    Within a file the order of the rows holds: where a training was taken up again, its clock started anew.
    """
    episodes: list[tuple[float, float]] = []
    steps = 0.0
    for file in files:
        begun, rows, name = _rows_of(file) if file.stat().st_size else (0.0, [], "")
        if training.task and name not in ("", training.task):
            raise DataError(
                f"The monitors of {file.parent.name} are of two environments, {training.task} and {name}: keep a folder for each "
                "training.",
                file=str(file),
            )
        training.task = training.task or name
        clock = shift = 0.0
        for at, reward, length in rows:
            shift = max(shift, clock - at)
            clock = at + shift
            episodes.append((begun + clock, reward))
            steps += length
    training.episodes = len(episodes)
    if episodes:
        rewards = [reward for _, reward in sorted(episodes, key=lambda item: item[0])]
        training.scores[MONITOR] = float(np.mean(rewards[-LAST:])), steps


def _rows_of(file: Path) -> tuple[float, list[tuple[float, float, float]], str]:
    """When a monitor began, the time, reward and length of its episodes, and the environment that it names."""
    episodes = []
    try:
        with opened_text(file) as text:
            about = json.loads(text.readline(1_000_000).lstrip("#"))
            rows = csv.DictReader(text)
            for row in rows:
                reward, at = number(row.get("r")), number(row.get("t"))
                if reward is None or at is None:
                    raise damaged_line(file, rows.line_num + 1, "not an episode", f"{file.parent.name}/{file.name}")
                episodes.append((at, reward, number(row.get("l")) or 0.0))
            task = about.get("env_id")
            return number(about.get("t_start")) or 0.0, episodes, "" if task in (None, "None") else str(task)
    except DataError:
        raise
    except (ValueError, AttributeError, RecursionError, csv.Error):
        raise _wrong(file, "is not a monitor file that can be read: restore it, or leave it out.") from None


def _progress(file: Path, metric: str | None) -> Scores:
    """progress.csv: a column is blank in the rows in which it was not logged."""
    import pandas as pd

    try:
        table = pd.read_csv(file)
        steps = float(pd.to_numeric(table[_STEPS]).max())
        names = [name for name in (ROLLOUT, EVALUATED, metric) if name in table.columns]
        columns = {str(name): pd.to_numeric(table[name]).dropna() for name in names}
    except (ValueError, KeyError, OSError):
        raise _wrong(file, "cannot be read as a table: restore it, or leave it out.") from None
    return {name: (float(column.iloc[-1]), steps) for name, column in columns.items() if len(column)}


def _evaluations(file: Path, metric: str | None) -> Scores:
    """evaluations.npz of EvalCallback: `timesteps` and `results`, evaluations x episodes."""
    held = arrays_in(file)
    try:
        steps, results = held["timesteps"], np.asarray(held["results"], dtype=np.float64)
    except (ValueError, KeyError, TypeError):
        lack = "has no arrays `timesteps` and `results` of numbers, as EvalCallback saves them: leave it out."
        raise _wrong(file, lack) from None
    if results.ndim != 2 or steps.shape != (len(results),) or not np.isfinite(results).all():
        raise _wrong(file, ": `results` must have a row of episodes, as numbers, for each of the `timesteps`.")
    last = int(np.argmax(steps)) if results.size else 0
    return {EVALUATED: (float(results[last].mean()), float(steps[last]))} if results.size else {}


def _curve(file: Path, metric: str | None) -> Scores:
    """A .npy with the return of each evaluation."""
    values = arrays_in(file)[file.stem]
    if not values.size or values.ndim != 1 or values.dtype.kind not in "fiu":
        raise _wrong(file, "is not a curve: it must hold a row of numbers.")
    return {CURVE: (float(np.mean(values[-at_the_end(len(values)) :])), float(len(values)))}


def _events(files: list[Path], metric: str | None) -> Scores:
    """Event files; those of one folder continue each other."""
    scalars: dict[str, list[tuple[int, float]]] = defaultdict(list)
    for file in sorted(files):
        for tag, values in scalars_in(file).items():
            scalars[tag] += values
    scores: Scores = {}
    for tag in (EPISODIC, ROLLOUT, EVALUATED, metric or EPISODIC):
        if scalars.get(tag):
            values = sorted(scalars[tag], key=lambda item: item[0])
            last = [value for _, value in values[-(LAST if tag == EPISODIC else 1) :]]
            scores[tag] = float(np.mean(last)), float(values[-1][0])
    return scores


# What they are measured by, and what is said of it.


def _measure(trainings: list[Training], log: Log) -> str:
    """The measure that was asked for, or the first that every training has."""
    if not trainings:
        raise DataError(f"No training in {shown(log.root.name)} has a score: no episode ended, and nothing was logged.")
    have = {name: sum(name in one.scores for one in trainings) for one in trainings for name in one.scores}
    order = sorted(have, key=lambda name: (-have[name], list(MEASURES).index(name) if name in MEASURES else -1))
    chosen = log.metric or order[0]
    lacking = [one for one in trainings if chosen not in one.scores]
    if not lacking:
        return chosen
    place = _place(log.root, lacking[0].folder) or lacking[0].folder.name
    raise DataError(
        f"{shown(place)} has no {shown(chosen)}: {have.get(chosen, 0)} of {counted(len(trainings), 'training')} have it. Give another "
        f"{{metric}} (there is {quoted(order)}), or a folder in which all trainings have it."
    )


def _said(chosen: str, trainings: list[Training]) -> list[str]:
    how = MEASURES.get(chosen, f"the last value of {shown(chosen)}")
    notes = [
        f"{counted(len(trainings), 'training')}: the score of each is {how}. Episodes and evaluations of one training are not repeats."
    ]
    few = [one.episodes for one in trainings if one.episodes is not None and one.episodes < LAST]
    if chosen == MONITOR and few:
        notes.append(
            f"{counted(len(few), 'training')} had fewer than {LAST} episodes, at least {min(few)}: all of them count, also the early ones."
        )
    return notes


def _others(trainings: list[Training], chosen: str) -> list[str]:
    """The other measures that every training has, to be asked for."""
    others = [name for name in MEASURES if name != chosen and all(name in one.scores for one in trainings)]
    if not others:
        return []
    return [f"The trainings could also be compared by {' or '.join(map(repr, others))} (`metric`)."]


def unequal_lengths(tasks: list[str], ends: list[float]) -> list[str]:
    """A note on trainings of one task that are of different lengths: some may have been ended early."""
    by_task: dict[str, list[float]] = defaultdict(list)
    for task, end in zip(tasks, ends, strict=True):
        by_task[task].append(end)
    apart = {task: own for task, own in by_task.items() if max(own) > APART * max(min(own), 1)}
    if not apart:
        return []
    task, own = max(apart.items(), key=lambda item: max(item[1]) / max(min(item[1]), 1))
    return [
        f"The trainings are of different lengths (on {task} from {as_given(min(own))} to {as_given(max(own))} steps): were some "
        "ended early?"
    ]
