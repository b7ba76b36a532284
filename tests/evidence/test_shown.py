"""Evidence prints what it holds in ten lines at most."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.evidence.cases import as_cases

RNG = np.random.default_rng(0)
NAMES = ["<b>\u202e", "a very long name of an algorithm " * 4, *(f"algorithm {i}" for i in range(38))]
LONG = pd.DataFrame(RNG.random((300, 40)), columns=NAMES, index=[f"dataset {i}" for i in range(300)])
RUNS = {name: RNG.random((5, 30)) for name in NAMES}
RESULTS = podium.read(LONG, metric="accuracy", rows="datasets")

HELD = {
    "results": RESULTS,
    "scores": RESULTS.scores(),
    "table": RESULTS.scores().table(),
    "folds": podium.example("ulas2008").scores("accuracy"),
    "one row": podium.read(LONG.head(1), metric="accuracy", rows="datasets").scores(),
    "cases": as_cases(LONG),
    "runs": podium.read(RUNS, unit="run"),
    "predictions": podium.read({name: [1, 0] * 50 for name in NAMES}, truth=[1, 0] * 50, metric="accuracy"),
    "example": podium.example("benavoli2016"),
}


@pytest.mark.parametrize("name", HELD)
def test_evidence_is_told_in_ten_lines(name):
    lines = repr(HELD[name]).splitlines()
    assert 2 <= len(lines) <= 10
    assert max(map(len, lines)) <= 100
    assert lines[0].startswith(f"{type(HELD[name]).__name__}: ")
    assert "\u202e" not in repr(HELD[name])


def test_what_is_said_first():
    lines = repr(podium.example("benavoli2016").scores()).splitlines()
    assert lines[0] == "Scores: accuracy (higher is better) of 7 algorithms on 54 datasets; 6 missing scores"
    assert lines[1].split() == ["dataset", *(f"C{i}" for i in range(1, 8))]
    assert lines[-1] == "... and 48 more rows: to_frame() has all."
