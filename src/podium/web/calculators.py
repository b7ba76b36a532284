"""The calculators, within a worker: chance and power. Each gives the JSON of its command and the page's part."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from podium.core.errors import ArgumentError
from podium.core.result import Result, plain
from podium.web.reading import results_of
from podium.web.settings import Limits
from podium.web.uploads import Upload

if TYPE_CHECKING:
    import pandas as pd

    from podium.report.document import Block

__all__ = ["chance_chart", "chance_plan", "chance_pvalue", "chance_table", "chance_value", "power"]

MOST_TABLE_CELLS = 2_000


def chance_value(*, metric: str, **arguments: Any) -> dict[str, Any]:
    """The score that a winner must exceed."""
    from podium.chance.best_of import critical_value
    from podium.chance.registry import names
    from podium.chance.simulate import simulated_critical_value

    if metric in names(exact=False):
        return _answer(simulated_critical_value(metric, **arguments, rng=0))
    return _answer(critical_value(metric, **arguments))


def chance_pvalue(**arguments: Any) -> dict[str, Any]:
    """How often the best of C random rankings scores at least this."""
    from podium.chance.best_of import pvalue as pvalue_of

    return _answer(pvalue_of(**arguments))


def chance_table(
    *, metrics: list[str], positives: str, negatives: str, competitors: str, alphas: str
) -> dict[str, Any]:
    """Tables of critical values, as rows."""
    from podium.chance.tables import critical_table
    from podium.core.options import numbers, whole_numbers
    from podium.report.document import Paragraph

    axes: dict[str, Any] = {
        "positives": whole_numbers("positives", [positives]),
        "negatives": whole_numbers("negatives", [negatives]),
        "competitors": whole_numbers("competitors", [competitors]),
        "alphas": numbers("alphas", [alphas]),
    }
    cells = len(metrics)
    for axis in axes.values():
        cells *= max(1, len(axis))
    if cells > MOST_TABLE_CELLS:
        raise ArgumentError(f"The table would have {cells} cells: ask for at most {MOST_TABLE_CELLS} at once.")
    tables = [critical_table(metric, **axes) for metric in metrics]
    rows = [row for table in tables for row in table.to_frame().to_dict(orient="records")]
    blocks: list[Block] = []
    for table in tables:
        blocks += [Paragraph(text=table.summary()), *_grids(table)]
    return {"data": plain(rows), "section": _section("table", "Critical values", *blocks)}


def _grids(table: Any) -> list[Any]:
    """One grid per level and number of competitors, positives down and negatives across."""
    from podium.report.document import Column, TableBlock

    grids = []
    for a, alpha in enumerate(table.alphas):
        for c, competitors in enumerate(table.competitors):
            values = plain(table.values[a, c])
            grids.append(
                TableBlock(
                    key=f"grid_{table.metric}_{a}_{c}",
                    caption=f"{table.metric}: level {alpha:g}, {competitors} competitors; positives down, negatives across.",
                    columns=(
                        Column(key="positives", title="Positives", kind="count"),
                        *(Column(key=f"n{n}", title=str(n), kind="number", digits=4) for n in table.negatives),
                    ),
                    rows=tuple((P, *row) for P, row in zip(table.positives, values, strict=True)),
                )
            )
    return grids


def chance_plan(
    *,
    what: str,
    metrics: list[str],
    cases: int,
    score: float | None,
    share: float,
    auc: float | None,
    draws: int,
    positives: int,
    negatives: int,
    competitors: int,
    alpha: float,
) -> dict[str, Any]:
    """Planning a test set: its mix, its size, or what the number of competitors changes."""
    from podium.chance import plan

    if what == "mix":
        mix = plan.plan_mix(cases, metrics=metrics, competitors=competitors, alpha=alpha, auc=auc, draws=draws, rng=0)
        return _answer(mix, mix.best())
    metric = (metrics or ["auc"])[0]
    if what == "competitors":
        curve = plan.plan_competitors(metric, positives=positives, negatives=negatives, alpha=alpha, score=score)
        return _answer(curve, curve.to_frame().iloc[::4])
    if score is None:
        raise ArgumentError("Give the `score` that is hoped for, such as 0.65.")
    return _answer(plan.plan_cases(metric, score, share=share, competitors=competitors, alpha=alpha))


def chance_chart(
    *,
    chart: str,
    metrics: list[str],
    positives: int,
    negatives: int,
    competitors: int,
    alpha: float,
    score: float | None,
) -> str:
    """The picture of `podium chance chart`, as SVG."""
    from podium.cli.chance_charts import draw

    return draw(chart, metrics, positives, negatives, competitors, alpha, score).svg()


def power(
    *,
    upload: Upload | None = None,
    reading: dict[str, Any] | None = None,
    limits: Limits | None = None,
    effects: list[float],
    datasets: list[int],
    wanted: float | None,
    tests: list[str],
    repetitions: int,
    **shared: Any,
) -> dict[str, Any]:
    """Power, the datasets that are needed, or the smallest effect that a pilot could show, as `podium study power`."""
    from podium.studies import _power as studies

    pilot = results_of(upload, reading or {}, limits or Limits()).scores() if upload else None
    folds, seed = shared.pop("folds"), shared.pop("seed")
    if wanted is not None and effects:
        given = {**shared, "pilot": pilot, "wanted": wanted, "repetitions": repetitions, "rng": seed}
        return _answers([studies.datasets_needed(effect=effects[0], test=test, **given) for test in tests])
    if pilot is not None and not effects:
        goal = 0.8 if wanted is None else wanted
        given = {key: shared[key] for key in ("a", "b", "alpha")} | {"wanted": goal, "rng": seed}
        return _answers([studies.smallest_effect(pilot, test=test, **given) for test in tests])
    found = studies.power(
        tests=tests,
        effects=effects or [0.2, 0.5, 0.8],
        sizes=datasets or [10, 20, 40],
        pilot=pilot,
        folds=folds,
        repetitions=repetitions,
        rng=seed,
        **shared,
    )
    return {
        "data": {**found.to_dict(), "summary": found.summary()},
        "section": _section("power", "Power", *_power_blocks(found)),
    }


def _power_blocks(found: Any) -> list[Any]:
    from podium.report.document import Paragraph
    from podium.report.figures import figures_of
    from podium.report.tables import frame_table

    return [
        Paragraph(text=found.summary()),
        *figures_of(found),
        frame_table("power_table", "The power of each test.", found.to_frame()),
    ]


def _answers(found: list[Any]) -> dict[str, Any]:
    """Several results: the list that the command prints, and a sentence each."""
    from podium.report.document import Bullets

    sentences = Bullets(items=tuple(result.summary() for result in found))
    data = [{**result.to_dict(), "summary": result.summary()} for result in found]
    return {"data": data, "section": _section("power", "Answer", sentences)}


def _answer(result: Result, frame: pd.DataFrame | None = None) -> dict[str, Any]:
    """One result: the fields that the command prints as JSON, and the sentence and table for the page."""
    from podium.report.document import Paragraph
    from podium.report.tables import frame_table

    data = {key: value for key, value in result.to_dict().items() if key != "kind"}
    blocks: list[Block] = [Paragraph(text=result.summary())]
    if frame is not None:
        blocks.append(frame_table("answer_table", "In numbers.", frame))
    return {"data": {**data, "summary": result.summary()}, "section": _section("answer", "Answer", *blocks)}


def _section(key: str, title: str, *blocks: Any) -> str:
    from podium.report.document import Section
    from podium.report.html_blocks import section_html

    return section_html(Section(key=key, title=title, blocks=blocks))
