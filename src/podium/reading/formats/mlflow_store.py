"""MLflow: runs in a folder (`mlruns/`) or a SQLite store; parameters name the system, the dataset and the fold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from pathlib import Path
from typing import Any, NamedTuple

from podium.core.contents import is_regular
from podium.core.errors import DataError
from podium.core.metric import known_metric
from podium.core.names import quoted
from podium.core.numbers import counted
from podium.reading.logs.choose import grouped, several_runs
from podium.reading.logs.files import opened
from podium.reading.logs.naming import by_role, numbered, roles_of
from podium.reading.logs.records import Log, number
from podium.reading.logs.sqlite import has_tables, is_database, tables_of

_TABLES = ("experiments", "runs", "params", "metrics")
_STATUS = {"1": "running", "2": "scheduled", "3": "finished", "4": "failed", "5": "killed"}
_UNFINISHED = frozenset(_STATUS.values()) - {"finished"}
_KEY = re.compile(r"^([A-Za-z_]+):\s*(.*?)\s*$", re.MULTILINE)
_PARENT = "mlflow.parentRunId"
MOST_TEXT = 100_000


@dataclass(slots=True)
class Run:
    """One run: its state, its parameters, and the last value of each metric."""

    file: Path
    experiment: str
    status: str
    params: dict[str, str] = field(default_factory=dict)
    metrics: dict[str, float | None] = field(default_factory=dict)
    name: str = ""
    start: float | None = None


class _Place(NamedTuple):
    """What a run is about."""

    system: str
    dataset: str
    fold: str
    repeat: str


def is_mlflow(path: Path, head: bytes) -> bool:
    """Whether a file is the `meta.yaml` of a run, or a store of runs."""
    if has_tables(path, head, *_TABLES):
        return True
    return path.name == "meta.yaml" and (b"\nrun_id:" in head or b"\nrun_uuid:" in head) and b"lifecycle_stage:" in head


def read_mlflow(files: list[Path], log: Log) -> None:
    """Every finished run, as its parameters name it; a run that failed is a hole where others have a score."""
    runs = [run for file in files for run in _runs(file)]
    _drop_unfinished(runs, log)
    for file in files:
        if file.name == "meta.yaml":
            log.beside |= {file.parent, file.parent.parent / "meta.yaml"}
    roles = _roles(runs, log)
    runs = _without_parents(runs, roles, log)
    placed = [(run, place) for run in runs if (place := _place(run, roles)) is not None]
    if len(placed) < len(runs):
        log.note(f"{counted(len(runs) - len(placed), 'run')} that name no system left out.")
    folds = numbered(place.fold for _, place in placed)
    repeats = numbered(place.repeat for _, place in placed)
    more = 1 + max(repeats.values(), default=0)
    chosen = _one_each(placed, log)
    scored = {(place[1:], again) for run, place, again in chosen if run.metrics}
    metrics = list(dict.fromkeys(name for run in runs for name in run.metrics))
    first: dict[tuple[str, str], Path] = {}
    lost: list[str] = []
    for run, place, again in chosen:
        if not run.metrics and (place[1:], again) not in scored:
            lost.append(f"{place.system} on {place.dataset}, {run.status}")
            continue
        for metric in run.metrics or metrics:
            usual = known_metric(metric)
            stream = log.stream(
                file=first.setdefault((place.system, metric), run.file), system=place.system, metric=metric, unit="dataset",
                direction=usual.direction if usual else None, is_cost=bool(usual and usual.is_cost),
                main=_is_headline(metric),
            )  # fmt: skip
            why, repeat = "" if run.metrics else run.status, repeats[place.repeat] + again * more
            stream.add(place.dataset, run.metrics.get(metric), sample=folds[place.fold], repeat=repeat, why=why)
    if lost:
        log.note(f"Left out, because no system has a score there: {quoted(lost, 3)}.")
    log.matched_by("dataset and fold")


def _one_each(placed: list[tuple[Run, _Place]], log: Log) -> list[tuple[Run, _Place, int]]:
    """One run of each fold, or several with their number: of those with a score, as somebody says."""
    chosen: list[tuple[Run, _Place, int]] = []
    several: dict[str, list[str]] = {}
    differing: dict[str, None] = {}
    for place, pairs in grouped(placed, lambda pair: pair[1]).items():
        own = [run for run, _ in pairs]
        own = [run for run in own if run.metrics] or own[:1]
        if all(run.metrics == own[0].metrics for run in own) and log.runs != "repeats":
            own = own[:1]
        if len(own) > 1 and log.runs == "newest":
            own = [_newest(own)]
        elif len(own) > 1 and log.runs == "ask":
            several[f"{place.system} on {place.dataset}, fold {place.fold}"] = [run.name for run in own]
            settings = [{**run.params, "experiment": run.experiment, _PARENT: ""} for run in own]
            names = dict.fromkeys(name for one in settings for name in one)
            differing |= {name: None for name in names if len({one.get(name) for one in settings}) > 1}
        chosen += [(run, place, again) for again, run in enumerate(own)]
    if several:
        raise several_runs(_store_of(placed[0][0]), several, list(differing))
    return chosen


def _newest(runs: list[Run]) -> Run:
    """The run that was started last."""
    started = [run.start for run in runs]
    if None in started or len(set(started)) < len(started):
        raise DataError(
            f"{_store_of(runs[0])} does not say which of the runs {quoted([run.name for run in runs], 4)} is the newest: delete those "
            "that do not count, or set {runs} to 'repeats'."
        )
    return max(runs, key=lambda run: run.start or 0.0)


def _without_parents(runs: list[Run], roles: Mapping[str, str], log: Log) -> list[Run]:
    """Without the runs that sum up their children: those of its folds, or of its seeds."""
    inner = [roles[role] for role in ("fold", "repeat", "seed") if role in roles]
    summed = {
        run.params[_PARENT] for run in runs if _PARENT in run.params and any(name in run.params for name in inner)
    }
    kept = [run for run in runs if run.name not in summed or any(name in run.params for name in inner)]
    if len(kept) < len(runs):
        log.note(f"{counted(len(runs) - len(kept), 'parent run')} left out: the children are compared.")
    return kept


def _drop_unfinished(runs: list[Run], log: Log) -> None:
    """What a run logged before it failed, was killed or while it is running is not a score."""
    states = Counter(run.status for run in runs if run.status in _UNFINISHED)
    if not states:
        return
    counts = ", ".join(f"{n} {state}" for state, n in states.items())
    if states.total() == len(runs):
        raise DataError(
            f"{_store_of(runs[0])} has no finished run ({counts}): if they did come to an end, set their status to FINISHED."
        )
    for run in runs:
        if run.status in _UNFINISHED:
            run.metrics = {}
    log.note(f"Runs that are not finished count as missing, even if they logged a metric: {counts}.")


def _store_of(run: Run) -> str:
    """What the file or folder of all runs is called."""
    return run.file.parents[2].name if run.file.name == "meta.yaml" else run.file.name


def _is_headline(metric: str) -> bool:
    """Whether a metric may be what is compared: not one of the training itself."""
    return not re.match(r"(?i)(train|training|epoch|batch|step)[_ /.]|system/", metric)


def _roles(runs: list[Run], log: Log) -> dict[str, str]:
    roles = roles_of([run.params for run in runs])
    if "algorithm" not in roles:
        names = quoted(dict.fromkeys(name for run in runs for name in run.params), 12) or "none"
        raise DataError(
            f"{_store_of(runs[0]) if runs else 'mlruns'}: no parameter of the runs names the system: log one called 'model' "
            f"(the runs have {names})."
        )
    used = ", ".join(f"{role} = {name!r}" for role, name in roles.items())
    log.note(
        f"{counted(len(runs), 'run')} of MLflow; their parameters: {used}. Of a metric with several steps the last counts."
    )
    return roles


def _place(run: Run, roles: dict[str, str]) -> _Place | None:
    """The system, dataset, fold and repeat of a run; an experiment is the dataset if no parameter is."""
    text = by_role(run.params, roles)
    if "algorithm" not in text:
        return None
    repeat = text.get("repeat") or text.get("seed", "0")
    return _Place(text["algorithm"], text.get("dataset", run.experiment), text.get("fold", "0"), repeat)


def _runs(file: Path) -> Iterator[Run]:
    if is_database(file):
        yield from _of_database(file)
        return
    meta = _meta(file)
    if meta.get("lifecycle_stage") == "deleted":
        return
    folder = file.parent
    status = _STATUS.get(meta.get("status", ""), meta.get("status", "unknown").lower())
    about = folder.parent / "meta.yaml"
    experiment = (_meta(about).get("name") if is_regular(about) else None) or folder.parent.name
    tags, params = ({name: _text(path).strip() for name, path in _files(folder / kind)} for kind in ("tags", "params"))
    metrics = {name: _last(path) for name, path in _files(folder / "metrics")}
    run = Run(file, experiment, status, _told(tags) | params, metrics, folder.name, number(meta.get("start_time")))
    if run.metrics or run.params:
        yield run


def _told(tags: dict[str, str]) -> dict[str, str]:
    """The tags that somebody set, which may name what parameters do not, and the parent."""
    return {name: text for name, text in tags.items() if name == _PARENT or not name.startswith("mlflow.")}


def _meta(file: Path) -> dict[str, str]:
    """The flat part of a `meta.yaml`."""
    return {key: value.strip("'\"") for key, value in _KEY.findall(_text(file))}


def _text(file: Path) -> str:
    with opened(file) as raw:
        return raw.read(MOST_TEXT).decode("utf-8", "replace")


def _files(folder: Path) -> Iterator[tuple[str, Path]]:
    """The files of a folder by name; a name with slashes lies in folders of its own."""
    if folder.is_dir():
        for path in sorted(folder.rglob("*")):
            if is_regular(path):
                yield path.relative_to(folder).as_posix(), path


def _last(file: Path) -> float | None:
    """The value of the last step in lines of "time value step"."""
    with opened(file) as raw:
        lines = [[number(word) for word in line.decode("ascii", "replace").split()] for line in raw]
    for at, numbers in enumerate(lines, 1):
        if numbers and (len(numbers) < 2 or None in (numbers[0], *numbers[2:3])):
            raise DataError(
                f"{file.parent.parent.name}/metrics/{file.name}, line {at}, is not a time, a value and a step: restore it, "
                "or leave the run out.",
                file=str(file),
            )
    logged = [(numbers[2] if len(numbers) > 2 else 0.0, numbers[0], numbers[1]) for numbers in lines if numbers]
    return max(reversed(logged), key=itemgetter(0, 1))[2] if logged else None


def _of_database(file: Path) -> Iterator[Run]:
    """The runs in a SQLite store."""
    with tables_of(file) as tables:
        experiments = dict(tables.rows("experiments", "experiment_id", "name"))
        runs: dict[Any, Run] = {}
        columns = ("run_uuid", "experiment_id", "status", "lifecycle_stage", "start_time")
        for run, experiment, status, stage, start in tables.rows("runs", *columns):
            if stage != "deleted":
                about = str(experiments.get(experiment, experiment))
                runs[run] = Run(file, about, str(status).lower(), name=str(run), start=number(start))
        for kind in ("tags", "params"):
            for run, key, value in tables.rows(kind, "run_uuid", "key", "value"):
                if run in runs:
                    runs[run].params |= _told({str(key): str(value)}) if kind == "tags" else {str(key): str(value)}
        last: dict[tuple[Any, str], tuple[float, float]] = {}
        logged = tables.rows("metrics", "run_uuid", "key", "value", "timestamp", "step", "is_nan")
        for run, key, value, when, step, is_nan in logged:
            place = (float(step or 0), float(when or 0))
            if run in runs and place >= last.get((run, key), place):
                last[run, key] = place
                runs[run].metrics[str(key)] = None if is_nan else number(value)
    yield from (run for run in runs.values() if run.metrics or run.params)
