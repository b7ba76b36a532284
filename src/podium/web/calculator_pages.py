"""The pages of the calculators: what is asked stands in the address, so that an answer can be kept and sent."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request
from starlette.datastructures import QueryParams
from starlette.responses import Response

from podium.chance.registry import names
from podium.core.errors import PodiumError
from podium.web.calculators import CALCULATORS, Calculator, in_room
from podium.web.errors import BusyError, FaultError, GoneError
from podium.web.forms import fields_of, options_from, said
from podium.web.models import Options, ReadingOptions
from podium.web.pages import named_by, service_of
from podium.web.recipes import calculator_recipe
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
@router.get("/plan")
@router.get("/plan/{kind}")
async def calculator_page(request: Request, kind: str | None = None) -> Response:
    """One of the calculators of chance or of planning, some with a pilot table; the first of them opens the page."""
    room = request.scope["route"].path.split("/")[1]
    tabs = in_room(room)
    kind = next(iter(tabs)) if kind is None else kind
    if kind not in tabs:
        raise GoneError(f"There is no such calculator; there are {', '.join(tabs)}.")
    service, calculator = service_of(request), tabs[kind]
    asked = QueryParams([*_start(calculator, request.query_params), *request.query_params.multi_items()])
    answer: dict[str, Any] = {"data": None, "sections": []}
    recipe, error, seen = None, None, None
    try:
        options = options_from(calculator.model, asked)
        reading = options_from(ReadingOptions, asked, prefix="reading.")
        table = getattr(options, "table", None)
        seen = (
            None if table is None else await service.look(table, reading.model_copy(update={"unit": calculator.unit}))
        )
        if seen is None or seen["question"] is None:
            answer = await service.calculate(kind, options, reading)
            name = None if table is None else service.kept.table(table).name
            recipe = calculator_recipe(kind, calculator.used(options), answer["calls"], name, reading)
    except (BusyError, FaultError, GoneError):
        raise
    except PodiumError as wrong:
        error = wrong
    question = None if seen is None else seen["question"]
    return page(
        request,
        "calculator.html",
        here=room,
        kind=kind,
        tabs=tabs,
        asked=asked,
        query=str(asked),
        fields=fields_of(calculator.model),
        hidden=calculator.hidden(pilot=seen is not None),
        reading_fields=fields_of(ReadingOptions),
        seen=seen,
        question="" if question is None else said(question),
        data=answer["data"],
        sections=answer["sections"],
        recipe=recipe,
        problem="" if error is None else said(error),
        asks=named_by(error, question),
        metrics=names(),
        most=service.settings.limits.upload_bytes,
        then=kind,
        status=200 if error is None else 422,
    )


def _start(calculator: Calculator, asked: QueryParams) -> list[tuple[str, str]]:
    """The question that a calculator opens with, as an address has it: with a pilot table alone, only what one must say."""
    if set(asked) - {"table"}:
        return []
    needed = {option.name for option in calculator.model.declared if not asked or option.default is ...}
    texts = [(name, item) for name, value in calculator.start.items() if name in needed for item in _items(value)]
    return [(name, str(item)) for name, item in texts]


def _items(value: Any) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,)
