"""Whole commands in processes of their own, with processor time, wall time and peak memory; and how their cost grows.

python benchmarks/commands.py             # six tables, each from its file to the page and the JSON, beside the peers
python benchmarks/commands.py --write docs/data/commands.csv
python benchmarks/commands.py growth      # doubles datasets, algorithms and folds, and prints the exponents

The tables are made here, in a folder that is removed again. Each command runs twice, and the second run counts: what is
compiled is compiled once for a user. The peers run in processes of their own too; with PEERS set to a Python that has
autorank and scikit-posthocs, in that one. They have no holes, no cases and no folds, so that three tables have no peer. A peer
that takes longer than half a minute of processor time is stopped there.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

PEER_SECONDS = 30  # of processor time


def scores(n: int, k: int, *, decimals: int = 4, holes: float = 0.0, seed: int = 0) -> pd.DataFrame:
    """Accuracies of k algorithms on n datasets that are hard or easy for all."""
    rng = np.random.default_rng(seed)
    level = 0.75 + 0.15 * rng.random((n, 1)) + np.linspace(0, 0.03, k)
    values = (level + 0.02 * rng.normal(size=(n, k))).round(decimals)
    values[rng.random((n, k)) < holes] = np.nan
    frame = pd.DataFrame(values, columns=[f"algorithm {j + 1:03d}" for j in range(k)])
    frame.insert(0, "dataset", [f"dataset {i + 1:04d}" for i in range(n)])
    return frame


def passes(n: int, k: int) -> pd.DataFrame:
    """Pass or fail of k systems on n items."""
    rng = np.random.default_rng(0)
    right = 0.5 * rng.random((n, 1)) + 0.5 * rng.random((n, k)) < np.linspace(0.3, 0.8, k)
    frame = pd.DataFrame(right.astype(int), columns=[f"system {j + 1:03d}" for j in range(k)])
    frame.insert(0, "item", [f"item {i + 1:04d}" for i in range(n)])
    return frame


def folds(n: int, k: int, count: int) -> pd.DataFrame:
    """A long table: one row per dataset, fold and algorithm."""
    parts = [
        scores(n, k, seed=fold).melt("dataset", var_name="algorithm", value_name="accuracy") for fold in range(count)
    ]
    return pd.concat([part.assign(fold=fold) for fold, part in enumerate(parts)], ignore_index=True)


def automl(rows: int = 18_459, frameworks: int = 18, count: int = 10) -> pd.DataFrame:
    """Results as the AutoML benchmark writes them: a row per task, framework and fold; some runs failed."""
    tasks = -(-rows // (frameworks * count))
    long = folds(tasks, frameworks, count).iloc[:rows]
    failed = np.random.default_rng(1).random(len(long)) < 0.02
    names = long["dataset"].str.replace(" ", "-")
    return pd.DataFrame(
        {
            "id": "openml.org/t/" + names.str.slice(-4),
            "task": names,
            "framework": long["algorithm"].str.replace(" ", "_"),
            "constraint": "1h8c",
            "fold": long["fold"],
            "type": "binary",
            "result": long["accuracy"].where(~failed),
            "metric": "auc",
            "mode": "aws",
            "version": "1",
            "duration": 3600.0,
            "info": np.where(failed, "TimeoutError: over time", None),
        }
    )


TABLES: dict[str, tuple[Callable[[], pd.DataFrame], tuple[str, ...]]] = {
    "54 datasets x 7": (lambda: scores(54, 7), ("--metric", "accuracy")),
    "121 datasets x 179": (lambda: scores(121, 179), ("--metric", "accuracy")),
    "142 datasets x 40, 5% holes": (lambda: scores(142, 40, holes=0.05), ("--metric", "accuracy")),
    "900 datasets x 8, two decimals": (lambda: scores(900, 8, decimals=2), ("--metric", "accuracy")),
    "500 items x 134, pass or fail": (lambda: passes(500, 134), ("--unit", "case")),
    "18,459 rows of the AutoML benchmark": (automl, ()),
}


class Used(NamedTuple):
    """What a process took: seconds of all processors, seconds on the clock, megabytes at most."""

    processor: float
    wall: float
    megabytes: float
    stopped: bool = False


def used_by(command: list[str], *, most: int | None = None) -> Used:
    """What a process takes, which is stopped after at most so many processor seconds; why it failed ends this one."""
    start = time.perf_counter()
    limited = command if most is None else ["bash", "-c", f'ulimit -t {most} && exec "$@"', "bash", *command]
    with subprocess.Popen(limited, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) as process:
        said = process.stderr.read().decode() if process.stderr else ""
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    processor, stopped = used.ru_utime + used.ru_stime, False
    if process.returncode:
        stopped = most is not None and process.returncode < 0 and processor > 0.9 * most
        if not stopped:
            raise SystemExit(f"{command} failed: {said}")
    return Used(processor, time.perf_counter() - start, used.ru_maxrss / 1024, stopped)


def measured(frame: pd.DataFrame, options: tuple[str, ...], folder: Path) -> Used:
    """What `podium compare` takes on the table, with page and JSON."""
    table, page, data = (str(folder / name) for name in ("table.csv", "page.html", "all.json"))
    frame.to_csv(table, index=False)
    command = [sys.executable, "-m", "podium", "compare", table, *options, "-q", "--html", page, "--json", data]
    return [used_by(command) for _ in range(2)][-1]


PEERS = {
    "autorank": """
import matplotlib, autorank
matplotlib.use("agg")
result = autorank.autorank(frame, alpha=0.05, verbose=False)
autorank.create_report(result)
autorank.latex_report(result, generate_plots=True, figure_path=folder)
""",
    "scikit-posthocs": """
import scikit_posthocs
scikit_posthocs.posthoc_wilcoxon(list(frame.T.to_numpy()), p_adjust="holm").to_json(folder + "/all.json")
""",
}
READ = """
import sys, warnings, pandas
warnings.simplefilter("ignore")
folder = sys.argv[1]
frame = pandas.read_csv(folder + "/table.csv", index_col=0)
"""


def peers(folder: Path) -> Iterator[tuple[str, Used]]:
    """What each peer that is installed takes on the table in the folder."""
    python = os.environ.get("PEERS", sys.executable)
    for name, code in PEERS.items():
        installed = [python, "-c", f"import {name.replace('-', '_')}"]
        if subprocess.run(installed, capture_output=True, check=False).returncode == 0:
            command = [python, "-c", READ + code, str(folder)]
            first = used_by(command, most=PEER_SECONDS)
            yield name, first if first.stopped else used_by(command, most=PEER_SECONDS)


def commands() -> Iterator[tuple[str, str, Used]]:
    """Each table with each program that takes it, and what that took."""
    with tempfile.TemporaryDirectory() as name:
        for what, (make, options) in TABLES.items():
            frame = make()
            yield what, "podium", measured(frame, options, Path(name))
            if "dataset" in frame and len(frame.columns) > 4 and not frame.isna().any(axis=None):
                yield from ((what, peer, used) for peer, used in peers(Path(name)))


def run() -> Iterator[dict[str, Any]]:
    own: dict[str, Used] = {}
    for what, program, used in commands():
        if program == "podium":
            own[what] = used
        here, is_peer = own[what], program != "podium"
        note = f"processor time from file to page and JSON, {here.megabytes:.0f} MB at most"
        yield {
            "what": what,
            "podium_seconds": here.processor,
            "peer": program if is_peer else "",
            "peer_seconds": used.processor if is_peer else None,
            "ratio": used.processor / here.processor if is_peer else None,
            "note": note + (f", {used.megabytes:.0f} MB of the peer" if is_peer else ""),
        }


def write(path: Path) -> None:
    """The table of the book; it is written anew after every row, so that a run that was stopped leaves what it has."""
    rows = []
    for what, program, used in commands():
        over = "over " if used.stopped else ""
        times = {"processor s": f"{over}{used.processor:.1f}", "wall s": f"{over}{used.wall:.1f}"}
        rows.append({"table": what, "program": program, **times, "MB": f"{used.megabytes:.0f}"})
        print(rows[-1], flush=True)
        pd.DataFrame(rows).to_csv(path, index=False)


def growth() -> None:
    """Seconds beyond those of a tiny table, from a common middle, and the exponent of each doubling."""
    sweeps: dict[str, tuple[tuple[int, ...], Callable[[int], pd.DataFrame]]] = {
        "datasets (20 algorithms)": ((100, 200, 400, 800, 1600), lambda n: scores(n, 20)),
        "algorithms (100 datasets)": ((20, 40, 80, 160), lambda k: scores(100, k)),
        "folds (50 datasets, 10 algorithms)": ((5, 10, 20, 40), lambda count: folds(50, 10, count)),
    }
    with tempfile.TemporaryDirectory() as name:
        start = measured(scores(10, 3), ("--metric", "accuracy"), Path(name)).processor
        print(f"10 datasets x 3 (start of the program): {start:.2f} s")
        for what, (sizes, make) in sweeps.items():
            before = None
            for size in sizes:
                seconds, _, megabytes = measured(make(size), ("--metric", "accuracy"), Path(name))
                beyond = max(seconds - start, 1e-3)
                grown = "" if before is None else f", exponent {np.log2(beyond / before):.1f}"
                print(f"{what} {size}: {seconds:.2f} s, {megabytes:.0f} MB{grown}", flush=True)
                before = beyond


if __name__ == "__main__":
    if sys.argv[1:] == ["growth"]:
        growth()
    elif sys.argv[1:2] == ["--write"]:
        write(Path(sys.argv[2]))
    else:
        for what, program, used in commands():
            print(
                f"{what}, {program}: {used.processor:.1f} s, {used.wall:.1f} s of wall, {used.megabytes:.0f} MB",
                flush=True,
            )
