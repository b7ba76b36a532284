"""Agreement, benchmarks and curves: against scikit-learn, scipy and counting by hand."""

import numpy as np
import pytest

import podium
from podium.cases._agreement import CORRELATION, SHARE, agreement
from podium.cases.benchmarks import by_benchmark
from podium.cases.influence import pr_points, roc_points
from podium.core.errors import PodiumError
from podium.core.metric import Metric
from podium.evidence.cases import Cases

RNG = np.random.default_rng(5)


def test_shares_are_counted_on_the_cases_that_both_have():
    values = RNG.integers(0, 2, (40, 5)).astype(float)
    values[RNG.random(values.shape) < 0.2] = np.nan
    found = agreement(values)
    assert found.measure == SHARE
    for i in range(5):
        for j in range(5):
            both = ~np.isnan(values[:, [i, j]]).any(axis=1)
            assert found.values[i, j] == pytest.approx(np.mean(values[both, i] == values[both, j]))


@pytest.mark.parametrize("holes", [False, True])
def test_numbers_agree_by_spearmans_correlation(holes):
    from scipy.stats import spearmanr

    values = RNG.normal(size=(30, 4)).round(1)
    if holes:
        values[3, 1] = np.nan
    found = agreement(values)
    assert found.measure == CORRELATION
    expected = spearmanr(values[:, 0], values[:, 1], nan_policy="omit").statistic
    assert found.values[0, 1] == pytest.approx(expected)
    assert sorted(found.order.tolist()) == [0, 1, 2, 3]


def test_systems_that_agree_become_neighbours():
    two = RNG.integers(0, 2, (60, 2))
    values = two[:, [0, 1, 0, 1, 0, 1]] ^ (RNG.random((60, 6)) < 0.05)
    order = agreement(values.astype(float)).order.tolist()
    sides = [place % 2 for place in order]
    assert sides in ([0, 0, 0, 1, 1, 1], [1, 1, 1, 0, 0, 0])


def test_points_of_curves_are_those_of_scikit_learn():
    from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

    truth, scores = RNG.random(80) < 0.4, RNG.normal(size=80).round(1)
    rates = roc_curve(truth, scores, drop_intermediate=False)
    assert np.allclose(roc_points(truth, scores), np.column_stack(rates[:2]))
    x, y = roc_points(truth, scores).T
    assert np.trapezoid(y, x) == pytest.approx(roc_auc_score(truth, scores))
    recall, precision = pr_points(truth, scores).T
    assert np.sum(np.diff(np.r_[0, recall]) * precision) == pytest.approx(average_precision_score(truth, scores))


def test_each_benchmark_is_compared_by_its_own_cases():
    values = RNG.integers(0, 2, (60, 3)).astype(float)
    values[:3, 0] = np.nan
    names = tuple(f"b{i % 2}" for i in range(60))
    metric = Metric(name="accuracy", direction="higher")
    cases = Cases(
        values=values, cases=tuple(map(str, range(60))), algorithms=tuple("xyz"), metric=metric, benchmarks=names
    )
    found = by_benchmark(cases, "x", "z")
    for place, name in enumerate(found.benchmarks):
        own = values[np.array(names) == name][:, [0, 2]]
        own = own[~np.isnan(own).any(axis=1)]
        plain = podium.cases.all_pairs(own, intervals="each")
        assert (found.effect[place], found.low[place], found.high[place]) == pytest.approx(
            (plain.effect[0], plain.low[0], plain.high[0])
        )
        assert found.n[place] == len(own)
    with pytest.raises(PodiumError, match="no benchmarks"):
        by_benchmark(podium.read(values, unit="case"), "algorithm 1", "algorithm 2")


def test_who_agrees_most_and_least_is_said():
    found = agreement({"a": [1, 1, 0, 0], "b": [1, 0, 0, 0], "c": [0, 0, 1, 1]})
    assert found.summary().startswith("a and b agree most (75%), a and c least (0%);")
    assert agreement({"a": [1, 1, 0, 0], "b": [1, 0, 0, 0]}).summary() == f"a and b: 75% ({SHARE})."
    assert "No two systems share enough cases" in agreement(np.array([[0.5, np.nan], [np.nan, 0.2]])).summary()
