"""`podium chance ...`: is the winner better than the best of C random rankings?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.chance.registry import LEVEL, names, usual
from podium.cli.progress import progress_bar
from podium.cli.safe import safe
from podium.cli.showing import showing, with_options
from podium.core.errors import ArgumentError, DataError
from podium.core.files import protect
from podium.core.numbers import as_given, fixed
from podium.core.options import changed, several

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.result import Result
    from podium.evidence.predictions import PredictionTable

chance = typer.Typer(
    no_args_is_help=True,
    help="Is the winner better than the best of C random rankings? Exact critical values and p-values.",
)

_METRIC = changed("metric", many=False, panel="", default="auc", choices=names())
_COUNTS = several("competitors", 10, 100, 1000)


@chance.command()
@showing("positives", "negatives", _METRIC, "competitors", "alpha", "draws", "rng", alpha=LEVEL)
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
    *("metrics", several("positives"), several("negatives"), _COUNTS, several("alphas", LEVEL)),
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
    alpha=LEVEL,
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
    alpha=LEVEL,
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
    alpha=LEVEL,
)
def plan(
    cases: int | None, metrics: list[str] | None, score: float | None, alpha: float, competitors: int, **options: Any
) -> Result:
    """Plan a test set: --cases (mix and metric), --score (how many cases), or -P and -N (what C changes)."""
    from podium.planning.positives import plan_cases, plan_competitors, plan_mix

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


# How a file of predictions is read: whatever its reader may ask for.
_READING = (
    *("ignore_column", "keep_column", "case_column", "cluster_column", "benchmark_column", "weight_column"),
    *("layout", "algorithm_column", "value_column", "where", "encoding", "separator", "sheet"),
    *("decimal_comma", "percent", "mean_sd", "footnotes", "missing_marker", "text_as_missing"),
)


@chance.command("test")
@showing(
    *("label", "positive", "algorithms", _METRIC, "competitors", "alpha", "ties", *_READING),
    competitors=None,
    alpha=LEVEL,
)
def predictions_command(
    file: Annotated[
        str, typer.Argument(metavar="FILE", help="A table: a column of labels, one column of scores per algorithm.")
    ],
    label: str | None,
    algorithms: list[str] | None,
    positive: str | None,
    **options: Any,
) -> Result:
    """Test the winner of a file of predictions against chance."""
    from podium.chance.predictions import chance_test
    from podium.cli.safe import tell

    table = _read_predictions(Path(file), label, algorithms, {name: options.pop(name) for name in _READING})
    tell((*table.notes, *_unused(table)))
    return chance_test(table.truth, _scores(table, algorithms, positive), positive=positive, **options)


def _read_predictions(
    file: Path, label: str | None, algorithms: list[str] | None, reading: dict[str, Any]
) -> PredictionTable:
    """The predictions of a file; of its columns only those of the chosen algorithms, where they are columns."""
    from dataclasses import replace

    from podium.reading.options import ReadOptions
    from podium.reading.predictions import columns_of, prediction_table

    protect(file)
    options = ReadOptions(**reading)
    header = columns_of(file, options)
    chosen = [name for name in algorithms or () if name in header]
    options = replace(
        options, truth=_label_column(file.name, header, label), value_column=chosen or options.value_column
    )
    return prediction_table(file, options)


def _label_column(file: str, header: list[str], label: str | None) -> str:
    """The column of labels: the one named, or the only one whose name says it."""
    from podium.core.names import quoted
    from podium.reading.roles import is_truth

    if label is not None:
        found = [name for name in header if name == label]
    else:
        found = [name for name in header if is_truth(name, few_labels=False)]
        found = found or [name for name in header if is_truth(name, few_labels=True)]
    if len(found) == 1:
        return found[0]
    if found:
        raise DataError(f"{file}: which column has the labels, {quoted(found, 12)}? Name it with {{label}}.")
    which = "of labels" if label is None else repr(label)
    raise DataError(
        f"{file} has no column {which}: it has {quoted(header, 12)}; name the column of labels with {{label}}."
    )


def _unused(table: PredictionTable) -> list[str]:
    """What a test against chance leaves aside."""
    told = {
        "weights": table.weights is not None,
        "clusters": bool(table.clusters),
        "benchmarks": bool(table.benchmarks),
    }
    return [f"The {name} are not used: chance ranks every case alike." for name, given in told.items() if given]


def _scores(table: PredictionTable, algorithms: list[str] | None, positive: str | None) -> pd.DataFrame:
    """The scores of each algorithm, higher meaning more positive; of probabilities for both classes that of the positive."""
    from podium.chance.rankings import as_binary
    from podium.core import check
    from podium.evidence.predictions import label_text

    for name in algorithms or ():
        check.member("algorithm", name, table.predicted.columns)
    columns = table.predicted[algorithms] if algorithms else table.predicted
    if table.probabilities:
        label = table.truth[as_binary(table.truth, positive=positive)].iloc[0]
        place = table.classes.index(label_text(label))
        columns = columns.assign(**{name: table.probabilities[name][:, place] for name in columns.columns})
    for own, column in columns.items():
        if column.dtype.kind not in "iufb":
            raise DataError(
                f"The predictions of {str(own)!r} are text ({str(column.iloc[0])!r}), and a ranking needs numbers: compare labels "
                "with `podium compare`, or leave the column out with {ignore_column}."
            )
    return columns
