"""Text from files on its way to a terminal: nothing in a name may move the cursor or speak markup."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from shutil import get_terminal_size
from textwrap import fill

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
        say(as_flags(note))


def say(text: object) -> None:
    """Print a sentence on the error stream; lines of a terminal end between words."""
    line = safe(text)
    if sys.stderr.isatty():
        line = fill(line, get_terminal_size().columns, break_long_words=False, break_on_hyphens=False)
    typer.echo(line, err=True)
