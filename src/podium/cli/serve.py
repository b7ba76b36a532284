"""`podium serve`: the local page for people who do not write Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def serve(
    host: Annotated[
        str, typer.Option(metavar="ADDRESS", help="Where to listen; others than this machine need the printed token.")
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="PORT", help="0: any free one.")] = 0,
    watch: Annotated[
        Path | None, typer.Option("--watch", metavar="STORE", help="Watch this benchmark, such as suite.db.")
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")] = True,
    workers: Annotated[
        int | None, typer.Option(metavar="N", help="Processes that compute; by default one per core, at least 2.")
    ] = None,
    seconds: Annotated[float, typer.Option(metavar="S", help="The longest computation.")] = 60.0,
) -> None:
    """Open a local page: drop a table, get the report; calculators; the progress of a run. Ctrl-C ends it."""
    from podium.core.errors import MissingPackageError

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

    run_server(host=host, port=port, watch=watch, workers=workers, seconds=seconds, announce=announce)
