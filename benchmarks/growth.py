"""How the cost of comparing grows: datasets, algorithms, columns and folds are doubled, one at a time.

    python benchmarks/growth.py            (doublings of tables of usual size)
    python benchmarks/growth.py large      (the sizes of `docs/methods/growth.md`, a process for each)
    python benchmarks/growth.py large NAME (those whose name has NAME in it)
    python benchmarks/growth.py files      (files of 20 MB: Podium against pandas, a process for each)

The first prints a table for each: milliseconds of processor time at every size, the shortest of a few runs, and the exponent of the last
doubling (1: twice the time for twice the size). Small parts are mostly fixed cost, so that their exponents are below what
they tend to. Scores have three decimals, and every tenth algorithm is better than the rest. The second prints seconds of
processor time in a process where nothing is compiled yet: of the first run, and of the shortest of three more, as what is worth it
may be compiled in the second; the exponent of the latter from one size to the next, and the peak of memory. Peers are measured by
turns in the same process.
"""

from __future__ import annotations

import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

import podium
from podium.comparison.leave_one_out import lost_without
from podium.evidence.cases import as_cases
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


def untied(n: int, k: int, decimals: int = 16) -> np.ndarray:
    """Scores of n x k with hardly any ties, or rounded."""
    random = np.random.default_rng(0)
    return np.round(0.8 + 0.05 * random.standard_normal((n, 1)) + 0.03 * random.standard_normal((n, k)), decimals)


def whole(n: int, k: int, holes: float = 0.0) -> Callable[[], Any]:
    """A comparison of n x k scores of three decimals, some of them missing."""
    values = table_of(n, k)[:, :, 0]
    values[np.random.default_rng(1).random(values.shape) < holes] = np.nan
    frame = pd.DataFrame(values, [f"d{i}" for i in range(n)], [f"a{j}" for j in range(k)]).rename_axis("dataset")
    return lambda: podium.compare(frame, direction="higher")


def untied_comparison(decimals: int) -> Callable[[], Any]:
    """A comparison of 1,000 x 200 scores with so many decimals."""
    names = [f"d{i}" for i in range(1000)], [f"a{j}" for j in range(200)]
    frame = pd.DataFrame(untied(1000, 200, decimals), *names).rename_axis("dataset")
    return lambda: podium.compare(frame, direction="higher")


def runs_of(tasks: int) -> Callable[[], Any]:
    """A comparison of two agents on so many tasks, five runs each."""
    scores = np.random.default_rng(0).normal(0.5, 0.2, (2, 5, tasks))
    return lambda: podium.runs.profiles({"a": scores[0], "b": scores[1] + 0.01})


def page(n: int) -> Callable[[], Any]:
    """The page of a comparison of two algorithms on n datasets."""
    report = document(whole(n, 2)())
    return lambda: render_html(report)


def macro_means(n: int, k: int) -> Callable[[], Any]:
    """All pairs of k algorithms on n cases of five benchmarks that pass or fail."""
    passed = np.random.default_rng(0).integers(0, 2, (n, k)).astype(float)
    cases = as_cases(passed, benchmarks=[f"benchmark {i % 5}" for i in range(n)])
    return lambda: podium.cases.all_pairs(cases)


def bayes_pairs(k: int) -> Callable[[], Any]:
    """The signed-rank model for all pairs of k algorithms on 30 datasets."""
    return partial(podium.bayes.all_pairs, untied(30, k), rng=0)


def pairs_against_scipy(n: int, k: int, decimals: int) -> None:
    """All pairs exactly, and by SciPy's asymptotic form, by turns: the ratio of the shortest of three runs."""
    from scipy.stats import wilcoxon

    values = untied(n, k, decimals)
    first, second = np.triu_indices(k, 1)
    for _ in range(10):  # until what is worth it is compiled
        podium.stats.all_pairs(values)
    ours, theirs = [], []
    for _ in range(3):
        for call, times in (
            (lambda: wilcoxon(values[:, first], values[:, second], method="asymptotic"), theirs),
            (lambda: podium.stats.all_pairs(values), ours),
        ):
            start = time.process_time()
            call()
            times.append(time.process_time() - start)
    told = "untied" if decimals > 9 else f"{decimals} decimals"
    print(f"| {n} x {k}, {told} | {min(ours):.3g} | {min(theirs):.3g} | {min(theirs) / min(ours):.1f} |")


LARGE: dict[str, tuple[tuple[int, ...], Callable[[int], Callable[[], Any]]]] = {
    "comparison, n x 7": ((500, 1000, 1001), lambda n: whole(n, 7)),
    "comparison, n x 2": ((1000, 10_000, 100_000), lambda n: whole(n, 2)),
    "comparison, n x 20 with a tenth missing": ((1000, 10_000), lambda n: whole(n, 20, 0.1)),
    "comparison, 1,000 x 200, d decimals": ((2, 3, 4, 16), untied_comparison),
    "comparison, 200 x k": ((125, 250, 500), lambda k: whole(200, k)),
    "p-values of 1,000 x k, untied": ((100, 200, 500), lambda k: partial(podium.stats.all_pairs, untied(1000, k))),
    "p-values of n x 100, untied": ((300, 301, 1000), lambda n: partial(podium.stats.all_pairs, untied(n, 100))),
    "bayes.sign of n datasets": (
        (1000, 10_000, 100_000),
        lambda n: partial(podium.bayes.sign, *untied(n, 2).T, rng=0),
    ),
    "Wilcoxon's test of n datasets": (
        (1000, 3000, 10_000),
        lambda n: partial(podium.stats.wilcoxon, *untied(n, 2, 4).T),
    ),
    "profiles of 2 agents on n tasks": ((1000, 10_000), runs_of),
    "p-values of 1,000 x k, rounded": ((100, 200), lambda k: partial(podium.stats.all_pairs, untied(1000, k, 2))),
    "macro means of n x 10 cases": ((10_000, 100_000), lambda n: macro_means(n, 10)),
    "macro means of 10,000 x k cases": ((67, 134), lambda k: macro_means(10_000, k)),
    "page of n datasets": ((1000, 10_000, 100_000), page),
    "Bayes, all pairs of k algorithms": ((50, 100), bayes_pairs),
}
SCIPY = tuple((121, 179, decimals) for decimals in (16, 4, 3, 2))


def one(name: str, size: int) -> None:
    """Seconds of processor time of the first run and of the shortest of three more, and the peak of memory in MB."""
    call, seconds = LARGE[name][1](size), []
    for _ in range(4):
        start = time.process_time()
        call()
        seconds.append(time.process_time() - start)
    print(seconds[0], min(seconds[1:]), peak())


def large(only: str = "") -> None:
    """The table of large sizes, in Markdown; every size in a process of its own where nothing is compiled yet."""
    print("| what | size | first | again | exponent | peak MB |\n|---|---|---|---|---|---|")
    for name, (sizes, _) in LARGE.items():
        before: tuple[int, float] | None = None
        for size in sizes if only in name else ():
            with tempfile.TemporaryDirectory() as folder:
                command = [sys.executable, __file__, "one", name, str(size)]
                kernels = {**os.environ, "NUMBA_CACHE_DIR": folder}
                done = subprocess.run(command, capture_output=True, text=True, check=True, env=kernels)
            first, seconds, memory = map(float, done.stdout.split())
            step = before and size > 1.2 * before[0] and "decimals" not in name
            exponent = f"{math.log(seconds / before[1]) / math.log(size / before[0]):.1f}" if before and step else ""
            print(f"| {name} | {size:,} | {first:.3g} | {seconds:.3g} | {exponent} | {memory:.0f} |", flush=True)
            before = size, seconds
    if only:
        return
    print("\n| all pairs, exactly | CPU seconds | SciPy, asymptotic | ratio |\n|---|---|---|---|")
    for each in SCIPY:
        pairs_against_scipy(*each)


def long_file(path: Path, megabytes: float) -> None:
    """A row per algorithm, dataset and fold."""
    n = int(megabytes * 1e6 / 33)
    datasets, algorithms, folds = max(2, n // 200), 20, 10
    rows = np.arange(datasets * algorithms * folds)
    frame = pd.DataFrame({"dataset": "dataset" + pd.Series(rows // 200).astype(str)})
    frame["algorithm"] = "algorithm" + pd.Series(rows // folds % algorithms).astype(str)
    frame["fold"], frame["accuracy"] = rows % folds, np.random.default_rng(0).random(len(rows)).round(4)
    frame.to_csv(path, index=False)


def wide_file(path: Path, megabytes: float) -> None:
    """A row per dataset, a column for each of 50 algorithms."""
    n = int(megabytes * 1e6 / 360)
    frame = pd.DataFrame(np.random.default_rng(0).random((n, 50)).round(4)).add_prefix("algorithm")
    frame.insert(0, "dataset", "dataset" + pd.Series(range(n)).astype(str))
    frame.to_csv(path, index=False)


def cases_frame(megabytes: float) -> pd.DataFrame:
    """A row per item and model, right or wrong."""
    n = int(megabytes * 1e6 / 22 / 10)
    rows = np.arange(10 * n)
    return pd.DataFrame(
        {
            "item": "question " + pd.Series(rows // 10).astype(str),
            "model": "model" + pd.Series(rows % 10).astype(str),
            "correct": np.random.default_rng(0).integers(0, 2, len(rows)),
        }
    )


def cases_file(path: Path, megabytes: float) -> None:
    """The same as CSV."""
    cases_frame(megabytes).to_csv(path, index=False)


def parquet_file(path: Path, megabytes: float) -> None:
    """The same as Parquet, which holds it in a twentieth: as many rows as a CSV of this size."""
    cases_frame(megabytes).to_parquet(path, index=False)


FILES: dict[str, tuple[Callable[[Path, float], None], str]] = {
    "long CSV": (long_file, "long.csv"),
    "wide CSV": (wide_file, "wide.csv"),
    "cases CSV": (cases_file, "cases.csv"),
    "cases Parquet": (parquet_file, "cases.parquet"),
}
FILE_MEGABYTES = 20.0


def peak() -> float:
    """The peak of this process's memory in MB; `ru_maxrss` would be the parent's where that was larger."""
    (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024


def one_file(who: str, path: Path) -> None:
    """Seconds of processor time of reading a file once, and by how many MB the peak of memory rose."""
    pandas_reads = pd.read_parquet if path.suffix == ".parquet" else pd.read_csv
    read = partial(podium.read, metric="accuracy" if path.stem == "wide" else None) if who == "podium" else pandas_reads
    read(path.with_name(f"small_{path.name}"))  # what is loaded on first use is not the file's
    before, start = peak(), time.process_time()
    read(path)
    print(time.process_time() - start, peak() - before)


def files() -> None:
    """MB a second and memory in sizes of the file, Podium against pandas, in Markdown."""
    print(
        "| file | MB | Podium MB/s | pandas MB/s | ratio | Podium: memory / file | pandas |\n|---|---|---|---|---|---|---|"
    )
    for name, (make, file) in FILES.items():
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, file)
            make(path, FILE_MEGABYTES)
            make(path.with_name(f"small_{file}"), FILE_MEGABYTES / 1000)
            size = path.stat().st_size / 1e6
            found = []
            for who in ("podium", "pandas"):
                command = [sys.executable, __file__, "file", who, str(path)]
                done = subprocess.run(command, capture_output=True, text=True, check=True)
                found.append(tuple(map(float, done.stdout.split())))
        (own, own_peak), (theirs, their_peak) = found
        speeds = f"{size / own:.0f} | {size / theirs:.0f} | {theirs / own:.2f}"
        print(f"| {name} | {size:.1f} | {speeds} | {own_peak / size:.1f} | {their_peak / size:.1f} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1:2] == ["file"]:
        one_file(sys.argv[2], Path(sys.argv[3]))
        raise SystemExit
    if sys.argv[1:] == ["files"]:
        files()
        raise SystemExit
    if sys.argv[1:2] == ["one"]:
        one(sys.argv[2], int(sys.argv[3]))
        raise SystemExit
    if sys.argv[1:2] == ["large"]:
        large(*sys.argv[2:])
        raise SystemExit
    show("datasets, with 20 algorithms", DATASETS, [parts(n, 20) for n in DATASETS])
    show("algorithms, on 100 datasets", ALGORITHMS, [parts(100, k) for k in ALGORITHMS])
    show("columns, on 200 datasets", COLUMNS, [reading_by_column(k) for k in COLUMNS])
    show("folds, of 10 algorithms on 50 datasets", FOLDS, [parts_by_fold(folds) for folds in FOLDS])
