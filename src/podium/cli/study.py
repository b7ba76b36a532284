"""`podium study ...`: can the test itself be trusted? Replicability, pool, power, calibration."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.progress import progress_bar
from podium.cli.reading import with_results
from podium.cli.safe import cell, safe

if TYPE_CHECKING:
    import pandas as pd

    from podium.core.result import Result
    from podium.core.results import Results
    from podium.plot.scene import Scene

__all__ = ["study"]

study = typer.Typer(
    no_args_is_help=True, help="Can the test itself be trusted? Replicability, pool, power, calibration."
)

_JSON = Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")]
_SEED = Annotated[int, typer.Option(help="Equal seeds give equal numbers, on any number of cores.")]
_FIGURE = Annotated[
    Path | None, typer.Option("--figure", metavar="FILE", help="Draw it: .pdf, .png, .svg, .tikz or .tex.")
]
_ALPHA = Annotated[float, typer.Option(help="The level of significance.")]
_FIRST = Annotated[
    str | None, typer.Option("--a", metavar="NAME", help="The first algorithm; by default the first column.")
]
_SECOND = Annotated[str | None, typer.Option("--b", metavar="NAME", help="The second; by default the next column.")]
_MOST_ROWS = 60


@study.command("replicability")
@with_results()
def replicability_command(
    results: Results,
    a: _FIRST = None,
    b: _SECOND = None,
    test: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="A test to study (several times for several).")
    ] = None,
    size: Annotated[int, typer.Option(help="Datasets in a sample.")] = 10,
    draws: Annotated[int, typer.Option(help="Samples drawn at each bias.")] = 1000,
    bias: Annotated[list[float] | None, typer.Option(metavar="K", help="A bias towards a; by default 0 to 20.")] = None,
    alpha: _ALPHA = 0.05,
    rng: _SEED = 0,
    figure: _FIGURE = None,
    as_json: _JSON = False,
) -> None:
    """How often do tests reject, and how well do they replicate, on biased samples of these datasets?"""
    from podium.studies._replicability import replicability

    with progress_bar("tests") as progress:
        found = replicability(
            results.scores(),
            a=a,
            b=b,
            tests=test or None,
            size=size,
            draws=draws,
            biases=tuple(bias) if bias else tuple(range(21)),
            alpha=alpha,
            rng=rng,
            progress=progress,
        )
    _show(found, _means_over_biases(found.to_frame()), as_json=as_json)
    if figure is not None:
        from podium.plot.studies import replicability_layout

        _draw(replicability_layout(found), figure)


def _means_over_biases(frame: pd.DataFrame) -> pd.DataFrame:
    """A table for people: the mean of every series over the biases, the test that rejects most first."""
    means = frame.groupby("test", sort=False)[["rejected", "agreement", "mean_pvalue", "steadiness"]].mean()
    return means.sort_values("rejected", ascending=False, kind="stable").reset_index()


@study.command("pool")
@with_results()
def pool_command(
    results: Results,
    test: Annotated[
        str, typer.Option(help="The test of the two alone, beside: wilcoxon, sign or paired_t.")
    ] = "wilcoxon",
    draws: Annotated[int, typer.Option(help="Random pools of each size, where there are too many to take all.")] = 500,
    alpha: _ALPHA = 0.05,
    rng: _SEED = 0,
    figure: _FIGURE = None,
    as_json: _JSON = False,
) -> None:
    """Does the decision on two algorithms depend on which others are compared with them?"""
    from podium.studies.pool import pool_dependence

    with progress_bar("pairs") as progress:
        found = pool_dependence(results.scores(), alpha=alpha, test=test, draws=draws, rng=rng, progress=progress)
    frame = found.to_frame()
    _show(found, frame[frame["depends"]].drop(columns="depends"), as_json=as_json)
    if figure is not None:
        from podium.plot.studies import pool_layout

        _draw(pool_layout(found), figure)


@study.command("power")
@with_results(required=False)
def power_command(
    results: Results | None,
    a: _FIRST = None,
    b: _SECOND = None,
    effect: Annotated[
        list[float] | None, typer.Option(metavar="SIZE", help="A true difference (several times for several).")
    ] = None,
    datasets: Annotated[
        list[int] | None, typer.Option(metavar="N", help="A number of datasets (several times for several).")
    ] = None,
    wanted: Annotated[float | None, typer.Option(metavar="POWER", help="How many datasets give this power?")] = None,
    test: Annotated[list[str] | None, typer.Option(metavar="NAME", help="wilcoxon, sign, paired_t.")] = None,
    shape: Annotated[str, typer.Option(help="Without FILE: normal, heavy, tied or skewed differences.")] = "normal",
    spread: Annotated[float, typer.Option(help="Without FILE: their standard deviation.")] = 1.0,
    folds: Annotated[
        int | None, typer.Option(metavar="K", help="Count scores of K-fold cross-validation on one dataset.")
    ] = None,
    repetitions: Annotated[int, typer.Option(help="Simulated tables.")] = 2000,
    alpha: _ALPHA = 0.05,
    rng: _SEED = 0,
    figure: _FIGURE = None,
    as_json: _JSON = False,
) -> None:
    """How likely is a difference to be found, and how many datasets does it take? FILE is a pilot table."""
    from podium.studies._power import datasets_needed, power, smallest_effect

    pilot = None if results is None else results.scores()
    tests = test or ["wilcoxon", "sign", "paired_t"]
    shared: dict[str, Any] = {
        "pilot": pilot,
        "a": a,
        "b": b,
        "shape": shape,
        "spread": spread,
        "alpha": alpha,
        "rng": rng,
    }
    if wanted is not None and effect:
        needed = [
            datasets_needed(effect=effect[0], wanted=wanted, test=name, repetitions=repetitions, **shared)
            for name in tests
        ]
        _show_all(list(needed), as_json=as_json)
        return
    if pilot is not None and not effect:
        goal = 0.8 if wanted is None else wanted
        shown = [smallest_effect(pilot, a=a, b=b, test=name, wanted=goal, alpha=alpha, rng=rng) for name in tests]
        _show_all(list(shown), as_json=as_json)
        return
    with progress_bar("power") as progress:
        found = power(
            tests=tests,
            effects=effect or [0.2, 0.5, 0.8],
            sizes=datasets or [10, 20, 40],
            folds=folds,
            repetitions=repetitions,
            progress=progress,
            **shared,
        )
    _show(found, found.to_frame(), as_json=as_json)
    if figure is not None:
        from podium.plot.studies import power_layout

        _draw(power_layout(found), figure)


@study.command("calibrate")
@with_results(required=False)
def calibrate_command(
    results: Results | None,
    test: Annotated[list[str] | None, typer.Option(metavar="NAME", help="A test (several times for several).")] = None,
    shape: Annotated[list[str] | None, typer.Option(metavar="WORD", help="normal, heavy, tied, skewed.")] = None,
    datasets: Annotated[list[int] | None, typer.Option(metavar="N", help="A number of datasets.")] = None,
    algorithms: Annotated[int, typer.Option(help="How many algorithms, for tests of many.")] = 5,
    one_different: Annotated[
        bool, typer.Option("--one-different", help="Also with one algorithm far better than equal others.")
    ] = False,
    repetitions: Annotated[int, typer.Option(help="Simulated tables in each situation.")] = 10_000,
    alpha: _ALPHA = 0.05,
    rng: _SEED = 0,
    as_json: _JSON = False,
) -> None:
    """Does a test keep its error rate where nothing differs? With FILE, on its own scores, shuffled within datasets."""
    from podium.studies.calibration import calibrate

    configurations = ("all equal", "all but one equal") if one_different else ("all equal",)
    with progress_bar("situations") as progress:
        found = calibrate(
            test or ["wilcoxon", "sign", "paired_t"],
            shapes=shape or ["normal", "heavy", "tied", "skewed"],
            sizes=datasets or [6, 10, 20, 54],
            table=None if results is None else results.scores(),
            n_algorithms=algorithms,
            configurations=configurations,
            alpha=alpha,
            repetitions=repetitions,
            rng=rng,
            progress=progress,
        )
    _show(found, found.to_frame(), as_json=as_json)


def _show(found: Result, frame: pd.DataFrame, *, as_json: bool) -> None:
    if as_json:
        _print_json({**found.to_dict(), "summary": found.summary()})
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(highlight=False)
    if len(frame):
        console.print(_table(frame))
    console.print(Text(safe(found.summary())))


def _show_all(found: list[Result], *, as_json: bool) -> None:
    if as_json:
        _print_json([{**result.to_dict(), "summary": result.summary()} for result in found])
        return
    for result in found:
        typer.echo(safe(result.summary()))


def _print_json(data: Any) -> None:
    import json

    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _table(frame: pd.DataFrame) -> Any:
    from rich.table import Table

    table = Table(header_style="bold")
    for name in frame.columns:
        table.add_column(str(name), justify="left" if frame[name].dtype.kind in "OTb" else "right")
    for row in frame.head(_MOST_ROWS).itertuples(index=False):
        table.add_row(*(cell(_text(value)) for value in row))
    if len(frame) > _MOST_ROWS:
        table.caption = f"{len(frame) - _MOST_ROWS} more rows with --json"
    return table


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _draw(scene: Scene, path: Path) -> None:
    from podium.report.output import write_scene

    typer.echo(safe(f"Wrote {write_scene(path, scene)}"), err=True)
