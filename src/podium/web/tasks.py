"""What workers do: every task takes bytes and plain values, and gives plain values."""

from __future__ import annotations

import functools
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from podium.core.errors import ArgumentError
from podium.web import calculators, watching
from podium.web.costs import parsed_costs
from podium.web.reading import look, results_of
from podium.web.reporting import reported
from podium.web.settings import Limits
from podium.web.uploads import Upload

if TYPE_CHECKING:
    from podium.core.results import Results
    from podium.report.document import Block

__all__ = ["make_tasks", "prepare"]

Task = Callable[..., Any]


def make_tasks(limits: Limits) -> dict[str, Task]:
    """The tasks by name; those that read a table know how large it may be."""
    reading: dict[str, Task] = {"look": look, "compare": compare, "order": order, "power": calculators.power}
    return {
        **{name: functools.partial(task, limits=limits) for name, task in reading.items()},
        "chance_value": calculators.chance_value,
        "chance_pvalue": calculators.chance_pvalue,
        "chance_table": calculators.chance_table,
        "chance_plan": calculators.chance_plan,
        "chance_chart": calculators.chance_chart,
        "example": example,
        "watch": watching.progress,
        "watch_compare": watching.partial_report,
    }


def prepare(*, warm_up: bool) -> None:
    """Import what most visitors need, before the first of them comes; and compile it, if that was never done."""
    import podium
    import podium.comparison.compare
    import podium.core.read.reader
    import podium.report.documents
    import podium.report.render_html
    import podium.report.render_latex
    import podium.report.render_markdown

    if warm_up:
        reported(podium.compare(podium.example("benavoli2016")))


def example(_: bytes, *, name: str) -> str:
    """An example's scores as a long table."""
    import podium

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "example.csv"
        podium.example(name).write_csv(path)
        return path.read_text(encoding="utf-8")


def compare(
    content: bytes, *, limits: Limits, name: str, reading: dict[str, Any], settings: dict[str, Any]
) -> dict[str, Any]:
    """A comparison of the table, in every format."""
    from podium.comparison.compare import compare as compare_results

    results = results_of(Upload(name, content), reading, limits)
    given = {**settings, "costs": _costs_of(settings.get("costs"), results)}
    return reported(compare_results(results, **given))


def _costs_of(text: str | None, results: Results) -> Any:
    """The costs in a form: a metric of the table, numbers ("svm=3, knn=1"), or names, cheapest first."""
    if not text or text in results.costs:
        return text or None
    return parsed_costs(text)


def order(
    content: bytes, *, limits: Limits, name: str, reading: dict[str, Any], settings: dict[str, Any]
) -> dict[str, Any]:
    """The order of the algorithms by score and cost: the JSON of `podium order`, and the page's part."""
    from podium.cli.order import order_data
    from podium.ordering._multi2test import multi2test
    from podium.ordering.costs import as_costs, combine_costs

    results = results_of(Upload(name, content), reading, limits)
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
    alone = {one.names[0]: multi2test(scores, one, **chosen).order for one in costs} if len(costs) > 1 else {}
    return {"data": order_data(found, alone), "sections": [_order_section(found)]}


def _order_section(found: Any) -> str:
    from podium.plot.ordering import order_graph_layout
    from podium.report.document import FigureBlock, Paragraph, Section
    from podium.report.html_blocks import section_html
    from podium.report.tables import frame_table

    scene = order_graph_layout(found.prior, found.edges, order=found.order)
    blocks: tuple[Block, ...] = (
        Paragraph(text=found.summary()),
        frame_table("order", "The order, first the one to use.", found.to_frame()),
        FigureBlock(
            key="graph",
            scene=scene,
            caption="Cheapest first, from left to right; an arrow leads to what is significantly better at a higher cost.",
            alt=scene.description,
        ),
        *(Paragraph(text=note) for note in found.final.notes),
    )
    return section_html(Section(key="order", title="The order", blocks=blocks))
