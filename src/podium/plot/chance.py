"""Figures of the chance room, after Forman and Cohen (2005): null laws, surfaces and contours of critical values."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

import numpy as np

from podium.chance.registry import label_of, usual
from podium.core import check
from podium.core.arrays import Floats
from podium.core.errors import ArgumentError
from podium.core.numbers import format_pvalue, number, percent, significant
from podium.plot.axes import (
    LABEL_SIZE,
    PAD,
    Axis,
    legend,
    legend_below,
    line_style,
    plane,
    span_of,
    stairs,
    stretched,
    tick_texts,
    with_room,
)
from podium.plot.figure import Figure, Sheet, figure
from podium.plot.scene import Circle, Line, Point, Polygon, Polyline, Rect, Scene, Shape, Text, is_free, sheet_around
from podium.plot.style import label_of as plain_label
from podium.plot.style import text_width, widest

if TYPE_CHECKING:
    from podium.chance.distributions import NullCurve
    from podium.chance.predictions import ChanceTestResult
    from podium.chance.tables import CriticalTableResult
    from podium.planning.positives import CompetitorsPlanResult


SIZE = 9.0
LEFT, TOP = 52.0, 30.0
WIDTH, HEIGHT = 320.0, 220.0
LEAST_BESIDE = 150.0
SMALL_VIEW = 170.0


@figure
def chance_cdfs(
    curves: NullCurve | Sequence[NullCurve], *, level: float | None = None, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """Cumulative distributions of random rankings' scores (the paper's figure 1).

    Parameters
    ----------
    curves : NullCurve or sequence of NullCurve
        Results of `podium.chance.null_curve`.
    level : float, optional
        A line is drawn at this probability.

    Examples
    --------
    >>> import podium
    >>> chance_cdfs(podium.chance.null_curve("auc", positives=9, negatives=9)).svg()[:4]
    '<svg'
    """
    curves = list(curves) if isinstance(curves, Sequence) else [curves]
    scores = np.concatenate([curve.scores for curve in curves])
    mixes = [f"{curve.positives} positives, {curve.negatives} negatives" for curve in curves]
    alike = len(set(mixes)) == 1
    names = [label_of(curve.metric) + ("" if alike else f", {mix}") for curve, mix in zip(curves, mixes, strict=True)]
    below, wide = legend_below(names, WIDTH, stretch, LEAST_BESIDE)
    x = Axis(*span_of(scores), LEFT, LEFT + wide)
    y = Axis(0.0, 1.02, TOP + HEIGHT, TOP)
    shapes = plane(x, y, "score of a random ranking", "cumulative probability")
    for i, (curve, name) in enumerate(zip(curves, names, strict=True)):
        colour, dash = line_style(i)
        places = [(x(float(score)), y(float(share))) for score, share in zip(curve.scores, curve.cdf, strict=True)]
        steps = stairs((places[0][0], y(0.0)), places, x.end)  # from 0, so that the first step shows
        shapes.append(Polyline(steps, stroke=colour, dash=dash, stroke_width=1.4, title=name))
    if level is not None:
        shapes.append(Line(x.start, y(level), x.end, y(level), stroke="muted", stroke_width=0.8))
        shapes.append(Text(x.start + 4, y(level) + 7, percent(level), size=LABEL_SIZE, colour="muted"))
    shapes += _headings(mixes[:1] if alike else [], x.start, y.end - 4)
    shapes += legend(names, PAD, y.start + 34) if below else legend(names, x.end, y.end)
    described = f"The share of random rankings that reach at most each score, by {', '.join(names)}."
    return sheet_around(shapes, title="Scores of random rankings", description=described)


@figure
def chance_winner(result: ChanceTestResult, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """What the best of as many random rankings scores, as a cumulative distribution, with the winner and the critical value marked.

    Parameters
    ----------
    result : ChanceTestResult
        A result of `podium.chance.chance_test`.

    Examples
    --------
    >>> import podium
    >>> truth = [1, 0, 1, 1, 0, 0, 1, 0]
    >>> test = podium.chance.chance_test(truth, {"a": [8, 1, 7, 6, 2, 3, 5, 4], "b": [1, 2, 3, 4, 5, 6, 7, 8]})
    >>> chance_winner(test).svg()[:4]
    '<svg'
    """
    law, label = result.law, label_of(result.metric)
    marks = [result.statistic, *([result.critical_value] if math.isfinite(result.critical_value) else [])]
    x = Axis(*span_of(np.append(law.scores, marks)), LEFT, LEFT + stretched(WIDTH, stretch))
    y = Axis(0.0, 1.02, TOP + HEIGHT, TOP)
    shapes = plane(x, y, f"{label} of the best of {result.competitors:,} random rankings", "cumulative probability")
    places = [(x(float(score)), y(float(share))) for score, share in zip(law.scores, law.cdf, strict=True)]
    shapes.append(Polyline(stairs((places[0][0], y(0.0)), places, x.end), stroke="muted", stroke_width=1.4))
    digits = significant("critical_value")
    won = f"{plain_label(result.winner)} {number(result.statistic, digits)}, {format_pvalue(result.pvalue)}"
    critical = [f"critical value {number(value, digits)} at α = {percent(result.alpha)}" for value in marks[1:]]
    for row, (mark, text) in enumerate(zip(marks, [won, *critical], strict=True)):
        line = Line(
            x(mark), y.start, x(mark), y.end, stroke="ink" if row else "blue", dash="dashed" if row else "solid"
        )
        below = y.start + 42 + 12 * row
        shapes += [line, replace(line, x1=PAD, x2=PAD + 16, y1=below, y2=below)]
        shapes.append(Text(PAD + 22, below, text, size=SIZE, bold=not row))
    shapes += _headings([result.sizes], x.start, y.end - 4)
    return sheet_around(shapes, title=f"{label}: the winner and chance", description=result.summary())


@figure
def chance_competitors(result: CompetitorsPlanResult, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """The critical value over the number of competitors, with the score of interest.

    Parameters
    ----------
    result : CompetitorsPlanResult
        A result of `podium.planning.plan_competitors`.

    Examples
    --------
    >>> import podium
    >>> plan = podium.planning.plan_competitors("auc", positives=20, negatives=30, competitors=[1, 10, 100], score=0.8)
    >>> chance_competitors(plan).svg()[:4]
    '<svg'
    """
    counts, values = np.array(result.competitors, dtype=float), result.critical_values
    reach = [*values.tolist(), *([] if math.isnan(result.score) else [result.score])]
    x = Axis(*span_of(counts), LEFT, LEFT + stretched(WIDTH, stretch), log=True)
    y = Axis(*with_room(reach, 0.05, 0.05), TOP + HEIGHT, TOP)
    shapes = plane(x, y, "competitors counted", f"critical value of {label_of(result.metric)}")
    points = [(x(float(count)), y(float(value))) for count, value in zip(counts, values, strict=True)]
    shapes.append(Polyline(tuple(points), stroke="blue", stroke_width=1.4))
    for point, count, value in zip(points, result.competitors, values.tolist(), strict=True):
        hover = f"{count:,} competitors\ncritical value {number(value, 5)}"
        shapes.append(Circle(*point, 1.8, fill="blue", stroke=None, title=hover))
    if not math.isnan(result.score):
        said = f"score {number(result.score, 6)}: at most {result.most_competitors:,} competitors"
        shapes.append(Line(x.start, y(result.score), x.end, y(result.score), stroke="vermilion", dash="dashed"))
        shapes.append(Text(x.start + 6, y(result.score) - 7, said, size=LABEL_SIZE))
    sizes = f"{result.positives} positives, {result.negatives} negatives, α = {percent(result.alpha)}"
    shapes += _headings([sizes], x.start, y.end - 4)
    return sheet_around(shapes, title="Critical value by competitors", description=result.summary())


@figure
def chance_contours(
    table: CriticalTableResult,
    *,
    competitors: int | None = None,
    alpha: float | None = None,
    stretch: float = 0.0,
    **sheet: Unpack[Sheet],
) -> Scene:
    """Labelled isolines of critical values over positives and negatives, both by their logarithms (the paper's figures 6 and 7).

    Parameters
    ----------
    table : CriticalTableResult
        A result of `podium.chance.critical_table`.
    competitors : int, optional
        Of a table for several: which number of competitors; by default the most.
    alpha : float, optional
        Of a table for several: which level; by default the first.

    Examples
    --------
    >>> import podium
    >>> table = podium.chance.critical_table("auc", positives=[10, 20, 30], negatives=[10, 20, 30], competitors=[9])
    >>> chance_contours(table).svg()[:4]
    '<svg'
    """
    surface = surface_of(table, competitors=competitors, alpha=alpha)
    (left, right), (low, high) = span_of(surface.negatives), span_of(surface.positives)
    wide, top = stretched(300.0, stretch), TOP + 10
    x = Axis(left, right, LEFT, LEFT + wide, log=True)
    y = Axis(low, high, top + min(math.log(high / low) * wide / math.log(right / left), 500.0), top, log=True)
    shapes = plane(x, y, "negatives", "positives")
    labels: list[Shape] = []
    for level, label, lines in surface.isolines():
        placed = [[(x(float(a)), y(float(b))) for a, b in line] for line in lines]
        colour = surface.shade(level)
        shapes += [Polyline(tuple(line), stroke=colour, stroke_width=1.1, title=label) for line in placed]
        labels += _label(label, max(placed, key=len, default=[]), labels, x, y)
    shapes += labels + _headings(surface.titles, x.start, y.end - 4)
    described = f"{surface.titles[0]}, {surface.titles[1]}: isolines over negatives and positives."
    return sheet_around(shapes, title=surface.titles[0], description=described)


@figure
def chance_surface(
    table: CriticalTableResult,
    *,
    competitors: int | None = None,
    alpha: float | None = None,
    elevation: float = 28.0,
    azimuth: float = -125.0,
    stretch: float = 0.0,
    **sheet: Unpack[Sheet],
) -> Scene:
    """The surface of critical values with its isolines, also drawn on the floor (the paper's figures 2 to 5).

    Parameters
    ----------
    table : CriticalTableResult
        A result of `podium.chance.critical_table`.
    competitors : int, optional
        Of a table for several: which number of competitors; by default the most.
    alpha : float, optional
        Of a table for several: which level; by default the first.
    elevation : float, default 28.0
        From where one looks, in degrees.
    azimuth : float, default -125.0
        From where one looks, in degrees.

    Examples
    --------
    >>> import podium
    >>> table = podium.chance.critical_table("auc", positives=[10, 20, 30], negatives=[10, 20, 30], competitors=[9])
    >>> chance_surface(table).svg()[:4]
    '<svg'
    """
    surface = surface_of(table, competitors=competitors, alpha=alpha)
    size = stretched(240.0, stretch, least=110.0, share=0.7)
    view = _View(elevation=math.radians(elevation), azimuth=math.radians(azimuth), size=size)
    low, high = float(np.nanmin(surface.values)), float(np.nanmax(surface.values))
    reach = max(high - low, 1e-9)
    floor = low - 0.45 * reach
    x = Axis(*span_of(surface.negatives), 0.0, 1.0)
    y = Axis(*span_of(surface.positives), 0.0, 1.0)
    z = Axis(floor, low + reach, 0.0, 1.0)
    corners = ((0, 0), (1, 0), (1, 1), (0, 1))
    shapes: list[Shape] = [
        Polygon(tuple(view.place(a, b, 0.0) for a, b in corners), fill="wash", stroke="faint", stroke_width=0.6)
    ]
    above: list[Shape] = []
    for level, label, lines in surface.isolines():
        for line in lines:
            places = [(x(float(a)), y(float(b))) for a, b in line]
            on_floor, on_surface = ([view.place(a, b, height) for a, b in places] for height in (0.0, z(level)))
            shapes.append(Polyline(tuple(on_floor), stroke=surface.shade(level), title=label))
            above.append(Polyline(tuple(on_surface), stroke="ink", stroke_width=0.6, title=label))
    shapes += _walls(view, x, y, z, low)
    shapes += _patches(surface, view, x, y, z) + above
    left, top = (min(point[axis] for shape in shapes for point in shape.points) for axis in (0, 1))
    shapes += _headings(surface.titles, left, top - 6)
    shapes = [shape.moved(PAD - left, PAD + 36 - top) for shape in shapes]
    described = f"{surface.titles[0]}, {surface.titles[1]}: a surface over negatives and positives, with isolines."
    return sheet_around(shapes, title=surface.titles[0], description=described)


def chart(
    kind: str,
    metrics: list[str] | None,
    positives: int,
    negatives: int,
    competitors: int,
    alpha: float,
    score: float | None,
    progress: Callable[[int, int], None] | None = None,
) -> Figure:
    """The figure of `podium chance chart` and of the page, of one of the four kinds."""
    check.choice("kind", kind, ("surface", "contours", "cdf", "competitors"))
    metrics = metrics or []
    metric = metrics[0] if metrics else "auc"
    if kind == "cdf":
        from podium.chance.distributions import null_curve

        names = metrics or usual("curves")
        curves = [null_curve(name, positives=positives, negatives=negatives) for name in names]
        return chance_cdfs(curves, level=1 - check.fraction("alpha", alpha))
    if len(metrics) > 1:
        raise ArgumentError(f"A chart of kind {kind!r} shows one metric; got {len(metrics)}.")
    if kind == "competitors":
        from podium.planning.positives import plan_competitors

        curve = plan_competitors(metric, positives=positives, negatives=negatives, alpha=alpha, score=score)
        return chance_competitors(curve)
    from podium.chance.tables import critical_table

    table = critical_table(
        metric,
        positives=_sizes("positives", positives),
        negatives=_sizes("negatives", negatives),
        competitors=[competitors],
        alphas=[alpha],
        progress=progress,
    )
    return chance_surface(table) if kind == "surface" else chance_contours(table)


def _sizes(name: str, most: int) -> list[int]:
    """About forty sizes up to the most, closer together where they are few and the surface is steep."""
    most = check.count(name, most, at_least=10, at_most=10_000)
    first = max(2, most // 100)
    return sorted({first + round((most - first) * (i / 39) ** 1.5) for i in range(40)})


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Surface:
    """What a surface or its contours show: values[i, j] at positives[i], negatives[j], and the isolines.

    Where values are whole numbers, the isoline of k runs half a unit below k: from there on the value is k.
    """

    titles: tuple[str, str]
    positives: Floats
    negatives: Floats
    values: Floats
    levels: Floats
    labels: tuple[str, ...]

    def shade(self, value: float) -> str:
        """Darker for larger values, and never too light for a line."""
        low, high = float(np.nanmin(self.values)), float(np.nanmax(self.values))
        return f"ramp:{0.3 + 0.7 * (value - low) / (high - low or 1.0):.2f}"

    def isolines(self) -> list[tuple[float, str, list[Floats]]]:
        """Level, label and lines (negatives, positives) of each isoline."""
        from contourpy import contour_generator

        lines = contour_generator(self.negatives, self.positives, np.ma.masked_invalid(self.values))
        isolines = zip(self.levels.tolist(), self.labels, strict=True)
        return [(level, label, [np.asarray(line) for line in lines.lines(level)]) for level, label in isolines]


def surface_of(table: CriticalTableResult, *, competitors: int | None = None, alpha: float | None = None) -> Surface:
    """One table of critical values as a surface, with isolines at round values."""
    count = table.competitors[-1] if competitors is None else competitors
    level = table.alphas[0] if alpha is None else alpha
    if count not in table.competitors or level not in table.alphas:
        raise ArgumentError(f"The table holds {table.competitors} competitors at alpha {table.alphas}.")
    values = table.values[table.alphas.index(level), table.competitors.index(count)]
    if min(values.shape) < 2:
        raise ArgumentError("Isolines need a table of at least two numbers of positives and two of negatives.")
    levels, labels = _levels(values)
    return Surface(
        titles=(f"Critical values of {label_of(table.metric)}", f"α = {percent(level)}, {count:,} competitors"),
        positives=np.array(table.positives, float),
        negatives=np.array(table.negatives, float),
        values=values,
        levels=levels,
        labels=labels,
    )


def _levels(values: Floats) -> tuple[Floats, tuple[str, ...]]:
    """Where isolines run, and their labels."""
    finite = values[~np.isnan(values)]
    if (finite == np.round(finite)).all() and finite.max() > 1:
        steps = np.arange(finite.min() + 1, finite.max() + 1)
        return steps - 0.5, tuple(number(step, 6) for step in steps)
    levels = _round_levels(values)
    return levels, tuple(number(level, 4).removeprefix("0") for level in levels)


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
    return np.asarray(np.arange(np.floor(low / step) + 1, np.ceil(high / step)) * step)


def _headings(lines: Sequence[str], x: float, y: float) -> list[Shape]:
    """The title above a plot whose top is at y, its first line bold."""
    rows = len(lines)
    return [Text(x, y - 12.0 * (rows - i) + 2, line, size=SIZE, bold=i == 0) for i, line in enumerate(lines)]


def _label(text: str, line: list[Point], others: list[Shape], across: Axis, up: Axis) -> list[Shape]:
    """The label on a free place of its line, with ground behind it; nothing where there is none."""
    half = text_width(text, 7.0) / 2 + 1.5
    inside = (across.start, up.end, across.end, up.start)
    taken = [(*shape.points[0], *shape.points[2]) for shape in others if isinstance(shape, Rect)]
    for share in (0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9):
        if len(line) < 2:
            break
        x, y = line[int(share * (len(line) - 1))]
        box = (x - half, y - 4.5, x + half, y + 4.5)
        if is_free(box, inside, taken):
            return [
                Rect(box[0], box[1], 2 * half, 9.0, fill="paper", stroke=None),
                Text(x, y, text, size=7.0, anchor="middle"),
            ]
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """Where a point of the unit cube lies on paper, seen from `elevation` and `azimuth` (in radians)."""

    elevation: float
    azimuth: float
    size: float

    def place(self, x: float, y: float, z: float) -> Point:
        """The place of a point; z is drawn at three quarters of its height."""
        across = -math.sin(self.azimuth) * (x - 0.5) + math.cos(self.azimuth) * (y - 0.5)
        back = math.cos(self.azimuth) * (x - 0.5) + math.sin(self.azimuth) * (y - 0.5)
        up = 0.75 * z * math.cos(self.elevation) - math.sin(self.elevation) * back
        return self.size * across, -self.size * up

    def nearness(self, x: Floats, y: Floats) -> Floats:
        """How near to the eye columns above the floor stand."""
        return np.asarray(math.cos(self.azimuth) * x + math.sin(self.azimuth) * y)

    @property
    def near(self) -> Point:
        """The corner of the floor that is next to the eye."""
        return float(math.cos(self.azimuth) > 0), float(math.sin(self.azimuth) > 0)

    def beyond(self, edge: str, share: float, distance: float) -> Point:
        """A place beside the near edge of the floor along x or y, so far outside; letters do not shrink with the view."""
        distance *= max(1.0, 200.0 / self.size)
        x, y = (corner + (2 * corner - 1) * distance for corner in self.near)
        return self.place(share, y, 0.0) if edge == "x" else self.place(x, share, 0.0)


def _patches(surface: Surface, view: _View, x: Axis, y: Axis, z: Axis) -> list[Shape]:
    """The cells of the grid, the farthest first."""
    across, along = (
        np.array([axis(float(v)) for v in sizes]) for axis, sizes in ((x, surface.negatives), (y, surface.positives))
    )
    nearness = view.nearness(across[None, :-1] + across[None, 1:], along[:-1, None] + along[1:, None])
    shapes: list[Shape] = []
    for index in np.argsort(nearness, axis=None, kind="stable").tolist():
        i, j = divmod(index, len(across) - 1)
        ring = ((i, j), (i, j + 1), (i + 1, j + 1), (i + 1, j))
        values = [float(surface.values[a, b]) for a, b in ring]
        if any(value != value for value in values):
            continue
        points = tuple(view.place(across[b], along[a], z(value)) for (a, b), value in zip(ring, values, strict=True))
        shapes.append(Polygon(points, fill=surface.shade(sum(values) / 4), stroke=None, opacity=0.8))
    return shapes


def _walls(view: _View, x: Axis, y: Axis, z: Axis, low: float) -> list[Shape]:
    """Axes along the edges of the floor that are near the eye, and one upright at the left."""
    near_x, near_y = view.near
    shapes: list[Shape] = []
    for axis, name, edge in ((x, "negatives", "x"), (y, "positives", "y")):
        ticks = axis.ticks(5 if view.size > SMALL_VIEW else 2)
        for tick, text in zip(ticks, tick_texts(ticks, axis), strict=True):
            start, end, label = (view.beyond(edge, axis(tick), distance) for distance in (0.0, 0.02, 0.07))
            shapes.append(Line(*start, *end, stroke_width=0.8))
            shapes.append(Text(*label, text, size=LABEL_SIZE, anchor="middle", colour="muted"))
        away = 0.22 if view.size > SMALL_VIEW else 0.28
        shapes.append(Text(*view.beyond(edge, 0.5, away), name, size=LABEL_SIZE + 1, anchor="middle"))
    left = min(
        ((1 - near_x, near_y), (near_x, 1 - near_y)), key=lambda corner: view.place(corner[0], corner[1], 0.0)[0]
    )
    bottom, top = view.place(*left, 0.0), view.place(*left, 1.0)
    shapes.append(Line(*bottom, *top, stroke_width=0.8))
    ticks = [tick for tick in z.ticks() if tick >= low - 1e-12]
    texts = tick_texts(ticks, z)
    for tick, text in zip(ticks, texts, strict=True):
        a, b = view.place(*left, z(tick))
        shapes.append(Line(a - 4, b, a, b, stroke_width=0.8))
        shapes.append(Text(a - 6, b, text, size=LABEL_SIZE, anchor="end", colour="muted"))
    middle = (top[0] - 6 - widest(texts, LABEL_SIZE) - 10, (top[1] + bottom[1]) / 2)
    shapes.append(Text(*middle, "critical value", size=LABEL_SIZE + 1, anchor="middle", rotation=90))
    return shapes
