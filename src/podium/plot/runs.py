"""Figures of runs: aggregates of agents with their intervals, and the share of runs above every threshold with bands."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import percent
from podium.core.quantity import Quantity
from podium.plot.axes import PAD, Axis, curves_scene, line_style, minus, plane, stretched
from podium.plot.figure import Sheet, figure
from podium.plot.rows import Fill, Row, Rows, ends_text, rows_of
from podium.plot.scene import Point, Polygon, Scene, stacked
from podium.plot.sources import quantity_of
from podium.runs.registry import AGGREGATES

if TYPE_CHECKING:
    from podium.runs._aggregates import AggregatesResult
    from podium.runs._profiles import ProfilesResult

LEFT, WIDTH, HEIGHT = 52.0, 320.0, 220.0


@figure
def aggregate_intervals(
    result: Comparison | AggregatesResult, *, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """Rows for each aggregate: the value of each agent with its interval; the best agent on top.

    The order is that of the first aggregate. An agent with too few runs for an interval has a hollow mark.

    Parameters
    ----------
    result : Comparison or AggregatesResult
        A comparison of runs, or a result of `podium.runs.aggregates`.

    Examples
    --------
    >>> import podium
    >>> found = podium.runs.aggregates({"dqn": [[0.5, 1.0], [0.7, 1.4], [0.6, 1.3]], "ppo": [[0.4, 1.0], [0.6, 1.1], [0.5, 1.2]]})
    >>> aggregate_intervals(found).svg()[:4]
    '<svg'
    """
    aggregates: AggregatesResult = _part(result, "aggregates")
    written = quantity_of(result).written
    aggregates = replace(
        aggregates, values=written(aggregates.values), low=written(aggregates.low), high=written(aggregates.high)
    )
    first = AGGREGATES[aggregates.aggregates[0]]
    order = np.argsort(aggregates.values[:, 0] * (-1 if first.better == "same" else 1), kind="stable")
    scenes = [_panel(aggregates, column, order.tolist()).scene(stretch) for column in range(len(aggregates.aggregates))]
    best = aggregates.algorithms[order[0]]
    described = f"{first.label.capitalize()} of {len(order)} agents on {aggregates.n_tasks} tasks; {best} is best."
    return stacked(scenes, title="Aggregates over tasks and runs", description=described)


def _part(result: Any, name: str) -> Any:
    """The aggregates or profiles of a comparison of agents, or these themselves."""
    if not isinstance(result, Comparison):
        return result
    if result.extra(name) is None:
        raise ArgumentError("Only a comparison of agents by their runs has this figure.")
    return result.extra(name)


def _panel(result: AggregatesResult, column: int, order: list[int]) -> Rows:
    """One aggregate of all agents, on an axis of its own."""
    label = AGGREGATES[result.aggregates[column]].label
    quantity = Quantity().column(result.values[:, column].tolist())
    rows = []
    for i in order:
        value, low, high = (float(array[i, column]) for array in (result.values, result.low, result.high))
        texts = (minus(quantity.text(value)), ends_text(quantity, low, high))
        fill: Fill = "full" if np.isfinite(low) else "none"
        rows.append(Row(names=(result.algorithms[i],), value=value, low=low, high=high, fill=fill, texts=texts))
    legend = (("none", "too few runs for an interval"),)
    heads = ("Value", f"{percent(result.confidence)} interval")
    return rows_of(label, label, rows, heads=heads, minor=(1,), legend=legend)


@figure
def run_profiles(
    result: Comparison | ProfilesResult, *, highlight: int = 7, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """The share of runs that score above each threshold; a curve that lies higher is better, its band holds throughout.

    The agents with the largest area under their curve are drawn with bands, the others in grey.

    Parameters
    ----------
    result : Comparison or ProfilesResult
        A comparison of runs, or a result of `podium.runs.profiles`.
    highlight : int, default 7
        How many of the best are drawn in colours.

    Examples
    --------
    >>> import podium
    >>> found = podium.runs.profiles({"dqn": [[0.1, 0.9], [0.3, 0.7]], "ppo": [[0.2, 0.8], [0.4, 0.5]]}, draws=100)
    >>> run_profiles(found).svg()[:4]
    '<svg'
    """
    check.count("highlight", highlight)
    profiles: ProfilesResult = _part(result, "profiles")
    quantity = quantity_of(result)
    profiles = replace(profiles, thresholds=quantity.written(profiles.thresholds))
    thresholds = profiles.thresholds
    if len(thresholds) < 2:
        raise ArgumentError("A profile needs at least two thresholds.")
    head = PAD + 4
    x = Axis(float(thresholds.min()), float(thresholds.max()), LEFT, LEFT + stretched(WIDTH, stretch))
    y = Axis(0.0, 1.0, head + HEIGHT, head)
    shapes = plane(x, y, "score (threshold)", "share of runs above it")
    order = np.argsort(-profiles.share.sum(axis=1), kind="stable").tolist()

    def line(shares: Floats) -> list[Point]:
        return [(x(float(t)), y(float(share))) for t, share in zip(thresholds, shares, strict=True)]

    for place, i in enumerate(order[:highlight]):
        if np.isfinite(profiles.low[i]).all():
            band = (*line(profiles.high[i]), *reversed(line(profiles.low[i])))
            shapes.append(
                Polygon(band, fill=line_style(place)[0], stroke=None, opacity=0.15, key=profiles.algorithms[i])
            )
    return curves_scene(
        shapes,
        {profiles.algorithms[i]: line(profiles.share[i]) for i in order},
        x,
        y,
        highlight=highlight,
        title="Performance profiles of runs",
        description=f"Shares of runs above each score, with bands of {percent(profiles.confidence)} confidence, for "
        f"{len(order)} agents on {profiles.n_tasks} tasks.",
    )
