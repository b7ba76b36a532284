"""The numbers of other packages and those of Podium, on the same scores.

python benchmarks/peers.py > docs/data/peers.csv

Needs autorank, scikit-posthocs, baycomp and aeon in the same environment. A row is what was computed, before and after. Rates are shares
of simulated tables without any difference in which a difference is found at 5%.
"""

from __future__ import annotations

import contextlib
import csv
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import matplotlib as mpl
import numpy as np
import pandas as pd

mpl.use("Agg")
import autorank
import scikit_posthocs
from aeon.visualisation.results import _critical_difference as of_aeon

import podium
import podium.compat.scikit_posthocs

TABLES = 400
Row = tuple[str, str, Any, Any]
BLOCKS = np.array([[31, 27, 24], [31, 28, 31], [45, 29, 46], [21, 18, 48], [42, 36, 46], [32, 17, 40]])
TIED = [[5, 7, 9, 4, 8, 6, 7, 9, 5, 6, 7, 8, 9, 4, 6, 7], [4, 6, 8, 5, 6, 4, 8, 5, 4, 7, 5, 7, 6, 5, 4, 5]]


def both(call: Callable[[Any], Any], theirs: Any, ours: Any) -> tuple[Any, Any]:
    """What the call gives with their module and with ours; printing is kept quiet."""
    with contextlib.redirect_stdout(io.StringIO()):
        return call(theirs), call(ours)


def of_autorank() -> Iterator[Row]:
    rng = np.random.RandomState(42)
    means = [0.2, 0.3, 0.5, 0.8, 0.85, 0.9]
    data = pd.DataFrame({f"pop_{i}": rng.normal(mean, 0.3, 50).clip(0, 1) for i, mean in enumerate(means)})
    two = data[["pop_0", "pop_1"]]
    with contextlib.redirect_stdout(io.StringIO()):
        friedman = autorank.autorank(data).pvalue
        one = autorank.autorank(two)
        drawn = np.random.default_rng(0)
        tables = [pd.DataFrame(drawn.exponential(size=(15, 2)), columns=["a", "b"]) for _ in range(TABLES)]
        alarms = [autorank.autorank(table, force_mode="nonparametric").pvalue < 0.05 for table in tables]
    ours = [podium.stats.wilcoxon(table["a"], table["b"]).pvalue <= 0.05 for table in tables]
    wilcoxon = podium.stats.wilcoxon(two["pop_0"], two["pop_1"])
    yield "autorank", "p-value of pop_0 and pop_1 (Wilcoxon)", one.pvalue, wilcoxon.pvalue
    yield "autorank", "p-value of Friedman's test", friedman, podium.stats.friedman(data).pvalue
    yield "autorank", "false alarms of two equal columns, 15 rows", float(np.mean(alarms)), float(np.mean(ours))


def of_posthocs() -> Iterator[Row]:
    pair = (scikit_posthocs, podium.compat.scikit_posthocs)
    calls = {
        "Nemenyi's test of the first two columns": lambda m: m.posthoc_nemenyi_friedman(BLOCKS).iloc[0, 1],
        "Conover's test of the first two columns": lambda m: m.posthoc_conover_friedman(BLOCKS).iloc[0, 1],
        "the same, p_adjust='single-step'": lambda m: m.posthoc_conover_friedman(BLOCKS, p_adjust="single-step").iloc[
            0, 1
        ],
        "Wilcoxon's test of 16 pairs with ties": lambda m: m.posthoc_wilcoxon(TIED).iloc[0, 1],
    }
    for what, call in calls.items():
        yield ("scikit-posthocs", what, *both(call, *pair))


def of_critical_differences() -> Iterator[Row]:
    """aeon: how often some of four equal estimators are told apart, beside a fifth that is worse."""
    rng = np.random.default_rng(1)
    tables = [rng.normal([0, 0, 0, 0, -2], size=(20, 5)) for _ in range(TABLES)]
    names = list("ABCDE")

    def theirs(scores: Any) -> bool:
        ranks = of_aeon._compute_ranks(scores, False)
        labels, means, ordered = of_aeon._sort_by_average_rank(scores, names, ranks)
        cliques, _ = of_aeon._find_cliques(ranks, ordered, labels, means, 20, 5, "wilcoxon", "holm", 0.05, False)
        equal = np.isin(labels, names[:4])
        return not any(np.all(np.asarray(clique)[equal]) for clique in cliques)

    def ours(scores: Any) -> bool:
        from podium.stats.posthoc.all_pairs import all_pairs

        return bool(all_pairs(scores, test="wilcoxon", correction="holm").better(0.05)[:4, :4].any())

    rates = [float(np.mean([alarm(scores) for scores in tables])) for alarm in (theirs, ours)]
    yield ("aeon", "false alarms of four equal estimators and one worse, 20 datasets", *rates)


def main() -> None:
    """Write the table."""
    warnings.simplefilter("ignore")
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(["package", "what", "before", "after"])
    for rows in (of_posthocs, of_critical_differences, of_autorank):
        for package, what, *values in rows():
            writer.writerow([package, what, *(f"{one:.4g}" if isinstance(one, float) else one for one in values)])
            sys.stdout.flush()


if __name__ == "__main__":
    main()
