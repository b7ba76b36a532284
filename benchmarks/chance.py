"""Exact critical values, against a numpy simulation of the same accuracy and scipy's exact Mann-Whitney test."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from scipy import stats

import podium
from podium.chance.best_of import single_level
from podium.chance.tables import PAPER_SIZES

PAPER_METRICS = ("best_accuracy", "tp10", "auc", "best_f1")
# Section 3 of the paper: one critical value of each metric for P = N = 100 and C = 100.
PAPER_SECONDS = 5.5 * 3600


def _fastest(work: Callable[[], Any], times: int) -> float:
    """Seconds of the fastest of some runs, after a first that is not counted."""
    work()
    best = float("inf")
    for _ in range(times):
        start = time.perf_counter()
        work()
        best = min(best, time.perf_counter() - start)
    return best


def _row(what: str, seconds: float, peer: str, peer_seconds: float | None, note: str = "") -> dict[str, Any]:
    ratio = None if peer_seconds is None else peer_seconds / seconds
    return {
        "what": what,
        "podium_seconds": seconds,
        "peer": peer,
        "peer_seconds": peer_seconds,
        "ratio": ratio,
        "note": note,
    }


def _simulate(metric: str, P: int, N: int, rows: int) -> None:
    """One batch of the paper's simulation in numpy: shuffle, score, keep the best."""
    labels = np.zeros((rows, P + N), np.uint8)
    labels[:, :P] = 1
    labels = np.random.default_rng(0).permuted(labels, axis=1)
    tp = np.cumsum(labels, axis=1, dtype=np.int32)
    n = np.arange(1, P + N + 1, dtype=np.int32)
    if metric == "tp10":
        scores = tp[:, 9].astype(float)
    elif metric == "best_accuracy":
        scores = (N + (2 * tp - n).max(axis=1)) / (P + N)
    elif metric == "best_f1":
        scores = (2 * tp / (P + n)).max(axis=1)
    else:
        scores = (labels * (N - n + tp)).sum(axis=1) / (P * N)
    np.partition(scores, rows - 10)


def single_values() -> list[dict[str, Any]]:
    """One critical value for P = N = 100 and 1000, C = 100; the simulation is timed on a batch and scaled to R."""
    found = []
    repeats = int(1000 / single_level(0.01, 100))
    for size in (100, 1000):
        total, simulated = 0.0, 0.0
        for metric in PAPER_METRICS:
            settings = {"positives": size, "negatives": size, "competitors": 100, "alpha": 0.01}
            seconds = _fastest(lambda m=metric, s=settings: podium.chance.critical_value(m, **s), 50)
            rows = 200_000 // size
            batch = _fastest(lambda m=metric, k=size, r=rows: _simulate(m, k, k, r), 3) * repeats / rows
            total, simulated = total + seconds, simulated + batch
            found.append(
                _row(
                    f"{metric}, P = N = {size}, C = 100, alpha = 1 %",
                    seconds,
                    f"numpy simulation, {repeats:,} rankings (scaled from {rows:,})",
                    batch,
                    "the simulation still has noise in the third decimal",
                )
            )
        note = f"the paper: {PAPER_SECONDS:.0f} s on a laptop of 2005" if size == 100 else ""
        found.append(_row(f"all four, P = N = {size}", total, "numpy simulation (scaled)", simulated, note))
    return found


def mann_whitney() -> list[dict[str, Any]]:
    """The exact pvalue of an AUC, against scipy."""
    found = []
    for size in (50, 100, 200):
        random = np.random.default_rng(size)
        positives, negatives = random.random(size) + 0.1, random.random(size)
        u = int((positives[:, None] > negatives).sum())
        ours = podium.chance.pvalue("auc", u / size**2, positives=size, negatives=size)

        def peer(a: Any = positives, b: Any = negatives) -> float:
            # scipy keeps the counts of the last sizes per thread; a new test set pays for them, as a new thread does
            with ThreadPoolExecutor(1) as fresh:
                tested = fresh.submit(stats.mannwhitneyu, a, b, alternative="greater", method="exact")
                return float(tested.result().pvalue)

        theirs = peer()
        assert abs(ours.pvalue / theirs - 1) < 1e-9
        seconds = _fastest(lambda k=size, v=u: podium.chance.pvalue("auc", v / k**2, positives=k, negatives=k), 50)
        found.append(
            _row(
                f"exact pvalue of an AUC, P = N = {size}",
                seconds,
                "scipy.stats.mannwhitneyu(method='exact')",
                _fastest(peer, 3),
                "equal to 1e-9",
            )
        )
    return found


def nine_tables() -> list[dict[str, Any]]:
    """Appendix B: three metrics, 361 sizes, three numbers of competitors."""

    def work() -> None:
        for metric in ("best_accuracy", "auc", "best_f1"):
            podium.chance.critical_table(metric, positives=PAPER_SIZES, negatives=PAPER_SIZES)

    return [_row("the nine tables of appendix B", _fastest(work, 3), "the paper: CPU-months", None)]


def first_call() -> list[dict[str, Any]]:
    """A new process, from its start to four critical values: imports, cached kernels, answers."""
    code = (
        "import time; start = time.perf_counter(); import podium\n"
        f"for metric in {PAPER_METRICS}: podium.chance.critical_value(metric, positives=150, negatives=484, competitors=114)\n"
        "print(time.perf_counter() - start)"
    )
    runs = [
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout)
        for _ in range(3)
    ]
    return [_row("first call in a new process, all four metrics", min(runs), "", None, "fastest of three")]


def run() -> list[dict[str, Any]]:
    """All measures of this machine, in one run."""
    return [*first_call(), *single_values(), *mann_whitney(), *nine_tables()]


def main() -> None:
    for row in run():
        against = "" if row["ratio"] is None else f"  x {row['ratio']:,.0f} of {row['peer']}"
        print(f"{row['what']:52} {row['podium_seconds'] * 1e3:12.3f} ms{against}  {row['note']}")


if __name__ == "__main__":
    main()
