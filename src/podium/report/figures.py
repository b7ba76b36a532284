"""The figures of a report: all that show its result; of a comparison, those that fit its size."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any

from podium.comparison.comparison import Comparison
from podium.core.errors import PodiumError
from podium.core.result import Result
from podium.plot import registry
from podium.report.document import FigureBlock

MOST_SHAPES = 3000  # more weigh more than the page should


TOLD = ("cd_diagram",)  # its groups are a result, told in words too; the others show again what the tables say


def figures_of(result: Result, *, drawn: bool | Collection[str] = True) -> tuple[FigureBlock, ...]:
    """The figures of the result, in the order of the report; their keys are the names of the figures.

    A figure that needs more than the result has (such as draws), or is too large to be read, is left out. A comparison
    has those in the sections that are `drawn`, and those that are told in words.
    """
    if isinstance(result, Comparison):
        return tuple(_of_comparison(result, drawn))
    found = []
    for kind in (kind for kind in registry.figures_of(result) if kind.in_reports):
        with suppress(PodiumError):
            found.append(figure_block(kind.name, result))
    return tuple(block for block in found if len(block.scene.shapes) <= MOST_SHAPES)


def figure_block(name: str, result: Any, *, caption: str = "", **options: Any) -> FigureBlock:
    """One figure of the result with its caption."""
    draw = registry.function(name)
    scene = draw(result, **options).scene
    return FigureBlock(
        key=name,
        scene=scene,
        caption=caption or registry.FIGURES[name].caption,
        alt=scene.description,
        told=name in TOLD,
        at_width=lambda width: draw(result, width=width, **options).scene,
    )


def _of_comparison(comparison: Comparison, drawn: bool | Collection[str]) -> Iterator[FigureBlock]:
    """Those that the registry gives a place in the report of such a comparison."""
    for kind in registry.FIGURES.values():
        here = drawn if isinstance(drawn, bool) else kind.section in drawn
        options = kind.options_for(comparison) if here or kind.name in TOLD else None
        if options is not None:
            block = figure_block(kind.name, comparison, **options)
            yield replace(block, on_page=kind.page != "chart", closed=kind.page == "closed")
