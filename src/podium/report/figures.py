"""The figures of a report: all that show its result; of a comparison, those that fit its size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from podium.comparison.comparison import Comparison
from podium.core.errors import PodiumError
from podium.core.numbers import number
from podium.core.result import Result
from podium.plot import registry
from podium.plot.sources import pairs_of
from podium.report.document import FigureBlock

# Beyond these sizes a figure says less than its table, and weighs more than the page should.
MOST_FOREST_ROWS = 45
MOST_MATRIX_ALGORITHMS = 30
MOST_DISTRIBUTIONS = 25
MOST_HEAT_CELLS = 2500
MOST_SHAPES = 3000


def figures_of(result: Result) -> tuple[FigureBlock, ...]:
    """The figures of the result, in the order of the report; their keys are the names of the figures.

    A figure that needs more than the result has (such as draws), or is too large to be read, is left out.
    """
    if isinstance(result, Comparison):
        return tuple(_of_comparison(result))
    found = []
    for kind in (kind for kind in registry.figures_of(result) if kind.in_reports):
        with suppress(PodiumError):
            found.append(figure_block(kind.name, result))
    return tuple(block for block in found if len(block.scene.shapes) <= MOST_SHAPES)


def figure_block(name: str, result: Any, *, caption: str = "", **options: Any) -> FigureBlock:
    """One figure of the result with its caption."""
    scene = registry.function(name)(result, **options).scene
    # The groups of the diagram are a result; the other figures show again what the tables say.
    told = name == "cd_diagram"
    return FigureBlock(
        key=name, scene=scene, caption=caption or registry.FIGURES[name].caption, alt=scene.description, told=told
    )


def _of_comparison(comparison: Comparison) -> Iterator[FigureBlock]:
    k, table = len(comparison.ranking), comparison.table
    if comparison.cases is not None:
        yield from _of_cases(comparison, k)
        return
    if k > 2 and all(row.mean_rank is not None for row in comparison.ranking):
        bars = f"; a bar joins algorithms that are not told apart at level {number(comparison.alpha)}"
        caption = f"Mean ranks, the best first{bars if comparison.groups else ''}."
        yield figure_block("cd_diagram", comparison, caption=caption)
        if all(row.rank_low is not None and row.rank_high is not None for row in comparison.ranking):
            yield figure_block("rank_intervals", comparison)
        if k <= MOST_DISTRIBUTIONS and table.complete().n_datasets > 1:
            yield figure_block("rank_distribution", comparison)
    yield from _forest(comparison)
    if 2 < k <= MOST_MATRIX_ALGORITHMS and comparison.facts.control is None:
        yield figure_block("comparison_matrix", comparison)
    if k == 2 and table.n_datasets > 1:
        yield figure_block("scatter", comparison)
    if table.n_datasets > 1 and table.values.size <= MOST_HEAT_CELLS:
        yield figure_block("heatmap", comparison)


def _of_cases(comparison: Comparison, k: int) -> Iterator[FigureBlock]:
    """Ranks by score have no diagram of mean ranks: places, differences and the matrix of pairs."""
    if k > 2:
        caption = "Places by score, with the places that each could hold."
        yield figure_block("rank_intervals", comparison, caption=caption)
    yield from _forest(comparison)
    if 2 < k <= MOST_MATRIX_ALGORITHMS and comparison.facts.control is None:
        caption = "Row against column: difference, cases for / neither / against, adjusted p-value."
        yield figure_block("comparison_matrix", comparison, caption=caption)


def _forest(comparison: Comparison) -> Iterator[FigureBlock]:
    """All pairs with bounded intervals where they are few, else those with the control or with the best."""
    pairs, best = pairs_of(comparison), None
    which = "All pairs"
    if len(pairs) > MOST_FOREST_ROWS:
        best = comparison.facts.control or comparison.ranking[0].algorithm
        which = f"The pairs with {'the control' if comparison.facts.control else 'the best'}"
        pairs = pairs[(pairs["a"] == best) | (pairs["b"] == best)]
    bounded = int(pairs[["effect", "low", "high"]].astype(float).map(math.isfinite).all(axis=1).sum())
    if bounded < len(pairs):
        which = f"{which} whose intervals are bounded"
    if 0 < bounded <= MOST_FOREST_ROWS:
        caption = f"{which}: differences with intervals and adjusted p-values."
        yield figure_block("forest", comparison, caption=caption, algorithm=best)
