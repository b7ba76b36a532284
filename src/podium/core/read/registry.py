"""Every kind of file and object that `podium.read` understands: one entry each, plain data.

A new reader is one file in `formats/` and one entry here. Reading, folders, the command line's help and the page's
uploads look here; no other list of endings exists.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from podium.core.errors import ArgumentError


@dataclass(frozen=True, slots=True, kw_only=True)
class Format:
    """One kind of source, and who reads it.

    `home` ("module:function") is called with the source and the options, and gives a `Sheet`, whose layout is then
    recognised, or `Results`. A file is recognised by its ending, anything else by `recognised` ("module:function").
    """

    name: str
    home: str
    told: str
    endings: tuple[str, ...] = ()
    recognised: str = ""
    is_text: bool = False
    is_packed: bool = False
    in_folders: bool = False
    """Whether a file of this kind in a folder is one of its tables."""
    ready: bool = False
    """Whether `home` takes the path alone: the results need no recognising, and no options but metric and direction."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LogFormat:
    """The logs of one tool, known by their content.

    `content` ("module:function") is called with a path and its first bytes and says whether it is one; `home` with all such
    files and a `Log`, which it fills (see `logs/records.py`). `example` has two lines: what is there, and what to type.
    """

    name: str
    told: str
    home: str
    content: str
    example: str


_HERE = "podium.core.read.formats"

FORMATS: dict[str, Format] = {
    entry.name: entry
    for entry in (
        Format(
            name="text",
            told="CSV, TSV",
            home=f"{_HERE}.text:open_text",
            endings=(".csv", ".tsv", ".tab", ".txt", ".dat"),
            is_text=True,
            in_folders=True,
        ),
        Format(name="json", told="JSON", home=f"{_HERE}.json_tables:open_json", endings=(".json",), is_text=True),
        Format(
            name="json_lines",
            told="JSON Lines",
            home=f"{_HERE}.json_lines:open_json_lines",
            endings=(".jsonl", ".ndjson"),
            is_text=True,
            in_folders=True,
        ),
        Format(
            name="excel",
            told="Excel",
            home=f"{_HERE}.excel:open_excel",
            endings=(".xlsx", ".xlsm"),
            in_folders=True,
        ),
        Format(
            name="parquet",
            told="Parquet",
            home=f"{_HERE}.parquet:open_parquet",
            endings=(".parquet", ".pq"),
            in_folders=True,
        ),
        Format(
            name="packed",
            told="any of these packed (.gz, .bz2, .xz)",
            home=f"{_HERE}.packed:open_stream",
            endings=(".gz", ".bz2", ".xz"),
            in_folders=True,
            is_packed=True,
        ),
        Format(
            name="zip",
            told="a zip archive of one table",
            home=f"{_HERE}.packed:open_zip",
            endings=(".zip",),
            is_packed=True,
        ),
        Format(
            name="store",
            told="a benchmark's store (.db)",
            home="podium.bench.results:results_from_store",
            endings=(".db",),
            ready=True,
        ),
        Format(
            name="folder",
            told="a folder with one file per algorithm",
            home=f"{_HERE}.folder:read_folder",
            recognised=f"{_HERE}.folder:is_folder",
        ),
        Format(
            name="frame",
            told="a DataFrame",
            home=f"{_HERE}.frames:open_frame",
            recognised=f"{_HERE}.frames:is_frame",
        ),
        Format(
            name="array",
            told="an array (rows x algorithms)",
            home=f"{_HERE}.arrays:open_array",
            recognised=f"{_HERE}.arrays:is_array",
        ),
        Format(
            name="columns",
            told="a dict of columns",
            home=f"{_HERE}.arrays:open_columns",
            recognised=f"{_HERE}.arrays:is_columns",
        ),
        Format(
            name="cross_validation",
            told="a dict of cross_validate results",
            home=f"{_HERE}.sklearn:read_cross_validation",
            recognised=f"{_HERE}.sklearn:is_dict",
        ),
        Format(
            name="search",
            told="a fitted search",
            home=f"{_HERE}.sklearn:read_search",
            recognised=f"{_HERE}.sklearn:is_search",
        ),
    )
}


LOGS: dict[str, LogFormat] = {
    entry.name: entry
    for entry in (
        LogFormat(
            name="lm_eval",
            told="lm-evaluation-harness",
            home=f"{_HERE}.lm_eval:read_lm_eval",
            content=f"{_HERE}.lm_eval:is_lm_eval",
            example="logs/acme__model-7b/samples_gsm8k_2026-01-21T03-44-18.jsonl and results_*.json (lm_eval --log_samples)\n"
            "podium compare logs/ --metric acc",
        ),
        LogFormat(
            name="inspect",
            told="Inspect",
            home=f"{_HERE}.inspect_log:read_inspect",
            content=f"{_HERE}.inspect_log:is_inspect",
            example="logs/2026-11-16T04-43-18_capitals_iiHb5jHk.eval, or .json (inspect eval, INSPECT_LOG_DIR)\n"
            "podium compare logs/ --where \"benchmark == 'capitals'\"",
        ),
        LogFormat(
            name="swe_bench",
            told="SWE-bench",
            home=f"{_HERE}.swe_bench:read_swe_bench",
            content=f"{_HERE}.swe_bench:is_swe_bench",
            example="reports/acme__agent.run1.json (swebench.harness), or <system>/results/results.json of the leaderboard\n"
            "podium compare reports/",
        ),
        LogFormat(
            name="tau_bench",
            told="tau-bench",
            home=f"{_HERE}.tau_bench:read_tau_bench",
            content=f"{_HERE}.tau_bench:is_tau_bench",
            example="results/gpt-4o-airline.json with the trials of one agent (tau-bench or tau2-bench)\n"
            "podium compare results/",
        ),
        LogFormat(
            name="promptfoo",
            told="promptfoo",
            home=f"{_HERE}.promptfoo:read_promptfoo",
            content=f"{_HERE}.promptfoo:is_promptfoo",
            example="results.json, .jsonl or .csv (promptfoo eval -o results.json)\npodium compare results.json",
        ),
        LogFormat(
            name="helm",
            told="HELM",
            home=f"{_HERE}.helm:read_helm",
            content=f"{_HERE}.helm:is_helm",
            example="benchmark_output/runs/<suite>/<run>/per_instance_stats.json and run_spec.json\n"
            "podium compare benchmark_output/runs/my-suite",
        ),
        LogFormat(
            name="deepeval",
            told="deepeval",
            home=f"{_HERE}.deepeval:read_deepeval",
            content=f"{_HERE}.deepeval:is_deepeval",
            example="results/test_run_20261116_050113.json (DEEPEVAL_RESULTS_FOLDER), or .deepeval/.latest_test_run.json\n"
            "podium compare results/",
        ),
        LogFormat(
            name="gift_eval",
            told="GIFT-Eval",
            home=f"{_HERE}.gift_eval:read_gift_eval",
            content=f"{_HERE}.gift_eval:is_gift_eval",
            example="results/<model>/all_results.csv, one row per dataset, eval_metrics/MASE[0.5] and others\n"
            "podium compare results/",
        ),
        LogFormat(
            name="fev",
            told="fev",
            home=f"{_HERE}.fev:read_fev",
            content=f"{_HERE}.fev:is_fev",
            example="results/<model>.csv, one row per model and task, with test_error\npodium compare results/",
        ),
        LogFormat(
            name="mteb",
            told="MTEB",
            home=f"{_HERE}.mteb:read_mteb",
            content=f"{_HERE}.mteb:is_mteb",
            example="results/<model>/<revision>/<task>.json with main_score\npodium compare results/",
        ),
        LogFormat(
            name="tabarena",
            told="TabArena",
            home=f"{_HERE}.tabarena:read_tabarena",
            content=f"{_HERE}.tabarena:is_tabarena",
            example="results_per_split.csv or .parquet with method, dataset, fold and metric_error\n"
            "podium compare results_per_split.csv --metric rmse",
        ),
        LogFormat(
            name="tabular_dl",
            told="TabR's reports",
            home=f"{_HERE}.tabular_dl:read_tabular_dl",
            content=f"{_HERE}.tabular_dl:is_tabular_dl",
            example="exp/<model>/<dataset>/0-evaluation/<seed>/report.json\npodium compare exp/ --metric accuracy",
        ),
        LogFormat(
            name="tsml",
            told="tsml and aeon",
            home=f"{_HERE}.tsml:read_tsml",
            content=f"{_HERE}.tsml:is_tsml",
            example="<estimator>/Predictions/<dataset>/testResample0.csv\npodium compare results/",
        ),
        LogFormat(
            name="trec",
            told="TREC",
            home=f"{_HERE}.trec:read_trec",
            content=f"{_HERE}.trec:is_trec",
            example="runs and a qrels file, packed by gzip or not; or what trec_eval -q printed of each run\n"
            "podium compare runs/ --metric ndcg_cut_10",
        ),
        LogFormat(
            name="optuna",
            told="Optuna",
            home=f"{_HERE}.optuna_store:read_optuna",
            content=f"{_HERE}.optuna_store:is_optuna",
            example="study.db (SQLite) with studies named 'sampler/problem/seed'\npodium compare study.db",
        ),
        LogFormat(
            name="mlflow",
            told="MLflow",
            home=f"{_HERE}.mlflow_store:read_mlflow",
            content=f"{_HERE}.mlflow_store:is_mlflow",
            example="mlruns/ or mlflow.db, runs with the parameters model, dataset and fold\n"
            "podium compare mlruns/ --metric accuracy",
        ),
        LogFormat(
            name="cv_results",
            told="scikit-learn's cv_results_",
            home=f"{_HERE}.cv_results:read_cv_results",
            content=f"{_HERE}.cv_results:is_cv_results",
            example="cv_results_<dataset>.csv or .json, split0_test_acc and others\n"
            "podium compare cv_results_wine.csv --metric acc",
        ),
        LogFormat(
            name="every_eval_ever",
            told="every_eval_ever",
            home=f"{_HERE}.every_eval_ever:read_every_eval_ever",
            content=f"{_HERE}.every_eval_ever:is_every_eval_ever",
            example="data/<source>/<developer>/<model>/<id>.json and <id>_samples.jsonl\npodium compare data/",
        ),
        LogFormat(
            name="alpaca_eval",
            told="AlpacaEval",
            home=f"{_HERE}.alpaca_eval:read_alpaca_eval",
            content=f"{_HERE}.alpaca_eval:is_alpaca_eval",
            example="results/<model>/<annotator>/annotations.json\npodium compare results/",
        ),
        LogFormat(
            name="challenge",
            told="challengeR",
            home=f"{_HERE}.challenge:read_challenge",
            content=f"{_HERE}.challenge:is_challenge",
            example="data_matrix.csv with task, alg_name, case and value\npodium compare data_matrix.csv --direction higher",
        ),
        LogFormat(
            name="battles",
            told="battles of an arena",
            home=f"{_HERE}.battles:read_battles",
            content=f"{_HERE}.battles:is_battles",
            example="battles.csv with model_a, model_b and winner: refused, with the way to go on\n"
            "podium compare win_rates.csv --case-column prompt",
        ),
        LogFormat(
            name="ioh",
            told="IOHprofiler",
            home=f"{_HERE}.ioh:read_ioh",
            content=f"{_HERE}.ioh:is_ioh",
            example="<algorithm>/IOHprofiler_f1_Sphere.json\npodium compare experiments/",
        ),
        LogFormat(
            name="sb3_monitor",
            told="Stable-Baselines3",
            home=f"{_HERE}.sb3_monitor:read_sb3_monitor",
            content=f"{_HERE}.sb3_monitor:is_sb3_monitor",
            example="<algorithm>/<environment>_1/0.monitor.csv\npodium compare logs/",
        ),
        LogFormat(
            name="rl_runs",
            told="runs of reinforcement learning",
            home=f"{_HERE}.rl_runs:read_rl_runs",
            content=f"{_HERE}.rl_runs:is_rl_runs",
            example="<agent>.json for each agent: {game: [score of each run]}, with HUMAN.json and RANDOM.json or not\n"
            "podium compare results/",
        ),
    )
}


def format_of(source: Any) -> Format | None:
    """The kind of an object or of a path that exists; a file with an ending of its own is taken for text."""
    for entry in FORMATS.values():
        if entry.recognised and load(entry.recognised)(source):
            return entry
    return format_of_name(source.name) if isinstance(source, Path) else None


def format_of_name(name: str) -> Format:
    """The kind of a file, by the ending of its name; one with an ending of its own is taken for text."""
    ending = Path(name).suffix.lower()
    return next((entry for entry in FORMATS.values() if ending in entry.endings), FORMATS["text"])


@cache
def log_formats() -> tuple[LogFormat, ...]:
    """The kinds of logs: those above, and those that installed packages add (entry points "podium.formats")."""
    from importlib.metadata import entry_points

    added = [point.load() for point in entry_points(group="podium.formats")]
    for entry in added:
        if not isinstance(entry, LogFormat):
            raise ArgumentError(
                f"An entry point of podium.formats names a {type(entry).__name__}: it must be a LogFormat."
            )
    return (*LOGS.values(), *added)


def load(home: str) -> Callable[..., Any]:
    """The function at "module:function"."""
    module, _, function = home.partition(":")
    found: Callable[..., Any] = getattr(import_module(module), function)
    return found


def endings(fits: Callable[[Format], bool] = lambda entry: True) -> tuple[str, ...]:
    """The endings of the files of some kinds.

    >>> endings(lambda entry: entry.name == "excel")
    ('.xlsx', '.xlsm')
    """
    return tuple(ending for entry in FORMATS.values() if fits(entry) for ending in entry.endings)


def told(fits: Callable[[Format], bool]) -> str:
    """Some kinds in words.

    >>> told(lambda entry: entry.is_text)
    'CSV, TSV, JSON or JSON Lines'
    """
    *most, last = [entry.told for entry in FORMATS.values() if fits(entry)]
    return f"{', '.join(most)} or {last}" if most else last
