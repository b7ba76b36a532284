"""Running the application: a socket of its own, an address to announce, an orderly end."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import uvicorn

from podium.core import check
from podium.core.errors import ArgumentError
from podium.web.app import create_app
from podium.web.patience import PatientProtocol
from podium.web.settings import Limits, Settings, is_loopback


def run_server(
    *, host: str, port: int, watch: Path | None, workers: int | None, seconds: float, announce: Callable[[str], None]
) -> None:
    """Serve until interrupted; `announce` gets the address once the page can be asked for."""
    if check.number("seconds", seconds) <= 0:
        raise ArgumentError(f"`seconds` must be above 0; got {seconds!r}.")
    token = None if is_loopback(host) else secrets.token_urlsafe(24)
    chosen: dict[str, Any] = {} if workers is None else {"workers": workers}
    settings = Settings(host=host, port=port, token=token, watch=watch, limits=Limits(seconds=seconds), **chosen)
    with _listening(settings) as listener:
        address = address_of(settings, listener.getsockname()[1])
        config = uvicorn.Config(
            create_app(settings, ready=lambda: announce(address)),
            log_level="warning",
            server_header=False,
            proxy_headers=False,
            ws="none",
            http=PatientProtocol,
            timeout_graceful_shutdown=3,
            limit_concurrency=400,
        )
        uvicorn.Server(config).run(sockets=[listener])


def _listening(settings: Settings) -> socket.socket:
    """A socket on the wanted address, where whoever asks early waits; port 0 becomes any free one."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((settings.host.strip("[]"), settings.port))
        listener.listen()
    except OSError as error:
        listener.close()
        reason = (error.strerror or "it is not an address").lower()
        raise ArgumentError(
            f"Cannot listen on {settings.host} port {settings.port} ({reason}): choose another --host or --port."
        ) from None
    return listener


def address_of(settings: Settings, port: int) -> str:
    """The address to open.

    >>> address_of(Settings(), 8000)
    'http://127.0.0.1:8000/'
    """
    host = f"[{settings.host}]" if ":" in settings.host and "[" not in settings.host else settings.host
    if settings.host in ("0.0.0.0", "::"):
        host = socket.gethostname()
    return f"http://{host}:{port}/" + (f"?token={settings.token}" if settings.token else "")
