"""Simulation of any metric, against the exact laws it does not need."""

import numpy as np
import pytest
from sklearn.metrics import average_precision_score, ndcg_score

import podium
from podium.chance.simulate import average_precision, ndcg


def auc(orderings):
    """AUC of rows of 0 and 1."""
    negatives = 1 - orderings.astype(np.int64)
    below = np.cumsum(negatives[:, ::-1], axis=1)[:, ::-1]
    return (below * orderings).sum(axis=1) / (orderings[0].sum() * negatives[0].sum())


def test_intervals_hold_the_exact_critical_values():
    found = podium.chance.simulated_critical_value(
        auc, positives=12, negatives=20, competitors=(1, 10), alpha=0.05, draws=200_000, workers=1, rng=1
    )
    for value, low, high, count in zip(found.critical_values, found.low, found.high, (1, 10), strict=True):
        exact = podium.chance.critical_value(
            "auc", positives=12, negatives=20, competitors=count, alpha=0.05
        ).critical_value
        assert low <= exact <= high
        assert low <= value <= high
        assert high - low < 0.03
    assert "Monte Carlo intervals" in found.summary()


def test_intervals_cover_at_their_confidence():
    exact = podium.chance.critical_value("auc", positives=8, negatives=9, competitors=3).critical_value
    covered = 0
    for seed in range(60):
        found = podium.chance.simulated_critical_value(
            auc, positives=8, negatives=9, competitors=3, draws=3000, workers=1, rng=seed, confidence=0.8
        )
        covered += bool(found.low[0] <= exact <= found.high[0])
    assert covered >= 42  # at least 80 % in truth (ties only widen): 42 of 60 or more in 98 % of samples


def test_equal_seeds_give_equal_results_on_any_number_of_cores():
    settings = {"positives": 5, "negatives": 6, "competitors": 2, "draws": 5000, "rng": 3}
    one = podium.chance.simulated_critical_value("average_precision", workers=1, **settings)
    two = podium.chance.simulated_critical_value("average_precision", workers=2, **settings)
    assert one.to_dict() == two.to_dict()


def test_the_papers_number_of_repetitions():
    # Section 3: C = 100 at 1 % takes R = 9,950,416 repetitions; here C = 1 at 20 % takes 5000.
    seen = []
    found = podium.chance.simulated_critical_value(
        auc, positives=3, negatives=3, alpha=0.2, workers=1, progress=lambda *step: seen.append(step)
    )
    assert found.draws == 5000
    assert seen[-1] == (5, 5)


def test_built_in_metrics_are_those_of_scikit_learn():
    random = np.random.default_rng(0)
    orderings = random.permuted(np.tile(np.array([1, 1, 1, 0, 0, 0, 0], np.uint8), (20, 1)), axis=1)
    falling = np.arange(7, 0, -1)
    for ordering, precision, gain in zip(orderings, average_precision(orderings), ndcg(orderings), strict=True):
        assert precision == pytest.approx(average_precision_score(ordering, falling))
        assert gain == pytest.approx(ndcg_score([ordering], [falling]))


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ({"metric": "zork"}, "Unknown metric for simulation 'zork'"),
        ({"metric": 3}, "`metric` must be a function"),
        ({"metric": lambda orderings: [1.0]}, "one number per ordering"),
        ({"metric": lambda orderings: np.full(len(orderings), np.nan)}, "with nan"),
        ({"draws": 100}, "`draws` must be at least 1000"),
        ({"competitors": ()}, "at least one number"),
    ],
)
def test_bad_arguments(arguments, sentence):
    with pytest.raises(podium.ArgumentError, match=sentence):
        podium.chance.simulated_critical_value(
            **{"metric": auc, "positives": 3, "negatives": 3, "workers": 1, "draws": 1000, **arguments}
        )
