"""Text from files on its way to a terminal: nothing in a name may move the cursor or speak markup."""

from __future__ import annotations

from collections.abc import Iterable

import typer

from podium.core.errors import respelled
from podium.core.escape import visible
from podium.core.options import as_flag


def safe(text: object) -> str:
    """The text on one line, its control and invisible characters written out.

    >>> safe("a\\x1b[31m\\nb")
    'a\\\\x1b[31m\\\\nb'
    """
    return visible(str(text))


def as_flags(note: str) -> str:
    """A note whose options are spelled as flags."""
    return respelled(note, as_flag)


def tell(notes: Iterable[str]) -> None:
    """Print notes on the error stream."""
    for note in notes:
        typer.echo(safe(as_flags(note)), err=True)
