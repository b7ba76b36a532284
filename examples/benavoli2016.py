"""Benavoli, Corani and Mangili (2016), "Should we really use post-hoc tests based on mean-ranks?": every number.

Writes docs/papers/benavoli2016.md and prints it.
"""

import sys

import numpy as np
from side_by_side import PAPERS, Page

import podium

INTRO = """
The mean-ranks test decides on two algorithms by their mean ranks among *all* algorithms of a table, so its verdict on
A and B can change when C, D and E come or go. The paper shows it with three examples; here each of them is computed again.
Better algorithms have *higher* ranks in the paper, and so they do on this page.
"""
ZOO = """
The last row of the paper's Table 2, zoo, is illegible in our source except for C7. The printed mean ranks and Table 1 fix the
order of its seven scores (C2 > C3 > C4 > C1 = C5, C7 = C3, C3 <= C6 <= C2); any scores in that order give the same
ranks. So everything below follows, except what depends on the size of differences: the p-value of Wilcoxon's test is given
without zoo, and with the smallest and with a large difference there. The example `benavoli2016` is the table as it can be
read; `benavoli2016_zoo` has scores in that order on zoo, and the commands below take it.
"""
WIDE = {"C2": 99.0, "C4": 93.0}
TABLE_1 = {
    ("C2", "C4"): ("7/10", "9/10", "3/5"),
    ("C2", "C7"): ("1/10", "-", "-"),
    ("C3", "C7"): ("2/10", "-", "-"),
    ("C4", "C6"): ("9/10", "5/10", "-"),
}


def example_1(page):
    page.head("Example 1: artificially increased power")
    first, last = [50, 80, 55, 60, 65], [80, 50, 45, 85, 90]
    table = np.array([first] * 10 + [last] * 10, dtype=float)
    friedman = podium.stats.friedman(table)
    ranks = 6 - friedman.mean_ranks
    alone = {
        test: getattr(podium.stats, test)(table[:, 0], table[:, 1]).pvalue for test in ("paired_t", "wilcoxon", "sign")
    }
    difference = podium.stats.critical_difference(5, 20, test="mean_ranks")
    page.text("A and B win on ten datasets each, by the same differences.")
    page.numbers(
        [
            *((f"p of {test}, A and B alone", "1", f"{p:.12g}") for test, p in alone.items()),
            ("Friedman's p, all five", "about 1e-10", f"{friedman.details['chi2_pvalue']:.1e}"),
            ("mean rank of A", "2", ranks[0]),
            ("mean rank of B", "3.5", ranks[1]),
            ("z*, Bonferroni's quantile", "2.807", difference / np.sqrt(5 * 6 / (6 * 20))),
            ("critical difference", "1.4", difference),
        ],
        why='Friedman\'s p is that of the chi-square distribution, the largest of the usual ones. The paper says only "about".',
    )
    page.text('The mean ranks differ by 1.5, more than 1.4: among the five, A and B "differ"; alone, they do not.')


def example_2(page):
    page.head("Example 2: low power due to the remaining algorithms")
    power = podium.planning.pool_power([0, 1.5, 5, 6, 7], n_datasets=20, rng=0).power[:, 0, 0]
    page.text("A ~ N(0, 1), B ~ N(1.5, 1); C, D and E are far better. 20 datasets, two-sided level 0.05.")
    page.numbers(
        [
            ("power of the sign test, A against B", "0.94", power[0]),
            ("power of the mean-ranks test in the pool of five", "0.046", power[1]),
        ],
        why="Both are simulations, the paper's and ours.",
    )


def example_3(page):
    page.head("Example 3: seven classifiers on 54 datasets")
    page.text(ZOO)
    printed_only = podium.example("benavoli2016").scores().table().to_frame()
    frame = podium.example("benavoli2016_zoo").scores().table().to_frame()
    pools = (
        (["C1", "C2", "C3", "C4"], {"C2": "2.676", "C4": "1.917", "C1": "2.518", "C3": "2.888"}, "3.06"),
        (["C1", "C2", "C4", "C5"], {"C2": "2.713", "C4": "2.102", "C1": "2.528", "C5": "2.657"}, "2.46"),
    )
    rows = []
    for pool, printed, z in pools:
        ranks = frame[pool].rank(axis=1).mean()
        rows += [
            (f"mean rank of {name} among {', '.join(pool)}", value, ranks[name]) for name, value in printed.items()
        ]
        found = podium.stats.mean_ranks(frame[pool]).to_frame().set_index(["a", "b"]).loc[("C2", "C4"), "statistic"]
        rows.append((f"z of C2 and C4 among {', '.join(pool)}", z, abs(found)))
    quantile = podium.stats.critical_difference(4, 54, test="mean_ranks") / np.sqrt(4 * 5 / (6 * 54))
    rows.append(("z*, Bonferroni's quantile for four algorithms", "2.64", quantile))
    complete = printed_only.dropna()
    wide = frame.copy()
    wide.loc["zoo", list(WIDE)] = list(WIDE.values())
    rows += [
        (f"Wilcoxon's p of C2 and C4, {kind}", "0.0002", podium.stats.wilcoxon(scores["C2"], scores["C4"]).pvalue)
        for kind, scores in (("without zoo", complete), ("zoo nearly equal", frame), ("zoo far apart", wide))
    ]
    normal = podium.stats.wilcoxon(wide["C2"], wide["C4"], method="asymptotic").pvalue
    why = (
        "C1's mean rank among C1 to C4 is 136/54 = 2.5185, printed 2.518, and C3's is 156/54 = 2.8889, printed 2.888: the paper "
        "cuts where it should round. Wilcoxon's p-values are exact; by the normal approximation the last one is "
        f"{normal:.4f}."
    )
    page.numbers(rows, why=why)
    table_1(page, frame)


def table_1(page, frame):
    page.head("Table 1: decisions that depend on the pool")
    page.text(
        "In how many of the pools with two, three and four others the mean-ranks test separates the pair; a dash where the "
        "pool does not matter. All 21 pairs were tried; those that the paper does not list depend on no pool there."
    )
    found = {(pair.a, pair.b): pair.pools for pair in podium.studies.pool_dependence(frame).pairs}
    rows = []
    for pair, sizes in found.items():
        cells = {pool.size: f"{pool.significant}/{pool.total}" if mixed(pool) else "-" for pool in sizes}
        printed = TABLE_1.get(pair, ("-", "-", "-"))
        if pair in TABLE_1 or any(cells.get(size, "-") != "-" for size in (4, 5, 6)):
            rows += [
                (f"{pair[0]} and {pair[1]}, {size - 2} others", value, cells.get(size, "-"))
                for size, value in zip((4, 5, 6), printed, strict=True)
            ]
    page.numbers(rows)
    page.text(
        "The pairwise tests that the paper recommends, and that Podium uses unless told otherwise, cannot show such a table: "
        "`podium study pool benavoli2016_zoo` makes this one, and the same command makes it for any data."
    )


def mixed(pool):
    return 0 < pool.significant < pool.total


def main(folder=PAPERS):
    page = Page("benavoli2016", "Benavoli, Corani and Mangili (2016): mean ranks", INTRO, folder)
    example_1(page)
    example_2(page)
    example_3(page)
    page.write()
    return page


if __name__ == "__main__":
    sys.stdout.write("\n\n".join(main().parts) + "\n")
