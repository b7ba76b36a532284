"""Figures of orders, on the example of Ulas et al. (2008): optdigits, table 3.1 and figures 3.1 and 3.2."""

import itertools

from plot.gallery import ordering
from podium.plot import order_graph, sort_steps
from podium.plot.scene import Curve, Rect, Scene, box_of

NAMES = "c45 mdt mlp lnp svl sv2 svr 5nn".split()
# Rows of table 3.1: 1 where the algorithm of the row is significantly more accurate than that of the column.
BETTER = "00000000 10000000 11010000 10000000 11110001 11110001 11110001 11010000".split()
PRIOR = "5nn c45 lnp svr svl sv2 mlp mdt".split()  # by training time
ORDER = "svr svl sv2 5nn mlp lnp mdt c45".split()
EDGES = [
    (worse, better)
    for better, row in zip(NAMES, BETTER, strict=True)
    for worse, wins in zip(NAMES, row, strict=True)
    if wins == "1" and PRIOR.index(better) > PRIOR.index(worse)
]


def of_kind(scene, kind):
    return [shape for shape in scene.shapes if isinstance(shape, kind)]


def test_nodes_stand_by_prior_cost_and_every_edge_is_an_arc_above():
    scene = order_graph(ordering(PRIOR, EDGES, ORDER)).scene
    nodes = of_kind(scene, Rect)
    assert [node.key for node in sorted(nodes, key=lambda node: node.x)] == PRIOR
    assert len({node.y for node in nodes}) == 1
    arcs = of_kind(scene, Curve)
    assert len(arcs) == len(EDGES) == 13
    place = {node.key: (node.x, node.x + node.width) for node in nodes}
    for arc, (worse, better) in zip(arcs, EDGES, strict=True):
        assert arc.title == f"{better} is significantly better than {worse}"
        assert place[worse][0] < arc.points[0][0] < place[worse][1]
        assert place[better][0] - 6 < arc.points[3][0] < place[better][1]
        assert box_of(arc)[3] <= nodes[0].y


def test_ends_of_edges_at_a_node_keep_apart():
    arcs = of_kind(order_graph(ordering(PRIOR, EDGES), places=False).scene, Curve)
    starts = [arc.points[0] for arc in arcs]
    assert len(set(starts)) == len(starts)
    assert all(abs(a[0] - b[0]) >= 4.9 for a, b in itertools.combinations(starts, 2))


def test_places_of_the_order_are_written():
    scene = order_graph(ordering(PRIOR, EDGES, ORDER)).scene
    numbers = {text.key: text.text for text in scene.texts if text.bold}
    assert numbers == {name: f"{i}." for i, name in enumerate(ORDER, start=1)}


def test_an_edge_against_the_prior_order_runs_below():
    scene = order_graph(ordering(["a", "b"], [("b", "a")])).scene
    (arc,) = of_kind(scene, Curve)
    assert box_of(arc)[1] >= of_kind(scene, Rect)[0].y + 18
    assert arc.stroke == "vermilion"


def test_steps_take_one_algorithm_after_the_other():
    steps = [["svr", "svl", "sv2", "mdt"], *([name] for name in ORDER[1:])]
    scene = sort_steps(ordering(PRIOR, EDGES, ORDER, steps)).scene
    captions = [text.text for text in scene.texts if text.anchor == "start"]
    assert captions[0] == "1. svr: the cheapest of svr, svl, sv2, mdt"
    assert captions[1:] == [f"{i}. {name}" for i, name in enumerate(ORDER[1:], start=2)]
    chosen = [node.key for node in of_kind(scene, Rect) if node.fill == "ink"]
    assert chosen == ORDER
    # An edge is drawn until one of its ends has been taken.
    expected = sum(min(ORDER.index(a), ORDER.index(b)) + 1 for a, b in EDGES)
    assert len(of_kind(scene, Curve)) == expected


def test_many_steps_are_a_list():
    names = [f"a{i}" for i in range(13)]
    scene = sort_steps(ordering(names, [])).scene
    assert len(scene.shapes) == 13
    assert isinstance(scene, Scene)
