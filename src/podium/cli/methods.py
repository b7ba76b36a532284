"""`podium explain METHOD` and `podium cite METHOD`: what a method does, and the BibTeX of what it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Annotated

import typer

from podium.cli.showing import with_options
from podium.core.errors import ArgumentError
from podium.core.options import changed


@with_options("list")
def explain(
    name: Annotated[
        str | None,
        typer.Argument(metavar="METHOD", help='A method, such as wilcoxon, or words, such as "dirichlet process".'),
    ] = None,
    **asked: bool,
) -> None:
    """Say what a method does, assumes and gives, when to use it, and where it comes from."""
    from podium.report.methods import explain as explained
    from podium.report.methods import is_method, method_names, methods_about

    def title(name: str) -> str:
        return explained(name).title

    if asked["list"]:
        list_names("what it does", title, method_names())
    elif name is None:
        raise ArgumentError("Name a method, as in `podium explain wilcoxon`; `podium explain --list` lists them.")
    elif not is_method(name) and (fitting := methods_about(name)):
        list_names("what it does", title, fitting)
    else:
        typer.echo(explained(name))


@with_options(changed("list", help="List the methods and whom each cites."), "text")
def cite(
    names: Annotated[
        list[str] | None, typer.Argument(metavar="METHOD...", help="Methods (see --list), or keys of the bibliography.")
    ] = None,
    **asked: bool,
) -> None:
    """Print the BibTeX entries of the papers behind a method."""
    from podium.report.bibliography import bibtex, entry
    from podium.report.methods import keys_of, method_names

    if asked["list"]:
        list_names("cites", lambda name: "; ".join(entry(key).label for key in keys_of(name)) or "–", method_names())
        return
    if not names:
        raise ArgumentError("Name a method, as in `podium cite wilcoxon`; `podium cite --list` lists them.")
    keys = list(dict.fromkeys(key for name in names for key in keys_of(name)))
    if not keys:
        raise ArgumentError(f"{', '.join(names)} cites no paper.")
    if asked["text"]:
        typer.echo("\n".join(entry(key).text() for key in keys))
    else:
        typer.echo(bibtex(keys), nl=False)


def list_names(title: str, text_of: Callable[[str], str], names: Iterable[str], head: str = "method") -> None:
    """Names with what is to be said of each, folded to the terminal."""
    from rich.table import Table
    from rich.text import Text

    from podium.report.render_text import terminal

    table = Table(box=None, pad_edge=False)
    table.add_column(head, no_wrap=True)
    table.add_column(title)
    for name in names:
        table.add_row(name, Text(text_of(name)))
    terminal().print(table)
