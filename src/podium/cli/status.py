"""`podium status`: how far a run is, and what failed."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from podium.cli.showing import showing

if TYPE_CHECKING:
    from podium.bench.status import RunStatus


@showing("failures")
def status(
    store: Annotated[Path, typer.Argument(help="A store, such as suite.db; a run may be going on.")], *, failures: bool
) -> RunStatus:
    """Say how far a run is, what failed and why."""
    from podium.bench.status import run_status

    return run_status(store, failures=failures)
