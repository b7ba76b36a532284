"""The same as JSON, described by OpenAPI at /api/openapi.json. Keys are those of the commands' --json."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, UploadFile
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from podium.web.calculator_pages import chart_answer
from podium.web.calculators import CALCULATORS, Calculator
from podium.web.models import ComparisonOptions, GateOptions, Options, OrderOptions, ReadingOptions
from podium.web.pages import kind_of, result_file, service_of
from podium.web.recipes import api_recipe
from podium.web.templating import page


class Problem(BaseModel):
    """Why a request was not answered, in one sentence."""

    error: str


class Seen(BaseModel):
    """What was recognised in a table; `question` asks for what is not certain."""

    table: str
    name: str
    columns: list[str]
    rows: list[list[str]]
    n_rows: int
    question: str | None
    unit: str
    notes: list[str]
    metric: dict[str, Any] | None
    metrics: list[dict[str, Any]]
    algorithms: list[str]
    datasets: list[str]
    design: str
    has_folds: bool
    missing_cells: int
    reading: dict[str, Any] | None


class _Body(BaseModel):
    model_config = ConfigDict(extra="forbid")
    reading: ReadingOptions = Field(default_factory=ReadingOptions)


class ComparisonRequest(_Body):
    """How to read the table, and how to compare."""

    options: ComparisonOptions = Field(default_factory=ComparisonOptions)


class OrderRequest(_Body):
    """How to read the table, and how to order by cost."""

    options: OrderOptions = Field(default_factory=OrderOptions)


class GateRequest(_Body):
    """How to read the table, and which two to check by which margin."""

    options: GateOptions


class TableText(BaseModel):
    """A table as text, with the name of its file: the name may say what the scores measure."""

    model_config = ConfigDict(extra="forbid")
    text: Annotated[str, Field(min_length=1)]
    name: Annotated[str, Field(max_length=200)] = "table.csv"


Id = Annotated[str, Path(pattern=r"^[0-9a-f]{20}$")]
Format = Literal["html", "latex", "markdown", "json", "csv"]
_PROBLEMS: dict[int | str, dict[str, Any]] = {
    status: {"model": Problem, "description": words}
    for status, words in (
        (400, "Not a request that can be read"),
        (401, "The token is missing"),
        (403, "From another site"),
        (404, "Not there (any more)"),
        (413, "Too large"),
        (422, "Cannot be done as asked; the sentence says why"),
        (503, "Too many are waiting"),
    )
}
_COMPARISON, _ORDER, _GATE = (
    {"description": f"The {kind}, as `podium {command} --json` writes it", "content": {"application/json": {}}}
    for kind, command in (("comparison", "compare"), ("order", "order"), ("gate", "gate"))
)
_FILES: dict[str, Any] = {
    "description": "The file",
    "content": {kind: {} for kind in ("application/json", "application/zip", "text/html", "text/markdown", "text/csv")},
}
_PICTURE: dict[str, Any] = {"description": "The picture", "content": {"image/svg+xml": {}}}

router = APIRouter(prefix="/api", responses=_PROBLEMS)


@router.get("/", include_in_schema=False)
@router.get("", include_in_schema=False)
async def description(request: Request) -> Response:
    """All of this, for people."""
    schema = request.app.openapi()
    calls = [
        {
            "method": method.upper(),
            "path": path,
            "summary": call.get("summary", ""),
            "about": call.get("description", ""),
        }
        for path, methods in schema["paths"].items()
        for method, call in methods.items()
    ]
    return page(request, "api.html", here="api", calls=calls, recipe=api_recipe(str(request.base_url)))


@router.post("/tables", status_code=201, tags=["tables"])
async def upload_table(request: Request, file: UploadFile) -> Seen:
    """Upload a table (CSV, TSV, JSON, Excel, Parquet) and see what is recognised in it."""
    content = await file.read()
    return await _added(request, file.filename or "", content)


@router.post("/tables/text", status_code=201, tags=["tables"])
async def upload_text(request: Request, table: TableText) -> Seen:
    """Give a table as text and see what is recognised in it."""
    return await _added(request, table.name, table.text.encode(errors="replace"))


async def _added(request: Request, name: str, content: bytes) -> Seen:
    return await _seen(request, service_of(request).add_table(name, content), ReadingOptions())


async def _seen(request: Request, table: str, reading: ReadingOptions) -> Seen:
    seen = await service_of(request).look(table, reading)
    question = seen["question"]
    return Seen(**{**seen, "table": table, "question": None if question is None else str(question)})


@router.get("/tables/{table}", tags=["tables"])
async def look_at_table(request: Request, table: Id, reading: Annotated[ReadingOptions, Query()]) -> Seen:
    """What is recognised in a table if it is read like this."""
    return await _seen(request, table, reading)


async def _made(request: Request, table: str, asked: ComparisonRequest | OrderRequest | GateRequest) -> Response:
    return _answer(request, await service_of(request).make(kind_of(request), table, asked.reading, asked.options))


def _answer(request: Request, key: str) -> Response:
    kind = kind_of(request)
    result = service_of(request).kept.made(key, kind)
    headers = {"Location": f"/{kind}s/{key}"}
    return Response(result.files["json"], status_code=201, media_type="application/json", headers=headers)


@router.post("/tables/{table}/comparisons", status_code=201, tags=["comparisons"], responses={201: _COMPARISON})
async def compare(request: Request, table: Id, asked: ComparisonRequest) -> Response:
    """Compare the algorithms of a table. The header Location is the address of the result's page."""
    return await _made(request, table, asked)


@router.get("/comparisons/{comparison}/{form}", tags=["comparisons"], responses={200: _FILES})
async def comparison_file(request: Request, comparison: Id, form: Format) -> Response:
    """A comparison as JSON, as one self-contained page, as LaTeX (packed), as Markdown; its pairs as CSV."""
    return await result_file(request, comparison, form)


@router.post("/tables/{table}/orders", status_code=201, tags=["order"], responses={201: _ORDER})
async def order(request: Request, table: Id, asked: OrderRequest) -> Response:
    """Order the algorithms of a table by score and cost, as `podium order --json`."""
    return await _made(request, table, asked)


@router.post("/tables/{table}/gates", status_code=201, tags=["gate"], responses={201: _GATE})
async def gate(request: Request, table: Id, asked: GateRequest) -> Response:
    """Check whether a candidate is not worse than a baseline by more than a margin, as `podium gate --json`."""
    return await _made(request, table, asked)


def _add_calculator(kind: str, calculator: Calculator) -> None:
    """The address of a calculator, described by the sentence of what it gives."""

    async def calculated(request: Request, asked: Options) -> Any:
        if kind == "chart":
            return await chart_answer(request, asked)
        return (await service_of(request).calculate(kind, asked))["data"]

    calculated.__annotations__ = {"request": Request, "asked": Annotated[calculator.model, Query()]}
    gives: dict[str, Any] = {"response_model": dict[str, Any]}
    if kind == "chart":
        gives = {"responses": {200: _PICTURE}, "response_class": Response}
    room = calculator.room
    add = router.get(f"/{room}/{kind}", tags=[room], name=f"{room}_{kind}", description=calculator.about, **gives)
    add(calculated)


for _kind, _of_kind in CALCULATORS.items():
    _add_calculator(_kind, _of_kind)


@router.get("/watch", tags=["watch"])
async def watch(request: Request) -> dict[str, Any]:
    """How far the watched benchmark is, and what failed."""
    return await service_of(request).progress()


@router.post("/watch/comparisons", status_code=201, tags=["watch"], responses={201: _COMPARISON})
async def watch_comparison(request: Request, options: ComparisonOptions) -> Response:
    """The comparison of what the watched benchmark has finished so far."""
    return _answer(request, await service_of(request).partial_report(options))
