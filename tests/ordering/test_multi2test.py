"""Multi2Test against the tables of Ulas, Yildiz, Alpaydin (2008)."""

import numpy as np
import pytest

import podium
from podium.comparison.order import what_if
from podium.core.errors import DesignError
from podium.ordering._multi2test import multi2test
from podium.ordering.costs import Costs, as_costs, combine_costs
from refusals import refuses

NAMES = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")

# Tables 4.4 (a) and 4.5 (a), and the final orders of sections 4.5.1 and 4.5.2.
PRINTED = {
    "training_time": (
        (3.66, 5.21, 4.53, 3.39, 5.05, 5.95, 5.00, 3.21),
        ("5nn", "c45", "lnp", "mlp", "mdt", "svl", "sv2", "svr"),
    ),
    "space": (
        (3.34, 3.32, 3.29, 3.71, 5.18, 5.87, 4.55, 6.74),
        ("c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn"),
    ),
}

# Tables 4.4 (c) and 4.5 (c): the pairs whose mean ranks differ by Nemenyi's test.
DIFFERENT = {
    "training_time": {
        ("c45", "sv2"), ("mdt", "lnp"), ("mdt", "5nn"), ("lnp", "sv2"), ("svl", "5nn"), ("sv2", "5nn"), ("svr", "5nn"),
    },
    "space": {
        ("c45", "svl"), ("c45", "sv2"), ("c45", "5nn"), ("mdt", "svl"), ("mdt", "sv2"), ("mdt", "5nn"), ("mlp", "svl"),
        ("mlp", "sv2"), ("mlp", "5nn"), ("lnp", "sv2"), ("lnp", "5nn"), ("svr", "5nn"),
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def results():
    return podium.example("ulas2008")


@pytest.fixture(scope="module")
def scores(results):
    return results.scores("accuracy").select(NAMES)


@pytest.mark.parametrize("cost", ["training_time", "space"])
def test_all_38_rows_of_tables_a12_and_a13(results, scores, cost):
    order = multi2test(scores, results.scores(cost))
    printed = podium.reading.example_frame(f"ulas2008/ranks_multitest_{cost}").set_index("dataset")

    assert (order.per_dataset_ranks == printed.loc[list(order.datasets), list(order.algorithms)].to_numpy()).all()


@pytest.mark.parametrize("cost", ["training_time", "space"])
def test_tables_4_4_and_4_5(results, scores, cost):
    order = multi2test(scores, results.scores(cost))
    mean_ranks, final = PRINTED[cost]
    different = {(row["a"], row["b"]) for row in order.pairs if row["better"] is not None}

    assert np.round(order.mean_ranks, 2) == pytest.approx(mean_ranks)
    assert order.order == final
    assert not order.changed
    assert {frozenset(pair) for pair in different} == {frozenset(pair) for pair in DIFFERENT[cost]}
    # CD = q_0.05 sqrt(L (L + 1) / (6 S)) with q_0.05 = 3.031 for eight algorithms (Demsar 2006, Table 5a).
    assert order.critical_difference == pytest.approx(3.031 * np.sqrt(8 * 9 / (6 * 38)), abs=1e-3)
    assert "that are 1.70 or more apart differ" in order.summary()


def test_the_second_pass_overturns_the_prior_order_on_nine_datasets(results):
    # Section 4.5.2, last paragraph.
    nine = "breast car nursery optdigits pendigits ringnorm spambase tictactoe titanic".split()
    scores = results.scores("accuracy").select(["c45", "mdt", "svr"])
    chosen = scores.take([scores.datasets.index(name) for name in nine])
    costs = results.scores("training_time").select(["c45", "mdt", "svr"])
    order = multi2test(chosen, costs)

    assert order.prior == ("c45", "mdt", "svr")
    assert order.order == ("svr", "c45", "mdt")
    assert order.changed
    assert "better scores moved svr over c45" in order.summary()


def test_the_first_pass_can_be_looked_at(results, scores):
    order = multi2test(scores, results.scores("training_time"))
    first = order.on("optdigits")

    assert first.order == ("svr", "svl", "sv2", "5nn", "mlp", "lnp", "mdt", "c45")
    assert first.ranks == tuple(order.per_dataset_ranks[order.datasets.index("optdigits")])


@pytest.mark.parametrize("posthoc", ["conover", "mean_ranks", "tukey", "paired_t"])
def test_any_registered_test_of_all_pairs_serves_the_second_pass(results, scores, posthoc):
    order = multi2test(scores, results.scores("space"), posthoc=posthoc)
    assert set(order.order) == set(scores.algorithms)
    assert order.critical_difference is None
    assert order.correction == (None if posthoc == "tukey" else "holm")
    for row in order.pairs:
        assert (row["better"] is None) == (row["adjusted"] > order.alpha or row["difference"] == 0)


def test_a_posthoc_test_with_a_control_is_refused(results, scores):
    with refuses(podium.ArgumentError, "posthoc"):
        multi2test(scores, results.scores("space"), posthoc="dunnett")


@pytest.mark.parametrize("posthoc", ["wilcoxon", "sign"])
def test_tests_that_look_only_at_the_two(results, scores, posthoc):
    order = multi2test(scores, results.scores("space"), posthoc=posthoc)

    assert order.critical_difference is None
    assert sorted(order.order) == sorted(NAMES)
    assert order.order[-1] == "5nn"  # the costliest by far, and never significantly better


def test_what_if_shows_the_order_under_each_cost(results, scores):
    found = what_if(
        scores,
        {
            "training time": results.scores("training_time"),
            "space": results.scores("space"),
            "as I read them": ["c45", "5nn", "lnp", "mdt", "mlp", "svl", "sv2", "svr"],
        },
    )

    frame = found.to_frame()
    assert list(frame["training time"]) == list(PRINTED["training_time"][1])
    assert list(frame["space"]) == list(PRINTED["space"][1])


def test_costs_are_normalised_to_100_and_combined():
    algorithms, datasets = ("a", "b", "c"), ("x", "y")
    time = as_costs({"a": 1.0, "b": 2.0, "c": 4.0}, datasets=datasets, algorithms=algorithms, name="time")
    space = as_costs(["c", "b", "a"], datasets=datasets, algorithms=algorithms, name="space")

    assert time.average.tolist() == [[25.0, 50.0, 100.0]]
    weighted = combine_costs([time, space], weights=[2, 1])
    assert weighted.values[0, 0] == pytest.approx([2 * 25 + 100, 2 * 50 + 200 / 3, 2 * 100 + 100 / 3])
    assert weighted.names == ("2 time + 1 space",)
    assert combine_costs([time, space]).names == ("time", "space")


def test_costs_of_folds_stay_so_where_all_have_as_many():
    def of(folds):
        one = {"names": ("c",), "values": np.ones((1, 1, 2)), "datasets": ("d",), "algorithms": ("a", "b")}
        return Costs(**one, folds=np.ones((1, folds, 2)))

    assert combine_costs([of(5), of(5)]).folds.shape == (2, 5, 2)
    assert combine_costs([of(5), of(4)]).folds is None


def test_lexicographic_costs_look_at_the_second_only_where_the_first_is_equal():
    from podium.ordering._multitest import order_from_decisions

    order = order_from_decisions(np.zeros((3, 3)), [[1, 1, 0], [5, 4, 9]], algorithms="abc")
    assert order.order == ("c", "b", "a")
    assert order.equal_cost == ()
    better = np.array([[False, True], [False, False]])  # a, which is cheaper by the second cost: nothing is overridden
    assert order_from_decisions(better, [[1, 1], [4, 5]], algorithms="ab").edges == ()


def test_datasets_with_missing_folds_are_left_out_and_named(results, scores):
    values = scores.values.copy()
    values[3, 2, 1, 0] = np.nan
    holed = type(scores)(
        values=values,
        datasets=scores.datasets,
        algorithms=scores.algorithms,
        metric=scores.metric,
        repeats=scores.repeats,
        folds=scores.folds,
    )
    order = multi2test(holed, results.scores("space"))

    assert order.left_out == (scores.datasets[3],)
    assert scores.datasets[3] in order.summary()


def test_means_alone_are_refused(results):
    with pytest.raises(DesignError, match="folds"):
        multi2test(results.scores("space"), results.scores("space"))
