"""Simultaneous intervals: what they are for each test, and that they go with the adjusted decisions."""

import numpy as np
import pytest
from scipy.stats import tukey_hsd

import podium
from podium.core.errors import ArgumentError
from refusals import refuses


def scores(n=30, k=5, seed=0, gap=0.5):
    rng = np.random.default_rng(seed)
    return rng.normal(size=(n, 1)) + rng.normal(size=(n, k)) + gap * np.arange(k)


@pytest.mark.parametrize("test", ["wilcoxon", "sign", "paired_t"])
def test_each_has_the_confidence_of_bonferroni(test):
    table = scores()
    together = podium.stats.all_pairs(table, test=test, confidence=0.9)
    single = getattr(podium.stats, test)

    assert together.intervals == "simultaneous"
    assert together.confidence == 0.9
    assert together.confidence_each == pytest.approx(0.99)
    for row, (i, j) in enumerate(zip(together.first, together.second, strict=True)):
        alone = single(table[:, i], table[:, j], confidence=0.99)
        assert (together.low[row], together.high[row]) == pytest.approx((alone.low, alone.high))
    pair = together.pair("algorithm 1", "algorithm 2")
    assert pair.intervals == "simultaneous"
    assert "simultaneous 90% interval" in pair.summary()


def test_each_alone_on_request():
    table = scores()
    each, together = (podium.stats.all_pairs(table, intervals=kind) for kind in ("each", "simultaneous"))

    assert (each.intervals, each.confidence_each) == ("each", 0.95)
    assert (together.low < each.low).all()
    assert (together.high > each.high).all()
    assert "simultaneous" not in each.pair("algorithm 1", "algorithm 2").summary()
    with refuses(ArgumentError, "intervals", value="'both'"):
        podium.stats.all_pairs(table, intervals="both")


def test_two_algorithms_have_one_interval():
    table = scores(k=2)
    each, together = (podium.stats.all_pairs(table, intervals=kind) for kind in ("each", "simultaneous"))

    assert together.low[0] == each.low[0]


def test_tukey_and_dunnett_have_their_own_which_exclude_zero_where_they_reject():
    for seed in range(20):
        table = scores(seed=seed, n=12, gap=0.35)
        for found in (podium.stats.tukey(table), podium.stats.dunnett(table, "algorithm 2")):
            excluded = (found.low > 0) | (found.high < 0)
            assert excluded.tolist() == (found.adjusted <= 0.05).tolist()


def test_tukey_is_scipys_where_there_are_no_blocks_to_take_out():
    """Rows of mean 0 leave nothing for the blocks: the same mean squares, but other degrees of freedom."""
    from scipy.stats import studentized_range

    table = scores(n=15, k=3, gap=0.0)
    table = table - table.mean(axis=1, keepdims=True)
    found = podium.stats.tukey(table)
    theirs = tukey_hsd(*table.T).confidence_interval(0.95)
    ours = studentized_range.ppf(0.95, 3, 28) * np.sqrt(((table - table.mean(axis=0)) ** 2).sum() / 28 / 15)
    assert found.high[0] - found.effect[0] == pytest.approx(ours, rel=1e-6)
    scipys = studentized_range.ppf(0.95, 3, 42) * np.sqrt(((table - table.mean(axis=0)) ** 2).sum() / 42 / 15)
    assert theirs.high[0, 1] - found.effect[0] == pytest.approx(scipys, rel=1e-6)


def test_an_interval_excludes_zero_only_where_the_pair_is_told_apart():
    """Without ties this is certain: a Bonferroni interval is at least as cautious as Holm's decision."""
    found = 0
    for seed in range(30):
        pairs = podium.stats.all_pairs(scores(seed=seed, n=14, k=7, gap=0.2))
        excluded = (pairs.low > 0) | (pairs.high < 0)
        found += int(excluded.sum())
        assert not (excluded & (pairs.adjusted > 0.05)).any()
    assert found


def test_lower_is_better_keeps_the_sign_of_the_metric():
    from podium.core.metric import Metric
    from podium.evidence.table import Table

    values = scores(n=12, k=3)
    rows = tuple(f"d{i}" for i in range(12))
    tables = [
        Table(values=values, datasets=rows, algorithms=tuple("abc"), metric=Metric(name="m", direction=direction))
        for direction in ("higher", "lower")
    ]
    up, down = (podium.stats.tukey(table) for table in tables)
    assert up.low == pytest.approx(down.low)
    assert up.effect == pytest.approx(down.effect)


@pytest.mark.slow
@pytest.mark.parametrize("shape", ["normal", "heavy"])
def test_all_intervals_hold_together(shape):
    """7 algorithms that differ, 20 datasets: all 21 intervals hold their pseudo-median at once in at least 95 %."""
    rng = np.random.default_rng(3)
    repetitions, held = 2000, 0
    truth = np.linspace(0, 1.5, 7)
    for _ in range(repetitions):
        noise = rng.normal(size=(20, 7)) if shape == "normal" else rng.standard_t(2, size=(20, 7))
        pairs = podium.stats.all_pairs(noise + truth)
        true = truth[pairs.first] - truth[pairs.second]
        held += bool(((pairs.low <= true) & (true <= pairs.high)).all())
    rate = held / repetitions
    assert rate >= 0.95 - 3 * np.sqrt(0.05 * 0.95 / repetitions)


@pytest.mark.slow
def test_how_often_intervals_and_decisions_disagree():
    """As the page of all_pairs says, for tables where all 7 algorithms are equal: never, and 0.455 for each alone."""
    rng = np.random.default_rng(3)
    together, alone = 0, 0
    for _ in range(600):
        table = rng.normal(size=(20, 7))
        for kind in ("simultaneous", "each"):
            pairs = podium.stats.all_pairs(table, intervals=kind)
            odd = bool((((pairs.low > 0) | (pairs.high < 0)) & (pairs.adjusted > 0.05)).any())
            together, alone = (together + odd, alone) if kind == "simultaneous" else (together, alone + odd)
    assert together == 0
    assert alone / 600 == pytest.approx(0.455, abs=0.07)
