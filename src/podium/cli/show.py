"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.reading import with_results
from podium.cli.safe import cell, safe

if TYPE_CHECKING:
    from rich.console import Console

    from podium.core.overview import Overview
    from podium.core.results import Results
    from podium.core.scores import Hole

__all__ = ["show"]

_HOLES_SHOWN = 12


@with_results(announce=False)
def show(
    results: Results,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")] = False,
    all_holes: Annotated[bool, typer.Option("--all-holes", help="Name every missing cell.")] = False,
) -> None:
    """Show what a file holds: shape, metrics, folds, missing cells, mean scores, mean ranks, wins."""
    from podium.core.overview import overview

    overviews = [overview(results.scores(name)) for name in results.metrics]
    if as_json:
        import json

        typer.echo(json.dumps(_as_dict(results, overviews), ensure_ascii=False, indent=2))
        return
    from rich.console import Console

    console = Console(highlight=False)
    _print_head(console, results)
    for found in overviews:
        _print_metric(console, found, all_holes=all_holes)


def _as_dict(results: Results, overviews: list[Overview]) -> dict[str, Any]:
    return {
        "source": results.source,
        "notes": list(results.notes),
        "algorithms": list(results.algorithms),
        "datasets": list(results.datasets),
        "families": dict(results.families),
        "metrics": {found.metric.name: _metric_as_dict(found) for found in overviews},
    }


def _metric_as_dict(found: Overview) -> dict[str, Any]:
    from podium.core.result import plain

    def by_name(values: Any) -> dict[str, Any]:
        return dict(zip(found.algorithms, plain(values), strict=True))

    return {
        "direction": found.metric.direction,
        "is_cost": found.metric.is_cost,
        "design": plain(found.design),
        "n_datasets": found.n_datasets,
        "complete_datasets": found.complete_datasets,
        "basis": found.basis,
        "mean_scores": by_name(found.mean_scores),
        "mean_ranks": by_name(found.mean_ranks),
        "wins": by_name(found.wins),
        "shared_wins": by_name(found.shared_wins),
        "holes": [hole._asdict() for hole in found.holes],
    }


def _print_head(console: Console, results: Results) -> None:
    for note in results.notes:
        console.print(cell(note))


def _print_metric(console: Console, found: Overview, *, all_holes: bool) -> None:
    from rich.table import Table

    title = f"{found.metric.name} ({found.metric.direction} is better{', a cost' if found.metric.is_cost else ''})"
    table = Table()
    table.add_column("algorithm", overflow="fold", max_width=36)
    for heading in ("mean", "mean rank", "wins", "shared"):
        table.add_column(heading, justify="right", no_wrap=True)
    for i in found.order():
        table.add_row(
            cell(found.algorithms[i]),
            _number(found.mean_scores[i]),
            f"{found.mean_ranks[i]:.3f}",
            str(found.wins[i]),
            str(found.shared_wins[i]),
        )
    console.print()
    console.print(cell(title, "bold"))
    console.print(table)
    console.print(cell(_caption(found)))
    _print_holes(console, found.holes, all_holes=all_holes)


def _number(value: float) -> str:
    return f"{value:.4f}" if abs(value) < 10 else f"{value:.2f}" if abs(value) < 1e6 else f"{value:.4g}"


def _caption(found: Overview) -> str:
    design = found.design
    scores = {
        (False, False): "one score per cell",
        (True, False): f"{design.repeats} repeats",
        (False, True): f"{design.folds} folds",
        (True, True): f"{design.repeats} repeats of {design.folds} folds",
    }[design.repeats > 1, design.folds > 1]
    over = f"the {found.complete_datasets} datasets" if found.complete_datasets > 1 else "the one dataset"
    if found.basis == "available":
        return f"{found.n_datasets} datasets, {scores}; none is complete, so each algorithm has its own datasets"
    if found.complete_datasets == found.n_datasets:
        return f"over {over}; {scores}"
    return f"over {over} of {found.n_datasets} on which every algorithm has a score; {scores}"


def _print_holes(console: Console, holes: tuple[Hole, ...], *, all_holes: bool) -> None:
    if not holes:
        return
    whole = sum(hole.fold is None for hole in holes)
    counts = [f"{whole} cells"] * (whole > 0) + [f"{len(holes) - whole} single folds"] * (len(holes) > whole)
    console.print(cell(f"Missing: {' and '.join(counts)}."))
    lines = _grouped(holes)
    shown = len(lines) if all_holes else _HOLES_SHOWN
    for line in lines[:shown]:
        console.print(cell(f"  {line if all_holes or len(line) <= 300 else line[:297] + '...'}"))
    if len(lines) > shown:
        console.print(cell(f"  ... and on {len(lines) - shown} more datasets: --all-holes names them."))


def _grouped(holes: tuple[Hole, ...]) -> list[str]:
    """One line per dataset: the algorithms that lack a score there, and why if that is known."""
    by_dataset: dict[str, dict[str, list[str]]] = {}
    # The folds of one algorithm that failed for one reason stand together.
    for hole in holes:
        fold = "" if hole.fold is None else f"{hole.repeat}.{hole.fold}"
        by_dataset.setdefault(hole.dataset, {}).setdefault(safe(_algorithm_and_reason(hole)), []).append(fold)
    return [
        f"{dataset}: {', '.join(_with_folds(name, folds) for name, folds in found.items())}"
        for dataset, found in by_dataset.items()
    ]


def _with_folds(name: str, folds: list[str]) -> str:
    return f"{name} (repeat.fold {' '.join(folds)})" if folds[0] else name


def _algorithm_and_reason(hole: Hole) -> str:
    reason = hole.message if len(hole.message) <= 70 else hole.message[:67] + "..."
    return f"{hole.algorithm} [{reason}]" if reason else hole.algorithm
