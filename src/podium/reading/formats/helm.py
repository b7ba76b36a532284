"""Runs of HELM: per_instance_stats.json beside run_spec.json.

A run is one model on one scenario; trials of training are samples of an instance. The original instances are compared, and
perturbed ones if somebody asks; of several splits, test. Of the many statistics, the one that HELM reports for the scenario is
the main one; counts of tokens and running times are costs.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from podium.core.contents import is_regular
from podium.core.errors import PodiumError
from podium.core.registry import read_toml
from podium.reading.logs.choose import grouped
from podium.reading.logs.json_view import dict_of, json_view, list_of, names_in, records
from podium.reading.logs.records import Log, Stream, number

MAIN = read_toml("reading", "helm.toml")["main"]
USUAL = ("exact_match", "quasi_exact_match")
_NO_SCORE = re.compile(
    r"(num|max|min)_|finish_reason|training_|inference_|batch_size|prompt_truncated|predicted_index|logprob|log_prob|.*_cost$|.*energy"
)
_COSTS = {
    "inference_runtime": "seconds",
    **dict.fromkeys(("num_prompt_tokens", "num_completion_tokens", "num_output_tokens"), "tokens"),
}
# Whole words: "correct_answer" is no word error rate, and harmlessness no harm.
_LOWER = re.compile(
    r"perplexity|bits_per_byte|toxic|(?:^|_)(?:bias|ece_\d|error|[wc]er(?:$|_))|^distance$|absolute_value_difference"
)
_OF_THE_METHOD = frozenset(
    "method data_augmentation model_deployment groups eval_split num_train_trials max_train_instances".split()
)


def is_helm(path: Path, head: bytes) -> bool:
    """Whether a file is a list of instances with their statistics."""
    if not names_in(head) >= {"instance_id", "stats", "train_trial_index"}:
        return False
    return {"instance_id", "stats"} <= set(json_view(path).first().keys())


@dataclass(slots=True)
class _Run:
    """What run_spec.json, or the name of the folder, says of a run."""

    file: Path
    system: str
    scenario: str
    arguments: dict[str, str]
    benchmark: str = ""


def read_helm(files: list[Path], log: Log) -> None:
    """Every run of every model."""
    runs = [_run(file, log) for file in files]
    _name_benchmarks(runs)
    for run in runs:
        _read_instances(run, log)
    log.usual["split"] = "test"
    log.matched_by("instance_id")


def _run(file: Path, log: Log) -> _Run:
    name, model = file.resolve().parent.name, ""
    beside = file.with_name("run_spec.json")
    if is_regular(beside):
        try:
            view = json_view(beside)
            name = str(view.value("name") or name)
            model = str(view.value("adapter_spec", "model") or "")
            log.beside.add(beside)
        except PodiumError:
            log.note(f"{beside} is damaged: the name of the folder is used instead.")
    scenario, _, rest = name.partition(":")
    arguments = dict(part.split("=", 1) for part in rest.split(",") if "=" in part)
    argument = arguments.pop("model", "")
    return _Run(file, model or argument or name, scenario, arguments)


def _name_benchmarks(runs: list[_Run]) -> None:
    """A scenario with its arguments is a benchmark; how it was asked is named only where it differs."""
    for scenario, own in grouped(runs, lambda run: run.scenario).items():
        plain = {key for key in _OF_THE_METHOD if len({run.arguments.get(key) for run in own}) == 1}
        for run in own:
            details = ",".join(f"{key}={value}" for key, value in run.arguments.items() if key not in plain)
            run.benchmark = f"{scenario}:{details}" if details else scenario


def _read_instances(run: _Run, log: Log) -> None:
    about: dict[str, Any] = {"file": run.file, "system": run.system, "benchmark": run.benchmark}
    for entry in records(run.file):
        case, sample = entry.get("instance_id"), entry.get("train_trial_index") or 0
        spent: dict[str, float] = {}
        for stat in list_of(entry.get("stats")):
            name = dict_of(dict_of(stat).get("name"))
            metric = str(name.get("name"))
            value = _mean(dict_of(stat))
            perturbed = _perturbation(name.get("perturbation") or entry.get("perturbation"))
            if metric in _COSTS and not perturbed and value is not None:
                spent[_COSTS[metric]] = spent.get(_COSTS[metric], 0.0) + value
            if not _NO_SCORE.match(metric):
                direction = "lower" if _LOWER.search(metric) else "higher"
                fields = {"perturbation": perturbed} if perturbed else {}
                stream = log.stream(metric=metric, direction=direction, fields=fields, main=not perturbed, **about)
                stream.add(case, value, sample=sample, traits={"split": str(name.get("split") or "")})
        log.spend(spent, about, case, sample=sample)
    _mark_main([stream for stream in log.streams if stream.file == run.file], run.scenario)


def _mean(stat: dict[str, Any]) -> float | None:
    """The mean of a statistic, which is over the outputs for one instance."""
    count, total = number(stat.get("count")), number(stat.get("sum"))
    if count == 0:
        return None
    mean = number(stat.get("mean"))
    return mean if mean is not None or not count or total is None else total / count


def _perturbation(perturbation: Any) -> str:
    """The name of a perturbation, with what it was computed on if this is not the perturbed instance."""
    about = dict_of(perturbation)
    if not about:
        return str(perturbation or "")
    on = str(about.get("computed_on") or "perturbed")
    name = str(about.get("name") or about.get("name_") or "perturbed")
    return name if on == "perturbed" else f"{name} ({on})"


def _mark_main(streams: list[Stream], scenario: str) -> None:
    """Of the statistics of original instances, the one that HELM reports, if the file has it."""
    wanted = next((entry["metric"] for entry in MAIN if scenario.startswith(tuple(entry["scenarios"]))), None)
    original = [stream for stream in streams if stream.main and not stream.is_cost]
    there = {stream.metric for stream in original}
    chosen = next((name for name in (wanted, *USUAL) if name in there), None)
    for stream in original:
        stream.main = chosen is None or stream.metric == chosen
