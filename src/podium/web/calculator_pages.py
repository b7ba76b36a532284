"""The pages of the calculators: what is asked stands in the address, so that an answer can be kept and sent."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fastapi import APIRouter, Request
from pydantic import BaseModel
from starlette.datastructures import QueryParams
from starlette.responses import Response

from podium.chance.registry import names
from podium.core.errors import PodiumError
from podium.web.calculators import chance_chart, chance_plan, chance_pvalue, chance_table, chance_value
from podium.web.errors import BusyError, FaultError, GoneError
from podium.web.forms import for_page, options_from
from podium.web.models import (
    ChanceChart,
    ChancePlan,
    ChancePvalue,
    ChanceTable,
    ChanceValue,
    PowerOptions,
    ReadingOptions,
)
from podium.web.pages import service_of
from podium.web.recipes import chance_recipe, power_recipe
from podium.web.templating import page

__all__ = ["chart_answer", "router"]

router = APIRouter(include_in_schema=False)

MODELS: dict[str, type[BaseModel]] = {
    "value": ChanceValue,
    "pvalue": ChancePvalue,
    "table": ChanceTable,
    "plan": ChancePlan,
    "chart": ChanceChart,
}
TASKS: dict[str, Callable[..., Any]] = {
    "value": chance_value,
    "pvalue": chance_pvalue,
    "table": chance_table,
    "plan": chance_plan,
}
# Answers to look at before anything was asked: the KDD Cup of Forman and Cohen (2005).
STARTS = {
    "value": {"metric": "best_accuracy", "positives": "150", "negatives": "484", "competitors": "114", "alpha": "0.01"},
    "pvalue": {"metric": "auc", "score": "0.68", "positives": "50", "negatives": "50", "competitors": "10",
               "unattainable": "nearest"},
    "table": {"metrics": "auc", "positives": "20:100:20", "negatives": "20:100:20", "competitors": "10,100",
              "alphas": "0.01"},
    "plan": {"what": "mix", "cases": "100", "competitors": "10", "alpha": "0.05"},
    "chart": {"chart": "contours", "metrics": "auc", "positives": "100", "negatives": "100", "competitors": "1000",
              "alpha": "0.01"},
}  # fmt: skip


@router.get("/chance")
async def chance(request: Request) -> Response:
    """The calculator of critical values is the first."""
    return await _chance_page(request, "value")


@router.get("/chance/chart.svg")
async def chart_picture(request: Request) -> Response:
    """The picture of the chart page."""
    return await chart_answer(request, options_from(ChanceChart, request.query_params))


async def chart_answer(request: Request, options: ChanceChart) -> Response:
    """A chart as SVG."""
    picture = await service_of(request).calculate(chance_chart, **options.given())
    # A picture of our own making; its style stands within it.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
    return Response(picture, media_type="image/svg+xml", headers=headers)


@router.get("/chance/{kind}")
async def chance_kind(request: Request, kind: str) -> Response:
    """One of the calculators."""
    if kind not in MODELS:
        raise GoneError(f"There is no such calculator; there are {', '.join(MODELS)}.")
    return await _chance_page(request, kind)


async def _chance_page(request: Request, kind: str) -> Response:
    asked = request.query_params if len(request.query_params) else QueryParams(STARTS[kind])
    section, recipe, problem, data = "", None, "", None
    try:
        options: Any = options_from(MODELS[kind], asked)
        recipe = chance_recipe(kind, options.given())
        if kind != "chart":
            found = await service_of(request).calculate(TASKS[kind], **options.given())
            section, data = found["section"], found["data"]
    except (BusyError, FaultError):
        raise
    except PodiumError as error:
        problem = for_page(str(error))
    return page(
        request,
        f"chance_{kind}.html",
        here="chance",
        kind=kind,
        asked=asked,
        query=str(asked),
        section=section,
        data=data,
        recipe=recipe,
        problem=problem,
        metrics=names(),
        status=422 if problem else 200,
    )


@router.get("/power")
async def power(request: Request) -> Response:
    """Power planning, with or without a pilot table."""
    service, asked = service_of(request), request.query_params
    section, recipe, problem, seen = "", None, "", None
    try:
        options = options_from(PowerOptions, asked)
        reading = options_from(ReadingOptions, asked, prefix="reading.")
        if options.table is not None:
            seen = await service.look(options.table, reading)
        if not options.table or not (seen and seen["question"]):
            found = await service.power(options, reading)
            section = found["section"]
        recipe = power_recipe(service.kept.table(options.table).name if options.table else None, reading, options)
    except (BusyError, FaultError, GoneError):
        raise
    except PodiumError as error:
        problem = for_page(str(error))
    limits = service.settings.limits
    return page(
        request,
        "power.html",
        here="power",
        asked=asked,
        query=str(asked),
        seen=seen,
        question=for_page((seen or {}).get("question") or ""),
        section=section,
        recipe=recipe,
        problem=problem,
        most=limits.upload_bytes,
        then="power",
        status=422 if problem else 200,
    )
