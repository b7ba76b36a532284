"""`podium status`: how far a run is, and what failed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from podium.cli.safe import safe

__all__ = ["status"]


def status(
    store: Annotated[Path, typer.Argument(help="A store, such as suite.db; a run may be going on.")],
    failures: Annotated[
        bool, typer.Option("--failures", help="List every task that failed, with its message.")
    ] = False,
) -> None:
    """Say how far a run is, what failed and why."""
    from podium.bench.store import open_store

    with open_store(store) as opened:
        suite, counts = opened.definition(), opened.counts()
        table = opened.rows(
            "SELECT algorithm, sum(status = 'ok'), sum(status NOT IN ('ok', 'skipped')), sum(status = 'skipped'), "
            "sum(status IS NULL), "
            "(SELECT sum(a.cpu) FROM attempt a JOIN task u USING (key) WHERE u.algorithm = t.algorithm AND u.planned) "
            "FROM task t WHERE planned GROUP BY algorithm ORDER BY algorithm"
        )
        rows = opened.failures()
    total = sum(counts.values())
    parts = ", ".join(f"{count} {word}" for word, count in sorted(counts.items()))
    typer.echo(safe(f"{suite['name']}: {total} {'task' if total == 1 else 'tasks'} planned: {parts}."))
    width = max([len("algorithm"), *(len(safe(row[0])) for row in table)])
    typer.echo(f"{'algorithm':<{width}}  {'ok':>6}  {'failed':>6}  {'skipped':>7}  {'waiting':>7}  {'CPU s':>9}")
    for name, good, bad, left, waiting, cpu in table:
        numbers = f"{good or 0:>6}  {bad or 0:>6}  {left or 0:>7}  {waiting or 0:>7}  {cpu or 0:>9.1f}"
        typer.echo(f"{safe(name):<{width}}  {numbers}")
    failed = [row for row in rows if row.status != "skipped"]
    for row in failed if failures else failed[:5]:
        place = f"{row.algorithm} / {row.dataset} (repeat {row.repeat}, fold {row.fold})"
        typer.echo(safe(f"{row.status}: {place}: {row.message}"))
    if not failures and len(failed) > 5:
        typer.echo(f"and {len(failed) - 5} more failed: add --failures")
    skipped = Counter(row.message for row in rows if row.status == "skipped")
    for message, count in skipped.items():
        typer.echo(safe(f"skipped: {count} {'task' if count == 1 else 'tasks'}: {message}"))
