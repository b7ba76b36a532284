"""The pages: every result has an address, every page says how to do the same in Python and on the command line."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, QueryParams, UploadFile
from starlette.responses import RedirectResponse, Response

from podium.core.errors import DataError, PodiumError, StoreError
from podium.web import tasks
from podium.web.errors import GoneError
from podium.web.forms import fields_of, options_from, said
from podium.web.models import ComparisonOptions, Options, OrderOptions, ReadingOptions
from podium.web.recipes import Recipe, compare_recipe, order_recipe
from podium.web.service import FORMATS, Service
from podium.web.templating import page

router = APIRouter(include_in_schema=False)
EXAMPLES = ("benavoli2016", "ulas2008")
HERE = {"comparison": "compare", "order": "order"}  # the place in the navigation, and the prefix of its fields
MODELS: dict[str, type[Options]] = {"comparison": ComparisonOptions, "order": OrderOptions}
RECIPES: dict[str, Callable[..., Recipe]] = {"comparison": compare_recipe, "order": order_recipe}
NEXT = {"compare": "/tables/{}", "order": "/tables/{}/order", "power": "/power?table={}"}


def service_of(request: Request) -> Service:
    """The server's own service."""
    service: Service = request.app.state.service
    return service


def kind_of(request: Request) -> str:
    """What a page or file is about, by the address of its route."""
    return "order" if "order" in request.scope["route"].path else "comparison"


def start_page(request: Request, then: str, *, problem: str = "", status: int = 200) -> Response:
    """The page on which a table is dropped or pasted."""
    limits = service_of(request).settings.limits
    return page(request, "start.html", here=then, then=then, problem=problem, most=limits.upload_bytes, status=status)


@router.get("/")
@router.get("/order")
async def start(request: Request) -> Response:
    """Drop or paste a table to compare, or to order by cost."""
    return start_page(request, HERE[kind_of(request)])


@router.post("/tables")
async def upload(request: Request) -> Response:
    """Take a table, and go on to what was recognised in it."""
    service = service_of(request)
    limit = service.settings.limits.upload_bytes
    async with request.form(max_files=1, max_fields=20, max_part_size=limit) as form:
        then = str(form.get("then", "compare"))
        then = then if then in NEXT else "compare"
        try:
            name, content = await _sent(service, form)
            table = service.add_table(name, content)
            await service.look(table, ReadingOptions())  # what cannot be a table is refused here, in the page
        except PodiumError as error:
            return start_page(request, then, problem=said(error), status=422)
    return RedirectResponse(NEXT[then].format(table), status_code=303)


async def _sent(service: Service, form: FormData) -> tuple[str, bytes]:
    """The table in a form: an example, a file, or what was pasted."""
    example, file, text = form.get("example"), form.get("file"), form.get("text")
    if isinstance(example, str) and example:
        if example not in EXAMPLES:
            raise DataError(f"There is no example {example!r}.")
        return f"{example}.csv", str(await service.calculate(tasks.example, name=example)).encode()
    if isinstance(file, UploadFile) and file.filename:
        return file.filename, await file.read()
    if isinstance(text, str) and text.strip():
        name = str(form.get("name") or "").strip() or "pasted.csv"
        return name, text.encode()
    raise DataError("Choose a file, or paste a table with its header line.")


@router.get("/tables/{table}")
@router.get("/tables/{table}/order")
async def recognised(request: Request, table: str) -> Response:
    """What was recognised in a table, to be corrected, and what to compare or the costs to order by."""
    return await _table_page(request, table)


@router.get("/tables/{table}/file")
async def table_file(request: Request, table: str) -> Response:
    """The table itself, as it was given: what was pasted becomes a file for the recipes."""
    upload = service_of(request).kept.table(table)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(upload.name)}"}
    return Response(upload.content, media_type="application/octet-stream", headers=headers)


async def _table_page(request: Request, table: str, *, sent: Any = None, error: PodiumError | None = None) -> Response:
    """The page of a table; after a problem, with everything as it was chosen."""
    service, kind = service_of(request), kind_of(request)
    sent = request.query_params if sent is None else sent
    reading = ReadingOptions()
    try:
        reading = options_from(ReadingOptions, sent)
        seen = await service.look(table, reading)
    except GoneError:
        raise
    except PodiumError as problem:
        error = problem
        seen = await service.look(table, ReadingOptions())
    question = seen["question"]
    return page(
        request,
        "table.html",
        here=HERE[kind],
        table=table,
        seen=seen,
        sent=sent,
        fields=fields_of(MODELS[kind]),
        reading_fields=fields_of(ReadingOptions),
        costs=[metric["name"] for metric in seen["metrics"] if metric["is_cost"]],
        problem="" if error is None else said(error),
        question="" if question is None else said(question),
        asks=[] if question is None else [*question.fields.get("options", []), question.fields.get("argument", "")],
        status=200 if error is None else 422,
    )


@router.post("/tables/{table}/comparisons")
@router.post("/tables/{table}/orders")
async def make(request: Request, table: str) -> Response:
    """Compare or order by cost as the form says, and go to the result."""
    kind = kind_of(request)
    async with request.form(max_files=0, max_fields=5_000) as form:
        try:
            reading = options_from(ReadingOptions, form)
            options = options_from(MODELS[kind], form, prefix=f"{HERE[kind]}.")
            made = await service_of(request).make(kind, table, reading, options)
        except GoneError:
            raise
        except PodiumError as error:
            return await _table_page(request, table, sent=form, error=error)
    return RedirectResponse(f"/{kind}s/{made}", status_code=303)


@router.get("/comparisons/{key}")
@router.get("/orders/{key}")
async def result_page(request: Request, key: str) -> Response:
    """A comparison or an order by cost: what it says, everything to download, and the settings to compute it again."""
    kind = kind_of(request)
    made = service_of(request).kept.made(key, kind)
    asked = made.page["asked"]
    table, reading, here = asked["table"], _texts(asked["reading"]), HERE[kind]
    sent = [(f"{here}.{name}", text) for name, text in _texts(asked["options"])]
    back = f"/tables/{table}{'/order' if kind == 'order' else ''}?{urlencode([*reading, *sent])}"
    return page(
        request,
        "result.html",
        here=here if table else "watch",
        made=made.page,
        asked=asked,
        address=f"/{kind}s/{key}",
        again=f"/tables/{table}/{kind}s" if table else "/watch/report",
        back=back if table else "/watch",
        reading=reading,
        sent=QueryParams(sent),
        fields=fields_of(MODELS[kind]),
        recipe=RECIPES[kind](asked["name"] or "suite.db", asked["reading"], asked["options"]),
    )


def _texts(options: Options) -> list[tuple[str, str]]:
    """The options that differ from the usual, as a form sends them."""
    chosen = options.chosen().items()
    return [(name, str(one)) for name, value in chosen for one in (value if isinstance(value, list) else [value])]


@router.get("/comparisons/{key}/{form}")
@router.get("/orders/{key}/{form}")
async def result_file(request: Request, key: str, form: str) -> Response:
    """One format of a result, to be looked at or, with ?download, to be kept.

    The report brings the policy that fits its own script and style.
    """
    made = service_of(request).kept.made(key, kind_of(request))
    if form not in FORMATS:
        raise GoneError(f"There is no such format; there are {', '.join(FORMATS)}.")
    media, name = FORMATS[form]
    policy = f"{made.page['policy']}; frame-ancestors 'none'" if form == "html" else "default-src 'none'"
    headers = {"Content-Security-Policy": policy}
    if "download" in request.query_params or form in ("latex", "csv"):
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(made.files[form], media_type=media, headers=headers)


@router.get("/watch")
async def watch(request: Request) -> Response:
    """The page that follows a run."""
    return await _progress(request, "watch.html")


@router.get("/watch/progress")
async def progress(request: Request) -> Response:
    """The part of it that changes."""
    return await _progress(request, "progress.html")


async def _progress(request: Request, template: str) -> Response:
    service = service_of(request)
    seen, problem = None, ""
    if service.settings.watch is not None:
        try:
            seen = await service.progress()
        except StoreError as error:  # not there yet: the page asks again
            problem = said(error)
    store = "suite.db" if service.settings.watch is None else service.settings.watch.name
    recipe = {
        "python": f"from podium.bench.results import results_from_store\n\nresults = results_from_store({store!r})",
        "command": f"podium status {store} --failures",
    }
    return page(request, template, here="watch", seen=seen, problem=problem, recipe=recipe)


@router.post("/watch/report")
async def partial_report(request: Request) -> Response:
    """Compare what has been finished so far, and go to the result."""
    async with request.form(max_files=0, max_fields=50) as form:
        options = options_from(ComparisonOptions, form, prefix="compare.")
    made = await service_of(request).partial_report(options)
    return RedirectResponse(f"/comparisons/{made}", status_code=303)
