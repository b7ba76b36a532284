"""Runs of agents on tasks: long tables (agent, game, seed, score), dicts and files of arrays, folders of training logs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from podium.core.arrays import Indices
from podium.core.errors import ArgumentError, DataError, PodiumError, as_sentence
from podium.core.metric import Metric, as_direction, known_metric
from podium.core.numbers import counted
from podium.core.read.array_files import arrays_in
from podium.core.read.cells import FINISHED
from podium.core.read.dopamine import HOW, dopamine_runs, is_dopamine
from podium.core.read.names import clean_name, key_of, quoted, shown
from podium.core.read.options import ReadOptions
from podium.core.read.roles import is_cost, role_of
from podium.core.read.run_columns import curves_as_rows, games_as_rows, games_in_columns, is_game, is_of_curves
from podium.core.read.sheet import Sheet, only_value
from podium.core.read.trainings import LAST_SHARE, as_cells, at_the_end, has_trainings, read_trainings, unequal_lengths
from podium.core.runs import SCORE, Runs, as_runs

# A column of that name says that agents play: its rows are runs. A column of tasks or datasets alone does not say it.
GAMES = frozenset("game games env env_id env_name environment environments environment_name level rom".split())
AGENTS = frozenset("agent agent_name exp_name".split())
STEPS = frozenset("episode episodes episode_id frame frames env_step env_steps total_timesteps num_timesteps".split())
RETURNS = frozenset(
    """return returns reward rewards episode_return episode_returns episode_reward episodic_return mean_return mean_reward
    ep_rew_mean charts_episodic_return rollout_ep_rew_mean eval_mean_reward eval_return final_return final_score game_score
    normalized_score normalised_score human_normalized_score human_normalised_score hns""".split()
)
NORMALISED = frozenset("normalized_score normalised_score human_normalized_score human_normalised_score hns".split())
REFERENCES = ("human", "random")  # agents of these names with one score per task are what others are measured by
ARRAYS = (".npy", ".npz")
_NAMES_OF_CROSS_VALIDATION = ("fit_time", "score_time", "test_")


def read_runs(source: Any, options: ReadOptions | None = None) -> Runs:
    """Runs from Runs, a dict, a table or a path; `options` name columns whose names do not say what they are."""
    given = options or ReadOptions()
    metric, direction = _one_metric(given)
    if isinstance(source, Runs):
        return source
    if isinstance(source, Mapping):
        return replace(as_runs(source), metric=_metric(metric or "score", direction))
    if isinstance(source, str | Path):
        path = Path(source)
        if path.is_dir():
            return _of_folder(path, metric, direction)
        if path.suffix.lower() in ARRAYS and path.is_file():
            return _of_cells(arrays_in(path), path.name, metric, direction)
        if path.suffix.lower() == ".json" and (nested := _json_cells(path)) is not None:
            return _of_cells(nested, path.name, metric, direction)
    from podium.core.read.reader import opened

    sheet = cast("Sheet", opened(source, given))
    if not hasattr(sheet, "header"):
        raise DataError(f"{source} holds scores of datasets or outcomes of cases, not runs.")
    return runs_of_sheet(sheet, given)


def runs_of_sheet(sheet: Sheet, options: ReadOptions) -> Runs:
    """The runs in a table."""
    from podium.core.read.where import filtered

    metric, direction = _one_metric(options)
    sheet = filtered(sheet, options.where) if options.where is not None else sheet
    if is_of_curves(sheet):
        return _of_sheet(curves_as_rows(sheet, options), metric, direction, options)
    games = _games(sheet, options, asked=True)
    if not games:
        return _of_sheet(sheet, metric, direction, options)
    made = _of_sheet(games_as_rows(sheet, games), metric, direction, options)
    columns = f"The tasks are the columns {quoted([sheet.header[i] for i in games])}, a run is a row."
    return replace(made, notes=(*made.notes, columns))


def _games(sheet: Sheet, options: ReadOptions, *, asked: bool) -> list[int]:
    """The columns that are games, if games are in columns."""
    keys, roles = [key_of(name) for name in sheet.header], [role_of(name) for name in sheet.header]
    if any(key in GAMES or role == "dataset" for key, role in zip(keys, roles, strict=True)):
        return []
    named = _named(sheet, options.algorithm_column, "algorithm_column")
    agents = [i for i, key in enumerate(keys) if key in AGENTS or roles[i] == "algorithm"]
    return games_in_columns(sheet, options, agent=next(iter([*named, *agents]), None), asked=asked)


def _one_metric(options: ReadOptions) -> tuple[str | None, str | None]:
    """The metric and the direction that were said: runs have one."""
    if len(options.metrics) > 1:
        raise ArgumentError("Runs are compared by one {metric} at a time.", options=["metric"])
    given = options.direction
    if isinstance(given, Mapping):
        given = next(iter(given.values()), None)
    return next(iter(options.metrics), None), given


def looks_like_runs(source: Any) -> bool:
    """Whether a source can only be runs: arrays by agent, {agent: {task: scores}}, or a table with a column of games."""
    if isinstance(source, Runs):
        return True
    if isinstance(source, Mapping):
        return _is_of_arrays(source) or (_is_of_lists(source) and _is_of_games(source))
    if isinstance(source, str | Path):
        path = Path(source)
        if path.is_dir():
            return has_trainings(path) or any(path.glob("*.npy")) or is_dopamine(path) or _is_of_agents(path)
        if path.suffix.lower() in ARRAYS:
            return path.is_file()
        if path.suffix.lower() == ".json":
            cells = _json_cells(path) if path.is_file() else None
            return cells is not None and (not _is_of_lists(cells) or _is_of_games(cells))
    return False


def is_of_runs(sheet: Sheet) -> bool:
    """Whether a table has a column of games or environments, one of agents, and a run or several scores for each.

    Tasks are games where a column of returns or rewards says that agents played them. Games may also be columns, and runs curves of
    Weights & Biases.
    """
    if is_of_curves(sheet) or _games(sheet, ReadOptions(), asked=False):
        return True
    keys = [key_of(name) for name in sheet.header]
    roles = [role_of(name) for name in sheet.header]
    played = not RETURNS.isdisjoint(keys)
    game = next((i for i, key in enumerate(keys) if key in GAMES or (played and roles[i] == "dataset")), None)
    agent = next((i for i, key in enumerate(keys) if key in AGENTS or roles[i] == "algorithm"), None)
    if game is None or agent is None or {"fold", "metric", "case"} & set(roles):
        return False
    known = [known_metric(name) for name in sheet.header if key_of(name) not in RETURNS]
    if any(metric is not None and not metric.is_cost for metric in known):
        return False  # accuracies and errors are scores of datasets, whatever these are called
    cells = set(zip(sheet.codes(agent)[1].tolist(), sheet.codes(game)[1].tolist(), strict=True))
    return bool({"seed", "repeat"} & set(roles)) or len(cells) < sheet.n_rows


# Arrays, dicts and folders.


def _is_of_arrays(source: Mapping[Any, Any]) -> bool:
    """{agent: array of runs x tasks}."""
    return bool(source) and all(isinstance(item, np.ndarray) and item.ndim == 2 for item in source.values())


def _is_of_lists(source: Any) -> bool:
    """{agent: {task: [scores]}}, and not results of `cross_validate`."""
    if not isinstance(source, Mapping) or not source:
        return False
    return all(
        isinstance(item, Mapping)
        and item
        and all(isinstance(cell, list | tuple | np.ndarray) for cell in item.values())
        and not any(str(name).startswith(_NAMES_OF_CROSS_VALIDATION) for name in item)
        for item in source.values()
    )


def _is_of_games(cells: Mapping[Any, Mapping[Any, Any]]) -> bool:
    """Whether {agent: {task: [scores]}} has games known by name, and so is no {algorithm: {dataset: folds}}."""
    return any(is_game(str(task)) for own in cells.values() for task in own)


def _is_of_agents(path: Path) -> bool:
    """Whether a folder has a JSON file with the runs of games for each agent, several of each."""
    try:
        found = {file.stem.lower(): _of_one_agent(file) for file in sorted(path.glob("*.json"))}
    except PodiumError:
        return False
    agents = {name: own for name, own in found.items() if own is not None and name not in REFERENCES}
    several = all(len(scores) > 1 for own in agents.values() for scores in own.values())
    return len(agents) > 1 and several and _is_of_games(agents)


def _is_rows(item: Any) -> bool:
    """A list of lists of numbers: runs x tasks."""
    return (
        isinstance(item, list)
        and bool(item)
        and all(isinstance(row, list) and row and all(isinstance(cell, int | float) for cell in row) for row in item)
    )


def _json_cells(path: Path) -> dict[str, Any] | None:
    """{agent: {task: [scores]}} or {agent: [[...], ...]} in a JSON file; None for any other shape."""
    from podium.core.read.formats.json_tables import loaded

    try:
        value = loaded(path.read_text(encoding="utf-8"), path.name)
    except (OSError, ValueError, RecursionError):
        return None
    if _is_of_lists(value):
        return cast("dict[str, Any]", value)
    if isinstance(value, dict) and value and all(_is_rows(item) for item in value.values()):
        return cast("dict[str, Any]", value)
    return None


def _of_cells(cells: Mapping[str, Any], label: str, metric: str | None, direction: str | None) -> Runs:
    """Runs by agent, with the two agents that are no agents but reference scores set aside."""
    shapes = {name: np.shape(item) for name, item in cells.items() if isinstance(item, np.ndarray)}
    flat = next((name for name, shape in shapes.items() if len(shape) != 2), None)
    if flat is not None:
        raise DataError(f"{label}: the array {flat!r} has the shape {shapes[flat]}; give runs x tasks for each agent.")
    made = as_runs({clean_name(name, "algorithm"): item for name, item in cells.items()})
    made, note = _without_references(made)
    counts = made.counts
    span = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    told = f"{label} was read as runs: {counted(made.n_algorithms, 'agent')} on {counted(made.n_tasks, 'task')}, {span} runs each."
    return replace(made, metric=_metric(metric or "score", direction), notes=(told, *note))


def _without_references(made: Runs) -> tuple[Runs, tuple[str, ...]]:
    """Agents called human and random with one score per task are what others are measured by."""
    found = {name.lower(): i for i, name in enumerate(made.algorithms) if name.lower() in REFERENCES}
    if len(found) != 2 or made.n_algorithms < 3 or (made.counts[list(found.values())] != 1).any():
        return made, ()
    zero, one = made.values[found["random"], :, 0], made.values[found["human"], :, 0]
    keep = [i for i in range(made.n_algorithms) if i not in found.values()]
    references = {task: (float(zero[j]), float(one[j])) for j, task in enumerate(made.tasks)}
    kept = replace(
        made, values=made.values[keep], algorithms=tuple(made.algorithms[i] for i in keep), references=references
    )
    return kept, ("'human' and 'random' have one score per task: they are the reference scores, not agents.",)


def _of_folder(path: Path, metric: str | None, direction: str | None) -> Runs:
    """A folder with one file of runs per agent, or of training logs."""
    if has_trainings(path, metric):
        return _of_trainings(path, metric, direction)
    if is_dopamine(path):
        return _of_dopamine(path, metric, direction)
    cells: dict[str, Any] = {}
    others = []
    for file in sorted(file for file in path.iterdir() if file.is_file() and not file.name.startswith(".")):
        own = _of_one_agent(file)
        if own is None:
            others.append(file.name)
        else:
            cells[file.stem] = own
    if not cells:
        raise DataError(
            f"The folder {path.name} has no runs: one .json ({{task: [scores]}}) or .npy (runs x tasks) per agent, or training logs."
        )
    made = _of_cells(cells, f"The folder {path.name}", metric, direction)
    left = f"Left out, because {'it holds' if len(others) == 1 else 'they hold'} no runs of one agent by task: {quoted(others)}."
    return replace(made, notes=(*made.notes, left)) if others else made


def _of_dopamine(path: Path, metric: str | None, direction: str | None) -> Runs:
    cells, others = dopamine_runs(path)
    made = _of_cells(cells, f"The folder {path.name}", metric, direction)
    told = f"Curves of Dopamine, a game in each file: the score of a run is {HOW}."
    left = [f"Left out, because of another kind: {quoted(others)}."] if others else []
    return replace(made, notes=(*made.notes, told, *left))


def _of_one_agent(file: Path) -> Any:
    """What a file says of one agent; None if it is of another kind. One that cannot be read is refused: an agent would be lost."""
    if file.suffix.lower() == ".npy":
        return arrays_in(file)[file.stem]
    if file.suffix.lower() != ".json":
        return None
    from podium.core.read.formats.json_tables import loaded

    try:
        value = loaded(file.read_text(encoding="utf-8"), file.name)
    except DataError:
        raise
    except (OSError, ValueError, RecursionError):
        raise DataError(f"{file.name} is not JSON that can be read: repair it, or move it out of the folder.") from None
    is_runs = isinstance(value, dict) and value and all(isinstance(cell, list) for cell in value.values())
    return value if is_runs else None


def _of_trainings(path: Path, metric: str | None, direction: str | None) -> Runs:
    """Folders of training logs: a score for each training."""
    found = read_trainings(path, metric)
    cells, by_seed = as_cells(found)
    made = _aligned(cells, _metric(found.metric, direction), by_seed=by_seed)
    first = (
        f"The folder {path.resolve().name} was read as runs: {counted(made.n_algorithms, 'agent')} ({quoted(made.algorithms)}) on "
        f"{counted(made.n_tasks, 'task')} ({quoted(made.tasks)})."
    )
    return replace(made, notes=(first, *found.notes, *made.notes))


# Tables.


def _of_sheet(sheet: Sheet, metric: str | None, direction: str | None, options: ReadOptions) -> Runs:
    place = _places(sheet, metric, options)
    agents, tasks = (_names(sheet, cast("int", place[role]), role) for role in ("algorithm", "dataset"))
    runs = _runs_of_rows(sheet, place)
    value = cast("int", place["value"])
    scores = _numbers(sheet, value)
    absent = int(np.isnan(scores).sum())
    rows = _by_run(agents, tasks, runs, scores)
    single = (
        bool(place["run"]) and len(rows) == sheet.n_rows - absent
    )  # then how long a run was trained is no step of it
    steps = None if single or place["step"] is None else _numbers(sheet, place["step"])
    cells = _collected(sheet, rows, scores, steps)
    notes = [_said(sheet, place, cells)]
    if steps is not None:
        notes.append(
            f"Each run has several rows ({sheet.header[place['step']]}): its score is {LAST_SHARE} of them. "
            "Steps of one training are not repeats."
        )
        notes += unequal_lengths([task for _, task, _ in rows], [float(np.nanmax(steps[own])) for own in rows.values()])
    elif not place["run"]:
        notes.append("No column numbers the runs: every row is a run of its own.")
    notes += _unfinished(sheet, scores)
    if absent:
        notes.append(f"{counted(absent, 'row')} without a score {'was' if absent == 1 else 'were'} left out.")
    name = metric or sheet.header[value].strip()
    made = _aligned(cells, _metric(name, direction), by_seed=bool(place["run"]))
    words = "normalised in the table" if key_of(sheet.header[value]) in NORMALISED else ""
    return replace(made, notes=(*notes, *made.notes), normalised=words)


def _places(sheet: Sheet, metric: str | None, options: ReadOptions) -> dict[str, Any]:
    """The column of each role; `run` lists those that number runs together."""
    keys, roles = [key_of(name) for name in sheet.header], [role_of(name) for name in sheet.header]
    taken: dict[str, Any] = {}
    for role, words in (("algorithm", AGENTS), ("dataset", GAMES)):
        named = _named(sheet, getattr(options, f"{role}_column"), f"{role}_column")
        clear = [i for i, key in enumerate(keys) if key in words]
        usual = [i for i, found in enumerate(roles) if found == role]
        taken[role] = next(iter([*named, *clear, *usual]), None)
        if taken[role] is None:
            what = "agents" if role == "algorithm" else "tasks"
            raise DataError(
                f"{sheet.label}: which column names the {what}? Give {{{role}_column}} (the columns are {quoted(sheet.header, 12)}).",
                options=(f"{role}_column",),
            )
    named = _named(sheet, options.seed_column, "seed_column") + _named(sheet, options.repeat_column, "repeat_column")
    left = [
        i
        for i in range(sheet.n_columns)
        if i not in taken.values() and sheet.header[i] not in (options.ignore_column or ())
    ]
    taken["run"] = named or [i for i in left if roles[i] in ("seed", "repeat")]
    steps = [i for i in left if i not in taken["run"] and (roles[i] == "step" or keys[i] in STEPS)]
    taken["step"] = max(steps, key=lambda i: len(sheet.codes(i)[0]), default=None)  # a budget is the same in all rows
    rest = [i for i in left if i not in taken["run"] and i not in steps]
    taken["value"] = _value(sheet, rest, metric, options)
    return taken


def _named(sheet: Sheet, given: Any, option: str) -> list[int]:
    names = [] if given is None else [given] if isinstance(given, str) else list(given)
    for name in names:
        if name not in sheet.header:
            raise DataError(
                f"{sheet.label} has no column {name!r} for {{{option}}}: it has {quoted(sheet.header, 12)}.",
                options=(option,),
            )
    return [sheet.header.index(name) for name in names]


def _value(sheet: Sheet, rest: list[int], metric: str | None, options: ReadOptions) -> int:
    named = _named(sheet, options.value_column, "value_column")
    if named or (metric is not None and metric in sheet.header):
        return named[0] if named else sheet.header.index(cast("str", metric))
    found = [i for i in rest if role_of(sheet.header[i]) == "value" or key_of(sheet.header[i]) in RETURNS]
    found = found or [i for i in rest if known_metric(sheet.header[i]) is not None and not is_cost(sheet.header[i])]
    return only_value(sheet, found, rest, "scores")


def _names(sheet: Sheet, place: int, role: str) -> list[str]:
    names, codes = sheet.codes(place)
    if (codes < 0).any():
        row = int(np.flatnonzero(codes < 0)[0])
        raise DataError(
            f"{sheet.label}: row {row + 1} below the header has no {sheet.header[place]}: fill it in, or delete the row."
        )
    clean = [clean_name(name, role) for name in names]
    return [clean[code] for code in codes.tolist()]


def _runs_of_rows(sheet: Sheet, place: dict[str, Any]) -> list[str]:
    """The name of the run of each row; a number of its own for each row where nothing names runs."""
    if not place["run"]:
        if place["step"] is not None:
            raise DataError(
                f"{sheet.label} has a row for each {shown(sheet.header[place['step']])}, and no column numbers the runs: steps of one "
                "training are not repeats. Name the column of runs with {seed_column}.",
                options=("seed_column",),
            )
        return [f"row {row + 1}" for row in range(sheet.n_rows)]
    columns = [_names(sheet, i, "run") for i in place["run"]]
    return [" / ".join(parts) for parts in zip(*columns, strict=True)]


def _numbers(sheet: Sheet, place: int) -> Any:
    import pandas as pd

    column = sheet.column(place)
    values = pd.to_numeric(column, errors="coerce").to_numpy(dtype=np.float64)
    bad = np.flatnonzero(np.isnan(values) & column.notna().to_numpy() | np.isinf(values))
    if len(bad):
        raise DataError(
            f"{sheet.label}: {shown(str(column.iloc[int(bad[0])]))} in column {sheet.header[place]!r}, row {int(bad[0]) + 1} below the "
            "header, is not a score: write a number, or leave the cell blank."
        )
    return values


def _by_run(agents: list[str], tasks: list[str], runs: list[str], scores: Any) -> dict[tuple[str, str, str], Indices]:
    """The rows of each run that have a score."""
    import pandas as pd

    rows: Indices = np.flatnonzero(~np.isnan(scores))
    key = np.zeros(len(rows), dtype=np.int64)
    for names in (agents, tasks, runs):
        codes, distinct = pd.factorize(np.array(names, dtype=object))
        key = key * len(distinct) + codes[rows]
    order = np.argsort(key, kind="stable")
    several = np.split(rows[order], np.flatnonzero(np.diff(key[order])) + 1) if len(rows) else []
    return {(agents[own[0]], tasks[own[0]], runs[own[0]]): own for own in several}


def _collected(
    sheet: Sheet, rows: dict[tuple[str, str, str], Indices], scores: Any, steps: Any
) -> dict[str, dict[str, dict[str, float]]]:
    """The score of each run by agent and task; of a training its last rows."""
    cells: dict[str, dict[str, dict[str, float]]] = {}
    for (agent, task, run), mine in rows.items():
        if steps is None and np.ptp(scores[mine]) > 0:
            raise DataError(
                f"{sheet.label}: {agent!r} has more than one score on {task!r} in the run {run!r} (rows {mine[0] + 1} and {mine[1] + 1} "
                "below the header): name the column that tells them apart with {seed_column}, or keep one.",
            )
        last = mine if steps is None else mine[np.argsort(steps[mine], kind="stable")][-at_the_end(len(mine)) :]
        cells.setdefault(agent, {}).setdefault(task, {})[run] = float(scores[last].mean())
    if not cells:
        raise DataError(f"{sheet.label} has no score.")
    return cells


def _unfinished(sheet: Sheet, scores: Any) -> list[str]:
    """A note on runs that a column of states calls crashed, killed or running, and that have a score nevertheless."""
    place = next((i for i, name in enumerate(sheet.header) if role_of(name) == "status"), None)
    if place is None:
        return []
    names, codes = sheet.codes(place)
    odd = [code for code, name in enumerate(names) if name.lower() not in FINISHED]
    count = int((np.isin(codes, odd) & ~np.isnan(scores)).sum())
    if not count:
        return []
    return [
        f"{counted(count, 'row')} with a score {'is' if count == 1 else 'are'} marked {quoted([names[code] for code in odd])} in "
        f"{sheet.header[place]!r}, and {'counts' if count == 1 else 'count'}: choose rows with `where` to leave out such."
    ]


def _aligned(cells: dict[str, dict[str, dict[str, float]]], metric: Metric, *, by_seed: bool) -> Runs:
    """Runs side by side; by seed where runs are called by it, and every agent has the same seeds on every task."""
    made = as_runs(
        {agent: {task: list(own.values()) for task, own in by.items()} for agent, by in cells.items()}, metric=metric
    )
    seeds = [tuple(sorted(own)) for by in cells.values() for own in by.values()]
    if not by_seed:
        return made
    if len(set(seeds)) > 1:
        shared = sorted(set(seeds[0]).intersection(*seeds))
        return replace(made, notes=_partly_shared(shared)) if len(shared) > 1 and len(cells) > 1 else made
    names = seeds[0]
    values = np.array(
        [[[cells[agent][task][seed] for seed in names] for task in made.tasks] for agent in made.algorithms]
    )
    return replace(made, values=values, seeds=names)


def _partly_shared(shared: list[str]) -> tuple[str, ...]:
    return (
        f"Not all runs have the same seeds: every agent has {quoted(shared)} on every task. To pair runs by seed, choose the rows of "
        "these alone.",
    )


def _said(sheet: Sheet, place: dict[str, Any], cells: dict[str, dict[str, dict[str, float]]]) -> str:
    header = sheet.header
    run = " and ".join(repr(header[i]) for i in place["run"]) or "none"
    tasks = len(next(iter(cells.values())))
    return as_sentence(
        f"{sheet.label} was read as runs: agent = {header[place['algorithm']]!r}, task = {header[place['dataset']]!r}, run = {run}, "
        f"value = {header[place['value']]!r}; {counted(len(cells), 'agent')} on {counted(tasks, 'task')}."
    )


def _metric(name: str, direction: str | None) -> Metric:
    """The metric; returns, rewards and scores are better when higher, where nobody says otherwise."""
    if direction is not None:
        return Metric(name=name, direction=as_direction(direction))
    known = known_metric(name)
    if known is not None:
        return Metric(name=name, direction=known.direction)
    if key_of(name) in RETURNS or role_of(name) == "value":
        return replace(SCORE, name=name)
    raise DataError(f"Is a higher or a lower {name!r} better? Give {{direction}}.", options=("direction",))
