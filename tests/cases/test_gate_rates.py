"""The error rates of the gate, by simulation: slow, and the table of the documentation beside them."""

import csv
import importlib.util
from pathlib import Path

import numpy as np
import pytest

from podium.cases.anytime import SequenceMeans
from podium.cases.gate_kernels import exact_rates

ROOT = Path(__file__).parents[2]


def simulation():
    spec = importlib.util.spec_from_file_location("gate_rates", ROOT / "benchmarks/gate_rates.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def table():
    with (ROOT / "docs/data/gate_rates.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_table_of_the_page_has_all_designs_and_small_errors(table):
    made = simulation()
    assert {(row["design"], int(row["cases"])) for row in table} == {(d, n) for d in made.DESIGNS for n in made.SIZES}
    assert all(int(row["draws"]) == 10_000 for row in table)
    for row in table:
        if float(row["true_drop"]) == 0:
            assert float(row["worse"]) <= 0.055, row
        else:
            assert float(row["not_worse"]) <= 0.055, row


def test_the_table_agrees_with_the_exact_rates(table):
    made = simulation()
    for row in table:
        if row["design"] == "pass or fail":
            exact = exact_rates(
                int(row["cases"]), apart=made.APART, gain=-float(row["true_drop"]), margin=made.MARGIN, alpha=made.ALPHA
            )
            found = [float(row[name]) for name in ("not_worse", "worse", "cannot_tell")]
            assert found == pytest.approx(exact.tolist(), abs=0.02)


@pytest.mark.slow
def test_the_table_can_be_made_again(table):
    """All three answers at 50, 200 and 1,000 cases, each design; 2,000 draws against the 10,000 of the table."""
    made, rng = simulation(), np.random.default_rng(99)
    for row in table:
        found = made.rates(row["design"], int(row["cases"]), float(row["true_drop"]), 2000, rng)
        expected = np.array([float(row[name]) for name in ("not_worse", "worse", "cannot_tell")])
        error = np.sqrt(expected * (1 - expected) * (1 / 2000 + 1 / 10_000)) + 0.001
        assert (np.abs(found - expected) <= 4.5 * error).all(), row


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["pass or fail", "five samples"])
def test_false_alarms_of_10000_nulls_looked_at_after_every_case(kind):
    """At most 5% of evaluations in which nothing changed are ever called worse, and at most 5% that dropped ever pass."""
    rng = np.random.default_rng(2024)
    draws, n, margin = 10_000, 1000 if kind == "pass or fail" else 400, 0.05
    alarms = passes = 0
    for _ in range(20):
        for drop in (0.0, margin):
            if kind == "pass or fail":
                drawn, down = rng.random((draws // 20, n)), (0.2 + drop) / 2
                rows = np.where(drawn < down, -1.0, np.where(drawn < 0.2, 1.0, 0.0))
            else:
                chance = rng.beta(2, 1, size=(draws // 20, n)) * 0.9 + 0.1
                rows = rng.binomial(5, chance - drop) / 5 - rng.binomial(5, chance) / 5
            passed, worse = SequenceMeans(sums=rows, sizes=np.ones(n)).shown_after(margin=margin, alpha=0.05)
            alarms += int((worse > 0).sum()) if drop == 0 else 0
            passes += int((passed > 0).sum()) if drop else 0
    assert alarms <= 0.05 * draws
    assert passes <= 0.05 * draws
    assert min(alarms, passes) > 0
