"""Figures of Bayesian results: simplex, density and shrinkage of a pair; rope matrix and differences of all pairs."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING, Unpack

import numpy as np

from podium.core.arrays import Floats, Indices
from podium.core.errors import ArgumentError
from podium.core.numbers import fixed, interval, number, percent
from podium.plot.axes import Axis, axis_below, minus, stretched, with_room
from podium.plot.cells import column_names, row_names
from podium.plot.figure import Sheet, figure
from podium.plot.pairs import interval_rows, rope_band
from podium.plot.rows import Row, Rows, rows_of
from podium.plot.scene import Anchor, Circle, Line, Point, Polygon, Polyline, Rect, Scene, Shape, Text, sheet_around
from podium.plot.sources import difference_of
from podium.plot.style import label_of, text_width, widest

if TYPE_CHECKING:
    from podium.bayes.posterior import PairPosterior, PairsPosterior

Corners = tuple[Point, ...]
SIZE = 9.0
PAD = 10.0
SIDE = 260.0
BINS = 34
MARGIN = 8.0
CELL = 46.0
BAR = 8.0
LEAST_CELL = 40.0  # for a word and a number
MOST_WITH_TEXT = 16
SMALL_CELL = 14.0


@figure
def simplex(posterior: PairPosterior, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """The draws of (left, rope, right) in a triangle: a point near a corner is near certainty of that outcome.

    Lower left: b better; top: practically equivalent; lower right: a better. Lines part the triangle into the
    three regions where one outcome is the most frequent; the probability of each stands at its corner. Darker
    hexagons hold more draws.

    Parameters
    ----------
    posterior : PairPosterior
        A result of `podium.bayes` on two algorithms.

    Examples
    --------
    >>> import podium
    >>> found = podium.bayes.sign([3.0, 2.0, 4.0, 3.0], [1.0, 1.0, 2.0, 3.1], rope=0.5, draws=500, rng=0)
    >>> simplex(found).svg()[:4]
    '<svg'
    """
    rope = difference_of(posterior).written
    if not {"left", "rope", "right"} <= set(posterior.draws):
        raise ArgumentError(
            "The simplex needs draws of left, rope and right: take a sign, signed-rank or hierarchical result of a pair."
        )
    shares = np.column_stack([posterior.draws[name] for name in ("left", "rope", "right")])
    a, b = (f"{label_of(name)} better" for name in (posterior.a, posterior.b))
    words = (b, f"equivalent (±{number(float(rope(posterior.rope)), 6)})", a)
    side = stretched(SIDE, stretch)
    left, top, height = PAD + max(34.0, widest(words[:1], SIZE) / 2), PAD + 30, side * math.sqrt(3) / 2
    corners = ((left, top + height), (left + side / 2, top), (left + side, top + height))
    shapes: list[Shape] = _hexagons(shares @ np.array(corners), side / BINS, corners)
    shapes.append(Polygon(corners, stroke_width=1.2))
    centre = (left + side / 2, top + height * 2 / 3)
    for one, two in ((0, 1), (1, 2), (0, 2)):
        middle = ((corners[one][0] + corners[two][0]) / 2, (corners[one][1] + corners[two][1]) / 2)
        shapes.append(Line(*centre, *middle, stroke="muted", dash="dashed", stroke_width=0.8))
    chances = [fixed(chance, 3) for chance in (posterior.p_left, posterior.p_rope, posterior.p_right)]
    for (x, y), down, word, chance in zip(corners, (14.0, -22.0, 14.0), words, chances, strict=True):
        shapes += _chance(x, y + down, word, chance, "middle")
    outcomes = ", ".join(f"{word} {chance}" for word, chance in zip(words, chances, strict=True))
    title = f"{posterior.a} and {posterior.b}: {posterior.title}"
    return sheet_around(shapes, title=title, description=f"Probability that the most frequent outcome is: {outcomes}.")


@figure
def density(posterior: PairPosterior, *, xlabel: str = "", stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """The posterior density of the gain of a over b, the rope shaded, the three probabilities above.

    Exact for the correlated t test; a smooth histogram of the draws of the population's mean gain for the
    hierarchical model. The probabilities are those of the density drawn: for the hierarchical model they speak of
    the mean gain, while its p_left, p_rope and p_right speak of the most frequent outcome (see `simplex`).

    Parameters
    ----------
    posterior : PairPosterior
        A result of `podium.bayes.correlated_t` or `podium.bayes.hierarchical`.
    xlabel : str, default ""
        What stands below the axis.

    Examples
    --------
    >>> import podium
    >>> found = podium.bayes.correlated_t([0.86, 0.81, 0.88, 0.84], [0.82, 0.80, 0.83, 0.83], rope=0.01, rng=0)
    >>> density(found).svg()[:4]
    '<svg'
    """
    x, y = _density(posterior)
    left, top, width, height = PAD + 6, PAD + 34, stretched(320.0, stretch), 130.0
    reach = [*x, -posterior.rope, posterior.rope, 0.0]
    across = Axis(*with_room(reach, 0.03), left, left + width)
    up = Axis(0.0, 1.05, top + height, top)
    shapes: list[Shape] = []
    if posterior.rope > 0:
        shapes.append(rope_band(across, posterior.rope, top, top + height))
        edges = (across(-posterior.rope), across(posterior.rope))
        shapes += [Line(edge, top, edge, top + height, stroke="muted", dash="dashed") for edge in edges]
    curve = tuple((across(u), up(v)) for u, v in zip(x, y, strict=True))
    base = ((across(x[-1]), up(0.0)), (across(x[0]), up(0.0)))
    shapes.append(Polygon((*curve, *base), fill="sky", stroke=None, opacity=0.55))
    shapes.append(Polyline(curve, stroke="blue", stroke_width=1.4))
    shapes.append(Line(across(0.0), top, across(0.0), top + height, stroke_width=0.8, dash="dotted"))
    said = f"{percent(posterior.credibility)} interval {minus(interval(posterior.low, posterior.high, 4))}"
    shapes += _interval(posterior, said, across, top + height - 6)
    what = "gain" if posterior.model == "correlated_t" else "mean gain over datasets"
    label = xlabel or f"{what} of {label_of(posterior.a)} over {label_of(posterior.b)}"
    shapes += axis_below(across, top + height, label=label)
    shapes += _heading(posterior, left, left + width, top - 24)
    return sheet_around(
        shapes,
        title=f"{posterior.a} and {posterior.b}: {posterior.title}",
        description=f"Posterior of the gain of {posterior.a} over {posterior.b}: "
        f"expected {minus(number(posterior.difference, 4))}, {said}.",
    )


@figure
def shrinkage(posterior: PairPosterior, **sheet: Unpack[Sheet]) -> Rows:
    """Each dataset's mean gain (ring) and where the hierarchy draws it (dot), with intervals; sorted by the dot.

    Noisy datasets move far towards the centre of the population (dashed line), sure ones stay.

    Parameters
    ----------
    posterior : PairPosterior
        A result of `podium.bayes.hierarchical`.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> source = np.random.default_rng(5)
    >>> gains = source.normal(0.03, 0.01, (5, 1)) + source.normal(0, 0.02, (5, 10))
    >>> found = podium.bayes.hierarchical(0.8 + gains, np.full((5, 10), 0.8), rope=0.01, draws=400, rng=0)
    >>> shrinkage(found).svg()[:4]
    '<svg'
    """
    frame = posterior.datasets_frame().sort_values("shrunk", ascending=False, kind="stable")
    rows = []
    for name, observed, shrunk, low, high in frame[["dataset", "observed", "shrunk", "low", "high"]].itertuples(
        index=False
    ):
        texts = tuple(minus(number(value, 4)) for value in (observed, shrunk))
        rows.append(
            Row(names=(name,), value=shrunk, low=low, high=high, tone="ahead", dots=((observed, 0),), texts=texts)
        )
    middle = minus(number(posterior.difference, 4))
    return rows_of(
        f"{posterior.a} and {posterior.b}: shrinkage",
        f"gain of {label_of(posterior.a)} over {label_of(posterior.b)}",
        rows,
        reference=posterior.difference,
        band=(-posterior.rope, posterior.rope) if posterior.rope > 0 else None,
        heads=("Observed", "Shrunk"),
        legend=(("dot", "observed"), ("ahead", "shrunk, with interval"), ("line", "the population"), ("band", "rope")),
        words=f"Observed and shrunk gains on {len(rows)} datasets; the population's centre is {middle}.",
    )


def _hexagons(points: Floats, size: float, inside: Corners) -> list[Shape]:
    """Counts of points in a honeycomb, drawn as hexagons within the triangle, darker for more."""
    tall = size * math.sqrt(3) / 2
    row = np.rint(points[:, 1] / tall).astype(int)
    column = np.rint(points[:, 0] / size - 0.5 * (row % 2)).astype(int)
    cells, counts = np.unique(np.column_stack([row, column]), axis=0, return_counts=True)
    radius = size / math.sqrt(3)
    angles = [math.radians(60 * k + 30) for k in range(6)]
    shapes: list[Shape] = []
    for (r, c), count in zip(cells.tolist(), counts.tolist(), strict=True):
        x, y = (c + 0.5 * (r % 2)) * size, r * tall
        corners = tuple((x + radius * math.cos(t), y + radius * math.sin(t)) for t in angles)
        shade = 0.15 + 0.8 * math.sqrt(count / counts.max())
        shapes.append(Polygon(_within(corners, inside), fill=f"ramp:{shade:.2f}", stroke=None, title=f"{count} draws"))
    return shapes


def _within(shape: Corners, triangle: Corners) -> Corners:
    """The part of a shape that lies in a triangle: cut at one side after the other."""
    middle = tuple(sum(axis) / 3 for axis in zip(*triangle, strict=True))
    for one, two in pairwise((*triangle, triangle[0])):

        def side(point: Point, one: Point = one, two: Point = two) -> float:
            return (two[0] - one[0]) * (point[1] - one[1]) - (two[1] - one[1]) * (point[0] - one[0])

        inward = math.copysign(1.0, side((middle[0], middle[1])))
        kept: list[Point] = []
        for a, b in pairwise((*shape, *shape[:1])):
            before, after = inward * side(a), inward * side(b)
            kept += [a] if before >= 0 else []
            if before * after < 0:
                share = before / (before - after)
                kept.append((a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])))
        shape = tuple(kept)
    return shape


def _interval(posterior: PairPosterior, said: str, across: Axis, y: float) -> list[Shape]:
    low, high = (min(max(v, across.low), across.high) for v in (posterior.low, posterior.high))
    expected = f"expected {minus(number(posterior.difference, 4))}"
    return [
        Line(across(low), y, across(high), y, stroke_width=2.4, title=said),
        Circle(across(posterior.difference), y, 3.0, fill="ink", title=expected),
    ]


def _heading(posterior: PairPosterior, left: float, right: float, y: float) -> list[Shape]:
    """The three probabilities in a line above: b better on the left, equivalent in the middle, a better right."""
    places: tuple[tuple[float, Anchor], ...] = ((left, "start"), ((left + right) / 2, "middle"), (right, "end"))
    words = (f"{label_of(posterior.b)} better", "equivalent", f"{label_of(posterior.a)} better")
    shapes: list[Shape] = []
    for (x, anchor), word, chance in zip(places, words, _masses(posterior), strict=True):
        shapes += _chance(x, y, word, fixed(chance, 3), anchor)
    return shapes


def _chance(x: float, y: float, word: str, chance: str, anchor: Anchor) -> list[Shape]:
    """An outcome, and below it its probability."""
    below = Text(x, y + 12, chance, size=SIZE, anchor=anchor, bold=True)
    return [Text(x, y, word, size=SIZE, anchor=anchor), below]


def _masses(posterior: PairPosterior) -> tuple[float, float, float]:
    """The mass of the density on the left of the rope, within it and on its right."""
    draws = posterior.draws.get("delta0")
    if draws is None:
        return posterior.p_left, posterior.p_rope, posterior.p_right
    left, right = float((draws < -posterior.rope).mean()), float((draws > posterior.rope).mean())
    return left, 1 - left - right, right


def _density(posterior: PairPosterior) -> tuple[list[float], list[float]]:
    """Places and heights (largest 1) of the density."""
    if posterior.model == "correlated_t":
        df, scale = posterior.details["df"], posterior.details["scale"]
        if scale == 0:
            raise ArgumentError("All differences are equal: there is no density to draw.")
        t = np.linspace(-5, 5, 161) if df > 4 else np.linspace(-12, 12, 241)
        heights = (1 + t**2 / df) ** (-(df + 1) / 2)
        return (posterior.difference + scale * t).tolist(), heights.tolist()
    draws = posterior.draws.get("delta0", posterior.draws.get("difference"))
    if draws is None:
        raise ArgumentError("This result has no draws of the difference: use a correlated t or a hierarchical one.")
    low, high = np.quantile(draws, [0.001, 0.999])
    counts, edges = np.histogram(draws, bins=120, range=(low, high))
    kernel = np.exp(-0.5 * (np.arange(-9, 10) / 4.0) ** 2)
    smooth = np.convolve(counts, kernel / kernel.sum(), mode="same")
    return ((edges[1:] + edges[:-1]) / 2).tolist(), (smooth / smooth.max()).tolist()


@figure
def rope_matrix(posterior: PairsPosterior, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """A cell for each pair (row a, column b): the row better, equivalent, the column better.

    The bar in each cell is parted by the three probabilities, from the left: row better (blue), equivalent
    (grey), column better (orange); the largest is written above it with its word. Algorithms are sorted by how
    often they are expected to be better. With many algorithms only the bars are drawn.

    Parameters
    ----------
    posterior : PairsPosterior
        A result of `podium.bayes` on all pairs.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01, 0.05]
    >>> rope_matrix(podium.bayes.all_pairs(table, model="sign", rope=0.02, draws=500, rng=0)).svg()[:4]
    '<svg'
    """
    order = _order(posterior)
    names = [posterior.algorithms[i] for i in order]
    wanted = CELL + stretch / len(names)
    roomy = len(names) <= MOST_WITH_TEXT and wanted >= LEAST_CELL
    cell = CELL if roomy else min(max(wanted, SMALL_CELL), CELL / 2)
    reach = widest(map(label_of, names), SIZE)
    turn = 45 if roomy and reach < CELL else 90
    left, top = MARGIN + reach + 8, MARGIN + (0.75 if turn == 45 else 1.0) * reach + 14
    better, same = posterior.matrix("p_right")[np.ix_(order, order)], posterior.matrix("p_rope")[np.ix_(order, order)]
    shapes = row_names(names, left - 8, top, cell, size=SIZE)
    shapes += column_names(names, left, top - 6, cell, size=SIZE, rotation=turn)
    for i, row in enumerate(names):
        for k, column in enumerate(names):
            if i != k:
                chances = (better[i, k], same[i, k], better[k, i])
                shapes += _cell(row, column, chances, (left + k * cell, top + i * cell), cell, roomy=roomy)
    shapes += _rope_legend(left if roomy else MARGIN, top + cell * len(names) + 14)
    return sheet_around(
        shapes,
        title=f"{posterior.title}, rope {number(posterior.rope, 6)}",
        description=f"{posterior.title}: probabilities of better, equivalent and worse for "
        f"{len(posterior.difference)} pairs.",
    )


@figure
def differences(posterior: PairsPosterior, *, xlabel: str = "", **sheet: Unpack[Sheet]) -> Rows:
    """The expected gain of every pair with its interval and the rope, the largest on top.

    Pairs are turned so that gains are positive: the better algorithm is named first.

    Parameters
    ----------
    posterior : PairsPosterior
        A result of `podium.bayes` on all pairs.
    xlabel : str, default ""
        What stands below the axis.

    Examples
    --------
    >>> import numpy as np
    >>> import podium
    >>> table = np.linspace(0.6, 0.9, 12)[:, None] + [0.0, 0.01, 0.05]
    >>> differences(podium.bayes.all_pairs(table, model="sign", rope=0.02, draws=500, rng=0)).svg()[:4]
    '<svg'
    """
    turned = posterior.difference < 0
    low = np.where(turned, -posterior.high, posterior.low)
    high = np.where(turned, -posterior.low, posterior.high)
    order = np.argsort(-np.abs(posterior.difference), kind="stable")
    pairs = [posterior.names[k][::-1] if turned[k] else posterior.names[k] for k in order]
    return interval_rows(
        [f"{label_of(a)} over {label_of(b)}" for a, b in pairs],
        np.column_stack([np.abs(posterior.difference), low, high])[order].tolist(),
        rope=posterior.rope or None,
        scale=xlabel or "gain of the first over the second",
        head=f"{percent(posterior.credibility)} interval",
        title=f"{posterior.title}: differences",
    )


def _order(posterior: PairsPosterior) -> Indices:
    """Algorithms by their mean expected gain over the others, the best first."""
    gains = np.nan_to_num(posterior.matrix("difference")).sum(axis=1)
    return np.argsort(-gains, kind="stable")


COLOURS = ("diverging:0.9", "faint", "diverging:-0.7")
WORDS = ("better", "equiv.", "worse")


def _cell(
    row: str, column: str, chances: tuple[float, ...], corner: tuple[float, float], cell: float, *, roomy: bool
) -> list[Shape]:
    x, y = corner
    better, same, worse = (fixed(chance, 3) for chance in chances)
    title = f"{row} better than {column}: {better}\nequivalent: {same}\n{column} better: {worse}"
    shapes: list[Shape] = [Rect(x, y, cell, cell, fill="paper", stroke="faint", stroke_width=0.6, title=title, key=row)]
    start, width = x + 3, cell - 6
    bar_top, bar_height = (y + cell - BAR - 5, BAR) if roomy else (y + 3, cell - 6)
    for chance, colour in zip(chances, COLOURS, strict=True):
        if chance * width > 0.2:
            shapes.append(Rect(start, bar_top, chance * width, bar_height, fill=colour, stroke=None, title=title))
        start += chance * width
    if roomy:
        top = int(np.argmax(chances))
        sure = chances[top] > 0.95
        shapes.append(Text(x + cell / 2, y + 10, WORDS[top], size=8, anchor="middle", bold=sure))
        shapes.append(Text(x + cell / 2, y + 22, fixed(chances[top], 3), size=8, anchor="middle", bold=sure))
    return shapes


def _rope_legend(x: float, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for word, colour in zip(("row better", "equivalent", "column better"), COLOURS, strict=True):
        shapes.append(Rect(x, y - 4, 14, 8, fill=colour, stroke=None))
        shapes.append(Text(x + 19, y, word, size=8, colour="muted"))
        x += 19 + text_width(word, 8) + 10
    return shapes
