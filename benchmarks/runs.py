"""Aggregates and the probability of improvement of 26 tasks x 5 runs, Podium and rliable by turns in one run.

    python benchmarks/runs.py --rliable /path/to/python-with-rliable [--rounds 3] [--write docs/data/runs_speed.csv]

rliable needs pandas below 3, and so an environment of its own: `--rliable` (or the variable RLIABLE_PYTHON) names its Python. One
process of it stays open and is asked by turns with Podium, so that both meet the same machine. Both get the same numbers. Seconds are
of the processor, the shortest of the rounds for each; nothing is scaled. The four aggregates have 50,000 resamples, rliable's default;
its probability of improvement has 2,000, as in its README, because 50,000 would take twenty-five times as long.
"""

from __future__ import annotations

import argparse
import csv
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from podium.runs import aggregates
from podium.runs.improvement import improvement

TASKS, REPEATS = 26, 5
RESAMPLES = {"four aggregates": 50_000, "probability of improvement": 2_000}
PEER = """
import contextlib, json, sys, time, warnings
warnings.simplefilter("ignore")
import numpy as np
from rliable import library as rly, metrics
a, b = (np.array(item) for item in json.loads(sys.stdin.readline()))
four = lambda x: np.array([metrics.aggregate_iqm(x), metrics.aggregate_mean(x), metrics.aggregate_median(x),
                           metrics.aggregate_optimality_gap(x)])
calls = {
    "four aggregates": lambda reps: rly.get_interval_estimates({"a": a}, four, reps=reps),
    "probability of improvement": lambda reps: rly.get_interval_estimates({"ab": (a, b)}, metrics.probability_of_improvement, reps=reps),
}
for line in sys.stdin:
    name, reps = json.loads(line)
    start = time.process_time()
    with contextlib.redirect_stdout(sys.stderr):
        value, ends = calls[name](reps)
    print(json.dumps([time.process_time() - start, np.atleast_1d(list(value.values())[0]).tolist()]), flush=True)
"""


def scores() -> tuple[Any, Any]:
    """Runs x tasks of two agents."""
    rng = np.random.default_rng(0)
    return rng.normal(1, 0.3, (REPEATS, TASKS)), rng.normal(0.8, 0.3, (REPEATS, TASKS))


class Peer:
    """rliable in a process of its own, asked one thing at a time."""

    def __init__(self, python: str, *data: Any) -> None:
        self.process = subprocess.Popen(
            [python, "-c", PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self._send([item.tolist() for item in data])

    def _send(self, value: Any) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(value) + "\n")
        self.process.stdin.flush()

    def ask(self, name: str) -> tuple[float, list[float]]:
        """Its processor seconds and its numbers."""
        self._send([name, RESAMPLES[name]])
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit("rliable did not answer: is it installed there, with pandas below 3?")
        took, value = json.loads(line)
        return took, value

    def close(self) -> None:
        """End the process."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def calls() -> dict[str, Callable[[], list[float]]]:
    """What Podium computes, and the numbers that both should agree on."""
    a, b = scores()

    def four() -> list[float]:
        return [float(one) for one in aggregates({"a": a}, draws=RESAMPLES["four aggregates"]).values[0]]

    return {"four aggregates": four, "probability of improvement": lambda: [improvement(a.T, b.T).value]}


def seconds(call: Callable[[], Any], least: float = 0.2) -> float:
    """Processor seconds of one call, from as many as fill the least time."""
    call()
    times, start = 0, time.process_time()
    while time.process_time() - start < least:
        call()
        times += 1
    return (time.process_time() - start) / times


def measured(python: str | None, rounds: int) -> Iterator[dict[str, Any]]:
    """One row for each thing that is computed."""
    peer = Peer(python, *scores()) if python else None
    own = calls()
    best: dict[str, tuple[float, float]] = dict.fromkeys(own, (float("inf"), float("inf")))
    apart = dict.fromkeys(own, float("nan"))
    for _ in range(rounds):
        for name, call in own.items():
            theirs, numbers = peer.ask(name) if peer else (float("nan"), [float("nan")])
            best[name] = min(best[name][0], seconds(call)), min(best[name][1], theirs)
            apart[name] = float(np.max(np.abs(np.array(call()) - numbers)))
    if peer:
        peer.close()
    for name, (mine, theirs) in best.items():
        yield {
            "what": name,
            "resamples": RESAMPLES[name],
            "podium": f"{mine:.3g}",
            "rliable": f"{theirs:.3g}",
            "times": f"{theirs / mine:.0f}",
            "apart": f"{apart[name]:.2g}",
        }


def main() -> None:
    """Print the ratios, and write them where that is asked for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--rliable", default=os.environ.get("RLIABLE_PYTHON"), help="a Python that has rliable")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--write", type=Path, help="a CSV file for the rows")
    given = parser.parse_args()
    rows = list(measured(given.rliable, given.rounds))
    for row in rows:
        print(
            f"{row['what']}: podium {row['podium']} s, rliable {row['rliable']} s, {row['times']} times "
            f"(values differ by at most {row['apart']})"
        )
    if given.write:
        with given.write.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(rows[0]), lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)


if __name__ == "__main__":
    sys.exit(main())
