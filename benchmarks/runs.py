"""Aggregates and the probability of improvement of 26 tasks x 5 runs, against rliable in the same run.

    PYTHON=/path/to/python-with-rliable python benchmarks/runs.py

rliable needs pandas below 3, and so an environment of its own; it is timed there by a process that this one starts.
The aggregates are timed with 50,000 resamples, rliable's default; the probability of improvement with 2,000, as in its README: its
50,000 would take twenty-five times as long. Nothing is scaled.
"""

import os
import subprocess
import time

import numpy as np

from podium.runs import aggregates
from podium.runs.improvement import improvement

RESAMPLES = 50_000
PEER = """
import time, numpy as np
from rliable import library as rly, metrics
rng = np.random.default_rng(0)
a, b = rng.normal(1, 0.3, (5, 26)), rng.normal(0.8, 0.3, (5, 26))
four = lambda x: np.array([metrics.aggregate_median(x), metrics.aggregate_iqm(x), metrics.aggregate_mean(x),
                           metrics.aggregate_optimality_gap(x)])
start = time.perf_counter(); rly.get_interval_estimates({"a": a}, four, reps=50_000)
print(time.perf_counter() - start)
start = time.perf_counter(); rly.get_interval_estimates({"ab": (a, b)}, metrics.probability_of_improvement, reps=2000)
print(time.perf_counter() - start)
"""


def best_of(times, call):
    """The shortest of several times, in seconds."""
    found = []
    for _ in range(times):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    a, b = rng.normal(1, 0.3, (5, 26)), rng.normal(0.8, 0.3, (5, 26))
    own = best_of(5, lambda: aggregates({"a": a}, draws=RESAMPLES)), best_of(5, lambda: improvement(a.T, b.T))
    python = os.environ.get("PYTHON")
    told = subprocess.run([python, "-c", PEER], capture_output=True, text=True, check=True).stdout if python else ""
    for name, mine, theirs in zip(
        ("four aggregates", "probability of improvement"), own, told.split() or ("nan",) * 2, strict=True
    ):
        print(f"{name}: podium {mine:.5f} s, rliable {float(theirs):.1f} s, {float(theirs) / mine:.0f} times")
