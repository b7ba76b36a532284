"""`podium.order`: scores and costs in any form."""

import numpy as np
import pandas as pd
import pytest

import podium
from comparison.test_order import NO_FOLDS
from refusals import refuses

PAPER = ("c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn")  # Table 4.5 (b) of Ulas et al. 2008, by space


@pytest.fixture(scope="module")
def results():
    return podium.example("ulas2008")


def test_costs_by_metric_table_file_mapping_and_order_are_the_same_costs(results, tmp_path):
    space = results.scores("space").table().to_frame()
    space.to_csv(tmp_path / "space.csv")
    found = [
        podium.order(results, metric="accuracy", cost=cost)
        for cost in ("space", results.scores("space"), space, tmp_path / "space.csv", str(tmp_path / "space.csv"))
    ]
    assert {one.order for one in found} == {PAPER}
    assert {one.cost_names for one in found} == {("space",), ("cost",)}
    prices = {name: place for place, name in enumerate(results.algorithms)}
    file = tmp_path / "price.csv"
    file.write_text("algorithm,price\n" + "".join(f"{name},{price}\n" for name, price in prices.items()))
    given = [podium.order(results, metric="accuracy", cost=cost) for cost in (prices, list(results.algorithms), file)]
    assert {one.prior for one in given} == {tuple(results.algorithms)}
    assert len({one.order for one in given}) == 1
    assert [one.cost_names for one in given] == [("cost",), ("the given order",), ("price",)]


def test_without_a_cost_every_cost_of_the_results_counts_and_weights_add_them_up(results):
    everything = podium.order(results, metric="accuracy")
    assert everything.cost_names == results.costs
    assert everything.order == podium.order(results, metric="accuracy", cost=list(results.costs)).order
    only = podium.order(results, metric="accuracy", cost=["space", "training_time"], weights=[1, 0])
    assert only.order == PAPER
    assert only.cost_names == ("1 space + 0 training_time",)


@pytest.mark.parametrize(
    ("cost", "words"),
    [
        ("spaces", "did you mean 'space'"),
        ([], "There are no costs"),
        (["c45", "mdt"], "cost of mlp, lnp"),
        ({"c45": 1.0}, "cost of mdt, mlp"),
    ],
)
def test_what_is_no_cost_is_refused_in_a_sentence(results, cost, words):
    with pytest.raises(podium.PodiumError, match=words):
        podium.order(results, metric="accuracy", cost=cost)


def test_other_refusals(results, tmp_path):
    with refuses(podium.ArgumentError, "cost"):
        podium.order(results.scores("accuracy"))
    with refuses(podium.DataError, "metric", "direction"):
        podium.order(np.eye(3), cost=["a"])
    with refuses(podium.ArgumentError, "weights"):
        podium.order(results, metric="accuracy", cost="space", weights=[1, 2])
    file = tmp_path / "price.csv"
    file.write_text("algorithm,price\nc45,cheap\n")
    with pytest.raises(podium.DataError, match="the cost of 'c45' is 'cheap', not a number"):
        podium.order(results, metric="accuracy", cost=file)


NAMES = podium.example("ulas2008").algorithms


def cost_file(tmp_path, header, rows, name="costs.csv"):
    """A file with a row of costs for each algorithm; the costs are texts."""
    file = tmp_path / name
    file.write_text("\n".join([header, *(",".join(map(str, row)) for row in rows)]) + "\n")
    return file


def test_a_cost_is_called_as_its_column_and_chosen_by_it(results, tmp_path):
    file = cost_file(tmp_path, "algorithm,seconds,memory", [(name, i, 9 - i) for i, name in enumerate(NAMES)])
    with refuses(podium.DataError, "cost_column"):
        podium.order(results, metric="accuracy", cost=file)
    found = podium.order(results, metric="accuracy", cost=file, cost_column="memory")
    assert (found.cost_names, found.prior) == (("memory",), NAMES[::-1])
    with refuses(podium.ArgumentError, "cost_column"):
        podium.order(results, metric="accuracy", cost="space", cost_column="memory")
    cases = podium.read({"q": [1, 2], "A": [1, 0], "B": [1, 1]}, unit="case", case_column="q")
    with refuses(podium.ArgumentError, "cost", "cost_column"):
        podium.order(cases, cost="usd")


def test_several_costs_of_each_dataset_are_chosen_by_column(results, tmp_path):
    rows = [(name, data, 1 + i, 9 - i) for data in results.scores("space").datasets for i, name in enumerate(NAMES)]
    file = cost_file(tmp_path, "algorithm,dataset,seconds,memory", rows)
    with refuses(podium.DataError, "cost_column"):
        podium.order(results, metric="accuracy", cost=file)
    assert podium.order(results, metric="accuracy", cost=file, cost_column="memory").prior == NAMES[::-1]


@pytest.mark.parametrize(
    "header, rows, words",
    [
        (
            "algorithm,time",
            [*enumerate(NAMES), (3, NAMES[0])],
            r"costs.csv: 'c45' has more than one cost \(0 and 3\): keep one row",
        ),
        (
            "algorithm,throughput",
            [*enumerate(NAMES)],
            "'throughput' of costs.csv is better when higher.*cheapest first",
        ),
        (
            "algorithm,samples per second",
            [*enumerate(NAMES)],
            "'samples per second' of costs.csv is better when higher",
        ),
        (
            f"{NAMES[0]},1",
            [*enumerate(NAMES)][1:],
            "costs.csv has no header: write one above its first row, such as algorithm,time",
        ),
        (
            "algorithm,time",
            [("3s", name) for name in NAMES],
            "the cost of 'c45' is '3s', not a number: write a plain number",
        ),
        ("algorithm,time", [("-", name) for name in NAMES], "the cost of 'c45' is '-', not a number"),
    ],
)
def test_a_file_of_costs_that_misleads_is_refused(results, tmp_path, header, rows, words):
    file = cost_file(tmp_path, header, [(name, cost) for cost, name in rows])
    with pytest.raises(podium.DataError, match=words):
        podium.order(results, metric="accuracy", cost=file)


def test_a_metric_that_is_better_when_higher_is_no_cost(results):
    with refuses(podium.DataError, "cost"):
        podium.order(results, metric="accuracy", cost="accuracy")


def test_an_algorithm_is_typed_once():
    from podium.ordering.costs import typed_costs

    with pytest.raises(podium.ArgumentError, match=r"'svm' has more than one cost .3 and 5.: give each algorithm once"):
        typed_costs("svm=3, knn=1, svm=5")


def test_datasets_without_costs_are_counted_as_they_are(results, tmp_path):
    names = results.scores("space").datasets
    file = cost_file(tmp_path, ",".join(["dataset", *NAMES]), [(name, *range(1, 9)) for name in names[2:]])
    with pytest.raises(podium.DataError, match=f"no costs for the datasets {names[0]}, {names[1]}: add their rows"):
        podium.order(results, metric="accuracy", cost=file)


def test_wins_by_the_f_test_are_those_of_table_4_3(results):
    wins = podium.order(results, metric="accuracy", cost="space").wins
    rows = {(row.algorithm, row.versus): row for row in wins.to_frame().itertuples()}
    assert len(rows) == 28
    bold = {pair for pair, row in rows.items() if row.pvalue <= 0.05}
    beaten = {"mlp": "mdt", "svl": "mdt lnp 5nn", "svr": "c45 mdt lnp sv2 5nn"}
    assert bold == {(name, other) for name, others in beaten.items() for other in others.split()}
    assert (rows["svr", "sv2"].wins, rows["svr", "sv2"].losses) == (16, 1)
    assert (rows["mdt", "sv2"].wins, rows["mdt", "sv2"].losses) == (10, 9)
    for row in rows.values():
        assert row.wins + row.ties + row.losses == 38
        signs = np.repeat([1.0, -1.0], [row.wins, row.losses])
        assert row.pvalue == pytest.approx(podium.stats.sign(signs, 0 * signs).pvalue)


NINE = ["breast", "car", "nursery", "optdigits", "pendigits", "ringnorm", "spambase", "tictactoe", "titanic"]


def test_nine_datasets_override_the_order_of_space(results):
    """Section 4.5.2, where space is the cost: the prior order is c45, mdt, svr, and the final one is not."""
    few = f"algorithm in ['c45', 'mdt', 'svr'] and dataset in {NINE}"
    found = podium.order(results, metric="accuracy", cost="space", where=few)
    assert (found.prior, found.order) == (("c45", "mdt", "svr"), ("svr", "c45", "mdt"))
    assert (found.algorithms, sorted(found.datasets)) == (("c45", "mdt", "svr"), NINE)
    with refuses(podium.DataError, "where"):
        podium.order(results, metric="accuracy", cost="space", where="dataset == 'no such'")


def test_the_command_orders_examples_and_decisions():
    from program import podium as run

    few = run(
        "order", "ulas2008", "-m", "accuracy", "--cost", "space", "--where", "dataset in ['car', 'wine']", "--json", "-"
    )
    assert few.returncode == 0
    assert '"car"' in few.stdout
    assert '"optdigits"' not in few.stdout
    alone = run("order", "ulas2008", "-m", "accuracy", "--cost", "space", "--dataset", "car", "--what-if")
    assert alone.returncode == 0
    assert "training" in alone.stdout.lower()
    table = run("order", "--decisions", "A>C, A>D, B>D", "--cost", "C,A,D,B")
    assert "The best first: A, C, B, D." in table.stdout
    assert run("order", "--decisions", "A>C").returncode == 2
    assert run("order", "ulas2008", "--decisions", "A>C", "--cost", "A,C").returncode == 2
    assert run("order").returncode == 2
    for wrong in ("A<C", "A>X", "A>A", "A>C, C>A"):
        assert run("order", "--decisions", wrong, "--cost", "C,A").returncode == 2
    assert run("order", "ulas2008", "-m", "accuracy", "--cost", "space", "--dataset", "car", "--wins").returncode == 2


def test_a_sheet_of_a_workbook_holds_the_costs(tmp_path):
    file = tmp_path / "results.xlsx"
    with pd.ExcelWriter(file) as book:
        NO_FOLDS.rename_axis("dataset").to_excel(book, sheet_name="scores")
        (NO_FOLDS * 0 + [1.0, 2.0, 3.0, 4.0]).rename_axis("dataset").to_excel(book, sheet_name="times")
    with refuses(podium.DataError, "cost"):
        podium.order(NO_FOLDS, metric="accuracy", cost=file)
    found = podium.order(NO_FOLDS, metric="accuracy", cost=f"{file}:times")
    assert (found.prior, found.cost_names) == (("svm", "knn", "tree", "mlp"), ("times",))


def test_a_formula_of_costs_is_computed_in_their_own_units(results, tmp_path):
    text = "0.7*training_time + 0.3*space"
    found = podium.order(results, metric="accuracy", cost=text)
    time, space = (results.scores(name).table().to_frame() for name in ("training_time", "space"))
    assert found.order == podium.order(results, metric="accuracy", cost=0.7 * time + 0.3 * space).order
    assert found.cost_names == (text,)
    file = cost_file(tmp_path, "algorithm,hours,gb", [(name, i, 9 - i) for i, name in enumerate(NAMES)])
    priced = podium.order(results, metric="accuracy", cost=file, cost_column="2*hours + 10*gb")
    assert priced.prior == NAMES[::-1]
    for wrong in ("2*training_time +", "__import__('os')*space", "space**2", "space if 1 else 2", "space/0", "-space"):
        with pytest.raises(podium.PodiumError):
            podium.order(results, metric="accuracy", cost=wrong)


def test_a_cost_that_was_not_read_as_a_metric_is_named_with_its_file(tmp_path):
    file = tmp_path / "prices.csv"
    rows = [f"d{d},{name},{0.8 + 0.01 * d},{price}" for d in range(8) for price, name in enumerate(("a", "b"), start=2)]
    file.write_text("\n".join(["dataset,algorithm,accuracy,usd", *rows]), encoding="utf-8")
    results = podium.read(file)
    with pytest.raises(podium.ArgumentError, match="is named with its file, such as"):
        podium.order(results, metric="accuracy", cost="usd")
    assert podium.order(results, metric="accuracy", cost=f"{file}:usd").prior == ("a", "b")
