"""`podium order SCORES --cost COSTS`: which algorithm to use, given what it costs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.reading import with_results
from podium.cli.safe import cell, safe

if TYPE_CHECKING:
    from podium.core.results import Results
    from podium.core.scores import Scores
    from podium.ordering._multi2test import Multi2TestResult
    from podium.ordering.costs import Costs

__all__ = ["order", "order_data"]


@with_results()
def order(
    results: Results,
    cost: Annotated[
        list[str] | None,
        typer.Option("--cost", metavar="FILE", help="Costs: datasets x algorithms, or one number per algorithm."),
    ] = None,
    cost_metric: Annotated[
        list[str] | None,
        typer.Option("--cost-metric", metavar="NAME", help="A metric of the same scores that is a cost."),
    ] = None,
    cost_order: Annotated[
        str | None,
        typer.Option("--cost-order", metavar="A,B,...", help="Names, cheapest first, for a cost without a unit."),
    ] = None,
    weights: Annotated[
        str | None,
        typer.Option(metavar="W,W,...", help="Weights of several costs; without, the first decides, then the next."),
    ] = None,
    what_if: Annotated[
        bool, typer.Option("--what-if", help="Also show the order under each cost alone, those of the scores included.")
    ] = False,
    test: Annotated[str, typer.Option(help="The test on folds of one dataset.")] = "cv52_f",
    posthoc: Annotated[str, typer.Option(help="nemenyi (as in the paper), wilcoxon or sign.")] = "nemenyi",
    correction: Annotated[str, typer.Option(help="For wilcoxon and sign.")] = "holm",
    alpha: Annotated[float, typer.Option(help="The level of significance.")] = 0.05,
    figures: Annotated[
        Path | None,
        typer.Option("--figures", metavar="FOLDER", help="Write the graph, the steps, the ranks and the cost plane."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")] = False,
) -> None:
    """Order algorithms by error and cost: a costlier one goes first only if it is significantly better."""
    from podium.ordering._multi2test import multi2test
    from podium.ordering.costs import combine_costs

    scores = results.scores()
    costs = _costs(results, scores, cost or [], cost_metric or [], cost_order)
    combined = combine_costs(costs, weights=None if weights is None else _numbers(weights))
    settings: dict[str, Any] = {"test": test, "posthoc": posthoc, "correction": correction, "alpha": alpha}
    found = multi2test(scores, combined, **settings)
    alone = {}
    if what_if:
        also = _other_costs(results, scores)
        others = _costs(results, scores, [], also, None) if also else []
        alone = {one.names[0]: multi2test(scores, one, **settings).order for one in (*costs, *others)}
    if as_json:
        _print_json(order_data(found, alone, scores.all_notes))
    else:
        _print_tables(found, alone)
    if figures is not None:
        _write_figures(found, figures)


def _costs(results: Results, scores: Scores, files: list[str], metrics: list[str], names: str | None) -> list[Costs]:
    """Every cost that was asked for; without any, every cost among the metrics of the scores."""
    from podium.core.errors import ArgumentError
    from podium.ordering.costs import as_costs

    matched: dict[str, Any] = {"datasets": scores.datasets, "algorithms": scores.algorithms}
    chosen = metrics or ([] if files or names else _other_costs(results, scores))
    found = [as_costs(_cost_file(file, scores.algorithms), name=Path(file).stem, **matched) for file in files]
    found += [as_costs(results.scores(metric), **matched) for metric in chosen]
    if names is not None:
        found.append(as_costs([name.strip() for name in names.split(",")], name="the given order", **matched))
    if not found:
        raise ArgumentError("There are no costs: give --cost FILE, --cost-metric NAME or --cost-order A,B,....")
    return found


def _other_costs(results: Results, scores: Scores) -> list[str]:
    """The costs among the metrics that have values, without the metric that is ordered by."""
    measured = set(results.frame["metric"][results.frame["value"].notna()].unique())
    return [name for name in results.costs if name != scores.metric.name and name in measured]


def _cost_file(file: str, algorithms: tuple[str, ...]) -> Any:
    """A table of costs (datasets x algorithms), or two columns: algorithm and cost."""
    from podium.cli.reading import read_file
    from podium.core.errors import DataError

    pairs = _two_columns(file)
    if pairs is not None and {name for name, _ in pairs} & set(algorithms):
        try:
            return {name: float(number) for name, number in pairs}
        except ValueError:
            bad = next(name for name, number in pairs if not _is_number(number))
            raise DataError(f"{file}: the cost of {bad!r} is not a number; correct the cell.") from None
    return read_file(file, direction="lower").scores()


def _two_columns(file: str) -> list[tuple[str, str]] | None:
    """The rows below the header of a CSV file with exactly two columns, else nothing."""
    import csv

    try:
        with open(file, newline="", encoding="utf-8-sig") as lines:
            rows = [row for row in csv.reader(lines) if row]
    except (OSError, UnicodeDecodeError, csv.Error):
        return None  # the reader of scores says what is wrong
    if len(rows) < 2 or any(len(row) != 2 for row in rows):
        return None
    return [(name.strip(), number.strip()) for name, number in rows[1:]]


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _numbers(text: str) -> list[float]:
    from podium.core.errors import ArgumentError

    try:
        return [float(part) for part in text.split(",")]
    except ValueError:
        raise ArgumentError(f"`--weights` must be numbers separated by commas; got {text!r}.") from None


def order_data(
    found: Multi2TestResult, alone: dict[str, tuple[str, ...]], source_notes: tuple[str, ...] = ()
) -> dict[str, Any]:
    """What `--json` prints, as plain values; `alone` are the orders under each cost alone."""
    from podium.core.result import plain

    by_name = dict(zip(found.algorithms, found.mean_ranks, strict=True))
    ranks = {
        dataset: dict(zip(found.algorithms, plain(row), strict=True))
        for dataset, row in zip(found.datasets, found.per_dataset_ranks, strict=True)
    }
    data = {
        "order": list(found.order),
        "prior": list(found.prior),
        "mean_ranks": by_name,
        "critical_difference": found.critical_difference,
        "edges": [list(edge) for edge in found.edges],
        "per_dataset_ranks": ranks,
        "average_costs": dict(zip(found.algorithms, found.average_cost, strict=True)),
        "costs": list(found.cost_names),
        "pairs": plain(found.pairs),
        "changed": found.changed,
        "what_if": {name: list(names) for name, names in alone.items()},
        "left_out": list(found.left_out),
        "friedman": {"statistic": found.friedman.statistic, "pvalue": found.friedman.pvalue},
        "test": found.test,
        "posthoc": found.posthoc,
        "correction": found.correction,
        "alpha": found.alpha,
        "summary": found.summary(),
        "notes": list(found.final.notes),
        "source_notes": list(source_notes),
        "references": list(found.references),
    }
    shown: dict[str, Any] = plain(data)
    return shown


def _print_json(data: dict[str, Any]) -> None:
    import json

    typer.echo(json.dumps(data, ensure_ascii=False, indent=2))


def _print_tables(found: Multi2TestResult, alone: dict[str, tuple[str, ...]]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console(highlight=False)
    table = Table(title="The order", title_justify="left", header_style="bold")
    for title in ("place", "algorithm", "mean rank", "average cost", "by cost alone", "overridden by"):
        table.add_column(title, justify="left" if title in ("algorithm", "overridden by") else "right")
    for row in found.to_frame().to_dict(orient="records"):
        table.add_row(
            str(row["rank"]),
            cell(row["algorithm"], "bold"),
            f"{row['mean_rank']:.2f}",
            f"{row['average_cost']:.2f}",
            str(row["prior"]),
            cell(row["overridden_by"]),
        )
    console.print(table)
    if alone:
        console.print(_what_if_table(alone))
    console.print(Text(found.summary()))
    for note in found.final.notes:
        console.print(Text(note))
    if found.critical_difference is not None:
        console.print(
            f"Mean ranks {found.critical_difference:.2f} or more apart differ (Nemenyi, alpha {found.alpha:g})."
        )


def _what_if_table(alone: dict[str, tuple[str, ...]]) -> Any:
    from rich.table import Table

    table = Table(title="What if only this cost counts?", title_justify="left", header_style="bold")
    table.add_column("place", justify="right")
    for name in alone:
        table.add_column(cell(name))
    for place, names in enumerate(zip(*alone.values(), strict=True), start=1):
        table.add_row(str(place), *(cell(name) for name in names))
    return table


def _write_figures(found: Multi2TestResult, folder: Path) -> None:
    """Every figure of the order, as PDF, SVG and TikZ."""
    from podium.report.figures import figures_of
    from podium.report.output import FIGURE_FORMS, write_scene

    for block in figures_of(found):
        for form in FIGURE_FORMS:
            write_scene(folder / f"{block.key}.{form}", block.scene)
    typer.echo(safe(f"Wrote {folder}"), err=True)
