"""Facts of real logs whose unit is the dataset, and how results that were read are held against them."""

import numpy as np
import pytest
from scipy.stats import binomtest


def check_results(results, facts, called=lambda name: name, metric=None):
    """Systems, items, repeats, holes, means over the items, and the counts and exact p of pairs."""
    scores = results.scores(metric)
    values = scores.table().values
    assert (len(scores.algorithms), len(scores.datasets)) == (facts["systems"], facts["items"])
    assert f"{scores.metric.direction} is better" == facts["direction"]
    assert int(np.isnan(values).sum()) == facts["missing_item_system_cells"]
    assert scores.values.shape[2] * scores.values.shape[3] == facts["repeats_per_item"]["max"]
    column = {called(name): j for j, name in enumerate(scores.algorithms)}
    assert set(column) == set(facts["mean_score_over_items"])
    for name, mean in facts["mean_score_over_items"].items():
        own = values[:, column[name]]
        assert np.nanmean(own) == pytest.approx(mean, rel=1e-9)
        assert int((~np.isnan(own)).sum()) == facts["items_with_score"][name]
    for pair in facts["pairs"]:
        check_pair(values[:, [column[pair["a"]], column[pair["b"]]]], pair)


def check_pair(values, pair):
    """The counts of a pair; where lower is better the files count the larger value as the better one."""
    a, b = values[~np.isnan(values).any(axis=1)].T
    assert len(a) == pair["items_paired"]
    same = np.isclose(a, b, rtol=0, atol=1e-9)
    counts = {int(((a > b) & ~same).sum()), int(((a < b) & ~same).sum())}
    assert counts == {pair["a_better"], pair["b_better"]}
    assert int(same.sum()) == pair["ties"]
    assert a.mean() - b.mean() == pytest.approx(pair["mean_difference"], abs=1e-9)
    n = sum(counts) if len(counts) == 2 else 2 * counts.copy().pop()
    assert binomtest(max(counts), n).pvalue == pytest.approx(pair["exact_sign_p"], rel=1e-9)
