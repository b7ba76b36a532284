"""Optuna: a SQLite store of studies, or a journal of them; the best value of a study is its score."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.core.names import quoted, shown
from podium.core.numbers import counted
from podium.reading.logs.files import wrong
from podium.reading.logs.json_view import dict_of, first_record, json_lines, list_of
from podium.reading.logs.naming import by_role, roles_of
from podium.reading.logs.records import Log, number
from podium.reading.logs.sqlite import Tables, has_tables, is_database, tables_of
from podium.reading.roles import may_be_algorithms

_TABLES = ("studies", "trials", "study_user_attributes")
_SEPARATORS = re.compile(r"[/|:]")
_STATES = {"1": "COMPLETE", "2": "PRUNED", "3": "FAIL", "0": "RUNNING", "4": "WAITING"}
_DIRECTIONS = {1: "MINIMIZE", 2: "MAXIMIZE"}
# What a line of a journal does.
_NEW_STUDY, _GONE, _ATTRIBUTE, _NEW_TRIAL, _OUTCOME, _SYSTEM = 0, 1, 2, 4, 6, 9
_ROLES = ("algorithm", "dataset", "fold", "repeat", "seed")
_CONSTRAINTS = "constraints"
METRIC = "best value"


@dataclass(slots=True)
class _Trial:
    """One trial: its state, its value, and whether it keeps its constraints."""

    state: str
    value: Any
    feasible: bool


@dataclass(slots=True)
class _Study:
    """One study: its name, which way is better, what its author says of it, and its trials."""

    name: str
    directions: dict[int, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    trials: list[_Trial] = field(default_factory=list)

    @property
    def direction(self) -> str:
        """Which value is better."""
        return "higher" if self.directions.get(0) == "MAXIMIZE" else "lower"

    @property
    def states(self) -> Counter[str]:
        """How many trials are in each state."""
        return Counter(trial.state for trial in self.trials)

    def values(self, *, feasible: bool) -> list[float]:
        """The values of the trials that are complete and keep their constraints, or of those that break them."""
        own = (number(t.value) for t in self.trials if t.state == "COMPLETE" and t.feasible == feasible)
        return [value for value in own if value is not None]

    @property
    def best(self) -> float | None:
        """The best value of the trials that count, as `study.best_value`."""
        return (max if self.direction == "higher" else min)(self.values(feasible=True), default=None)


def is_optuna(path: Path, head: bytes) -> bool:
    """Whether a file is a store of Optuna, or a journal."""
    if head.startswith(b'{"op_code"'):
        return {"op_code", "worker_id"} <= first_record(path).keys()
    return has_tables(path, head, *_TABLES)


def read_optuna(files: list[Path], log: Log) -> None:
    """The best value of every study; who made it and on what are its attributes, or the parts of its name."""
    for file in files:
        studies = _studies_of(file)
        several = [study.name for study in studies if len(study.directions) > 1]
        if several:
            raise wrong(
                file, f": the study {shown(several[0])} has several objectives, which have no best value: leave it out."
            )
        _tell(studies, file, log)
    log.matched_by("what a study is about")


def _tell(studies: list[_Study], file: Path, log: Log) -> None:
    for study, (system, dataset, family) in zip(studies, _named(studies, file, log), strict=True):
        stream = log.stream(file=file, system=system, metric=METRIC, direction=study.direction, unit="dataset")
        why = ", ".join(f"{count} {state.lower()}" for state, count in study.states.items()) or "no trial"
        kind = "feasible" if study.values(feasible=False) else "complete"
        stream.add(dataset, study.best, why=f"no {kind} trial ({why})", traits={"family": family})
    complete = [study.states["COMPLETE"] for study in studies]
    if complete and min(complete) < max(complete):
        log.note(
            f"{file.name}: studies have between {min(complete)} and {counted(max(complete), 'complete trial')}; the best of more "
            "trials looks better."
        )
    pruned = sum(trial.state != "COMPLETE" for study in studies for trial in study.trials)
    if pruned:
        log.note(f"{file.name}: {counted(pruned, 'trial')} that were pruned, failed or are running count for nothing.")
    infeasible = sum(len(study.values(feasible=False)) for study in studies)
    if infeasible:
        log.note(f"{file.name}: {counted(infeasible, 'trial')} that break a constraint count for nothing.")


def _named(studies: list[_Study], file: Path, log: Log) -> list[tuple[str, str, str]]:
    """The system, the dataset and the dataset's family of each study."""
    roles = roles_of([study.attributes for study in studies])
    said = [by_role(study.attributes, roles) for study in studies]
    parts = [_SEPARATORS.split(study.name) for study in studies]
    if all("algorithm" in own for own in said):
        used = ", ".join(roles[role] for role in _ROLES if role in roles)
        log.note(f"{file.name}: systems and datasets are named by the attributes of the studies ({used}).")
        if not all("dataset" in own for own in said):  # what else its name says
            left = [
                "/".join(part for part in own if part not in who.values()) for own, who in zip(parts, said, strict=True)
            ]
            said = [
                {**own, "dataset": own.get("dataset") or name or "study"} for own, name in zip(said, left, strict=True)
            ]
        rests = [[own[role] for role in _ROLES[1:] if role in own] for own in said]
        return [(own["algorithm"], "/".join(rest), rest[0]) for own, rest in zip(said, rests, strict=True)]
    if len({len(part) for part in parts}) != 1 or len(parts[0]) < 2:
        named = quoted([study.name for study in studies], 3)
        raise wrong(
            file,
            f"does not say which system and which dataset a study is about ({named}): name studies "
            "'system/dataset/seed', or set user attributes such as 'model' and 'dataset' on them.",
        )
    first, second, *_ = (set(names) for names in zip(*parts, strict=True))
    at = 0 if may_be_algorithms(first, second) else 1
    order = ("first", "second")[at]
    log.note(f"{file.name}: the {order} part of a study's name is the system, the rest the dataset and the seed.")
    rests = [[*part[:at], *part[at + 1 :]] for part in parts]
    return [(part[at], "/".join(rest), "/".join(rest[:-1]) or rest[0]) for part, rest in zip(parts, rests, strict=True)]


def _studies_of(file: Path) -> list[_Study]:
    if is_database(file):
        with tables_of(file) as tables:
            studies = _stored(tables)
    else:
        studies = _journal(file)
    if not studies:
        raise wrong(file, "has no study.")
    unclear = next((study.name for study in studies if study.directions.get(0) not in _DIRECTIONS.values()), None)
    if unclear is not None:
        raise wrong(file, f": the study {shown(unclear)} does not say whether it minimises.")
    return studies


def _journal(file: Path) -> list[_Study]:
    """The studies that the lines of a journal made; studies and trials are numbered in the order of their lines."""
    studies: dict[int, _Study] = {}
    trials: list[_Trial] = []
    n_studies = 0
    for _, row in json_lines(file):
        done, about, trial_id = (row.get(key) for key in ("op_code", "study_id", "trial_id"))
        if done == _NEW_STUDY and row.get("study_name") not in {study.name for study in studies.values()}:
            directions = dict(enumerate(_DIRECTIONS.get(code, "") for code in list_of(row.get("directions"))))
            studies[n_studies] = _Study(str(row.get("study_name")), directions)
            n_studies += 1
        elif done == _GONE and isinstance(about, int):
            studies.pop(about, None)
        elif done == _ATTRIBUTE and about in studies:
            attributes = {str(key): _text(json.dumps(value)) for key, value in dict_of(row.get("user_attr")).items()}
            studies[about].attributes |= attributes
        elif done == _NEW_TRIAL and about in studies:
            broken = _is_broken(dict_of(row.get("system_attrs")))
            trials.append(_Trial(_state(row.get("state", 0)), _value(row, row.get("value")), not broken))
            studies[about].trials.append(trials[-1])
        elif done in (_OUTCOME, _SYSTEM) and isinstance(trial_id, int) and 0 <= trial_id < len(trials):
            trial = trials[trial_id]
            if done == _OUTCOME:
                trial.state, trial.value = _state(row.get("state")), _value(row, trial.value)
            elif _is_broken(dict_of(row.get("system_attr"))):
                trial.feasible = False
    return list(studies.values())


def _state(code: Any) -> str:
    """The word for a state, which newer stores have themselves."""
    return _STATES.get(str(code), str(code))


def _value(row: dict[str, Any], otherwise: Any) -> Any:
    """The first of the values of a trial."""
    return next(iter(list_of(row.get("values"))), otherwise)


def _is_broken(attributes: Mapping[str, Any]) -> bool:
    """Whether the attributes of the sampler have a constraint above 0: in one list, or since version 5 each by its name."""
    limits = [value for key, value in attributes.items() if key == _CONSTRAINTS or key.startswith(f"{_CONSTRAINTS}:")]
    values = [each for value in limits for each in (value if isinstance(value, list) else [value])]
    return any((excess := number(value)) is not None and excess > 0 for value in values)


def _stored(tables: Tables) -> list[_Study]:
    """The studies of a database; before version 2.0 directions and values are columns of studies and trials."""
    studies: dict[Any, _Study] = {}
    for study, name, direction in tables.rows("studies", "study_id", "study_name", "direction"):
        studies[study] = _Study(str(name), {} if direction is None else {0: str(direction)})
    for study, direction, objective in tables.rows("study_directions", "study_id", "direction", "objective"):
        if study in studies:
            studies[study].directions[int(objective)] = str(direction)
    for study, key, value in tables.rows("study_user_attributes", "study_id", "key", "value_json"):
        if study in studies:
            studies[study].attributes[str(key)] = _text(value)
    attributes = tables.rows("trial_system_attributes", "trial_id", "key", "value_json")
    broken = {trial for trial, key, value in attributes if _is_broken({str(key): _loaded(value)})}
    trials: dict[Any, _Trial] = {}
    for trial, study, state, value in tables.rows("trials", "trial_id", "study_id", "state", "value"):
        if study in studies:
            trials[trial] = _Trial(_state(state), value, trial not in broken)
            studies[study].trials.append(trials[trial])
    for trial, value, kind in tables.rows("trial_values", "trial_id", "value", "value_type"):
        if trial in trials:
            trials[trial].value = value if kind in (None, "FINITE") else None
    return list(studies.values())


def _text(value: object) -> str:
    """An attribute as text: it is stored as JSON."""
    held = _loaded(value)
    return held if isinstance(held, str) else str(value)


def _loaded(value: object) -> Any:
    """What the JSON of an attribute says; the text itself if it is none."""
    try:
        return json.loads(str(value))
    except (ValueError, RecursionError):
        return str(value)
