"""`podium serve`: the local page for people who do not write Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from podium.cli.showing import with_options
from podium.core.errors import MissingPackageError
from podium.core.options import changed

_WORKERS = changed("workers", help="Processes that compute; by default one per core, at least 2.")


@with_options("host", "port", "watch", "browser", _WORKERS, "seconds")
def serve(*, watch: str | None, browser: bool, **options: Any) -> None:
    """Open a local page: drop a table, get the report; calculators; the progress of a run. Ctrl-C ends it."""
    try:
        import fastapi  # noqa: F401
        import pebble  # noqa: F401
        import python_multipart  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError as error:
        raise MissingPackageError(error.name or "fastapi", "The local page", extra="web") from None
    from podium.web.server import run_server

    def announce(address: str) -> None:
        typer.echo(f"Podium is at {address} (Ctrl-C ends it)")
        if browser:
            import webbrowser

            webbrowser.open(address)

    run_server(watch=Path(watch) if watch else None, announce=announce, **options)
