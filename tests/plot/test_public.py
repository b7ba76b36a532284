"""Every public drawing function draws into the axes it is given, and says no with one sentence."""

import matplotlib.pyplot as plt
import pytest

import podium

NAMES = ["a", "b", "c"]
PAIRS = {
    "a": ["a", "a", "b"],
    "b": ["b", "c", "c"],
    "difference": [0.1, 0.2, 0.3],
    "wins": [3, 3, 3],
    "ties": [0, 0, 0],
    "losses": [1, 1, 1],
    "pvalues": [0.5, 0.01, 0.2],
}
CALLS = {
    "draw_cd_diagram": (([1, 2, 3], NAMES), {"critical_difference": 1.5}),
    "draw_cd_stack": (([("auc", [1, 2, 3], [(0, 1)], None), ("f1", [2, 1, 3], None, 1.0)], NAMES), {}),
    "draw_comparison_matrix": ((NAMES,), PAIRS),
    "draw_cost_plane": ((NAMES, [1, 2, 3], [0.3, 0.2, 0.1]), {"order": NAMES}),
    "draw_forest": ((NAMES, [1, 2, 3], [0, 1, 2], [2, 3, 4]), {"rope": 0.5}),
    "draw_heatmap": (([[1, 2, 3], [3, 2, 1]], ["d1", "d2"], NAMES), {}),
    "draw_letter_list": (([1, 2, 3], NAMES), {"groups": [("a", "b")]}),
    "draw_order_graph": ((NAMES, [("a", "c")]), {"order": ["b", "c", "a"]}),
    "draw_performance_profile": (([[1, 2, 3], [3, 2, 1]], NAMES), {}),
    "draw_rank_distribution": (([[1, 2, 3], [3, 2, 1]], NAMES), {}),
    "draw_rank_intervals": ((NAMES, [1, 2, 3], [1, 1, 2], [2, 3, 3]), {}),
    "draw_scatter": (([1, 2, 3], [3, 2, 1], ("a", "b")), {"datasets": ["d1", "d2", "d3"]}),
    "draw_sort_steps": ((NAMES, [("a", "c")], ["b", "c", "a"]), {}),
    "draw_underlined_ranks": (([1, 2, 3], NAMES), {"critical_difference": 1.5}),
}


@pytest.mark.parametrize("name", sorted(CALLS))
def test_drawing_into_given_axes(name):
    positional, named = CALLS[name]
    figure, ax = plt.subplots()
    assert getattr(podium.plot, name)(*positional, **named, ax=ax) is ax
    assert ax.texts
    assert not ax.axison
    figure.canvas.draw()
    plt.close(figure)


def test_a_group_by_an_unknown_name_is_refused():
    with pytest.raises(podium.ArgumentError, match="There is no algorithm 'd'"):
        podium.plot.draw_cd_diagram([1, 2, 3], NAMES, groups=[("a", "d")])
