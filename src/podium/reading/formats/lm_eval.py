"""Logs of EleutherAI's lm-evaluation-harness: samples_*.jsonl beside results_*.json, or results alone.

A document is matched by its hash; documents with the same hash are told apart by the order of their numbers. Several
filters of one task are several questions; before version 0.4.5 rows do not name their filter, and a document has one row for
each in their order. Before 0.4.3 a file is one array. A metric whose value is not the mean over its documents (bleu,
perplexity) has no cases and is left out. Results without samples are scores of tasks.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from podium.core.metric import is_mean_over_cases
from podium.core.names import quoted
from podium.reading.formats.compressed import stem_of
from podium.reading.logs.json_view import dict_of, first_record, json_view, list_of, records
from podium.reading.logs.naming import system_names
from podium.reading.logs.records import Log, Stream, number

_OF_A_DOCUMENT = frozenset(
    """doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash task_name schema
    choices prompt_0 logit_0 truth""".split()
)
_MEANS = frozenset({"mean", "nanmean", None, ""})
_NO_METRIC = frozenset({"alias", "name", "sample_len", "samples", "group", "sample_count", "bypass"})
# Old tasks of one benchmark, which newer versions put into a group.
_FAMILY = re.compile(
    r"(hendrycksTest|mmlu(?:_pro|_redux)?|bbh(?:_\w+?shot)?|blimp|crows_pairs_(?:english|french)|ceval-valid|cmmlu|agieval|"
    r"minerva_math|hendrycks_math|bigbench|arithmetic|leaderboard_bbh|leaderboard_math|leaderboard_gpqa|leaderboard_musr)[-_]\w+"
)
_DATED = re.compile(r"(?:samples_)?(?P<task>.+?)_(?P<date>\d{4}-\d\d-\d\dT[\d\-.:]+)$")
_SETTINGS = (
    "model model_args num_fewshot gen_kwargs chat_template_sha system_instruction_sha fewshot_as_multiturn".split()
)
_UNNAMED = "\0"  # begins no name of a filter
_LAST_SECOND = 2.5e11  # of the year 9892: dates end soon after
_SEEDS = ("random_seed", "numpy_seed", "torch_seed", "fewshot_seed")


def is_lm_eval(path: Path, head: bytes) -> bool:
    """Whether a file has the documents of a task, or the results of a run."""
    if head.lstrip()[:1] not in (b"{", b"["):
        return False
    if b'"doc_id"' in head[:200]:
        row = first_record(path)
        return {"doc_id", "doc"} <= row.keys() and bool({"resps", "filtered_resps"} & row.keys())
    if not re.search(rb'"(results|config|configs|versions|config_general)"', head[:2000]):
        return False
    keys = set(json_view(path).keys())
    return {"results", "versions"} <= keys and bool({"config", "configs"} & keys)


@dataclass(slots=True)
class _Run:
    """What results_*.json says of a run; nothing, where there is no such file."""

    file: Path
    name: str
    tasks: dict[str, dict[str, Any]] = field(default_factory=dict)
    higher: dict[str, Any] = field(default_factory=dict)
    groups: dict[str, list[str]] = field(default_factory=dict)
    aggregations: dict[tuple[str, str], Any] = field(default_factory=dict)
    n_samples: dict[str, Any] = field(default_factory=dict)
    versions: dict[str, Any] = field(default_factory=dict)
    shots: dict[str, str] = field(default_factory=dict)
    settings: dict[str, str] = field(default_factory=dict)
    seed: str = ""
    when: str = ""
    system: str = ""


def read_lm_eval(files: list[Path], log: Log) -> None:
    """Documents where there are some, and the results of tasks."""
    samples = [file for file in files if "doc_id" in first_record(file)]
    runs = [_run(file) for file in files if file not in samples]
    _name_systems(runs)
    for run in runs:
        _read_results(run, log)
    _tell_versions(runs, log)
    hashed = all("doc_hash" in first_record(file) for file in samples)
    for file in samples:
        _read_samples(file, _run_of(file, runs), log, hashed=hashed)
    if samples:
        log.matched_by("doc_hash and doc_id" if hashed else "doc_id")


def _name_systems(runs: list[_Run]) -> None:
    """Settings are compared between runs of the same task: other tasks may need others."""
    shots: dict[tuple[str, str], set[str]] = defaultdict(set)
    for run in runs:
        for task in run.tasks:
            shots[run.name, task].add(run.shots.get(task, ""))
    for run in runs:  # the number of examples may be another in each task
        other = [task for task in run.tasks if len(shots[run.name, task]) > 1]
        if other and "num_fewshot" not in run.settings:
            run.settings["num_fewshot"] = ", ".join(f"{run.shots.get(task, '?')} for {task}" for task in other)
    places = [(run, task) for run in runs for task in run.tasks or {"": {}}]
    names = system_names([(run.name, run.settings, task) for run, task in places])
    for (run, _), name in zip(places, names, strict=True):
        run.system = name


# --- Results ---------------------------------------------------------------------------------------------------------


def _run(file: Path) -> _Run:
    view = json_view(file)
    config = dict_of(view.value("config"))
    configs = dict_of(view.value("configs"))
    settings = {name: config.get(name, view.value(name)) for name in _SETTINGS}
    arguments = _arguments(settings["model_args"])
    seeds = [config.get(seed) for seed in _SEEDS] + [arguments.pop("seed", None)]  # a seed makes no other system
    if arguments:  # the same arguments as a text or as an object are the same setting
        settings["model_args"] = ",".join(f"{key}={value}" for key, value in arguments.items())
    shots = {task: str(number) for task, number in dict_of(view.value("n-shot")).items()}
    if settings["num_fewshot"] is None and len(set(shots.values())) == 1:
        settings["num_fewshot"] = next(iter(shots.values()))
    name = view.value("model_name") or _model_name(config) or file.parent.name
    aggregations = {
        (task, str(metric.get("metric"))): metric.get("aggregation")
        for task, about in configs.items()
        for metric in list_of(dict_of(about).get("metric_list"))
        if isinstance(metric, dict)
    }
    return _Run(
        file=file,
        name=str(name),
        tasks={task: row for task, row in dict_of(view.value("results")).items() if isinstance(row, dict)},
        higher=dict_of(view.value("higher_is_better")),
        groups={group: [str(t) for t in list_of(own)] for group, own in dict_of(view.value("group_subtasks")).items()},
        aggregations=aggregations,
        n_samples=dict_of(view.value("n-samples")),
        versions=dict_of(view.value("versions")),
        shots=shots,
        settings={
            key: str(value)
            for key, value in settings.items()
            if value is not None and value is not False and value not in ("", {})
        },
        seed=",".join(map(str, seeds)) if any(seed is not None for seed in seeds) else "",
        when=_when(view.value("date"), file),
    )


def _when(date: Any, file: Path) -> str:
    """When a run was made, as a text that can be put in order: as the file's name says, or the run itself."""
    dated = _DATED.search(file.stem)
    if dated:
        return dated["date"]
    seconds = number(date)
    if seconds is None or not 0 < seconds < _LAST_SECOND:
        return ""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H-%M-%S.%f")


def _arguments(arguments: Any) -> dict[str, Any]:
    """The arguments of a model, which newer versions write as an object and older ones as a text."""
    if isinstance(arguments, str):
        return dict(part.split("=", 1) for part in arguments.split(",") if "=" in part)
    return dict(dict_of(arguments))


def _model_name(config: dict[str, Any]) -> str:
    """The model as the harness itself names it: the first of these arguments."""
    parts = _arguments(config.get("model_args"))
    for key in ("peft", "delta", "pretrained", "model", "path", "engine"):
        if parts.get(key):
            revision = parts.get("revision")
            return f"{parts[key]}@{revision}" if revision and revision != "main" else str(parts[key])
    return str(config.get("model") or "")


def _is_group(name: str, run: _Run) -> bool:
    return any(member in run.tasks for member in run.groups.get(name, ()))


def _groups(run: _Run) -> dict[str, str]:
    """The group of each task: the outermost that does not have all of them, or "" where there is none."""
    above = {member: group for group, members in run.groups.items() for member in members}
    chains: dict[str, list[str]] = {}
    for task in run.tasks:
        chain = chains[task] = [task]
        while chain[-1] in above and above[chain[-1]] not in chain:
            chain.append(above[chain[-1]])
    shared = set.intersection(*(set(chain) for task, chain in chains.items() if not _is_group(task, run)))
    groups = {}
    for task, (_, *chain) in chains.items():
        family = _FAMILY.fullmatch(task)
        outer = (group for group in reversed(chain) if group not in shared)
        groups[task] = next(outer, family[1] if family else "")
    return groups


def _read_results(run: _Run, log: Log) -> None:
    """The scores of tasks; a group is left out, because its tasks are there."""
    groups = _groups(run) if run.tasks else {}
    for task, row in run.tasks.items():
        if _is_group(task, run):
            continue
        for key, value in row.items():
            metric, _, filtered = key.partition(",")
            if metric in _NO_METRIC or metric.strip() == "" or metric.endswith("_stderr") or number(value) is None:
                continue
            stream = log.stream(
                file=run.file,
                system=run.system,
                metric=metric,
                direction=_direction(run, task, metric),
                fields={"filter": filtered} if filtered not in ("", "none") else {},
                unit="dataset",
                when=run.when,
                seed=run.seed,
            )
            stream.add(task, value, traits={"group": groups[task]})


def _tell_versions(runs: list[_Run], log: Log) -> None:
    """Say which tasks were not the same in all runs: other versions of them, or parts of their documents."""
    seen: dict[str, set[tuple[str, str]]] = defaultdict(set)
    for run in runs:
        for task in run.tasks:
            seen[task].add((str(run.versions.get(task)), str(dict_of(run.n_samples.get(task)).get("effective"))))
    other = [task for task, kinds in seen.items() if len(kinds) > 1]
    if other:
        log.note(
            f"Not the same in all runs, by version or number of documents, and so not strictly comparable: {quoted(other, 4)}."
        )


def _direction(run: _Run, task: str, metric: str) -> str | None:
    is_higher = dict_of(run.higher.get(task)).get(metric)
    return ("higher" if is_higher else "lower") if isinstance(is_higher, bool) else None


# --- Documents -------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Documents:
    """The streams of one file of documents, and what was seen in it."""

    streams: dict[tuple[str, str], Stream] = field(default_factory=dict)
    seen: dict[tuple[str, str], dict[Any, int]] = field(default_factory=lambda: defaultdict(dict))
    no_numbers: dict[str, None] = field(default_factory=dict)
    tries: Counter[tuple[str, Any]] = field(default_factory=Counter)
    unnamed: Counter[str] = field(default_factory=Counter)
    """How many rows without the name of a filter each document has had so far."""

    def filter_of(self, row: dict[str, Any]) -> str:
        """The filter of a row; of one that does not name it, which row of its document it is."""
        if row.get("filter"):
            return str(row["filter"])
        document = str(row.get("doc_id"))
        self.unnamed[document] += 1
        return f"{_UNNAMED}{self.unnamed[document]}"


def _run_of(file: Path, runs: list[_Run]) -> _Run:
    """The run of a file of documents: the one of the same folder and date, or the only one there that has its task."""
    task, date = _task_and_date(file)
    near = [run for run in runs if run.file.parent == _home(file)]
    dated = [run for run in near if date and run.file.stem.endswith(date)]
    if date and not dated:  # the results of another date are those of another run
        near = [run for run in near if not _DATED.search(run.file.stem)]
    tasked = [run for run in dated or near if task in run.tasks or _task_at_the_end(task, run)]
    candidates = tasked or dated or near
    system = _home(file).name.replace("__", "/") or file.stem
    return candidates[0] if len(candidates) == 1 else _Run(file, system, system=system, when=date)


def _home(file: Path) -> Path:
    """The folder of a model, which may have one of samples inside."""
    return file.parent.parent if file.parent.name == "samples" else file.parent


def _task_and_date(file: Path) -> tuple[str, str]:
    stem = stem_of(file).removesuffix(".jsonl")
    dated = _DATED.fullmatch(stem)
    return (dated["task"], dated["date"]) if dated else (stem.removeprefix("samples_"), "")


def _task_at_the_end(name: str, run: _Run) -> str:
    """The task of a file that was named for the arguments of the model and the task, as before version 0.4.3."""
    return max((task for task in run.tasks if name.endswith(f"_{task}")), key=len, default="")


def _read_samples(file: Path, run: _Run, log: Log, *, hashed: bool) -> None:
    task, _ = _task_and_date(file)
    if task not in run.tasks:
        task = _task_at_the_end(task, run) or task
    about: dict[str, Any] = {"file": file, "benchmark": task, "system": run.system, "when": run.when, "seed": run.seed}
    docs = _Documents()
    for row in records(file):
        filtered = docs.filter_of(row)
        key, again = _key(row, filtered, docs, hashed=hashed)
        traits = {name: value for name, value in dict_of(row.get("doc")).items() if isinstance(value, str | int)}
        for metric in _metrics_of(row):
            value = row.get(metric)
            if isinstance(value, list | dict | str):
                docs.no_numbers[metric] = None
                continue
            stream = docs.streams.get((filtered, metric))
            if stream is None:
                stream = docs.streams[filtered, metric] = log.stream(
                    metric=metric, direction=_direction(run, task, metric), fields={"filter": filtered}, **about
                )
            stream.add(key, value, name=row.get("doc_id"), sample=again, traits=traits)
            traits = {}
    _name_filters(task, run, docs)
    _drop_corpus_metrics(task, run, docs, log)


def _name_filters(task: str, run: _Run, docs: _Documents) -> None:
    """The filters that rows do not name: as the results of the run have them, in order, or by number."""
    most = max(docs.unnamed.values(), default=0)
    filters = list(dict.fromkeys(key.partition(",")[2] for key in run.tasks.get(task, ()) if "," in key))
    labels = filters if len(filters) == most else ["none"] if most == 1 else [f"{n + 1} of {most}" for n in range(most)]
    names = {f"{_UNNAMED}{n}": name for n, name in enumerate(labels, 1)}
    docs.streams = {(names.get(name, name), metric): stream for (name, metric), stream in docs.streams.items()}
    for (name, _), stream in docs.streams.items():
        stream.fields = {"filter": name} if name != "none" else {}


def _metrics_of(row: dict[str, Any]) -> list[str]:
    """The metrics of a document: as it lists them, or all that is not known to be something else."""
    names = list_of(row.get("metrics")) or [name for name in row if name not in _OF_A_DOCUMENT]
    return [str(name) for name in names if name not in _NO_METRIC]


def _key(row: dict[str, Any], filtered: str, docs: _Documents, *, hashed: bool) -> tuple[str, int]:
    """The key of a document (its hash, and its place among those with the same hash), and which try this is.

    Where some file has no hashes (before version 0.4.3), its number is the key.
    """
    number_of, own = row.get("doc_id"), row.get("doc_hash")
    number_of = number_of if isinstance(number_of, int | str) else str(number_of)
    again = docs.tries[filtered, number_of]
    docs.tries[filtered, number_of] += 1
    if not hashed or not isinstance(own, str):
        return f"doc {number_of}", again
    places = docs.seen[filtered, own]
    place = places.setdefault(number_of, len(places))
    return f"{own}#{place}" if place else own, again


def _drop_corpus_metrics(task: str, run: _Run, docs: _Documents, log: Log) -> None:
    """Leave out metrics that are not means over documents: by their kind, by the task's own words, or by the harness's value."""
    dropped = dict(docs.no_numbers)
    for (filtered, metric), stream in docs.streams.items():
        aggregation = run.aggregations.get((task, metric))
        other = aggregation not in _MEANS if isinstance(aggregation, str) else is_mean_over_cases(metric) is False
        if other or not _is_mean(task, metric, filtered, run, stream):
            dropped[metric] = None
    log.streams = [s for s in log.streams if s not in docs.streams.values() or s.metric not in dropped]
    if dropped:
        log.note(f"{task}: {quoted(dropped)} is not a mean over documents, so it has no cases, and is left out.")


def _is_mean(task: str, metric: str, filtered: str, run: _Run, stream: Stream) -> bool:
    """Whether the mean over the documents is what the harness says, where the file has all of them."""
    said = number(run.tasks.get(task, {}).get(f"{metric},{filtered}"))
    n = number(dict_of(run.n_samples.get(task)).get("effective"))
    if said is None or n != len(stream.values) or stream.why:
        return True
    return abs(sum(stream.values) / n - said) <= 1e-6 * max(1.0, abs(said))
