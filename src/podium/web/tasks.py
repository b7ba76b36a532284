"""What workers do: every task takes plain values and gives plain values, and HTML that the report room has escaped."""

from __future__ import annotations

import io
import re
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import ArgumentError, DataError
from podium.evidence.results import Results
from podium.web.reading import Evidence, evidence_of, results_of
from podium.web.reading import look as look
from podium.web.settings import Limits
from podium.web.uploads import Upload, checked_upload

if TYPE_CHECKING:
    from podium.core.result import Result
    from podium.report.document import Document

SHOWN_SECTIONS = ("verdict", "ranking", "aggregates", "costs", "result", "figures")
MOST_FAILURES = 200
MOST_TABLE_CELLS = 2_000
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def prepare() -> None:
    """Do once what most visitors ask for, before the first of them comes: it imports, and compiles if that was never done."""
    table = checked_upload("example.csv", example(name="benavoli2016").encode(), Limits())
    given: dict[str, Any] = {"upload": table, "reading": {}, "limits": Limits()}
    look(**given)
    compare(**given, settings={"cost": None}, changes="", forms=("json",))


def example(*, name: str) -> str:
    """An example's scores as a long table."""
    from podium.reading._examples import example as example_results

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.csv"
        example_results(name).write_csv(path)
        return path.read_text(encoding="utf-8")


def compare(
    *, upload: Upload, reading: dict[str, Any], limits: Limits, settings: dict[str, Any], **asked: Any
) -> dict[str, Any]:
    """A comparison of the table."""
    return _compared(evidence_of(upload, reading, limits), settings, **asked)


def _compared(
    results: Evidence, settings: dict[str, Any], *, changes: str, forms: Sequence[str], notes: Sequence[str] = ()
) -> dict[str, Any]:
    """A comparison; what was `changes` after looking is the first remark on it."""
    from podium.comparison.compare import compare
    from podium.comparison.comparison import Remark
    from podium.report.documents import document

    text = settings["cost"]
    cost = None if text is None else _cost_of(text, results)
    found = compare(results, **{**settings, "cost": cost})
    if changes:
        remark = Remark(topic="chosen after looking", sentence=changes, weight="warning")
        found = replace(found, remarks=(remark, *found.remarks))
    report = document(found, drawn=SHOWN_SECTIONS if set(forms) <= {"json", "csv"} else True)
    return reported(report, results, notes=[*notes, *([changes] if changes else [])], forms=forms)


def order(
    *,
    upload: Upload,
    reading: dict[str, Any],
    limits: Limits,
    settings: dict[str, Any],
    changes: str,
    forms: Sequence[str],
) -> dict[str, Any]:
    """The order of the algorithms by score and cost."""
    from podium.ordering._multitest import MultiTestResult
    from podium.ordering.order import order as order_results
    from podium.report.documents import document

    results = results_of(upload, reading, limits)
    cost = [_cost_of(text, results) for text in settings["cost"]] or None
    if cost is None and not results.costs:
        raise ArgumentError("There are no costs: give them as svm=3, knn=1, or name the algorithms, cheapest first.")
    found = order_results(results, **{**settings, "cost": cost})
    final = found if isinstance(found, MultiTestResult) else found.final
    added = [changes] if changes else []
    return reported(document(found, notes=[*final.notes, *added]), results, notes=added, forms=forms)


def _cost_of(text: str, results: Evidence) -> Any:
    """A cost in a form: a metric of the table, numbers, or names. It is never the path of a file."""
    from podium.ordering.costs import typed_costs

    return text if text in getattr(results, "metrics", ()) else typed_costs(text)


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
        return _archive(latex_files(report))
    renderers = {"html": render_html, "markdown": render_markdown, "json": render_json, "csv": render_main_table}
    return renderers[form](report).encode()


def _sections(report: Document) -> list[str]:
    from podium.report.html_blocks import section_html

    return [section_html(section) for section in report.sections if section.key.startswith(SHOWN_SECTIONS)]


def _archive(texts: dict[str, str]) -> bytes:
    """The files of a LaTeX report, packed; with a fixed date, so that equal results give equal files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(f"latex/{name}", (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def _answer(*results: Result, drawn: bool = True) -> dict[str, Any]:
    """The answer of a calculator: what the command prints as JSON, and the sections of its page."""
    from podium.report.documents import document

    report = document(*results, drawn=drawn)
    return {"data": report.data, "sections": _sections(report)}


def chance_value(*, metric: str, **arguments: Any) -> dict[str, Any]:
    """The score that a winner must exceed."""
    from podium.chance.best_of import critical_value
    from podium.chance.registry import names
    from podium.chance.simulate import simulated_critical_value

    if metric in names(exact=False):
        return _answer(simulated_critical_value(metric, **arguments, rng=0))
    return _answer(critical_value(metric, **arguments))


def chance_pvalue(**arguments: Any) -> dict[str, Any]:
    """How often the best of C random rankings scores at least this much."""
    from podium.chance.best_of import pvalue

    return _answer(pvalue(**arguments))


def chance_table(*, metrics: list[str], alphas: str, **sizes: str) -> dict[str, Any]:
    """Tables of critical values."""
    from podium.chance.tables import critical_table
    from podium.core.options import numbers, whole_numbers

    axes: dict[str, Any] = {name: whole_numbers(name, [text]) for name, text in sizes.items()}
    axes["alphas"] = numbers("alphas", [alphas])
    cells = len(metrics)
    for axis in axes.values():
        cells *= max(1, len(axis))
    if cells > MOST_TABLE_CELLS:
        raise ArgumentError(f"The table would have {cells} cells: ask for at most {MOST_TABLE_CELLS} at once.")
    return _answer(*(critical_table(metric, **axes) for metric in metrics), drawn=False)


def chance_plan(*, what: str, metrics: list[str], cases: int, score: float | None, **asked: Any) -> dict[str, Any]:
    """Planning a test set: its mix, its size, or what the number of competitors changes."""
    from podium.planning import positives as plan

    def chosen(*names: str) -> dict[str, Any]:
        return {name: asked[name] for name in names}

    metric = (metrics or ["auc"])[0]
    if what == "mix":
        return _answer(plan.plan_mix(cases, metrics=metrics, rng=0, **chosen("competitors", "alpha", "auc", "draws")))
    if what == "competitors":
        return _answer(plan.plan_competitors(metric, score=score, **chosen("positives", "negatives", "alpha")))
    if score is None:
        raise ArgumentError("Give the {argument} that is hoped for, such as 0.65.", argument="score")
    return _answer(plan.plan_cases(metric, score, **chosen("share", "competitors", "alpha")))


def chance_chart(**arguments: Any) -> str:
    """The picture of `podium chance chart`, as SVG."""
    from podium.plot.chance import chart

    return chart(**arguments).svg()


def power(
    *,
    upload: Upload | None = None,
    reading: dict[str, Any] | None = None,
    limits: Limits | None = None,
    **asked: Any,
) -> dict[str, Any]:
    """Power, the datasets that are needed, or the smallest effect that a pilot could show, as `podium study power`."""
    from podium.planning._power import planned

    pilot = results_of(upload, reading or {}, limits or Limits()).scores() if upload else None
    return _answer(*planned(pilot, **asked))


def progress(*, path: str) -> dict[str, Any]:
    """How far a run is: tasks by status, each algorithm's tasks, failures with their messages."""
    from podium.bench.store import FINAL, open_store

    with open_store(path) as store:
        suite, counts = store.definition(), store.counts()
        rows = store.rows(
            "SELECT algorithm, sum(status = 'ok'), sum(status IS NOT NULL AND status != 'ok'), sum(status IS NULL) "
            "FROM task WHERE planned GROUP BY algorithm ORDER BY algorithm"
        )
        started, finished = store.rows("SELECT started, finished FROM run ORDER BY id DESC LIMIT 1")[0]
        failures = store.failures()
    return {
        "suite": str(suite["name"]),
        "planned": sum(counts.values()),
        "done": sum(counts.get(status, 0) for status in FINAL),
        "counts": counts,
        "started": started,
        "finished": finished,
        "algorithms": [
            {"algorithm": name, "ok": ok or 0, "failed": bad or 0, "waiting": waiting or 0}
            for name, ok, bad, waiting in rows
        ],
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
    made = _compared(results, {**settings, **chosen}, notes=notes, **asked)
    return {**made, "page": {**made["page"], "chosen": chosen}}
