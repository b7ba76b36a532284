"""The pictures of the page on figures, from data in the package: python docs/rooms/make_images.py."""

from pathlib import Path

import podium
from podium.plot._cd_diagram import cd_diagram_layout
from podium.plot._forest import forest_layout
from podium.plot._rank_distribution import rank_distribution_layout
from podium.plot.matrix import comparison_matrix_layout
from podium.plot.ordering import order_graph_layout
from podium.plot.scene import Scene

FOLDER = Path(__file__).parent / "images"

# optdigits, Table 3.1 of Ulas et al. (2008): the costlier algorithm of each pair is significantly better.
PRIOR = "5nn c45 lnp svr svl sv2 mlp mdt".split()
EDGES = [(a, b) for a in ("5nn", "c45", "lnp") for b in ("svr", "svl", "sv2")]
EDGES += [("c45", "lnp"), ("c45", "mlp"), ("lnp", "mlp"), ("c45", "mdt")]
ORDER = "svr svl sv2 5nn mlp lnp mdt c45".split()


def images() -> dict[str, Scene]:
    """File name -> figure."""
    table = podium.example("benavoli2016").scores().table().complete()
    pairs = podium.stats.all_pairs(table)
    apart = podium.stats.groups(pairs, form="cliques")
    frame = pairs.to_frame()
    worst = frame[frame["b"].eq("C4") | frame["a"].eq("C4")]
    labels = [f"{a} \u2212 {b}" for a, b in zip(worst["a"], worst["b"], strict=True)]
    best_first = [table.algorithms[i] for i in table.mean_ranks().argsort()]
    return {
        "cd_diagram.svg": cd_diagram_layout(apart.mean_ranks, apart.algorithms, groups=apart.groups),
        "forest.svg": forest_layout(labels, worst["effect"], worst["low"], worst["high"], pvalues=worst["adjusted"]),
        "matrix.svg": comparison_matrix_layout(
            best_first,
            a=frame["a"],
            b=frame["b"],
            difference=frame["effect"],
            wins=frame["wins"],
            ties=frame["ties"],
            losses=frame["losses"],
            pvalues=frame["adjusted"],
        ),
        "rank_distribution.svg": rank_distribution_layout(table.ranks(), table.algorithms),
        "order_graph.svg": order_graph_layout(PRIOR, EDGES, order=ORDER),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, scene in images().items():
        podium.plot.save_figure(scene, FOLDER / name)
