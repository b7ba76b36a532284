"""Charts of the chance room, after Forman and Cohen (2005): null laws, surfaces and contours of critical values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from podium.chance.distributions import NullCurve
from podium.chance.plan import CompetitorsPlanResult
from podium.chance.registry import label_of
from podium.chance.tables import CriticalTableResult
from podium.core.errors import ArgumentError
from podium.plot.palette import SERIES, hex_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "ChanceSurface",
    "chance_surface_layout",
    "draw_chance_cdfs",
    "draw_chance_competitors",
    "draw_chance_contours",
    "draw_chance_surface",
]

Floats = npt.NDArray[np.float64]

_LINES = ("solid", "dashed", "dashdot", "dotted")


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class ChanceSurface:
    """What a surface or a contour chart shows: values[i, j] at positives[i], negatives[j], and the isolines.

    Where values are whole numbers, the isoline of k runs half a unit below k: from there on the value is k.
    """

    title: str
    metric: str
    positives: Floats
    negatives: Floats
    values: Floats
    levels: Floats
    labels: tuple[str, ...]


def chance_surface_layout(
    table: CriticalTableResult, *, competitors: int | None = None, alpha: float | None = None
) -> ChanceSurface:
    """One table of critical values as a surface, with isolines at round values."""
    count = table.competitors[-1] if competitors is None else competitors
    level = table.alphas[0] if alpha is None else alpha
    if count not in table.competitors or level not in table.alphas:
        raise ArgumentError(f"The table holds {table.competitors} competitors at alpha {table.alphas}.")
    values = table.values[table.alphas.index(level), table.competitors.index(count)]
    levels, labels = _isolines(values)
    return ChanceSurface(
        title=f"Critical values of {label_of(table.metric)}\nα = {100 * level:g} %, {count} competitors",
        metric=table.metric,
        positives=np.array(table.positives, float),
        negatives=np.array(table.negatives, float),
        values=values,
        levels=levels,
        labels=labels,
    )


def _isolines(values: Floats) -> tuple[Floats, tuple[str, ...]]:
    """Levels and their labels."""
    known = values[~np.isnan(values)]
    if (known == np.round(known)).all() and known.max() > 1:
        steps = np.arange(known.min() + 1, known.max() + 1)
        return steps - 0.5, tuple(f"{step:.0f}" for step in steps)
    levels = _round_levels(values)
    return levels, tuple(f"{level:.4g}".removeprefix("0") for level in levels)


def _round_levels(values: Floats) -> Floats:
    """At least 8 round isolines within the values, with finer ones where a valley is wide and flat."""
    low, high, middle = float(np.nanmin(values)), float(np.nanmax(values)), float(np.nanmedian(values))
    for step in (5.0, 2.0, 1.0, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001):
        levels = _multiples(step, low, high)
        if len(levels) >= 8:
            if (levels < middle).sum() < 3:
                levels = np.union1d(levels.round(9), _multiples(step / 5, low, min(middle, levels[0])).round(9))
            return levels
    return np.array([]) if high <= low else np.linspace(low, high, 10)[1:-1]


def _multiples(step: float, low: float, high: float) -> Floats:
    """Multiples of the step strictly between two values."""
    multiples: Floats = np.arange(np.floor(low / step) + 1, np.ceil(high / step)) * step
    return multiples


def draw_chance_cdfs(curves: Sequence[NullCurve], *, level: float | None = None, ax: Axes | None = None) -> Axes:
    """Cumulative distributions of random rankings' scores, with a line at `level` (the paper's figure 1)."""
    axes: Axes = _axes(ax)
    for i, curve in enumerate(curves):
        axes.step(
            [curve.scores[0], *curve.scores],  # from 0, so that the first step shows
            [0.0, *curve.cdf],
            where="post",
            label=label_of(curve.metric),
            color=hex_colour(SERIES[i % len(SERIES)]),
            linestyle=_LINES[i % len(_LINES)],
        )
    if level is not None:
        axes.axhline(level, color=hex_colour("muted"), linewidth=0.8)
        axes.annotate(
            f"{100 * level:g} %", (0, level), xycoords=("axes fraction", "data"), xytext=(3, -3),
            textcoords="offset points", va="top", color=hex_colour("muted"), fontsize="small",
        )  # fmt: skip
    axes.set(xlabel="score of a random ranking", ylabel="cumulative probability", ylim=(0, 1.02))
    sizes = {(curve.positives, curve.negatives) for curve in curves}
    if len(sizes) == 1:
        P, N = next(iter(sizes))
        axes.set_title(f"{P} positives, {N} negatives")
    axes.legend(loc="best", frameon=False)
    return axes


def draw_chance_surface(layout: ChanceSurface, *, ax: Any = None, elevation: float = 28, azimuth: float = -125) -> Any:
    """The surface of critical values with its isolines, projected onto the floor (the paper's figures 2 to 5)."""
    axes = _axes(ax, projection="3d")
    x, y = np.meshgrid(layout.negatives, layout.positives)
    low, high = float(np.nanmin(layout.values)), float(np.nanmax(layout.values))
    floor = low - 0.45 * max(high - low, 1e-9)
    axes.plot_surface(x, y, layout.values, cmap="viridis", alpha=0.75, linewidth=0, rstride=1, cstride=1)
    if layout.levels.size:
        axes.contour(x, y, layout.values, levels=layout.levels, colors="black", linewidths=0.6)
        axes.contour(x, y, layout.values, levels=layout.levels, cmap="viridis", offset=floor, linewidths=1.0)
    axes.set_zlim(floor, high)
    axes.set(xlabel="negatives", ylabel="positives", title=layout.title)
    axes.set_zlabel("critical value")
    axes.view_init(elev=elevation, azim=azimuth)
    return axes


def draw_chance_contours(layout: ChanceSurface, *, ax: Axes | None = None) -> Axes:
    """Labelled isolines of critical values (the paper's figures 6 and 7)."""
    axes: Axes = _axes(ax)
    x, y = np.meshgrid(layout.negatives, layout.positives)
    if layout.levels.size:
        lines = axes.contour(x, y, layout.values, levels=layout.levels, cmap="viridis_r", linewidths=1.1)
        labels = dict(zip(layout.levels.tolist(), layout.labels, strict=True))
        axes.clabel(lines, fontsize=7, fmt=labels, colors="black")
    axes.set(xlabel="negatives", ylabel="positives", title=layout.title, aspect="equal")
    return axes


def draw_chance_competitors(result: CompetitorsPlanResult, *, ax: Axes | None = None) -> Axes:
    """The critical value over the number of competitors, with the score of interest."""
    axes: Axes = _axes(ax)
    axes.plot(result.competitors, result.critical_values, color=hex_colour("blue"), marker="o", markersize=2.5)
    if not np.isnan(result.score):
        axes.axhline(result.score, color=hex_colour("vermilion"), linestyle="dashed")
        axes.annotate(
            f"score {result.score:g}: at most {result.most_competitors} competitors", (0.02, result.score),
            xycoords=("axes fraction", "data"), xytext=(0, 3), textcoords="offset points", fontsize="small",
        )  # fmt: skip
    axes.set(
        xscale="log",
        xlabel="competitors counted",
        ylabel=f"critical value of {label_of(result.metric)}",
        title=f"{result.positives} positives, {result.negatives} negatives, α = {100 * result.alpha:g} %",
    )
    return axes


def _axes(ax: Any, projection: str | None = None) -> Any:
    """The given axes, or new ones on a figure of their own, outside pyplot's global state."""
    if ax is not None:
        return ax
    from matplotlib.figure import Figure

    figure: Figure = Figure(figsize=(6.4, 5.2), layout="constrained")
    return figure.add_subplot(projection=projection)
