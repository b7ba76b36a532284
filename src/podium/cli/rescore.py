"""`podium rescore`: new metrics from kept predictions."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def rescore(
    store: Annotated[Path, typer.Argument(help="A store, such as suite.db.")],
    metric: Annotated[list[str], typer.Option("--metric", help="A metric to compute (may be given several times).")],
) -> None:
    """Compute further metrics from the predictions that were kept; nothing runs again."""
    from podium.bench._rescore import rescore as compute
    from podium.bench.metrics import METRICS
    from podium.bench.store import open_store
    from podium.cli.progress import progress_bar
    from podium.core import check

    for name in metric:
        check.member("metric", name, METRICS)
    with open_store(store) as opened:  # to write would make one
        opened.definition()
    with open_store(store, write=True) as opened, progress_bar("rescoring") as progress:
        found = compute(opened, metric, progress=progress)
    for name, count in found.items():
        typer.echo(f"{name}: {count} scores.")
