"""What workers do with tables and stores: every task takes and gives plain values."""

from __future__ import annotations

import io
import json
import re
import tempfile
import zipfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import ArgumentError, DataError
from podium.web.costs import parsed_costs
from podium.web.reading import look, results_of
from podium.web.settings import Limits
from podium.web.uploads import Upload

if TYPE_CHECKING:
    from podium.comparison.comparison import Comparison
    from podium.core.results import Results
    from podium.report.document import Block

__all__ = ["compare", "example", "look", "order", "partial_report", "prepare", "progress", "reported"]

SHOWN_SECTIONS = ("verdict", "ranking", "diagram", "costs")
MOST_FAILURES = 200
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')


def prepare(*, warm_up: bool) -> None:
    """Import what most visitors need, before the first of them comes; and compile it, if that was never done."""
    import podium.comparison.compare
    import podium.core.read.reader
    import podium.report.documents
    import podium.report.render_html
    import podium.report.render_latex
    import podium.report.render_markdown
    from podium.core._examples import example

    if warm_up:
        reported(podium.comparison.compare.compare(example("benavoli2016")))


def example(*, name: str) -> str:
    """An example's scores as a long table."""
    from podium.core._examples import example as example_results

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.csv"
        example_results(name).write_csv(path)
        return path.read_text(encoding="utf-8")


def compare(*, upload: Upload, reading: dict[str, Any], limits: Limits, settings: dict[str, Any]) -> dict[str, Any]:
    """A comparison of the table, in every format."""
    from podium.comparison.compare import compare as compare_results

    results = results_of(upload, reading, limits)
    cost = _costs_of(settings.pop("costs"), results)
    return reported(compare_results(results, cost=cost, **settings))


def _costs_of(text: str | None, results: Results) -> Any:
    """The costs in a form: a metric of the table, numbers ("svm=3, knn=1"), or names, cheapest first."""
    if not text or text in results.costs:
        return text or None
    return parsed_costs(text)


def reported(comparison: Comparison, notes: list[str] | None = None) -> dict[str, Any]:
    """The files of a comparison, and the parts of it that a page shows at once."""
    from podium.report.documents import document
    from podium.report.html_blocks import section_html
    from podium.report.render_html import render_html
    from podium.report.render_json import render_csv, render_json
    from podium.report.render_latex import latex_files
    from podium.report.render_markdown import render_markdown

    report = document(comparison)
    html = render_html(report)
    policy = _POLICY.search(html)
    assert policy is not None
    page = {
        "title": report.title,
        "subtitle": report.subtitle,
        "notes": notes or [],
        "policy": policy[1].replace("&#39;", "'"),
        "sections": [section_html(section) for section in report.sections if section.key in SHOWN_SECTIONS],
    }
    texts = {
        "html": html,
        "json": render_json(report),
        "markdown": render_markdown(report),
        "csv": render_csv(report.tables()["pairs"]),
    }
    return {
        "page": page,
        "files": {"latex": _archive(latex_files(report)), **{form: text.encode() for form, text in texts.items()}},
    }


def _archive(texts: dict[str, str]) -> bytes:
    """The files of a LaTeX report, packed; with a fixed date, so that equal comparisons give equal files."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in texts.items():
            archive.writestr(zipfile.ZipInfo(f"latex/{name}", (1980, 1, 1, 0, 0, 0)), text, zipfile.ZIP_DEFLATED)
    return out.getvalue()


def order(*, upload: Upload, reading: dict[str, Any], limits: Limits, settings: dict[str, Any]) -> dict[str, Any]:
    """The order of the algorithms by score and cost: the JSON of `podium order`, and the page's part."""
    from podium.ordering._multi2test import multi2test, what_if
    from podium.ordering.costs import as_costs, combine_costs
    from podium.report.documents import document

    results = results_of(upload, reading, limits)
    scores = results.scores()
    matched: dict[str, Any] = {"datasets": scores.datasets, "algorithms": scores.algorithms}
    chosen = dict(settings)
    text, metrics, weights = chosen.pop("costs"), chosen.pop("cost_metrics"), chosen.pop("weights")
    metrics = metrics or ([] if text else list(results.costs))
    costs = [as_costs(results.scores(metric), **matched) for metric in metrics]
    if text:
        costs.append(as_costs(parsed_costs(text), name="the given costs", **matched))
    if not costs:
        raise ArgumentError("There are no costs: give them as svm=3, knn=1, or name the algorithms, cheapest first.")
    found = multi2test(scores, combine_costs(costs, weights=weights or None), **chosen)
    alone = [what_if(scores, {one.names[0]: one for one in costs}, **chosen)] if len(costs) > 1 else []
    data = json.dumps(document(found, *alone).data, ensure_ascii=False)
    return {"page": {"sections": [_order_section(found)]}, "files": {"json": data.encode()}}


def _order_section(found: Any) -> str:
    from podium.report.document import Paragraph, Section
    from podium.report.figures import figure_block
    from podium.report.html_blocks import section_html
    from podium.report.tables import frame_table

    blocks: tuple[Block, ...] = (
        Paragraph(text=found.summary()),
        frame_table("order", "The order, first the one to use.", found.to_frame()),
        figure_block("order_graph", found),
        *(Paragraph(text=note) for note in found.final.notes),
    )
    return section_html(Section(key="order", title="The order", blocks=blocks))


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
        "failures": [failure._asdict() for failure in failures[:MOST_FAILURES]],
        "more_failures": max(0, len(failures) - MOST_FAILURES),
    }


def partial_report(*, path: str, settings: dict[str, Any]) -> dict[str, Any]:
    """The comparison of what a run has finished so far."""
    from podium.bench.results import results_from_store
    from podium.comparison.compare import compare

    results = results_from_store(path)
    metric = settings.get("metric") or next((name for name, one in results.metrics.items() if not one.is_cost), None)
    if metric is None:
        raise DataError("No task has finished yet: wait for some scores.")
    scores = results.scores(metric)
    columns = dict(zip(scores.algorithms, scores.table().values.T, strict=True))
    scored = [name for name, column in columns.items() if any(value == value for value in column)]
    lacking = [name for name in columns if name not in scored]
    given = {**settings, "metric": metric, "algorithms": settings.get("algorithms") or scored}
    notes = [*results.notes, *([f"Left out, without any score so far: {', '.join(lacking)}."] if lacking else [])]
    return reported(compare(results, **given), notes)
