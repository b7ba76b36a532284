"""Visitors in numbers: each uploads a table of its own, compares, and checks the answer. Bounded, and on loopback only."""

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import numpy as np

import podium
from waiting import PATIENCE

TABLE = Path(podium.__file__).parent / "data" / "benavoli2016" / "accuracies.csv"


def upload(client, name, content):
    """The answer to an upload through the API."""
    return client.post("/api/tables", files={"file": (name, content)})


def expected_pairs():
    """The adjusted p-values of the 54 x 7 table."""
    return podium.compare(podium.read(TABLE)).pairs.adjusted.tolist()


def visit(address, number, pairs):
    """One visitor; gives the seconds it took. The names are its own, so that no two share the work."""
    header, *rows = TABLE.read_text(encoding="utf-8").splitlines()
    names = [f"{name} of {number}" for name in header.split(",")[1:]]
    text = "\n".join([",".join(["dataset", *names]), *rows])
    start = time.perf_counter()
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        seen = upload(client, "accuracies.csv", text.encode())
        assert seen.status_code == 201, seen.text
        made = client.post(f"/api/tables/{seen.json()['table']}/comparisons", json={})
        assert made.status_code == 201, made.text
        data = made.json()
        assert client.get(made.headers["location"]).status_code == 200
    assert data["table"]["algorithms"] == names
    assert data["pairs"]["adjusted"] == pairs
    return time.perf_counter() - start


def visitors(address, count, pairs):
    """So many visitors at once; gives the seconds of each."""
    with ThreadPoolExecutor(max_workers=count) as pool:
        return list(pool.map(lambda number: visit(address, number, pairs), range(count)))


def large_table(datasets=121, algorithms=179):
    """A table of the size of Fernandez-Delgado and others (2014)."""
    rng = np.random.default_rng(0)
    values = rng.normal(0.8, 0.05, (datasets, 1)) + rng.normal(0, 0.02, (datasets, algorithms))
    header = ",".join(["dataset", *(f"a{j}" for j in range(algorithms))])
    rows = [",".join([f"d{i}", *(f"{value:.4f}" for value in values[i])]) for i in range(datasets)]
    return "\n".join([header, *rows]).encode()


def compare_large(address, content):
    """Upload and compare a large table; gives the seconds it took and the status."""
    start = time.perf_counter()
    with httpx.Client(base_url=address, timeout=PATIENCE) as client:
        table = upload(client, "accuracy.csv", content).json()["table"]
        answer = client.post(f"/api/tables/{table}/comparisons", json={})
    return time.perf_counter() - start, answer.status_code
