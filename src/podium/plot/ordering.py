"""Figures of an order by cost: the graph of Ulas et al. (2008), the steps of its sort, ranks with underlines.

Names stand from left to right by prior cost, the cheapest first; an edge leads from an algorithm to a costlier one
that is significantly better.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from podium.core import check
from podium.core.errors import ArgumentError
from podium.core.escape import isolated
from podium.plot.cd_list import cd_list_scene
from podium.plot.draw_matplotlib import draw
from podium.plot.ranked import Groups, Ranked, bar_title, label_of, lanes, ranked
from podium.plot.scene import Curve, Line, Point, Polygon, Rect, Scene, Shape, Text, box_of
from podium.plot.textsize import text_width, widest

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = [
    "draw_order_graph",
    "draw_sort_steps",
    "draw_underlined_ranks",
    "order_graph_layout",
    "sort_steps_layout",
    "underlined_ranks_layout",
]

SIZE = 9.0
PAD = 8.0
NODE_HEIGHT = 18.0
GAP = 22.0
PORT = 5.0  # between the ends of edges at one node
MOST_BOXED = 64.0  # wider names stand upright below their node
MOST_STEPS_DRAWN = 12


@dataclass(frozen=True, slots=True, kw_only=True)
class _Graph:
    """Where nodes and the ends of edges lie, relative to the middle of the row of nodes."""

    prior: tuple[str, ...]
    edges: tuple[tuple[int, int], ...]  # places in the prior order: from the overridden to the better
    centres: tuple[float, ...]
    widths: tuple[float, ...]
    upright: bool

    def arcs(self, *, rightward: bool, gone: frozenset[int] = frozenset()) -> float:
        """How far the arcs to one side reach; those to the right run above the nodes, the others below."""
        shown = ((i, j) for i, j in self.edges if (i < j) == rightward and i not in gone and j not in gone)
        return max((_rise(i, j) for i, j in shown), default=0.0)

    def above(self, *, gone: frozenset[int] = frozenset()) -> float:
        """The room above the middle of the nodes."""
        return self.arcs(rightward=True, gone=gone) + NODE_HEIGHT / 2

    def below(self, *, gone: frozenset[int] = frozenset()) -> float:
        """The room below the middle of the nodes, that of upright names included."""
        arcs = self.arcs(rightward=False, gone=gone)
        names = widest([label_of(name) for name in self.prior], SIZE) + 6 if self.upright else 0.0
        return arcs + names + NODE_HEIGHT / 2


def order_graph_layout(
    prior: Sequence[str],
    edges: Iterable[tuple[str, str]],
    *,
    order: Sequence[str] = (),
    title: str = "Directed graph of the order",
) -> Scene:
    """Nodes by prior cost from left to right, an arc from each algorithm to the costlier ones that are better.

    An edge is (overridden, better). Edges against the prior order, as in a cycle, run below. With `order`, each node
    carries its final place.
    """
    graph = _graph(prior, edges)
    places = {check.member("algorithm", name, prior): i + 1 for i, name in enumerate(order)}
    y = PAD + graph.above()
    shapes = _edges(graph, y) + _nodes(graph, y)
    # The place in the order stands in the node if its name does not, else below arcs and node.
    number_y = y if graph.upright else y + graph.below() + 8
    shapes += [
        Text(x, number_y, f"{places[name]}.", size=SIZE - 1, anchor="middle", bold=True, key=name)
        for name, x in zip(graph.prior, graph.centres, strict=True)
        if name in places
    ]
    bottom = y + graph.below() + (14.0 if order and not graph.upright else 0.0)
    right = max(box_of(shape)[2] for shape in shapes)
    axis_y = bottom + 10
    left = graph.centres[0] - graph.widths[0] / 2
    shapes += [*_arrow_line(left, max(right, left + 130), axis_y)]
    shapes.append(Text(left, axis_y + 9, "cheaper", size=SIZE - 1, colour="muted"))
    end = max(right, left + 130)
    shapes.append(Text(end, axis_y + 9, "costlier", size=SIZE - 1, anchor="end", colour="muted"))
    described = f"{len(graph.prior)} algorithms by prior cost: {', '.join(graph.prior)}. {_edge_words(graph)}"
    return Scene(width=end + PAD, height=axis_y + 18, shapes=tuple(shapes), title=title, description=described)


def draw_order_graph(
    prior: Sequence[str], edges: Iterable[tuple[str, str]], *, order: Sequence[str] = (), ax: Axes | None = None
) -> Axes:
    """Draw the graph with matplotlib; arguments as in `order_graph_layout`."""
    return draw(order_graph_layout(prior, edges, order=order), ax)


def sort_steps_layout(
    prior: Sequence[str],
    edges: Iterable[tuple[str, str]],
    order: Sequence[str],
    *,
    steps: Sequence[Sequence[str]] = (),
    title: str = "Steps of the sort",
) -> Scene:
    """One graph for each step: taken algorithms are gone, the one taken now is shaded; `steps` names the candidates.

    Above 12 algorithms, a list of the steps.
    """
    graph = _graph(prior, edges)
    taken = [graph.prior.index(check.member("algorithm", name, prior)) for name in order]
    captions = [_caption(i, name, steps[i] if i < len(steps) else ()) for i, name in enumerate(order)]
    described = "The order in which algorithms are taken: " + ", ".join(order) + "."
    shapes: list[Shape] = []
    y = PAD
    for i, caption in enumerate(captions):
        shapes.append(Text(PAD, y + 5, caption, size=SIZE, key=order[i]))
        y += 15
        if len(prior) <= MOST_STEPS_DRAWN:
            gone = frozenset(taken[:i])
            middle = y + graph.above(gone=gone)
            shapes += _edges(graph, middle, gone=gone) + _nodes(graph, middle, gone=gone, chosen=taken[i])
            y = middle + graph.below(gone=gone) + 12
    right = max(box_of(shape)[2] for shape in shapes)
    return Scene(width=right + PAD, height=y + PAD, shapes=tuple(shapes), title=title, description=described)


def draw_sort_steps(
    prior: Sequence[str],
    edges: Iterable[tuple[str, str]],
    order: Sequence[str],
    *,
    steps: Sequence[Sequence[str]] = (),
    ax: Axes | None = None,
) -> Axes:
    """Draw the steps with matplotlib; arguments as in `sort_steps_layout`."""
    return draw(sort_steps_layout(prior, edges, order, steps=steps), ax)


def underlined_ranks_layout(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    critical_difference: float | None = None,
    groups: Groups | None = None,
    title: str = "Mean ranks with underlines",
) -> Scene:
    """Names in the order of their mean ranks, with a line under each group that is not told apart.

    Where names would take more than 11 inches, the list of the critical-difference diagram.
    """
    data = ranked(mean_ranks, names, groups=groups, critical_difference=critical_difference)
    widths = [max(text_width(label, SIZE), 26.0) for label in data.labels]
    if sum(widths) + 14 * len(widths) > 792:
        return cd_list_scene(data, critical_difference=critical_difference, control=None, title=title)
    starts = [PAD + sum(widths[:i]) + 14 * i for i in range(len(widths))]
    shapes: list[Shape] = []
    for i, (label, name) in enumerate(zip(data.labels, data.names, strict=True)):
        x = starts[i] + widths[i] / 2
        shapes.append(Text(x, PAD + 5, label, size=SIZE, anchor="middle", key=name, title=data.title(i)))
        rank = f"{data.mean_ranks[i]:.2f}"
        shapes.append(Text(x, PAD + 17, rank, size=SIZE - 1, anchor="middle", colour="muted", key=name))
    levels = lanes([(group[0], group[-1]) for group in data.groups], 1.0)
    for group, level in zip(data.groups, levels, strict=True):
        shapes += _underline(data, group, starts, widths, PAD + 27 + 5 * level)
    height = PAD + 27 + 5 * max(levels, default=0) + PAD
    if critical_difference is not None:
        height += 12
        shapes.append(Text(PAD, height - 10, f"CD = {critical_difference:.2f}", size=SIZE - 1, colour="muted"))
    wide = max([starts[-1] + widths[-1], *(box_of(shape)[2] for shape in shapes)])
    described = f"{len(data.names)} algorithms by mean rank: {', '.join(data.names)}; lines join those not told apart."
    return Scene(width=wide + PAD, height=height, shapes=tuple(shapes), title=title, description=described)


def draw_underlined_ranks(
    mean_ranks: Sequence[float],
    names: Sequence[str],
    *,
    critical_difference: float | None = None,
    groups: Groups | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw the ranks with matplotlib; arguments as in `underlined_ranks_layout`."""
    scene = underlined_ranks_layout(mean_ranks, names, critical_difference=critical_difference, groups=groups)
    return draw(scene, ax)


def _underline(data: Ranked, group: tuple[int, ...], starts: list[float], widths: list[float], y: float) -> list[Shape]:
    """Thick below members, dotted below those between that do not belong."""
    title = bar_title(data, group)
    shapes: list[Shape] = []
    for i in range(group[0], group[-1] + 1):
        to = starts[i + 1] if i < group[-1] else starts[i] + widths[i]
        if i in group and (i + 1 in group or i == group[-1]):
            shapes.append(Line(starts[i], y, to, y, stroke_width=2.0, title=title))
        elif i in group:
            shapes.append(Line(starts[i], y, starts[i] + widths[i], y, stroke_width=2.0, title=title))
            shapes.append(Line(starts[i] + widths[i], y, to, y, dash="dotted", title=title))
        else:
            shapes.append(Line(starts[i], y, to, y, dash="dotted", title=title))
    return shapes


def _graph(prior: Sequence[str], edges: Iterable[tuple[str, str]]) -> _Graph:
    names = tuple(prior)
    if not names or len(set(names)) != len(names):
        raise ArgumentError("`prior` must list each algorithm once.")
    place = {name: i for i, name in enumerate(names)}
    pairs = tuple(tuple(place[check.member("algorithm", name, names)] for name in edge) for edge in edges)
    ends = [sum(i in pair for pair in pairs) for i in range(len(names))]
    labels = [label_of(name) for name in names]
    upright = widest(labels, SIZE) > MOST_BOXED
    widths = tuple(
        max(20.0, PORT * (ends[i] + 2), 0.0 if upright else text_width(labels[i], SIZE) + 12) for i in range(len(names))
    )
    centres, x = [], PAD
    for width in widths:
        centres.append(x + width / 2)
        x += width + GAP
    fixed = tuple((pair[0], pair[1]) for pair in pairs)
    return _Graph(prior=names, edges=fixed, centres=tuple(centres), widths=widths, upright=upright)


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
    return graph.centres[node] + PORT * (row.index(edge) - (len(row) - 1) / 2)


def _edges(graph: _Graph, y: float, *, gone: frozenset[int] = frozenset()) -> list[Shape]:
    shapes: list[Shape] = []
    for i, j in dict.fromkeys(graph.edges):
        if i in gone or j in gone:
            continue
        side = -1 if i < j else 1
        start, end = (_port(graph, node, (i, j)) for node in (i, j))
        edge_y = y + side * NODE_HEIGHT / 2
        lift = edge_y + side * _rise(i, j) * 4 / 3  # a cubic curve reaches three quarters of its control points
        inset = math.copysign(min(0.25 * abs(end - start), 16.0), end - start)
        title = f"{isolated(graph.prior[j])} is significantly better than {isolated(graph.prior[i])}"
        length = math.hypot(inset, edge_y - lift)
        base = end - 5 * inset / length, edge_y - 5 * (edge_y - lift) / length
        shapes.append(
            Curve(
                ((start, edge_y), (start + inset, lift), (end - inset, lift), base),
                stroke="blue" if side < 0 else "vermilion",
                stroke_width=1.1,
                title=title,
                key=graph.prior[j],
            )
        )
        shapes.append(_head((end, edge_y), (inset, edge_y - lift), "blue" if side < 0 else "vermilion", graph.prior[j]))
    return shapes


def _head(tip: Point, direction: Point, colour: str, key: str) -> Polygon:
    """An arrow head at the tip, along the direction of the curve there."""
    length = math.hypot(*direction)
    dx, dy = direction[0] / length, direction[1] / length
    back = tip[0] - 6 * dx, tip[1] - 6 * dy
    wings = ((back[0] - 2.4 * dy, back[1] + 2.4 * dx), (back[0] + 2.4 * dy, back[1] - 2.4 * dx))
    return Polygon((tip, *wings), fill=colour, stroke=None, key=key)


def _nodes(graph: _Graph, y: float, *, gone: frozenset[int] = frozenset(), chosen: int | None = None) -> list[Shape]:
    shapes: list[Shape] = []
    names_y = y + NODE_HEIGHT / 2 + 6 + graph.arcs(rightward=False, gone=gone)
    for i, name in enumerate(graph.prior):
        away = i in gone
        width = graph.widths[i]
        corner = graph.centres[i] - width / 2, y - NODE_HEIGHT / 2
        ground = "ink" if i == chosen else "paper" if away else "wash"
        stroke = "faint" if away else "ink"
        dash = "dotted" if away else "solid"
        shapes.append(
            Rect(*corner, width, NODE_HEIGHT, fill=ground, stroke=stroke, dash=dash, stroke_width=0.9, key=name)  # type: ignore[arg-type]
        )
        colour = "faint" if away else "paper" if i == chosen and not graph.upright else "ink"
        shapes.append(
            Text(
                graph.centres[i], names_y, label_of(name), size=SIZE, anchor="end", rotation=90, colour=colour, key=name
            )
            if graph.upright
            else Text(graph.centres[i], y, label_of(name), size=SIZE, anchor="middle", colour=colour, key=name)
        )
    return shapes


def _arrow_line(left: float, right: float, y: float) -> list[Shape]:
    return [
        Line(left, y, right - 4, y, stroke="muted", stroke_width=0.8),
        _head((right, y), (1.0, 0.0), "muted", ""),
    ]


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
