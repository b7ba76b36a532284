"""Visitors in numbers: 50 at once comparing 54 x 7 tables, and a 121 x 179 table that must not stand in their way.

    python benchmarks/web.py

The server, its workers and the visitors share this machine. The peer is the same work without a server: one
comparison and its report after the other in one process. Every answer is checked; an error ends the script.
"""

from __future__ import annotations

import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "web"))

import httpx
from load import TABLE, compare_large, expected_pairs, large_table, visitors
from serving import serving

import podium
from podium.web.tasks import reported

VISITORS = 50


def alone(count: int) -> float:
    """Seconds for so many comparisons and reports, one after the other in one process."""
    start = time.perf_counter()
    for _ in range(count):
        reported(podium.compare(podium.read(TABLE)))
    return time.perf_counter() - start


def crowd(address: str, pairs: list[float]) -> dict[str, Any]:
    """All visitors at once."""
    start = time.perf_counter()
    times = sorted(visitors(address, VISITORS, pairs))
    total = time.perf_counter() - start
    peer = alone(5) * VISITORS / 5
    return {
        "what": f"{VISITORS} visitors at once, 54 x 7, all answers correct",
        "podium_seconds": total,
        "peer": "the same in one process, one after the other (5 timed, scaled)",
        "peer_seconds": peer,
        "ratio": peer / total,
        "note": f"median visitor {times[len(times) // 2]:.1f} s, slowest {times[-1]:.1f} s",
    }


def beside_a_large_one(address: str) -> list[dict[str, Any]]:
    """How long a small question takes, alone and while large tables are compared."""
    content = large_table()
    with httpx.Client(base_url=address, timeout=300) as client, ThreadPoolExecutor(4) as pool:
        quiet = [_asked(client, i) for i in range(10)]
        large = [pool.submit(compare_large, address, content.replace(b"dataset", b"data %d" % i)) for i in range(3)]
        time.sleep(1)
        busy = []
        while not all(one.done() for one in large) and len(busy) < 500:
            busy.append(_asked(client, 10 + len(busy)))
            time.sleep(0.2)
        done = [one.result() for one in large]
    assert all(status == 201 for _, status in done)
    return [
        {
            "what": "a small question while three 121 x 179 tables are compared (slowest)",
            "podium_seconds": max(busy),
            "peer": "the same on the idle server (slowest)",
            "peer_seconds": max(quiet),
            "ratio": max(quiet) / max(busy),
            "note": f"{len(busy)} asked; the large ones took {', '.join(f'{seconds:.1f}' for seconds, _ in done)} s",
        }
    ]


def _asked(client: httpx.Client, number: int) -> float:
    start = time.perf_counter()
    client.get("/api/chance/value", params={"positives": 50 + number, "negatives": 60}).raise_for_status()
    return time.perf_counter() - start


def run() -> list[dict[str, Any]]:
    """All measurements; a few minutes at most."""
    pairs = expected_pairs()
    with serving(warm_up=True) as address:
        visitors(address, 2, pairs)  # both workers warm
        return [crowd(address, pairs), *beside_a_large_one(address)]


if __name__ == "__main__":
    for row in run():
        print(row)
