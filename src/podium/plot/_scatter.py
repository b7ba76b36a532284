"""Two algorithms, one point for each dataset: who wins lies on which side of the diagonal."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from podium.core.errors import ArgumentError
from podium.core.escape import isolated
from podium.core.numbers import number
from podium.plot.axes import Axis, axis_below, axis_left, minus, stretched
from podium.plot.figure import Width, figure
from podium.plot.scene import Circle, Line, Polygon, Scene, Shape, Text, sheet_around
from podium.plot.sources import table_of
from podium.plot.textsize import label_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from podium.plot.sources import TableSource

__all__ = ["scatter"]

SIZE = 9.0
SIDE = 260.0
LEFT = 52.0
PAD = 8.0


@figure
def scatter(
    result: TableSource,
    *,
    algorithms: tuple[str, str] | None = None,
    ax: Axes | None = None,
    width: Width | None = None,
) -> Scene:
    """Scores of one algorithm to the right, of another upwards, on equal scales: one mark for each dataset.

    `result` is a comparison, scores, or a table of datasets by algorithms; of more than two, `algorithms` names the
    two. The counts of wins and ties stand above the plot, and each side of the diagonal names its winner. Circles are
    wins of the first, triangles wins of the second, open circles ties. Datasets with a missing score are left out and
    counted.
    """
    table = table_of(result)
    if algorithms is not None:
        table = table.columns(list(algorithms))
    if table.n_algorithms != 2:
        raise ArgumentError(f"A scatter plot shows two of the {table.n_algorithms} algorithms: name them.")
    first, second = table.values.T
    whole = np.isfinite(first) & np.isfinite(second)
    if not whole.any():
        raise ArgumentError("The two algorithms have no dataset in common.")
    low, high = _limits(first[whole], second[whole])
    names = (table.algorithms[0], table.algorithms[1])
    head, side, higher = PAD + 34.0, stretched(SIDE), table.metric.higher_is_better
    x, y = Axis(low, high, LEFT, LEFT + side), Axis(low, high, head + side, head)
    labels = (label_of(names[0]), label_of(names[1]))
    shapes: list[Shape] = [_first_side(x, y, higher)]
    shapes += axis_below(x, y.start, label=labels[0], grid_to=y.end)
    shapes += axis_left(y, x.start, label=labels[1], grid_to=x.end)
    shapes.append(Line(x.start, y.start, x.end, y.end, stroke="muted", dash="dashed"))
    counts = {"first": 0, "second": 0, "tie": 0}
    for i in np.flatnonzero(whole).tolist():
        pair = (float(first[i]), float(second[i]))
        winner = _winner(*pair, higher)
        counts[winner] += 1
        scores = [f"{name}\n{minus(number(score, 6))}" for name, score in zip(names, pair, strict=True)]
        hover = "\n".join((table.datasets[i], *scores))
        shapes.append(_mark(winner, x(pair[0]), y(pair[1]), hover, names))
    shapes += _legend(labels, counts, int((~whole).sum()), LEFT)
    described = (
        f"{names[0]} is better on {counts['first']} datasets, {names[1]} on {counts['second']}, "
        f"{counts['tie']} are ties."
    )
    return sheet_around(shapes, margin=PAD, title="Two algorithms on the same datasets", description=described)


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
