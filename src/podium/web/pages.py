"""The pages: every result has an address, every page says how to do the same in Python and on the command line."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, UploadFile
from starlette.responses import JSONResponse, RedirectResponse, Response

from podium.core.errors import DataError, PodiumError
from podium.web.errors import GoneError
from podium.web.forms import for_page, options_from
from podium.web.models import ComparisonOptions, OrderOptions, ReadingOptions
from podium.web.recipes import compare_recipe, order_recipe
from podium.web.service import FORMATS, Service
from podium.web.templating import page

__all__ = ["router", "service_of"]

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
        return f"{example}.csv", str(await service.calculate("example", {"name": example})).encode()
    if isinstance(file, UploadFile) and file.filename:
        return file.filename, await file.read()
    if isinstance(text, str) and text.strip():
        name = str(form.get("name") or "").strip() or "pasted.csv"
        return name, text.encode()
    raise DataError("Choose a file, or paste a table with its header line.")


@router.get("/tables/{table}")
async def recognised(request: Request, table: str) -> Response:
    """What was recognised in a table, to be corrected, and what to compare."""
    return await _table_page(request, table, "table.html", "compare")


@router.get("/tables/{table}/file")
async def table_file(request: Request, table: str) -> Response:
    """The table itself, as it was given: what was pasted becomes a file for the recipes."""
    upload = service_of(request).table_of(table)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(upload.name)}"}
    return Response(upload.content, media_type="application/octet-stream", headers=headers)


@router.get("/tables/{table}/order")
async def recognised_for_order(request: Request, table: str) -> Response:
    """What was recognised in a table, to be corrected, and the costs to order by."""
    return await _table_page(request, table, "table_order.html", "order")


async def _table_page(
    request: Request, table: str, template: str, here: str, *, sent: Any = None, problem: str = "", status: int = 200
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
        template,
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
    service = service_of(request)
    async with request.form(max_files=0, max_fields=5_000) as form:
        try:
            reading = options_from(ReadingOptions, form)
            options = options_from(ComparisonOptions, form, prefix="compare.")
            made = await service.compare(table, reading, options)
        except GoneError:
            raise
        except PodiumError as error:
            return await _table_page(request, table, "table.html", "compare", sent=form, problem=str(error), status=422)
    return RedirectResponse(f"/comparisons/{made}", status_code=303)


@router.get("/comparisons/{comparison}")
async def comparison_page(request: Request, comparison: str) -> Response:
    """A comparison: its verdict, its ranking, and everything to download."""
    made = service_of(request).comparison(comparison)
    asked = made.page["asked"]
    options = ComparisonOptions(**asked["options"])
    watched = "table" not in asked
    reading = ReadingOptions() if watched else ReadingOptions(**asked["reading"])
    return page(
        request,
        "comparison.html",
        here="watch" if watched else "compare",
        made=made.page,
        key=comparison,
        name=asked["name"],
        recipe=compare_recipe(asked["name"] or "suite.db", reading, options),
        back=None if watched else f"/tables/{asked['table']}?{urlencode(_texts(reading), doseq=True)}",
        formats=FORMATS,
    )


def _texts(reading: ReadingOptions) -> dict[str, Any]:
    """The options that differ from the usual, as they stand in an address."""
    chosen = reading.model_dump(exclude_defaults=True)
    return {name: ", ".join(value) if isinstance(value, list) else value for name, value in chosen.items()}


@router.get("/comparisons/{comparison}/{form}")
async def comparison_file(request: Request, comparison: str, form: str) -> Response:
    """A file of a comparison, to be looked at or, with ?download, to be kept."""
    made = service_of(request).comparison(comparison)
    return file_answer(made.files, made.page["policy"], form, download="download" in request.query_params)


def file_answer(files: dict[str, bytes], policy: str, form: str, *, download: bool) -> Response:
    """One format of a comparison; the report brings the policy that fits its own script and style."""
    if form not in FORMATS:
        raise GoneError(f"There is no such format; there are {', '.join(FORMATS)}.")
    media, name = FORMATS[form]
    headers = {
        "Content-Security-Policy": f"{policy}; frame-ancestors 'none'" if form == "html" else "default-src 'none'"
    }
    if download or form in ("latex", "csv"):
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(files[form], media_type=media, headers=headers)


@router.post("/tables/{table}/orders")
async def order(request: Request, table: str) -> Response:
    """Order by cost as the form says, and go to the result."""
    service = service_of(request)
    async with request.form(max_files=0, max_fields=200) as form:
        try:
            reading = options_from(ReadingOptions, form)
            options = options_from(OrderOptions, form, prefix="order.")
            made = await service.order(table, reading, options)
        except GoneError:
            raise
        except PodiumError as error:
            return await _table_page(
                request, table, "table_order.html", "order", sent=form, problem=str(error), status=422
            )
    return RedirectResponse(f"/orders/{made}", status_code=303)


@router.get("/orders/{key}")
async def order_page(request: Request, key: str) -> Response:
    """An order by cost."""
    made = service_of(request).order_made(key)
    asked = made.page["asked"]
    reading = ReadingOptions(**asked["reading"])
    return page(
        request,
        "order.html",
        here="order",
        made=made.page,
        key=key,
        name=asked["name"],
        recipe=order_recipe(asked["name"], reading, OrderOptions(**asked["options"])),
        back=f"/tables/{asked['table']}/order?{urlencode(_texts(reading), doseq=True)}",
    )


@router.get("/orders/{key}/json")
async def order_file(request: Request, key: str) -> Response:
    """An order by cost as JSON, as `podium order --json` prints it."""
    return JSONResponse(service_of(request).order_made(key).data)
