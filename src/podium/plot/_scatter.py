"""Two algorithms, one point for each dataset: who wins lies on which side of the diagonal."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.escape import isolated
from podium.plot.axes import Axis, axis_below, axis_left, number_text
from podium.plot.draw_matplotlib import draw
from podium.plot.ranked import label_of
from podium.plot.scene import Circle, Line, Polygon, Scene, Shape, Text, sheet_around

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["draw_scatter", "scatter_layout"]

SIZE = 9.0
SIDE = 260.0
LEFT = 52.0
PAD = 8.0


def scatter_layout(
    a: Sequence[float],
    b: Sequence[float],
    names: tuple[str, str],
    *,
    datasets: Sequence[str] | None = None,
    higher_is_better: bool = True,
    title: str = "Two algorithms on the same datasets",
) -> Scene:
    """Scores of the first algorithm to the right, of the second upwards, on equal scales.

    The counts of wins and ties stand above the plot, and each side of the diagonal names its winner. Circles are
    wins of the first, triangles wins of the second, open circles ties. Pairs with a missing score are left out and
    counted.
    """
    first, second = check.numbers("a", a, ndim=1), check.numbers("b", b, ndim=1)
    if len(first) != len(second) or (datasets is not None and len(datasets) != len(first)):
        raise ArgumentError("`a`, `b` and `datasets` must be equally long.")
    whole = np.isfinite(first) & np.isfinite(second)
    if not whole.any():
        raise ArgumentError("`a` and `b` have no dataset in common.")
    low, high = _limits(first[whole], second[whole])
    head = PAD + 34.0
    left = LEFT
    x, y = Axis(low, high, left, left + SIDE), Axis(low, high, head + SIDE, head)
    labels = (label_of(names[0]), label_of(names[1]))
    shapes: list[Shape] = [_first_side(x, y, higher_is_better)]
    shapes += axis_below(x, y.start, label=labels[0], grid_to=y.end)
    shapes += axis_left(y, x.start, label=labels[1], grid_to=x.end)
    shapes.append(Line(x.start, y.start, x.end, y.end, stroke="muted", dash="dashed"))
    counts = {"first": 0, "second": 0, "tie": 0}
    for i in np.flatnonzero(whole).tolist():
        winner = _winner(float(first[i]), float(second[i]), higher_is_better)
        counts[winner] += 1
        name = datasets[i] if datasets is not None else f"dataset {i + 1}"
        hover = f"{name}\n{names[0]}\n{number_text(float(first[i]), 6)}\n{names[1]}\n{number_text(float(second[i]), 6)}"
        shapes.append(_mark(winner, x(float(first[i])), y(float(second[i])), hover, names))
    shapes += _legend(labels, counts, int((~whole).sum()), left)
    described = (
        f"{names[0]} is better on {counts['first']} datasets, {names[1]} on {counts['second']}, "
        f"{counts['tie']} are ties."
    )
    return sheet_around(shapes, margin=PAD, title=title, description=described)


def draw_scatter(
    a: Sequence[float],
    b: Sequence[float],
    names: tuple[str, str],
    *,
    datasets: Sequence[str] | None = None,
    higher_is_better: bool = True,
    ax: Axes | None = None,
) -> Axes:
    """Draw the scatter plot with matplotlib; arguments as in `scatter_layout`."""
    return draw(scatter_layout(a, b, names, datasets=datasets, higher_is_better=higher_is_better), ax)


def _limits(first: np.ndarray, second: np.ndarray) -> tuple[float, float]:
    low, high = float(min(first.min(), second.min())), float(max(first.max(), second.max()))
    margin = 0.04 * (high - low) or 0.5
    return low - margin, high + margin


def _winner(first: float, second: float, higher_is_better: bool) -> str:
    if first == second:
        return "tie"
    return "first" if (first > second) == higher_is_better else "second"


def _first_side(x: Axis, y: Axis, higher_is_better: bool) -> Polygon:
    """The half in which the first algorithm is better, on a light ground."""
    corner = (x.end, y.start) if higher_is_better else (x.start, y.end)
    return Polygon(((x.start, y.start), (x.end, y.end), corner), fill="wash", stroke=None)


def _mark(winner: str, x: float, y: float, title: str, names: tuple[str, str]) -> Shape:
    if winner == "first":
        return Circle(x, y, 3.0, fill="blue", stroke="paper", stroke_width=0.6, title=title, key=names[0])
    if winner == "second":
        points = ((x - 3.4, y + 2.6), (x + 3.4, y + 2.6), (x, y - 3.6))
        return Polygon(points, fill="vermilion", stroke="paper", stroke_width=0.6, title=title, key=names[1])
    return Circle(x, y, 3.0, fill="paper", stroke="ink", stroke_width=1.0, title=title)


def _legend(labels: tuple[str, str], counts: dict[str, int], missing: int, left: float) -> list[Shape]:
    """Each mark with what it means and how often it occurs, in up to three lines above the plot."""
    rest = [f"ties: {counts['tie']}"] + ([f"left out for a missing score: {missing}"] if missing else [])
    lines = (
        ("first", f"{isolated(labels[0])} better: {counts['first']} (shaded side)", labels[0]),
        ("second", f"{isolated(labels[1])} better: {counts['second']}", labels[1]),
        ("tie", "; ".join(rest), ""),
    )
    shapes: list[Shape] = []
    for i, (winner, text, key) in enumerate(lines):
        y = PAD + 4 + 12.0 * i - 2
        shapes.append(_mark(winner, left + 4, y, "", labels))
        shapes.append(Text(left + 12, y, text, size=SIZE - 0.5, key=key))
    return shapes
