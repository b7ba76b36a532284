"""Which figures a report has, and in which order: all that show its result; of a comparison, those that fit its size.

Beyond some size a figure says less than its table, and weighs more than the page should.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from podium.comparison.comparison import Comparison
from podium.core.errors import PodiumError
from podium.core.result import Result
from podium.plot import registry
from podium.report.document import FigureBlock

MOST_SHAPES = 3000  # more weigh more than the page should
MOST_FOREST_ROWS = 45
MOST_DOTS = 1000
MOST_BENCHMARKS = 60


def figures_of(result: Result, *, drawn: bool | Collection[str] = True) -> tuple[FigureBlock, ...]:
    """The figures of the result, in the order of the report; their keys are the names of the figures.

    A figure that needs more than the result has (such as draws), or is too large to be read, is left out. A comparison
    has those in the sections that are `drawn`, and those that are told in words.
    """
    if isinstance(result, Comparison):
        return tuple(_of_comparison(result, drawn))
    blocks = []
    for name in registry.leading(result):
        with suppress(PodiumError):
            blocks.append(figure_block(name, result))
    return tuple(block for block in blocks if _is_light(block))


def figure_block(name: str, result: Any, **options: Any) -> FigureBlock:
    """One figure of the result with its caption."""
    draw, kind = registry.function(name), registry.FIGURES[name]
    figure, caption = draw(result, **options), kind.caption
    if figure.table is not None:
        notes = (getattr(figure.table, name, "") for name in ("note", "joins"))
        caption = " ".join(filter(None, (f"{figure.title}.", *notes)))
    return FigureBlock(
        key=name,
        figure=figure,
        caption=caption,
        told=kind.told,
        at_width=lambda width: draw(result, width=width, **options).scene,
    )


def _is_light(block: FigureBlock) -> bool:
    """Whether a page may have it; what is written as a table has its own limits."""
    return block.figure.table is not None or len(block.figure.scene.shapes) <= MOST_SHAPES


def lead_block(result: Result) -> FigureBlock | None:
    """The figure that stands for a result, where it can be drawn and read."""
    for name in registry.leading(result):
        with suppress(PodiumError):
            block = figure_block(name, result)
            return block if _is_light(block) else None
    return None


def _of_comparison(comparison: Comparison, drawn: bool | Collection[str]) -> Iterator[FigureBlock]:
    """Those that show a part of such a comparison, each where it says what it is about."""
    size, control = len(comparison.ranking), comparison.facts.control
    for kind in registry.FIGURES.values():
        here = drawn if isinstance(drawn, bool) else kind.about in drawn
        least, most = kind.algorithms
        if kind.about in ("", "verdict") or not (here or kind.told) or not least <= size <= most:
            continue
        fits = FITS.get(kind.name, lambda _: True)
        if comparison.part(kind.of) is None or (kind.without_control and control) or not fits(comparison):
            continue
        options = {"most": MOST_FOREST_ROWS} if kind.name == "forest" else {}
        block = figure_block(kind.name, comparison, **options)
        if kind.told or _is_light(block):
            yield replace(block, closed=not kind.open)


def _mean_ranks(comparison: Comparison) -> bool:
    """Mean ranks over several datasets."""
    return comparison.table.n_datasets > 1 and all(row.mean_rank is not None for row in comparison.ranking)


def _curves(comparison: Comparison) -> bool:
    """Curves of scores for two classes."""
    from podium.plot.cases import scored_predictions

    return scored_predictions(comparison) is not None


def _benchmarks(cases: Any) -> bool:
    """The difference of the two best on each of several benchmarks."""
    return cases.kind != "influence" and 1 < len(set(cases.benchmarks)) <= MOST_BENCHMARKS


# When a figure belongs in the report of a comparison that has what it shows, and as many algorithms as it is for.
FITS: dict[str, Callable[[Any], bool]] = {
    "cd_diagram": _mean_ranks,
    "rank_distribution": lambda compared: _mean_ranks(compared) and compared.table.complete().n_datasets > 1,
    "discordance": lambda compared: compared.evidence.kind == "pass_fail",
    "benchmark_forest": lambda compared: _benchmarks(compared.evidence),
    "roc_curves": _curves,
    "pr_curves": _curves,
    "agreement_matrix": lambda compared: compared.evidence.kind != "influence" or compared.evidence.source is not None,
    "scatter": lambda compared: 1 < compared.table.n_datasets <= MOST_SHAPES,
    "score_strips": lambda compared: compared.table.n_datasets > 1 and compared.table.values.size <= MOST_DOTS,
    "case_map": lambda compared: compared.evidence.kind != "influence",
}
