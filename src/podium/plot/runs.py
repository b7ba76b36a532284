"""Figures of runs: aggregates of agents with their intervals, and the share of runs above every threshold with bands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import number, percent
from podium.core.quantity import Quantity
from podium.plot.axes import PAD, Axis, curves_scene, line_style, minus, plane, stretched, with_room
from podium.plot.figure import Sheet, figure
from podium.plot.rows import Fill, Row, Rows, ends_text, rows_of
from podium.plot.scene import Point, Polygon, Scene, stacked
from podium.plot.sources import quantity_of
from podium.runs.registry import AGGREGATES

if TYPE_CHECKING:
    from podium.runs._aggregates import AggregatesResult
    from podium.runs._all_pairs import RunPairs
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
def improvement(result: Comparison | RunPairs, **sheet: Unpack[Sheet]) -> Rows:
    """How probable it is, for each pair, that a run of the first beats a run of the second on a task, with individual intervals.

    Parameters
    ----------
    result : Comparison or RunPairs
        A comparison of runs, or a result of `podium.runs.all_pairs`.

    Examples
    --------
    >>> import podium
    >>> found = podium.runs.all_pairs({"dqn": [[0.5, 1.0], [0.7, 1.4], [0.6, 1.3]], "ppo": [[0.4, 1.0], [0.6, 1.1], [0.5, 1.2]]})
    >>> improvement(found).svg()[:4]
    '<svg'
    """
    pairs = result.pairs if isinstance(result, Comparison) else result
    frame = pairs.to_frame()
    turned = pairs.oriented((frame["improvement"] < 0.5).to_numpy(), np.arange(len(frame)))
    columns = ["a", "b", "improvement", "improvement_low", "improvement_high"]
    ordered = turned.sort_values("improvement", ascending=False, kind="stable")[columns]
    percents = Quantity(factor=100, decimals=1)
    rows = []
    for a, b, chance, low, high in ordered.itertuples(index=False):
        decided: Fill = "full" if low > 0.5 else "none"
        texts = (percents.text(chance), ends_text(percents, low, high))
        value, *ends = percents.written([chance, low, high]).tolist()
        rows.append(Row(names=(a, b), value=value, low=ends[0], high=ends[1], fill=decided, texts=texts))
    return rows_of(
        "Probability of improvement",
        "% of pairs of runs on one task that the first wins; at 50 neither is ahead",
        rows,
        reference=50.0,
        heads=("Wins, %", f"{percent(pairs.confidence)} interval"),
        minor=(1,),
        legend=(
            ("plain", "the interval excludes 50%"),
            ("none", "the interval contains 50%"),
            ("line", "neither is ahead"),
        ),
    )


@figure
def learning_curves(
    results: Mapping[float, Comparison | AggregatesResult],
    *,
    highlight: int = 7,
    stretch: float = 0.0,
    **sheet: Unpack[Sheet],
) -> Scene:
    """The first aggregate of each agent after so many steps of training, with its individual intervals as a band.

    The agents that are best at the end are drawn with bands, the others in grey.

    Parameters
    ----------
    results : mapping
        Number of steps -> a comparison of runs after so many, or a result of `podium.runs.aggregates`.
    highlight : int, default 7
        How many of the best are drawn in colours.

    Examples
    --------
    >>> import podium
    >>> early = podium.runs.aggregates({"dqn": [[0.2, 0.3], [0.3, 0.4], [0.1, 0.3]], "ppo": [[0.1, 0.3], [0.2, 0.4], [0.2, 0.2]]})
    >>> late = podium.runs.aggregates({"dqn": [[0.5, 1.0], [0.7, 1.4], [0.6, 1.3]], "ppo": [[0.4, 1.0], [0.6, 1.1], [0.5, 1.2]]})
    >>> learning_curves({10_000: early, 20_000: late}).svg()[:4]
    '<svg'
    """
    check.count("highlight", highlight)
    if not isinstance(results, Mapping):
        raise ArgumentError(
            "Learning curves need a dict: the number of steps -> a comparison of the runs after so many."
        )
    steps = sorted(results)
    every = [_part(results[step], "aggregates") for step in steps]
    if len(every) < 2 or len({(each.algorithms, each.aggregates[0]) for each in every}) > 1:
        raise ArgumentError("Learning curves need the same agents and aggregate after two or more numbers of steps.")
    written = quantity_of(results[steps[0]]).written
    values, low, high = (
        np.array([written(getattr(r, name)[:, 0]) for r in every]) for name in ("values", "low", "high")
    )
    first = AGGREGATES[every[0].aggregates[0]]
    order = np.argsort(values[-1] * (-1 if first.better == "same" else 1), kind="stable").tolist()
    head = PAD + 4
    x = Axis(float(steps[0]), float(steps[-1]), LEFT, LEFT + stretched(WIDTH, stretch))
    y = Axis(*with_room(np.concatenate([values, low, high]).ravel().tolist(), 0.04), head + HEIGHT, head)
    return _banded_curves(
        {every[0].algorithms[i]: (values[:, i], low[:, i], high[:, i]) for i in order},
        np.array(steps, dtype=float),
        x,
        y,
        words=("steps of training", first.label),
        highlight=highlight,
        title="Learning curves",
        description=f"{first.label.capitalize()} of {len(order)} agents after {number(steps[0])} to {number(steps[-1])} steps.",
    )


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
    order = np.argsort(-profiles.share.sum(axis=1), kind="stable").tolist()
    return _banded_curves(
        {profiles.algorithms[i]: (profiles.share[i], profiles.low[i], profiles.high[i]) for i in order},
        thresholds,
        x,
        y,
        words=("score (threshold)", "share of runs above it"),
        highlight=highlight,
        title="Performance profiles of runs",
        description=f"Shares of runs above each score, with bands of {percent(profiles.confidence)} confidence, for "
        f"{len(order)} agents on {profiles.n_tasks} tasks.",
    )


def _banded_curves(
    curves: Mapping[str, tuple[Floats, Floats, Floats]],
    places: Floats,
    x: Axis,
    y: Axis,
    *,
    words: tuple[str, str],
    highlight: int,
    title: str,
    description: str,
) -> Scene:
    """Curves, the best first, each with the ends of its band, where these are known; `words` name the axes."""

    def line(heights: Floats) -> list[Point]:
        return [(x(float(place)), y(float(height))) for place, height in zip(places, heights, strict=True)]

    shapes = plane(x, y, *words)
    for place, (name, (_, low, high)) in enumerate(list(curves.items())[:highlight]):
        if np.isfinite(low).all() and np.isfinite(high).all():
            band = (*line(high), *reversed(line(low)))
            shapes.append(Polygon(band, fill=line_style(place)[0], stroke=None, opacity=0.15, key=name))
    lines = {name: line(middle) for name, (middle, _, _) in curves.items()}
    return curves_scene(shapes, lines, x, y, highlight=highlight, title=title, description=description)
