"""The options of every command that reads scores, declared once.

A command that starts from scores is written as a function of `Results` and its own options. `with_results` puts
FILE and the reading options in front of it, reads, says on stderr what was recognised and what is missing, and calls
it:

    from podium.cli.reading import with_results

    @with_results()
    def compare(
        results: Results,                                       # first, and named so
        alpha: Annotated[float, typer.Option(help="The level.")] = 0.05,
    ) -> None:
        \"\"\"Compare algorithms over datasets.\"\"\"
        from podium.comparison.compare import compare as compare_results  # heavy rooms load inside
        ...

    app.command()(compare)                                      # in main.py

`podium compare FILE --alpha 0.01 --metric auc --direction lower ...` then works, and FILE may also be the name of
an example ("benavoli2016"), so that every command can be tried on a fresh machine. With
`@with_results(announce=False)` the command says itself what was recognised (`results.notes`).
"""

from __future__ import annotations

import functools
import inspect
import typing
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.options import parameters, values_of
from podium.cli.safe import safe
from podium.core.options import READING, these
from podium.core.read.registry import told

if TYPE_CHECKING:
    from podium.core.results import Results

__all__ = ["read_file", "with_results"]

_READING = these(*READING)
_FILE = inspect.Parameter(
    "file",
    inspect.Parameter.KEYWORD_ONLY,
    annotation=Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help=f"Scores: {told(lambda entry: bool(entry.endings) or entry.name == 'folder')}; or an example's name.",
        ),
    ],
)


def read_file(file: str, **options: Any) -> Results:
    """Results from a path, or from an example of that name if there is no such file."""
    from podium.core._examples import example, examples
    from podium.core.errors import DataError
    from podium.core.read.options import Reading
    from podium.core.read.reader import read, with_choices

    names = [item.name for item in examples() if item.has_results]
    if file in names and not Path(file).exists():
        return with_choices(example(file), Reading(**options), f"The example {file!r}")
    try:
        return read(file, **options)
    except DataError as error:
        if str(error).startswith("There is no file"):
            raise DataError(f"{str(error).rstrip('.')}, or name an example ({', '.join(names)}).") from None
        raise


def with_results(
    *, announce: bool = True, required: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn a function of `results` and options into a command of FILE, the options and the reading options.

    Where FILE is not required, a command without it gets None for its results.
    """
    return functools.partial(_with_results, announce=announce, required=required)


def _with_results(command: Callable[..., None], *, announce: bool, required: bool) -> Callable[..., None]:
    shared = [_FILE if required else _FILE.replace(default=None), *parameters(_READING)]
    own = [parameter for parameter in _parameters(command) if parameter.name != "results"]
    clash = {parameter.name for parameter in own} & {parameter.name for parameter in shared}
    if clash:
        raise TypeError(f"{command.__name__} declares reading options again: {sorted(clash)}")
    names = {parameter.name for parameter in shared}

    @functools.wraps(command)
    def run(**given: Any) -> None:
        reading = {name: given.pop(name) for name in names}
        file = reading.pop("file")
        results = None if file is None else read_file(file, **values_of(_READING, reading))
        if announce and results is not None:
            for note in (*results.notes[:1], *_about_scores(results)):
                typer.echo(safe(note), err=True)
        command(results, **given)

    everything = [shared[0], *own, *shared[1:]]
    run.__signature__ = inspect.Signature(everything)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in everything}
    del run.__wrapped__  # typer would look through the wrapper
    return run


def _about_scores(results: Results) -> tuple[str, ...]:
    """What else the reader said, which of several metrics is taken, and how many cells lack folds."""
    from podium.core.errors import PodiumError

    try:
        return results.scores().all_notes
    except PodiumError:
        return results.notes[1:]  # the command says what is wrong


def _parameters(function: Callable[..., Any]) -> list[inspect.Parameter]:
    """The parameters with their annotations as types, all by keyword."""
    hints = typing.get_type_hints(function, localns={"Results": Any}, include_extras=True)
    return [
        parameter.replace(annotation=hints.get(parameter.name, Any), kind=inspect.Parameter.KEYWORD_ONLY)
        for parameter in inspect.signature(function).parameters.values()
    ]
