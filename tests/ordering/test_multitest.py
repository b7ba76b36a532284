"""MultiTest against Ulas, Yildiz, Alpaydin (2008), section 3, and its properties."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import podium
from podium.core.errors import ArgumentError, DataError, DesignError
from podium.ordering._multitest import multitest, order_from_decisions, topological_sort
from podium.stats import registry

NAMES = ("c45", "mdt", "mlp", "lnp", "svl", "sv2", "svr", "5nn")

# Table 3.1: 1 where the algorithm on the row is significantly more accurate on optdigits.
TABLE_3_1 = np.array(
    [
        [0, 0, 0, 0, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 0, 1, 0, 0, 0, 0],
        [1, 0, 0, 0, 0, 0, 0, 0],
        [1, 1, 1, 1, 0, 0, 0, 1],
        [1, 1, 1, 1, 0, 0, 0, 1],
        [1, 1, 1, 1, 0, 0, 0, 1],
        [1, 1, 0, 1, 0, 0, 0, 0],
    ],
    dtype=bool,
)

# Section 3.1: the order, and the candidates of each step as the caption of Figure 3.2 tells them.
OPTDIGITS_ORDER = ("svr", "svl", "sv2", "5nn", "mlp", "lnp", "mdt", "c45")
FIGURE_3_2 = (
    {"svr", "svl", "sv2", "mdt"},
    {"svl", "sv2", "mdt"},
    {"sv2", "mdt"},
    {"5nn", "mlp", "mdt"},
    {"mlp", "mdt"},
    {"lnp", "mdt"},
    {"mdt"},
    {"c45"},
)


def optdigits_costs():
    frame = podium.reading.example_frame("ulas2008/training_time").set_index("dataset")
    return {name: float(frame.loc["optdigits", name]) for name in NAMES}


def test_optdigits_from_table_3_1():
    costs = optdigits_costs()
    result = order_from_decisions(TABLE_3_1, [costs[name] for name in NAMES], algorithms=NAMES)

    assert result.order == OPTDIGITS_ORDER
    assert result.prior[0] == "5nn"
    assert result.prior[-1] == "mdt"
    assert tuple(set(step) for step in result.steps) == FIGURE_3_2


def test_optdigits_from_the_folds():
    scores = podium.example("ulas2008").scores("accuracy")
    result = multitest(scores, optdigits_costs(), dataset="optdigits")
    order = [scores.algorithms.index(name) for name in NAMES]

    assert result.order == OPTDIGITS_ORDER
    assert (result.better[np.ix_(order, order)] == TABLE_3_1).all()
    assert tuple(set(step) for step in result.steps) == FIGURE_3_2


def test_table_3_3_with_the_prior_order_c_a_d_b():
    better = np.zeros((4, 4), dtype=bool)
    better[0, [2, 3]] = True
    better[1, 3] = True
    result = order_from_decisions(better, [2, 4, 1, 3], algorithms="ABCD")

    assert result.prior == ("C", "A", "D", "B")
    assert result.order == ("A", "C", "B", "D")
    assert set(result.edges) == {("C", "A"), ("D", "B")}


@st.composite
def decisions(draw, *, distinct_costs):
    k = draw(st.integers(2, 8))
    better = np.array(draw(st.lists(st.booleans(), min_size=k * k, max_size=k * k))).reshape(k, k)
    better &= ~better.T  # a test never finds each better than the other
    np.fill_diagonal(better, False)
    if distinct_costs:
        costs = draw(st.permutations(range(k)))
    else:
        costs = draw(st.lists(st.integers(0, 3), min_size=k, max_size=k))
    return better, np.array(costs, dtype=float), np.array(draw(st.permutations(range(k))), dtype=float)


@given(decisions(distinct_costs=True))
def test_the_order_is_a_linear_extension_of_the_edges(case):
    better, costs, errors = case
    names = tuple("abcdefgh"[: len(costs)])
    result = order_from_decisions(better, costs, algorithms=names, errors=errors)

    assert sorted(result.order) == sorted(names)
    assert result.cycles == ()
    for cheaper, costlier in result.edges:
        assert result.order.index(costlier) < result.order.index(cheaper)
        assert costs[names.index(costlier)] > costs[names.index(cheaper)]


@given(decisions(distinct_costs=False))
def test_every_algorithm_is_ordered_once_even_with_cycles(case):
    better, costs, errors = case
    names = tuple("abcdefgh"[: len(costs)])
    result = order_from_decisions(better, costs, algorithms=names, errors=errors)

    assert sorted(result.order) == sorted(names)
    for cycle in result.cycles:
        assert all((a, b) in result.edges for a, b in zip(cycle, cycle[1:] + cycle[:1], strict=True))


@given(decisions(distinct_costs=False))
def test_without_a_difference_the_order_is_the_prior(case):
    better, costs, errors = case
    names = tuple("abcdefgh"[: len(costs)])
    result = order_from_decisions(np.zeros_like(better), costs, algorithms=names, errors=errors)

    assert result.order == result.prior
    assert [costs[names.index(name)] for name in result.order] == sorted(costs)


@given(decisions(distinct_costs=True), st.randoms(use_true_random=False))
def test_relabelling_does_not_matter(case, random):
    better, costs, errors = case
    names = tuple("abcdefgh"[: len(costs)])
    shuffled = list(range(len(costs)))
    random.shuffle(shuffled)
    there = order_from_decisions(better, costs, algorithms=names, errors=errors)
    here = order_from_decisions(
        better[np.ix_(shuffled, shuffled)],
        costs[shuffled],
        algorithms=[names[i] for i in shuffled],
        errors=errors[shuffled],
    )

    assert there.order == here.order


def test_equal_costs_are_broken_by_error_and_said_so():
    result = order_from_decisions(np.zeros((3, 3)), [1, 1, 1], algorithms="abc", errors=[0.3, 0.1, 0.2])

    assert result.order == ("b", "c", "a")
    assert "cost the same" in result.summary()


def test_a_cycle_is_named_and_broken_by_the_prior_order():
    better = np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]], dtype=bool)  # a beats b beats c beats a
    result = order_from_decisions(better, [1, 1, 1], algorithms="abc", errors=[0.2, 0.1, 0.3])

    assert len(result.cycles) == 1
    assert set(result.cycles[0]) == {"a", "b", "c"}
    assert result.order[0] == "b"
    assert "not transitive" in result.summary()


def test_the_sort_takes_the_cheapest_candidate():
    assert topological_sort([2, 0, 1], np.zeros((3, 3))).order == (2, 0, 1)


def scores_of_two(design=(5, 2)):
    rng = np.random.default_rng(1)
    return rng.normal(size=(2, *design)) * 0.01 + np.array([0.9, 0.8])[:, None, None]


@pytest.mark.parametrize("test", registry.names(("folds", "datasets")))
def test_any_named_test_lets_a_clear_difference_override_the_cost(test):
    folds = scores_of_two((1, 10) if registry.PAIRWISE[test].design == "one repeat" else (5, 2))
    result = multitest(folds, {"algorithm 1": 2.0, "algorithm 2": 1.0}, test=test)

    assert result.order == ("algorithm 1", "algorithm 2")


@pytest.mark.parametrize(
    ("costs", "error", "words"),
    [
        ({"algorithm 1": 1.0}, DataError, "cost of algorithm 2 is missing"),
        ({"algorithm 1": 1.0, "algorithm 2": -1.0}, DataError, "is negative"),
        ({"algorithm 1": 1.0, "algorithm 2": float("nan")}, ArgumentError, "finite number"),
        (
            {"algorithm 1": 1.0, "algorithm 2": 1.0, "algorithm 3": 2.0},
            ArgumentError,
            "Unknown algorithm 'algorithm 3'",
        ),
        (["algorithm 1", "algorithm 1"], ArgumentError, "twice"),
    ],
)
def test_bad_costs_are_named(costs, error, words):
    with pytest.raises(error, match=words):
        multitest(scores_of_two(), costs)


def test_another_design_is_refused_by_the_5x2_test():
    with pytest.raises(DesignError, match="5 repeats of 2-fold"):
        multitest(scores_of_two((10, 10)), {"algorithm 1": 1.0, "algorithm 2": 2.0})


@pytest.mark.parametrize(
    "wrong",
    [
        {"cost": [1]},
        {"cost": [1, np.nan]},  # which would silently have been the costliest
        {"cost": [1, 2, 3]},
        {"errors": [0.1]},
        {"better": [[0, np.nan], [0, 0]]},
        {"algorithms": ("a", "a")},
    ],
)
def test_decisions_and_costs_that_do_not_fit_are_refused_in_a_sentence(wrong):
    with pytest.raises(DataError):
        order_from_decisions(
            **{"better": np.zeros((2, 2)), "cost": [1, 2], "algorithms": ("a", "b"), "errors": [0.1, 0.2], **wrong}
        )


def test_nobody_is_better_than_itself():
    found = order_from_decisions(np.ones((2, 2)), [1, 2], algorithms=("a", "b"))
    assert (found.edges, found.cycles, found.order) == ((("a", "b"),), (), ("b", "a"))


def test_costs_may_be_a_series():
    scores = np.full((3, 5, 2), 0.5)
    cost = pd.Series({"algorithm 2": 1.0, "algorithm 1": 2.0, "algorithm 3": 3.0})
    assert multitest(scores, cost).order == ("algorithm 2", "algorithm 1", "algorithm 3")
