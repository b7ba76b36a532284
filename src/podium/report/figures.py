"""Which figures a report has, and in which order: all that show its result; of a comparison, those that fit its size.

Beyond some size a figure says less than its table, and weighs more than the page should.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from podium.comparison.comparison import MEAN_RANK, Comparison
from podium.core.errors import PodiumError
from podium.core.result import Result
from podium.plot import registry
from podium.report.document import FigureBlock

MOST_SHAPES = 3000  # more weigh more than the page should
MOST_FOREST_ALGORITHMS, MOST_FOREST_ROWS = 20, 45
MOST_MATRIX_ALGORITHMS = 40
MOST_DISTRIBUTIONS = 25
MOST_HEAT_CELLS = 2500
MOST_SCORE_ROWS = 150
MOST_COUNTS = 40
MOST_AGREEMENT = 60  # thousands of cells weigh too much for a page; the figure itself takes any number
MOST_BENCHMARKS = 60

TOLD = (
    "gaps",
    "strip",
    "cd_diagram",
)  # in words too, where nothing is drawn; the others show again what the tables say
OPEN = ("gaps", "strip", "cd_diagram", "forest", "comparison_matrix", "benchmark_forest", "roc_curves", "scatter",
        "aggregate_intervals", "run_profiles")  # fmt: skip
OTHER_FORMS = ("chance_surface",)  # drawn where it is asked for


def figures_of(result: Result, *, drawn: bool | Collection[str] = True) -> tuple[FigureBlock, ...]:
    """The figures of the result, in the order of the report; their keys are the names of the figures.

    A figure that needs more than the result has (such as draws), or is too large to be read, is left out. A comparison
    has those in the sections that are `drawn`, and those that are told in words.
    """
    if isinstance(result, Comparison):
        return tuple(_of_comparison(result, drawn))
    found = []
    for kind in registry.figures_of(result):
        if kind.name not in OTHER_FORMS:
            with suppress(PodiumError):
                found.append(figure_block(kind.name, result))
    return tuple(block for block in found if _is_light(block))


def figure_block(name: str, result: Any, **options: Any) -> FigureBlock:
    """One figure of the result with its caption."""
    draw = registry.function(name)
    figure = draw(result, **options)
    caption = registry.FIGURES[name].caption
    if figure.table is not None:
        notes = (getattr(figure.table, name, "") for name in ("note", "joins"))
        caption = " ".join(filter(None, (f"{figure.title}.", *notes)))
    return FigureBlock(
        key=name,
        figure=figure,
        caption=caption,
        told=name in TOLD,
        at_width=lambda width: draw(result, width=width, **options).scene,
    )


def _is_light(block: FigureBlock) -> bool:
    """Whether a page may have it; what is written as a table has its own limits."""
    return block.figure.table is not None or len(block.figure.scene.shapes) <= MOST_SHAPES


def lead_figure(comparison: Comparison) -> str:
    """What shows the verdict: costs against errors where cost was asked for; of two, each dataset; else the gaps."""
    if comparison.cost_order is not None:
        return "cost_plane"
    of_two = len(comparison.ranking) == 2 and comparison.words.by == MEAN_RANK
    return "strip" if of_two else "gaps"


def lead_block(comparison: Comparison) -> FigureBlock | None:
    """The figure of the verdict, where it can be drawn."""
    for name in dict.fromkeys((lead_figure(comparison), "gaps")):
        with suppress(PodiumError):
            return figure_block(name, comparison)
    return None


def _of_comparison(comparison: Comparison, drawn: bool | Collection[str]) -> Iterator[FigureBlock]:
    """Those that show a part of such a comparison, each where it says what it is about."""
    for kind in registry.FIGURES.values():
        here = drawn if isinstance(drawn, bool) else kind.about in drawn
        if kind.about == "verdict" or not (here or kind.name in TOLD):
            continue
        fits = FITS.get(kind.name)
        if kind.of and comparison.part(kind.of) is not None and (fits is None or fits(comparison)):
            options = {"most": MOST_FOREST_ROWS} if kind.name == "forest" else {}
            block = figure_block(kind.name, comparison, **options)
            if kind.name in TOLD or _is_light(block):
                yield replace(block, closed=kind.name not in OPEN)


# When a figure belongs in the report of a comparison that has what it shows.


def _mean_ranks(comparison: Comparison) -> bool:
    """Mean ranks of three or more algorithms over datasets."""
    return len(comparison.ranking) > 2 and all(row.mean_rank is not None for row in comparison.ranking)


def _places(comparison: Comparison) -> bool:
    """The places that each could hold, of so many that a table is long; that of a few draws them."""
    return len(comparison.ranking) > MOST_FOREST_ALGORITHMS and comparison.facts.control is None


def _distribution(comparison: Comparison) -> bool:
    """How often each had each rank, where these are not too many."""
    few = len(comparison.ranking) <= MOST_DISTRIBUTIONS
    return _mean_ranks(comparison) and few and comparison.table.complete().n_datasets > 1


def _all_pairs(most: int) -> Callable[[Comparison], bool]:
    """All pairs of a few algorithms; those with a control are the gaps."""
    return lambda comparison: 2 < len(comparison.ranking) <= most and comparison.facts.control is None


def _two(comparison: Comparison) -> bool:
    """Two algorithms on several datasets."""
    return len(comparison.ranking) == 2 and 1 < comparison.table.n_datasets <= MOST_SHAPES


def _heat(comparison: Comparison) -> bool:
    """The scores, where they are not too many."""
    return comparison.table.n_datasets > 1 and comparison.table.values.size <= MOST_HEAT_CELLS


def _counts(comparison: Comparison) -> bool:
    """Discordant counts of pass and fail."""
    cases: Any = comparison.evidence
    return cases.kind == "pass_fail" and len(comparison.ranking) <= MOST_COUNTS


def _agreeing(comparison: Comparison) -> bool:
    """How far three or more systems agree; of a metric of all cases only with the predictions."""
    cases: Any = comparison.evidence
    known = cases.kind != "influence" or cases.source is not None
    return known and 2 < len(comparison.ranking) <= MOST_AGREEMENT


def _curves(comparison: Comparison) -> bool:
    """Curves of scores for two classes."""
    from podium.plot.cases import scored_predictions

    return scored_predictions(comparison) is not None


def _benchmarks(comparison: Comparison) -> bool:
    """The difference of the two best on each of several benchmarks."""
    cases: Any = comparison.evidence
    return cases.kind != "influence" and 1 < len(set(cases.benchmarks)) <= MOST_BENCHMARKS


FITS: dict[str, Callable[[Comparison], bool]] = {
    "cd_diagram": _mean_ranks,
    "rank_intervals": _places,
    "rank_distribution": _distribution,
    "score_intervals": lambda comparison: len(comparison.ranking) <= MOST_SCORE_ROWS,
    "forest": _all_pairs(MOST_FOREST_ALGORITHMS),
    "comparison_matrix": _all_pairs(MOST_MATRIX_ALGORITHMS),
    "discordance": _counts,
    "benchmark_forest": _benchmarks,
    "roc_curves": _curves,
    "pr_curves": _curves,
    "agreement_matrix": _agreeing,
    "scatter": _two,
    "heatmap": _heat,
}
