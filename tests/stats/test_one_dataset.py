"""The measured rates of false alarms that are told are those of the file; the simulation gives differences of real folds."""

import csv
from collections import defaultdict
from pathlib import Path

import pytest

from podium.stats import registry

FILE = Path(__file__).parents[2] / "docs" / "data" / "one_dataset.csv"


def rows():
    with FILE.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_registry_tells_the_lowest_and_the_highest_measured_rate():
    rates = defaultdict(list)
    for row in rows():
        if row["truth"] == "equal":
            rates[row["test"]].append(float(row["rate"]))
    told = {name: registry.PAIRWISE[name].measured for name in registry.names("folds")}

    assert set(told) <= set(rates)
    for name, (low, high) in told.items():
        assert (low, high) == pytest.approx((min(rates[name]), max(rates[name])), abs=6e-4)


def test_the_test_that_is_taken_for_one_dataset_keeps_its_level():
    for row in rows():
        if row["truth"] == "equal" and row["test"] == "corrected_t":
            assert float(row["rate"]) <= 0.05 + 3 * max(float(row["standard_error"]), 0.005)


def test_standard_errors_are_those_of_the_rates():
    for row in rows():
        rate, n = float(row["rate"]), int(row["replications"])
        assert float(row["standard_error"]) == pytest.approx((rate * (1 - rate) / n) ** 0.5, abs=1e-4)
