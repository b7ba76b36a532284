"""`podium chance ...`: is the winner better than the best of C random rankings?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.chance.registry import names, usual
from podium.cli.progress import progress_bar
from podium.cli.safe import safe
from podium.cli.showing import showing, with_options
from podium.core.errors import ArgumentError, DataError
from podium.core.numbers import as_given, fixed
from podium.core.options import changed, several

if TYPE_CHECKING:
    from podium.core.result import Result

chance = typer.Typer(
    no_args_is_help=True,
    help="Is the winner better than the best of C random rankings? Exact critical values and p-values.",
)

_METRIC = changed("metric", many=False, panel="", default="auc", choices=names())
_COUNTS = several("competitors", 10, 100, 1000)


@chance.command()
@showing("positives", "negatives", _METRIC, "competitors", "alpha", "draws", "rng")
def value(metric: str, draws: int | None, rng: int, **sizes: Any) -> Result:
    """The score that a winner must exceed."""
    from podium.chance.best_of import critical_value
    from podium.chance.simulate import simulated_critical_value

    if metric not in names(exact=False):
        return critical_value(metric, **sizes)
    with progress_bar("pieces") as progress:
        return simulated_critical_value(metric, **sizes, draws=draws, rng=rng, progress=progress)


@chance.command()
@showing("score", "positives", "negatives", _METRIC, "competitors", "unattainable", score=...)
def pvalue(metric: str, score: float, **options: Any) -> Result:
    """How often the best of C random rankings scores at least this much."""
    from podium.chance.best_of import pvalue as chance_pvalue

    return chance_pvalue(metric, score, **options)


@chance.command()
@showing(
    *("metrics", several("positives"), several("negatives"), _COUNTS, several("alphas", 0.01)),
    metrics=usual("table"),
)
def table(metrics: list[str], **axes: Any) -> tuple[Result, ...]:
    """Tables of critical values; by default those of Forman and Cohen (2005), exactly."""
    from podium.chance.tables import PAPER_SIZES, critical_table

    axes |= {name: axes[name] or PAPER_SIZES for name in ("positives", "negatives")}
    found = []
    for metric in metrics:
        with progress_bar(metric) as progress:
            found.append(critical_table(metric, progress=progress, **axes))
    return tuple(found)


@chance.command()
@with_options(
    *("metrics", "positives", "negatives", _COUNTS, "alpha", "workers"),
    metrics=usual("grid"),
    positives=1000,
    negatives=1000,
    alpha=0.01,
)
def grid(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as grid.npz.")],
    metrics: list[str],
    **options: Any,
) -> None:
    """All critical values up to a size, as one compressed file; a stopped run continues where it was."""
    from podium.chance.tables import write_grid

    with progress_bar("rows of ten") as progress:
        path = write_grid(output, metrics, progress=progress, **options)
    sizes = f"1 to {options['positives']} positives, 1 to {options['negatives']} negatives"
    counts = ", ".join(map(str, options["competitors"]))
    typer.echo(
        f"Wrote {safe(path)} ({fixed(path.stat().st_size / 1e6, 1)} MB): {', '.join(map(safe, metrics))} for {sizes} and "
        f"{counts} competitors at alpha {as_given(options['alpha'])}."
    )


@chance.command()
@with_options(
    *("kind", "metrics", "positives", "negatives", "competitors", "alpha", "score"),
    positives=1000,
    negatives=1000,
    competitors=1000,
    alpha=0.01,
)
def chart(
    output: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to draw: .pdf, .svg, .png, .pgf, .tikz or .tex.")
    ],
    **options: Any,
) -> None:
    """Draw null distributions, surfaces with projected isolines, labelled contours, or the curve over C."""
    from podium.core import check
    from podium.core.files import writing
    from podium.plot.chance_charts import draw
    from podium.plot.figure import SUFFIXES

    check.choice("the ending of FILE", output.suffix.lower(), SUFFIXES)
    with progress_bar("critical values") as progress:
        figure = draw(**options, progress=progress)
    with writing(output):
        figure.save(output)
    typer.echo(f"Wrote {safe(output)}.")


@chance.command()
@showing(
    *("cases", "score", "share", "positives", "negatives", "metrics", "competitors", "alpha", "auc", "draws", "rng"),
    positives=None,
    negatives=None,
    draws=400,
)
def plan(
    cases: int | None, metrics: list[str] | None, score: float | None, alpha: float, competitors: int, **options: Any
) -> Result:
    """Plan a test set: --cases (mix and metric), --score (how many cases), or -P and -N (what C changes)."""
    from podium.chance.plan import plan_cases, plan_competitors, plan_mix

    metric = (metrics or ["auc"])[0]
    if cases is not None:
        given = {name: options[name] for name in ("auc", "draws", "rng")}
        with progress_bar("mixes") as progress:
            return plan_mix(cases, metrics=metrics, competitors=competitors, alpha=alpha, progress=progress, **given)
    sizes = {name: options[name] for name in ("positives", "negatives")}
    if None not in sizes.values():
        return plan_competitors(metric, **sizes, alpha=alpha, score=score)
    if score is not None:
        return plan_cases(metric, score, share=options["share"], competitors=competitors, alpha=alpha)
    raise ArgumentError("Say what to plan: {cases}, {score}, or both {positives} and {negatives}.")


@chance.command("test")
@showing("label", "positive", "algorithms", _METRIC, "competitors", "alpha", "ties", competitors=None)
def predictions_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="CSV: a column of labels, one column per algorithm.")],
    label: str,
    algorithms: list[str] | None,
    **options: Any,
) -> Result:
    """Test the winner of a file of predictions against chance."""
    from podium.chance.predictions import chance_test

    labels, scores = _read_predictions(file, label, algorithms)
    return chance_test(labels, scores, **options)


def _read_predictions(file: str, label: str, algorithms: list[str] | None) -> tuple[list[str], dict[str, list[float]]]:
    """Labels and the scores of each algorithm, from a CSV file with a header."""
    import csv

    try:
        with open(file, newline="", encoding="utf-8-sig") as stream:
            rows = [row for row in csv.reader(stream) if row]
    except FileNotFoundError:
        raise DataError(f"There is no file {file!r}.") from None
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{file!r} cannot be read as CSV: {error}.") from None
    if len(rows) < 2:
        raise DataError(f"{file!r} must have a header and at least one case.")
    header = [name.strip() for name in rows[0]]
    if len(set(header)) < len(header):
        raise DataError(f"{file!r} has two columns of the same name: rename one.")
    for line, row in enumerate(rows[1:], start=2):
        if len(row) != len(header):
            raise DataError(f"{file!r}, row {line}: {len(row)} cells, but the header has {len(header)}.")
    if label not in header:
        raise ArgumentError(f"{file!r} has no column {label!r}: name the column of labels with {label}.")
    chosen = [name for name in header if name != label] if algorithms is None else algorithms
    for name in chosen:
        if name not in header:
            raise ArgumentError(f"{file!r} has no column {name!r}.")
    if not chosen:
        raise DataError(f"{file!r} has no column of scores beside {label!r}.")
    scores: dict[str, list[float]] = {name: [] for name in chosen}
    for line, row in enumerate(rows[1:], start=2):
        for name, numbers in scores.items():
            cell = row[header.index(name)]
            try:
                numbers.append(float(cell))
            except ValueError:
                raise DataError(
                    f"{file!r}, row {line}, column {name!r}: {cell!r} is not a number; correct the cell, or choose "
                    "the columns of scores with {algorithms}."
                ) from None
    return [row[header.index(label)].strip() for row in rows[1:]], scores
