"""All datasets left out in one call give what leaving each out gives."""

import numpy as np
import pytest

import podium
from podium.comparison.leave_one_out import _without
from podium.core.table import as_table
from podium.stats import registry


@pytest.mark.parametrize("test", registry.names("datasets"))
@pytest.mark.parametrize("correction", ["holm", "none", "shaffer"])
def test_one_call_is_the_loop(test, correction):
    rng = np.random.default_rng(2)
    values = np.round(rng.normal(0.8, 0.05, size=(12, 4)) + np.array([0.06, 0.0, 0.02, 0.0]), 2)
    values[3, 1] = np.nan
    table = as_table(values)
    pairs = podium.stats.all_pairs(table, test=test, correction=correction)
    names = [(table.algorithms[i], table.algorithms[j]) for i, j in zip(pairs.first, pairs.second, strict=True)]
    loop = [
        podium.stats.all_pairs(table.rows(np.arange(12) != left_out), test=test, correction=correction).adjusted
        for left_out in range(12)
    ]

    assert _without(table, names, test, correction) == pytest.approx(np.array(loop))
