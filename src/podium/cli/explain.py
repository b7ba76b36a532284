"""`podium explain METHOD`: what a method does, assumes and gives, in its own words."""

from __future__ import annotations

from typing import Annotated

import typer


def explain(
    name: Annotated[str | None, typer.Argument(metavar="METHOD", help="A method, such as wilcoxon.")] = None,
    as_list: Annotated[bool, typer.Option("--list", help="List the methods, one line each.")] = False,
) -> None:
    """Say what a method does, assumes and gives, when to use it, and where it comes from."""
    from podium.core.errors import ArgumentError
    from podium.report.methods import explain as explained

    if as_list:
        _list_methods()
    elif name is None:
        raise ArgumentError("Name a method, as in `podium explain wilcoxon`; `podium explain --list` lists them.")
    else:
        typer.echo(explained(name))


def _list_methods() -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from podium.report.methods import explain as explained
    from podium.report.methods import method_names

    table = Table(box=None, pad_edge=False)
    table.add_column("method", no_wrap=True)
    table.add_column("what it does")
    for name in method_names():
        table.add_row(name, Text(explained(name).title))
    Console(highlight=False).print(table)
