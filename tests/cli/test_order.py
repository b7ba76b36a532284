"""`podium order`, as a user runs it."""

import json

import pytest

import podium
import program


def run(*arguments):
    return program.podium("order", *arguments)


def test_json_has_the_promised_keys_and_the_order_of_the_paper():
    ran = run("ulas2008", "--cost", "space", "--json", "-")
    data = json.loads(ran.stdout)

    assert ran.returncode == 0
    assert data["order"] == ["c45", "mdt", "mlp", "lnp", "svl", "svr", "sv2", "5nn"]
    assert {"mean_ranks", "critical_difference", "edges", "per_dataset_ranks", "prior"} <= set(data)
    assert data["per_dataset_ranks"]["australian"]["c45"] == 1  # Table A.13, first row
    assert round(data["mean_ranks"]["5nn"], 2) == 6.74


def test_the_table_reads_well_and_shows_what_if():
    ran = run("ulas2008", "--cost", "training_time", "--what-if")

    assert ran.returncode == 0
    assert "the best first: 5nn, c45, lnp, mlp, mdt, svl, sv2, svr." in " ".join(ran.stdout.split())
    assert "(training_time)" in ran.stdout
    assert "space" in ran.stdout


def test_what_if_has_the_prices_of_a_file_beside_the_costs_of_the_scores(tmp_path):
    names = podium.example("ulas2008").algorithms
    file = tmp_path / "prices.csv"
    file.write_text("algorithm,price,space\n" + "".join(f"{name},{i},{9 - i}\n" for i, name in enumerate(names)))
    for column, heads in (("price", ["training_time", "space", "price"]), ("space", ["training_time", "space"])):
        ran = run("ulas2008", "--cost", file, "--cost-column", column, "--what-if", "--json", "-")
        assert ran.returncode == 0, ran.stderr
        found = json.loads(ran.stdout)["more"][0]["orders"]
        assert list(found) == heads
        asked = run("ulas2008", "--cost", file, "--cost-column", column, "--json", "-")
        assert found[column] == json.loads(asked.stdout)["order"]


def test_costs_may_be_a_file_with_one_number_per_algorithm(tmp_path):
    names = podium.example("ulas2008").algorithms
    file = tmp_path / "price.csv"
    file.write_text("algorithm,price\n" + "".join(f"{name},{place}\n" for place, name in enumerate(names)))
    data = json.loads(run("ulas2008", "--cost", file, "--json", "-").stdout)

    assert data["prior"] == list(names)
    assert data["cost_names"] == ["price"]


def table_of_costs(tmp_path, change):
    frame = podium.reading.example_frame("ulas2008/space").set_index("dataset")
    path = tmp_path / "space.csv"
    change(frame).to_csv(path)
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda frame: frame.drop(columns="mlp"), "cost of mlp is missing"),
        (lambda frame: frame.rename(columns={"mlp": "mpl"}), "no scores: 'mpl'"),
        (lambda frame: frame.assign(mlp=-1.5), "is negative"),
        (lambda frame: frame.drop(index="car"), "no costs for the dataset car"),
    ],
)
def test_bad_costs_give_one_sentence(tmp_path, change, words):
    ran = run("ulas2008", "--cost", table_of_costs(tmp_path, change))
    complaint = ran.stderr.strip().splitlines()[-1]

    assert ran.returncode == 2
    assert words in complaint
    assert "Traceback" not in ran.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["ulas2008", "--cost", "spaces"], "did you mean 'space'"),
        (["ulas2008", "--cost", "space", "--weights", "a"], "numbers separated by commas"),
        (["ulas2008", "--cost", "space", "--posthoc", "nemeny"], "'nemenyi'"),
        (["ulas2008", "--cost", "space", "--alpha", "2"], "strictly between 0 and 1"),
        (["benavoli2016"], "There are no costs"),
    ],
)
def test_bad_requests_give_one_sentence(arguments, words):
    ran = run(*arguments)

    assert ran.returncode == 2
    assert words in ran.stderr
    assert "Traceback" not in ran.stderr


def test_compare_takes_every_form_of_a_cost_that_its_help_names(tmp_path):
    algorithms = podium.example("ulas2008").algorithms
    prices = {name: place + 1 for place, name in enumerate(algorithms)}
    file = tmp_path / "costs.csv"
    file.write_text("algorithm,price\n" + "".join(f"{name},{price}\n" for name, price in prices.items()))
    typed = ",".join(f"{name}={price}" for name, price in prices.items())
    orders = []
    for cost in (file, typed, ",".join(algorithms)):
        ran = program.podium("compare", "ulas2008", "--metric", "accuracy", "--cost", cost, "--json", "-", "--quiet")
        assert ran.returncode == 0, ran.stderr
        orders.append(json.loads(ran.stdout)["cost_order"])
    assert orders[0]["order"] == orders[1]["order"] == orders[2]["order"]
