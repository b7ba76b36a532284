"""Every request passes here first: its origin, its token, its size; every answer leaves with its policy."""

from __future__ import annotations

import asyncio
import hmac
from typing import Any
from urllib.parse import urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from podium.core.numbers import megabytes
from podium.web.errors import RefusedError
from podium.web.settings import Settings, is_loopback

COOKIE = "podium_token"
PAGE_POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; "
    "base-uri 'none'; frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": PAGE_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "same-origin",  # with "no-referrer" browsers hide the origin of forms, which is checked
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}
_SAFE = ("GET", "HEAD", "OPTIONS")
# An upload that is refused is still taken from the line for a moment, so that the sender hears why.
_DRAINED_BYTES, _DRAINED_SECONDS = 1_000_000_000, 10.0
_AROUND = 100_000  # bytes of a request besides the upload
_WRONG_TOKEN_SECONDS = 0.5
# A body that stops coming for so long is given up, and one that is not whole after so long, however it drips.
_SILENT_SECONDS, _BODY_SECONDS = 20.0, 120.0


class Guarding:
    """Middleware: refuses what must not come in, and puts the headers on what goes out."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app, self._settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self._app(scope, receive, send)
            return
        answer, limit = _with_headers(send), self._settings.limits.upload_bytes
        try:
            check_origin(scope["method"], Headers(scope=scope))
            entered = self._check_token(Request(scope))
            length = Headers(scope=scope).get("content-length", "0")
            if not length.isdecimal() or int(length) > limit + _AROUND:
                raise _too_large(limit)
        except RefusedError as refused:
            if refused.status == 413:
                await _drain(receive)
            elif refused.status == 401:
                await asyncio.sleep(_WRONG_TOKEN_SECONDS)  # guessing takes time
            entered = _refusal(scope, refused)
        if entered is not None:
            await entered(scope, receive, answer)
        else:
            await self._app(scope, _measured(receive, limit), answer)

    def _check_token(self, request: Request) -> Response | None:
        token = self._settings.token
        if token is None:
            return None
        sent = request.query_params.get("token")
        if sent is not None and request.method in _SAFE and _same(sent, token):
            rest = urlencode([(name, value) for name, value in request.query_params.multi_items() if name != "token"])
            here = "/" + request.scope["path"].lstrip("/")  # with two slashes in front it would be another host
            answer = RedirectResponse(here + (f"?{rest}" if rest else ""), status_code=303)
            answer.set_cookie(COOKIE, token, httponly=True, samesite="lax")
            return answer
        scheme, _, bearer = request.headers.get("authorization", "").partition(" ")
        if _same(request.cookies.get(COOKIE, ""), token) or (scheme.lower() == "bearer" and _same(bearer, token)):
            return None
        raise RefusedError(401, "This server wants its token: open the address that `podium serve` printed.")


def own_hosts(settings: Settings) -> list[str]:
    """The names under which this server answers: a name that another site points here must not open the door."""
    if not is_loopback(settings.host):
        return ["*"]  # there the token is the key
    return ["127.0.0.1", "localhost", "[::1]", settings.host]


def check_origin(method: str, headers: Headers) -> None:
    """Requests that a page of another site makes are refused; following a link from there is not such a request."""
    site = headers.get("sec-fetch-site")
    link = headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"
    foreign = site is not None and site not in ("same-origin", "none") and not (method in _SAFE and link)
    origin = headers.get("origin")
    if origin is not None and method not in _SAFE:
        foreign = foreign or _host_of(origin) != headers.get("host", "").lower() or origin == "null"
    if foreign:
        raise RefusedError(403, "This request comes from another site and is refused.")


def _host_of(origin: str) -> str:
    """The host that an origin names; nothing where it cannot be read, as in "http://["."""
    try:
        return urlsplit(origin).netloc.lower()
    except ValueError:
        return ""


def _same(sent: str, token: str) -> bool:
    return hmac.compare_digest(sent.encode(), token.encode())


def _too_large(limit: int) -> RefusedError:
    return RefusedError(413, f"The upload is larger than {megabytes(limit)}: give the mean scores only.")


def _refusal(scope: Scope, refused: RefusedError) -> Response:
    if scope["path"].startswith("/api"):
        return JSONResponse({"error": str(refused)}, status_code=refused.status)
    return Response(f"{refused}\n", status_code=refused.status, media_type="text/plain")


async def _drain(receive: Receive) -> None:
    taken = 0
    try:
        async with asyncio.timeout(_DRAINED_SECONDS):
            while taken < _DRAINED_BYTES:
                message = await receive()
                taken += len(message.get("body", b""))
                if message["type"] != "http.request" or not message.get("more_body"):
                    return
    except TimeoutError:
        return


def _measured(receive: Receive, limit: int) -> Receive:
    """A body without a declared length is measured while it comes."""
    taken, done = 0, False
    clock = asyncio.get_running_loop()
    end = clock.time() + _BODY_SECONDS

    async def measure() -> Message:
        nonlocal taken, done
        try:
            async with asyncio.timeout_at(None if done else min(end, clock.time() + _SILENT_SECONDS)):
                message = await receive()
        except TimeoutError:
            raise HTTPException(408, "The upload took too long: send it again.") from None
        taken += len(message.get("body", b""))
        if taken > limit + _AROUND:
            await _drain(receive)
            raise HTTPException(413, str(_too_large(limit)))
        done = not message.get("more_body", False)  # what follows is only the end of the connection
        return message

    return measure


def _with_headers(send: Send) -> Send:
    async def answer(message: Any) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in _HEADERS.items():
                headers.setdefault(name, value)
        await send(message)

    return answer
