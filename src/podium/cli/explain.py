"""`podium explain METHOD`: what a method does, assumes and gives, in its own words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from podium.report.methods import Method

__all__ = ["explain"]


def explain(
    name: Annotated[str | None, typer.Argument(metavar="METHOD", help="A method, such as wilcoxon.")] = None,
    as_list: Annotated[bool, typer.Option("--list", help="List the methods, one line each.")] = False,
) -> None:
    """Say what a method does, assumes and gives, when to use it, and where it comes from."""
    from podium.core.errors import ArgumentError
    from podium.report.methods import method

    if as_list:
        _list_methods()
    elif name is None:
        raise ArgumentError("Name a method, as in `podium explain wilcoxon`; `podium explain --list` lists them.")
    else:
        typer.echo(_text(method(name)))


def _text(found: Method) -> str:
    from podium.report.bibliography import entry

    parts = [found.signature, found.text]
    parts += [_filled(f"Assumes: {found.assumes}")] if found.assumes else []
    parts += [_filled(f"When to use it: {found.use}")] if found.use else []
    if found.result:
        parts += [f"Gives a {found.result}:", found.result_text]
    if found.references:
        references = "\n".join(_filled(f"- {entry(key).text()}") for key in found.references)
        parts += [f"References (`podium cite {found.name}` gives their BibTeX):", references]
    return "\n\n".join(part for part in parts if part)


def _filled(text: str) -> str:
    """The text in lines of a terminal's width, hanging under its first word."""
    import shutil
    import textwrap

    width = min(shutil.get_terminal_size().columns, 110)
    return textwrap.fill(text, width, subsequent_indent="  ", break_on_hyphens=False)


def _list_methods() -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    from podium.report.methods import methods

    table = Table(box=None, pad_edge=False)
    table.add_column("method", no_wrap=True)
    table.add_column("what it does")
    for found in methods():
        table.add_row(found.name, Text(found.title))
    Console(highlight=False).print(table)
