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
from podium.reading.logs.naming import roles_of
from podium.reading.logs.records import Log, number
from podium.reading.logs.sqlite import Tables, has_tables, is_database, tables_of

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
class _Study:
    """One study: its name, what its author says of it, which way is better, and the values of its trials."""

    name: str
    directions: dict[int, str] = field(default_factory=dict)
    attributes: dict[str, str] = field(default_factory=dict)
    states: Counter[str] = field(default_factory=Counter)
    values: list[float] = field(default_factory=list)
    infeasible: int = 0

    @property
    def direction(self) -> str:
        """Which value is better."""
        return "higher" if self.directions.get(0) == "MAXIMIZE" else "lower"

    @property
    def best(self) -> float | None:
        """The best value of the trials that are complete and keep their constraints, as `study.best_value`."""
        if not self.values:
            return None
        return max(self.values) if self.direction == "higher" else min(self.values)


@dataclass(slots=True)
class _Trial:
    """One trial of a journal."""

    study: int
    state: str
    values: list[Any]
    feasible: bool


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
        kind = "feasible" if study.infeasible else "complete"
        stream.add(dataset, study.best, why=f"no {kind} trial ({why})", traits={"family": family})
    complete = [study.states["COMPLETE"] for study in studies]
    if complete and min(complete) < max(complete):
        log.note(
            f"{file.name}: studies have between {min(complete)} and {counted(max(complete), 'complete trial')}; the best of more "
            "trials looks better."
        )
    pruned = sum(count for study in studies for state, count in study.states.items() if state != "COMPLETE")
    if pruned:
        log.note(f"{file.name}: {counted(pruned, 'trial')} that were pruned, failed or are running count for nothing.")
    infeasible = sum(study.infeasible for study in studies)
    if infeasible:
        log.note(f"{file.name}: {counted(infeasible, 'trial')} that break a constraint count for nothing.")


def _named(studies: list[_Study], file: Path, log: Log) -> list[tuple[str, str, str]]:
    """The system, the dataset and the dataset's family of each study."""
    roles = roles_of([study.attributes for study in studies])
    told = [[roles.text(study.attributes, role) or "" for role in _ROLES] for study in studies]
    if all(system for system, *_ in told):
        used = ", ".join(roles.by_role[role] for role in _ROLES if role in roles.by_role)
        log.note(f"{file.name}: systems and datasets are named by the attributes of the studies ({used}).")
        return [(system, "/".join(filter(None, rest)) or "study", rest[0] or "study") for system, *rest in told]
    parts = [_SEPARATORS.split(study.name) for study in studies]
    if len({len(part) for part in parts}) != 1 or len(parts[0]) < 2:
        named = quoted([study.name for study in studies], 3)
        raise wrong(
            file,
            f"does not say which system and which dataset a study is about ({named}): name studies "
            "'system/dataset/seed', or set user attributes such as 'model' and 'dataset' on them.",
        )
    log.note(f"{file.name}: the first part of a study's name is the system, the rest the dataset and the seed.")
    return [(part[0], "/".join(part[1:]), "/".join(part[1:-1]) or part[1]) for part in parts]


def _studies_of(file: Path) -> list[_Study]:
    if is_database(file):
        with tables_of(file) as tables:
            made = _studies(tables)
    else:
        made = _journal(file)
    if not made:
        raise wrong(file, "has no study.")
    unclear = next((study.name for study in made if study.directions.get(0) not in _DIRECTIONS.values()), None)
    if unclear is not None:
        raise wrong(file, f": the study {shown(unclear)} does not say whether it minimises.")
    return made


def _journal(file: Path) -> list[_Study]:
    """The studies that the lines of a journal made; studies and trials are numbered in the order of their lines."""
    studies: dict[int, _Study] = {}
    trials: list[_Trial] = []
    n_studies = 0
    for _, row in json_lines(file):
        done, about = row.get("op_code"), row.get("study_id")
        if done == _NEW_STUDY and row.get("study_name") not in {study.name for study in studies.values()}:
            told = dict(enumerate(_DIRECTIONS.get(code, "") for code in list_of(row.get("directions"))))
            studies[n_studies] = _Study(str(row.get("study_name")), told)
            n_studies += 1
        elif done == _GONE:
            studies.pop(about, None) if isinstance(about, int) else None
        elif done == _ATTRIBUTE and about in studies:
            told_of = {str(key): _text(json.dumps(value)) for key, value in dict_of(row.get("user_attr")).items()}
            studies[about].attributes |= told_of
        elif done == _NEW_TRIAL and about in studies:
            values = list_of(row.get("values")) or [row.get("value")]
            state = _STATES.get(str(row.get("state", 0)), "")
            trials.append(_Trial(about, state, values, feasible=not _is_broken(dict_of(row.get("system_attrs")))))
        elif done in (_OUTCOME, _SYSTEM):
            number_of = row.get("trial_id")
            if isinstance(number_of, int) and 0 <= number_of < len(trials):
                _change(trials[number_of], row, is_outcome=done == _OUTCOME)
    for trial in trials:
        if trial.study in studies:
            study = studies[trial.study]
            study.states[trial.state] += 1
            value = number(trial.values[0]) if trial.state == "COMPLETE" else None
            _count(study, value, feasible=trial.feasible)
    return list(studies.values())


def _change(trial: _Trial, row: dict[str, Any], *, is_outcome: bool) -> None:
    """What a later line of the journal says of a trial: its outcome, or an attribute of the sampler."""
    if is_outcome:
        trial.state = _STATES.get(str(row.get("state")), "")
        trial.values = list_of(row.get("values")) or trial.values
    elif _is_broken(dict_of(row.get("system_attr"))):
        trial.feasible = False


def _count(study: _Study, value: float | None, *, feasible: bool) -> None:
    """The value of a complete trial among those of its study."""
    if value is not None and feasible:
        study.values.append(value)
    study.infeasible += value is not None and not feasible


def _is_broken(attributes: Mapping[str, Any]) -> bool:
    """Whether the attributes of the sampler have a constraint above 0: in one list, or since version 5 each by its name."""
    told = [value for key, value in attributes.items() if key == _CONSTRAINTS or key.startswith(f"{_CONSTRAINTS}:")]
    values = [each for value in told for each in (value if isinstance(value, list) else [value])]
    return any((found := number(value)) is not None and found > 0 for value in values)


def _studies(tables: Tables) -> list[_Study]:
    made = {str(key): _Study(str(name)) for key, name in tables.rows("studies", "study_id", "study_name")}
    if tables.columns("study_directions"):
        for about, direction, objective in tables.rows("study_directions", "study_id", "direction", "objective"):
            if str(about) in made:
                made[str(about)].directions[int(str(objective))] = str(direction)
    elif "direction" in tables.columns("studies"):  # before version 2.0
        for about, direction in tables.rows("studies", "study_id", "direction"):
            made[str(about)].directions[0] = str(direction)
    for about, key, value in tables.rows("study_user_attributes", "study_id", "key", "value_json"):
        if str(about) in made:
            made[str(about)].attributes[str(key)] = _text(value)
    _trials(tables, made)
    return list(made.values())


def _trials(tables: Tables, studies: dict[str, _Study]) -> None:
    """The states of the trials, and the values of those that are complete."""
    complete: dict[str, _Study] = {}
    for trial, about, state in tables.rows("trials", "trial_id", "study_id", "state"):
        study = studies.get(str(about))
        if study is not None:
            word = _STATES.get(str(state), str(state))
            study.states[word] += 1
            if word == "COMPLETE":
                complete[str(trial)] = study
    broken = _broken_trials(tables)
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
        if isinstance(value, int | float):
            _count(study, number(value), feasible=str(trial) not in broken)


def _broken_trials(tables: Tables) -> set[str]:
    """The trials with a constraint above 0."""
    table = "trial_system_attributes"
    if not tables.columns(table):
        return set()
    rows = tables.rows(table, "trial_id", "key", "value_json")
    return {str(trial) for trial, key, value in rows if _is_broken({str(key): _loaded(value)})}


def _text(value: object) -> str:
    """An attribute as text: it is stored as JSON."""
    found = _loaded(value)
    return found if isinstance(found, str) else str(value)


def _loaded(value: object) -> Any:
    """What the JSON of an attribute says; the text itself if it is none."""
    try:
        return json.loads(str(value))
    except (ValueError, RecursionError):
        return str(value)
