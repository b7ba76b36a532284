"""The figures of a comparison's report: which ones fit its size, and what each shows in words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from podium.plot._cd_diagram import cd_diagram_layout
from podium.plot._forest import forest_layout
from podium.plot._heatmap import heatmap_layout
from podium.plot._rank_distribution import rank_distribution_layout
from podium.plot._rank_intervals import rank_intervals_layout
from podium.plot._scatter import scatter_layout
from podium.plot.matrix import comparison_matrix_layout
from podium.plot.scene import Scene
from podium.report.document import FigureBlock

__all__ = ["comparison_figures"]

# Beyond these sizes a figure says less than its table, and weighs more than the page should.
MOST_FOREST_ROWS = 45
MOST_MATRIX_ALGORITHMS = 30
MOST_DISTRIBUTIONS = 25
MOST_HEAT_CELLS = 2500


def comparison_figures(comparison: Any) -> tuple[FigureBlock, ...]:
    """The figures that fit the size of the comparison, in the order of the report."""
    return tuple(_figures(comparison))


def _figures(comparison: Any) -> Iterator[FigureBlock]:
    k = len(comparison.ranking)
    if k > 2 and all(row.mean_rank is not None for row in comparison.ranking):
        yield _diagram(comparison)
        if all(row.rank_low is not None and row.rank_high is not None for row in comparison.ranking):
            yield _rank_intervals(comparison)
        if k <= MOST_DISTRIBUTIONS and comparison.table.complete().n_datasets > 1:
            yield _rank_distribution(comparison)
    if 0 < len(_forest_rows(comparison)) <= MOST_FOREST_ROWS:
        yield _forest(comparison)
    if 2 < k <= MOST_MATRIX_ALGORITHMS and comparison.facts.control is None:
        yield _matrix(comparison)
    if k == 2 and comparison.table.n_datasets > 1:
        yield _scatter(comparison)
    if comparison.table.n_datasets > 1 and comparison.table.values.size <= MOST_HEAT_CELLS:
        yield _heat_map(comparison)


def _block(key: str, scene: Scene, caption: str) -> FigureBlock:
    told = key == "diagram"  # its groups are a result; the others show again what the tables say
    return FigureBlock(key=key, scene=scene, caption=caption, alt=scene.description or scene.title, told=told)


def _diagram(comparison: Any) -> FigureBlock:
    names = [row.algorithm for row in comparison.ranking]
    place = {name: index for index, name in enumerate(names)}
    groups = [[place[name] for name in group] for group in comparison.groups]
    scene = cd_diagram_layout(
        [row.mean_rank for row in comparison.ranking], names, groups=groups, title="Mean ranks and groups"
    )
    bars = f"; a bar joins algorithms that are not told apart at level {comparison.alpha:g}" if groups else ""
    return _block("diagram", scene, f"Mean ranks, the best first{bars}.")


def _rank_intervals(comparison: Any) -> FigureBlock:
    rows = comparison.ranking
    places = _places([row.mean_rank for row in rows])
    scene = rank_intervals_layout(
        [row.algorithm for row in rows], places, [row.rank_low for row in rows], [row.rank_high for row in rows]
    )
    return _block("rank_intervals", scene, "The place of each algorithm by mean rank, with simultaneous intervals.")


def _places(mean_ranks: list[float]) -> list[float]:
    """The place of each mean rank in their order; ties share theirs."""
    ordered = sorted(mean_ranks)
    return [ordered.index(rank) + (ordered.count(rank) + 1) / 2 for rank in mean_ranks]


def _rank_distribution(comparison: Any) -> FigureBlock:
    table = comparison.table.complete().columns([row.algorithm for row in comparison.ranking])
    scene = rank_distribution_layout(table.ranks(), table.algorithms)
    return _block("ranks", scene, f"How often each algorithm took each rank, over {table.n_datasets} datasets.")


def _forest_rows(comparison: Any) -> Any:
    """All pairs with bounded intervals where they are few, else those with the control or with the best."""
    pairs = comparison.pairs
    if len(pairs) > MOST_FOREST_ROWS:
        best = comparison.facts.control or comparison.ranking[0].algorithm
        pairs = pairs[(pairs["a"] == best) | (pairs["b"] == best)]
    bounded = np.isfinite(pairs[["effect", "low", "high"]].to_numpy(dtype=np.float64)).all(axis=1)
    return pairs[bounded]


def _forest(comparison: Any) -> FigureBlock:
    pairs = _forest_rows(comparison)
    scene = forest_layout(
        [f"{a} − {b}" for a, b in zip(pairs["a"], pairs["b"], strict=True)],
        pairs["effect"].tolist(),
        pairs["low"].tolist(),
        pairs["high"].tolist(),
        pvalues=pairs["adjusted"].tolist(),
        rope=comparison.facts.rope,
        xlabel=f"difference in {comparison.facts.metric}",
    )
    whose = "the control" if comparison.facts.control else "the best"
    which = "All pairs" if len(pairs) == len(comparison.pairs) else f"The pairs with {whose}"
    if len(comparison.pairs) <= MOST_FOREST_ROWS and len(pairs) < len(comparison.pairs):
        which = "The pairs whose intervals are bounded"
    return _block("forest", scene, f"{which}: differences with intervals and adjusted p-values.")


def _matrix(comparison: Any) -> FigureBlock:
    pairs = comparison.pairs
    scene = comparison_matrix_layout(
        [row.algorithm for row in comparison.ranking],
        a=pairs["a"].tolist(),
        b=pairs["b"].tolist(),
        difference=(comparison.table.metric.sign * pairs["effect"]).tolist(),
        wins=pairs["wins"].tolist(),
        ties=pairs["ties"].tolist(),
        losses=pairs["losses"].tolist(),
        pvalues=pairs["adjusted"].tolist(),
        alpha=comparison.alpha,
    )
    return _block("matrix", scene, "Each row against each column: difference, wins/ties/losses, adjusted p-value.")


def _scatter(comparison: Any) -> FigureBlock:
    table = comparison.table
    scene = scatter_layout(
        table.values[:, 0],
        table.values[:, 1],
        (table.algorithms[0], table.algorithms[1]),
        datasets=table.datasets,
        higher_is_better=table.metric.higher_is_better,
    )
    return _block("scatter", scene, "The two algorithms on the same datasets; the diagonal is equality.")


def _heat_map(comparison: Any) -> FigureBlock:
    table = comparison.table.columns([row.algorithm for row in comparison.ranking])
    higher = table.metric.higher_is_better
    scene = heatmap_layout(table.values, table.datasets, table.algorithms, higher_is_better=higher)
    return _block("heat_map", scene, "The scores, darker where they are better within their dataset.")
