"""What decides where costs are equal, and what the tables and sentences of an order hold."""

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import DataError, PodiumError
from podium.ordering._multi2test import multi2test
from podium.ordering._multitest import order_from_decisions
from podium.ordering.costs import as_costs


def folds(metric, means):
    """Scores on four datasets in 5x2 cv, so noisy that no difference is significant."""
    rows = [
        {
            "dataset": f"d{d}",
            "algorithm": name,
            "repeat": r,
            "fold": f,
            metric: mean + 0.05 * ((d + r + f + len(name)) % 2),
        }
        for d in range(4)
        for name, mean in means.items()
        for r in range(5)
        for f in range(2)
    ]
    return podium.read(pd.DataFrame(rows), metric=metric)


@pytest.mark.parametrize("metric, means", [("accuracy", {"a": 0.70, "bb": 0.71}), ("error", {"a": 0.30, "bb": 0.29})])
def test_the_better_comes_first_where_costs_are_equal(metric, means):
    found = multi2test(folds(metric, means).scores(metric), cost={"a": 5.0, "bb": 5.0})
    assert found.order == ("bb", "a")


def test_the_table_of_an_order_names_place_cost_and_who_overrode_it():
    better = np.array([[0, 0, 0], [0, 0, 0], [1, 0, 0]], dtype=bool)  # c is better than a
    found = order_from_decisions(better, [1.0, 2.0, 3.0], algorithms=("a", "b", "c"), errors=[0.3, 0.2, 0.1])
    frame = found.to_frame()
    assert frame["algorithm"].tolist() == ["b", "c", "a"]
    assert frame["rank"].tolist() == [1, 2, 3]
    assert frame["cost"].tolist() == [2.0, 3.0, 1.0]
    assert frame["prior"].tolist() == [2, 3, 1]
    assert frame["overridden_by"].tolist() == ["", "", "c"]


def test_an_algorithm_that_stands_twice_in_a_series_of_costs_is_refused():
    twice = pd.Series([1.0, 2.0, 3.0], index=["a", "b", "a"])
    with pytest.raises(PodiumError, match="'a'"):
        as_costs(twice, datasets=("d",), algorithms=("a", "b"))
    with pytest.raises(DataError):
        as_costs({"a": 1.0}, datasets=("d",), algorithms=("a", "b"))
