"""How the cost of comparing grows: datasets, algorithms, columns and folds are doubled, one at a time.

    python benchmarks/growth.py

Prints a table for each: milliseconds of processor time at every size, the shortest of a few runs, and the exponent of the last
doubling (1: twice the time for twice the size). Small parts are mostly fixed cost, so that their exponents are below what
they tend to. Scores have three decimals, and every tenth algorithm is better than the rest.
"""

from __future__ import annotations

import math
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium.comparison.leave_one_out import lost_without
from podium.report.documents import document
from podium.report.render_html import render_html

DATASETS, ALGORITHMS, FOLDS = (100, 200, 400, 800), (10, 20, 40), (5, 10, 20, 40)
COLUMNS = (125, 250, 500, 1000)
AT_LEAST = 0.2  # seconds of runs of a part


def table_of(n: int, k: int, folds: int = 1) -> np.ndarray:
    """Accuracies of k algorithms on n datasets, three decimals, by fold."""
    random = np.random.default_rng(0)
    made = 0.8 + 0.05 * random.standard_normal((n, 1, 1)) + 0.03 * random.standard_normal((n, k, folds))
    return np.round(made + 0.01 * (np.arange(k) % 10 == 0)[:, None], 3)


def processor(call: Callable[[], Any]) -> float:
    """The shortest of a few runs, in seconds of processor time; the first compiles and fills caches."""
    call()
    found: list[float] = []
    while sum(found) < AT_LEAST or len(found) < 2:
        start = time.process_time()
        call()
        found.append(time.process_time() - start)
    return min(found)


def parts(n: int, k: int) -> dict[str, float]:
    """Seconds of each part of a comparison of n x k scores, and of the whole."""
    names = [f"dataset {i + 1}" for i in range(n)], [f"algorithm {j + 1}" for j in range(k)]
    frame = pd.DataFrame(table_of(n, k)[:, :, 0], *names).rename_axis("dataset")
    found = podium.compare(frame, direction="higher")
    table, pairs = found.table, found.pairs
    return {
        "p-values of all pairs": processor(lambda: podium.stats.all_pairs(table)),
        "effects and intervals": processor(lambda: podium.stats.all_pairs(table).effect),
        "rank intervals": processor(lambda: podium.stats.rank_intervals(pairs)),
        "letters and groups": processor(lambda: podium.stats.groups(pairs)),
        "leaving out each dataset": processor(lambda: lost_without(table, pairs, 0.05)),
        "Friedman's test": processor(lambda: podium.stats.friedman(table)),
        "the whole comparison": processor(lambda: podium.compare(frame, direction="higher")),
        "its page": processor(lambda: render_html(document(found))),
    }


def parts_by_fold(folds: int) -> dict[str, float]:
    """Seconds of reading 50 x 10 scores by fold from a file, of averaging and of comparing them."""
    values = table_of(50, 10, folds)
    places = np.indices(values.shape).reshape(3, -1)
    long = pd.DataFrame(dict(zip(("dataset", "algorithm", "fold"), places, strict=True))) + 1
    long = long.astype({"dataset": str, "algorithm": str}).assign(accuracy=values.ravel())
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "scores.csv"
        long.to_csv(path, index=False)
        results = podium.read(path, repeats=1)
        return {
            "reading the file": processor(lambda: podium.read(path, repeats=1)),
            "averaging the folds": processor(lambda: results.scores().table()),
            "the whole comparison": processor(lambda: podium.compare(results)),
        }


def reading_by_column(k: int) -> dict[str, float]:
    """Seconds of reading 200 x k scores from a file."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "accuracy.csv"
        pd.DataFrame(table_of(200, k)[:, :, 0]).add_prefix("algorithm ").rename_axis("dataset").to_csv(path)
        return {"reading the file": processor(lambda: podium.read(path))}


def show(what: str, sizes: tuple[int, ...], measured: list[dict[str, float]]) -> None:
    """A table in Markdown."""
    print(f"\n| {what} | {' | '.join(map(str, sizes))} | exponent |\n|{'---|' * (len(sizes) + 2)}")
    for part in measured[0]:
        seconds = [times[part] for times in measured]
        exponent = math.log(seconds[-1] / seconds[-2]) / math.log(sizes[-1] / sizes[-2])
        told = " | ".join(f"{1000 * each:.2g}" if each < 0.1 else f"{1000 * each:.0f}" for each in seconds)
        print(f"| {part} | {told} | {round(exponent, 1) + 0.0:.1f} |")  # never -0.0


if __name__ == "__main__":
    show("datasets, with 20 algorithms", DATASETS, [parts(n, 20) for n in DATASETS])
    show("algorithms, on 100 datasets", ALGORITHMS, [parts(100, k) for k in ALGORITHMS])
    show("columns, on 200 datasets", COLUMNS, [reading_by_column(k) for k in COLUMNS])
    show("folds, of 10 algorithms on 50 datasets", FOLDS, [parts_by_fold(folds) for folds in FOLDS])
