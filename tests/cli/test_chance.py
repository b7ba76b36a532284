"""`podium chance`, as a user runs it."""

import csv
import io
import json

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

import podium
import program
from podium.cli.main import app
from podium.core.errors import ArgumentError, DataError
from refusals import refuses

KDD_CUP = ["--positives", "150", "--negatives", "484", "--competitors", "114"]


def run(*arguments):
    """In this process: what Podium raises on purpose stays an exception."""
    ran = CliRunner().invoke(app, ["chance", *map(str, arguments)])
    if ran.exception is not None and not isinstance(ran.exception, SystemExit):
        raise ran.exception
    return ran


def run_as_a_program(*arguments):
    return program.podium("chance", *arguments)


@pytest.fixture
def predictions(tmp_path):
    file = tmp_path / "predictions.csv"
    file.write_text('y_true,svm,"=evil()",tree\n1,.9,.2,1\n1,.8,.3,1\n1,.7,.9,0\n0,.6,.1,1\n0,.4,.4,0\n0,.3,.5,0\n')
    return file


def test_value_gives_the_promised_keys():
    ran = run_as_a_program(
        *"value --metric auc --positives 100 --negatives 300 --competitors 1000 --alpha 0.01 --json -".split()
    )
    data = json.loads(ran.stdout)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert {"critical_value", "fraction", "p_above", "p_at_least"} <= set(data)
    assert data["fraction"] == "9617/15000"
    assert data["p_above"] <= 1.00503e-5 < data["p_at_least"]


def test_value_asks_for_the_sizes_of_the_test_set():
    ran = run_as_a_program("value", "--metric", "auc", "-N", "10")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "Missing option '--positives'" in ran.stderr


def test_value_of_the_kdd_cup_in_words():
    ran = run("value", "-m", "best_accuracy", *KDD_CUP, "--alpha", "0.01")
    assert "491/634" in ran.stdout


def test_pvalue_in_json_and_words():
    data = json.loads(
        run("pvalue", "-m", "auc", *KDD_CUP, "--score", "0.61", "--unattainable", "below", "--json", "-").stdout
    )
    assert (
        data["pvalue"]
        == podium.chance.pvalue("auc", 0.61, positives=150, negatives=484, competitors=114, unattainable="below").pvalue
    )
    assert "not with the other competitors" in " ".join(
        run("pvalue", "-m", "tp10", *KDD_CUP, "--score", 8).stdout.split()
    )


def test_a_score_that_cannot_occur_names_the_way_on():
    asked = ["pvalue", "-m", "auc", "-P", 7, "-N", 9, "--score", 0.8]
    with refuses(ArgumentError, "unattainable"):
        run(*asked)
    assert run(*asked, "--unattainable", "nearest").exit_code == 0


def test_predictions_of_a_folder_and_the_truth_in_a_file(tmp_path):
    """What `podium compare` takes is not asked for again."""
    truth = np.tile([1, 0, 0], 20)
    labels, folder = tmp_path / "solution.csv", tmp_path / "answers"
    folder.mkdir()
    pd.DataFrame({"id": range(60), "label": truth}).to_csv(labels, index=False)
    rng, scores = np.random.default_rng(1), {}
    for name in ("tree", "svm"):
        scores[name] = truth + rng.standard_normal(60)
        pd.DataFrame({"id": range(60), "score": scores[name]}).to_csv(folder / f"{name}.csv", index=False)
    expected = podium.chance.chance_test(truth, scores)
    for files in ([folder], sorted(folder.iterdir())):
        data = json.loads(run("test", *files, "--truth", labels, "--json", "-").stdout)
        assert (data["winner"], data["pvalue"]) == (expected.winner, pytest.approx(expected.pvalue))
    with refuses(DataError, "truth"):
        run("test", folder)


def test_simulated_metrics_too():
    data = json.loads(
        run("value", "-m", "ndcg", "-P", 5, "-N", 5, "--alpha", 0.2, "--draws", 500, "--json", "-").stdout
    )
    assert data["low"][0] <= data["critical_values"][0] <= data["high"][0]


def test_tables_in_all_forms(tmp_path):
    sizes = ["-P", "20:40:10", "-N", "20,30", "-C", "10"]
    rows = list(csv.DictReader(io.StringIO(run("table", "-m", "auc", "-m", "tp10", *sizes, "--csv", "-").stdout)))
    assert len(rows) == 12
    assert {row["metric"] for row in rows} == {"auc", "tp10"}
    assert {float(row["critical_value"]) for row in rows if row["metric"] == "auc"} >= {0.7775, 0.755}
    assert "20  0.7775  0.7550" in run("table", "-m", "auc", *sizes).stdout
    assert r"20 & 0.7775 & 0.7550 \\" in run("table", "-m", "auc", *sizes, "--latex", "-").stdout
    assert np.shape(json.loads(run("table", "-m", "auc", *sizes, "--json", "-").stdout)["values"]) == (1, 1, 3, 2)
    file = tmp_path / "table.md"
    assert "Wrote" in run("table", "-m", "auc", *sizes, "--md", file).stderr
    assert "| 20 | 0.7775 | 0.7550 |" in file.read_text()


@pytest.mark.parametrize("kind", ["surface", "contours", "cdf", "competitors"])
def test_charts(kind, tmp_path):
    file = tmp_path / "chart.png"
    assert "Wrote" in run("chart", file, "--kind", kind, "-P", 30, "-N", 40, "-C", 10).stdout
    assert file.read_bytes().startswith(b"\x89PNG")


def test_the_three_plans():
    data = json.loads(run("plan", "--cases", 30, "-m", "auc", "--json", "-").stdout)
    assert data["metrics"] == ["auc"]
    assert data["easiest"] == [14]  # and 16: .7455; 15 has .7467
    data = json.loads(run("plan", "--score", 0.65, "--share", 0.25, "-C", 1000, "--alpha", 0.01, "--json", "-").stdout)
    assert data["cases"] == 354
    data = json.loads(run("plan", "-P", 100, "-N", 300, "--score", 0.65, "--alpha", 0.01, "--json", "-").stdout)
    assert data["most_competitors"] == 3532
    assert "Positives" in run("plan", "--cases", 30, "--auc", 0.8, "--draws", 5).stdout


def test_predictions_with_ties_and_hostile_names(predictions):
    ran = run("test", predictions, "--json", "-")
    data = json.loads(ran.stdout)
    assert data["winner"] == "svm"
    assert data["pvalue"] == pytest.approx(1 - 0.95**3)
    assert data["tied"] == [0, 0, 6]
    assert "'=evil()" in run("test", predictions, "--csv", "-").stdout
    assert "critical value" in " ".join(run("test", predictions, "--algorithms", "tree").stdout.split())


@pytest.mark.parametrize(
    "arguments, sentence",
    [
        ("value -P 0 -N 5", "`positives` must be an integer from 1"),
        ("value -P 5 -N 0", "`negatives` must be an integer from 1"),
        ("value -P 5 -N 5 --alpha 0", "`alpha` must lie strictly between 0 and 1"),
        ("value -P 5 -N 5 -C 0", "`competitors` must be an integer from 1"),
        ("value -P 5 -N 5 -m tp11", "`n` of tp11 must not exceed the 10 test cases"),
        ("value -P 5 -N 5 -m zork", "Unknown chance metric 'zork'"),
        ("pvalue -P 5 -N 5 --score 1.5", "must lie from 0 to 1"),
        ("pvalue -P 5 -N 5 --score 0.66", "the nearest attainable is 0.64 (16/25)"),
        ("table -P 1,x", "must be integers and ranges"),
        ("table -P 9:1:-2", "must be integers and ranges"),
        ("table --alphas x", "`alphas` must be numbers"),
        ("chart out.gif", "the ending of FILE"),
        ("chart out.png -m auc -m mcc", "shows one metric"),
        ("plan", "Say what to plan"),
        ("test missing.csv", "There is no file 'missing.csv'"),
    ],
)
def test_bad_input_is_one_sentence(arguments, sentence):
    with pytest.raises(podium.PodiumError) as error:
        run(*arguments.split())
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_input_exits_with_2():
    ran = run_as_a_program("value", "-P", "0", "-N", "5")
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr.startswith("podium: --positives must be")
    assert ran.stderr.count("\n") == 1


ROWS = [(1, 0.9, 0.2), (1, 0.8, 0.3), (1, 0.7, 0.9), (0, 0.6, 0.1), (0, 0.4, 0.4), (0, 0.3, 0.5)]


def written(tmp_path, header, *more, sign=",", label="y_true"):
    """A file of predictions of a and b, with more columns in front."""
    rows = [(*(column[i] for column in more), *row) for i, row in enumerate(ROWS)]
    lines = [sign.join(map(str, row)) for row in [(*header, label, "a", "b"), *rows]]
    file = tmp_path / "predictions.csv"
    file.write_text("\n".join(lines) + "\n")
    return file


def found_in(file, *arguments):
    return json.loads(run("test", file, "--json", "-", *arguments).stdout)


@pytest.mark.parametrize("name", ["id", "row", "", "case_id"])
def test_a_column_of_cases_is_no_competitor(tmp_path, name):
    found = found_in(written(tmp_path, [name], range(6, 0, -1)))
    assert (found["winner"], found["competitors"], found["algorithms"]) == ("a", 2, ["a", "b"])


@pytest.mark.parametrize(
    "name, values", [("age", [60, 50, 40, 30, 31, 30]), ("patient", range(6)), ("fold", [1, 2] * 3)]
)
def test_a_column_that_may_be_no_classifier_is_asked_about(tmp_path, name, values):
    file = written(tmp_path, ["id", name], "abcdef", values)
    with pytest.raises(podium.PodiumError, match=f"Column '{name}' of predictions.csv .*`ignore_column` '{name}'"):
        run("test", file)
    assert found_in(file, "--ignore-column", name)["competitors"] == 2
    assert found_in(file, "--keep-column", name)["competitors"] == 3
    assert found_in(file, "--algorithms", "a", "--algorithms", "b")["algorithms"] == ["a", "b"]


def test_the_file_may_have_any_form(tmp_path):
    import pandas as pd

    plain = found_in(written(tmp_path, ["id"], "abcdef"))
    frame = pd.read_csv(tmp_path / "predictions.csv")
    frame.to_csv(tmp_path / "packed.csv.gz", index=False)
    frame.to_excel(tmp_path / "sheet.xlsx", index=False)
    frame.to_parquet(tmp_path / "columns.parquet", index=False)
    frame.to_csv(tmp_path / "eu.csv", sep=";", decimal=",", index=False)
    for name, *more in [("packed.csv.gz",), ("sheet.xlsx",), ("columns.parquet",), ("eu.csv", "--decimal-comma")]:
        assert found_in(tmp_path / name, *more) == plain, name
    long = frame.melt(id_vars=["id", "y_true"], var_name="model", value_name="score")
    long.to_csv(tmp_path / "long.csv", index=False)
    assert found_in(tmp_path / "long.csv") == plain
    assert found_in(tmp_path / "long.csv", "--algorithms", "b")["algorithms"] == ["b"]


def test_the_column_of_labels_is_found_or_asked_for(tmp_path):
    assert found_in(written(tmp_path, ["id"], "abcdef", label="label"))["winner"] == "a"
    file = written(tmp_path, ["id", "target"], "abcdef", [1, 0] * 3, label="label")
    with pytest.raises(podium.PodiumError, match=r"which column has the labels, .target., .label..*`truth`"):
        run("test", file)
    assert found_in(file, "--truth", "label", "--ignore-column", "target")["winner"] == "a"


def test_probabilities_of_both_classes_are_one_score(tmp_path):
    rows = [f"{y},{1 - a},{a},{1 - b},{b}" for y, a, b in ROWS]
    file = tmp_path / "classes.csv"
    file.write_text("\n".join(["y_true,a_0,a_1,b_0,b_1", *rows]) + "\n")
    found = found_in(file)
    assert (found["winner"], found["competitors"], found["score"]) == ("a", 2, 1.0)


def test_what_was_read_is_said(tmp_path):
    ran = run("test", written(tmp_path, ["id", "weight"], "abcdef", [1, 2] * 3))
    assert "read as predictions of 2 algorithms for 6 cases; 'y_true' is the truth" in ran.stderr
    assert "weights are not used" in ran.stderr


@pytest.mark.parametrize(
    "text, sentence",
    [
        ("y_true,a\n1,0.5\n0,nan\n", "score of 'a' for case '2' is missing"),
        ("y_true,a\n1,0.5\n0,inf\n", "score of 'a' for case '2' is infinite: write a larger number than the others"),
        ("y_true,a\n1,0.5\n0,-inf\n", "is infinite: write a smaller number than the others"),
        ("y_true,a\n1,0.5\n2,0.1\n0,0.2\n", "exactly two different labels"),
        ("y_true,a\n1,0.5\n,0.1\n0,0.2\n", "missing label"),
        ("y_true,a,b\n1,0.5,1\n0,x,2\n", "row 2 below the header, column 'a' is 'x', not a number"),
        ("class_name,a\n1,0.5\n0,1\n", "name the column of labels with `truth`"),
        ("y_true,a\n1,0.5\n0\n", "line 3: 1 cells"),
        ("y_true,a,a\n1,1,1\n0,1,1\n", "more than one column 'a': rename"),
        ("y_true,id\n1,1\n0,2\n", "no column of predictions beside"),
        ("y_true,a\n", "at least one row"),
    ],
)
def test_bad_files_of_predictions_are_one_sentence(tmp_path, text, sentence):
    file = tmp_path / "bad.csv"
    file.write_text(text)
    with pytest.raises(podium.PodiumError) as error:
        run("test", file)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_several_metrics_and_means_over_test_sets():
    sizes = ("-P", 5, "-N", 8, "-C", 2)
    both = run("value", "-m", "average_precision", "-m", "ndcg", *sizes, "--draws", 5000, "--seed", 0).stdout
    assert "critical value of average_precision" in both
    assert "critical value of ndcg" in both
    equal = run("value", "-m", "tp10", "-P", 50, "-N", 200, "-C", 100, "--test-sets", 5).stdout
    listed = run("value", "-m", "tp10", *["-P", 50, "-N", 200] * 5, "-C", 100).stdout
    assert "Over 5 test sets with 1250 cases" in equal
    assert equal == listed
    with pytest.raises(podium.PodiumError, match="need an exact null distribution"):
        run("value", "-m", "ndcg", "-P", 5, "-P", 6, "-N", 8, "-N", 9)
    with refuses(podium.PodiumError, "test_sets"):
        run("value", *sizes, "--test-sets", 0)


def test_a_plan_in_which_nothing_can_be_significant_says_so():
    assert "no score can be significant" in run("plan", "--cases", 2).stdout
    assert "no score can be significant" not in run("plan", "--cases", 60, "-m", "tp10").stdout


def test_left_out_positives_and_the_other_nulls(tmp_path):
    left = run("plan", "-P", 40, "-N", 50, "--leave-out", "positives", "-m", "tp10").stdout
    assert "of 40 positives left out" in " ".join(left.split())
    rng = np.random.default_rng(0)
    table = pd.DataFrame({"x": rng.normal(size=60), "word": rng.choice(["a", "b"], 60), "label": [0, 1] * 30})
    table["x"] += 2 * table["label"]
    table.to_csv(tmp_path / "train.csv", index=False)
    table.to_csv(tmp_path / "test.csv", index=False)
    found = run("shuffle", tmp_path / "train.csv", "--draws", 20, "--seed", 0).stdout
    assert "draws by label permutation reaches" in found
    easy = run(
        "trivial", tmp_path / "train.csv", tmp_path / "test.csv", "--score", 0.9, "--draws", 30, "--seed", 0
    ).stdout
    assert "draws by trivial classifiers reaches 0.9 (AUC)" in easy
    table.assign(word="c").to_csv(tmp_path / "other.csv", index=False)
    with pytest.raises(podium.PodiumError, match="must have the same columns"):
        run("trivial", tmp_path / "train.csv", tmp_path / "other.csv", "--score", 0.9)
    with pytest.raises(podium.PodiumError, match="no-such"):
        run("shuffle", tmp_path / "train.csv", "--learner", "no-such")
