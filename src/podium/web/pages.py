"""The pages: every result has an address, every page says how to do the same in Python and on the command line."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import RedirectResponse, Response

from podium.core.errors import DataError, PodiumError, StoreError
from podium.web import tasks
from podium.web.errors import GoneError
from podium.web.forms import for_page, options_from
from podium.web.kept import Made
from podium.web.models import ComparisonOptions, OrderOptions, ReadingOptions
from podium.web.recipes import compare_recipe, order_recipe
from podium.web.service import FORMATS, Service
from podium.web.templating import page

__all__ = ["file_answer", "router", "service_of"]

router = APIRouter(include_in_schema=False)
EXAMPLES = ("benavoli2016", "ulas2008")
NEXT = {"compare": "/tables/{}", "order": "/tables/{}/order", "power": "/power?table={}"}


def service_of(request: Request) -> Service:
    """The server's own service."""
    service: Service = request.app.state.service
    return service


def start_page(request: Request, then: str, *, problem: str = "", status: int = 200) -> Response:
    """The page on which a table is dropped or pasted."""
    limits = service_of(request).settings.limits
    return page(request, "start.html", here=then, then=then, problem=problem, most=limits.upload_bytes, status=status)


@router.get("/")
async def start(request: Request) -> Response:
    """Drop or paste a table to compare."""
    return start_page(request, "compare")


@router.get("/order")
async def start_order(request: Request) -> Response:
    """Drop or paste a table to order by cost."""
    return start_page(request, "order")


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
            return start_page(request, then, problem=for_page(str(error)), status=422)
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
async def recognised(request: Request, table: str) -> Response:
    """What was recognised in a table, to be corrected, and what to compare."""
    return await _table_page(request, table, "compare")


@router.get("/tables/{table}/file")
async def table_file(request: Request, table: str) -> Response:
    """The table itself, as it was given: what was pasted becomes a file for the recipes."""
    upload = service_of(request).kept.table(table)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(upload.name)}"}
    return Response(upload.content, media_type="application/octet-stream", headers=headers)


@router.get("/tables/{table}/order")
async def recognised_for_order(request: Request, table: str) -> Response:
    """What was recognised in a table, to be corrected, and the costs to order by."""
    return await _table_page(request, table, "order")


async def _table_page(
    request: Request, table: str, here: str, *, sent: Any = None, problem: str = "", status: int = 200
) -> Response:
    """The page of a table; after a problem, with everything as it was chosen."""
    service = service_of(request)
    sent = request.query_params if sent is None else sent
    try:
        reading = options_from(ReadingOptions, sent)
    except PodiumError as error:
        reading, problem, status = ReadingOptions(), str(error), 422
    try:
        seen = await service.look(table, reading)
    except GoneError:
        raise
    except PodiumError as error:
        seen = await service.look(table, ReadingOptions())
        problem, status = str(error), 422
    return page(
        request,
        "table.html" if here == "compare" else "table_order.html",
        here=here,
        table=table,
        seen=seen,
        reading=reading,
        sent=sent,
        costs=[metric["name"] for metric in seen["metrics"] if metric["is_cost"]],
        problem=for_page(problem),
        question=for_page(seen["question"] or ""),
        status=status,
    )


@router.post("/tables/{table}/comparisons")
async def compare(request: Request, table: str) -> Response:
    """Compare as the form says, and go to the result."""
    return await _make(request, table, "comparison", ComparisonOptions)


@router.post("/tables/{table}/orders")
async def order(request: Request, table: str) -> Response:
    """Order by cost as the form says, and go to the result."""
    return await _make(request, table, "order", OrderOptions)


async def _make(request: Request, table: str, kind: str, model: type[ComparisonOptions | OrderOptions]) -> Response:
    here = "compare" if kind == "comparison" else "order"
    async with request.form(max_files=0, max_fields=5_000) as form:
        try:
            reading = options_from(ReadingOptions, form)
            options = options_from(model, form, prefix=f"{here}.")
            made = await service_of(request).make(kind, table, reading, options)
        except GoneError:
            raise
        except PodiumError as error:
            return await _table_page(request, table, here, sent=form, problem=str(error), status=422)
    return RedirectResponse(f"/{kind}s/{made}", status_code=303)


@router.get("/comparisons/{key}")
async def comparison_page(request: Request, key: str) -> Response:
    """A comparison: its verdict, its ranking, and everything to download."""
    made = service_of(request).kept.made(key, "comparison")
    asked = made.page["asked"]
    recipe = compare_recipe(asked["name"] or "suite.db", asked["reading"], asked["options"])
    here = "compare" if asked["table"] else "watch"
    return page(request, "comparison.html", here=here, key=key, recipe=recipe, **_shown(made, ""))


@router.get("/orders/{key}")
async def order_page(request: Request, key: str) -> Response:
    """An order by cost."""
    made = service_of(request).kept.made(key, "order")
    asked = made.page["asked"]
    recipe = order_recipe(asked["name"], asked["reading"], asked["options"])
    return page(request, "order.html", here="order", key=key, recipe=recipe, **_shown(made, "/order"))


def _shown(made: Made, form: str) -> dict[str, Any]:
    """What the page of a result shows, and the way back to the form that made it."""
    asked = made.page["asked"]
    chosen = asked["reading"].model_dump(exclude_defaults=True)
    texts = {name: ", ".join(value) if isinstance(value, list) else value for name, value in chosen.items()}
    back = f"/tables/{asked['table']}{form}?{urlencode(texts)}" if asked["table"] else None
    return {"made": made.page, "name": asked["name"], "back": back}


@router.get("/orders/{key}/json")
async def order_file(request: Request, key: str) -> Response:
    """An order by cost as JSON, as `podium order --json` prints it."""
    return file_answer(service_of(request).kept.made(key, "order"), "json", download=False)


@router.get("/comparisons/{key}/{form}")
async def comparison_file(request: Request, key: str, form: str) -> Response:
    """A file of a comparison, to be looked at or, with ?download, to be kept."""
    made = service_of(request).kept.made(key, "comparison")
    return file_answer(made, form, download="download" in request.query_params)


def file_answer(made: Made, form: str, *, download: bool) -> Response:
    """One format of a result; the report brings the policy that fits its own script and style."""
    if form not in made.files:
        raise GoneError(f"There is no such format; there are {', '.join(made.files)}.")
    media, name = FORMATS[form]
    policy = f"{made.page['policy']}; frame-ancestors 'none'" if form == "html" else "default-src 'none'"
    headers = {"Content-Security-Policy": policy}
    if download or form in ("latex", "csv"):
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
            problem = str(error)
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
