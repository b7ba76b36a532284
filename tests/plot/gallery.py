"""Every figure of the room, made from names and a seed: what holds for one must hold for all."""

import itertools

import numpy as np

from podium.core.ranks import rank_rows
from podium.plot._cd_diagram import cd_diagram_layout, cd_stack_layout
from podium.plot._cost_plane import cost_plane_layout
from podium.plot._forest import forest_layout
from podium.plot._heatmap import heatmap_layout
from podium.plot._letter_list import letter_list_layout
from podium.plot._rank_distribution import rank_distribution_layout
from podium.plot._rank_intervals import rank_intervals_layout
from podium.plot._scatter import scatter_layout
from podium.plot.matrix import comparison_matrix_layout
from podium.plot.ordering import order_graph_layout, sort_steps_layout, underlined_ranks_layout
from podium.plot.profile import performance_profile_layout
from reference.groups import groups_from_pairs

HOSTILE = (
    "<script>alert(1)</script>",
    "A & B_%#",
    '=HYPERLINK("http://x")',
    "אלגוריתם מהיר",
    "خوارزمية",
    "\U0001f680 rocket \U0001f469\u200d\U0001f52c",
    "$x^2$ \\input{x} ~^{}",
    "very long " * 5 + "name " * 2,
    "算法",
    "a\u202eb\nc\x1b[31m",
    "--- ?` é ł ğ ß",
    "Ελλάδα α≤β±0.1",
    "]]> ' \" ` | <<",
    " ",
)


def long_names(k):
    """Names of up to 60 characters, all different."""
    return [f"{i} algorithm with a rather long name, of a variant with options"[: 12 + (i * 7) % 49] for i in range(k)]


def gallery(names, *, seed=0, n=12):
    """Name of figure -> scene, for these algorithms and random scores with ties and holes."""
    rng = np.random.default_rng(seed)
    names = list(names)
    k = len(names)
    scores = np.round(rng.normal(np.linspace(0.7, 0.8, k), 0.05, (n, k)), 2)
    ranks = rank_rows(-scores)
    means = ranks.mean(axis=0)
    pairs = list(itertools.combinations(range(k), 2))
    first, second = np.array(pairs).T
    differences = scores[:, first] - scores[:, second]
    pvalues = rng.uniform(0, 0.3, len(pairs))
    groups = groups_from_pairs(k, [pair for pair in pairs if abs(means[pair[0]] - means[pair[1]]) > k / 3])
    low, high = differences.mean(axis=0) - 0.02, differences.mean(axis=0) + 0.02
    shown = min(len(pairs), 40)
    labels = [f"{names[a]} \u2212 {names[b]}" for a, b in pairs]
    holes = np.where(rng.uniform(size=scores.shape) < 0.1, np.nan, scores)
    holes[0] = scores[0]
    costs, errors = np.exp(rng.normal(0, 2, k)), rng.uniform(0.1, 0.3, k)
    edges = [(names[a], names[b]) for a, b in pairs if rng.uniform() < 2 / k]
    return {
        "cd": cd_diagram_layout(means, names, critical_difference=k / 3),
        "cd axis": cd_diagram_layout(means, names, groups=groups, form="axis"),
        "cd list": cd_diagram_layout(means, names, groups=groups, form="list"),
        "cd control": cd_diagram_layout(means, names, critical_difference=k / 4, control=names[0]),
        "cd stack": cd_stack_layout([("accuracy", means, groups, None), ("auc", means[::-1], None, 1.5)], names),
        "forest": forest_layout(
            labels[:shown],
            differences.mean(axis=0)[:shown],
            low[:shown],
            high[:shown],
            pvalues=pvalues[:shown],
            rope=0.01,
        ),
        "matrix": comparison_matrix_layout(
            names,
            a=[names[a] for a, _ in pairs],
            b=[names[b] for _, b in pairs],
            difference=differences.mean(axis=0),
            wins=(differences > 0).sum(axis=0),
            ties=(differences == 0).sum(axis=0),
            losses=(differences < 0).sum(axis=0),
            pvalues=pvalues,
            means=scores.mean(axis=0),
        ),
        "heat map": heatmap_layout(holes, [f"dataset {i}" for i in range(n)], names),
        "rank distribution": rank_distribution_layout(ranks, names),
        "rank intervals": rank_intervals_layout(names, np.arange(1, k + 1), np.ones(k), np.full(k, k)),
        "scatter": scatter_layout(holes[:, 0], holes[:, 1], (names[0], names[1])),
        "profile": performance_profile_layout(holes, names),
        "letters": letter_list_layout(means, names, groups=groups),
        "order graph": order_graph_layout(names, edges, order=names[::-1]),
        "sort steps": sort_steps_layout(names, edges, names[::-1], steps=[names[i:] for i in range(k)]),
        "underlined ranks": underlined_ranks_layout(means, names, groups=groups),
        "cost plane": cost_plane_layout(names, costs, errors, order=names),
    }
