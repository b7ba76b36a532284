"""What decides where costs are equal, and what the tables and sentences of an order hold."""

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest

import podium
from podium.core.errors import DataError, PodiumError
from podium.evidence.scores import Scores
from podium.evidence.table import UNNAMED_METRIC
from podium.ordering._multi2test import multi2test
from podium.ordering._multitest import multitest, order_from_decisions
from podium.ordering.costs import as_costs, combine_costs


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
    assert frame["cost_rank"].tolist() == [2, 3, 1]
    assert frame["overridden_by"].tolist() == ["", "", "c"]


def test_an_algorithm_that_stands_twice_among_costs_is_refused():
    twice = pd.Series([1.0, 2.0, 3.0], index=["a", "b", "a"])
    with pytest.raises(PodiumError, match="'a'"):
        as_costs(twice, datasets=("d",), algorithms=("a", "b"))
    with pytest.raises(PodiumError, match="twice"):
        as_costs(["a", "b", "a"], datasets=("d",), algorithms=("a", "b"))
    with pytest.raises(DataError, match="only numbers"):  # an order has names alone
        as_costs(["a", 2.0], datasets=("d",), algorithms=("a", "b"))
    with pytest.raises(DataError):
        as_costs({"a": 1.0}, datasets=("d",), algorithms=("a", "b"))


def test_scores_that_cancel_out_have_equal_errors():
    """The same ten scores in another order: their mean is 0 or float noise, and noise must not decide who goes first."""
    scores, rng = np.array([0.1, 0.2, -0.3, 0.7, -0.7, 0.6, -0.6, 0.3, -0.1, -0.2]), np.random.default_rng(0)
    tables = [np.stack([rng.permutation(scores).reshape(5, 2) for _ in range(2)]) for _ in range(50)]
    assert len({float(table[0].mean()) for table in tables}) > 1  # the pitfall
    orders = {multitest(table, {"algorithm 1": 1.0, "algorithm 2": 1.0}).order for table in tables}
    assert orders == {("algorithm 1", "algorithm 2")}


def by_hand(keys, better):
    """The order by its definition: the first by cost, then error, then name that none of the others left overrides."""
    left, order = sorted(range(len(keys)), key=lambda i: keys[i]), []
    while left:
        before = {i: left.index(i) for i in left}
        for i in left:
            if not any(better[j][i] and (before[i] < before[j] or keys[i][0] == keys[j][0]) for j in left if j != i):
                break
        order.append(i)
        left.remove(i)
    return order


def test_orders_of_tables_full_of_ties_are_those_of_exact_fractions():
    """Few costs and few scores, in thirds, sevenths and tenths, weighted or one after the other: floats see every tie."""
    rng, names, ties = np.random.default_rng(5), tuple("abcd"), 0
    for _ in range(60):
        datasets, unit = tuple("xyz"), int(rng.choice([7, 100, 300]))
        counts = rng.integers(0, 3, (3, 4, 1, 1)) + rng.integers(-1, 2, (3, 4, 5, 2)) * rng.integers(0, 2)
        counts[:, 1] = counts[:, 0] + rng.permutation([2, 2, -2, -2, 0])[:, None]  # another order of the same mean
        scores = Scores(
            values=counts / unit, datasets=datasets, algorithms=names, metric=UNNAMED_METRIC, repeats=tuple(range(5)), folds=(0, 1)
        )  # fmt: skip
        priced, weights = rng.integers(1, 4, (2, 3, 4)), rng.integers(1, 4, 2).tolist() if rng.random() < 0.5 else None
        frames = [pd.DataFrame(part, index=datasets, columns=names) for part in (priced[0] * 0.1, priced[1] / 3)]
        found = multi2test(
            scores,
            combine_costs([as_costs(frame, datasets=datasets, algorithms=names) for frame in frames], weights=weights),
        )

        def shares(row):
            return [Fraction(int(one), int(max(row))) for one in row]

        exact = [
            list(zip(*(shares(priced[c, d]) for c in range(2)), strict=True)) for d in range(3)
        ]  # dataset, algorithm
        if weights:
            exact = [[(weights[0] * one + weights[1] * two,) for one, two in row] for row in exact]
        for d in range(3):
            keys = [(exact[d][j], -int(counts[d, j].sum()), j) for j in range(4)]
            ties += len({key[:2] for key in keys}) < 4
            ranks = 1 + np.argsort(by_hand(keys, found.first_better[d]))
            assert found.per_dataset_ranks[d].tolist() == ranks.tolist()
        tops = [[max(cost) for cost in zip(*row, strict=True)] for row in exact]
        means = [
            tuple(sum(exact[d][j][c] / tops[d][c] for d in range(3)) for c in range(len(tops[0]))) for j in range(4)
        ]
        keys = [(means[j], int(found.per_dataset_ranks[:, j].sum()), j) for j in range(4)]
        assert found.order == tuple(names[j] for j in by_hand(keys, found.final.better))
    assert ties > 40
