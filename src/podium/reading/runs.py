"""Runs of agents on tasks: long tables (agent, game, seed, score), dicts and files of arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.contents import is_regular, text_within
from podium.core.errors import DICT, FRAME, ArgumentError, DataError, as_sentence
from podium.core.metric import Metric, settled_metric
from podium.core.names import clean_name, quoted, shown
from podium.core.numbers import counted
from podium.evidence.merging import combined
from podium.evidence.reading import Reading
from podium.evidence.runs import Runs, as_runs
from podium.reading.array_files import arrays_in
from podium.reading.block import Labels, constant, labels_of
from podium.reading.build import columns_of, states
from podium.reading.cells import FINISHED, parse_column
from podium.reading.columns import Columns, Plan
from podium.reading.formats.trainings import LAST_SHARE, at_the_end, unequal_lengths
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from podium.reading.reshape import (
    curves_as_rows,
    folds_as_rows,
    games_in_columns,
    is_game,
    is_of_curves,
    joined_labels,
    on_its_side,
)
from podium.reading.roles import is_called, role_of
from podium.reading.shapes import run_plan
from podium.reading.sheet import Sheet
from podium.reading.summaries import named_cells

REFERENCES = ("human", "random")  # agents of these names with one score per task are what others are measured by
ARRAYS = (".npy", ".npz")
_NAMES_OF_CROSS_VALIDATION = ("fit_time", "score_time", "test_")


def read_runs(source: Any, options: ReadOptions | None = None) -> Runs:
    """Runs from Runs, a dict, a table or a path; `options` name columns whose names do not say what they are."""
    from podium.reading.reader import read_unit

    options = options or ReadOptions()
    options.check_unit("run")
    if isinstance(source, Runs):
        return source
    if (cells := _cells_in(source)) is not None:
        return _of_cells(cells, DICT if cells is source else Path(str(source)).name, options)
    runs: Runs = read_unit("run", source, replace(options, unit="run"))
    return runs


def runs_of_sheet(sheet: Sheet, options: ReadOptions) -> Runs:
    """The runs in a table: long, with a column for each game, or curves of Weights & Biases."""
    options.check_unit("run")
    if is_of_curves(sheet):
        sheet = curves_as_rows(sheet, options)
    elif games := games_in_columns(Columns(sheet, options), asked=True):
        names = [sheet.header[i].strip() for i in games]
        note = f"The tasks are the columns {quoted(names)}, a run is a row."
        sheet = on_its_side(sheet, games, {"game": names}, note, "score")
    else:
        sheet = folds_as_rows(sheet, options)
    plan = run_plan(Columns(sheet, options))
    runs = _of_plan(sheet, plan, options)
    columns = columns_of(sheet, plan, values="score")
    reading = Reading(
        layout="long", row="one run of an agent on a task", unit="run", n_units=int(runs.counts.sum()), columns=columns
    )
    return replace(runs, notes=(*runs.notes, *sheet.notes), reading=reading)


def looks_like_runs(source: Any) -> bool:
    """Whether a source can only be runs: a file of arrays by agent, {agent: [runs x tasks]}, or {agent: {game: scores}}."""
    if isinstance(source, Runs):
        return True
    cells = _cells_in(source)
    if cells is None or not _is_of_lists(cells):
        return cells is not None and cells is not source
    return any(is_game(str(task)) for own in cells.values() for task in own)  # else {algorithm: {dataset: folds}}


# Arrays and dicts.


def is_of_arrays(source: Any) -> bool:
    """{agent: array of runs x tasks}, or {algorithm: array of repeats x folds}."""
    if not isinstance(source, Mapping) or not source:
        return False
    return all(isinstance(item, np.ndarray) and item.ndim == 2 for item in source.values())


def folds_of_arrays(source: Mapping[Any, Any], options: ReadOptions) -> Sheet:
    """{algorithm: repeats x folds} of one dataset as a table, where somebody says that it is so; the arrays do not say it."""
    import pandas as pd

    shapes = {np.shape(item) for item in source.values()}
    first = next(iter(shapes))
    if options.rows != "folds":
        raise Question(
            f"Arrays of {first[0]} x {first[1]} scores: set {{unit}} to 'run' if they are {first[0]} runs x {first[1]} tasks of an agent, "
            f"{{rows}} to 'folds' if they are {first[0]} repeats x {first[1]} folds of one dataset.",
            {"unit": "run"},
            {"rows": "folds"},
        )
    if len(shapes) > 1:
        raise DataError(
            f"The arrays have different shapes ({quoted(map(str, shapes))}): give repeats x folds of the same shape."
        )
    repeat, fold = np.divmod(np.arange(first[0] * first[1]), first[1])
    columns = {str(name): np.asarray(item, dtype=np.float64).ravel() for name, item in source.items()}
    frame = pd.DataFrame({"repeat": repeat, "fold": fold, **columns})
    return Sheet(header=tuple(frame.columns), frame=frame.set_axis(range(frame.shape[1]), axis=1), label=FRAME)


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


def _is_rows(item: Any) -> bool:
    """A list of lists of numbers: runs x tasks."""
    return (
        isinstance(item, list)
        and bool(item)
        and all(isinstance(row, list) and row and all(isinstance(cell, int | float) for cell in row) for row in item)
    )


def _cells_in(source: Any) -> Mapping[str, Any] | None:
    """Scores by agent in a dict, or in a file of arrays or of JSON that holds nothing else; None for any other source."""
    if isinstance(source, Mapping):
        return source
    path = Path(source) if isinstance(source, str | Path) else Path()
    if path.suffix.lower() not in (*ARRAYS, ".json") or not is_regular(path):
        return None
    if path.suffix.lower() in ARRAYS:
        return arrays_in(path)
    from podium.reading.formats.json_tables import loaded

    try:
        value = loaded(text_within(path), path.name)
    except (OSError, ValueError, RecursionError):
        return None
    rows = isinstance(value, dict) and bool(value) and all(map(_is_rows, value.values()))
    return cast("dict[str, Any]", value) if rows or _is_of_lists(value) else None


def _of_cells(cells: Mapping[str, Any], label: str, options: ReadOptions) -> Runs:
    """Runs by agent, with the two agents that are no agents but reference scores set aside."""
    refused = next((name for name in options.explicit if name not in ("metric", "direction", "unit")), None)
    if refused is not None:
        raise ArgumentError("{what} is read as it is: leave out {argument}.", what=label, argument=refused)
    shapes = {name: np.shape(item) for name, item in cells.items() if isinstance(item, np.ndarray)}
    flat = next((name for name, shape in shapes.items() if len(shape) != 2), None)
    if flat is not None:
        raise DataError(f"{label}: the array {flat!r} has the shape {shapes[flat]}; give runs x tasks for each agent.")
    runs, note = without_references(as_runs({clean_name(name, "algorithm"): item for name, item in cells.items()}))
    counts = runs.counts
    span = f"{counts.min()}" if counts.min() == counts.max() else f"{counts.min()} to {counts.max()}"
    told = f"{label} was read as runs: {counted(runs.n_algorithms, 'agent')}, {span} runs x {counted(runs.n_tasks, 'task')}."
    return replace(runs, metric=_metric(options.one_metric or "score", options), notes=(told, *note))


def without_references(runs: Runs) -> tuple[Runs, tuple[str, ...]]:
    """Agents called human and random with one score per task are what others are measured by."""
    places = {name.lower(): i for i, name in enumerate(runs.algorithms) if name.lower() in REFERENCES}
    if len(places) != 2 or runs.n_algorithms < 3 or (runs.counts[:, list(places.values())] != 1).any():
        return runs, ()
    zero, one = runs.values[:, places["random"], 0], runs.values[:, places["human"], 0]
    keep = [i for i in range(runs.n_algorithms) if i not in places.values()]
    references = {task: (float(zero[j]), float(one[j])) for j, task in enumerate(runs.tasks)}
    kept = replace(
        runs, values=runs.values[:, keep], algorithms=tuple(runs.algorithms[i] for i in keep), references=references
    )
    return kept, ("'human' and 'random' have one score per task: they are the reference scores, not agents.",)


# Tables.


def _of_plan(sheet: Sheet, plan: Plan, options: ReadOptions) -> Runs:
    """The runs in a long table whose columns are known."""
    sheet, names, notes = named_cells(sheet, plan, options, "algorithm", "dataset")
    one = options.dataset_name or sheet.stem or "the task"  # where no column names the tasks
    agents, tasks = names["algorithm"], names.get("dataset", constant(clean_name(one, "dataset"), sheet.n_rows))
    numbered, run_names = _runs_of_rows(sheet, plan)
    (value,) = plan.values
    scores = _numbers(sheet, value, options)
    absent = int(np.isnan(scores).sum())
    rows = _by_run(agents, tasks, run_names, scores)
    single = len(rows) == sheet.n_rows - absent  # then how long it was trained is no step of it
    step = None if single else plan.role("step")
    steps = None if step is None else _numbers(sheet, step, options)
    cells = _collected(sheet, rows, scores, steps)
    notes = [_said(sheet, plan, cells), *notes]
    if step is not None and steps is not None:
        notes.append(
            f"Each run has several rows ({sheet.header[step]}): its score is {LAST_SHARE} of them. "
            "Steps of one training are not repeats."
        )
        notes += unequal_lengths([task for _, task, _ in rows], [float(np.nanmax(steps[own])) for own in rows.values()])
    elif not numbered:
        notes.append("No column numbers the runs: every row is a run of its own.")
    notes += _unfinished(sheet, plan, scores)
    if absent:
        notes.append(f"{counted(absent, 'row')} without a score {'was' if absent == 1 else 'were'} left out.")
    name = options.one_metric or sheet.header[value].strip()
    runs = aligned(cells, _metric(name, options), by_seed=numbered)
    words = "normalised in the table" if is_called(sheet.header[value], "runs.normalised") else ""
    return replace(runs, notes=(*notes, *runs.notes), normalised=words)


def _runs_of_rows(sheet: Sheet, plan: Plan) -> tuple[bool, Labels]:
    """Whether a column numbers the runs, and the name of the run of each row."""
    places = [plan.roles[role] for role in ("seed", "repeat") if role in plan.roles]
    if places:
        for place in places:
            labels_of(sheet, place, "run")  # a blank one is refused
        return True, joined_labels(sheet, places)
    if (step := plan.role("step")) is not None:
        raise DataError(
            f"{sheet.label} has a row for each {shown(sheet.header[step])}, and no column numbers the runs: steps of one "
            "training are not repeats. Name the column of runs with {seed_column}.",
            options=("seed_column",),
        )
    return False, Labels([f"row {row + 1}" for row in range(sheet.n_rows)], np.arange(sheet.n_rows))


def _numbers(sheet: Sheet, place: int, options: ReadOptions) -> Floats:
    """The numbers of a column, written as the options say."""

    def where(row: int) -> str:
        return f"{sheet.label}: row {row + 1} below the header, column {sheet.header[place]!r},"

    return parse_column(sheet.column(place), options, where).values


def _by_run(agents: Labels, tasks: Labels, runs: Labels, scores: Floats) -> dict[tuple[str, str, str], Indices]:
    """The rows of each run that have a score, in the order of the rows."""
    rows: Indices = np.flatnonzero(~np.isnan(scores))
    key = combined([agents.codes, tasks.codes, runs.codes])[rows]
    order = np.argsort(key, kind="stable")
    several = np.split(rows[order], np.flatnonzero(np.diff(key[order])) + 1) if len(rows) else []
    return {(agents[own[0]], tasks[own[0]], runs[own[0]]): own for own in sorted(several, key=lambda own: int(own[0]))}


def _collected(
    sheet: Sheet, rows: dict[tuple[str, str, str], Indices], scores: Any, steps: Any
) -> dict[str, dict[str, dict[str, float]]]:
    """The score of each run by agent and task; of a training its last rows."""
    cells: dict[str, dict[str, dict[str, float]]] = {}
    for (agent, task, run), mine in rows.items():
        if steps is None and np.ptp(scores[mine]) > 0:
            raise DataError(
                f"{sheet.label}: {agent!r} has more than one score on {task!r} in the run {run!r} (rows {mine[0] + 1} and {mine[1] + 1} "
                "below the header): name the column that distinguishes them with {seed_column}, or keep one."
            )
        last = mine if steps is None else mine[np.argsort(steps[mine], kind="stable")][-at_the_end(len(mine)) :]
        cells.setdefault(agent, {}).setdefault(task, {})[run] = float(scores[last].mean())
    if not cells:
        raise DataError(f"{sheet.label} has no score.")
    return cells


def _unfinished(sheet: Sheet, plan: Plan, scores: Any) -> list[str]:
    """A note on runs that a column of states calls crashed, killed or running, and that have a score nevertheless."""
    odd = states(sheet, plan, lambda word: None if word.lower() in FINISHED else word)
    count = sum(not np.isnan(scores[row]) for row in odd)
    if not count:
        return []
    return [
        f"{counted(count, 'row')} with a score {'is' if count == 1 else 'are'} marked {quoted(dict.fromkeys(odd.values()))} in "
        f"{sheet.header[plan.roles['status']]!r}, and {'counts' if count == 1 else 'count'}: choose rows with `where` to leave out such."
    ]


def aligned(cells: dict[str, dict[str, dict[str, float]]], metric: Metric, *, by_seed: bool) -> Runs:
    """Runs side by side; by seed where runs are called by it, and every agent has the same seeds on every task."""
    runs = as_runs(
        {agent: {task: list(own.values()) for task, own in by.items()} for agent, by in cells.items()}, metric=metric
    )
    seeds = [tuple(sorted(own)) for by in cells.values() for own in by.values()]
    if not by_seed:
        return runs
    if len(set(seeds)) > 1:
        shared = sorted(set(seeds[0]).intersection(*seeds))
        return replace(runs, notes=_partly_shared(shared)) if len(shared) > 1 and len(cells) > 1 else runs
    names = seeds[0]
    values = np.array(
        [[[cells[agent][task][seed] for seed in names] for agent in runs.algorithms] for task in runs.tasks]
    )
    return replace(runs, values=values, seeds=names)


def _partly_shared(shared: list[str]) -> tuple[str, ...]:
    return (
        f"Not all runs have the same seeds: every agent has {quoted(shared)} on every task. To pair runs by seed, choose the rows of "
        "these alone.",
    )


def _said(sheet: Sheet, plan: Plan, cells: dict[str, dict[str, dict[str, float]]]) -> str:
    header, roles = sheet.header, plan.roles
    run = " and ".join(repr(header[roles[role]]) for role in ("seed", "repeat") if role in roles) or "none"
    tasks = len(next(iter(cells.values())))
    task = repr(header[roles["dataset"]]) if "dataset" in roles else "the same for all"
    return as_sentence(
        f"{sheet.label} was read as runs: agent = {header[roles['algorithm']]!r}, task = {task}, run = {run}, "
        f"value = {header[plan.values[0]]!r}; {counted(len(cells), 'agent')} on {counted(tasks, 'task')}."
    )


def _metric(name: str, options: ReadOptions) -> Metric:
    """The metric; returns, rewards and scores are better when higher, where nobody says otherwise."""
    is_return = is_called(name, "runs.return") or role_of(name) == "value"
    return settled_metric(name, options.direction_of(name, alone=True), usual="higher" if is_return else None)
