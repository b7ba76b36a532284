"""Watching a benchmark that was named on the command line: progress, failures, the report so far."""

from __future__ import annotations

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from podium.core.errors import StoreError
from podium.web.forms import options_from
from podium.web.models import ComparisonOptions
from podium.web.pages import service_of
from podium.web.templating import page

__all__ = ["router"]

router = APIRouter(include_in_schema=False)


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
