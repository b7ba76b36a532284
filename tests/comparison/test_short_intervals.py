"""Where the table of coverage has less than 94%, the report of such data says so."""

import csv
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import podium

TABLE = Path(__file__).parents[2] / "docs" / "data" / "cases_calibration.csv"
LABELS = {"balanced_accuracy", "macro_f1", "mcc", "kappa", "f1", "recall", "precision", "specificity"}


def short_cells() -> list[tuple[str, str, int, bool, float]]:
    """What is measured, of what, on how many cases, whether half of them are positive, and the share where it is clearly below 94%."""
    least: dict[tuple[str, str, int, bool], float] = {}
    with TABLE.open(encoding="utf-8") as table:
        for row in csv.DictReader(table):
            share, cell = (
                float(row["share"]),
                (row["what"], row["kind"], int(row["n"]), row["design"].startswith("50%")),
            )
            if row["what"] != "family" and cell[2] >= 8 and share + 2 * float(row["se"]) < 0.94:
                least[cell] = min(share + 2 * float(row["se"]), least.get(cell, 1.0))
    return [(*cell, share) for cell, share in sorted(least.items())]


def compared(kind: str, n: int, half: bool):
    """Two algorithms on n cases of that kind."""
    random = np.random.default_rng(1)
    truth = np.arange(n) < max(2, n // 2 if half else n // 5)
    if kind in LABELS:
        columns = {name: np.where(random.random(n) < 0.8, truth, ~truth).astype(int) for name in "ab"}
        return podium.compare(columns, truth=truth.astype(int), metric=kind)
    if kind in ("auc", "average_precision"):
        return podium.compare(
            {name: truth + random.normal(size=n) for name in "ab"}, truth=truth.astype(int), metric=kind
        )
    if kind in ("rmse", "r2"):
        y = random.normal(size=n)
        return podium.compare({name: y + random.normal(size=n) for name in "ab"}, truth=y, metric=kind)
    if kind == "mean over benchmarks":
        frame = pd.DataFrame((random.random((n + 70, 2)) < 0.8).astype(int), columns=["a", "b"])
        frame.insert(0, "benchmark", ["x"] * n + ["y"] * 70)
        frame.insert(0, "case", range(n + 70))
        return podium.compare(podium.read(frame))
    if kind == "numbers":
        values = np.exp(random.normal(size=(n, 1))) * [1.0, 0.2]
        return podium.compare(
            podium.read(pd.DataFrame(values, columns=["a", "b"]), unit="case", metric="gain", direction="higher")
        )
    samples = 5 if kind == "samples" else 1
    rows = [(s, i, e, int(random.random() < 0.97)) for s in "ab" for i in range(n) for e in range(samples)]
    return podium.compare(podium.read(pd.DataFrame(rows, columns=["system", "case", "epoch", "score"])))


TOPICS = {
    "pass or fail": {"few failures", "few cases"},
    "samples": {"few failures"},
    "numbers": {"few cases", "unseen failures"},
    "mean over benchmarks": {"a small benchmark"},
    "rmse": {"few cases"},
    "r2": {"few cases"},
}


def test_there_are_such_cells():
    assert len(short_cells()) >= 4  # kinds of cells: with none, the tests above would look at nothing


@pytest.mark.parametrize("what, kind, n, half, share", short_cells(), ids=lambda value: str(value))
def test_short_intervals_are_remarked_on(what, kind, n, half, share):
    """And the coverage that the remark names is no better than what was measured."""
    topics = TOPICS.get(kind, {"few cases of one class"})
    said = [remark.sentence for remark in compared(kind, n, half).remarks if remark.topic in topics]
    assert said
    if kind != "numbers":  # there the remark says how often they err
        named = re.findall(r"(\d+)(?: to \d+)?%", " ".join(said))
        assert min(int(percent) for percent in named if int(percent) > 50) <= 100 * share + 0.5


def test_a_single_accuracy_on_few_cases():
    half = pd.DataFrame({"a": [1, 0] * 25, "b": [0, 1] * 20 + [1] * 10})
    sentences = [remark.sentence for remark in podium.compare(half, unit="case").remarks]
    assert any("the 95% interval of a single accuracy covers 92 to 97%" in sentence for sentence in sentences)
