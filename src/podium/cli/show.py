"""`podium show FILE`: what was read, before any test."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any

import typer

from podium.cli.reading import with_results
from podium.cli.safe import cell

if TYPE_CHECKING:
    from rich.console import Console

    from podium.core._overview import Overview
    from podium.core.results import Results
    from podium.core.scores import Hole

__all__ = ["show"]

_LINES_SHOWN = 12  # of missing cells, unless all are asked for
_NAMES_SHOWN = 8  # in each of these lines


@with_results(announce=False)
def show(
    results: Results,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for programs instead of tables.")] = False,
    all_holes: Annotated[bool, typer.Option("--all-holes", help="Name every missing cell.")] = False,
) -> None:
    """Show what a file holds: shape, metrics, folds, missing cells, mean scores, mean ranks, wins."""
    from podium.core._overview import overview

    overviews = [overview(results.scores(name)) for name in results.metrics]
    if as_json:
        import json

        typer.echo(json.dumps(_as_dict(results, overviews), indent=2))
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
    spec = _format(found.mean_scores)
    for i in found.order():
        table.add_row(
            cell(found.algorithms[i]),
            f"{found.mean_scores[i]:{spec}}",
            f"{found.mean_ranks[i]:.3f}",
            str(found.wins[i]),
            str(found.shared_wins[i]),
        )
    console.print()
    console.print(cell(title, "bold"))
    console.print(table)
    console.print(cell(_caption(found)))
    _print_holes(console, found.holes, all_holes=all_holes)


def _format(values: Any) -> str:
    """The same decimals for all means of a metric: four for fractions, two for percents and seconds."""
    largest = max((abs(value) for value in values if value == value), default=0.0)
    return ".4f" if largest < 10 else ".2f" if largest < 1e6 else ".4g"


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
    from rich.padding import Padding

    whole = sum(hole.fold is None for hole in holes)
    counts = [_count(whole, "cell")] * (whole > 0) + [_count(len(holes) - whole, "single fold")] * (len(holes) > whole)
    averaged = "; a cell is the mean of the folds it has" if len(holes) > whole else ""
    console.print(cell(f"Missing: {' and '.join(counts)}{averaged}."))
    lines = _grouped(holes, limit=len(holes) if all_holes else _NAMES_SHOWN)
    shown = len(lines) if all_holes else _LINES_SHOWN
    for line in lines[:shown]:
        console.print(Padding(cell(line), (0, 0, 0, 2), expand=False))
    if len(lines) > shown or any(" more" in line for line in lines):
        console.print(cell("  (--all-holes names every one.)"))


def _grouped(holes: tuple[Hole, ...], *, limit: int) -> list[str]:
    """Datasets that lack the same algorithms for the same reasons share a line."""
    by_dataset: dict[str, dict[str, list[Hole]]] = {}
    for hole in holes:
        by_dataset.setdefault(hole.dataset, {}).setdefault(hole.algorithm, []).append(hole)
    by_lack: dict[tuple[str, ...], list[str]] = {}
    for dataset, found in by_dataset.items():
        by_lack.setdefault(tuple(_lack(gone, limit) for gone in found.values()), []).append(dataset)
    return [
        f"{f'{len(datasets)} datasets, ' if len(datasets) > 1 else ''}{_listed(datasets, limit)}: {_listed(lack, limit)}"
        for lack, datasets in by_lack.items()
    ]


def _lack(holes: list[Hole], limit: int) -> str:
    """What one algorithm lacks on one dataset: the whole cell or these folds, and why if that is known."""
    folds = [f"{hole.repeat}.{hole.fold}" for hole in holes if hole.fold is not None]
    reasons = list(dict.fromkeys(hole.message for hole in holes if hole.message))
    listed = [reason if len(reason) <= 60 else reason[:57] + "..." for reason in reasons[: max(1, limit // 8)]]
    if len(reasons) > len(listed):
        listed.append(f"{len(reasons) - len(listed)} more messages")
    details = [f"repeat.fold {_listed(folds, limit)}"] * bool(folds) + ["; ".join(listed)] * bool(listed)
    return f"{holes[0].algorithm} ({': '.join(details)})" if details else holes[0].algorithm


def _count(n: int, word: str) -> str:
    return f"{n} {word}{'s' if n != 1 else ''}"


def _listed(names: Sequence[str], limit: int) -> str:
    more = f" and {len(names) - limit} more" if len(names) > limit else ""
    return ", ".join(names[:limit]) + more
