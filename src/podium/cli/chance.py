"""`podium chance ...`: is the winner better than the best of C random rankings?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.chance.registry import LEVEL, names, usual
from podium.cli.options import Command, Group
from podium.cli.progress import progress_bar
from podium.cli.safe import safe, tell
from podium.cli.showing import showing, with_options
from podium.core.errors import ArgumentError, DataError
from podium.core.files import protect, writing
from podium.core.options import changed, several

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.result import Result
    from podium.evidence.predictions import PredictionTable

chance = typer.Typer(
    cls=Group,
    no_args_is_help=True,
    help="Is the winner better than the best of C random rankings? Exact critical values and p-values.",
)

_TRUTH = changed(
    "truth",
    help="The column of labels, if its name does not say it (y_true, truth, label ...).",
    metavar="COLUMN",
    topic="",
)
_TRUTH_OR_FILE = changed(
    "truth",
    help="The column of labels, if its name does not say it (y_true, truth, label ...), or the file that has them.",
    topic="",
)
_METRIC = changed("metric", many=False, topic="", default="auc", choices=names())
_COUNTS = several("competitors", 10, 100, 1000)


@chance.command(cls=Command)
@showing(
    *(several("positives"), several("negatives"), changed("metric", topic="", default=["auc"], choices=names())),
    *("competitors", "test_sets", "alpha", "draws", "rng"),
    positives=...,
    negatives=...,
    alpha=LEVEL,
)
def value(
    metric: list[str],
    positives: list[int],
    negatives: list[int],
    test_sets: int,
    draws: int | None,
    rng: int,
    **level: Any,
) -> tuple[Result, ...]:
    """The score that a winner must exceed; the mean score, where there are several test sets (-P 50,80 -N 100,90)."""
    from podium.chance.best_of import critical_value
    from podium.chance.means import critical_mean
    from podium.chance.simulate import simulated_critical_values
    from podium.core import check

    simulated = [name for name in metric if name in names(exact=False)]
    sizes: dict[str, Any] = {"positives": positives, "negatives": negatives}
    if simulated and max(map(len, sizes.values())) > 1:
        raise ArgumentError(
            f"Test sets of several sizes need an exact null distribution, and {simulated[0]} has none: give one -P and -N."
        )
    alone = {name: counts[0] for name, counts in sizes.items()}
    many = check.count("test_sets", test_sets) > 1 or max(map(len, sizes.values())) > 1
    results: list[Result] = [
        critical_mean(name, **{size: counts * test_sets for size, counts in sizes.items()}, **level)
        if many
        else critical_value(name, **alone, **level)
        for name in metric
        if name not in simulated
    ]
    if simulated:
        with progress_bar("pieces") as progress:
            settings: dict[str, Any] = {"draws": draws, "rng": rng, "test_sets": test_sets, "progress": progress}
            results += simulated_critical_values(simulated, **alone, **level, **settings)
    return tuple(results)


@chance.command(cls=Command)
@showing("score", "positives", "negatives", _METRIC, "competitors", "unattainable", score=...)
def pvalue(metric: str, score: float, **options: Any) -> Result:
    """How often the best of C random rankings scores at least this much."""
    from podium.chance.best_of import pvalue as chance_pvalue

    return chance_pvalue(metric, score, **options)


@chance.command(cls=Command)
@showing(
    *("metrics", several("positives"), several("negatives"), _COUNTS, several("alphas", LEVEL)), metrics=usual("table")
)
def table(metrics: list[str], **axes: Any) -> tuple[Result, ...]:
    """Tables of critical values; by default those of Forman and Cohen (2005), exactly."""
    from podium.chance.tables import PAPER_SIZES, critical_table

    axes |= {name: axes[name] or PAPER_SIZES for name in ("positives", "negatives")}
    tables = []
    for metric in metrics:
        with progress_bar(metric) as progress:
            tables.append(critical_table(metric, progress=progress, **axes))
    return tuple(tables)


@chance.command(cls=Command)
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
    from podium.plot.chance import chart as drawn
    from podium.plot.figure import SUFFIXES

    check.choice("the ending of FILE", output.suffix.lower(), SUFFIXES)
    with progress_bar("critical values") as progress:
        figure = drawn(**options, progress=progress)
    with writing(output):
        figure.save(output)
    typer.echo(f"Wrote {safe(output)}.")


@chance.command(cls=Command)
@showing(
    *("cases", "score", "share", "positives", "negatives", "leave_out", "metrics", "competitors", "alpha"),
    *("auc", "draws", "rng"),
    positives=None,
    negatives=None,
    draws=400,
    alpha=LEVEL,
)
def plan(**options: Any) -> Result:
    """Plan a test set: --cases (mix and metric), --score (how many cases), -P and -N (what C changes, or what to leave out)."""
    from podium.planning.positives import planned

    with progress_bar("mixes") as progress:
        result: Result = planned(progress=progress, **options)()
    return result


@chance.command(cls=Command)
@showing(
    *("learner", _TRUTH, "positive", _METRIC, "competitors", "alpha", "draws", "rng", "decimal_comma"),
    draws=200,
    alpha=LEVEL,
)
def shuffle(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A table: one row per case, a column of labels.")],
    learner: str,
    truth: str | None,
    decimal_comma: bool,
    **options: Any,
) -> Result:
    """What a learner finds in shuffled labels, by cross-validation: is what it finds in the true ones more?"""
    from podium.bench.learners.build import make_estimator
    from podium.bench.learners.catalog import LEARNERS
    from podium.bench.spec import AlgorithmSpec
    from podium.chance.checks import label_permutation
    from podium.core import check

    check.member("learner", learner, LEARNERS)
    data = _labelled(file, truth, decimal_comma=decimal_comma)
    return label_permutation(make_estimator(AlgorithmSpec(name=learner), {}, 0), *data, **options)


@chance.command(cls=Command)
@showing(
    *("score", _TRUTH, "positive", _METRIC, "features", "competitors", "alpha", "draws", "rng", "decimal_comma"),
    score=...,
    draws=1000,
    alpha=LEVEL,
)
def trivial(
    train: Annotated[
        Path, typer.Argument(metavar="TRAIN", help="The training cases: a table with a column of labels.")
    ],
    test: Annotated[Path, typer.Argument(metavar="TEST", help="The test cases on which the winner has its score.")],
    score: float,
    truth: str | None,
    decimal_comma: bool,
    **options: Any,
) -> Result:
    """What naive Bayes on a random feature reaches: is the winner's score more than is easy (Forman 2002)?"""
    from podium.chance.checks import trivial_classifiers

    with progress_bar("draws") as progress:
        return trivial_classifiers(
            score, *_labelled(train, truth, test, decimal_comma=decimal_comma), progress=progress, **options
        )


def _labelled(file: Path, truth: str | None, test: Path | None = None, *, decimal_comma: bool) -> tuple[Any, ...]:
    """Features as numbers (nominal ones by the place of their level, standardised) and labels; those of test cases after."""
    import numpy as np

    from podium.bench.datasets.files import load_file
    from podium.bench.encode import fit_encoder
    from podium.bench.spec import DataSettings
    from podium.reading.options import ReadOptions
    from podium.reading.predictions import columns_of

    files = [file] if test is None else [file, test]
    for path in files:
        protect(path)
    columns = columns_of(file, ReadOptions())
    target = _truth_column(file.name, columns, truth)
    data = [load_file(path, target=target, decimal_comma=decimal_comma) for path in files]
    if any(
        (one.features, one.levels, one.classes) != (data[0].features, data[0].levels, data[0].classes) for one in data
    ):
        raise DataError(
            "The two files must have the same columns, classes and nominal values: what only one has cannot be compared."
        )
    encoder = fit_encoder(data[0], np.arange(data[0].cases), DataSettings(nominal="ordinal"))
    arrays: list[Any] = []
    for one in data:
        arrays += [encoder.transform(one, np.arange(one.cases)), np.array(one.classes)[one.y]]
    return tuple(arrays)


# How a file of predictions is read: whatever its reader may ask for.
_READING = (
    *("ignore_column", "keep_column", "case_column", "cluster_column", "benchmark_column", "weight_column"),
    *("layout", "algorithm_column", "value_column", "where", "encoding", "separator", "sheet"),
    *("decimal_comma", "percent", "mean_sd", "footnotes", "missing_marker", "text_as_missing"),
)


@chance.command("test", cls=Command)
@showing(
    *(_TRUTH_OR_FILE, "positive", "algorithms", _METRIC, "competitors", "alpha", "ties", *_READING),
    competitors=None,
    alpha=LEVEL,
)
def predictions_command(
    files: Annotated[
        list[str],
        typer.Argument(
            metavar="FILE...",
            help="A table: a column of labels, one column of scores per algorithm; or a file for each algorithm, or their folder.",
        ),
    ],
    truth: str | None,
    algorithms: list[str] | None,
    positive: str | None,
    **options: Any,
) -> Result:
    """Test the winner of a file of predictions against chance."""
    from podium.chance.predictions import chance_test

    table = _read_predictions(
        [Path(file) for file in files], truth, algorithms, {name: options.pop(name) for name in _READING}
    )
    tell((*table.notes, *_unused(table)))
    return chance_test(table.truth, _scores(table, algorithms, positive), positive=positive, **options)


def _read_predictions(
    files: list[Path], truth: str | None, algorithms: list[str] | None, reading: dict[str, Any]
) -> PredictionTable:
    """The predictions of a file; of its columns only those of the chosen algorithms, where they are columns."""
    from dataclasses import replace

    from podium.reading.options import ReadOptions
    from podium.reading.predictions import columns_of, prediction_table

    file, options = files[0], ReadOptions(**reading)
    several = len(files) > 1 or file.is_dir()
    if several and truth is None:
        raise DataError("Predictions in several files need the file with the labels: name it with {truth}.")
    if truth is not None and (several or Path(truth).is_file()):
        return prediction_table(files if len(files) > 1 else file, replace(options, truth=truth))
    header = columns_of(file, options)
    chosen = [name for name in algorithms or () if name in header]
    options = replace(
        options, truth=_truth_column(file.name, header, truth), value_column=chosen or options.value_column
    )
    return prediction_table(file, options)


def _truth_column(file: str, header: list[str], truth: str | None) -> str:
    """The column of labels: the one named, or the only one whose name says it."""
    from podium.core.names import quoted
    from podium.reading.roles import is_truth

    if truth is not None:
        columns = [name for name in header if name == truth]
    else:
        columns = [name for name in header if is_truth(name, few_labels=False)]
        columns = columns or [name for name in header if is_truth(name, few_labels=True)]
    if len(columns) == 1:
        return columns[0]
    if columns:
        raise DataError(f"{file}: which column has the labels, {quoted(columns, 12)}? Name it with {{truth}}.")
    which = "of labels" if truth is None else repr(truth)
    raise DataError(
        f"{file} has no column {which}: it has {quoted(header, 12)}; name the column of labels with {{truth}}."
    )


def _unused(table: PredictionTable) -> list[str]:
    """What a test against chance leaves aside."""
    there = {
        "weights": table.weights is not None,
        "clusters": bool(table.clusters),
        "benchmarks": bool(table.benchmarks),
    }
    return [f"The {name} are not used: chance ranks every case alike." for name, is_there in there.items() if is_there]


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
