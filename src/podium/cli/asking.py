"""A question about a file, asked in the terminal: numbered answers, the likeliest first, and the command that needs no question."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import typer

from podium.cli.safe import safe, say
from podium.core.errors import DataError
from podium.core.options import as_flag, command_words
from podium.reading.options import ReadOptions
from podium.reading.question import Question, offers_of, with_answer

Read = TypeVar("Read")
MOST_ROUNDS = 5  # of questions: then the message says what is open


def in_terminal() -> bool:
    """Whether somebody is there to answer."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def asking(read: Callable[[ReadOptions], Read], options: ReadOptions, *, ask: str) -> Read:
    """What is read; in a terminal after asking, unless `ask` is "never"."""
    said: list[str] = []
    for _ in range(MOST_ROUNDS):
        try:
            evidence = read(options)
        except DataError as error:
            offers = offers_of(error)
            if ask == "never" or not offers or not in_terminal():
                raise
            chosen = _chosen(error, offers)
            options, said = with_answer(options, chosen), [*said, *command_words(chosen)]
            continue
        if said:
            typer.echo(safe(f"Without a question: {shlex.join(['podium', *sys.argv[1:], *said])}"), err=True)
        return evidence
    raise Question("Too many questions: name the columns with {algorithm_column}, {dataset_column} and {value_column}.")


def _chosen(error: DataError, offers: tuple[dict[str, Any], ...]) -> dict[str, Any]:
    """The answer that was typed; the first is the default."""
    say(error.asked(as_flag) if isinstance(error, Question) else error.said(as_flag))
    for number, offer in enumerate(offers, 1):
        default = " (default)" if number == 1 else ""
        typer.echo(f"  {number}. {safe(shlex.join(command_words(offer)))}{default}", err=True)
    typed = 0
    while not 1 <= typed <= len(offers):
        typed = typer.prompt("Answer", default=1, type=int, err=True)
    return offers[typed - 1]
