"""From logs to `Cases`, to `Results` where the unit is the dataset, or to `Runs` of agents; and what was done, in sentences."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from pkgutil import resolve_name

import numpy as np
import pandas as pd

from podium.core import check
from podium.core.arrays import Bools, Floats, Indices
from podium.core.errors import ArgumentError, DataError
from podium.core.metric import Direction, Metric, known_metric, settled_metric
from podium.core.names import quoted, shown
from podium.core.numbers import counted, listed
from podium.evidence.cases import Cases, kind_of, sample_means
from podium.evidence.results import Results
from podium.evidence.runs import Runs
from podium.reading.grades import counts_wrong
from podium.reading.logs.choose import Choice, choose, grouped
from podium.reading.logs.find import LogFiles, find_logs
from podium.reading.logs.records import NO_SCORE, Log, Stream
from podium.reading.options import ReadOptions
from podium.reading.question import Question
from podium.reading.roles import is_called
from podium.reading.wall import wall
from podium.reading.where import parsed

# The options that have a meaning for logs; the others are about tables.
TAKEN = frozenset("metric direction percent where runs all_cases unit cluster_column cost_column case_noun".split())
COSTS = ("cost", "tokens", "seconds")  # the first that the logs tell
MOST_CELLS = 50_000_000
MOST_HOLES = 200_000


def read_logs(paths: Sequence[Path], options: ReadOptions, *, files: LogFiles | None = None) -> Cases | Results | Runs:
    """The logs among these files and folders as one comparison: `Cases`, `Results` where the unit is the dataset, or `Runs`."""
    for name in options.explicit:
        if name not in TAKEN:
            raise ArgumentError("Logs of other tools are read as they are: leave out {argument}.", argument=name)
    label = paths[0].name or str(paths[0]) if len(paths) == 1 else f"{len(paths)} paths"
    files = files or find_logs(paths)
    asked = options.metrics[0] if len(options.metrics) == 1 else None
    log = Log(all_cases=options.all_cases, runs=options.runs, metric=asked, root=_root(paths))
    for entry, own in files.logs.values():
        with wall(own[0] if len(own) == 1 else f"One of {len(own)} logs of {entry.told}"):
            resolve_name(entry.home)(own, log)
    if _are_runs(log, options, label):
        return _runs(log, options, label, files)
    if log.agent_runs and not log.streams:
        _runs_as_repeats(log, files, options)
    if not log.streams:
        raise DataError(f"{label} holds no score: {' '.join(log.notes) or 'its logs are empty.'}")
    metrics = options.metrics if not log.agent_runs else ()  # which the reader chose
    chosen = choose(log, label, metric=metrics, where=options.where, runs=options.runs)
    return _BUILD[chosen.scores[0].unit](log, chosen, options, label, files)


def _root(paths: Sequence[Path]) -> Path:
    """The folder that was given, or the one that all the given files share."""
    if len(paths) == 1 and paths[0].is_dir():
        return paths[0]
    return Path(os.path.commonpath([path if path.is_dir() else path.parent for path in paths]))


# --- Runs ------------------------------------------------------------------------------------------------------------


def _are_runs(log: Log, options: ReadOptions, label: str) -> bool:
    """Whether the logs become runs: as somebody says, or where every agent has several on every task."""
    if options.unit == "run":
        if not log.agent_runs:
            raise DataError(f"{label} holds scores of datasets or outcomes of cases, not runs.")
        return True
    if options.unit is not None or not log.agent_runs or not log.are_runs:
        return False
    counts = Counter((run.agent, run.task) for run in log.agent_runs)
    agents, tasks = ({names[i] for names in counts} for i in (0, 1))
    return len(counts) == len(agents) * len(tasks) and max(counts.values()) > 1


def _runs(log: Log, options: ReadOptions, label: str, files: LogFiles) -> Runs:
    """The score of every run by agent and task, side by side by their seeds where all have the same."""
    from podium.reading.runs import aligned, without_references

    kept = log.agent_runs
    for condition in parsed(options.where) if options.where is not None else ():
        if condition.column not in kept[0].traits():
            columns = quoted(kept[0].traits())
            raise DataError(f"{label} has nothing called {shown(condition.column)} for {{where}}: it has {columns}.")
        kept = [run for run in kept if condition.holds(run.traits()[condition.column])]
        if not kept:
            raise DataError("No run meets {where}.")
    keys = [(run.agent, run.task, run.seed) for run in kept]
    by_seed = all(run.seed for run in kept) and len(set(keys)) == len(keys)
    cells: dict[str, dict[str, dict[str, float]]] = {}
    for run in kept:
        own = cells.setdefault(run.agent, {}).setdefault(run.task, {})
        name = run.seed if by_seed else run.run
        if name in own:
            raise DataError(
                f"{label} has the run {shown(name)} of {shown(run.agent)} on {shown(run.task)} twice: leave one of them out."
            )
        own[name] = run.score
    metric = _measure(log, options)
    runs, references = without_references(aligned(cells, metric, by_seed=by_seed))
    shape = f"{counted(runs.n_algorithms, 'agent')} ({quoted(runs.algorithms)}) on {counted(runs.n_tasks, 'task')} ({quoted(runs.tasks)})"
    first = f"{_recognised(files, label)}, {shape}, {_span(runs)} each."
    notes = (first, *log.notes_for("run"), *runs.notes, *references, *_left_alone(log, files))
    return replace(runs, notes=notes)


def _measure(log: Log, options: ReadOptions) -> Metric:
    """What runs were scored by; their own score is better when higher, where nobody says otherwise."""
    usual: Direction | None = "higher" if log.measure == "score" else None
    return settled_metric(log.measure, options.direction_of(log.measure), usual=usual)


def _span(runs: Runs) -> str:
    least, most = int(runs.counts.min()), int(runs.counts.max())
    return counted(most, "run") if least == most else f"{least} to {most} runs"


def _runs_as_repeats(log: Log, files: LogFiles, options: ReadOptions) -> None:
    """Runs of agents as the repeats of scores of datasets, for those who ask for them, or where some agent lacks a task."""
    numbers: Counter[tuple[str, str]] = Counter()
    file = next(iter(files.logs.values()))[1][0]
    for run in log.agent_runs:
        direction = _measure(log, options).direction
        stream = log.stream(file=file, system=run.agent, metric=log.measure, direction=direction, unit="dataset")
        stream.add(run.task, run.score, repeat=numbers[run.agent, run.task])
        numbers[run.agent, run.task] += 1
    log.note("Every training is a repeat; scores of one task cannot be compared with those of another.", unit="dataset")


# --- Cases -----------------------------------------------------------------------------------------------------------


def _cases(log: Log, chosen: Choice, options: ReadOptions, label: str, files: LogFiles) -> Cases:
    if options.percent:
        raise ArgumentError("{argument} is for scores of datasets: leave it out.", argument="percent")
    systems = list(dict.fromkeys(stream.system for stream in chosen.scores))
    keep = _wanted_rows(log, chosen)
    rows = _records(chosen.scores, systems, keep)
    codes, lost = np.unique(rows["code"]), rows[rows["value"].isna()]
    samples = _samples(rows, len(systems), label)
    values = sample_means(samples)
    names = _case_names(log, codes)
    metric = _metric(chosen.scores, keep, options, label, samples)
    clusters, about = _clusters(log, codes, options.cluster_column)
    costs, cost = _costs(chosen.costs, systems, codes, options.cost_column)
    benchmarks = [log.benchmarks[code] for code in codes]
    notes = [f"{_recognised(files, label)}, {_shape(samples, benchmarks, metric)}"]
    notes += [f"Cases are matched by {listed(list(log.keyed_by))}."] if log.keyed_by and len(systems) > 1 else []
    notes += [*_incomplete(systems, values, benchmarks), *_failed(lost, systems, values)]
    return Cases(
        values=values,
        cases=tuple(names),
        algorithms=tuple(systems),
        metric=metric,
        samples=samples if samples.shape[2] > 1 else None,
        clusters=clusters,
        benchmarks=tuple(benchmarks) if len(set(benchmarks)) > 1 else (),
        noun=options.case_noun or "case",
        reasons=_holes(lost, names, systems, values),
        costs=costs,
        cost=cost,
        notes=(*notes, *log.notes_for("case"), *chosen.notes, *_left_alone(log, files), *about),
    )


def _wanted_rows(log: Log, chosen: Choice) -> Bools:
    """Which cases meet the conditions on cases."""
    keep = np.ones(len(log.names), dtype=bool)
    for condition in chosen.rows:
        values = log.traits[condition.column]
        keep &= np.array([condition.holds(values.get(code, "")) for code in range(len(log.names))], dtype=bool)
    if not keep.any():
        raise DataError("No case meets {where}.")
    return keep


def _records(streams: list[Stream], systems: list[str], keep: Bools) -> pd.DataFrame:
    """A row for each record: its case, its system, its value or why it has none, and which of the samples of both it is."""
    parts = []
    for at, stream in enumerate(streams):
        part = {
            "code": np.asarray(stream.cases),
            "order": np.asarray(stream.samples),
            "value": np.asarray(stream.values),
        }
        why = pd.Series(stream.why, dtype=object).reindex(range(len(stream.values)))
        parts.append(pd.DataFrame({**part, "why": why, "system": systems.index(stream.system), "stream": at}))
    rows = pd.concat(parts, ignore_index=True)
    rows = rows[keep[rows["code"]]]
    if rows.empty:
        raise DataError("No case meets {where}.")
    sample = rows.sort_values(["stream", "order"], kind="stable").groupby(["code", "system"]).cumcount()
    return rows.assign(sample=sample, case=np.unique(rows["code"], return_inverse=True)[1])


def _samples(rows: pd.DataFrame, n_systems: int, label: str) -> Floats:
    """Values by case, system and sample, nan where there is none."""
    shape = (int(rows["case"].max()) + 1, n_systems, int(rows["sample"].max()) + 1)
    if shape[0] * shape[1] * shape[2] > MOST_CELLS:
        raise DataError(
            f"{label}: {shape[0]} cases x {shape[1]} systems x {shape[2]} samples are too many for one comparison: "
            "choose some by {where}."
        )
    values = np.full(shape, np.nan)
    values[rows["case"], rows["system"], rows["sample"]] = rows["value"]
    return values


def _failed(lost: pd.DataFrame, systems: list[str], values: Floats) -> list[str]:
    """A sentence on how many records have no score, by kind and by system; none where all have one."""
    if lost.empty:
        return []
    by_kind = [f"{count} {kind}" for kind, count in Counter(lost["why"]).most_common(6)]
    by_system = [f"{systems[j]} {count}" for j, count in Counter(lost["system"]).most_common()]
    some = int((~np.isnan(values[lost["case"], lost["system"]])).sum())
    rest = f" For {some} of them the case has other samples: its value is their mean, whatever `missing` says."
    return [f"Records without a score stay missing: {listed(by_kind)} (of {listed(by_system)}).{rest if some else ''}"]


def _holes(lost: pd.DataFrame, names: list[str], systems: list[str], values: Floats) -> dict[tuple[str, str], str]:
    """Why a system has no value of a case, by the names of both."""
    reasons: dict[tuple[str, str], str] = {}
    for i, j, why in lost[["case", "system", "why"]].head(MOST_HOLES).itertuples(index=False):
        if np.isnan(values[i, j]):
            reasons.setdefault((names[i], systems[j]), why)
    return reasons


def _case_names(log: Log, codes: Indices) -> list[str]:
    """What people call the cases, each its own: with the benchmark where a name is in two, with the key if it must be."""
    several = len({log.benchmarks[code] for code in codes}) > 1
    names = [f"{log.benchmarks[code]}/{log.names[code]}" if several else log.names[code] for code in codes]
    counts = Counter(names)
    unique = [
        name if counts[name] == 1 else f"{name} ({log.keys[code]})" for name, code in zip(names, codes, strict=True)
    ]
    if len(set(unique)) < len(unique):  # two benchmarks whose names with a slash are the same
        unique = [f"{name} #{code}" for name, code in zip(unique, codes, strict=True)]
    return unique


def _metric(streams: list[Stream], keep: Bools, options: ReadOptions, label: str, values: Floats) -> Metric:
    """The metric with its direction: as somebody says, as the files say, as its name says, or as pass and fail are."""
    name = streams[0].metric
    said = options.direction_of(name) or _told_direction(streams, keep, options, label)
    is_right = kind_of(values) == "pass_fail" and not counts_wrong(name)
    return settled_metric(name, said, usual="higher" if is_right else None)


def _told_direction(streams: list[Stream], keep: Bools, options: ReadOptions, label: str) -> str | None:
    """Which direction of one metric the files say is better; where they disagree, somebody must say it."""
    metric, parts = streams[0].metric, _by_direction(streams, keep)
    if len(parts) < 2:
        return next(iter(parts), None)
    asked: str | None = options.direction_of(metric)
    if asked is not None:
        return asked
    wheres = {f"direction == '{name}'": counted(len(codes), streams[0].unit) for name, codes in sorted(parts.items())}
    one_part = " or ".join(f'"{where}" ({n})' for where, n in wheres.items())
    twice = ", or give {direction} if some say it wrongly" if set.intersection(*parts.values()) else ""
    raise Question(
        f"The logs in {label} disagree on whether a higher {metric!r} is better: take one part with {{where}} {one_part}{twice}.",
        *({"where": where} for where in wheres),
    )


def _by_direction(streams: list[Stream], keep: Bools) -> dict[str, set[int]]:
    """The cases or datasets of each direction that the files name, among those that are kept."""
    parts: dict[str, set[int]] = {}
    for stream in streams:
        codes = {code for code in set(stream.cases) if keep[code]}
        if stream.direction is not None and codes:
            parts.setdefault(stream.direction, set()).update(codes)
    return parts


def _clusters(log: Log, codes: Indices, wanted: str | None) -> tuple[tuple[str, ...], list[str]]:
    """The cluster of each case: what somebody names, or what the log itself calls a cluster, a group or a passage."""
    chosen = set(codes.tolist())
    there = {name: own for name, own in log.traits.items() if len(set(own.values())) > 1 and chosen & own.keys()}
    if wanted is not None and wanted not in there:
        names = quoted(there, 12) if there else "nothing that differs between them"
        raise DataError(f"The cases have no {shown(wanted)} for {{cluster_column}}: they have {names}.")
    name = wanted or next((name for name in there if is_called(name, "cases.cluster")), None)
    if name is None:
        groups = [each for each, own in there.items() if len({own[c] for c in chosen & own.keys()}) <= len(chosen) / 2]
        if not groups:
            return (), []
        told_of = f"The logs also tell the {listed(groups)} of cases: if cases that share one are not independent, name it by `cluster_column`."
        return (), [told_of]
    own = there[name]
    clusters = tuple(own.get(code, f"case {code}") for code in codes.tolist())
    return clusters, [f"Cases of the same {name} are one cluster: {len(set(clusters))} clusters."]


def _costs(
    streams: list[Stream], systems: list[str], codes: Indices, wanted: str | None
) -> tuple[Floats | None, Metric | None]:
    """What each system cost on each case, the mean over its samples: money where it is known, else tokens, else time."""
    names = list(dict.fromkeys(stream.metric for stream in streams))
    if wanted is not None:
        wanted = check.member("cost_column", wanted, names)
    name = wanted or next((each for each in (*COSTS, *names) if each in names), None)
    if name is None:
        return None, None
    costs = np.full((len(codes), len(systems)), np.nan)
    for j, system in enumerate(systems):
        own = [stream for stream in streams if (stream.metric, stream.system) == (name, system)]
        if own:
            spent = pd.concat([pd.Series(np.asarray(s.values), index=np.asarray(s.cases)) for s in own])
            costs[:, j] = spent.groupby(level=0).mean().reindex(codes)
    return costs, Metric(name=name, direction="lower", is_cost=True)


# --- What is said ----------------------------------------------------------------------------------------------------


def _recognised(files: LogFiles, label: str) -> str:
    tools = listed([entry.told for entry, _ in files.logs.values()])
    was = "were" if label.endswith(" paths") else "was"
    return f"{label} {was} read as logs of {tools}: {counted(files.n_files, 'file')}"


def _shape(samples: Floats, benchmarks: list[str], metric: Metric) -> str:
    n_cases, n_systems, n_samples = samples.shape
    of = f" of {listed(sorted(set(benchmarks)))}" if any(benchmarks) else ""
    several = f", up to {n_samples} samples of each" if n_samples > 1 else ""
    shape = f"{counted(n_systems, 'system')}, {counted(n_cases, 'case')}{of}{several}"
    return f"{shape}; {metric.name!r} ({metric.direction} is better)."


def _left_alone(log: Log, files: LogFiles) -> list[str]:
    """The files that are no logs and belong to none, and those that may be but are damaged."""
    notes = []
    others = [path for path in files.others if log.beside.isdisjoint((path, *path.parents))]
    if others:
        notes.append(f"{counted(len(others), 'other file')} left alone: {quoted([p.name for p in others], 4)}.")
    if files.damaged:
        notes.append(f"Damaged or cut off, and left out: {quoted([p.name for p in files.damaged], 6)}.")
    return notes


def _incomplete(systems: list[str], values: Floats, benchmarks: list[str]) -> list[str]:
    """Which systems lack cases, and which lack a whole benchmark."""
    present = ~np.isnan(values)
    notes = []
    where = np.array(benchmarks)
    for name in dict.fromkeys(benchmarks):
        lacking = [s for j, s in enumerate(systems) if not present[where == name, j].any()]
        if lacking and name:
            notes.append(f"{listed(lacking)} {'has' if len(lacking) == 1 else 'have'} nothing on {name}.")
    some = [f"{s} {int(present[:, j].sum())}" for j, s in enumerate(systems) if not present[:, j].all()]
    if some:
        notes.append(
            f"Not every system has a score on all {len(values)} cases: {listed(some)}. Their means are over other cases; pairs are "
            "compared on the cases that both have."
        )
    return notes


# --- Results ---------------------------------------------------------------------------------------------------------


def _results(log: Log, chosen: Choice, options: ReadOptions, label: str, files: LogFiles) -> Results:
    """Scores of datasets, through the same door as any table."""
    from podium.reading.assemble import assemble
    from podium.reading.block import Block, Labels, constant
    from podium.reading.build import Part

    keep = _wanted_rows(log, chosen)
    blocks = []
    scores, unclear = _with_direction(chosen.scores, keep, options)
    used = np.unique(np.concatenate([np.frombuffer(s.cases, dtype=np.int64) for s in [*scores, *chosen.costs]]))
    names = _case_names(log, used)
    repeats = 1 + max(max(stream.repeats, default=0) for stream in [*scores, *chosen.costs])
    for stream in [*scores, *chosen.costs]:
        codes = np.frombuffer(stream.cases, dtype=np.int64)
        rows = np.flatnonzero(keep[codes])
        if not len(rows):
            continue
        fold = np.maximum(np.frombuffer(stream.samples, dtype=np.int64)[rows], 0)
        blocks.append(
            Block(
                algorithm=constant(stream.system, len(rows)),
                dataset=Labels(names, np.searchsorted(used, codes[rows])),
                repeat=np.frombuffer(stream.repeats, dtype=np.int64)[rows] + stream.run * repeats,
                fold=fold,
                metric=constant(stream.metric, len(rows)),
                value=np.frombuffer(stream.values, dtype=np.float64)[rows].copy(),
                messages={
                    at: why for at, row in enumerate(rows) if (why := stream.why.get(int(row), NO_SCORE)) != NO_SCORE
                },
            )
        )
    directions = _directions(scores, keep, options, label) | {stream.metric: "cost" for stream in chosen.costs}
    notes = [*log.notes_for("dataset"), *chosen.notes, *unclear, *_left_alone(log, files)]
    told = log.traits.get("family", {})
    families = {name: told[code] for code, name in zip(used.tolist(), names, strict=True) if code in told}
    said = _recognised(files, label)
    part = Part(blocks=blocks, said=said, notes=notes, directions=directions, families=families, layout="logs")
    usual = replace(
        options, where=None, runs="ask", all_cases=None, cluster_column=None, cost_column=None, case_noun=None
    )
    results = assemble([part], usual, source=label)
    return replace(results, main=results.main or _headline(scores, results))


def _headline(streams: list[Stream], results: Results) -> str | None:
    """The metric that its tool reports first, if there are others beside it."""
    main = {stream.metric for stream in streams if stream.main} & results.metrics.keys()
    several = len([name for name, metric in results.metrics.items() if not metric.is_cost]) > 1
    return main.pop() if len(main) == 1 and several else None


def _directions(streams: list[Stream], keep: Bools, options: ReadOptions, label: str) -> dict[str, str]:
    """The direction of each metric of which the files tell one."""
    directions = {
        metric: _told_direction(own, keep, options, label)
        for metric, own in grouped(streams, lambda s: s.metric).items()
    }
    return {metric: direction for metric, direction in directions.items() if direction is not None}


def _with_direction(streams: list[Stream], keep: Bools, options: ReadOptions) -> tuple[list[Stream], list[str]]:
    """Without the metrics beside the main ones that nobody asked for and of which nobody knows one direction."""
    said = options.direction if isinstance(options.direction, Mapping) else {}
    left = {
        metric
        for metric, own in grouped(streams, lambda s: s.metric).items()
        if metric not in {*options.metrics, *said}
        and not any(stream.main for stream in own)
        and not _is_known(metric, _by_direction(own, keep))
    }
    kept = [stream for stream in streams if stream.metric not in left]
    if not kept or not left:
        return streams, []
    return kept, [f"Left out, because it is not known which direction is better: {quoted(sorted(left))}."]


def _is_known(metric: str, named: Mapping[str, object]) -> bool:
    """Whether the files name one direction, or the metric's name does."""
    return len(named) == 1 or (not named and known_metric(metric) is not None)


_BUILD: dict[str, Callable[..., Cases | Results]] = {"case": _cases, "dataset": _results}
