"""A long file of one million scores, read and turned into an array, against pandas' own read_csv and pivot."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

# Each measure runs in a process of its own, so that the peak of memory is its own.
_TIMED = """
import resource, sys, time
{imports}
path = sys.argv[1]
start = time.perf_counter()
{work}
seconds = time.perf_counter() - start
print(seconds, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
"""
_PODIUM = _TIMED.format(
    imports="import podium, pandas, podium.reading.assemble",
    work="values = podium.read(path).scores('accuracy').values; assert values.shape == (100, 100, 10, 10)",
)
_PANDAS = _TIMED.format(imports="import pandas", work="frame = pandas.read_csv(path); assert len(frame) == 1_000_000")
_PIVOT = _TIMED.format(
    imports="import pandas",
    work="frame = pandas.read_csv(path).set_index(['dataset', 'algorithm', 'repeat', 'fold'])['accuracy'];"
    "values = frame.unstack(['algorithm', 'repeat', 'fold']).to_numpy(); assert values.shape == (100, 10_000)",
)


def _million(folder: Path) -> Path:
    index = np.indices((100, 100, 10, 10)).reshape(4, -1)
    frame = pd.DataFrame(
        {
            "dataset": [f"dataset_{i}" for i in index[0]],
            "algorithm": [f"algorithm_{i}" for i in index[1]],
            "repeat": index[2],
            "fold": index[3],
            "accuracy": np.random.default_rng(0).random(index.shape[1]),
        }
    )
    path = folder / "million.csv"
    frame.to_csv(path, index=False)
    return path


def _measure(code: str, path: Path, times: int = 3) -> tuple[float, float]:
    """The fastest of a few runs in seconds, and its peak of memory in MB."""
    runs = []
    for _ in range(times):
        ran = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
        seconds, megabytes = map(float, ran.stdout.split())
        runs.append((seconds, megabytes))
    return min(runs)


def run() -> list[dict[str, object]]:
    with tempfile.TemporaryDirectory() as folder:
        path = _million(Path(folder))
        seconds, megabytes = _measure(_PODIUM, path)
        rows = []
        for peer, code in (("pandas.read_csv alone", _PANDAS), ("pandas.read_csv and unstack", _PIVOT)):
            peer_seconds, peer_megabytes = _measure(code, path)
            rows.append(
                {
                    "what": "one million long rows to Scores",
                    "podium_seconds": seconds,
                    "peer": peer,
                    "peer_seconds": peer_seconds,
                    "ratio": seconds / peer_seconds,
                    "note": f"peak memory {megabytes:.0f} MB against {peer_megabytes:.0f} MB",
                }
            )
        return rows


if __name__ == "__main__":
    for row in run():
        print(row)
