"""`podium.order` takes whatever `podium.compare` takes, and what both say of scores and costs."""

import numpy as np
import pandas as pd
import pytest

import podium
from refusals import refuses


@pytest.fixture(scope="module")
def results():
    return podium.example("ulas2008")


def folds_file(tmp_path):
    """Two algorithms on six datasets, 3 folds each, with the time they took: the slow one is better."""
    rng = np.random.default_rng(0)
    rows = [
        (f"d{d}", name, fold, 0.8 + better + 0.001 * rng.normal(), time)
        for d in range(6)
        for name, better, time in (("slow", 0.1, 9.0), ("fast", 0.0, 1.0))
        for fold in range(3)
    ]
    path = tmp_path / "folds.csv"
    pd.DataFrame(rows, columns=["dataset", "algorithm", "fold", "accuracy", "training_time"]).to_csv(path, index=False)
    return path


def test_a_path_is_read_and_the_test_suits_the_folds(tmp_path):
    found = podium.order(folds_file(tmp_path), metric="accuracy")
    assert (found.test, found.prior, found.cost_names) == ("corrected_t", ("fast", "slow"), ("training_time",))
    assert found.order == ("slow", "fast")
    assert list(found.to_frame()) == [
        "rank",
        "algorithm",
        "mean_multitest_rank",
        "average_cost",
        "cost_rank",
        "overridden_by",
    ]


def test_one_dataset_is_ordered_by_multitest(tmp_path):
    frame = pd.read_csv(folds_file(tmp_path))
    one = podium.read(frame[frame["dataset"] == "d0"])
    found = podium.order(one, metric="accuracy")
    direct = podium.ordering.multitest(one.scores("accuracy"), one.scores("training_time"), test="corrected_t")
    assert (found.order, found.edges, found.test) == (direct.order, direct.edges, "corrected_t")
    assert found.order == ("slow", "fast")
    assert "slow over fast" in found.summary()
    both = podium.compare(one, metric="accuracy", cost="training_time")
    assert both.cost_order.order == ("slow", "fast")
    assert (
        both.verdict.headline
        == "On d0, slow is the choice: fast, the only cheaper one, is significantly less accurate."
    )
    with pytest.raises(podium.PodiumError, match="allows no test: give its folds"):
        podium.order(podium.read(frame[(frame["dataset"] == "d0") & (frame["fold"] == 0)]), metric="accuracy")


def test_a_dataset_of_several_is_ordered_alone(results):
    """Ulas et al. (2008), section 3.2: the order on optdigits."""
    found = podium.order(results, metric="accuracy", cost="training_time", dataset="optdigits")
    assert found.order == ("svr", "svl", "sv2", "5nn", "mlp", "lnp", "mdt", "c45")
    with refuses(podium.PodiumError, kind="dataset", value="'optdigit'"):
        podium.order(results, metric="accuracy", cost="training_time", dataset="optdigit")


NO_FOLDS = pd.DataFrame(
    np.random.default_rng(3).normal([0.85, 0.80, 0.79, 0.852], 0.01, (30, 4)),
    columns=["svm", "knn", "tree", "mlp"],
    index=[f"d{i}" for i in range(30)],
)
TIMES = {"svm": 3.0, "knn": 0.2, "tree": 0.5, "mlp": 20.0}


def test_scores_without_folds_are_ordered_by_the_adjusted_tests_of_pairs():
    found = podium.order(NO_FOLDS, metric="accuracy", cost=TIMES)
    compared = podium.compare(NO_FOLDS, metric="accuracy")
    direct = podium.ordering.order_from_decisions(
        compared.pairs.better(0.05),
        [TIMES[name] for name in compared.pairs.algorithms],
        algorithms=compared.pairs.algorithms,
    )
    assert (found.order, found.edges) == (direct.order, direct.edges)
    assert found.order[0] == "svm"
    assert "Wilcoxon's signed-rank test over 30 datasets after correction (Holm)" in found.summary()
    by_sign = podium.order(NO_FOLDS, metric="accuracy", cost=TIMES, posthoc="sign", correction="bonferroni")
    assert by_sign.test == "sign"


def test_cases_and_runs_are_ordered_too():
    rng = np.random.default_rng(0)
    passed = (rng.random((200, 3)) < [0.9, 0.88, 0.4]).astype(int)
    long = pd.DataFrame(
        {"item": np.repeat(np.arange(200), 3), "model": ["a", "b", "c"] * 200, "passed": passed.ravel()}
    )
    found = podium.order(long, cost={"a": 5, "b": 1, "c": 0.1}, unit="case")
    assert (found.order[0], found.prior) == ("b", ("c", "b", "a"))
    assert "200 items" in found.decided_by
    runs = {name: rng.normal(mean, 0.1, (5, 6)) for name, mean in (("x", 1.0), ("y", 0.99), ("z", 0.2))}
    agents = podium.compare(runs, direction="higher", unit="run", cost={"x": 9, "y": 2, "z": 1})
    assert agents.trade_offs[0].choice == "y"
    assert agents.cost_order.order[0] == "y"


def said(scores, cost, **options):
    return podium.compare(scores, direction="higher", rows="datasets", cost=cost, **options).verdict


GOOD, BAD = np.linspace(0.8, 0.9, 9), np.linspace(0.7, 0.82, 9)


@pytest.mark.parametrize(
    "cost, words",
    [
        ((1, 2, 3), "a is the cheapest algorithm, and no other is significantly better."),
        ((2, 1, 3), "a is the choice: b, the only cheaper one, is significantly worse."),
        ((3, 1, 2), "a is the choice: each of the two cheaper ones is significantly worse."),
    ],
)
def test_the_headline_counts_the_cheaper_ones(cost, words):
    scores = {"a": GOOD, "b": BAD, "c": BAD - 0.01}
    assert said(scores, dict(zip("abc", cost, strict=True))).headline == words


def test_what_the_choice_saves_and_where_it_is_cheaper():
    """The choice costs half on six of nine datasets and twice as much on three: 2 ** (-3 / 9) by the geometric mean."""
    near = GOOD + 0.001 * np.resize([1, -1], 9)
    cost = pd.DataFrame({"a": np.full(9, 8.0), "b": np.repeat([4.0, 16.0], [6, 3])}, index=[f"d{i}" for i in range(9)])
    scores = pd.DataFrame({"a": near + 0.0001, "b": GOOD}, index=cost.index)
    verdict = said(scores, cost)
    assert (
        "b takes 79% of a's cost (geometric mean over 9 datasets), and is the cheaper one on 6 of them" in verdict.cost
    )
    best = said({"a": GOOD, "b": GOOD - 0.05 - np.arange(9) / 1000}, {"a": 10, "b": 1})
    assert best.cost == "b, the best of the cheaper ones, takes 10% of its cost and is 0.0540 points behind."


def test_a_gap_without_an_interval_is_said():
    rng = np.random.default_rng(1)
    scores = {name: 0.8 + 0.01 * rng.random(4).round(2) for name in "abc"}
    assert (
        "has no interval: too few datasets" in said(scores, {"a": 3, "b": 2, "c": 1}, control="a", alpha=0.4).how_much
    )
