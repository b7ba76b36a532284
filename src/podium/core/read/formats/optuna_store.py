"""Optuna: a SQLite store of studies; the best value of a study is its score."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from pathlib import Path

from podium.core.errors import DataError
from podium.core.numbers import counted
from podium.core.read.logs.named import roles_of
from podium.core.read.logs.records import Log, Stream
from podium.core.read.logs.sqlite import Tables, has_tables, tables_of
from podium.core.read.names import quoted, shown

_TABLES = ("studies", "trials", "study_user_attributes")
_SEPARATORS = re.compile(r"[/|:]")
_STATES = {"1": "COMPLETE", "2": "PRUNED", "3": "FAIL", "0": "RUNNING", "4": "WAITING"}
METRIC = "best value"


@dataclass(slots=True)
class _Study:
    """One study: its name, what its author says of it, which way is better, and the values of its trials."""

    name: str
    directions: dict[int, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    states: dict[str, int] = field(default_factory=dict)
    values: list[float] = field(default_factory=list)

    @property
    def direction(self) -> str:
        """Which value is better."""
        return "higher" if self.directions.get(0) == "MAXIMIZE" else "lower"

    @property
    def best(self) -> float | None:
        """The best value of the trials that are complete."""
        if not self.values:
            return None
        return max(self.values) if self.direction == "higher" else min(self.values)


def is_optuna(path: Path, head: bytes) -> bool:
    """Whether a file is a store of Optuna."""
    return has_tables(path, head, *_TABLES)


def read_optuna(files: list[Path], log: Log) -> None:
    """The best value of every study; who made it and on what are its attributes, or the parts of its name."""
    for file in files:
        with tables_of(file) as tables:
            studies = _studies(tables, file)
        several = [study.name for study in studies if len(study.directions) > 1]
        if several:
            raise DataError(
                f"{file.name}: the study {shown(several[0])} has several objectives, which have no best value: leave it out.",
                file=str(file),
            )
        _tell(studies, file, log)
    log.matched_by("what a study is about")


def _tell(studies: list[_Study], file: Path, log: Log) -> None:
    streams: dict[tuple[str, str], Stream] = {}
    for study, (system, dataset, family) in zip(studies, _named(studies, file, log), strict=True):
        key = (system, study.direction)
        if key not in streams:
            streams[key] = log.stream(
                file=file, system=system, metric=METRIC, direction=study.direction, unit="dataset"
            )
        why = ", ".join(f"{count} {state.lower()}" for state, count in study.states.items()) or "no trial"
        streams[key].add(dataset, study.best, why=f"no complete trial ({why})", traits={"family": family})
    complete = [study.states.get("COMPLETE", 0) for study in studies]
    if complete and min(complete) < max(complete):
        log.note(
            f"{file.name}: studies have between {min(complete)} and {counted(max(complete), 'complete trial')}; the best of more "
            "trials looks better."
        )
    pruned = sum(count for study in studies for state, count in study.states.items() if state != "COMPLETE")
    if pruned:
        log.note(f"{file.name}: {counted(pruned, 'trial')} that were pruned, failed or are running count for nothing.")


def _named(studies: list[_Study], file: Path, log: Log) -> list[tuple[str, str, str]]:
    """The system, the dataset and the dataset's family of each study."""
    roles = roles_of([study.attributes for study in studies])
    if "algorithm" in roles.by_role and all(roles.text(study.attributes, "algorithm") for study in studies):
        names = []
        for study in studies:
            told = [roles.text(study.attributes, role) for role in ("dataset", "fold", "repeat", "seed")]
            family = told[0] or "study"
            names.append(
                (str(roles.text(study.attributes, "algorithm")), "/".join(filter(None, told)) or "study", family)
            )
        used = ", ".join(
            roles.by_role[role] for role in ("algorithm", "dataset", "fold", "repeat", "seed") if role in roles.by_role
        )
        log.note(f"{file.name}: systems and datasets are named by the attributes of the studies ({used}).")
        return names
    parts = [_SEPARATORS.split(study.name) for study in studies]
    if len({len(part) for part in parts}) != 1 or len(parts[0]) < 2:
        named = quoted([study.name for study in studies], 3)
        raise DataError(
            f"{file.name} does not say which system and which dataset a study is about ({named}): name studies "
            "'system/dataset/seed', or set user attributes such as 'model' and 'dataset' on them.",
            file=str(file),
        )
    log.note(f"{file.name}: the first part of a study's name is the system, the rest the dataset and the seed.")
    return [(part[0], "/".join(part[1:]), "/".join(part[1:-1]) or part[1]) for part in parts]


def _studies(tables: Tables, file: Path) -> list[_Study]:
    made = {str(number): _Study(str(name)) for number, name in tables.rows("studies", "study_id", "study_name")}
    if not made:
        raise DataError(f"{file.name} has no study.", file=str(file))
    if tables.columns("study_directions"):
        for number, direction, objective in tables.rows("study_directions", "study_id", "direction", "objective"):
            if str(number) in made:
                made[str(number)].directions[int(str(objective))] = str(direction)
    elif "direction" in tables.columns("studies"):  # before version 2.0
        for number, direction in tables.rows("studies", "study_id", "direction"):
            made[str(number)].directions[0] = str(direction)
    for number, key, value in tables.rows("study_user_attributes", "study_id", "key", "value_json"):
        if str(number) in made:
            made[str(number)].attributes[str(key)] = _text(value)
    unclear = next(
        (study.name for study in made.values() if study.directions.get(0) not in ("MINIMIZE", "MAXIMIZE")), None
    )
    if unclear is not None:
        raise DataError(f"{file.name}: the study {shown(unclear)} does not say whether it minimises.", file=str(file))
    _trials(tables, made)
    return list(made.values())


def _trials(tables: Tables, studies: dict[str, _Study]) -> None:
    """The states of the trials, and the values of those that are complete."""
    complete: dict[str, _Study] = {}
    for trial, number, state in tables.rows("trials", "trial_id", "study_id", "state"):
        study = studies.get(str(number))
        if study is not None:
            word = _STATES.get(str(state), str(state))
            study.states[word] = study.states.get(word, 0) + 1
            if word == "COMPLETE":
                complete[str(trial)] = study
    columns = tables.columns("trial_values")
    typed = "value_type" in columns
    if columns:
        wanted = ("trial_id", "value", "value_type") if typed else ("trial_id", "value", "value")
        rows = tables.rows("trial_values", *wanted)
    else:  # before version 2.0
        rows = tables.rows("trials", "trial_id", "value", "value")
    for trial, value, kind in rows:
        study = complete.get(str(trial))
        if study is None or (typed and str(kind) != "FINITE"):
            continue
        if isinstance(value, int | float) and value == value and abs(value) != float("inf"):
            study.values.append(float(value))


def _text(value: object) -> str:
    """An attribute as text: it is stored as JSON."""
    try:
        found = json.loads(str(value))
    except (ValueError, RecursionError):
        return str(value)
    return found if isinstance(found, str) else str(value)
