"""Logs of Inspect (UK AI Security Institute): .eval archives and .json files.

Grades count as Inspect counts them: C is 1, P is 0.5, I and N are 0. A sample that failed has no score and is a hole; epochs
are samples of one case. A log that was cancelled, failed or was killed never replaces one that came to an end. A log
without samples gives the score of its task only.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from podium.core.errors import DataError
from podium.core.names import quoted
from podium.core.numbers import listed
from podium.reading.logs.choose import grouped
from podium.reading.logs.files import ARCHIVE, form_of, head_of
from podium.reading.logs.json_view import JsonView, dict_of, json_view, list_of, names_in
from podium.reading.logs.naming import system_names
from podium.reading.logs.records import DONE, Log, Stream, hole_kind, number
from podium.reading.logs.zips import Archive

GRADES = {"C": 1.0, "P": 0.5, "I": 0.0, "N": 0.0}
WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
_STATUS = {
    "success": DONE,
    "error": "stopped by an error",
    "cancelled": "cancelled",
    "started": "not finished when it was written",
}
_SPREADS = re.compile(r"^(stderr|std|var|bootstrap_stderr|ci|n)\b|stderr|std$")
_SETTINGS_OF_A_MODEL = "temperature top_p top_k max_tokens reasoning_effort reasoning_tokens effort".split()
_OF_A_SAMPLE = "input id epoch metadata scores score error model_usage total_time working_time completed".split()


def is_inspect(path: Path, head: bytes) -> bool:
    """Whether a file is an archive with the header or the journal of a log, or a log as JSON."""
    if head.startswith(ARCHIVE):
        if not re.search(rb"(_journal/|samples/|header\.json|summaries)", head[:300]):
            return False
        with Archive(path) as archive:
            return bool({"header.json", "_journal/start.json"} & set(archive.names))
    if not names_in(head) >= {"status", "eval"}:
        return False
    view = json_view(path)
    return {"version", "status", "eval"} <= set(view.keys()) and view.get("eval", "task") is not None


@dataclass(slots=True)
class _Header:
    """What a log says of itself."""

    file: Path
    status: str
    task: str
    model: str
    settings: dict[str, str]
    task_args: str
    when: str
    results: dict[str, Any]
    scorers: list[str]
    metrics: dict[str, str]
    seed: str = ""
    system: str = ""


@dataclass(slots=True)
class _Samples:
    """The streams of one log, and what was seen in it."""

    streams: dict[str, Stream] = field(default_factory=dict)
    failed: list[tuple[Any, int, str]] = field(default_factory=list)
    no_numbers: dict[str, None] = field(default_factory=dict)
    asked: dict[tuple[str, str], tuple[int, str]] = field(default_factory=dict)
    """What each sample of each task was asked, as a number, and the log that said so first; shared by all logs."""
    count: int = 0


def read_inspect(files: list[Path], log: Log) -> None:
    """Every log: its samples where it has some, and the scores in its header."""
    headers = [_header(file) for file in files]
    _shorten_tasks(headers)
    about = [(header.model, header.settings, (header.task, header.task_args)) for header in headers]
    for header, name in zip(headers, system_names(about), strict=True):
        header.system = name
    _share_metrics(headers)
    asked: dict[tuple[str, str], tuple[int, str]] = {}
    arguments = {(header.task, header.task_args) for header in headers}
    several = Counter(task for task, _ in arguments)
    for header in headers:
        fields = {"task_args": header.task_args} if several[header.task] > 1 else {}
        _read_log(header, fields, asked, log)
    log.matched_by("the id of the sample")


def _shorten_tasks(headers: list[_Header]) -> None:
    """A task of a package has its name before it, or not, by how it was started; it is kept where two packages differ."""
    for short, own in grouped(headers, lambda header: header.task.rpartition("/")[2]).items():
        packages = {header.task.rpartition("/")[0] for header in own}
        if len(packages) == 2 and "" in packages:
            for header in own:
                header.task = short


# --- The header ------------------------------------------------------------------------------------------------------


def _header(file: Path) -> _Header:
    if not _is_archive(file):
        return _header_of(file, json_view(file))
    with Archive(file) as archive:
        name = "header.json" if "header.json" in archive.names else "_journal/start.json"
        return _header_of(file, archive.view(name))


def _is_archive(file: Path) -> bool:
    return form_of(head_of(file)) == "archive"


def _header_of(file: Path, view: JsonView) -> _Header:
    about = dict_of(view.value("eval"))
    plan = dict_of(view.value("plan"))
    results = _with_scores(dict_of(view.value("results")))
    status = str(view.value("status") or "started")
    if view.value("invalidated") is True:
        status = "declared invalid"
    seed = {**_generates(about, plan), **dict_of(about.get("model_args"))}.get("seed")
    solver = about.get("solver")
    model = str(about.get("model") or "")
    if model in ("", "none", "none/none"):
        model = str(solver or plan.get("name") or file.stem)
    return _Header(
        file=file,
        status=_STATUS.get(status, status),
        task=str(about.get("task") or about.get("task_id") or "task"),
        model=model,
        settings=_settings(about, plan),
        task_args=_words(about.get("task_args")),
        when=str(about.get("created") or ""),
        results=results,
        seed="" if seed is None else str(seed),
        **_scorers(about, results),
    )


def _with_scores(results: dict[str, Any]) -> dict[str, Any]:
    """Results as they are since the middle of 2024; before, a log had one scorer, and its metrics beside it."""
    if "scores" in results or not isinstance(results.get("scorer"), dict):
        return results
    return {**results, "scores": [{**results["scorer"], "metrics": results.get("metrics")}]}


def _settings(about: dict[str, Any], plan: dict[str, Any]) -> dict[str, str]:
    """What makes another system of the same model: its solver, its arguments, how it generates."""
    generate = _generates(about, plan)
    steps = [str(dict_of(step).get("solver") or "") for step in list_of(plan.get("steps"))]
    settings = {
        "solver": str(about.get("solver") or " + ".join(filter(None, steps))),
        "solver_args": _words(about.get("solver_args_passed") or about.get("solver_args")),
        "model_args": _words({key: item for key, item in dict_of(about.get("model_args")).items() if key != "seed"}),
        **{key: str(generate[key]) for key in _SETTINGS_OF_A_MODEL if generate.get(key) is not None},
    }
    return {key: value for key, value in settings.items() if value}


def _generates(about: dict[str, Any], plan: dict[str, Any]) -> dict[str, Any]:
    return {**dict_of(plan.get("config")), **dict_of(about.get("model_generate_config"))}


def _words(value: Any) -> str:
    return ", ".join(f"{key}={item}" for key, item in sorted(dict_of(value).items()))


def _scorers(about: dict[str, Any], results: dict[str, Any]) -> dict[str, Any]:
    """The names of the scorers, and what the first metric of each is called."""
    scores = [dict_of(score) for score in list_of(results.get("scores"))]
    named = [(score.get(key), list(dict_of(score.get("metrics")))) for score in scores for key in ("name", "scorer")]
    for scorer in map(dict_of, list_of(about.get("scorers"))):
        names = [dict_of(one).get("name", one) for one in list_of(scorer.get("metrics"))]
        named.append((str(scorer.get("name")).rpartition("/")[2], names))
    metrics: dict[str, str] = {}
    for scorer_name, names in named:
        plain = (str(name).rpartition("/")[2] for name in names)
        if first := next((name for name in plain if not _SPREADS.search(name)), ""):
            metrics.setdefault(str(scorer_name), first)
    return {"scorers": list(dict.fromkeys(str(score.get("name")) for score in scores)), "metrics": metrics}


def _share_metrics(headers: list[_Header]) -> None:
    """A log that was killed does not say what its scorers measure: other logs of its task do."""
    for own in grouped(headers, lambda header: header.task).values():
        shared = {scorer: metric for header in own for scorer, metric in header.metrics.items()}
        for header in own:
            header.metrics = shared | header.metrics


# --- Samples ---------------------------------------------------------------------------------------------------------


def _read_log(header: _Header, fields: dict[str, str], asked: dict[tuple[str, str], tuple[int, str]], log: Log) -> None:
    samples = _Samples(asked=asked)
    for sample in _samples(header.file):
        _take(sample, header, fields, samples, log)
    for scorer in header.scorers if samples.failed and not samples.streams else ():
        _stream(scorer, header, fields, samples, log)
    for case, epoch, why in samples.failed:
        for stream in samples.streams.values():
            stream.add(case, None, sample=epoch, why=why)
    _settle(header, samples, log)
    _read_totals(header, fields, log)


def _samples(file: Path) -> Iterator[dict[str, Any]]:
    """The samples of a log: of an archive their summaries, those of the journal where it was killed, or the samples."""
    if not _is_archive(file):
        yield from (dict_of(view.load()) for view in json_view(file).items("samples"))
        return
    with Archive(file) as archive:
        names = set(archive.names)
        journal = [name for name in names if re.fullmatch(r"_journal/summaries/\d+\.json", name)]
        parts = ["summaries.json"] if "summaries.json" in names else sorted(journal, key=lambda name: (len(name), name))
        seen = set()
        for part in parts:
            for view in archive.view(part).items():
                sample = dict_of(view.load())
                seen.add(f"samples/{sample.get('id')}_epoch_{sample.get('epoch')}.json")
                yield sample
        for name in sorted(name for name in names if name.startswith("samples/") and name not in seen):
            if not parts or "summaries.json" not in names:
                view = archive.view(name)
                yield {key: view.value(key) for key in _OF_A_SAMPLE if view.get(key) is not None}


def _take(sample: dict[str, Any], header: _Header, fields: dict[str, str], samples: _Samples, log: Log) -> None:
    """One sample into the streams of its scorers, or among those that failed."""
    case, epoch = sample.get("id"), number(sample.get("epoch"))
    epoch = int(epoch) if epoch is not None else 1
    samples.count += 1
    _check_asked(sample, header, samples, log)
    scores = dict_of(sample.get("scores"))
    if not scores and isinstance(sample.get("score"), dict):
        scores = {header.scorers[0] if header.scorers else "score": sample["score"]}  # logs of 2024
    if not scores:
        error = sample.get("error")
        error = dict_of(error).get("message", error) if error else None
        waiting = "" if sample.get("completed") is not False else "not finished"
        samples.failed.append((case, epoch, hole_kind(str(error)) if error else waiting))
    traits = dict_of(sample.get("metadata"))
    for scorer, score in scores.items():
        value = dict_of(score).get("value") if isinstance(score, dict) else score
        parts = value.items() if isinstance(value, dict) else [("", value)]
        for part, own in parts:
            name = f"{scorer}.{part}" if part else scorer
            stream = _stream(name, header, fields, samples, log)
            if isinstance(own, bool) or (isinstance(own, str) and own.strip() in GRADES):
                stream.direction = "higher"
            points = _as_number(own)
            if points is None and isinstance(own, str | list):
                samples.no_numbers[name] = None
            stream.add(case, points, sample=epoch, traits=traits)
    _take_costs(sample, case, epoch, header, log)


def _check_asked(sample: dict[str, Any], header: _Header, samples: _Samples, log: Log) -> None:
    """Samples without ids of their own are numbered, and in a shuffled dataset the numbers mean something else in each log."""
    text, case = sample.get("input"), sample.get("id")
    if not isinstance(text, str):
        return
    key = hash(" ".join(text[:200].split()[:12]))
    first, file = samples.asked.setdefault((f"{header.task} {header.task_args}", str(case)), (key, header.file.name))
    if first == key:
        return
    if isinstance(case, int):
        raise DataError(
            f"{header.task}: sample {case} of {header.file.name} was asked something else than sample {case} of {file}. The samples "
            "have no ids of their own, and the logs are of other data or were shuffled: give the dataset ids, or leave one out."
        )
    log.note(
        f"{header.task}: some samples of {header.file.name} have another input than those of the same id in {file}."
    )


def _as_number(value: Any) -> float | None:
    """A score as Inspect makes a number of it."""
    if not isinstance(value, str):
        return number(value)
    text = value.strip()
    return GRADES.get(text, WORDS.get(text.lower(), number(text)))


def _stream(scorer: str, header: _Header, fields: dict[str, str], samples: _Samples, log: Log) -> Stream:
    stream = samples.streams.get(scorer)
    if stream is None:
        whole = scorer.partition(".")[0]
        metric = header.metrics.get(scorer) or header.metrics.get(whole) or "score"
        main = _is_headline(scorer, dict_of(header.results.get("headline")))
        stream = samples.streams[scorer] = log.stream(
            file=header.file,
            system=header.system,
            benchmark=header.task,
            metric=metric,
            direction="higher" if metric == "accuracy" else None,
            fields={"scorer": scorer, **fields},
            main=main,
            status=header.status,
            when=header.when,
            seed=header.seed,
        )
    return stream


def _is_headline(scorer: str, headline: dict[str, Any]) -> bool:
    """Whether a scorer, or the part of one, is what the log reports first; where it does not say, every one may be meant."""
    whole, part = str(headline.get("scorer")), str(headline.get("score"))
    return not headline or scorer in (part, f"{whole}.{part}") or (scorer == whole and part == whole)


def _take_costs(sample: dict[str, Any], case: Any, epoch: int, header: _Header, log: Log) -> None:
    """Tokens of the model that is judged, and seconds."""
    usage = dict_of(sample.get("model_usage"))
    own = {header.model: usage[header.model]} if header.model in usage else usage
    tokens = [number(dict_of(each).get("total_tokens")) for each in own.values()]
    spent = {"tokens": sum(t for t in tokens if t is not None) if tokens else None}
    spent["seconds"] = number(sample.get("working_time", sample.get("total_time")))
    about = {"file": header.file, "system": header.system, "benchmark": header.task}
    log.spend(spent, about, case, sample=epoch)


def _settle(header: _Header, samples: _Samples, log: Log) -> None:
    """Scorers whose values are not numbers, and samples that the header counts but the log does not have."""
    for scorer, stream in samples.streams.items():
        if scorer in samples.no_numbers and not any(value == value for value in stream.values):
            log.streams.remove(stream)
            log.note(f"{header.task}: the scorer {quoted([scorer])} gives no numbers, and is left out.")
        elif scorer in samples.no_numbers:
            log.note(f"{header.file.name}: some scores of {quoted([scorer])} are not numbers: they count as missing.")
    reducers = _reducers(header)
    if samples.streams and set(reducers) - {"mean"}:
        log.note(
            f"{header.task}: its epochs are reduced by {listed(reducers)}; here the mean over epochs is a case's value."
        )
    total = number(header.results.get("total_samples"))
    if samples.count and total is not None and total > samples.count:
        log.note(f"{header.file.name} has {samples.count} of the {int(total)} samples that its header counts.")
    if not samples.streams and not header.scorers:
        log.note(f"{header.file.name} ({header.system} on {header.task}) has no score, and is left out.")


def _reducers(header: _Header) -> list[str]:
    """How the epochs of a sample become one score; a log with several has every score several times."""
    scores = map(dict_of, list_of(header.results.get("scores")))
    return list(dict.fromkeys(str(score["reducer"]) for score in scores if score.get("reducer")))


def _read_totals(header: _Header, fields: dict[str, str], log: Log) -> None:
    """The scores of the task as a whole, of logs that came to an end."""
    if header.status != DONE:
        return
    reducers = _reducers(header)
    for score in map(dict_of, list_of(header.results.get("scores"))):
        name, reducer = str(score.get("name")), str(score.get("reducer"))
        by = {"reducer": reducer} if len(reducers) > 1 else {}
        for metric, entry in dict_of(score.get("metrics")).items():
            if _SPREADS.search(metric):
                continue
            stream = log.stream(
                file=header.file,
                system=header.system,
                metric=metric,
                fields={"scorer": name, **fields, **by},
                direction="higher" if metric == "accuracy" else None,
                unit="dataset",
                main=not by or reducer == reducers[0],
                when=header.when,
                seed=header.seed,
            )
            stream.add(header.task, dict_of(entry).get("value"))
