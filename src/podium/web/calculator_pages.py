"""The pages of the calculators: what is asked stands in the address, so that an answer can be kept and sent."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from podium.chance.registry import names
from podium.core.errors import PodiumError
from podium.web.calculators import CALCULATORS
from podium.web.errors import BusyError, FaultError, GoneError
from podium.web.forms import fields_of, options_from, said
from podium.web.models import Options, PowerOptions, ReadingOptions
from podium.web.pages import service_of
from podium.web.recipes import chance_recipe, power_recipe
from podium.web.templating import page

router = APIRouter(include_in_schema=False)


@router.get("/chance/chart.svg")
async def chart_picture(request: Request) -> Response:
    """The picture of the chart page."""
    return await chart_answer(request, options_from(CALCULATORS["chart"].model, request.query_params))


async def chart_answer(request: Request, options: Options) -> Response:
    """A chart as SVG."""
    picture = (await service_of(request).calculate("chart", options))["picture"]
    # A picture of our own making; its style stands within it.
    headers = {"Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'"}
    return Response(picture, media_type="image/svg+xml", headers=headers)


@router.get("/chance")
@router.get("/chance/{kind}")
async def chance(request: Request, kind: str = "value") -> Response:
    """One of the calculators; that of critical values is the first."""
    if kind not in CALCULATORS:
        raise GoneError(f"There is no such calculator; there are {', '.join(CALCULATORS)}.")
    calculator = CALCULATORS[kind]
    asked = request.query_params if len(request.query_params) else QueryParams(calculator.start)
    answer: dict[str, Any] = {"data": None, "sections": []}
    recipe, problem = None, ""
    try:
        options = options_from(calculator.model, asked)
        answer = await service_of(request).calculate(kind, options)
        recipe = chance_recipe(kind, calculator.used(options), answer["calls"])
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
        fields=fields_of(calculator.model),
        data=answer["data"],
        sections=answer["sections"],
        recipe=recipe,
        problem=problem,
        metrics=names(),
        status=422 if problem else 200,
    )


@router.get("/power")
async def power(request: Request) -> Response:
    """Power planning, with or without a pilot table."""
    service, asked = service_of(request), request.query_params
    answer: dict[str, Any] = {"sections": []}
    recipe, problem, question, seen = None, "", None, None
    try:
        options = options_from(PowerOptions, asked)
        reading = options_from(ReadingOptions, asked, prefix="reading.")
        if options.table is not None:
            seen = await service.look(options.table, reading)
            question = seen["question"]
        if question is None:
            answer = await service.power(options, reading)
            name = service.kept.table(options.table).name if options.table else None
            recipe = power_recipe(name, reading, options, answer["calls"])
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
        sections=answer["sections"],
        recipe=recipe,
        problem=problem,
        most=service.settings.limits.upload_bytes,
        then="power",
        status=422 if problem else 200,
    )
