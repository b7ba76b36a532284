"""The pages: every result has an address, every page says how to do the same in Python and on the command line."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from fastapi import APIRouter, Request
from starlette.datastructures import FormData, QueryParams, UploadFile
from starlette.responses import RedirectResponse, Response

from podium.core.errors import DataError, PodiumError, StoreError
from podium.reading.question import offers_of
from podium.web.calculators import in_room
from podium.web.errors import GoneError
from podium.web.forms import fields_of, options_from, said
from podium.web.models import ComparisonOptions, GateOptions, Options, OrderOptions, ReadingOptions
from podium.web.recipes import EXAMPLES, example_recipe, result_recipe, watch_recipe
from podium.web.service import FORMATS, Service
from podium.web.templating import page

router = APIRouter(include_in_schema=False)
MOST_FILES = 2_000  # in one form; a folder may also have files that are left out
MODELS: dict[str, type[Options]] = {"comparison": ComparisonOptions, "order": OrderOptions, "gate": GateOptions}
FORMS = {"comparison": "/tables/{}", "order": "/tables/{}/order", "gate": "/tables/{}/gate"}


def place_of(kind: str) -> str:
    """The place of a kind of result in the navigation, which is also the prefix of its fields."""
    return "compare" if kind == "comparison" else kind


NEXT = {place_of(kind): form for kind, form in FORMS.items()} | {
    name: f"/plan/{name}?table={{}}" for name in in_room("plan")
}


def service_of(request: Request) -> Service:
    """The server's own service."""
    service: Service = request.app.state.service
    return service


def kind_of(request: Request) -> str:
    """What a page or file is about, by the address of its route."""
    path = request.scope["route"].path
    return next((kind for kind in ("order", "gate") if kind in path), "comparison")


def start_page(request: Request, then: str, *, text: str = "", problem: str = "", status: int = 200) -> Response:
    """The page on which a table is dropped or pasted; after a problem with the text that was pasted."""
    most = service_of(request).settings.limits.upload_bytes
    recipe = example_recipe(then)
    values = {"problem": problem, "text": text, "most": most, "recipe": recipe, "examples": EXAMPLES}
    return page(request, "start.html", here=then, then=then, status=status, **values)


@router.get("/")
@router.get("/order")
@router.get("/gate")
async def start(request: Request) -> Response:
    """Drop or paste a table to compare, to order by cost, or whose candidate has to pass a gate."""
    return start_page(request, place_of(kind_of(request)))


@router.post("/tables")
async def upload(request: Request) -> Response:
    """Take a table, and go on to what was recognised in it."""
    service = service_of(request)
    limit = service.settings.limits.upload_bytes
    async with request.form(max_files=MOST_FILES, max_fields=20, max_part_size=limit) as form:
        then, text = str(form.get("then", "compare")), form.get("text")
        then = then if then in NEXT else "compare"
        try:
            table = await _added(service, form)
            await service.look(table, ReadingOptions())  # what cannot be a table is refused here, in the page
        except PodiumError as error:
            kept = text if isinstance(text, str) else ""
            return start_page(request, then, text=kept, problem=said(error), status=422)
    return RedirectResponse(NEXT[then].format(table), status_code=303)


async def _added(service: Service, form: FormData) -> str:
    """The table in a form: an example, a file, several files of one folder, or what was pasted."""
    example, text = form.get("example"), form.get("text")
    if isinstance(example, str) and example:
        if example not in EXAMPLES.values():
            raise DataError(f"Unknown example {example!r}.")
        return await service.example(example)
    sent = [one for one in form.getlist("file") if isinstance(one, UploadFile) and one.filename]
    names = [one.filename or "" for one in sent]
    paths = [path for path in str(form.get("paths") or "").split("\n") if path]  # where a folder was dropped
    names = paths if len(paths) == len(names) else names
    if len(sent) > 1 or paths:
        return service.add_folder([(name, await one.read()) for name, one in zip(names, sent, strict=True)])
    if sent:
        return service.add_table(names[0], await sent[0].read())
    if isinstance(text, str) and text.strip():
        name = str(form.get("name") or "").strip() or "pasted.csv"
        return service.add_table(name, text.encode())
    raise DataError("Choose a file, or paste a table with its header line.")


@router.get("/tables/{table}")
@router.get("/tables/{table}/order")
@router.get("/tables/{table}/gate")
async def recognised(request: Request, table: str) -> Response:
    """What was recognised in a table, to be corrected, and what to compare or the costs to order by."""
    return await _table_page(request, table)


@router.get("/tables/{table}/file")
async def table_file(request: Request, table: str) -> Response:
    """The table itself, as it was given: what was pasted becomes a file for the recipes."""
    upload = service_of(request).kept.table(table)
    headers = {"Content-Disposition": f"attachment; filename*=UTF-8''{quote(upload.file_name)}"}
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
    except PodiumError as wrong:
        error = wrong
        seen = await service.look(table, ReadingOptions())
    question = seen["question"]
    problem, asked = ("" if one is None else said(one) for one in (error, question))
    asking = question or error
    return page(
        request,
        "table.html",
        here=place_of(kind),
        table=table,
        seen=seen,
        sent=sent,
        fields=fields_of(MODELS[kind]),
        reading_fields=fields_of(ReadingOptions),
        costs=[metric["name"] for metric in seen["metrics"] if metric["is_cost"]],
        problem="" if problem == asked else problem,  # once is enough
        question=asked,
        after=_looked_at(sent) or "",
        asks=named_by(question, error),
        answers=[] if asking is None else _answers(asking, sent, FORMS[kind].format(table)),
        status=200 if error is None else 422,
    )


@router.post("/tables/{table}/comparisons")
@router.post("/tables/{table}/orders")
@router.post("/tables/{table}/gates")
@router.post("/watch/report")
async def make(request: Request, table: str = "") -> Response:
    """Compare or order by cost as the form says (without a table, what a run has finished so far), and go to the result."""
    service, kind = service_of(request), kind_of(request)
    async with request.form(max_files=0, max_fields=5_000) as form:
        after = _looked_at(form)
        try:
            reading = options_from(ReadingOptions, form)
            options = options_from(MODELS[kind], form, prefix=f"{place_of(kind)}.")
            if table:
                key = await service.make(kind, table, reading, options, after=after)
            else:
                key = await service.partial_report(options, after=after)
        except GoneError:
            raise
        except PodiumError as error:
            if after is not None and service.kept.find(after, kind) is not None:
                return _result_page(request, after, sent=form, error=error)
            if not table:
                raise
            return await _table_page(request, table, sent=form, error=error)
    return RedirectResponse(f"/{kind}s/{key}", status_code=303)


@router.get("/comparisons/{key}")
@router.get("/orders/{key}")
@router.get("/gates/{key}")
async def result_page(request: Request, key: str) -> Response:
    """A comparison, an order by cost or a gate: what it says, everything to download, and the settings to compute it again."""
    return _result_page(request, key)


def _result_page(
    request: Request, key: str, *, sent: FormData | None = None, error: PodiumError | None = None
) -> Response:
    """The page of a result; after a problem with other settings, with these as they were chosen."""
    kind = kind_of(request)
    result = service_of(request).kept.made(key, kind)
    asked = result.asked
    table, reading, here = asked.table, _texts(asked.reading), place_of(kind)
    used = [(f"{here}.{name}", text) for name, text in _texts(asked.options)]
    back = f"{FORMS[kind].format(table)}?{urlencode([*reading, *used])}"
    watched = service_of(request).settings.watch
    name = asked.name or ("" if watched is None else watched.name)
    return page(
        request,
        "result.html",
        here=here if table else "watch",
        made=result.page,
        asked=asked,
        address=f"/{kind}s/{key}",
        again=f"/tables/{table}/{kind}s" if table else "/watch/report",
        back=back if table else "/watch",
        reading=reading,
        sent=QueryParams(used) if sent is None else sent,
        fields=fields_of(MODELS[kind]),
        recipe=result_recipe(kind, name, asked.reading, asked.options, result.page["chosen"]),
        source=f"/tables/{table}/file" if table else "",
        key=key,
        problem="" if error is None else said(error),
        asks=named_by(error),
        status=200 if error is None else 422,
    )


def named_by(*errors: PodiumError | None) -> list[str]:
    """The options that errors name: their fields are marked."""
    return [name for one in errors if one is not None for name in (*one.options, one.fields.get("argument", ""))]


def _answers(error: PodiumError, sent: FormData | QueryParams, form: str) -> list[tuple[str, str]]:
    """The answers to a question, in words, each with the address of the form that has it."""
    offers = offers_of(error) if isinstance(error, DataError) else ()
    fields = fields_of(ReadingOptions)
    chosen = [(name, text) for name, text in sent.multi_items() if isinstance(text, str) and text]
    answers = []
    for offer in offers:
        if not set(offer) <= set(fields):
            continue
        new = [
            (name, str(one))
            for name, value in offer.items()
            for one in (value if isinstance(value, list | tuple) else [value])
        ]
        words = "; ".join(
            f"{fields[name].label}: {text}" if text != "True" else fields[name].label for name, text in new
        )
        kept = [(name, text) for name, text in chosen if name not in offer or isinstance(offer[name], list | tuple)]
        answers.append((words, f"{form}?{urlencode([*kept, *new])}"))
    return answers


def _looked_at(sent: FormData | QueryParams) -> str | None:
    """The result below which a form was sent."""
    after = sent.get("after")
    return after if isinstance(after, str) and after else None


def _texts(options: Options) -> list[tuple[str, str]]:
    """The options that differ from the usual, as a form sends them."""
    chosen = options.chosen().items()
    return [(name, str(one)) for name, value in chosen for one in (value if isinstance(value, list) else [value])]


@router.get("/comparisons/{key}/{form}")
@router.get("/orders/{key}/{form}")
@router.get("/gates/{key}/{form}")
async def result_file(request: Request, key: str, form: str) -> Response:
    """One format of a result, to be looked at or, with ?download, to be kept.

    The report brings the policy that fits its own script and style.
    """
    if form not in FORMATS:
        raise GoneError(f"There is no such format; there are {', '.join(FORMATS)}.")
    result = await service_of(request).file(key, kind_of(request), form)
    media, name = FORMATS[form]
    policy = f"{result.policy}; frame-ancestors 'none'" if form == "html" else "default-src 'none'"
    headers = {"Content-Security-Policy": policy}
    if "download" in request.query_params or form in ("latex", "csv"):
        headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return Response(result.files[form], media_type=media, headers=headers)


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
    recipe = None if service.settings.watch is None else watch_recipe(service.settings.watch.name)
    return page(request, template, here="watch", seen=seen, problem=problem, recipe=recipe)
