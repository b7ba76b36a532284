"""All datasets left out in one call of the kernel give what leaving each out gives, for every test over datasets."""

import numpy as np
import pytest

import podium
from podium.comparison.leave_one_out import _adjusted_without
from podium.core.table import as_table
from podium.stats.registry import names


@pytest.mark.parametrize(
    ("test", "correction"), [*((name, "holm") for name in names("datasets")), ("wilcoxon", "none"), ("sign", "shaffer")]
)
def test_one_call_is_the_loop(test, correction):
    rng = np.random.default_rng(2)
    values = np.round(rng.normal(0.8, 0.05, size=(12, 4)) + np.array([0.06, 0.0, 0.02, 0.0]), 2)
    values[3, 1] = np.nan
    table = as_table(values)
    pairs = podium.stats.all_pairs(table, test=test, correction=correction)
    loop = [
        podium.stats.all_pairs(table.rows(np.arange(12) != left_out), test=test, correction=correction).adjusted
        for left_out in range(12)
    ]

    assert _adjusted_without(table, pairs) == pytest.approx(np.array(loop))
