"""`podium formats`: what can be read, and for the logs of other tools an example of each."""

from __future__ import annotations

import typer

from podium.cli.safe import safe


def formats() -> None:
    """List what Podium reads: tables, and the logs of other tools, with an example of each."""
    from podium.reading.registry import FORMATS, log_formats

    tables = [entry for entry in FORMATS.values() if entry.endings or entry.name == "folder"]
    typer.echo("Tables of scores, outcomes or predictions")
    for entry in tables:
        ends = f" ({', '.join(entry.endings)})" if entry.endings else ""
        typer.echo(f"  {entry.told}{'' if '(' in entry.told else ends}")
    typer.echo("\nLogs of other tools, known by what they hold; give files or folders")
    for log in log_formats():
        typer.echo(safe(f"  {log.told}"))
        for line in log.example.splitlines():
            typer.echo(safe(f"      {line}"))
