"""`podium chance ...`: is the winner better than the best of C random rankings?"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.chance.registry import names, usual
from podium.cli.progress import progress_bar
from podium.cli.safe import cell, safe
from podium.core.options import numbers, whole_numbers

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.result import Result

__all__ = ["chance"]

chance = typer.Typer(
    no_args_is_help=True,
    help="Is the winner better than the best of C random rankings? Exact critical values and p-values.",
)

_METRIC_HELP = f"{', '.join(names(exact=True))}, with any number."
_METRIC = Annotated[str, typer.Option("--metric", "-m", metavar="NAME", help=_METRIC_HELP)]
_METRICS = Annotated[
    list[str] | None, typer.Option("--metric", "-m", metavar="NAME", help="Several times for several: " + _METRIC_HELP)
]
_POSITIVES = Annotated[int, typer.Option("--positives", "-P", metavar="P", help="Positive test cases.")]
_NEGATIVES = Annotated[int, typer.Option("--negatives", "-N", metavar="N", help="Negative test cases.")]
_COMPETITORS = Annotated[
    int, typer.Option("--competitors", "-C", metavar="C", help="How many were tried, the losers included.")
]
_ALPHA = Annotated[float, typer.Option("--alpha", metavar="LEVEL", help="The level of significance.")]
_JSON = Annotated[bool, typer.Option("--json", help="Print JSON for programs.")]
_SEED = Annotated[int, typer.Option("--rng", help="Equal seeds give equal numbers, on any number of cores.")]
_SIZES_HELP = "Numbers separated by commas; 10:90:20 means 10, 30, ..., 90."
_WORKERS = Annotated[int | None, typer.Option("--workers", metavar="CORES", help="By default all cores.")]


@chance.command()
def value(
    positives: _POSITIVES,
    negatives: _NEGATIVES,
    metric: _METRIC = "auc",
    competitors: _COMPETITORS = 1,
    alpha: _ALPHA = 0.05,
    draws: Annotated[
        int | None, typer.Option(help=f"Simulated rankings, for {' and '.join(names(exact=False))} only.")
    ] = None,
    rng: _SEED = 0,
    as_json: _JSON = False,
) -> None:
    """The score that a winner must exceed."""
    sizes = {"positives": positives, "negatives": negatives, "competitors": competitors, "alpha": alpha}
    if metric not in names(exact=False):
        from podium.chance.best_of import critical_value

        _show(critical_value(metric, **sizes), as_json=as_json)  # type: ignore[arg-type]
        return
    from podium.chance.simulate import simulated_critical_value

    with progress_bar("pieces") as progress:
        simulated = simulated_critical_value(metric, **sizes, draws=draws, rng=rng, progress=progress)  # type: ignore[arg-type]
    _show(simulated, as_json=as_json)


@chance.command()
def pvalue(
    score: Annotated[float, typer.Option("--score", metavar="SCORE", help="The winner's score.")],
    positives: _POSITIVES,
    negatives: _NEGATIVES,
    metric: _METRIC = "auc",
    competitors: _COMPETITORS = 1,
    unattainable: Annotated[
        str, typer.Option(help="A score that no ranking can get: 'error', or take the 'nearest' or the one 'below'.")
    ] = "error",
    as_json: _JSON = False,
) -> None:
    """How often the best of C random rankings scores at least this."""
    from podium.chance.best_of import pvalue as chance_pvalue

    found = chance_pvalue(
        metric,
        score,
        positives=positives,
        negatives=negatives,
        competitors=competitors,
        unattainable=unattainable,
    )
    _show(found, as_json=as_json)


@chance.command()
def table(
    metric: _METRICS = None,
    positives: Annotated[str, typer.Option("--positives", "-P", metavar="SIZES", help=_SIZES_HELP)] = "",
    negatives: Annotated[str, typer.Option("--negatives", "-N", metavar="SIZES", help=_SIZES_HELP)] = "",
    competitors: Annotated[
        str, typer.Option("--competitors", "-C", metavar="COUNTS", help=_SIZES_HELP)
    ] = "10,100,1000",
    alpha: Annotated[str, typer.Option("--alpha", metavar="LEVELS", help="Levels separated by commas.")] = "0.01",
    form: Annotated[str, typer.Option("--format", help="csv, latex (the paper's layout) or markdown.")] = "markdown",
    decimals: Annotated[int, typer.Option(help="Decimals in latex and markdown; csv is never rounded.")] = 3,
    output: Annotated[Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write to a file.")] = None,
    as_json: _JSON = False,
) -> None:
    """Tables of critical values; by default those of Forman and Cohen (2005), exactly."""
    from podium.chance.tables import PAPER_SIZES, critical_table
    from podium.core import check

    check.choice("--format", form, ("csv", "latex", "markdown"))
    check.count("--decimals", decimals, at_least=0, at_most=15)
    tables = []
    for name in metric or usual("table"):
        with progress_bar(name) as progress:
            tables.append(
                critical_table(
                    name,
                    positives=whole_numbers("positives", [positives]) or PAPER_SIZES,
                    negatives=whole_numbers("negatives", [negatives]) or PAPER_SIZES,
                    competitors=whole_numbers("competitors", [competitors]),
                    alphas=numbers("alpha", [alpha]),
                    progress=progress,
                )
            )
    if as_json:
        rows = [row for one in tables for row in one.to_frame().to_dict(orient="records")]
        _write(_json(rows), output)
    elif form == "csv":
        texts = [one.to_csv() for one in tables]
        _write(texts[0] + "".join(text.split("\n", 1)[1] for text in texts[1:]), output)
    elif form == "latex":
        _write("\n".join(one.to_latex(decimals=decimals) for one in tables), output)
    else:
        _write("\n".join(one.to_markdown(decimals=decimals) for one in tables), output)


@chance.command()
def grid(
    output: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write, such as grid.npz.")],
    metric: _METRICS = None,
    positives: Annotated[int, typer.Option("--positives", "-P", help="From 1 to this many positives.")] = 1000,
    negatives: Annotated[int, typer.Option("--negatives", "-N", help="From 1 to this many negatives.")] = 1000,
    competitors: Annotated[
        str, typer.Option("--competitors", "-C", metavar="COUNTS", help=_SIZES_HELP)
    ] = "10,100,1000",
    alpha: _ALPHA = 0.01,
    workers: _WORKERS = None,
    as_json: _JSON = False,
) -> None:
    """All critical values up to a size, as one compressed file; a stopped run goes on where it was."""
    from podium.chance.grid import write_grid

    metrics = metric or list(usual("grid"))
    counts = whole_numbers("competitors", [competitors])
    with progress_bar("rows of ten") as progress:
        path = write_grid(
            output,
            metrics,
            positives=positives,
            negatives=negatives,
            competitors=counts,
            alpha=alpha,
            workers=workers,
            progress=progress,
        )
    size = path.stat().st_size
    if as_json:
        typer.echo(_json({"file": str(path), "bytes": size, "metrics": metrics, "competitors": counts, "alpha": alpha}))
    else:
        typer.echo(
            f"Wrote {safe(path)} ({size / 1e6:.1f} MB): {', '.join(map(safe, metrics))} for 1 to {positives} positives, "
            f"1 to {negatives} negatives and {', '.join(map(str, counts))} competitors at alpha {alpha:g}."
        )


@chance.command()
def chart(
    output: Annotated[
        Path, typer.Argument(metavar="FILE", help="The file to draw: .pdf, .svg, .png, .pgf, .tikz or .tex.")
    ],
    kind: Annotated[str, typer.Option("--kind", help="surface, contours, cdf or competitors.")] = "contours",
    metric: _METRICS = None,
    positives: Annotated[
        int, typer.Option("--positives", "-P", help="Of cdf and competitors; the most of surface and contours.")
    ] = 1000,
    negatives: Annotated[int, typer.Option("--negatives", "-N", help="As --positives.")] = 1000,
    competitors: _COMPETITORS = 1000,
    alpha: _ALPHA = 0.01,
    score: Annotated[float | None, typer.Option(help="A score to mark in the competitors chart.")] = None,
) -> None:
    """Draw null laws, surfaces with projected isolines, labelled contours, or the curve over C."""
    from podium.core import check
    from podium.plot.figure import SUFFIXES

    check.choice("--kind", kind, ("surface", "contours", "cdf", "competitors"))
    check.choice("the ending of FILE", output.suffix.lower(), SUFFIXES)
    from podium.cli.chance_charts import draw

    figure = draw(kind, metric or [], positives, negatives, competitors, alpha, score)
    try:
        figure.save(output)
    except OSError as error:
        raise _cannot_write(output, error) from None
    typer.echo(f"Wrote {safe(output)}.")


@chance.command()
def plan(
    cases: Annotated[int | None, typer.Option(help="Labelled cases: which mix and metric are easiest?")] = None,
    score: Annotated[
        float | None, typer.Option(help="A score: how many cases make it significant, or how many competitors?")
    ] = None,
    share: Annotated[float, typer.Option(help="The share of positives, for --score.")] = 0.5,
    positives: Annotated[int | None, typer.Option("--positives", "-P", help="For the curve over competitors.")] = None,
    negatives: Annotated[int | None, typer.Option("--negatives", "-N", help="For the curve over competitors.")] = None,
    metric: _METRICS = None,
    competitors: _COMPETITORS = 1,
    alpha: _ALPHA = 0.05,
    auc: Annotated[float | None, typer.Option(help="A true AUC, to compare the power of metrics with --cases.")] = None,
    draws: Annotated[int, typer.Option(help="Simulations of each mix, with --auc.")] = 400,
    rng: _SEED = 0,
    as_json: _JSON = False,
) -> None:
    """Plan a test set: --cases (mix and metric), --score (how many cases), or -P and -N (what C changes)."""
    from podium.chance import plan as plans
    from podium.core.errors import ArgumentError

    single = (metric or ["auc"])[0]
    if cases is not None:
        with progress_bar("mixes") as progress:
            mix = plans.plan_mix(
                cases,
                metrics=metric,
                competitors=competitors,
                alpha=alpha,
                auc=auc,
                draws=draws,
                rng=rng,
                progress=progress,
            )
        _show(mix, mix.best(), as_json=as_json)
    elif positives is not None and negatives is not None:
        curve = plans.plan_competitors(single, positives=positives, negatives=negatives, alpha=alpha, score=score)
        _show(curve, curve.to_frame().iloc[::4], as_json=as_json)
    elif score is not None:
        found = plans.plan_cases(single, score, share=share, competitors=competitors, alpha=alpha)
        _show(found, as_json=as_json)
    else:
        raise ArgumentError("Say what to plan: --cases, --score, or both --positives and --negatives.")


@chance.command("test")
def predictions_command(
    file: Annotated[str, typer.Argument(metavar="FILE", help="CSV: a column of labels, one column per algorithm.")],
    label: Annotated[str, typer.Option("--label", metavar="COLUMN", help="The column of labels.")] = "y_true",
    positive: Annotated[str | None, typer.Option(help="The positive label, unless the labels are 0 and 1.")] = None,
    algorithm: Annotated[
        list[str] | None, typer.Option("--algorithms", metavar="COLUMN", help="Only these columns.")
    ] = None,
    metric: _METRIC = "auc",
    competitors: Annotated[
        int | None, typer.Option("--competitors", "-C", metavar="C", help="By default the columns given.")
    ] = None,
    alpha: _ALPHA = 0.05,
    ties: Annotated[
        str, typer.Option(help="'worst' (broken against the algorithm: valid) or 'expected' (the usual score).")
    ] = "worst",
    form: Annotated[str, typer.Option("--format", help="text or csv.")] = "text",
    as_json: _JSON = False,
) -> None:
    """Test the winner of a file of predictions against chance."""
    from podium.chance.predictions import chance_test
    from podium.cli.chance_files import csv_text, read_predictions
    from podium.core import check

    check.choice("--format", form, ("text", "csv"))
    labels, scores = read_predictions(file, label, algorithm)
    found = chance_test(
        labels, scores, metric=metric, competitors=competitors, alpha=alpha, ties=ties, positive=positive
    )
    if form == "csv" and not as_json:
        typer.echo(csv_text(found.to_frame()), nl=False)
    else:
        _show(found, found.to_frame(), as_json=as_json)


def _show(result: Result, frame: pd.DataFrame | None = None, *, as_json: bool) -> None:
    """The sentence, and a small table where there is one; or JSON."""
    if as_json:
        data = {key: item for key, item in result.to_dict().items() if key != "kind"}
        typer.echo(_json({**data, "summary": result.summary()}))
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    if frame is not None:
        shown = Table(header_style="bold")
        for name in frame.columns:
            shown.add_column(cell(name), justify="right" if frame[name].dtype.kind in "fi" else "left")
        for row in frame.itertuples(index=False):
            shown.add_row(*(cell(f"{item:.5g}" if isinstance(item, float) else item) for item in row))
        console.print(shown)
    console.print(Text(safe(result.summary())))


def _json(data: Any) -> str:
    import json

    from podium.core.result import plain

    return json.dumps(plain(data), ensure_ascii=False, indent=2)


def _write(text: str, output: Path | None) -> None:
    if output is None:
        typer.echo(text, nl=not text.endswith("\n"))
        return
    try:
        output.write_text(text if text.endswith("\n") else text + "\n", encoding="utf-8")
    except OSError as error:
        raise _cannot_write(output, error) from None
    typer.echo(f"Wrote {safe(output)}.")


def _cannot_write(path: Path, error: OSError) -> Exception:
    from podium.core.errors import StoreError

    return StoreError(f"{str(path)!r} cannot be written: {error.strerror}.")
