"""Mean ranks where cells are missing: no dataset is thrown away, and everything shows the same ones."""

import itertools

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import podium
from podium.core.ranks import rank_rows, rescale_ranks
from podium.evidence.table import as_table

NAN = np.nan


def test_the_rank_among_all_is_the_one_expected_if_the_missing_could_stand_anywhere():
    """Brute force: of all orders of 5 algorithms that keep the order of the 3 present, the mean rank of each."""
    orders = [order for order in itertools.permutations(range(5)) if order.index(0) < order.index(1) < order.index(2)]
    expected = [np.mean([order.index(who) + 1 for order in orders]) for who in range(3)]

    assert rescale_ranks(np.array([[1.0, 2.0, 3.0, NAN, NAN]]))[0, :3] == pytest.approx(expected)


@settings(max_examples=50)
@given(st.integers(2, 6), st.integers(2, 8), st.integers(0, 10**6))
def test_ranks_keep_their_mean_and_their_order(k, n, seed):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=(n, k)), 1)
    values[rng.random((n, k)) < 0.3] = NAN
    scaled = rescale_ranks(rank_rows(values))
    for row, given_row in zip(scaled, values, strict=True):
        present = ~np.isnan(given_row)
        if present.sum() > 1:
            assert row[present].mean() == pytest.approx((k + 1) / 2)
            assert row[present].min() >= 1
            assert row[present].max() <= k
            assert np.array_equal(
                np.argsort(row[present], kind="stable"), np.argsort(-given_row[present], kind="stable")
            )
        else:
            assert np.isnan(row).all()


def holed(seed, share=0.1, gap=1.0, n=20, k=15):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(n, k))
    values[:, 0] += gap
    values[rng.random((n, k)) < share] = NAN
    return as_table(values)


def test_the_best_leads_although_most_datasets_have_holes():
    """15 algorithms, 20 datasets, 10 % holes: about 4 datasets are complete, and there the best leads in 56 %."""
    tables = [holed(seed) for seed in range(300)]
    leads = np.mean([table.mean_ranks().argmin() == 0 for table in tables])
    complete = np.mean([table.complete().n_datasets for table in tables])

    assert complete < 5
    assert leads >= 0.98 - 3 * np.sqrt(0.98 * 0.02 / 300)


def test_everything_shows_the_same_mean_ranks():
    table = holed(2, k=6, n=16)
    frame = pd.DataFrame(table.values, columns=list("abcdef"), index=[f"d{i}" for i in range(16)])
    found = podium.compare(frame, direction="higher")
    means = dict(zip("abcdef", as_table(frame).mean_ranks().tolist(), strict=True))
    counts = dict.fromkeys("abcdef", len(frame.dropna()))  # more than half are complete
    assert 2 * len(frame.dropna()) > len(frame)
    assert means == pytest.approx(frame.dropna().rank(axis=1, ascending=False).mean().to_dict())

    assert {row.algorithm: row.mean_rank for row in found.ranking} == pytest.approx(means)
    assert {row.algorithm: row.datasets for row in found.ranking} == counts
    assert found.pairs.mean_ranks.tolist() == pytest.approx(list(means.values()))
    assert dict(zip("abcdef", podium.stats.rank_intervals(frame).mean_ranks.tolist(), strict=True)) == pytest.approx(
        means
    )
    shown = podium.plot.cd_diagram(found).scene.texts
    assert f"{min(means.values()):.2f}" in [text.text for text in shown]
    assert [text.text for text in podium.plot.cd_diagram(found.pairs).scene.texts] == [text.text for text in shown]


def test_a_dataset_with_one_score_says_nothing():
    table = as_table([[0.9, 0.8, 0.7], [0.9, 0.8, 0.7], [NAN, NAN, 0.5]])

    assert table.mean_ranks().tolist() == [1, 2, 3]
    assert table.rank_counts().tolist() == [2, 2, 2]
