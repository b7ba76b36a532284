"""The application: `create_app(settings)` puts guard, pages and API together; nothing is global."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Callable
from importlib.resources import files

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from podium.core.errors import PodiumError
from podium.core.version import VERSION
from podium.web import api, calculator_pages, pages
from podium.web.forms import refused, said
from podium.web.guarding import Guarding, own_hosts
from podium.web.service import Service
from podium.web.settings import Settings
from podium.web.templating import page, style_sheet
from podium.web.workers import Workers

_STATIC = {"page.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"}


def create_app(settings: Settings, ready: Callable[[], None] = lambda: None) -> FastAPI:
    """A server's application; its workers live as long as it runs, and `ready` is called when it has begun."""

    @contextlib.asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        workers = Workers(settings)
        app.state.service = Service(settings, workers)
        try:
            ready()
            yield
        finally:
            workers.close()

    app = FastAPI(
        title="Podium",
        version=VERSION,
        summary="Which machine-learning algorithms really differ?",
        description="Upload a table of scores, compare, order by cost, and calculate with chance and power. "
        'Errors are `{"error": sentence}`.',
        docs_url=None,  # those pages load from elsewhere; /api lists everything
        redoc_url=None,
        openapi_url="/api/openapi.json",
        lifespan=lifespan,
    )
    app.state.settings = settings
    for module in (pages, calculator_pages, api):
        app.include_router(module.router)
    app.add_api_route("/static/{name}", _static, include_in_schema=False)
    for kind in (PodiumError, RequestValidationError, HTTPException):
        app.add_exception_handler(kind, _answered)
    app.add_middleware(TrustedHostMiddleware, allowed_hosts=own_hosts(settings))
    app.add_middleware(Guarding, settings=settings)
    return app


async def _static(name: str) -> Response:
    """Style and script; nothing but these files, by name."""
    if name == "podium.css":
        return Response(style_sheet(), media_type="text/css; charset=utf-8")
    if name not in _STATIC:
        raise HTTPException(404)
    text = files("podium.web").joinpath("static", name).read_text(encoding="utf-8")
    return Response(text, media_type=_STATIC[name])


async def _answered(request: Request, error: Exception) -> Response:
    """What went wrong, as one sentence: in the API as JSON, elsewhere as a page."""
    status, headers = getattr(error, "status", 422), {}
    if isinstance(error, RequestValidationError):
        error = refused(error.errors())
    elif isinstance(error, HTTPException):
        sentences = {404: "There is no such page.", 405: "This address does not take such a request."}
        status, headers = error.status_code, dict(error.headers or {})
        error = PodiumError(sentences.get(status, str(error.detail)))
    elif status == 503:
        headers = {"Retry-After": "30"}
    assert isinstance(error, PodiumError)
    if request.url.path.startswith("/api/"):
        return JSONResponse({"error": str(error)}, status_code=status, headers=headers)
    answer = page(request, "message.html", sentence=said(error), status=status)
    answer.headers.update(headers)
    return answer
