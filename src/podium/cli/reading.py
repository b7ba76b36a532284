"""FILE and the reading options of every command that starts from scores.

A command is a function of `Results` and its options that gives a result. `showing` adds the options that it names and
those of the output, and shows the result; `with_results` puts FILE and the reading options in front, reads, and says
on the error stream what was recognised and what is missing, unless a short report is printed that has it:

    @with_results()
    @showing("alpha", "rng")
    def pool(results: Results, **options: Any) -> Result:
        \"\"\"Does the decision on two algorithms depend on which others are compared with them?\"\"\"
        from podium.studies.pool import pool_dependence  # heavy rooms load inside

        return pool_dependence(results.scores(), **options)

FILE may also be the name of an example ("benavoli2016"), so that every command can be tried on a fresh machine. With
`@with_results(announce=False)` the command says itself what was recognised (`results.notes`).
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.options import declared, taken
from podium.cli.safe import tell
from podium.cli.showing import is_short
from podium.core.errors import ArgumentError, DataError, PodiumError
from podium.core.options import READING, TEST_CASES, these
from podium.reading.registry import told

if TYPE_CHECKING:
    from podium.evidence.results import Results

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


_FLAG_VALUES = ("true", "false", "yes", "no")


def with_results(
    *, announce: bool = True, required: bool = True, cases: bool = False, one_metric: bool = False
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn a function of `results` and options into a command of FILE, the options and the reading options.

    Where FILE is not required, a command without it gets None for its results. A command that takes test cases too gets
    whatever `podium.read` gives, with its options for cases, and several files where they are predictions. A command that
    compares by `one_metric` has it chosen with all else that is open.
    """
    options = these(*READING, *(TEST_CASES if cases else ()))
    asks = these("ask")

    def decorate(command: Callable[..., None]) -> Callable[..., None]:
        def run(**typed: Any) -> None:
            file, reading = typed.pop("file"), taken(options, typed)
            (ask,) = taken(asks, typed).values()
            if typed.get("cost"):  # then it names a column of the costs, not of FILE
                typed["cost_column"] = reading.pop("cost_column", None)
            elif "cost" in typed and reading.get("cost_column"):
                typed["cost"] = [reading["cost_column"]]
            search = typed.get("search_metric")
            if search is not None and reading["metric"]:
                reading["metric"] = [*reading["metric"], search]  # it is read beside the metric that is compared
            one = one_metric and search is None
            results = read_file(file, cases=cases, one_metric=one, ask=ask, **reading) if file else None
            if search is not None and results is not None and hasattr(results, "besides"):
                results = results.besides(search)
            tell(notes_of(results) if announce and results is not None and not is_short(typed) else ())
            command(results, **typed)

        first = _FILE if required else _FILE.replace(default=None)
        if cases:
            told_as = first.annotation.__metadata__[0]
            first = first.replace(annotation=Annotated[list[str] | None, told_as])
        return declared(run, command, (*options, *asks), first)

    return decorate


def read_file(
    files: str | list[str], *, cases: bool = False, one_metric: bool = False, ask: str = "never", **options: Any
) -> Any:
    """What a path (or several of predictions) holds, or an example of that name if there is no such file."""
    from podium.reading._examples import example, examples
    from podium.reading.options import ReadOptions
    from podium.reading.verbs import with_choices

    file = files[0] if isinstance(files, list) and len(files) == 1 else files
    value = next((word for word in files if word.lower() in _FLAG_VALUES and not Path(word).exists()), None)
    if isinstance(files, list) and value is not None:
        raise ArgumentError(f"A flag such as {{exact}} takes no value: leave out {value!r}.", options=["exact"])
    chosen = ReadOptions(**options)
    names = [item.name for item in examples() if item.metrics]
    if file in names and not Path(str(file)).exists():
        return with_choices(example(str(file)), chosen, f"The example {file!r}")

    from podium.cli.asking import asking  # an example asks nothing
    from podium.reading.reader import read_evidence

    def read(asked: ReadOptions) -> Any:
        if not cases:
            return read_evidence(file, asked, units=("dataset",))
        return read_evidence(file, asked, one_metric=one_metric, ask_design=False)

    try:
        return asking(read, chosen, ask=ask)
    except DataError as error:
        if error.fields.get("reason") != "no file":
            raise
        raise DataError(
            "There is no file {file}: check the path, or name an example ({examples}).",
            **{**error.fields, "examples": ", ".join(names)},
        ) from None


def notes_of(results: Results) -> tuple[str, ...]:
    """What the reader recognised and said, which of several metrics is taken, and how many cells lack folds."""
    if not hasattr(results, "scores") or not callable(results.scores):
        return results.notes
    try:
        return (*results.notes[:1], *results.scores().all_notes)
    except PodiumError:
        return results.notes  # the command says what is wrong
