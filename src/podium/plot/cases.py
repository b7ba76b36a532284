"""Figures of algorithms on the same test cases: scores with places, who beats whom how often, agreement, curves, benchmarks."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Unpack

import numpy as np

from podium.cases._agreement import SHARE, Agreement, agreement
from podium.cases.benchmarks import BenchmarkDifferences, by_benchmark
from podium.cases.influence import pr_points, roc_points
from podium.cases.predictions import Predictions
from podium.cases.registry import METRICS
from podium.comparison.comparison import Comparison
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import capital, fixed, number, percent
from podium.evidence.cases import Cases
from podium.plot.axes import PAD, Axis, curve, legend, legend_below, minus, plane, stretched
from podium.plot.cells import Tile, column_names, row_names, tile_shapes
from podium.plot.figure import Sheet, figure
from podium.plot.pairs import interval_rows
from podium.plot.rows import Row, Rows, ends_text, rows_of
from podium.plot.scene import Line, Scene, Text, sheet_around
from podium.plot.sources import quantity_of
from podium.plot.style import label_of, lines_of, text_width, widest

SIZE, SMALL = 9.0, 8.0
ROW = 13.0
MOST_WITH_NUMBERS = 24
MOST_SINGLE = 60  # algorithms; of more, neighbours of one shade are one shape
SMALL_CELL = 8.0  # a name of 7 points fits beside it
SIDE = 240.0
LEAST_BESIDE = 180.0
MIDDLING = 225.0  # points that a note may take where the matrix is small
MOST_POINTS = 400  # of a curve; more are closer than a pixel


def cases_of(result: Any) -> Cases:
    """The cases of a comparison."""
    part: Cases | None = result.part("Cases") if isinstance(result, Comparison) else None
    if part is None:
        raise ArgumentError("This figure shows algorithms on the same test cases: give such a comparison.")
    return part


def outcomes_of(result: Any) -> Cases:
    """The same, where each case has an outcome of its own."""
    cases = cases_of(result)
    if cases.kind == "influence":
        raise ArgumentError("A metric of all cases has no outcome of a single case: there is nothing to count or sort.")
    return cases


# --- Scores and places -----------------------------------------------------------------------------------------------


@figure
def score_intervals(result: Comparison, **sheet: Unpack[Sheet]) -> Rows:
    """The score of each algorithm on the cases with its own interval; beside it the ranks that it could hold.

    The intervals of scores are individual: whether two differ, their pair says. The ranks hold simultaneously.

    Parameters
    ----------
    result : Comparison
        A comparison of test cases.

    Examples
    --------
    >>> import podium
    >>> found = podium.compare({"a": [1] * 9 + [0] * 3, "b": [0] * 6 + [1] * 6}, unit="case", metric="accuracy")
    >>> score_intervals(found).svg()[:4]
    '<svg'
    """
    cases_of(result)
    quantity = result.quantity.column([row.mean_score for row in result.ranking])
    placed = len(result.ranking) > 2 and result.facts.control is None
    rows = []
    for row in result.ranking:
        own = row.interval or (math.nan, math.nan)
        value, low, high = quantity.written([row.mean_score, *own]).tolist()
        texts = (minus(quantity.text(row.mean_score)), ends_text(quantity, *own))
        places = (f"{row.rank_low} to {row.rank_high}",) if placed else ()
        tinted = placed and row.rank_low == 1
        rows.append(
            Row(names=(row.algorithm,), value=value, low=low, high=high, texts=(*texts, *places), tinted=tinted)
        )
    return rows_of(
        f"Scores, {quantity.direction} is better",
        f"{capital(quantity.scale)}, with individual intervals",
        rows,
        heads=("Score", "Interval", *(["Rank range"] if placed else [])),
        minor=(1,),
        legend=(("tint", "could be first"),),
    )


# --- Matrices of systems ---------------------------------------------------------------------------------------------


@figure
def discordance(result: Comparison, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """In each cell, on how many cases the algorithm of the row is better than that of the column, the best first.

    The two numbers of a pair, mirrored at the diagonal, are what McNemar's test compares. Cases that one of two lacks count
    for neither.

    Parameters
    ----------
    result : Comparison
        A comparison of test cases.

    Examples
    --------
    >>> import podium
    >>> found = podium.compare({"a": [1] * 9 + [0] * 3, "b": [0] * 6 + [1] * 6}, unit="case", metric="accuracy")
    >>> discordance(found).svg()[:4]
    '<svg'
    """
    cases = outcomes_of(result)
    names = [row.algorithm for row in result.ranking]
    values = cases.metric.sign * cases.select(names).values
    counts = np.array([[float((one > other).sum()) for other in values.T] for one in values.T])
    np.fill_diagonal(counts, np.nan)
    nouns = f"{cases.noun} values" if cases.kind != "pass_fail" else "outcomes"
    return _matrix(
        names,
        counts,
        scale=(0.0, float(np.nanmax(counts))),
        written=lambda value: fixed(value, 0),
        hover=lambda i, j, value: f"{names[i]} better than {names[j]} on {fixed(value, 0)} of {cases.n_cases}",
        note=f"row better than column, of {cases.n_cases}; darker: more",
        title="Discordant counts",
        description=f"How often each of {len(names)} algorithms has better {nouns} than each other one.",
        stretch=stretch,
    )


@figure
def agreement_matrix(
    result: Comparison | Agreement, *, clustered: bool | None = None, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """How far each pair of algorithms agrees: the share of cases with the same outcome or label, or a rank correlation.

    Parameters
    ----------
    result : Comparison or Agreement
        A comparison of test cases, or a result of `podium.cases.agreement`.
    clustered : bool, optional
        Whether those that agree are neighbours; otherwise the best come first. By default from 11 algorithms
        on.

    Examples
    --------
    >>> import podium
    >>> agreement_matrix(podium.cases.agreement({"a": [1, 1, 0, 0], "b": [1, 0, 0, 0], "c": [0, 0, 1, 1]})).svg()[:4]
    '<svg'
    """
    if isinstance(result, Agreement):
        agreed, names = result, list(result.algorithms)
    else:
        cases = cases_of(result)
        names = [row.algorithm for row in result.ranking]
        source: Predictions | Cases = cases if cases.source is None else cases.source
        agreed = agreement(source.select(names))
    together = len(names) > 10 if clustered is None else check.flag("clustered", clustered)
    order = agreed.order if together else np.arange(len(names))
    names, values = [names[i] for i in order], agreed.values[np.ix_(order, order)]
    apart = values[~np.eye(len(names), dtype=bool)]
    low, high = (float(np.nanmin(apart)), float(np.nanmax(apart))) if np.isfinite(apart).any() else (0.0, 1.0)
    said = percent if agreed.measure == SHARE else (lambda value: fixed(value, 2))
    shown = values.copy()
    np.fill_diagonal(shown, np.nan)
    ends = f"from {said(low)} to {said(high)}" if high > low else f"{said(low)} everywhere"
    return _matrix(
        names,
        shown,
        scale=(low, high),
        written=lambda value: fixed(100 * value, 0) if agreed.measure == SHARE else minus(fixed(value, 2)),
        hover=lambda i, j, value: f"{names[i]} and {names[j]}: {said(value)}",
        note=f"{'% of cases with the same outcome' if agreed.measure == SHARE else agreed.measure}, {ends}; darker: more",
        title="Agreement",
        description=f"{capital(agreed.measure)} of {len(names)} algorithms, {ends}.",
        stretch=stretch,
    )


def _matrix(
    names: list[str],
    values: Floats,
    *,
    scale: tuple[float, float],
    written: Callable[[float], str],
    hover: Callable[[int, int, float], str],
    note: str,
    title: str,
    description: str,
    stretch: float,
) -> Scene:
    """Cells of a square matrix, with numbers where they are few; of many, neighbours of one shade are one shape."""
    k = len(names)
    few = k <= MOST_WITH_NUMBERS
    texts = [written(value) for value in values[np.isfinite(values)].tolist()]
    room = max(widest(texts, SMALL) + 8, 1.6 * SIZE) if few else SMALL_CELL  # the names above stand upright
    cell = (stretched(room, stretch, least=room, share=1 / k), ROW + 3 if few else SMALL_CELL)
    size = SIZE if few else SMALL_CELL - 1
    left = top = PAD + widest(map(label_of, names), size) + 6
    shapes = row_names(names, left - 6, top, cell[1], size=size)
    shapes += column_names(names, left, top - 5, cell[0], size=size)

    def tile(i: int, j: int, value: float) -> Tile:
        if value != value:
            return Tile(fill="wash")
        text, title = written(value) if few else "", hover(i, j, value) if k <= MOST_SINGLE else ""
        return Tile(fill=_ramp((value - scale[0]) / (scale[1] - scale[0] or 1.0), few), text=text, title=title)

    tiles = ([tile(i, j, value) for j, value in enumerate(row)] for i, row in enumerate(values.tolist()))
    shapes += tile_shapes(tiles, (left, top), cell, size=SMALL, lined=few)
    edge = left if stretch >= 0 else PAD
    room = max(max(left + k * cell[0], MIDDLING) - edge, text_width(max(note.split(), key=len), SMALL))
    for line, words in enumerate(lines_of(note, SMALL, room)):
        shapes.append(Text(edge, top + k * cell[1] + 11 + 11 * line, words, size=SMALL, colour="muted"))
    return sheet_around(shapes, title=title, description=description)


def _ramp(place: float, few: bool) -> str:
    """A colour from light (0) to dark (1); of many cells one of ten, so that neighbours are often alike."""
    return f"ramp:{fixed(0.05 + 0.8 * (place if few else round(10 * place) / 10), 2)}"


# --- Curves ----------------------------------------------------------------------------------------------------------


@figure
def roc_curves(result: Comparison, *, highlight: int = 5, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """The ROC curves of the best algorithms: the share of positives found against the share of false positives.

    The dashed diagonal is guessing.

    Parameters
    ----------
    result : Comparison
        A comparison of predictions by a metric of their ranking, such as "auc".
    highlight : int, default 5
        How many of the best are drawn in colours.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> frame = pd.DataFrame({"y": [1, 0, 1, 0, 1, 0, 1, 0], "one": [8, 2, 7, 3, 6, 4, 3, 1], "two": [8, 7, 6, 5, 4, 3, 2, 1]})
    >>> roc_curves(podium.compare(frame, truth="y", metric="auc")).svg()[:4]
    '<svg'
    """
    return _curves(result, highlight, "auc", ("false positive rate", "true positive rate"), "ROC curves", stretch)


@figure
def pr_curves(result: Comparison, *, highlight: int = 5, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """The precision-recall curves of the best algorithms; the dashed line is guessing: the share of positives.

    Parameters
    ----------
    result : Comparison
        A comparison of predictions by a metric of their ranking, such as "auc".
    highlight : int, default 5
        How many of the best are drawn in colours.

    Examples
    --------
    >>> import pandas as pd
    >>> import podium
    >>> frame = pd.DataFrame({"y": [1, 0, 1, 0, 1, 0, 1, 0], "one": [8, 2, 7, 3, 6, 4, 3, 1], "two": [8, 7, 6, 5, 4, 3, 2, 1]})
    >>> pr_curves(podium.compare(frame, truth="y", metric="auc")).svg()[:4]
    '<svg'
    """
    return _curves(result, highlight, "average_precision", ("recall", "precision"), "Precision-recall curves", stretch)


def scored_predictions(result: Comparison) -> Predictions | None:
    """The predictions of a comparison, where they are scores of two classes."""
    predictions: Predictions | None = result.part("Predictions")
    scored = predictions and predictions.metric.needs in ("scores", "probabilities") and predictions.absent is None
    return predictions if scored else None


def _curves(result: Comparison, highlight: int, area: str, axes: tuple[str, str], title: str, stretch: float) -> Scene:
    """The curves whose `area` is that metric, which the legend has for each."""
    points = roc_points if area == "auc" else pr_points
    predictions = scored_predictions(result) if isinstance(result, Comparison) else None
    if predictions is None:
        raise ArgumentError("Curves need scores of two classes: compare predictions by auc, log_loss or the like.")
    names = [row.algorithm for row in result.ranking][: check.count("highlight", highlight)]
    truth = np.asarray(predictions.truth, dtype=bool)
    predicted = np.asarray(predictions.select(names).predicted, dtype=np.float64)
    areas = METRICS[area].function()(truth, predicted).score.tolist()
    labels = [f"{label_of(name)} {fixed(value, 3)}" for name, value in zip(names, areas, strict=True)]
    left, top = PAD + 44.0, PAD + 4
    below, side = legend_below(labels, SIDE, stretch, LEAST_BESIDE)  # then the plot stays square
    x, y = Axis(0.0, 1.0, left, left + side), Axis(0.0, 1.0, top + (side if below else SIDE), top)
    shapes = plane(x, y, *axes)
    share = float(truth.mean())
    guess = (x(0), y(0), x(1), y(1)) if points is roc_points else (x(0), y(share), x(1), y(share))
    shapes.append(Line(*guess, stroke="muted", stroke_width=0.8, dash="dashed"))
    for place, name in reversed(list(enumerate(names))):
        places = _thinned(points(truth, np.asarray(predictions.select([name]).predicted, dtype=np.float64)[:, 0]))
        if points is pr_points:
            places = np.repeat(places, 2, axis=0)[:-1]
            places[1::2, 1] = places[2::2, 1]  # steps, as average precision adds them up
        shapes.append(curve([(x(float(a)), y(float(b))) for a, b in places], place, name, stroke_width=1.5))
    start, first = (PAD, y.start + 34) if below else (x.end, y.end)
    shapes += legend(labels, start, first)
    area_y = first + 11.0 * len(names) + 10
    shapes.append(Text(start + 12, area_y, METRICS[area].metric.display_name, size=SMALL, colour="muted"))
    described = f"{title} of {len(names)} algorithms on {len(truth)} cases, {int(truth.sum())} of them positive."
    return sheet_around(shapes, title=title, description=described)


def _thinned(points: Floats) -> Floats:
    """At most so many points, the first and the last among them."""
    if len(points) <= MOST_POINTS:
        return points
    return points[np.unique(np.linspace(0, len(points) - 1, MOST_POINTS).round().astype(np.intp))]


# --- Benchmarks ------------------------------------------------------------------------------------------------------


@figure
def benchmark_forest(
    result: Comparison | BenchmarkDifferences, *, algorithms: tuple[str, str] | None = None, **sheet: Unpack[Sheet]
) -> Rows:
    """The difference of two algorithms on each benchmark with its interval, the largest on top.

    The intervals are of each benchmark alone.

    Parameters
    ----------
    result : Comparison or BenchmarkDifferences
        A comparison of test cases from several benchmarks, or a result of `podium.cases.by_benchmark`.
    algorithms : (str, str), optional
        The two algorithms; by default the first and the second of the ranking.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> outcomes = np.array([[1, 0], [1, 0], [1, 1], [0, 1], [1, 0], [0, 0]])
    >>> cases = podium.Cases(values=outcomes, cases=tuple("123456"), algorithms=("a", "b"), benchmarks=tuple("xxxyyy"),
    ...                      metric=podium.Metric(name="accuracy", direction="higher"))
    >>> benchmark_forest(podium.cases.by_benchmark(cases, "a", "b")).svg()[:4]
    '<svg'
    """
    quantity = quantity_of(result)
    if isinstance(result, BenchmarkDifferences):
        differences = result
    else:
        a, b = algorithms or [row.algorithm for row in result.ranking[:2]]
        confidence = float(result.settings.get("confidence", 0.95))
        differences = by_benchmark(cases_of(result), a, b, confidence=confidence)
    order = np.argsort(-np.nan_to_num(differences.metric.sign * differences.effect, nan=-np.inf), kind="stable")
    lower = "" if differences.metric.higher_is_better else ", lower is better"
    written = quantity.written([differences.effect, differences.low, differences.high]).T[order].tolist()
    return interval_rows(
        [f"{differences.benchmarks[i]} ({number(int(differences.n[i]))})" for i in order],
        [(each[0], each[1], each[2]) for each in written],
        scale=f"{quantity.scale if quantity.label else differences.metric.name}{lower}: {label_of(differences.a)} \u2212 {label_of(differences.b)}",
        head=f"{percent(differences.confidence)} interval",
        title="Differences by benchmark",
    )
