"""`podium verify`: published numbers, computed anew on this machine."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from podium.cli.progress import progress_bar

if TYPE_CHECKING:
    from podium.studies.verify import VerifyResult

__all__ = ["verify"]


def verify(
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of a table.")] = False,
) -> None:
    """Recompute published numbers and print each beside its source; exit code 1 if one disagrees."""
    from podium.studies.verify import verify as verify_numbers

    with progress_bar("papers") as progress:
        found = verify_numbers(progress=progress)
    if as_json:
        import json

        checks = [{**row, "agrees": bool(row["agrees"])} for row in found.to_frame().to_dict(orient="records")]
        typer.echo(json.dumps({"agrees": found.agrees, "checks": checks}, ensure_ascii=False, indent=2))
    else:
        _print(found)
    if not found.agrees:
        raise typer.Exit(1)


def _print(found: VerifyResult) -> None:
    """A line per number, under its paper; what was found is shown where it differs."""
    from rich.console import Console

    console = Console(highlight=False)
    paper = ""
    for check in found.checks:
        if check.paper != paper:
            paper = check.paper
            console.print(f"\n[bold]{paper}")
        mark = "[green]ok[/]" if check.agrees else f"[bold red]differs: {check.found}[/]"
        console.print(f"  {mark}  {check.printed}  {check.what} [dim]({check.place})")
    console.print(f"\n{found.summary()}")
