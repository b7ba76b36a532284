"""The pages of the calculators: what is asked stands in the address, so that an answer can be kept and sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from podium.chance.registry import names
from podium.core.errors import PodiumError
from podium.web import tasks
from podium.web.errors import BusyError, FaultError, GoneError
from podium.web.forms import fields_of, options_from, said
from podium.web.models import (
    ChanceChart,
    ChancePlan,
    ChancePvalue,
    ChanceTable,
    ChanceValue,
    Options,
    PowerOptions,
    ReadingOptions,
)
from podium.web.pages import service_of
from podium.web.recipes import chance_recipe, power_recipe
from podium.web.templating import page

router = APIRouter(include_in_schema=False)

CALCULATORS: dict[str, tuple[type[Options], Callable[..., Any]]] = {
    "value": (ChanceValue, tasks.chance_value),
    "pvalue": (ChancePvalue, tasks.chance_pvalue),
    "table": (ChanceTable, tasks.chance_table),
    "plan": (ChancePlan, tasks.chance_plan),
    "chart": (ChanceChart, tasks.chance_chart),
}
# Answers to look at before anything was asked: the KDD Cup of Forman and Cohen (2005).
STARTS = {
    "value": {"metric": "best_accuracy", "positives": "150", "negatives": "484", "competitors": "114", "alpha": "0.01"},
    "pvalue": {"metric": "auc", "score": "0.68", "positives": "50", "negatives": "50", "competitors": "10",
               "unattainable": "nearest"},
    "table": {"metrics": "auc", "positives": "20:100:20", "negatives": "20:100:20", "competitors": "10,100",
              "alphas": "0.01"},
    "plan": {"what": "mix", "cases": "100", "competitors": "10", "alpha": "0.05"},
    "chart": {"kind": "contours", "metrics": "auc", "positives": "100", "negatives": "100", "competitors": "1000",
              "alpha": "0.01"},
}  # fmt: skip


@router.get("/chance/chart.svg")
async def chart_picture(request: Request) -> Response:
    """The picture of the chart page."""
    return await chart_answer(request, options_from(ChanceChart, request.query_params))


async def chart_answer(request: Request, options: ChanceChart) -> Response:
    """A chart as SVG."""
    picture = await service_of(request).calculate(tasks.chance_chart, **options.given())
    # A picture of our own making; its style stands within it.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
    return Response(picture, media_type="image/svg+xml", headers=headers)


@router.get("/chance")
@router.get("/chance/{kind}")
async def chance(request: Request, kind: str = "value") -> Response:
    """One of the calculators; that of critical values is the first."""
    if kind not in CALCULATORS:
        raise GoneError(f"There is no such calculator; there are {', '.join(CALCULATORS)}.")
    model, task = CALCULATORS[kind]
    asked = request.query_params if len(request.query_params) else QueryParams(STARTS[kind])
    found: dict[str, Any] = {"data": None, "sections": []}
    recipe, problem = None, ""
    try:
        options = options_from(model, asked)
        recipe = chance_recipe(kind, options.given())
        answer = await service_of(request).calculate(task, **options.given())
        # A chart is shown as a picture; here it is known that there is one.
        found = found if kind == "chart" else answer
    except (BusyError, FaultError):
        raise
    except PodiumError as error:
        problem = said(error)
    return page(
        request,
        "chance.html",
        here="chance",
        kind=kind,
        asked=asked,
        query=str(asked),
        fields=fields_of(model),
        recipe=recipe,
        problem=problem,
        metrics=names(),
        status=422 if problem else 200,
        **found,
    )


@router.get("/power")
async def power(request: Request) -> Response:
    """Power planning, with or without a pilot table."""
    service, asked = service_of(request), request.query_params
    sections: list[str] = []
    recipe, problem, question, seen = None, "", None, None
    try:
        options = options_from(PowerOptions, asked)
        reading = options_from(ReadingOptions, asked, prefix="reading.")
        if options.table is not None:
            seen = await service.look(options.table, reading)
            question = seen["question"]
        if question is None:
            sections = (await service.power(options, reading))["sections"]
        recipe = power_recipe(service.kept.table(options.table).name if options.table else None, reading, options)
    except (BusyError, FaultError, GoneError):
        raise
    except PodiumError as error:
        problem = said(error)
    return page(
        request,
        "power.html",
        here="power",
        asked=asked,
        query=str(asked),
        fields=fields_of(PowerOptions),
        reading_fields=fields_of(ReadingOptions),
        seen=seen,
        question="" if question is None else said(question),
        sections=sections,
        recipe=recipe,
        problem=problem,
        most=service.settings.limits.upload_bytes,
        then="power",
        status=422 if problem else 200,
    )
