"""Figures of an order by cost: the graph of Ulas et al. (2008), the steps of its sort, and cost against error.

Names stand from left to right by prior cost, the cheapest first; an edge leads from an algorithm to a costlier one
that is significantly better.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Unpack

from podium.core.escape import isolated
from podium.plot.axes import PAD
from podium.plot.figure import Sheet, figure
from podium.plot.scene import Curve, Dash, Line, Point, Polygon, Rect, Scene, Shape, Text, box_of, sheet_around
from podium.plot.sources import OrderSource, order_of
from podium.plot.style import label_of, lines_of, text_width, widest

if TYPE_CHECKING:
    from podium.ordering._multitest import MultiTestResult

SIZE = 9.0
NODE_HEIGHT = 18.0
GAP = 22.0
PORT = 5.0  # between the ends of edges at one node
NARROW_GAP, NARROW_PORT = 5.0, 2.2  # where the figure is narrower than it would like to be
MOST_BOXED = 64.0  # wider names stand upright below their node
MOST_STEPS_DRAWN = 12
NARROWER = 100.0  # points less than the graphs would like: a list of the steps takes their place
LIST_WIDTH = 220.0
LEFT = 56.0
WIDTH, HEIGHT = 360.0, 240.0
LOG_FROM = 30.0
CLEAR = 5.0  # around a point


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graph:
    """Where nodes and the ends of edges lie, relative to the middle of the row of nodes."""

    prior: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]  # places in the prior order: from the overridden to the better
    centres: tuple[float, ...]
    widths: tuple[float, ...]
    upright: bool
    port: float  # between the ends of edges at one node
    gone: frozenset[int] = frozenset()  # nodes that are taken already

    @property
    def shown(self) -> list[tuple[int, int]]:
        """The edges between nodes that are not gone, each once."""
        return [edge for edge in dict.fromkeys(self.edges) if self.gone.isdisjoint(edge)]

    def arcs(self, *, rightward: bool) -> float:
        """How far the arcs to one side reach; those to the right run above the nodes, the others below."""
        return max((_rise(i, j) for i, j in self.shown if (i < j) == rightward), default=0.0)

    @property
    def above(self) -> float:
        """The room above the middle of the nodes."""
        return self.arcs(rightward=True) + NODE_HEIGHT / 2

    @property
    def below(self) -> float:
        """The room below the middle of the nodes, that of upright names included."""
        names = widest(map(label_of, self.prior), SIZE) + 6 if self.upright else 0.0
        return self.arcs(rightward=False) + names + NODE_HEIGHT / 2


@figure
def order_graph(result: OrderSource, *, places: bool = True, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """Algorithms by cost from left to right, an arc from each to the costlier ones that are better.

    Arcs against the order by cost, as in a cycle, run below.

    Parameters
    ----------
    result : MultiTestResult, Multi2TestResult or Comparison
        An order, or a comparison with costs.
    places : bool, default True
        Whether each algorithm carries its final place in the order.

    Examples
    --------
    >>> import podium
    >>> better = [[False, False, False], [True, False, False], [False, False, False]]
    >>> order = podium.ordering.order_from_decisions(better, [1, 2, 3], algorithms=["knn", "svm", "mlp"])
    >>> order_graph(order).svg()[:4]
    '<svg'
    """
    sort = order_of(result)
    graph, order = _graph(sort, stretch), sort.order if places else ()
    y = PAD + graph.above
    shapes = _edges(graph, y) + _nodes(graph, y)
    # The place in the order stands in the node if its name does not, else below arcs and node.
    number_y = y if graph.upright else y + graph.below + 8
    for x, name in zip(graph.centres, graph.prior if order else (), strict=bool(order)):
        place = f"{order.index(name) + 1}."
        shapes.append(Text(x, number_y, place, size=SIZE - 1, anchor="middle", bold=True, key=name))
    bottom = y + graph.below + (14.0 if order and not graph.upright else 0.0)
    axis_y, left = bottom + 10, graph.centres[0] - graph.widths[0] / 2
    end = max(left + 130, *(box_of(shape)[2] for shape in shapes))
    shapes.append(Line(left, axis_y, end - 4, axis_y, stroke="muted", stroke_width=0.8))
    shapes.append(_head((end, axis_y), (1.0, 0.0), "muted", ""))
    shapes.append(Text(left, axis_y + 9, "cheaper", size=SIZE - 1, colour="muted"))
    shapes.append(Text(end, axis_y + 9, "costlier", size=SIZE - 1, anchor="end", colour="muted"))
    described = f"{len(graph.prior)} algorithms by prior cost: {', '.join(graph.prior)}. {_edge_words(graph)}"
    return sheet_around(shapes, title="Directed graph of the order", description=described)


@figure
def sort_steps(result: OrderSource, *, stretch: float = 0.0, **sheet: Unpack[Sheet]) -> Scene:
    """One graph for each step of the sort: what was taken is gone, what is taken now is shaded, and its rivals are named.

    Above 12 algorithms, and in a column, a list of the steps.

    Parameters
    ----------
    result : MultiTestResult, Multi2TestResult or Comparison
        An order, or a comparison with costs.

    Examples
    --------
    >>> import podium
    >>> better = [[False, False, False], [True, False, False], [False, False, False]]
    >>> order = podium.ordering.order_from_decisions(better, [1, 2, 3], algorithms=["knn", "svm", "mlp"])
    >>> sort_steps(order).svg()[:4]
    '<svg'
    """
    sort = order_of(result)
    graph = _graph(sort, stretch)
    taken = [graph.prior.index(name) for name in sort.order]
    drawn = len(taken) <= MOST_STEPS_DRAWN and stretch > -NARROWER
    shapes: list[Shape] = []
    y = PAD
    for i, (name, candidates) in enumerate(zip(sort.order, sort.steps, strict=True)):
        caption = _caption(i, name, candidates)
        for words in lines_of(caption, SIZE, LIST_WIDTH) if stretch < 0 else [caption]:
            shapes.append(Text(PAD, y + 5, words, size=SIZE, key=name))
            y += 12
        y += 3
        if drawn:
            left = replace(graph, gone=frozenset(taken[:i]))
            middle = y + left.above
            shapes += _edges(left, middle) + _nodes(left, middle, chosen=taken[i])
            y = middle + left.below + 12
    described = f"The order in which algorithms are taken: {', '.join(sort.order)}."
    return sheet_around(shapes, title="Steps of the sort", description=described)


def _graph(sort: MultiTestResult, stretch: float) -> _Graph:
    place = {name: i for i, name in enumerate(sort.prior)}
    edges = tuple((place[worse], place[better]) for worse, better in sort.edges)
    ends = [sum(i in edge for edge in edges) for i in range(len(place))]
    labels = [label_of(name) for name in place]
    upright = widest(labels, SIZE) > MOST_BOXED
    narrow = stretch < 0
    port, inset = (NARROW_PORT, 6) if narrow else (PORT, 12)
    widths = tuple(
        max(20.0, port * (count + 2), 0.0 if upright else text_width(label, SIZE) + inset)
        for count, label in zip(ends, labels, strict=True)
    )
    gap = NARROW_GAP if narrow else GAP
    starts = itertools.accumulate(widths[:-1], lambda start, width: start + width + gap, initial=PAD)
    centres = tuple(start + width / 2 for start, width in zip(starts, widths, strict=True))
    return _Graph(prior=sort.prior, edges=edges, centres=centres, widths=widths, upright=upright, port=port)


def _rise(i: int, j: int) -> float:
    """How far the arc between two places rises: more for longer arcs, ever less so."""
    return 9.0 + 13.0 * math.pow(abs(i - j), 0.75)


def _port(graph: _Graph, node: int, edge: tuple[int, int]) -> float:
    """Where an edge meets a node. Arcs nest: at each node, longer ones lie outside, so that edges do not cross there."""
    rightward = edge[0] < edge[1]
    at_left = [e for e in graph.edges if (e[0] < e[1]) == rightward and max(e) == node]
    at_right = [e for e in graph.edges if (e[0] < e[1]) == rightward and min(e) == node]
    at_left.sort(key=lambda e: -min(e))  # the far ones land to the right of the near ones
    at_right.sort(key=lambda e: -max(e))  # the far ones start to the left of the near ones
    row = at_left + at_right
    return graph.centres[node] + graph.port * (row.index(edge) - (len(row) - 1) / 2)


def _edges(graph: _Graph, y: float) -> list[Shape]:
    shapes: list[Shape] = []
    for i, j in graph.shown:
        side = -1 if i < j else 1
        start, end = (_port(graph, node, (i, j)) for node in (i, j))
        edge_y = y + side * NODE_HEIGHT / 2
        lift = edge_y + side * _rise(i, j) * 4 / 3  # a cubic curve reaches three quarters of its control points
        inset = math.copysign(min(0.25 * abs(end - start), 16.0), end - start)
        title = f"{isolated(graph.prior[j])} is significantly better than {isolated(graph.prior[i])}"
        length = math.hypot(inset, edge_y - lift)
        base = end - 5 * inset / length, edge_y - 5 * (edge_y - lift) / length
        points = ((start, edge_y), (start + inset, lift), (end - inset, lift), base)
        colour, key = "blue" if side < 0 else "vermilion", graph.prior[j]
        shapes.append(Curve(points, stroke=colour, stroke_width=1.1, title=title, key=key))
        shapes.append(_head((end, edge_y), (inset, edge_y - lift), colour, key))
    return shapes


def _head(tip: Point, direction: Point, colour: str, key: str) -> Polygon:
    """An arrow head at the tip, along the direction of the curve there."""
    length = math.hypot(*direction)
    dx, dy = direction[0] / length, direction[1] / length
    back = tip[0] - 6 * dx, tip[1] - 6 * dy
    wings = ((back[0] - 2.4 * dy, back[1] + 2.4 * dx), (back[0] + 2.4 * dy, back[1] - 2.4 * dx))
    return Polygon((tip, *wings), fill=colour, stroke=None, key=key)


def _nodes(graph: _Graph, y: float, *, chosen: int | None = None) -> list[Shape]:
    shapes: list[Shape] = []
    names_y = y + NODE_HEIGHT / 2 + 6 + graph.arcs(rightward=False)
    for i, name in enumerate(graph.prior):
        away = i in graph.gone
        width = graph.widths[i]
        corner = graph.centres[i] - width / 2, y - NODE_HEIGHT / 2
        ground = "ink" if i == chosen else "paper" if away else "wash"
        dash: Dash = "dotted" if away else "solid"
        stroke = "faint" if away else "ink"
        box = Rect(*corner, width, NODE_HEIGHT, fill=ground, stroke=stroke, dash=dash, stroke_width=0.9, key=name)
        colour = "faint" if away else "paper" if i == chosen and not graph.upright else "ink"
        label = Text(graph.centres[i], y, label_of(name), size=SIZE, anchor="middle", colour=colour, key=name)
        shapes += [box, replace(label, y=names_y, anchor="end", rotation=90) if graph.upright else label]
    return shapes


def _caption(step: int, name: str, candidates: Sequence[str]) -> str:
    others = [isolated(label_of(other)) for other in candidates if other != name]
    shown = isolated(label_of(name))
    if len(others) > 6:
        others = [*others[:6], f"{len(others) - 6} more"]
    why = f": the cheapest of {', '.join([shown, *others])}" if others else ""
    return f"{step + 1}. {shown}{why}"


def _edge_words(graph: _Graph) -> str:
    if not graph.edges:
        return "No edges: nothing overrides the cost."
    words = [f"{graph.prior[j]} over {graph.prior[i]}" for i, j in graph.edges[:12]]
    more = f" and {len(graph.edges) - 12} more" if len(graph.edges) > 12 else ""
    return "Better in spite of its cost: " + ", ".join(words) + more + "."
