"""The pictures of the page on figures, from data in the package: python docs/internals/make_images.py."""

from pathlib import Path

import podium

FOLDER = Path(__file__).parent / "images"
SIZES = [10, 13, 20, 30, 45, 65, 90, 130, 180, 250, 340, 450, 600, 780, 1000]


def images() -> dict[str, podium.plot.Figure]:
    """File name -> figure."""
    table = podium.example("benavoli2016").scores().table().complete()
    pairs = podium.stats.all_pairs(table)
    optdigits = podium.example("ulas2008")
    order = podium.ordering.multitest(
        optdigits.scores("accuracy"), optdigits.scores("training_time"), dataset="optdigits"
    )
    critical = podium.chance.critical_table("auc", positives=SIZES, negatives=SIZES, competitors=[1000], alphas=[0.01])
    return {
        "cd_diagram.svg": podium.plot.cd_diagram(pairs),
        "forest.svg": podium.plot.forest(pairs, algorithm="C4"),
        "matrix.svg": podium.plot.comparison_matrix(pairs),
        "rank_distribution.svg": podium.plot.rank_distribution(table),
        "order_graph.svg": podium.plot.order_graph(order),
        "chance_contours.svg": podium.plot.chance_contours(critical),
        "chance_surface.svg": podium.plot.chance_surface(critical),
    }


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, figure in images().items():
        figure.save(FOLDER / name)
