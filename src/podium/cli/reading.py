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

`podium compare FILE --alpha 0.01 --metric auc --lower-is-better ...` then works, and FILE may also be the name of
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

from podium.cli.safe import safe

if TYPE_CHECKING:
    from podium.core.results import Results

__all__ = ["read_file", "with_results"]

_PANEL = "Reading the scores"


def _option(*names: str, help: str, metavar: str | None = None) -> Any:
    return typer.Option(*names, help=help, metavar=metavar, rich_help_panel=_PANEL)


def reading_options(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE",
            help="Scores: CSV, TSV, JSON, Parquet, Excel, a benchmark's store (.db), a folder with one file per "
            "algorithm, or an example's name.",
        ),
    ],
    metric: Annotated[
        list[str] | None,
        _option("--metric", "-m", metavar="NAME", help="What the scores measure; which metric to use."),
    ] = None,
    higher: Annotated[bool, _option("--higher-is-better", help="A higher score is better.")] = False,
    lower: Annotated[bool, _option("--lower-is-better", help="A lower score is better.")] = False,
    direction: Annotated[
        list[str] | None, _option("--direction", metavar="METRIC=WORD", help="One metric's direction: loss=lower.")
    ] = None,
    layout: Annotated[str, _option("--layout", metavar="WORD", help="auto, wide or long.")] = "auto",
    rows: Annotated[
        str, _option("--rows", metavar="WORD", help="What the rows of a wide table are: auto, datasets, algorithms.")
    ] = "auto",
    algorithm_column: Annotated[
        str | None, _option("--algorithm-column", metavar="COLUMN", help="The column of algorithms.")
    ] = None,
    dataset_column: Annotated[
        str | None, _option("--dataset-column", metavar="COLUMN", help="The column of datasets.")
    ] = None,
    fold_column: Annotated[str | None, _option("--fold-column", metavar="COLUMN", help="The column of folds.")] = None,
    repeat_column: Annotated[
        str | None, _option("--repeat-column", metavar="COLUMN", help="The column of repeats.")
    ] = None,
    seed_column: Annotated[
        str | None, _option("--seed-column", metavar="COLUMN", help="The column of seeds, used as repeats.")
    ] = None,
    metric_column: Annotated[
        str | None, _option("--metric-column", metavar="COLUMN", help="The column of metrics.")
    ] = None,
    value_column: Annotated[
        list[str] | None, _option("--value-column", metavar="COLUMN", help="The column (or columns) of scores.")
    ] = None,
    family_column: Annotated[
        str | None, _option("--family-column", metavar="COLUMN", help="The column of families: datasets of one origin.")
    ] = None,
    message_column: Annotated[
        str | None, _option("--message-column", metavar="COLUMN", help="The column of failure messages.")
    ] = None,
    ignore_column: Annotated[
        list[str] | None, _option("--ignore-column", metavar="COLUMN", help="A column to leave out.")
    ] = None,
    missing: Annotated[
        list[str] | None, _option("--missing", metavar="MARKER", help="A text that means missing.")
    ] = None,
    decimal_comma: Annotated[bool, _option("--decimal-comma", help="Read 0,842 as 0.842.")] = False,
    percent: Annotated[bool, _option("--percent", help="Read 84.2% as 84.2.")] = False,
    mean_sd: Annotated[bool, _option("--mean-sd", help="Keep the mean of 68.4(7.1) and 68.4 ± 7.1.")] = False,
    footnotes: Annotated[bool, _option("--footnotes", help="Drop the marks of 0.842 (1) and 0.842*.")] = False,
    text_as_missing: Annotated[
        bool, _option("--text-as-missing", help="A text in place of a number is a failure, kept as its message.")
    ] = False,
    drop_summaries: Annotated[
        bool, _option("--drop-summaries", help='Drop "Average", "Mean rank" and the like.')
    ] = False,
    keep_summaries: Annotated[bool, _option("--keep-summaries", help="Take them for datasets and algorithms.")] = False,
    repeats: Annotated[
        int | None, _option("--repeats", metavar="N", help="How many repeats numbered columns are made of.")
    ] = None,
    test_fraction: Annotated[
        float | None,
        _option("--test-fraction", metavar="SHARE", help="The share of test cases, if it was not cross-validation."),
    ] = None,
    encoding: Annotated[
        str | None, _option("--encoding", metavar="NAME", help="Of a text file: utf-8, cp1252, ...")
    ] = None,
    separator: Annotated[
        str | None, _option("--separator", metavar="SIGN", help="Between the cells of a text file.")
    ] = None,
    sheet: Annotated[str | None, _option("--sheet", metavar="NAME", help="The sheet of an Excel file.")] = None,
) -> Results:
    """Read FILE as the options say."""
    return read_file(
        file,
        metric=metric or None,
        direction=_direction(higher, lower, direction or []),
        layout=layout,
        rows=rows,
        algorithm=algorithm_column,
        dataset=dataset_column,
        fold=fold_column,
        repeat=repeat_column,
        seed=seed_column,
        metric_column=metric_column,
        value=value_column or None,
        family=family_column,
        message=message_column,
        ignore=ignore_column or (),
        missing=missing or (),
        decimal="," if decimal_comma else ".",
        percent=percent,
        mean_sd=mean_sd,
        footnotes=footnotes,
        text_as_missing=text_as_missing,
        summaries=_summaries(drop_summaries, keep_summaries),
        repeats=repeats,
        test_fraction=test_fraction,
        encoding=encoding,
        separator="\t" if separator in ("tab", "\\t") else separator,
        sheet=sheet,
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


def _direction(higher: bool, lower: bool, pairs: list[str]) -> str | dict[str, str] | None:
    from podium.core.errors import ArgumentError

    if higher and lower:
        raise ArgumentError("Give --higher-is-better or --lower-is-better, not both.")
    if pairs and (higher or lower):
        raise ArgumentError("Give --direction for each metric, or one of --higher-is-better and --lower-is-better.")
    if not pairs:
        return "higher" if higher else "lower" if lower else None
    directions = {}
    for pair in pairs:
        name, equals, word = pair.rpartition("=")
        if not equals or not name:
            raise ArgumentError(f"`--direction` must look like METRIC=higher or METRIC=lower; got {pair!r}.")
        directions[name] = word
    return directions


def _summaries(drop: bool, keep: bool) -> str:
    from podium.core.errors import ArgumentError

    if drop and keep:
        raise ArgumentError("Give --drop-summaries or --keep-summaries, not both.")
    return "drop" if drop else "keep" if keep else "ask"


def with_results(
    *, announce: bool = True, required: bool = True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Turn a function of `results` and options into a command of FILE, the options and the reading options.

    Where FILE is not required, a command without it gets None for its results.
    """
    return functools.partial(_with_results, announce=announce, required=required)


def _with_results(command: Callable[..., None], *, announce: bool, required: bool) -> Callable[..., None]:
    shared = _parameters(reading_options)
    if not required:
        shared[0] = shared[0].replace(default=None)
    own = [parameter for parameter in _parameters(command) if parameter.name != "results"]
    clash = {parameter.name for parameter in own} & {parameter.name for parameter in shared}
    if clash:
        raise TypeError(f"{command.__name__} declares reading options again: {sorted(clash)}")
    names = {parameter.name for parameter in shared}

    @functools.wraps(command)
    def run(**given: Any) -> None:
        reading = {name: given.pop(name) for name in names}
        results = None if reading["file"] is None else reading_options(**reading)
        if announce and results is not None:
            for note in (*results.notes[:1], *_about_scores(results)):
                typer.echo(safe(note), err=True)
        command(results, **given)

    parameters = [shared[0], *own, *shared[1:]]
    run.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    run.__annotations__ = {parameter.name: parameter.annotation for parameter in parameters}
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
