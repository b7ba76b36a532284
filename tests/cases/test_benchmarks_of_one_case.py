"""A benchmark of a single case, or a single cluster: nothing tells how far its score is off."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.cases.clusters import clustered_mean, stratified_mean
from refusals import refuses


def outcomes(kind, *, alone="case", n=40, seed=4):
    """Two benchmarks of many cases, and one with a single case or a single cluster."""
    rng = np.random.default_rng(seed)
    values = rng.normal([0.0, 0.3, 0.6], size=(n, 3))
    frame = pd.DataFrame((values > 0).astype(int) if kind == "pass or fail" else values.round(3), columns=list("abc"))
    few = 1 if alone == "case" else 3
    frame.insert(0, "case", [f"q{i}" for i in range(n)])
    frame.insert(1, "benchmark", ["solo"] * few + ["x", "y"] * ((n - few) // 2) + ["x"] * ((n - few) % 2))
    if alone == "cluster":
        frame.insert(2, "cluster", ["s"] * few + [f"c{i}" for i in range(n - few)])
    return frame


def read(frame):
    return podium.read(frame, unit="case", metric="reward", direction="higher")


@pytest.mark.parametrize("alone", ["case", "cluster"])
@pytest.mark.parametrize("kind", ["pass or fail", "numbers"])
def test_a_mean_over_benchmarks_is_refused(kind, alone):
    with refuses(podium.DataError, "mean", "where"):
        podium.compare(read(outcomes(kind, alone=alone)))


@pytest.mark.parametrize("alone", ["case", "cluster"])
def test_a_mean_over_cases_has_its_interval(alone):
    found = podium.compare(read(outcomes("numbers", alone=alone)), mean="micro")
    assert np.isfinite([found.pairs.pvalue, found.pairs.low, found.pairs.high]).all()
    assert all(np.isfinite([row.low, row.high]).all() for row in found.ranking)


def test_it_collapses_the_benchmarks():
    frame = outcomes("numbers")
    values, benchmark = (
        frame["a"].to_numpy(),
        frame["benchmark"].astype("category").cat.codes.to_numpy().astype(np.intp),
    )
    found = stratified_mean(values, benchmark, np.arange(len(values)), macro=False)
    pooled = clustered_mean(values, np.arange(len(values)))
    assert (float(found.mean), float(found.error), float(found.df)) == (pooled.mean, pooled.error, pooled.df)
    assert found.error == pytest.approx(values.std(ddof=1) / np.sqrt(len(values)))


def test_what_two_have_in_common_counts():
    frame = outcomes("numbers", n=41)
    frame.loc[1, "benchmark"] = "solo"
    podium.compare(read(frame))  # two cases
    frame.loc[1, "b"] = np.nan
    with refuses(podium.DataError, "where", "mean"):
        podium.compare(read(frame))


def test_the_gate_refuses_it_too():
    cases = read(outcomes("pass or fail"))
    with refuses(podium.DataError, "where", "mean"):
        podium.cases.gate(cases, baseline="a", candidate="b", margin=0.1)
    assert np.isfinite(
        podium.cases.gate(cases, baseline="a", candidate="b", margin=0.1, mean="micro").checks[0].worse_pvalue
    )
