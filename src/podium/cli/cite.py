"""`podium cite METHOD`: the BibTeX of what a method rests on."""

from __future__ import annotations

from typing import Annotated

import typer


def cite(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="METHOD...", help="Methods (see --list), or keys of the bibliography.")
    ] = None,
    as_list: Annotated[bool, typer.Option("--list", help="List the methods and whom each cites.")] = False,
    as_text: Annotated[bool, typer.Option("--text", help="Print plain references instead of BibTeX.")] = False,
) -> None:
    """Print the BibTeX entries of the papers behind a method."""
    from podium.core.errors import ArgumentError
    from podium.report.bibliography import bibtex, entry
    from podium.report.methods import keys_of

    if as_list:
        _list_methods()
        return
    if not names:
        raise ArgumentError("Name a method, as in `podium cite wilcoxon`; `podium cite --list` lists them.")
    keys = list(dict.fromkeys(key for name in names for key in keys_of(name)))
    if not keys:
        raise ArgumentError(f"{', '.join(names)} cites no paper.")
    if as_text:
        typer.echo("\n".join(entry(key).text() for key in keys))
    else:
        typer.echo(bibtex(keys), nl=False)


def _list_methods() -> None:
    from rich.console import Console
    from rich.table import Table

    from podium.report.bibliography import entry
    from podium.report.methods import keys_of, method_names

    table = Table(box=None, pad_edge=False)
    table.add_column("method", no_wrap=True)
    table.add_column("cites")
    for name in method_names():
        table.add_row(name, "; ".join(entry(key).label for key in keys_of(name)) or "–")
    Console(highlight=False).print(table)
