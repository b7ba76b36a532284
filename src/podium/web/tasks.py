"""What workers do: every task takes plain values and gives plain values, and HTML that the report room has escaped."""

from __future__ import annotations

import inspect
import math
import re
import tempfile
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import ArgumentError, DataError
from podium.evidence.cases import Cases
from podium.evidence.results import Results
from podium.evidence.scores import Scores
from podium.web.reading import Evidence, evidence_of, results_of
from podium.web.reading import look as look
from podium.web.settings import Limits
from podium.web.uploads import Upload, archive_of, checked_upload

if TYPE_CHECKING:
    from podium.report.document import Document

SHOWN_SECTIONS = ("verdict", "ranking", "aggregates", "costs", "result", "figures")
MOST_FAILURES = 200
MOST_TABLE_CELLS = 2_000
MOST_TILES = 2_000
_SHARES = (0.1, 0.25, 0.5, 0.75, 1, 1.25, 1.5)  # of the datasets that are needed: the places of the power curve
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def prepare() -> None:
    """Do once what most visitors ask for, before the first of them comes: it imports, and compiles if that was never done."""
    table = checked_upload("example.csv", example(name="benavoli2016").encode(), Limits())
    example_table: dict[str, Any] = {"upload": table, "reading": {}, "limits": Limits()}
    look(**example_table)
    compare(**example_table, settings={"cost": None}, changes="", forms=("json",))


def example(*, name: str) -> str:
    """An example's scores as a long table."""
    from podium.reading._examples import example as example_results

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.csv"
        example_results(name).write_csv(path)
        return path.read_text(encoding="utf-8")


def compare(*, settings: dict[str, Any], changes: str, forms: Sequence[str], **table: Any) -> dict[str, Any]:
    """A comparison of the table."""
    return _compared(evidence_of(**table), settings, changes=changes, forms=forms)


def _compared(
    results: Evidence, settings: dict[str, Any], *, changes: str, forms: Sequence[str], notes: Sequence[str] = ()
) -> dict[str, Any]:
    """A comparison; what was `changes` after looking is the first remark on it."""
    from podium.comparison.compare import compare
    from podium.comparison.comparison import Remark
    from podium.report.documents import document

    text = settings["cost"]
    cost = None if text is None else _cost_of(text, results)
    comparison = compare(results, **{**settings, "cost": cost})
    if changes:
        remark = Remark(topic="chosen after looking", sentence=changes, weight="warning")
        comparison = replace(comparison, remarks=(remark, *comparison.remarks))
    report = document(comparison, drawn=SHOWN_SECTIONS if set(forms) <= {"json", "csv"} else True)
    return reported(report, results, notes=[*notes, *([changes] if changes else [])], forms=forms)


def gate(
    *, reading: dict[str, Any], settings: dict[str, Any], changes: str, forms: Sequence[str], **table: Any
) -> dict[str, Any]:
    """Whether the candidate is not worse than the baseline by more than the margin."""
    from podium.cases._gate import gate as gate_cases
    from podium.cases.predictions import predictions_of
    from podium.evidence.predictions import PredictionTable
    from podium.report.documents import document

    cases = evidence_of(reading=reading | {"unit": "case"}, **table)
    added = [changes] if changes else []
    asked = {name: value for name, value in settings.items() if name != "positive"}
    scored: Any = cases
    if isinstance(cases, PredictionTable):
        scored = predictions_of(cases, positive=settings["positive"], missing=settings["missing"])
    result = gate_cases(scored, **asked)
    return reported(document(result, notes=added), cases, notes=added, forms=forms)


def order(*, settings: dict[str, Any], changes: str, forms: Sequence[str], **table: Any) -> dict[str, Any]:
    """The order of the algorithms by score and cost."""
    from podium.comparison.order import order as order_results
    from podium.ordering._multitest import MultiTestResult
    from podium.report.documents import document

    results = results_of(**table)
    cost = [_cost_of(text, results) for text in settings["cost"]] or None
    if cost is None and not results.costs:
        raise ArgumentError("There are no costs: give them as svm=3, knn=1, or name the algorithms, cheapest first.")
    ordered = order_results(results, **{**settings, "cost": cost})
    final = ordered if isinstance(ordered, MultiTestResult) else ordered.final
    added = [changes] if changes else []
    return reported(document(ordered, notes=[*final.notes, *added]), results, notes=added, forms=forms)


def _cost_of(text: str, results: Evidence) -> Any:
    """A cost in a form: a metric of the table, a formula of several, numbers, or names. It is never the path of a file."""
    from podium.ordering.costs import typed_costs
    from podium.ordering.formula import formula_of

    metrics = tuple(getattr(results, "metrics", ()))
    if text in metrics or (metrics and set("*/+") & set(text) and "=" not in text):
        return formula_of(text, metrics, "metric")
    return typed_costs(text)


def reported(
    report: Document, results: Evidence | None = None, *, notes: Sequence[str] = (), forms: Sequence[str] = ("json",)
) -> dict[str, Any]:
    """The parts of a report that a page shows at once, and some of its files; the page (HTML) brings a policy."""
    page: dict[str, Any] = {
        "title": report.title,
        "subtitle": report.subtitle,
        "notes": list(notes),
        "chosen": {},  # what was chosen besides the settings, for the recipe
        "sections": _sections(report),
        "algorithms": list(getattr(results, "algorithms", ())),
        "unit": getattr(results, "unit", "dataset"),
        "costs": list(results.costs) if isinstance(results, Results) else [],
    }
    files = {form: _file(report, form) for form in forms}
    policy = _POLICY.search(files["html"].decode()) if "html" in files else None
    return {"page": page, "files": files, "policy": policy[1].replace("&#39;", "'") if policy else ""}


def _file(report: Document, form: str) -> bytes:
    from podium.report.render_html import render_html
    from podium.report.render_json import render_json, render_main_table
    from podium.report.render_latex import latex_files
    from podium.report.render_markdown import render_markdown

    if form == "latex":
        texts = {f"latex/{name}": text for name, text in latex_files(report).items()}
        return archive_of(texts, zipfile.ZIP_DEFLATED)
    renderers = {"html": render_html, "markdown": render_markdown, "json": render_json, "csv": render_main_table}
    return renderers[form](report).encode()


def _sections(report: Document, keys: tuple[str, ...] = SHOWN_SECTIONS) -> list[str]:
    from podium.report.html_blocks import section_html

    return [section_html(section) for section in report.sections if section.key.startswith(keys)]


class Code(str):
    """Python that stands as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def call_text(function: str, *positional: Any, **named: Any) -> str:
    """A call as Python writes it; what is None is left out."""
    parts = [*map(repr, positional), *(f"{key}={value!r}" for key, value in named.items() if value is not None)]
    return f"{function}({', '.join(parts)})"


def _pilot(evidence: Evidence) -> Scores | Cases:
    """What a plan can be made from: scores of datasets, or outcomes of cases."""
    if isinstance(evidence, Results):
        return evidence.scores()
    if isinstance(evidence, Cases):
        return evidence
    raise DataError("A plan starts from scores over datasets or from outcomes of test cases: give such a table.")


Calls = list[partial[Any]]  # of the functions of Python that answer what was asked


def answer(
    *,
    kind: str,
    options: dict[str, Any],
    upload: Upload | None = None,
    reading: dict[str, Any] | None = None,
    limits: Limits | None = None,
) -> dict[str, Any]:
    """The answer of a calculator: what the command prints as JSON, the sections of its page, and the calls of Python."""
    from podium.report.documents import document

    if upload is not None:
        options = {**options, "pilot": _pilot(evidence_of(upload, reading or {}, limits or Limits()))}
    calls = CALLS[kind](**options)
    results = [call() for call in calls]
    if kind == "chart":
        return {"data": None, "sections": [], "calls": [], "picture": results[0].svg()}
    report = document(*results, drawn=kind != "table")
    around = _power_around(results, **options) if kind in ("datasets", "cases") else None
    sections = [
        *_sections(report),
        *([] if around is None else _sections(document(around(), drawn=True), ("figures",))),
    ]
    return {"data": report.data, "sections": sections, "calls": [_text(call) for call in calls]}


def _text(call: partial[Any]) -> str:
    """A call as a recipe has it, without what is usual anyway."""
    bound = inspect.signature(call.func).bind(*call.args, **call.keywords)
    usual = {name: parameter.default for name, parameter in bound.signature.parameters.items()}

    def text(value: Any) -> Any:
        code = {Scores: "results.scores()", Cases: "results"}.get(type(value))
        return value if code is None else Code(code)

    options = {name: text(value) for name, value in bound.kwargs.items() if value != usual.get(name)}
    room = call.func.__module__.split(".")[1]
    return call_text(f"podium.{room}.{call.func.__name__}", *map(text, bound.args), **options)


def _value(*, metric: str, **options: Any) -> Calls:
    from podium.chance.best_of import critical_value
    from podium.chance.registry import names
    from podium.chance.simulate import simulated_critical_value

    if metric in names(exact=False):
        return [partial(simulated_critical_value, metric, **options, rng=0)]
    return [partial(critical_value, metric, **options)]


def _pvalue(*, metric: str, score: float, **options: Any) -> Calls:
    from podium.chance.best_of import pvalue

    return [partial(pvalue, metric, score, **options)]


def _table(*, metrics: list[str], alphas: str, **sizes: str) -> Calls:
    from podium.chance.tables import critical_table
    from podium.core.options import numbers, whole_numbers

    axes: dict[str, Any] = {name: whole_numbers(name, [text]) for name, text in sizes.items()}
    axes["alphas"] = numbers("alphas", [alphas])
    cells = len(metrics) * math.prod(max(1, len(axis)) for axis in axes.values())
    if cells > MOST_TABLE_CELLS:
        raise ArgumentError(f"The table would have {cells} cells: ask for at most {MOST_TABLE_CELLS} at once.")
    return [partial(critical_table, metric, **axes) for metric in metrics]


def _plan(**options: Any) -> Calls:
    from podium.planning.positives import planned

    if "auc" in options:
        options["rng"] = 0  # something is drawn
    return [planned(**options)]


def _chart(*, metrics: list[str] | None = None, score: float | None = None, **options: Any) -> Calls:
    from podium.plot.chance import chart

    return [partial(chart, metrics=metrics, score=score, **options)]


def _datasets(*, pilot: Any = None, **options: Any) -> Calls:
    from podium.planning._power import planned

    return planned(pilot, **{"effects": (), "sizes": (), "target_power": None, "folds": None, **options})


def _power_around(
    plans: Sequence[Any], *, target_power: float | None = None, **options: Any
) -> Callable[[], Any] | None:
    """The power of fewer and of more datasets or cases than are needed, for a picture; none where none are planned."""
    from podium.planning._plan import Plan
    from podium.planning._power import power
    from podium.planning.cases import power_by_cases

    best = [plan.designs[plan.best] for plan in plans if isinstance(plan, Plan) and plan.solved == "count"]
    if not best:
        return None
    most = max(design.count or 2 for design in best)
    sizes = sorted({max(2, math.ceil(most * share)) for share in _SHARES})
    if "effects" in options:
        return partial(power, **{**options, "effects": options["effects"][:1], "sizes": sizes})
    costs = ("case_cost", "sample_cost")
    asked = {name: value for name, value in options.items() if name not in costs}
    return partial(power_by_cases, sizes, samples=best[0].samples, **asked)


def _cases(**options: Any) -> Calls:
    from podium.planning.cases import plan

    return [partial(plan, **options)]


_CALLS: tuple[Callable[..., Calls], ...] = (_value, _pvalue, _table, _plan, _chart, _datasets, _cases)
CALLS = {call.__name__.removeprefix("_"): call for call in _CALLS}


def progress(*, path: str) -> dict[str, Any]:
    """How far a run is: tasks by status, by dataset and algorithm, and the failures with their messages."""
    from podium.bench.store import FINAL, open_store

    with open_store(path) as store:
        suite, counts = store.definition(), store.counts()
        rows = store.rows(
            "SELECT dataset, algorithm, sum(status = 'ok'), sum(status IS NOT NULL AND status != 'ok'), sum(status IS NULL) "
            "FROM task WHERE planned GROUP BY dataset, algorithm ORDER BY dataset, algorithm"
        )
        run, started, finished = store.rows("SELECT id, started, finished FROM run ORDER BY id DESC LIMIT 1")[0]
        ended, latest = store.rows(f"SELECT count(*), max(finished) FROM attempt WHERE run = {run}")[0]
        failures, remarks = store.failures(), store.remarks()
    tiles = {
        (dataset, algorithm): {"ok": ok or 0, "failed": failed or 0, "waiting": waiting or 0}
        for dataset, algorithm, ok, failed, waiting in rows
    }
    datasets, algorithms = (sorted({pair[place] for pair in tiles}) for place in (0, 1))
    shown = datasets[: max(1, MOST_TILES // max(1, len(algorithms)))]
    waiting = sum(tile["waiting"] for tile in tiles.values())
    return {
        "suite": str(suite["name"]),
        "planned": sum(counts.values()),
        "seconds_left": None if finished or not ended else (latest - started) / ended * waiting,
        "done": sum(counts.get(status, 0) for status in FINAL),
        "counts": counts,
        "started": started,
        "finished": finished,
        "algorithms": algorithms,
        "tiles": {dataset: [tiles.get((dataset, name)) for name in algorithms] for dataset in shown},
        "more_datasets": len(datasets) - len(shown),
        "remarks": list(remarks),
        "failures": failures[:MOST_FAILURES].to_dict("records"),
        "more_failures": max(0, len(failures) - MOST_FAILURES),
    }


def partial_report(*, path: str, settings: dict[str, Any], **asked: Any) -> dict[str, Any]:
    """The comparison of what a run has finished so far."""
    from podium.bench.results import results_from_store

    results = results_from_store(path)
    metric = settings["metric"] or next((name for name, one in results.metrics.items() if not one.is_cost), None)
    if metric is None:
        raise DataError("No task has finished yet: wait for some scores.")
    scores = results.scores(metric)
    columns = dict(zip(scores.algorithms, scores.table().values.T, strict=True))
    scored = [name for name, column in columns.items() if any(value == value for value in column)]
    lacking = [name for name in columns if name not in scored]
    notes = [*results.notes, *([f"Left out, without any score so far: {', '.join(lacking)}."] if lacking else [])]
    chosen = {"metric": metric, **({"algorithms": scored} if lacking and not settings["algorithms"] else {})}
    report = _compared(results, {**settings, **chosen}, notes=notes, **asked)
    return {**report, "page": {**report["page"], "chosen": chosen}}
