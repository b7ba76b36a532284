"""The bump chart: how the order of the same algorithms changes from one metric, or group of datasets, to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Unpack

from podium.core.errors import ArgumentError
from podium.plot.axes import NAME_SIZE, PAD, curve, line_style, named_ends, stretched
from podium.plot.figure import Sheet, figure
from podium.plot.scene import Circle, Scene, Shape, Text, sheet_around
from podium.plot.sources import RankSource, ranked_of
from podium.plot.style import label_of, lines_of, widest

STEP, LEAST_STEP = 90.0, 34.0  # from one metric to the next
ROW = 15.0


@figure
def bump(
    results: Mapping[str, RankSource], *, alpha: float = 0.05, stretch: float = 0.0, **sheet: Unpack[Sheet]
) -> Scene:
    """A line for each algorithm through its rank by each metric, the best on top; lines that cross changed places.

    Parameters
    ----------
    results : mapping
        Heading -> comparison or ranks of the same algorithms, as `cd_diagram` takes them, from left to right.
    alpha : float, default 0.05
        Significance level for pairs; comparisons, groups and orders are already decided.

    Examples
    --------
    >>> import podium
    >>> scores = [[0.9, 0.8, 0.7], [0.8, 0.7, 0.6], [0.9, 0.7, 0.8], [0.7, 0.6, 0.5]]
    >>> bump({"small": podium.stats.nemenyi(scores), "large": podium.stats.nemenyi(scores[2:])}).svg()[:4]
    '<svg'
    """
    orders = {heading: ranked_of(result, alpha) for heading, result in results.items()}
    first, *_, last = [*orders.values()] * 2 if orders else [None, None]
    if first is None or last is None or len(orders) < 2 or len({frozenset(each.names) for each in orders.values()}) > 1:
        raise ArgumentError("A bump chart needs results of the same algorithms by two or more metrics.")
    left = PAD + widest(first.labels, NAME_SIZE) + 10
    step = stretched(STEP, stretch, least=LEAST_STEP, share=1 / (len(orders) - 1))
    across = [left + step * place for place in range(len(orders))]
    heads = [lines_of(heading, NAME_SIZE, step - 6) for heading in orders]
    top = PAD + 11.0 * max(map(len, heads)) + ROW
    shapes: list[Shape] = []
    for x, words in zip(across, heads, strict=True):
        start = top - ROW - 11.0 * (len(words) - 1)
        shapes += [
            Text(x, start + 11.0 * row, word, size=NAME_SIZE, anchor="middle", bold=True)
            for row, word in enumerate(words)
        ]
    for place, name in enumerate(first.names):
        points = [(x, top + ROW * each.names.index(name)) for x, each in zip(across, orders.values(), strict=True)]
        colour, _ = line_style(place)
        shapes.append(curve(points, place, name))
        for (x, y), (heading, each) in zip(points, orders.items(), strict=True):
            hover = f"{heading}\n{each.title(each.names.index(name))}"
            shapes.append(Circle(x, y, 3.0, fill=colour, stroke="paper", stroke_width=0.8, key=name, title=hover))
        shapes.append(Text(left - 8, points[0][1], label_of(name), size=NAME_SIZE, anchor="end", key=name, title=name))
    ends = [top + ROW * last.names.index(name) for name in first.names]
    shapes += named_ends(first.names, ends, across[-1] + 6, top, top + ROW * len(ends))
    leaders = "; ".join(f"{heading}: {each.names[0]}" for heading, each in orders.items())
    described = f"{len(first.names)} algorithms by mean rank, best by {leaders}."
    return sheet_around(shapes, title="Ranks by metric", description=described)
