"""The last step of every command: its result becomes a document, and the document goes where the options say."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

import typer

from podium.cli.options import declared, taken
from podium.core.files import STANDARD_OUTPUT
from podium.core.options import OUTPUT, these

if TYPE_CHECKING:
    from podium.core.options import Option
    from podium.core.result import Result
    from podium.report.document import Document

_OUTPUT = these(*OUTPUT)
_FULL = these("full")


def with_options(*names: str | Option, **defaults: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Turn a function into a command with these options, some with another default than the usual one."""
    options = these(*names, **defaults)

    def decorate(command: Callable[..., Any]) -> Callable[..., Any]:
        def run(*results: Any, **typed: Any) -> Any:
            return command(*results, **taken(options, typed), **typed)

        return declared(run, command, options, besides=[option.name for option in options])

    return decorate


def showing(
    *names: str | Option, exit_code: Callable[[Any], int] | None = None, short: bool = True, **defaults: Any
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Turn a function that gives a result (several, or a document) into a command that shows it.

    It gets the options with these names, as `with_options` gives them, and those of the output. What is printed fits a
    screen unless --full is given, or the command has no `short` form. The exit code is 0 unless `exit_code` says another
    for the result.
    """
    options = these(*names, **defaults)
    where = (*_FULL, *_OUTPUT) if short else _OUTPUT

    def decorate(compute: Callable[..., Any]) -> Callable[..., None]:
        def run(*results: Any, **typed: Any) -> None:
            output = taken(where, typed)
            result = compute(*results, **taken(options, typed), **typed)
            _show(result, results[0] if results else None, output)
            if exit_code is not None and (code := exit_code(result)):
                raise typer.Exit(code)

        return declared(run, compute, (*options, *where), besides=[option.name for option in options])

    return decorate


def is_short(output: Mapping[str, Any]) -> bool:
    """Whether a command with these options prints the short form, in which everything that there is to say must fit."""
    return output.get("full") is False and not output["quiet"] and STANDARD_OUTPUT not in output.values()


def _show(result: Result | tuple[Result, ...] | Document, results: Any, output: dict[str, Any]) -> None:
    from podium.cli.reading import notes_of
    from podium.cli.safe import as_flags
    from podium.report.document import Document
    from podium.report.documents import document
    from podium.report.output import show

    if not isinstance(result, Document):
        written = any(output[name] for name in OUTPUT)
        announced = not (written or is_short(output))  # on the terminal, above all that is printed
        notes = () if announced or results is None else notes_of(results)
        if is_short(output):  # they are read on the terminal, where options are flags
            notes = tuple(as_flags(note) for note in notes)
        drawn = any(output.get(form) for form in ("html", "pdf", "latex", "figures"))
        alone = is_short(output) and not written
        result = document(*(result if isinstance(result, tuple) else (result,)), notes=notes, drawn=drawn, short=alone)
    show(result, **output)
