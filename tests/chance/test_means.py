"""Means over several test sets: every pair of rankings counted, and simulation."""

from fractions import Fraction
from itertools import combinations, product

import numpy as np
import pytest

import podium
from podium.chance.distributions import null_distribution
from podium.chance.rankings import ranked_score
from refusals import refuses


def scores_of(metric, positives, negatives):
    """The metric of every ranking."""
    law = null_distribution(metric, positives=positives, negatives=negatives)
    cases = positives + negatives
    falling = -np.arange(cases, dtype=float)
    for places in combinations(range(cases), positives):
        yield ranked_score(law, np.isin(np.arange(cases), places), falling).expected


@pytest.mark.parametrize("metric", ["auc", "best_accuracy", "error", "tp2", "best_f1", "mcc"])
@pytest.mark.parametrize("sizes", [((2, 3), (2, 3)), ((2, 2), (3, 2)), ((1, 3), (2, 2), (1, 2))])
def test_the_critical_mean_by_counting_every_ranking(metric, sizes):
    sign = -1 if metric == "error" else 1
    means = np.sort([sign * np.mean(one) for one in product(*(list(scores_of(metric, *size)) for size in sizes))])
    for alpha in (0.01, 0.05, 0.3):
        found = podium.chance.critical_mean(
            metric, positives=[P for P, _ in sizes], negatives=[N for _, N in sizes], alpha=alpha
        )
        exact = next(m for m in means if (means > m + 1e-9).mean() <= alpha + 1e-12)
        low, high = sorted((sign * found.low, sign * found.high))
        assert low - 1e-9 <= exact <= high + 1e-9
        assert (means > sign * found.critical_value + 1e-9).mean() <= alpha + 1e-12  # it never claims too much
        if found.method == "exact":
            assert found.critical_value == pytest.approx(sign * exact)
            assert found.p_above == pytest.approx((means > exact + 1e-9).mean(), abs=1e-12)
        else:
            assert high - low < 3e-4


def test_one_test_set_is_the_critical_value_itself():
    for metric in ("auc", "best_accuracy", "error", "tp10"):
        one = podium.chance.critical_value(metric, positives=60, negatives=90, competitors=100)
        mean = podium.chance.critical_mean(metric, positives=[60], negatives=[90], competitors=100)
        assert mean.critical_value == pytest.approx(one.critical_value)
        assert mean.p_above == pytest.approx(one.p_above, rel=1e-6)
    rounded = podium.chance.critical_mean("best_f1", positives=[60], negatives=[90], competitors=100)
    exact = podium.chance.critical_value("best_f1", positives=60, negatives=90, competitors=100).critical_value
    assert rounded.low <= exact <= rounded.high


def test_simulated_means_of_a_metric_with_a_law_agree():
    mean = podium.chance.critical_mean("auc", positives=[6] * 4, negatives=[8] * 4, competitors=3, alpha=0.05)

    def auc(orderings):
        below = np.cumsum((1 - orderings.astype(int))[:, ::-1], axis=1)[:, ::-1]
        return (below * orderings).sum(axis=1) / 48

    drawn = podium.chance.simulated_critical_value(
        auc, positives=6, negatives=8, competitors=3, alpha=0.05, test_sets=4, draws=100_000, workers=1, rng=0
    )
    assert drawn.low[0] <= mean.critical_value <= drawn.high[0]
    assert "of 4 test sets" in drawn.metric


def test_what_cannot_be_averaged_is_refused():
    with refuses(podium.ArgumentError, "positives", "negatives"):
        podium.chance.critical_mean("auc", positives=[5, 6], negatives=[5])
    with pytest.raises(podium.ArgumentError, match="take fewer"):
        podium.chance.critical_mean("auc", positives=[5, 6], negatives=[5, 6], competitors=10**10)


def test_the_best_error_rate_mirrors_the_best_accuracy():
    for P, N, C in ((3, 4, 1), (20, 30, 100), (100, 100, 1000)):
        sizes = {"positives": P, "negatives": N}
        error = podium.chance.critical_value("error", **sizes, competitors=C)
        gain = podium.chance.critical_value("best_accuracy", **sizes, competitors=C)
        assert error.fraction == 1 - gain.fraction
        assert (error.p_above, error.p_at_least) == (gain.p_above, gain.p_at_least)
        for score in null_distribution("best_accuracy", **sizes).attainable().tolist():
            below = podium.chance.pvalue("error_rate", 1 - score, **sizes, competitors=C)
            assert below.pvalue == podium.chance.pvalue("accuracy", score, **sizes, competitors=C).pvalue
    assert (
        Fraction(7, 20) == podium.chance.critical_value("error", positives=100, negatives=100, competitors=100).fraction
    )
    table = podium.chance.critical_table("error", positives=[20], negatives=[20], competitors=[10])
    assert table.values.item() == pytest.approx(1 - 0.775)
    found = podium.chance.chance_test(
        [1, 1, 1, 0, 0, 0], {"a": [1, 2, 3, 4, 5, 6], "b": [6, 5, 4, 3, 2, 1]}, metric="error"
    )
    assert (found.winner, found.statistic) == ("b", 0.0)
    assert "does not fall below" in found.summary()
    assert found.to_frame()["algorithm"].tolist() == ["b", "a"]
    law = null_distribution("error", positives=3, negatives=4)
    assert (np.diff(law.attainable()) > 0).all()
    with refuses(podium.ArgumentError, "score"):
        law.locate(0.9)
