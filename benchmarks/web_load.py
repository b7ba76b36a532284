"""The page under load: 50 people at once compare 54 x 7 tables, and others use a calculator meanwhile.

    python benchmarks/web_load.py

A server as `podium serve` starts it, and visitors over real connections, as a browser asks: send the form with the table,
follow to what was recognised, press Compare, follow to the result. Server, workers and visitors share this machine. The
peer is one visitor alone in the same run, so that the ratio holds on a busy machine, too. Every verdict is checked.
"""

from __future__ import annotations

import http.client
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import podium

TABLE = Path(podium.__file__).parent / "data" / "benavoli2016" / "accuracies.csv"
VISITORS = 50
PATIENCE = 300  # seconds
LARGE = (60, 60)  # datasets x algorithms: 1,770 pairs


@contextmanager
def served() -> Iterator[tuple[str, int]]:
    """The address (host:port) of a server of its own process, and the number of that process."""
    command = [sys.executable, "-m", "podium", "serve", "--no-browser", "--port", "0", "--seconds", str(PATIENCE)]
    server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=os.environ | {"PYTHONUNBUFFERED": "1"})
    assert server.stdout is not None
    try:
        line = server.stdout.readline()
        found = re.search(r"http://([\d.:]+)/", line)
        assert found is not None, line
        yield found[1], server.pid
    finally:
        server.terminate()
        server.wait(PATIENCE)


def spent(process: int) -> float:
    """Processor seconds of a process and all below it so far; nan where the system does not tell (it does on Linux)."""
    try:
        text = Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        below = Path(f"/proc/{process}/task").glob("*/children")
        children = [int(child) for task in below for child in task.read_text(encoding="utf-8").split()]
    except OSError:
        return float("nan")
    return (int(text[11]) + int(text[12])) / os.sysconf("SC_CLK_TCK") + sum(map(spent, children))


class Visitor:
    """One person's browser: one connection, which follows redirections."""

    def __init__(self, place: str) -> None:
        self._line = http.client.HTTPConnection(place, timeout=PATIENCE)

    def ask(self, method: str, path: str, body: bytes = b"", kind: str = "") -> str:
        """The text of an answer."""
        self._line.request(method, path, body or None, {"Content-Type": kind} if kind else {})
        answer = self._line.getresponse()
        text = answer.read().decode()
        if answer.status == 303:
            return self.ask("GET", answer.headers["location"])
        assert answer.status == 200, (answer.status, text[:500])
        self.path = urlsplit(path).path
        return text

    def compare(self, table: bytes) -> str:
        """The verdict on a table, from its upload to the page of its result."""
        form = (
            b'--x\r\nContent-Disposition: form-data; name="file"; filename="accuracies.csv"\r\n\r\n%s\r\n--x--\r\n'
            % table
        )
        self.ask("POST", "/tables", form, "multipart/form-data; boundary=x")
        page = self.ask("POST", f"{self.path}/comparisons", b"compare.alpha=0.05", "application/x-www-form-urlencoded")
        verdict = re.search(r"data-verdict>(.*?)</", page, re.DOTALL)
        assert verdict is not None
        return unescape(verdict[1])


def named(number: int) -> bytes:
    """The 54 x 7 table with names of its own, so that no two visitors share the work."""
    header, *rows = TABLE.read_text(encoding="utf-8").splitlines()
    first, *names = header.split(",")
    return "\n".join([",".join([first, *(f"{name}-{number}" for name in names)]), *rows]).encode()


@cache
def headline() -> str:
    """The verdict on the table with its own names."""
    return podium.compare(podium.read(TABLE)).verdict.headline


def visit(place: str, number: int) -> float:
    """Seconds of one visitor; what was answered must be right."""
    table, expected = named(number), re.sub(r"\bC(\d)\b", rf"C\1-{number}", headline())
    start = time.perf_counter()
    verdict = Visitor(place).compare(table)
    seconds = time.perf_counter() - start
    assert verdict.replace("\u2019", "'") == expected, verdict  # pages set apostrophes as printers do
    return seconds


def crowd(place: str, numbers: list[int]) -> list[float]:
    """Seconds of visitors who all come at once."""
    with ThreadPoolExecutor(len(numbers)) as pool:
        return list(pool.map(lambda number: visit(place, number), numbers))


def calculate(place: str, number: int) -> float:
    """Seconds until the calculator of critical values answers something that nobody asked before."""
    start = time.perf_counter()
    page = Visitor(place).ask("GET", f"/chance/value?metric=auc&positives={20 + number}&negatives=60&competitors=10")
    assert "A winner must exceed" in page
    return time.perf_counter() - start


@contextmanager
def calculators(place: str, first: int) -> Iterator[list[float]]:
    """Seconds of a person who uses the calculator all the while, a few times a second."""
    times: list[float] = []
    done = threading.Event()

    def keep_asking() -> None:
        while not done.is_set():
            times.append(calculate(place, first + len(times)))
            time.sleep(0.1)

    asking = threading.Thread(target=keep_asking)
    asking.start()
    try:
        yield times
    finally:
        done.set()
        asking.join()


def row(what: str, times: list[float], peer: str, alone: list[float]) -> dict[str, Any]:
    """Median and p90 of some, and the ratio to the same alone."""
    tenths = statistics.quantiles(times, n=10, method="inclusive")
    median, single = statistics.median(times), statistics.median(alone)
    return {
        "what": what,
        "podium_seconds": median,
        "peer": peer,
        "peer_seconds": single,
        "ratio": single / median,
        "note": f"p90 {tenths[-1]:.2f} s, slowest {max(times):.2f} s, {median / single:.1f} times the wait alone",
    }


def large_table(number: int) -> bytes:
    """A large table, another one for every number."""
    import numpy as np

    datasets, algorithms = LARGE
    rng = np.random.default_rng(number)
    values = rng.normal(0.8, 0.05, (datasets, 1)) + rng.normal(0, 0.02, LARGE)
    header = ",".join(["dataset", *(f"a{j}" for j in range(algorithms))])
    return "\n".join(
        [header, *(",".join([f"d{i}", *(f"{x:.4f}" for x in line)]) for i, line in enumerate(values))]
    ).encode()


def run() -> list[dict[str, Any]]:
    """All measurements; about a minute on two quiet cores."""
    with served() as (place, process):
        headline()
        crowd(place, [-1, -2, -3, -4])  # every worker is warm
        alone = [visit(place, 1000 + i) for i in range(5)]
        quiet = [calculate(place, i) for i in range(10)]
        rows = []
        for what, numbers, first in (
            ("tables of their own", list(range(VISITORS)), 100),
            ("the same table", [VISITORS] * VISITORS, 250),
        ):
            before = spent(process)
            with calculators(place, first) as beside:
                times = crowd(place, numbers)
            rows.append(row(f"{VISITORS} at once, {what}: the median visitor", times, "one alone", alone))
            rows[-1]["note"] += f"; {(spent(process) - before) / VISITORS:.2f} processor seconds of the server for each"
            rows.append(row(f"a calculator beside {VISITORS} with {what}", beside, "alone", quiet))
        with calculators(place, 400) as beside:
            Visitor(place).compare(large_table(0))
        rows.append(row("a calculator beside a 60 x 60 comparison", beside, "alone", quiet))
        return rows


def main(rows: list[dict[str, Any]], say: Callable[[str], None] = print) -> None:
    """A table of Markdown."""
    say("| what | alone | median | p90 and slowest |\n|---|---|---|---|")
    for one in rows:
        say(f"| {one['what']} | {one['peer_seconds']:.2f} s | {one['podium_seconds']:.2f} s | {one['note']} |")


if __name__ == "__main__":
    main(run())
